# SPDX-License-Identifier: Apache-2.0
"""Random streams: what a provider sends, what a broken gateway makes of it, and how it is fed.

A Stream holds the parameters of stream.open, the events as values, how the stream ends, and how it
is cut into feeds. Most streams are whole; faults are put in one at a time.
"""
import base64
import json
import random

CALLS = [("server_tool_use", "web_search", "web_search_tool_result"),
         ("server_tool_use", "web_fetch", "web_fetch_tool_result"),
         ("server_tool_use", "bash_code_execution", "bash_code_execution_tool_result"),
         ("server_tool_use", "tool_search_tool_bm25", "tool_search_tool_result"),
         ("server_tool_use", "browse_next", "browse_next_tool_result"),
         ("mcp_tool_use", "echo", "mcp_tool_result"),
         ("image_tool_use", "draw", "image_tool_result"),
         ("next_tool_use", "web_search", "web_search_tool_result")]
WORDS = ["kestrel", "", "\u00e9t\u00e9", "line 1\nline 2", 'say "hi" \\ /', "\U0001f600", " ", "\u2028x", "a\u0000b"]
STOPS = ["end_turn"] * 5 + ["pause_turn"] * 3 + ["tool_use"] * 3 + ["max_tokens", "refusal", "new_reason"]
UNKNOWN_EVENTS = [{"type": "future_event", "n": 1}, {"type": "x\ny"}, {"type": "vertex_event", "index": 7}]


def random_cuts(rng, size):
    return sorted(rng.randrange(size + 1) for _ in range(rng.choice([0, 1, 3, 10])))


