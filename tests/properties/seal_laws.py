# SPDX-License-Identifier: Apache-2.0
"""Properties of seals, and of repair and validate with them (OPERATIONS.md part C).

Each law takes a SealTrial and gives None or a sentence that says what is wrong.
"""
import collections
import json

import seal_draws
import seal_model
import seal_outcome
import spans
import ways_out
from wire import RUNNER

MANY = {"max_violations": 10 ** 6}


class SealTrial:
    """A draw, and the daemon's answers to it."""

    def __init__(self, wire, draw):
        self.wire, self.draw, self.params = wire, draw, draw.params
        self.answers = {}

    def text(self, messages_text=None, leave=(), **more):
        """The parameters as JSON text, other messages in them, some members left out."""
        node = spans.Node(self.draw.text).open()
        members = [(k, v) for k, v in zip(node.keys, node.items) if json.loads(k) not in leave]
        if messages_text is not None:
            members = [(k, with_messages(json.loads(k), v, messages_text)) for k, v in members]
        members += [(json.dumps(k), spans.Node(json.dumps(v))) for k, v in {**MANY, **more}.items()]
        return "{%s}" % ",".join("%s:%s" % (k, written(v)) for k, v in members)

    def ask(self, method, messages_text=None, **more):
        key = (method, messages_text, json.dumps(more, sort_keys=True))
        if key not in self.answers:
            self.answers[key] = self.wire.ask(method, self.text(messages_text, **more))
        return self.answers[key]

    def validate(self, messages_text=None):
        return self.ask("validate", messages_text)

    def repair(self, form="messages", messages_text=None, guard=False):
        return self.ask("repair", messages_text, **{"guard": guard, "return": form})

    @property
    def messages(self):
        return self.params["request"]["messages"] if "request" in self.params else self.params["messages"]

    @property
    def body(self):
        return self.params.get("request", {"messages": self.messages})

    def sent_messages(self):
        node = spans.Node(self.draw.text)
        return node.get("request").get("messages") if "request" in self.params else node.get("messages")

    def after(self):
        """The repaired messages: a Node."""
        answer = self.repair()
        if answer.error:
            return None
        return result_node(answer).get("messages") or self.sent_messages()

    def policy(self, key, default=None):
        given = self.params.get("policy", {})
        named = "restore" if given.get("base") == "preserve" else "demote"
        return given.get(key, {"thinking": named, "route": "native", "dead_thinking": "demote",
                               "prefix_mismatch": "report", "unsigned_thinking": "demote"}.get(key, default))

    @property
    def native(self):
        return self.policy("route") == "native"

    @property
    def rebuilt(self):
        return self.params.get("provenance") == "rebuilt"


def written(node):
    if node.items is None:
        return node.text
    if node.kind == "[":
        return "[%s]" % ",".join(map(written, node.items))
    return "{%s}" % ",".join("%s:%s" % (k, written(v)) for k, v in zip(node.keys, node.items))


def with_messages(name, node, text):
    if name == "messages":
        return spans.Node(text)
    if name == "request":
        inner = spans.Node(node.text).open()
        inner.items[inner.index("messages")] = spans.Node(text)
        return inner
    return node


def result_node(answer):
    return spans.Node(answer.raw.decode("utf-8", "surrogatepass")).get("result")


def answers(trial):
    """Every draw is taken: repair and validate answer with a result."""
    for answer in (trial.repair(), trial.validate()):
        if answer.error:
            return "error %s" % answer.error["data"]
    return None


# ---- seal ----

def seal_is_the_digests(trial):
    """`seal` says what C.1 and C.2 say, in both codecs; `pair` seals the same."""
    for at, before in trial.draw.turns:
        content = trial.draw.received["messages"][at]["content"]
        want = {**seal_model.seal(content), "prefix": seal_model.prefix(before), "content": content}
        params = {"content": content, "request": before, "blocks": True}
        written_oddly = seal_draws.histories.write(params, trial.draw.style)
        for answer in (trial.wire.ask("seal", written_oddly), trial.wire.ask_msgpack("seal", params)):
            if answer.error or answer.result["seal"] != want:
                return "seal of message %d is %s, should be %s" % (at, answer.document, want)
    return pair_seals_the_same(trial, want["content"])


