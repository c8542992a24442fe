# SPDX-License-Identifier: Apache-2.0
"""Workers serve users in turn, not connections (doc/PROTOCOL.md 7, "Shares").

Counts turns, not time: requests are sent while the daemon is stopped, so that it finds all of them at once, and
`stats` of another user then says how many were answered before it. A build with a sanitizer gets requests that
take it as long as the usual ones take another build.
"""
import json
import os
import select
import signal
import threading
import time

import harness
from harness import Daemon, Test

GUEST, GREEDY = 60001, 60002
CROWD = 250  # connections of a user
ONE = {"workers": 1}
PATIENT = {"handshake_timeout": 600, "request_timeout": 600}
LONG = 1_200_000  # bytes of a request that needs a slot


def history(size):
    """A request of about that many bytes, in which nothing is wrong."""
    call = [{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_%d", "name": "f", "input": {"a": [1, 2]}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_%d", "content": "x"}]}]
    text = json.dumps(call)[1:-1]
    pairs = ", ".join(text.replace("%d", str(i)) for i in range(size // len(text)))
    return harness.frame(('{"id": 1, "method": "validate", "params": {"messages": '
                          '[{"role": "user", "content": "q"}, %s]}}' % pairs).encode())


def unanswered(size):
    """A request of about that many bytes, with much to repair."""
    pair = ('{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_%d", "name": "f", "input": {}}]}, '
            '{"role": "user", "content": "x"}')
    pairs = ", ".join(pair % i for i in range(size // len(pair)))
    return harness.frame(('{"id": 1, "method": "repair", "params": {"return": "report", "max_violations": 1, "messages": '
                          '[{"role": "user", "content": "q"}, %s]}}' % pairs).encode())


class Shares(Test):
    def setUp(self):
        if os.geteuid() != 0:
            self.skipTest("only root can be several users")
        harness.allow_descriptors(2 * CROWD)

    def daemon(self, **config):
        return Daemon({"socket_mode": "0666", **PATIENT, **ONE, **config})

    def stopped(self, d):
        d.signal(signal.SIGSTOP)
        self.assertTrue(harness.eventually(lambda: state(d.pid) == "T"))

    def answered_before(self, d, requests):
        """Requests that were answered before `stats` of the guest, which came last of all."""
        guest = harness.connect_as(GUEST, d.socket)
        guest.ping()
        greedy = harness.crowd_as(GREEDY, d.socket, CROWD)
        for c in greedy:
            c.ping()
        before = d.counter("requests")
        self.stopped(d)
        for c in greedy:
            c.send_bytes(b"".join(requests))
        guest.send({"id": 2, "method": "stats"})
        d.signal(signal.SIGCONT)
        now = guest.receive()["result"]["counters"]["requests"]
        for c in greedy:  # all are answered, in order
            for _ in requests:
                self.assertIn("result", c.receive())
            c.close()
        guest.close()
        return now - before

    def test_a_crowd_with_long_requests(self):
        with self.daemon() as d:
            self.assertLess(self.answered_before(d, [history(150_000 // d.slowness)]), CROWD // 8)

    def test_a_crowd_that_pipelines(self):
        """2,000 short requests take 40 ms at least; a turn is 2 ms."""
        with self.daemon() as d:
            self.assertLess(self.answered_before(d, [history(20_000 // d.slowness)] * 8), CROWD * 8 // 8)

    def test_users_get_equal_parts(self):
        """Of two that both have more to do than can be done, one with 250 connections and one with a single one."""
        with self.daemon() as d:
            request = history(20_000 // d.slowness)
            many, one = harness.crowd_as(GREEDY, d.socket, CROWD), harness.connect_as(GUEST, d.socket)
            one.ping()
            for c in many:
                c.ping()
            self.stopped(d)
            for c in many + [one]:
                c.send_bytes(request * 8)
            d.signal(signal.SIGCONT)
            for _ in range(8):
                one.receive()
            before = d.counter("requests") - CROWD - 1
            self.assertLess(before, CROWD * 8 // 2)
            for c in many:
                for _ in range(8):
                    c.receive()
                c.close()
            one.close()

    def test_nobody_is_forgotten(self):
        """Forty users with six connections each: every request is answered."""
        with self.daemon(max_connections=CROWD) as d:
            request = history(20_000 // d.slowness)
            clients = [c for uid in range(40) for c in harness.crowd_as(GUEST + uid, d.socket, 6)]
            for round_number in range(3):
                self.stopped(d)
                for c in clients:
                    c.send_bytes(request * 2)
                d.signal(signal.SIGCONT)
                for c in clients:
                    self.assertIn("result", c.receive(), round_number)
                    self.assertIn("result", c.receive(), round_number)
            for c in clients:
                c.close()

    def test_waiting_is_not_the_clients_fault(self):
        """A frame's bytes that wait in the kernel until the user's turn comes aren't late: about a second here."""
        with self.daemon(frame_timeout=0.5, **harness.one_user(1 << 30)) as d:
            slow, greedy = harness.connect_as(GREEDY, d.socket), harness.crowd_as(GREEDY, d.socket, CROWD)
            request = unanswered(150_000 // d.slowness)
            slow.send_bytes(request[:1000])
            slow.socket.settimeout(2 * harness.PATIENCE)
            time.sleep(0.02)  # so that the daemon has these
            self.stopped(d)
            for c in greedy:
                c.send_bytes(request)
            slow.send_bytes(request[1000:])
            time.sleep(0.6)  # whenever the daemon looks, the bytes are there
            d.signal(signal.SIGCONT)
            self.assertIn("result", slow.receive())
            for c in greedy + [slow]:
                c.close()


class LongRequests(Test):
    def test_they_never_run_on_all_workers(self):
        """Of two pings, one on each worker, one is answered soon, whatever the number of long requests."""
        with Daemon({"workers": 2, "max_values": 1 << 24, **PATIENT, **harness.one_user(1 << 31)}) as d:
            request = unanswered(max(LONG, 8_000_000 // d.slowness))
            pingers, senders = [d.connect(), d.connect()], [d.connect() for _ in range(6)]
            for c in pingers + senders:
                c.ping()
            begun = time.monotonic()
            senders[0].send_bytes(request)
            senders[0].receive()
            alone = time.monotonic() - begun
            threads = [threading.Thread(target=c.send_bytes, args=(request,)) for c in senders]
            for t in threads:
                t.start()
            answered, slowest = 0, 0
            while answered < len(senders):
                slowest = max(slowest, self.first_of(pingers))
                time.sleep(0.005)
                for c in senders:
                    if select.select([c.socket], [], [], 0)[0]:
                        c.receive()
                        answered += 1
            for t in threads:
                t.join()
            for c in pingers + senders:
                self.assertTrue(c.ping())
                c.close()
            self.assertLess(slowest, alone / 2)

    def first_of(self, clients):
        """Seconds until one of them has its answer."""
        begun = time.monotonic()
        for c in clients:
            c.send({"id": 1, "method": "ping"})
        select.select([c.socket for c in clients], [], [])
        seconds = time.monotonic() - begun
        for c in clients:
            c.receive()
        return seconds

    def test_clients_that_vanish_leave_no_slot_taken(self):
        """Long requests of clients that go while they wait for a slot; then others are answered."""
        with Daemon({"workers": 2, **PATIENT, **harness.one_user(1 << 30)}) as d:
            request = history(LONG) if d.slowness > 1 else unanswered(2 * LONG)
            for _ in range(3):
                self.all_send(d, request, lambda c: None)
            self.all_send(d, request, lambda c: self.assertIn("result", c.receive()))

    def all_send(self, d, request, then):
        crowd = [d.connect() for _ in range(8)]
        for c in crowd:
            c.socket.settimeout(10 * harness.PATIENCE)
        threads = [threading.Thread(target=c.send_bytes, args=(request,)) for c in crowd]
        for t in threads:
            t.start()
        for c, t in zip(crowd, threads):
            t.join()
            then(c)
            c.close()


def state(pid):
    """The letter of the process's state."""
    with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
        return f.read().rsplit(")", 1)[1].split()[0]
