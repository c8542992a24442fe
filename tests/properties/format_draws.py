# SPDX-License-Identifier: Apache-2.0
"""Histories in all formats of RULES.md section 8, as their libraries store them, whole and damaged.

    messages, words = draw(random.Random(7))

words: texts that a person or a model wrote, each of them once in the messages, in places where nobody may lose them.
"""
import copy
import json


class Words:
    """Texts that differ from each other and from everything else."""

    def __init__(self):
        self.all = []

    def __call__(self):
        self.all.append("words-%03d-end" % len(self.all))
        return self.all[-1]


# ---- one turn of each format: what the user says, what the model answers, with a tool ----

def chat(w):
    return [{"role": "user", "content": w()},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": {
                "name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "call_1", "content": w()}, {"role": "assistant", "content": w()}]


def chat_dump(w):
    return [{"role": "user", "content": [{"type": "text", "text": w()}], "name": None},
            {"content": w(), "refusal": None, "role": "assistant", "annotations": [], "audio": None,
             "function_call": None, "tool_calls": None}]


def chat_image(w):
    return [{"role": "user", "content": [{"type": "text", "text": w()},
                                         {"type": "image_url", "image_url": {"url": w()}}]}]


def responses(w):
    return [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": w()}]},
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": w()},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": w()}]}]


def assistants(w):
    return [{"id": "msg_1", "object": "thread.message", "role": "user",
             "content": [{"type": "text", "text": {"value": w(), "annotations": []}}]}]


def claude_code(w):
    return [{"type": "user", "message": {"role": "user", "content": w()}, "uuid": "u", "sessionId": "s"},
            {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": w()}]},
             "uuid": "v"}]


def langchain(w):
    return [{"lc": 1, "type": "constructor", "id": ["langchain", "HumanMessage"], "kwargs": {"content": w()}},
            {"type": "ai", "data": {"content": w(), "additional_kwargs": {}}}]


def langchain_flat(w):
    return [{"content": w(), "additional_kwargs": {}, "response_metadata": {}, "type": "human", "name": None},
            {"content": w(), "additional_kwargs": {}, "type": "ai", "tool_calls": []}]


