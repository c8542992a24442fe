# SPDX-License-Identifier: Apache-2.0
"""The properties: they hold for every history and policy.

Each law takes a Trial, which asks the daemon as little as it can, and gives None or a sentence that
says what is wrong.
"""
import hashlib
import json

import histories
import model
import model_clients
import model_formats
import model_shapes
import model_texts
import spans
import spliced
import ways_out
from wire import RUNNER

MANY = {"max_violations": 10 ** 6}


class Trial:
    """A history and the daemon's answers about it, each asked for once."""

    def __init__(self, wire, history, tail=()):
        self.wire, self.history, self.tail = wire, history, tail
        self.answers = {}

    def ask(self, method, text=None, **more):
        key = (method, text, json.dumps(more, sort_keys=True))
        if key not in self.answers:
            params = self.history.params(text, **MANY, **more)
            self.answers[key] = self.wire.ask(method, params)
        return self.answers[key]

    def validate(self, text=None):
        return self.ask("validate", text)

    def repair(self, form="messages", text=None, guard=None):
        guard = self.history.guard if guard is None else guard
        return self.ask("repair", text, **{"guard": guard, "return": form})

    def ask_all(self):
        for form in ("messages", "patch", "report", "splices"):
            self.repair(form)
            self.repair(form, guard=False)

    @property
    def outcome(self):
        """repair's result with the messages, None when guard refused."""
        return self.repair().result

    def repaired_text(self):
        """The repaired list, as text."""
        answer = self.repair()
        if not answer.result["changed"]:
            return self.history.text()
        return result_node(answer).get("messages").text

    def policy(self, key, default=None):
        p = self.history.policy
        if isinstance(p, dict):
            if key in p:
                return p[key]
            p = p.get("base")
        named = {"conservative": {}, "preserve": {
            "result_before_call": "move", "duplicate_id": "keep_first", "invalid_pair": "repair"}}
        defaults = {"orphan_call": "drop", "orphan_result": "textify", "result_before_call": "textify",
                    "duplicate_id": "textify", "invalid_pair": "textify", "merge_adjacent": "never"}
        return {**defaults, **named[p or "conservative"]}.get(key, default)


def result_node(answer):
    return spans.Node(answer.raw.decode("utf-8", "surrogatepass")).get("result")


def places(violations):
    return [(v["code"], v["severity"], v["message_index"], v["part_index"]) for v in violations]


def once_each(found):
    """Of findings about the request, which may have several places, one a code."""
    return [f for i, f in enumerate(found) if f[2] is not None or f not in found[:i]]


# ---- the laws ----

def findings_are_the_rules(trial):
    """validate finds what RULES.md 2 says, in report order."""
    h = trial.history
    answer = trial.validate()
    if answer.error:
        return "validate answers %s" % answer.name
    want = model.findings(h.dialect, h.value(), h.policy, h.context)
    got = once_each(places(answer.result["violations"]))
    return None if got == want else "found %s, the rules say %s" % (got, want)


def verdict_is_consistent(trial):
    """valid, counts, truncated and indexes agree with the list and the history."""
    r, messages = trial.validate().result, trial.history.value()
    listed = r["violations"]
    counts = {}
    for v in listed:
        counts[v["code"]] = counts.get(v["code"], 0) + 1
        if v["message_index"] is None:
            if (v["pointer"] and not trial.history.wrapped) or v["part_index"] is not None:
                return "%s about the request" % v
            continue
        want = "/messages/%d" % v["message_index"]
        if v["part_index"] is not None:
            whole = isinstance(messages[v["message_index"]]["content"], str)
            want += "/content" if whole else "/content/%d" % v["part_index"]
        if v["pointer"] != want or not v["text"]:
            return "pointer %s for %s" % (v["pointer"], want)
    if counts != r["counts"] or r["truncated"] != 0:
        return "counts %s, listed %s" % (r["counts"], counts)
    if r["valid"] != all(v["severity"] == "warning" for v in listed):
        return "valid %s" % r["valid"]
    read = model.read(trial.history.dialect, messages)
    if (r["message_count"], r["part_count"]) != (len(messages), sum(len(m.parts) for m in read)):
        return "%d messages, %d parts" % (r["message_count"], r["part_count"])
    return protected_is_named(read, r["protected"])


