# SPDX-License-Identifier: Apache-2.0
"""Hostile clients of HTTP don't slow down the main socket."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import http_attack  # noqa: E402

# The attacker, the daemon and this test share the processors with other tests.
SLOWER = 5


class Attacks(unittest.TestCase):
    def test_the_main_socket_is_as_fast_as_before(self):
        found = http_attack.measure(3, 0.5)
        self.assertEqual(set(found), set(http_attack.ATTACKS))
        for name, samples in found.items():
            with self.subTest(name):
                figures = http_attack.figures(samples, found["none"])
                print(name, len(samples), figures)
                self.assertGreater(len(samples), 10)
                self.assertLess(figures["slower"], SLOWER)


class Figures(unittest.TestCase):
    QUIET = [(100, 50), (110, 55), (120, 60)]

    def slower(self, daemon, reference):
        return http_attack.figures([(daemon * d, reference * r) for d, r in self.QUIET], self.QUIET)["slower"]

    def test_a_daemon_that_gets_slower(self):
        self.assertAlmostEqual(self.slower(6, 1), 6)

    def test_a_machine_that_gets_slower(self):
        self.assertAlmostEqual(self.slower(6, 6), 1)
        self.assertAlmostEqual(self.slower(6, 2), 3)

    def test_a_machine_that_gets_faster_excuses_nothing(self):
        self.assertAlmostEqual(self.slower(3, 0.5), 3)


if __name__ == "__main__":
    unittest.main()
