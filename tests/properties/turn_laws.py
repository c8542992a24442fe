# SPDX-License-Identifier: Apache-2.0
"""Properties of repair_turn, for every turn."""
import json
import hashlib

import laws
import model
import spans
import spliced
from wire import RUNNER


class TurnTrial:
    """The parts of one assistant turn, with what the caller knows about it."""

    def __init__(self, wire, history, stop_reason, carry_in):
        self.wire, self.history = wire, history
        self.stop_reason, self.carry_in = stop_reason, carry_in
        self.answers = {}

    def text(self):
        content = self.history.messages[0].text()
        return spans.Node(content).get("content").text

    def ask(self, form, text=None):
        key = (form, text)
        if key not in self.answers:
            rest = {"dialect": self.history.dialect, "policy": self.history.policy, "return": form,
                    "stop_reason": self.stop_reason, "carry_in": self.carry_in, **laws.MANY}
            params = json.dumps({k: v for k, v in rest.items() if v is not None})
            params = '%s,"content":%s}' % (params[:-1], self.text() if text is None else text)
            self.answers[key] = self.wire.ask("repair_turn", params)
        return self.answers[key]

    def ask_all(self):
        for form in ("content", "patch", "report", "splices"):
            self.ask(form)

    def repaired_text(self):
        answer = self.ask("content")
        if not answer.result["changed"]:
            return self.text()
        return laws.result_node(answer).get("content").text

    def found(self, content):
        return model.turn_findings(self.history.dialect, content, self.history.policy, self.stop_reason,
                                   self.carry_in or ())


def leftovers_are_the_rules(trial):
    """The findings that repair_turn reports as left are those that the rules find in its outcome."""
    answer = trial.ask("content")
    if answer.error:
        return "answers %s" % answer.name
    want = trial.found(json.loads(trial.repaired_text()))
    got = laws.places(answer.result["violations"])
    if got != want:
        return "left %s, the rules say %s" % (got, want)
    return None if answer.result["safe"] == all(f[1] == "warning" for f in want) else "safe is wrong"


def good_turns_stay(trial):
    """Nothing found, nothing edited."""
    found = trial.found(json.loads(trial.text()))
    r = trial.ask("content").result
    if r["changed"] != bool(r["edits"]) or r["changed"] != ("content" in r):
        return "changed %s with %s" % (r["changed"], sorted(r))
    return "edited %s" % r["edits"] if r["changed"] and not any(f[1] == "error" for f in found) else None


def turn_repair_is_idempotent(trial):
    """The repaired turn needs no repair."""
    r = trial.ask("content", trial.repaired_text()).result
    return "changes again: %s" % r["edits"] if r["changed"] else None


def turn_patch_makes_the_content(trial):
    """The patch, applied to the bytes sent, gives the bytes of `content`."""
    root = spans.Node('{"content":%s}' % trial.text()).open()
    patch = laws.result_node(trial.ask("patch")).get("patch")
    spans.apply(root, patch)
    difference = spans.compare(root.get("content"), spans.Node(trial.repaired_text()))
    if difference:
        return "bytes differ at %s (patch %s)" % (difference, patch.value())
    got = RUNNER.patch({"content": json.loads(trial.text())}, patch.value())["content"]
    return None if got == json.loads(trial.repaired_text()) else "the runner's patch gives %s" % got


def signed_turns_are_untouched(trial):
    """A signed turn comes back as it is, with its digest."""
    r, content = trial.ask("patch").result, trial.text()
    message = model.Message(trial.history.dialect, {"role": "assistant", "content": json.loads(content)}, 0)
    is_signed = any(p.signed for p in message.parts)
    if (r["protected"] is not None) != is_signed:
        return "protected %s" % r["protected"]
    if not is_signed:
        return None
    if r["changed"] or r["patch"]:
        return "edited %s" % r["edits"]
    want = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    return None if r["protected"] == {"message_index": 0, "sha256": want} else "digest of something else"


def turn_edits_have_places(trial):
    """Each edit's pointer leads into `content` as sent."""
    sent = {"content": json.loads(trial.text())}
    for e in trial.ask("patch").result["edits"]:
        try:
            RUNNER.walk(sent, RUNNER.ptr(e["pointer"]))
        except (KeyError, IndexError, ValueError):
            return "%s leads nowhere" % e
    return None


def splices_make_the_content(trial):
    """The changes of the bytes as sent give the bytes that the other forms give."""
    return spliced.law(trial.ask, "repair_turn", '{"content":%s}' % trial.text())


LAWS = [leftovers_are_the_rules, splices_make_the_content, good_turns_stay, turn_repair_is_idempotent,
        turn_patch_makes_the_content, signed_turns_are_untouched, turn_edits_have_places]