def protected_is_named(read, index):
    turn = model.protected_turn(model.turns_of(read))
    want = max((m.index for m in turn.messages if any(p.signed for p in m.parts)), default=None) if turn else None
    return None if index == want else "protected %s, should be %s" % (index, want)


def safe_is_valid(trial):
    """A repair that says safe is one that validate calls valid; guard refuses if and only if errors remain."""
    free = trial.repair(guard=False)
    if free.error:
        return "clean-up answers %s" % free.name
    answer = trial.repair()
    if answer.error:
        if answer.name != "unsafe_history" or not trial.history.guard:
            return "repair answers %s" % answer.name
        return refusal_is_explained(answer.error["data"], trial.history)
    r = answer.result
    verdict = trial.validate(trial.repaired_text()).result
    if r["safe"] != verdict["valid"] or unplaced(r["violations"]) != unplaced(verdict["violations"]):
        return "safe %s and %s, validate says %s" % (
            r["safe"], places(r["violations"]), places(verdict["violations"]))
    if trial.history.guard and not r["safe"]:
        return "guard let errors pass"
    return None


def unplaced(violations):
    """The place of a lone surrogate is told in the body that was sent."""
    return [{**v, "provider_error": None} if v["code"] == model_texts.SURROGATE else v for v in violations]


def refusal_is_explained(data, history):
    """Errors only, each with a place of the request as sent."""
    sent = history.value()
    if not data["violations"] or "edits" in data or "patch" in data:
        return "refused with %s" % sorted(data)
    for v in data["violations"]:
        if v["message_index"] is None:
            if (v["pointer"] and not history.wrapped) or v["part_index"] is not None:
                return "refused because of %s" % v
            continue
        at, content = v["message_index"], sent[v["message_index"]].get("content")
        inside = v["part_index"] is None or isinstance(content, str) or v["part_index"] < len(content)
        if v["severity"] != "error" or not inside or not v["pointer"].startswith("/messages/%d" % at):
            return "refused because of %s" % v
        if inside and v.get("id") and v["part_index"] is not None and \
                json.dumps(v["id"])[1:-1] not in json.dumps(content[v["part_index"]]):
            return "%s isn't the value there" % v
    return None


KEPT = {model.USER_EMPTY, model.EMPTY, "system_message_empty", model.FINAL}  # where a message isn't bare
NO_EDIT = {model_clients.CODES[key] for key in ("none", "role", "first", "place", "block")} | {
    model_texts.MISPLACED, model_texts.CONTENT, model_texts.TOO_MANY}


def refusals_have_a_reason(trial):
    """Guard refuses only where a turn is protected, the policy says `report`, or no edit is known."""
    if trial.outcome is not None or any(trial.policy(key) == "report" for key in REPORTED):
        return None
    h = trial.history
    if model.protected_turn(model.turns_of(model.read(h.dialect, h.value()))):
        return None
    if any(f[0] in model_texts.THINKING for f in model.findings(h.dialect, h.value(), h.policy, h.context)):
        return None  # without it another turn may be the newest
    left = places(trial.repair().error["data"]["violations"])
    no_edit = NO_EDIT | {model_formats.EXTRA}
    if not all(model_formats.is_bare(h.dialect, m) for m in h.value()):
        no_edit |= KEPT
    return None if all(v[0] in no_edit or v[2] is None or is_kept(h, v) for v in left) else "%s remain" % left


def is_kept(history, violation):
    """True for a block with a member that its row doesn't have, and for a result that isn't the user's."""
    code, _, message, part = violation
    if part is None:
        return False
    value = history.value()[message]
    if code in model_shapes.LEAVES_RESULT:
        return value["role"] != "user"
    return code in model_shapes.GOES_WHOLE and model_shapes.is_foreign(value["content"][part])


def ways_out_work(trial):
    """Following the `way_out` of a refusal removes the fault."""
    h = trial.history
    if trial.outcome is not None:
        return None

    def again(keys, keep):
        changed = h.copy()
        changed.messages = changed.messages[:keep]
        policy = changed.policy if isinstance(changed.policy, dict) else {"base": changed.policy or "conservative"}
        changed.policy = {**policy, **keys}
        return Trial(trial.wire, changed).repair("report")

    return ways_out.mistake(trial.repair().error["data"]["violations"], len(h.messages), again)


