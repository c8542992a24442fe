# SPDX-License-Identifier: Apache-2.0
"""Random parameters of `tools`, and what holds for all of them."""
import json

import histories
import spans
import spliced
from wire import RUNNER

DATES = {"web_search": ["20250305", "20260209", "20260318"], "web_fetch": ["20250910", "20260309"],
         "code_execution": ["20250522", "20250825", "20260120", "20260521"],
         "computer_toolset": ["20260801", "20270101"]}
WISHES = {"anthropic": ["web_search", "web_fetch", "code_execution", "shell", "memory", "computer", "tool_search"],
          "openai-responses": ["web_search", "code_execution", "image_generation", "shell", "computer"],
          "azure-responses": ["code_execution"],
          "gemini": ["web_search", "web_fetch", "code_execution", "google_maps"],
          "xai-responses": ["web_search", "code_execution", "x_search"]}
OTHER_BETAS = ["context-1m-2025-08-07", "Computer-Use-2025-01-24", " a ", "a,b", "", "b , c"]
MEMBERS = [{}, {}, {"thinking": {"type": "adaptive", "block_binding": {}}}, {"fallbacks": "default"},
           {"context_management": {"edits": [{"type": "compact_20260112"}]}}, {"thread": {"type": "create"}},
           {"output_config": {"task_budget": {}}}, {"mcp_servers": [{"type": "url", "url": "u", "name": "s"}]}]
BLOCKS = [{"type": "text", "text": "a"}, {"type": "fallback", "from": {}, "to": {}},
          {"type": "server_tool_use", "id": "srvtoolu_1", "name": "advisor", "input": {}},
          {"type": "compaction", "content": "s", "signature": "x"}]


class Draw:
    def __init__(self, rng):
        self.rng = rng

    def chance(self, p):
        return self.rng.random() < p

    def options(self):
        return self.rng.choice([{}, {}, {}, {"max_uses": 1}, {"max_uses": 1.0}, {"defer_loading": True}])

    def function(self, provider):
        name = self.rng.choice(["a", "b", "c"])
        if provider == "gemini":
            return {self.rng.choice(["functionDeclarations", "function_declarations"]): [{"name": name}]}
        if provider == "anthropic":
            more = self.rng.choice([{}, {}, {"description": "d"}, {"type": "custom"}, self.options()])
            return {"name": name, "input_schema": {"type": "object"}, **more}
        return {"type": self.rng.choice(["function", "function", "custom"]), "name": name, **self.options()}

    def built_in(self, provider):
        if provider == "gemini":
            kinds = self.rng.sample(["googleSearch", "google_search", "urlContext", "codeExecution"], 2)
            return {k: self.options() for k in kinds[:self.rng.choice([1, 1, 1, 2])]}
        if provider == "anthropic":
            family = self.rng.choice(list(DATES))
            entry = {"type": "%s_%s" % (family, self.rng.choice(DATES[family])), **self.options()}
            if family != "computer_toolset":
                entry["name"] = family
            if self.chance(0.3):
                entry["allowed_callers"] = ["direct"]
            return entry
        if self.chance(0.3):
            return {"type": "mcp", "server_label": self.rng.choice("st"), "server_url": self.rng.choice("uv")}
        return {"type": self.rng.choice(["web_search", "code_interpreter", "image_generation"]), **self.options()}

    def entry(self, provider):
        if self.chance(0.05):
            return self.rng.choice([{"type": "future"}, {"x": 1}, {"name": 7}])
        if provider == "anthropic" and self.chance(0.15):
            return {"type": "mcp_toolset", "mcp_server_name": self.rng.choice("st"), **self.options()}
        return self.function(provider) if self.chance(0.5) else self.built_in(provider)

    def addition(self, provider):
        roll = self.rng.random()
        if roll < 0.5:
            return self.entry(provider)
        if roll < 0.6 and provider in ("anthropic", "openai-responses"):
            return {"want": "mcp", "options": {"name": self.rng.choice("st"), "url": self.rng.choice("uv")}}
        wish = self.rng.choice(WISHES[provider] + (["advisor"] if self.chance(0.1) else []))
        return wish if self.chance(0.6) else {"want": wish, "options": self.options()}

    def base(self, provider):
        """Entries that don't clash, mostly."""
        entries = [self.entry(provider) for _ in range(self.rng.choice([0, 1, 2, 3]))]
        if self.chance(0.2):
            return entries + entries[:1]
        seen = {}
        for e in entries:
            seen.setdefault(e.get("name") or e.get("type") or next(iter(e)), e)
        return list(seen.values())

    def params(self):
        provider = self.rng.choice(["anthropic"] * 4 + list(WISHES))
        p = {"provider": provider,
             "add": [self.addition(provider) for _ in range(self.rng.choice([0, 1, 1, 2, 3]))],
             "betas": [self.rng.choice(OTHER_BETAS) for _ in range(self.rng.choice([0, 0, 1, 2]))]}
        if self.chance(0.4):
            p["on_conflict"] = self.rng.choice(["replace", "newest", "keep_base", "replace_custom"])
        if self.chance(0.2):
            p["target"] = {"endpoint": self.rng.choice(["anthropic", "vertex", "bedrock"])}
        if self.chance(0.2):
            p.update(self.rng.choice([{"legacy_betas": True}, {"interleaved": True}, {"call": "count_tokens"}]))
        tools = self.rng.choice([None, self.base(provider), self.base(provider), self.base(provider)])
        if self.chance(0.4):
            p["tools"] = tools
            return p
        messages = [{"role": "user", "content": "q"}]
        if self.chance(0.5):
            messages += [{"role": "assistant", "content": [self.rng.choice(BLOCKS)]}, {"role": "user", "content": "n"}]
        p["request"] = {"model": "m", "messages": messages, **self.rng.choice(MEMBERS)}
        if tools is not None or self.chance(0.5):
            p["request"]["tools"] = tools
        if self.chance(0.2):
            p["request"]["anthropic_beta"] = ["x", "a"]
        return p


