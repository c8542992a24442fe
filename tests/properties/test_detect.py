#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of RULES.md 8 (d), which says whose a history is: each name decides, each row wins over all rows after it, and
`validate` takes what `detect` says.
"""
import itertools
import json
import os
import random
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import format_draws  # noqa: E402
from daemon import Daemon  # noqa: E402
from wire import Wire  # noqa: E402

TOP = os.environ.get("top_srcdir", ".")
JUDGED = {"anthropic", "openai-chat", "openai-responses"}
PLAIN = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
SIGNS = {
    "openai-chat": {"role": "assistant", "content": None, "tool_calls": [CALL]},
    "anthropic": {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": {}}]},
    "gemini": {"role": "user", "parts": [{"text": "q"}]},
    "bedrock": {"role": "user", "content": [{"text": "q"}]},
}


def table():
    """The rows of the table: (what is looked at, what it is), as they are written."""
    with open(os.path.join(TOP, "doc", "RULES.md"), encoding="utf-8") as f:
        text = f.read()
    part = text[text.index("(d) **Whose history is it?**"):]
    rows = [line.strip("|").split(" | ") for line in part.split("\n") if line.startswith("|")]
    return [(looked.strip(), is_.strip(" |")) for _, looked, is_ in rows[2:]]


def names(text):
    return re.findall(r"`([^`]+)`", text)


class Evidence:
    """One thing that decides: what it does to a body, and what is said about it."""

    def __init__(self, provider, because, at, put):
        self.provider, self.because, self.at, self.put = provider, because, at, put


def member(provider, name, value=1):
    def put(body):
        body[name] = value
    return Evidence(provider, "member " + name, "/" + name, put)


def tool(provider, name, definition):
    def put(body):
        body["tools"] = [definition]
    return Evidence(provider, "member tools[0]." + name, "/tools/0/" + name, put)


def message(provider, because, index, leaf, value):
    def put(body):
        body["messages"].insert(index, value)
    return Evidence(provider, because, "/messages/%d/%s" % (index, leaf), put)


def model(provider, name):
    def put(body):
        body["model"] = name
    return Evidence(provider, "model " + name, "/model", put)


def evidence():
    """All evidence of the table, in the order in which it counts."""
    rows = table()
    found = [message(p, b, 1, leaf, SIGNS[p]) for p, b, leaf in (
        ("openai-chat", "tool_calls", "tool_calls"), ("anthropic", "type: tool_use", "content/0/type"),
        ("gemini", "parts", "parts"), ("bedrock", "text", "content/0/text"))]
    for looked, is_ in rows[2:7]:
        found += [member(names(is_)[0], name) for name in names(looked)]
    found += [tool("openai-chat", "function", {"type": "function", "function": {"name": "f"}}),
              tool("anthropic", "input_schema", {"name": "f", "input_schema": {}}),
              tool("anthropic", "type", {"type": "web_search_20250305"}),
              tool("anthropic", "type", {"type": "mcp_toolset"}),
              tool("bedrock", "toolSpec", {"toolSpec": {}}),
              tool("gemini", "functionDeclarations", {"functionDeclarations": []})]
    words = names(rows[8][0])
    found.append(message("openai-chat", "role system first", 0, "role", {"role": "system", "content": "s"}))
    found += [message("openai-chat", "role " + r, 2, "role", {"role": r, "content": "x"}) for r in words[4:7]]
    found += [message("openai-chat", w, 2, w, {"role": "assistant", "content": "x", w: "x"}) for w in words[:4]]
    found += models(rows)
    return found


def models(rows):
    found = [model("anthropic", "eu.anthropic.claude-v2"), model("openai-chat", "acme/model")]
    for looked, is_ in rows[11:15]:
        found += [model(names(is_)[0], w + "9") for w in names(looked) if w not in ("o", "-")]
    return found + [model("openai-chat", "o3"), model("openai-chat", "o1-mini")]


class Detect(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)
        cls.wire = Wire(cls.daemon.socket)
        cls.addClassCleanup(cls.wire.close)

    def ask(self, method, **params):
        return self.wire.ask(method, json.dumps(params))

    def detect(self, body):
        return self.ask("detect", request=body).result

    def test_the_table_is_read(self):
        rows = table()
        self.assertEqual(len(rows), 16)
        self.assertGreater(len(evidence()), 100)

    def test_each_name_decides(self):
        for e in evidence():
            body = {"messages": list(PLAIN)}
            e.put(body)
            with self.subTest(because=e.because):
                found = self.detect(body)
                self.assertEqual((found["provider"], found["because"], found["at"], found["sure"]),
                                 (e.provider, e.because, e.at, True))

    def test_nothing_else_decides(self):
        """A name with one letter more, or in capitals, is nobody's."""
        for e in evidence():
            name = e.at.split("/")[-1]
            if not e.because.startswith("member ") or "tools" in e.because:
                continue
            for other in (name + "s", name.upper() if name != name.upper() else name.lower(), name[:-1] or "x"):
                if any(x.at == "/" + other for x in evidence()) or other in ("messages", "model", "tools"):
                    continue
                with self.subTest(name=other):
                    self.assertIs(self.detect({"messages": PLAIN, other: 1})["sure"], False)

    def test_what_comes_first_wins(self):
        """Any two pieces of evidence of different places: the one whose row is first decides."""
        drawn = list(itertools.combinations(evidence(), 2))
        random.Random(1).shuffle(drawn)
        for first, second in drawn[:3000]:
            body, alone = {"messages": list(PLAIN)}, {"messages": list(PLAIN)}
            second.put(body)
            first.put(body)
            first.put(alone)
            if first.at.split("/")[1] == second.at.split("/")[1] == "messages" or first.at == second.at:
                continue  # both are messages, or one place
            if first.at.startswith("/tools") and second.at.startswith("/tools"):
                continue
            with self.subTest(first=first.because, second=second.because):
                found = self.detect(body)
                self.assertEqual((found["provider"], found["because"]), (first.provider, first.because))

    def test_validate_takes_what_it_says(self):
        """Of the histories of every format."""
        taken, refused = 0, 0
        r = random.Random(2)
        for n in range(400):
            messages, _ = format_draws.draw(r)
            found = self.ask("detect", messages=messages).result
            if found["provider"] not in JUDGED:
                refused += 1
                continue
            answer = self.ask("validate", messages=messages, provider=found["provider"], dialect=found["dialect"],
                              target={"endpoint": found["endpoint"]})
            with self.subTest(n=n, messages=json.dumps(messages), found=found):
                # A list in which no message has a role is no history, so it is no sign of one.
                if answer.name and any("role" in m for m in messages):
                    self.assertEqual(answer.name, "dialect_mismatch")
                    self.assertNotEqual(answer.error["data"]["looks_like"], found["dialect"])
            taken += answer.name is None
        self.assertGreater(taken, 100)
        self.assertGreater(refused, 50)


if __name__ == "__main__":
    unittest.main()
