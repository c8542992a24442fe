#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One large element and n small ones: memory, answer and time stay below a constant times the request.

Each shape of large_shapes.py goes through a method, the next shape through the next one; with TK_LARGE_ALL=1 each goes
through all of them, at n, 4 n and 16 n. The large element is as large as the small ones together: a copy of it for each
small one is n times its size in memory.

Memory is judged by the daemon itself: `max_memory` is a constant times the largest request. Time is that of the daemon's
processor, at 16 n against 16 times n; only what takes long is measured again.
"""
import os
import sys
import unittest

import large_shapes
import wire
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from daemon import Daemon  # noqa: E402
from test_growth import cpu_seconds

ALL = os.environ.get("TK_LARGE_ALL") == "1"
SIZE = int(os.environ.get("TK_LARGE_SIZE", "150"))
STEPS = (1, 4, 16)
BYTES = 100         # of the large element for each small one
MOST = 64           # max_memory: bytes for each byte of a request
MOST_OF_ANY = 8 << 20
ANSWER = 24         # bytes of an answer for each byte of a request
QUICK = 0.1         # seconds: quadratic work of these sizes takes longer
SLACK, TRIES = 4, 5
METHODS = (
    ("validate", "params", {}),
    ("repair", "params", {"guard": False}),
    ("repair", "params", {"guard": False, "policy": "preserve"}),
    ("repair", "params", {"guard": False, "policy": "preserve", "return": "messages"}),
    ("repair", "params", {"guard": False, "target": {"endpoint": "compatible"}, "return": "splices"}),
    ("prepare", "body", {}),
    ("repair_turn", "turn", {"policy": "preserve"}),
    ("pair", "response", {}),
)
OF_ANTHROPIC = (
    ("splice", "spliced", {}),
    ("stream", "streamed", {"emit": "parts"}),
    ("stream", "streamed", {"emit": "sse"}),
)
OF_TOOLS = (
    ("tools", "added", {}),
    ("tools", "added", {"on_conflict": "replace_custom"}),
)


def methods_of(provider):
    return METHODS + OF_ANTHROPIC if provider == "anthropic" else METHODS


class Law(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        largest = 3 * STEPS[-1] * SIZE * BYTES
        cls.daemon = Daemon("--workers", "1", config='{"request_timeout": 60, "max_memory": %d}' % (MOST * largest))
        cls.addClassCleanup(cls.daemon.stop)
        cls.wire = wire.Wire(cls.daemon.socket)
        cls.addClassCleanup(cls.wire.close)

    def cost(self, requests):
        before = cpu_seconds(self.daemon.process.pid)
        answers = [self.wire.ask(method, text) for method, text in requests]
        spent = cpu_seconds(self.daemon.process.pid) - before
        for answer in answers:
            self.assertNotIn(answer.name, ("request_too_costly", "answer_too_large", "internal", "deadline_exceeded"))
        self.assertLess(sum(len(answer.raw) for answer in answers), ANSWER * sum(len(text) for _, text in requests) + 4096)
        return spent

    def growth(self, requests):
        """Returns how much the largest costs, relative to as many answers about the smallest."""
        apart = sum(self.cost(requests[0]) for _ in range(STEPS[-1]))
        return self.cost(requests[-1]) / apart

    def keeps_the_law(self, shape, method, form, more):
        def made(step):
            """The requests: several of a stream."""
            params = getattr(shape, form)(SIZE * step, SIZE * step * BYTES, more)
            return params if isinstance(params, list) else [(method, params)]

        spent = [self.cost(made(step)) for step in (STEPS if ALL else STEPS[-1:])]
        if spent[-1] > QUICK:
            requests = [made(step) for step in STEPS]
            for _ in range(TRIES):
                grown = self.growth(requests)
                if grown < SLACK:
                    return
            self.fail("%d times the request costs %.1f times as much for each byte" % (STEPS[-1], grown))

    def check(self, shapes, methods):
        turn = 0
        for shape in shapes:
            chosen = methods if ALL else methods[turn % len(methods):][:1]
            turn += 1 if turn % 7 else 2  # no kind meets always the same method
            for method, form, more in chosen:
                with self.subTest(shape.name, method=method, **more):
                    self.keeps_the_law(shape, method, form, more)


    def test_tools(self):
        self.check(large_shapes.shapes_of_tools(), OF_TOOLS)


def add(provider):
    def verdict(self):
        self.check(large_shapes.shapes_of(provider), methods_of(provider))
    setattr(Law, "test_" + provider.replace(" ", "_").replace("-", "_"), verdict)


for _provider in large_shapes.KINDS:
    add(_provider)

if __name__ == "__main__":
    unittest.main()
