#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Go client's own tests, one verdict for each; skipped where Go is missing or too old.

Also vet, format, staticcheck where it is installed, and a short run of the fuzz target.
"""
import collections
import json
import os
import re
import shutil
import subprocess
import unittest

TOP = os.path.abspath(os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "..", "..")))
CLIENT = os.path.join(TOP, "clients", "go")
SDK = os.path.join(CLIENT, "internal", "sdktest")
EXAMPLE = os.path.join(TOP, "examples", "go")
GO = shutil.which("go")
ENVIRONMENT = dict(os.environ, GOTOOLCHAIN="local", GOWORK="off")
if not os.environ.get("HOME"):
    ENVIRONMENT.setdefault("GOCACHE", os.path.abspath("go-cache"))
    ENVIRONMENT.setdefault("GOPATH", os.path.abspath("go-path"))


def run(folder, *command):
    """Output and exit code of a command in a module's folder."""
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout, done.returncode


def version():
    found = re.search(r"go(\d+)\.(\d+)", run(TOP, GO, "version")[0]) if GO else None
    return tuple(map(int, found.groups())) if found else (0, 0)


VERSION = version()


def missing_for(folder):
    """Why the tests of a module can't run here; None if they can."""
    if not GO:
        return "Go is not installed"
    with open(os.path.join(folder, "go.mod"), encoding="utf-8") as f:
        needed = tuple(map(int, re.search(r"^go (\d+)\.(\d+)", f.read(), re.M).groups()))
    if VERSION < needed:
        return "needs Go %d.%d, this is %d.%d" % (needed + VERSION)
    if folder == SDK and run(folder, GO, "mod", "download")[1] != 0:
        return "the SDK's modules can't be had here"
    return None


def race():
    """The detector needs cgo and a C compiler."""
    return ["-race"] if run(CLIENT, GO, "test", "-race", "-run", "^$", ".")[1] == 0 else []


Verdict = collections.namedtuple("Verdict", "action output")


def verdicts(folder):
    """The tests of a module, by name."""
    output, code = run(folder, GO, "test", "-json", "-count=1", *race(), "./...")
    texts, found = collections.defaultdict(str), {}
    for line in output.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            texts[""] += line + "\n"  # what doesn't compile
            continue
        test = event.get("Test", "").split("/")[0]
        texts[test] += event.get("Output", "")
        if event["Action"] in ("pass", "fail", "skip") and event.get("Test") == test != "":
            found[test] = event["Action"]
    if code and "fail" not in found.values():
        found["builds"] = "fail"
        texts["builds"] = "".join(texts.values())
    return {name: Verdict(action, texts[name]) for name, action in found.items()}


def add(case, name, verdict):
    def test(self):
        if verdict.action == "skip":
            reason = [line for line in verdict.output.splitlines() if ".go:" in line]
            self.skipTest(reason[-1].split(": ", 1)[-1] if reason else "no reason given")
        self.assertEqual(verdict.action, "pass", verdict.output)
    setattr(case, "test_" + name, test)


class Client(unittest.TestCase):
    pass


class Sdk(unittest.TestCase):
    pass


@unittest.skipIf(missing_for(CLIENT), missing_for(CLIENT))
class Checks(unittest.TestCase):
    def test_vet(self):
        for folder in (CLIENT, EXAMPLE):
            output, code = run(folder, GO, "vet", "./...")
            self.assertEqual(code, 0, output)

    def test_format(self):
        for folder in (CLIENT, EXAMPLE):
            output, code = run(folder, "gofmt", "-l", ".")
            self.assertEqual((output, code), ("", 0))

    def test_staticcheck(self):
        if not shutil.which("staticcheck"):
            self.skipTest("staticcheck is not installed")
        for folder in (CLIENT, EXAMPLE):
            output, code = run(folder, "staticcheck", "./...")
            self.assertEqual(code, 0, output)

    def test_fuzz_for_a_moment(self):
        output, code = run(CLIENT, GO, "test", "-run", "^$", "-fuzz", "FuzzPatch", "-fuzztime", "5s",
                           "-parallel", "1", ".")
        self.assertEqual(code, 0, output)


def load(case, folder):
    why = missing_for(folder)
    if why:
        add(case, "all", Verdict("skip", "x.go: " + why))
        return
    for name, verdict in verdicts(folder).items():
        add(case, name, verdict)


load(Client, CLIENT)
load(Sdk, SDK)

if __name__ == "__main__":
    unittest.main()
