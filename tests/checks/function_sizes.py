#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions stay small: median, 90th percentile and maximum of their lines, measured with ctags."""
import os
import re
import subprocess
import unittest

TOP = os.environ.get("top_srcdir", ".")
CTAGS = os.environ.get("UNIVERSAL_CTAGS") or "ctags-universal"
BARS = {"median": 18, "p90": 50, "maximum": 150}


def function_sizes(folder):
    """[(lines, "file:function")] of all functions below folder."""
    out = subprocess.run(
        [CTAGS, "-R", "--languages=C", "--langmap=C:.c", "--kinds-C=f", "--fields=ne", "-f", "-", folder],
        check=True, capture_output=True, text=True, cwd=TOP).stdout
    sizes = []
    for row in out.splitlines():
        where = re.search(r"\tline:(\d+).*\tend:(\d+)", row)
        if where and not row.startswith("!"):
            name, path = row.split("\t")[:2]
            sizes.append((int(where[2]) - int(where[1]) + 1, "%s:%s" % (path, name)))
    return sorted(sizes)


class FunctionSizes(unittest.TestCase):
    def test_bars(self):
        try:
            sizes = function_sizes("src")
        except FileNotFoundError:
            self.skipTest("no universal-ctags")
        self.assertTrue(sizes, "ctags found no function")
        lines = [n for n, _ in sizes]
        measured = {"median": lines[len(lines) // 2], "p90": lines[len(lines) * 9 // 10],
                    "maximum": lines[-1]}
        print("%d functions:" % len(lines), measured, "longest:", sizes[-3:][::-1])
        for figure, bar in BARS.items():
            with self.subTest(figure=figure):
                self.assertLessEqual(measured[figure], bar, "longest: %s" % sizes[-5:])


if __name__ == "__main__":
    unittest.main()