def pair_seals_the_same(trial, content):
    response = {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}
    answer = trial.wire.ask("pair", json.dumps({"response": response}))
    if answer.error or answer.result["state"] != "done":
        return None
    want = seal_model.seal(answer.result["message"]["content"])
    return None if answer.result["seal"] == want else "pair seals %s, not %s" % (answer.result["seal"], want)


# ---- verdicts and findings ----

def verdicts_are_the_rules(trial):
    """`verdicts` are V1 to V7, dead is rules (1) to (4)."""
    want = seal_model.verdicts(trial.params["seals"], trial.messages) if trial.params["seals"] else None
    got = trial.repair("report").result.get("verdicts")
    return None if got == want else "verdicts %s, the rules say %s" % (got, want)


def severity(is_error):
    return "error" if is_error else "warning"


def thinking_findings(trial):
    """Returns the findings of C.3 to C.6 in the messages as sent: (code, severity, message, part)."""
    messages, seals = trial.messages, trial.params["seals"]
    if not trial.native:
        return []
    groups, _ = seal_model.judge(seals, messages)
    restores = trial.policy("thinking") == "restore"
    intact = {m for g in groups for m in g.messages if g.verdict == "intact" or (restores and g.comparison.in_order())}
    found = [(seal_model.CODES[g.verdict], severity(g.dead and trial.policy("thinking") != "report"), *g.blamed)
             for g in groups if g.verdict != "intact"]
    found += unordered(trial, intact) + malformed(trial, intact)
    mismatch = trial.policy("prefix_mismatch")
    if mismatch != "off":
        for m in mismatched(trial):
            part = next(k for k, b in enumerate(messages[m]["content"]) if b["type"] in seal_model.THINKING)
            found.append((seal_model.MISMATCH, severity(mismatch in ("strip", "error")), m, part))
    return found


def mismatched(trial):
    found = seal_model.mismatches(trial.params["seals"], trial.body, "request" in trial.params)
    if trial.policy("prefix_mismatch") == "strip":
        return [m for m in found if not cleared(trial) & {k for k in seal_model.keys_of(trial.messages[m])}]
    return found


def cleared(trial):
    """Opaque keys that turns were made with whose prefix still fits."""
    keys, whole = set(), "request" in trial.params
    for group in seal_model.match(trial.params["seals"], trial.messages)[0]:
        given = trial.params["seals"][group.seals[0]]["seal"].get("prefix")
        if given and len(group.messages) == 1 and \
                not seal_model.differs(given, trial.body, group.messages[0], whole):
            keys |= {("opaque", o) for o in given["thinking"]}
    return keys


def unordered(trial, intact):
    """C.4."""
    if not trial.rebuilt:
        return []
    turns, newest = seal_model.turns_of(trial.messages), seal_model.newest_turn(trial.messages)
    blocks = [(i, k, b) for i, m in enumerate(trial.messages) if turns[i] == newest
              for k, b in enumerate(seal_model.blocks_of(m))]
    thinking = [(i, k) for i, k, b in blocks if b["type"] in seal_model.THINKING and i not in intact]
    calls = any(b["type"] in seal_model.CALLS for _, _, b in blocks)
    grouped = [(i, k) for i, k, _ in blocks[:2]] == thinking[:2]
    if len(thinking) < 2 or not calls or (trial.policy("rebuilt_rule") == "grouped" and not grouped):
        return []
    fix = trial.policy("thinking")
    fix = trial.policy("dead_thinking") if fix == "restore" else fix
    return [("thinking_order_unverified", severity(fix != "report"), *thinking[0])]


def malformed(trial, intact):
    """C.5."""
    compatible = trial.params.get("target", {}).get("endpoint") == "compatible"
    found = []
    for i, m in enumerate(trial.messages):
        for k, b in enumerate(seal_model.blocks_of(m)) if m["role"] == "assistant" else ():
            if b["type"] not in seal_model.THINKING:
                continue
            if b.get("cache_control"):
                found.append(("cache_control_on_thinking", "error", i, k))
            if compatible:
                continue
            code = unsigned(b)
            if code:
                found.append((code, "error", i, k))
            elif trial.policy("signature_form") == "base64" and b["type"] == "thinking" and i not in intact \
                    and not seal_outcome.is_base64(b["signature"]):
                found.append(("thinking_signature_malformed", "error", i, k))
    return found


