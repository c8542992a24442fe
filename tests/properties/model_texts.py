# SPDX-License-Identifier: Apache-2.0
"""CATALOGUE 3.4, 3.5, 3.8 and 3.11, and what 3.3 says of content and surrogates, once more.

Written from the text of the rules, to be slow and plain, like model.py, whose words it uses.
"""
import re

EMPTY, SPACE = "text_empty", "text_whitespace_only"
TRAILING = "final_assistant_trailing_whitespace"
NOTHING, UNSIGNED = "thinking_empty", "thinking_signature_missing"
NO_TEXT, NO_DATA = "thinking_text_missing", "redacted_thinking_data_invalid"
IN_USER, ORDER, MALFORMED = "thinking_in_user", "thinking_order_unverified", "thinking_signature_malformed"
TOO_MANY, ON_EMPTY = "cache_control_too_many", "cache_control_empty_text"
ON_THINKING, TTL = "cache_control_on_thinking", "cache_ttl_order"
NO_INDEX, DANGLING, ALL_OR_NONE = "encrypted_index_missing", "citation_dangling", "citations_all_or_none"
NO_SUMMARY, MISPLACED = "compaction_block_empty", "compaction_block_misplaced"
CONTENT, SURROGATE = "content_type_invalid", "body_lone_surrogate"
CODES = {EMPTY, SPACE, TRAILING, NOTHING, UNSIGNED, NO_TEXT, NO_DATA, IN_USER, ORDER, MALFORMED, TOO_MANY,
         ON_EMPTY, ON_THINKING, TTL, NO_INDEX, DANGLING, ALL_OR_NONE, NO_SUMMARY, MISPLACED, CONTENT, SURROGATE}
THINKING = {NOTHING, UNSIGNED, NO_DATA, ORDER, MALFORMED, ON_THINKING}  # edited before anything is protected


def thinking_edits(trial):
    """Edits of thinking come first: the outcome says which turn is signed, and protected."""
    return [e for e in trial.outcome["edits"] if e["code"] in THINKING]


def get(value, *path):
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def rows(value, key=None):
    value = get(value, key) if key else value
    return value if isinstance(value, list) else []


def text_of(dialect, part):
    """Returns the text of a text or thinking part."""
    if part.value is None:
        return part.text
    if dialect == "fantasy":
        return get(part.value, "data", "text")
    return get(part.value, "thinking" if part.block == "thinking" else "text")


def walk(value, skip=()):
    """Yields every object at any depth, each after those inside it."""
    if isinstance(value, dict):
        for key, v in value.items():
            if key not in skip:
                yield from walk(v, skip)
        yield value
    elif isinstance(value, list):
        for v in value:
            yield from walk(v, skip)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, v in value.items():
            yield key
            yield from strings(v)
    elif isinstance(value, list):
        for v in value:
            yield from strings(v)


def lone(value):
    return any("\ud800" <= c <= "\udfff" for s in strings(value) for c in s)


