# SPDX-License-Identifier: Apache-2.0
"""A model of CATALOGUE.md 4.2: the rules of Chat Completions, from their text."""
import re

import model_openai as base
from model_chat_pairs import Call, Pairs

ROLES = ("system", "assistant", "user", "function", "tool", "developer")
TYPES = {
    "user": ("text", "image_url", "input_audio", "file"),
    "assistant": ("text", "refusal"),
    "tool": ("text", "image_url"),
    "system": ("text",),
    "developer": ("text",),
}
KNOWN_TYPES = {kind for kinds in TYPES.values() for kind in kinds} | {
    "input_text", "output_text", "summary_text", "input_image", "image", "tool_use", "tool_result", "thinking",
    "redacted_thinking"}
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
MISTRALS_ID = re.compile(r"[a-zA-Z0-9]{9}")
STRICT = {"role", "content", "name", "tool_calls", "tool_call_id", "function_call"}
LEFT = {"status", "id", "model", "usage", "timestamp", "created_at", "metadata", "reasoning", "reasoning_content",
        "reasoning_details", "refusal", "annotations", "audio", "additional_kwargs"}
LONGEST_ID = 40
LONGEST_NAME = 64


def role(message):
    return message.get("role") if isinstance(message.get("role"), str) else None


def raw_calls(message):
    calls = message.get("tool_calls")
    return calls if role(message) == "assistant" and isinstance(calls, list) else []


def calls_of(n, message):
    """The calls of a message, numbered after its content parts."""
    seen, calls = set(), []
    for k, value in enumerate(raw_calls(message), len(base.content_parts(message))):
        if value is None:
            continue
        call = Call(n, k, value, value.get("id") not in seen if base.is_text(value.get("id")) else True)
        seen.add(call.id)
        calls.append(call)
    return calls


def spoken(call):
    """(kind, the object with the name) of a call."""
    custom = call.get("type") == "custom" or "function" not in call and "custom" in call
    body = call.get("custom" if custom else "function")
    return ("custom" if custom else "function"), body if isinstance(body, dict) else {}


def parts_of(message):
    """For lone surrogates: content parts and calls, and what is left of the message."""
    parts = base.content_parts(message)
    calls = list(enumerate(raw_calls(message), len(parts)))
    rest = dict(message)
    if parts:
        rest.pop("content", None)
    if calls:
        rest.pop("tool_calls", None)
    return parts + calls, rest


def is_silent(message):
    """No content that says anything."""
    content = message.get("content")
    if isinstance(content, list):
        return all(part.get("type") == "text" and part.get("text") == "" for part in content)
    return content is None or content == ""


def judge(subject):
    messages = subject.list
    base.lone_surrogates(subject, parts_of)
    if not messages and not subject.turn:
        subject.blame("chat_messages_empty")
    base.tool_limits(subject, "chat_tool_limits", lambda tool: (tool.get("function") or {}).get("name")
                     if isinstance(tool.get("function") or {}, dict) else None, LONGEST_NAME)
    judge_tool_names(subject)
    for n, message in enumerate(messages):
        judge_message(subject, n, message)
        for k, part in base.content_parts(message):
            judge_part(subject, n, k, role(message), part)
        for call in calls_of(n, message):
            judge_call(subject, call)
    judge_pairs(subject, Pairs(messages, calls_of))
    if not subject.turn:
        judge_order(subject, messages)