def unsigned(block):
    if seal_model.signature_of(block):
        return None
    if block["type"] == "redacted_thinking":
        return "redacted_thinking_data_invalid"
    return "thinking_signature_missing" if block["thinking"].strip() else "thinking_empty"


UNSIGNED = {"thinking_signature_missing", "thinking_empty", "redacted_thinking_data_invalid",
            "cache_control_on_thinking"}
OURS = UNSIGNED | {"thinking_order_unverified", "thinking_signature_malformed", seal_model.MISMATCH,
                   *seal_model.CODES.values()}


def findings_are_the_rules(trial):
    """validate's findings about thinking are those of C.3 to C.6."""
    got = [(v["code"], v["severity"], v["message_index"], v["part_index"]) for v in trial.validate().result["violations"]
           if v["code"] in OURS and (trial.native or v["code"] == seal_model.MISMATCH)]
    want = thinking_findings(trial)
    key = str
    return None if sorted(got, key=key) == sorted(want, key=key) else "found %s, the rules say %s" % (
        sorted(got, key=key), sorted(want, key=key))


# ---- repair ----

def intact_stays(trial):
    """A turn that came back as it was keeps what is signed in it."""
    if set(trial.draw.ways) - set(seal_draws.HARMLESS) or not trial.native or trial.policy("prior_thinking"):
        return None
    r = trial.repair().result
    sealed = [v for v in r.get("verdicts", []) if v["seals"] and v["message_index"] is not None]
    if any(v["verdict"] != "intact" for v in sealed):
        return "verdicts %s" % sealed
    inside = {v["message_index"] for v in sealed}
    if any(e["code"] not in OURS or e["code"] in UNSIGNED or
           (e["action"] == "demote" and int(e["pointer"].split("/")[2]) not in inside) for e in r["edits"]):
        return None  # then it, or something before it, has changed
    wrong = [e for e in r["edits"] if e["code"] in OURS and int(e["pointer"].split("/")[2]) in inside]
    return "edits %s" % wrong if wrong else None


ASKED_FOR = {"prior_thinking_pruned", "thinking_not_for_route", "message_content_empty"}


def outcome_is_the_rules(trial):
    """Repair edits thinking as C.3 to C.5 and C.7 say."""
    r = trial.repair().result
    if any(e["code"] not in OURS | ASKED_FOR or e["code"] == seal_model.MISMATCH for e in r["edits"]):
        return None
    try:
        want = seal_outcome.Outcome(trial.params).messages()
    except seal_outcome.Beyond:
        return None
    got = r.get("messages", trial.messages)
    if got != want and ruled(trial, want):
        return None  # by edits of parts that weren't sent, which are no lines of the report
    if got != want:
        return "repaired to %s,\nthe rules say %s\nedits %s" % (json.dumps(got), json.dumps(want), r["edits"])
    return advice_is_the_rules(trial, want)


def ruled(trial, messages):
    """True if rules beyond thinking find errors in these messages."""
    verdict = trial.validate(json.dumps(messages)).result
    return any(v["severity"] == "error" and v["code"] not in OURS for v in verdict["violations"])


def leads_with_thinking(messages):
    turns, newest = seal_model.turns_of(messages), seal_model.newest_turn(messages)
    first = next((m for m, t in zip(messages, turns) if t == newest), None)
    blocks = seal_model.blocks_of(first) if first else []
    return bool(blocks) and blocks[0]["type"] in seal_model.THINKING


