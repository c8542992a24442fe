# SPDX-License-Identifier: Apache-2.0
"""The part of messages_api.py that plays Bedrock's Converse and ConverseStream.

It refuses the faults of calls, results and empty content with status 400, the error's type in a header, and the
catalogue's text. It answers with the next turn that the test gave, a dictionary of what the model says:

    {"text": "hello"}                                a text
    {"calls": [["name", {"city": "Oslo"}], ...]}     calls, with or without "text"
"""

import json
import re
from collections import Counter

import amazon_frames
import catalogue_rows

ANSWER = "The pass is open, with chains."
TEXTS = {row["code"]: row["provider_error"] for row in catalogue_rows.ROWS if row["provider"] == "bedrock"}
route = re.compile(r"/model/(?P<model>[^/]+)/converse(?P<streams>-stream)?$").search


class Refusal(Exception):
    pass


def refuse(code, **values):
    raise Refusal(re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1])), TEXTS[code]))


# -- What the API checks ---------------------------------------------------------------------


def ids(message, kind):
    return [block[kind].get("toolUseId") for block in message["content"] if kind in block]


def check_message(n, message):
    """Refuses what a message can be refused for alone."""
    if not message.get("content"):
        refuse("brk_content_empty", message=n)
    for k, block in enumerate(message["content"]):
        if block.get("text") == "":
            refuse("brk_text_blank", message=n, part=k)
        if "toolUse" in block and not isinstance(block["toolUse"].get("input"), dict):
            refuse("brk_tool_input_not_object", message=n, part=k)


def check_results(n, calls, message):
    """Refuses a message after one with these calls (none: after any other) whose results aren't theirs."""
    results = Counter(ids(message, "toolResult"))
    missing = [ident for ident in calls if not results[ident]]
    if missing:
        refuse("brk_missing_tool_result", n=n, id=", ".join(missing))
    if set(results) - set(calls):
        refuse("brk_extra_tool_result", message=n)
    twice = [ident for ident, count in results.items() if count > 1]
    if twice:
        refuse("brk_tool_result_duplicate", message=n, id=twice[0])


def check(body):
    messages = body["messages"]
    open_calls = []
    for n, message in enumerate(messages):
        check_message(n, message)
        check_results(n, open_calls, message)
        open_calls = ids(message, "toolUse") if message["role"] == "assistant" else []
    if open_calls:
        refuse("brk_missing_tool_result", n=len(messages), id=", ".join(open_calls))
    if any(ids(message, kind) for message in messages for kind in ("toolUse", "toolResult")) and "toolConfig" not in body:
        refuse("brk_toolconfig_missing")


# -- What it answers -------------------------------------------------------------------------

USAGE = {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}


def blocks(turn, number):
    text = [{"text": turn["text"]}] if turn.get("text") else []
    calls = turn.get("calls") or []
    return text + [
        {"toolUse": {"toolUseId": "tooluse_%03d_%d" % (number, k), "name": name, "input": given}}
        for k, (name, given) in enumerate(calls)
    ]


def events(content, reason):
    yield "messageStart", {"role": "assistant"}
    for k, block in enumerate(content):
        if "toolUse" in block:
            call = dict(block["toolUse"])
            pieces = [{"toolUse": {"input": json.dumps(call.pop("input"))}}]
            yield "contentBlockStart", {"contentBlockIndex": k, "start": {"toolUse": call}}
        else:
            half = len(block["text"]) // 2
            pieces = [{"text": block["text"][:half]}, {"text": block["text"][half:]}]
        for piece in pieces:
            yield "contentBlockDelta", {"contentBlockIndex": k, "delta": piece}
        yield "contentBlockStop", {"contentBlockIndex": k}
    yield "messageStop", {"stopReason": reason}
    yield "metadata", {"usage": USAGE, "metrics": {"latencyMs": 1}}


def serve(handler, wanted, data):
    """Answers a request that `route` knows, on the handler of messages_api.py."""
    api = handler.server.api
    try:
        body = json.loads(data)
        check(body)
    except Refusal as why:
        return handler.answer(400, {"message": str(why)}, {"x-amzn-errortype": "ValidationException"})
    except (ValueError, KeyError, TypeError, AttributeError):
        said = {"message": "Malformed input request, please reformat your input and try again."}
        return handler.answer(400, said, {"x-amzn-errortype": "ValidationException"})
    turn = api.turns.pop(0) if api.turns else {"text": ANSWER}
    content = blocks(turn, len(api.seen))
    reason = "tool_use" if turn.get("calls") else "end_turn"
    if wanted["streams"]:
        frames = (amazon_frames.frame(*event) for event in events(content, reason))
        return handler.stream(frames, turn, amazon_frames.MEDIA)
    message = {"role": "assistant", "content": content}
    return handler.answer(
        200, {"output": {"message": message}, "stopReason": reason, "usage": USAGE, "metrics": {"latencyMs": 1}}
    )
