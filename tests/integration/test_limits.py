# SPDX-License-Identifier: Apache-2.0
"""Every limit of PROTOCOL section 7 at N, at N + 1 and after recovery, with its counter."""
import json
import os
import resource
import signal
import socket
import struct
import time
import unittest

from harness import (Client, Closed, Daemon, Test, as_user, connect_as, cpu_seconds, encode, eventually,
                     frame, is_sanitized, one_user, request_of_size, resident,
                     PATIENCE)


def nested(depth):
    """A ping of this depth: request, params and so on count, too."""
    return b'{"id":1,"method":"ping","params":{"echo":' + b"[" * (depth - 2) + \
        b"]" * (depth - 2) + b"}}"


def valued(values):
    """A ping of so many values: the request, its id, method, params and echo are the first 5."""
    return b'{"id":1,"method":"ping","params":{"echo":[' + b",".join([b"1"] * (values - 5)) + b"]}}"


def orphans(n):
    """A history in which so many calls lack their result."""
    calls = [{"type": "server_tool_use", "id": "srvtoolu_%06d" % i, "name": "web_search",
              "input": {"query": "x"}} for i in range(n)]
    return [{"role": "user", "content": "q"}, {"role": "assistant", "content": calls},
            {"role": "user", "content": "q"}]


MANY_EDITS = {"messages": orphans(8000), "guard": False, "return": "messages"}