def advice_is_the_rules(trial, after):
    """O4 and M3, where no other message became the newest."""
    thinking = trial.params.get("request", {}).get("thinking", {}).get("type")
    if not trial.native or len(after) != len(trial.messages):
        return None
    answers_calls = after[-1]["role"] == "user" and any(
        b["type"] == "tool_result" for b in seal_model.blocks_of(after[-1]))
    off = thinking == "enabled" and answers_calls and leads_with_thinking(trial.messages) and \
        not leads_with_thinking(after)
    got = trial.repair().result.get("set", {})
    if ("/thinking" in got) != off or (off and got != {"/thinking": {"type": "disabled"}}):
        return "set is %s" % got
    if after != trial.messages or off:
        return None
    bind = trial.policy("prefix_mismatch") == "drop_block" and thinking is not None and mismatched(trial)
    want = {"/thinking/block_binding": {"prefix_mismatch_behavior": "drop_block"}} if bind else {}
    betas = ["thinking-binding-controls-2026-08-01"] if bind else None
    return None if (got, trial.repair().result.get("betas")) == (want, betas) else "set is %s, should be %s" % (got, want)


def by_digest(message):
    """The texts of a message's blocks."""
    texts = collections.defaultdict(list)
    for block in message.get("content").open().items:
        texts[seal_model.block_digest(block.value())].append(block.text)
    return texts


def demoted(trial, block, malformed):
    """The text that thinking of a seal becomes (C.5 B1, B6), as bytes; None: it doesn't become one.

    malformed: one signature of the seals is; then the turn's other thinking may go with that block."""
    value = block.value()
    if value["type"] != "thinking" or not value["thinking"].strip() \
            or (unsigned(value) is None and not malformed) or trial.policy("unsigned_thinking") == "drop":
        return None
    return '{"type":"text","text":%s}' % block.get("thinking").text


def restored_bytes(trial):
    """A restored message is made of the bytes sent: its own blocks where they are there, else the seal's.

    Thinking that its seal has without a signature can't be sent. An edit of it has no line: it was never sent."""
    r = trial.repair().result
    codes = [e["action"] for e in r["edits"]]
    if set(codes) != {"restore"}:
        return None
    sent, after = trial.sent_messages().open().items, trial.after().open().items
    seals = [s.get("seal").get("content") for s in spans.Node(trial.draw.text).get("seals").open().items]
    blocks = [b for c in seals if c for b in c.open().items]
    malformed = trial.policy("signature_form") == "base64" and any(
        b["type"] == "thinking" and not seal_outcome.is_base64(seal_model.signature_of(b))
        for b in (b.value() for b in blocks))
    of_seals = [b.text for b in blocks] + [text for text in (demoted(trial, b, malformed) for b in blocks) if text]
    for at in (int(e["pointer"].split("/")[2]) for e in r["edits"]):
        own, now = by_digest(sent[at]), by_digest(after[at])
        if hands_markers_on(own, now):
            continue
        for digest, texts in now.items():
            missing = [t for t in own[digest] if t not in texts] if len(texts) >= len(own[digest]) else []
            made = [t for t in texts if t not in own[digest] + of_seals and not any(map(is_marked, blocks))]
            if missing or made:
                return "message %d: %s became %s" % (at, own[digest] or of_seals, texts)
    return None


def hands_markers_on(own, now):
    """True if a block with a marker went: an earlier one has that marker now, and so other bytes."""
    return any(len(now[digest]) < len(texts) and any("cache_control" in text for text in texts)
               for digest, texts in own.items())


def is_marked(block):
    """True if a block that its seal has can't be sent with its marker: one on thinking is removed."""
    return "cache_control" in block.value()


def report_leaves_alone(trial):
    """`thinking: report`: no edit for what a seal or the order says, and no error."""
    if trial.policy("thinking") != "report":
        return None
    codes = set(seal_model.CODES.values()) | {"thinking_order_unverified"}
    r = trial.repair().result
    wrong = [e for e in r["edits"] if e["code"] in codes] + [
        v for v in r["violations"] if v["code"] in codes and v["severity"] == "error"]
    return "%s" % wrong if wrong else None


def stripped_is_gone(trial):
    """`prefix_mismatch: strip`: no thinking stays whose conversation is another one, and no error about it."""
    if trial.policy("prefix_mismatch") != "strip" or not trial.native or moved_index(trial):
        return None
    verdict = trial.validate(written(trial.after())).result
    left = [v for v in verdict["violations"] if v["code"] == seal_model.MISMATCH]
    return "left: %s" % left if left else None


