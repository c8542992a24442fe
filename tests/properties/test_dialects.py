#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dialects `fantasy` and `ai-sdk` against dialect_model.py: small histories with one fault, drawn over all shapes of
a part, whose repair that model foretells value by value.

TK_PROPERTY_COUNT and TK_PROPERTY_SEED ask for more or other ones.
"""
import json
import os
import random
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import dialect_model as dm  # noqa: E402
import model  # noqa: E402
from daemon import Daemon  # noqa: E402
from wire import Wire  # noqa: E402

COUNT = int(os.environ.get("TK_PROPERTY_COUNT", "1500"))
SEED = os.environ.get("TK_PROPERTY_SEED", "dialects")
DIALECTS = ("fantasy", "ai-sdk")
TOOLS = list(model.RESULT_OF) + ["browse"]
WORDS = ["kestrel", "\u00e9t\u00e9", "two\nlines", "", " ", "{}", "a/b"]
MARKERS = {"fantasy": {"type": "anthropic.cache_control_options", "data": {"cache_control": {"type": "ephemeral"}}},
           "ai-sdk": {"type": "ephemeral"}}
ABSENT = object()


def present(value):
    return {k: v for k, v in value.items() if v is not ABSENT}


class Draw:
    """Parts of one dialect, in all the shapes that DIALECTS.md tells apart."""

    def __init__(self, rng, dialect):
        self.rng, self.dialect = rng, dialect
        self.choice = rng.choice

    def chance(self, p):
        return self.rng.random() < p

    def words(self):
        return self.choice(WORDS)

    def scalar(self):
        return self.choice([None, True, 0, 7, 2.5, "x", ""])

    def hit(self):
        return present({"type": self.choice(["web_search_result", "web_search_result", "page", None]),
                        "url": self.choice(["https://e.x", "https://e.x", None, ABSENT]),
                        "title": self.choice(["One", None, ABSENT]),
                        self.choice(["encrypted_content", "encryptedContent"]): self.choice(["e", "", 4]),
                        self.choice(["page_age", "pageAge"]): self.choice(["2 days", None, ABSENT])})

    def block(self):
        return self.choice([{"type": "text", "text": self.words()}, {"type": "text", "text": self.words()},
                            {"type": "text"}, {"type": "tool_reference", "toolName": "f"},
                            {"type": "tool_reference", "tool_name": "g"}, {"type": "image"}, "loose", 5, None])

    def source(self):
        return self.choice([{"type": "text", "data": self.words()}, {"type": "content", "content": [self.block()]},
                            {"type": "base64", "data": "QQ=="}, {"type": "content", "content": self.words()}])

    def object(self):
        kind = self.choice(list(dm.TEXT_TYPES) + ["text_editor_code_execution_create_result", "advisor_redacted_result",
                                                  "bash_code_execution_tool_result_error", "x", None, ABSENT])
        code, found = self.choice(["return_code", "returnCode"]), self.choice(["tool_references", "toolReferences"])
        value = present({
            "type": kind, "url": self.choice(["https://e.x", ABSENT, None]), "stdout": self.choice(["out", "", ABSENT]),
            "stderr": self.choice(["err", ABSENT]), code: self.choice([0, -9, 1.5, "0", True, ABSENT]),
            "content": self.choice([{"title": "T", "source": self.source()}, {"source": self.source()}, "view", [], ABSENT]),
            found: self.choice([[self.block() for _ in range(2)], [], "x", ABSENT]),
            "text": self.choice([self.words(), ABSENT, 5]), "signature": self.choice(["SECRET", ABSENT]),
            "Encrypted": self.choice([{"a": 1}, ABSENT])})
        if self.chance(0.15):
            value[self.choice(["error_code", "errorCode"])] = self.choice(["unavailable", "", None, 4])
        return value

    def value(self):
        roll = self.rng.random()
        if roll < 0.2:
            return self.words()
        if roll < 0.35:
            return [self.hit() for _ in range(self.rng.randrange(3))] + [self.block()] * self.chance(0.2)
        if roll < 0.5:
            return [{"type": "text", "text": self.words()} for _ in range(self.rng.randrange(1, 3))]
        if roll < 0.6:
            return [{"type": "tool_reference", self.choice(["toolName", "tool_name"]): "f"}
                    for _ in range(self.rng.randrange(1, 3))]
        if roll < 0.7:
            return [self.block() for _ in range(self.rng.randrange(1, 4))]
        return self.object() if roll < 0.9 else self.scalar()

    def output(self):
        if self.chance(0.15):
            return self.value()
        if self.dialect == "fantasy":
            kind = self.choice(["text", "text", "error", "media", "json", "x", None, ABSENT])
            key = {"error": "error"}.get(kind, "text") if isinstance(kind, str) else "text"
            data = {key: self.choice([self.words(), self.words(), 5, ABSENT])}
            return present({"type": kind, "data": present(data) if self.chance(0.7) else self.choice(
                [self.value(), None, ABSENT]), "rows": self.choice([1, ABSENT])})
        kind = self.choice(["json"] * 6 + ["error-json", "error-text", "text", "content", "execution-denied", "x", 5, ABSENT])
        return present({"type": kind, "value": self.choice([self.value(), self.value(), self.value(), ABSENT]),
                        "reason": self.choice(["denied", ABSENT])})

    def options(self):
        """fantasy: what may be in the two places of typed metadata."""
        name = self.choice(["web_search", "web_search", "web_fetch", "tool_search", "code_execution", "browse", "mcp"])
        data = self.choice([{"results": [self.hit() for _ in range(self.rng.randrange(3))]},
                            {"error_code": self.choice(["unavailable", "", 5])}, {}, None])
        return self.choice([{"anthropic": {"type": "anthropic.%s_result_metadata" % name, "data": data}}] * 6 + [
            {"anthropic": {"type": "anthropic._result_metadata", "data": data}}, {"anthropic": {"data": data}},
            {"anthropic": None}, {"anthropic": "x"}, {}, None, ABSENT])

    def result(self, id_, provider, name=None):
        own = name if name and self.chance(0.7) else self.choice(["web_search", "code_execution", "load", "", None, 5, ABSENT])
        if self.dialect == "fantasy":
            data = {"tool_call_id": id_, "provider_executed": provider, "tool_name": own if self.chance(0.3) else ABSENT,
                    "output": self.output(), "provider_options": self.options() if provider else ABSENT}
            if self.chance(0.2):
                data["result"] = data["output"]
                data["output"] = self.choice([ABSENT, None])
            if self.chance(0.2) and provider:
                data["provider_metadata"] = self.options()
            return {"type": "tool-result", "data": present(data)}
        return present({"type": "tool-result", "toolCallId": id_, "toolName": own, "output": self.output(),
                        "providerExecuted": self.choice([provider, None, ABSENT])})

    def call(self, id_, provider, name=None):
        name = name or self.choice(TOOLS)
        if self.dialect == "fantasy":
            return {"type": "tool-call", "data": {"tool_call_id": id_, "tool_name": name, "input": "{}",
                                                  "provider_executed": provider}}
        mcp = {"anthropic": {"type": "mcp-tool-use"}} if self.chance(0.2) else ABSENT
        return present({"type": "tool-call", "toolCallId": id_, "toolName": name, "input": {},
                        "providerExecuted": provider or ABSENT, "providerOptions": mcp})

    def text(self, text):
        return dm.text_part(self.dialect, text)

    def reasoning(self):
        """Unsigned: the adapter leaves it out."""
        value = {"text": "hm"}
        return {"type": "reasoning", "data": value} if self.dialect == "fantasy" else {"type": "reasoning", **value}

    def file(self):
        return {"type": "file", "data": {}} if self.dialect == "fantasy" else {"type": "file", "data": "QQ=="}

    def invisible(self):
        if self.dialect == "fantasy":
            return self.choice([{"type": "source", "data": {"url": "u"}}, self.reasoning()])
        return self.choice([{"type": "tool-approval-request", "approvalId": "p", "toolCallId": "toolu_0"},
                            {"type": "tool-approval-response", "approvalId": "p"}, self.reasoning()])

    def message(self, role, *parts):
        return {"role": role, "content": list(parts)}


# ---- scenes: (policy, messages, what repair makes of them) ----

def named(policy, dialect, part, text, call=None):
    marks = policy == "preserve"
    return dm.text_part(dialect, "[%s result]\n%s" % (dm.mark_of(dialect, part, call), text) if marks else text)


def orphan_result(d):
    """A provider's result without its call, in the assistant's message."""
    policy = d.choice(["conservative", "preserve"])
    part = d.result("srvtoolu_1", True)
    head, tail = [d.invisible()] * d.chance(0.2), d.text("a")
    text = dm.text_of(d.dialect, part, "assistant")
    around = d.message("user", d.text("q")), d.message("user", d.text("n"))
    put = [named(policy, d.dialect, part, text)] if text else []
    return policy, [around[0], d.message("assistant", *head, part, tail), around[1]], [
        around[0], d.message("assistant", *head, *put, tail), around[1]]


def stray_results(d):
    """Results of the client's tools that answer nothing, in a tool message."""
    policy = d.choice(["conservative", "preserve"])
    parts = [d.result("toolu_%d" % i, False) for i in range(d.rng.randrange(1, 4))]
    extra = [{"type": "tool-approval-response", "approvalId": "p"}] * (d.dialect == "ai-sdk" and d.chance(0.3))
    head, last = d.message("user", d.text("q")), d.message("assistant", d.text("a"))
    texts = [(p, dm.text_of(d.dialect, p, "user")) for p in parts]
    put = [named(policy, d.dialect, p, t) for p, t in texts if t]
    before = [head, d.message("tool", *parts, *extra), last]
    if d.dialect == "fantasy":
        return policy, before, [head] + [d.message("tool", *put)] * bool(put) + [last]
    after = [d.message("tool", *extra)] * bool(extra) + [d.message("user", *put)] * bool(put)
    return policy, before, [head] + after + [last]