class Texts:
    def __init__(self, judge, dialect, turns, messages, raw, context, blank):
        self.judge, self.dialect, self.turns = judge, dialect, turns
        self.messages, self.raw, self.blank = messages, raw, blank
        self.alone = False  # a turn as received, which something follows
        self.rebuilt = context.get("provenance") == "rebuilt"
        self.body = context.get("body") or {}
        self.wire = dialect == "anthropic"
        self.parts = [p for m in messages for p in m.parts]
        self.neighbours = {}
        for turn in turns:
            seen = [p for p in turn.parts if not p.invisible]
            for i, p in enumerate(seen):
                self.neighbours[p.at] = seen[max(i - 1, 0):i] + seen[i + 1:i + 2]

    def blame(self, code, at, severity="error"):
        self.judge.found.append((code, severity) + at)

    # 3.4

    def of_text(self, text):
        if not isinstance(text, str) or text == "":
            return EMPTY
        return SPACE if self.blank(text) else None

    def separates(self, part):
        neighbours = self.neighbours.get(part.at, [])
        role = self.messages[part.at[0]].role
        return role == "assistant" and len(neighbours) == 2 and all(p.signed for p in neighbours)

    def inside(self, part):
        """Blocks of text inside a client's result."""
        if not self.wire or part.block != "tool_result":
            return []
        return [b for b in rows(part.value, "content") if get(b, "type") == "text"]

    def is_blank(self, part):
        return part.kind == "text" and self.of_text(text_of(self.dialect, part)) is not None

    def white(self, part):
        """White space is refused where a message shows nothing else, and at the end of a last answer."""
        message = self.messages[part.at[0]]
        seen = [p for p in message.parts if not p.invisible]
        shown = [p for p in seen if p.kind != "thinking" and not self.is_blank(p)]
        if not shown:
            return "error"
        if part.kind != "text" or self.alone or message is not self.messages[-1] or message.role != "assistant":
            return "warning"
        after = [p for p in seen if p.at > part.at]
        return "error" if all(self.is_blank(p) for p in after) else "warning"

    def texts(self):
        for p in self.parts:
            found = {}
            if p.kind == "text":
                code = self.of_text(text_of(self.dialect, p))
                found[code] = "warning" if code and self.separates(p) else "error"
                if code == SPACE and found[code] == "error":
                    found[code] = self.white(p)
                marked = [p.value] if code == EMPTY and self.wire else []
            else:
                blocks = self.inside(p)
                found = {self.of_text(get(b, "text")): "error" for b in blocks}
                if SPACE in found:
                    found[SPACE] = self.white(p)
                marked = [b for b in blocks if self.of_text(get(b, "text")) == EMPTY]
            if any(get(b, "cache_control") is not None for b in marked):
                found[ON_EMPTY] = "error"
            for code in found:
                if code:
                    self.blame(code, p.at, found[code])
        self.end()
        self.system()

    def end(self):
        last = [p for p in self.turns[-1].parts if not p.invisible] if self.turns else []
        if self.dialect == "ai-sdk":  # the adapter trims
            return
        if last and self.turns[-1].role == "assistant" and last[-1].kind == "text":
            text = text_of(self.dialect, last[-1])
            if isinstance(text, str) and not self.blank(text) and self.blank(text[-1]):
                self.blame(TRAILING, last[-1].at)

    def system(self):
        system = self.body.get("system")
        blocks = [b for b in rows(system) if get(b, "type") == "text"]
        codes = {self.of_text(get(b, "text")) for b in blocks}
        if isinstance(system, str) and system and self.blank(system):
            codes = {SPACE}
        if any(self.of_text(get(b, "text")) == EMPTY and get(b, "cache_control") is not None for b in blocks):
            codes.add(ON_EMPTY)
        told = any(self.of_text(get(b, "text")) is None or get(b, "type") != "text" for b in rows(system))
        for code in codes - {None}:
            self.blame(code, (None, None), "warning" if code == SPACE and told else "error")

    # 3.5

    def thinking(self):
        for p in self.parts:
            if p.kind != "thinking" or not self.wire:
                continue
            if self.messages[p.at[0]].role != "assistant":
                self.blame(IN_USER, p.at)
            elif p.signed:
                self.signed(p)
            elif p.block == "redacted_thinking":
                self.blame(NO_DATA, p.at)
            else:
                text = text_of(self.dialect, p)
                empty = not isinstance(text, str) or self.blank(text)
                self.blame(NOTHING if empty else UNSIGNED, p.at)

    def signed(self, p):
        if p.block == "redacted_thinking":
            return
        if not isinstance(text_of(self.dialect, p), str):
            self.blame(NO_TEXT, p.at)
        signature = get(p.value, "signature")
        if self.judge.policy.get("signature_form") == "base64" and not self.blank(signature):
            if not re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", signature) or len(signature) % 4:
                self.blame(MALFORMED, p.at)

    def order(self, newest):
        if not self.rebuilt or newest is None:
            return
        thoughts = [p for p in newest.parts if p.kind == "thinking"]
        grouped = self.judge.policy.get("rebuilt_rule") == "grouped"
        if len(thoughts) < 2 or not any(p.kind == "call" for p in newest.parts):
            return
        if grouped and newest.parts[:2] != thoughts[:2]:
            return
        report = self.judge.policy.get("thinking") == "report"
        self.blame(ORDER, thoughts[0].at, "warning" if report else "error")

    # 3.8

    def markers(self, value):
        return [v["cache_control"] for v in walk(value, ("input", "cache_control"))
                if v.get("cache_control") is not None]

    def cache(self):
        around = [v["cache_control"] for key in ("tools", "system") for v in rows(self.body, key)
                  if get(v, "cache_control") is not None]
        count, short = len(around), False
        late = False
        for marker in around:
            late, short = self.after(marker, late, short)
        if late:
            self.blame(TTL, (None, None))
        count += self.body.get("cache_control") is not None
        for p in self.parts:
            late, mine = False, self.markers(p.value)
            count += len(mine)
            for marker in mine:
                late, short = self.after(marker, late, short)
            if mine and p.kind == "thinking" and self.messages[p.at[0]].role == "assistant":
                self.blame(ON_THINKING, p.at)
            if late:
                self.blame(TTL, p.at)
        if count > 4:
            self.blame(TOO_MANY, (None, None))

    @staticmethod
    def after(marker, late, short):
        ttl = get(marker, "ttl")
        if ttl == "1h":
            return late or short, short
        return late, short or ttl in (None, "5m")

    def citations(self):
        documents = 0
        for p in self.parts:
            if p.kind == "text" and p.value is not None:
                cites = rows(p.value, "citations")
                if any(get(c, "type") == "web_search_result_location" and not (
                        isinstance(get(c, "encrypted_index"), str) and get(c, "encrypted_index")) for c in cites):
                    self.blame(NO_INDEX, p.at)
                numbers = [get(c, "document_index") for c in cites]
                if any(type(n) is int and n >= documents for n in numbers):
                    self.blame(DANGLING, p.at, "warning")
            documents += sum(v.get("type") == "document" for v in walk(p.value, ("input",)))
        given = [p for p in self.parts if p.block == "document" and self.messages[p.at[0]].role == "user"]
        on = [p for p in given if get(p.value, "citations", "enabled") is True]
        for p in given:
            if on and p not in on:
                self.blame(ALL_OR_NONE, p.at)

    # 3.11

    def compaction(self):
        for p in self.parts:
            if p.block != "compaction" or p.value is None:
                continue
            if p.value.get("content") == "":
                self.blame(NO_SUMMARY, p.at)
            signature = p.value.get("signature")
            if isinstance(signature, str) and signature and p.at != (0, 0):
                self.blame(MISPLACED, p.at)

    # 3.3

    def content(self):
        for m in self.messages:
            if not m.shaped:
                self.blame(CONTENT, (m.index, None))

    def surrogates(self):
        if lone({k: v for k, v in self.body.items() if k != "messages"}):
            self.blame(SURROGATE, (None, None))
        for m, v in zip(self.messages, self.raw):
            own = {k: x for k, x in v.items() if k != "content" or not m.shaped}
            if lone(own):
                self.blame(SURROGATE, (m.index, None))
            for p in m.parts:
                if lone(p.text if p.value is None else p.value):
                    self.blame(SURROGATE, p.at)


def judge_texts(judge, dialect, turns, messages, raw, newest, context, blank):
    t = Texts(judge, dialect, turns, messages, raw, context, blank)
    t.texts()
    t.thinking()
    t.content()
    t.surrogates()
    if t.wire:
        t.order(newest)
        t.cache()
        t.citations()
        t.compaction()


def judge_turn(judge, dialect, turn, blank):
    """Finds the faults of a turn by itself: rules that need other messages are off."""
    t = Texts(judge, dialect, [turn], turn.messages, [], {}, blank)
    alone = len(judge.found)
    t.alone = True
    t.texts()
    t.thinking()
    t.surrogates()
    for p in t.parts:
        if lone(p.text if p.value is None else p.value):
            t.blame(SURROGATE, p.at)
    if t.wire:
        t.cache()
        t.citations()
        t.compaction()
    off = {TRAILING, DANGLING, ALL_OR_NONE, MISPLACED}
    judge.found[alone:] = [f for f in judge.found[alone:] if f[0] not in off]
