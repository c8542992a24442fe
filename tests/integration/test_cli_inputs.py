#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The inputs of validate and repair: several files, stdin, one message a line, histories inside larger documents.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import unittest

from cli import CLEAN, ERRORS, FAILED, OK, ORPHAN_CALL, QUESTION, SAYS, SEARCH, UNSAFE, Case, body, line, run

MARK = b"\xef\xbb\xbf"


class Several(Case):
    def three(self):
        return [self.file(line(CLEAN), "a.json"), self.file(body(ORPHAN_CALL), "b.json"),
                self.file(line(UNSAFE), "c.json")]

    def test_validate(self):
        paths = self.three()
        done = run("validate", *paths)
        self.assertStatus(done, ERRORS)
        self.assertEqual([row.split(b":")[0].decode() for row in done.stdout.splitlines()], paths[1:])
        alone = [run("validate", path).stderr.decode() for path in paths]
        self.assertEqual(done.stderr.decode(), "".join(alone) + "3 files: 1 fine, 2 with errors, 0 failed\n")
        self.assertStatus(run("validate", paths[0], paths[0]), OK)

    def test_one_that_fails_keeps_no_other_back(self):
        os.symlink("loop.json", self.path("loop.json"))
        paths = [self.path("none"), *self.three(), self.file(b"{", "d.json"), self.file(b"[1]", "e.json"),
                 self.path("loop.json")]
        done = run("validate", *paths)
        self.assertStatus(done, FAILED)
        self.assertEqual(done.stdout.count(b": error: "), 2)
        self.assertIn(b"7 files: 1 fine, 2 with errors, 4 failed\n", done.stderr)

    def test_in_place(self):
        paths = self.three()
        expected = [run("repair", path).stdout for path in paths[:2]] + [line(UNSAFE)]
        self.assertStatus(run("repair", "-i", *paths), ERRORS)
        self.assertEqual([self.content(os.path.basename(path)) for path in paths], expected)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.json", "b.json", "b.json.orig", "c.json"])

    def test_check_and_diff(self):
        paths = self.three()
        self.assertStatus(run("repair", "--check", *paths[:2]), ERRORS)
        self.assertStatus(run("repair", "--check", paths[0], paths[0]), OK)
        done = run("repair", "--diff", *paths[:2], paths[1])
        self.assertEqual(done.stdout.count(b"--- "), 2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.json", "b.json", "c.json"])

    def test_json_names_the_files(self):
        paths = [*self.three(), self.file(line(CLEAN) + b"{\n\n" + line(ORPHAN_CALL), "d.jsonl"), self.path("none")]
        places = [(paths[0], None), (paths[1], None), (paths[2], None), (paths[3], 1), (paths[3], 2), (paths[3], 4),
                  (paths[4], None)]
        unreadable = {"name": "unreadable", "message": "No such file or directory"}
        rows = [json.loads(row) for row in run("repair", "--json", *paths).stdout.splitlines()]
        self.assertEqual([(row["file"], row.get("line")) for row in rows], places)
        self.assertEqual(["result" in row for row in rows], [True, True, False, True, False, True, False])
        self.assertEqual(rows[-1]["error"], unreadable)
        rows = [json.loads(row) for row in run("validate", "--json", *paths).stdout.splitlines()]
        self.assertEqual([(row["file"], row["line"]) for row in rows], places)
        self.assertEqual([row["error"] is None for row in rows], [True, True, True, True, False, True, False])
        self.assertEqual(rows[-1]["error"], {**unreadable, "pointer": None, "offset": None})

    def test_lines_and_documents_are_told_apart_in_each_file(self):
        one, many = self.file(line(ORPHAN_CALL), "a"), self.file(line(CLEAN) + line(ORPHAN_CALL), "b")
        done = run("validate", one, many, one)
        self.assertEqual([row.split(b":/")[0].decode() for row in done.stdout.splitlines()], [one, many + ":2", one])

    def test_a_daemon_that_is_gone_ends_it(self):
        done = run("validate", "--socket", self.path("none"), *self.three())
        self.assertStatus(done, FAILED)
        self.assertEqual(done.stderr.count(b"\n"), 1)


class Stdin(Case):
    def test_without_a_dash(self):
        for args in (("validate",), ("repair",), ("repair", "--diff"), ("tools", "--add", "web_search"), ("prepare",)):
            content = body(ORPHAN_CALL)
            with_dash, without = run(*args, "-", stdin=content), run(*args, stdin=content)
            self.assertEqual((with_dash.returncode, with_dash.stdout, with_dash.stderr),
                             (without.returncode, without.stdout, without.stderr))
        self.assertStatus(run("validate", "-q", stdin=line(CLEAN)), OK)

    def test_dev_stdin(self):
        done = run("repair", "/dev/stdin", stdin=line(ORPHAN_CALL))
        self.assertStatus(done, OK)
        self.assertNotIn(b"server_tool_use", done.stdout)


class Mark(Case):
    """A byte order mark."""

    def test_it_is_skipped_and_kept(self):
        for content in (line(CLEAN), body(ORPHAN_CALL), line(CLEAN) + line(ORPHAN_CALL), b"".join(map(line, ORPHAN_CALL))):
            for args in ((), ("--jsonl",)) if content.startswith(b"[") else ((),):
                plain, marked = (run("repair", *args, self.file(c)) for c in (content, MARK + content))
                self.assertStatus(marked, OK)
                self.assertEqual((marked.stdout, marked.stderr), (MARK + plain.stdout, plain.stderr))
                plain, marked = (run("validate", *args, self.file(c)) for c in (content, MARK + content))
                self.assertEqual((marked.stdout, marked.stderr), (plain.stdout, plain.stderr))
        path = self.file(MARK + line(ORPHAN_CALL))
        self.assertStatus(run("repair", "-i", path), OK)
        self.assertTrue(self.content("chat.json").startswith(MARK + b"["))

    def test_other_encodings_are_named(self):
        done = run("validate", "-", stdin=json.dumps(CLEAN).encode("utf-16"))
        self.assertStatus(done, FAILED)
        self.assertIn(b"UTF-16 instead of UTF-8 [parse_error]", done.stderr)

    def test_nothing_is_named(self):
        for content in (b"", b" \n\n"):
            self.assertIn(b"there is nothing in it [parse_error]", run("validate", "-", stdin=content).stderr)


class Elements(Case):
    """One message a line."""

    def lines(self, chat, ending=b"\n"):
        return ending.join(json.dumps(m).encode() for m in chat)

    def test_one_history(self):
        for ending in (b"\n", b"\r\n", b"\n\n", b"\n \n"):
            for last in (b"", ending):
                content = self.lines(ORPHAN_CALL, ending) + last
                done = run("validate", "-", stdin=content)
                self.assertStatus(done, ERRORS)
                self.assertIn(b"stdin: note: one message a line: read as one history\n", done.stderr)
                self.assertEqual(done.stdout.count(b"\n"), 1)
                self.assertTrue(done.stdout.startswith(b"stdin:/messages/1/content/1: error: "), done.stdout)
                done = run("repair", "-", stdin=content)
                self.assertStatus(done, OK)
                mended = [QUESTION, {"role": "assistant", "content": [SAYS]}, QUESTION]
                self.assertEqual(done.stdout, self.lines(mended, ending) + last)
        self.assertEqual(run("validate", "-q", "-", stdin=self.lines(CLEAN)).stderr, b"")

    def test_messages_that_go_and_come(self):
        call = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
        for chat in ([*ORPHAN_CALL, {"role": "assistant", "content": [SEARCH]}, QUESTION],
                     [QUESTION, {"role": "assistant", "content": [call]}, {"role": "assistant", "content": "b"}, QUESTION],
                     [{"role": "assistant", "content": [SEARCH]}, QUESTION], CLEAN):
            lines, listed = (run("repair", "-", stdin=c) for c in (self.lines(chat), line(chat)))
            self.assertStatus(listed, OK)
            self.assertEqual([json.loads(row) for row in lines.stdout.splitlines()], json.loads(listed.stdout))

    def test_in_place_and_diff(self):
        path = self.file(self.lines(ORPHAN_CALL) + b"\n", "chat.jsonl")
        done = run("repair", "--diff", path)
        self.assertEqual([row[:1] for row in done.stdout.splitlines()[3:]], [b" ", b"-", b"+", b" "])
        self.assertStatus(run("repair", "-i", path), OK)
        self.assertEqual(len(self.content("chat.jsonl").splitlines()), 3)
        self.assertEqual(self.content("chat.jsonl.orig"), self.lines(ORPHAN_CALL) + b"\n")

    def test_a_broken_line_has_its_place(self):
        content = self.lines(CLEAN) + b'\n{"role": "user", "content": 01}\n'
        done = run("validate", "-", stdin=content)
        self.assertStatus(done, FAILED)
        self.assertRegex(done.stderr.decode(), r"(?m)^stdin:4:30: error: [^\n]* \[parse_error\]$")

    def test_the_limit_is_that_of_a_document(self):
        content = self.lines(CLEAN * 10)
        self.assertStatus(run("validate", "--max-document", len(content), "-", stdin=content), OK)
        done = run("validate", "--max-document", len(content) - 1, "-", stdin=content)
        self.assertStatus(done, FAILED)
        self.assertIn(b"longer than", done.stderr)

    def test_jsonl_says_otherwise(self):
        done = run("validate", "--jsonl", "-", stdin=self.lines(CLEAN))
        self.assertStatus(done, FAILED)
        self.assertNotIn(b"one message a line", done.stderr)


class Refused(Case):
    def test_what_was_found_is_said(self):
        for document, says in [
                ({"type": "user", "note": {}, "uuid": "u"}, "an object with type, note, uuid"),
                (dict.fromkeys("abcdefg", 1), "an object with a, b, c, d, e and 2 more"), ({}, "an empty object"),
                ({"a\x1b[31m\u202e": 1}, "an object with a\\u001b[31m\\u202e"), ({"x" * 1000: 1}, "an object with xxxx")]:
            done = run("validate", "-", stdin=line(document))
            self.assertStatus(done, FAILED)
            self.assertIn('neither a list of messages nor a request body, which has "messages", "input" or "contents", but ' + says,
                          done.stderr.decode())
            self.assertLess(len(done.stderr), 700)

    def test_a_history_inside_is_named(self):
        done = run("validate", "-", stdin=line({"a/b": [{"title": "t"}, {"chat": {"messages": CLEAN}}]}))
        self.assertIn(b"; it has a history inside: --at '/a~1b/1/chat' [invalid_params]", done.stderr)
        done = run("validate", "-", stdin=line({"log": CLEAN}))
        self.assertIn(b"; it has a history inside: --at '/log' [", done.stderr)

    def test_once_a_file(self):
        rows = [line({"n": i}) for i in range(1000)]
        for args, content in (((), b"".join(rows) + line(CLEAN)), (("--jsonl",), b"".join(rows)), ((), b"".join(rows))):
            done = run("repair", *args, "-", stdin=content)
            self.assertStatus(done, FAILED)
            self.assertLess(done.stderr.count(b"\n"), 5)
            if content.endswith(line(CLEAN)):
                self.assertIn(b"stdin: note: 999 more lines are like line 1\n", done.stderr)
                self.assertEqual(done.stdout, content)


class At(Case):
    DOCUMENT = {"id": 1.0, "chats": [{"title": "x"}, {"history": ORPHAN_CALL, "body": {"messages": ORPHAN_CALL}}], "z": []}

    def test_validate(self):
        path = self.file(line(self.DOCUMENT))
        for pointer, place in (("/chats/1/history", "/chats/1/history/1/content/1"),
                               ("/chats/1/body", "/chats/1/body/messages/1/content/1"),
                               ("/chats/1/body/messages", "/chats/1/body/messages/1/content/1")):
            done = run("validate", "--at", pointer, path)
            self.assertStatus(done, ERRORS)
            self.assertTrue(done.stdout.startswith(b"%b:%b: error: " % (path.encode(), place.encode())), done.stdout)

    def test_only_that_place_changes(self):
        for indent in (None, 2):
            path = self.file(json.dumps(self.DOCUMENT, indent=indent).encode())
            for pointer in ("/chats/1/history", "/chats/1/body", "/chats/1/body/messages"):
                expected = json.loads(json.dumps(self.DOCUMENT))
                place = expected["chats"][1]
                (place["history"] if pointer.endswith("history") else place["body"]["messages"])[1]["content"] = [SAYS]
                done = run("repair", "--at", pointer, path)
                self.assertStatus(done, OK)
                self.assertEqual(done.stdout, json.dumps(expected, indent=indent).encode())
        self.assertStatus(run("repair", "-i", "--at", "/chats/1/history", path), OK)
        self.assertEqual(len(json.loads(self.content("chat.json"))["chats"][1]["history"][1]["content"]), 1)

    def test_lines(self):
        content = line({"chat": CLEAN}) + line({"chat": ORPHAN_CALL}) + line({"other": 1})
        done = run("repair", "--at", "/chat", "-", stdin=content)
        self.assertStatus(done, FAILED)
        rows = done.stdout.splitlines()
        self.assertEqual((rows[0], rows[2]), (line({"chat": CLEAN}).rstrip(), line({"other": 1}).rstrip()))
        self.assertNotIn(b"server_tool_use", rows[1])
        self.assertIn(b"stdin:3: error: nothing is at /chat [invalid_params]", done.stderr)

    def test_no_such_place(self):
        path = self.file(line(self.DOCUMENT))
        for pointer in ("/none", "chats", "/chats/7", "/chats/1/history/", "/~2"):
            done = run("repair", "-i", "--at", pointer, path)
            self.assertStatus(done, FAILED)
            self.assertIn("nothing is at %s [" % pointer, done.stderr.decode())
        done = run("validate", "--at", "/id", path)
        self.assertIn(b'which has "messages", "input" or "contents", but a number [', done.stderr)
        self.assertEqual(os.listdir(self.folder), ["chat.json"])

    def test_the_root(self):
        path = self.file(body(ORPHAN_CALL))
        self.assertEqual(run("repair", "--at", "", path).stdout, run("repair", path).stdout)

    def test_another_format_inside(self):
        done = run("repair", "--at", "/a", "-", stdin=line({"a": [{"from": "human", "value": "t"}]}))
        self.assertStatus(done, FAILED)
        self.assertIn(b"this looks like a ShareGPT conversation (from at /a/0)", done.stderr)


if __name__ == "__main__":
    unittest.main()