class Sizes(Test):
    def test_max_frame(self):
        with Daemon({"max_frame": 1000}) as d, d.connect() as c:
            c.send(request_of_size(1000))
            self.assertPong(c.receive(), 1)
            self.assertEqual(d.hits("max_frame"), 0)
            c.send(request_of_size(1001))
            c.send(request_of_size(100, id=2))
            answer = c.receive()
            self.assertEqual(self.assertError(answer, "frame_too_large", -32010)["limit"], 1000)
            self.assertIsNone(answer["id"])
            self.assertPong(c.receive(), 2)
            self.assertEqual(d.hits("max_frame"), 1)

    def test_max_frame_answers_before_the_body_comes(self):
        with Daemon({"max_frame": 1000}) as d, d.connect() as c:
            c.send_bytes(struct.pack(">I", 5_000_000))
            self.assertError(c.receive(), "frame_too_large", -32010)
            for _ in range(50):
                c.send_bytes(b"z" * 100_000)
            self.assertTrue(c.ping())

    def test_max_frame_of_lines(self):
        with Daemon({"max_frame": 1000}) as d, d.connect(lines=True) as c:
            for end in (b"\n", b"\r\n"):
                c.send_bytes(request_of_size(1000) + end)
                self.assertPong(c.receive(), 1)
                c.send_bytes(request_of_size(1001) + end)
                self.assertError(c.receive(), "frame_too_large", -32010)
            c.send_bytes(b'{"x":' + b"y" * 1_000_000)
            self.assertError(c.receive(), "frame_too_large", -32010)
            c.send_bytes(b"y" * 1_000_000 + b"\n")
            self.assertTrue(c.ping())
            self.assertEqual(d.hits("max_frame"), 3)

    def test_max_depth(self):
        with Daemon({"max_depth": 10}) as d, d.connect() as c:
            c.send(nested(10))
            self.assertPong(c.receive(), 1)
            c.send(nested(11))
            data = self.assertError(c.receive(), "too_deep", -32700)
            self.assertEqual(data["limit"], 10)
            self.assertTrue(c.ping())
            self.assertEqual(d.hits("max_depth"), 1)

    def test_max_values(self):
        with Daemon({"max_values": 50}) as d, d.connect() as c:
            c.send(valued(50))
            self.assertPong(c.receive(), 1)
            c.send(valued(51))
            data = self.assertError(c.receive(), "too_many_values", -32700)
            self.assertEqual(data["limit"], 50)
            self.assertTrue(c.ping())
            self.assertEqual(d.hits("max_values"), 1)

    def test_max_answer(self):
        """An answer of the limit leaves, one more byte doesn't; the connection goes on."""
        def asked(n, id=1):
            return encode({"id": id, "method": "ping", "params": {"echo": "x" * n}})

        with Daemon({"max_answer": 2000}) as d, d.connect() as c:
            c.send(asked(0))
            around = len(c.receive_bytes())
            c.send(asked(2000 - around))
            self.assertEqual(len(c.receive_bytes()), 2000)
            self.assertEqual(d.hits("max_answer"), 0)
            c.send(asked(2001 - around))
            answer = c.receive()
            data = self.assertError(answer, "answer_too_large", -32014)
            self.assertEqual((answer["id"], data["limit"], data["retryable"]), (1, 2000, False))
            self.assertEqual(d.hits("max_answer"), 1)
            c.send(asked(2000 - around, id=2))
            self.assertPong(c.receive(), 2)
            d.configure({"max_answer": 1 << 20})
            d.signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: d.ask("info")["limits"]["max_answer"] == 1 << 20))
            # Each worker takes it up in its own time.
            self.assertTrue(eventually(lambda: "pong" in c.call("ping", echo="x" * 2001)))

    def test_max_answer_of_a_report(self):
        """Findings, edits and patch of a history: what is said of it is larger than it is."""
        with Daemon({"max_answer": 1 << 20, "workers": 1}) as d, d.connect() as c:
            for method, more in (("validate", {"max_violations": 10_000}),
                                 ("repair", {"guard": False, "max_violations": 10_000})):
                answer = c.call(method, messages=orphans(9000), **more)
                data = self.assertError({"error": answer}, "answer_too_large", -32014)
                self.assertEqual(data["limit"], 1 << 20)
                self.assertTrue(c.ping())

    def test_violations_are_listed_up_to_a_number(self):
        with Daemon() as d, d.connect() as c:
            messages = [{"role": "user", "content": " "}] * 10_001
            for asked, listed in ((9_999, 9_999), (10_000, 10_000), (10_001, 10_000), (2**32 - 1, 10_000)):
                result = c.call("validate", messages=messages, max_violations=asked)
                self.assertEqual((len(result["violations"]), result["truncated"]), (listed, 10_001 - listed))

    def test_max_answer_of_a_stream(self):
        """A long name in each delta: the stream is gone, others go on."""
        start = [{"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}},
                 {"type": "content_block_start", "index": 0,
                  "content_block": {"type": "tool_use", "id": "t", "name": "n" * 5000, "input": {}}}]
        some = [{"type": "content_block_delta", "index": 0,
                 "delta": {"type": "input_json_delta", "partial_json": " " * 200}}]
        with Daemon({"max_answer": 100_000}) as d, d.connect() as c:
            for key in "ab":
                c.call("stream.open", stream=key)
                self.assertEqual(c.call("stream.feed", stream=key, events=start + some)["state"], "open")
            answer = c.call("stream.feed", stream="a", events=some * 1000)
            self.assertError({"error": answer}, "answer_too_large", -32014)
            answer = c.call("stream.feed", stream="a", events=some)
            self.assertError({"error": answer}, "stream_not_found", -32002)
            self.assertEqual(c.call("stream.feed", stream="b", events=some)["state"], "open")
            self.assertEqual(d.gauge("streams"), 1)


def scattered(n):
    """A conversation whose repair makes edits everywhere, and memory for each."""
    return {"messages": orphans(n), "guard": False, "return": "report", "max_violations": 0}


class Memory(Test):
    """Memory that one request makes: max_memory, and max_inflight_bytes while it runs."""

    def test_max_memory(self):
        with Daemon({"max_memory": 4 << 20, "workers": 1}) as d, d.connect() as c:
            self.assertIn("edits", c.call("repair", **scattered(300)))
            self.assertEqual(d.hits("max_memory"), 0)
            c.send(encode({"id": 7, "method": "repair", "params": scattered(9000)}))
            answer = c.receive()
            data = self.assertError(answer, "request_too_costly", -32014)
            self.assertEqual((answer["id"], data["limit"], data["retryable"]), (7, 4 << 20, False))
            self.assertEqual(d.hits("max_memory"), 1)
            self.assertIn("edits", c.call("repair", **scattered(300)))
            d.configure({"max_memory": 64 << 20})
            d.signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: d.ask("info")["limits"]["max_memory"] == 64 << 20))
            self.assertTrue(eventually(lambda: "edits" in c.call("repair", **scattered(9000))))

    def test_max_memory_of_a_document(self):
        """The list of a document's values is memory as well."""
        with Daemon({"max_memory": 1 << 20, "workers": 1}) as d, d.connect() as c:
            answer = c.call("ping", echo=[0] * 300_000)
            self.assertError({"error": answer}, "request_too_costly", -32014)
            self.assertTrue(c.ping())

    def test_max_memory_of_a_stream(self):
        """The stream that was fed is gone, others go on."""
        start = [{"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}},
                 {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}]

        def some(n):
            return [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x" * n}}]

        with Daemon({"max_memory": 1 << 20, "workers": 1}) as d, d.connect() as c:
            for key in "abc":
                c.call("stream.open", stream=key)
                self.assertEqual(c.call("stream.feed", stream=key, events=start + some(9))["state"], "open")
            for key, more in (("a", {"events": some(2 << 20)}), ("b", {"data_base64": "eHh4" * (1 << 19)})):
                answer = c.call("stream.feed", stream=key, **more)
                self.assertError({"error": answer}, "request_too_costly", -32014)
                answer = c.call("stream.feed", stream=key, **more)
                self.assertIn(answer["data"]["name"], ("stream_not_found", "request_too_costly"))
            self.assertEqual(c.call("stream.feed", stream="c", events=some(9))["state"], "open")
            self.assertEqual(d.gauge("streams"), 1)

    def test_what_a_request_makes_is_in_flight_while_it_runs(self):
        params = scattered(100_000)
        request = encode({"id": 1, "method": "repair", "params": params})
        with Daemon({"workers": 2, "request_timeout": PATIENCE}) as d, d.connect() as c:
            c.send(request)
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") > 3 * len(request)))
            self.assertIn("edits", c.receive()["result"])
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 0))


