# SPDX-License-Identifier: Apache-2.0
"""Laws of every conversation with OpenAI's APIs, policy, endpoint and model.

Each law takes a Trial and returns None, or a sentence that says what is wrong.
"""
import json
import re

import local_provider
import model_chat
import model_chat_pairs
import model_chat_repair
import model_item_pairs
import model_items
import model_openai
import spliced
from wire import RUNNER

MANY = {"max_violations": 10 ** 6}
LONE = re.compile("[\ud800-\udfff]")
TEXTLESS = ("web_search_call", "image_generation_call", "mcp_list_tools", "program", "program_output")
WORD = re.compile(r"word\d{3}x")


def places(violations):
    """The findings as the model has them."""
    return once([(v["code"], v["severity"], v["message_index"], v["part_index"]) for v in violations])


def once(found):
    """Findings about the request, which may have several places, once a code."""
    return [f for i, f in enumerate(found) if f[2] is not None or f not in found[:i]]


def written(value):
    """The value as JSON with the fewest escapes, as MessagePack's strings are written in edits."""
    return LONE.sub(lambda found: "\\u%04x" % ord(found[0]), json.dumps(value, ensure_ascii=False))


class Trial:
    """A case and the daemon's answers about it, each asked for once."""

    def __init__(self, wire, case):
        self.wire, self.case, self.answers = wire, case, {}

    def ask(self, method, items=None, **more):
        text = written(self.case.params(items, **MANY, **more))
        if (method, text) not in self.answers:
            self.answers[method, text] = self.wire.ask(method, text)
        return self.answers[method, text]

    @property
    def form(self):
        return "content" if self.case.turn else "messages"

    def repair(self, form=None, items=None, guard=False):
        more = {} if self.case.turn else {"guard": guard}
        return self.ask(self.case.method, items, **{"return": form or self.form, **more})

    def is_no_history(self, answer):
        """True if the list was refused because no message has a role."""
        return answer.name == "dialect_mismatch" and not any("role" in item for item in self.case.items)

    def repaired(self, items=None):
        """The list after a clean-up."""
        result = self.repair(items=items).result
        return result.get(self.form, self.case.items if items is None else items)


def lives(trial):
    """The daemon answers."""
    for form in (trial.form, "patch", "report"):
        answer = trial.repair(form)
        if trial.is_no_history(answer):
            continue
        if answer.error:
            return "%s answers %s" % (trial.case.method, answer.error)
    return None


def findings_are_the_models(trial):
    """validate finds what CATALOGUE.md 4.1 and 4.2 say, in report order."""
    case = trial.case
    if case.turn:
        return None  # repair_turn tells what is left only
    answer = trial.ask("validate")
    if trial.is_no_history(answer):
        return None
    if answer.error:
        return "validate answers %s" % answer.error
    found, want = places(answer.result["violations"]), once(case.findings())
    if found != want:
        return "only found: %s\nonly in the model: %s\nfound, in order: %s" % (
            [f for f in found if f not in want], [f for f in want if f not in found], found)
    if answer.result["valid"] != (not any(f[1] == "error" for f in want)):
        return "valid %s" % answer.result["valid"]
    return None


def counts_are_right(trial):
    """message_count and part_count count what PROVIDERS.md 1.1 names."""
    case = trial.case
    if case.turn:
        return None
    result = trial.ask("validate").result
    parts_of = model_chat.parts_of if case.provider == "openai-chat" else parts_of_item
    want = len(case.items), sum(len(parts_of(item)[0]) for item in case.items)
    got = result["message_count"], result["part_count"]
    return None if got == want else "%s messages and parts, not %s" % (got, want)


def parts_of_item(item):
    if model_items.kind(item) == model_items.MESSAGE:
        return model_openai.content_parts(item), item
    return [], item


def what_remains_is_the_models(trial):
    """The violations of a repair are those that the model finds in the repaired list."""
    result, after = trial.repair().result, trial.repaired()
    found, want = places(result["violations"]), once(trial.case.findings(after))
    if sorted(map(str, found)) != sorted(map(str, want)):
        return "after repair %s, the model finds %s" % (found, want)
    if result["safe"] != (not any(f[1] == "error" for f in want)):
        return "safe %s" % result["safe"]
    return None


