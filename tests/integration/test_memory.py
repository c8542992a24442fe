# SPDX-License-Identifier: Apache-2.0
"""Memory goes back to the system after the largest request, whatever its shape."""
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bench"))
import report  # noqa: E402
from harness import PATIENCE, Daemon, Test, eventually, frame, is_sanitized, one_user, resident  # noqa: E402

COUNT = 40_000
MUCH = 64 << 20
ROOMY = {**one_user(1 << 40), "request_timeout": 60, "workers": 2}


def request(method, messages, **params):
    document = {"id": 1, "method": method, "params": {"messages": messages, **params}}
    return frame(json.dumps(document, separators=(",", ":")).encode())


class Memory(Test):
    def setUp(self):
        self.daemon = Daemon(ROOMY)
        self.addCleanup(self.daemon.close)
        if is_sanitized(self.daemon.pid):
            self.skipTest("a sanitizer's memory says nothing")
        self.start = resident(self.daemon.pid)

    def grown(self):
        return resident(self.daemon.pid) - self.start

    def is_given_back(self):
        self.assertTrue(eventually(lambda: self.grown() < MUCH, PATIENCE), "%d bytes are kept" % self.grown())

    def ask_both_workers(self, data):
        """On two connections each, at the same time."""
        clients = [self.daemon.connect() for _ in range(4)]
        for c in clients:
            c.send_bytes(data)
        most = 0
        for c in clients:
            self.assertIn(b'"result"', c.receive_bytes()[:100])
            most = max(most, self.grown())
            c.close()
        return most

    def test_every_shape_of_the_bench(self):
        for name, shape in report.SHAPES.items():
            messages = shape(COUNT)
            for method, params in (("validate", {}), ("repair", {"guard": False, "return": "messages"})):
                with self.subTest(shape=name, method=method):
                    self.ask_both_workers(request(method, messages, **params))
                    self.is_given_back()

    def test_while_small_requests_go_on(self):
        """A stream of them, of every size that is not large, doesn't keep the memory of a large one."""
        self.assertGreater(self.ask_both_workers(LARGE), MUCH)
        clients = [self.daemon.connect() for _ in range(2)]
        small = request("repair", report.open_calls(300), guard=False)
        end = time.monotonic() + PATIENCE
        while self.grown() >= MUCH and time.monotonic() < end:
            for c in clients:
                c.send_bytes(small)
                self.assertIn(b'"result"', c.receive_bytes()[:100])
        self.assertLess(self.grown(), MUCH)

    def test_an_answer_that_waited(self):
        """Its memory goes back when it is read, long after the work."""
        c = self.daemon.connect()
        c.send_bytes(LARGE)
        self.assertTrue(eventually(lambda: self.daemon.gauge("inflight_bytes") > MUCH))
        time.sleep(3)
        self.assertIn(b'"result"', c.receive_bytes()[:100])
        self.is_given_back()

    def test_connections_that_went(self):
        """Nobody reads the answers: the memory goes back with the connections."""
        clients = [self.daemon.connect() for _ in range(2)]
        for c in clients:
            c.send_bytes(LARGE)
        self.assertTrue(eventually(lambda: self.daemon.gauge("inflight_bytes") > MUCH))
        for c in clients:
            c.close()
        self.is_given_back()


LARGE = request("repair", report.open_calls(120_000), guard=False, **{"return": "messages"})
