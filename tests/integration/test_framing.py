# SPDX-License-Identifier: Apache-2.0
"""Frames, lines, order: PROTOCOL sections 1 and 6, and whatever is not a request."""
import json
import os
import struct
import threading
import time

from harness import Daemon, Test, encode, frame, peak_memory_kb, request_of_size


class Shared(Test):
    """One daemon for all tests of a class; after each it must be as well as before."""

    config = {}

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(cls.config)

    @classmethod
    def tearDownClass(cls):
        cls.daemon.__exit__()

    def setUp(self):
        self.client = self.daemon.connect()
        self.addCleanup(self.client.close)

    def tearDown(self):
        with self.daemon.connect() as c:
            self.assertTrue(c.ping())


class Frames(Shared):
    def test_one_frame_in_every_cut(self):
        data = frame(encode({"id": 1, "method": "ping"}))
        for cut in range(1, len(data)):
            self.client.send_bytes(data[:cut])
            time.sleep(0.001)
            self.client.send_bytes(data[cut:])
            self.assertPong(self.client.receive(), 1)

    def test_sizes_around_the_buffers(self):
        for size in (100, 16384, 65535, 65536, 65537, 262139, 262140, 262144, 262145, 1 << 20,
                     (4 << 20) + 3):
            with self.subTest(size=size):
                request = request_of_size(size)
                self.client.send(request)
                answer = self.client.receive()
                self.assertPong(answer, 1)
                self.assertEqual(answer["result"]["echo"],
                                 json.loads(request)["params"]["echo"])

    def test_large_answers_to_a_client_that_reads_late(self):
        sizes = [3 << 20, 70000, 100, 2 << 20, 65530, 300000]
        sender = threading.Thread(target=lambda: [
            self.client.send(request_of_size(size, id=n)) for n, size in enumerate(sizes)])
        sender.start()
        time.sleep(0.2)
        with self.daemon.connect() as other:
            self.assertTrue(other.ping())
        for n in range(len(sizes)):
            self.assertPong(self.client.receive(), n)
        sender.join()

    def test_large_lines_and_a_pipelined_tail(self):
        with self.daemon.connect(lines=True) as c:
            c.send_bytes(request_of_size(300000, id="a") + b"\n" + request_of_size(200, id="b") +
                         b"\n" + request_of_size(100000, id="c") + b"\n")
            for name in "abc":
                self.assertPong(c.receive(), name)

    def test_notifications_are_not_answered(self):
        self.client.send({"method": "ping"})
        self.client.send({"method": "no_such_method"})
        self.client.send({"id": 2, "method": "ping"})
        self.assertPong(self.client.receive(), 2)

    def test_pipelined_answers_in_order(self):
        requests = []
        for n in range(2000):
            requests.append({"id": n, "method": ("ping", "nope", "ping")[n % 3],
                             "params": {"echo": n} if n % 3 == 0 else {}})
        self.client.send_bytes(b"".join(frame(encode(r)) for r in requests))
        for n, request in enumerate(requests):
            answer = self.client.receive()
            self.assertEqual(answer["id"], n)
            self.assertEqual("error" in answer, request["method"] == "nope")
        self.assertGreater(self.daemon.counter("yields"), 0)

    def test_half_close_gets_every_answer(self):
        self.client.send_bytes(b"".join(frame(encode({"id": n, "method": "ping"}))
                                        for n in range(500)))
        self.client.send(request_of_size(1 << 20, id="large"))
        self.client.end()
        for n in range(500):
            self.assertPong(self.client.receive(), n)
        self.assertPong(self.client.receive(), "large")
        self.assertTrue(self.client.is_closed())

    def test_half_close_in_the_middle_of_a_frame(self):
        self.client.send({"id": 1, "method": "ping"})
        self.client.send_bytes(struct.pack(">I", 100) + b"{")
        self.client.end()
        self.assertPong(self.client.receive(), 1)
        self.assertTrue(self.client.is_closed())

    def test_one_pipelining_client_does_not_starve_others(self):
        many = frame(request_of_size(2000)) * 400
        with self.daemon.connect() as greedy:
            greedy.socket.setblocking(False)
            try:
                while True:
                    greedy.socket.send(many)
            except BlockingIOError:
                pass
            others = [self.daemon.connect() for _ in range(8)]
            for c in others:
                self.assertTrue(c.ping())
                c.close()