def pair(d):
    """A call and its result: sent as they are, or flattened."""
    policy = d.choice(["conservative", "preserve"])
    call = d.call("srvtoolu_1", True)
    name = call["data"]["tool_name"] if d.dialect == "fantasy" else call["toolName"]
    part = d.result("srvtoolu_1", True, name)
    reader = model.READERS[d.dialect]
    c, r = reader(call, "assistant"), reader(part, "assistant")
    good = model.result_fits(d.dialect, r, c) and model.belongs(d.dialect, c, r)
    head, tail = d.message("user", d.text("q")), d.message("user", d.text("n"))
    before = [head, d.message("assistant", call, part, d.text("a")), tail]
    if good:
        return policy, before, before
    text = dm.text_of(d.dialect, part, "assistant")
    put = [named(policy, d.dialect, part, text, name)] if text else []
    return policy, before, [head, d.message("assistant", *put, d.text("a")), tail]


def orphan_call(d):
    """A provider's call that nothing answers, under `error_result`."""
    call = d.call("srvtoolu_1", True)
    head, tail = d.message("user", d.text("q")), d.message("user", d.text("n"))
    error = dm.unavailable(d.dialect, call)
    policy = {"base": d.choice(["conservative", "preserve"]), "orphan_call": "error_result"}
    return policy, [head, d.message("assistant", d.text("a"), call), tail], [
        head, d.message("assistant", d.text("a"), *([call, error] if error else [])), tail]


