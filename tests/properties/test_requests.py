#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Laws over random bodies: tools, choices, servers, a container, models and targets around random histories.

TK_REQUEST_COUNT and TK_REQUEST_SEED ask for more or other ones.
"""
import os
import unittest

import hunt
import laws
import request_draws

COUNT = int(os.environ.get("TK_REQUEST_COUNT", "1500"))
SEED = os.environ.get("TK_REQUEST_SEED", "turnkeeper")
LAWS = [laws.findings_are_the_rules, laws.verdict_is_consistent, laws.safe_is_valid, laws.repair_is_idempotent,
        laws.forms_agree, laws.patch_makes_the_messages, laws.other_members_stay, laws.digest_is_right,
        laws.codecs_agree]


class Requests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.target = hunt.Target()
        cls.addClassCleanup(cls.target.stop)
        cls.failures = {}
        for number in range(COUNT):
            cls.one(number)

    @classmethod
    def one(cls, number):
        history = request_draws.draw(SEED, number)
        for law, why in hunt.broken(cls.target, history, [], LAWS):
            entry = cls.failures.setdefault(law.__name__, [0, None])
            entry[0] += 1
            if entry[0] == 1:
                smallest, _ = hunt.cut_down(cls.target, history, [], law)
                why = law(laws.Trial(cls.target, smallest)) or why
                entry[1] = "body %d, %s\n%s" % (number, smallest.context, hunt.describe(smallest, [], law, why))

    def holds(self, law):
        count, first = self.failures.get(law.__name__, (0, None))
        self.assertEqual(count, 0, "%d of %d bodies break it. The first:\n%s" % (count, COUNT, first))


def add_verdict(law):
    def verdict(self):
        self.holds(law)
    verdict.__doc__ = law.__doc__
    setattr(Requests, "test_" + law.__name__, verdict)


for _law in [hunt.lives] + LAWS:
    add_verdict(_law)

if __name__ == "__main__":
    unittest.main()
