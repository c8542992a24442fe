#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Histories in other formats: the dialects that are read as such, and what is said of all others.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import re
import sys
import unittest

from cli import FAILED, HAS_DAEMON, OK, ORPHAN_CALL, TOP, Case, body, line, option_values, run

sys.path[:0] = [os.path.join(TOP, "tests")]
from daemon import Daemon  # noqa: E402

DIALECTS = option_values("validate")["--dialect"]
READS = "; this release reads %s and %s" % (", ".join(DIALECTS[:-1]), DIALECTS[-1])
ADVICE = {
    "a Claude Code transcript": "; sessions of agents aren't read yet: repair the messages that the agent sends (a list of "
                                "them inside of a document: --at POINTER)",
    "UI messages of the Vercel AI SDK": "; mendUIMessages() of the npm package turnkeeper mends these",
}
HELLO = {"role": "user", "content": "hello"}


def part(**members):
    return [HELLO, {"role": "assistant", "content": [members]}]


def message(**members):
    return [HELLO, members]


# Rows of the table in RULES.md section 8 with the words for them: the history, the format, the sign, its place.
FOREIGN = [
    (message(message={"role": "user", "content": "a"}, uuid="u", type="user"), "a Claude Code transcript", "message", "1"),
    (message(lc=1, type="constructor", kwargs={"content": "a"}), "LangChain messages", "lc", "1"),
    (message(type="human", data={"content": "a"}), "LangChain messages", "type: human", "1"),
    (message(kind="request", parts=[{"content": "a"}]), "Pydantic AI messages", "kind: request", "1"),
    (message(**{"from": "human", "value": "a"}), "a ShareGPT conversation", "from", "1"),
    (message(role="user", blocks=[{"block_type": "text", "text": "a"}]), "LlamaIndex messages", "blocks", "1"),
    (part(type="text", text={"value": "a"}), "messages of an OpenAI Assistants thread", "text", "1/content/0"),
    (message(role="user", parts=[{"type": "text", "text": "a"}]), "UI messages of the Vercel AI SDK", "parts", "1"),
    (message(role="user", content="", toolInvocations=[{}]), "UI messages of the Vercel AI SDK", "toolInvocations", "1"),
]
OURS = [
    (message(role="assistant", content=None, tool_calls=[{"id": "a"}]), "openai-chat"),
    (message(role="assistant", content=None, function_call={}), "openai-chat"),
    (message(role="tool", tool_call_id="a", content="b"), "openai-chat"),
    (message(role="function", name="a", content="b"), "openai-chat"),
    (part(type="image_url", image_url={"url": "a"}), "openai-chat"),
    (message(type="function_call_output", call_id="a", output="b"), "openai-responses"),
    (part(type="output_text", text="a"), "openai-responses"),
    (part(type="tool-call", toolCallId="a", toolName="f", input={}), "ai-sdk"),
    (message(role="user", content="a", providerOptions={}), "ai-sdk"),
    (part(type="text", data={"text": "a"}), "fantasy"),
    (part(type="tool_use", id="a", name="f", input={}), "anthropic"),
    (part(toolUse={"name": "a"}), "bedrock"),
    (part(text="a"), "bedrock"),
]