def judge_tool_names(subject):
    for place, tool in enumerate(subject.member("tools") if isinstance(subject.member("tools"), list) else []):
        function = tool.get("function") if isinstance(tool, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if isinstance(name, str) and not re.fullmatch("[a-zA-Z0-9_-]+", name):
            subject.blame("chat_tool_name_pattern", severity="warning" if subject.compatible else None, place=place)


def judge_members(subject, n, message):
    """Members that a strict server doesn't know."""
    others = unknown_to_strict(message)
    if others:
        subject.blame("chat_unknown_message_field", n, severity="error" if left_over(others) else "warning")


def unknown_to_strict(message):
    """The members that a strict server doesn't take."""
    known = STRICT | ({"prefix"} if role(message) == "assistant" else set())
    return {name: value for name, value in message.items() if name not in known}


def left_over(members):
    """Names of those that are words of another API, bookkeeping or empty."""
    return [name for name, value in members.items() if value in (None, "", [], {}) and value is not False
            and value != 0 or name in LEFT or name == "type" and value == "message"]


def judge_message(subject, n, message):
    who, content = role(message), message.get("content")
    if who not in ROLES:
        subject.blame("chat_role_invalid", n)
    if who in ("system", "developer") and subject.openai and subject.model.startswith(base.OLD_O1):
        subject.blame("chat_role_unsupported", n)
    if who == "developer" and subject.compatible and subject.server != "openrouter":
        subject.blame("chat_developer_role", n, severity=None if subject.named(base.DEEPSEEK) else "warning")
    if subject.server in ("groq", "mistral"):
        judge_members(subject, n, message)
    if content is None and who != "assistant":
        subject.blame("chat_content_null", n)
    if content is not None and not isinstance(content, (str, list)):
        subject.blame("chat_content_type_invalid", n)
    if isinstance(content, list) and subject.compatible and subject.named(base.DEEPSEEK):
        texts = all(part.get("type") == "text" for part in content)
        subject.blame("chat_content_not_string", n, severity="warning" if texts else None)
    name = message.get("name")
    if subject.openai and isinstance(name, str) and (
            not name or any(c in base.WHITE_SPACE or c in "<|\\/>" for c in name)):
        subject.blame("chat_message_name", n)
    if who == "tool" and base.is_text(message.get("tool_call_id")):
        judge_id(subject, n, None, message["tool_call_id"])
    if who == "assistant":
        judge_assistant(subject, n, message)


def judge_assistant(subject, n, message):
    calls = [call for call in raw_calls(message) if call is not None]
    for k, call in enumerate(raw_calls(message), len(base.content_parts(message))):
        if call is None:
            subject.blame("chat_tool_call_null", n, k)
    if message.get("tool_calls") == []:
        subject.blame("chat_tool_calls_empty_array", n, severity="warning" if subject.compatible else None)
    if len(calls) > base.TOOLS and subject.openai:
        subject.blame("chat_tool_calls_too_many", n)
    if not calls and is_silent(message) and not subject.turn and not any(
            message.get(word) for word in ("refusal", "audio", "function_call")):
        subject.blame("chat_assistant_empty", n, severity="error" if subject.compatible else None)
    thinking = subject.member("thinking")
    reasons = [message.get(name) for name in ("reasoning_content", "reasoning", "reasoning_details")]
    if calls and subject.compatible and subject.named(base.REASONERS) and subject.server not in (
            "groq", "mistral", "openrouter", "xai") and not any(
            isinstance(value, str) or isinstance(value, list) and value for value in reasons) and not (
            isinstance(thinking, dict) and thinking.get("type") == "disabled"):
        subject.blame("chat_reasoning_content_required", n)


def judge_part(subject, n, k, who, part):
    kind = part.get("type")
    if subject.openai and who in TYPES and kind in KNOWN_TYPES and kind not in TYPES[who]:
        subject.blame("chat_content_part_type", n, k)
    if subject.openai and kind is None:
        subject.blame("chat_content_part_type", n, k)
    if kind == "image_url":
        image = part.get("image_url")
        if who == "tool" and subject.openai:
            subject.blame("chat_image_in_tool", n, k)
        url = image.get("url") if isinstance(image, dict) else None
        if base.is_bad_image(url):
            sure = subject.endpoint == "openai" and base.is_readable_image(url)
            subject.blame("chat_image_invalid", n, k, severity="error" if sure else "warning")


def judge_id(subject, n, k, value):
    if len(value) > LONGEST_ID and subject.openai:
        subject.blame("chat_tool_call_id_too_long", n, k)
    if subject.compatible and subject.named(base.MISTRAL) and not MISTRALS_ID.fullmatch(value):
        subject.blame("chat_tool_call_id_pattern", n, k)


def judge_call(subject, call):
    kind, body = spoken(call.value)
    at = (call.message, call.part)
    name, arguments = body.get("name"), body.get("arguments")
    if subject.openai and not (isinstance(name, str) and NAME.fullmatch(name)):
        subject.blame("chat_tool_name_in_history", *at)
    if kind == "function" and not isinstance(arguments, str):
        subject.blame("chat_arguments_not_string", *at)
    elif kind == "function" and subject.compatible and not base.is_object_text(arguments):
        subject.blame("chat_arguments_invalid_json", *at)
    if call.id is None:
        subject.blame("chat_tool_call_id_missing", *at)
    else:
        judge_id(subject, *at, call.id)


def judge_pairs(subject, pairs):
    mistral = subject.compatible and subject.named(base.MISTRAL)
    for n in pairs.by_position:
        if pairs.id(n) is None:
            subject.blame("chat_tool_call_id_missing", n)
    for n in pairs.repeated:
        subject.blame("chat_tool_call_id_duplicate", n)
    for n in pairs.strays if not subject.turn else []:
        subject.blame("chat_tool_without_call", n)
    for call in [call for calls in pairs.calls.values() for call in calls]:
        if call.repeats:
            subject.blame("chat_tool_call_id_duplicate", call.message, call.part)
        elif call.answer is None and not call.claimed and not subject.turn:
            code = "chat_call_count_mismatch" if mistral else "chat_tool_calls_unanswered"
            subject.blame(code, call.message, call.part)


def judge_order(subject, messages):
    """Rules about neighbours, and about the first and the last message."""
    if not subject.compatible:
        return
    mistral = subject.named(base.MISTRAL)
    for n, (before, message) in enumerate(zip(messages, messages[1:]), 1):
        pair = role(before), role(message)
        if pair[1] == "system":
            subject.blame("chat_system_not_first", n, severity="error" if subject.named(base.QWEN) else None)
        if (mistral or subject.named(base.GEMMA)) and (
                pair == ("user", "user") or pair == ("assistant", "assistant") and not calls_of(n - 1, before)):
            subject.blame("chat_roles_not_alternating", n)
        if mistral and pair == ("tool", "user"):
            taken = subject.server in ("mistral", "openrouter") or (
                subject.server is None and subject.model.endswith("-latest"))
            subject.blame("chat_user_after_tool", n, severity="warning" if taken else None)
    if mistral and messages and role(messages[-1]) == "assistant" and not calls_of(0, messages[-1]) and (
            messages[-1].get("prefix") is not True):
        subject.blame("chat_last_role_assistant", len(messages) - 1)
