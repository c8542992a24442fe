#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every case of the methods that take `return: "splices"`, asked in that form, too.

The changes, applied to the bytes that were sent, must give the bytes that the other forms give.
"""
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.dont_write_bytecode = True  # the source tree may be read-only
sys.path[:0] = [os.path.join(TESTS, "properties"), TESTS]

import spliced
from daemon import Daemon
from run_cases import FOLDERS, missing, read
from wire import RUNNER, Wire


def texts(params):
    """The parameters as JSON text, twice: with and without white space."""
    raw = params.pop("__raw_messages__", None)
    for indent in (None, 1):
        text = json.dumps(params, ensure_ascii=indent is not None, indent=indent)
        if raw is not None:
            text = '{"messages":%s%s%s' % (raw, "," if params else "", text.lstrip()[1:])
        yield text


def questions(case):
    """(method, text of the parameters) of each request of a case that can be asked for splices."""
    for step in case.get("steps") or [case]:
        params = RUNNER.grown(step.get("params", {}))
        sends = isinstance(params, dict) and any(source in params for source in spliced.SOURCES)
        if step["method"] in spliced.WHOLE and sends:
            for text in texts(params):
                yield step["method"], text


class SplicesOfCases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        daemon = Daemon()
        cls.addClassCleanup(daemon.stop)
        cls.wire = Wire(daemon.socket)
        cls.addClassCleanup(cls.wire.close)

    def every_case_of(self, folder):
        changes = 0
        for case in read(folder):
            if missing(case):
                continue
            with self.subTest(case["name"]):
                for method, text in questions(case):
                    answers = {}

                    def ask(form):
                        if form not in answers:
                            answers[form] = self.wire.ask(method, spliced.with_form(text, form))
                        return answers[form]
                    self.assertIsNone(spliced.law(ask, method, text))
                    changes += "splices" in (ask("splices").result or {})
        return changes

    def test_some_cases_are_changed(self):
        """The other tests of this file look at something."""
        self.assertGreater(self.every_case_of("repair"), 100)

    def test_msgpack_is_refused(self):
        """Offsets into msgpack would be of no use: it has no text to put there."""
        for method, params in (("repair", {"messages": []}), ("repair_turn", {"content": []}),
                               ("splice", {"messages": [], "assistant": {"content": "a"}}),
                               ("tools", {"tools": []}), ("prepare", {"request": {"messages": []}})):
            answer = self.wire.ask_msgpack(method, {**params, "return": "splices"})
            self.assertEqual((answer.name, answer.error["data"].get("pointer")), ("invalid_params", "/params/return"))


def add_verdict(folder):
    def verdict(self):
        self.every_case_of(folder)
    setattr(SplicesOfCases, "test_" + folder, verdict)


for _folder in FOLDERS:
    add_verdict(_folder)

if __name__ == "__main__":
    unittest.main()