def marker_of_a_blank(d):
    """The marker of a empty text that goes."""
    def part():
        p = d.choice([lambda: d.text("x"), d.file, d.invisible, lambda: {"type": "custom"}, lambda: None])()
        if p is None:
            call = d.call("srvtoolu_%d" % d.rng.randrange(10 ** 6), True, "web_search")
            error = dm.unavailable(d.dialect, call)
            if d.dialect == "ai-sdk":
                call.pop("providerOptions", None)
                error["output"]["value"] = {}
            return [call, error]
        if d.chance(0.15) and p["type"] in ("text", "file"):
            p = dm.marked(d.dialect, p, {**MARKERS[d.dialect], "x": 1} if d.dialect == "ai-sdk" else MARKERS[d.dialect])
        elif d.chance(0.1) and p["type"] in ("text", "file") and d.dialect == "fantasy":
            p["data"]["provider_options"] = {"anthropic": {"type": "x"}}
        return [p]
    before = [p for _ in range(d.rng.randrange(5)) for p in part()]
    blank = dm.marked(d.dialect, d.text(""), MARKERS[d.dialect])
    string = d.chance(0.1)
    first = {"role": "user", "content": "q"} if string else d.message("user", d.text("q"))
    parts = [] if string else list(first["content"])
    at = [("user", p) for p in parts] + [("assistant", p) for p in before]
    for i in range(len(at) - 1, -1, -1):
        if dm.takes_marker(d.dialect, at[i][1], at[i][0]) or dm.marker(d.dialect, at[i][1]):
            if not dm.marker(d.dialect, at[i][1]):
                at[i] = (at[i][0], dm.marked(d.dialect, at[i][1], MARKERS[d.dialect]))
            break
    head = first if string else d.message("user", *[p for role, p in at if role == "user"])
    tail = d.message("user", d.text("n"))
    return "conservative", [first, d.message("assistant", *before, blank, d.text("z")), tail], [
        head, d.message("assistant", *[p for role, p in at if role == "assistant"], d.text("z")), tail]


