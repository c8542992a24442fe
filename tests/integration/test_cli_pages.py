#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that are installed next to the program: shell completion, manual pages.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from cli import COMMANDS, HAS_DAEMON, TIMEOUT, TOP, Case, option_values, run

sys.path[:0] = [os.path.join(TOP, "tests")]
from daemon import Daemon  # noqa: E402


def long_options(command):
    return set(re.findall(r"^  .{4}(--[a-z-]+)", run(command, "--help").stdout.decode(), re.M))


class Completion(Case):
    SCRIPT = os.path.join(TOP, "completions", "turnkeeper")

    def complete(self, typed, cur=None):
        """Returns what bash would offer at the end of a line; cur is the word it would replace."""
        if cur is None:
            cur = "" if typed.endswith(" ") else re.split(r"[ =]", typed)[-1]
        code = 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _turnkeeper turnkeeper "$3" ""; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "--norc", "--noprofile", "-c", code, "bash", os.path.abspath(self.SCRIPT), typed,
                               cur], capture_output=True, text=True, check=True, cwd=self.folder, timeout=TIMEOUT)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split("\n")) - {""}

    def test_commands_and_options_are_the_program_s(self):
        self.assertEqual(self.complete("turnkeeper "), COMMANDS)
        self.assertEqual(self.complete("turnkeeper --socket /x va"), {"validate"})
        self.assertEqual(self.complete("turnkeeper help se"), {"seal"})
        self.assertEqual(self.complete("turnkeeper -"), {"--help", "--version"})
        for command in sorted(COMMANDS):
            self.assertEqual(self.complete("turnkeeper %s -" % command), long_options(command), command)

    def test_values(self):
        for command in ("validate", "repair", "splice", "tools", "prepare", "stream"):
            for option, values in option_values(command).items():
                self.assertEqual(self.complete("turnkeeper %s %s " % (command, option)), set(values), option)
                self.assertEqual(self.complete("turnkeeper %s %s=" % (command, option)), set(values), option)
        self.assertEqual(self.complete("turnkeeper repair --policy=pre"), {"preserve"})
        self.assertEqual(self.complete("turnkeeper repair --max-violations "), set())

    def test_files(self):
        self.file(b"", "a b.json")
        self.file(b"", "c.json")
        self.assertEqual(self.complete("turnkeeper validate "), {"a b.json", "c.json"})
        self.assertEqual(self.complete("turnkeeper repair --output "), {"a b.json", "c.json"})
        self.assertEqual(self.complete("turnkeeper repair -o c"), {"c.json"})
        self.assertEqual(self.complete("turnkeeper repair -i c.json "), {"a b.json", "c.json"})
        self.assertEqual(self.complete("turnkeeper tools c.json "), set())
        self.assertEqual(self.complete("turnkeeper validate --policy @c"), {"@c.json"})
        self.assertEqual(self.complete("turnkeeper call ping @"), {"@a\\ b.json", "@c.json"})

    def test_methods(self):
        methods = self.complete("turnkeeper call ")
        self.assertLessEqual({"validate", "repair", "repair_turn", "ping", "health", "stats", "info"}, methods)


class Manual(Case):
    def page(self, name):
        with open(os.path.join(TOP, "man", name), encoding="utf-8") as f:
            return f.read()

    def test_a_rule_says_what_it_is_judged_from(self):
        for code, sources in (("text_empty", []), ("tool_choice_invalid", ["the whole request"]),
                              ("advisor_beta_missing", ["the values of the header"]),
                              ("compaction_strategy_missing", ["the whole request", "the values of the header"]),
                              ("system_role_unsupported", ["endpoint and model"]),
                              ("sealed_turn_reordered", ["seals"]), ("prior_thinking_pruned", ["the policy"])):
            shown = run("rules", code).stdout.decode()
            found = re.findall(r"(?m)^  (?:Judged|And) from:\n    (.*)$", shown)
            self.assertEqual([s[:len(want)] for s, want in zip(found, sources)], sources, shown)
            self.assertEqual(len(found), len(sources), shown)

    def test_what_only_the_provider_knows_is_listed(self):
        self.assertIn("container_expired (not judged)", run("rules").stdout.decode().partition("Not judged:")[2])
        self.assertIn(".SH NOT JUDGED", self.page("turnkeeper-rules.7"))
        one = run("rules", "container_expired").stdout.decode()
        self.assertRegex(one, r"(?s)\Acontainer_expired \(not judged\)\n.*What helps:\n    rewrite: delete `container`\n\Z")
        self.assertNotIn("What helps", run("rules", "prompt_too_long").stdout.decode())

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_no_warnings(self):
        for name, macros in (("turnkeeper.1", "-mdoc"), ("turnkeeper-rules.7", "-man"), ("turnkeeperd.8", "-mdoc")):
            done = subprocess.run(["groff", macros, "-ww", "-z", "-Kutf8", os.path.join(TOP, "man", name)],
                                  capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    @unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
    def test_the_daemon_s_limits_are_described(self):
        with Daemon() as daemon:
            limits = json.loads(run("info", "--socket", daemon.socket).stdout)["limits"]
        page = self.page("turnkeeperd.8")
        for name in limits:
            self.assertRegex(page, r"(?m)^\.It Sy %s$" % name)


if __name__ == "__main__":
    unittest.main()
