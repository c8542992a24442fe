#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line program's usage, help and rules.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import re
import sys
import unittest

from cli import CALL_CODE, CLEAN, COMMANDS, ERRORS, FAILED, HAS_DAEMON, OK, TOP, Case, line, run

sys.path[:0] = [os.path.join(TOP, "tests")]
from daemon import Daemon  # noqa: E402


class Usage(Case):
    def usage_error(self, *args, status=FAILED, says=""):
        done = run(*args)
        with self.subTest(args=args):
            self.assertStatus(done, status)
            self.assertIn(says, done.stderr.decode())
            self.assertIn("--help", done.stderr.decode())
        return done

    def test_usage_errors(self):
        for args, says in [
                ((), "no command"),
                (("mend",), "unknown command 'mend'"),
                (("stream", "file"), "unexpected argument 'file'"),
                (("validate",), "validate needs FILE|-"),
                (("validate", "a", "b"), "unexpected argument 'b'"),
                (("validate", "--colour", "a"), "unknown option '--colour'"),
                (("validate", "-x", "a"), "unknown option '-x'"),
                (("validate", "a", "--dialect"), "needs an argument"),
                (("validate", "--jsonl=1", "a"), "--jsonl takes no argument"),
                (("validate", "--no-guard", "a"), "validate has no option --no-guard"),
                (("repair", "--json", "a"), "repair has no option --json"),
                (("ping", "--policy", "x"), "ping has no option --policy"),
                (("validate", "--max-violations", "-1", "a"), "needs a number"),
                (("validate", "--max-violations", "1x", "a"), "needs a number"),
                (("validate", "--timeout-ms", "0", "a"), "from 1"),
                (("validate", "--max-document", "99999999999999999999", "a"), "needs a number"),
                (("validate", "--color", "red", "a"), "auto, always or never"),
                (("validate", "--policy", "{", "a"), "--policy"),
                (("validate", "--policy", '{}, "x": {}', "a"), "--policy"),
                (("validate", "--seals", "x", "a"), "--seals"),
                (("validate", "--dialect", b"\xff", "a"), "not UTF-8"),
                (("repair", "-i", "-o", "b", "a"), "exclude each other"),
                (("repair", "-i", "-"), "not stdin"),
                (("call",), "call needs METHOD"),
                (("call", "ping", "{"), "PARAMS"),
                (("call", "ping", "{} {}"), "PARAMS"),
        ]:
            args = [os.fsdecode(a) if isinstance(a, bytes) else a for a in args]
            self.usage_error(*args, says=says)

    def test_usage_of_the_monitoring_plugin(self):
        done = self.usage_error("health", "--bogus", status=3)
        self.assertTrue(done.stdout.startswith(b"TURNKEEPER UNKNOWN - "), done.stdout)
        self.usage_error("health", "extra", status=3)
        self.usage_error("health", "--timeout-ms", "soon", status=3)

    def test_help_and_version(self):
        done = run("--help")
        self.assertStatus(done, OK)
        named = set(re.findall(r"^  ([a-z]+)  ", done.stdout.decode(), re.M))
        self.assertEqual(named, COMMANDS)
        for command in sorted(COMMANDS):
            done = run(command, "--help")
            self.assertStatus(done, OK)
            self.assertIn("Usage: turnkeeper " + command, done.stdout.decode())
            self.assertEqual(run(command, "--bogus", "--help").returncode, 3 if command == "health" else FAILED)
        self.assertRegex(run("--version").stdout.decode(), r"^turnkeeper \d+\.\d+\.\d+\n$")

    def test_options_may_stand_anywhere(self):
        path = self.file(line(CLEAN))
        for args in [("--dialect", "anthropic", "validate", path), ("validate", path, "--dialect=anthropic"),
                     ("-q", "validate", "--", path)]:
            self.assertStatus(run(*args), OK)
        os.rename(path, self.path("--jsonl"))
        self.assertStatus(run("validate", "--", "--jsonl", cwd=self.folder), OK)

    def test_the_core_refuses_a_parameter(self):
        path = self.file(line(CLEAN))
        for option, value in [("--dialect", "klingon"), ("--policy", "harsh"), ("--provider", "nobody"),
                              ("--policy", '{"orphan_call": "wish"}'), ("--target", '{"planet": 1}')]:
            for command in ("validate", "repair"):
                done = run(command, option, value, path)
                self.assertStatus(done, FAILED)
                self.assertEqual(done.stdout, b"")
                self.assertIn(option, done.stderr.decode())


class Rules(Case):
    def test_one(self):
        done = run("rules", "tool_use_without_result")
        self.assertStatus(done, OK)
        self.assertTrue(done.stdout.startswith(b"tool_use_without_result (error)\n"), done.stdout)
        self.assertIn(b"ids were found without `tool_result` blocks", b" ".join(done.stdout.split()))

    def test_all(self):
        done = run("rules")
        self.assertStatus(done, OK)
        self.assertIn(CALL_CODE.encode(), done.stdout)
        self.assertIn(b"\ncitation_dangling (warning)\n", done.stdout)

    def test_none(self):
        done = run("rules", "no_such_rule")
        self.assertStatus(done, ERRORS)
        self.assertEqual(done.stderr, b"turnkeeper: no rule is called no_such_rule\n")

    @unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
    def test_info_tells_the_same(self):
        with Daemon() as daemon:
            catalogue = json.loads(run("info", "--socket", daemon.socket).stdout)["catalogue"]
        for rule in catalogue:
            words = " ".join(run("rules", rule["code"]).stdout.decode().split())
            self.assertIn(rule["trigger"], words)
            self.assertIn(rule["fix"]["preserve"], words)


if __name__ == "__main__":
    unittest.main()
