# SPDX-License-Identifier: Apache-2.0
"""The shape of blocks, calls and results, and media (CATALOGUE 3.3, 3.6, 3.7, 5.4), once more and without the daemon.

Written from the text of the rules, to be slow and plain, like model.py.
"""
import base64
import json
import os
import re

OFFENDERS = {"index": None, "partial_json": None, "parsed": None, "text": "tool_use",
             "name": "tool_result", "id": "text"}
IN_RESULTS = ["text", "image", "document", "search_result", "tool_reference", "browser_state"]
IMAGES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
MANY = 20


def block_table():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "catalogue", "catalogue.json")
    with open(path, encoding="utf-8") as f:
        return {row["type"]: row for row in json.load(f)["block_types"] if row["where"] == "content"}


TABLE = block_table()


def kind_of(block):
    """The type of a block of a result; None of what is no block, "" of one without type."""
    if not isinstance(block, dict):
        return None
    return block["type"] if isinstance(block.get("type"), str) else ""


# ---- blocks ----

GOES_WHOLE = {"field_required", "search_result_in_assistant"}  # unless the block is foreign
LEAVES_RESULT = {"tool_result_error_non_text", "tool_result_search_result_mixed",
                 "tool_result_tool_reference_mixed"}  # blocks leave the result, for its user turn


def is_foreign(value):
    """True if a block has a member that its row doesn't have: no edit removes it (RULES.md 8)."""
    row = TABLE[value["type"]]
    known = {"type", *row["required"], *row["optional"]}
    return any(v is not None and key not in known for key, v in value.items())


def block_faults(value, role):
    kind = kind_of(value)
    row = TABLE.get(kind)
    if row is None:
        if not kind.endswith(("_tool_use", "_tool_result")):
            yield "unknown_block_type", "warning"
        return
    if row["kind"] in ("media", "other") and any(key not in value for key in row["required"]):
        yield "field_required", "error"
    foreign = set(value) - {"type", *row["required"], *row["optional"]}
    if kind in ("thinking", "redacted_thinking"):
        foreign.discard("cache_control")
    if foreign:
        bad = any(key in OFFENDERS and OFFENDERS[key] in (None, kind) for key in foreign)
        yield "extra_inputs", "error" if bad else "warning"
    if kind == "mid_conv_system":
        yield "mid_conv_system_block", "warning"
    if kind == "search_result" and role == "assistant":
        yield "search_result_in_assistant", "error"


# ---- calls and results ----

def call_faults(value):
    name = value.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= 200:
        yield "tool_use_name_invalid", "error"
    if not isinstance(value.get("input"), dict):
        yield "tool_use_input_not_object", "error"


def named_toolset(value):
    name = value.get("toolset_name")
    return name if isinstance(name, str) else None


def result_faults(value, call):
    content = value.get("content")
    if content is not None and not isinstance(content, (str, list)):
        yield "tool_result_content_type", "error"
    if content == []:
        yield "tool_result_content_empty_list", "warning"
    kinds = [kind_of(b) for b in content] if isinstance(content, list) else []
    blocks = [k for k in kinds if k is not None]
    if any(k not in IN_RESULTS for k in kinds):
        yield "tool_result_block_type", "warning"
    if value.get("is_error") is True and any(k in IN_RESULTS[1:] for k in kinds):
        yield "tool_result_error_non_text", "error"
    for alone, code in (("search_result", "tool_result_search_result_mixed"),
                        ("tool_reference", "tool_result_tool_reference_mixed")):
        if alone in blocks and any(k != alone for k in blocks):
            yield code, "error"
    if call is not None:
        yield from answer_faults(value, call, kinds)


def answer_faults(value, call, kinds):
    toolset = named_toolset(call)
    if toolset != named_toolset(value):
        yield "toolset_name_mismatch", "error"
    if toolset is not None and (any(k not in ("text", "image", "browser_state") for k in kinds)
                                or kinds.count("browser_state") > 1):
        yield "toolset_result_content", "error"
    caller = call.get("caller")
    by = caller.get("type") if isinstance(caller, dict) else None
    if isinstance(by, str) and by.startswith("code_execution") and any(k != "text" for k in kinds):
        yield "ptc_result_non_text", "error"


# ---- media ----

def source_of(block):
    source = block.get("source")
    return source if isinstance(source, dict) and source.get("type") == "base64" else None


def is_base64(data):
    return re.fullmatch(r"(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?", data, re.A) is not None and "_" not in data


def head_of(data):
    """Returns the bytes before the first character that isn't base64."""
    good = 0
    while good + 4 <= len(data) and is_base64(data[good:good + 4]):
        good += 4
    return base64.b64decode(data[:good]) if good else b""


def shown(head):
    return next((t for t, signature in IMAGES.items() if head.startswith(signature)), None)


def largest_side(head):
    """Reads a PNG; unit tests cover the other kinds."""
    if shown(head) != "image/png" or len(head) < 24 or head[12:16] != b"IHDR":
        return 0
    return max(int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big"))


def image_faults(block, many):
    source = source_of(block)
    if source is None:
        return
    data = source.get("data")
    data = data if isinstance(data, str) else ""
    head, declared = head_of(data), source.get("media_type")
    if declared in ("image/png", "image/jpeg", "image/gif", "image/webp"):
        if shown(head) is None or not is_base64(data):
            yield "image_unprocessable", "warning"
        if shown(head) not in (None, declared):
            yield "image_media_type_mismatch", "error"
    elif "media_type" in source:
        yield "image_media_type_unsupported", "error"
    if largest_side(head) > 8000:
        yield "image_dimensions", "error"
    elif largest_side(head) > 2000 and many:
        yield "image_many_dimensions", "error"


def document_faults(block):
    source = source_of(block)
    if source is None or source.get("media_type") != "application/pdf":
        return
    data = source.get("data")
    if not isinstance(data, str) or not is_base64(data) or not base64.b64decode(data).startswith(b"%PDF-"):
        yield "pdf_invalid", "warning"


def media_of(value):
    """The part itself, or what a client's result holds."""
    if kind_of(value) != "tool_result":
        return [value]
    content = value.get("content")
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def media_faults(value, many):
    found = set()
    for block in media_of(value):
        if kind_of(block) == "image":
            found |= set(image_faults(block, many))
        elif kind_of(block) == "document":
            found |= set(document_faults(block))
    return found


# ---- all of it ----

def judge_shapes(judge, messages, raw, calls):
    """calls: of a client's result that answers one, that call's value, by place."""
    values = [(m, i, v) for m, message in zip(messages, raw)
              for i, v in enumerate(message["content"] if isinstance(message.get("content"), list) else [])]
    images = sum(kind_of(b) == "image" for _, _, v in values for b in media_of(v))
    for m, i, v in values:
        faults = list(block_faults(v, m.role)) + sorted(media_faults(v, images > MANY))
        if kind_of(v) == "tool_use":
            faults += call_faults(v)
        elif kind_of(v) == "tool_result":
            faults += result_faults(v, calls.get((m.index, i)))
        judge.found += [fault + (m.index, i) for fault in faults]
