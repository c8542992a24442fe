#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""turnkeeper repair: bytes in, bytes out, and the view of the edits.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import re
import unittest

from cli import (BODY_HEAD, BODY_TAIL, CALL_CODE, CLEAN, ERRORS, FAILED, MIX, OK, ORPHAN_CALL, ORPHAN_RESULT,
                 QUESTION, RESULT_CODE, SAYS, SEARCH, THINKING, TWO_FAULTS, UNSAFE, Case, body, error, line,
                 result, run)


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
        self.assertIn("stdin: 2 edits\n", shown)
        self.assertRegex(shown, r"(?m)^- /messages/1/content/1 server_tool_use web_search \(srvtoolu_1\): "
                                r"dropped \[%s\]$" % CALL_CODE)
        self.assertRegex(shown, r"(?m)^- /messages/3/content/1 web_search_tool_result[^\n]*: "
                                r"turned into text \[%s\]$" % RESULT_CODE)
        self.assertRegex(shown, r'(?m)^\+ /messages/3/content/1 text "News, https://example.com"$')
        self.assertEqual(shown.count("\n+ "), 1)
        self.assertRegex(shown, r"(?m)^ +1  drop %s$" % CALL_CODE)
        self.assertEqual(run("repair", "-q", "-", stdin=body(TWO_FAULTS)).stderr, b"")

    def test_thinking_after_an_edit(self):
        signed = {"role": "assistant", "content": [THINKING, SAYS]}
        done = run("repair", "-", stdin=line([*ORPHAN_CALL, signed, QUESTION]))
        self.assertStatus(done, OK)
        self.assertIn(b"stdin: note: newer models may refuse 1 thinking block: the repair changed the history before, "
                      b"from /messages/1 on\n", done.stderr)

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
        self.assertIn(b"stdin:/messages/1/content/1: error: ", done.stderr)


    def test_check(self):
        path = self.file(body(ORPHAN_CALL))
        for content, status in ((body(ORPHAN_CALL), ERRORS), (body(CLEAN), OK), (body(UNSAFE), ERRORS), (b"{", FAILED),
                                (line(CLEAN) + line(ORPHAN_CALL), ERRORS)):
            self.file(content)
            done = run("repair", "--check", path)
            self.assertStatus(done, status)
            self.assertEqual((done.stdout, self.content("chat.json"), os.listdir(self.folder)),
                             (b"", content, ["chat.json"]))
        self.file(body(ORPHAN_CALL))
        done = run("repair", "--check", path)
        self.assertIn(b": to be repaired; 1 edit, 0 findings remain\n", done.stderr)
        self.assertIn(b"- /messages/1/content/1 server_tool_use web_search (srvtoolu_1): dropped", done.stderr)
        self.assertEqual(run("repair", "--check", "-q", path).stderr, b"")

    def test_json(self):
        path = self.file(body(TWO_FAULTS))
        done = run("repair", "--json", path)
        self.assertStatus(done, OK)
        result = json.loads(done.stdout)
        self.assertEqual((result["changed"], len(result["edits"]), done.stdout.count(b"\n")), (True, 2, 1))
        self.assertEqual(result["messages"], json.loads(run("repair", path).stdout)["messages"])
        self.assertEqual(os.listdir(self.folder), ["chat.json"])
        self.assertEqual(json.loads(run("repair", "--json", self.file(body(CLEAN))).stdout)["changed"], False)
        done = run("repair", "--json", self.file(body(UNSAFE)))
        self.assertStatus(done, ERRORS)
        error = json.loads(done.stdout)["error"]
        self.assertEqual((error["name"], error["violations"][0]["code"]), ("unsafe_history", RESULT_CODE))
        done = run("repair", "--json", "-", stdin=b"".join(MIX))
        self.assertEqual([next(iter(json.loads(row))) if row else "" for row in done.stdout.decode().split("\n")],
                         ["changed", "changed", "", "error", "", "changed", "error", "error", "changed", ""])

    def test_json_of_what_is_written(self):
        path = self.file(body(ORPHAN_CALL))
        expected = run("repair", path).stdout
        done = run("repair", "--json", "-i", path)
        self.assertTrue(json.loads(done.stdout)["changed"])
        self.assertEqual(self.content("chat.json"), expected)

    def test_diff(self):
        path = self.file(json.dumps({"messages": TWO_FAULTS}, indent=1).encode())
        done = run("repair", "--diff", path)
        self.assertStatus(done, OK)
        self.assertTrue(done.stdout.startswith(b"--- %b\n+++ %b\n@@ -" % (path.encode(), path.encode())), done.stdout)
        self.assertEqual(os.listdir(self.folder), ["chat.json"])
        repaired = run("repair", path).stdout
        self.assertEqual(self.apply(done.stdout), repaired)
        self.assertEqual(run("repair", "--diff", self.file(repaired)).stdout, b"")
        self.assertStatus(run("repair", "--diff", "--check", self.file(body(ORPHAN_CALL))), ERRORS)

    def apply(self, patch):
        """Applies a unified diff to chat.json as patch(1) would, and holds it against every line of the old file."""
        old, made, at = self.content("chat.json").splitlines(True), [], 0
        rows = patch.splitlines(True)[2:]
        for i, row in enumerate(rows):
            text = row[1:]
            if i + 1 < len(rows) and rows[i + 1].startswith(b"\\"):
                text = text.rstrip(b"\n")
            if row.startswith(b"@@"):
                start, count = re.match(rb"@@ -(\d+)(?:,(\d+))? \+", row).groups()
                start = int(start) - (count != b"0")
                made += old[at:start]
                at = start
            elif row[:1] in b" -":
                self.assertEqual(text, old[at])
                at += 1
            if row[:1] in b" +":
                made.append(text)
        return b"".join(made + old[at:])

    def test_diff_of_many_shapes(self):
        chats = [[QUESTION] * n + ORPHAN_CALL * m + [QUESTION] * n for n in (0, 1, 3, 40) for m in (1, 2, 5)]
        chats += [TWO_FAULTS * 3, [*ORPHAN_CALL, {"role": "assistant", "content": [SEARCH]}, QUESTION],
                  [{"role": "assistant", "content": [SEARCH]}, QUESTION]]
        for chat in chats:
            for indent in (None, 0, 2):
                for ending in ("", "\n"):
                    path = self.file((json.dumps(chat, indent=indent) + ending).encode())
                    done = run("repair", "-q", "--diff", path)
                    self.assertEqual(self.apply(done.stdout), run("repair", "-q", path).stdout)

    def test_diff_of_lines(self):
        for ending in (b"\n", b""):
            path = self.file(line(CLEAN) + line(ORPHAN_CALL) + line(CLEAN) + line(ORPHAN_RESULT).rstrip() + ending)
            done = run("repair", "--diff", path)
            self.assertEqual(re.findall(rb"(?m)^@@ .*$", done.stdout), [b"@@ -2 +2 @@", b"@@ -4 +4 @@"])
            self.assertEqual(self.apply(done.stdout), run("repair", path).stdout)

    def test_the_edit_of_a_long_file_is_one_hunk(self):
        chat = [dict(QUESTION, content="question %d" % i) for i in range(4000)]
        chat[2000:2000] = ORPHAN_CALL
        done = run("repair", "--diff", self.file(json.dumps(chat, indent=1).encode()))
        self.assertEqual(done.stdout.count(b"@@ -"), 1)
        self.assertLess(done.stdout.count(b"\n"), 20)

    def test_the_way_out(self):
        done = run("repair", "-", stdin=line(UNSAFE))
        self.assertStatus(done, ERRORS)
        self.assertRegex(done.stderr.decode(),
                         r"(?m)^stdin:/messages/1/content/1: note: way out: The edit \S+ is needed, but [^\n]+\.$")

    def test_time_over(self):
        content = line([{"role": "user", "content": [SAYS] * 100000}])
        for command in ("validate", "repair"):
            done = run(command, "--timeout-ms", 1, "-", stdin=content + line(CLEAN))
            self.assertStatus(done, FAILED)
            self.assertIn(b"stdin:1: error: ", done.stderr)
            self.assertIn(b"[deadline_exceeded]", done.stderr)


if __name__ == "__main__":
    unittest.main()
