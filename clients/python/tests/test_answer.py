# SPDX-License-Identifier: Apache-2.0
"""The module _answer against what is done in Python where it can't be loaded."""

import json
import os
import random
import unittest

from built import MODULE
from local import needs_library
from support import wire

import turnkeeper
from turnkeeper import library, spliced
from turnkeeper.library import Instance, Limits

needs_library()
try:
    from turnkeeper import _answer
except ImportError as why:
    raise unittest.SkipTest("%s wasn't built: Python's headers are missing (Debian: python3-dev)" % MODULE) from why

CHANGED = b'{"jsonrpc":"2.0","id":7,"result":{"changed":true,"safe":true,"splices":%s,"edits":[]}}'
TEXTS = ("", "x", '"quoted"\\', "\b\f\n\r\t/\x00\x1f", "\u00e9\u20ac\U0001f600", '{"a":"\\u00e9"}')


class Answers(unittest.TestCase):
    def setUp(self):
        self.library = library.load(library.library_path())
        self.instance = Instance(self.library, Limits(max_answer=1 << 20))
        self.addCleanup(self.instance.close)

    def both(self, request):
        """The answer of both ways, which is the same."""
        i = self.instance
        given = (i._core, i._session, request, i._how, i._until, 5000)
        quick, slow = self.library.answer(*given), self.library._answer(*given)
        self.assertEqual(quick, slow)
        return quick

    def test_the_module_is_used(self):
        self.assertIs(self.library.answer.func, _answer.answer)
        self.assertIs(spliced._quick, _answer.spliced)

    def test_the_same_answers(self):
        long = {"messages": [{"role": "user", "content": "x" * 300_000}] * 3}
        for method, params in (("ping", {"echo": "\u00e9"}), ("nothing", {}), ("repair", {"messages": 5}), ("repair", long)):
            request = wire.request(7, method, params)
            encoders = [wire.encode_json] + ([wire.encode_msgpack] if wire._usable else [])
            for encode in encoders:
                with self.subTest(method=method, encode=encode):
                    self.assertEqual(wire.decode(self.both(encode(request)))["id"], 7)
        self.assertIn(b"parse_error", self.both(b"{"))

    def test_a_notification_has_no_answer(self):
        self.assertEqual(self.both(wire.encode_json(wire.request(None, "ping", {}))), b"")

    def test_wrong_arguments(self):
        for given in ((), (None,) * 7, (object(), 1, 2, b"", 3, 4, 5), (object(), "x", 2, b"", 3, 4, 5)):
            with self.subTest(given), self.assertRaises((TypeError, ValueError)):
                _answer.answer(*given)
        with self.assertRaises(TypeError):
            _answer.functions(1, 2, 3, "x")
        with self.assertRaises(TypeError):
            _answer.spliced(b"", 7, bytearray())


class Splices(unittest.TestCase):
    def both(self, answer, body, ident=7):
        """What both ways make of an answer, which is the same."""
        quick, slow = _answer.spliced(answer, ident, body), spliced._spliced(answer, ident, body)
        self.assertEqual(quick, slow, answer)
        return quick

    def test_random_changes(self):
        rng = random.Random(31)
        for _ in range(500):
            body = rng.choice((b"", b" \n\t\r")) + b"{" + bytes(rng.randrange(256) for _ in range(rng.randrange(40)))
            size = len(body.lstrip(b" \n\t\r"))
            cuts = sorted(rng.randrange(size + 1) for _ in range(2 * rng.randrange(5)))
            changes = [[a, b - a, rng.choice(TEXTS)] for a, b in zip(cuts[::2], cuts[1::2])]
            listed = json.dumps(changes, separators=(",", ":"), ensure_ascii=rng.random() < 0.5).encode()
            self.assertIsNotNone(self.both(CHANGED % listed, body))

    def test_nothing_changed(self):
        for head in (b"", b'"action":"stop",'):
            answer = b'{"jsonrpc":"2.0","id":7,"result":{%s"changed":false,"safe":true}}' % head
            body = b"{}"
            self.assertIs(self.both(answer, body), body)

    def test_heads(self):
        for head in (b"", b'"action":"resume",'):
            for safe in (b"", b'"safe":true,', b'"safe":false,'):
                answer = b'{"jsonrpc":"2.0","id":7,"result":{%s"changed":true,%s"splices":[[0,1,"["]]}}' % (head, safe)
                self.assertEqual(self.both(answer, b"{}"), b"[}")

    def test_what_must_be_decoded(self):
        good = CHANGED % b'[[0,1,"x"]]'
        self.assertEqual(self.both(good, b"{}"), b"x}")
        self.assertIsNone(self.both(good, b"{}", ident=8))
        for listed in (
            b"null", b"{}", b"[5]", b"[[]]", b"[[0,1]]", b'[["0",1,""]]', b"[[0,1,5]]", b'[[-1,1,""]]', b'[[0,-1,""]]',
            b'[[0,3,""]]', b'[[1,1,""],[0,1,""]]', b'[[3,0,""]]', b'[[0,1,"\\ud800"]]', b'[[0,1,"\\udc00\\ud800"]]',
            b'[[0,1,"\\x"]]', b'[[0,1,"\\u12"]]', b'[[0,1,""]', b"[" * 100_000,
        ):
            with self.subTest(listed[:40]):
                self.assertIsNone(self.both(CHANGED % listed, b"{}"))
        for end in range(good.index(b"x") + 1):
            self.assertIsNone(self.both(good[:end], b"{}"), end)
        self.assertIsNone(self.both(b'{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}', b"{}"))


if __name__ == "__main__":
    unittest.main()
