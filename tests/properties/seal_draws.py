# SPDX-License-Identifier: Apache-2.0
"""Random conversations with sealed turns, as they were received and as they came back."""
import copy
import json
import random

import histories
import seal_model

WORDS = [w for w in histories.WORDS if w.strip()] + ["plan", "look again", "so far so good"]
IMAGE = {"type": "image", "source": {"type": "url", "url": "https://e.x/a.png"}}
TOOLS = [{"name": "f", "input_schema": {"type": "object"}}, {"name": "g", "input_schema": {"type": "object"}},
         {"type": "web_search_20250305", "name": "web_search"},
         {"name": "late", "input_schema": {"type": "object"}, "defer_loading": True}]
SYSTEMS = ["be kind", [{"type": "text", "text": "be kind"}],
           [{"type": "text", "text": "be kind", "cache_control": {"type": "ephemeral"}}, {"type": "text", "text": "b"}]]
CUT = ["!", "AB", "A", "AAA=A", "not base64"]


def text(words):
    return {"type": "text", "text": words}


class Maker:
    """A conversation, turn by turn."""

    def __init__(self, rng):
        self.rng, self.fresh = rng, 0

    def chance(self, p):
        return self.rng.random() < p

    def number(self):
        self.fresh += 1
        return self.fresh

    def words(self):
        return self.rng.choice(WORDS)

    def signature(self):
        n = self.number()
        return self.rng.choice(CUT) + "%04d!" % n if self.chance(0.1) else "c2ln%04dAAA=" % n

    def odd(self):
        """Returns a turn as a gateway or a store may have changed it before it was sealed."""
        block = self.rng.choice([{"type": "redacted_thinking"}, {"type": "redacted_thinking", "data": ""},
                                 {"type": "thinking", "thinking": "unsigned"}, text(" "),
                                 {"type": "thinking", "thinking": "", "signature": ""}, self.thinking(), text("t")])
        return {**block, "cache_control": {"type": "ephemeral"}} if self.chance(0.6) else block

    def thinking(self):
        if self.chance(0.2):
            return {"type": "redacted_thinking", "data": "ENC%04d" % self.number()}
        said = self.rng.choice(["", self.words(), self.words() + " %d" % self.number()])
        return {"type": "thinking", "thinking": said, "signature": self.signature()}

    def input(self):
        return self.rng.choice([{}, {"q": self.words()}, {"n": [1, 2.5, None], "cache_control": {"type": "x"}},
                                {"a": {"b": histories.Lexeme("1.50e2"), "": True}, "\u00e9": -7}])

    def call(self):
        block = {"type": "tool_use", "id": "toolu_%d" % self.number(), "name": self.rng.choice(["f", "g", "late"]),
                 "input": self.input()}
        if self.chance(0.2):
            block["caller"] = {"type": "direct"}
        return block

    def pair(self):
        id_ = "srvtoolu_%d" % self.number()
        return [{"type": "server_tool_use", "id": id_, "name": "web_search", "input": {"query": self.words()}},
                {"type": "web_search_tool_result", "tool_use_id": id_, "content": []}]

    def turn(self, loop):
        """As a model speaks: thinks, says something, searches, calls; never ends thinking."""
        blocks = []
        for _ in range(self.rng.choice([1, 1, 2])):
            blocks += [self.thinking() for _ in range(self.rng.choice([0, 1, 1, 1, 2]))]
            if self.chance(0.04):
                blocks.append(self.odd())
            if self.chance(0.5):
                blocks.append(text(self.words()))
            if self.chance(0.25):
                blocks += self.pair()
        for _ in range(self.rng.choice([1, 1, 2, 3]) if loop else 0):
            blocks += [self.thinking()] if self.chance(0.4) else []
            blocks.append(self.call())
        if not loop:
            blocks.append(text(self.words()))
        return blocks

    def results(self, turn):
        return [{"type": "tool_result", "tool_use_id": b["id"], "content": self.words()}
                for b in turn if b["type"] == "tool_use"]

    def question(self):
        roll = self.rng.random()
        if roll < 0.5:
            return self.words()
        return [text(self.words())] + [dict(IMAGE)] * (roll < 0.55) + [
            {**text("more"), "cache_control": {"type": "ephemeral"}}] * (roll > 0.85)

    def compaction(self):
        return [{"type": "compaction", "content": "so far", "signature": "c2ln%04d" % self.number()}]

    def body(self):
        body = {"messages": [{"role": "user", "content": self.question()}]}
        if self.chance(0.5):
            body["system"] = copy.deepcopy(self.rng.choice(SYSTEMS))
        if self.chance(0.5):
            body["tools"] = copy.deepcopy(self.rng.sample(TOOLS, self.rng.choice([1, 2, 4])))
        if self.chance(0.4):
            body["thinking"] = self.rng.choice([{"type": "enabled", "budget_tokens": 2000}, {"type": "adaptive"}])
        return body

    def conversation(self):
        """body, and of each turn [index of its message, the body that it was the answer to]"""
        body, turns = self.body(), []
        messages = body["messages"]
        for _ in range(self.rng.choice([1, 1, 2, 3, 4])):
            loop = self.chance(0.55)
            turn = self.turn(loop)
            if self.chance(0.05):
                turn = self.compaction() + turn
            turns.append([len(messages), copy.deepcopy(body)])
            messages.append({"role": "assistant", "content": turn})
            more = [text(self.words())] if self.chance(0.2) else []
            answer = self.results(turn) + more if loop else self.question()
            messages.append({"role": "user", "content": answer})
        if self.chance(0.1):
            messages.append({"role": "assistant", "content": [text("pre")]})
        elif self.chance(0.15):
            messages.insert(1, {"role": "system", "content": "mind"})
            turns = [[at + 1, dict(b, messages=b["messages"][:1] + [messages[1]] + b["messages"][1:])]
                     for at, b in turns]
        return body, turns


