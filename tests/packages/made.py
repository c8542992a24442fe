# SPDX-License-Identifier: Apache-2.0
"""The files of the release that `make release-if-possible` made before these tests, and why one is missing."""
import glob
import os
import re
import shutil
import subprocess
import unittest

TOP = os.path.abspath(os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "..", "..")))
BUILD = os.path.abspath(os.environ.get("top_builddir", os.path.join(TOP, "build", "plain")))
RELEASE = os.path.join(BUILD, "release")
SDK = os.path.abspath(os.environ.get("TK_SDK_FOLDER") or os.path.join(BUILD, "sdk"))
CHECKERS = os.path.join(SDK, "packages")


def last_line(path, otherwise):
    """The last line of a file, or another text if there is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip().splitlines()[-1]
    except (OSError, IndexError):
        return otherwise


def files(part, pattern):
    """The files of a part of the release, by their pattern; skips the test where the part couldn't be made."""
    skipped = os.path.join(RELEASE, part + ".skip")
    if os.path.exists(skipped):
        raise unittest.SkipTest(last_line(skipped, part))
    found = sorted(glob.glob(os.path.join(RELEASE, pattern)))
    if not found:
        raise AssertionError("%s: no %s; make release-if-possible makes it" % (RELEASE, pattern))
    return found


def debian_package(name):
    (path,) = files("debian", name + "_*.deb")
    return path


def checker(name):
    """The path of a program of requirements.txt; skips the test where it isn't installed."""
    if not os.path.exists(os.path.join(CHECKERS, "installed.txt")):
        why = last_line(CHECKERS + ".log", "tests/packages/install.sh wasn't run")
        raise unittest.SkipTest("%s isn't installed: %s" % (name, why))
    return os.path.join(CHECKERS, "bin", name)


def run(*command, **how):
    """Runs a command; its output, errors included, is in `stdout`."""
    how.setdefault("timeout", 600)
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False, **how)


def with_version(package, number, folder):
    """Returns a copy of a Debian package in a folder, with another version."""
    tree = os.path.join(folder, "unpacked")
    control = os.path.join(tree, "DEBIAN", "control")
    subprocess.run(["dpkg-deb", "-R", package, tree], check=True)
    with open(control, encoding="utf-8") as file:
        text = file.read()
    with open(control, "w", encoding="utf-8") as file:
        file.write(re.sub(r"(?m)^Version: .*$", "Version: " + number, text))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, folder], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    (path,) = glob.glob(os.path.join(folder, "*_%s_*.deb" % number))
    return path
