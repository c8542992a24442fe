# SPDX-License-Identifier: Apache-2.0
"""Conversations of Responses, and everything that can be wrong with one."""
import copy
import json

import model_items as table
from chat_draws import ARGUMENTS, URLS, double, drop, move

CALL_IDS = ["call_1", "call_2", "c", "x" * 64, "x" * 65, "call_1_2"]
NAMES = ["f", "get", "a.b", "", "n" * 128, "n" * 129, "g h"]
ITEM_IDS = ["msg_1", "rs_1", "fc_1", "ctc_1", "ws_1", "toolu_1", "chatcmpl-1", "msg_" + "a" * 61, "rs_" + "b" * 62]
PART_TYPES = ["input_text", "output_text", "text", "summary_text", "refusal", "input_image", "input_file",
              "input_audio", "image_url", "new_type"]
FOREIGN = {
    "tool_use": {"id": "toolu_1", "name": "f", "input": {"x": 1}}, "tool_result": {"tool_use_id": "toolu_1"},
    "text": {}, "input_text": {}, "output_text": {}, "thinking": {}, "image_url": {"image_url": {"url": URLS[0]}},
    "input_image": {"image_url": URLS[0]}}
MEMBERS = {"created_by": ["x"], "status": ["completed", "in_progress", "incomplete", None], "parsed": [None, {}],
           "tool_call_id": ["call_1"], "parsed_arguments": [{}], "x": [1], "caller": [{"type": "direct"}],
           "namespace": ["n"], "phase": ["final"], "name": ["f"], "output": ["o"],
           "encrypted_content": ["gAAAAABo", "plain words", None],
           "tool_calls": [[], [{"id": "call_7", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
                          [{"id": "call_8", "type": "custom", "custom": {"name": "p", "input": "i"}}],
                          [{"y": 1}], None]}


def part(rng, words, kind=None):
    kind = kind or rng.choice(PART_TYPES)
    said = {"input_image": lambda: {"image_url": rng.choice(URLS)}, "input_file": lambda: {"file_id": "file_1"},
            "input_audio": lambda: {"input_audio": {"data": "eA==", "format": "mp3"}},
            "image_url": lambda: {"image_url": {"url": rng.choice(URLS)}}, "refusal": lambda: {"refusal": words()}}
    return {"type": kind, **said.get(kind, lambda: {"text": words()})()}


class Ids:
    """Item ids that look like the server's."""

    def __init__(self, rng):
        self.rng = rng

    def __call__(self, item, prefix):
        if self.rng.random() < 0.6 or prefix in ("lsh", "cu", "ws", "mcp", "fs", "ci", "mcpr"):
            item["id"] = "%s_%06d" % (prefix, self.rng.randrange(10 ** 6))
        return item


def says(rng, words, role):
    kind = "output_text" if role == "assistant" else "input_text"
    item = {"role": role, "content": words() if rng.random() < 0.5 else [part(rng, words, kind)]}
    return item if rng.random() < 0.5 else {"type": "message", **item}


def call(rng, words, ids, ident):
    """A call of any kind, and its output."""
    kind = rng.choice(["function", "function", "function", "custom", "shell", "patch", "local", "computer", "search"])
    at = {"call_id": ident}
    if kind == "function":
        arguments = json.dumps({"q": words()}) if rng.random() < 0.5 else "{}"
        said = rng.choice([words(), [part(rng, words, "input_text")]])
        return (ids({"type": "function_call", **at, "name": "f", "arguments": arguments}, "fc"),
                {"type": "function_call_output", **at, "output": said})
    if kind == "custom":
        return (ids({"type": "custom_tool_call", **at, "name": "p", "input": words()}, "ctc"),
                {"type": "custom_tool_call_output", **at, "output": words()})
    if kind == "shell":
        chunk = {"stdout": words(), "stderr": rng.choice(["", words()]), "outcome": rng.choice(
            [{"type": "exit", "exit_code": 2}, {"type": "timeout"}])}
        return (ids({"type": "shell_call", **at, "action": {"commands": ["ls"]}}, "sh"),
                {"type": "shell_call_output", **at, "output": [chunk]})
    if kind == "patch":
        return (ids({"type": "apply_patch_call", **at, "operation": {"type": "delete_file", "path": "x"},
                     "status": "completed"}, "ap"),
                {"type": "apply_patch_call_output", **at, "status": "completed", "output": words()})
    if kind == "local":
        output = {"type": rng.choice(table.FITTING["local_shell_call"]), **at, "output": words()}
        return ids({"type": "local_shell_call", **at, "action": {"type": "exec", "command": ["ls"]}}, "lsh"), output
    if kind == "computer":
        screen = {"type": "computer_screenshot", "image_url": URLS[1]}
        action = {"type": "screenshot"}
        return (ids({"type": "computer_call", **at, "action": action, "pending_safety_checks": []}, "cu"),
                {"type": "computer_call_output", **at, "output": screen})
    return (ids({"type": "tool_search_call", **at, "execution": "client", "arguments": {"q": "x"}}, "tsc"),
            {"type": "tool_search_output", **at, "execution": "client", "status": "completed",
             "tools": [{"type": "function", "name": "g"}]})


def reasoning(rng, words, ids):
    item = ids({"type": "reasoning", "summary": rng.choice([[], [{"type": "summary_text", "text": words()}]])}, "rs")
    if rng.random() < 0.5:
        item["encrypted_content"] = "gAAAAABo%06d" % rng.randrange(10 ** 6)
    return item


def served(rng, words, ids):
    """An item that the server executed."""
    kind, prefix, more = rng.choice([
        ("web_search_call", "ws", {"action": {"type": "search", "query": "x"}, "status": "completed"}),
        ("file_search_call", "fs", {"queries": ["x"], "results": [{"text": words()}], "status": "completed"}),
        ("code_interpreter_call", "ci", {"code": words(), "container_id": "c", "outputs": [
            {"type": "logs", "logs": words()}], "status": "completed"}),
        ("mcp_call", "mcp", {"name": "echo", "server_label": "s", "arguments": "{}", "output": words()}),
        ("image_generation_call", "ws", {"result": "eA==", "status": "completed"})])
    return ids({"type": kind, **more}, prefix)


def model_turn(rng, words, ids):
    items = []
    for _ in range(rng.choice([1, 1, 2])):
        if rng.random() < 0.5:
            items.append(reasoning(rng, words, ids))
        choice = rng.random()
        if choice < 0.5:
            pairs = []
            for _ in range(rng.choice([1, 1, 2, 3])):
                ident = rng.choice(CALL_IDS) if rng.random() < 0.1 else "call_%06d" % rng.randrange(10 ** 6)
                pairs.append(call(rng, words, ids, ident))
            outputs = [output for _, output in pairs]
            rng.shuffle(outputs)
            items += [made for made, _ in pairs] + outputs
        elif choice < 0.65:
            items.append(served(rng, words, ids))
            items.append(ids(says(rng, words, "assistant"), "msg"))
        elif choice < 0.7:
            asked = {"type": "mcp_approval_request", "name": "n", "server_label": "s", "arguments": "{}"}
            items.append(ids(asked, "mcpr"))
            items.append({"type": "mcp_approval_response", "approval_request_id": items[-1]["id"], "approve": True})
        else:
            items.append(ids(says(rng, words, "assistant"), "msg"))
    return items


def conversation(rng, words):
    items, ids = [], Ids(rng)
    if rng.random() < 0.3:
        items.append(says(rng, words, rng.choice(["system", "developer"])))
    for _ in range(rng.choice([1, 1, 2, 3])):
        items.append(says(rng, words, "user"))
        items += model_turn(rng, words, ids)
    if rng.random() < 0.5:
        items.append(says(rng, words, "user"))
    return items


def body(rng):
    found = {}
    chances = {"store": [True, False, False], "previous_response_id": ["resp_1", None, ""], "prompt": [{"id": "p"}],
               "conversation": ["conv_1", {"id": "conv_1"}, None]}
    for name, values in chances.items():
        if rng.random() < (0.4 if name == "store" else 0.12):
            found[name] = rng.choice(values)
    if rng.random() < 0.2:
        found["tools"] = [{"type": "function", "name": "t" * rng.choice([1, 128, 129])}] * rng.choice([1, 128, 129])
    if rng.random() < 0.03:
        found["instructions"] = "\ud800"
    return found


# ---- faults: each changes the list in one place ----

def pick(rng, items, wanted=lambda item: True):
    found = [item for item in items if wanted(item)]
    return rng.choice(found) if found else None


def wrong_role(rng, items, words):
    item = pick(rng, items, lambda i: "role" in i)
    if item:
        item["role"] = rng.choice(["assistant", "system", "developer", "user", "tool", "function", "model", "bot"])
        if rng.random() < 0.3:
            item["tool_call_id"] = rng.choice(CALL_IDS)


def wrong_type(rng, items, words):
    kind = rng.choice(sorted(FOREIGN) + [None, "future_call", "compaction_trigger", "additional_tools", "compaction"])
    item = {"content": words()} if kind is None else {"type": kind, **FOREIGN.get(kind, {})}
    if kind in ("text", "input_text", "output_text"):
        item["text"] = words()
    if kind == "thinking":
        item["thinking"] = words()
    if kind == "tool_result":
        item["content"] = rng.choice([words(), [{"type": "text", "text": words()}]])
        if rng.random() < 0.3:
            del item["tool_use_id"]
    if kind == "compaction":
        item["encrypted_content"] = "gAAA"
    items.insert(rng.randrange(len(items) + 1), item)


def wrong_content(rng, items, words):
    item = pick(rng, items, lambda i: "role" in i)
    if item and rng.random() < 0.15:
        item.pop("content", None)
    elif item:
        item["content"] = rng.choice([None, "", [], {"type": "input_text", "text": words()}, {"x": words()}, 5, True,
                                      [part(rng, words), part(rng, words)]])


def wrong_part(rng, items, words):
    item = pick(rng, items, lambda i: "role" in i)
    if item:
        parts = item.get("content")
        parts = parts if isinstance(parts, list) else []
        new = part(rng, words)
        if rng.random() < 0.2:
            new[rng.choice(["parsed", "cache_control", "annotations", "logprobs"])] = rng.choice([None, []])
        parts.insert(rng.randrange(len(parts) + 1), new)
        item["content"] = parts


def missing_member(rng, items, words):
    item = pick(rng, items, lambda i: table.REQUIRED.get(table.kind(i)))
    if item:
        name = rng.choice(table.REQUIRED[table.kind(item)])
        if rng.random() < 0.5:
            item.pop(name, None)
        else:
            item[name] = None if name != "call_id" or rng.random() < 0.5 else ""


def wrong_output(rng, items, words):
    item = pick(rng, items, lambda i: table.kind(i) in table.OUTPUTS)
    if item:
        item["output"] = rng.choice([{"ok": words()}, 5, True, "", " ", [], {"type": "input_text", "text": words()},
                                     [part(rng, words, "input_text"), part(rng, words, "input_image")]])


def wrong_arguments(rng, items, words):
    item = pick(rng, items, lambda i: table.kind(i) in ("function_call", "custom_tool_call"))
    if item and rng.random() < 0.6:
        item["arguments" if item["type"] == "function_call" else "input"] = copy.deepcopy(rng.choice(ARGUMENTS))
    elif item:
        item["name"] = rng.choice(NAMES)


def wrong_call_id(rng, items, words):
    item = pick(rng, items, lambda i: "call_id" in i)
    others = [i["call_id"] for i in items if i.get("call_id")]
    if item:
        item["call_id"] = rng.choice(CALL_IDS + others)


def wrong_item_id(rng, items, words):
    item = pick(rng, items, lambda i: i.get("type") != "local_shell_call_output")
    others = [i["id"] for i in items if i.get("id")]
    if item:
        item["id"] = rng.choice(ITEM_IDS + others + [None])


def without_call_id(rng, items, words):
    """A local shell call and its output that pair by their id."""
    found = [i for i in items if table.kind(i) in ("local_shell_call", "local_shell_call_output")]
    for item in found:
        ident = item.pop("call_id", None)
        if ident:
            item["id"] = ident


def other_type(rng, items, words):
    item = pick(rng, items, lambda i: table.kind(i) in ("function_call_output", "custom_tool_call_output"))
    if item:
        item["type"] = rng.choice(["function_call_output", "custom_tool_call_output", "shell_call_output"])


def second_output(rng, items, words):
    found = [n for n, i in enumerate(items) if table.kind(i) in table.OUTPUTS]
    if found:
        n = rng.choice(found)
        new = copy.deepcopy(items[n])
        if isinstance(new.get("output"), str) and rng.random() < 0.6:
            new["output"] = words()
        items.insert(rng.randrange(n + 1, len(items) + 1), new)


def stranger(rng, items, words):
    ids = [i["id"] for i in items if isinstance(i.get("id"), str)] + ["fc_9", "msg_9", "ctc_9", "rs_9"]
    at = {"call_id": rng.choice(CALL_IDS)}
    search = rng.choice([{}, {"execution": "server"}, {"execution": "client"}])
    new = rng.choice([
        {"type": "item_reference", "id": rng.choice(ids)}, {"id": rng.choice(ids)},
        {"type": "function_call_output", **at, "output": words()}, {"type": "reasoning", "id": "rs_7", "summary": []},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": words()}], "content": []},
        {"type": "function_call", **at, "name": "f", "arguments": "{}"}, {"role": "user", "content": words()},
        {"role": "assistant", "content": words()}, {"type": "tool_search_call", **search, "arguments": {}},
        {"type": "tool_search_output", **search, "tools": []}, served(rng, words, Ids(rng)),
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": False},
        {"type": "mcp_approval_request", "id": "mcpr_2", "name": "n", "server_label": "s", "arguments": "{}"},
        {"type": "local_shell_call", "id": "lsh_5", "action": {}},
        {"type": "local_shell_call_output", "id": "lsh_5", "output": words()}])
    items.insert(rng.randrange(len(items) + 1), new)


def other_member(rng, items, words):
    item = pick(rng, items)
    if item:
        name = rng.choice(sorted(MEMBERS))
        item[name] = copy.deepcopy(rng.choice(MEMBERS[name]))


def unfinished(rng, items, words):
    item = pick(rng, items, lambda i: table.kind(i) in table.SERVERS)
    if item:
        item["status"] = rng.choice(["in_progress", "searching", "interpreting", "generating", "calling", "failed",
                                     "completed", "incomplete"])


def lone_surrogate(rng, items, words):
    lone = words() + rng.choice(["\ud800", "\udfff", "\ud800x"])
    item = pick(rng, items, lambda i: table.kind(i) != "reasoning")  # what is protected keeps it
    if item and "role" in item:
        part = pick(rng, item["content"], lambda p: "text" in p) if isinstance(item.get("content"), list) else None
        if part:
            part["text"] = lone
        else:
            item["content"] = lone
    elif item:
        item[rng.choice(["arguments", "output", "summary", "x"])] = lone


def drop_output(rng, items, words):
    found = [n for n, i in enumerate(items) if table.kind(i) in table.OUTPUTS]
    if found:
        items.pop(rng.choice(found))


def doubled_turn(rng, items, words):
    if items:
        start = rng.randrange(len(items))
        stretch = copy.deepcopy(items[start:start + rng.choice([1, 2, 3])])
        items[start + len(stretch):start + len(stretch)] = stretch


FAULTS = [wrong_role, wrong_type, wrong_type, wrong_content, wrong_part, wrong_part, missing_member, missing_member,
          wrong_output, wrong_arguments, wrong_call_id, wrong_item_id, wrong_item_id, without_call_id, other_type,
          second_output, stranger, stranger, stranger, other_member, other_member, unfinished, lone_surrogate, drop,
          drop_output, double, doubled_turn, move, move]
