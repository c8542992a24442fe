# SPDX-License-Identifier: Apache-2.0
"""CATALOGUE 3.2, the ids of 3.1 and 3.6, and system messages, once more and without the daemon.

Written from the text of the rules, to be slow and plain, like model.py, whose words it uses.
"""
import re

CODES = {
    "unanswered": "tool_use_without_result", "not_first": "tool_result_not_first",
    "late": "tool_result_not_adjacent", "stray": "tool_result_without_use",
    "again": "tool_result_duplicate", "repeated": "tool_use_id_duplicate",
    "in_user": "tool_use_in_user", "in_assistant": "tool_result_in_assistant",
    "for_server": "tool_result_for_server_tool", "client_id": "tool_use_id_pattern",
    "server_id": "server_tool_id_pattern", "role": "role_unknown", "none": "messages_empty",
    "first": "system_message_first", "place": "system_message_position",
    "empty": "system_message_empty", "block": "system_message_block_type"}


def client(part, kind):
    return part.kind == kind and not part.provider


class Clients:
    def __init__(self, judge, turns):
        self.judge, self.turns = judge, turns
        self.answer = {}     # call -> result
        self.answered = set()
        self.signed = {i: t.signed() for i, t in enumerate(turns)}

    def blame(self, part, what, severity="error"):
        self.judge.found.append((CODES[what], severity) + part.at)

    def calls(self, i, id_=None):
        return [p for p in self.turns[i].parts if client(p, "call") and id_ in (None, p.id)]

    def results(self, i):
        return [p for p in self.turns[i].parts if client(p, "result")]

    def pair(self, call, result):
        self.answer[call] = result
        self.answered.add(result)

    def in_place(self, i):
        """Returns results of the user turn i that are where their calls need them."""
        asked = i > 0 and self.turns[i - 1].role == "assistant"
        first, extra = True, set()
        for p in self.turns[i].parts:
            if not client(p, "result"):
                first = first and p.invisible
                continue
            calls = self.calls(i - 1, p.id) if asked else []
            free = [c for c in calls if c not in self.answer]
            if free:
                self.pair(free[0], p)
                if not first:
                    self.blame(p, "not_first")
            elif calls:
                extra.add(p)
                self.blame(p, "again")
        return extra

    def claim(self, upto, result):
        """The newest unanswered call of the id, one a turn."""
        for i in range(upto, -1, -1):
            if self.turns[i].role != "assistant":
                continue
            calls = self.calls(i, result.id)
            if calls and not any(c in self.answer for c in calls):
                self.pair(calls[0], result)
                return True
        return False

    def turn(self, i):
        turn = self.turns[i]
        if turn.role == "assistant":
            followed = i + 1 < len(self.turns) and self.turns[i + 1].role == "user"
            extra = self.in_place(i + 1) if followed else set()
            for p in self.results(i):
                self.claim(i, p)
                self.blame(p, "in_assistant")
            if followed:
                self.strays(i + 1, extra)
        elif turn.role == "user" and not (i > 0 and self.turns[i - 1].role == "assistant"):
            self.strays(i, self.in_place(i))

    def strays(self, i, extra):
        for p in self.results(i):
            if p in self.answered or p in extra:
                continue
            if self.claim(i - 1, p):
                self.blame(p, "late")
            elif any(q.provider and q.kind == "call" and q.id == p.id
                     for t in self.turns[:i] if t.role == "assistant" for q in t.parts):
                self.blame(p, "for_server")
            else:
                self.blame(p, "stray")

    def keepers(self):
        """The first call of a turn keeps its id; one that an earlier turn has is a warning."""
        earlier = set()
        for i, turn in enumerate(self.turns):
            mine = set()
            for c in self.calls(i) if turn.role == "assistant" else []:
                if c.id in mine:
                    self.blame(c, "repeated")
                elif c.id in earlier:
                    self.blame(c, "repeated", "warning")
                mine.add(c.id)
            earlier |= mine

    def unanswered(self, pending):
        for i, turn in enumerate(self.turns):
            seen = set()
            for c in self.calls(i) if turn.role == "assistant" else []:
                if c not in self.answer and c.id not in seen and c.at not in pending:
                    self.blame(c, "unanswered")
                seen.add(c.id)

    def judge_all(self, messages, pending):
        for i in range(len(self.turns)):
            self.turn(i)
        self.keepers()
        self.unanswered(pending)
        for m in messages:
            if m.role != "assistant":
                for p in m.parts:
                    if client(p, "call"):
                        self.blame(p, "in_user")


