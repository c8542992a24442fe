# SPDX-License-Identifier: Apache-2.0
"""DIALECTS.md once more: what a result says as text, and what repair writes.

Written from the text of that file, to be slow and plain, and without a look at the daemon.
"""
import json

import model

HIT_LINE = (("title", "title"), ("url", "url"), ("page_age", "pageAge"))
TEXT_TYPES = ("web_fetch_result", "code_execution_result", "encrypted_code_execution_result",
              "bash_code_execution_result", "text_editor_code_execution_view_result",
              "tool_search_tool_search_result", "advisor_result", "text")


def string(value):
    return value if isinstance(value, str) else ""


def get(value, snake):
    """A member in the wire's spelling, if that is absent in camel case."""
    words = snake.split("_")
    camel = words[0] + "".join(w.capitalize() for w in words[1:])
    for key in (snake, camel):
        if isinstance(value, dict) and key in value:
            return value[key]
    return None


def joined(pieces, separator):
    return separator.join(p for p in pieces if p)


def hidden(key):
    return key == "signature" or key.lower().startswith("encrypted")


def shown(value):
    if isinstance(value, dict):
        return {k: shown(v) for k, v in value.items() if not hidden(k)}
    return [shown(v) for v in value] if isinstance(value, list) else value


def compact(value):
    """Compact JSON; null says nothing. Only for values whose spelling json.dumps() keeps."""
    return "" if value is None else json.dumps(shown(value), separators=(",", ":"), ensure_ascii=False)


def plain(value):
    return value if isinstance(value, str) else compact(value)


def hits(listed):
    lines = [joined([string(get(v, key)) for key, _ in HIT_LINE], ", ") for v in listed if isinstance(v, dict)]
    return joined(lines, "\n")


def blocks(listed):
    texts = [v if isinstance(v, str) else string(get(v, "text")) for v in listed
             if isinstance(v, str) or isinstance(v, dict) and v.get("type") == "text"]
    return joined(texts, "\n")


def names(listed):
    return joined([string(get(v, "tool_name")) for v in listed if isinstance(v, dict)], ", ")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def document(value):
    """The text of a document's source."""
    source = value.get("source") if isinstance(value, dict) else None
    source = source if isinstance(source, dict) else {}
    inner = source.get("content")
    return joined([string(source.get("data")) if source.get("type") == "text" else "", string(inner),
                   blocks(inner) if isinstance(inner, list) else ""], "\n")


def of_object(value):
    """RULES.md 4, by the object's own type; None if that says nothing."""
    if string(get(value, "error_code")):
        return string(get(value, "error_code"))
    kind = value.get("type")
    if kind not in TEXT_TYPES:
        return None
    if kind == "web_fetch_result":
        page = value.get("content")
        head = joined([string(get(page, "title")), string(value.get("url"))], ", ")
        return joined([head, document(page)], "\n")
    if kind == "text_editor_code_execution_view_result":
        return string(value.get("content"))
    if kind == "tool_search_tool_search_result":
        listed = get(value, "tool_references")
        return names(listed) if isinstance(listed, list) else ""
    if kind in ("advisor_result", "text"):
        return string(value.get("text"))
    code = get(value, "return_code")
    return joined([string(value.get("stdout")), string(value.get("stderr")),
                   "return code %s" % json.dumps(code) if is_number(code) else ""], "\n")


def all_of(listed, kind):
    return bool(listed) and all(isinstance(v, dict) and v.get("type") == kind for v in listed)


def of_sdk_value(value):
    """Returns the content of a provider's result."""
    if isinstance(value, list):
        if any(isinstance(v, dict) and ("url" in v or v.get("type") == "web_search_result") for v in value):
            return hits(value)
        if all_of(value, "text"):
            return blocks(value)
        if all_of(value, "tool_reference"):
            return names(value)
    if isinstance(value, dict):
        text = of_object(value)
        if text is not None:
            return text
    return plain(value)


def of_sdk_output(output, provider):
    if not isinstance(output, dict):
        return plain(output)
    if output.get("type") == "content":
        value = output.get("value")
        return blocks(value) if isinstance(value, list) else ""
    if output.get("type") == "execution-denied":
        return string(output.get("reason"))
    return of_sdk_value(output.get("value")) if provider else plain(output.get("value"))


