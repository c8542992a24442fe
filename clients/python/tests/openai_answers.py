# SPDX-License-Identifier: Apache-2.0
"""The answers of the local provider on OpenAI's paths, whole or as SSE.

A turn that a test gives is a dictionary of what the model says:

    {"text": "hello"}                                 a text
    {"calls": [["name", {"city": "Oslo"}], ...]}      function calls, with or without "text"
    {"reasoning": "hm", ...}                          a reasoning item, or `reasoning_content` in Chat
    {..., "ends": "reset"}                            a stream that breaks off

Without one it calls the first function of `tools` if the last word is the user's, else says a text. Of
each API it makes what its SDKs read.
"""

import json

SAMPLES = {"string": "x", "integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}}
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def sample(schema):
    """Arguments with what the schema of a function requires."""
    properties = schema.get("properties") or {}
    kinds = {
        name: properties.get(name, {}).get("type", "string")
        for name in schema.get("required") or []
    }
    return {
        name: SAMPLES.get(kind if isinstance(kind, str) else "string")
        for name, kind in kinds.items()
    }


def functions(body):
    """[(name, schema of the arguments)] of the functions of `tools`, as either API writes them."""
    found = []
    for tool in body.get("tools") or []:
        if tool.get("type", "function") == "function":
            spelled = tool.get("function", tool)
            found.append((spelled["name"], spelled.get("parameters") or {}))
    return found


def users_turn(body):
    """True if the last word is the user's, not the result of a call."""
    given = body.get("messages", body.get("input"))
    return isinstance(given, str) or bool(given) and given[-1].get("role") == "user"


def made_up(body):
    offered = functions(body)
    if offered and users_turn(body) and body.get("tool_choice") != "none":
        name, schema = offered[0]
        return {"calls": [[name, sample(schema)]]}
    return {"text": "The pass is open, with chains."}


def data_frame(document, event=None):
    head = "event: %s\n" % event if event else ""
    return ("%sdata: %s\n\n" % (head, json.dumps(document))).encode()


def halves(text):
    return [piece for piece in (text[: len(text) // 2], text[len(text) // 2 :]) if piece] or [""]


class Turn:
    """One answer. `number` makes its ids unique."""

    def __init__(self, given, body, wanted, number):
        self.given = given or made_up(body)
        self.body, self.number = body, number
        self.chat = wanted.provider == "openai-chat"
        self.model = body.get("model") or wanted.deployment
        self.calls = [
            ("call_%03d_%d" % (number, k), name, json.dumps(arguments))
            for k, (name, arguments) in enumerate(self.given.get("calls") or [])
        ]

    def whole(self):
        return self.completion() if self.chat else self.response(self.output())

    def events(self):
        return self.chunks() if self.chat else self.response_events()

    # Chat Completions

    def message(self):
        said = {"role": "assistant", "content": self.given.get("text"), "refusal": None}
        if self.given.get("reasoning"):
            said["reasoning_content"] = self.given["reasoning"]
        if self.calls:
            said["tool_calls"] = [
                {
                    "id": ident,
                    "type": "function",
                    "function": {"name": name, "arguments": arguments},
                }
                for ident, name, arguments in self.calls
            ]
        return said

    @property
    def finish(self):
        return "tool_calls" if self.calls else "stop"

    def head(self, kind):
        return {
            "id": "chatcmpl-%d" % self.number,
            "object": kind,
            "created": 1,
            "model": self.model,
        }

    def completion(self):
        choice = {
            "index": 0,
            "message": self.message(),
            "finish_reason": self.finish,
            "logprobs": None,
        }
        return dict(self.head("chat.completion"), choices=[choice], usage=USAGE)

    def deltas(self):
        yield {"role": "assistant", "content": "" if self.given.get("text") else None}
        if self.given.get("reasoning"):
            yield {"reasoning_content": self.given["reasoning"]}
        for piece in halves(self.given["text"]) if self.given.get("text") else []:
            yield {"content": piece}
        for k, (ident, name, arguments) in enumerate(self.calls):
            function = {"name": name, "arguments": ""}
            yield {
                "tool_calls": [{"index": k, "id": ident, "type": "function", "function": function}]
            }
            for piece in halves(arguments):
                yield {"tool_calls": [{"index": k, "function": {"arguments": piece}}]}

    def chunks(self):
        head = self.head("chat.completion.chunk")
        for delta in self.deltas():
            yield data_frame(
                dict(head, choices=[{"index": 0, "delta": delta, "finish_reason": None}])
            )
        if self.given.get("ends"):
            return
        yield data_frame(
            dict(head, choices=[{"index": 0, "delta": {}, "finish_reason": self.finish}])
        )
        if (self.body.get("stream_options") or {}).get("include_usage"):
            yield data_frame(dict(head, choices=[], usage=USAGE))
        yield b"data: [DONE]\n\n"

    # Responses

    def output(self):
        """The items of the answer."""
        items = []
        if self.given.get("reasoning"):
            summary = [{"type": "summary_text", "text": self.given["reasoning"]}]
            items.append({"id": "rs_%03d" % self.number, "type": "reasoning", "summary": summary})
            if "reasoning.encrypted_content" in (self.body.get("include") or []):
                items[0]["encrypted_content"] = "gAAAAABo%03d" % self.number
        if self.given.get("text") is not None or not self.calls:
            text = {"type": "output_text", "text": self.given.get("text") or "", "annotations": []}
            ident = "msg_%03d" % self.number
            items.append(
                {
                    "id": ident,
                    "type": "message",
                    "role": "assistant",
                    "status": "completed",
                    "content": [text],
                }
            )
        for k, (ident, name, arguments) in enumerate(self.calls):
            call = {
                "id": "fc_%03d_%d" % (self.number, k),
                "type": "function_call",
                "status": "completed",
            }
            items.append(dict(call, call_id=ident, name=name, arguments=arguments))
        return items

    def reasoned(self):
        """The id of each item that follows reasoning -> the id of that reasoning."""
        items = [] if self.chat else self.output()
        if not items or items[0]["type"] != "reasoning":
            return {}
        return {item["id"]: items[0]["id"] for item in items[1:]}

    def response(self, output, status="completed"):
        body = self.body
        return {
            "id": "resp_%03d" % self.number,
            "object": "response",
            "created_at": 1,
            "status": status,
            "model": self.model,
            "output": output,
            "error": None,
            "incomplete_details": None,
            "instructions": body.get("instructions"),
            "metadata": {},
            "parallel_tool_calls": True,
            "previous_response_id": body.get("previous_response_id"),
            "store": body.get("store", True),
            "temperature": 1.0,
            "text": {"format": {"type": "text"}},
            "tool_choice": body.get("tool_choice") or "auto",
            "tools": body.get("tools") or [],
            "top_p": 1.0,
            "truncation": "disabled",
            "usage": {
                "input_tokens": 10,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": 5,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 15,
            },
        }

    def response_events(self):
        for number, event in enumerate(self.plain_events()):
            yield data_frame(dict(event, sequence_number=number), event["type"])

    def plain_events(self):
        begun = self.response([], "in_progress")
        yield {"type": "response.created", "response": begun}
        yield {"type": "response.in_progress", "response": begun}
        items = self.output()
        for index, item in enumerate(items):
            yield from item_events(index, item)
        if not self.given.get("ends"):
            yield {"type": "response.completed", "response": self.response(items)}


def item_events(index, item):
    """An item as it streams."""
    started = dict(item)
    for member, empty in (
        ("content", []),
        ("arguments", ""),
        ("summary", []),
        ("status", "in_progress"),
    ):
        if member in started:
            started[member] = empty
    yield {"type": "response.output_item.added", "output_index": index, "item": started}
    yield from inner_events({"output_index": index, "item_id": item["id"]}, item)
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def inner_events(place, item):
    if item["type"] == "message":
        part = item["content"][0]
        place = dict(place, content_index=0)
        yield dict(place, type="response.content_part.added", part=dict(part, text=""))
        for piece in halves(part["text"]):
            yield dict(place, type="response.output_text.delta", delta=piece, logprobs=[])
        yield dict(place, type="response.output_text.done", text=part["text"], logprobs=[])
        yield dict(place, type="response.content_part.done", part=part)
    elif item["type"] == "function_call":
        for piece in halves(item["arguments"]):
            yield dict(place, type="response.function_call_arguments.delta", delta=piece)
        kind = "response.function_call_arguments.done"
        yield dict(place, type=kind, arguments=item["arguments"], name=item["name"])
    elif item["type"] == "reasoning":
        part = item["summary"][0]
        place = dict(place, summary_index=0)
        yield dict(place, type="response.reasoning_summary_part.added", part=dict(part, text=""))
        yield dict(place, type="response.reasoning_summary_text.delta", delta=part["text"])
        yield dict(place, type="response.reasoning_summary_text.done", text=part["text"])
        yield dict(place, type="response.reasoning_summary_part.done", part=part)
