# SPDX-License-Identifier: Apache-2.0
"""STREAM.md as a program that takes no care of time or memory.

    m = Model(emit="parts"); for e in events: m.feed(e); m.end(transport=None)
    m.outputs, m.state, m.error, m.finish, m.message, m.warnings

Events are values. What a daemon answers must be equal by value, but for `text`, which is for people.
"""
import collections
import json

RESULT_OF = {n: n + "_tool_result" for n in ("web_search", "web_fetch", "code_execution", "bash_code_execution",
                                             "text_editor_code_execution", "advisor")}
RESULT_OF.update({"tool_search_tool_" + n: "tool_search_tool_result" for n in ("regex", "bm25")})
LISTED = set(RESULT_OF.values()) | {"mcp_tool_result"}
DELTAS = {"text_delta": ("text", str), "citations_delta": ("citation", dict), "thinking_delta": ("thinking", str),
          "signature_delta": ("signature", str), "input_json_delta": ("partial_json", str),
          "compaction_delta": ("content", str)}
TAKES = {"text": ("text_delta", "citations_delta"), "thinking": ("thinking_delta", "signature_delta"),
         "call": ("input_json_delta",), "client": ("input_json_delta",), "compaction": ("compaction_delta",)}
REASON = {"end_turn": "stop", "pause_turn": "stop", "stop_sequence": "stop", "max_tokens": "length",
          "model_context_window_exceeded": "length", "tool_use": "tool_calls", "refusal": "content_filter",
          "content_filtered": "content_filter", "guardrail_intervened": "content_filter"}
TRANSIENT = {"overloaded_error", "api_error", "rate_limit_error", "timeout_error", "server_error", "internal_error"}
EVENTS = ("message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta",
          "message_stop", "ping", "error")


class Fault(Exception):
    def __init__(self, kind, **members):
        super().__init__(kind)
        self.kind, self.members = kind, members


class Malformed(Exception):
    pass


def is_blank(text):
    return not isinstance(text, str) or text.strip("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
                                                   + "".join(map(chr, range(0x2000, 0x200b)))) == ""


def is_object(v):
    return isinstance(v, dict)


def is_int(v):
    return isinstance(v, int) and not isinstance(v, bool)


def role_of(block):
    kind = block["type"]
    if kind in ("text", "thinking", "redacted_thinking", "compaction", "fallback"):
        return kind
    if kind == "container_upload":
        return "opaque"
    if kind == "tool_use":
        return "client"
    if kind in ("server_tool_use", "mcp_tool_use"):
        return "call"
    if kind.endswith("_tool_use") and not is_blank(block.get("id")):
        return "call"
    return "result" if kind.endswith("_tool_result") else "unknown"


class Operation:
    def __init__(self, ident, name, kind, state):
        self.id, self.name, self.type, self.state = ident, name, kind, state
        self.call = self.result = None
        self.result_stopped = False

    def expected(self):
        return "mcp_tool_result" if self.type == "mcp_tool_use" else RESULT_OF.get(self.name)

    def takes(self, kind):
        if self.name is None and self.call is None and self.expected() is None:
            return True
        return kind == self.expected() if self.expected() else kind not in LISTED


class Block:
    def __init__(self, at, start, prefilled):
        self.at, self.start, self.prefilled = at, start, prefilled
        self.role = role_of(start)
        self.op, self.stopped, self.deltas = None, False, []
        self.input = self.raw = None
        self.waiting = []
        self.out = None

    def joined(self, kind):
        return "".join(d[DELTAS[kind][0]] or "" for d in self.deltas if d["type"] == kind)

    def is_abandoned(self):
        return self.op is not None and self.op.state == "ABANDONED"

    def folded(self):
        b, kinds = dict(self.start), [d["type"] for d in self.deltas]
        for kind, member in (("text_delta", "text"), ("thinking_delta", "thinking"), ("compaction_delta", "content")):
            if any(d["type"] == kind and d.get(member) is not None for d in self.deltas):
                b[member] = (b.get(member) or "") + "".join(d.get(member) or "" for d in self.deltas
                                                            if d["type"] == kind)
        if "citations_delta" in kinds:
            b["citations"] = (b.get("citations") or []) + [d["citation"] for d in self.deltas
                                                           if d["type"] == "citations_delta"]
        for d in self.deltas:
            if d["type"] == "signature_delta":
                b["signature"] = d["signature"]
            if "encrypted_content" in d:
                b["encrypted_content"] = d["encrypted_content"]
        if self.role in ("call", "client") and self.stopped and not self.is_abandoned():
            b["input"] = self.input if self.raw is None else {"rawInvalidInput": self.raw}
        return b


