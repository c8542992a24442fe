# SPDX-License-Identifier: Apache-2.0
"""A model of how repair edits thinking (OPERATIONS.md C.3 to C.5, C.7), as a program over values.

    messages = Outcome(params).messages()

The rules of RULES.md and the prefixes of C.6 are left out: where they edit, this says nothing.
"""
import copy

import seal_model

DEFAULTS = {"route": "native", "dead_thinking": "demote", "unsigned_thinking": "demote", "signature_form": "any",
            "prefix_mismatch": "report"}
BASE64 = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
EMPTY = {"type": "text", "text": "(empty)"}


class Beyond(Exception):
    """Other rules have a say in this."""


def is_base64(s):
    bare = s[:-2] + s[-2:].rstrip("=") if len(s) > 1 else s
    return len(s) % 4 == 0 and set(bare) <= BASE64


def is_thinking(block):
    return block["type"] in seal_model.THINKING


def text_of(block):
    text = block.get("thinking") if block["type"] == "thinking" else None
    return text if isinstance(text, str) and text.strip() else None


class Message:
    """Its number when it was sent, and its blocks; a string is none of ours."""

    def __init__(self, index, value):
        self.index, self.role = index, value["role"]
        self.content = copy.deepcopy(value["content"])
        self.others = {k: v for k, v in value.items() if k not in ("role", "content")}
        self.was_empty = self.content in ([], "")  # no edit: another rule says whether it stays
        self.restored_with, self.restored_newest = 0, False

    @property
    def blocks(self):
        return seal_model.blocks_of({"content": self.content})

    @property
    def says_something(self):
        return any(not is_thinking(b) for b in self.blocks)

    def value(self):
        return {"role": self.role, "content": self.content, **self.others}

    def let_go(self, wanted, action):
        """Demotes or drops the blocks that are wanted, by identity."""
        call = next((b for b in self.content if b["type"] == "tool_use"), None)
        rest, hoisted, passed = [], [], False
        for block in self.content:
            passed = passed or block is call
            if not any(block is w for w in wanted):
                rest.append(block)
                continue
            if block.get("cache_control"):
                raise Beyond("its marker goes elsewhere")
            if action == "drop" or text_of(block) is None:
                continue
            text = {"type": "text", "text": text_of(block)}
            (hoisted if passed else rest).append(text)
        at = next((i for i, b in enumerate(rest) if b is call), 0)
        self.content = rest[:at] + hoisted + rest[at:]


