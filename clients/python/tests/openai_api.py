# SPDX-License-Identifier: Apache-2.0
"""The part of messages_api.py that plays OpenAI: Chat Completions, Responses and Azure's paths.

It refuses a body that the model of tests/properties finds an error in, if the catalogue knows from a
live server that such a body is refused (evidence `verbatim` or `probe`): status 400, OpenAI's shape of
an error, the catalogue's text. It refuses a call or message of its own that comes back without the
reasoning before it, too. What it answers is in openai_answers.py.

The path says whose rules apply: below /openai/ Azure's, below /compatible/ those of servers that copy
the API (`target.endpoint` of the contract), else OpenAI's own. Azure names the deployment in the path.
The word after /compatible/ may name such a server (`target.server`): /compatible/groq/v1.
"""

import json
import os
import re
import sys

from support import ROOT

sys.path.append(os.path.join(ROOT, "tests", "properties"))

import catalogue_rows
import model_items
import model_openai
import openai_answers

PATHS = re.compile(
    r"^(?P<head>/.*?)?(/deployments/(?P<deployment>[^/]+))?/(?P<api>chat/completions|responses)$"
).search
PROVIDERS = {"chat/completions": "openai-chat", "responses": "openai-responses"}
ROWS = {row["code"]: row for row in catalogue_rows.ROWS}
SEEN_LIVE = ("verbatim", "probe")
SERVERS = ("deepseek", "groq", "mistral", "moonshot", "openrouter", "vllm", "xai")


class Refusal(Exception):
    """A body that OpenAI refuses; `param` is the member that it names."""

    def __init__(self, text, param=None):
        super().__init__(text)
        self.param = param


class Route:
    """The API and the rules that a path asks for."""

    def __init__(self, found):
        head = found["head"] or ""
        self.provider = PROVIDERS[found["api"]]
        self.list = model_openai.LISTS[self.provider]
        self.deployment = found["deployment"]
        self.endpoint = "openai"
        self.server = None
        for word, endpoint in (("/openai", "azure"), ("/compatible", "compatible")):
            if head == word or head.startswith(word + "/"):
                self.endpoint = endpoint
        after = head.split("/")[2:3] if self.endpoint == "compatible" else []
        if after and after[0] in SERVERS:
            self.server = after[0]


def route(path):
    """The Route of a path without its query, or None."""
    found = PATHS(path)
    return Route(found) if found else None


# -- What the API checks ---------------------------------------------------------------------


def words(provider, body, code, message, part):
    """Returns what the provider fills in for the names in braces."""
    given = body.get(model_openai.LISTS[provider])
    item = given[message] if isinstance(given, list) and message is not None else {}
    length = [
        len(item[k]) for k in ("call_id", "tool_call_id", "id") if isinstance(item.get(k), str)
    ]
    lists = [len(v) for v in (item.get("tool_calls"), body.get("tools")) if isinstance(v, list)]
    kind = item.get("type")
    content = item.get("content")
    if part is not None and isinstance(content, list) and part < len(content):
        kind = content[part].get("type")
    parts = len(content) if isinstance(content, list) else int(bool(content))
    call = max(part - parts, 0) if part is not None else 0
    calls = item.get("tool_calls") or []
    ident = item.get("call_id") or item.get("tool_call_id") or item.get("id")
    if provider == "openai-chat" and call < len(calls):
        ident = calls[call].get("id")
    missing = [m for m in model_items.REQUIRED.get(kind, ()) if item.get(m) in (None, "")]
    field = {
        "resp_missing_item_field": (missing or [None])[0],
        "resp_item_field_type": "output" if "output" in item else "content",
        "resp_id_too_long": "call_id" if len(str(item.get("call_id", ""))) > 64 else "id",
    }.get(code, "status")
    if code in ("resp_duplicate_item_id", "resp_item_id_prefix", "resp_item_not_persisted"):
        ident = item.get("id")
    return {
        "message": message,
        "part": part,
        "call": call,
        "id": ident,
        "type": kind,
        "role": item.get("role"),
        "field": field,
        "prefix": model_items.PREFIX.get(kind),
        "length": max(lists + length, default=0),
        "column": 1,
        "offset": 0,
    }