class Inflight(Test):
    LIMIT = 100_000

    def busy(self, answer):
        data = self.assertError(answer, "busy", -32011)
        self.assertTrue(data["retryable"])
        self.assertGreater(data["retry_after_ms"], 0)
        self.assertIsNone(answer["id"])

    def test_one_frame(self):
        with Daemon(one_user(self.LIMIT)) as d, d.connect() as c:
            c.send(request_of_size(self.LIMIT))
            self.assertPong(c.receive(), 1)
            c.send(request_of_size(self.LIMIT + 1))
            self.busy(c.receive())
            c.send(request_of_size(self.LIMIT, id=2))
            self.assertPong(c.receive(), 2)
            self.assertEqual(d.hits("max_inflight_bytes"), 1)
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 0))

    def test_one_frame_in_pieces(self):
        with Daemon(one_user(self.LIMIT)) as d, d.connect() as c:
            for size, fits in ((self.LIMIT, True), (self.LIMIT + 1, False), (self.LIMIT, True)):
                data = frame(request_of_size(size))
                for at in range(0, len(data), 30_001):
                    c.send_bytes(data[at:at + 30_001])
                    time.sleep(0.01)
                if fits:
                    self.assertPong(c.receive(), 1)
                else:
                    self.busy(c.receive())

    def test_one_line(self):
        with Daemon(one_user(self.LIMIT)) as d, d.connect(lines=True) as c:
            c.send(request_of_size(3 * self.LIMIT))
            self.busy(c.receive())
            self.assertTrue(c.ping())

    def test_frames_of_several_connections(self):
        with Daemon(one_user(self.LIMIT)) as d:
            with d.connect() as a, d.connect() as b:
                slow = frame(request_of_size(60_000))
                a.send_bytes(slow[:50_004])
                self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 50_000))
                b.send(request_of_size(50_000))
                self.assertPong(b.receive(), 1)
                b.send(request_of_size(50_001))
                self.busy(b.receive())
                self.assertTrue(d.ask("health")["checks"][3]["ok"])
                a.send_bytes(slow[50_004:])
                self.assertPong(a.receive(), 1)
                # The answer is out before its worker has done the sums.
                self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 0))
                b.send(request_of_size(60_000))
                self.assertPong(b.receive(), 1)
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 0))

    def test_announced_bytes_do_not_count(self):
        with Daemon(one_user(self.LIMIT)) as d:
            claims = [d.connect() for _ in range(20)]
            for c in claims:
                c.send_bytes(struct.pack(">I", 60_000_000))
            with d.connect() as c:
                c.send(request_of_size(self.LIMIT))
                self.assertPong(c.receive(), 1)
            for c in claims:
                c.close()

    def test_unsent_answers_count(self):
        with Daemon(one_user(3_000_000)) as d:
            with d.connect() as deaf, d.connect() as c:
                deaf.send(request_of_size(2_900_000))
                self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") > 3_000_000))
                self.assertEqual(d.ask("health")["status"], "degraded")
                c.send(request_of_size(1000))
                self.busy(c.receive())
                self.assertPong(deaf.receive(), 1)
                self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 0))
                c.send(request_of_size(1000))
                self.assertPong(c.receive(), 1)
                self.assertEqual(d.ask("health")["status"], "ok")


    def test_an_unsent_answer_counts_with_its_memory(self):
        """An answer of 1 MB was made of 5 MB: all of it is kept until the answer is out."""
        with Daemon(one_user(1 << 40)) as d:
            before = resident(d.pid)
            deaf = [d.connect() for _ in range(3)]
            for c in deaf:
                c.send({"id": 1, "method": "repair", "params": MANY_EDITS})
                self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") > 4_000_000 * (1 + deaf.index(c))))
            if not is_sanitized(d.pid):
                self.assertLess(resident(d.pid) - before - d.gauge("inflight_bytes"), 8 << 20)
            for c in deaf:
                answer = c.receive_bytes()
                self.assertLess(len(answer), 1_500_000)
                self.assertTrue(json.loads(answer)["result"]["changed"])
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 0))