def repair_is_idempotent(trial):
    """The repaired history needs no repair."""
    if trial.outcome is None:
        return None
    again = trial.repair(text=trial.repaired_text())
    if again.error:
        return "repairing the repaired answers %s" % again.name
    r = again.result
    return "changes again: %s" % r["edits"] if r["changed"] or r["edits"] or "messages" in r else None


def repair_is_deterministic(trial):
    """Asked twice, the same bytes."""
    h = trial.history
    params = h.params(**MANY, **{"guard": h.guard, "return": "patch"})
    return None if trial.wire.ask("repair", params).raw == trial.repair("patch").raw else "another answer"


def unchanged_is_unchanged(trial):
    """No error, no edit; changed, edits, patch and messages go together."""
    r = trial.outcome
    if r is None:
        return None
    patch = trial.repair("patch").result["patch"]
    if r["changed"] != bool(r["edits"]) or r["changed"] != ("messages" in r) or bool(patch) != r["changed"]:
        return "changed %s, edits %d, patch %d" % (r["changed"], len(r["edits"]), len(patch))
    if trial.validate().result["valid"] and r["changed"]:
        return "a valid history was edited: %s" % r["edits"]
    return None


def forms_agree(trial):
    """patch, messages and report tell one story."""
    answers = [trial.repair(form) for form in ("messages", "patch", "report")]
    rest = []
    for a in answers:
        rest.append({k: v for k, v in (a.result or a.error).items() if k not in ("patch", "messages")})
    return None if rest[0] == rest[1] == rest[2] else "%s" % rest


def patch_makes_the_messages(trial):
    """The patch, applied to the bytes sent, gives the bytes of `messages`: nothing else changed."""
    if trial.outcome is None:
        return None
    h = trial.history
    body = spans.Node("{%s}" % h.body())
    root = body.get("request") if h.wrapped else body
    root.open()
    patch = result_node(trial.repair("patch")).get("patch")
    spans.apply(root, patch)
    want, got = root.get("messages"), spans.Node(trial.repaired_text())
    merged = any(e["action"] == "merge" for e in trial.outcome["edits"])
    difference = spans.compare(want, got, loose=3 if merged else 0)  # an empty message may merge
    if difference:
        return "bytes differ at %s (patch %s)" % (difference, patch.value())
    plain = RUNNER.patch({"messages": h.value()}, patch.value())["messages"]
    return None if plain == got.value() else "the runner's patch gives %s" % json.dumps(plain)


def splices_make_the_messages(trial):
    """The changes of the bytes as sent give the bytes that the other forms give."""
    return spliced.law(trial.repair, "repair", trial.history.params())


def python_client_agrees(trial):
    """turnkeeper.apply_patch makes the same of it."""
    import turnkeeper
    if trial.outcome is None:
        return None
    got = turnkeeper.apply_patch({"messages": trial.history.value()}, trial.repair("patch").result["patch"])
    want = json.loads(trial.repaired_text())
    return None if got["messages"] == want else "the client's patch gives %s" % json.dumps(got)


def digest_is_right(trial):
    """protected.sha256 is over the bytes sent; the index is validate's."""
    if trial.outcome is None or model_texts.thinking_edits(trial):
        return None
    named, verdict = trial.outcome["protected"], trial.validate().result["protected"]
    if (named is None) != (verdict is None):
        return "protected %s and %s" % (named, verdict)
    if named is None:
        return None
    text = spans.Node(trial.history.text()).open().items[verdict].text
    want = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return None if named == {"message_index": verdict, "sha256": want} else "%s, not %s" % (named, want)


INSIDE = {("drop", model.NO_RESULT), ("drop", "server_tool_pending_tool_missing"), ("drop", "tool_search_unpaired"),
          ("append", model.FINAL), ("drop_message", model.EMPTY),
          ("drop", model_texts.EMPTY), ("drop", model_texts.SPACE), ("drop", model_texts.ON_EMPTY)}
# The inserted result is in the message after it; a member of a message is no part of it.
BEHIND = {("insert_result", model_clients.CODES["unanswered"]), ("rewrite", model_formats.EXTRA)}


