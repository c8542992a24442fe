# SPDX-License-Identifier: Apache-2.0
"""Conversations of Chat Completions, and everything that can be wrong with one."""
import copy
import json

IDS = ["call_1", "call_2", "c", "aB3dE6gH9", "aaaaaaaa1", "x" * 40, "x" * 41, "call_1_2"]
NAMES = ["f", "get_weather", "a.b", "", "n" * 64, "n" * 65, "g h", "\u00e9"]
ARGUMENTS = ["{}", '{"x": 1}', "", " ", '{"cut', "[1]", "null", '{"a": "\\ud83d\\ude00"}', {"x": 1.50}, None,
             [1, {"y": "z"}], 5, '{"x": NaN}', "{} ", "{}{}"]
GOOD = "data:image/png;base64,iVBORw0KGgo="
URLS = ["https://e.x/i.png", GOOD, "data:image/png;base64,AAAA", "data:image/png;base64,%%%", "data:image/png,x",
        "data:image/webp;base64,UklGRgAAAABXRUJQ"]
PART_TYPES = ["text", "image_url", "input_audio", "file", "refusal", "input_text", "output_text", "summary_text",
              "input_image", "tool_use", "tool_result", "thinking", "redacted_thinking", "new_type"]
ROLES = ["system", "assistant", "user", "function", "tool", "developer", "model", "bot"]
MEMBERS = {"name": ["ann", "Ann Lee", "", "a|b", "x\u00a0y"], "refusal": [None, "no", ""],
           "audio": [None, {"id": "au_1"}], "annotations": [[]], "x": [1], "reasoning_content": ["hm", "", None],
           "reasoning": ["hm"],
           "reasoning_details": [[{"type": "x"}]], "prefix": [True, False], "function_call": [None],
           "tool_calls": [None, []]}


def part(rng, words, kind=None):
    """A part of a type, complete as its API writes it."""
    kind = kind or rng.choice(PART_TYPES)
    said = {"image_url": lambda: {"image_url": {"url": rng.choice(URLS), "detail": "low"}},
            "input_image": lambda: {"image_url": rng.choice(URLS)},
            "input_audio": lambda: {"input_audio": {"data": "eA==", "format": "mp3"}},
            "file": lambda: {"file": {"file_id": "file_1"}}, "refusal": lambda: {"refusal": words()},
            "tool_use": lambda: {"name": "f", "input": {}}, "tool_result": lambda: {"content": words()},
            "thinking": lambda: {"thinking": words()}, "redacted_thinking": lambda: {"data": "eA=="}}
    return {"type": kind, **said.get(kind, lambda: {"text": words()})()}


def text(rng, words):
    return words() if rng.random() < 0.7 else [part(rng, words, "text") for _ in range(rng.choice([1, 2]))]


def call(rng, words, number):
    ident = rng.choice(IDS) if rng.random() < 0.2 else "call%05d" % number
    if rng.random() < 0.15:
        return {"id": ident, "type": "custom", "custom": {"name": "patch", "input": words()}}
    arguments = json.dumps({"q": words()}) if rng.random() < 0.6 else "{}"
    return {"id": ident, "type": "function", "function": {"name": rng.choice(["f", "g"]), "arguments": arguments}}


def model_turn(rng, words):
    """An assistant message, and the results of its calls."""
    if rng.random() < 0.45:
        return [{"role": "assistant", "content": text(rng, words)}]
    calls = [call(rng, words, rng.randrange(100000)) for _ in range(rng.choice([1, 1, 2, 3]))]
    if len({c["id"] for c in calls}) < len(calls) and rng.random() < 0.8:
        calls = calls[:1]
    message = {"role": "assistant", "content": rng.choice([None, None, "", words()]), "tool_calls": calls}
    if rng.random() < 0.3:
        message["reasoning_content"] = words()
    results = [{"role": "tool", "tool_call_id": c["id"], "content": text(rng, words)} for c in calls]
    rng.shuffle(results)
    return [message] + results


