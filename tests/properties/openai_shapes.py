# SPDX-License-Identifier: Apache-2.0
"""Conversations with OpenAI's APIs that have n faults of one kind: what would show a step that looks at everything
once more for each fault.

    Shape.text(n, more): the parameters of a method, as JSON text

Of each code of the catalogue its example n times over, once with ids of their own and once with the same ids in all;
then hand-made ones, where n things share a message, a batch, an id or a run.
"""
import json

import catalogue_rows
import model_openai

ID_MEMBERS = ("id", "call_id", "tool_call_id", "tool_use_id", "approval_request_id")
PRESERVE = "preserve"
MISTRAL = {"endpoint": "compatible", "model": "mistral-large"}
GEMMA = {"endpoint": "compatible", "model": "gemma-3"}
DEEPSEEK = {"endpoint": "compatible", "model": "deepseek-v4"}


class Shape:
    """A list that grows with n, and what the parameters have besides."""

    def __init__(self, name, provider, grow, params=None, body=None):
        self.name, self.provider, self.grow = name, provider, grow
        self.params, self.body = params or {}, body

    def text(self, n, more=None):
        params = {"provider": self.provider, "max_violations": 0, **self.params, **(more or {})}
        if self.body is not None:
            params["request"] = {**self.body, model_openai.LISTS[self.provider]: self.grow(n)}
        else:
            params["messages"] = self.grow(n)
        return json.dumps(params)


def numbered(value, i):
    """The value with ids of its own."""
    if isinstance(value, dict):
        return {k: "%s_%d" % (v, i) if k in ID_MEMBERS and isinstance(v, str) else numbered(v, i)
                for k, v in value.items()}
    return [numbered(v, i) for v in value] if isinstance(value, list) else value


