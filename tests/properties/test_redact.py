#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""redact: all cases and drawn histories are judged as before, and no planted secret is left, wherever it was.

TK_REDACT_COUNT and TK_REDACT_SEED ask for more or other histories.
"""
import json
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "conformance")]

import redact_laws
import redact_secrets
import run_cases
from daemon import Daemon
from wire import Wire

# Beginnings of models' names by which a history is somebody's (RULES.md 8 (d)).
MODELS = (
    "anthropic.claude-", "eu.anthropic.claude-", "apac.anthropic.claude-", "somebody/anthropic.claude-", "somebody/", "gpt-", "chatgpt-",
    "codex-", "ft:gpt-4o:", "o3-", "O3-", "claude-", "amazon.", "us.amazon.", "meta.", "cohere.", "ai21.", "mistral.", "deepseek.", "writer.",
    "qwen.", "deepseek", "mistral", "mixtral", "ministral", "codestral", "devstral", "magistral", "pixtral", "voxtral", "open-mi",
    "kimi-", "moonshot", "gemini-", "gemma", "qwen", "QwQ", "llama", "grok-", "glm-", "minimax", "Command", "sonar", "mimo", "phi-", "nova-",
    "granite", "hermes", "yi-", "ernie", "doubao", "hunyuan", "step-", "unknown-")

COUNT = int(os.environ.get("TK_REDACT_COUNT", "1500"))
SEED = os.environ.get("TK_REDACT_SEED", "turnkeeper")


def steps():
    """(name, parameters) of all steps of all cases, of the catalogue's examples and of near misses."""
    for _, case in run_cases.runnable():
        for step in case.get("steps") or [case]:
            yield case["name"], step.get("params")
    for rule in run_cases.rules():
        yield rule["code"], rule.get("example")
    for row in run_cases.read("near", "rules"):
        yield row["code"], row


