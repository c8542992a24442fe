#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""turnkeeper repair: bytes in, bytes out, and the view of the edits.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import unittest

from cli import (BODY_HEAD, BODY_TAIL, CALL_CODE, CLEAN, ERRORS, FAILED, OK, ORPHAN_CALL, ORPHAN_RESULT,
                 QUESTION, RESULT_CODE, SAYS, THINKING, TWO_FAULTS, UNSAFE, Case, body, line, run)


class Repair(Case):
    def test_what_needs_nothing_is_the_input(self):
        for content in (line(CLEAN), body(CLEAN), b"\t" + line(CLEAN).rstrip(), line(CLEAN) + b"\n\n"):
            done = run("repair", self.file(content))
            self.assertStatus(done, OK)
            self.assertEqual(done.stdout, content)
            self.assertIn(b": unchanged; 0 edits, 0 findings remain\n", done.stderr)

    def test_list_in_list_out(self):
        for ending in (b"\n", b"", b"\n\n"):
            done = run("repair", "-", stdin=b" " + line(ORPHAN_CALL).rstrip() + ending)
            self.assertStatus(done, OK)
            self.assertTrue(done.stdout.startswith(b" ["))
            self.assertTrue(done.stdout.endswith(b"]" + ending))
            self.assertEqual(json.loads(done.stdout), [QUESTION, {"role": "assistant", "content": [SAYS]}, QUESTION])

    def test_body_in_body_out(self):
        done = run("repair", "-", stdin=body(ORPHAN_CALL))
        self.assertStatus(done, OK)
        self.assertTrue(done.stdout.startswith(BODY_HEAD + b"["), done.stdout)
        self.assertTrue(done.stdout.endswith(b"]" + BODY_TAIL), done.stdout)
        # an unedited message has its bytes, too
        question = json.dumps(ORPHAN_CALL, indent=2).encode().split(b"  {")[1].rstrip(b",\n ")
        self.assertIn(question, done.stdout)

    def test_an_indented_file_differs_by_the_edit_alone(self):
        dropped = [QUESTION, {"role": "assistant", "content": [SAYS]}, QUESTION]
        for indent, separators in ((2, None), (None, None), ("\t", (" ,", " : ")), (None, (",", ":"))):
            for before, after in ((ORPHAN_CALL, dropped), (ORPHAN_CALL * 3, dropped * 3)):
                write = lambda chat: json.dumps({"a": 1, "messages": chat, "b": [1]},  # noqa: E731
                                                indent=indent, separators=separators).encode()
                self.assertEqual(run("repair", "-q", "-", stdin=write(before)).stdout, write(after))

    def test_it_is_done_after_one_repair(self):
        for messages in (ORPHAN_CALL, ORPHAN_RESULT, TWO_FAULTS):
            once = run("repair", "-", stdin=body(messages))
            twice = run("repair", "-", stdin=once.stdout)
            self.assertEqual(once.stdout, twice.stdout)
            self.assertIn(b"unchanged", twice.stderr)
            self.assertStatus(run("validate", "-", stdin=once.stdout), OK)

    def test_view(self):
        done = run("repair", "-", stdin=body(TWO_FAULTS))
        shown = done.stderr.decode()
        self.assertIn("-: 2 edits\n", shown)
        self.assertRegex(shown, r"(?m)^- /messages/1/content/1 server_tool_use web_search \(srvtoolu_1\): "
                                r"dropped \[%s\]$" % CALL_CODE)
        self.assertRegex(shown, r"(?m)^- /messages/3/content/1 web_search_tool_result[^\n]*: "
                                r"turned into text \[%s\]$" % RESULT_CODE)
        self.assertRegex(shown, r'(?m)^\+ /messages/3/content/1 text "News, https://example.com"$')
        self.assertEqual(shown.count("\n+ "), 1)
        self.assertRegex(shown, r"(?m)^ +1  drop %s$" % CALL_CODE)
        self.assertEqual(run("repair", "-q", "-", stdin=body(TWO_FAULTS)).stderr, b"")

    def test_thinking_behind_an_edit(self):
        signed = {"role": "assistant", "content": [THINKING, SAYS]}
        done = run("repair", "-", stdin=line([*ORPHAN_CALL, signed, QUESTION]))
        self.assertStatus(done, OK)
        self.assertIn(b"-: note: 1 thinking block may be bound to what the repair changed from /messages/1 on\n",
                      done.stderr)

    def test_view_of_an_inserted_message(self):
        call = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
        chat = [QUESTION, {"role": "assistant", "content": [call]}]
        done = run("repair", "-", stdin=line([*chat, {"role": "assistant", "content": "b"}, QUESTION]))
        self.assertIn(b"result inserted", done.stderr)
        self.assertRegex(done.stderr.decode(), r'(?m)^\+ /messages/3/content/0 tool_result \(toolu_1\) "Not executed')
        self.assertNotIn(b"\n+ /messages/4", done.stderr)

    def test_unsafe_gives_nothing(self):
        path = self.file(body(UNSAFE))
        for args in ((), ("-o", self.path("out")), ("-i",)):
            done = run("repair", *args, path)
            self.assertStatus(done, ERRORS)
            self.assertEqual(done.stdout, b"")
            self.assertIn(path + ":/messages/1/content/1: error: ", done.stderr.decode())
            self.assertIn("[%s]" % RESULT_CODE, done.stderr.decode())
            self.assertIn("unsafe; ", done.stderr.decode())
            self.assertEqual(os.listdir(self.folder), ["chat.json"])
        self.assertEqual(self.content("chat.json"), body(UNSAFE))

    def test_no_guard_writes_what_it_can(self):
        done = run("repair", "--no-guard", "-", stdin=body(UNSAFE))
        self.assertStatus(done, ERRORS)
        self.assertEqual(done.stdout, body(UNSAFE))
        self.assertIn(b"-:/messages/1/content/1: error: ", done.stderr)


    def test_time_over(self):
        content = line([{"role": "user", "content": [SAYS] * 100000}])
        for command in ("validate", "repair"):
            done = run(command, "--timeout-ms", 1, "-", stdin=content + line(CLEAN))
            self.assertStatus(done, FAILED)
            self.assertIn(b"-:1: error: ", done.stderr)
            self.assertIn(b"[deadline_exceeded]", done.stderr)


if __name__ == "__main__":
    unittest.main()
