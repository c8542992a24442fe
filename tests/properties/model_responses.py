# SPDX-License-Identifier: Apache-2.0
"""A model of CATALOGUE.md 4.1: the rules of Responses, from their text."""
import re

import model_items as table
import model_openai as base
from model_item_pairs import Pairs

NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
LONGEST_ID = 64
LONGEST_NAME = 128
INPUTS = ("input_text", "input_image", "input_file", "input_audio")
TYPES = {"assistant": ("output_text", "refusal"), "user": INPUTS, "system": INPUTS, "developer": INPUTS}
KNOWN_TYPES = {"text", "summary_text", "image_url", *INPUTS, *TYPES["assistant"]}
FINISHED = ("completed", "failed")
TEXTUAL = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")


def is_message(item):
    return table.kind(item) == table.MESSAGE


def parts_of(item):
    """For lone surrogates: the parts of a message, and what is left of the item."""
    parts = base.content_parts(item) if is_message(item) else []
    rest = dict(item)
    if parts:
        del rest["content"]
    return parts, rest


def is_set(value):
    return value is not None and value != ""


def judge(subject):
    given = subject.list
    items = given if isinstance(given, list) else []
    previous, conversation = (is_set(subject.member(word)) for word in ("previous_response_id", "conversation"))
    base.lone_surrogates(subject, parts_of)
    if subject.body is not None and not given and not previous and not conversation and not (
            is_set(subject.member("prompt"))):
        subject.blame("resp_input_empty")
    if previous and conversation:
        subject.blame("resp_previous_with_conversation")
    base.tool_limits(subject, "resp_tool_limits", lambda tool: tool.get("name"), LONGEST_NAME)
    for n, item in enumerate(items):
        judge_shape(subject, n, item)
        if is_message(item):
            judge_message(subject, n, item)
        judge_tool(subject, n, item)
        judge_lengths(subject, n, item)
    judge_stored(subject, items, previous)
    judge_pairs(subject, items, Pairs(items, previous or conversation))
    judge_reasoning(subject, items)
    if not subject.turn:
        judge_approvals(subject, items, previous or conversation)


def judge_shape(subject, n, item):
    kind = table.kind(item)
    if kind is None or kind in table.FOREIGN:
        subject.blame("resp_item_type_unknown", n)
    if kind in TEXTUAL and item.get("output") is not None and not isinstance(item["output"], (str, list)):
        subject.blame("resp_item_field_type", n)
    for member in table.REQUIRED.get(kind, ()):
        if item.get(member) is None or member in ("call_id", "id", "approval_request_id") and item[member] == "":
            subject.blame("resp_missing_item_field", n)
    known = table.known_members(item)
    if known is None or not subject.openai or is_message(item) and item.get("role") not in table.ROLES:
        return
    offenders = ("created_by", *table.OFFENDERS.get(kind, ()))
    if any(member in item for member in offenders):
        subject.blame("resp_unknown_item_field", n)
    elif set(item) - known:
        subject.blame("resp_unknown_item_field", n, severity="warning")


def judge_message(subject, n, item):
    role, content = item.get("role"), item.get("content")
    known = role in table.ROLES
    if not known:
        subject.blame("resp_role_unknown", n)
    if role == "developer" and subject.compatible:
        subject.blame("resp_developer_role", n)
    if not isinstance(content, (str, list)):
        subject.blame("resp_item_field_type", n)
    for k, part in enumerate(content) if isinstance(content, list) else []:
        kind = part.get("type")
        if known and kind in KNOWN_TYPES and kind not in TYPES[role]:
            subject.blame("resp_content_part_type", n, k)
        if known and subject.openai and ("parsed" in part or "cache_control" in part):
            subject.blame("resp_unknown_item_field", n, k)
        if kind == "input_image" and base.is_bad_image(part.get("image_url")):
            subject.blame("resp_image_invalid", n, k)