def of_go_output(output):
    if isinstance(output, dict):
        data, kind = output.get("data"), output.get("type")
        for types, key in ((("text", "media"), "text"), (("error",), "error")):
            if kind in types:
                return string(data.get(key)) if isinstance(data, dict) else ""
        if "data" in output:
            return compact(data)
    return plain(output)


def of_go_result(data):
    output = data.get("output")
    text = of_go_output(data.get("result") if output is None else output)
    if not model.blank(text) and text != "{}":
        return text
    inner = model.anthropic_options(data).get("data")
    inner = inner if isinstance(inner, dict) else {}
    listed = inner.get("results")
    return hits(listed if isinstance(listed, list) else []) or string(inner.get("error_code"))


def text_of(dialect, part, role):
    """The text that takes the place of a result; None: no part is written."""
    if dialect == "fantasy":
        text = of_go_result(part["data"])
    else:
        text = of_sdk_output(part.get("output"), model.read_ai_sdk(part, role).provider)
    return None if model.blank(text) else text


def mark_of(dialect, part, call_name=None):
    """The name of the mark: of the call, its own, its type's."""
    name = part["data"].get("tool_name") if dialect == "fantasy" else part.get("toolName")
    kind = model.metadata_type(model.anthropic_options(part["data"])) if dialect == "fantasy" else None
    stem = kind[:-len("_tool_result")] if kind else None
    return next(n for n in (call_name, string(name), stem, "tool") if n)


# ---- what repair writes ----

def text_part(dialect, text):
    return {"type": "text", "data": {"text": text}} if dialect == "fantasy" else {"type": "text", "text": text}


def unexecuted(dialect, call):
    if dialect == "fantasy":
        return {"type": "tool-result", "data": {
            "tool_call_id": string(call["data"].get("tool_call_id")),
            "output": {"type": "error", "data": {"error": "Not executed."}}, "provider_executed": False}}
    return {"type": "tool-result", "toolCallId": string(call.get("toolCallId")), "toolName": string(call.get("toolName")),
            "output": {"type": "error-text", "value": "Not executed."}}


def unavailable(dialect, call):
    """The error result of a provider's call; None: the adapter has none."""
    if dialect == "fantasy":
        if call["data"].get("tool_name") != "web_search":
            return None
        return {"type": "tool-result", "data": {
            "tool_call_id": call["data"]["tool_call_id"],
            "output": {"type": "error", "data": {"error": "unavailable"}}, "provider_executed": True,
            "provider_options": {"anthropic": {"type": "anthropic.web_search_result_metadata",
                                               "data": {"error_code": "unavailable"}}}}}
    name = call["toolName"]
    values = {"web_search": {"errorCode": "unavailable"}, "web_fetch": {"errorCode": "unavailable"}}
    for typed in ("code_execution", "advisor"):
        values[typed] = {"type": typed + "_tool_result_error", "errorCode": "unavailable"}
    value = values.get(name)
    if model.read_ai_sdk(call, "assistant").mcp:
        value = [{"type": "text", "text": "unavailable"}]
    return value and {"type": "tool-result", "toolCallId": call["toolCallId"], "toolName": name,
                      "output": {"type": "error-json", "value": value}}


def takes_marker(dialect, part, role):
    """True if a marker that another part loses may go there."""
    if dialect == "fantasy":
        data = part.get("data")
        options = data.get("provider_options") if isinstance(data, dict) else None
        room = not isinstance(options, dict) or options.get("anthropic") is None
        if part["type"] == "text":
            return room and not model.blank(string(data.get("text")))
        client = isinstance(data, dict) and data.get("provider_executed") is not True
        return room and (part["type"] == "file" or part["type"] in ("tool-call", "tool-result") and client)
    if part["type"] == "text":
        return not model.blank(string(part.get("text")))
    return part["type"] in ("file", "image", "tool-call", "tool-result")


def marker(dialect, part):
    if dialect == "fantasy":
        found = model.member(part, "data", "provider_options", "anthropic")
        return found if model.member(found, "type") == "anthropic.cache_control_options" else None
    return model.member(part, "providerOptions", "anthropic", "cacheControl")


def marked(dialect, part, value):
    part = json.loads(json.dumps(part))
    if dialect == "fantasy":
        part["data"]["provider_options"] = {**(part["data"].get("provider_options") or {}), "anthropic": value}
    else:
        options = part.get("providerOptions") or {}
        part["providerOptions"] = {**options, "anthropic": {**(options.get("anthropic") or {}), "cacheControl": value}}
    return part
