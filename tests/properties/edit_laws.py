# SPDX-License-Identifier: Apache-2.0
"""The edits that a repair may make: by policy, by what a turn has signed, and their consequences.

To see what became of a part, the patch is applied to a tree whose nodes were looked up before: a
part that stays, moved or changed inside, is the same node afterwards.
"""
import json

import model
import model_formats
import model_texts
import spans

CALL_GOES, RESULT_GOES = {"drop"}, {"textify", "drop"}


class Fate:
    """The parts that were sent, as model parts with their nodes, and where the nodes are now."""

    def __init__(self, trial):
        h = trial.history
        root = spans.Node('{"messages":%s}' % h.text()).open()
        self.messages = model.read(h.dialect, h.value())
        self.turns = model.turns_of(self.messages)
        sent = root.get("messages").open().items
        self.parts = [(p, node) for m in self.messages for p, node in zip(m.parts, parts_of(sent[m.index]))]
        patch = spans.Node(trial.repair("patch").raw.decode("utf-8", "surrogatepass")).get("result").get("patch")
        spans.apply(root, patch)
        now = [node for message in root.get("messages").open().items for node in parts_of(message)]
        self.place = {id(node): i for i, node in enumerate(now)}
        self.now = now

    def stays(self, node):
        return id(node) in self.place


def parts_of(message):
    content = message.get("content")
    if content is None:
        return []
    return [content] if content.text[0] == '"' and content.text != '""' else content.open().items or []


def part_edits(trial):
    """(edit, message index, part index) of edits of parts."""
    for e in trial.outcome["edits"]:
        place = e["pointer"].split("/")
        if len(place) == 5:
            yield e, int(place[2]), int(place[4])


# ---- by policy ----

def wanted_actions(trial, code, part):
    """Returns the edits that the policy allows of a part with this fault."""
    gone = CALL_GOES if part.kind == "call" else RESULT_GOES
    base = trial.history.policy
    base = base.get("base") if isinstance(base, dict) else base
    if code == model.NO_RESULT:
        return {"drop", "insert_result"} if trial.policy("orphan_call") == "error_result" else {"drop"}
    if code == model.NO_CALL:
        return gone if trial.policy("orphan_result") == "textify" else {"drop"}
    if code == model.BEFORE:
        return gone if trial.policy("result_before_call") == "textify" else {"move"}
    if code == model.OUTSIDE:
        return gone | {"move"} if base == "preserve" and part.kind == "result" else gone
    if code in (model.BAD_CALL, model.BAD_RESULT, model.MISMATCH, model.UNKNOWN):
        return gone | {"rewrite"} if trial.policy("invalid_pair") == "repair" else gone
    return {model.DUPLICATE: gone, model.CALLER: {"rewrite"}}.get(code)


def actions_follow_policy(trial):
    """A part that is blamed as sent is edited in the way that its policy key names."""
    if trial.outcome is None:
        return None
    h = trial.history
    blamed = {}
    for code, severity, m, p in model.findings(h.dialect, h.value(), h.policy, h.context):
        if severity == "error":
            blamed.setdefault((m, p), set()).add(code)
    read = model.read(h.dialect, h.value())
    for e, m, p in part_edits(trial):
        if e["code"] in blamed.get((m, p), ()):
            wanted = wanted_actions(trial, e["code"], read[m].parts[p])
            if wanted is not None and e["action"] not in wanted:
                return "%s, but the policy wants %s" % (e, sorted(wanted))
    return None


def results_are_invented_with_care(trial):
    """insert_result: only where nothing else has the id in the end, never in a signed turn."""
    if trial.outcome is None or model_texts.thinking_edits(trial):
        return None
    dialect = trial.history.dialect
    turns = model.turns_of(model.read(dialect, trial.history.value()))
    after = model.read(dialect, json.loads(trial.repaired_text()))
    ids = [p.id for m in after for p in m.parts if p.provider]
    for e, m, _ in part_edits(trial):
        if e["action"] != "insert_result" or e["code"] != model.NO_RESULT:
            continue
        turn = next(t for t in turns if any(x.index == m for x in t.messages))
        if turn.signed() or ids.count(e["id"]) > 2:
            return "%s" % e
    return None