def moved_index(trial):
    """True if the same indexes would be other messages in a second call."""
    moved = any(e["action"] in ("drop_message", "merge", "insert_result") for e in trial.repair().result["edits"]) or \
        len(trial.after().open().items) != len(trial.messages)
    return moved and any("message_index" in s for s in trial.params["seals"])


def repair_is_idempotent(trial):
    """The repaired history, with the same seals, needs no repair."""
    if moved_index(trial):
        return None
    again = trial.repair(messages_text=written(trial.after()))
    if again.error:
        return "repairing the repaired answers %s" % again.error["data"]
    r = again.result
    return "changes again: %s" % r["edits"] if r["changed"] or r["edits"] or "messages" in r else None


def safe_is_valid(trial):
    """A repair that says safe is one that validate calls valid, and guard refuses exactly the others."""
    free, guarded = trial.repair().result, trial.repair(guard=True)
    if guarded.error and guarded.name != "unsafe_history":
        return "guard answers %s" % guarded.error["data"]
    if moved_index(trial):
        return None
    verdict = trial.validate(written(trial.after())).result
    if free["safe"] != verdict["valid"]:
        return "safe %s, validate says %s" % (free["safe"], verdict["violations"])
    if guarded.result and not guarded.result["safe"]:
        return "guard let errors pass"
    return None


def guarded_is_safe(trial):
    """A request that guard accepted validates, and stays as it is."""
    guarded = trial.repair(guard=True)
    if guarded.error or moved_index(trial):
        return None
    after = written(result_node(guarded).get("messages") or trial.sent_messages())
    verdict = trial.validate(after).result
    if not verdict["valid"]:
        return "validate says %s" % [v for v in verdict["violations"] if v["severity"] == "error"]
    again = trial.repair(messages_text=after, guard=True)
    return "changes again: %s" % (again.error or again.result["edits"]) if again.error or again.result["changed"] else None


def forms_agree(trial):
    """patch, messages and report tell one story; the patch makes the messages, byte for byte."""
    answers = [trial.repair(form) for form in ("messages", "patch", "report")]
    rest = [{k: v for k, v in a.result.items() if k not in ("patch", "messages")} for a in answers]
    if not rest[0] == rest[1] == rest[2]:
        return "%s" % rest
    root = spans.Node('{"messages":%s}' % trial.sent_messages().text).open()
    spans.apply(root, result_node(answers[1]).get("patch"))
    merged = any(e["action"] == "merge" for e in rest[0]["edits"])
    difference = spans.compare(root.get("messages"), trial.after(), loose=3 if merged else 0)
    return "bytes differ at %s" % difference if difference else None


def codecs_agree(trial):
    """The answers in msgpack are equal."""
    more = {**MANY, "guard": False, "return": "messages"}
    answer = trial.wire.ask_msgpack("repair", {**trial.params, **more})
    want = trial.repair()
    if answer.error:
        return "msgpack: %s" % answer.error["data"]
    got, want = dict(answer.result), dict(want.result)
    for r in (got, want):
        r["protected"] = r["protected"] and r["protected"]["message_index"]
    return None if got == want else "msgpack: %s\nJSON: %s" % (got, want)


def ways_out_work(trial):
    """Following the `way_out` of a refusal removes the fault."""
    answer = trial.repair("report", guard=True)
    if not answer.error:
        return None

    def again(keys, keep):
        given = trial.params.get("policy", {})
        given = given if isinstance(given, dict) else {"base": given}
        sent = [node.text for node in trial.sent_messages().open().items][:keep]
        text = trial.text("[%s]" % ",".join(sent), leave=("policy",), policy={**given, **keys}, guard=True)
        return trial.wire.ask("repair", text)

    return ways_out.mistake(answer.error["data"]["violations"], len(trial.messages), again)


LAWS = [answers, ways_out_work, seal_is_the_digests, verdicts_are_the_rules, findings_are_the_rules, intact_stays,
        outcome_is_the_rules, restored_bytes, report_leaves_alone, stripped_is_gone, repair_is_idempotent,
        safe_is_valid, guarded_is_safe, forms_agree, codecs_agree]