def awaiting_approval(dialect, turns, raw):
    """Places of calls that a request of their turn names, while only tool messages come after it."""
    def text(v):
        return v if isinstance(v, str) else ""
    before = [i for i, m in enumerate(raw) if m.get("role") != "tool"]
    turn = next((t for t in turns if before and t.messages[-1].index == before[-1]), None)
    if dialect != "ai-sdk" or turn is None or turn.role != "assistant":
        return set()
    asked = {text(p.value.get("toolCallId")) for p in turn.parts
             if p.value and p.value.get("type") == "tool-approval-request"}
    return {p.at for p in turn.parts if client(p, "call") and p.id in asked}


def ids(judge, messages):
    """Returns, for provider-executed ids, only those of pairs without another finding."""
    blamed = {f[2:] for f in judge.found}
    for p in [p for m in messages for p in m.parts]:
        if p.kind not in ("call", "result"):
            continue
        if not p.provider:
            if not re.fullmatch(r"[a-zA-Z0-9_-]+", p.id):
                judge.found.append((CODES["client_id"], "error") + p.at)
        elif p.group and not p.mcp and p.type != "mcp_tool_result":
            pair = p.group.parts + (p.group.partner.parts if p.group.partner else [])
            if p.group.partner and not p.group.partner.parts or any(h.at in blamed for h in pair):
                continue
            if not re.fullmatch(r"srvtoolu_[a-zA-Z0-9_]+", p.id):
                judge.found.append((CODES["server_id"], "error") + p.at)


def systems(judge, messages, raw, blank):
    kept = []
    for m, v in zip(messages, raw):
        directive = v.get("content") == [] and "output_config" in v
        if m.role != "system":
            kept.append((m, None))
            continue
        texts = [p.text for p in m.parts if p.kind == "text"]
        if m.index == 0 and not directive:
            judge.found.append((CODES["first"], "error", 0, None))
        if m.shaped and "output_config" not in v and len(texts) == len(m.parts) and all(
                blank(t) if isinstance(t, str) else True for t in texts):
            judge.found.append((CODES["empty"], "error", m.index, None))
        for p in m.parts:
            if p.block not in ("text", "tool_addition", "tool_removal"):
                judge.found.append((CODES["block"], "error") + p.at)
        if not directive:
            kept.append((m, v))
    for k, (m, v) in enumerate(kept):
        last = m.role == "system" and (k + 1 == len(kept) or kept[k + 1][0].role != "system")
        start = k
        while last and start >= 0 and kept[start][0].role == "system":
            start -= 1
        if not last or start < 0:
            continue
        before = kept[start][0]
        good = before.role == "user" or before.role == "assistant" and before.parts and (
            before.parts[-1].kind == "result" and before.parts[-1].provider)
        if not good or k + 1 < len(kept) and kept[k + 1][0].role == "user":
            judge.found.append((CODES["place"], "error", m.index, None))


def judge_clients(judge, dialect, turns, messages, raw, blank):
    clients = Clients(judge, turns)
    clients.judge_all(messages, awaiting_approval(dialect, turns, raw))
    for m in messages:
        if m.role == "other":
            judge.found.append((CODES["role"], "error", m.index, None))
    if not messages:
        judge.found.append((CODES["none"], "error", None, None))
    if dialect == "anthropic":
        ids(judge, messages)
        systems(judge, messages, raw, blank)
    return {result.at: call.at for call, result in clients.answer.items()}