def draw(rng):
    """(parameters, the same as JSON text)"""
    style = histories.Wild(rng) if rng.random() < 0.5 else histories.Plain()
    written = histories.write(Draw(rng).params(), style)
    return json.loads(written), written


class ToolsTrial:
    """Parameters, and the daemon's answers to them."""

    def __init__(self, wire, params, text):
        self.wire, self.params, self.text = wire, params, text
        self.answers = {}

    def ask(self, form="patch"):
        if form not in self.answers:
            end = self.text.rindex("}")
            self.answers[form] = self.wire.ask("tools", '%s,"return":"%s"}' % (self.text[:end], form))
        return self.answers[form]

    def ask_all(self):
        for form in ("patch", "tools"):
            self.ask(form)

    @property
    def body(self):
        return self.params.get("request", {"tools": self.params.get("tools")})

    def after(self):
        return RUNNER.patch(self.body, self.ask().result["patch"])


ERRORS = {"tool_name_conflict", "incompatible_tools", "missing_option", "unsupported_server_tool"}


def refusals_are_known(trial):
    """It answers, or refuses for one of the reasons that such parameters can give."""
    return None if not trial.ask().error or trial.ask().name in ERRORS else "error %s" % trial.ask().error["data"]


def patch_makes_the_tools(trial):
    """The patch gives the tools that `return: tools` gives, and touches nothing else."""
    if trial.ask().error:
        return None if trial.ask("tools").name == trial.ask().name else "another error"
    result, after = trial.ask().result, trial.after()
    if (after.get("tools") or []) != trial.ask("tools").result["tools"]:
        return "the patch gives %s" % after.get("tools")
    if result["changed"] != bool(result["patch"]):
        return "changed %s with %s" % (result["changed"], result["patch"])
    rest = ("tools", "mcp_servers", "anthropic_beta")
    if {k: v for k, v in after.items() if k not in rest} != {k: v for k, v in trial.body.items() if k not in rest}:
        return "other members changed"
    servers = after.get("mcp_servers") or []
    return None if all(s in servers for s in result["mcp_servers"]) else "servers are %s" % servers