@unittest.skipIf(os.getuid() != 0, "needs root")
class Shares(Test):
    """Limits of what one user holds, and the room that is left for the others."""
    ONE, OTHER, THIRD = 65531, 65532, 65533

    def connect_as(self, d, uid):
        c = connect_as(uid, d.socket)
        self.addCleanup(c.close)
        return c

    def hold(self, d, uid, size):
        """So many bytes of frames that go no further, of 100,000 bytes at most."""
        held = []
        while size > 0:
            part = min(size, 100_000)
            c = self.connect_as(d, uid)
            c.send_bytes(struct.pack(">I", 1_000_000) + b"{" + b" " * (part - 1))
            held.append(c)
            size -= part
        return held

    def busy(self, c, size, limit):
        c.send(request_of_size(size))
        data = self.assertError(c.receive(), "busy", -32011)
        self.assertEqual(data["limit"], limit)

    def passes(self, c, size):
        c.send(request_of_size(size))
        self.assertPong(c.receive(), 1)

    def open(self, **limits):
        return Daemon({"max_inflight_bytes": 1_000_000, "socket_mode": "0666", **limits})

    def test_max_inflight_bytes_per_uid(self):
        with self.open(max_inflight_bytes_per_uid=400_000) as d:
            one, other = self.connect_as(d, self.ONE), self.connect_as(d, self.OTHER)
            self.passes(one, 400_000)
            self.assertEqual(d.hits("max_inflight_bytes_per_uid"), 0)
            self.busy(one, 400_001, 400_000)
            self.assertEqual(d.hits("max_inflight_bytes_per_uid"), 1)
            held = self.hold(d, self.ONE, 300_000)
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 300_000))
            self.passes(one, 100_000)
            self.busy(one, 100_001, 400_000)
            self.passes(other, 400_000)
            for c in held:
                c.close()
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 0))
            self.passes(one, 400_000)
            self.assertEqual(d.hits("max_inflight_bytes_per_uid"), 2)
            self.assertEqual(d.hits("max_inflight_bytes"), 0)

    def test_it_is_half_of_all(self):
        with self.open() as d:
            self.assertEqual(d.ask("info")["limits"]["max_inflight_bytes_per_uid"], 500_000)
            d.configure({"max_inflight_bytes": 777_777, "socket_mode": "0666"})
            d.signal(signal.SIGHUP)
            self.assertTrue(eventually(
                lambda: d.ask("info")["limits"]["max_inflight_bytes_per_uid"] == 388_889))
            self.assertTrue(eventually(lambda: self.refused(d, 388_890)))
            self.passes(self.connect_as(d, self.ONE), 388_889)

    def refused(self, d, size):
        """A worker hears of new limits a moment after `info` does."""
        c = self.connect_as(d, self.ONE)
        c.send(request_of_size(size))
        return "error" in c.receive()

    def test_half_frames_of_one_user(self):
        """They cost nobody else an answer."""
        with self.open() as d:
            other = self.connect_as(d, self.OTHER)
            held = self.hold(d, self.ONE, 2_000_000)  # four shares: most of them are refused
            self.assertTrue(eventually(lambda: d.hits("max_inflight_bytes_per_uid") == 15))
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 500_000))
            self.assertTrue(other.ping())
            self.passes(other, 500_000)
            for c in held:
                c.close()

    def test_the_reserve(self):
        """Two users hold all there is: a third one's short frames pass, up to a twentieth more."""
        with self.open() as d:
            held = self.hold(d, self.ONE, 500_000) + self.hold(d, self.OTHER, 500_000)
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 1_000_000))
            third = self.connect_as(d, self.THIRD)
            self.assertTrue(third.ping())
            self.passes(third, 50_000)
            self.busy(third, 50_001, 1_000_000)
            self.busy(third, 65_536, 1_000_000)
            self.assertEqual(d.hits("max_inflight_bytes"), 2)
            for c in held:
                c.close()
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 0))
            self.passes(third, 500_000)

    def test_the_reserve_is_for_short_frames(self):
        with self.open(max_inflight_bytes=4_000_000) as d:
            held = self.hold(d, self.ONE, 2_000_000) + self.hold(d, self.OTHER, 2_000_000)
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 4_000_000))
            third = self.connect_as(d, self.THIRD)
            self.passes(third, 65_535)
            self.busy(third, 65_536, 4_000_000)
            self.passes(third, 65_535)
            for c in held:
                c.close()

    def test_answers_beyond_a_share(self):
        """An answer may be larger than its user's share, and than all: the others don't pay for it."""
        with self.open() as d:
            deaf, other = self.connect_as(d, self.ONE), self.connect_as(d, self.OTHER)
            deaf.send({"id": 1, "method": "repair", "params": {**MANY_EDITS, "messages": orphans(3000)}})
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") > 1_200_000))
            self.assertTrue(other.ping())
            self.passes(other, 500_000)
            self.busy(self.connect_as(d, self.ONE), 1000, 1_000_000)
            self.assertTrue(deaf.receive()["result"]["changed"])
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 0))
            self.passes(deaf, 500_000)


