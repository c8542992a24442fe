# SPDX-License-Identifier: Apache-2.0
"""RULES.md section 8, once more and without the daemon: what a list looks like, and what members messages may have.

    mismatch("anthropic", messages) -> (looks_like, sign, pointer), or None
    extras(message, compatible) -> "error", "warning" or None

Written from the text of the rules, to be slow and plain, like model.py.
"""
BOOKKEEPING = set("""id model stop_reason stop_sequence stop_details usage container context_management parsed_output
    uuid name timestamp ts created_at createdAt updated_at updatedAt metadata response_metadata provider modelInfo
    metrics finish_reason session_id sessionId parentUuid requestId isMeta isSummary condenseId condenseParent
    truncationId truncationParent isTruncationMarker _id __v""".split())
WORDS = {"reasoning", "reasoning_content", "reasoning_details", "refusal", "annotations", "audio", "additional_kwargs"}
KNOWN = {"anthropic": {"output_config", "clear_at"}, "fantasy": {"provider_options"}, "ai-sdk": {"providerOptions"}}
EXTRA = "message_extra_inputs"
CUT = 256
LANGCHAIN = ["human", "ai", "system", "tool", "function", "chat", "developer", "remove"]
ITEMS = ["function_call", "function_call_output", "reasoning", "item_reference"]


def is_str(v):
    return isinstance(v, str)


def is_number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def without_nulls(v):
    return {k: x for k, x in v.items() if x is not None}


def objects(v):
    return [x for x in v if isinstance(x, dict)] if isinstance(v, list) else []


def ends(v, *tails):
    return is_str(v) and v.endswith(tails)


def sign(name, element):
    return "%s: %s" % (name, element[name]) if name in ("role", "type", "kind") else name


# ---- the rows: element conditions give a member's name, part conditions too; None: no sign ----

def row_claude_code(e):
    inner = e.get("message")
    return "message" if isinstance(inner, dict) and inner.get("role") is not None and any(
        is_str(e.get(k)) for k in ("uuid", "sessionId", "session_id")) else None


def row_langchain(e):
    if is_number(e.get("lc")) and isinstance(e.get("kwargs"), dict):
        return "lc"
    known = is_str(e.get("type")) and (e["type"] in LANGCHAIN or ends(e["type"], "MessageChunk"))
    inside = isinstance(e.get("data"), dict) or isinstance(e.get("additional_kwargs"), dict)
    return "type" if "role" not in e and known and inside else None


def row_pydantic_ai(e):
    return "kind" if "role" not in e and e.get("kind") in ("request", "response") and isinstance(
        e.get("parts"), list) else None


def row_sharegpt(e):
    return "from" if is_str(e.get("from")) and is_str(e.get("value")) else None


def row_llamaindex(e):
    return "blocks" if any(is_str(b.get("block_type")) for b in objects(e.get("blocks"))) else None


def row_chat(e):
    if isinstance(e.get("tool_calls"), list) and e["tool_calls"]:
        return "tool_calls"
    if isinstance(e.get("function_call"), dict):
        return "function_call"
    if e.get("role") == "tool" and is_str(e.get("tool_call_id")):
        return "tool_call_id"
    if e.get("role") == "function" and is_str(e.get("name")):
        return "role"
    return None


def row_responses(e):
    t = e.get("type")
    return "type" if "role" not in e and is_str(t) and (t in ITEMS or ends(t, "_call", "_call_output")) else None


def row_ui(e):
    if "content" in e and not is_str(e["content"]):
        return None
    if any(is_str(p.get("type")) for p in objects(e.get("parts"))):
        return "parts"
    return "toolInvocations" if isinstance(e.get("toolInvocations"), list) and e["toolInvocations"] else None


def row_gemini_parts(e):
    parts = e.get("parts")
    if is_str(parts) or (isinstance(parts, list) and parts and not any(is_str(p.get("type")) for p in objects(parts))):
        return "parts"
    return None


def row_gemini_role(e):
    return "role" if e.get("role") == "model" else None


def row_options(e):
    return "providerOptions" if isinstance(e.get("providerOptions"), dict) else None


def row_content(e):
    return "content" if isinstance(e.get("content"), (str, list)) and "parts" not in e else None


def typed(*types):
    return lambda p, raw: "type" if p.get("type") in types else None


def part_assistants(p, raw):
    text = p.get("text")
    return "text" if p.get("type") == "text" and isinstance(text, dict) and is_str(text.get("value")) else None


def part_bedrock(p, raw):
    if "type" in raw:
        return None
    for name in ("toolUse", "toolResult", "reasoningContent", "cachePoint"):
        if name in p:
            return name
    return "text" if set(p) == {"text"} else None