def protected_turn_is_whole(trial):
    """Nothing of the protected turn changes but what RULES.md 3 lists."""
    h = trial.history
    if trial.outcome is None or model_texts.thinking_edits(trial):
        return None
    turn = model.protected_turn(model.turns_of(model.read(h.dialect, h.value())))
    if turn is None:
        return None
    first, last = turn.messages[0].index, turn.messages[-1].index
    allowed = BEHIND | INSIDE if h.guard else BEHIND
    members = {m.index for m in turn.messages}
    for e in trial.outcome["edits"]:
        if int(e["pointer"].split("/")[2]) in members and (e["action"], e["code"]) not in allowed:
            return "edit %s inside messages %d to %d" % (e, first, last)
    return protected_bytes_stay(trial, turn)


def protected_bytes_stay(trial, turn):
    """Returns the turn's parts in the answer: those sent, in order, without dropped calls, then `(interrupted)`."""
    sent = spans.Node(trial.history.text()).open()
    dropped = {e["pointer"] for e in trial.outcome["edits"] if e["action"] == "drop"}
    want = []
    for m in turn.messages:
        for i, node in enumerate(parts_of(sent.items[m.index])):
            if "/messages/%d/content/%d" % (m.index, i) not in dropped:
                want.append(node.text)
    after = json.loads(trial.repaired_text())
    now = model.protected_turn(model.turns_of(model.read(trial.history.dialect, after)))
    if now is None:
        return "it isn't protected any more"
    nodes = spans.Node(trial.repaired_text()).open()
    got = []
    for m in now.messages:
        got += [n.text for n in parts_of(nodes.items[m.index])]
    if any(e["action"] == "append" for e in trial.outcome["edits"]):
        added = [text for text in got if "(interrupted)" in text]
        got = got if not added else [text for text in got if text is not added[-1]]
    return None if got == want else "it held %s, now %s" % (want, got)


def parts_of(message):
    """Nodes of a message's parts; a string is one."""
    content = message.get("content")
    if content is None:
        return []
    return [content] if content.text[0] == '"' else content.open().items or []


REPORTED = {"orphan_call": {model.NO_RESULT}, "orphan_result": {model.NO_CALL},
            "result_before_call": {model.BEFORE}, "duplicate_id": {model.DUPLICATE},
            "invalid_pair": {model.BAD_CALL, model.BAD_RESULT, model.MISMATCH, model.UNKNOWN},
            "unanswered_call": {model_clients.CODES["unanswered"]},
            "unmatched_result": {model_clients.CODES["stray"]},
            "blank_text": {model_texts.EMPTY, model_texts.SPACE, model_texts.ON_EMPTY}}


def report_leaves_alone(trial):
    """A policy key that says `report`: no edit has its codes."""
    silent = set().union(*(codes for key, codes in REPORTED.items() if trial.policy(key) == "report"))
    wrong = [e for e in (trial.outcome or {}).get("edits", []) if e["code"] in silent]
    return "edited in spite of report: %s" % wrong if wrong else None


def good_pairs_stay(trial):
    """Call and result of one turn that no rule blames and whose id nothing else uses are never taken out.

    A compaction block that has to be first takes along what is before it, and so the result of a call there."""
    h = trial.history
    if trial.outcome is None:
        return None
    sent = h.value()
    blamed = {f[2:] for f in model.findings(h.dialect, sent, h.policy, h.context) if f[1] == "error"}
    uses = {}
    for turn in model.turns_of(model.read(h.dialect, sent)):
        for p in turn.parts:
            if p.provider:
                uses.setdefault(p.id, []).append((turn, p))
    good = {p.at: u[0][1].at for u in uses.values() if [p.kind for _, p in u] == ["call", "result"]
            and u[0][0] is u[1][0] and not any(p.at in blamed for _, p in u) for _, p in u}
    places = [tuple(int(n) for n in e["pointer"].split("/")[2::2]) for e in trial.outcome["edits"]]
    summed_up = {at for e, at in zip(trial.outcome["edits"], places) if e["code"] == "compaction_block_misplaced"}
    for e, at in zip(trial.outcome["edits"], places):
        call = good.get(at)
        if call and e["action"] in ("drop", "textify") and not summed_up & {call, call[:1]}:
            return "%s" % e
    return None