def twice_is_once(trial):
    """Merging the same additions again changes nothing."""
    if trial.ask().error:
        return None
    r = trial.ask().result
    again = {**{k: v for k, v in trial.params.items() if k not in ("request", "tools")}, "betas": r["betas"]}
    again.update({"request": trial.after()} if "request" in trial.params else {"tools": trial.after()["tools"]})
    answer = trial.wire.ask("tools", json.dumps(again))
    if answer.error:
        return "error %s" % answer.error["data"]
    s = answer.result
    # Servers are unknown if only tools were sent.
    patch = [op for op in s["patch"] if "request" in again or not op["path"].startswith("/mcp_servers")]
    if patch or s["added_betas"] or ("request" in again and s["changed"]):
        return "changes again: %s" % s
    return None if s["betas"] == r["betas"] and s["headers"] == r["headers"] else "betas %s" % s["betas"]


def base_keeps_order_and_bytes(trial):
    """Entries that were neither replaced nor dropped keep their order and their bytes."""
    if trial.ask("tools").error:
        return None
    node = spans.Node(trial.text)
    base = (node.get("request").get("tools") if "request" in trial.params else node.get("tools"))
    sent = [n.text for n in base.open().items] if base and base.kind == "[" else []
    answer = spans.Node(trial.ask("tools").raw.decode()).get("result").get("tools")
    got = [n.text for n in answer.open().items]
    gone = sum(op["op"] in ("remove", "replace") and op["path"].startswith("/tools/")
               for op in trial.ask().result["patch"])
    whole = sum(op["path"] == "/tools" for op in trial.ask().result["patch"])
    kept = [t for t in sent if t in got]
    if len(kept) < len(sent) - gone and not whole:
        return "of %s only %s is left" % (sent, kept)
    places = [got.index(t) for t in dict.fromkeys(kept)]
    return None if places == sorted(places) else "order %s" % places


def betas_are_a_set(trial):
    """The caller's values first, none twice, the header says the same."""
    if trial.ask().error:
        return None
    r = trial.ask().result
    values = r["betas"]
    if len({v.lower() for v in values}) != len(values) or any(v != v.strip(" \t") or not v for v in values):
        return "values %s" % values
    lines = list(trial.params["betas"])
    bedrock = trial.params.get("target", {}).get("endpoint") == "bedrock"
    if bedrock:
        lines += trial.params.get("request", {}).get("anthropic_beta", [])
    theirs = [v.strip(" \t") for line in lines for v in line.split(",")]
    theirs = [v for i, v in enumerate(theirs) if v and v.lower() not in [x.lower() for x in theirs[:i]]]
    if trial.params["provider"] != "anthropic":
        theirs = []
    if values != theirs + r["added_betas"]:
        return "values %s, the caller's %s, added %s" % (values, theirs, r["added_betas"])
    header = {} if bedrock or not values else {"anthropic-beta": ",".join(values)}
    return None if r["headers"] == header else "headers %s" % r["headers"]


def codecs_agree(trial):
    """The answer in msgpack is equal."""
    answer, want = trial.wire.ask_msgpack("tools", trial.params), trial.ask()
    if answer.error or want.error:
        same = bool(answer.error) and bool(want.error) and answer.error["data"] == want.error["data"]
    else:
        same = answer.result == want.result
    return None if same else "msgpack: %s" % json.dumps(answer.document)[:2000]


def splices_make_the_tools(trial):
    """The changes of the bytes as sent give the bytes that the other forms give."""
    return spliced.law(trial.ask, "tools", trial.text)


LAWS = [splices_make_the_tools, refusals_are_known, patch_makes_the_tools, twice_is_once, base_keeps_order_and_bytes, betas_are_a_set,
        codecs_agree]
