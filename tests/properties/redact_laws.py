# SPDX-License-Identifier: Apache-2.0
"""Laws of redact: what is said of a history is said of its redacted form, place by place, and nothing that a person
wrote is left in it.
"""
import json
import random

import histories
import openai_draws
import request_draws
import spans
from openai_laws import written
from wire import RUNNER

SOURCES = ("messages", "request")
UNREADABLE = -32700  # the code of errors about the payload itself: no history was read
# Parameters by which a history is judged that aren't a part of it. Seals have digests of what was said.
FACTS = ("provider", "dialect", "target", "policy", "betas", "provenance")
SHOWN = 20000  # characters of a history in a message
JUDGES = {"validate": {}, "repair": {"guard": False, "return": "report"}}


# ---- what is said of a history ----

def findings(result):
    return [(v["code"], v["severity"], v.get("pointer"), v["message_index"], v["part_index"])
            for v in result.get("violations", ())]


def edits(result):
    return [(e["code"], e["action"], e.get("pointer")) for e in result.get("edits", ())]


def said(answer):
    """All that an answer says about places, without texts and digests."""
    if answer.error:
        data = answer.error["data"]
        return data["name"], data.get("pointer"), data.get("looks_like"), findings(data)
    result, protected = answer.result, answer.result.get("protected")
    if isinstance(protected, dict):
        protected = protected["message_index"]
    return result.get("valid"), result.get("safe"), protected, findings(result), edits(result)


# ---- questions: the text of a history, and the facts about it ----

class Question:
    """A history as JSON text: the value of the parameter `source`, and further parameters."""

    def __init__(self, source, text, facts):
        self.source, self.text, self.facts = source, text, facts

    def params(self, text, more=None):
        """The parameters of a method, with this text instead of the history."""
        members = {} if more is None else {**self.facts, **more}
        return "{%s:%s%s}" % (json.dumps(self.source), text, "".join(
            ",%s:%s" % (json.dumps(name), written(value)) for name, value in members.items()))

    def redacted(self, wire):
        """The text of the redacted history; None: the history can't be read."""
        answer = wire.ask("redact", self.params(self.text))
        if answer.error and answer.error["code"] == UNREADABLE:
            return None
        if answer.error:
            raise AssertionError("redact answers %s to %s" % (answer.error, self.text[:SHOWN]))
        return value_of(answer, self.source)


def value_of(answer, source):
    """The bytes of a member of the result, as text."""
    return spans.Node(answer.raw.decode("utf-8", "surrogatepass")).get("result").get(source).text


def facts_of(params):
    facts = {name: params[name] for name in FACTS if name in params}
    policy = facts.get("policy")
    if isinstance(policy, dict):  # names of tools, which the redacted history doesn't have
        facts["policy"] = {key: value for key, value in policy.items() if key != "serializable_tools"}
    return facts


def question_of_text(params):
    """A question of the JSON text of a method's parameters; None: they have no history."""
    node = spans.Node(params)
    facts = facts_of({json.loads(key): json.loads(item.text) for key, item in zip(node.open().keys, node.items)
                      if json.loads(key) not in SOURCES})
    for source in SOURCES:
        if node.index(source) is not None:
            return Question(source, node.get(source).text, facts)
    return None


def question_of_case(params):
    """Questions of the parameters of a step of a case, spelled in two ways, or as bytes if bytes are its point."""
    if not isinstance(params, dict):
        return
    params = dict(RUNNER.grown(params))
    raw = params.pop("__raw_messages__", None)
    if raw is not None:
        yield Question("messages", raw, facts_of(params))
        return
    for source, kind in zip(SOURCES, (list, dict)):
        if isinstance(params.get(source), kind):
            yield Question(source, json.dumps(params[source]), facts_of(params))
            yield Question(source, written(params[source]), facts_of(params))


def drawn(seed, number):
    """A random history of any provider."""
    kind = number % 3
    if kind == 0:
        return question_of_text(histories.draw(random.Random("redact %s/%d" % (seed, number))).params())
    if kind == 1:
        return question_of_text(request_draws.draw(seed, number).params())
    case = openai_draws.draw(seed, number)
    return None if case.turn else question_of_text(written(case.params()))


def told(answer):
    """The provider whose history it is, as `detect` says it, without the words that tell: they may be a model's name, or a tool's."""
    if answer.error:
        return answer.error["data"]["name"]
    return {key: value for key, value in answer.result.items() if key != "because"}


# ---- the laws ----

def is_judged_the_same(wire, question):
    """None, or a sentence that says how the verdict about the redacted history differs."""
    hidden = question.redacted(wire)
    if hidden is None:
        return None
    if len(hidden.encode("utf-8", "surrogatepass")) != len(question.text.encode("utf-8", "surrogatepass")):
        return "another size:\n%s\n%s" % (question.text[:SHOWN], hidden[:SHOWN])
    for method, more in JUDGES.items():
        before, after = (said(wire.ask(method, question.params(text, {**more, "max_violations": 10 ** 6})))
                         for text in (question.text, hidden))
        if before != after:
            return "%s %s\n%s\nof %s\n%s\nof %s" % (method, json.dumps(question.facts), before, question.text[:SHOWN], after,
                                                    hidden[:SHOWN])
    before, after = (told(wire.ask("detect", question.params(text))) for text in (question.text, hidden))
    if before != after:
        return "detect %s\nof %s\n%s\nof %s" % (before, question.text[:SHOWN], after, hidden[:SHOWN])
    return None