def chat_is_repaired_as_the_model_does(trial):
    """The list that a clean-up of Chat makes is the model's, value by value."""
    case = trial.case
    if case.provider != "openai-chat" or model_openai.has_lone(case.items) or trial.repair().error:
        return None
    if any(e["code"] == "chat_roles_not_alternating" for e in trial.repair().result["edits"]) and any(
            "name" in message for message in case.items):
        return None  # the model joins no messages with names; tests/conformance/openai_chat/names_of_joined.json does
    want, got = model_chat_repair.repaired(case.params()), trial.repaired()
    return None if got == want else "repaired: %s\nthe model: %s" % (json.dumps(got), json.dumps(want))


def safe_is_taken(trial):
    """A list that repair calls safe has nothing that a live server is known to refuse."""
    if trial.case.turn or not trial.repair().result["safe"]:
        return None
    refused = [f for f in trial.case.findings(trial.repaired()) if f[1] == "error"]
    if refused:
        return "the provider refuses %s" % refused
    verdict = trial.ask("validate", trial.repaired())
    said = verdict.error or verdict.result
    return None if verdict.result and verdict.result["valid"] else "validate says %s" % said


def local_provider_takes_it(trial):
    """A list that repair calls safe is taken by the local provider, which judges the body that a client would send."""
    if trial.case.turn or not trial.repair().result["safe"]:
        return None
    if trial.case.body is None and not trial.repaired():
        return None  # an empty list alone may be sent next to a `previous_response_id`
    if trial.case.body is None and any(v["code"] == "resp_reasoning_without_next"
                                       for v in trial.repair().result["violations"]):
        return None  # a warning, since nobody said whether the body has `store: false`
    why = local_provider.refusal(trial.case, trial.repaired())
    return why and "the local provider refuses it: " + why


def repair_is_idempotent(trial):
    """A repaired list needs no repair."""
    again = trial.repair(items=trial.repaired())
    if again.error or again.result["changed"] or again.result["edits"]:
        return "a second repair gives %s" % (again.error or again.result)
    return None


def guard_agrees(trial):
    """Guard gives what clean-up gives if that is safe, else it refuses because of errors."""
    if trial.case.turn:
        return None
    free, guard = trial.repair(), trial.repair(guard=True)
    if free.result["safe"]:
        return None if guard.result == free.result else "guard gives %s" % (guard.error or guard.result)
    if guard.name != "unsafe_history":
        return "guard gives %s" % (guard.error or guard.result)
    left = guard.error["data"]["violations"]
    strange = [v for v in left if v["severity"] != "error" or v["message_index"] is not None and not (
        v["pointer"].startswith("%s/%d" % (trial.case.pointer, v["message_index"])))]
    return "guard refuses because of %s" % (strange or left) if strange or not left else None


def changes_have_a_cause(trial):
    """Without errors nothing changes, unless the policy strips ids; a change has edits and edits have counts."""
    result, case = trial.repair().result, trial.case
    strips = isinstance(case.policy, dict) and case.policy.get("item_ids") == "strip"
    if result["changed"] and not strips and not any(f[1] == "error" for f in case.findings()):
        return "edited without an error: %s" % result["edits"]
    if not result["changed"] and (result["edits"] or case.list in result):
        return "unchanged with %s" % result
    if result["changed"] and not result["edits"]:
        return "changed without an edit"
    return None


def patch_makes_the_list(trial):
    """The patch makes the list that `return` sends."""
    case, answer = trial.case, trial.repair("patch")
    whole = RUNNER.patch({case.pointer[1:]: case.items}, answer.result.get("patch", []))[case.pointer[1:]]
    return None if whole == trial.repaired() else "the patch makes %s" % json.dumps(whole)


def codecs_agree(trial):
    """MessagePack gives what JSON gives."""
    case = trial.case
    if model_openai.has_lone(case.params()):
        return None
    more = {} if case.turn else {"guard": False}
    answer = trial.wire.ask_msgpack(case.method, case.params(**MANY, **more, **{"return": trial.form}))
    ours = trial.repair().result
    if answer.result and undigested(answer.result) == undigested(ours):
        return None
    return "msgpack gives %s" % (answer.error or answer.result)


