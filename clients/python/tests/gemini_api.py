# SPDX-License-Identifier: Apache-2.0
"""The part of messages_api.py that plays Gemini: generateContent and streamGenerateContent, on Google's API and Vertex AI.

It refuses the faults of calls, responses, signatures and empty entries with status 400, Google's form of an error and the
catalogue's text. It answers with the next turn that the test gave, a dictionary of what the model says:

    {"text": "hello"}                                a text
    {"calls": [["name", {"city": "Oslo"}], ...]}     calls, with or without "text"; the first one is signed
"""

import itertools
import json
import re

import catalogue_rows

ANSWER = "The pass is open, with chains."
TEXTS = {row["code"]: row["provider_error"] for row in catalogue_rows.ROWS if row["provider"] == "gemini"}
SIGNATURE = "c2lnbmVkIGJ5IHRoZSBsb2NhbCBwcm92aWRlcg=="
DUMMY = "skip_thought_signature_validator"
route = re.compile(
    r"/(?:models|tunedModels|endpoints)/(?P<model>[^/:]+):(?P<method>g|streamG)enerateContent$"
).search


class Refusal(Exception):
    pass


def refuse(code, **values):
    raise Refusal(re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1])), TEXTS[code]))


# -- What the API checks ---------------------------------------------------------------------


def check_entries(contents):
    """Refuses what an entry can be refused for alone."""
    if not contents:
        refuse("gem_contents_empty")
    for n, entry in enumerate(contents):
        if entry.get("role", "user") not in ("user", "model"):
            refuse("gem_role_invalid")
        if not entry.get("parts"):
            refuse("gem_parts_empty", message=n)
        for k, part in enumerate(entry["parts"]):
            if not part:
                refuse("gem_part_empty", message=n, part=k)


def camel(part):
    """Returns the part with its members in camel case: Google's APIs take `function_call` too, and LiteLLM writes it."""
    return {re.sub("_(.)", lambda found: found[1].upper(), name): value for name, value in part.items()}


def turns(contents):
    """Returns the role and the parts of each run of entries of one role."""
    runs = itertools.groupby(contents, key=lambda entry: entry.get("role", "user"))
    return [(role, [camel(part) for entry in run for part in entry["parts"]]) for role, run in runs]


def having(parts, kind):
    return [part for part in parts if kind in part]


def check_pairs(runs):
    """Refuses a run of calls that isn't answered as often as it calls, and answers to no call."""
    calls = 0
    for n, (role, parts) in enumerate(runs):
        answers = len(having(parts, "functionResponse"))
        if role == "user" and answers != calls:
            refuse("gem_call_without_response" if calls else "gem_response_without_call")
        calls = len(having(parts, "functionCall")) if role == "model" else 0
        if calls and n == 0:
            refuse("gem_call_position")
    if calls:
        refuse("gem_call_without_response")


def check_signatures(runs, model):
    """Refuses a run of the current turn whose first call has no signature, of a model from Gemini 3 on."""
    version = re.search(r"gemini-(\d+)", model)
    if not version or int(version[1]) < 3:
        return
    words = [n for n, (role, parts) in enumerate(runs) if role == "user" and len(having(parts, "functionResponse")) < len(parts)]
    for role, parts in runs[words[-1] + 1 if words else 0 :]:
        calls = having(parts, "functionCall") if role == "model" else []
        if calls and calls[0].get("thoughtSignature") not in (SIGNATURE, DUMMY):
            refuse("gem_thought_signature_missing")


def check(body, model):
    check_entries(body["contents"])
    runs = turns(body["contents"])
    check_pairs(runs)
    check_signatures(runs, model)


# -- What it answers -------------------------------------------------------------------------


def parts_of(turn):
    text = [{"text": turn["text"]}] if turn.get("text") else []
    calls = [{"functionCall": {"name": name, "args": given}} for name, given in turn.get("calls") or []]
    return text + [dict(call, thoughtSignature=SIGNATURE) if k == 0 else call for k, call in enumerate(calls)]


def response(parts, model, reason):
    candidate = {"content": {"role": "model", "parts": parts}, "index": 0}
    if reason:
        candidate["finishReason"] = reason
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": model}


def halves(parts):
    """Returns the parts with each text in two."""
    for part in parts:
        if "text" not in part:
            yield part
            continue
        half = len(part["text"]) // 2
        yield {"text": part["text"][:half]}
        yield {"text": part["text"][half:]}


def events(parts, model):
    pieces = list(halves(parts))
    for piece in pieces:
        answer = response([piece], model, "STOP" if piece is pieces[-1] else None)
        yield b"data: %s\r\n\r\n" % json.dumps(answer).encode()


def serve(handler, wanted, data):
    """Answers a request that `route` knows, on the handler of messages_api.py."""
    api, model = handler.server.api, wanted["model"]
    try:
        check(json.loads(data), model)
    except Refusal as why:
        return say_no(handler, str(why))
    except (ValueError, KeyError, TypeError, AttributeError):
        return say_no(handler, "Invalid JSON payload received.")
    turn = api.turns.pop(0) if api.turns else {"text": ANSWER}
    parts = parts_of(turn)
    if wanted["method"] == "streamG":
        return handler.stream(events(parts, model), turn, "text/event-stream")
    return handler.answer(200, response(parts, model, "STOP"))


def say_no(handler, text):
    handler.answer(400, {"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT"}})
