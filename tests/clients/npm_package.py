# SPDX-License-Identifier: Apache-2.0
"""The npm package as its users get it: built from clients/typescript, packed, and installed in an empty folder.

tests/clients/install.sh installs the compiler, and what else the tests need, in advance; building needs no network.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from daemon import Daemon  # noqa: E402

TOP = os.path.abspath(os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "..", "..")))
BUILD = os.path.abspath(os.environ.get("top_builddir", os.path.join(TOP, "build", "plain")))
SOURCE = os.path.join(TOP, "clients", "typescript")
INSTALLED = os.environ.get("TK_SDK_FOLDER", "")
COMPILER = os.path.join(INSTALLED, "typescript-client")
TOOLS = os.path.join(INSTALLED, "typescript-tools")


def why_not(folder=COMPILER):
    """Returns why the packages in a folder, or the module, aren't here; None if they are."""
    if not INSTALLED:
        return "TK_SDK_FOLDER is not set; ./quickstart test sets it"
    if os.path.exists(folder + ".skip"):
        with open(folder + ".skip", encoding="utf-8") as f:
            return f.read().strip()
    if not os.path.exists(os.path.join(folder, "pinned")):
        return "not installed: tests/clients/install.sh"
    return None if folder != COMPILER else why_no_module()


def why_no_module():
    """Makes the module; returns what make said last if it can't."""
    made = run(["make", "--no-print-directory", "-C", BUILD, "wasm"], BUILD)
    return None if made.returncode == 0 else " / ".join(made.stdout.strip().splitlines()[-3:])


def run(command, folder, **environment):
    """Runs a command in a folder; its output, errors included, is in `stdout`."""
    quiet = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "npm_"))}
    quiet.update(environment, npm_config_update_notifier="false", npm_config_cache=os.path.join(folder, ".npm"))
    return subprocess.run(command, cwd=folder, env=quiet, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=280)


def complaint(output):
    """Returns what a program says of its failure: from the first failed test on if it prints TAP, else the end."""
    failed = output.find("not ok ")
    return output[-6000:] if failed < 0 else output[failed:failed + 6000]


class Package:
    """`file`: what `npm pack` made. `user`: a folder in which it is installed, with a copy of the client's tests."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        try:
            self.file = self.pack(os.path.join(self.folder, "package"))
            self.user = os.path.join(self.folder, "user")
            shutil.copytree(os.path.join(SOURCE, "tests"), self.user, ignore=shutil.ignore_patterns("node_modules"))
            self.install(self.user)
        except BaseException:
            self.remove()
            raise

    def pack(self, source):
        shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("node_modules", "dist", "tests"))
        os.symlink(os.path.join(COMPILER, "node_modules"), os.path.join(source, "node_modules"))
        self.must(["node", os.path.join("scripts", "build.mjs"), "--wasm", os.path.join(BUILD, "turnkeeper.wasm")], source)
        self.must(["npm", "pack", "--ignore-scripts", "--pack-destination", self.folder], source)
        return glob.glob(os.path.join(self.folder, "turnkeeper-*.tgz"))[0]

    def install(self, folder):
        """Installs the packed file in a folder without other packages, and without a network."""
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as f:
            json.dump({"private": True}, f)
        self.must(["npm", "install", "--offline", "--no-audit", "--no-fund", self.file], folder)

    @staticmethod
    def must(command, folder):
        done = run(command, folder)
        if done.returncode != 0:
            raise AssertionError("%s: %s" % (" ".join(command), done.stdout[-3000:]))

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Installed(unittest.TestCase):
    """Tests of the package as it is installed, with a daemon of their own."""

    @classmethod
    def setUpClass(cls):
        why = why_not()
        if why:
            raise unittest.SkipTest(why)
        cls.package = Package()
        cls.daemon = Daemon()

    @classmethod
    def tearDownClass(cls):
        cls.daemon.stop()
        cls.package.remove()

    def node(self, *arguments, **environment):
        done = run(["node", *arguments], self.package.user, TURNKEEPER_SOCKET=self.daemon.socket,
                   TK_STREAMS=os.path.join(TOP, "tests", "streams"), **environment)
        self.assertEqual(done.returncode, 0, complaint(done.stdout))
        return done.stdout
