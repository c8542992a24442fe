# SPDX-License-Identifier: Apache-2.0
"""Each fault of the catalogue whose fix drops something, n messages of it, one part each.

An edit that removes parts leaves messages without any, which every walk over neighbours crosses. The
shapes come from the catalogue's own examples, so that a new rule has its shapes at once.
"""
import copy
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
MARKER = {"type": "ephemeral"}
SIGNED = {"role": "assistant", "content": [{"type": "thinking", "thinking": "t", "signature": "c2ln"}]}
IDS = ("id", "tool_use_id", "tool_call_id", "toolCallId")


def rules():
    path = os.path.join(HERE, "..", "..", "src", "catalogue", "catalogue.json")
    with open(path, encoding="utf-8") as f:
        return json.load(f)["rules"]


def policy_that_drops(rule):
    for policy in ("conservative", "preserve"):
        if "drop" in (rule.get("fix") or {}).get(policy, ""):
            return policy
    return None


def blamed(rule):
    """The first message that the rule blames, and the part, or None where it is the message."""
    for code, message, part in rule["expect"] or ():
        if code == rule["code"] and message is not None:
            return message, part
    return None


def numbered(value, i):
    """A copy whose ids are its own."""
    if isinstance(value, list):
        return [numbered(v, i) for v in value]
    if not isinstance(value, dict):
        return value
    return {k: "%s%d" % (v, i) if k in IDS and isinstance(v, str) else numbered(v, i) for k, v in value.items()}


def one_part(message, part):
    content = message.get("content")
    return message if part is None or not isinstance(content, list) else {**message, "content": [content[part]]}


def marked(message):
    message = copy.deepcopy(message)
    for part in message["content"]:
        part["cache_control"] = MARKER
    return message


def is_markable(message):
    content = message.get("content")
    return isinstance(content, list) and bool(content) and all(isinstance(p, dict) for p in content)


class Shape:
    """text(n): the parameters of `repair`, as JSON text, with n messages of the fault."""

    def __init__(self, rule, policy, variant, before, fault, after):
        self.name = "%s_%s_%s" % (rule["code"], policy, variant)
        self.example = rule["example"]
        self.policy = policy
        self.before, self.fault, self.after = before, fault, after

    def text(self, n):
        messages = self.before + [numbered(self.fault, i) for i in range(n)] + self.after
        rest = {k: v for k, v in self.example.items() if k not in ("messages", "request")}
        params = {**rest, "policy": self.policy, "guard": False, "return": "report", "max_violations": 0}
        if "request" in self.example:
            params["request"] = {**self.example["request"], "messages": messages}
        else:
            params["messages"] = messages
        return json.dumps(params)


def shapes_of(rule):
    policy, place = policy_that_drops(rule), blamed(rule)
    example = rule["example"] or {}
    messages = example.get("messages") or example.get("request", {}).get("messages")
    if not policy or not place or not messages or "policy" in example:
        return
    at, part = place
    before, fault, after = messages[:at], one_part(messages[at], part), messages[at + 1:]
    yield Shape(rule, policy, "plain", before, fault, after)
    yield Shape(rule, policy, "behind_a_signed_turn", before + [SIGNED], fault, after)
    if is_markable(fault):
        yield Shape(rule, policy, "marked", before, marked(fault), after)
        yield Shape(rule, policy, "marked_behind_a_signed_turn", before + [SIGNED], marked(fault), after)


SHAPES = [shape for rule in rules()
          if (rule["provider"] == "anthropic" and rule["needs"] == "messages") or rule["area"] == "betas"
          for shape in shapes_of(rule)]
