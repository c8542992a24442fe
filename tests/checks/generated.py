#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files generated from the catalogue, from words and for the clients are current, and the catalogue is complete. (The man page: test_cli_pages.py.)"""
import json
import os
import subprocess
import sys
import unittest

TOP = os.environ.get("top_srcdir", ".")
CATALOGUE = os.path.join(TOP, "src", "catalogue")
CLIENTS = os.path.join(TOP, "clients", "shared")
WORDS = os.path.join(TOP, "src", "providers", "words")
FINISHED_WAVE = 2


class Generated(unittest.TestCase):
    def test_rows_are_current(self):
        self.is_current(CATALOGUE)

    def test_words_are_current(self):
        self.is_current(WORDS)

    def test_tables_of_the_clients_are_current(self):
        self.is_current(CLIENTS)

    def is_current(self, folder):
        command = [sys.executable, "-B", os.path.join(folder, "generate.py"), "--check"]
        self.assertEqual(subprocess.run(command, check=False).returncode, 0)

    def test_every_rule_of_a_finished_wave_is_built(self):
        with open(os.path.join(CATALOGUE, "catalogue.json"), encoding="utf-8") as f:
            rules = json.load(f)["rules"]
        missing = [rule["code"] for rule in rules
                   if rule["provider"] == "anthropic" and rule["wave"] <= FINISHED_WAVE and "text" not in rule]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
