#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""turnkeeper validate: findings, and what is said of documents that can't be read.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import errno
import json
import os
import re
import unittest

from cli import (BROKEN, CALL_CODE, CLEAN, ERRORS, FAILED, OK, ORPHAN_CALL, QUESTION, RESULT_CODE, TWO_FAULTS,
                 Case, body, line, result, run)


class Validate(Case):
    def test_clean(self):
        for content in (line(CLEAN), body(CLEAN), line(CLEAN).rstrip(), b" \n" + line({"messages": CLEAN})):
            done = run("validate", self.file(content))
            self.assertStatus(done, OK)
            self.assertEqual(done.stdout, b"")
            self.assertRegex(done.stderr, rb": valid, 0 findings \(3 messages, 3 parts\)\n$")

    def test_findings_as_a_compiler_writes_them(self):
        for content in (line(ORPHAN_CALL), body(ORPHAN_CALL)):
            path = self.file(content)
            done = run("validate", path)
            self.assertStatus(done, ERRORS)
            self.assertRegex(done.stdout.decode(),
                             r"^%s:/messages/1/content/1: error: [^\n]+ \[%s\]\n$" % (re.escape(path), CALL_CODE))
            self.assertRegex(done.stderr.decode(), r"not valid, 1 finding \(3 messages")
            self.assertRegex(done.stderr.decode(), r"\n +1  error %s\n$" % CALL_CODE)

    def test_places_of_the_request(self):
        document = {"tools": [{"name": "f"}, {"name": "a b"}], "tool_choice": {"type": "tool", "name": "g"},
                    "messages": CLEAN}
        lines = (r"^{0}:{1}/tools/1/name: error: [^\n]+ \[tool_name_pattern\]\n"
                 r"{0}:{1}/tool_choice/name: error: [^\n]+ \[tool_choice_invalid\]\n$")
        for content, options, before in ((line(document), (), ""), (line({"chat": document}), ("--at", "/chat"), "/chat")):
            path = self.file(content)
            done = run("validate", *options, path)
            self.assertStatus(done, ERRORS)
            self.assertRegex(done.stdout.decode(), lines.format(re.escape(path), before))
            done = run("repair", *options, path)
            self.assertStatus(done, ERRORS)
            self.assertIn(":%s/tools/1/name: note: way out: This is not in a message" % before, done.stderr.decode())

    def test_stdin(self):
        done = run("validate", "-", stdin=line(ORPHAN_CALL))
        self.assertStatus(done, ERRORS)
        self.assertTrue(done.stdout.startswith(b"stdin:/messages/1/content/1: error: "), done.stdout)

    def test_json(self):
        done = run("validate", "--json", self.file(body(TWO_FAULTS)))
        self.assertStatus(done, ERRORS)
        self.assertEqual(done.stdout.count(b"\n"), 1)
        result = json.loads(done.stdout)
        self.assertFalse(result["valid"])
        self.assertEqual([v["code"] for v in result["violations"]], [CALL_CODE, RESULT_CODE])

    def test_all_are_counted(self):
        done = run("validate", "--max-violations", 1, self.file(line(TWO_FAULTS)))
        self.assertStatus(done, ERRORS)
        self.assertEqual(done.stdout.count(b"error: "), 1)
        self.assertIn(b": note: 1 more finding not listed", done.stdout)
        self.assertIn(b"not valid, 2 findings", done.stderr)
        done = run("validate", "--max-violations", 0, self.file(line(TWO_FAULTS)))
        self.assertStatus(done, ERRORS)
        self.assertIn(CALL_CODE.encode(), done.stderr)

    def test_verbose_and_quiet(self):
        path = self.file(line(ORPHAN_CALL))
        plain, verbose = run("validate", path), run("validate", "-v", path)
        self.assertTrue(verbose.stdout.startswith(plain.stdout))
        self.assertIn(b": note: the provider would answer: ", verbose.stdout)
        self.assertEqual(run("validate", "-q", path).stderr, b"")

    def test_parameters_reach_the_core(self):
        path = self.file(line(ORPHAN_CALL))
        policy = self.file(b' {"base": "preserve",\n "orphan_call": "report"}\n', "policy.json")
        for value in ("preserve", '{"base":"preserve"}', "@" + policy):
            self.assertStatus(run("validate", "--policy", value, path), ERRORS)
        fantasy = [QUESTION, {"role": "assistant", "content": [
            {"type": "tool-call", "data": {"tool_call_id": "srvtoolu_1", "tool_name": "web_search",
                                           "input": "{}", "provider_executed": True}}]}, QUESTION]
        fantasy[0] = fantasy[2] = {"role": "user", "content": [{"type": "text", "data": {"text": "q"}}]}
        done = run("validate", "--dialect", "fantasy", self.file(line(fantasy)))
        self.assertIn(CALL_CODE.encode(), done.stdout)

    def test_nothing_steers_the_terminal(self):
        evil = "srv\x1b[2J\u009b\u202e\ud800"
        chat = json.loads(json.dumps(ORPHAN_CALL).replace("srvtoolu_1", json.dumps(evil)[1:-1]))
        path = self.path("x")
        with open(path, "w", encoding="ascii") as f:
            json.dump(chat, f)
        for args in (("validate", path), ("repair", path)):
            done = run(*args)
            text = (done.stdout if args[0] == "validate" else b"") + done.stderr
            for bad in (b"\x1b", b"\xc2\x9b", b"\xe2\x80\xae", b"\xed\xa0"):
                self.assertNotIn(bad, text)
            text.decode()


