#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the files of a release, with the same bytes on every run.

    release.py [--if-possible] BUILD FOLDER [PART...]

BUILD: a configured build folder. FOLDER: where the files go, with their checksums in SHA256SUMS; what was there before
is removed. Without a PART all are made:

    source    turnkeeper-VERSION.tar.xz, by `make dist`
    debian    the packages for Debian, by dpkg-buildpackage
    python    the source distribution and the wheel, by clients/python/make_wheel.py
    wasm      turnkeeper.wasm, by `make wasm`
    npm       the npm package, by `npm pack`
    go        a bundle of git with the commit and the tags of which Go takes its modules (go_modules.py)

All but the module are built from the unpacked tarball, so they have nothing that the tarball lacks. The date in all of
them is that of the newest entry of debian/changelog. With --if-possible a part whose tools are missing is left out, and
FOLDER/PART.skip says why; and if the tarball has the bytes that it had before, the other files are kept.
"""
import email.utils
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

import go_modules

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
CHECKSUMS = "SHA256SUMS"
# Order, owners and modes of a folder differ between machines; GNU tar reads this variable.
TAR_OPTIONS = ("--sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go=rX,a-s --mtime=@%d "
               "--pax-option=exthdr.name=%%d/PaxHeaders/%%f,delete=atime,delete=ctime")


class Missing(Exception):
    """A part can't be made here. The message says what is missing and where Debian has it."""


def author_of_release():
    """Returns who wrote the newest entry of debian/changelog: the name, the address, and the seconds since 1970."""
    with open(os.path.join(TREE, "debian", "changelog"), encoding="utf-8") as changelog:
        name, address, date = re.search(r"(?m)^ -- (.*) <(.*)>  (.*)$", changelog.read()).groups()
    return name, address, int(email.utils.parsedate_to_datetime(date).timestamp())


def date_of_release():
    return author_of_release()[2]


def version():
    with open(os.path.join(TREE, "VERSION"), encoding="utf-8") as file:
        return file.readline().strip()


def need(command, package, path=None):
    if shutil.which(command, path=path) is None:
        raise Missing("%s is missing (Debian: %s)" % (command, package))


class Release:
    """`build`: the build folder. `folder`: of the finished files. `work`: everything else; its path is in no file."""

    def __init__(self, build, folder, work):
        self.build, self.folder, self.work = build, folder, work
        self.name = "turnkeeper-" + version()
        self.tree = os.path.join(work, self.name)
        self.sdk = os.environ.get("TK_SDK_FOLDER") or os.path.join(build, "sdk")
        # Nothing of the caller's make, compiler or language settings; its network settings are kept.
        kept = ("HOME", "TMPDIR", "http_proxy", "https_proxy", "no_proxy", "PIP_CERT", "PIP_FIND_LINKS", "PIP_INDEX_URL")
        self.environment = {name: os.environ[name] for name in kept if name in os.environ}
        self.environment.update(PATH=os.environ["PATH"], LC_ALL="C.UTF-8", TZ="UTC",
                                SOURCE_DATE_EPOCH=str(date_of_release()))

    def run(self, *command, folder=None, **environment):
        subprocess.run(command, cwd=folder or self.work, env={**self.environment, **environment}, check=True,
                       stdin=subprocess.DEVNULL)

    def keep(self, *patterns):
        """Copies the files of these patterns below `work` to the finished ones."""
        for pattern in patterns:
            for path in glob.glob(os.path.join(self.work, pattern)):
                shutil.copy(path, self.folder)

    def source(self):
        """The tarball, unpacked in `tree` for the other parts."""
        self.run("make", "-s", "dist", folder=self.build, XZ_OPT="-e -T1",
                 TAR_OPTIONS=TAR_OPTIONS % date_of_release())
        tarball = self.name + ".tar.xz"
        shutil.move(os.path.join(self.build, tarball), self.work)
        self.run("tar", "-xf", tarball)
        self.keep(tarball)

    def debian(self):
        need("dpkg-buildpackage", "dpkg-dev", SYSTEM_PATH)
        lacks = subprocess.run(["dpkg-checkbuilddeps"], cwd=self.tree, env=self.environment, text=True,
                               stderr=subprocess.PIPE, check=False)
        if lacks.returncode != 0:
            raise Missing(lacks.stderr.strip().replace("\n", " "))
        if "nocheck" not in os.environ.get("DEB_BUILD_OPTIONS", ""):
            print("builds the packages and runs the conformance cases with them, which takes a quarter of an hour; "
                  "DEB_BUILD_OPTIONS=nocheck leaves these out", flush=True)
        self.run("dpkg-buildpackage", "-b", "-us", "-uc", folder=self.tree, PATH=SYSTEM_PATH,
                 DEB_BUILD_OPTIONS="parallel=%d %s" % (os.cpu_count(), os.environ.get("DEB_BUILD_OPTIONS", "")))
        self.keep("*.deb")

    def python(self):
        requirements = os.path.join(self.tree, "clients", "python", "tests", "run_sdk_tests.sh")
        python = os.path.join(self.sdk, "client-wheel", "bin", "python")
        if not os.path.exists(os.path.join(self.sdk, "client-wheel", "installed.txt")):
            self.run("sh", requirements, "--install", self.sdk, "wheel", PYTHON=sys.executable)
        if not os.path.exists(os.path.join(self.sdk, "client-wheel", "installed.txt")):
            raise Missing("PyPI can't be reached, or python3-venv is missing: see %s/client-wheel.log" % self.sdk)
        need("cc", "gcc", SYSTEM_PATH)
        made = os.path.join(self.work, "python")
        self.run(python, "-B", os.path.join(self.tree, "clients", "python", "make_wheel.py"), made, PATH=SYSTEM_PATH)
        self.keep("python/*")

    def wasm(self):
        with open(os.path.join(self.build, "Makefile"), encoding="utf-8") as makefile:
            if re.search(r"(?m)^WASM_CC = *$", makefile.read()):
                raise Missing("configure found no clang that links for wasm32-wasi (Debian: clang-14, lld-14, wasi-libc, "
                              "libclang-rt-14-dev-wasm32)")
        self.run("make", "-s", "wasm", folder=self.build)
        shutil.copy(os.path.join(self.build, "turnkeeper.wasm"), self.folder)

    def npm(self):
        need("npm", "npm")
        module = os.path.join(self.folder, "turnkeeper.wasm")
        if not os.path.exists(module):
            raise Missing("the npm package contains turnkeeper.wasm, which wasn't made")
        package = os.path.join(self.tree, "clients", "typescript")
        compiler = os.path.join(self.sdk, "typescript-client", "node_modules")
        if os.path.isdir(compiler):
            os.symlink(compiler, os.path.join(package, "node_modules"))
        else:
            try:
                self.run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=package)
            except subprocess.CalledProcessError as why:
                raise Missing("npm ci failed: is npm's registry reachable?") from why
        self.run("node", os.path.join("scripts", "build.mjs"), "--wasm", module, folder=package)
        self.run("npm", "pack", "--ignore-scripts", "--pack-destination", self.work, folder=package)
        self.keep("turnkeeper-*.tgz")

    def go(self):
        need("git", "git")
        module = os.path.join(self.folder, "turnkeeper.wasm")
        if not os.path.exists(module):
            raise Missing("the Go module contains turnkeeper.wasm, which wasn't made")
        with open(os.path.join(self.tree, "clients", "go", "version.go"), encoding="utf-8") as file:
            number = re.search(r'(?m)^const Version = "(.*)"$', file.read()).group(1)
        go_modules.make_bundle(self.tree, module, self.work, os.path.join(self.folder, "turnkeeper-go-%s.bundle" % number),
                               "v" + number, author_of_release(), self.run)


