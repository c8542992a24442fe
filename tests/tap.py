#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs unittest files and prints TAP, for automake's driver.

    tap.py FILE [TEST...]        TEST: as unittest names them, Class or Class.method

A failed subTest is a line of its own; standard output of the tests goes to standard error.
"""
import importlib.util
import os
import sys
import traceback
import unittest


class TapResult(unittest.TestResult):
    def __init__(self, out):
        super().__init__()
        self.out = out
        self.lines = 0
        self.failed_subtests = 0

    def line(self, ok, test, directive="", detail=""):
        self.lines += 1
        name = str(test).replace("#", "").replace("\n", " ")
        text = "%s %d - %s%s" % ("ok" if ok else "not ok", self.lines, name, directive)
        comment = "".join("# %s\n" % line for line in detail.splitlines())
        self.out.write(comment + text + "\n")
        self.out.flush()

    def startTest(self, test):
        super().startTest(test)
        self.failed_subtests = 0

    def addSuccess(self, test):
        if self.failed_subtests == 0:
            self.line(True, test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.line(False, test, detail=self.detail(err))

    def addError(self, test, err):
        super().addError(test, err)
        self.line(False, test, detail=self.detail(err))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.failed_subtests += 1
            self.line(False, subtest, detail=self.detail(err))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.line(True, test, directive=" # SKIP " + reason.replace("\n", " "))

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.line(False, test, directive=" # TODO expected failure")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.line(False, test, detail="succeeded, though marked as an expected failure")

    @staticmethod
    def detail(err):
        kind, value, _ = err
        if issubclass(kind, AssertionError):
            return str(value)[:4000]
        return "".join(traceback.format_exception(*err))[-4000:]


def load(path, names):
    folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    loader = unittest.defaultTestLoader
    return loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.dont_write_bytecode = True  # the source tree may be read-only
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what tests and their children print is no TAP
    result = TapResult(out)
    try:
        suite = load(sys.argv[1], sys.argv[2:])
    except unittest.SkipTest as why:
        out.write("1..0 # SKIP %s\n" % why)
        return 0
    suite.run(result)
    out.write("1..%d\n" % result.lines)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
