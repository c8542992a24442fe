# SPDX-License-Identifier: Apache-2.0
"""Random parameters of `prepare`, and that it is its steps one by one (OPERATIONS.md part D)."""
import copy
import json
import random

import histories
import seal_draws
import splice_draws
import spliced
import tools_laws
from wire import RUNNER

OFF = {"type": "disabled"}
TOOLS_STEP = ("add", "on_conflict", "betas", "interleaved", "legacy_betas", "call")


def draw(rng):
    """(parameters, the same as JSON text)"""
    number = rng.randrange(10 ** 9)
    if rng.random() < 0.6:
        params = with_seals(number)
    else:
        params = {"request": {"model": "m", "messages": histories.draw(rng, "anthropic").value() or [
            {"role": "user", "content": "q"}]}}
    if rng.random() < 0.5:
        splice = splice_draws.Draw(rng).params()
        params["splice"] = {k: v for k, v in splice.items() if k not in ("messages", "request")}
        if rng.random() < 0.7:
            params["request"]["messages"] = splice.get("messages") or splice["request"]["messages"]
    if rng.random() < 0.6:
        tools = tools_laws.Draw(rng).params()
        if tools["provider"] == "anthropic":
            params["tools"] = {k: tools[k] for k in TOOLS_STEP if k in tools}
            params["request"].update({k: v for k, v in tools.get("request", {}).items()
                                      if k not in ("messages", "thread", "anthropic_beta")})
    params["guard"] = rng.random() < 0.5
    style = histories.Wild(rng) if rng.random() < 0.5 else histories.Plain()
    written = histories.write(params, style)
    return json.loads(written), written


def with_seals(number):
    params = copy.deepcopy(seal_draws.Draw(random.Random(number)).params)
    params.setdefault("request", {"messages": params.pop("messages", None)})
    params.pop("target", None)
    return params


class Refused(Exception):
    """Returns a step's error as prepare reports it."""

    def __init__(self, error, stage):
        self.data = {**error["data"], "stage": stage}
        pointer = self.data.get("pointer", "")
        own = {"splice": "splice", "tools": "tools"}.get(stage)
        if own and pointer.startswith("/params/") and not pointer.startswith("/params/request"):
            self.data["pointer"] = "/params/%s%s" % (own, pointer[len("/params"):])
        self.ours = pointer.startswith("/params/request")


class PrepareTrial:
    def __init__(self, wire, params, text):
        self.wire, self.params, self.text = wire, params, text
        self.answers = {}

    def ask(self, form="patch"):
        if form not in self.answers:
            end = self.text.rindex("}")
            self.answers[form] = self.wire.ask("prepare", '%s,"return":"%s"}' % (self.text[:end], form))
        return self.answers[form]

    def step(self, stage, method, params):
        answer = self.wire.ask(method, histories.write(params, histories.Plain()))
        if answer.error:
            raise Refused(answer.error, stage)
        return answer.result

    def by_hand(self):
        """Returns the answers of the steps, called one by one: a result like prepare's, and the body in the end."""
        body = copy.deepcopy(self.params["request"])
        want = {"action": "continue", "notes": {"splice": [], "tools": []}}
        if "splice" in self.params:
            r = self.step("splice", "splice", {"request": body, **self.params["splice"]})
            body = RUNNER.patch(body, r["patch"])
            want["notes"]["splice"] = r["notes"]
            want["action"] = r["action"]
            if "deferred" in r:
                want["deferred"] = r["deferred"]
            if r["action"] == "stop":
                del want["notes"]["tools"]
                return want, body
        given = self.params.get("tools", {})
        r = self.step("tools", "tools", {"request": body, **given})
        body = RUNNER.patch(body, r["patch"])
        want["notes"]["tools"] = r["notes"]
        return self.repaired(want, body, {k: v for k, v in given.items() if k != "add"}, r["betas"])

    def repair_step(self, params):
        """Repairs the body. Where that asks to switch thinking off, prepare does, and the outcome is judged without."""
        cleaned = self.wire.ask("repair", histories.write({**params, "guard": False}, histories.Plain()))
        asked = (cleaned.result or {}).get("set", {})
        if asked.get("/thinking") != OFF:
            return self.step("repair", "repair", params)
        r = self.step("repair", "repair", {**params, "request": {**params["request"], "thinking": OFF}})
        return {**r, "set": asked}

    def repaired(self, want, before, given, betas):
        """Repairs until the repair is told no value that the request won't have."""
        while True:
            made, body = self.repaired_for(dict(want), before, given, betas)
            told, betas = betas, [b for b in betas if b in made["betas"]]
            if betas == told:
                return made, body

    def repaired_for(self, want, before, given, betas):
        more = {k: self.params[k] for k in ("policy", "seals", "provenance", "guard") if k in self.params}
        r = self.repair_step({"request": before, "betas": betas, **more})
        body = RUNNER.patch(copy.deepcopy(before), r["patch"])
        want.update({k: r[k] for k in ("safe", "edits", "stats", "violations", "verdicts") if k in r})
        for pointer, value in r.get("set", {}).items():
            at = body
            *path, last = pointer.split("/")[1:]
            for key in path:
                at = at[key]
            at[last] = value
        r = self.step("repair", "tools", {"request": body, **given})
        want.update({k: r[k] for k in ("headers", "betas", "added_betas")})
        return want, body


