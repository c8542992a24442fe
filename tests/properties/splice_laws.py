# SPDX-License-Identifier: Apache-2.0
"""Properties of splice, for any turn and anything that was appended."""
import json
import re

import spans
import splice_model
import spliced
from wire import RUNNER


class SpliceTrial:
    """Parameters, and the daemon's answers to them."""

    def __init__(self, wire, params, text):
        self.wire, self.params, self.text = wire, params, text
        self.answers = {}

    def ask(self, form="messages", mode=None):
        key = (form, mode)
        if key not in self.answers:
            node = spans.Node(self.text).open()
            node.keys.append('"return"')
            node.items.append(spans.Node('"%s"' % form))
            if mode:
                options = {**self.params.get("options", {}), "mode": mode}
                node.items[node.index("options")] = spans.Node(json.dumps(options))
            members = ["%s:%s" % (k, v.text) for k, v in zip(node.keys, node.items)]
            self.answers[key] = self.wire.ask("splice", "{%s}" % ",".join(members))
        return self.answers[key]

    def ask_all(self):
        for form in ("messages", "patch"):
            self.ask(form)

    @property
    def history(self):
        return self.params.get("messages") or self.params["request"]["messages"]

    def sent(self, *path):
        node = spans.Node(self.text)
        for key in path:
            node = node.get(key)
        return node

    def sent_history(self):
        return self.sent("messages") if "messages" in self.params else self.sent("request", "messages")


def result_node(answer):
    return spans.Node(answer.raw.decode("utf-8", "surrogatepass")).get("result")


def answers_are_the_rules(trial):
    """The answer is what part A says."""
    want, answer = splice_model.splice(trial.params), trial.ask()
    if isinstance(want, str):
        return None if answer.name == want else "%s, the rules say %s" % (answer.name or answer.result, want)
    if answer.error:
        return "error %s, the rules say %s" % (answer.error["data"], want)
    got = {"deferred": [], "set": {}, **answer.result}
    different = [k for k in want if got[k] != want[k]]
    return "; ".join("%s %s, the rules say %s" % (k, json.dumps(got[k]), json.dumps(want[k])) for k in different)


def patch_makes_the_messages(trial):
    """The patch only adds, or replaces all, and gives what `return: messages` gives."""
    if trial.ask().error:
        return None if trial.ask("patch").name == trial.ask().name else "another error"
    body = trial.params.get("request", {"messages": trial.history})
    patch = trial.ask("patch").result["patch"]
    for op in patch:
        if (op["op"], op["path"]) not in (("add", "/messages/-"), ("replace", "/messages")) \
                and not op["path"].startswith("/container"):
            return "operation %s" % op
    after = RUNNER.patch(body, patch)
    if after["messages"] != trial.ask().result["messages"]:
        return "the patch gives %s" % after["messages"]
    settings = trial.ask().result.get("set", {}) if "request" in trial.params else {}
    for pointer, value in settings.items():
        if RUNNER.walk(after, RUNNER.ptr(pointer)) != value:
            return "the patch doesn't set %s" % pointer
    return None


def unedited_bytes_stay(trial):
    """History, turn and unedited messages have the bytes that were sent."""
    if trial.ask().error:
        return None
    result = trial.ask().result
    got = [n.text for n in result_node(trial.ask()).get("messages").open().items]
    history = [n.text for n in trial.sent_history().open().items]
    kept = result["messages"][:len(history)] == trial.history
    if kept and got[:len(history)] != history:
        return "history has other bytes"
    sent = [n.text for n in trial.sent("appended").open().items] if "appended" in trial.params else []
    values = [json.loads(t) for t in sent]
    edited = {"server_tool_result_dropped", "unknown_tool_result_textified", "unknown_tool_result_dropped",
              "duplicate_tool_result_last_wins"} & set(result["notes"])
    for text in got[len(history) if kept else 0:]:
        value = json.loads(text)
        # Results may be the runner's, the turn what was received, others what an edit left: such are
        # equal to what was sent by chance.
        made = edited or value["role"] == "assistant" or any(
            b["type"] == "tool_result" for b in splice_model.blocks_of(value["content"]))
        if value in values and text not in sent and not made:
            return "another message's bytes: %s" % text
    return turn_has_its_bytes(trial, got)


