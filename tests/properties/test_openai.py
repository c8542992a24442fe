#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The laws of openai_laws.py over random conversations with OpenAI's APIs, the same ones at every run.

TK_OPENAI_COUNT and TK_OPENAI_SEED ask for more or other ones; openai_hunt.py does so by hand.
"""
import os
import unittest

import catalogue_rows
import hunt
import openai_draws
import openai_hunt
import openai_laws

COUNT = int(os.environ.get("TK_OPENAI_COUNT", "3000"))
SEED = os.environ.get("TK_OPENAI_SEED", "turnkeeper")


class Laws:
    """Mixed into one class a provider."""

    @classmethod
    def setUpClass(cls):
        cls.target = hunt.Target()
        cls.addClassCleanup(cls.target.stop)
        cls.hunt = openai_hunt.Hunt(cls.target, SEED, cls.provider)
        cls.hunt.run(0, COUNT)

    def holds(self, law):
        count, first = self.hunt.failures.get(law.__name__, (0, None))
        self.assertEqual(count, 0, "%d of %d cases break it. The first:\n%s" % (count, COUNT, first))


class Chat(Laws, unittest.TestCase):
    provider = "openai-chat"


class Responses(Laws, unittest.TestCase):
    provider = "openai-responses"


class Draws(unittest.TestCase):
    def test_every_code_is_drawn(self):
        """A rule that no drawn conversation breaks would be judged by nobody."""
        wanted = {row["code"] for row in catalogue_rows.ROWS if row["provider"] in openai_draws.DRAWS
                  and row["severity"] != "edit" and row["needs"] != "server"}
        number = 0
        while wanted and number < 20 * COUNT:
            wanted -= {found[0] for found in openai_draws.draw(SEED, number).findings()}
            number += 1
        self.assertEqual(wanted, set())


def add_verdict(law):
    def verdict(self):
        self.holds(law)
    verdict.__doc__ = law.__doc__
    setattr(Laws, "test_" + law.__name__, verdict)


for _law in openai_laws.LAWS:
    add_verdict(_law)

if __name__ == "__main__":
    unittest.main()