# In this order: each needs the tarball, npm and go also the module.
PARTS = {"source": Release.source, "debian": Release.debian, "python": Release.python, "wasm": Release.wasm,
         "npm": Release.npm, "go": Release.go}


def checksum(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def write_checksums(folder):
    names = sorted(name for name in os.listdir(folder) if not name.endswith((".skip", CHECKSUMS)))
    with open(os.path.join(folder, CHECKSUMS), "w", encoding="utf-8") as out:
        for name in names:
            out.write("%s  %s\n" % (checksum(os.path.join(folder, name)), name))


def is_unchanged(folder, made):
    """True if `folder` has a whole release of the tarball that was just made in the folder `made`."""
    try:
        with open(os.path.join(folder, CHECKSUMS), encoding="utf-8") as file:
            rows = dict(reversed(line.split()) for line in file)
    except FileNotFoundError:
        return False
    (tarball,) = glob.glob(os.path.join(made, "*.tar.xz"))
    return rows.get(os.path.basename(tarball)) == checksum(tarball) and not glob.glob(os.path.join(folder, "*.skip"))


def make(build, folder, parts, if_possible):
    """Makes the parts, and the tarball that they need, in a folder of its own; it replaces `folder` when all are there."""
    with tempfile.TemporaryDirectory(prefix="release-", dir=build) as work:
        made = os.path.join(work, "made")
        os.mkdir(made)
        release = Release(build, made, work)
        for name in (name for name in PARTS if name in {"source", *parts}):
            print("release: %s" % name, flush=True)
            try:
                PARTS[name](release)
            except Missing as why:
                if not if_possible:
                    sys.exit("release: %s can't be made: %s" % (name, why))
                with open(os.path.join(made, name + ".skip"), "w", encoding="utf-8") as out:
                    out.write("%s\n" % why)
            if name == "source" and if_possible and is_unchanged(folder, made):
                return
        if "source" not in parts:
            os.unlink(os.path.join(made, release.name + ".tar.xz"))
        write_checksums(made)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(made, folder)


def main():
    arguments = sys.argv[1:]
    if_possible = arguments[:1] == ["--if-possible"]
    arguments = arguments[if_possible:]
    if len(arguments) < 2 or set(arguments[2:]) - set(PARTS):
        sys.exit(__doc__)
    build, folder = map(os.path.abspath, arguments[:2])
    os.umask(0o022)
    try:
        make(build, folder, arguments[2:] or list(PARTS), if_possible)
    except subprocess.CalledProcessError as why:
        sys.exit("release: failed: %s" % " ".join(why.cmd))


if __name__ == "__main__":
    main()
