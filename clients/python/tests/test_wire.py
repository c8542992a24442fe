# SPDX-License-Identifier: Apache-2.0
"""Codecs, frames and the envelope, without any socket."""

import collections
import enum
import json
import unittest

from support import framed, wire

from turnkeeper import EncodeError, ProtocolError, errors

needs_msgpack = unittest.skipUnless(wire._usable, "msgpack is not installed")


class Colour(str, enum.Enum):
    RED = "red"


def cycle():
    value = []
    value.append([value, value])
    return value


class Codec(unittest.TestCase):
    # Values that both codecs keep.
    KEPT = [
        None,
        True,
        [False, 0, -1, 1 << 63, (1 << 64) - 1, -(1 << 63)],
        [0.1, -0.0, 1e300, 5e-324, 1.0],
        {"": "", "a\0b": ["é", "\U0001f600", "\u2028"]},
        {"deep": [[[[[[{}]]]]]]},
        {},
    ]
    # Values that msgpack would lose, and what JSON makes of them.
    JSON_ONLY = [
        (1 << 64, 1 << 64),
        (-(1 << 63) - 1, -(1 << 63) - 1),
        ("\udc00", "\udc00"),
        ({"\ud800": "é"}, {"\ud800": "é"}),
        ((1, 2), [1, 2]),
        ({1: "a"}, {"1": "a"}),
        ({None: 1}, {"null": 1}),
        (collections.OrderedDict(a=1), {"a": 1}),
        (Colour.RED, "red"),
    ]
    # Values that no codec has a form for.
    NEITHER = [
        float("nan"),
        float("inf"),
        b"x",
        bytearray(b"x"),
        {1, 2},
        object(),
        {b"k": 1},
        cycle(),
    ]

    def test_json_keeps(self):
        for value in self.KEPT + [v for v, _ in self.JSON_ONLY]:
            with self.subTest(value=value):
                want = dict(self.pairs()).get(repr(value), value)
                self.assertEqual(wire.decode(wire.encode_json([value])), [want])

    def pairs(self):
        return [(repr(value), want) for value, want in self.JSON_ONLY]

    def test_json_is_short_utf8(self):
        self.assertEqual(wire.encode_json({"a": ["é", 1.0]}), '{"a":["é",1.0]}'.encode())
        self.assertEqual(wire.encode_json(["é\udc00"]), b'["\\u00e9\\udc00"]')

    @needs_msgpack
    def test_msgpack_keeps(self):
        for value in self.KEPT:
            with self.subTest(value=value):
                body = wire.encode_msgpack([value])
                self.assertTrue(wire.is_msgpack(body[0]))
                self.assertEqual(repr(wire.decode(body)), repr([value]))

    @needs_msgpack
    def test_msgpack_refuses_what_it_would_lose(self):
        for value in [v for v, _ in self.JSON_ONLY] + self.NEITHER:
            for nested in (value, [value], {"k": [0, {"v": value}]}):
                with self.subTest(value=repr(value)), self.assertRaises(EncodeError):
                    wire.encode_msgpack([nested])

    def test_auto_falls_back_to_json(self):
        encode = wire.encoder("auto")
        for value, want in self.JSON_ONLY:
            with self.subTest(value=repr(value)):
                body = encode({"v": value})
                self.assertEqual(body[:1], b"{")
                self.assertEqual(wire.decode(body), {"v": want})
        body = encode({"v": 1})
        self.assertEqual(wire.is_msgpack(body[0]), wire._compiled)

    def test_what_is_not_json(self):
        for name in ("json", "auto"):
            for value in self.NEITHER:
                with self.subTest(codec=name, value=repr(value)):
                    with self.assertRaises(EncodeError) as caught:
                        wire.encoder(name)({"v": value})
                    self.assertIsInstance(caught.exception, ValueError)

    def test_an_encode_error_tells_no_content(self):
        with self.assertRaises(EncodeError) as caught:
            wire.encoder("auto")({"v": {"secret": {"secret"}}})
        self.assertNotIn("secret", str(caught.exception))

    def test_deep(self):
        deep = []
        for _ in range(100000):
            deep = [deep]
        with self.assertRaises(EncodeError):
            wire.encoder("auto")(deep)

    def test_unknown_codec(self):
        with self.assertRaises(ValueError):
            wire.encoder("xml")

    def test_decode_garbage(self):
        bad = [b"{", b"\xc1", b"xyz", b"\x00", b'{"a":}', b"[" * 100000, b'{"a":"\xff"}']
        bad += [b"\x91", b"\x81\x01\x02", b"\x91\xa1\xff", b"\x90\x90", b"\x91" * 100000]
        for body in bad:
            with self.subTest(body=body[:10]), self.assertRaises(ProtocolError):
                wire.decode(body)