def other_members_stay(trial):
    """An edit inside a part changes the members that it is about and no others."""
    if trial.outcome is None:
        return None
    about = {"cache_control", "caller", "citations", "input", "type", "content", "provider_options",
             "providerOptions", "data", "id", "tool_use_id", "toolCallId", "source", "name", "toolset_name",
             "index", "partial_json", "parsed", "text", "thinking", "title"}
    sent = trial.history.value()
    for op in trial.repair("patch").result["patch"]:
        place = op["path"].split("/")
        if len(place) > 5 and place[5] not in about and not model_texts.lone(sent):
            return "%s" % op
        if len(place) > 5 and op["op"] == "replace" and place[5] != "content":
            try:
                old = RUNNER.walk({"messages": sent}, RUNNER.ptr(op["path"]))
            except (KeyError, IndexError, TypeError):
                continue  # an edit before put it there
            if isinstance(old, dict) and not model_texts.lone(old):
                return "%s replaces %s" % (op, old)
    return None


def counts_agree(trial):
    """stats say what edits say."""
    r = trial.outcome
    if r is None:
        return None
    s, actions = r["stats"], [e["action"] for e in r["edits"]]
    n = actions.count
    gone = [kind_at(trial, e["pointer"]) for e in r["edits"] if e["action"] in ("drop", "textify")]
    demoted = {e["pointer"] for e in r["edits"] if e["action"] == "demote"}  # may go as texts
    dropped = [kind_at(trial, e["pointer"]) for e in r["edits"]
               if e["action"] == "drop" and e["pointer"] not in demoted]
    want = {"textified": n("textify"), "dropped_messages": n("drop_message"), "merged_messages": n("merge"),
            "inserted_results": n("insert_result"), "moved": n("move"), "rewritten": n("rewrite") + n("append"),
            "demoted_thinking": n("demote"), "removed_thinking": dropped.count("thinking"),
            "removed_tool_calls": gone.count("call"), "removed_tool_results": gone.count("result"),
            "restored_turns": 0}
    wrong = {k: (s[k], v) for k, v in want.items() if s[k] != v}
    return "stats and edits differ: %s" % wrong if wrong else None


def kind_at(trial, pointer):
    """The kind of a part that was sent."""
    h, place = trial.history, pointer.split("/")
    part = int(place[4]) if len(place) > 4 else 0
    return model.read(h.dialect, h.value())[int(place[2])].parts[part].kind


def edits_have_places(trial):
    """Each edit's pointer leads to something that was sent, with that id."""
    sent = {"messages": trial.history.value()}
    for e in (trial.outcome or {}).get("edits", []):
        try:
            at = RUNNER.walk(sent, RUNNER.ptr(e["pointer"]))
        except (KeyError, IndexError, ValueError):
            return "%s leads nowhere" % e
        if "id" in e and e["id"] not in json.dumps(at, ensure_ascii=False) and \
                json.dumps(e["id"])[1:-1] not in json.dumps(at):
            return "%s isn't there" % e
    return None


def texts_of(value):
    if isinstance(value, dict):
        for key, v in value.items():
            if key == "text" and isinstance(v, str):
                yield v
            yield from texts_of(v)
    elif isinstance(value, list):
        for v in value:
            yield from texts_of(v)


def no_secret_in_texts(trial):
    """Texts that edits made hold no ciphertext and no id."""
    if trial.outcome is None:
        return None
    before = set(texts_of(trial.history.value()))
    for text in texts_of(json.loads(trial.repaired_text())):
        if text in before:
            continue
        for bad in ["SECRET", *histories.IDS, *histories.CLIENT_IDS]:
            if bad in text:
                return "%s got into %r" % (bad, text)
    return None


def codecs_agree(trial):
    """msgpack gives the same findings, edits and patch as plainly written JSON."""
    h = trial.history
    sent = h.value()
    if not encodable(sent):
        return None
    plain = json.dumps(sent, ensure_ascii=False)
    params = {"dialect": h.dialect, **MANY}
    if h.wrapped:
        params["request"] = {"messages": sent, **h.around}
    else:
        params["messages"] = sent
    if h.rebuilt:
        params["provenance"] = "rebuilt"
    if h.target is not None:
        params["target"] = h.target
    if h.policy is not None:
        params["policy"] = h.policy
    verdict = trial.wire.ask_msgpack("validate", params)
    if verdict.result != trial.validate().result:
        return "validate: %s" % verdict.document
    repair = trial.wire.ask_msgpack("repair", {**params, "guard": h.guard, "return": "patch"})
    want = trial.repair("patch", text=plain).document
    return None if without_digest(repair.document) == without_digest(want) else "%s, JSON %s" % (
        repair.document, want)