def turn_has_its_bytes(trial, got):
    """If the turn is whole, its content is the very text that was received."""
    turn = trial.sent("assistant", "content").text
    notes, action = trial.ask().result["notes"], trial.ask().result["action"]
    absent = {"assistant_turn_replaced", "truncated_turn_not_replayed", "refusal_turn_not_replayed",
              "fallback_seam_trimmed", "empty_turn_not_replayed"}
    if absent & set(notes) or '{"role":"assistant","content":%s}' % turn in got:
        return None
    return "%s, but the turn isn't there as received" % action


def results_follow_their_calls(trial):
    """Each assistant message with client calls is followed by their results, and no other message is."""
    if trial.ask().error or trial.ask().result["action"] == "stop":
        return None
    messages = trial.ask().result["messages"]
    for i, message in enumerate(messages):
        blocks = splice_model.blocks_of(message["content"])
        results = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        before = splice_model.blocks_of(messages[i - 1]["content"]) if i else []
        calls = list(dict.fromkeys(b["id"] for b in before if b["type"] == "tool_use"))
        if message["role"] == "user" and results != calls:
            return "message %d has results %s after calls %s" % (i, results, calls)
        if any(b["type"] == "tool_result" for b in blocks[len(results):]):
            return "message %d has something before a result" % i
        if calls and message["role"] != "user":
            return "no results after message %d" % (i - 1)
    return None


# Findings that depend on order alone. A part's own faults are its maker's: splice changes nothing inside.
ARRANGED = re.compile("provider_executed_|.*_provider_executed_|tool_use_(without_result|id_duplicate|in_user)$|"
                      "tool_result_(not_|without_use|duplicate|in_assistant|for_server_tool)|.*_content_empty$")


def valid_stays_valid(trial):
    """The messages to send are in order, unless the turn's own open call is among them."""
    if trial.ask().error:
        return None
    result = trial.ask().result
    if result["action"] == "stop" or "server_call_left_open" in result["notes"]:
        return None
    verdict = trial.wire.ask("validate", json.dumps({"messages": result["messages"]})).result
    errors = [v["code"] for v in verdict["violations"] if v["severity"] == "error" and ARRANGED.match(v["code"])]
    return "validate finds %s in %s" % (errors, json.dumps(result["messages"])) if errors else None


MENDED = {"missing_tool_result_filled", "server_tool_result_dropped", "unknown_tool_result_textified",
          "unknown_tool_result_dropped", "empty_message_dropped", "unknown_automatic_result_ignored"}


def strict_refuses_or_agrees(trial):
    """Strict mode answers as repair does where that had nothing to mend; else it refuses."""
    if "mode" not in trial.params.get("options", {}):
        return None
    repair, strict = trial.ask(mode="repair"), trial.ask(mode="strict")
    if repair.error:
        return None if strict.error else "repair refuses, strict doesn't"
    if strict.error:
        return None if MENDED & set(repair.result["notes"]) else "strict refuses with %s" % strict.name
    return None if strict.result == repair.result else "strict says %s" % strict.result


def codecs_agree(trial):
    """The answer in msgpack is equal."""
    answer = trial.wire.ask_msgpack("splice", {**trial.params, "return": "messages"})
    want = trial.ask()
    if answer.error or want.error:
        same = bool(answer.error) and bool(want.error) and answer.error["data"] == want.error["data"]
    else:
        same = answer.result == want.result
    return None if same else "msgpack: %s" % json.dumps(answer.document)[:2000]


def deferred_can_be_handed_in_again(trial):
    """A message that waited is accepted as `appended` after a turn that is over."""
    answer = trial.ask()
    if answer.error or not answer.result.get("deferred"):
        return None
    done = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"},
                         {"role": "user", "content": "b"}],
            "assistant": {"content": "over", "stop_reason": "end_turn"}, "appended": answer.result["deferred"]}
    again = trial.wire.ask("splice", json.dumps(done))
    allowed = ("assistant_conflict", "system_placement")
    return None if again.result or again.name in allowed else "refused: %s" % again.error["data"]


def splices_make_the_messages(trial):
    """The changes of the bytes as sent give the bytes that the other forms give."""
    return spliced.law(trial.ask, "splice", trial.text)


LAWS = [splices_make_the_messages, answers_are_the_rules, patch_makes_the_messages, unedited_bytes_stay, results_follow_their_calls,
        valid_stays_valid, strict_refuses_or_agrees, codecs_agree, deferred_can_be_handed_in_again]