def conversation(rng, words):
    messages = []
    if rng.random() < 0.4:
        messages.append({"role": rng.choice(["system", "system", "developer"]), "content": words()})
    for _ in range(rng.choice([1, 1, 2, 3])):
        messages.append({"role": "user", "content": text(rng, words)})
        if rng.random() < 0.15:
            messages[-1]["content"] = [part(rng, words, kind) for kind in ("text", rng.choice(PART_TYPES[:4]))]
        for _ in range(rng.choice([1, 1, 2])):
            messages += model_turn(rng, words)
    if rng.random() < 0.6:
        messages.append({"role": "user", "content": words()})
    return messages


def body(rng):
    found = {}
    if rng.random() < 0.3:
        found["thinking"] = {"type": rng.choice(["disabled", "enabled"])}
    if rng.random() < 0.3:
        name = rng.choice(["t", "t" * 64, "t" * 65, "a.b", "get weather"])
        found["tools"] = [{"type": "function", "function": {"name": name}}] * rng.choice([1, 2, 128, 129])
    if rng.random() < 0.05:
        found["user"] = "\ud800"
    return found


# ---- faults: each changes the list in one place ----

def pick(rng, messages, *roles):
    """A message of one of the roles, of any without; None if there is none."""
    found = [m for m in messages if not roles or m.get("role") in roles]
    return rng.choice(found) if found else None


def pick_call(rng, messages):
    found = [c for m in messages for c in m.get("tool_calls") or [] if c]
    return rng.choice(found) if found else None


def wrong_role(rng, messages, words):
    message = pick(rng, messages)
    if message and rng.random() < 0.15:
        message.pop("role", None)
    elif message:
        message["role"] = rng.choice(ROLES)


def wrong_content(rng, messages, words):
    message = pick(rng, messages)
    if message and rng.random() < 0.15:
        message.pop("content", None)
    elif message:
        message["content"] = rng.choice([None, "", [], " ", {"type": "text", "text": words()}, {"x": words()}, 5, True,
                                         [{"type": "text", "text": ""}], [part(rng, words), part(rng, words)],
                                         [part(rng, words, "text")] * 2])


def wrong_part(rng, messages, words):
    message = pick(rng, messages)
    if message:
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"type": "text", "text": words()}]
        parts.insert(rng.randrange(len(parts) + 1), part(rng, words))
        message["content"] = parts


def wrong_call_id(rng, messages, words):
    found = pick_call(rng, messages)
    if found and rng.random() < 0.3:
        found.pop("id", None)
    elif found:
        found["id"] = rng.choice(IDS + [None, ""])


def same_ids(rng, messages, words):
    """Two calls of a message with one id, and perhaps their results."""
    found = [m for m in messages if len(m.get("tool_calls") or []) > 1 and all(m["tool_calls"])]
    if not found:
        return
    calls = rng.choice(found)["tool_calls"]
    old, new = calls[-1].get("id"), calls[0].get("id")
    calls[-1]["id"] = new
    if rng.random() < 0.3:
        calls[-1].clear()
        calls[-1].update(copy.deepcopy(calls[0]))
    for message in messages if rng.random() < 0.6 else []:
        if message.get("tool_call_id") == old and old is not None:
            message["tool_call_id"] = new


def wrong_result_id(rng, messages, words):
    message = pick(rng, messages, "tool")
    if message and rng.random() < 0.3:
        message.pop("tool_call_id", None)
    elif message:
        message["tool_call_id"] = rng.choice(IDS + [None, "", "zz"])


def wrong_function(rng, messages, words):
    found = pick_call(rng, messages)
    if not found:
        return
    holder = found.get("function") or found.get("custom")
    if not isinstance(holder, dict):
        return
    choice = rng.random()
    if choice < 0.4:
        holder["name"] = rng.choice(NAMES)
    elif choice < 0.85:
        holder["arguments" if "function" in found else "input"] = rng.choice(ARGUMENTS)
    elif choice < 0.9:
        holder.pop("name", None)
    elif choice < 0.95:
        holder.pop("arguments", None)
    else:
        found.pop("type", None)