class Redact(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wire = cls.connected()

    @classmethod
    def connected(cls):
        """A connection with a daemon of its own."""
        daemon = Daemon(config='{"request_timeout": 300}')  # some cases have images of 20 MB, and sanitizers are slow
        cls.addClassCleanup(daemon.stop)
        wire = Wire(daemon.socket)
        cls.addClassCleanup(wire.close)
        return wire

    def redact(self, wire=None, **params):
        answer = (wire or self.wire).ask("redact", json.dumps(params))
        self.assertIsNone(answer.error)
        (result,) = answer.result.values()
        return result


class Verdicts(Redact):
    def test_every_case_is_judged_the_same(self):
        asked = 0
        for name, params in steps():
            for question in redact_laws.question_of_case(params):
                asked += 1
                self.assertIsNone(redact_laws.is_judged_the_same(self.wire, question), name)
        self.assertGreater(asked, 3000)

    def test_drawn_histories_are_judged_the_same(self):
        for number in range(COUNT):
            question = redact_laws.drawn(SEED, number)
            if question:
                self.assertIsNone(redact_laws.is_judged_the_same(self.wire, question), number)


class Secrets(Redact):
    """No string that a person wrote is left."""

    def documents(self):
        """Some requests and histories of all providers and dialects."""
        seen = set()
        for name, params in steps():
            for question in redact_laws.question_of_case(params):
                kind = (question.source, json.dumps(sorted(question.facts.items(), key=str)), name.split("-")[0])
                if kind not in seen and len(question.text) < 3000 and "[" * 9 not in question.text:
                    seen.add(kind)
                    try:
                        yield question.source, json.loads(question.text)
                    except ValueError:
                        pass  # its point is its bytes

    def law(self, source, document):
        hidden = self.redact(**{source: document})
        self.assertEqual(redact_secrets.found(hidden), [], json.dumps({"sent": document, "got": hidden}))

    def test_the_search_finds_them(self):
        for form in redact_secrets.FORMS:
            self.assertNotEqual(redact_secrets.found([{"a": form}]), [], form)
        for data in redact_secrets.MEDIA.values():
            self.assertNotEqual(redact_secrets.found([redact_secrets.encoded(data)]), [])

    def test_at_every_place(self):
        count = 0
        for source, document in self.documents():
            for path in redact_secrets.places(document):
                if path:
                    form = redact_secrets.FORMS[count % len(redact_secrets.FORMS)]
                    self.law(source, redact_secrets.planted(document, path, form))
                    count += 1
        self.assertGreater(count, 3000)

    def test_numbers_at_every_place(self):
        count = 0
        for source, document in self.documents():
            for path in redact_secrets.places(document):
                if path and not redact_secrets.NUMBERS_THAT_STAY.intersection(map(str, path)):
                    self.law(source, redact_secrets.planted(document, path, redact_secrets.NUMBER))
                    count += 1
        self.assertGreater(count, 3000)

    def test_numbers_of_schemas(self):
        for key in redact_secrets.SCHEMA_NUMBERS:
            schema = {"type": "object", "properties": {"a": {"type": "integer", key: redact_secrets.NUMBER}}, key: redact_secrets.NUMBER,
                      "items": {"anyOf": [{key: [redact_secrets.NUMBER]}]}}
            for tool in ({"name": "f", "input_schema": schema}, {"type": "function", "function": {"name": "f", "parameters": schema}},
                         {"type": "function", "name": "f", "parameters": schema}):
                self.law("request", {"tools": [tool], "messages": []})
            self.law("request", {"response_format": {"json_schema": {"name": "f", "schema": schema}}, "messages": []})

    def test_every_form(self):
        """In members that hold words, models, JSON, data, schemas and free values."""
        for form in redact_secrets.FORMS:
            for name in ("type", "role", "name", "model", "arguments", "input", "text", "id", "data", "url", "status", "x",
                         "metadata", "input_schema", "parameters", "signature", "encrypted_content", "title", "system"):
                self.law("messages", [{"role": "user", "content": [{"type": "text", name: form}]}])
                self.law("request", {name: form, "messages": []})
                self.law("request", {name: {"properties": {form: {"enum": [form], "type": form}}, form: form}, "messages": []})

    def test_in_media(self):
        for kind, data in redact_secrets.MEDIA.items():
            text = redact_secrets.encoded(data)
            for value in (text, "data:%s;base64,%s" % (kind, text)):
                document = [{"role": "user", "content": [{"type": "image", "source": {
                    "type": "base64", "media_type": kind, "data": value}}]}]
                self.law("messages", document)


class Forms(Redact):
    CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_Schmidtke1", "name": "book_travel",
                                              "input": {"city": "Wuppertal", "nights": 14, "share": -0.25, "ok": True}}]}

    def test_equal_strings_stay_equal_and_others_different(self):
        hidden = self.redact(messages=[self.CALL, {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "toolu_Schmidtke1", "content": "Wuppertal"},
            {"type": "tool_result", "tool_use_id": "toolu_Schmidtke2", "content": "wuppertal"}]}])
        call, (one, other) = hidden[0]["content"][0], hidden[1]["content"]
        self.assertEqual(call["id"], one["tool_use_id"])
        self.assertNotEqual(call["id"], other["tool_use_id"])
        self.assertRegex(call["id"], r"^toolu_[A-Z][a-z]{8}[0-9]$")
        self.assertRegex(call["name"], r"^[a-z]{4}_[a-z]{6}$")
        self.assertIn(one["content"], call["input"].values())
        self.assertNotIn(other["content"], call["input"].values())

    def test_numbers_of_inputs_have_as_many_digits(self):
        values = list(self.redact(messages=[self.CALL])[0]["content"][0]["input"].values())
        self.assertRegex(json.dumps(values[1]), r"^[1-9][0-9]$")
        self.assertRegex(json.dumps(values[2]), r"^-0\.[0-9]{1,2}$")
        self.assertIs(values[3], True)

    def test_frequencies_of_letters_show_nothing(self):
        """A text of one letter becomes one of all letters."""
        text = self.redact(messages=[{"role": "user", "content": "e" * 2000}])[0]["content"]
        counts = sorted(text.count(chr(c)) for c in range(ord("a"), ord("z") + 1))
        self.assertGreater(counts[0], 30)
        self.assertLess(counts[-1], 150)

    def test_another_process_replaces_otherwise(self):
        one, other = (self.redact(wire, messages=[self.CALL]) for wire in (self.wire, self.connected()))
        self.assertNotEqual(one, other)
        self.assertEqual(one, self.redact(messages=[self.CALL]))

    def test_words_of_the_protocol_stay(self):
        request = {"model": "claude-sonnet-4-5-20250929", "max_tokens": 1024, "tools": [
            {"type": "web_search_20250305", "name": "web_search", "max_uses": 3}], "messages": [
                {"role": "user", "content": [{"type": "text", "text": "", "cache_control": {"type": "ephemeral"}}]}]}
        self.assertEqual(self.redact(request=request), request)

    def test_a_text_that_a_rule_looks_for_stays(self):
        def redacted(text):
            return self.redact(messages=[{"role": "user", "content": [{"text": text}]}])[0]["content"][0]["text"]

        for text in ("[HIDDEN]", " \n[HIDDEN]\t"):
            self.assertEqual(redacted(text), text)
        for text in ("[REMOVE]", "[HIDDED]", "HIDDEN"):
            self.assertNotIn(redacted(text), (text, "[HIDDEN]"))
        self.assertNotIn("Wuppertal", redacted("[HIDDEN] Wuppertal"))

    def test_numbers_of_the_protocol_stay(self):
        """And no others: the table is whole, in both directions."""
        for name in redact_secrets.NUMBERS_THAT_STAY:
            self.assertEqual(self.redact(messages=[{"role": "user", name: 123456789}]), [{"role": "user", name: 123456789}])
        inside = {"type": "input_tokens", "value": 50000}
        self.assertEqual(self.redact(messages=[{"trigger": inside}]), [{"trigger": inside}])
        for name in ("text", "content", "id", "user", "value", "score", "created", "metadata", "x", "title", "timeout"):
            (hidden,) = self.redact(messages=[{"role": "user", name: 123456789}])
            self.assertNotIn(123456789, hidden.values(), name)

    def test_names_of_fine_tuned_models(self):
        """However short their parts are, and if they are words of models' names."""
        for name, kept in (("ft:gpt-4o-mini-2024-07-18:ibm:bob:x9", "ft:gpt-4o-mini-"), ("FT:gpt-4o:mini::chat", "FT:gpt-4o:"),
                           ("davinci:ft-ibm-2022", "")):
            hidden = self.redact(request={"model": name, "messages": []})["model"]
            self.assertTrue(hidden.startswith(kept), hidden)
            self.assertEqual(re.sub("[A-Za-z0-9]", "x", hidden), re.sub("[A-Za-z0-9]", "x", name))
            for part in ("ibm", "bob", "mini:", "chat"):
                self.assertNotIn(part, hidden.partition(":")[2].partition(":")[2] if kept else hidden)
        base = "gpt-4o-mini"
        self.assertEqual(self.redact(request={"model": base, "messages": []})["model"], base)

    def test_whose_it_is_stays(self):
        """By the name of its model, and by where it goes."""
        for name in MODELS:
            question = redact_laws.Question("request", json.dumps({"model": name + "hanna-2", "messages": []}), {})
            self.assertIsNone(redact_laws.is_judged_the_same(self.wire, question), name)
            self.assertNotIn("hanna", question.redacted(self.wire), name)
        for version in ("bedrock-2023-05-31", "vertex-2023-10-16"):
            request = {"anthropic_version": version, "messages": []}
            self.assertEqual(self.redact(request=request), request)
        self.assertNotIn("hanna", json.dumps(self.redact(request={"anthropic_version": "bedrock-hanna", "messages": []})))

    def test_both_codecs_replace_alike(self):
        for method in (self.wire.ask_msgpack, lambda name, params: self.wire.ask(name, json.dumps(params))):
            text = method("redact", {"messages": ["Hanna \u00fc \U0001f600"]}).result["messages"][0]
            self.assertEqual(text, self.redact(messages=["Hanna \u00fc \U0001f600"])[0])

    def test_escapes_are_replaced_where_they_are(self):
        text = '["\\u0048anna \\u00fc\\/\\ud83d\\ude00\\ud83d","Hanna \u00fc/\U0001f600\\ud83d"]'
        answer = self.wire.ask("redact", '{"messages":%s}' % text)
        raw = redact_laws.value_of(answer, "messages")
        one, other = answer.result["messages"]
        self.assertEqual((one, len(raw)), (other, len(text)))
        self.assertRegex(raw, r'^\["\\u00[45]\w[a-z]{4} \\u00\w\w\\/\\ud[89a-f]\w\w\\ud[c-f]\w\w\\ud83d",')

    def test_msgpack_values_keep_their_size(self):
        values = {"a": [1, 200, 70000, -5, -70000, 2 ** 40, 1.5, -1e300]}
        answer = self.wire.ask_msgpack("redact", {"messages": [{"role": "user", "x": values}]})
        (kept,) = [v for k, v in answer.result["messages"][0].items() if k != "role"]
        (kept,) = kept.values()
        self.assertEqual([type(v) for v in kept], [type(v) for v in values["a"]])
        self.assertEqual([v < 0 for v in kept], [v < 0 for v in values["a"]])
        self.assertTrue(all(one != other for one, other in zip(kept[2:], values["a"][2:])), kept)

    def test_the_way_to_the_history_stays(self):
        document = {"sessions": [{"owner": "Schmidtke", "type": "text"}, {"chat": [self.CALL], "role": "Wuppertal"}]}
        hidden = self.redact(document=document, at="/sessions/1/chat")
        self.assertEqual(hidden["sessions"][1]["chat"][0]["content"][0]["type"], "tool_use")
        self.assertNotIn("text", hidden["sessions"][0].values())
        self.assertEqual(redact_secrets.found(hidden), [])

    def test_bad_parameters(self):
        for params, pointer in (({}, "/params/messages"), ({"messages": {}}, "/params/messages"),
                                ({"request": []}, "/params/request"), ({"messages": [], "request": {}}, "/params/messages"),
                                ({"document": {"a": 1}, "at": "/b"}, "/params/at"), ({"messages": [], "at": 1}, "/params/at"),
                                ({"messages": [], "provider": "none"}, "/params/provider")):
            data = self.wire.ask("redact", json.dumps(params)).error["data"]
            self.assertEqual((data["name"], data["pointer"]), ("invalid_params", pointer), params)


if __name__ == "__main__":
    unittest.main()
