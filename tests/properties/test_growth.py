#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ten times the faults cost about ten times the time: the shapes of shapes.py and
operation_shapes.py at two sizes, and those of openai_shapes.py.

It measures the processor time of the daemon, so that a busy machine doesn't matter much. A
quadratic step would make it GROWTH times GROWTH. TK_GROWTH_SIZE asks for larger histories.
"""
import functools
import os
import time
import unittest

import drop_shapes
import openai_shapes
import operation_shapes
import shapes
import wire
from hunt import Daemon

SIZE = int(os.environ.get("TK_GROWTH_SIZE", "2000"))
GROWTH = 10
SLACK = 4  # caches that no longer hold it all; a quadratic step gives GROWTH
GOOD = 1.5
TRIES = 8
METHODS = (("validate", {}), ("repair", {"guard": False, "return": "patch"}),
           ("repair", {"guard": False, "return": "messages"}),
           ("repair", {"guard": False, "return": "splices"}))


def cpu_seconds(pid):
    """As clock_getcpuclockid() has it: all threads of the process."""
    return time.clock_gettime((~pid << 3) | 2)


class Growth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--workers", "1", config='{"request_timeout": 60, "max_values": 8000000}')
        cls.addClassCleanup(cls.daemon.stop)
        cls.wire = wire.Wire(cls.daemon.socket)
        cls.addClassCleanup(cls.wire.close)

    def cost(self, method, params):
        before = cpu_seconds(self.daemon.process.pid)
        answer = self.wire.ask(method, params)
        spent = cpu_seconds(self.daemon.process.pid) - before
        self.assertIsNone(answer.error)
        return spent

    def growth(self, method, params):
        """Returns how much GROWTH times the faults cost, relative to as many answers of the small size; 1 is linear.

        Both sides take about as long, so that whatever else the machine does slows both.
        """
        small, large = params(SIZE), params(SIZE * GROWTH)
        best = float("inf")
        for _ in range(TRIES):
            apart = sum(self.cost(method, small) for _ in range(GROWTH))
            best = min(best, self.cost(method, large) / apart)
            if best < GOOD:
                break
        return best

    def grows_linearly(self, shape, policy):
        for method, more in METHODS:
            with self.subTest(method, **more):
                params = functools.partial(shapes.params, shape, policy, **more)
                self.assertLess(self.growth(method, params), SLACK)


def add_verdict(shape, policy):
    def verdict(self):
        self.grows_linearly(shape, policy)
    setattr(Growth, "test_" + shapes.name(shape, policy).replace(" ", "_"), verdict)


def add_operation(method, shape):
    def verdict(self):
        self.assertLess(self.growth(method, shape), SLACK)
    setattr(Growth, "test_%s_%s" % (method, shape.__name__), verdict)


def add_openai(shape):
    def verdict(self):
        for method, more in METHODS:
            with self.subTest(method, **more):
                self.assertLess(self.growth(method, functools.partial(shape.text, more=more)), SLACK)
    setattr(Growth, "test_openai_" + shape.name, verdict)


def add_drop(shape):
    def verdict(self):
        self.assertLess(self.growth("repair", shape.text), SLACK)
    setattr(Growth, "test_drop_" + shape.name, verdict)


for _shape in openai_shapes.SHAPES:
    add_openai(_shape)
for _shape in drop_shapes.SHAPES:
    add_drop(_shape)
for _shape, _policy in shapes.SHAPES:
    add_verdict(_shape, _policy)
for _method, _shapes in operation_shapes.SHAPES.items():
    for _shape in _shapes:
        add_operation(_method, _shape)

if __name__ == "__main__":
    unittest.main()