def shapes_of(row):
    example = row["example"]
    name = model_openai.LISTS[row["provider"]]
    body = example.get("request")
    items = (body or {}).get(name) or example.get("messages")
    if not items:
        return
    rest = {k: v for k, v in example.items() if k == "target"}
    around = {k: v for k, v in body.items() if k != name} if body else None
    for words, copy in (("", numbered), ("_with_one_id", lambda item, i: item)):
        def grow(n, copy=copy):
            return [copy(item, i) for i in range(n // 4) for item in items]
        yield Shape(row["code"] + words, row["provider"], grow, rest, around)


# ---- Chat Completions ----

def user(text="q"):
    return {"role": "user", "content": text}


def calls(idents, **more):
    return {"role": "assistant", "content": None, "tool_calls": [
        {"id": i, "type": "function", "function": {"name": "f", "arguments": '{"n":%d}' % k}}
        for k, i in enumerate(idents)], **more}


def result(ident, content="x"):
    return {"role": "tool", "tool_call_id": ident, "content": content}


def calls_of_one_id(n):
    return [user(), calls(["c"] * n)] + [result("c", "x%d" % i) for i in range(n)]


def answers_of_one_call(n):
    return [user(), calls(["c"])] + [result("c", "x%d" % i) for i in range(n)] + [user()]


def calls_without_ids(n):
    return [user(), calls([None] * n)] + [result("r%d" % i) for i in range(n)]


def results_far_from_their_calls(n):
    return [calls(["c%d" % i]) for i in range(n)] + [user()] + [result("c%d" % i) for i in range(n)]


def results_that_claim_one_id(n):
    return [m for _ in range(n) for m in (calls(["c"]), user())] + [result("c", "x%d" % i) for i in range(n)]


def strays_in_a_row(n):
    return [user()] + [result("z%d" % i, "x") for i in range(n)] + [user()]


def strays_among_answers(n):
    return [calls(["c%d" % i for i in range(n)])] + [
        m for i in range(n) for m in (result("c%d" % i), result("z%d" % i))]


def media_in_the_results_of_a_run(n):
    audio = {"type": "input_audio", "input_audio": {"data": "eA==", "format": "mp3"}}
    return [calls(["c%d" % i for i in range(n)])] + [result("c%d" % i, [audio]) for i in range(n)]


def media_of_one_message(n):
    image = {"type": "image_url", "image_url": {"url": "https://e.x/i.png"}}
    return [user(), {"role": "assistant", "content": [image] * n}, user()]


def users_in_a_row(n):
    return [user("q%d" % i) for i in range(n)]


def strays_and_users(n):
    return [m for i in range(n) for m in (result("z%d" % i), user())]


# ---- Responses ----

def function(ident, **more):
    return {"type": "function_call", "call_id": ident, "name": "f", "arguments": "{}", **more}


def output(ident, text="x"):
    return {"type": "function_call_output", "call_id": ident, "output": text}


def reasoning(i, **more):
    return {"type": "reasoning", "id": "rs_%d" % i, "summary": [], **more}


def items_of_one_call_id(n):
    return [user()] + [function("c", id="fc_%d" % i) for i in range(n)] + [output("c", "x%d" % i) for i in range(n)]


def turns_of_one_call_id(n):
    return [item for i in range(n) for item in (function("c"), output("c", "x%d" % i))]


def outputs_of_one_call(n):
    return [function("c")] + [output("c", "x%d" % i) for i in range(n)]


def outputs_far_from_their_calls(n):
    return [item for i in range(n) for item in (function("c%d" % i), user())] + [output("c%d" % i) for i in range(n)]


def outputs_before_their_calls(n):
    return [output("c%d" % i) for i in range(n)] + [function("c%d" % i) for i in range(n)]


def outputs_of_the_other_type(n):
    return [{"type": "custom_tool_call", "call_id": "c", "name": "f", "input": ""} for _ in range(n)] + [
        output("c") for _ in range(n)]


def reasoning_in_a_row(n):
    return [user()] + [reasoning(i) for i in range(n)] + [user()]


def one_unit(n):
    return [user(), reasoning(0)] + [function("c%d" % i, id="fc_%d" % i) for i in range(n)]


def items_of_one_id(n):
    return [user()] + [{"type": "message", "role": "assistant", "content": "a%d" % i, "id": "msg_1"} for i in range(n)]


def references_to_one_id(n):
    return [user()] + [{"type": "item_reference", "id": "msg_1"} for _ in range(n)]


def approvals(n):
    return [{"type": "mcp_approval_request", "id": "mcpr_%d" % i, "name": "n", "server_label": "s", "arguments": "{}"}
            for i in range(n)] + [user()]


def calls_on_one_message(n):
    return [user(), {"role": "assistant", "content": "a",
                     "tool_calls": calls(["c%d" % i for i in range(n)])["tool_calls"]}]


def images_of_one_message(n):
    image = {"type": "input_image", "image_url": "https://e.x/i.png"}
    return [{"role": "assistant", "content": [image] * n}]


NOT_STORED = {"store": False}
MADE = [
    ("openai-chat", calls_of_one_id, None, None), ("openai-chat", answers_of_one_call, None, None),
    ("openai-chat", answers_of_one_call, {"policy": PRESERVE}, None), ("openai-chat", calls_without_ids, None, None),
    ("openai-chat", results_far_from_their_calls, None, None), ("openai-chat", results_that_claim_one_id, None, None),
    ("openai-chat", strays_in_a_row, None, None), ("openai-chat", strays_in_a_row, {"target": MISTRAL}, None),
    ("openai-chat", strays_in_a_row, {"policy": {"merge_adjacent": "all"}}, None),
    ("openai-chat", strays_among_answers, {"policy": PRESERVE}, None),
    ("openai-chat", media_in_the_results_of_a_run, None, None),
    ("openai-chat", media_of_one_message, None, None), ("openai-chat", users_in_a_row, {"target": GEMMA}, None),
    ("openai-chat", strays_and_users, {"target": MISTRAL}, None),
    ("openai-responses", items_of_one_call_id, None, None), ("openai-responses", turns_of_one_call_id, None, None),
    ("openai-responses", outputs_of_one_call, {"policy": PRESERVE}, None),
    ("openai-responses", outputs_far_from_their_calls, {"target": DEEPSEEK}, None),
    ("openai-responses", outputs_before_their_calls, None, None),
    ("openai-responses", outputs_of_the_other_type, None, None),
    ("openai-responses", reasoning_in_a_row, None, None), ("openai-responses", reasoning_in_a_row, None, NOT_STORED),
    ("openai-responses", one_unit, None, NOT_STORED),
    ("openai-responses", one_unit, {"policy": {"item_ids": "strip"}}, None),
    ("openai-responses", items_of_one_id, None, None), ("openai-responses", references_to_one_id, None, None),
    ("openai-responses", references_to_one_id, None, NOT_STORED), ("openai-responses", approvals, None, None),
    ("openai-responses", calls_on_one_message, None, None), ("openai-responses", images_of_one_message, None, None),
]


def title(provider, grow, params, body):
    words = [provider, grow.__name__, json.dumps(params) if params else "", json.dumps(body) if body else ""]
    return "_".join("".join(c if c.isalnum() else "_" for c in word) for word in words if word)


SHAPES = [shape for row in catalogue_rows.ROWS if row["provider"] in model_openai.LISTS and row["example"]
          for shape in shapes_of(row)] + [
    Shape(title(*made), made[0], made[1], made[2], made[3]) for made in MADE]
