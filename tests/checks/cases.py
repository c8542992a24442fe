#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the files of conformance cases can be reviewed: formatted, and short."""
import glob
import json
import os
import sys
import unittest

TOP = os.environ.get("top_srcdir", ".")
FOLDER = os.path.join(TOP, "tests", "conformance")
sys.path.insert(0, FOLDER)
import format_cases  # noqa: E402
import run_cases  # noqa: E402

LINES_MAX = 400


def files():
    return sorted(glob.glob(os.path.join(FOLDER, "**", "*.json"), recursive=True))


class Cases(unittest.TestCase):
    def test_files_are_formatted(self):
        self.assertEqual(format_cases.main(["--check", *files()]), 0, "run tests/conformance/format_cases.py on these")

    def test_files_are_short(self):
        for path in files():
            with open(path, encoding="utf-8") as f:
                text = f.read()
            if len(json.loads(text)) > 1:
                self.assertLess(text.count("\n"), LINES_MAX, path)

    def test_every_folder_is_run(self):
        folders = {os.path.relpath(path, FOLDER).split(os.sep)[0] for path in files()}
        self.assertEqual(folders, {*run_cases.FOLDERS, "near"})


if __name__ == "__main__":
    unittest.main()
