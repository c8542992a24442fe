#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The laws of seals over random conversations, the same ones at every run.

TK_PROPERTY_COUNT and TK_PROPERTY_SEED ask for more or other ones; seal_hunt.py does so by hand.
"""
import os
import unittest

import seal_hunt
import seal_laws

COUNT = int(os.environ.get("TK_PROPERTY_COUNT", "800"))
SEED = os.environ.get("TK_PROPERTY_SEED", "seals")


class Seals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.hunt = seal_hunt.Hunt(SEED)
        cls.addClassCleanup(cls.hunt.stop)
        cls.hunt.run(0, COUNT)

    def holds(self, law):
        count, first = self.hunt.failures.get(law.__name__, (0, None))
        self.assertEqual(count, 0, "%d of %d draws break it. The first:\n%s" % (count, COUNT, first))


class Found(unittest.TestCase):
    """Draws that broke a law once."""

    def test_a_seal_with_unsigned_thinking(self):
        """The turn is restored, and what can't be sent of it becomes text."""
        self.check("k", 135)

    def test_a_later_turn_without_thinking(self):
        """Its prefix fits, so the thinking that its request contained was accepted there."""
        self.check("d2", 303)

    def test_messages_that_were_sent_empty(self):
        """No edit emptied them; and one that an edit emptied goes if its turn goes on."""
        self.check("r2", 488)
        self.check("r1", 1021)

    def test_a_sealed_block_with_a_marker(self):
        """A marker on thinking is removed from what a seal restores, however its name is written."""
        self.check("r1", 2148)

    def test_a_doubled_call_that_goes_in_both_turns(self):
        """The seal puts it back in the same repair once the other turn has lost it."""
        self.check("r1", 900)
        self.check("rfix8", 4367)

    def test_a_block_that_goes_with_its_marker(self):
        """An earlier block that no edit names has the marker now."""
        self.check("rfix8", 1521)

    def test_a_prefix_that_fits_clears_without_thinking(self):
        """The turn of that seal has none of its own, and its request had some."""
        self.check("rfix8", 1594)

    def check(self, seed, number):
        found = seal_hunt.Hunt(seed)
        self.addCleanup(found.stop)
        found.run(number, 1)
        self.assertEqual(found.failures, {})


def add_verdict(law):
    def verdict(self):
        self.holds(law)
    verdict.__doc__ = law.__doc__
    setattr(Seals, "test_" + law.__name__, verdict)


for _law in seal_laws.LAWS:
    add_verdict(_law)

if __name__ == "__main__":
    unittest.main()