def filled(template, values):
    return re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1])), template)


def check_shape(body, wanted):
    """Refuses what the model takes for granted."""
    given = body.get(wanted.list)
    if wanted.provider == "openai-chat" and "messages" not in body:
        raise Refusal("Missing required parameter: 'messages'.", "messages")
    if given is not None and not isinstance(given, (list, str) if wanted.list == "input" else list):
        raise Refusal("Invalid type for '%s'." % wanted.list, wanted.list)
    for n, item in enumerate(given if isinstance(given, list) else []):
        content = item.get("content") if isinstance(item, dict) else None
        calls = item.get("tool_calls") if isinstance(item, dict) else None
        parts = [
            *(content if isinstance(content, list) else []),
            *(calls if isinstance(calls, list) else []),
        ]
        if not isinstance(item, dict) or not all(isinstance(part, dict) for part in parts):
            raise Refusal(
                "Invalid type for '%s[%d]': expected an object." % (wanted.list, n), wanted.list
            )


def refusals(wanted, body):
    """[(code, the provider's text)] of what live servers refuse in a body, in the order of reports."""
    target = {"endpoint": wanted.endpoint}
    if wanted.server:
        target["server"] = wanted.server
    params = {"request": body, "target": target}
    found = []
    for code, severity, message, part in model_openai.findings(wanted.provider, params):
        row = ROWS[code]
        if severity == "error" and row["evidence"] in SEEN_LIVE and row["provider_error"]:
            values = words(wanted.provider, body, code, message, part)
            found.append((code, filled(row["provider_error"], values)))
    return found


def check_own_items(body, reasoned):
    """reasoned: the id of an item that was given -> the id of the reasoning before it."""
    items = body.get("input")
    if not isinstance(items, list) or body.get("previous_response_id") or body.get("conversation"):
        return
    ids = {item.get("id") for item in items if isinstance(item.get("id"), str)}
    for item in items:
        needed = reasoned.get(item.get("id")) if isinstance(item.get("id"), str) else None
        if needed and needed not in ids:
            text = (
                "Item '%s' of type '%s' was provided without its required 'reasoning' item: '%s'."
            )
            raise Refusal(text % (item["id"], model_items.kind(item), needed), "input")


def check(wanted, body, reasoned):
    """Raises Refusal for a body that is refused."""
    if not isinstance(body, dict):
        raise Refusal("We could not parse the JSON body of your request.")
    check_shape(body, wanted)
    if wanted.deployment and "model" not in body:
        body = dict(body, model=wanted.deployment)
    if not isinstance(body.get("model"), str):
        raise Refusal("you must provide a model parameter", "model")
    for _, text in refusals(wanted, body):
        raise Refusal(text, wanted.list)
    check_own_items(body, reasoned)


# -- One exchange ----------------------------------------------------------------------------


def serve(handler, wanted, data):
    """Answers a request that `route` knows, on the handler of messages_api.py."""
    api = handler.server.api
    try:
        body = json.loads(data)
        check(wanted, body, api.reasoned)
    except Refusal as why:
        return refuse(handler, str(why), why.param)
    except ValueError:
        return refuse(handler, "We could not parse the JSON body of your request.", None)
    number = len(api.seen)
    turn = openai_answers.Turn(api.turns.pop(0) if api.turns else None, body, wanted, number)
    api.reasoned.update(turn.reasoned())
    if body.get("stream"):
        return handler.stream(turn.events(), turn.given, "text/event-stream; charset=utf-8")
    return handler.answer(200, turn.whole())


def refuse(handler, text, param):
    error = {"message": text, "type": "invalid_request_error", "param": param, "code": None}
    handler.answer(400, {"error": error})