def judge_tool(subject, n, item):
    kind = table.kind(item)
    if kind in ("function_call", "custom_tool_call"):
        said = item.get("arguments" if kind == "function_call" else "input")
        if said is not None and not isinstance(said, str):
            subject.blame("resp_arguments_not_string", n)
        elif kind == "function_call" and said is not None and subject.compatible and not base.is_object_text(said):
            subject.blame("resp_arguments_invalid_json", n)
        name = item.get("name")
        if subject.openai and name is not None and not (isinstance(name, str) and NAME.fullmatch(name)):
            subject.blame("resp_tool_name_in_history", n)
    output = item.get("output")
    with_parts = table.is_output(item) and kind not in ("shell_call_output", "tool_search_output")
    if with_parts and isinstance(output, list) and any(
            isinstance(part, dict) and part.get("type") == "input_image" and base.is_bad_image(part.get("image_url"))
            for part in output):
        subject.blame("resp_image_invalid", n)
    status = item.get("status")
    if kind in table.SERVERS and isinstance(status, str) and status not in FINISHED:
        subject.blame("resp_hosted_call_unfinished", n)


def judge_lengths(subject, n, item):
    if not subject.openai:
        return
    ids = [item.get("id")]
    if table.is_call(item) or table.is_output(item):
        ids.append(item.get("call_id"))
    if any(isinstance(i, str) and len(i) > LONGEST_ID for i in ids):
        subject.blame("resp_id_too_long", n)
    prefix = table.PREFIX.get(table.kind(item))
    own = item.get("id")
    if prefix and own is not None and not (isinstance(own, str) and own.startswith(prefix)):
        subject.blame("resp_item_id_prefix", n)


def judge_stored(subject, items, previous):
    """Judges items that the server looks up by their id."""
    seen = set()
    for n, item in enumerate(items):
        kind, own = table.kind(item), table.own_id(item)
        sealed = item.get("encrypted_content") if kind == "reasoning" else None
        if isinstance(sealed, str) and subject.openai and any(c in base.WHITE_SPACE for c in sealed):
            subject.blame("resp_encrypted_content_foreign", n)
        if subject.openai and subject.member("store") is False and (
                kind == table.REFERENCE or kind == "reasoning" and own and not sealed):
            subject.blame("resp_item_not_persisted", n)
        if previous and own and table.is_models(item):
            subject.blame("resp_previous_and_resend", n)
            continue
        if own in seen:
            subject.blame("resp_duplicate_item_id", n, severity="warning" if subject.compatible else None)
        if own:
            seen.add(own)


def judge_pairs(subject, items, pairs):
    for n in pairs.repeated:
        subject.blame("resp_call_id_duplicate", n)
    if subject.turn:
        return
    for code, n in pairs.wrong:
        subject.blame(code, n)
    for n in pairs.unanswered():
        subject.blame("resp_call_without_output", n)
    for n in pairs.apart() if subject.compatible and subject.named(base.DEEPSEEK) else []:
        subject.blame("resp_deepseek_interleaved", n)


def judge_reasoning(subject, items):
    for n, item in enumerate(items):
        if table.kind(item) != "reasoning" or not table.own_id(item) or not subject.openai:
            continue
        after = [other for other in items[n + 1:] if table.kind(other) != "reasoning"]
        if subject.turn and not after:
            continue
        sealed = isinstance(item.get("encrypted_content"), str) and item["encrypted_content"] != ""
        severity = "warning" if sealed else None
        if after and table.is_models(after[0]):
            if table.kind(after[0]) not in table.FREE or table.own_id(after[0]) or (
                    sealed and subject.member("store") is False):
                continue
            severity = "warning" if subject.endpoint == "azure" or sealed and subject.body is None else None
        subject.blame("resp_reasoning_without_next", n, severity=severity)


def judge_approvals(subject, items, server_state):
    requests, answered = set(), set()
    for n, item in enumerate(items):
        named = item.get("approval_request_id")  # a missing one is resp_missing_item_field alone
        if table.kind(item) == "mcp_approval_request" and base.is_text(item.get("id")):
            requests.add(item["id"])
        elif table.kind(item) == "mcp_approval_response" and named in requests:
            answered.add(named)
        elif table.kind(item) == "mcp_approval_response" and named is not None and not server_state:
            subject.blame("resp_approval_unpaired", n)
    for n, item in enumerate(items):
        if table.kind(item) == "mcp_approval_request" and item.get("id") in requests - answered and any(
                not table.is_models(other) for other in items[n + 1:]):
            subject.blame("resp_approval_unpaired", n)