def same_refusal(answer, refused):
    if not answer.error:
        return "prepare doesn't refuse, a step does: %s" % refused.data
    got, want = dict(answer.error["data"]), dict(refused.data)
    for data in (got, want):
        data.pop("violations", None)
        if want.get("pointer", "").startswith("/params/request/messages"):
            data.pop("pointer", None)  # of the body as sent, or as it was made
    return None if got == want else "prepare refuses with %s, the step with %s" % (got, want)


def unplaced(member, value):
    """The place of a lone surrogate is told in the body that was sent."""
    if member != "violations":
        return value
    return [{**v, "provider_error": None} if v["code"] == "body_lone_surrogate" else v for v in value]


def prepare_is_its_steps(trial):
    """One call answers what splice, tools, repair and tools once more answer one by one."""
    answer = trial.ask()
    try:
        want, body = trial.by_hand()
    except Refused as refused:
        return same_refusal(answer, refused)
    if answer.error:
        return "prepare refuses with %s" % answer.error["data"]
    got = answer.result
    different = [k for k in want if unplaced(k, got.get(k)) != unplaced(k, want[k])]
    if different:
        return "; ".join("%s %s, the steps say %s" % (k, json.dumps(got.get(k)), json.dumps(want[k]))
                         for k in different)
    if any(e["code"] == "tool_result_content_type" for e in got.get("edits", [])):
        return None  # JSON as spelled becomes text, and the steps here spell it again
    after = RUNNER.patch(copy.deepcopy(trial.params["request"]), got["patch"])
    return None if after == body else "the patch gives %s, the steps %s" % (json.dumps(after), json.dumps(body))


def forms_agree(trial):
    """`return: request` is the body that the patch makes, and left out where nothing changed."""
    patch, whole = trial.ask(), trial.ask("request")
    if patch.error or whole.error:
        return None if patch.error and whole.error and patch.error["data"] == whole.error["data"] else "one refuses"
    rest = [{k: v for k, v in a.result.items() if k not in ("patch", "request")} for a in (patch, whole)]
    if rest[0] != rest[1] or ("request" in whole.result) != rest[0]["changed"]:
        return "%s" % rest
    want = RUNNER.patch(copy.deepcopy(trial.params["request"]), patch.result["patch"])
    got = whole.result.get("request", trial.params["request"])
    if (got != trial.params["request"]) > rest[0]["changed"]:
        return "changed is false"
    return None if got == want else "request is %s, the patch gives %s" % (json.dumps(got), json.dumps(want))


def codecs_agree(trial):
    """msgpack answers what plainly written JSON does."""
    if histories.is_cut(json.dumps(trial.params, ensure_ascii=False)):
        return None  # half a character has no UTF-8
    params = {**trial.params, "return": "request"}
    documents = [trial.wire.ask_msgpack("prepare", params).document,
                 trial.wire.ask("prepare", histories.write(params, histories.Plain())).document]
    for d in documents:
        if (d.get("result") or {}).get("protected"):
            d["result"]["protected"].pop("sha256")
    return None if documents[0] == documents[1] else "msgpack: %s\nJSON: %s" % tuple(map(json.dumps, documents))


def again_is_nothing(trial):
    """A request that guard accepted needs nothing more by itself."""
    answer = trial.ask("request")
    if answer.error or not trial.params["guard"] or answer.result["action"] == "stop":
        return None
    body = answer.result.get("request", trial.params["request"])
    more = {k: trial.params[k] for k in ("policy", "seals", "provenance") if k in trial.params}
    if any("message_index" in s for s in more.get("seals", [])):
        return None
    again = trial.wire.ask("prepare", json.dumps({"request": body, **more}))
    if again.error:
        return "refused: %s" % again.error["data"]
    return "changes %s" % again.result["patch"] if again.result["changed"] else None


def splices_make_the_request(trial):
    """The changes of the bytes as sent give the bytes that the other forms give."""
    return spliced.law(trial.ask, "prepare", trial.text)


LAWS = [splices_make_the_request, prepare_is_its_steps, forms_agree, codecs_agree, again_is_nothing]
