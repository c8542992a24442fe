#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The module at its limits: little memory, deep nesting, large documents, many calls. The scripts assert."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import node  # noqa: E402

node.need()


class Limits(unittest.TestCase):
    def test_little_memory_gives_no_answer_or_the_right_one(self):
        self.assertEqual(node.run("little_memory.mjs", node.MODULE).split()[-1], b"done")

    def test_memory_grows_seldom(self):
        self.assertEqual(node.run("growth.mjs", node.MODULE).split()[-1], b"done")

    def test_nesting_up_to_max_depth_fits_the_stack(self):
        self.assertEqual(node.run("deep_nesting.mjs", node.MODULE).split()[-1], b"done")

    def test_a_call_ends_after_the_polls_that_it_may_make(self):
        self.assertEqual(node.run("work.mjs", node.MODULE).split()[-1], b"done")

    def test_hostile_requests_end_soon(self):
        self.assertEqual(node.run("hostile.mjs", node.MODULE).split()[-1], b"done")

    def test_memory_is_used_again(self):
        self.assertEqual(node.run("many_calls.mjs", node.MODULE).split()[-1], b"done")


if __name__ == "__main__":
    unittest.main()
