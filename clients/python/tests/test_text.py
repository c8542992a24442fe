# SPDX-License-Identifier: Apache-2.0
"""JSON text whose bytes are kept: members at the top level, splices, parameters."""

import json
import random
import unittest

import support  # noqa: F401
from support import wire

from turnkeeper.results import Malformed
from turnkeeper.spliced import spliced
from turnkeeper.text import NotJson, members

# Spelled as no writer of JSON would: numbers, escapes, white space and all.
BODY = (
    b' \n{ "model":"m\\u00e9",\t"big": 18446744073709551617 , "f":[1.0,1e5,-0],\n'
    b'"m\\u0065ssages" : [ {"role" :"user", "content":"\xc3\xa9 \\/ \\ud83d"} ,\n'
    b'  {"content": [ {"t":1.50} , {"t" : "]}\\"," },{"t":3}], "role":"assistant"}\n, '
    b'{"\xc3\xa9":{ },"role":"user"} ],"last":null}\r\n'
)


class Members(unittest.TestCase):
    def test_bytes_are_kept(self):
        found = members(BODY, "big", "f", "messages", "last", "nothing")
        self.assertEqual(sorted(found), ["big", "f", "last", "messages"])
        self.assertEqual((found["big"], found["f"]), (b"18446744073709551617", b"[1.0,1e5,-0]"))
        self.assertTrue(found["messages"].startswith(b'[ {"role" :"user"'))
        self.assertTrue(found["messages"].endswith(b'"role":"user"} ]'))
        self.assertEqual(found["last"], b"null")

    def test_only_the_top_level(self):
        self.assertEqual(members(b'{"a":{"b":1},"c":"\\"b\\":2"}', "b"), {})

    def test_empty(self):
        self.assertEqual(members(b" { } ", "a"), {})

    def test_no_object(self):
        for bad in (b"", b" ", b"x", b"[]", b'{"a" 1}', b'{"a":1', b"{1:2}", b'{"a":}', b'{"a":1,}', b"{}x"):
            with self.subTest(bad=bad), self.assertRaises(NotJson):
                members(bad, "a")

    def test_random_documents(self):
        rng = random.Random(8259)
        pieces = ["é", "\\", '"', "]", "}", ",", ":", "\n", "\U0001f600", "x"]
        for _ in range(300):
            words = ["".join(rng.choice(pieces) for _ in range(rng.randrange(6))) for _ in range(6)]
            document = {"k%d" % n: rng.choice([word, [word], {word: n}, n]) for n, word in enumerate(words)}
            text = json.dumps(document, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 2]))
            found = members(text.encode(), *document)
            self.assertEqual({key: json.loads(value) for key, value in found.items()}, document)


class Splices(unittest.TestCase):
    def test_random_changes(self):
        """The same as cutting the body at each place, from the last to the first."""
        rng = random.Random(52)
        for _ in range(300):
            body = bytes(rng.choice(b'{"[],\xc3') for _ in range(rng.randrange(30)))
            lead = bytes(rng.choice(b" \t\n\r") for _ in range(rng.randrange(4)))
            body = b"{" + body
            cuts = sorted(rng.randrange(len(body) + 1) for _ in range(2 * rng.randrange(5)))
            changes = [
                [a, b - a, rng.choice(["", "é", '"x"'])] for a, b in zip(cuts[::2], cuts[1::2])
            ]
            want = body
            for offset, length, text in reversed(changes):
                want = want[:offset] + text.encode() + want[offset + length :]
            result = {"changed": True, "splices": changes}
            self.assertEqual(spliced(lead + body, result), lead + want)

    def test_nothing_changed(self):
        self.assertIs(spliced(BODY, {"changed": False}), BODY)

    def test_no_splices(self):
        for splices in (
            None,
            5,
            [[0, 1]],
            [[0, 1, 5]],
            [["0", 1, ""]],
            [[-1, 0, ""]],
            [[0, -1, ""]],
            [[0, 5, ""], [4, 1, ""]],
            [[len(BODY), 1, ""]],
        ):
            with self.subTest(splices), self.assertRaises(Malformed):
                spliced(BODY, {"changed": True, "splices": splices})


class Parameters(unittest.TestCase):
    def test_a_parameter_as_text(self):
        for params in ({}, {"x": 1}, {"policy": {}}, {"x": [{}]}):
            for text in (b'{"n": 1.0}', bytearray(b'{"n": 1.0}'), memoryview(b'{"n": 1.0}')):
                encode = wire.with_text("request", text)
                body = wire.joined(encode(wire.request(3, "repair", params)))
                self.assertIn(b'"request":{"n": 1.0}}}', body)
                self.assertEqual(json.loads(body)["params"], dict(params, request={"n": 1.0}))

    def test_the_text_isnt_copied(self):
        text = b'{"n": 1.0}'
        pieces = wire.with_text("request", text)(wire.request(3, "repair", {}))
        self.assertTrue(any(piece is text for piece in pieces))
        frame = wire.frame(pieces)
        self.assertEqual(int.from_bytes(frame[0], "big"), len(b"".join(frame[1:])))

    def test_what_is_left_of_pieces(self):
        data = (b"ab", b"", b"cde", b"f")
        for count in range(7):
            rest = wire.after(data, count)
            self.assertEqual(b"".join(bytes(piece) for piece in rest), b"abcdef"[count:])
        self.assertEqual(wire.after(data, 6), ())


if __name__ == "__main__":
    unittest.main()
