# SPDX-License-Identifier: Apache-2.0
"""The seals that a guard keeps: which it finds again in a request, and how many it holds."""

import json
import threading
import unittest

from support import real_daemon

import turnkeeper
from turnkeeper.seals import Seals, _opaque, may_be_signed
from turnkeeper.wire import encode_json


def seal(turn, *keys):
    """Of a signed turn: ids of calls, and one opaque digest."""
    blocks = [{"type": "thinking", "digest": "00", "opaque": "opaque of " + turn, "text": "00"}]
    return {"v": 1, "turn": turn, "blocks": blocks + [{"type": "tool_use", "id": k} for k in keys]}


def body(*ids):
    """With a signature that no seal knows."""
    blocks = [{"signature": "x"}] + [{"id": i} for i in ids]
    return json.dumps({"messages": [{"content": blocks}]}).encode()


def opaque(kind, secret):
    """As the daemon makes it: see Daemons."""
    return _opaque(kind.encode(), secret.encode())


def found(seals, text):
    return [given["seal"]["turn"] for given in seals.of(text)]


class Finding(unittest.TestCase):
    def test_by_id(self):
        seals = Seals()
        seals.keep(seal("a", "toolu_1", "toolu_2"))
        seals.keep(seal("b", "toolu_3"))
        self.assertEqual(found(seals, body("toolu_2")), ["a"])
        self.assertEqual(found(seals, body("toolu_3", "toolu_1", "toolu_2")), ["a", "b"])
        for other in (
            body("toolu_4"),
            b"",
            b'"id"',
            b'"id":',
            b'"id": 7',
            b'"id": "toolu_1',
            b'"tool_use_id": "toolu_1"',
            b'"id": "tool\\u005f1"',
            b"\xff\xfe",
            b'"id": "\xff"',
        ):
            self.assertEqual(found(seals, b'"signature":"x"' + other), [], other)
        self.assertEqual(found(seals, b'{"signature": "x", "id"\t:\n "toolu_1"'), ["a"])

    def test_by_signatures(self):
        """Ids count only next to an unknown signature."""
        seals = Seals()
        for n in "12":
            one = seal(n, "toolu_" + n)
            one["blocks"][0]["opaque"] = opaque("thinking", "sign" + n)
            seals.keep(one)
        known, ids = b'"signature": "sign1"', b'"id":"toolu_2"'
        self.assertEqual(found(seals, known), ["1"])
        self.assertEqual(found(seals, known + ids), ["1"])
        self.assertEqual(found(seals, known + b'"signature":"sign2"'), ["1", "2"])
        self.assertEqual(found(seals, b'"signature":"sign3"' + known + ids), ["1", "2"])
        self.assertEqual(found(seals, ids), [])
        hidden = seal("h")
        hidden["blocks"][0]["opaque"] = opaque("redacted_thinking", "hide")
        seals.keep(hidden)
        self.assertEqual(found(seals, b'"redacted_thinking" "data":"hide"'), ["h"])
        self.assertEqual(found(seals, b'"image" "data":"hide"'), [])

    def test_oldest_first(self):
        """Seals of one message are joined in their order."""
        seals = Seals()
        for turn in "cab":
            seals.keep(seal(turn, "toolu_" + turn))
        self.assertEqual(found(seals, body("toolu_b")), ["b"])
        self.assertEqual(found(seals, body("toolu_a", "toolu_b", "toolu_c")), ["c", "a", "b"])

    def test_only_signed_turns(self):
        seals = Seals()
        seals.keep({"turn": "a", "blocks": [{"type": "tool_use", "id": "toolu_1"}]})
        seals.keep({})
        self.assertEqual((len(seals), found(seals, body("toolu_1"))), (0, []))

    def test_the_same_turn_twice(self):
        seals = Seals()
        for turn in ("a", "b", "a"):
            seals.keep(seal(turn, "toolu_" + turn))
        self.assertEqual(len(seals), 2)
        self.assertEqual(found(seals, body("toolu_a", "toolu_b")), ["b", "a"])

    def test_an_id_of_two_turns_is_of_the_newer_one(self):
        seals = Seals()
        seals.keep(seal("a", "toolu_1", "toolu_2"))
        seals.keep(seal("b", "toolu_1"))
        self.assertEqual(found(seals, body("toolu_1")), ["b"])
        self.assertEqual(found(seals, body("toolu_1", "toolu_2")), ["a", "b"])

    def test_forgotten(self):
        seals = Seals()
        seals.keep(seal("a", "toolu_1"))
        seals.forget()
        self.assertEqual((len(seals), found(seals, body("toolu_1"))), (0, []))

    def test_what_may_be_signed(self):
        for text in (b'{"signature":"x"}', b'{"type":"redacted_thinking"}'):
            self.assertTrue(may_be_signed(text))
        self.assertFalse(may_be_signed(b'{"type":"text","text":"a signature"}'))


class Bounds(unittest.TestCase):
    def test_count(self):
        seals = Seals(count=2)
        for turn in "ab":
            seals.keep(seal(turn, "toolu_" + turn))
        self.assertEqual(found(seals, body("toolu_a")), ["a"])  # used later than b
        seals.keep(seal("c", "toolu_c"))
        self.assertEqual(found(seals, body("toolu_a", "toolu_b", "toolu_c")), ["a", "c"])
        self.assertEqual(len(seals), 2)

    def test_size(self):
        one = seal("a", "toolu_a")
        size = len(encode_json(one))
        seals = Seals(size=2 * size)
        for turn in "abc":
            seals.keep(seal(turn, "toolu_" + turn))
        self.assertEqual(found(seals, body("toolu_a", "toolu_b", "toolu_c")), ["b", "c"])
        seals.keep(seal("d", "x" * 2 * size))
        self.assertEqual(len(seals), 0)
        for turn in "ab":
            seals.keep(seal(turn, "toolu_" + turn))
        self.assertEqual(len(seals), 2)  # what was dropped is free again
        self.assertEqual((len(seals._kept), len(seals._turns)), (2, 4))

    def test_threads(self):
        seals, failures = Seals(count=5), []

        def work(name):
            try:
                for n in range(300):
                    turn = "%s-%d" % (name, n % 7)
                    seals.keep(seal(turn, "toolu_" + turn))
                    seals.of(body("toolu_" + turn, "toolu_x-1"))
            except Exception as why:
                failures.append(why)

        threads = [threading.Thread(target=work, args=(name,)) for name in "xyz"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((failures, len(seals)), ([], 5))


class Daemons(unittest.TestCase):
    """The keys are those that the daemon makes."""

    def test_opaque_digests(self):
        blocks = [
            {"type": "thinking", "thinking": "é", "signature": "EqQB+/c="},
            {"type": "redacted_thinking", "data": "RW1=="},
            {"type": "text", "text": "a"},
        ]
        daemon = real_daemon()
        self.addCleanup(daemon.stop)
        with turnkeeper.Client(daemon.socket) as client:
            for n, block in enumerate(blocks):
                seals = Seals()
                seals.keep(client.seal([block, blocks[2]]))
                for spelled in (json.dumps([block]), json.dumps([block], separators=(",", ":"))):
                    self.assertEqual(len(seals.of(spelled.encode())), n < 2, spelled)
                self.assertEqual(seals.of(json.dumps(blocks[: n and 1]).encode()), [])


if __name__ == "__main__":
    unittest.main()