# -- What a client does to it ------------------------------------------------------------------------

class Damage:
    """Changes the body as stores and clients do. Each method is one way."""

    def __init__(self, maker, body):
        self.maker, self.rng, self.body = maker, maker.rng, body
        self.messages = body["messages"]

    def turns(self):
        return [m for m in self.messages if m["role"] == "assistant" and isinstance(m["content"], list)]

    def one(self):
        return self.rng.choice(self.turns())

    def thinking_of(self, message):
        return [b for b in message["content"] if b["type"] == "thinking"]

    def shuffle(self):
        self.rng.shuffle(self.one()["content"])

    def group(self):
        """Thinking first, as some stores have it."""
        self.one()["content"].sort(key=lambda b: b["type"] not in seal_model.THINKING)

    def swap(self):
        content = self.one()["content"]
        i, k = self.rng.randrange(len(content)), self.rng.randrange(len(content))
        content[i], content[k] = content[k], content[i]

    def lose_some(self):
        message = self.one()
        message["content"] = [b for b in message["content"] if self.rng.random() < 0.7] or message["content"]

    def lose_thinking(self):
        message = self.one()
        kept = [b for b in message["content"] if b["type"] not in seal_model.THINKING or self.rng.random() < 0.4]
        message["content"] = kept or message["content"]

    def lose_all_thinking(self):
        for m in self.messages:
            if m in self.turns():
                m["content"] = [b for b in m["content"] if b["type"] not in seal_model.THINKING] or m["content"]

    def keep_thinking(self):
        message = self.one()
        message["content"] = [b for b in message["content"] if b["type"] in seal_model.THINKING] or message["content"]

    def edit_thinking(self):
        for block in self.thinking_of(self.one())[:1]:
            block["thinking"] = block["thinking"] + " (edited)"

    def edit_signature(self):
        for block in self.thinking_of(self.one())[-1:]:
            signature = block.get("signature", "")
            block["signature"] = self.rng.choice([signature[:-1] + "b=", "", signature * 2])

    def edit_redacted(self):
        for block in self.one()["content"]:
            if block["type"] == "redacted_thinking":
                block["data"] = self.rng.choice(["other", ""])
                return

    def lose_data(self):
        for block in self.one()["content"]:
            if block["type"] == "redacted_thinking":
                block.pop("data", None)
                return

    def edit_text(self):
        for block in self.one()["content"]:
            if block["type"] == "text":
                block["text"] += " indeed"
                return

    def add_text(self):
        content = self.one()["content"]
        content.insert(self.rng.randrange(len(content) + 1), text("[note]"))

    def add_thinking(self):
        content = self.one()["content"]
        block = self.rng.choice([self.maker.thinking(), {"type": "thinking", "thinking": "mine"},
                                 {"type": "thinking", "thinking": " ", "signature": ""}, {"type": "redacted_thinking"}])
        content.insert(self.rng.randrange(len(content)), block)

    def double(self):
        content = self.one()["content"]
        i = self.rng.randrange(len(content))
        content.insert(i, copy.deepcopy(content[i]))

    def mix(self):
        """A block of another turn."""
        a, b = self.one()["content"], self.one()["content"]
        b.insert(self.rng.randrange(len(b) + 1), copy.deepcopy(self.rng.choice(a)))

    def split(self):
        message = self.one()
        content = message["content"]
        if len(content) > 1:
            at = self.rng.randrange(1, len(content))
            i = next(i for i, m in enumerate(self.messages) if m is message)
            self.messages.insert(i + 1, {"role": "assistant", "content": content[at:]})
            message["content"] = content[:at]

    def join(self):
        """A tool loop as one turn: the results between went elsewhere."""
        turns = self.turns()
        if len(turns) > 1:
            turns[0]["content"] += turns[1]["content"]

    def mark(self):
        self.rng.choice(self.one()["content"])["cache_control"] = {"type": "ephemeral"}

    def null(self):
        self.rng.choice(self.one()["content"])["citations"] = None

    def orphan(self):
        content = self.one()["content"]
        content.insert(self.rng.randrange(len(content)), self.maker.pair()[0])

    def system(self):
        self.body["system"] = self.rng.choice(["other", "", []])

    def tools(self):
        self.body["tools"] = copy.deepcopy(self.rng.sample(TOOLS, self.rng.choice([1, 2, 3])))

    def earlier(self):
        if self.messages[0]["role"] == "user":
            self.messages[0]["content"] = self.rng.choice(["other", [text("other")]])

    def mark_user(self):
        self.messages[0]["content"] = [{**b, "cache_control": {"type": "ephemeral"}}
                                       for b in seal_model.blocks_of(self.messages[0])]

    def retry(self):
        self.messages.insert(0, {"role": "user", "content": "before"})

    def forget(self):
        last = max(i for i, m in enumerate(self.messages) if m["role"] == "assistant")
        del self.messages[:self.rng.randrange(last + 1)]

    def drop_answer(self):
        at = [i for i, m in enumerate(self.messages) if i and m["role"] == "user"]
        if at:
            del self.messages[self.rng.choice(at)]

    def empty_text(self):
        content = self.one()["content"]
        content.insert(self.rng.randrange(len(content) + 1), text(" "))

    def other_member(self):
        self.body["max_tokens"] = 5