# ---- repeated ids ----

def uses_of(trial):
    """id -> [(turn, its parts of that id)] for ids that several parts of one kind use."""
    uses = {}
    for turn in model.turns_of(model.read(trial.history.dialect, trial.history.value())):
        if turn.role != "assistant":
            continue
        of_turn = {}
        for p in turn.parts:
            if p.provider:
                of_turn.setdefault(p.id, []).append(p)
        for i, parts in of_turn.items():
            uses.setdefault(i, []).append((turn, parts))
    return uses


def taken_out_as_duplicates(trial):
    return {(m, p) for e, m, p in part_edits(trial) if e["code"] == model.DUPLICATE}


def signed_turns_keep_their_ids(trial):
    """If an id is repeated, the newest signed turn with one call and at most one result keeps its parts."""
    if trial.outcome is None or model_texts.thinking_edits(trial):
        return None
    gone = taken_out_as_duplicates(trial)
    for uses in uses_of(trial).values():
        keepers = [parts for turn, parts in uses if turn.signed()
                   and [p.kind for p in parts].count("call") == 1 and len(parts) <= 2]
        newest = next((parts for turn, parts in reversed(uses) if turn.signed()), None)
        if len(uses) > 1 and keepers and keepers[-1] is newest and any(p.at in gone for p in newest):
            return "%s lost parts at %s" % (newest[0].id, [p.at for p in newest if p.at in gone])
    return None


def first_pairs_are_kept(trial):
    """keep_first keeps the first complete pair where no signed turn has a say."""
    if trial.outcome is None or trial.policy("duplicate_id") != "keep_first":
        return None
    gone = taken_out_as_duplicates(trial)
    for uses in uses_of(trial).values():
        if any(turn.signed() for turn, _ in uses) or not first_pair(uses[0][1]):
            continue
        lost = [p.at for p in first_pair(uses[0][1]) if p.at in gone]
        if lost:
            return "the first pair of %s lost %s" % (uses[0][1][0].id, lost)
    return None


def first_pair(parts):
    """Returns a turn's first call and the first result after it."""
    calls = [i for i, p in enumerate(parts) if p.kind == "call"]
    results = [i for i, p in enumerate(parts) if p.kind == "result" and calls and i > calls[0]]
    return [parts[calls[0]], parts[results[0]]] if results else None


# ---- merging ----

def merges_as_asked(trial):
    """merge_adjacent: never; where a message between was dropped; every pair once there was an edit."""
    if trial.outcome is None:
        return None
    how, edits = trial.policy("merge_adjacent"), trial.outcome["edits"]
    merged = [int(e["pointer"].split("/")[2]) for e in edits if e["action"] == "merge"]
    dropped = {int(e["pointer"].split("/")[2]) for e in edits if e["action"] == "drop_message"}
    if how == "never" and merged:
        return "merged %s" % merged
    if how == "touched" and not all(m - 1 in dropped or m in dropped for m in merged):
        return "merged %s, dropped %s" % (merged, sorted(dropped))
    return unmerged(trial) if how == "all" and edits else None


def unmerged(trial):
    """The first neighbours in the outcome that should have been merged; None: there are none."""
    sent, after = trial.history.value(), json.loads(trial.repaired_text())
    read = model.read(trial.history.dialect, after)
    turn = model.protected_turn(model.turns_of(read))
    free = {m.index for m in read if m.shaped and not any(p.signed for p in m.parts)
            and not (turn and m in turn.messages)}
    dialect = trial.history.dialect
    for a, b in zip(read, read[1:]):
        if a.role == b.role and a.role in ("user", "assistant") and {a.index, b.index} <= free and \
                after[a.index]["role"] == after[b.index]["role"] and \
                model_formats.is_bare(dialect, after[b.index]) and not is_mute(dialect, a, after[a.index]):
            return "messages %d and %d of %s are next to each other" % (a.index, b.index, len(sent))
    return None


def is_mute(dialect, message, value):
    """True if a message isn't bare and has no text: its members may be all that it says, and a text would say more."""
    texts = [model_texts.text_of(dialect, p) for p in message.parts if p.kind == "text"]
    return not model_formats.is_bare(dialect, value) and len(texts) == len(message.parts) and \
        all(not isinstance(t, str) or model.blank(t) for t in texts)


