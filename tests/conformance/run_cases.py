#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives a daemon with the conformance cases in the folders next to this file, one verdict per case and codec.

Cases of a later wave than this build's are left out.
"""
import glob
import importlib.machinery
import importlib.util
import json
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import daemon  # noqa: E402

FOLDERS = ("validate", "repair", "repair_turn", "protected_turn", "texts", "formats", "dialects", "stream", "splice",
           "tools", "thinking", "prepare", "openai_chat", "openai_responses", "gemini", "splices", "explain", "evidence",
           "detect")
# Every case of these is built.
WHOLE = ("stream", "splice", "splices", "tools", "thinking", "prepare", "openai_chat", "gemini", "explain", "detect")
CODECS = ("json", "msgpack", "line")
LATER = {"wave-3"}  # the wave of which this build has only some rules
# Cases of that wave that OPERATIONS.md part C answers.
EARLY = re.compile("unbound-|policy-(route|values)-")
# Its other cases are named after their rule.
OF_RULE = re.compile("w3-([a-z_]+)")

LATER_PROVIDERS = {"bedrock"}
OPERATIONS = {"tools", "prepare"}  # these know them already


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
            if not case.get("skip_reason"):
                yield folder, case


def rules():
    """The rows of the catalogue, built or not."""
    path = os.path.join(HERE, "..", "..", "src", "catalogue", "catalogue.json")
    with open(path, encoding="utf-8") as f:
        return json.load(f)["rules"]


def is_judged(rule):
    """True if this build finds breaches of the rule."""
    return bool(rule.get("text")) and not rule.get("edit_only")


JUDGED = {rule["code"] for rule in rules() if is_judged(rule)}


def is_early(case):
    """True if this build has what a case of the last wave is about."""
    rule = OF_RULE.match(case["name"])
    return EARLY.match(case["name"]) is not None or (rule is not None and rule[1] in JUDGED)


def asks_later_provider(case):
    """True if a step asks for a provider whose rules this build lacks."""
    return any(step["method"] not in OPERATIONS and (step.get("params") or {}).get("provider") in LATER_PROVIDERS
               for step in case.get("steps", [case]) if "method" in step)


def is_built(name, case):
    """True if this build must pass the case."""
    if asks_later_provider(case) and name in ("formats", "evidence"):
        return False
    return name in WHOLE or is_early(case) or not LATER & set(case.get("tags", []))


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
        self.assertEqual(self.drive(case, codec), [])
    setattr(Cases, "test_%s_%s_%s" % (name, case["name"].replace("-", "_"), codec), verdict)


for _name, _case in cases():
    if is_built(_name, _case):
        for _codec in codecs(_case):
            add_verdict(_name, _case, _codec)

if __name__ == "__main__":
    unittest.main()
