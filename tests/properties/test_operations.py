#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The laws of splice, tools and prepare over random parameters, the same ones at every run.

TK_PROPERTY_COUNT and TK_PROPERTY_SEED ask for more or other ones.
"""
import os
import random
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import prepare_laws  # noqa: E402
import splice_draws  # noqa: E402
import splice_laws  # noqa: E402
import tools_laws  # noqa: E402
from daemon import Daemon  # noqa: E402
from wire import Wire  # noqa: E402

COUNT = int(os.environ.get("TK_PROPERTY_COUNT", "1500"))
SEED = os.environ.get("TK_PROPERTY_SEED", "operations")
OPERATIONS = {
    "splice": (splice_draws.draw, splice_laws.SpliceTrial, splice_laws.LAWS),
    "tools": (tools_laws.draw, tools_laws.ToolsTrial, tools_laws.LAWS),
    "prepare": (prepare_laws.draw, prepare_laws.PrepareTrial, prepare_laws.LAWS),
}


def breaches(wire, operation, count=COUNT, seed=SEED):
    """By law: how many draws break it, and what the first of them is."""
    draw, trial, laws = OPERATIONS[operation]
    broken = {}
    for number in range(count):
        params, text = draw(random.Random("%s %s/%d" % (operation, seed, number)))
        one = trial(wire, params, text)
        for law in laws:
            why = law(one)
            if why:
                entry = broken.setdefault(law, [0, "draw %d: %s\n%s" % (number, why[:3000], text)])
                entry[0] += 1
    return broken


class Operations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)
        cls.wire = Wire(cls.daemon.socket)
        cls.addClassCleanup(cls.wire.close)
        cls.broken = {operation: breaches(cls.wire, operation) for operation in OPERATIONS}

    def holds(self, operation, law):
        count, first = self.broken[operation].get(law, (0, None))
        self.assertEqual(count, 0, "%d of %d draws break it. The first:\n%s" % (count, COUNT, first))


def add_verdict(operation, law):
    def verdict(self):
        self.holds(operation, law)
    verdict.__doc__ = law.__doc__
    setattr(Operations, "test_%s_%s" % (operation, law.__name__), verdict)


for _operation, (_, _, _laws) in OPERATIONS.items():
    for _law in _laws:
        add_verdict(_operation, _law)

if __name__ == "__main__":
    unittest.main()
