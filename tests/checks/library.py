#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libturnkeeper as others meet it: its header alone, its names, what it pulls in, its example."""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

TOP = os.environ.get("top_srcdir", ".")
BUILD = os.environ.get("top_builddir", ".")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError("%s: exit %d\n%s" % (shlex.join(command), done.returncode, done.stderr))
    return done.stdout


def shared_object():
    return os.path.join(BUILD, ".libs", "libturnkeeper.so")


class Header(unittest.TestCase):
    def compile(self, compiler, suffix, *flags):
        if not compiler or not shutil.which(shlex.split(compiler)[0]):
            self.skipTest("no compiler for " + suffix)
        for header in sorted(glob.glob(TOP + "/include/turnkeeper/*.h")):
            with tempfile.TemporaryDirectory() as folder:
                source = os.path.join(folder, "user" + suffix)
                with open(source, "w", encoding="utf-8") as f:
                    f.write('#include "turnkeeper/%s"\nint main(void) { return 0; }\n' % os.path.basename(header))
                run(*shlex.split(compiler), *flags, "-Wall", "-Wextra", "-Werror", "-I", TOP + "/include",
                    "-c", source, "-o", os.path.join(folder, "user.o"))

    def test_compiles_as_c99(self):
        self.compile(os.environ.get("CC", "cc"), ".c", "-std=c99", "-pedantic")

    def test_compiles_as_cxx(self):
        self.compile(os.environ.get("CXX"), ".cc", "-std=c++11", "-pedantic")

    def test_only_the_header_of_the_library_is_installed(self):
        with open(TOP + "/Makefile.am", encoding="utf-8") as f:
            (installed,) = re.findall(r"^pkginclude_HEADERS = (.*)$", f.read(), re.M)
        self.assertEqual(installed.split(), ["include/turnkeeper/turnkeeper.h"])


@unittest.skipUnless(shutil.which("readelf"), "no readelf")
class Symbols(unittest.TestCase):
    def test_exports_the_map_and_nothing_else(self):
        with open(TOP + "/src/turnkeeper.map", encoding="utf-8") as f:
            wanted = set(re.findall(r"^\s+(tk_\w+);", f.read(), re.M))
        rows = run("readelf", "-W", "--dyn-syms", shared_object()).splitlines()
        names = {r.split()[7].split("@")[0] for r in rows if re.search(r" (GLOBAL|WEAK) +DEFAULT +\d+ ", r)}
        self.assertEqual(names, wanted)

    def test_header_declares_what_the_map_names(self):
        declared = set()
        for header in glob.glob(TOP + "/include/turnkeeper/*.h"):
            with open(header, encoding="utf-8") as f:
                declared |= set(re.findall(r"TK_PUBLIC [^;]*?\b(tk_\w+)\(", f.read()))
        with open(TOP + "/src/turnkeeper.map", encoding="utf-8") as f:
            self.assertEqual(declared, set(re.findall(r"^\s+(tk_\w+);", f.read(), re.M)))

    def test_needs_neither_loop_nor_configuration(self):
        dynamic = run("readelf", "-W", "-d", shared_object())
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
        self.assertEqual([n for n in needed if re.search("event|jansson|pthread", n)], [])
        self.assertIn("[libturnkeeper.so.1]", dynamic)

    def test_daemon_carries_the_core_itself(self):
        for program in ("turnkeeperd", "turnkeeper"):
            needed = run("readelf", "-W", "-d", os.path.join(BUILD, program))
            self.assertNotIn("libturnkeeper", needed, program)


class Example(unittest.TestCase):
    def repairs(self, program):
        body = json.loads(run(program))
        self.assertEqual(body["messages"][1]["content"], [{"type": "text", "text": "Let me look."}])

    def test_embed_repairs(self):
        self.repairs(os.path.join(BUILD, "examples", "embed"))

    def compiled(self, compiler, language, standard):
        """The example, compiled and linked as its head says, with a strict compiler."""
        if not compiler or not shutil.which(shlex.split(compiler)[0]):
            self.skipTest("no compiler for " + language)
        with open(shared_object(), "rb") as f:
            if re.search(rb"__[atu]b?san_", f.read()):
                self.skipTest("the library was built with sanitizers")
        libraries = os.path.abspath(os.path.join(BUILD, ".libs"))
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "embed")
            run(*shlex.split(compiler), "-x", language, "-std=" + standard, "-pedantic", "-Wall", "-Wextra", "-Werror",
                "-I", TOP + "/include", TOP + "/examples/embed.c", "-x", "none", "-L", libraries, "-lturnkeeper",
                "-Wl,-rpath," + libraries, "-o", program)
            self.repairs(program)

    def test_embed_is_c99(self):
        self.compiled(os.environ.get("CC", "cc"), "c", "c99")

    def test_embed_is_cxx(self):
        self.compiled(os.environ.get("CXX"), "c++", "c++11")


if __name__ == "__main__":
    unittest.main()
