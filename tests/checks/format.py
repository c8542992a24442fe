#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The C files are as .clang-format says."""
import os
import subprocess
import unittest

import tree

TOP = os.environ.get("top_srcdir", ".")
CLANG_FORMAT = os.environ.get("CLANG_FORMAT")


class Format(unittest.TestCase):
    def test_clang_format_would_change_nothing(self):
        if not CLANG_FORMAT:
            self.skipTest("no clang-format-14")
        run = subprocess.run([CLANG_FORMAT, "--dry-run", "--Werror", *tree.sources(*tree.CODE_FOLDERS)],
                             cwd=TOP, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)


if __name__ == "__main__":
    unittest.main()
