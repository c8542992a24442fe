# SPDX-License-Identifier: Apache-2.0
"""A sample of the calls that a daemon makes: each fails once. `make faults` takes them all."""
import os
import subprocess
import unittest

import sweep
from page import LIBRARY, Page

# One call of so many fails. Where an event can't be added, a second passes until the daemon tries again.
SAMPLES = {"allocation": 2, "epoll_ctl": 16}
SAMPLES_AT_START = {"allocation": 9, "epoll_ctl": 2}


def why_not():
    """A reason to skip, or None."""
    if not os.path.exists(LIBRARY):
        return "this build has no shared libraries"
    linked = subprocess.run(["ldd", sweep.PROGRAM], capture_output=True, text=True, check=False).stdout
    if "libtsan" in linked:
        return "TSan allocates memory before a preloaded library is there"
    with sweep.Sweep() as s, s.daemon():
        if "allocation" not in s.page.names() or s.page.calls("allocation") == 0:
            return "the functions of its sanitizer are in the program, before those of a preloaded library"
    return None


class Faults(unittest.TestCase):
    def setUp(self):
        reason = why_not()
        if reason:
            self.skipTest(reason)
        self.sweep = sweep.Sweep()
        self.addCleanup(self.sweep.close)

    def judge(self, rows):
        self.assertGreaterEqual(self.sweep.faults, len(rows))
        self.assertEqual(self.sweep.complaints, [])

    def test_while_it_serves(self):
        """Answers are `busy`, `internal` or right, none is missing, and nothing is left over."""
        self.sweep.serve(SAMPLES)
        self.judge(sweep.WHILE_SERVING)

    def test_while_it_starts(self):
        """It serves, or says why it doesn't and ends with status 1."""
        self.sweep.start(SAMPLES_AT_START)
        self.judge(sweep.AT_START)

    def test_a_missing_answer_is_noticed(self):
        """A daemon that is stopped answers nothing: the sweep must complain."""
        with self.sweep.daemon() as d:
            load = sweep.Load(d, self.sweep.http)
            load.learn()
            load.expected[0][1] = b"{}"
            self.assertEqual(len(load.run()), 1)
            load.patience = 0.2
            with sweep.stopped(d):
                self.assertIn("no answer within 0.2 s", load.run())


class Pages(unittest.TestCase):
    def test_calls_are_counted_and_fail(self):
        reason = why_not()
        if reason:
            self.skipTest(reason)
        with sweep.Sweep() as s, s.daemon():
            self.assertIn("sendmsg", s.page.names())
            self.assertGreater(s.page.calls("allocation"), 20)
            self.assertEqual(s.page.calls("epoll_create1"), 3)


if __name__ == "__main__":
    unittest.main()