class Unreadable(Case):
    def test_unreadable_documents(self):
        for content, name in BROKEN:
            path = self.file(content)
            for command in ("validate", "repair"):
                with self.subTest(content=content[:40], command=command):
                    done = run(command, path)
                    self.assertStatus(done, FAILED)
                    self.assertEqual(done.stdout, b"")
                    self.assertTrue(done.stderr.startswith(path.encode() + b":"), done.stderr)
                    self.assertIn(": error: ", done.stderr.decode())
                    self.assertIn("[%s]" % name, done.stderr.decode())

    def test_place(self):
        path = self.file(b'{\n  "messages": [],\n  "n": 01\n}\n')
        self.assertIn(path + ":3:", run("validate", path).stderr.decode())
        path = self.file(b'[{"role": "user", "content": "a"}, 7]')
        self.assertIn(path + ":/messages/1: error: ", run("validate", path).stderr.decode())
        path = self.file(b'{"messages": [{"role": "user", "content": [7]}]}')
        self.assertIn(path + ":/messages/0/content/0: error: ", run("validate", path).stderr.decode())

    def test_an_error_object_with_json(self):
        done = run("validate", "--json", self.file(b"{,}"))
        self.assertStatus(done, FAILED)
        self.assertEqual(json.loads(done.stdout)["error"]["name"], "parse_error")
        self.assertEqual(json.loads(done.stdout)["error"]["offset"], 1)

    def test_no_file(self):
        for command, path, says in [("validate", "missing.json", errno.ENOENT), ("repair", "missing.json", errno.ENOENT),
                                    ("repair", ".", errno.EISDIR)]:
            with self.subTest(command=command, path=path):
                done = run(command, path, cwd=self.folder)
                self.assertStatus(done, FAILED)
                self.assertIn(os.strerror(says), done.stderr.decode())

    def test_folders(self):
        """A folder is each document in it, at any depth."""
        nested = os.path.join(self.folder, "chats", "b", "c")
        os.makedirs(nested)
        os.makedirs(os.path.join(self.folder, "chats", ".git"))
        for name, content in (("z.json", CLEAN), ("b/c/two.JSONL", ORPHAN_CALL), ("b/one.ndjson", CLEAN), ("b/notes.txt", 7),
                              (".hidden.json", 7), (".git/x.json", 7)):
            with open(os.path.join(self.folder, "chats", name), "wb") as f:
                f.write(line(content))
        os.symlink("..", os.path.join(nested, "up"))
        done = run("validate", "-q", "chats/", cwd=self.folder)
        self.assertStatus(done, ERRORS)
        self.assertTrue(done.stdout.startswith(b"chats/b/c/two.JSONL:/messages/1/content/1: error: "), done.stdout)
        rows = [json.loads(row) for row in run("validate", "--json", "chats", "chats/z.json", cwd=self.folder).stdout.splitlines()]
        self.assertEqual([(row["file"], row["valid"]) for row in rows], [
            ("chats/b/c/two.JSONL", False), ("chats/b/one.ndjson", True), ("chats/z.json", True), ("chats/z.json", True)])
        done = run("validate", "chats/.git", cwd=nested)
        self.assertStatus(done, FAILED)
        os.makedirs(os.path.join(self.folder, "empty"))
        done = run("validate", "empty", cwd=self.folder)
        self.assertStatus(done, FAILED)
        self.assertIn(b"empty: no file in it ends in .json, .jsonl or .ndjson", done.stderr)

    def test_a_document_over_the_limit(self):
        path = self.file(line(CLEAN) * 1)
        size = os.path.getsize(path)
        self.assertStatus(run("validate", "--max-document", size, path), OK)
        done = run("repair", "--max-document", size - 1, path)
        self.assertStatus(done, FAILED)
        self.assertEqual(done.stdout, b"")
        self.assertIn("longer than %d bytes" % (size - 1), done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
