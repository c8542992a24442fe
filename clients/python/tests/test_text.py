# SPDX-License-Identifier: Apache-2.0
"""Patches on JSON text: what no operation goes through keeps its bytes."""

import json
import random
import unittest

import support  # noqa: F401
from support import wire

from turnkeeper import PatchError, apply_patch, apply_patch_to_text
from turnkeeper.text import NotJson, Text, member

# Spelled as no writer of JSON would: numbers, escapes, white space and all.
BODY = (
    b' \n{ "model":"m\\u00e9",\t"big": 18446744073709551617 , "f":[1.0,1e5,-0],\n'
    b'"m\\u0065ssages" : [ {"role" :"user", "content":"\xc3\xa9 \\/ \\ud83d"} ,\n'
    b'  {"content": [ {"t":1.50} , {"t" : "]}\\"," },{"t":3}], "role":"assistant"}\n, '
    b'{"\xc3\xa9":{ },"role":"user"} ],"last":null}\r\n'
)


def remove(path):
    return {"op": "remove", "path": path}


def add(path, value):
    return {"op": "add", "path": path, "value": value}


class Bytes(unittest.TestCase):
    def patched(self, *patch):
        return apply_patch_to_text(BODY, patch)

    def test_nothing_changes_where_nothing_is_done(self):
        for patch in (
            [],
            [{"op": "test", "path": "/messages/1/content/0/t", "value": 1.5}],
            [add("/messages/1/content/0", 1), remove("/messages/1/content/0")],
            [add("/messages/2/é/x", 1), remove("/messages/2/é/x")],
        ):
            with self.subTest(patch):
                self.assertEqual(apply_patch_to_text(BODY, patch), BODY)

    def test_a_part_goes(self):
        self.assertEqual(
            self.patched(remove("/messages/1/content/1")),
            BODY.replace(b', {"t" : "]}\\"," }', b""),
        )

    def test_a_message_goes(self):
        self.assertEqual(
            self.patched(remove("/messages/2")),
            BODY.replace(b', {"\xc3\xa9":{ },"role":"user"} ]', b"]"),
        )

    def test_a_member_goes_and_comes_back(self):
        gone = self.patched(remove("/messages/0/role"))
        self.assertEqual(gone, BODY.replace(b'{"role" :"user", "content"', b'{ "content"', 1))
        back = self.patched({"op": "replace", "path": "/messages/0/role", "value": "x"})
        self.assertEqual(back, BODY.replace(b'"role" :"user"', b'"role" :"x"', 1))

    def test_a_part_moves(self):
        op = {"op": "move", "from": "/messages/1/content/0", "path": "/messages/1/content/2"}
        self.assertEqual(
            self.patched(op),
            BODY.replace(
                b'[ {"t":1.50} , {"t" : "]}\\"," },{"t":3}]',
                b'[ {"t" : "]}\\"," },{"t":3}, {"t":1.50} ]',
            ),
        )

    def test_a_value_comes_as_text_or_not(self):
        for value, want in (
            (Text.of(b'{"n": 1e5}'), b'{"n": 1e5}'),
            ({"n": "é"}, b'{"n":"\\u00e9"}'),
        ):
            self.assertEqual(
                self.patched(add("/messages/1/content/-", value)),
                BODY.replace(b'{"t":3}]', b'{"t":3},%s]' % want),
            )

    def test_keys_are_found_however_they_are_spelled(self):
        op = {"op": "replace", "path": "/messages/2/é", "value": 0}
        self.assertEqual(
            self.patched(op),
            BODY.replace(b'"\xc3\xa9":{ }', b'"\xc3\xa9":0'),
        )

    def test_no_json(self):
        for bad in (b"", b" ", b"x", b'{"a" 1}', b'{"a":1', b"{1:2}", b'{"a":}', b"[1 2]", b"[1,"):
            for path in ("/a", "/0", "/b"):
                with self.subTest(bad=bad), self.assertRaises(PatchError):
                    apply_patch_to_text(bad, [add(path + "/x", 1)])

    def test_random_documents(self):
        rng = random.Random(8259)
        for _ in range(200):
            document = {"m": [self.message(rng) for _ in range(rng.randrange(1, 6))]}
            text = json.dumps(
                document, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 2])
            )
            patch = [remove("/m/%d/c/%d" % (i, 0)) for i, m in enumerate(document["m"]) if m["c"]]
            patch += [add("/m/0", {"é": 1})]
            got = apply_patch_to_text(text.encode(), patch)
            self.assertEqual(json.loads(got), apply_patch(document, patch))

    @staticmethod
    def message(rng):
        pieces = ["é", "\\", '"', "]", "}", ",", "\n", "\U0001f600", "x"]
        words = ["".join(rng.choice(pieces) for _ in range(rng.randrange(6))) for _ in range(4)]
        return {"c": words[: rng.randrange(4)], words[3]: None}


class Parts(unittest.TestCase):
    def test_member(self):
        self.assertEqual(bytes(member(b'{"a":{"b": [1 ]}}', "a", "b")), b" [1 ]")
        with self.assertRaises(NotJson):
            member(b"{}", "a")

    def test_what_a_patch_brings_stays_text(self):
        answer = b'{"id":1,"result":{"patch":[{"op":"add","path":"/a","value":{"n":1.0e2}}]}}'
        (op,) = wire.decode_patch(answer)["result"]["patch"]
        self.assertEqual((op["op"], bytes(op["value"])), ("add", b'{"n":1.0e2}'))

    def test_a_parameter_as_text(self):
        for params in ({}, {"x": 1}, {"policy": {}}, {"x": [{}]}):
            encode = wire.with_text("request", b'{"n": 1.0}')
            body = wire.joined(encode(wire.request(3, "repair", params)))
            self.assertIn(b'"request":{"n": 1.0}}}', body)
            self.assertEqual(json.loads(body)["params"], dict(params, request={"n": 1.0}))


if __name__ == "__main__":
    unittest.main()
