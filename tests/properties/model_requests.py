# SPDX-License-Identifier: Apache-2.0
"""Rules about parts that need the whole request: its tools, its container, its own cache marker (CATALOGUE 3.8, 3.9).

The drawn requests have functions as tools, and no server or container.
"""
PENDING, NEEDS_CONTAINER = "server_tool_pending_tool_missing", "container_required"
UNKNOWN_REFERENCE, AUTO = "tool_reference_unknown", "cache_auto_conflict"
RUN_CODE = {"code_execution", "bash_code_execution", "text_editor_code_execution"}


def made_by_code(part):
    return isinstance(part.caller, dict) and part.caller.get("type") != "direct"


def references(value):
    """The names in what a result holds."""
    content = value.get("content")
    if value.get("type") == "tool_search_tool_result":
        content = content.get("tool_references") if isinstance(content, dict) else None
    elif value.get("type") != "tool_result":
        return []
    blocks = [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    return [b["tool_name"] for b in blocks
            if b.get("type") == "tool_reference" and isinstance(b.get("tool_name"), str)]


def judge_request(judge, read_messages, messages, body, listed):
    """listed(call): whether its tool is one of CATALOGUE 5.1."""
    tools = {tool["name"] for tool in body.get("tools") or []}
    parts = [p for m in read_messages for p in m.parts]
    answers = {p.at[0] for m in read_messages if m.role == "assistant" for p in m.parts}
    open_calls = [g.of("call")[0] for g in judge.open if g.parts]
    running = {p.id for p in open_calls if listed(p) and not p.mcp and p.name in RUN_CODE}
    judge.blame([p for p in open_calls if listed(p) and p.id not in running and not made_by_code(p)
                 and (p.mcp or p.name not in tools)], PENDING)
    judge.blame([p for p in parts if p.kind == "call" and not p.provider and made_by_code(p)
                 and p.at[0] in answers and p.caller.get("tool_id") in running], NEEDS_CONTAINER)
    judge.blame([p for p in parts if p.kind == "result" and set(references(p.value)) - tools], UNKNOWN_REFERENCE)
    judge_marker(judge, messages, body.get("cache_control"))


def lifetime(marker):
    return marker.get("ttl") or "5m"


def judge_marker(judge, messages, own):
    """The request's own marker marks the last block."""
    filled = [i for i, m in enumerate(messages) if m.get("content")]
    if own is None or not filled or not isinstance(messages[filled[-1]]["content"], list):
        return
    last = messages[filled[-1]]["content"]
    marker = last[-1].get("cache_control")
    if marker is not None and lifetime(marker) != lifetime(own):
        judge.found.append((AUTO, "error", filled[-1], len(last) - 1))