def drop(rng, messages, words):
    if messages:
        messages.pop(rng.randrange(len(messages)))


def drop_result(rng, messages, words):
    found = [n for n, m in enumerate(messages) if m.get("role") == "tool"]
    if found:
        messages.pop(rng.choice(found))


def double(rng, messages, words):
    if messages:
        n = rng.randrange(len(messages))
        messages.insert(rng.choice([n + 1, rng.randrange(len(messages) + 1)]), copy.deepcopy(messages[n]))


def second_answer(rng, messages, words):
    found = [n for n, m in enumerate(messages) if m.get("role") == "tool"]
    if found:
        n = rng.choice(found)
        messages.insert(n + 1, dict(messages[n], content=text(rng, words)))


def move(rng, messages, words):
    if messages:
        message = messages.pop(rng.randrange(len(messages)))
        messages.insert(rng.randrange(len(messages) + 1), message)


def stranger(rng, messages, words):
    new = rng.choice([
        {"role": "tool", "tool_call_id": rng.choice(IDS + ["zz"]), "content": text(rng, words)},
        {"role": "tool", "content": words()},
        {"role": "tool", "tool_call_id": "zz", "content": rng.choice(["", " ", []])},
        {"role": "assistant", "content": rng.choice([None, "", words()])}, {"role": "user", "content": words()},
        {"role": "system", "content": words()}, {"role": "developer", "content": text(rng, words)},
        {"role": "function", "name": "f", "content": words()}])
    messages.insert(rng.randrange(len(messages) + 1), new)


def other_member(rng, messages, words):
    message = pick(rng, messages)
    if message:
        name = rng.choice(sorted(MEMBERS))
        if name != "tool_calls" or not message.get(name):
            message[name] = copy.deepcopy(rng.choice(MEMBERS[name]))


def lone_surrogate(rng, messages, words):
    lone = words() + rng.choice(["\ud800", "\udfff", "\ud800x", "\udfff\ud800"])
    message, found = pick(rng, messages), pick_call(rng, messages)
    if found and rng.random() < 0.4:
        holder = found.get("function") or found.get("custom")
        if isinstance(holder, dict):
            holder["arguments" if "function" in found else "input"] = lone
    elif message and rng.random() < 0.2:
        message["name"] = "ann" + lone[-1]
    elif message and isinstance(message.get("content"), list) and message["content"]:
        message["content"][rng.randrange(len(message["content"]))] = {"type": "text", "text": lone}
    elif message:
        message["content"] = lone


def hole(rng, messages, words):
    """A null among the calls, as a stream's assembler leaves it."""
    message = pick(rng, messages, "assistant")
    if message and isinstance(message.get("tool_calls"), list):
        message["tool_calls"].insert(rng.randrange(len(message["tool_calls"]) + 1), None)


def fill_holes(messages):
    """Takes out the holes of messages that became another role's: there a null is no call at all."""
    for message in messages:
        calls = message.get("tool_calls")
        if isinstance(calls, list) and message.get("role") not in ("assistant", "model"):
            message["tool_calls"] = [c for c in calls if c is not None]


def many_calls(rng, messages, words):
    message = pick(rng, messages, "assistant")
    if message and rng.random() < 0.1:
        message["tool_calls"] = [call(rng, words, n) for n in range(rng.choice([128, 129]))]


FAULTS = [wrong_role, wrong_content, wrong_part, wrong_part, wrong_call_id, same_ids, wrong_result_id, wrong_function,
          wrong_function, drop, drop_result, double, second_answer, move, move, stranger, stranger, other_member,
          lone_surrogate, many_calls, hole]
