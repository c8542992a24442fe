# SPDX-License-Identifier: Apache-2.0
"""Each `way_out` that the caller of a refused history is given works (PROTOCOL.md 5.2)."""
import re

BACK = re.compile(r": go back to before message ([0-9]+)\.$")
KEY = re.compile(r'policy\.(\w+) is "(\w+)": set it to "(\w+)"')
LIST = "policy.serializable_tools does not list this tool: add it to the list."
REQUEST = "This is not in a message, and repair edits messages only: change the request."
CONTAINER = "Repair edits messages only: send the id of the container in which the code runs as `container`."
# What the request's `thinking` has to be, by code; test_ways_out.py tries it.
THINKING = {
    "thinking_required_first": ("`thinking` is on in the request: switch it off until this turn is done.",
                                {"type": "disabled"}),
    "thinking_content_required": (
        "`thinking` is on in the request: switch it off for this request, or send the thinking of this turn.",
        {"type": "disabled"}),
    "thinking_disabled_final": ("`thinking` is off in the request: switch it on, or put a user message after this turn.",
                                {"type": "enabled", "budget_tokens": 1024}),
}
AZURE = ("On Azure no edit deletes the id of reasoning: send `store: true` and keep the ids, or ask for ciphertext "
         '(`include: ["reasoning.encrypted_content"]`) and replay it with the ids.')
# The codes that have this way out; test_ways_out.py tries it.
OF_AZURE = ("resp_item_not_persisted", "resp_reasoning_without_next")
OVER = re.compile(r": start a new conversation\.$")


def place(violation):
    return violation["code"], violation["message_index"], violation["part_index"]


def mistake(violations, count, again):
    """None, or what is wrong with the sentences. again(policy, keep) repairs the first `keep` messages
    (None: all) with keys of the policy changed, and gives the answer."""
    done = {}
    for v in violations:
        said = v.get("way_out")
        if not said:
            return "%s has no way out" % v
        if said in done and not KEY.search(said) and said != LIST:
            continue
        done[said] = True
        why = wrong(v, said, count, again, done)
        if why:
            return "%s of %s: %s" % (said, place(v), why)
    return None


def wrong(v, said, count, again, done):
    if said == REQUEST:
        return None if v["message_index"] is None else "it is about a message"
    if said.startswith(CONTAINER):
        return None if v["code"] == "container_required" else "it needs no container"
    if v["code"] in THINKING:
        return None if said == THINKING[v["code"]][0] else "it doesn't tell what to do about thinking"
    if said == AZURE:
        return None if v["code"] in OF_AZURE else "it is not about an id that the server looks up"
    if said == LIST:
        return stays(v, done, said, lambda: again({"serializable_tools": None}, None))
    key = KEY.search(said)
    if key:
        return stays(v, done, said, lambda: again({key.group(1): key.group(3)}, None))
    if OVER.search(said):
        return None if again({}, 1).error or v["message_index"] == 0 else None
    back = BACK.search(said)
    if not back:
        return "this is no advice"
    keep = int(back.group(1))
    if not 0 < keep < count:
        return "%d messages of %d" % (keep, count)
    if v["message_index"] is not None and keep > v["message_index"]:
        return "the fault stays"
    left = [w for w in left_by(again({}, keep)) if w["message_index"] is not None]
    return "%s are left" % [place(w) for w in left] if left else None


def left_by(answer):
    return answer.error["data"]["violations"] if answer.error else []


def stays(v, done, said, ask):
    if done[said] is True:
        done[said] = {place(w) for w in left_by(ask())}
    return "it is still found" if place(v) in done[said] else None
