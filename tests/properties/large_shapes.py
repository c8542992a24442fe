# SPDX-License-Identifier: Apache-2.0
"""Histories with one large element and n small ones that share its id: every pair of kinds of a provider, and every place
of the large element that may be large.

A kind is (role, element): `element` is built with BIG in one place, whose value is drawn from FILLERS. An id is the
same everywhere, so that whatever looks for "the other one" finds the large one n times.
"""
import itertools
import json

BIG = "\0big"  # the place that is large
ID = "srvtoolu_1"
USER = {"role": "user", "content": "q"}


def escapes(size):
    """A text of which JSON spells every character with a backslash."""
    return "\n\"\\" * (size // 6)


def plain(size):
    return "xé" * (size // 3)


def values(size):
    return [0] * (size // 3)


FILLERS = (escapes, plain, values)


def text(**more):
    return dict({"type": "text", "text": "t"}, **more)


def hit(**more):
    return dict({"type": "web_search_result", "url": "u", "title": "t", "encrypted_content": "e"}, **more)


ANTHROPIC = {
    "text": ("assistant", [text(text=BIG)]),
    "thinking": ("assistant", [{"type": "thinking", "thinking": BIG, "signature": "s"},
                               {"type": "thinking", "thinking": "t", "signature": BIG}]),
    "call": ("assistant", [{"type": "tool_use", "id": ID, "name": "f", "input": {"x": BIG}},
                           {"type": "tool_use", "id": ID, "name": BIG, "input": {}},
                           {"type": "tool_use", "id": ID, "name": "f", "input": {}, "caller": BIG}]),
    "result": ("user", [{"type": "tool_result", "tool_use_id": ID, "content": BIG},
                        {"type": "tool_result", "tool_use_id": ID, "content": [text(text=BIG)]}]),
    "server_call": ("assistant", [{"type": "server_tool_use", "id": ID, "name": "web_search", "input": {"query": BIG}},
                                  {"type": "server_tool_use", "id": ID, "name": BIG, "input": {}}]),
    "server_result": ("assistant", [
        {"type": "web_search_tool_result", "tool_use_id": ID, "content": [hit(title=BIG)]},
        {"type": "web_search_tool_result", "tool_use_id": ID, "content": [hit(encrypted_content=BIG)]}]),
    "mcp_call": ("assistant", [{"type": "mcp_tool_use", "id": ID, "name": BIG, "server_name": "s", "input": {}},
                               {"type": "mcp_tool_use", "id": ID, "name": "f", "server_name": BIG, "input": {}}]),
    "mcp_result": ("assistant", [{"type": "mcp_tool_result", "tool_use_id": ID, "content": [text(text=BIG)]}]),
    "document": ("user", [{"type": "document", "title": BIG, "source": {"type": "text", "media_type": "text/plain",
                                                                        "data": "d"}}]),
    "search_result": ("user", [{"type": "search_result", "source": "s", "title": "t", "content": [text(text=BIG)]}]),
    "unknown": ("user", [{"type": "toy", "id": ID, "x": BIG}]),
}


def chat_call(**function):
    return {"role": "assistant", "content": None, "tool_calls": [
        {"id": ID, "type": "function", "function": dict({"name": "f", "arguments": "{}"}, **function)}]}


CHAT = {
    "user": ("", [{"role": "user", "content": BIG}, {"role": "user", "name": BIG, "content": "q"}]),
    "assistant": ("", [{"role": "assistant", "content": [text(text=BIG)]}, {"role": "assistant", "content": "a", "k": BIG}]),
    "call": ("", [chat_call(arguments=BIG), chat_call(name=BIG), chat_call(k=BIG)]),
    "result": ("", [{"role": "tool", "tool_call_id": ID, "content": BIG},
                    {"role": "tool", "tool_call_id": ID, "content": [text(text=BIG)]},
                    {"role": "tool", "tool_call_id": ID, "name": BIG, "content": "r"}]),
    "old_result": ("", [{"role": "function", "name": BIG, "content": "r"}]),
}
# Calls of one message: the lists of CHAT have one call a message.
CHAT_CALLS = {"call": ("calls", [chat_call(arguments=BIG)["tool_calls"][0], chat_call(name=BIG)["tool_calls"][0],
                                 chat_call(k=BIG)["tool_calls"][0]])}


def item(type, **more):
    return dict({"type": type}, **more)


def message(**more):
    return item("message", role="assistant", id="msg_1", **more)


RESPONSES = {
    "message": ("", [message(content=[item("output_text", text=BIG, annotations=[]), item("text", text="t")]),
                     message(content=[item("output_text", text="t", annotations=[])], k=BIG)]),
    "reasoning": ("", [item("reasoning", id="rs_1", summary=[item("summary_text", text=BIG)]),
                       item("reasoning", id="rs_1", summary=[], encrypted_content=BIG)]),
    "call": ("", [item("function_call", id="fc_1", call_id=ID, name="f", arguments=BIG),
                  item("function_call", id="fc_1", call_id=ID, name=BIG, arguments="{}")]),
    "output": ("", [item("function_call_output", call_id=ID, output=BIG),
                    item("function_call_output", call_id=ID, output=[item("input_text", text=BIG)])]),
    "custom_call": ("", [item("custom_tool_call", id="ctc_1", call_id=ID, name=BIG, input="i")]),
    "custom_output": ("", [item("custom_tool_call_output", call_id=ID, output=BIG)]),
    "search": ("", [item("web_search_call", id="ws_1", status="completed", action=item("search", query=BIG))]),
    "approval": ("", [item("mcp_approval_request", id="mcpr_1", name=BIG, arguments="{}", server_label="s")]),
    "approved": ("", [item("mcp_approval_response", approval_request_id="mcpr_1", approve=True, reason=BIG)]),
    "mcp_call": ("", [item("mcp_call", id="mcp_1", name=BIG, arguments="{}", server_label="s", output="o")]),
}

KINDS = {"anthropic": ANTHROPIC, "openai-chat": CHAT, "openai-chat calls": CHAT_CALLS, "openai-responses": RESPONSES}


def filled(value, by):
    """A copy of a value with `by` in the place of BIG."""
    if value == BIG:
        return by
    if isinstance(value, dict):
        return {key: filled(member, by) for key, member in value.items()}
    if isinstance(value, list):
        return [filled(element, by) for element in value]
    return value


def history(role, parts, other, rest):
    """The elements, as messages: `parts` of one role and `rest` of the other are next to each other in both orders."""
    if role == "calls":
        return [USER, {"role": "assistant", "content": None, "tool_calls": parts + rest},
                {"role": "tool", "tool_call_id": ID, "content": "r"}, USER]
    if not role:
        return [USER, *parts, *rest, USER]
    if role == other:
        return [USER, {"role": role, "content": parts + rest}, USER]
    return [USER, {"role": role, "content": parts}, {"role": other, "content": rest}, USER]


def events(blocks):
    """A stream with these blocks, as Anthropic sends it."""
    made = [{"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "m",
                                                  "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1}}}]
    for index, block in enumerate(blocks):
        made.append({"type": "content_block_start", "index": index, "content_block": block})
        made.append({"type": "content_block_stop", "index": index})
    made.append({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}})
    return made + [{"type": "message_stop"}]


class Shape:
    """One large element, and small ones of a kind, in one order."""

    def __init__(self, provider, large, place, small, filler, first):
        self.provider = provider.partition(" ")[0]
        self.role, places = KINDS[provider][large]
        self.other, smalls = KINDS[provider][small]
        self.large, self.small = places[place], filled(smalls[0], "\n")
        self.filler, self.first = filler, first
        self.name = "%s: %s.%d of %s, %s %s" % (provider, large, place, filler.__name__, small,
                                                "after it" if first else "before it")

    def groups(self, n, size):
        """The elements in their order: (role, elements), the large one and the small ones."""
        groups = [(self.role, [filled(self.large, self.filler(size))]), (self.other, [self.small] * n)]
        return groups if self.first else groups[::-1]

    def elements(self, n, size):
        return [element for _, elements in self.groups(n, size) for element in elements]

    def of_role(self, role, n, size):
        return [element for its, elements in self.groups(n, size) if its == role for element in elements]

    def messages(self, n, size):
        (role, parts), (other, rest) = self.groups(n, size)
        return history(role, parts, other, rest)

    def params(self, n, size, more):
        return json.dumps(dict({"provider": self.provider, "messages": self.messages(n, size)}, **more),
                          ensure_ascii=False)

    def body(self, n, size, more):
        """Parameters of a method that takes a whole request."""
        list_name = "input" if self.provider == "openai-responses" else "messages"
        return json.dumps(dict({"provider": self.provider, "request": {
            "model": "m", "max_tokens": 9, list_name: self.messages(n, size)}}, **more), ensure_ascii=False)

    def turn(self, n, size, more):
        """Parameters of repair_turn."""
        content = self.elements(n, size)
        if self.role == "calls":
            content = [{"role": "assistant", "content": None, "tool_calls": content}]
        return json.dumps(dict({"provider": self.provider, "content": content}, **more), ensure_ascii=False)

    def response(self, n, size, more):
        """Parameters of pair: a response with the elements, whoever may send them."""
        elements = self.elements(n, size)
        if self.role == "calls":
            response = {"choices": [{"index": 0, "message": {"role": "assistant", "tool_calls": elements}, "finish_reason": "tool_calls"}]}
        elif self.provider == "openai-chat":
            response = {"choices": [{"index": i, "message": m, "finish_reason": "stop"} for i, m in enumerate(elements)]}
        elif self.provider == "openai-responses":
            response = {"status": "completed", "output": elements}
        else:
            response = {"role": "assistant", "content": elements, "stop_reason": "end_turn"}
        return json.dumps(dict({"provider": self.provider, "response": response}, **more), ensure_ascii=False)

    # -- Anthropic's alone --

    def spliced(self, n, size, more):
        """Parameters of splice: the model's elements are its turn, the user's are appended, each in a message."""
        content = self.of_role("assistant", n, size) or [text()]
        appended = [{"role": "user", "content": [element]} for element in self.of_role("user", n, size)] or [USER]
        return json.dumps(dict({"messages": [USER], "assistant": {"content": content}, "appended": appended}, **more),
                          ensure_ascii=False)

    def streamed(self, n, size, more):
        """A stream, as (method, parameters): the model's elements are its blocks, the user's are the history."""
        before = self.of_role("user", n, size)
        blocks = self.of_role("assistant", n, size)
        data = "".join("event: %s\ndata: %s\n\n" % (event["type"], json.dumps(event)) for event in events(blocks))
        messages = [USER, {"role": "assistant", "content": [text()]}, {"role": "user", "content": before}] if before else [USER]
        return [("stream.open", json.dumps(dict({"stream": "s", "history": messages}, **more), ensure_ascii=False)),
                ("stream.feed", json.dumps({"stream": "s", "data": data}, ensure_ascii=False)),
                ("stream.end", json.dumps({"stream": "s"}))]


TOOL = {"name": "f", "description": "d", "input_schema": {"type": "object"}}
TOOLS = [dict(TOOL, description=BIG), dict(TOOL, name=BIG), dict(TOOL, input_schema={"type": "object", "properties": BIG}),
         {"type": "web_search_20250305", "name": "web_search", "allowed_domains": BIG},
         {"type": "mcp_toolset", "mcp_server_name": BIG}]
SMALL_TOOLS = [TOOL, "memory", "web_search", {"type": "web_search_20250305", "name": "web_search"},
               {"want": "mcp", "options": {"name": "s", "url": "u"}}]


class Tools:
    """One large tool, and small ones that are added to it, or to which it is."""

    def __init__(self, large, small, filler, first):
        self.large, self.small, self.filler, self.first = large, small, filler, first
        self.name = "tools: %s, %s %s" % (json.dumps(large), json.dumps(small), "added" if first else "there")

    def added(self, n, size, more):
        large, small = [filled(self.large, self.filler(size))], [self.small] * n
        tools, add = (large, small) if self.first else (small, large)
        return json.dumps(dict({"tools": tools, "add": add}, **more), ensure_ascii=False)


def shapes_of_tools():
    for large, small, filler, first in itertools.product(TOOLS, SMALL_TOOLS, FILLERS, (True, False)):
        if first or isinstance(small, dict):  # a wish isn't a tool
            yield Tools(large, small, filler, first)


def shapes_of(provider):
    kinds = KINDS[provider]
    for large, small in itertools.product(kinds, kinds):
        for place, filler, first in itertools.product(range(len(kinds[large][1])), FILLERS, (True, False)):
            yield Shape(provider, large, place, small, filler, first)
