#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The laws of laws.py, edit_laws.py and turn_laws.py over random histories, the same ones at every run.

TK_PROPERTY_COUNT and TK_PROPERTY_SEED ask for more or other ones; hunt.py does so by hand.
"""
import os
import unittest

import hunt
import turn_laws

COUNT = int(os.environ.get("TK_PROPERTY_COUNT", "3000"))
SEED = os.environ.get("TK_PROPERTY_SEED", "turnkeeper")


class Properties(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.target = hunt.Target()
        cls.addClassCleanup(cls.target.stop)
        cls.hunt = hunt.Hunt(cls.target, SEED)
        cls.hunt.run(0, COUNT)

    def holds(self, law):
        count, first = self.hunt.failures.get(law.__name__, (0, None))
        self.assertEqual(count, 0, "%d of %d histories break it. The first:\n%s" % (count, COUNT, first))


def add_verdict(law):
    def verdict(self):
        self.holds(law)
    verdict.__doc__ = law.__doc__
    setattr(Properties, "test_" + law.__name__, verdict)


for _law in [hunt.lives] + hunt.LAWS + turn_laws.LAWS:
    add_verdict(_law)

if __name__ == "__main__":
    unittest.main()
