# SPDX-License-Identifier: Apache-2.0
"""A model of the repair of Chat Completions (PROVIDERS.md 2 and 3), rule by rule, slow and plain.

    repaired(params) -> the list that a clean-up makes of the list in the parameters
"""
import copy
import hashlib
import json
import re

import model_chat
import model_openai as base
from model_chat_pairs import Pairs

SPOKEN = ("input_text", "output_text", "summary_text", "refusal", "text")
MEDIA = ("image_url", "input_audio", "file")
REASONING = ("reasoning_content", "reasoning", "reasoning_details")
KNOWN = ("role", "content", "name", "tool_calls", "tool_call_id", "function_call", "refusal", "audio", "annotations",
         *REASONING)
BOOKKEEPING = ("id", "model", "stop_reason", "stop_sequence", "stop_details", "usage", "container",
               "context_management", "parsed_output", "uuid", "timestamp", "metadata")


class Message(dict):
    """A message that knows its place in the input; None for one that the repair made."""

    place = None


def sha(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def is_blank(text):
    return not isinstance(text, str) or not text.strip(base.WHITE_SPACE)


def is_bare(message):
    return all(name in KNOWN + BOOKKEEPING or message[name] in (None, "", [], {}) for name in message)


def cleaned(value):
    """The value with U+FFFD for each lone surrogate."""
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", "\ufffd", value)
    if isinstance(value, list):
        return [cleaned(v) for v in value]
    return {cleaned(k): cleaned(v) for k, v in value.items()} if isinstance(value, dict) else value


def text_part(text):
    return {"type": "text", "text": text}


class Repair:
    def __init__(self, params):
        self.params = params
        policy = params.get("policy") or "conservative"
        self.policy = policy if isinstance(policy, dict) else {"base": policy}
        self.preserve = self.policy.get("base") == "preserve"
        self.list = [Message(copy.deepcopy(m)) for m in base.Subject("openai-chat", params).list]
        self.names = {}  # id -> where the first call that had it is, and the call
        for n, message in enumerate(self.list):
            message.place = n
            message.calls = list(range(len(message.get("tool_calls") or [])))
            calls = message.get("tool_calls") if message.get("role") not in model_chat.ROLES else None
            for call in filter(None, calls or model_chat.raw_calls(message)):
                self.names.setdefault(call.get("id") if base.is_text(call.get("id")) else None,
                                      (n, call))
        self.touched = set()

    def findings(self):
        params = dict(self.params)
        plain = [dict(m) for m in self.list]
        if "request" in params:
            params["request"] = dict(params["request"], messages=plain)
        else:
            params["content" if "content" in params else "messages"] = plain
        return base.findings("openai-chat", params)

    def pairs(self):
        return Pairs(self.list, model_chat.calls_of)

    def run(self):
        if not any(f[1] == "error" for f in self.findings()):
            return self.list
        fixes = [(code, getattr(self, code)) for code in ["body_lone_surrogate"] + base.catalogue_rows.ORDER
                 if hasattr(self, code)]
        again, edited = True, False
        while again:
            before = compact(self.list)
            for code, fix in fixes:
                found = [f for f in self.findings() if f[0] == code and f[1] == "error"]
                if found and not self.reported(code):
                    fix(found)
            again = compact(self.list) != before
            edited = edited or again
        if edited and "content" not in self.params:
            self.merge_neighbours()
        return self.list

    def reported(self, code):
        keys = {"chat_tool_calls_unanswered": "unanswered_call", "chat_call_count_mismatch": "unanswered_call",
                "chat_tool_without_call": "unmatched_result", "chat_tool_call_id_duplicate": "duplicate_id"}
        return self.policy.get(keys.get(code)) == "report"

    def calls(self, found):
        """(message, the call's index in tool_calls, call) of each finding about a call."""
        for _, _, n, k in found:
            if k is not None:
                message = self.list[n]
                index = k - len(base.content_parts(message))
                yield message, index, message["tool_calls"][index]

    # ---- the rules, in the order of the catalogue ----

    def body_lone_surrogate(self, found):
        for n in {f[2] for f in found if f[2] is not None}:
            self.put(n, cleaned(dict(self.list[n])))

    def put(self, n, value):
        message = self.list[n]
        message.clear()
        message.update(value)

    def chat_role_invalid(self, found):
        for message in [self.list[f[2]] for f in found]:
            if self.preserve and message.get("role") == "model":
                message["role"] = "assistant"

    def chat_role_unsupported(self, found):
        for f in found if self.preserve else []:
            self.list[f[2]]["role"] = "user"

    def chat_developer_role(self, found):
        for f in found:
            self.list[f[2]]["role"] = "system"

    def chat_content_null(self, found):
        for message in [self.list[f[2]] for f in found]:
            if is_bare(message):
                message["content"] = ""

    def chat_content_type_invalid(self, found):
        for message in [self.list[f[2]] for f in found]:
            value = message["content"]
            is_part = isinstance(value, dict) and isinstance(value.get("type"), str)
            message["content"] = [value] if is_part else compact(value)

    def chat_unknown_message_field(self, found):
        for message in [self.list[f[2]] for f in found]:
            goes = model_chat.left_over(model_chat.unknown_to_strict(message))
            silent = model_chat.role(message) == "assistant" and not message.get("tool_calls") and (
                model_chat.is_silent(message))
            for name in goes:
                if not (silent and name in REASONING):
                    del message[name]

    def chat_tool_call_null(self, found):
        for message in [self.list[n] for n in {f[2] for f in found}]:
            kept = [k for k, call in enumerate(message["tool_calls"]) if call is not None]
            message["tool_calls"] = [message["tool_calls"][k] for k in kept]
            message.calls = [message.calls[k] for k in kept]

    def chat_tool_calls_empty_array(self, found):
        for f in found:
            del self.list[f[2]]["tool_calls"]

    def chat_content_part_type(self, found):
        moving = {}
        for _, _, n, k in found:
            part = self.list[n]["content"][k]
            if part["type"] in SPOKEN:
                said = part.get("refusal" if part["type"] == "refusal" else "text")
                if isinstance(said, str):
                    part_text = text_part(said)
                    part.clear()
                    part.update(part_text)
            elif part["type"] == "input_image" and isinstance(part.get("image_url"), str):
                image = {"url": part["image_url"]}
                if "detail" in part:
                    image["detail"] = part["detail"]
                part.clear()
                part.update({"type": "image_url", "image_url": image})
                if "image_url" not in model_chat.TYPES[self.list[n]["role"]]:
                    moving.setdefault(n, []).append(k)
            elif part["type"] in MEDIA:
                moving.setdefault(n, []).append(k)
        for n in sorted(moving, reverse=True):
            self.move_media(n, moving[n])

    def move_media(self, n, parts):
        content = self.list[n]["content"]
        media = [content[k] for k in parts]
        rest = [part for k, part in enumerate(content) if k not in parts]
        self.list[n]["content"] = rest or ""
        end = n + 1
        while end < len(self.list) and self.list[end].get("role") == "tool":
            end += 1
        self.list.insert(end, Message(role="user", content=media))

    def chat_tool_name_in_history(self, found):
        for _, _, call in self.calls(found):
            holder = held(call)
            holder["name"] = named(holder.get("name"))

    def chat_message_name(self, found):
        for message in [self.list[f[2]] for f in found]:
            name = message["name"]
            message["name"] = "".join("_" if c in base.WHITE_SPACE or c in "<|\\/>" else c for c in name)
            if not name:
                del message["name"]

    def chat_arguments_not_string(self, found):
        for _, _, call in self.calls(found):
            value = held(call).get("arguments")
            call["function"]["arguments"] = "{}" if value is None else compact(value)

    def chat_arguments_invalid_json(self, found):
        for _, _, call in self.calls(found):
            said = call["function"]["arguments"]
            call["function"]["arguments"] = "{}" if is_blank(said) else compact({"rawInvalidInput": said})

    def chat_tool_call_id_missing(self, found):
        pairs = self.pairs()
        for message, index, call in self.calls(found):
            paired = pairs.calls[self.at(message)][index]
            others = [c.get("id") for c in message["tool_calls"]]
            given = pairs.id(paired.answer) if paired.answer is not None else None
            if given and given not in others:
                call["id"] = given
            else:
                call["id"] = "call_" + sha("%s:%s" % (message.place, message.calls[index]))[:24]
            if paired.answer is not None and self.list[paired.answer].get("tool_call_id") != call["id"]:
                self.list[paired.answer]["tool_call_id"] = call["id"]
        for _, _, n, k in found:
            if k is None and n in pairs.answers:
                self.list[n]["tool_call_id"] = pairs.answers[n].value["id"]

    def at(self, message):
        return next(n for n, other in enumerate(self.list) if other is message)

    def chat_tool_call_id_duplicate(self, found):
        for message in [self.list[n] for n in sorted({f[2] for f in found if f[3] is not None})]:
            self.rename_calls(message)
        pairs = self.pairs()
        rows = []
        for n in pairs.repeated:
            first = next(m for m in range(n) if m in pairs.in_runs and self.same_run(m, n) and (
                self.list[m].get("tool_call_id") == self.list[n]["tool_call_id"]))
            if n in pairs.answers:
                continue
            rows.append((n, not is_kept(self.list[n]) and base.same(
                self.list[first].get("content"), self.list[n].get("content"))))
        self.textify(rows)

    def same_run(self, m, n):
        return all(self.list[k].get("role") == "tool" for k in range(m, n + 1))

    def rename_calls(self, message):
        n = self.at(message)
        calls = self.pairs().calls[n]
        gone = []
        for k, call in enumerate(calls):
            first = next((c for c in calls[:k] if c.id and c.id == call.id), None)
            if first is None:
                continue
            if call.answer is None and base.same(first.value, call.value):
                gone.append(k)
                continue
            taken = {c.get("id") for c in message["tool_calls"] if base.is_text(c.get("id"))}
            number = 2
            while "%s_%d" % (call.id, number) in taken:
                number += 1
            call.value["id"] = "%s_%d" % (call.id, number)
            if call.answer is not None:
                self.list[call.answer]["tool_call_id"] = call.value["id"]
        for k in reversed(gone):
            del message["tool_calls"][k], message.calls[k]

    def chat_tool_without_call(self, found):
        pairs = self.pairs()
        for stray, call in [(self.list[n], pairs.claims[n]) for n in sorted(pairs.claims)]:
            home = next(m for m in self.list if any(c is call.value for c in m.get("tool_calls") or []))
            self.list.pop(self.at(stray))
            self.insert_result(self.at(home), stray)
        self.textify([(n, False) for n in self.pairs().strays])

    def insert_result(self, n, result):
        """Puts a tool message at the end of the run of message n."""
        end = n + 1
        while end < len(self.list) and self.list[end].get("role") == "tool":
            end += 1
        self.list.insert(end, result)

    def chat_tool_calls_unanswered(self, found):
        for message, _, call in list(self.calls(found)):
            if base.is_text(call.get("id")):
                self.insert_result(self.at(message), Message(
                    role="tool", tool_call_id=call["id"], content="Not executed."))

    chat_call_count_mismatch = chat_tool_calls_unanswered

    def change_ids(self, found, new):
        for _, _, call in self.calls(found):
            call["id"] = new(call["id"])
        for _, _, n, k in found:
            if k is None:
                self.list[n]["tool_call_id"] = new(self.list[n]["tool_call_id"])

    def chat_tool_call_id_too_long(self, found):
        self.change_ids(found, lambda old: "call_" + sha(old)[:32])

    def chat_tool_call_id_pattern(self, found):
        self.change_ids(found, lambda old: sha(old)[:9])

    def chat_content_not_string(self, found):
        for message in [self.list[f[2]] for f in found]:
            texts = [said(part) for part in message["content"]]
            if None not in texts:
                message["content"] = "\n".join(texts)

    def chat_assistant_empty(self, found):
        for message in [self.list[f[2]] for f in found]:
            if any(message.get(name) is not None for name in REASONING):
                message["content"] = "(interrupted)"
            elif is_bare(message):
                n = self.at(message)
                self.take_out(n)

    def chat_reasoning_content_required(self, found):
        for f in found:
            self.list[f[2]]["reasoning_content"] = ""

    def chat_system_not_first(self, found):
        for message in [self.list[f[2]] for f in found]:
            texts = [said(part) for _, part in base.content_parts(message)]
            if None not in texts:
                message["role"] = "user"
                message["content"] = "<system>%s</system>" % "\n".join(texts)

    def chat_roles_not_alternating(self, found):
        for message in [self.list[f[2]] for f in found]:
            n = self.at(message)
            if n and joinable(self.list[n - 1], message):
                self.join(n)

    def chat_user_after_tool(self, found):
        for message in [self.list[f[2]] for f in found]:
            self.list.insert(self.at(message), Message(role="assistant", content="."))

    def chat_last_role_assistant(self, found):
        if self.policy.get("prefill") != "report":
            self.list.append(Message(role="user", content="Continue."))

    def chat_image_invalid(self, found):
        for _, _, n, k in found:
            part = self.list[n]["content"][k]
            part.clear()
            part.update(text_part("[image removed]"))

    # ---- what several rules need ----

    def textify(self, rows):
        """rows: (index, drop it) of tool messages that become the user's text, after the row that they are in."""
        texts = {}
        for n, drop in reversed(rows):
            end = n
            while end < len(self.list) and self.list[end].get("role") == "tool":
                end += 1
            made = None if drop else self.as_user(self.list[n])
            if made is not None or drop or not is_kept(self.list[n]):
                texts.setdefault(end, []).insert(0, (n, made))
        for end in sorted(texts, reverse=True):
            made = [m for _, m in texts[end] if m is not None]
            self.list[end:end] = made
            for n, user in reversed(texts[end]):
                if user is None:
                    self.take_out(n)
                else:
                    self.list.pop(n)

    def take_out(self, n):
        """Drops message n, unless it is the only one, and notes who are neighbours by that."""
        if len(self.list) == 1:
            return
        self.list.pop(n)
        if 0 < n < len(self.list):
            self.touched.add((id(self.list[n - 1]), id(self.list[n])))

    def as_user(self, message):
        content = message.get("content")
        if isinstance(content, str):
            text, media = content, []
        else:
            parts = content if isinstance(content, list) else []
            media = [part for part in parts if part.get("type") in MEDIA]
            text = "\n".join(t for t in map(payload, [p for p in parts if p.get("type") not in MEDIA]) if t)
        if is_blank(text):
            text = ""
        if not text and not media:
            return None
        if self.policy.get("mark_text", self.preserve):
            text = "[%s result]" % self.name_of(message) + ("\n" + text if text else "")
        made = Message({k: v for k, v in message.items() if k not in ("tool_call_id", "name")})
        made.place = message.place
        made["role"] = "user"
        made["content"] = ([text_part(text)] if text else []) + media if media else text
        return made

    def name_of(self, message):
        sent = base.Subject("openai-chat", self.params).list[message.place] if message.place is not None else {}
        ident = sent.get("tool_call_id")
        place, call = self.names.get(ident if base.is_text(ident) else None, (None, {}))
        name = model_chat.spoken(call)[1].get("name")
        if ident and place is not None and place < message.place and base.is_text(name):
            return name
        return message["name"] if base.is_text(message.get("name")) else "tool"  # as the rules before left it

    def merge_neighbours(self):
        wanted = self.policy.get("merge_adjacent", "never")
        n = 1
        while wanted != "never" and n < len(self.list):
            before, message = self.list[n - 1], self.list[n]
            allowed = wanted == "all" or (id(before), id(message)) in self.touched
            if allowed and joinable(before, message):
                self.join(n)
            else:
                n += 1

    def join(self, n):
        before, message = self.list[n - 1], self.list.pop(n)
        both = [before.get("content"), message.get("content")]
        if all(c is None or isinstance(c, str) for c in both):
            said = "\n\n".join(c for c in both if c)
            keep_null = not said and message.get("tool_calls")
            before["content"] = None if keep_null else said
        else:
            lists = [c if isinstance(c, list) else [text_part(c)] if c else [] for c in both]
            before["content"] = lists[0] + lists[1]
        if "tool_calls" in message:
            before["tool_calls"] = message["tool_calls"]
            before.calls = getattr(message, "calls", [])


def is_kept(message):
    """True for a tool message that no edit drops, whatever its content is."""
    said = any(is_said(message.get(name)) for name in ("tool_calls", "refusal", "audio", "function_call"))
    thought = any(message.get(name) is not None for name in REASONING)
    return not is_bare(message) or said or thought


def is_said(value):
    return not is_blank(value) if isinstance(value, str) else bool(value) and isinstance(value, (list, dict))


def held(call):
    """The object of a call that has its name, made where there is none."""
    kind = model_chat.spoken(call)[0]
    if not isinstance(call.get(kind), dict):
        call[kind] = {}
    return call[kind]


def said(part):
    """The text of a part that is one; None for others."""
    member = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}.get(part.get("type"))
    text = part.get(member) if member else None
    return text if isinstance(text, str) else None


def payload(part):
    if part.get("type") in ("text", "input_text", "output_text"):
        return part.get("text") if isinstance(part.get("text"), str) else ""
    if part.get("type") == "refusal":
        return part.get("refusal") if isinstance(part.get("refusal"), str) else ""
    return compact(without_secrets(part))


def without_secrets(value):
    if isinstance(value, dict):
        return {k: without_secrets(v) for k, v in value.items()
                if not k.lower().startswith("encrypted") and k != "signature"}
    return [without_secrets(v) for v in value] if isinstance(value, list) else value


def named(name):
    if not base.is_text(name):
        return "unknown_tool"
    good = re.sub("[^a-zA-Z0-9_-]", "_", name)
    longest = model_chat.LONGEST_NAME
    return good if len(good) <= longest else good[:longest - 9] + "_" + sha(name)[:8]


def joinable(before, message):
    roles = before.get("role"), message.get("role")
    plain = set(before) <= {"role", "content"}
    if roles == ("user", "user"):
        return plain and set(message) <= {"role", "content"}
    return roles == ("assistant", "assistant") and not before.get("tool_calls") and plain and (
        set(message) <= {"role", "content", "tool_calls"})


def repaired(params):
    return [dict(m) for m in Repair(params).run()]
