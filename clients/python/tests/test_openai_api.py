# SPDX-License-Identifier: Apache-2.0
"""The local provider on OpenAI's paths: it refuses what the catalogue knows that live servers refuse,
in their words, and answers the rest as OpenAI's SDKs read it."""

import http.client
import json
import unittest

import openai_api
from messages_api import MessagesApi
from openai_api import catalogue_rows, model_openai

CHAT, RESPONSES = "/v1/chat/completions", "/v1/responses"
PATHS = {"openai-chat": "/chat/completions", "openai-responses": "/responses"}
QUESTION = {"role": "user", "content": "How is the road?"}
TOOL = {
    "type": "function",
    "name": "look",
    "parameters": {
        "type": "object",
        "properties": {"where": {"type": "string"}},
        "required": ["where"],
    },
}


class Provider(unittest.TestCase):
    def setUp(self):
        self.api = MessagesApi()
        self.addCleanup(self.api.__exit__)

    def post(self, path, body):
        """(status, the answer's bytes)"""
        connection = http.client.HTTPConnection(self.api.url[len("http://") :], timeout=60)
        self.addCleanup(connection.close)
        connection.request("POST", path, json.dumps(body).encode())
        answer = connection.getresponse()
        return answer.status, answer.read()

    def answer(self, path, body):
        status, data = self.post(path, body)
        self.assertEqual(status, 200, data)
        return json.loads(data)

    def refusal(self, path, body):
        status, data = self.post(path, body)
        self.assertEqual(status, 400, data)
        error = json.loads(data)["error"]
        self.assertEqual(error["type"], "invalid_request_error")
        return error["message"]

    def stream(self, path, body):
        """The data of each frame of a stream, decoded; the sign at the end of Chat's as text."""
        status, data = self.post(path, dict(body, stream=True))
        self.assertEqual(status, 200, data)
        lines = [
            line[len("data: ") :] for line in data.decode().split("\n") if line.startswith("data: ")
        ]
        return [line if line == "[DONE]" else json.loads(line) for line in lines]


class Refusals(Provider):
    """One verdict for each example of the catalogue with evidence from a live server."""

    def check(self, row):
        example, name = row["example"], model_openai.LISTS[row["provider"]]
        target = example.get("target") or {}
        body = example.get("request") or {name: example["messages"]}
        head = "/v1"
        if target.get("endpoint") == "compatible":
            head = "/compatible/%s" % "/".join([*filter(None, [target.get("server")]), "v1"])
        body = dict({"model": target.get("model", "gpt-5")}, **body)
        text = row["provider_error"].partition("{")[0].split("...")[0]
        self.assertIn(text, self.refusal(head + PATHS[row["provider"]], body))


def add_example(row):
    def verdict(self):
        self.check(row)

    setattr(Refusals, "test_" + row["code"], verdict)


def is_played(row):
    return (
        row["provider"] in PATHS
        and row["example"]
        and row["severity"] == "error"
        and row["evidence"] in openai_api.SEEN_LIVE
        and row["provider_error"]
    )


for _row in filter(is_played, catalogue_rows.ROWS):
    add_example(_row)