def unanswered(d):
    """Calls of the client's tools: some are answered, some wait for an approval (ai-sdk)."""
    calls = [d.call("toolu_%d" % i, False, d.choice(["load", "", None, 5]) or "load") for i in range(3)]
    if d.dialect == "ai-sdk":
        for c in calls:
            c["toolName"] = d.choice(["load", "", None, 5])
            c.pop("providerOptions", None)
    answered = [i for i in range(3) if d.chance(0.4)]
    asked = [i for i in range(3) if d.dialect == "ai-sdk" and d.chance(0.4)]
    requests = [{"type": "tool-approval-request", "approvalId": "p%d" % i, "toolCallId": "toolu_%d" % i} for i in asked]
    results = [dm.unexecuted(d.dialect, calls[i]) for i in answered]
    ends = d.choice([[], [], [d.message("user", d.text("n"))]] + [[d.message("assistant", d.text("b"))]] * bool(results))
    waiting = asked if not ends else []
    missing = [dm.unexecuted(d.dialect, calls[i]) for i in range(3) if i not in answered and i not in waiting]
    head = [d.message("user", d.text("q")), d.message("assistant", *calls, *requests)]
    tool = [d.message("tool", *results)] * bool(results)
    put = [d.message("tool", *results, *missing)] * bool(results or missing)
    return "conservative", head + tool + ends, head + put + ends


def emptied_turn(d):
    """A turn of the user that contains only results without text."""
    part = d.result("toolu_9", False)
    invisible = {"type": "source", "data": {}} if d.dialect == "fantasy" else {"type": "tool-approval-response"}
    extra = [invisible] * d.chance(0.3)
    text = dm.text_of(d.dialect, part, "user")
    around = d.message("user", d.text("q")), d.message("assistant", d.text("a")), d.message("assistant", d.text("b"))
    before = [*around[:2], d.message("tool", *extra, part), around[2]]
    put = d.text(text or "(empty)")
    if d.dialect == "fantasy":
        turn = [d.message("tool", *extra, *([put] if text or not extra else []))]
    else:
        turn = [d.message("tool", *extra)] * bool(extra) + [d.message("user", put)] * bool(text or not extra)
    return "conservative", before, [*around[:2], *turn, around[2]]


def merged(d):
    """Neighbours of one role, with options of messages and of parts."""
    key = "provider_options" if d.dialect == "fantasy" else "providerOptions"

    def options():
        return {"x": {"n": d.rng.randrange(99)}}

    def text():
        part = d.text(d.choice(["x", "y"]))
        if d.chance(0.3):
            (part["data"] if d.dialect == "fantasy" else part)[key] = options()
        return part

    def spoken():
        role = d.choice(["user", "assistant", "system", "assistant"])
        content = "s" if d.chance(0.4) else [text() for _ in range(d.rng.randrange(1, 3))]
        return {"role": role, "content": content, **({key: options()} if d.chance(0.4) else {})}

    def given(message):
        """The parts, the last one with the message's options."""
        parts = message["content"]
        parts = [d.text(parts)] if isinstance(parts, str) else json.loads(json.dumps(parts))
        last = parts[-1]["data"] if d.dialect == "fantasy" else parts[-1]
        if key in message:
            last.setdefault(key, message[key])
        return parts

    head = d.message("user", d.text("q"), d.text(""))
    before = [head] + [spoken() for _ in range(d.rng.randrange(1, 6))]
    runs = []
    for m in [d.message("user", d.text("q"))] + before[1:]:
        joins = runs and runs[-1][-1]["role"] == m["role"] and not (m["role"] == "system" and d.dialect == "ai-sdk")
        runs = runs[:-1] + [runs[-1] + [m]] if joins else runs + [[m]]
    after = [run[0] if len(run) == 1 else {"role": run[0]["role"], "content": [p for m in run for p in given(m)]}
             for run in runs]
    return {"base": "conservative", "merge_adjacent": "all"}, before, after


SCENES = [orphan_result, stray_results, pair, orphan_call, marker_of_a_blank, unanswered, emptied_turn, merged]


class Dialects(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)
        cls.wire = Wire(cls.daemon.socket)
        cls.addClassCleanup(cls.wire.close)

    def check(self, scene, dialect):
        for number in range(COUNT):
            d = Draw(random.Random("%s %s %s/%d" % (SEED, dialect, scene.__name__, number)), dialect)
            policy, before, after = scene(d)
            params = {"dialect": dialect, "policy": policy, "messages": before, "return": "messages"}
            answer = self.wire.ask("repair", json.dumps(params, ensure_ascii=False))
            said = "%s, draw %d: %s" % (scene.__name__, number, json.dumps(params, ensure_ascii=False))
            self.assertIsNone(answer.error, said)
            got = answer.result["messages"] if answer.result["changed"] else before
            self.assertEqual(got, after, said)


def add_verdict(scene, dialect):
    def verdict(self):
        self.check(scene, dialect)
    verdict.__doc__ = scene.__doc__
    setattr(Dialects, "test_%s_%s" % (scene.__name__, dialect.replace("-", "_")), verdict)


for _scene in SCENES:
    for _dialect in DIALECTS:
        add_verdict(_scene, _dialect)

if __name__ == "__main__":
    unittest.main()