class Dialects(Case):
    def arguments(self):
        return ()

    def ask(self, *args, **options):
        return run(*args, *self.arguments(), **options)

    def test_other_formats_are_refused(self):
        for history, title, sign, place in FOREIGN:
            for content in (line(history), body(history)):
                path = self.file(content)
                for command in (("validate",), ("repair",), ("repair", "-i"), ("repair", "--no-guard"),
                                ("repair", "--diff")):
                    done = self.ask(*command, path)
                    with self.subTest(title=title, sign=sign, command=command):
                        self.assertStatus(done, FAILED)
                        self.assertEqual(done.stdout, b"")
                        self.assertEqual(done.stderr.decode(), "%s: this looks like %s (%s at /messages/%s)%s%s\n"
                                         % (path, title, sign, place, READS, ADVICE.get(title, "")))
                        self.assertEqual((os.listdir(self.folder), self.content("chat.json")), (["chat.json"], content))

    def test_no_dialect_that_is_asked_for_loses_anything(self):
        for history, own in [row[:2] for row in FOREIGN] + OURS:
            path = self.file(line(history))
            # OpenAI's shapes take words of others in: their rules mend them (RULES.md 8)
            for dialect in {"anthropic", "fantasy", "ai-sdk"} - {own}:
                for guard in ((), ("--no-guard",)):
                    done = self.ask("repair", "-q", "-i", "--dialect", dialect, *guard, path)
                    with self.subTest(own=own, dialect=dialect):
                        self.assertStatus(done, FAILED)
                        self.assertIn(b"[dialect_mismatch]", done.stderr)
                        self.assertEqual((os.listdir(self.folder), self.content("chat.json")),
                                         (["chat.json"], line(history)))

    def test_ours_are_read_as_such(self):
        for history, dialect in OURS:
            path = self.file(line(history))
            for command in ("validate", "repair"):
                asked, found = self.ask(command, "--dialect", dialect, path), self.ask(command, path)
                self.assertEqual((found.returncode, found.stdout), (asked.returncode, asked.stdout))
                told, rest = found.stderr.split(b"\n", 1)
                because = re.fullmatch(b"reading %b as %b: ([^:]+(: [^:]+)?)" % (path.encode(), dialect.encode()), told)
                self.assertIn(because.group(1).split(b": ")[0].decode(), json.dumps(history))
                self.assertEqual(rest, asked.stderr)
                self.assertNotIn(b"reading", self.ask(command, "-q", path).stderr)

    def test_where_nothing_tells_it_is_a_guess(self):
        path = self.file(line([HELLO, {"role": "assistant", "content": "hi"}]))
        told = b"reading %b as anthropic: nothing tells whose it is; --provider says it\n" % path.encode()
        done = self.ask("validate", "--json", path)
        self.assertStatus(done, OK)
        self.assertTrue(done.stderr.startswith(told))
        for options in (("-q",), ("--provider", "anthropic"), ("--dialect", "anthropic")):
            self.assertNotIn(b"reading", self.ask("validate", *options, path).stderr)

    def test_no_role_at_all(self):
        done = self.ask("repair", self.file(line([{"sender": "human", "text": "a"}])))
        self.assertStatus(done, FAILED)
        self.assertIn(b"no message has a role", done.stderr)
        self.assertIn(b"; found sender,text [dialect_mismatch]", done.stderr)

    def test_lines_are_told_once(self):
        foreign = {title: history for history, title, _, _ in FOREIGN}
        ours = {dialect: history for history, dialect in OURS}
        content = (line(foreign["a ShareGPT conversation"]) * 50 + line(ours["ai-sdk"]) * 50 + line(ours["fantasy"]) * 50
                   + line(foreign["Pydantic AI messages"]) + line(ORPHAN_CALL))
        path = self.file(content)
        done = self.ask("repair", path)
        self.assertStatus(done, FAILED)
        rows = done.stderr.decode().splitlines()
        self.assertEqual(rows[0], "%s:1: this looks like a ShareGPT conversation (from at /messages/1)%s"
                         % (path, READS))
        for text, count in (("this looks like", 2), ("reading ", 3), ("note: 49 more lines are like line 1", 1),
                            ("as ai-sdk", 1), ("as fantasy", 1), ("as anthropic", 1)):
            self.assertEqual(sum(text in row for row in rows), count, text)
        # what isn't read is passed on
        self.assertEqual(done.stdout.split(b"\n")[:50], content.split(b"\n")[:50])
        self.assertNotIn(b"server_tool_use", done.stdout.split(b"\n")[151])
        done = self.ask("validate", "--json", path)
        self.assertEqual(json.loads(done.stdout.split(b"\n")[1])["error"]["name"], "dialect_mismatch")

    def test_a_log_of_claude_code(self):
        rows = [{"type": "summary", "summary": "s", "leafUuid": "l"},
                {"parentUuid": None, "type": "user", "uuid": "u1", "sessionId": "s",
                 "message": {"role": "user", "content": "hello"}},
                {"parentUuid": "u1", "type": "assistant", "uuid": "u2", "sessionId": "s",
                 "message": {"role": "assistant", "content": [{"type": "text", "text": "hi"}]}}]
        for content in (b"".join(map(line, rows)), line(rows), b"".join(map(line, rows * 2000)), line(rows[1]),
                        b"".join(map(line, rows)) + b'{"type": "user", "mess'):
            path = self.file(content, "session.jsonl")
            done = self.ask("repair", "-i", path)
            self.assertStatus(done, FAILED)
            if content.endswith(b"\n"):
                self.assertIn("this looks like a Claude Code transcript (message", done.stderr.decode())
            self.assertLessEqual(done.stderr.count(b"\n"), 3)
            self.assertEqual((os.listdir(self.folder), self.content("session.jsonl")), (["session.jsonl"], content))

    def test_requests_of_others(self):
        for document, says in [
                ({"history": [{"lc": 1, "kwargs": {}}]}, "LangChain messages (lc at /history/0)"),
                ({"history": [{"from": "human", "value": "a"}]}, "a ShareGPT conversation (from at /history/0)")]:
            done = self.ask("validate", self.file(line(document)))
            self.assertStatus(done, FAILED)
            self.assertIn("this looks like %s%s\n" % (says, READS), done.stderr.decode())


@unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
class DialectsWithDaemon(Dialects):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def arguments(self):
        return ("--socket", self.daemon.socket)


if __name__ == "__main__":
    unittest.main()