WAYS = [name for name in vars(Damage) if name not in ("one", "turns", "thinking_of") and not name.startswith("_")]
# Changes that leave the conversation as it was for signatures (P4 to P8 of C.6, and those that C.1 ignores).
HARMLESS = ("mark_user", "null", "other_member")


# -- The parameters ----------------------------------------------------------------------------------

POLICY = {"thinking": ["demote", "drop", "restore", "restore", "restore", "report"],
          "dead_thinking": ["demote", "drop", "report"], "unsigned_thinking": ["demote", "drop"],
          "signature_form": ["any", "base64"], "rebuilt_rule": ["grouped"], "emptied_turn": ["placeholder"],
          "prior_thinking": ["prune"], "prefix_mismatch": ["report", "strip", "strip", "drop_block", "error", "off"],
          "route": ["third_party", "deepseek", "kimi", "native", "native", "native"],
          "merge_adjacent": ["never", "touched", "all"]}
ODDS = {"thinking": 0.7, "route": 0.12, "prior_thinking": 0.12, "merge_adjacent": 0.1, "emptied_turn": 0.3}


def draw_policy(rng):
    policy = {key: rng.choice(values) for key, values in POLICY.items() if rng.random() < ODDS.get(key, 0.35)}
    return {"base": rng.choice(["conservative", "preserve"]), **policy}