class Stream:
    def __init__(self, rng):
        self.rng = rng
        self.ids = 0
        self.codec = rng.choice(["json", "msgpack"])
        self.as_bytes = rng.random() < 0.5
        self.params = {"emit": rng.choice(["parts", "events", "sse"])}
        if rng.random() < 0.5:
            self.params["provider_input"] = rng.choice(["whole", "deltas"])
        if rng.random() < 0.1:
            self.params["policy"] = {"unknown_tools": "error"}
        self.used = []       # ids of calls that came
        self.carried = []    # (id, result type) that a result may name
        self.open_calls = []
        self.events = []
        self.blocks = 0
        self.draw_before()
        self.draw_events()
        if rng.random() < 0.4:
            for _ in range(rng.choice([1, 1, 2])):
                if self.events:
                    self.spoil()
        self.bytes = self.sse(rng) if self.as_bytes else None
        self.transport = rng.choice([None] * 8 + ["reset", ""])

    def chance(self, p):
        return self.rng.random() < p

    def new_id(self, head="srvtoolu_"):
        self.ids += 1
        return "%s%d" % (head, self.ids)

    def word(self):
        return self.rng.choice(WORDS)

    # -- what came before ----------------------------------------------------------------------

    def draw_before(self):
        if self.chance(0.25):
            self.params["history"] = self.history()
        if self.chance(0.2):
            entries = []
            for kind, name, result in self.rng.sample(CALLS, self.rng.choice([1, 2])):
                entry = {"id": self.new_id("carried_")}
                if self.chance(0.7):
                    entry["name"] = self.rng.choice([name, name, None])
                if self.chance(0.7):
                    entry["type"] = self.rng.choice([kind, kind, None])
                entries.append(entry)
                self.carried.append((entry["id"], result))
            self.params["carry_in"] = entries

    def history(self):
        """A conversation whose last turn may have left calls open."""
        messages = [{"role": "user", "content": "q"}]
        for last in [False] * self.rng.choice([0, 1]) + [True]:
            content = [{"type": "text", "text": "t"}]
            for _ in range(self.rng.choice([0, 1, 2])):
                kind, name, result = self.rng.choice(CALLS)
                call = {"type": kind, "id": self.new_id("old_"), "name": name, "input": {}}
                content.append(call)
                self.used.append(call["id"])
                if self.chance(0.5):
                    content.append({"type": result, "tool_use_id": call["id"], "content": self.content(result)})
                elif last:
                    self.carried.append((call["id"], result))
            if self.chance(0.15):
                content.insert(self.rng.randrange(len(content) + 1), {"type": "fallback"})
            client = self.chance(0.4)
            if client:
                content.append({"type": "tool_use", "id": self.new_id("toolu_"), "name": "f", "input": {}})
            messages.append({"role": "assistant", "content": content})
            if client:
                result = {"type": "tool_result", "tool_use_id": content[-1]["id"], "content": "r"}
                messages.append({"role": "user", "content": [result]})
            if not last:
                messages.append({"role": "user", "content": "go on"})
        return messages

    # -- blocks --------------------------------------------------------------------------------

    def content(self, result_type):
        if self.chance(0.2):
            return {"type": result_type + "_error", "error_code": "unavailable"}
        if result_type == "web_search_tool_result":
            return [{"type": "web_search_result", "url": "https://e.x/%d" % i, "title": self.word(),
                     "encrypted_content": "E" * self.rng.choice([1, 700]), "page_age": None} for i in range(2)]
        if result_type == "mcp_tool_result":
            return [{"type": "text", "text": self.word()}]
        return {"type": result_type.replace("_tool_result", "_result"), "stdout": self.word(), "n": [1, 2.5, True]}

    def event(self, kind, **members):
        self.events.append({"type": kind, **members})

    def start(self, block):
        self.event("content_block_start", index=self.blocks, content_block=block)
        self.blocks += 1
        return self.blocks - 1

    def delta(self, at, kind, **members):
        self.event("content_block_delta", index=at, delta={"type": kind, **members})

    def pieces(self, text):
        cuts = random_cuts(self.rng, len(text))
        return [text[a:b] for a, b in zip([0] + cuts, cuts + [len(text)])]

    def text_block(self):
        block = {"type": "text", "text": self.rng.choice(["", "", self.word()])}
        if self.chance(0.2):
            block["citations"] = self.rng.choice([None, [], [{"type": "c", "n": 1}]])
        if self.chance(0.1):
            block["extra"] = {"k": [None, 1.5]}
        at = self.start(block)
        yield at
        for _ in range(self.rng.randrange(4)):
            if self.chance(0.15):
                self.delta(at, "citations_delta", citation={"type": "char", "cited_text": self.word()})
            elif self.chance(0.1):
                self.delta(at, "future_delta", x=1)
            else:
                self.delta(at, "text_delta", text=self.word())
            yield at

    def thinking_block(self):
        if self.chance(0.3):
            yield self.start({"type": "redacted_thinking", "data": "RD"})
            return
        at = self.start({"type": "thinking", "thinking": "", "signature": ""})
        yield at
        for _ in range(self.rng.randrange(3)):
            self.delta(at, "thinking_delta", thinking=self.word())
            yield at
        if self.chance(0.8):
            self.delta(at, "signature_delta", signature="c2ln")
        yield at

    def call_block(self, kind, name, result):
        call = {"type": kind, "id": self.new_id(), "name": name,
                "input": self.rng.choice([{}, {}, {}, {"query": "s"}, None, ""])}
        if self.chance(0.1):
            call["caller"] = {"type": "code_execution_20260120", "tool_id": self.rng.choice(["nobody"] + self.used)}
        elif self.chance(0.1):
            call["caller"] = {"type": "direct"}
        at = self.start(call)
        self.used.append(call["id"])
        if kind == "tool_use":
            yield at
        else:
            self.open_calls.append((call["id"], result))
            yield at
        text = self.rng.choice(["", " ", '{"query":"www"}', '{ "a" : 1.0 , "b":[ "\\u00e9" ] }', '{"q":"x"}'])
        if kind == "tool_use" and self.chance(0.1):
            text = self.rng.choice(['{"a', "[1]", '{"a":1,"a":2}'])
        for piece in self.pieces(text):
            self.delta(at, "input_json_delta", partial_json=piece)
            yield at

    def result_block(self, ident, kind):
        block = {"type": kind, "tool_use_id": ident, "content": self.content(kind)}
        if self.chance(0.1):
            del block["content"]
        if self.chance(0.1):
            block["is_error"] = self.rng.choice([True, False])
        yield self.start(block)

    def other_block(self):
        kind = self.rng.choice(["compaction", "container_upload", "fallback", "fallback", "future", "tool_result"])
        at = self.start({"type": kind, **({"content": None} if kind == "compaction" else {"index": 9})})
        yield at
        if kind == "compaction" and self.chance(0.7):
            self.delta(at, "compaction_delta", content=self.rng.choice(["sum", None]), encrypted_content="enc")
            yield at
        if kind == "future" and self.chance(0.5):
            self.delta(at, "text_delta", text="x")
            yield at

    def draw_block(self):
        waiting = self.open_calls + self.carried
        if waiting and self.chance(0.5):
            chosen = self.rng.choice(waiting)
            (self.open_calls if chosen in self.open_calls else self.carried).remove(chosen)
            return self.result_block(*chosen)
        draw = self.rng.random()
        if draw < 0.35:
            return self.call_block(*self.rng.choice(CALLS))
        if draw < 0.47:
            return self.call_block("tool_use", "get_time", None)
        if draw < 0.57:
            return self.thinking_block()
        return self.other_block() if draw < 0.7 else self.text_block()

    # -- the message ---------------------------------------------------------------------------

    def prefilled(self):
        """Blocks that come with message_start: drawn as a stream, then taken whole."""
        kept, self.events = self.events, []
        for _ in range(self.rng.choice([1, 2, 3])):
            for _ in self.draw_block():
                pass
        starts = [e["content_block"] for e in self.events if e["type"] == "content_block_start"]
        self.events = kept
        return starts

    def draw_events(self):
        message = {"id": self.rng.choice(["msg_1", "msg_1", None]), "type": "message", "role": "assistant",
                   "model": "m", "content": [], "stop_reason": None,
                   "usage": {"input_tokens": self.rng.choice([0, 7]), "output_tokens": 1}}
        if self.chance(0.2):
            message["content"] = self.prefilled()
        if self.chance(0.1):
            message["container"] = {"id": "c", "expires_at": "t"}
        self.event("message_start", message=message)
        running = []
        for _ in range(self.rng.randrange(7)):
            running.append([self.draw_block(), None])
            while running and (len(running) > 1 or self.chance(0.9)):
                self.step(running)
                if len(running) == 1 and self.chance(0.1):
                    break
        while running:
            self.step(running)
        if self.chance(0.6):
            self.answer_all()
        self.draw_end()

    def step(self, running):
        """One more event of one of the blocks that are open."""
        if self.chance(0.05):
            self.events.append(dict(self.rng.choice(UNKNOWN_EVENTS + [{"type": "ping"}])))
        entry = self.rng.choice(running)
        try:
            entry[1] = next(entry[0])
        except StopIteration:
            running.remove(entry)
            if entry[1] is not None and not self.chance(0.02):
                self.event("content_block_stop", index=entry[1])

    def answer_all(self):
        for ident, kind in self.open_calls + (self.carried if self.chance(0.9) else []):
            for at in self.result_block(ident, kind):
                self.event("content_block_stop", index=at)

    def draw_end(self):
        usage = {"output_tokens": 5} if self.chance(0.9) else {"input_tokens": 3, "output_tokens": None}
        reason = self.rng.choice(STOPS)
        if self.chance(0.95):
            self.event("message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage=usage)
        if self.chance(0.1):
            self.event("message_delta", delta={"stop_reason": None, "container": {"id": "d"}})
        if self.chance(0.04):
            error = {"type": self.rng.choice(["overloaded_error", "invalid_request_error"]), "message": "m"}
            self.event("error", error=error, request_id="r")
        elif self.chance(0.95):
            self.event("message_stop")

    # -- faults --------------------------------------------------------------------------------

    def spoil(self):
        """One thing that a provider or a gateway does wrong."""
        at = self.rng.randrange(len(self.events))
        e = json.loads(json.dumps(self.events[at]))
        way = self.rng.randrange(9)
        if way == 0:
            del self.events[at]
        elif way == 1:
            self.events.insert(at, e)
        elif way == 2:
            other = self.rng.randrange(len(self.events))
            self.events[at], self.events[other] = self.events[other], self.events[at]
        elif way == 3:
            del self.events[at:]
        elif way == 4 and isinstance(e.get("index"), int):
            e["index"] = self.rng.choice([e["index"] + 1, 0, -1, None, 1.5])
            self.events[at] = e
        elif way == 5 and "content_block" in e:
            block = e["content_block"]
            member = self.rng.choice([m for m in ("id", "tool_use_id", "name", "type", "text") if m in block])
            block[member] = self.rng.choice(["", " ", None, 3, "web_fetch_tool_result"] + self.used)
            self.events[at] = e
        elif way == 6 and "delta" in e and e["type"] == "content_block_delta":
            e["delta"] = self.rng.choice([{"type": "thinking_delta", "thinking": "x"}, {"type": "text_delta"}, 3,
                                          {"type": "signature_delta", "signature": ""}])
            self.events[at] = e
        elif way == 7:
            e["type"] = self.rng.choice(["message_stop", "future_event", None, "error"])
            self.events[at] = e
        else:
            second = {"id": self.rng.choice(["msg_1", "msg_2"]), "content": []}
            self.events.insert(at, {"type": "message_start", "message": second})

    # -- feeding -------------------------------------------------------------------------------

    def feeds(self, rng):
        """Parameters of stream.feed, one after the other."""
        if self.as_bytes:
            cuts = random_cuts(rng, len(self.bytes))
            for a, b in zip([0] + cuts, cuts + [len(self.bytes)]):
                yield self.bytes_params(rng, self.bytes[a:b])
        else:
            cuts = random_cuts(rng, len(self.events))
            for a, b in zip([0] + cuts, cuts + [len(self.events)]):
                yield {"events": self.events[a:b]}

    def bytes_params(self, rng, piece):
        if self.codec == "msgpack":
            return {"data": piece}
        try:
            if rng.random() < 0.7:
                return {"data": piece.decode()}
        except UnicodeDecodeError:
            pass
        return {"data_base64": base64.b64encode(piece).decode()}

    def sse(self, rng):
        out = b"\xef\xbb\xbf" if rng.random() < 0.1 else b""
        for e in self.events:
            out += self.frame(rng, e)
        return out

    @staticmethod
    def frame(rng, e):
        end = rng.choice(["\n", "\n", "\r\n", "\r"])
        lines = []
        if isinstance(e.get("type"), str) and not any(c in e["type"] for c in "\r\n") and rng.random() < 0.8:
            lines.append("event:%s%s" % (rng.choice(["", " "]), e["type"]))
        if rng.random() < 0.1:
            lines.append(rng.choice([": comment", "id: 3", "retry", ":"]))
        text = json.dumps(e, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None] * 5 + [1]),
                          separators=rng.choice([(",", ":"), (", ", ": ")]))
        lines += ["data:%s%s" % (rng.choice(["", " "]), line) for line in text.split("\n")]
        return (end.join(lines) + end + end).encode()


def draw(seed, number):
    return Stream(random.Random("stream %s/%d" % (seed, number)))