def part_ai_sdk_pair(p, raw):
    return "type" if p.get("type") in ("tool-call", "tool-result") and is_str(p.get("toolCallId")) else None


def part_image(p, raw):
    return "image" if p.get("type") == "image" and "image" in p else None


def part_options(p, raw):
    return row_options(p)


def part_fantasy(p, raw):
    return "data" if set(p) == {"type", "data"} and isinstance(p["data"], dict) else None


def part_anthropic(p, raw):
    t = p.get("type")
    return "type" if (ends(t, "tool_use") and is_str(p.get("id"))) or (
        ends(t, "tool_result") and is_str(p.get("tool_use_id"))) else None


def part_text(p, raw):
    return "text" if p.get("type") == "text" and is_str(p.get("text")) else None


OPENAI = {"openai-chat", "openai-responses"}
OTHERS = {"anthropic", "fantasy", "ai-sdk", "bedrock", "gemini"} | OPENAI
# looks_like, about an element, about a part, not asked in
ROWS = [
    ("claude-code", row_claude_code, None, set()), ("langchain", row_langchain, None, set()),
    ("pydantic-ai", row_pydantic_ai, None, set()), ("sharegpt", row_sharegpt, None, set()),
    ("llamaindex", row_llamaindex, None, set()), ("openai-chat", row_chat, None, OPENAI),
    ("openai-chat", None, typed("image_url", "input_audio"), OPENAI),
    ("openai-responses", row_responses, None, {"openai-responses"}),
    ("openai-responses", None, typed("input_text", "output_text", "input_image", "input_file"), OPENAI),
    ("openai-assistants", None, part_assistants, set()), ("ai-sdk-ui", row_ui, None, set()),
    ("gemini", row_gemini_parts, None, {"gemini"}), ("gemini", row_gemini_role, None, {"gemini", "bedrock"} | OPENAI),
    ("bedrock", None, part_bedrock, {"bedrock"}), ("ai-sdk", row_options, None, {"ai-sdk"}),
    ("ai-sdk", None, part_ai_sdk_pair, {"ai-sdk"}), ("ai-sdk", None, part_image, {"ai-sdk"}),
    ("ai-sdk", None, part_options, {"ai-sdk"}), ("fantasy", None, part_fantasy, {"fantasy"}),
    ("anthropic", None, part_anthropic, {"anthropic"} | OPENAI), (None, None, part_text, OTHERS - {"fantasy"}),
    (None, row_content, None, OTHERS - {"gemini"})]


def cut(text):
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= CUT:
        return text
    return raw[:CUT].decode("utf-8", "ignore") + "\u2026"


def sign_of_element(dialect, element, pointer):
    e = without_nulls(element)
    for looks_like, of_element, of_part, not_asked in ROWS:
        if dialect in not_asked:
            continue
        name = of_element(e) if of_element else None
        if name:
            return looks_like, cut(sign(name, e)), pointer
        content = e.get("content")
        for i, raw in enumerate(content if of_part and isinstance(content, list) else []):
            part = without_nulls(raw) if isinstance(raw, dict) else None
            name = of_part(part, raw) if part is not None else None
            if name:
                return looks_like, cut(sign(name, part)), "%s/content/%d" % (pointer, i)
    return None


def mismatch(dialect, messages, pointer="/params/messages"):
    for i, element in enumerate(messages):
        found = sign_of_element(dialect, element, "%s/%d" % (pointer, i))
        if found:
            return found
    if not messages or any(m.get("role") is not None for m in messages):
        return None
    names = sorted(messages[0], key=lambda k: k.encode("utf-8", "surrogatepass"))
    return None, cut(",".join(names)), pointer + "/0"


# ---- members ----

def is_empty(v):
    return v is None or (isinstance(v, (str, list, dict)) and len(v) == 0)


def is_bookkeeping(key, v):
    return key in BOOKKEEPING or (key == "type" and v == "message")


def unknown(dialect, message):
    return {k: v for k, v in message.items() if k not in {"role", "content"} | KNOWN[dialect]}


def is_bare(dialect, message):
    return all(is_empty(v) or is_bookkeeping(k, v) for k, v in unknown(dialect, message).items())


def extras(message, compatible=False):
    """The severity of message_extra_inputs."""
    members = unknown("anthropic", message)
    if any(is_empty(v) or is_bookkeeping(k, v) or k in WORDS for k, v in members.items()):
        return "error"
    return ("warning" if compatible else "error") if members else None


def extras_found(messages, compatible):
    for i, message in enumerate(messages):
        if extras(message, compatible):
            yield EXTRA, extras(message, compatible), i, None