# ---- what follows from edits ----

SEARCH = "web_search_tool_result"
DANGLING = "citation_dangling"


def citations_follow_results(trial):
    """A citation is removed if and only if its hit's result was and no other result before it has that url."""
    if trial.outcome is None or not trial.outcome["changed"] or trial.history.dialect != "anthropic":
        return None
    if any(e["action"] in ("move", "drop_message", "rewrite") for e in trial.outcome["edits"]
           if e["code"] != DANGLING):
        return None  # what comes before, which turns are signed, or what a result contains has changed
    fate = Fate(trial)
    signed = {p.at for t in fate.turns if t.signed() for p in t.parts}
    gone, kept = set(), set()
    for part, node in fate.parts:
        value = spans.Node(node.text).value()
        if fate.stays(node):  # its type may have been mended
            kept.update(urls_of(node.value()) if is_search(node.value()) else ())
        elif is_search(value):
            gone.update(urls_of(value))
        if part.kind == "text" and isinstance(value, dict) and fate.stays(node):
            before = value.get("citations", [])
            want = before if part.at in signed else [c for c in before if not points_nowhere(c, gone - kept)]
            now = node.value().get("citations", [])
            if now != want:
                return "citations at %s are %s, should be %s" % (part.at, now, want)
    return None


def is_search(value):
    return isinstance(value, dict) and value.get("type") == SEARCH


def urls_of(result):
    content = result.get("content")
    hits = content if isinstance(content, list) else []
    return {v["url"] for v in hits if isinstance(v, dict) and isinstance(v.get("url"), str)}


def points_nowhere(citation, urls):
    return citation.get("type") == "web_search_result_location" and citation.get("url") in urls


MARKABLE = {"text", "tool_use", "tool_result", "server_tool_use", "mcp_tool_use", "image", "compaction"}


def markers_move_back(trial):
    """The marker of a dropped part is on the nearest earlier part that may carry one, or nearer."""
    if trial.outcome is None or not trial.outcome["changed"] or trial.history.dialect != "anthropic":
        return None
    if any(e["action"] in ("move", "merge") for e in trial.outcome["edits"]):
        return None
    if model_texts.TOO_MANY in trial.validate().result["counts"]:
        return None  # the oldest goes, wherever it is by then
    fate = Fate(trial)
    turn = model.protected_turn(fate.turns)
    protected = {m.index for m in turn.messages} if turn else set()
    dropped = {(m, p) for e, m, p in part_edits(trial) if e["action"] == "drop"}
    for i, (part, node) in enumerate(fate.parts):
        if part.at in dropped and part.kind != "thinking" and spans.Node(node.text).value().get("cache_control") is not None:
            carrier = nearest_carrier(fate, i, protected)
            if carrier is not None and not marked_from(fate, carrier, i):
                return "the marker of %s isn't after %s" % (part.at, carrier.text)
    return None


def nearest_carrier(fate, i, protected):
    """Returns the node of the nearest earlier part that stays and may carry a marker; None: the marker is lost."""
    for part, node in reversed(fate.parts[:i]):
        if part.at[0] in protected:
            continue
        if node.text[0] == '"':
            return None
        kind = spans.Node(node.text).value().get("type")
        blank = part.kind == "text" and not spans.Node(node.text).value().get("text")
        if fate.stays(node) and kind in MARKABLE and not blank:
            return node
    return None


def marked_from(fate, carrier, i):
    """A marker is on its carrier, or on a part between it and the next sent part that stays."""
    start = fate.place[id(carrier)]
    later = [fate.place[id(n)] for _, n in fate.parts[i + 1:] if fate.stays(n)]
    end = min([p for p in later if p > start], default=len(fate.now))
    return any(n.kind == "{" and n.value().get("cache_control") is not None for n in fate.now[start:end])


LAWS = [actions_follow_policy, results_are_invented_with_care, signed_turns_keep_their_ids,
        first_pairs_are_kept, merges_as_asked, citations_follow_results, markers_move_back]
