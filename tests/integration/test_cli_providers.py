#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Histories of several providers: which one's rules apply, what is said of it, and files that mix them.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import sys
import unittest

from cli import ANSWER, CLEAN, ERRORS, FAILED, HAS_DAEMON, OK, ORPHAN_CALL, QUESTION, TOP, Case, line, run

sys.path[:0] = [os.path.join(TOP, "tests")]
from daemon import Daemon  # noqa: E402

CHAT_CALL = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
CHAT_ANSWER = {"role": "tool", "tool_call_id": "call_1", "content": "b"}
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]
CHAT = [QUESTION, CHAT_CALL, CHAT_ANSWER]
CHAT_OPEN = [QUESTION, CHAT_CALL, QUESTION]
ITEM_CALL = {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"}
ITEM_ANSWER = {"type": "function_call_output", "call_id": "call_1", "output": "b"}
ITEMS = [QUESTION, ITEM_CALL, ITEM_ANSWER]
ITEMS_OPEN = [QUESTION, ITEM_CALL, QUESTION]
TEXTS = [QUESTION, {"role": "assistant", "content": "Nothing."}, QUESTION]
UNANSWERED = {"openai-chat": "chat_tool_calls_unanswered", "openai-responses": "resp_call_without_output"}


def words(done):
    """The formats that were found out, without what shows them."""
    return [text.split(" as ")[1].split(":")[0] for text in done.stderr.decode().splitlines() if text.startswith("reading ")]


class Providers(Case):
    def ask(self, *args, **options):
        return run(*args, **options)

    def test_the_provider_is_found_out(self):
        for document, provider, place in [
                (CHAT_OPEN, "openai-chat", "/messages/1/tool_calls/0"),
                ({"model": "gpt-5", "messages": CHAT_OPEN, "tools": TOOLS}, "openai-chat", "/messages/1/tool_calls/0"),
                (ITEMS_OPEN, "openai-responses", "/input/1"),
                ({"model": "gpt-5", "input": ITEMS_OPEN}, "openai-responses", "/input/1")]:
            path = self.file(line(document))
            done = self.ask("validate", path)
            self.assertStatus(done, ERRORS)
            self.assertEqual(words(done), [provider])
            self.assertTrue(done.stdout.startswith(("%s:%s: error: " % (path, place)).encode()), done.stdout)
            self.assertIn(b"[%s]\n" % UNANSWERED[provider].encode(), done.stdout)
            self.assertEqual(self.ask("validate", "--provider", provider, path).stdout, done.stdout)
            self.assertEqual(words(self.ask("validate", "--provider", provider, path)), [])
            found = json.loads(self.ask("validate", "--json", path).stdout)
            self.assertEqual((found["provider"], found["valid"]), (provider, False))

    def test_repair_keeps_the_form_of_the_document(self):
        for document, name, open_at, answer in [
                (CHAT_OPEN, None, 1, "tool"), ({"model": "gpt-5", "messages": CHAT_OPEN, "x": 1.0}, "messages", 1, "tool"),
                (ITEMS_OPEN, None, 1, "function_call_output"),
                ({"model": "gpt-5", "input": ITEMS_OPEN, "x": 1.0}, "input", 1, "function_call_output")]:
            done = self.ask("repair", self.file(line(document)))
            self.assertStatus(done, OK)
            made = json.loads(done.stdout)
            listed = made[name] if name else made
            was = document[name] if name else document
            if name:
                self.assertEqual({**made, name: None}, {**document, name: None})
            self.assertEqual(listed[:open_at + 1], was[:open_at + 1])
            self.assertIn(answer, (listed[open_at + 1].get("role"), listed[open_at + 1].get("type")))
            self.assertEqual(listed[open_at + 2:], was[open_at + 1:])
            self.assertEqual(self.ask("repair", "--check", self.file(done.stdout)).returncode, OK)
            found = json.loads(self.ask("repair", "--json", self.file(line(document))).stdout)
            self.assertEqual(list(found)[0], "provider")

    def test_without_a_sign_it_is_the_default_one(self):
        path = self.file(line(TEXTS))
        self.assertEqual(words(self.ask("validate", path)), ["anthropic"])
        self.assertNotIn("provider", json.loads(self.ask("validate", "--json", path).stdout))
        for provider in UNANSWERED:
            done = self.ask("validate", "--json", "--provider", provider, path)
            self.assertStatus(done, OK)
            self.assertEqual(json.loads(done.stdout)["provider"], provider)

    def test_tools_show_the_provider_of_a_list_without_a_sign(self):
        path = self.file(line({"messages": TEXTS, "tools": TOOLS}))
        done = self.ask("validate", path)
        self.assertStatus(done, OK)
        self.assertEqual(words(done), ["openai-chat"])
        self.assertIn(b" as openai-chat: member tools[0].function\n", done.stderr)
        for tools in ([], [{"name": "f", "input_schema": {"type": "object"}}], [{"type": "function", "name": "f"}],
                      [{"function": "f"}], "function", None):
            path = self.file(line({"messages": TEXTS, "tools": tools}))
            self.assertEqual(words(self.ask("validate", path)), ["anthropic"], tools)
        path = self.file(line({"messages": TEXTS, "tools": TOOLS}))
        self.assertEqual(words(self.ask("validate", "--provider", "anthropic", path)), [])

    def test_a_provider_that_is_asked_for_reads_its_own_formats(self):
        done = self.ask("validate", "--provider", "anthropic", self.file(line(CHAT)))
        self.assertStatus(done, FAILED)
        self.assertIn(b"this looks like OpenAI Chat Completions (tool_calls at /messages/1); anthropic reads anthropic, "
                      b"fantasy and ai-sdk\n", done.stderr)
        done = self.ask("validate", "--provider", "openai-chat", self.file(line(ITEMS)))
        self.assertStatus(done, FAILED)
        self.assertIn(b"this looks like OpenAI Responses items", done.stderr)
        done = self.ask("validate", "--provider", "anthropic", self.file(line({"input": ITEMS})))
        self.assertStatus(done, FAILED)
        self.assertNotIn(b"reading", done.stderr)

    def test_lists_under_the_name_of_another_format(self):
        done = self.ask("validate", self.file(line({"messages": ITEMS})))
        self.assertStatus(done, FAILED)
        self.assertIn(b'this looks like OpenAI Responses items (type: function_call at /messages/1), whose list in a body has '
                      b'the name "input"\n', done.stderr)
        # a data set of questions is no request
        for document in ({"input": "2 + 2", "output": "4"}, {"input": {"a": 1}}, {"type": "tool_use", "input": {}}):
            done = self.ask("validate", self.file(line(document)))
            self.assertStatus(done, FAILED)
            self.assertIn(b'which has "messages", "input" or "contents", but an object with', done.stderr)
        done = self.ask("validate", self.file(line({"model": "gpt-5", "input": "2 + 2"})))
        self.assertStatus(done, OK)
        self.assertEqual(words(done), ["openai-responses"])

    def test_a_request_that_continues_a_response(self):
        body = line({"model": "gpt-5", "previous_response_id": "resp_1", "input": [ITEM_ANSWER]})
        self.assertStatus(self.ask("validate", self.file(body)), OK)
        alone = line({"model": "gpt-5", "previous_response_id": "resp_1"})
        path = self.file(alone)
        self.assertStatus(self.ask("validate", "--provider", "openai-responses", path), OK)
        self.assertEqual(self.ask("repair", "--provider", "openai-responses", path).stdout, alone)
        self.assertStatus(self.ask("validate", path), FAILED)
        self.assertStatus(self.ask("validate", "--provider", "openai-chat", path), FAILED)

    def test_the_view_of_a_repair(self):
        for document, shown in [
                (CHAT_OPEN, ["~ /messages/1/tool_calls/0 function f (call_1): result inserted [%s]"
                             % UNANSWERED["openai-chat"], '+ /messages/2/content (call_1) "Not executed."']),
                (ITEMS_OPEN, ["~ /input/1 function_call f (call_1): result inserted [%s]" % UNANSWERED["openai-responses"],
                              '+ /input/2 function_call_output (call_1) "Not executed."'])]:
            errors = self.ask("repair", self.file(line(document))).stderr.decode()
            self.assertIn("\n" + "\n".join(shown) + "\n", errors)

    def test_one_file_may_mix_them(self):
        lines = [CLEAN, {"messages": CHAT, "tools": TOOLS}, {"messages": CHAT_OPEN, "tools": TOOLS}, ITEMS_OPEN, ORPHAN_CALL,
                 {"input": ITEMS}, TEXTS, {"messages": [{"lc": 1, "kwargs": {}}]}]
        path = self.file(b"".join(map(line, lines)))
        done = self.ask("validate", path)
        self.assertStatus(done, FAILED)
        self.assertEqual(words(done), ["openai-chat", "openai-responses", "anthropic"])
        self.assertNotIn(b"nothing tells", done.stderr)
        places = [text.split(": ")[0][len(path):] for text in done.stdout.decode().splitlines()]
        self.assertEqual(places, [":3:/messages/1/tool_calls/0", ":4:/input/1", ":5:/messages/1/content/1"])
        self.assertIn("%s:8: this looks like LangChain messages" % path, done.stderr.decode())
        self.assertIn("%s: note: 2 documents don't tell whose they are: read as the line before that does "
                      "(--provider says it)\n" % path, done.stderr.decode())
        rows = [json.loads(row) for row in self.ask("validate", "--json", path).stdout.splitlines()]
        self.assertEqual([(row["provider"], row["valid"]) for row in rows], [
            ("openai-chat", True), ("openai-chat", True), ("openai-chat", False), ("openai-responses", False),
            ("anthropic", False), ("openai-responses", True), ("openai-responses", True), (None, None)])
        repaired = self.ask("repair", path).stdout.splitlines(keepends=True)
        self.assertEqual([was == row for was, row in zip(map(line, lines), repaired)],
                         [True, True, False, False, False, True, True, True])

    def test_an_option_that_one_provider_refuses(self):
        """It is the document's fault where the document chose the provider; the others are judged."""
        path = self.file(b"".join(map(line, (ORPHAN_CALL, CHAT, CHAT_OPEN, ORPHAN_CALL))))
        for option in (("--betas", "a"), ("--target", "bedrock")):
            done = self.ask("validate", *option, path)
            self.assertStatus(done, FAILED)
            self.assertEqual([text.split(b": ")[0] for text in done.stdout.splitlines()],
                             [b"%s:%d:/messages/1/content/1" % (path.encode(), n) for n in (1, 4)])
            self.assertIn("%s:2: error: %s" % (path, option[0]), done.stderr.decode())
            self.assertIn("%s: note: 1 more line is like line 2\n" % path, done.stderr.decode())
            done = self.ask("validate", "--provider", "openai-chat", *option, path)
            self.assertStatus(done, FAILED)
            self.assertEqual(done.stdout, b"")
            self.assertIn("turnkeeper: %s" % option[0], done.stderr.decode())

    def test_targets_and_policies(self):
        chat = [{"role": "developer", "content": "a"}, QUESTION]
        path = self.file(line(chat + CHAT[1:]))
        self.assertStatus(self.ask("validate", path), OK)
        self.assertStatus(self.ask("validate", "--target", "azure", path), OK)
        done = self.ask("validate", "--target", "compatible:qwen", path)
        self.assertIn(b"[chat_developer_role]", done.stdout)
        items = [QUESTION, {"type": "reasoning", "id": "rs_1", "summary": []}, {**ITEM_CALL, "id": "fc_1"}, ITEM_ANSWER]
        path = self.file(line({"model": "gpt-5", "input": items}))
        done = self.ask("repair", "--policy", '{"item_ids": "strip"}', path)
        self.assertStatus(done, OK)
        self.assertNotIn(b'"id"', done.stdout)
        self.assertEqual(json.loads(self.ask("repair", path).stdout)["input"], items)

    def test_servers(self):
        path = self.file(line(CHAT))
        for options in ([], ["--target", "compatible"], ["--target", "compatible:m"], ["--target", "compatible", "--model", "m"]):
            self.assertStatus(self.ask("validate", "--provider", "openai-chat", "--server", "groq", *options, path), OK)
        for options, blamed in ((["--target", "openai"], "--server"), (["--target", '{"endpoint":"compatible"}'], "--server goes with")):
            done = self.ask("validate", "--provider", "openai-chat", "--server", "groq", *options, path)
            self.assertStatus(done, FAILED)
            self.assertIn(blamed, done.stderr.decode())
        done = self.ask("validate", "--provider", "openai-chat", "--server", "acme", path)
        self.assertStatus(done, FAILED)
        self.assertRegex(done.stderr.decode(), "--server: .*deepseek.*groq")

    def test_other_commands_serve_anthropic(self):
        body = self.file(line({"model": "gpt-5", "max_tokens": 1, "messages": CHAT}))
        for command in (("prepare",), ("splice", "--assistant", json.dumps(ANSWER))):
            done = self.ask(*command, body)
            self.assertStatus(done, FAILED)
            self.assertEqual(done.stdout, b"")
            self.assertIn(b"this looks like OpenAI Chat Completions", done.stderr)


@unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
class ProvidersWithDaemon(Providers):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def ask(self, command, *args, **options):
        return run(command, "--socket", self.daemon.socket, *args, **options)

    def test_call(self):
        params = json.dumps({"content": [CHAT_CALL, CHAT_ANSWER]})
        done = self.ask("call", "--provider", "openai-chat", "repair_turn", params)
        self.assertStatus(done, OK)
        self.assertEqual(json.loads(done.stdout)["changed"], False)


if __name__ == "__main__":
    unittest.main()