class Words(Provider):
    def test_the_text_names_the_call(self):
        call = {"id": "call_9", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        messages = [QUESTION, {"role": "assistant", "content": "hm", "tool_calls": [call]}]
        text = self.refusal(CHAT, {"model": "gpt-5", "messages": messages})
        self.assertTrue(text.endswith("did not have response messages: call_9"), text)

    def test_the_text_names_the_output(self):
        output = {"type": "function_call_output", "call_id": "call_9", "output": "x"}
        text = self.refusal(RESPONSES, {"model": "gpt-5", "input": [QUESTION, output]})
        self.assertEqual(text, "No tool call found for function call output with call_id call_9.")

    def test_azure_and_copies_have_rules_of_their_own(self):
        body = {"model": "m", "messages": [{"role": "developer", "content": "s"}, QUESTION]}
        self.answer(CHAT, body)
        self.answer("/openai/deployments/mine/chat/completions?api-version=2026-01-01", body)
        self.answer("/openai/v1/chat/completions", body)
        self.answer("/compatible/openrouter/v1/chat/completions", body)
        self.assertIn("developer", self.refusal("/compatible/deepseek/v1/chat/completions", body))

    def test_what_is_no_history(self):
        for path in (CHAT, RESPONSES):
            for body in (
                [],
                {"model": "m", "messages": 5, "input": 5},
                {"messages": [], "input": "q"},
            ):
                self.refusal(path, body)
        self.refusal(CHAT, {"model": "m", "messages": [5]})


class Answers(Provider):
    def test_a_tool_loop(self):
        first = {
            "model": "gpt-5",
            "messages": [QUESTION],
            "tools": [{"type": "function", "function": TOOL}],
        }
        choice = self.answer(CHAT, first)["choices"][0]
        self.assertEqual(choice["finish_reason"], "tool_calls")
        call = choice["message"]["tool_calls"][0]
        self.assertEqual(json.loads(call["function"]["arguments"]), {"where": "x"})
        result = {"role": "tool", "tool_call_id": call["id"], "content": "open"}
        body = dict(first, messages=[QUESTION, choice["message"], result])
        self.assertEqual(self.answer(CHAT, body)["choices"][0]["finish_reason"], "stop")

    def test_a_tool_loop_of_items(self):
        first = {"model": "gpt-5", "input": "How is the road?", "tools": [TOOL]}
        call = self.answer(RESPONSES, first)["output"][0]
        self.assertEqual((call["type"], call["name"]), ("function_call", "look"))
        output = {"type": "function_call_output", "call_id": call["call_id"], "output": "open"}
        answer = self.answer(RESPONSES, dict(first, input=[QUESTION, call, output]))
        self.assertEqual(answer["output"][0]["content"][0]["type"], "output_text")

    def test_items_come_back_with_their_reasoning(self):
        self.api.turns.append({"reasoning": "hm", "text": "a"})
        reasoning, message = self.answer(RESPONSES, {"model": "m", "input": "q"})["output"]
        body = {"model": "m", "input": [QUESTION, message, QUESTION]}
        self.assertIn("without its required 'reasoning' item", self.refusal(RESPONSES, body))
        self.answer(RESPONSES, dict(body, input=[QUESTION, reasoning, message, QUESTION]))

    def test_a_stream_says_what_the_whole_says(self):
        turn = {"text": "The pass is open.", "calls": [["look", {"where": "north"}]]}
        self.api.turns += [turn, turn]
        whole = self.answer(CHAT, {"model": "m", "messages": [QUESTION]})["choices"][0]["message"]
        chunks = self.stream(CHAT, {"model": "m", "messages": [QUESTION]})
        self.assertEqual(chunks.pop(), "[DONE]")
        deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
        self.assertEqual("".join(delta.get("content") or "" for delta in deltas), whole["content"])
        calls = [delta["tool_calls"][0]["function"] for delta in deltas if delta.get("tool_calls")]
        function = whole["tool_calls"][0]["function"]
        self.assertEqual("".join(call["arguments"] for call in calls), function["arguments"])
        self.assertEqual(calls[0]["name"], function["name"])

    def test_a_stream_of_items_says_what_the_whole_says(self):
        self.api.turns.append(
            {"reasoning": "hm", "text": "Open.", "calls": [["look", {"where": "x"}]]}
        )
        events = self.stream(RESPONSES, {"model": "m", "input": "q"})
        self.assertEqual([event["sequence_number"] for event in events], list(range(len(events))))
        done = [event["item"] for event in events if event["type"] == "response.output_item.done"]
        self.assertEqual([item["type"] for item in done], ["reasoning", "message", "function_call"])
        self.assertEqual(events[-1]["response"]["output"], done)
        texts = [
            event["delta"] for event in events if event["type"] == "response.output_text.delta"
        ]
        self.assertEqual("".join(texts), "Open.")

    def test_a_stream_that_breaks_off(self):
        self.api.turns.append({"text": "Open.", "ends": "cut"})
        chunks = self.stream(CHAT, {"model": "m", "messages": [QUESTION]})
        self.assertNotIn("[DONE]", chunks)
        self.assertTrue(chunks)


if __name__ == "__main__":
    unittest.main()