def encodable(value):
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # half a character has no place in msgpack
        return True
    except UnicodeEncodeError:
        return False


def without_digest(document):
    result = document.get("result")
    if not result or not result["protected"]:
        return document
    return {**document, "result": {**result, "protected": result["protected"]["message_index"]}}


def repair_is_stable(trial):
    """RULES.md 6.7: the repair of h + t begins with the repair of h."""
    h, tail = trial.history, trial.tail
    if not tail or trial.outcome is None or trial.policy("merge_adjacent") != "never":
        return None
    if trial.policy("duplicate_id") == "report":  # leaves faults that a later turn may resolve
        return None
    if excepted(trial):
        return None
    whole = h.copy()
    whole.messages += tail
    longer = trial.repair(text=whole.text())
    if any(e["code"] in EXCEPTED for r in (longer.result, trial.outcome) for e in (r or {}).get("edits", [])):
        return None
    if longer.error or not longer.result["safe"] or not trial.outcome["safe"]:
        return None
    text = result_node(longer).get("messages").text if longer.result["changed"] else whole.text()
    want, got = spans.Node(trial.repaired_text()).open().items, spans.Node(text).open().items
    for i, (w, g) in enumerate(zip(want, got)):
        if w.text != g.text and unmarked(w.value()) != unmarked(g.value()):
            return "message %d is %s, alone %s" % (i, g.text, w.text)
    return None if len(got) >= len(want) else "%d of %d messages are left" % (len(got), len(want))


def unbound_is_told(trial):
    """`unbound` names the signed thinking after the first change of what a model reads."""
    h = trial.history
    if trial.outcome is None or trial.policy("merge_adjacent") != "never":
        return None
    before, after = h.value(), json.loads(trial.repaired_text())
    old, new = blocks_of(h.dialect, before), blocks_of(h.dialect, after)
    at = next((i for i in range(len(old) + len(new)) if old[i:i + 1] != new[i:i + 1]), None)
    if old == new:
        at = None
    told = trial.outcome.get("unbound")
    alive, dead = signed_around(h.dialect, after, at)
    named = set(told["thinking"]) if told else set()
    alike = at and old[at - 1] in old[at:]
    if alike:
        alive = set()  # which of those that are alike went nobody can tell
    if at is None and told or dead - named or alive & named:
        return "told %s; dead %s, alive %s" % (told, sorted(dead), sorted(alive))
    if told and not alike and not first_change(h.dialect, after, at, told["from"]):
        return "from %s, but block %d differs" % (told["from"], at)
    return None


def blocks_of(dialect, messages):
    """Returns what thinking is bound to: role and value of the other blocks after the newest compaction."""
    found = []
    for m in model.read(dialect, messages):
        content = messages[m.index].get("content")
        values = content if isinstance(content, list) else [bare_text(dialect, content)]
        for p, v in zip(m.parts, values):
            if dialect == "anthropic" and v.get("type") == "compaction":
                found = []
            if p.kind != "thinking" and not p.invisible:
                found.append((m.role, canonical(v)))
    return found


def bare_text(dialect, text):
    data = {"text": text}
    return {"type": "text", **({"data": data} if dialect == "fantasy" else data)}


def canonical(value):
    if isinstance(value, dict) and value.get("caller") == {"type": "direct"}:
        value = {k: v for k, v in value.items() if k != "caller"}
    return json.dumps(unmarked(value), sort_keys=True)


def bound_parts(dialect, messages):
    """Returns (message index, part) in order, in two lists: before and from the newest compaction block on."""
    before, after = [], []
    for m in model.read(dialect, messages):
        for p in m.parts:
            if dialect == "anthropic" and is_compaction(messages, p):
                before, after = before + after, []
            after.append((m.index, p))
    return before, after


def is_compaction(messages, part):
    content = messages[part.at[0]]["content"]
    return isinstance(content, list) and content[part.at[1]].get("type") == "compaction"


def counts(part):
    return part.kind != "thinking" and not part.invisible


