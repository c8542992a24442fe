#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the files of conformance cases can be reviewed: formatted, short, and named by their subject."""
import glob
import json
import os
import re
import sys
import unittest

TOP = os.environ.get("top_srcdir", ".")
FOLDER = os.path.join(TOP, "tests", "conformance")
sys.path.insert(0, FOLDER)
import format_cases  # noqa: E402
import run_cases  # noqa: E402

LINES_MAX = 400
# Files that may be longer. Each holds one case that can't be divided: it is about the number or order of its elements.
# A shorthand for them would have to be read by all programs that drive the cases, and would hide what is compared.
LONG = {
    "stream/hundred_open_calls.json": "a hundred calls, and the order in which their parts leave",
    "stream/six_hundred_deltas.json": "each delta leaves as one part",
    "repair/image_count.json": "one image more than a request may have, before and after the repair",
    "openai_chat/too_many_calls.json": "one call more than a message may have",
    "formats/extra_members_of_an_sdk_dump.json": "a message as an SDK dumps it",
}
# A name says what the cases are about; a number at its end says only that a file was divided.
NUMBERED = re.compile(r"_\d\.json$")


def files():
    return sorted(glob.glob(os.path.join(FOLDER, "**", "*.json"), recursive=True))


class Cases(unittest.TestCase):
    def test_files_are_formatted(self):
        self.assertEqual(format_cases.main(["--check", *files()]), 0, "run tests/conformance/format_cases.py on these")

    def test_files_are_short(self):
        for path in files():
            with open(path, encoding="utf-8") as f:
                lines = f.read().count("\n")
            is_long = os.path.relpath(path, FOLDER).replace(os.sep, "/") in LONG
            self.assertEqual(lines >= LINES_MAX, is_long, "%s has %d lines" % (path, lines))

    def test_long_files_hold_one_case(self):
        for name in LONG:
            with open(os.path.join(FOLDER, name), encoding="utf-8") as f:
                self.assertEqual(len(json.load(f)), 1, name)

    def test_names_are_words(self):
        self.assertEqual([path for path in files() if NUMBERED.search(path)], [])

    def test_every_folder_is_run(self):
        folders = {os.path.relpath(path, FOLDER).split(os.sep)[0] for path in files()} - {"index.json"}
        self.assertEqual(folders, {*run_cases.FOLDERS, "near"})


if __name__ == "__main__":
    unittest.main()