class Connections(Test):
    def turned_away(self, c):
        answer = c.receive()
        data = self.assertError(answer, "busy", -32011)
        self.assertGreater(data["retry_after_ms"], 0)
        self.assertTrue(c.is_closed())

    def check(self, d, key):
        clients = [d.connect() for _ in range(5)]
        for c in clients:
            self.assertTrue(c.ping())
        with d.connect() as c:
            self.turned_away(c)
        self.assertEqual(d.hits(key), 1)
        clients.pop().close()
        self.assertTrue(eventually(lambda: d.gauge("connections") == 4))
        clients.append(d.connect())
        for c in clients:
            self.assertTrue(c.ping())
            c.close()

    def test_max_connections(self):
        with Daemon({"max_connections": 5}) as d:
            self.check(d, "max_connections")

    def test_max_connections_per_uid(self):
        with Daemon({"max_connections_per_uid": 5}) as d:
            self.check(d, "max_connections_per_uid")

    @unittest.skipIf(os.getuid() != 0, "needs root")
    def test_other_users_have_places_of_their_own(self):
        with Daemon({"max_connections_per_uid": 2, "socket_mode": "0666"}) as d:
            mine = [d.connect() for _ in range(2)]

            def theirs():
                with d.connect() as a, d.connect() as b:
                    return 0 if a.ping() and b.ping() else 1

            self.assertEqual(as_user(65533, theirs), 0)
            with d.connect() as c:
                self.turned_away(c)
            for c in mine:
                self.assertTrue(c.ping())
                c.close()

    def test_control_connections_of_one_user(self):
        with Daemon() as d:
            clients = [Client(d.control) for _ in range(16)]
            for c in clients:
                self.assertTrue(c.ping())
            with Client(d.control) as c:
                self.turned_away(c)
            clients.pop().close()
            clients.append(eventually(lambda: self.let_in(d)))
            for c in clients:
                self.assertTrue(c.ping())
                c.close()

    @unittest.skipIf(os.getuid() != 0, "needs root")
    def test_control_connections(self):
        with Daemon({"socket_mode": "0666"}) as d:
            clients = [connect_as(65530 + n % 4, d.control) for n in range(64)]
            for c in clients:
                self.assertTrue(c.ping())
            with Client(d.control) as c:
                self.turned_away(c)
            clients.pop().close()
            clients.append(eventually(lambda: self.let_in(d)))
            for c in clients:
                self.assertTrue(c.ping())
                c.close()

    @staticmethod
    def let_in(d):
        c = Client(d.control)
        c.send({"id": 0, "method": "ping"})
        if "result" in c.receive():
            return c
        return c.close()

    def test_backlog(self):
        with Daemon({"backlog": 3}) as d:
            waiting = []
            d.signal(signal.SIGSTOP)
            try:
                with self.assertRaises(BlockingIOError):
                    for _ in range(50):
                        s = socket.socket(socket.AF_UNIX)
                        s.setblocking(False)
                        waiting.append(s)
                        s.connect(d.socket)
            finally:
                d.signal(signal.SIGCONT)
            self.assertEqual(len(waiting), 3 + 1 + 1)  # the kernel's one more, and the refused one
            with d.connect() as c:
                self.assertTrue(c.ping())
            for s in waiting:
                s.close()

    def test_no_descriptors_left(self):
        with Daemon() as d:
            with d.connect() as early:
                self.assertTrue(early.ping())
                _, hard = resource.prlimit(d.pid, resource.RLIMIT_NOFILE)
                used = len(os.listdir("/proc/%d/fd" % d.pid))
                resource.prlimit(d.pid, resource.RLIMIT_NOFILE, (used + 2, hard))
                late = [d.connect() for _ in range(5)]
                for c in late:
                    c.send({"id": 1, "method": "ping"})
                self.assertTrue(eventually(lambda: d.logged("accept_paused")))
                before = cpu_seconds(d.pid)
                time.sleep(0.5)
                self.assertLess(cpu_seconds(d.pid) - before, 0.2)
                self.assertTrue(early.ping())
                resource.prlimit(d.pid, resource.RLIMIT_NOFILE, (hard, hard))
                for c in late:
                    self.assertPong(c.receive(), 1)
                    c.close()
                self.assertGreater(d.counter("accept_pauses"), 0)

    def test_more_connections_than_descriptors(self):
        wrapper = ("sh", "-c", 'ulimit -n 200 && exec "$@"', "sh")
        with Daemon({"workers": 2}, wrapper=wrapper) as d:
            limit = d.ask("info")["limits"]["max_connections"]
            self.assertLess(limit, 200)
            self.assertGreater(limit, 50)
            self.assertTrue(d.logged("descriptors", lowered_to=limit))
            clients = [d.connect() for _ in range(limit)]
            for c in clients:
                self.assertTrue(c.ping())
            with d.connect() as c:
                self.turned_away(c)
            for c in clients:
                c.close()


