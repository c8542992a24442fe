#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`turnkeeper explain`: the rules that a provider's words belong to, the findings of a file that fit, and exit statuses.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import resource
import sys
import unittest

from cli import CLEAN, ERRORS, FAILED, HAS_DAEMON, OK, QUESTION, TOP, Case, line, run

sys.path[:0] = [os.path.join(TOP, "tests")]
from daemon import Daemon  # noqa: E402

CALL = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
OPEN = [QUESTION, {"role": "assistant", "content": [CALL]}, QUESTION]
CODE = "tool_use_without_result"
WORDS = ("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` "
         "block must have a corresponding `tool_result` block in the next message.")
TWICE = "messages.1.content.0: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1"
THINKING = ("messages.%d.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a "
            "final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` "
            "blocks).")
THOUGHTLESS = {"model": "claude-sonnet-4-5", "max_tokens": 2000, "thinking": {"type": "enabled", "budget_tokens": 1024}, "messages": [
    QUESTION, {"role": "assistant", "content": [CALL]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "x"}]}]}
SERVER_ONLY = "prompt is too long: 210000 tokens > 200000 maximum"
LONGEST = 65536


class Explain(Case):
    def explain(self, *args, status=OK, **options):
        done = run("explain", *args, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout.decode()

    def test_it_prints_fault_place_repair_and_way_out(self):
        marks = [text.partition(":")[0].strip() for text in self.explain(WORDS % 1).splitlines()]
        self.assertEqual(marks, [CODE + " (anthropic, error)", "fault", "place", "repair", "way out"])
        self.assertIn("place: /messages/1, message 1, id toolu_1\n", self.explain(WORDS % 1))

    def test_stdin(self):
        body = json.dumps({"error": {"message": WORDS % 1}}).encode()
        self.assertEqual(self.explain("-", stdin=body), self.explain(WORDS % 1))

    def test_json_is_the_answer_of_the_method(self):
        matches = json.loads(self.explain("--json", WORDS % 1))["matches"]
        self.assertEqual([(m["code"], m["place"]) for m in matches],
                         [(CODE, {"pointer": "/messages/1", "message": 1, "id": "toolu_1"})])

    def test_every_way_out_is_told(self):
        told = {words: self.explain(words).partition("way out: ")[2] for words in (
            WORDS % 1, "messages: first message must use the \"user\" role", SERVER_ONLY,
            "Unable to download the file. Please verify the URL and try again.")}
        self.assertEqual(len(set(told.values())), 4, told)
        self.assertIn("turnkeeper repair makes this edit", told[WORDS % 1])
        self.assertIn("no edit of the history helps", told[SERVER_ONLY])

    def test_words_of_no_rule(self):
        done = run("explain", "Overloaded")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (ERRORS, b"", b"turnkeeper: no rule has these words\n"))
        self.assertEqual(json.loads(self.explain("--json", "Overloaded", status=ERRORS)), {"matches": []})

    def test_only_the_rules_of_a_provider(self):
        words = "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 130 instead."
        self.assertIn("resp_tool_limits", self.explain(words))
        self.assertNotIn("resp_tool_limits", self.explain("--provider", "openai-chat", words))
        self.assertIn("--provider: expected one of",
                      run("explain", "--provider", "none", words).stderr.decode())
        self.explain("--provider", "none", words, status=FAILED)

    def test_the_finding_that_fits(self):
        out = self.explain(WORDS % 1, self.file(line(OPEN), "chat.json"))
        self.assertRegex(out, r"chat\.json:/messages/1/content/0: error: .* \[%s\]\n" % CODE)
        self.assertNotIn("the words point at", out)

    def test_only_findings_that_fit_are_printed(self):
        document = [{"role": "user", "content": ""}, *OPEN[1:]]
        self.assertEqual(self.explain(WORDS % 1, self.file(line(document), "chat.json")).count(": error: "), 1)

    def test_another_fault_at_the_place(self):
        out = self.explain(TWICE, self.file(line(OPEN), "chat.json"))
        self.assertIn("[%s]" % CODE, out)
        self.assertIn(": note: the words point at /messages/1/content/0, where another rule finds a fault: repair that first\n", out)

    def test_what_repair_does_is_what_it_did(self):
        """With a file nothing is promised by the catalogue: the edits that fit, then what becomes of the history."""
        marks = ("  repair: ", "  way out: ")
        self.assertEqual([mark in self.explain(WORDS % 1) for mark in marks], [True, True])
        out = self.explain(WORDS % 1, self.file(line(OPEN), "chat.json"))
        self.assertEqual([mark in out for mark in marks], [False, False])
        self.assertTrue(out.endswith("chat.json: note: repair: insert_result /messages/1/content/0\n%s: note: way out: turnkeeper "
                                     "repair makes this history acceptable with 1 edit; store the original, send the repaired copy\n"
                                     % os.path.join(self.folder, "chat.json")), out)

    def test_a_guess_names_the_flag(self):
        document = [QUESTION, {"role": "assistant", "content": "a"}, {"role": "user", "content": "n", "tokens": 5}]
        out = self.explain("messages.2.tokens: Extra inputs are not permitted", self.file(line(document), "chat.json"))
        self.assertIn("note: repair: rewrite /messages/2\n", out)
        self.assertIn("turnkeeper repair --provider NAME makes this", out)

    def test_the_way_out_of_a_fault_that_no_edit_mends(self):
        """The rule's own, not that of an edit."""
        self.assertIn("  way out: thinking must be off for this request\n", self.explain(THINKING % 1))
        out = self.explain(THINKING % 1, self.file(line(THOUGHTLESS), "body.json"))
        self.assertIn("[thinking_required_first]\n", out)
        self.assertIn("body.json:/messages/1/content/0: note: way out: `thinking` is on in the request: switch it off", out)
        self.assertIn("note: repair: no allowed edit makes this history acceptable\n", out)
        self.assertNotIn("turnkeeper repair makes", out)

    def test_every_finding_has_its_way_out(self):
        """However many there are, and in linear time: 9 times the messages would take 81 times as long."""
        def spent(count):
            document = [{"role": ("user", "assistant")[i % 2], "content": "m", "note": "n"} for i in range(count)]
            file = self.file(line(document), "chat.json")
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            out = self.explain("--provider", "anthropic", "messages.0.note: Extra inputs are not permitted", file)
            self.assertEqual((out.count(": error: "), out.count(": note: way out: ")), (count, count))
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

        self.assertLess(spent(9000), 20 * max(spent(1000), 0.02))

    def test_a_fault_that_is_only_a_warning(self):
        odd = [QUESTION, {"role": "assistant", "content": [{"type": "new_type", "x": 1}, {"type": "tool_use", "id": "toolu_1", "name": "f",
                                                                                          "input": {}}]},
               {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "x"}]}]
        out = self.explain("messages.1.content.0: Input tag 'new_type' found using 'type' does not match any of the expected tags",
                           self.file(line(odd), "chat.json"))
        self.assertIn("warning: ", out)
        self.assertIn("note: repair: nothing here has to be edited\n", out)

    def test_the_rules_of_the_provider_whose_file_it_is_come_first(self):
        words = ("Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one "
                 "of `system`, `user`, `assistant`, `tool`")
        body = {"model": "deepseek-chat", "messages": [{"role": "developer", "content": "x"}, QUESTION]}
        items = {"model": "deepseek-chat", "input": [{"role": "developer", "content": "x"}, QUESTION]}
        for document, provider in ((body, "openai-chat"), (items, "openai-responses")):
            first = self.explain("--json", words, self.file(line(document), "body.json")).splitlines()[0]
            self.assertEqual([m["provider"] for m in json.loads(first)["matches"]][0], provider)
            self.assertIn("(%s, " % provider, self.explain(words, self.file(line(document), "body.json")).splitlines()[0])

    def test_a_file_that_was_not_sent(self):
        path = self.file(line(OPEN), "chat.json")
        self.assertIn("note: the words point at message 9, and there are 3 messages: this isn't what was sent",
                      self.explain(WORDS % 9, path))
        self.assertIn("note: the words point at /messages/0, which has no such fault: this isn't exactly what was sent",
                      self.explain(WORDS % 0, path))
        self.assertIn("note: nothing fits: this isn't what was sent, or more must be known to judge it (turnkeeper rules %s)"
                      % CODE, self.explain(WORDS % 1, self.file(line(CLEAN), "clean.json")))
        self.assertIn("note: turnkeeper can't find this fault in a history",
                      self.explain(SERVER_ONLY, self.file(line(CLEAN), "clean.json")))

    def test_json_with_a_file(self):
        first, second = self.explain("--json", WORDS % 1, self.file(line(OPEN), "chat.json")).splitlines()
        self.assertEqual(json.loads(first)["matches"][0]["code"], CODE)
        fits = json.loads(second)
        self.assertEqual(([f["code"] for f in fits["fits"]], fits["at_place"]), ([CODE], []))
        self.assertEqual(fits["repair"], {"safe": True, "changed": True, "violations": [], "edits": [
            {"code": CODE, "action": "insert_result", "pointer": "/messages/1/content/0", "id": "toolu_1", "tool": "f"}]})
        unsafe = json.loads(self.explain("--json", THINKING % 1, self.file(line(THOUGHTLESS), "body.json")).splitlines()[1])["repair"]
        self.assertEqual((unsafe["safe"], unsafe["edits"]), (False, []))
        self.assertIn("switch it off", unsafe["violations"][0]["way_out"])
        fits = json.loads(self.explain("--json", TWICE, self.file(line(OPEN), "chat.json")).splitlines()[1])
        self.assertEqual((fits["fits"], [f["code"] for f in fits["at_place"]]), ([], [CODE]))

    def test_each_line_of_a_file(self):
        out = self.explain("--json", WORDS % 1, self.file(line(CLEAN) + line(OPEN), "log.jsonl"))
        self.assertEqual([(fits["line"], len(fits["fits"])) for fits in map(json.loads, out.splitlines()[1:])], [(1, 0), (2, 1)])

    def test_the_history_may_come_from_stdin(self):
        self.assertIn("[%s]" % CODE, self.explain(WORDS % 1, "-", stdin=line(OPEN)))

    def test_usage(self):
        for args in ([], ["-", "-"], ["a", "b", "c"], [""], ["\udcff"], ["--no-guard", "a"]):
            self.assertEqual(self.explain(*args, status=FAILED), "", args)

    def test_the_longest_text(self):
        self.explain("-", stdin=b"m" * LONGEST, status=ERRORS)
        for args, stdin in ((["-"], b"m" * (LONGEST + 1)), (["m" * (LONGEST + 1)], b"")):
            done = run("explain", *args, stdin=stdin)
            self.assertEqual((done.returncode, done.stdout), (FAILED, b""))
            self.assertIn(b"TEXT: more than 65536 bytes", done.stderr)

    def test_a_file_that_cannot_be_read(self):
        self.assertIn(CODE, self.explain(WORDS % 1, os.path.join(self.folder, "missing"), status=FAILED))
        self.assertIn(CODE, self.explain(WORDS % 1, self.file(b"[{", "broken.json"), status=FAILED))

    @unittest.skipUnless(HAS_DAEMON, "needs turnkeeperd")
    def test_the_daemon_says_the_same(self):
        path = self.file(line(OPEN), "chat.json")
        with Daemon() as daemon:
            for args in ([WORDS % 1], [WORDS % 1, path], ["--json", TWICE, path]):
                self.assertEqual(self.explain("--socket", daemon.socket, *args), self.explain(*args))

    def test_rules_prints_every_code_that_it_names(self):
        for words in (WORDS % 1, SERVER_ONLY, "Corrupted thought signature."):
            code = json.loads(self.explain("--json", words))["matches"][0]["code"]
            self.assertIn(code, run("rules", code).stdout.decode())


if __name__ == "__main__":
    unittest.main()