def signed_around(dialect, messages, at):
    """Returns pointers of signed blocks: those surely before block `at`, and those surely after it."""
    before, after = bound_parts(dialect, messages)
    earlier, later, seen = ["/messages/%d/content/%d" % p.at for _, p in before if p.signed], [], 0
    for _, p in after:
        if p.signed:
            where = earlier if at is None or seen < at else later if seen > at else []
            where.append("/messages/%d/content/%d" % p.at)
        seen += counts(p)
    return set(earlier), set(later)


def first_change(dialect, messages, at, pointer):
    """True if the message may be the one with block `at`: it contains it or is between its neighbours."""
    index, seen, last = int(pointer.split("/")[2]), 0, 0
    for m, p in bound_parts(dialect, messages)[1]:
        if not counts(p):
            continue
        if seen == at:
            return last <= index <= m
        last = m
        seen += 1
    return index >= last


MARKERS = ("data", "cache_control", "cacheControl", "provider_options", "providerOptions", "anthropic")


def unmarked(value):
    """Without cache markers: a part that is dropped later gives its own back to an earlier part."""
    if isinstance(value, list):
        return [unmarked(v) for v in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") == "anthropic.cache_control_options":
        return None
    inner = {k: unmarked(v) for k, v in value.items() if not k.startswith("cache")}
    return {k: v for k, v in inner.items() if v or k not in MARKERS}


# Of an open call, of the whole history, of the newest turn alone, of the end.
EXCEPTED = {model_clients.CODES["unanswered"], model_texts.ALL_OR_NONE, model_texts.MISPLACED, model_texts.ORDER,
            model_texts.MALFORMED, model_texts.TRAILING, "image_many_dimensions", "image_count", "request_too_large",
            "server_tool_pending_tool_missing", "cache_auto_conflict"}


def excepted(trial):
    """The exceptions of 6.7, and what no rule could know beforehand: a turn that goes on."""
    h = trial.history
    sent = h.value()
    read = model.read(h.dialect, sent)
    tail = model.read(h.dialect, [json.loads(m.text()) for m in trial.tail])
    turns = model.turns_of(read)
    judge = model.judge(h.dialect, sent, h.policy, h.context)
    after = json.loads(trial.repaired_text())
    if judge.open or model.judge(h.dialect, after, h.policy).open:
        return True
    if {f[0] for f in judge.report()} & EXCEPTED:
        return True
    # A block that moved out of a result is one of the whole history's documents or images now.
    whole = after + [json.loads(m.text()) for m in trial.tail]
    if {f[0] for f in model.findings(h.dialect, whole, h.policy, h.context)} & EXCEPTED:
        return True
    end = "/messages/%d/" % (len(sent) - 1)
    if any(e["code"] == model_texts.SPACE and e["pointer"].startswith(end) for e in trial.outcome["edits"]):
        return True  # the end of a last answer
    if not turns or not turns[-1].parts or tail[0].transparent or "system" in (turns[-1].role, tail[0].role):
        return True
    if turns[-1].role == tail[0].role or not model.turns_of(tail)[0].parts:
        return True
    if not after or not model.turns_of(model.read(h.dialect, after)):
        return True
    if placeholder_at_end(after) or "/messages/%d" % (len(sent) - 1) in dropped_messages(trial):
        return True
    if any(p.provider for p in model.turns_of(tail)[0].parts) and tail[0].role != "assistant":
        return True  # its text goes home
    used = {p.id for m in read for p in m.parts if p.kind in ("call", "result")}
    for turn in model.turns_of(tail):
        if trial.policy("orphan_call") == "error_result" or turn.signed():
            if any(p.kind in ("call", "result") and p.id in used for p in turn.parts):
                return True
    return False


def dropped_messages(trial):
    return {e["pointer"] for e in trial.outcome["edits"] if e["action"] == "drop_message"}


def placeholder_at_end(after):
    return "(empty)" in json.dumps(after[-1]) or not after[-1].get("content")


LAWS = [findings_are_the_rules, verdict_is_consistent, safe_is_valid, refusals_have_a_reason,
        ways_out_work, repair_is_idempotent,
        repair_is_deterministic, unchanged_is_unchanged, forms_agree, patch_makes_the_messages,
        splices_make_the_messages, python_client_agrees, digest_is_right, good_pairs_stay, other_members_stay, protected_turn_is_whole,
        report_leaves_alone, counts_agree, edits_have_places, no_secret_in_texts, codecs_agree,
        unbound_is_told, repair_is_stable]
