#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files generated from the catalogue, from words, for the clients and from what the program says of itself are current, and the
catalogue is complete."""
import json
import os
import re
import subprocess
import sys
import unittest

TOP = os.environ.get("top_srcdir", ".")
CATALOGUE = os.path.join(TOP, "src", "catalogue")
CLIENTS = os.path.join(TOP, "clients", "shared")
WORDS = os.path.join(TOP, "src", "providers", "words")
MAN = os.path.join(TOP, "man")
FINISHED_WAVE = 2

sys.path[:0] = [MAN]
import generate as man_page  # noqa: E402


class Generated(unittest.TestCase):
    def test_rows_are_current(self):
        self.is_current(CATALOGUE)

    def test_words_are_current(self):
        self.is_current(WORDS)

    def test_tables_of_the_clients_are_current(self):
        self.is_current(CLIENTS)

    def test_man_pages_are_current(self):
        program = os.environ["TURNKEEPER"]
        for name, command in (("turnkeeper.1", (sys.executable, "-B", os.path.join(MAN, "generate.py"), program)),
                              ("turnkeeper-rules.7", (program, "rules", "--man"))):
            said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
            with open(os.path.join(MAN, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), said, "run: make man-pages")

    def test_the_man_page_has_what_nobody_wrote_about(self):
        """A command and an option without a line in turnkeeper.1.in."""
        page = man_page.Page(os.environ["TURNKEEPER"])
        made = "\n".join(page.made(["@commands", "@options"]))
        self.assertEqual(re.findall(r"(?m)^\.It Cm (\w+)", made), list(page.named))
        self.assertEqual(re.findall(r"(?m)^\.It .*?Fl Fl (\S+)", made), list(page.options))
        self.assertIn(".It Cm rules Op Ar code\nExplain a rule: what it looks for and how repair fixes it.\n.Pp\nPrints one rule, or all",
                      made)
        self.assertNotIn("Exit status", made)

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