def pydantic_ai(w):
    return [{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": w()}]},
            {"kind": "response", "parts": [{"part_kind": "text", "content": w()}]}]


def sharegpt(w):
    return [{"from": "human", "value": w()}, {"from": "gpt", "value": w()}]


def llamaindex(w):
    return [{"role": "user", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": w()}]},
            {"role": "assistant", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": w()}]}]


def ui(w):
    return [{"id": "m1", "role": "user", "parts": [{"type": "text", "text": w()}]},
            {"id": "m2", "role": "assistant", "parts": [{"type": "step-start"}, {"type": "text", "text": w()}]}]


def ui_old(w):
    return [{"id": "m1", "role": "user", "content": w()},
            {"id": "m2", "role": "assistant", "content": "", "toolInvocations": [
                {"state": "result", "toolCallId": "c", "toolName": "f", "args": {}, "result": w()}]}]


def gemini(w):
    return [{"role": "user", "parts": [{"text": w()}]},
            {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}, {"text": w()}]}]


def bedrock(w):
    return [{"role": "user", "content": [{"text": w()}]},
            {"role": "assistant", "content": [{"text": w()}, {"toolUse": {"toolUseId": "t", "name": "f", "input": {}}}]},
            {"role": "user", "content": [{"toolResult": {"toolUseId": "t", "content": [{"text": w()}]}}]}]


def ai_sdk(w):
    return [{"role": "user", "content": [{"type": "text", "text": w()}]},
            {"role": "assistant", "content": [{"type": "text", "text": w()},
                                              {"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}}]},
            {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c", "toolName": "f",
                                          "output": {"type": "text", "value": w()}}]},
            {"role": "assistant", "content": w()}]


def fantasy(w):
    return [{"role": "user", "content": [{"type": "text", "data": {"text": w()}}]},
            {"role": "assistant", "content": [
                {"type": "text", "data": {"text": w()}},
                {"type": "tool-call", "data": {"tool_call_id": "c", "tool_name": "f", "input": "{}"}}]},
            {"role": "tool", "content": [{"type": "tool-result", "data": {
                "tool_call_id": "c", "output": {"type": "text", "data": {"text": w()}}}}]}]


def anthropic(w):
    return [{"role": "user", "content": w()},
            {"role": "assistant", "content": [{"type": "text", "text": w()},
                                              {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": w()}]},
            {"role": "assistant", "content": w()}]


def anthropic_dump(w):
    """Returns the dumps of the SDK, response.model_dump() and to_json(), stored among the messages."""
    return [{"role": "user", "content": w()},
            {"id": "msg_01", "container": None, "content": [{"citations": None, "text": w(), "type": "text"}],
             "model": "claude-opus-5", "role": "assistant", "stop_details": None, "stop_reason": "end_turn",
             "stop_sequence": None, "type": "message",
             "usage": {"cache_creation": None, "input_tokens": 3, "output_tokens": 2, "server_tool_use": None}}]


def plain(w):
    return [{"role": "user", "content": [{"type": "text", "text": w()}]}, {"role": "assistant", "content": w()}]


def foreign_only(w):
    return [{"sender": "human", "text": w()}, {"sender": "assistant", "text": w()}]


FORMATS = [chat, chat_dump, chat_image, responses, assistants, claude_code, langchain, langchain_flat, pydantic_ai,
           sharegpt, llamaindex, ui, ui_old, gemini, bedrock, ai_sdk, fantasy, anthropic, anthropic_dump, plain,
           foreign_only]


# ---- damage: nothing of it takes a text away ----

def empty_orphan(r, w, messages):
    """A message that a repair empties, with something in it that nobody knows."""
    messages.insert(r.randrange(len(messages) + 1), {
        "role": "assistant", "content": [{"type": "server_tool_use", "id": "srvtoolu_9", "name": "web_search",
                                          "input": {}}], r.choice(["memory", "body", "attachments"]): [w()]})


def without_content(r, w, messages):
    """A message whose words are elsewhere. What other formats call words goes once the message says something, and
    a repair may put something there."""
    message = {"role": r.choice(["user", "assistant", "system"]), r.choice(["body", "text", "said", "blob"]): w()}
    if r.random() < 0.3:
        message["refusal"] = "no"
    if r.random() < 0.7:
        message["content"] = r.choice([None, "", [], [{"type": "text", "text": " "}], " "])
    messages.insert(r.randrange(len(messages) + 1), message)


def foreign_member(r, w, messages):
    r.choice(messages)[r.choice(["note", "memory", "experimental_attachments", "x"])] = {"said": w()}


def bookkeeping(r, w, messages):
    r.choice(messages)[r.choice(["id", "ts", "uuid", "metadata", "usage", "_id", "annotations"])] = r.choice(
        ["m", 1, None, {}, []])


def foreign_block(r, w, messages):
    lists = [m["content"] for m in messages if isinstance(m.get("content"), list)]
    if lists:
        r.choice(lists).append(r.choice([
            {"type": "image", "url": w(), "mimeType": "image/png"}, {"type": "document", "blob": {"said": w()}},
            {"type": "note", "words": w()}, {"type": "search_result", "title": None, "said": w()}]))


def another_format(r, w, messages):
    at = r.randrange(len(messages) + 1)
    messages[at:at] = r.choice(FORMATS)(w)[:1]


def null_member(r, w, messages):
    message = r.choice(messages)
    message[r.choice(["tool_calls", "parts", "function_call", "providerOptions", "name"])] = None


def no_role(r, w, messages):
    r.choice(messages).pop("role", None)


def blank_text(r, w, messages):
    lists = [m["content"] for m in messages if isinstance(m.get("content"), list)]
    if lists:
        r.choice(lists).insert(0, {"type": "text", "text": " "})


DAMAGE = [empty_orphan, without_content, foreign_member, bookkeeping, foreign_block, another_format, null_member,
          no_role, blank_text]


def draw(r):
    w = Words()
    messages = []
    for _ in range(r.choice([1, 1, 2, 3])):
        messages += r.choice(FORMATS[-5:] if r.random() < 0.5 else FORMATS)(w)
    for _ in range(r.choice([0, 1, 1, 2, 4])):
        r.choice(DAMAGE)(r, w, messages)
    r.random() < 0.1 and r.shuffle(messages)
    text = json.dumps(messages)
    return copy.deepcopy(messages), [word for word in w.all if word in text]
