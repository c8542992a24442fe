# SPDX-License-Identifier: Apache-2.0
"""Properties of every stream (STREAM.md).

Each law takes a Trial and gives None or a sentence that says what is wrong.
"""
import collections
import json
import random

import seal_model
import stream_model
from wire import RUNNER

# Rows 0 to 5 and 7 of RULES.md section 2.
PAIRING = {"provider_executed_block_outside_assistant", "duplicate_provider_executed_id",
           "provider_executed_call_without_result", "provider_executed_result_without_call",
           "provider_executed_result_before_call", "invalid_provider_executed_tool_call",
           "provider_executed_result_type_mismatch"}


class Refused(Exception):
    pass


class Outcome:
    """How a stream went: outputs by feed, and what stream.end answered."""

    def __init__(self, opened):
        self.carried = opened["carried"]
        self.by_feed = []
        self.end = None

    @property
    def outputs(self):
        return [o for outputs in self.by_feed for o in outputs]


class Trial:
    def __init__(self, wire, stream, seed=0):
        self.wire, self.stream, self.seed = wire, stream, seed
        self.known = {}

    def call(self, method, params):
        if self.stream.codec == "msgpack":
            answer = self.wire.ask_msgpack(method, params)
        else:
            answer = self.wire.ask(method, json.dumps(params))
        if answer.error:
            raise Refused("%s answers %s %s" % (method, answer.name, answer.error["data"]))
        return answer.result

    def run(self, cutting):
        """Feeds the stream, cut as that number says."""
        if cutting in self.known:
            return self.known[cutting]
        rng = random.Random("%s %d" % (self.seed, cutting))
        outcome = Outcome(self.call("stream.open", {"stream": "s", **self.stream.params}))
        try:
            outcome.feeds = list(self.stream.feeds(rng))
            for params in outcome.feeds:
                result = self.call("stream.feed", {"stream": "s", **params})
                outcome.by_feed.append(result["outputs"])
                if result["state"] != "open":
                    break
        finally:
            outcome.end = self.call("stream.end", {"stream": "s", "transport_error": self.stream.transport})
        outcome.by_feed.append(outcome.end["outputs"])
        self.known[cutting] = outcome
        return outcome

    def model(self, outcome):
        """Returns a model of the stream, before its first event."""
        params, seen, answered = self.stream.params, [], []
        for m in params.get("history", []):
            for b in m["content"] if m["role"] == "assistant" else []:
                ident = b.get("tool_use_id", b.get("id"))
                if b["type"].endswith("_tool_result"):
                    answered.append(ident)
                if b["type"].endswith(("_tool_result", "_tool_use")):
                    seen.append(ident)
        return stream_model.Model(params.get("emit", "parts"), params.get("provider_input", "whole"),
                                  outcome.carried, seen, answered,
                                  params.get("policy", {}).get("unknown_tools") == "error")


def bare(output):
    """An output without what is for people, frames read."""
    if not isinstance(output, dict):
        return output
    if output.get("type") == "sse":
        return read_frame(output["data"])
    if output.get("type") == "error" and "kinds" in output:
        output = {k: v for k, v in output.items() if k != "text"}
        if isinstance(output.get("error"), dict):
            output["error"] = {k: v for k, v in output["error"].items() if k != "message" or "request" in k}
        if "data" in output:
            output["data"] = bare_error(read_frame(output["data"]))
    return output


def bare_error(event):
    event = dict(event)
    if isinstance(event.get("error"), dict):
        event["error"] = {k: v for k, v in event["error"].items() if k != "message"}
    return event


def read_frame(data):
    name, text = data.split("\n")[:2]
    event = json.loads(text[len("data: "):])
    if data != "event: %s\ndata: %s\n\n" % (event["type"], text[len("data: "):]):
        raise ValueError("no frame: %r" % data)
    return event


def bare_model(output):
    if output.get("type") != "error" or "kinds" not in output:
        return output
    output = dict(output)
    if isinstance(output.get("error"), dict):
        output["error"] = {k: v for k, v in output["error"].items() if k != "message"}
    if "data" in output:
        output["data"] = bare_error(output["data"])
    return output


def difference(got, want):
    for i, (g, w) in enumerate(zip(got, want)):
        if g != w:
            return "output %d is %s, the model says %s" % (i, json.dumps(g)[:900], json.dumps(w)[:900])
    if len(got) != len(want):
        return "%d outputs, the model says %d: %s" % (
            len(got), len(want), json.dumps((got + want)[min(len(got), len(want)):])[:900])
    return None


# ---- the laws ----