class Model:
    def __init__(self, emit="parts", provider_input="whole", carried=(), seen=(), answered=(), strict=False,
                 max_buffer=None):
        self.emit, self.whole, self.strict = emit, provider_input == "whole", strict
        self.seen = {i: None for i in seen}
        self.answered = {i: None for i in answered}
        self.ops = collections.OrderedDict()
        for c in carried:
            self.ops[c["id"]] = Operation(c["id"], c["name"], c["type"], "CARRIED")
            self.seen.setdefault(c["id"], None)
        self.state, self.begun, self.over, self.client_call = "open", False, False, False
        self.blocks, self.outputs, self.warnings = [], [], collections.Counter()
        self.error = self.finish = self.message = None
        self.facts = {"stop_reason": None}
        self.usage = {"start": None, "delta": None}
        self.queue_start, self.prefilled, self.head, self.left, self.live = None, 0, 0, 0, False
        self.tail = []

    # -- shape ---------------------------------------------------------------------------------

    def check_block(self, b):
        if not is_object(b) or not isinstance(b.get("type"), str):
            raise Malformed
        for kind, member, wanted in (("text", "text", str), ("text", "citations", (list, type(None))),
                                     ("thinking", "thinking", str), ("thinking", "signature", str)):
            if b["type"] == kind and member in b and not isinstance(b[member], wanted):
                raise Malformed

    def check_reason(self, holder):
        if not isinstance(holder.get("stop_reason"), (str, type(None))):
            raise Malformed

    def check(self, e):
        kind = e["type"]
        if kind.startswith("content_block_") and kind in EVENTS and not is_int(e.get("index")):
            raise Malformed
        if kind == "message_start":
            if not is_object(e.get("message")):
                raise Malformed
            self.check_reason(e["message"])
            content = e["message"].get("content")
            if not isinstance(content, (list, type(None))):
                raise Malformed
            for b in content or []:
                self.check_block(b)
        elif kind == "content_block_start":
            self.check_block(e.get("content_block"))
        elif kind == "content_block_delta":
            d = e.get("delta")
            if not is_object(d) or not isinstance(d.get("type"), str):
                raise Malformed
            if d["type"] == "compaction_delta":
                if not ({"content", "encrypted_content"} & set(d)) or not all(
                        isinstance(d.get(m), (str, type(None))) for m in ("content", "encrypted_content")):
                    raise Malformed
            elif d["type"] in DELTAS and not isinstance(d.get(DELTAS[d["type"]][0]), DELTAS[d["type"]][1]):
                raise Malformed
        elif kind == "message_delta" and "delta" in e:
            if not is_object(e["delta"]):
                raise Malformed
            self.check_reason(e["delta"])

    # -- events --------------------------------------------------------------------------------

    def feed(self, e):
        if self.state != "open":
            return
        kind = e.get("type")
        try:
            if not isinstance(kind, str):
                kind = None
                raise Malformed
            self.check(e)
            if not self.begun and (kind.startswith("content_block_") or kind.startswith("message_")) \
                    and kind in EVENTS and kind != "message_start":
                raise Fault("event_before_message_start", event=kind)
            getattr(self, "on_" + kind if kind in EVENTS else "on_unknown")(e)
            if self.state == "open":
                self.release()
        except Malformed:
            self.fail(Fault("malformed_event", event=kind))
        except Fault as f:
            self.fail(f)

    def on_message_start(self, e):
        m = e["message"]
        ident = m.get("id") if isinstance(m.get("id"), str) else None
        if self.begun:
            if ident != self.facts["id"]:
                raise Fault("duplicate_message_start", id=ident)
            self.warnings["repeated_message_start"] += 1
            return
        self.begun = True
        self.facts.update(id=ident, model=m.get("model") if isinstance(m.get("model"), str) else None)
        self.take_end(m)
        if is_object(m.get("usage")):
            self.usage["start"] = m["usage"]
        for b in m.get("content") or []:
            self.start(b, None)
            self.stop(self.blocks[-1], None)
        self.prefilled, self.queue_start = len(self.blocks), e
        if not self.prefilled:
            self.put_event(e)
            self.queue_start = None

    def take_end(self, holder):
        if holder.get("stop_reason"):
            self.facts["stop_reason"] = holder["stop_reason"]
        for member, kind in (("stop_sequence", str), ("stop_details", dict), ("container", dict)):
            if isinstance(holder.get(member), kind):
                self.facts[member] = holder[member]

    def on_content_block_start(self, e):
        if e["index"] != len(self.blocks):
            raise Fault("index_gap", wire_index=e["index"], expected=len(self.blocks))
        self.start(e["content_block"], e)

    def block(self, e):
        if not 0 <= e["index"] < len(self.blocks):
            raise Fault("unknown_index", wire_index=e["index"])
        b = self.blocks[e["index"]]
        if b.stopped:
            raise Fault("block_already_stopped", wire_index=e["index"])
        return b

    def on_content_block_delta(self, e):
        b, d = self.block(e), e["delta"]
        if d["type"] in TAKES.get(b.role, ()):
            b.deltas.append(d)
            self.part_delta(b, d)
        elif d["type"] in DELTAS and b.role != "unknown":
            raise Fault("delta_type_mismatch", wire_index=b.at, delta_type=d["type"], block_type=b.start["type"])
        else:
            self.warnings["unknown_delta"] += 1
        if b.role != "call" or not self.whole:
            self.block_event(b, e)

    def on_content_block_stop(self, e):
        self.stop(self.block(e), e)

    def on_message_delta(self, e):
        self.take_end(e.get("delta", {}))
        if is_object(e.get("usage")):
            self.usage["delta"] = e["usage"]
        self.tail.append(e)

    def on_message_stop(self, e):
        self.over = True
        self.tail.append(e)
        self.conclude(None)

    def on_ping(self, e):
        self.put_event({"type": "ping"})

    def on_error(self, e):
        inner = e.get("error") if is_object(e.get("error")) else {}
        text = lambda m: inner[m] if isinstance(inner.get(m), str) else ""
        cause = Fault("provider_error", error_type=text("type"), message=text("message"))
        if isinstance(e.get("request_id"), str):
            cause.members["request_id"] = e["request_id"]
        cause.retryable, cause.event = text("type") in TRANSIENT, e
        self.conclude(cause)

    def on_unknown(self, e):
        self.warnings["unknown_event"] += 1
        if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in e["type"]):
            return
        last = self.blocks[-1] if self.blocks else None
        if last is None or last.at < self.head or (self.live and self.head == last.at):
            self.put_event(e)
        else:
            last.waiting.append((e, False))

    # -- blocks and operations -----------------------------------------------------------------

    def start(self, v, e):
        b = Block(len(self.blocks), v, e is None)
        self.blocks.append(b)
        caller = v.get("caller")
        if is_object(caller) and isinstance(caller.get("tool_id"), str) and caller.get("type") != "direct" \
                and caller["tool_id"] not in self.ops:
            self.warnings["caller_reference_dangling"] += 1
        if b.role in ("call", "client"):
            self.call_starts(b, v)
        elif b.role == "result":
            self.result_starts(b, v)
        elif b.role == "fallback":
            for op in self.ops.values():
                if op.state in ("OPENING", "INPUT_COMPLETE") and op.result is None:
                    op.state = "ABANDONED"
                    self.warnings["abandoned_call"] += 1
        self.part_start(b, v)
        if e is not None:
            self.block_event(b, e, True)

    def call_starts(self, b, v):
        ident, name, kind = v.get("id"), v.get("name"), v["type"]
        if b.role == "call" and kind not in ("server_tool_use", "mcp_tool_use") and is_blank(name):
            name = kind[:-len("_tool_use")]
        if is_blank(ident):
            raise Fault("missing_id", wire_index=b.at)
        if is_blank(name):
            raise Fault("missing_name", id=ident, wire_index=b.at)
        if ident in self.seen:
            raise Fault("duplicate_operation", id=ident, wire_index=b.at, first_index=self.seen[ident])
        if b.role == "client":
            self.client_call = True
        else:
            known = kind == "mcp_tool_use" or (kind == "server_tool_use" and name in RESULT_OF)
            if not known and self.strict:
                raise Fault("unknown_tool", id=ident, name=name, wire_index=b.at)
            self.warnings["unknown_tool"] += not known
            b.op = self.ops[ident] = Operation(ident, name, kind, "OPENING")
            b.op.call = b
        self.seen[ident] = b.at

    def result_starts(self, b, v):
        ident = v.get("tool_use_id") if isinstance(v.get("tool_use_id"), str) else ""
        if ident in self.answered:
            raise Fault("duplicate_result", id=ident, wire_index=b.at, first_index=self.answered[ident])
        op = self.ops.get(ident)
        if op is None or op.state not in ("OPENING", "INPUT_COMPLETE", "CARRIED"):
            raise Fault("orphan_result", id=ident, result_type=v["type"], wire_index=b.at)
        if not op.takes(v["type"]):
            raise Fault("result_type_mismatch", id=ident, expected=op.expected(), got=v["type"], wire_index=b.at)
        b.op, op.result = op, b
        self.answered[ident] = b.at

    def stop(self, b, e):
        b.stopped = True
        if b.role in ("call", "client") and not b.is_abandoned():
            self.complete_input(b)
        if b.role == "call" and b.op.state == "OPENING":
            b.op.state = "INPUT_COMPLETE"
        if b.role == "result":
            b.op.result_stopped = True
        self.part_stop(b)
        if b.op and b.op.result_stopped and b.op.state in ("INPUT_COMPLETE", "CARRIED"):
            b.op.state = "COMPLETED"
            self.part_operation(b.op)
        if e is not None:
            self.block_event(b, e)

    def complete_input(self, b):
        text, start = b.joined("input_json_delta"), b.start.get("input")
        if not text.strip(" \t\n\r"):
            b.input = {} if start in (None, "") else start
            good, raw = is_object(b.input), json.dumps(start, separators=(",", ":"), ensure_ascii=False)
        else:
            self.warnings["input_conflict"] += start not in (None, "", {}, [])
            good, raw = True, text
            try:
                b.input = json.loads(text, object_pairs_hook=self.pairs, parse_constant=self.refuse)
                good = is_object(b.input) and depth_of(b.input) <= 256 and not has_surrogate(b.input)
            except ValueError:
                good = False
        if not good and b.role == "call":
            raise Fault("invalid_input_json", id=b.op.id, wire_index=b.at)
        if not good:
            self.warnings["invalid_client_input"] += 1
            b.raw = raw

    @staticmethod
    def pairs(items):
        if len(dict(items)) != len(items):
            raise ValueError("duplicate key")
        return dict(items)

    @staticmethod
    def refuse(name):
        raise ValueError(name)

    # -- the end -------------------------------------------------------------------------------

    def end(self, transport=None):
        if self.state != "open":
            return
        cause = None
        if transport is not None:
            cause = Fault("transport_error", transport=transport)
            cause.retryable = True
        self.conclude(cause)

    def conclude(self, cause):
        reason = self.facts["stop_reason"]
        left = [o for o in self.ops.values() if o.state not in ("COMPLETED", "ABANDONED")]
        excused = reason == "pause_turn" or (reason == "tool_use" and self.client_call)
        bad = [o for o in left if not excused or o.state == "OPENING" or o.result is not None]
        if not bad and excused:
            for o in left:
                if o.state == "INPUT_COMPLETE":
                    o.state = "DEFERRED"
                    self.part_call(o)
            self.release_all()
        if cause is None and not (self.over and reason):
            cause = Fault("truncated_stream")
            cause.retryable = True
        if bad or cause:
            self.fail_combined(bad, cause)
            return
        self.warnings["unstopped_block"] += sum(not b.stopped and not b.is_abandoned() for b in self.blocks)
        self.state = "done"
        self.finish = self.make_finish()
        self.message = {"role": "assistant", "content": [
            b.folded() for b in self.blocks if not b.is_abandoned()
            and (b.stopped or (b.role == "text" and b.folded().get("text")))]}
        self.put(self.finish)
        self.release_all()
        for e in self.tail:
            self.put_event(e)

    def make_finish(self):
        start, delta = self.usage["start"] or {}, self.usage["delta"] or {}

        def count(holder, member):
            n = holder.get(member)
            return n if is_int(n) and 0 <= n <= 2 ** 53 else 0
        tokens = {m: count(start, m) or count(delta, m)
                  for m in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")}
        tokens["output_tokens"] = count(delta if "output_tokens" in delta else start, "output_tokens")
        tokens["total_tokens"] = tokens["input_tokens"] + tokens["output_tokens"]
        f = self.facts
        return {"type": "finish", "id": f["id"], "model": f["model"],
                "reason": REASON.get(f["stop_reason"], "unknown"), "stop_reason": f["stop_reason"],
                "stop_sequence": f.get("stop_sequence"), "stop_details": f.get("stop_details"),
                "container": f.get("container"), "usage": {**tokens, **self.usage},
                "pending_operations": [{"id": o.id, "name": o.name, "type": o.type} for o in self.ops.values()
                                       if o.state in ("CARRIED", "DEFERRED")]}

    def fail_combined(self, bad, cause):
        kinds, members, retryable = [], {}, False
        if bad:
            kinds, members = ["incomplete_operation"], {"ids": [o.id for o in bad]}
        if cause:
            kinds, retryable = kinds + [cause.kind], cause.retryable
            members.update(cause.members)
        self.put_error(kinds, retryable, members, getattr(cause, "event", None))

    def fail(self, fault):
        self.put_error([fault.kind], fault.kind == "duplicate_message_start", fault.members, None)

    def put_error(self, kinds, retryable, members, event):
        self.state = "failed"
        self.error = {"type": "error", "kind": kinds[0], "kinds": kinds, "retryable": retryable, **members}
        if self.emit != "parts":
            made = {"type": "api_error" if retryable else "invalid_request_error"}
            own = event.get("error") if event and is_object(event.get("error")) else None
            self.error["error"] = own or made
            if self.emit == "sse":
                self.error["data"] = event or {"type": "error", "error": made}
        self.outputs.append(self.error)

    # -- parts ---------------------------------------------------------------------------------

    def put(self, part):
        if self.emit == "parts":
            self.outputs.append(part)

    def indexed(self, b, kind, **members):
        self.put({"type": kind, "id": str(b.at), **members, "wire_index": b.at})

    def part_start(self, b, v):
        if b.role == "text":
            self.indexed(b, "text_start")
            for c in v.get("citations") or []:
                self.indexed(b, "citation", citation=c)
            self.part_delta(b, {"type": "text_delta", "text": v.get("text", "")})
        elif b.role == "thinking":
            self.indexed(b, "reasoning_start")
            self.part_delta(b, {"type": "thinking_delta", "thinking": v.get("thinking", "")})
            self.part_delta(b, {"type": "signature_delta", "signature": v.get("signature", "")})
        elif b.role == "redacted_thinking":
            self.indexed(b, "reasoning_start", **self.redacted(v))
        elif b.role == "client":
            self.put({"type": "tool_input_start", "id": v["id"], "name": v["name"], "provider_executed": False,
                      "wire_index": b.at})

    @staticmethod
    def redacted(v):
        return {"redacted_data": v["data"]} if isinstance(v.get("data"), str) else {}

    def part_delta(self, b, d):
        kind = d["type"]
        if kind == "text_delta" and d["text"]:
            self.indexed(b, "text_delta", delta=d["text"])
        elif kind == "citations_delta":
            self.indexed(b, "citation", citation=d["citation"])
        elif kind == "thinking_delta" and d["thinking"]:
            self.indexed(b, "reasoning_delta", delta=d["thinking"])
        elif kind == "signature_delta" and d["signature"]:
            self.indexed(b, "reasoning_delta", delta="", signature=d["signature"])
        elif kind == "input_json_delta" and d["partial_json"] and b.role == "client":
            self.put({"type": "tool_input_delta", "id": b.start["id"], "delta": d["partial_json"],
                      "provider_executed": False, "wire_index": b.at})

    def part_stop(self, b):
        if b.role == "text":
            self.indexed(b, "text_end")
        elif b.role == "thinking":
            signature = b.folded().get("signature")
            self.indexed(b, "reasoning_end", **({"signature": signature} if signature else {}))
        elif b.role == "redacted_thinking":
            self.indexed(b, "reasoning_end", **self.redacted(b.start))
        elif b.role == "client":
            self.put_call(b, b.start["id"], b.start["name"], False)
        elif b.role not in ("call", "result"):
            self.put({"type": "opaque_block", "block": b.folded(), "wire_index": b.at})

    def put_call(self, b, ident, name, provider):
        self.put({"type": "tool_input_end", "id": ident, "provider_executed": provider, "wire_index": b.at})
        call = {"type": "tool_call", "id": ident, "name": name, "provider_executed": provider, "wire_index": b.at}
        call.update({"input": b.input} if b.raw is None else {"input_raw": b.raw, "input_valid": False})
        for member, kind in (("caller", dict), ("server_name", str), ("toolset_name", str)):
            if isinstance(b.start.get(member), kind):
                call[member] = b.start[member]
        self.put(call)

    def part_call(self, op):
        self.put({"type": "tool_input_start", "id": op.id, "name": op.name, "provider_executed": True,
                  "wire_index": op.call.at})
        self.put_call(op.call, op.id, op.name, True)

    def part_operation(self, op):
        v, at = op.result.start, op.result.at
        content = v.get("content")
        if v["type"] == "web_search_tool_result" and isinstance(content, list):
            for hit in content:
                if is_object(hit) and hit.get("type") == "web_search_result" and isinstance(hit.get("url"), str) \
                        and hit["url"]:
                    title = hit["title"] if isinstance(hit.get("title"), str) else ""
                    self.put({"type": "source", "id": hit["url"], "url": hit["url"], "title": title,
                              "source_type": "url", "tool_call_id": op.id, "wire_index": at})
        if op.call:
            self.part_call(op)
        failed = is_object(content) and isinstance(content.get("type"), str) and content["type"].endswith("_error")
        part = {"type": "tool_result", "id": op.id, "name": op.name or v["type"][:-len("_tool_result")],
                "provider_executed": True, "result_type": v["type"],
                "is_error": failed or v.get("is_error") is True, "wire_index": at}
        if "content" in v:
            part["content"] = content
        if failed and "error_code" in content:
            part["error_code"] = content["error_code"]
        if is_object(v.get("caller")):
            part["caller"] = v["caller"]
        self.put(part)

    # -- events --------------------------------------------------------------------------------

    def put_event(self, e):
        if self.emit != "parts":
            self.outputs.append(e)

    def block_event(self, b, e, is_start=False):
        if b.is_abandoned():
            return
        if self.live and self.head == b.at:
            self.put_event(dict(e, index=b.out))
        else:
            b.waiting.append((e, True))

    def leave(self, b):
        b.out = self.left
        for e, own in b.waiting:
            if own and b.is_abandoned():
                continue
            if own and e["type"] == "content_block_start" and b.role == "call" and self.whole:
                e = dict(e, content_block=dict(e["content_block"], input=b.input))
            self.put_event(dict(e, index=b.out) if own else e)
        b.waiting = []
        self.left += not b.is_abandoned()

    def leave_group(self, until):
        if self.queue_start:
            e, self.queue_start = self.queue_start, None
            m = e["message"]
            if any(b.is_abandoned() for b in self.blocks[:self.prefilled]):
                m = dict(m, content=[v for v, b in zip(m["content"], self.blocks) if not b.is_abandoned()])
            self.put_event(dict(e, message=m))
        while self.head < until:
            self.leave(self.blocks[self.head])
            self.head += 1

    def group(self, until):
        """The end of what leaves together with the head, None if it can't leave yet."""
        at = self.head
        while at < until:
            b = self.blocks[at]
            if b.op and not b.is_abandoned():
                if b.op.state != "COMPLETED":
                    return None
                until = max(until, b.op.result.at + 1)
            elif not b.is_abandoned() and not b.stopped:
                return None
            at += 1
        return until

    def release(self):
        if self.emit == "parts":
            return
        while self.head < len(self.blocks):
            b = self.blocks[self.head]
            if self.live:
                if not b.stopped:
                    return
                self.live, self.head = False, self.head + 1
            elif self.head >= self.prefilled and b.op is None:
                self.leave(b)
                self.live = True
            else:
                until = self.group(max(self.head + 1, self.prefilled))
                if until is None:
                    return
                self.leave_group(until)

    def release_all(self):
        if self.live:
            self.live, self.head = False, self.head + 1
        self.leave_group(len(self.blocks))


def depth_of(v):
    if isinstance(v, dict):
        return 1 + max(map(depth_of, v.values()), default=0)
    return 1 + max(map(depth_of, v), default=0) if isinstance(v, list) else 0


def has_surrogate(v):
    if isinstance(v, dict):
        return any(has_surrogate(k) or has_surrogate(x) for k, x in v.items())
    if isinstance(v, list):
        return any(map(has_surrogate, v))
    return isinstance(v, str) and any(0xD800 <= ord(c) < 0xE000 for c in v)
