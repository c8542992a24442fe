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

from cli import (CALL_CODE, CLEAN, COMMANDS, ERRORS, FAILED, HAS_DAEMON, OK, TOP, Case, line, option_values,
                 run, run_at_terminal)

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
                (("splice", "--assistant", "{}", "a", "b"), "unexpected argument 'b'"),
                (("validate", "--colour", "a"), "unknown option '--colour'"),
                (("validate", "-x", "a"), "unknown option '-x'"),
                (("validate", "a", "--dialect"), "needs an argument"),
                (("validate", "--jsonl=1", "a"), "--jsonl takes no argument"),
                (("validate", "--no-guard", "a"), "validate has no option --no-guard"),
                (("splice", "--at", "/a", "b"), "splice has no option --at"),
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
                (("repair", "-i", "a", "-"), "not stdin"),
                (("repair", "-i"), "not stdin"),
                (("repair", "--check", "-i", "a"), "--check writes nothing"),
                (("repair", "--check", "-o", "b", "a"), "--check writes nothing"),
                (("repair", "--diff", "--json", "a"), "--diff and --json exclude each other"),
                (("repair", "--diff", "-o", "-", "a"), "stdout can't have both"),
                (("repair", "a", "b"), "several files need --in-place, --check, --diff or --json"),
                (("repair", "-o", "c", "a", "b"), "--output takes the document of one file"),
                (("help", "mend"), "no command is called 'mend'"),
                (("call",), "call needs METHOD"),
                (("call", "ping", "{"), "PARAMS"),
                (("call", "ping", "{} {}"), "PARAMS"),
        ]:
            args = [os.fsdecode(a) if isinstance(a, bytes) else a for a in args]
            self.usage_error(*args, says=says)

    def test_did_you_mean(self):
        for args, says in [
                (("valdiate", "a"), "unknown command 'valdiate'; did you mean 'validate'?"),
                (("repiar",), "; did you mean 'repair'?"),
                (("val",), "; did you mean 'validate'?"),
                (("help", "stat"), "; did you mean 'stats'?"),
                (("repair", "--inplace", "a"), "unknown option '--inplace'; did you mean '--in-place'?"),
                (("repair", "--dialekt=fantasy", "a"), "; did you mean '--dialect'?"),
                (("repair", "--max", "1", "a"), "; did you mean '--max-"),
                (("validate", "--colour", "a"), "; did you mean '--color'?"),
        ]:
            self.usage_error(*args, says=says)
        for args in (("xyzzy",), ("repair", "--xyzzy", "a")):
            self.assertNotIn("did you mean", self.usage_error(*args).stderr.decode())
        path = self.file(line(CLEAN))
        self.usage_error(path, says="unknown command '%s'; did you mean 'validate %s'?" % (path, path))

    def test_help_of_a_command(self):
        for command in sorted(COMMANDS):
            self.assertEqual(run("help", command).stdout, run(command, "--help").stdout)
        self.assertEqual(run("help").stdout, run("--help").stdout)

    def test_help_offers_what_is_served(self):
        """Each word that --help offers is taken, by one of the providers; one that another command offers is refused."""
        path = self.file(b'{"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "a"}]}')
        for command in ("validate", "repair", "tools", "prepare"):
            words = option_values(command)
            for option in ("--target", "--provider", "--dialect"):
                for word in words.get(option, ()):
                    others = [()] if option == "--provider" else [("--provider", name) for name in words["--provider"]]
                    taken = [done for done in (run(command, *more, option, word, path) for more in others)
                             if option.encode() not in done.stderr]
                    self.assertNotEqual(taken, [], (command, option, word))
        self.assertIn("vertex", option_values("validate")["--target"])
        self.assertIn("anthropic", option_values("repair")["--provider"])
        self.assertIn("gemini", option_values("tools")["--provider"])

    def test_a_provider_that_the_command_does_not_serve(self):
        for command in ("validate", "repair", "prepare", "stream", "call"):
            offered = option_values(command)["--provider"]
            self.assertIn("anthropic", offered)
            known = {*option_values("tools")["--provider"], *option_values("validate")["--provider"]}
            for name in known - set(offered):
                operands = {"stream": (), "call": ("validate", "{}")}.get(command, ("a",))
                self.usage_error(command, "--provider", name, *operands,
                                 says="%s doesn't serve %s, only: %s" % (command, name, " ".join(offered)))

    def test_the_model(self):
        history = self.file(line([{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]))
        code = b"[assistant_prefill_unsupported]"
        self.assertNotIn(code, run("validate", history).stdout)
        for target in ((), ("--target", "anthropic"), ("--target", "bedrock")):
            self.assertIn(code, run("validate", "--model", "claude-opus-5", *target, history).stdout)
        for target in ("bedrock:m", '{"model": "m"}', "@target.json"):
            self.usage_error("validate", "--model", "m", "--target", target, history, says="--model goes with --target")
        self.usage_error("validate", "--model", "", history, says="--model")

    def test_a_document_is_asked_for_on_a_terminal(self):
        for command in ("validate", "repair", "tools", "prepare", "seal"):
            status, _, errors = run_at_terminal(command)
            self.assertEqual(status, FAILED)
            self.assertIn(b"%s needs a file, or a document on stdin" % command.encode(), errors)

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
        self.assertRegex(run("--version").stdout.decode(), r"^turnkeeper \d+\.\d+\.\d+(~dev)?\n$")

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
