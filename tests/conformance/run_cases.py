#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives a daemon with the conformance cases in the folders next to this file, one verdict per case and codec.

A case that this build can't pass says what it `needs`: codes, or providers whose rules are judged. It is skipped, with
that reason, until the build has them. index.json has the folders' names, for other programs that run the cases.
"""
import glob
import importlib.machinery
import importlib.util
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import daemon  # noqa: E402

CODECS = ("json", "msgpack", "line")


def folders():
    with open(os.path.join(HERE, "index.json"), encoding="utf-8") as f:
        return tuple(json.load(f)["folders"])


FOLDERS = folders()


def load_runner():
    """The program `run`, which has no suffix, as a module."""
    loader = importlib.machinery.SourceFileLoader("run", os.path.join(HERE, "run"))
    spec = importlib.util.spec_from_loader("run", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def read(*folder):
    """Yields the elements of the lists in all files of a folder, in the order of the files' names."""
    for path in sorted(glob.glob(os.path.join(HERE, *folder, "*.json"))):
        with open(path, encoding="utf-8") as f:
            yield from json.load(f)


def cases():
    """Yields (folder, case)."""
    for folder in FOLDERS:
        for case in read(folder):
            yield folder, case


def runnable():
    """Yields (folder, case) of the cases whose needs this build has."""
    return ((folder, case) for folder, case in cases() if not missing(case))


def rules():
    """The rows of the catalogue, built or not."""
    path = os.path.join(HERE, "..", "..", "src", "catalogue", "catalogue.json")
    with open(path, encoding="utf-8") as f:
        return json.load(f)["rules"]


def is_judged(rule):
    """True if this build finds breaches of the rule."""
    return bool(rule.get("text")) and not rule.get("edit_only")


def judged():
    """Returns the codes and the providers of all rules that this build judges."""
    found = [rule for rule in rules() if is_judged(rule)]
    return {rule["code"] for rule in found} | {rule["provider"] for rule in found}


JUDGED = judged()


def missing(case):
    """Returns what the case needs and this build doesn't have."""
    return sorted(set(case.get("needs", ())) - JUDGED)


def codecs(case):
    """A case whose point is its bytes can't be told in msgpack."""
    raw = case.get("raw") or "__raw_messages__" in (case.get("params") or {})
    return [c for c in CODECS if not (raw and c == "msgpack")]


class Cases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runner = load_runner()
        cls.daemon = daemon.Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def drive(self, case, codec):
        return self.runner.run_case(self.daemon.socket, codec, case)


def add_verdict(name, case, codec):
    def verdict(self):
        if missing(case):
            self.skipTest("needs " + ", ".join(missing(case)))
        self.assertEqual(self.drive(case, codec), [])
    setattr(Cases, "test_%s_%s_%s" % (name, case["name"].replace("-", "_"), codec), verdict)


for _name, _case in cases():
    for _codec in codecs(_case):
        add_verdict(_name, _case, _codec)

if __name__ == "__main__":
    unittest.main()
