#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Histories in all formats, asked for in every dialect: they are named as the table of RULES.md 8 says, or judged, and
no repair of them loses a text that somebody wrote.

    test_formats.py                     some thousand histories
    TK_FORMATS_COUNT=100000 TK_FORMATS_SEED=7 test_formats.py
"""
import json
import os
import random
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import format_draws  # noqa: E402
import model_formats  # noqa: E402
from daemon import Daemon  # noqa: E402
from wire import RUNNER, Wire  # noqa: E402

COUNT = int(os.environ.get("TK_FORMATS_COUNT", "1500"))
SEED = int(os.environ.get("TK_FORMATS_SEED", "1"))
DIALECTS = ("anthropic", "fantasy", "ai-sdk")
REPAIRS = [{"policy": policy, "guard": guard} for policy in ("conservative", "preserve", {
    "base": "conservative", "merge_adjacent": "all"}) for guard in (True, False)]


class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)
        cls.wire = Wire(cls.daemon.socket)
        cls.addClassCleanup(cls.wire.close)
        cls.repaired, cls.refused, cls.named = 0, 0, set()

    def ask(self, method, **params):
        return self.wire.ask(method, json.dumps(params))

    def said(self, answer):
        data = answer.error["data"]
        self.assertEqual((answer.error["code"], data["retryable"]), (-32602, False))
        self.assertNotIn("words-", answer.error["message"])
        return data["looks_like"], data["sign"], data["pointer"], data["dialect"]

    def look(self, dialect, messages, words):
        wanted = model_formats.mismatch(dialect, messages)
        verdict = self.ask("validate", dialect=dialect, messages=messages)
        if wanted:
            self.assertEqual(verdict.name, "dialect_mismatch")
            self.assertEqual(self.said(verdict), (*wanted, dialect))
            self.named.add(wanted[0])
        else:
            self.assertIsNone(verdict.name)
        for options in REPAIRS:
            answer = self.ask("repair", dialect=dialect, messages=messages, **options)
            self.assertEqual(answer.name == "dialect_mismatch", bool(wanted), answer.error)
            if answer.error:
                self.refused += 1
                continue
            self.repaired += answer.result["changed"]
            after = json.dumps(RUNNER.patch({"messages": messages}, answer.result["patch"]))
            self.assertEqual([w for w in words if w not in after], [], options)

    def test_nothing_is_lost(self):
        r = random.Random(SEED)
        for n in range(COUNT):
            messages, words = format_draws.draw(r)
            for dialect in DIALECTS:
                with self.subTest(n=n, dialect=dialect, messages=json.dumps(messages)):
                    self.look(dialect, messages, words)
        self.assertGreater(self.repaired, COUNT // 4)
        self.assertGreater(self.refused, COUNT)
        self.assertEqual({looks_like for looks_like, *_ in model_formats.ROWS} - self.named, set())

    def test_each_format_by_itself(self):
        for draw in format_draws.FORMATS:
            w = format_draws.Words()
            messages = draw(w)
            for dialect in DIALECTS:
                with self.subTest(draw=draw.__name__, dialect=dialect):
                    self.look(dialect, messages, w.all)

    def test_a_dump_loses_what_the_request_does_not_take(self):
        messages = format_draws.anthropic_dump(format_draws.Words())
        answer = self.ask("repair", messages=messages + [{"role": "user", "content": "n"}])
        self.assertEqual(sorted(op["path"] for op in answer.result["patch"]), sorted(
            "/messages/1/" + key for key in messages[1] if key not in ("role", "content")))


if __name__ == "__main__":
    unittest.main()