def undigested(result):
    """A result without the digest of the bytes as received."""
    return {**result, "protected": (result.get("protected") or {}).get("message_index")}


def texts_stay(trial):
    """Every text of a person or the model is still there."""
    if any(e["code"] == "chat_unknown_message_field" for e in trial.repair().result["edits"]):
        return None  # a strict server takes no reasoning, nor other words of another API
    before, after = set(words_of(spared(trial))), set(WORD.findall(json.dumps(trial.repaired())))
    lost = sorted(before - after)
    return "lost %s" % lost if lost else None


def spared(trial):
    """The case without the server's items that hold no text for a person, where an edit dropped them."""
    case, dropped = trial.case, {e["pointer"] for e in trial.repair().result["edits"] if e["action"].startswith("drop")}
    return case.but(items=[item for n, item in enumerate(case.items) if not (
        case.provider == "openai-responses" and model_items.kind(item) in TEXTLESS and
        "%s/%d" % (case.pointer, n) in dropped)])


def words_of(case):
    """Words of the case that no rule may lose: of a server's item that can't stay only its text, of a tool message that
    becomes text neither its name nor calls."""
    items = case.items
    if case.provider == "openai-chat":
        items = [{k: v for k, v in message.items() if message.get("role") != "tool" or k not in ("name", "tool_calls")}
                 for message in items]
    if case.provider == "openai-responses":
        previous = case.body and case.body.get("previous_response_id")
        items = [spoken(item) for item in items
                 if not (previous and model_items.own_id(item) and (
                     model_items.is_models(item) or item.get("role") == "model"))]
    return WORD.findall(json.dumps(items))


def spoken(item):
    """An item without what goes with it where only its text can stay."""
    silent = {"code_interpreter_call": (), "file_search_call": (), "reasoning": ("encrypted_content",),
              "mcp_call": ("arguments",), "mcp_approval_request": ("arguments",)}
    kind = model_items.kind(item)
    if kind in model_items.FOREIGN:
        silent = {kind: ()}
    return {k: v for k, v in item.items() if k not in silent.get(kind, ())}


def is_settled(case, items):
    """True if nothing at the end of the list waits for what comes next (PROVIDERS.md 1.7 and 2)."""
    if not items:
        return False
    if case.provider == "openai-chat":
        pairs = model_chat_pairs.Pairs(items, model_chat.calls_of)
        open_ = any(c.answer is None and not c.claimed for calls in pairs.calls.values() for c in calls)
        return not open_ and items[-1].get("role") in ("user", "system") and isinstance(items[-1].get("content"), str)
    pairs = model_item_pairs.Pairs(items, False)
    last = items[-1]
    return not pairs.unanswered() and not pairs.repeated and last.get("role") == "user" and "tool_calls" not in last


def appending_keeps_the_beginning(trial):
    """The repair of h + t begins with the repair of h, where nothing in h waits for t."""
    case = trial.case
    strict = case.target and case.target.get("endpoint") == "compatible"
    merges = isinstance(case.policy, dict) and case.policy.get("merge_adjacent") not in (None, "never")
    if case.turn or not case.tail or strict or merges or not is_settled(case, case.items):
        return None
    first = trial.repaired()
    longer = case.but(items=case.items + case.tail, tail=[])
    both = Trial(trial.wire, longer).repaired()
    return None if both[:len(first)] == first else "%s\nbegins the repair of the longer one: %s" % (
        json.dumps(first), json.dumps(both))


def splices_make_the_list(trial):
    """The changes of the bytes as sent give the bytes that the other forms give."""
    return spliced.law(trial.repair, trial.case.method, written(trial.case.params()))


LAWS = [lives, splices_make_the_list, findings_are_the_models, counts_are_right, what_remains_is_the_models,
        chat_is_repaired_as_the_model_does, safe_is_taken, local_provider_takes_it, repair_is_idempotent,
        guard_agrees, changes_have_a_cause, patch_makes_the_list, codecs_agree, texts_stay,
        appending_keeps_the_beginning]
