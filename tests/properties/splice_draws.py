# SPDX-License-Identifier: Apache-2.0
"""Random parameters of `splice`: a valid history, a turn, what a runner and a caller make of it."""
import copy
import json

import histories


def text(s):
    return {"type": "text", "text": s}


def call(id_, name="f", **more):
    return {"type": "tool_use", "id": id_, "name": name, "input": {"city": "Oslo", "n": [1, 1.5]}, **more}


def result(id_, content="r", **more):
    return {"type": "tool_result", "tool_use_id": id_, "content": content, **more}


def server_call(id_):
    if id_.startswith("mcp"):
        return {"type": "mcp_tool_use", "id": id_, "name": "f", "server_name": "s", "input": {}}
    return {"type": "server_tool_use", "id": id_, "name": "web_search", "input": {"query": "q"}}


def server_result(id_):
    if id_.startswith("mcp"):
        return {"type": "mcp_tool_result", "tool_use_id": id_, "content": [text("found")], "is_error": False}
    return {"type": "web_search_tool_result", "tool_use_id": id_, "content": [
        {"type": "web_search_result", "url": "https://e.x", "title": "t", "encrypted_content": "E"}]}


class Draw:
    def __init__(self, rng):
        self.rng, self.count = rng, 0

    def chance(self, p):
        return self.rng.random() < p

    def fresh(self, head="toolu_"):
        self.count += 1
        return "%s%d" % (head, self.count)

    def words(self):
        return self.rng.choice(histories.WORDS)

    def signed(self):
        self.count += 1
        return {"type": "thinking", "thinking": self.words(), "signature": "sig%d" % self.count}

    # ---- history: valid by itself ----

    def history(self):
        messages = [{"role": "user", "content": "q"}]
        for _ in range(self.rng.randrange(3)):
            if self.chance(0.5):
                id_ = self.fresh()
                messages += [{"role": "assistant", "content": [self.signed(), call(id_)]},
                             {"role": "user", "content": [result(id_)]}]
            else:
                id_ = self.fresh("srvtoolu_")
                messages += [{"role": "assistant", "content": [
                    server_call(id_), server_result(id_), text(self.words())]},
                    {"role": "user", "content": self.words()}]
        return messages

    # ---- the turn ----

    def turn_block(self):
        kind = self.rng.choice(["text", "text", "thinking", "pair", "open", "call", "call", "call", "seam"])
        if kind == "text":
            return [text(self.words())]
        if kind == "thinking":
            return [self.signed()]
        if kind == "seam":
            return [{"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}}] if self.chance(0.3) else []
        if kind == "call":
            more = self.rng.choice([{}, {}, {}, {"toolset_name": "computer"}, {"caller": {"type": "direct"}}])
            return [call(self.fresh(), **more)]
        id_ = self.fresh(self.rng.choice(["srvtoolu_", "mcptoolu_"]))
        if kind == "pair":
            return [server_call(id_), server_result(id_)]
        return [server_call(id_)] if self.chance(0.4) else []

    def turn(self):
        if self.chance(0.05):
            return self.rng.choice(["", "done", []])
        if self.chance(0.04):
            return [{"type": "compaction", "content": "summary"}]
        blocks = [b for _ in range(self.rng.choice([1, 2, 2, 3, 4])) for b in self.turn_block()]
        if blocks and blocks[-1]["type"] == "thinking":  # no turn ends so
            blocks.append(text(self.words()))
        # A message before a seam can't call what comes after it.
        coded = self.chance(0.05) and all(b["type"] != "fallback" for b in blocks)
        return self.called_by_code(blocks) if coded else blocks

    def called_by_code(self, blocks):
        id_ = self.fresh("srvtoolu_")
        caller = {"type": "code_execution_20260120", "tool_id": id_}
        code = {"type": "server_tool_use", "id": id_, "name": "code_execution", "input": {"code": "f()"}}
        return [code] + [{**b, "caller": caller} if b["type"] == "tool_use" else b for b in blocks]

    def stop_reason(self, content):
        if content and isinstance(content, list) and content[0]["type"] == "compaction":
            return "compaction"
        calls = isinstance(content, list) and any(b["type"] == "tool_use" for b in content)
        likely = "tool_use" if calls else "end_turn"
        return self.rng.choice([likely] * 6 + ["pause_turn", "max_tokens", "refusal", None, "sunset"])

    # ---- what comes back ----

    def result(self, ids):
        pool = ids * 4 + ["toolu_x", "srvtoolu_x"]
        content = self.rng.choice(["r", "r", self.words(), "", " ", [], [text("a")], [text("a"), text("b")],
                                   [{"type": "image", "source": {"type": "url", "url": "https://e.x/i"}}]])
        more = self.rng.choice([{}, {}, {"is_error": True}, {"toolset_name": "computer"}])
        return result(self.rng.choice(pool), content, **more)

    def user(self, ids):
        roll = self.rng.random()
        if roll < 0.35:
            return {"role": "user", "content": self.words()}
        if roll < 0.4:
            return {"role": "user", "content": self.rng.choice(["", []])}
        blocks = [self.result(ids) if self.chance(0.6) else text(self.words())
                  for _ in range(self.rng.choice([1, 1, 2, 3]))]
        return {"role": "user", "content": blocks, **({"x": 1} if self.chance(0.05) else {})}

    def copy(self, content):
        """The turn once more, perhaps changed."""
        blocks = copy.deepcopy(content)
        if isinstance(blocks, str) or not blocks:
            return {"role": "assistant", "content": blocks}
        roll = self.rng.random()
        if roll < 0.3:
            blocks = [dict(reversed(list(b.items()))) for b in blocks]
        elif roll < 0.5:
            blocks = [b for b in blocks if self.chance(0.6)]
        elif roll < 0.6:
            blocks[-1]["cache_control"] = {"type": "ephemeral"}
        elif roll < 0.7:
            self.rng.shuffle(blocks)
        while blocks and blocks[-1]["type"] == "thinking":
            blocks.pop()
        return {"role": "assistant", "content": blocks}

    def authored(self, ids):
        if self.chance(0.5):
            return [{"role": "assistant", "content": [text(self.words())]}]
        mine = [self.fresh() for _ in range(self.rng.choice([1, 1, 2]))]
        answers = [result(i) for i in mine if self.chance(0.9)]
        self.rng.shuffle(answers)
        between = [self.user(ids)] if self.chance(0.2) else []
        content = answers + ([text(self.words())] if self.chance(0.3) else [])
        return [{"role": "assistant", "content": [call(i) for i in mine]}, *between,
                {"role": "user", "content": content or "x"}]

    def appended(self, content, ids):
        out = []
        for _ in range(self.rng.choice([0, 1, 1, 2, 3, 5])):
            roll = self.rng.random()
            if roll < 0.55:
                out.append(self.user(ids))
            elif roll < 0.72:
                out.append(self.copy(content))
            elif roll < 0.85:
                out += self.authored(ids)
            else:
                out.append({"role": "system", "content": self.rng.choice([self.words(), self.words(), ""])})
        return out

    def options(self):
        words = {"mode": ["repair", "repair", "strict"], "merge": ["separate", "single"],
                 "on_assistant_conflict": ["error", "replace"], "compaction": ["keep", "replace"]}
        return {k: self.rng.choice(v) for k, v in words.items() if self.chance(0.4)}

    def params(self):
        content = self.turn()
        ids = [b["id"] for b in content if "id" in b] if isinstance(content, list) else []
        history = self.history()
        assistant = {"content": content, "stop_reason": self.stop_reason(content)}
        if self.chance(0.1):
            assistant["container"] = self.rng.choice([None, {"id": "container_1"}])
        params = {"assistant": assistant, "options": self.options(),
                  "appended": self.appended(content, ids or ["toolu_y"]),
                  "tool_results": [self.result(ids or ["toolu_y"]) for _ in range(self.rng.choice([0, 1, 2, 3]))]}
        if self.chance(0.15):
            params["request"] = {"messages": history, **self.rng.choice([
                {}, {"container": "container_9"}, {"container": {"skills": []}}, {"container": None}])}
        else:
            params["messages"] = history
        return params


def params_text(params, rng):
    """As JSON text, half of them written oddly."""
    style = histories.Wild(rng) if rng.random() < 0.5 else histories.Plain()
    return histories.write(params, style)


def draw(rng):
    """(parameters, the same as JSON text)"""
    params = Draw(rng).params()
    written = params_text(params, rng)
    return json.loads(written), written
