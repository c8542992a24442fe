# SPDX-License-Identifier: Apache-2.0
"""OPERATIONS.md part A once more, on Python values, written from the text and as slow as it likes.

splice(params) gives {"action", "messages", "deferred", "set", "notes"}, or the name of an error.
"""
import copy
import json

NOTES = ["assistant_copy_dropped", "assistant_copy_replaced_by_original", "missing_tool_result_filled",
         "assistant_turn_replaced", "authored_call_after_results", "deferred_until_turn_resumes",
         "server_tool_result_dropped", "deferred_until_server_tool_resolves",
         "unknown_tool_result_textified", "unknown_tool_result_dropped", "truncated_turn_not_replayed",
         "refusal_turn_not_replayed", "fallback_seam_trimmed", "system_message_moved_last",
         "toolset_name_copied", "empty_message_dropped", "duplicate_tool_result_last_wins",
         "unknown_automatic_result_ignored", "empty_turn_not_replayed", "server_call_left_open"]
TRUNCATED = ("max_tokens", "model_context_window_exceeded")
SERVER_CALLS = ("server_tool_use", "mcp_tool_use")


class Refused(Exception):
    """args[0]: the error's name."""


def blocks_of(content):
    """A string is one text block, an empty one none."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content


def without_markers(value):
    if isinstance(value, dict):
        return {k: v if k == "input" else without_markers(v) for k, v in value.items() if k != "cache_control"}
    return [without_markers(v) for v in value] if isinstance(value, list) else value


def canonical(block):
    block = {k: v for k, v in without_markers(block).items()
             if v is not None and not (k == "caller" and v == {"type": "direct"})}
    return json.dumps(block, sort_keys=True)


def is_client_call(block):
    return block["type"] == "tool_use"


def is_server_call(block):
    return block["type"] in SERVER_CALLS


def is_server_result(block):
    return block["type"] != "tool_result" and block["type"].endswith("_tool_result")


def is_subsequence(few, many):
    rest = iter(many)
    return all(x in rest for x in few)


def texts(content):
    """Returns the text of a result, or None."""
    if isinstance(content, list):
        content = "\n".join(b["text"] for b in content if b.get("type") == "text")
    return content if isinstance(content, str) and content.strip() else None


class Calling:
    """The turn, or a message that the caller wrote: its calls, and what was found for them."""

    def __init__(self, blocks):
        self.calls = {}
        for block in blocks:
            if is_client_call(block):
                self.calls.setdefault(block["id"], block)
        self.own, self.items = {}, []


class Splice:
    def __init__(self, params):
        self.p = copy.deepcopy(params)
        self.options = self.p.get("options", {})
        self.strict = self.options.get("mode") == "strict"
        self.notes = set()
        self.history = self.p.get("messages") or self.p.get("history") or self.p["request"]["messages"]
        self.appended = self.p.get("appended", [])
        self.automatic = self.p.get("tool_results", [])
        self.stop = self.p["assistant"].get("stop_reason")
        self.replaced = None

    # ---- the turn ----

    def read_turn(self, content):
        self.received = blocks_of(content)
        self.content = content
        paired = {b["tool_use_id"] for b in self.received if is_server_result(b)}
        seams = [i for i, b in enumerate(self.received) if b["type"] == "fallback"]
        seam = seams[-1] if seams else 0

        def stays(i, b):
            if i >= seam:
                return True
            if b["type"] in ("thinking", "redacted_thinking", "connector_text", "tool_use"):
                return False
            return not is_server_call(b) or b["id"] in paired

        self.replayed = [b for i, b in enumerate(self.received) if stays(i, b)]
        self.turn = Calling(self.replayed)
        self.waits = any(is_server_call(b) and b["id"] not in paired for b in self.replayed)
        self.by_code = any(is_client_call(b) and (b.get("caller") or {}).get("type", "direct") != "direct"
                           for b in self.replayed)
        self.server_ids = {b["id"] for b in self.received if is_server_call(b)}

    def copy_of(self, message):
        mine, turn = blocks_of(message["content"]), self.received
        if [canonical(b) for b in mine] == [canonical(b) for b in turn]:
            return "assistant_copy_dropped"
        ids = {b["id"] for b in turn if is_client_call(b) or is_server_call(b)}
        if any(b.get("id") in ids for b in mine if is_client_call(b) or is_server_call(b)):
            return "assistant_copy_replaced_by_original"
        if is_subsequence([canonical(b) for b in mine], [canonical(b) for b in turn]):
            return "assistant_copy_replaced_by_original"
        return None

    def is_empty(self, message):
        return not blocks_of(message["content"]) and not (
            message["role"] == "system" and "output_config" in message)

    def judge_first(self):
        first = self.appended[0] if self.appended else None
        if not first or first["role"] != "assistant" or not blocks_of(first["content"]) or not self.turn.calls:
            return
        if self.copy_of(first):
            return
        if self.options.get("on_assistant_conflict") == "replace":
            self.replaced = self.appended.pop(0)
            self.notes.add("assistant_turn_replaced")
            self.stop = "other"
            self.read_turn(self.replaced["content"])
        elif not any(is_client_call(b) for b in blocks_of(first["content"])):
            raise Refused("assistant_conflict")
        else:
            self.first_is_authored = True

    # ---- what was appended ----

    def sort(self):
        """Callings with their items: {"message", "left": blocks or None for as it came}."""
        self.calling_messages, faults = [self.turn], []
        for message in self.appended:
            if self.is_empty(message):
                self.notes.add("empty_message_dropped")
                faults.append((3, "empty_message"))
                continue
            if message["role"] == "assistant":
                note = self.copy_of(message)
                if note:
                    self.notes.add(note)
                    continue
                calling = Calling(blocks_of(message["content"]))
                calling.message = message
                self.server_ids |= {b["id"] for b in blocks_of(message["content"]) if is_server_call(b)}
                self.calling_messages.append(calling)
                continue
            item = {"message": message, "left": None, "carries": False}
            self.calling_messages[-1].items.append(item)
            if message["role"] == "user" and isinstance(message["content"], list):
                self.sort_blocks(item, faults)
        for calling in self.calling_messages[1:]:
            if set(calling.calls) - set(calling.own):
                faults.append((0, "assistant_conflict"))
        self.sort_automatic(faults)
        hard = [f for f in faults if self.strict or f[0] == 0]
        if hard:
            raise Refused(min(hard)[1])

    def sort_blocks(self, item, faults):
        calling, left = self.calling_messages[-1], []
        for block in item["message"]["content"]:
            if block["type"] != "tool_result":
                left.append((block, None))
                continue
            known = [a for a in (self.turn, calling) if block["tool_use_id"] in a.calls]
            if known:
                if block["tool_use_id"] in known[0].own:
                    self.notes.add("duplicate_tool_result_last_wins")
                known[0].own[block["tool_use_id"]] = block
                item["carries"] |= known[0] is calling
                left.append((block, known[0]))
            elif self.is_servers(block["tool_use_id"]):
                self.notes.add("server_tool_result_dropped")
                faults.append((1, "server_tool_result_not_allowed"))
            else:
                text = texts(block.get("content"))
                self.notes.add("unknown_tool_result_%s" % ("textified" if text else "dropped"))
                faults.append((2, "unknown_tool_use_id"))
                if text:
                    left.append(({"type": "text", "text": text}, None))
        item["left"] = left

    def is_servers(self, id_):
        return id_ in self.server_ids or id_.startswith(("srvtoolu_", "mcptoolu_"))

    def sort_automatic(self, faults):
        self.results = {}
        known = {b["id"] for b in self.received if is_client_call(b)}
        for result in self.automatic:
            id_ = result["tool_use_id"]
            if id_ in known:
                if id_ in self.results:
                    self.notes.add("duplicate_tool_result_last_wins")
                self.results[id_] = result
            elif self.is_servers(id_):
                self.notes.add("server_tool_result_dropped")
                faults.append((1, "server_tool_result_not_allowed"))
            else:
                self.notes.add("unknown_automatic_result_ignored")
                faults.append((4, "unknown_tool_use_id"))

    def left_of(self, item, deferred):
        """The message that is left of an item, or None."""
        if item is None or item.get("given"):
            return None
        if item["left"] is None:
            return item["message"]
        keep = [b for b, calling in item["left"] if calling is None
                or (deferred and calling is not self.turn and calling.own.get(b["tool_use_id"]) is b)]
        return {**item["message"], "content": keep} if keep else None

    # ---- the order ----

    def answer(self, calling, id_, unused):
        call = calling.calls[id_]
        result = calling.own.get(id_) or (self.results.get(id_) if calling is self.turn and not unused else None)
        if result is None:
            if self.strict:
                raise Refused("missing_tool_result")
            self.notes.add("missing_tool_result_filled")
            result = {"type": "tool_result", "tool_use_id": id_, "is_error": True, "content": (
                "Not executed: the response was cut off before this call was complete." if unused
                else "Not executed.")}
        if isinstance(call.get("toolset_name"), str) and result.get("toolset_name") != call["toolset_name"]:
            self.notes.add("toolset_name_copied")
            result = {**result, "toolset_name": call["toolset_name"]}
        return result

    def results_message(self, calling, unused, with_others):
        content = [self.answer(calling, id_, unused) for id_ in calling.calls]
        if not content:
            return []
        for item in calling.items if with_others else ():
            if item["carries"]:
                content += [b for b, whose in item["left"] if whose is None]
                item["given"] = True
            elif self.left_of(item, False):
                break
        whole = [i["message"] for i in calling.items if i.get("given")][:1]
        if whole and whole[0]["content"] == content:  # unchanged, so are its other members
            return whole
        return [{"role": "user", "content": content}]

    def run(self, calling, results, precedes):
        rest = [m for m in (self.left_of(i, False) for i in calling.items) if m]
        users = [m for m in rest if m["role"] == "user"]
        systems = [m for m in rest if m["role"] == "system"]
        if systems and not users and not results and not precedes:
            raise Refused("system_placement")
        if users + systems != rest:
            self.notes.add("system_message_moved_last")
        return results + users + systems

    def turn_message(self):
        if not self.replayed:
            self.notes.add("empty_turn_not_replayed")
            return []
        if self.replayed != self.received:
            self.notes.add("fallback_seam_trimmed")
            return [{**(self.replaced or {"role": "assistant"}), "content": self.replayed}]
        return [self.replaced or {"role": "assistant", "content": self.content}]

    def arrange(self, unused):
        out = self.turn_message()
        if getattr(self, "first_is_authored", False):
            self.notes.add("authored_call_after_results")
        for calling in self.calling_messages:
            if calling is not self.turn:
                out.append(calling.message)
            behind = ([{"role": "assistant", "content": self.replayed}] if calling is self.turn and self.replayed
                      else [calling.message] if calling is not self.turn else self.history)
            last = [m for m in behind if m["role"] != "system"][-1:]
            precedes = last and (last[0]["role"] == "user" or (
                bool(blocks_of(last[0]["content"])) and is_server_result(blocks_of(last[0]["content"])[-1])))
            out += self.run(calling, self.results_message(calling, unused, True), precedes)
        return out

    def defer(self, note):
        out = []
        for calling in self.calling_messages:
            out += [calling.message] if calling is not self.turn else []
            out += [m for m in (self.left_of(i, True) for i in calling.items) if m]
        if out:
            self.notes.add(note)
        return out

    def act(self):
        """(action, new messages, deferred, whether they replace the history)"""
        if self.stop == "refusal":
            self.notes.add("refusal_turn_not_replayed")
            return "stop", [], self.appended, False
        self.judge_first()
        self.sort()
        left = len(self.calling_messages) > 1 or any(self.left_of(i, False) for i in self.turn.items)
        cut, calls = self.stop in TRUNCATED, bool(self.turn.calls)
        if self.stop == "pause_turn" and not calls:
            return "resume", self.turn_message(), self.defer("deferred_until_turn_resumes"), False
        if self.stop == "compaction":
            replace = self.options.get("compaction") == "replace" and bool(self.replayed)
            return "resume", self.arrange(False), [], replace
        if cut and calls and not left and not self.turn.own:
            self.notes.add("truncated_turn_not_replayed")
            return "stop", [], [], False
        if calls and (self.waits or self.by_code):
            out = self.turn_message() + self.results_message(self.turn, cut, False)
            return "continue", out, self.defer("deferred_until_server_tool_resolves"), False
        if not calls and self.waits:
            self.notes.add("server_call_left_open")
        return "continue" if calls or left else "stop", self.arrange(cut), [], False

    def container(self, action):
        theirs = self.p.get("request", {}).get("container")
        ours = (self.p["assistant"].get("container") or {}).get("id")
        pinned = "container" in self.p or isinstance(theirs, str) or (isinstance(theirs, dict) and "id" in theirs)
        if ours is None or pinned or action == "stop":
            return {}
        return {"/container/id" if isinstance(theirs, dict) else "/container": ours}


def merged(messages):
    out = []
    for m in messages:
        if out and m["role"] == out[-1]["role"] == "user" and len(m) == len(out[-1]) == 2:
            out[-1] = {"role": "user", "content": blocks_of(out[-1]["content"]) + blocks_of(m["content"])}
        else:
            out.append(m)
    return out


def splice(params):
    s = Splice(params)
    if (s.p.get("request", {}).get("thread") or {}).get("type") == "continue":
        return "thread_unsupported_request"
    s.read_turn(s.p["assistant"]["content"])
    try:
        action, new, deferred, replaces = s.act()
    except Refused as refused:
        return refused.args[0]
    if s.options.get("merge") == "single":
        new = merged(new)
    return {"action": action, "messages": new if replaces else s.history + new, "deferred": deferred,
            "set": s.container(action), "notes": [n for n in NOTES if n in s.notes]}