TIMEOUT = 3  # seconds: far more than a busy machine takes for what has to be done before


class Times(Test):
    def closed_after(self, c, begin):
        """Closed without an answer, and not before its time, which began at `begin` or later."""
        self.assertTrue(c.is_closed())
        self.assertGreater(time.monotonic() - begin, TIMEOUT * 0.9)

    def test_handshake_timeout(self):
        with Daemon({"handshake_timeout": TIMEOUT}) as d, d.connect() as other:
            self.assertTrue(other.ping())
            begin = time.monotonic()
            with d.connect() as c:
                self.closed_after(c, begin)
            self.assertTrue(other.ping())
            self.assertEqual(d.hits("handshake_timeout"), 1)

    def test_handshake_ends_with_the_first_byte(self):
        with Daemon({"handshake_timeout": TIMEOUT}) as d, d.connect() as c:
            c.send_bytes(b"\0")
            time.sleep(TIMEOUT + 1)
            c.send_bytes(frame(encode({"id": 1, "method": "ping"}))[1:])
            self.assertPong(c.receive(), 1)

    def test_frame_timeout(self):
        data = frame(request_of_size(1000))
        with Daemon({"frame_timeout": TIMEOUT}) as d:
            begin, waiting = time.monotonic(), []
            for part in (data[:1], data[:4], data[:500], b'{"id":', b"\xff\xff\xff\xffabc"):
                c = d.connect()
                self.addCleanup(c.close)
                c.send_bytes(part)
                if part.startswith(b"\xff"):
                    self.assertError(c.receive(), "frame_too_large", -32010)
                waiting.append(c)
            for c in waiting:
                self.closed_after(c, begin)
            self.assertEqual(d.hits("frame_timeout"), 5)

    def test_a_frame_in_time(self):
        with Daemon({"frame_timeout": TIMEOUT}) as d, d.connect() as c:
            data = frame(request_of_size(1000))
            c.send_bytes(data[:500])
            time.sleep(0.2)
            c.send_bytes(data[500:])
            self.assertPong(c.receive(), 1)
            time.sleep(TIMEOUT + 1)
            self.assertTrue(c.ping())
            self.assertEqual(d.hits("frame_timeout"), 0)

    def test_a_byte_now_and_then_does_not_help(self):
        with Daemon({"frame_timeout": 0.4}) as d, d.connect() as c:
            begin = time.monotonic()
            c.send_bytes(struct.pack(">I", 1000))
            with self.assertRaises(OSError):  # 1000 bytes would take 50 s
                while time.monotonic() - begin < PATIENCE:
                    c.send_bytes(b"x")
                    time.sleep(0.05)
            self.assertEqual(d.hits("frame_timeout"), 1)

    def test_an_answer_that_nobody_reads(self):
        with Daemon({"frame_timeout": 0.4}) as d, d.connect() as c:
            c.send(request_of_size(2_000_000))
            self.assertTrue(eventually(lambda: d.hits("frame_timeout") == 1))
            self.assertTrue(eventually(lambda: d.gauge("connections") == 0))  # counted before it is closed
            with self.assertRaises((Closed, ConnectionError)):
                c.receive()

    def test_an_answer_that_is_read_slowly(self):
        """It takes longer than the time, but the bytes per second are enough."""
        with Daemon({"frame_timeout": TIMEOUT}) as d, d.connect() as c:
            c.send(request_of_size(2_000_000))
            begin = time.monotonic()
            while time.monotonic() < begin + TIMEOUT + 1:
                time.sleep(0.2)
                c.buffer += c.socket.recv(80_000)
            self.assertPong(c.receive(), 1)
            self.assertEqual(d.hits("frame_timeout"), 0)

    def test_an_answer_that_is_read_too_slowly(self):
        """Bytes move well within the time, again and again, but fewer than 64 KiB/s."""
        with Daemon({"frame_timeout": 4}) as d, d.connect() as c, d.connect() as other:
            self.assertTrue(other.ping())
            c.send(request_of_size(5_000_000))
            begin = time.monotonic()
            with self.assertRaises(ConnectionError):
                while time.monotonic() - begin < PATIENCE:
                    time.sleep(3.4)
                    # About what the socket holds: less of it would let no byte follow.
                    if c.socket.recv(200_000, socket.MSG_WAITALL) == b"":
                        raise ConnectionError("closed")
            self.assertEqual(d.hits("frame_timeout"), 1)
            self.assertTrue(other.ping())

    def test_idle_timeout(self):
        with Daemon({"idle_timeout": TIMEOUT}) as d, d.connect() as c, d.connect() as kept:
            self.assertTrue(c.ping())
            end = time.monotonic() + TIMEOUT + 1
            while time.monotonic() < end:
                begin = time.monotonic()
                self.assertTrue(kept.ping())
                time.sleep(0.1)
            self.assertTrue(c.is_closed())
            self.assertEqual(d.hits("idle_timeout"), 1)
            self.closed_after(kept, begin)

    def test_request_timeout(self):
        with Daemon({"request_timeout": 0.001}) as d, d.connect() as c:
            c.send(valued(700_000))
            data = self.assertError(c.receive(), "deadline_exceeded", -32013)
            self.assertTrue(data["retryable"])
            # A ping, and the control socket, have no more time and may miss it, too.
            self.assertTrue(eventually(c.ping))
            stats = eventually(lambda: d.ask("stats").get("limits"))
            self.assertGreaterEqual(stats["request_timeout"], 1)

    def test_timeout_ms_lowers_it(self):
        with Daemon() as d, d.connect() as c:
            slow = valued(700_000)
            c.send(slow)
            self.assertPong(c.receive(), 1)
            c.send(slow.replace(b'"echo"', b'"timeout_ms":1,"echo"'))
            self.assertError(c.receive(), "deadline_exceeded", -32013)
            c.send(slow.replace(b'"echo"', b'"timeout_ms":60000,"echo"'))
            self.assertPong(c.receive(), 1)

    def test_the_queue_counts(self):
        """A small request after large ones, all read at once, has waited when its turn comes."""
        with Daemon({"workers": 1}) as d, d.connect() as c:
            self.assertTrue(c.ping())
            large = frame(encode({"id": 1, "method": "info"})) * 40  # little to read, much to answer
            small = frame(encode({"id": 2, "method": "ping", "params": {"timeout_ms": 1}}))
            for _ in range(50):
                d.signal(signal.SIGSTOP)
                c.send_bytes(large + small)
                d.signal(signal.SIGCONT)
                for _ in range(40):
                    self.assertIn("catalogue", c.receive()["result"])
                answer = c.receive()
                if "error" in answer:
                    break
            self.assertError(answer, "deadline_exceeded", -32013)
