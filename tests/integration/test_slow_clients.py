# SPDX-License-Identifier: Apache-2.0
"""Clients that don't read, hardly send, or come all at once: the others don't notice."""
import os
import select
import struct
import time
import unittest

from harness import (Client, Daemon, Frozen, Test, allow_descriptors, as_user, connect_as, eventually,
                     frame, peak_memory_kb, request_of_size)


class SlowClients(Test):
    def test_a_client_that_never_reads(self):
        """It is served until its answers pile up, then not read any more; memory stays small."""
        with Daemon({"workers": 1}) as d, d.connect() as deaf, d.connect() as c:
            request = frame(request_of_size(10_000))
            deaf.socket.setblocking(False)
            sent = 0
            end = time.monotonic() + 1
            while time.monotonic() < end:
                try:
                    sent += deaf.socket.send(request)
                except BlockingIOError:
                    time.sleep(0.01)
            self.assertLess(sent, 3_000_000)
            self.assertTrue(eventually(lambda: d.counter("stalls") > 0))
            self.assertLess(d.gauge("inflight_bytes"), 2_000_000)
            self.assertLess(peak_memory_kb(d.pid), 120_000)
            for _ in range(100):
                self.assertTrue(c.ping())

    def test_many_that_never_read(self):
        with Daemon({"max_inflight_bytes": 8 << 20}) as d, d.connect() as c:
            deaf = []
            for _ in range(50):
                other = d.connect()
                other.socket.setblocking(False)
                try:
                    other.send(request_of_size(150_000))
                    other.send(request_of_size(150_000))
                except BlockingIOError:
                    pass
                deaf.append(other)
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") > 1 << 20))
            self.assertLess(d.gauge("inflight_bytes"), 16 << 20)
            self.assertTrue(d.ask("ping")["pong"])
            for other in deaf:
                other.close()
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 0))
            self.assertTrue(c.ping())

    def test_a_byte_at_a_time(self):
        with Daemon() as d, d.connect() as slow, d.connect() as c:
            for byte in frame(b'{"id":1,"method":"ping"}'):
                slow.send_bytes(bytes([byte]))
                self.assertTrue(c.ping())
                time.sleep(0.01)
            self.assertPong(slow.receive(), 1)

    def time_of_health(self, d):
        begin = time.monotonic()
        self.assertEqual(d.ask("health")["status"], "ok")
        return time.monotonic() - begin

    def test_two_thousand_at_once(self):
        allow_descriptors(2300)
        with Daemon({"socket_mode": "0666"}) as d:
            early = [d.connect() for _ in range(5)]
            for c in early:
                self.assertTrue(c.ping())
            alone = min(self.time_of_health(d) for _ in range(20))
            crowd = [d.connect() for _ in range(2000)]
            self.assertTrue(eventually(lambda: self.time_of_health(d) < 20 * alone))
            for c in early:
                self.assertTrue(c.ping())
            if os.getuid() == 0:
                self.assertEqual(as_user(65533, lambda: 0 if d.connect().ping() else 1), 0)
            served = busy = 0
            for c in crowd:
                answer = first_answer(c)
                served += "result" in answer
                busy += "error" in answer and answer["error"]["data"]["name"] == "busy"
                if busy == 1 and "error" in answer:
                    self.assertTrue(c.is_closed())
            self.assertEqual((served, busy), (256 - 5, 2000 - 256 + 5))
            self.assertEqual(d.hits("max_connections_per_uid"), busy)
            for c in crowd:
                c.close()
            self.assertTrue(eventually(lambda: d.gauge("connections") == 5))
            for c in early + [d.connect()]:
                self.assertTrue(c.ping())
                c.close()

    def test_no_memory_for_a_frame(self):
        """Its request is refused as soon as memory is used up, and the rest of it is skipped: the connection lives."""
        wrapper = ("sh", "-c", 'ulimit -v 400000 && exec "$@"', "sh")
        config = {"max_frame": 1 << 30, "max_inflight_bytes": 1 << 40, "workers": 1}
        try:
            daemon = Daemon(config, wrapper=wrapper)
        except RuntimeError:
            self.skipTest("needs more address space than that to start: a sanitizer")
        with daemon as d, d.connect() as c:
            self.assertTrue(c.ping())
            with d.connect() as large:
                large.send_bytes(struct.pack(">I", 500_000_000))
                for _ in range(500):
                    large.send_bytes(b"x" * 1_000_000)
                self.assertError(large.receive(), "busy", -32011)
                self.assertTrue(large.ping())
            self.assertTrue(d.logged("no_memory"))
            self.assertTrue(c.ping())

    def test_control_socket_while_workers_do_nothing(self):
        """It answers whatever the workers do: even if none of them ever runs."""
        with Daemon({"workers": 2}) as d, Client(d.control) as c, d.connect() as waiting:
            self.assertTrue(waiting.ping())
            with Frozen(d.pid, "worker"):
                waiting.send({"id": 1, "method": "ping"})
                for method in ("health", "stats", "info", "ping"):
                    self.assertNotIn("code", c.call(method))
                self.assertFalse(is_readable(waiting))
            self.assertPong(waiting.receive(), 1)

    def test_control_socket_under_load(self):
        """A large request costs its worker far more time than all answers about the daemon take."""
        with Daemon({"workers": 2}) as d, Client(d.control) as c:
            values = b",".join([b"{}"] * 300_000)
            large = frame(b'{"id":1,"method":"ping","params":{"echo":[' + values + b"]}}")
            self.assertTrue(eventually(lambda: self.answers_first(d, c, large)))

    def answers_first(self, d, c, large):
        """Asks while the workers have large requests: is this answered before all of those are?"""
        with d.connect() as one, d.connect() as two, d.connect() as three:
            for busy in (one, two, three):
                busy.send_bytes(large)
            for method in ("health", "stats", "info", "ping"):
                self.assertNotIn("code", c.call(method))
            return not all(is_readable(busy) for busy in (one, two, three))

    @unittest.skipIf(os.getuid() != 0, "needs root")
    def test_health_while_fifty_pipeline_info(self):
        """One request a turn, of an answer that is kept: nobody waits for the others' answers."""
        with Daemon({"socket_mode": "0666"}) as d:
            requests = frame(b'{"id":1,"method":"info"}') * 2000
            users = [[connect_as(65530 + n, d.control) for _ in range(12 + n % 2)] for n in range(4)]
            pids = [os.fork() for _ in users]
            if 0 in pids:
                flood(users[pids.index(0)], requests)
            try:
                with Client(d.control) as c:
                    self.assertTrue(eventually(lambda: d.counter("requests") > 200))
                    self.assertTrue(eventually(lambda: self.served_meanwhile(c) < 4 * 50))
            finally:
                for pid in pids:
                    os.kill(pid, 9)
                    os.waitpid(pid, 0)

    def served_meanwhile(self, client):
        """How many requests the daemon serves from one answer to this client to the next but one."""
        before = client.call("stats")["counters"]["requests"]
        self.assertEqual(client.call("health")["status"], "ok")
        return client.call("stats")["counters"]["requests"] - before


def is_readable(client):
    return select.select([client.socket], [], [], 0)[0] != []


def first_answer(c):
    """A client that was turned away can't send any more, but its answer waits."""
    try:
        c.send({"id": 1, "method": "ping"})
    except BrokenPipeError:
        pass
    return c.receive()


def flood(clients, requests):
    """In a child: asks on all of them at once and reads what comes, until it is killed."""
    try:
        waiting = {c.socket: requests for c in clients}
        for s in waiting:
            s.setblocking(False)
        while True:
            readable, writable, _ = select.select(waiting, waiting, [])
            for s in readable:
                s.recv(1 << 20)
            for s in writable:
                waiting[s] = waiting[s][s.send(waiting[s]):] or requests
    finally:
        os._exit(0)
