#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every name that a user can meet is expected by a test that runs: methods, errors, limits, violation codes,
warnings of streams.

The names come from the build itself (`info`), those of warnings from their table, so that whoever adds one has to add its test. As expectation counts

  - in the conformance cases that this build runs: what a case calls, and what its `expect` names;
  - in the catalogue's examples that this build runs: their `expect`;
  - in unit and integration tests: the name in quotes, in code (comments and this folder don't count).
"""
import ast
import glob
import io
import json
import os
import re
import subprocess
import sys
import tokenize
import unittest

TOP = os.environ.get("top_srcdir", ".")
sys.path[:0] = [os.path.join(TOP, "tests"), os.path.join(TOP, "tests", "conformance")]
import catalogue_examples  # noqa: E402
import run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

C_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
C_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
WORD = re.compile(r"[a-z][a-z0-9_]+")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def strings(value):
    """All strings of a JSON value, keys included."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield key
            yield from strings(member)
    elif isinstance(value, list):
        for member in value:
            yield from strings(member)
    elif isinstance(value, str):
        yield value


def expected_by_cases():
    for _, case in run_cases.runnable():
        for step in case.get("steps") or [case]:
            yield step["method"]
            yield from strings(step.get("expect", {}))
    for rule in catalogue_examples.rules():
        yield from strings(rule["expect"])


def c_strings(path):
    for string in C_STRING.findall(C_COMMENT.sub(" ", read(path))):
        yield from WORD.findall(string.replace("\\n", " "))


def python_strings(path):
    """Yields the words of string tokens, without strings that are a statement: those are comments."""
    source = read(path)
    alone = {(node.value.lineno, node.value.col_offset) for node in ast.walk(ast.parse(source))
             if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING and token.start not in alone:
            yield from WORD.findall(token.string)
        # A limit may be set as a keyword argument: Daemon(max_frame=4096).
        elif token.type == tokenize.NAME:
            yield token.string


def expected_by_programs():
    for path in glob.glob(TOP + "/tests/unit/**/*.[ch]", recursive=True):
        yield from c_strings(path)
    for path in glob.glob(TOP + "/tests/integration/*.py"):
        yield from python_strings(path)


def info():
    with Daemon() as daemon:
        done = subprocess.run([os.environ.get("TURNKEEPER", "turnkeeper"), "info", "--socket", daemon.socket],
                              check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.info = info()
        cls.expected = set(expected_by_cases()) | set(expected_by_programs())

    def check(self, names):
        self.assertTrue(names, "the build names none")
        self.assertEqual(sorted(set(names) - self.expected), [], "no test expects these")

    def test_methods(self):
        self.check([method["name"] for method in self.info["methods"]])

    def test_errors(self):
        self.check([error["name"] for error in self.info["errors"]])

    def test_errors_are_documented(self):
        text = read(TOP + "/doc/ERRORS.md")
        missing = [error["name"] for error in self.info["errors"] if "`%s`" % error["name"] not in text]
        self.assertEqual(missing, [], "doc/ERRORS.md lacks these")

    def test_limits(self):
        streams = any(method["name"].startswith("stream.") for method in self.info["methods"])
        # Limits of streams can be configured before there are streams.
        self.check([name for name in self.info["limits"] if streams or "_stream" not in name])

    def test_warnings(self):
        """Each is expected with its count; that a case says it is absent doesn't count."""
        self.check(re.findall(r'^ +X\(\w+, "(\w+)"\)', read(TOP + "/src/stream/warning.h"), re.M))

    def test_violation_codes(self):
        self.check([row["code"] for row in self.info["catalogue"]])


if __name__ == "__main__":
    unittest.main()