class Frames(unittest.TestCase):
    def test_any_cut(self):
        data = framed(b'{"a":1}')
        self.assertEqual(data[:4], b"\0\0\0\x07")
        for cut in range(len(data)):
            answer = wire.Answer()
            for piece in (data[:cut], data[cut:]):
                answer.feed(piece)
            self.assertTrue(answer.whole)
            self.assertEqual(answer.body, b'{"a":1}')

    def test_counts_what_is_missing(self):
        answer = wire.Answer()
        self.assertEqual((answer.missing, answer.started, answer.whole), (4, False, False))
        answer.feed(b"\0\0\0")
        self.assertEqual((answer.missing, answer.started, answer.whole), (1, True, False))
        answer.feed(b"\x05ab")
        self.assertEqual((answer.missing, answer.whole), (3, False))
        answer.feed(b"cde")
        self.assertEqual((answer.missing, answer.whole), (0, True))

    def test_lengths_and_bytes_behind(self):
        for data in (b"\0\0\0\0", b"HTTP/1.1", b"\xff\xff\xff\xff", b"\0\0\0\x02{}x"):
            with self.subTest(data=data), self.assertRaises(ProtocolError):
                wire.Answer().feed(data)


class Envelope(unittest.TestCase):
    def error(self, **error):
        return {"jsonrpc": "2.0", "id": 7, "error": error}

    def test_request(self):
        want = {"jsonrpc": "2.0", "id": 7, "method": "m", "params": {}}
        self.assertEqual(wire.request(7, "m", {}), want)
        self.assertNotIn("id", wire.request(None, "m", {}))

    def test_result(self):
        answer = {"jsonrpc": "2.0", "id": 7, "result": None, "later": 1}
        self.assertIsNone(wire.unwrap(answer, 7))

    def test_no_answer_to_this(self):
        good = {"code": -32001, "message": "m"}
        for answer in (
            None,
            [],
            {},
            {"id": 7},
            {"id": 8, "result": 1},
            {"id": None, "result": 1},
            {"id": "7", "result": 1},
            {"id": 7.0, "result": 1},
            {"result": 1},
            {"id": 7, "result": 1, "error": good},
            {"id": 8, "error": good},
            {"id": None, "error": good},
            {"id": 7, "error": None},
            {"id": 7, "error": {}},
            {"id": 7, "error": {"code": "x", "message": "m"}},
            {"id": 7, "error": {"code": True, "message": "m"}},
            {"id": 7, "error": {"code": 1}},
        ):
            with self.subTest(answer=answer), self.assertRaises(ProtocolError):
                wire.unwrap(answer, 7)
        with self.assertRaises(ProtocolError):
            wire.unwrap({"id": True, "result": 1}, 1)

    def test_errors_that_may_lack_the_id(self):
        for code in (-32700, -32600, -32603, -32010, -32011, -32014):
            with self.subTest(code=code), self.assertRaises(errors.RemoteError):
                wire.unwrap({"id": None, "error": {"code": code, "message": "m"}}, 7)

    # PROTOCOL.md 6: (code, name, class, retryable)
    TABLE = [
        (-32700, "parse_error", errors.ParseError, False),
        (-32700, "codec_unknown", errors.CodecUnknown, False),
        (-32700, "duplicate_key", errors.DuplicateKey, False),
        (-32700, "too_deep", errors.TooDeep, False),
        (-32700, "too_many_values", errors.TooManyValues, False),
        (-32700, "trailing_bytes", errors.TrailingBytes, False),
        (-32600, "invalid_request", errors.InvalidRequest, False),
        (-32601, "method_not_found", errors.MethodNotFound, False),
        (-32602, "invalid_params", errors.InvalidParams, False),
        (-32603, "internal", errors.InternalError, False),
        (-32001, "unsafe_history", errors.UnsafeHistory, False),
        (-32002, "stream_not_found", errors.StreamNotFound, False),
        (-32002, "stream_exists", errors.StreamExists, False),
        (-32002, "stream_finished", errors.StreamFinished, False),
        (-32010, "frame_too_large", errors.FrameTooLarge, False),
        (-32011, "busy", errors.Busy, True),
        (-32012, "draining", errors.Draining, True),
        (-32013, "deadline_exceeded", errors.DeadlineExceeded, True),
    ]

    def raised(self, **error):
        with self.assertRaises(errors.RemoteError) as caught:
            wire.unwrap(self.error(**error), 7)
        return caught.exception

    def test_a_class_a_name(self):
        for code, name, kind, retryable in self.TABLE:
            with self.subTest(name=name):
                data = {"name": name, "retryable": retryable, "pointer": "/params/x"}
                got = self.raised(code=code, message="m", data=data)
                self.assertIs(type(got), kind)
                self.assertEqual((got.name, got.code, got.data), (name, code, data))
                self.assertEqual((got.retryable, got.pointer), (retryable, "/params/x"))
                # and without data, as much as the code tells
                bare = self.raised(code=code, message="m")
                self.assertIsInstance(got, type(bare))
                self.assertEqual((bare.code, bare.data), (code, {}))

    def test_unknown_names_and_codes(self):
        for code, kind in (
            (-32700, errors.ParseError),
            (-32002, errors.StreamError),
            (-32003, errors.Refused),
            (-32011, errors.Busy),
            (-32099, errors.RemoteError),
        ):
            with self.subTest(code=code):
                data = {"name": "of_tomorrow", "retryable": True}
                got = self.raised(code=code, message="m", data=data)
                self.assertIs(type(got), kind)
                self.assertEqual((got.name, got.code, got.retryable), ("of_tomorrow", code, True))

    def test_odd_data(self):
        for data in (None, 1, [], {"name": 5, "retryable": "yes", "retry_after_ms": "x"}):
            with self.subTest(data=data):
                got = self.raised(code=-32011, message="m", data=data)
                self.assertIs(type(got), errors.Busy)
                self.assertEqual(
                    (got.name, got.retryable, got.retry_after_ms), ("busy", True, None)
                )

    def test_unsafe_history(self):
        listed = [
            {
                "code": "c%d" % i,
                "severity": "error",
                "message_index": i,
                "part_index": 0,
                "pointer": "/messages/%d/content/0" % i,
                "text": "secret",
                "needed": "drop",
                "of_tomorrow": 1,
            }
            for i in range(5)
        ]
        data = {"name": "unsafe_history", "retryable": False, "violations": listed + ["odd", {}]}
        got = self.raised(code=-32001, message="m", data=data)
        self.assertEqual([v.code for v in got.violations], ["c0", "c1", "c2", "c3", "c4"])
        self.assertEqual(got.violations[3].needed, "drop")
        self.assertEqual(got.violations[3].raw["of_tomorrow"], 1)
        self.assertIn("c0 at /messages/0/content/0; c1", str(got))
        self.assertIn("2 more", str(got))

    def test_unsafe_request(self):
        """A fault outside the messages has a place in the request, and no indexes."""
        found = {
            "code": "tool_choice_invalid",
            "severity": "error",
            "message_index": None,
            "part_index": None,
            "pointer": "/tool_choice/name",
            "text": "secret",
        }
        data = {"name": "unsafe_history", "retryable": False, "violations": [found]}
        got = self.raised(code=-32001, message="m", data=data)
        (v,) = got.violations
        self.assertEqual(
            (v.pointer, v.message_index, v.part_index), ("/tool_choice/name", None, None)
        )
        self.assertIn("tool_choice_invalid at /tool_choice/name", str(got))
        self.assertNotIn("secret", str(got))

    def test_tree(self):
        for kind, builtin in (
            (errors.ConnectFailed, ConnectionError),
            (errors.ConnectionLost, ConnectionError),
            (errors.Timeout, TimeoutError),
            (errors.EncodeError, ValueError),
            (errors.PatchError, ValueError),
        ):
            with self.subTest(kind=kind):
                self.assertTrue(issubclass(kind, builtin))
                self.assertTrue(issubclass(kind, errors.TurnkeeperError))
                self.assertEqual(str(kind("text")), "%s: text" % kind.NAME)

    def test_errors_survive_pickling(self):
        import pickle

        data = {"name": "busy", "retryable": True, "retry_after_ms": 20}
        for error in (self.raised(code=-32011, message="m", data=data), errors.Timeout("t")):
            again = pickle.loads(pickle.dumps(error))
            self.assertIs(type(again), type(error))
            self.assertEqual(vars(again), vars(error))
            self.assertEqual(str(again), str(error))


class Spelling(unittest.TestCase):
    def test_ids_and_numbers_of_an_answer(self):
        body = json.dumps({"id": 7, "result": {"n": 1 << 70}}).encode()
        self.assertEqual(wire.unwrap(wire.decode(body), 7), {"n": 1 << 70})


if __name__ == "__main__":
    unittest.main()