class Outcome:
    def __init__(self, params):
        self.params = params
        given = params.get("policy", {})
        self.policy = {**DEFAULTS, "thinking": "restore" if given.get("base") == "preserve" else "demote", **given}
        self.list = [Message(i, m) for i, m in enumerate((params.get("request") or params)["messages"])]
        self.rebuilt = params.get("provenance") == "rebuilt"
        self.compatible = params.get("target", {}).get("endpoint") == "compatible"

    def messages(self):
        steps = [self.route, self.markers, self.seals, self.order, self.blocks, self.prune]
        for _ in range(20):
            quiet = True
            for step in steps if self.policy["route"] == "native" else steps[:1]:
                before = copy.deepcopy(self.values())
                step()
                self.settle()
                quiet = quiet and self.values() == before
            if quiet:
                return self.values()
        raise Beyond("it doesn't end")

    # -- what the steps know of the messages as they are --

    def values(self):
        return [m.value() for m in self.list]

    def assistants(self):
        return [m for m in self.list if m.role == "assistant" and isinstance(m.content, list)]

    def seals_now(self):
        """message_index speaks of the input."""
        places = {m.index: i for i, m in enumerate(self.list)}
        return [{**s, "message_index": places.get(s["message_index"], len(self.list))} if "message_index" in s else s
                for s in self.params["seals"]]

    def judged(self):
        return seal_model.judge(self.seals_now(), self.values())[0]

    def intact(self):
        restores = self.policy["thinking"] == "restore"
        return [self.list[i] for g in self.judged() for i in g.messages
                if g.verdict == "intact" or (restores and g.comparison.in_order())]

    def newest(self):
        values = self.values()
        turns, newest = seal_model.turns_of(values), seal_model.newest_turn(values)
        return [m for m, t in zip(self.list, turns) if t == newest]

    def of_dead(self):
        action = self.policy["thinking"]
        return self.policy["dead_thinking"] if action == "restore" else action

    # -- C.7 O2, O3; C.5 B5 --

    def route(self):
        for m in self.assistants():
            if self.policy["route"] == "third_party":
                m.let_go([b for b in m.content if is_thinking(b)], "drop")
            elif self.policy["route"] == "deepseek":
                m.let_go([b for b in m.content if b["type"] == "redacted_thinking" or seal_model.signature_of(b)], "drop")

    def settle(self):
        for i in reversed(range(len(self.list))):
            m = self.list[i]
            if m.content != [] or m.role != "assistant" or m.was_empty:
                continue
            ends_turn = [x.role for x in self.list[i + 1:i + 2]] != ["assistant"]
            if self.policy.get("emptied_turn") or (i and ends_turn and self.list[i - 1].role == "system"):
                m.content = [dict(EMPTY)]
                continue
            around = [x.role for x in (self.list[i - 1:i] + self.list[i + 1:i + 2])]
            if around == ["assistant"] * 2:
                raise Beyond("it may join the protected turn")
            del self.list[i]

    def markers(self):
        for m in self.assistants():
            for block in m.content:
                if is_thinking(block) and block.get("cache_control"):
                    del block["cache_control"]

    # -- C.3 --

    def seals(self):
        groups, given = self.judged(), self.seals_now()
        for at, group in enumerate(groups):
            if group.verdict == "intact":
                continue
            later = [given[g.seals[0]]["seal"]["prefix"]["thinking"] for g in groups[at + 1:]
                     if "prefix" in given[g.seals[0]]["seal"]]
            wanted = self.restored(group, given, later) if self.policy["thinking"] == "restore" else None
            if wanted is not None and wanted != self.list[group.messages[0]].content:
                self.check_markers(self.list[group.messages[0]], wanted)
                self.list[group.messages[0]].content = wanted
                self.list[group.messages[0]].restored_with = len(group.seals)
                self.list[group.messages[0]].restored_newest = self.list[group.messages[0]] in self.newest()
            elif wanted is None and group.dead and self.of_dead() != "report":
                for m in (self.list[i] for i in group.messages):
                    m.let_go([b for b in m.content if is_thinking(b)], self.of_dead())
            elif wanted is not None and group.dead and self.of_dead() != "report":
                raise Beyond("dead as restored")

    def check_markers(self, message, wanted):
        """A part that is in no seal gives its marker to one before it, except in the newest turn."""
        rest = list(wanted)
        for block in message.content:
            if block in rest:
                rest.remove(block)
            elif block.get("cache_control") and message not in self.newest():
                raise Beyond("its marker goes elsewhere")

    def restored(self, group, given, later):
        """The content that the seals say, None where it can't be had."""
        message = self.list[group.messages[0]]
        done = 0 < message.restored_with <= len(group.seals) and (
            message.restored_newest or message not in self.newest())
        if len(group.messages) > 1 or done or self.is_elsewhere(group):
            return None
        comparison = group.comparison
        taken = {w: i for i, w in enumerate(comparison.which) if w is not None}
        rows, number = [], 0
        for seal in (given[s] for s in group.seals):
            if seal.get("restore") is False:
                return None
            for k, sealed in enumerate(seal["seal"]["blocks"]):
                there = comparison.there[taken[number]] if number in taken else None
                if there is None and "content" not in seal["seal"]:
                    return None
                rows.append((sealed, there, seal["seal"].get("content", {k: there})[k]))
                number += 1
        kept = comparison.interrupted()
        return self.chosen(rows, later, message in self.newest(), comparison.added) + ([kept] if kept else [])

    def chosen(self, rows, later, newest, added):
        def stays_out(sealed, there):
            return there is None and is_thinking(sealed) and (
                self.policy["prefix_mismatch"] == "strip" or
                "opaque" in sealed and any(sealed["opaque"] not in thinking for thinking in later))

        bare = newest and any("opaque" in sealed and stays_out(sealed, there) for sealed, there, _ in rows)
        def is_idle(i):
            around = rows[i - 1:i] + rows[i + 1:i + 2]
            apart = len(around) == 2 and all("opaque" in sealed for sealed, _, _ in around)
            blank = rows[i][2]["type"] == "text" and not rows[i][2]["text"].strip()
            return rows[i][1] is None and blank and not apart

        texts, content, hoisted = list(added), [], []
        for i, (sealed, there, block) in enumerate(rows):
            if there is None and is_thinking(sealed) and (bare or stays_out(sealed, there)):
                said = text_of(block) and seal_model.block_digest(text_of(block))
                became = next((b for b in texts if seal_model.block_digest(b) == said), None)
                if became:
                    texts = [b for b in texts if b is not became]
                    (hoisted if any(b["type"] == "tool_use" for b in content) else content).append(became)
                continue
            if is_idle(i) or bare and is_thinking(sealed):
                continue
            if there is None:
                there = copy.deepcopy(block)
                if is_thinking(there):
                    there.pop("cache_control", None)
            content.append(there)
        call = next((i for i, b in enumerate(content) if b["type"] == "tool_use"), 0)
        return content[:call] + hoisted + content[call:]

    def is_elsewhere(self, group):
        """An absent call in any other message; an absent block in one of this turn that no seal is of."""
        values, home = self.values(), group.messages[0]
        turns, sealed = seal_model.turns_of(values), {i for g in self.judged() for i in g.messages}
        for lost in group.comparison.absent:
            for i, m in enumerate(self.list):
                if i == home or m.role != "assistant":
                    continue
                if "id" in lost and any(b["type"] in seal_model.CALLS and b["id"] == lost["id"] for b in m.blocks):
                    return True
                if turns[i] == turns[home] and i not in sealed and \
                        any(seal_model.block_digest(b) == lost["digest"] for b in m.blocks):
                    return True
        return False

    # -- C.4 --

    def order(self):
        if not self.rebuilt or self.of_dead() == "report":
            return
        intact = self.intact()
        turn = [(m, b) for m in self.newest() for b in m.blocks]
        mine = [(m, b) for m, b in turn if is_thinking(b) and m not in intact]
        grouped = [b for _, b in turn[:2]] == [b for _, b in mine[:2]]
        if len(mine) < 2 or not any(b["type"] in seal_model.CALLS for _, b in turn):
            return
        if self.policy.get("rebuilt_rule") == "grouped" and not grouped:
            return
        for m in self.newest():
            m.let_go([b for owner, b in mine if owner is m], self.of_dead())

    # -- C.5 --

    def is_malformed(self, block):
        return self.policy["signature_form"] == "base64" and block["type"] == "thinking" and \
            seal_model.signature_of(block) != "" and not is_base64(seal_model.signature_of(block))

    def blocks(self):
        if self.compatible:
            return
        intact, newest, doomed = self.intact(), self.newest(), []
        for m in self.assistants():
            doomed += [(m, b) for b in m.content if is_thinking(b) and (
                not seal_model.signature_of(b) or (m not in intact and self.is_malformed(b)))]
            if m in newest and m not in intact and any(self.is_malformed(b) for b in m.content):
                doomed += [(x, b) for x in newest if x not in intact for b in x.blocks if is_thinking(b)]
        for m in self.assistants():
            m.let_go([b for owner, b in doomed if owner is m], self.policy["unsigned_thinking"])

    # -- C.7 O1 --

    def prune(self):
        said = [i for i, m in enumerate(self.list) if m.role == "user" and
                any(b["type"] != "tool_result" for b in m.blocks)]
        if self.policy.get("prior_thinking") and said:
            newest = self.newest()
            for m in self.list[:said[-1]]:
                if m.role == "assistant" and m not in newest and isinstance(m.content, list):
                    m.let_go([b for b in m.content if is_thinking(b)], "drop")