class BadFrames(Shared):
    def test_five_bytes(self):
        self.client.send_bytes(struct.pack(">I", 1) + b"x")
        data = self.assertError(self.client.receive(), "codec_unknown", -32700)
        self.assertEqual(data["offset"], 0)
        self.assertTrue(self.client.ping())

    def test_msgpack_bombs(self):
        for bomb in (b"\xdd\x10\x00\x00\x00", b"\xdf\xff\xff\xff\xff", b"\xdd\xff\xff\xff\xff",
                     b"\xdc\xff\xff", b"\x81\xa1a\xdb\xff\xff\xff\xff", b"\xde\xff\xff\xc0"):
            with self.subTest(bomb=bomb.hex()):
                self.client.send(bomb)
                payload = self.client.receive_bytes()
                self.assertIn(b"parse_error", payload)
        self.assertTrue(self.client.ping())
        self.assertLess(peak_memory_kb(self.daemon.pid), 900_000)

    def test_four_gigabytes(self):
        self.client.send_bytes(b"\xff\xff\xff\xff" + b"y" * 1000)
        data = self.assertError(self.client.receive(), "frame_too_large", -32010)
        self.assertEqual((data["limit"], data["retryable"]), (64 << 20, False))
        self.assertFalse(self.client.is_closed(0.1))

    def test_length_zero(self):
        self.client.send_bytes(b"\0\0\0\0" * 3)
        for _ in range(3):
            answer = self.client.receive()
            data = self.assertError(answer, "parse_error", -32700)
            self.assertEqual((answer["id"], data["offset"]), (None, 0))
        self.assertTrue(self.client.ping())

    def test_a_million_nested_arrays(self):
        self.client.send(b"[" * 1_000_000)
        self.assertError(self.client.receive(), "too_deep", -32700)
        self.client.send(b"[" * 1_000_000 + b"]" * 1_000_000)
        self.assertError(self.client.receive(), "too_deep", -32700)
        self.client.send(b"\x91" * 1_000_000)
        self.assertIn(b"too_deep", self.client.receive_bytes())
        self.assertTrue(self.client.ping())

    def test_trailing_bytes(self):
        self.client.send(b'{"id":1,"method":"ping"} x')
        self.assertError(self.client.receive(), "trailing_bytes", -32700)
        self.assertTrue(self.client.ping())

    def test_garbage(self):
        for seed in range(50):
            garbage = os.urandom(1 + 37 * seed)
            self.client.send(garbage)
            self.assertGreater(len(self.client.receive_bytes()), 20, garbage.hex())
        self.assertTrue(self.client.ping())

    def test_envelopes_that_are_none(self):
        for payload in (b"[]", b'{"id":1}', b'{"id":{},"method":"ping"}', b'{"id":1,"method":2}',
                        b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
                        b'[{"id":1,"method":"ping"}]'):
            self.client.send(payload)
            answer = self.client.receive()
            self.assertError(answer, "invalid_request", -32600)
            self.assertIsNone(answer["id"])

    def test_cut_off_anywhere(self):
        data = frame(encode({"id": 1, "method": "ping"})) * 2
        for cut in range(len(data)):
            with self.daemon.connect() as c:
                c.send_bytes(data[:cut])

    def test_reset_with_answers_unread(self):
        for _ in range(20):
            with self.daemon.connect() as c:
                c.send_bytes(frame(request_of_size(100000)) * 2)


class Lines(Shared):
    def setUp(self):
        self.client = self.daemon.connect(lines=True)
        self.addCleanup(self.client.close)

    def test_blank_lines_and_carriage_returns(self):
        self.client.send_bytes(b'{"id":1,"method":"ping"}\r\n\r\n\n  \n{"id":2,"method":"ping"}\n')
        self.assertPong(self.client.receive(), 1)
        self.assertPong(self.client.receive(), 2)

    def test_last_line_without_its_end(self):
        self.client.send_bytes(b'{"id":1,"method":"ping"}\n{"id":2,"method":"ping"}')
        self.client.end()
        self.assertPong(self.client.receive(), 1)
        self.assertPong(self.client.receive(), 2)
        self.assertTrue(self.client.is_closed())

    def test_bytes_one_by_one(self):
        for byte in b'{"id":1,"method":"ping"}\r\n':
            self.client.send_bytes(bytes([byte]))
        self.assertPong(self.client.receive(), 1)

    def test_bad_lines_are_answered(self):
        self.client.send_bytes(b'{"id":\n\x81\xa1a\x01\nnull\n{"id":1,"method":"ping"}\n')
        self.assertError(self.client.receive(), "parse_error", -32700)
        self.assertError(self.client.receive(), "codec_unknown", -32700)
        self.assertIn("error", self.client.receive())
        self.assertPong(self.client.receive(), 1)

    def test_an_answer_is_one_line(self):
        self.client.send({"id": 1, "method": "info"})
        self.assertIn("result", self.client.receive())
        self.assertEqual(self.client.buffer, b"")


class Codecs(Shared):
    def test_msgpack_and_json_take_turns(self):
        packed = b"\x82\xa2id\x07\xa6method\xa4ping"
        for _ in range(3):
            self.client.send(packed)
            self.assertIn(b"\xa4pong\xc3", self.client.receive_bytes())
            self.client.send({"id": 7, "method": "ping"})
            self.assertPong(self.client.receive(), 7)

    def test_white_space_before_json(self):
        self.client.send(b' \t\r\n{"id":1,"method":"ping"}')
        self.assertPong(self.client.receive(), 1)
