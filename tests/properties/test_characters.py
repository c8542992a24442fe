#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every code point in every name, id and member that a rule reads byte by byte: the rule blames exactly what its sentence in the
catalogue says, repair answers, and nothing of what it made is blamed by that rule again.

White space has its characters of two and three bytes; these bytes are also in the middle of thousands of other characters.
"""
import json
import os
import re
import sys
import unittest
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from daemon import Daemon  # noqa: E402
from wire import Wire  # noqa: E402

WHITE = {*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}
WHITE = "".join(map(chr, sorted(WHITE)))
PLAIN = re.compile(r"[a-zA-Z0-9_-]+\Z")
BATCH = 3000  # texts of a request
SINGLES = 0x3100  # white space is below; each of these comes alone, the others in groups


def has_white(text):
    return any(c in WHITE for c in text)


def has_foreign(text):
    return has_white(text) or any(c in "<|\\/>" for c in text)


def is_not_plain(text, most=10 ** 9):
    return not PLAIN.match(text) or len(text) > most


def bad_title(text):
    return not all(c in WHITE or c in "-()[]" or (c < "\x7f" and c.isalnum()) for c in text)


# ---- places: texts -> the parameters, and which text each message is about ----

def listed(messages_of, **params):
    def make(texts):
        messages, owners = [], []
        for i, text in enumerate(texts):
            made = messages_of(text)
            messages += made
            owners += [i] * len(made)
        return {**params, "messages": messages}, owners
    return make


def chat_call(text, name=None, id=None):
    call = {"id": id or text, "type": "function", "function": {"name": name or text, "arguments": "{}"}}
    return [{"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": id or text, "content": "x"}]


def item_call(text, name=None, id=None):
    return [{"type": "function_call", "call_id": id or text, "name": name or text, "arguments": "{}"},
            {"type": "function_call_output", "call_id": id or text, "output": "x"}]


def block_call(text, name=None, id=None):
    return [{"role": "assistant", "content": [{"type": "tool_use", "id": id or text, "name": name or text, "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id or text, "content": "x"}]}]


def server_call(text):
    return [{"role": "assistant", "content": [
        {"type": "server_tool_use", "id": "srvtoolu_" + text, "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_" + text, "content": []}]},
        {"role": "user", "content": "q"}]


def numbered(text):
    return "call_%x" % zlib.crc32(text.encode())


CHAT, ITEMS = {"provider": "openai-chat"}, {"provider": "openai-responses"}
# The rule, the place, the texts that the rule blames, and how long a text may be in characters.
PLACES = [
    ("chat_message_name", listed(lambda t: [{"role": "user", "content": "q", "name": t}], **CHAT), has_foreign, 130),
    ("chat_tool_name_in_history", listed(lambda t: chat_call(t, id=numbered(t)), **CHAT),
     lambda t: is_not_plain(t, 64), 64),
    ("chat_tool_call_id_too_long", listed(lambda t: chat_call(t, name="f"), **CHAT), lambda t: len(t) > 40, 40),
    ("resp_encrypted_content_foreign", listed(lambda t: [
        {"type": "reasoning", "summary": [], "encrypted_content": t}, {"role": "assistant", "content": "a"}], **ITEMS), has_white, 130),
    ("resp_tool_name_in_history", listed(lambda t: item_call(t, id=numbered(t)), **ITEMS),
     lambda t: is_not_plain(t, 128), 128),
    ("resp_id_too_long", listed(lambda t: item_call(t, name="f"), **ITEMS), lambda t: len(t) > 64, 64),
    ("tool_use_id_pattern", listed(lambda t: block_call(t, name="f")), is_not_plain, 130),
    ("tool_use_name_invalid", listed(lambda t: block_call(t, id=numbered(t))), lambda t: len(t) > 200, 200),
    ("server_tool_id_pattern", listed(server_call), lambda t: not re.match(r"[a-zA-Z0-9_]+\Z", t), 130),
    ("document_name_chars", listed(lambda t: [{"role": "user", "content": [
        {"type": "document", "title": t, "source": {"type": "text", "media_type": "text/plain", "data": "x"}},
        {"type": "text", "text": "q"}]}], target={"endpoint": "bedrock"}), bad_title, 130),
    ("text_whitespace_only", listed(lambda t: [{"role": "user", "content": t}, {"role": "assistant", "content": "a"}]),
     lambda t: all(c in WHITE for c in t), 130),
]


def code_points(first, last):
    return [chr(c) for c in range(first, last) if not 0xD800 <= c < 0xE000]


def grouped(first, last, size):
    points = code_points(first, last)
    return ["".join(points[i:i + size]) for i in range(0, len(points), size)]


def texts_of(longest):
    """Each code point is in one at least. All are different."""
    for c in code_points(0x20, SINGLES):
        yield from {c: 0, c + "b": 0, "a" + c: 0, "a" + c + "b": 0}
    yield from grouped(SINGLES, 0x110000, longest)
    yield from ("x" + g for g in grouped(0x80, SINGLES, longest))  # one too many where there is a limit


class Characters(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--workers", "1")
        cls.addClassCleanup(cls.daemon.stop)
        cls.wire = Wire(cls.daemon.socket)
        cls.addClassCleanup(cls.wire.close)

    def ask(self, method, params):
        # The answer's bytes are decoded strictly: half a character doesn't pass.
        answer = self.wire.ask(method, json.dumps(params, ensure_ascii=False))
        self.assertIsNone(answer.error, method)
        return answer.result

    def blamed(self, code, params):
        found = self.ask("validate", {**params, "max_violations": 10000})["violations"]
        return {v["message_index"] for v in found if v["code"] == code}

    def check(self, code, make, is_bad, texts):
        params, owners = make(texts)
        blamed = {texts[owners[m]] for m in self.blamed(code, params)}
        wrong = sorted(blamed ^ {t for t in texts if is_bad(t)})
        self.assertEqual(wrong[:3], [], "%s: validate errs about %d texts" % (code, len(wrong)))
        repaired = self.ask("repair", {**params, "return": "messages", "guard": False})
        left = self.blamed(code, {**params, "messages": repaired.get("messages", params["messages"])})
        self.assertEqual(sorted(left)[:3], [], "%s: repair left %d messages as they are, or worse" % (code, len(left)))

    def check_place(self, code, make, is_bad, longest):
        texts = list(dict.fromkeys(texts_of(longest)))
        for i in range(0, len(texts), BATCH):
            self.check(code, make, is_bad, texts[i:i + BATCH])


def add(place):
    def test(self):
        self.check_place(*place)
    setattr(Characters, "test_" + place[0], test)


for _place in PLACES:
    add(_place)

if __name__ == "__main__":
    unittest.main()