def outcome_is_the_models(trial):
    """Outputs, error, finish, message, seal and warnings are what STREAM.md says."""
    outcome = trial.run(0)
    m = trial.model(outcome)
    for e in trial.stream.events:
        m.feed(e)
    m.end(trial.stream.transport)
    why = difference([bare(o) for o in outcome.outputs], [bare_model(o) for o in m.outputs])
    if why:
        return why
    want = {"state": m.state, "finish": m.finish, "message": m.message,
            "error": m.error and bare_model(m.error), "warnings": {k: n for k, n in m.warnings.items() if n},
            "seal": seal_model.seal(m.message["content"]) if m.message else None}
    if trial.stream.codec == "json" and want["error"] and "transport" in want["error"]:
        pass
    for member, value in want.items():
        got = outcome.end[member]
        got = bare(got) if member == "error" else got
        if got != value:
            return "%s is %s, the model says %s" % (member, json.dumps(got)[:1500], json.dumps(value)[:1500])
    return None


def outputs_leave_when_they_may(trial):
    """Each feed of events answers what the model lets out with them: nothing earlier, nothing later."""
    if trial.stream.as_bytes:
        return None
    outcome = trial.run(1)
    m = trial.model(outcome)
    for params, outputs in zip(outcome.feeds, outcome.by_feed):
        before = len(m.outputs)
        for e in params["events"]:
            m.feed(e)
        why = difference([bare(o) for o in outputs], [bare_model(o) for o in m.outputs[before:]])
        if why:
            return why
    return None


def cuts_change_nothing(trial):
    """Whatever the cuts, the same outputs in the same order and the same end."""
    first = trial.run(0)
    for cutting in (2, 3):
        other = trial.run(cutting)
        if other.outputs != first.outputs:
            return difference(other.outputs, first.outputs)
        for member in ("state", "finish", "error", "message", "seal", "warnings"):
            if other.end[member] != first.end[member]:
                return "%s differs: %s and %s" % (member, other.end[member], first.end[member])
    return None


def one_end(trial):
    """Exactly one finish or error, and it is last."""
    outcome = trial.run(0)
    if trial.stream.params["emit"] != "parts":
        ends = [i for i, o in enumerate(outcome.outputs) if o.get("type") == "error" and "kinds" in o]
        if outcome.end["state"] == "done":
            return "an error output in a stream that is done" if ends else None
    else:
        ends = [i for i, o in enumerate(outcome.outputs) if o["type"] in ("finish", "error")]
    return None if ends == [len(outcome.outputs) - 1] else "ends at %s of %d" % (ends, len(outcome.outputs))


def findings(trial, messages):
    result = trial.call("validate", {"messages": messages, "max_violations": 10 ** 6})
    return collections.Counter((v["code"], v.get("id")) for v in result["violations"]
                               if v["severity"] == "error" and v["code"] in PAIRING)


def message_adds_no_finding(trial):
    """The law of section 9: history and message have no pairing error that history alone has not."""
    outcome = trial.run(0)
    if outcome.end["message"] is None:
        return None
    history = trial.stream.params.get("history", [])
    told = {b["id"] for m in history for b in m["content"] if isinstance(b, dict) and "id" in b}
    new = findings(trial, history + [outcome.end["message"]]) - findings(trial, history)
    # A call that only carry_in told of isn't in this history.
    new = {k for k in new if k[1] in told or k[1] not in {c["id"] for c in outcome.carried}}
    return "new: %s" % sorted(map(str, new)) if new else None


def pair_is_a_stream(trial):
    """pair of the same message gives the same message, seal and finish, but for usage's sources."""
    end = trial.run(0).end
    if end["state"] != "done" or set(end["warnings"]) & {"unstopped_block", "invalid_client_input"}:
        return None
    f = end["finish"]
    response = {"id": f["id"], "model": f["model"], "content": end["message"]["content"],
                "stop_reason": f["stop_reason"], "stop_sequence": f["stop_sequence"],
                "stop_details": f["stop_details"], "container": f["container"],
                "usage": {k: v for k, v in f["usage"].items() if k.endswith("_tokens")}}
    other = trial.call("pair", {"response": response, **trial.stream.params})
    for member in ("message", "seal"):
        if other[member] != end[member]:
            return "%s is %s, not %s (error %s)" % (member, other[member], end[member], other["error"])
    for finish in (f, other["finish"]):
        finish["usage"] = {k: v for k, v in finish["usage"].items() if k not in ("start", "delta")}
    return None if other["finish"] == f else "finish is %s, not %s" % (other["finish"], f)


def events_make_the_message(trial):
    """A client that puts together the events of the forms events and sse has the message."""
    outcome = trial.run(0)
    if trial.stream.params["emit"] == "parts" or outcome.end["state"] != "done" \
            or set(outcome.end["warnings"]) & {"unstopped_block", "invalid_client_input"}:
        return None
    m = stream_model.Model("parts", carried=outcome.carried)
    for o in outcome.outputs:
        m.feed(bare(o))
    m.end()
    if m.message != outcome.end["message"]:
        return "they make %s %s, not %s" % (m.error, m.message, outcome.end["message"])
    return None


LAWS = [outcome_is_the_models, outputs_leave_when_they_may, cuts_change_nothing, one_end, message_adds_no_finding,
        pair_is_a_stream, events_make_the_message]
assert RUNNER