class Draw:
    """A conversation that comes back with its seals.

    received: the body as it was; turns: [(index, the body it answered)]; ways: what was done to it;
    params: what is sent, as values; text: the same as JSON text.
    """

    def __init__(self, rng, ways=None):
        maker = Maker(rng)
        self.received, self.turns = plain(maker.conversation())
        self.style = histories.Wild(rng) if rng.random() < 0.4 else histories.Plain()
        body = copy.deepcopy(self.received)
        damage = Damage(maker, body)
        if ways is None:
            ways = [rng.choice(WAYS) for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))]
        for way in ways:
            getattr(damage, way)()
        self.ways = ways
        self.params = self.spoken(rng, body)
        self.text = histories.write(self.params, self.style)
        self.params = json.loads(self.text)

    def entry(self, rng, at, before):
        content = self.received["messages"][at]["content"]
        one = seal_model.seal(content)
        if rng.random() < 0.7:
            one["prefix"] = seal_model.prefix(before)
        if rng.random() < 0.7:
            one["content"] = content
        entry = {"seal": one}
        if rng.random() < 0.12:
            entry["message_index"] = at
        if rng.random() < 0.15:
            entry["restore"] = rng.random() < 0.3
        return entry

    def spoken(self, rng, body):
        seals = [self.entry(rng, at, before) for at, before in self.turns if rng.random() < 0.85]
        if seals and rng.random() < 0.1:
            seals.append(copy.deepcopy(rng.choice(seals)))
        if rng.random() < 0.15:
            rng.shuffle(seals)
        params = {"request": body} if rng.random() < 0.7 else {"messages": body["messages"]}
        params["seals"] = seals
        if rng.random() < 0.75:
            params["policy"] = draw_policy(rng)
        if rng.random() < 0.2:
            params["provenance"] = "rebuilt"
        if rng.random() < 0.1:
            params["target"] = {"endpoint": "compatible"}
        return params


class Smaller:
    """A draw cut down: other parameters, nothing received."""

    def __init__(self, params, ways):
        self.params, self.ways = params, ways
        self.text = json.dumps(params)
        self.received, self.turns, self.style = None, [], histories.Plain()


def smaller(params):
    """The parameters without one thing."""
    def without(path, key):
        less = copy.deepcopy(params)
        inner = less
        for step in path:
            inner = inner[step]
        del inner[key]
        return less

    yield from (without([], key) for key in params if key not in ("request", "messages", "seals"))
    yield from (without(["policy"], key) for key in params.get("policy", {}))
    yield from (without(["seals"], i) for i in range(len(params["seals"])))
    yield from (without(["seals", i, "seal"], key) for i, s in enumerate(params["seals"])
                for key in ("prefix", "content") if key in s["seal"])
    at = ["request", "messages"] if "request" in params else ["messages"]
    yield from (without(["request"], key) for key in params.get("request", {}) if key != "messages")
    messages = params["request"]["messages"] if "request" in params else params["messages"]
    yield from (without(at, i) for i in reversed(range(len(messages))))
    yield from (without([*at, i, "content"], k) for i, m in enumerate(messages) if isinstance(m["content"], list)
                for k in reversed(range(len(m["content"]))))


def shrink(draw, fails):
    """The smallest draw that is found for which fails() still holds."""
    found = True
    while found:
        found = next((d for d in (Smaller(p, ["cut"]) for p in smaller(draw.params)) if fails(d)), None)
        draw = found or draw
    return draw


def plain(value):
    """As JSON would give it back: lexemes become numbers."""
    return json.loads(histories.write(list(value), histories.Plain()))


def draw(seed, number, ways=None):
    return Draw(random.Random("seals %s/%d" % (seed, number)), ways)
