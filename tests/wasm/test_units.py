#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unit tests of code that the module has in a version of its own, compiled for wasm32-wasi and run by Node.

These are the vectors of WebAssembly, which are held against the portable loops, and numbers as wasi-libc reads and
writes them. The lists of tests are the same as in tests/unit.
"""
import glob
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import node  # noqa: E402

node.need()
PROGRAMS = sorted(glob.glob(os.path.join(node.BUILD, "wasm", "tests", "unit", "*", "*.wasm")))


class Units(unittest.TestCase):
    def test_there_are_programs(self):
        self.assertGreaterEqual(len(PROGRAMS), 4)


def add_verdict(path):
    def verdict(self):
        lines = node.run("run_wasi.mjs", path).decode().splitlines()
        planned = int(lines[0].split("..")[1])
        self.assertEqual(sum(line.startswith("ok ") for line in lines), planned, lines)
    setattr(Units, os.path.basename(path).replace(".wasm", ""), verdict)


for _path in PROGRAMS:
    add_verdict(_path)

if __name__ == "__main__":
    unittest.main()
