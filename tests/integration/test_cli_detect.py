#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Documents without a flag that says whose they are: what the CLI takes them for, what it says about that, and what it
doesn't take away on a guess.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import random
import sys
import unittest

from cli import ERRORS, FAILED, HAS_DAEMON, OK, TOP, Case, line, run

sys.path[:0] = [os.path.join(TOP, "tests"), os.path.join(TOP, "tests", "properties")]
import format_draws  # noqa: E402
from daemon import Daemon  # noqa: E402

Q = {"role": "user", "content": "q"}
A = {"role": "assistant", "content": "a"}
PLAIN = [Q, A]
CHAT = {"model": "gpt-4o-mini", "messages": [{"role": "system", "content": "s"}, *PLAIN]}
CALL = {"role": "assistant", "content": None,
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
# Each would lose something that another provider takes.
TAKEN = {"drop": [{"role": "user", "content": [{"type": "text", "text": ""}, {"type": "text", "text": "q"}]}, A],
         "drop_message": [Q, {"role": "assistant", "content": ""}, Q]}
LONE = line([{"role": "user", "content": "LONE"}]).replace(b"LONE", b"\\ud800")  # a surrogate: it is rewritten
GUESS = "nothing tells whose it is"
TOLD = [
    (CHAT, "openai-chat: role system first"),
    ({"model": "gpt-4o-mini", "messages": PLAIN}, "openai-chat: model gpt-4o-mini"),
    ({"model": "deepseek-chat", "messages": PLAIN}, "openai-chat: model deepseek-chat"),
    ({"messages": PLAIN, "max_completion_tokens": 5}, "openai-chat: member max_completion_tokens"),
    ({"messages": PLAIN, "system": "s"}, "anthropic: member system"),
    ({"model": "claude-opus-5", "messages": PLAIN}, "anthropic: model claude-opus-5"),
    ([Q, {"role": "tool", "content": "x"}], "openai-chat: role tool"),
    ({"model": "gpt-5", "input": "hi"}, "openai-responses: member input"),
    ({"modelId": "m", "messages": PLAIN}, "bedrock: member modelId"),
    ({"model": "us.amazon.nova-pro", "messages": PLAIN},
     "bedrock: model us.amazon.nova-pro"),
    (PLAIN, "anthropic: %s; --provider says it" % GUESS),
    ({"model": "my\u202emodel", "messages": PLAIN}, "anthropic: %s; --provider says it" % GUESS),
]
REFUSED = [
    ({"generationConfig": {}, "messages": PLAIN}, 'this looks like Gemini contents (member generationConfig), whose list in '
     'a body has the name "contents"'),
    ({"instructions": "i", "messages": PLAIN}, 'this looks like OpenAI Responses items (member instructions), whose list in a '
     'body has the name "input"'),
    ([{"lc": 1, "kwargs": {}}], "this looks like LangChain messages (lc at /messages/0); this release reads"),
]


class Detected(Case):
    def ask(self, *args, **options):
        return run(*args, **options)

    def errors(self, done):
        return done.stderr.decode().splitlines()

    def test_what_it_takes_and_why(self):
        for document, told in TOLD:
            path = self.file(line(document))
            for command in ("validate", "repair"):
                done = self.ask(command, path)
                with self.subTest(command=command, told=told):
                    self.assertEqual(self.errors(done)[0], "reading %s as %s" % (path, told))
                    self.assertNotIn("reading", self.ask(command, "-q", path).stderr.decode())
            for flag in (("--provider", told.split(":")[0]), ("--dialect", told.split(":")[0])):
                self.assertNotIn("reading", self.ask("validate", *flag, path).stderr.decode())

    def test_inside_of_a_document(self):
        path = self.file(line({"sessions": [{"body": CHAT}, {"body": PLAIN}]}))
        for at, told in (("/sessions/0/body", "openai-chat: role system first"),
                         ("/sessions/0/body/messages", "openai-chat: role system first"),
                         ("/sessions/1/body", "anthropic: %s; --provider says it" % GUESS)):
            done = self.ask("validate", "--at", at, path)
            self.assertStatus(done, OK)
            self.assertEqual(self.errors(done)[0], "reading %s as %s" % (path, told))

    def test_formats_of_nobody_here(self):
        for document, says in REFUSED:
            path = self.file(line(document))
            done = self.ask("validate", path)
            self.assertStatus(done, FAILED)
            self.assertIn("%s: %s" % (path, says), done.stderr.decode())

    def test_where_it_goes(self):
        """The endpoint is found out, too, unless an option says it."""
        developer = [{"role": "developer", "content": "d"}, Q]
        for model, options, code in (("gpt-5", (), None), ("qwen3-32b", (), "chat_developer_role"),
                                     ("qwen3-32b", ("--target", "openai"), None),
                                     ("gpt-5", ("--target", "compatible:qwen3-32b"), "chat_developer_role")):
            path = self.file(line({"model": model, "messages": developer}))
            found = json.loads(self.ask("validate", "--json", *options, path).stdout)
            with self.subTest(model=model, options=options):
                self.assertEqual(found["provider"], "openai-chat")
                self.assertEqual([v["code"] for v in found["violations"]], [code] if code else [])
        mood = [{**Q, "mood": "calm"}]
        for model, valid in (("claude-opus-5", False), ("us.anthropic.claude-opus-5", False)):
            found = self.ask("validate", "--json", self.file(line({"model": model, "messages": mood})))
            self.assertEqual(json.loads(found.stdout)["valid"], valid)

    def test_nothing_is_taken_away_on_a_guess(self):
        for history in TAKEN.values():
            content = line(history)
            path = self.file(content)
            for options in ((), ("-i",), ("-o", os.path.join(self.folder, "out"))):
                done = self.ask("repair", *options, path)
                with self.subTest(options=options, history=history):
                    self.assertStatus(done, ERRORS)
                    self.assertEqual((done.stdout, self.content("chat.json"), os.listdir(self.folder)),
                                     (b"", content, ["chat.json"]))
                    self.assertIn("say --provider to repair it", self.errors(done)[-1])
                    self.assertIn("dropped", done.stderr.decode())
            for options in (("--provider", "anthropic"), ("--dialect", "anthropic")):
                done = self.ask("repair", *options, path)
                self.assertStatus(done, OK)
                self.assertNotEqual(done.stdout, content)
            done = self.ask("repair", self.file(line({"system": "s", "messages": history})))
            self.assertStatus(done, OK)
        done = self.ask("repair", self.file(LONE))  # only rewritten: nothing is lost
        self.assertStatus(done, OK)
        self.assertNotEqual(done.stdout, LONE)

    def test_a_guess_in_a_file_of_lines(self):
        content = line(TAKEN["drop"]) + line(PLAIN) + LONE
        done = self.ask("repair", self.file(content))
        self.assertStatus(done, ERRORS)
        self.assertEqual(done.stdout.splitlines()[:2], content.splitlines()[:2])
        self.assertNotEqual(done.stdout.splitlines()[2], content.splitlines()[2])
        self.assertIn("say --provider to repair it", self.errors(done)[-1])

    def test_an_unsafe_answer_names_the_flag(self):
        mute = {"model": "gpt-4o-mini", "messages": [Q, {**CALL, "tool_calls": [
            {"id": "c", "type": "function", "function": "f(1)"}]}, {"role": "tool", "tool_call_id": "c", "content": "x"}]}
        path = self.file(line(mute))
        done = self.ask("repair", path)
        self.assertStatus(done, ERRORS)
        self.assertEqual(self.errors(done)[-1], "%s: note: read as openai-chat (tool_calls); if it is another provider's, "
                         "say --provider" % path)
        self.assertNotIn("say --provider", self.ask("repair", "--provider", "openai-chat", path).stderr.decode())

    def test_undecided_lines_follow(self):
        plain, chat = line({"messages": PLAIN}), line(CHAT)
        claude = line({"model": "claude-opus-5", "messages": PLAIN})
        for content, providers in (
                (plain * 3 + chat + plain, ["openai-chat"] * 5),
                (plain * 300 + chat + plain * 300, ["openai-chat"] * 601),  # more than a round
                (plain + claude + plain + chat + plain, ["anthropic"] * 3 + ["openai-chat"] * 2),
                (plain * 300, ["anthropic"] * 300),
                (plain + b"{broken\n" + chat, ["openai-chat", None, "openai-chat"])):
            path = self.file(content, "chat.jsonl")
            done = self.ask("validate", "--json", path)
            found = [json.loads(row) for row in done.stdout.splitlines()]
            self.assertEqual([row.get("provider") or (None if "error" in row else "anthropic") for row in found], providers)
        self.assertEqual(len([e for e in self.errors(done) if e.startswith("reading ")]), 1)
        done = self.ask("validate", self.file(plain * 3 + chat, "chat.jsonl"))
        self.assertIn("note: 3 documents don't tell whose they are: read as openai-chat (--provider says it)",
                      done.stderr.decode())
        self.assertNotIn("nothing tells", done.stderr.decode())

    def test_lines_follow_none_that_names_its_list_otherwise(self):
        content = line({"model": "gpt-5", "input": [Q]}) + line({"messages": PLAIN}) + line(PLAIN)
        done = self.ask("validate", "--json", self.file(content, "chat.jsonl"))
        found = [json.loads(row).get("provider", "anthropic") for row in done.stdout.splitlines()]
        self.assertEqual(found, ["openai-responses", "anthropic", "openai-responses"])

    def test_stdin_has_a_name(self):
        done = self.ask("validate", "-", stdin=line(PLAIN))
        self.assertEqual(self.errors(done)[0], "reading stdin as anthropic: %s; --provider says it" % GUESS)
        self.assertTrue(self.errors(done)[-1].startswith("stdin: valid"))


@unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
class DetectedWithDaemon(Detected):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def ask(self, command, *args, **options):
        return run(command, "--socket", self.daemon.socket, *args, **options)

    def test_the_method_says_the_same(self):
        """Of the histories of every format, alone and in a body."""
        r, reads = random.Random(3), 0
        for n in range(60):
            messages, _ = format_draws.draw(r)
            document = [messages, {"messages": messages, "model": r.choice(["gpt-5", "claude-opus-5", "x"])}][n % 2]
            params = {"messages": document} if n % 2 == 0 else {"request": document}
            said = json.loads(run("call", "--socket", self.daemon.socket, "detect", json.dumps(params)).stdout)
            path = self.file(line(document))
            told = self.errors(self.ask("validate", path))[0]
            with self.subTest(document=json.dumps(document), said=said):
                if told.startswith("reading "):
                    reads += 1
                    self.assertTrue(told.startswith("reading %s as %s: %s" % (path, said["dialect"], said["because"])), told)
                elif "this looks like" in told:
                    self.assertIn("(%s" % said["because"], told)
        self.assertGreater(reads, 10)


if __name__ == "__main__":
    unittest.main()
