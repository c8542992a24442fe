# SPDX-License-Identifier: Apache-2.0
"""Compiles the library for the wheel: turnkeeper/libturnkeeper.so, with a C compiler and no dependency but libc; and
turnkeeper/_answer.abi3.so, which saves the cost of ctypes in CPython, if its headers are installed.

    CC       the compiler; default: cc
    CFLAGS   more flags for it, after ours
    TURNKEEPER_WITHOUT_LIBRARY
             compiles nothing, for packages of a system that has libturnkeeper.so.1 in another one

The library's sources are those of the project's tree around this folder. The source distribution has them in `core`.
Everything else about the package is in pyproject.toml.
"""

import glob
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
PACKED = os.path.join(HERE, "core")
# The library's folders below src: not the daemon, the command line program, the WebAssembly module.
FOLDERS = "value catalogue history shapes wording request engine providers stream operations methods".split()
MODULE = "_answer.abi3.so"
NATIVE = "native"  # the folder of its sources
FILES = ("src/turnkeeper.map", "include/turnkeeper/turnkeeper.h", "VERSION")
NAME = "libturnkeeper.so"
PURE = bool(os.environ.get("TURNKEEPER_WITHOUT_LIBRARY"))

FLAGS = "-std=gnu11 -O2 -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections -fstack-protector-strong"
DEFINES = ("-D_GNU_SOURCE", "-DTK_PORTABLE_SHA256", "-DNDEBUG")
LINK_MODULE = "-shared -s -Wl,--gc-sections -Wl,-z,relro,-z,now"  # Python's functions are the interpreter's
LINK = LINK_MODULE + " -Wl,-z,defs"

NEEDED = """
#include <msgpack/pack.h>
#include <stdlib.h>
int main(void) { return 0; }
"""


def core():
    """The folder that has the library's sources."""
    for folder in (PACKED, TREE):
        if os.path.exists(os.path.join(folder, "src", "turnkeeper.map")):
            return folder
    raise SystemExit("turnkeeper: the library's sources are neither in core nor in the tree around it")


def sources(folder, suffixes):
    """The paths of the library's sources, relative to `folder`."""
    for name in FOLDERS:
        for where, _, names in sorted(os.walk(os.path.join(folder, "src", name))):
            for file in sorted(n for n in names if n.endswith(suffixes)):
                yield os.path.relpath(os.path.join(where, file), folder)


def compiler():
    return shlex.split(os.environ.get("CC") or "cc")


def check_compiler(folder):
    """Ends with what is missing, in words."""
    source = os.path.join(folder, "needed.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(NEEDED)
    command = [*compiler(), "-c", source, "-o", os.path.join(folder, "needed.o")]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as why:
        raise SystemExit(
            "turnkeeper: a C compiler is needed to build the library, and %s can't be run (%s). Debian: "
            "apt-get install gcc libc6-dev libmsgpack-dev; or set CC" % (compiler()[0], why.strerror)
        ) from why
    if done.returncode != 0:
        raise SystemExit(
            "turnkeeper: the C library's or msgpack-c's headers are missing (Debian: apt-get install "
            "libc6-dev libmsgpack-dev):\n%s" % done.stdout.decode(errors="replace")
        )


def compile_all(folder, objects):
    """Compiles each source. Returns the object files."""
    with open(os.path.join(folder, "VERSION"), encoding="utf-8") as file:
        version = file.readline().strip()
    flags = [*FLAGS.split(), *DEFINES, '-DPACKAGE_VERSION="%s"' % version, "-Iinclude", "-Isrc"]
    flags += shlex.split(os.environ.get("CFLAGS", ""))

    def compile_one(source):
        made = os.path.join(objects, source.replace(os.sep, "-") + ".o")
        subprocess.run([*compiler(), *flags, "-c", source, "-o", made], cwd=folder, check=True)
        return made

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(compile_one, sources(folder, ".c")))


class Build(build_py):
    """Copies the package, then puts the library and the module into it."""

    def run(self):
        super().run()
        if PURE:
            return
        folder, objects = core(), os.path.abspath(os.path.join(self.build_lib, os.pardir, "objects"))
        os.makedirs(objects, exist_ok=True)
        self.add_library(folder, objects)
        headers = sysconfig.get_path("include")
        if sys.implementation.name == "cpython" and os.path.exists(os.path.join(headers, "Python.h")):
            self.add_module(folder, headers)
        else:
            print("turnkeeper: without Python's headers (Debian: python3-dev) the library is called by ctypes")

    def add_module(self, folder, headers):
        sources = sorted(glob.glob(os.path.join(HERE, NATIVE, "*.c")))
        to = os.path.join(self.build_lib, "turnkeeper", MODULE)
        include = ["-I" + headers, "-I" + os.path.join(folder, "include")]
        flags = [*FLAGS.split(), *LINK_MODULE.split(), *shlex.split(os.environ.get("CFLAGS", ""))]
        subprocess.run([*compiler(), *flags, *include, *sources, "-o", to], check=True)

    def add_library(self, folder, objects):
        check_compiler(objects)
        made = compile_all(folder, objects)
        to = os.path.join(self.build_lib, "turnkeeper", NAME)
        script = "-Wl,--version-script=" + os.path.join(folder, "src", "turnkeeper.map")
        command = [*compiler(), *LINK.split(), "-Wl,-soname," + NAME, script, *made, "-o", to]
        subprocess.run(command, check=True)


class Source(sdist):
    """Adds the sources of the library and of the module."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        shutil.copytree(os.path.join(HERE, NATIVE), os.path.join(base_dir, NATIVE), dirs_exist_ok=True)
        folder = core()
        for path in (*FILES, *sources(folder, (".c", ".h"))):
            to = os.path.join(base_dir, "core", path)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy2(os.path.join(folder, path), to)


class Wheel(bdist_wheel):
    """The wheel is for one platform, and for any Python 3: what can't load the module uses ctypes."""

    def get_tag(self):
        if PURE:
            return super().get_tag()
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        return "py3", "none", self.plat_name.replace("-", "_") if self.plat_name_supplied else platform


class OfPlatform(Distribution):
    def has_ext_modules(self):
        return not PURE


setup(
    distclass=OfPlatform, cmdclass={"build_py": Build, "sdist": Source, "bdist_wheel": Wheel}
)
