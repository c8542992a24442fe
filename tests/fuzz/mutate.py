# SPDX-License-Identifier: Apache-2.0
"""Requests that are nearly right: the cases and corpora of this tree, changed as documents and as bytes."""
import copy
import glob
import json
import os
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [TESTS, os.path.join(TESTS, "conformance")]
import run_cases  # noqa: E402

RUNNER = run_cases.load_runner()
sys.set_int_max_str_digits(0)
LARGEST = 200_000  # bytes of a request: larger ones find nothing that these don't, and fewer of them are sent

VALUES = [None, True, False, 0, 1, -1, 255, 2**31, 2**63, 2**64 - 1, 10**30, 0.5, 1e308, "", " ", "\x00", "\u00e9",
          "\U0001f600", "a" * 300, "toolu_1", "srvtoolu_1", [], {}, [[]], [{}], {"type": "text", "text": "t"},
          {"type": "tool_use", "id": "toolu_1", "name": "n", "input": {}},
          {"type": "server_tool_use", "id": "srvtoolu_1", "name": "advisor", "input": {}},
          {"type": "tool_result", "tool_use_id": "toolu_1", "content": "c"},
          {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
          {"type": "thinking", "thinking": "t", "signature": "c2ln"},
          {"type": "compaction", "content": "c"}, {"role": "system", "content": "s"},
          {"role": "assistant", "content": []}, {"role": "user", "content": None}]

BLOCKS = [v for v in VALUES if isinstance(v, dict) and "type" in v]

# Parameters that are put where they may not belong, and that meet each other.
PARAMETERS = {
    "betas": [[], "advisor-tool-2026-03-01", ["context-1m-2025-08-07", "x"], 5],
    "target": [{"endpoint": "anthropic"}, {"endpoint": "bedrock"}, {"endpoint": "vertex"}, {"endpoint": "none"}],
    "policy": ["conservative", "preserve", {"base": "preserve"}, {"thinking": "strip"}, {"orphans": "textify"}],
    "dialect": ["anthropic", "fantasy", "ai-sdk", "nonsense"],
    "provider": ["anthropic", "gemini"],
    "guard": [True, False], "return": ["patch", "messages", "report", "splices"],
    "max_violations": [0, 1, 10_000, 2**31], "timeout_ms": [1, 60_000, 0], "provenance": ["wire", "rebuilt"],
    "seals": [[], [{"seal": {}}], [{"message_index": 1, "seal": {"v": 1}}]], "carry_in": [[], [{"id": "toolu_1"}]],
    "stop_reason": ["pause_turn", "tool_use", None], "emit": ["sse", "events", "parts"], "max_buffer": [1, 1000],
    "caller": ["agent-7", "a b", 7], "stream": ["s", "t", ""], "echo": [1], "data": ["data: {}\n\n", "event: x\n"], "events": [[], [{}]],
}
METHODS = ["validate", "repair", "repair_turn", "splice", "tools", "seal", "prepare", "pair", "explain", "report_miss", "redact", "detect",
           "stream.open", "stream.feed", "stream.end", "ping", "health", "stats", "info", "nonsense"]
BYTES = [b"", b"\x00", b"\xff", b"\xc0", b"\xdd\xff\xff\xff\xff", b"\xdf\x7f\xff\xff\xff", b'"', b"\\", b"\\ud800", b"{", b"[",
         b"]", b"}", b",", b":", b"1e999", b"-", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"[" * 300, b'{"a":' * 300, b"\r", b" "]


def seeds():
    """Requests as documents, without ids: each case's, in the order of the files."""
    found = []
    for _, case in run_cases.cases():
        steps = case.get("steps") or [case]
        calls = [(s["method"], s.get("params") or {}) for s in steps if "method" in s]
        found += [{"method": m, "params": p} for m, p in calls if len(json.dumps(p)) < LARGEST]
    for path in sorted(glob.glob(os.path.join(TESTS, "corpus", "request", "*.json"))):
        with open(path, "rb") as f:
            document = parsed(f.read())
        if isinstance(document, dict):
            document.pop("id", None)
            found.append(document)
    return found


def parsed(payload):
    """The document, ... where nobody but the daemon can say."""
    try:
        if payload.lstrip(b" \t\r\n")[:1] in (b"{", b"["):
            return json.loads(payload.decode("utf-8"))
        document, end = RUNNER.mp_dec(payload)
        return document if end == len(payload) else ...
    except (ValueError, TypeError, IndexError, RecursionError, UnicodeError):
        return ...


def places(document):
    """(container, key) of everything inside a document."""
    found, waiting = [], [document]
    while waiting:
        here = waiting.pop()
        items = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
        for key, value in items:
            found.append((here, key))
            waiting.append(value)
    return found


class Mutator:
    """Draws requests. All that is random comes from `random`."""

    def __init__(self, random, documents):
        self.random, self.documents = random, documents

    def document(self):
        random = self.random
        document = copy.deepcopy(random.choice(self.documents))
        for _ in range(random.choice((0, 1, 1, 2, 3, 8))):
            random.choice((self.replace, self.replace, self.remove, self.repeat, self.swap, self.borrow, self.rename,
                           self.parameter, self.parameter, self.method, self.block, self.block, self.role))(document)
        if random.random() < 0.95:
            document["id"] = random.choice((1, "a", None, 2**53, "\u00e9", -1.5, random.randrange(10**6)))
        if random.random() < 0.3:
            document["jsonrpc"] = "2.0"
        return document

    def place(self, document):
        found = places(document)
        return self.random.choice(found) if found else (document, "params")

    def replace(self, document):
        here, key = self.place(document)
        here[key] = copy.deepcopy(self.random.choice(VALUES))

    def remove(self, document):
        here, key = self.place(document)
        if not isinstance(here, dict) or key in here:
            del here[key]

    def repeat(self, document):
        here, key = self.place(document)
        if isinstance(here, list):
            times = self.random.choice((1, 1, 2, 10, 200))
            if len(json.dumps(here[key])) * times < LARGEST:
                here[key:key] = [copy.deepcopy(here[key]) for _ in range(times)]
        elif key in here:
            here[key] = [here[key]] * 2

    def swap(self, document):
        here, key = self.place(document)
        if isinstance(here, list):
            other = self.random.randrange(len(here))
            here[key], here[other] = here[other], here[key]

    def borrow(self, document):
        """Something of another request."""
        source, at = self.place(self.random.choice(self.documents))
        here, key = self.place(document)
        if not isinstance(source, dict) or at in source:
            here[key] = copy.deepcopy(source[at])

    def rename(self, document):
        here, key = self.place(document)
        if isinstance(here, dict) and key in here:
            here[self.random.choice((key + "x", "type", "id", "role", "content", "text", "input", ""))] = here.pop(key)

    def parameter(self, document):
        if isinstance(document.get("params"), dict):
            name = self.random.choice(list(PARAMETERS))
            document["params"][name] = copy.deepcopy(self.random.choice(PARAMETERS[name]))

    def message(self, document):
        """One of the history's, or an empty one."""
        params = document.get("params")
        body = params.get("request", params) if isinstance(params, dict) else None
        messages = body.get("messages") if isinstance(body, dict) else None
        found = [m for m in messages if isinstance(m, dict)] if isinstance(messages, list) else []
        return self.random.choice(found) if found else {}

    def block(self, document):
        """A block where one of its kind may not be."""
        content = self.message(document).get("content")
        other = self.message(self.random.choice(self.documents)).get("content")
        blocks = other if isinstance(other, list) and other and self.random.random() < 0.5 else BLOCKS
        if isinstance(content, list):
            content.insert(self.random.randrange(len(content) + 1), copy.deepcopy(self.random.choice(blocks)))

    def role(self, document):
        message = self.message(document)
        message["role"] = self.random.choice(("user", "assistant", "system", "tool", "model"))
        if isinstance(message.get("content"), str) and self.random.random() < 0.5:
            message["content"] = [{"type": "text", "text": message["content"]}]

    def method(self, document):
        document["method"] = self.random.choice(METHODS)

    def payload(self, json_only):
        """A request's bytes, most of the time as they should be."""
        random = self.random
        document = self.document()
        payload = None
        if not json_only and random.random() < 0.5:
            try:
                payload = RUNNER.mp_enc(document)
            except Exception:  # an integer that msgpack doesn't have
                pass
        if payload is None:
            separators = random.choice(((",", ":"), (", ", ": ")))
            payload = json.dumps(document, separators=separators, ensure_ascii=random.random() < 0.5).encode(
                "utf-8", "surrogatepass")
        while random.random() < 0.25:
            payload = self.bytes(payload)
        return payload[:4 * LARGEST]

    def bytes(self, payload):
        random = self.random
        at = random.randrange(len(payload) + 1)
        end = min(len(payload), at + random.choice((0, 1, 1, 4, 100)))
        how = random.randrange(4)
        if how == 0:  # one byte
            return payload[:at] + bytes([random.randrange(256)]) + payload[at + 1:]
        if how == 1:  # something instead of something
            return payload[:at] + random.choice(BYTES) + payload[end:]
        if how == 2:  # something twice
            return payload[:end] + payload[at:]
        return payload[:at]
