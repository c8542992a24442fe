# SPDX-License-Identifier: Apache-2.0
"""The item table of PROVIDERS.md 4.1, as the model of Responses reads it."""

MESSAGE = "message"
REFERENCE = "item_reference"
ROLES = ("assistant", "system", "developer", "user")
FOREIGN = ("tool_use", "tool_result", "text", "input_text", "output_text", "thinking", "image_url", "input_image")

# call -> the outputs that fit it
FITTING = {
    "function_call": ("function_call_output",),
    "custom_tool_call": ("custom_tool_call_output",),
    "local_shell_call": ("local_shell_call_output", "function_call_output"),
    "shell_call": ("shell_call_output",),
    "apply_patch_call": ("apply_patch_call_output",),
    "computer_call": ("computer_call_output",),
    "tool_search_call": ("tool_search_output", "function_call_output"),
}
OUTPUTS = {output for outputs in FITTING.values() for output in outputs}
SERVERS = ("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call",
           "mcp_list_tools", "program", "program_output")
REQUIRED = {
    "reasoning": ("summary",),
    "function_call": ("call_id", "name", "arguments"),
    "function_call_output": ("call_id", "output"),
    "custom_tool_call": ("call_id", "name", "input"),
    "custom_tool_call_output": ("call_id", "output"),
    "shell_call": ("call_id", "action"),
    "shell_call_output": ("call_id", "output"),
    "apply_patch_call": ("call_id", "operation"),
    "apply_patch_call_output": ("call_id", "status"),
    "computer_call": ("call_id",),
    "computer_call_output": ("call_id", "output"),
    "mcp_approval_response": ("approval_request_id", "approve"),
    REFERENCE: ("id",),
    "compaction": ("encrypted_content",),
}
PREFIX = {MESSAGE: "msg", "reasoning": "rs", "function_call": "fc", "function_call_output": "fc",
          "custom_tool_call": "ctc", "custom_tool_call_output": "ctc", "web_search_call": "ws"}
NEEDS_ID = ("local_shell_call", "computer_call", "mcp_approval_request", REFERENCE) + SERVERS
FREE = (MESSAGE, "function_call", "custom_tool_call", "shell_call", "apply_patch_call", "tool_search_call")
OTHERS = {  # known members besides type, id, status, the required ones and call_id
    MESSAGE: "role content phase",
    "reasoning": "content encrypted_content",
    "function_call": "caller namespace",
    "function_call_output": "caller name namespace",
    "custom_tool_call": "caller namespace",
    "custom_tool_call_output": "caller name namespace",
    "local_shell_call": "action",
    "local_shell_call_output": "output",
    "apply_patch_call": "caller",
    "apply_patch_call_output": "caller output",
    "shell_call": "caller environment",
    "shell_call_output": "caller max_output_length",
    "computer_call": "action actions pending_safety_checks",
    "computer_call_output": "acknowledged_safety_checks",
    "tool_search_call": "arguments execution",
    "tool_search_output": "execution tools",
    "web_search_call": "action",
    "file_search_call": "queries results",
    "code_interpreter_call": "code container_id outputs",
    "mcp_list_tools": "server_label tools error",
    "mcp_approval_request": "arguments name server_label",
    "mcp_approval_response": "reason",
    "mcp_call": "arguments name server_label approval_request_id error output",
    "program": "code fingerprint",
    "program_output": "result",
    REFERENCE: "",
    "compaction": "",
}
OFFENDERS = {  # type -> members that OpenAI is known to refuse; created_by on every type
    MESSAGE: ("tool_calls", "tool_call_id", "parsed"),
    "reasoning": ("status",),
    "function_call": ("parsed_arguments",),
}


def kind(item):
    """An item's type: that of a message without one is `message`; None says nothing."""
    found = item.get("type")
    if isinstance(found, str):
        return found
    if item.get("role") is not None:
        return MESSAGE
    return REFERENCE if [name for name in item if item[name] is not None] == ["id"] else None


def is_servers_search(item):
    return kind(item) in ("tool_search_call", "tool_search_output") and (
        item.get("execution") == "server" or item.get("execution") != "client" and not item.get("call_id"))


def is_call(item):
    return kind(item) in FITTING and not is_servers_search(item)


def is_output(item):
    return kind(item) in OUTPUTS and not is_servers_search(item)


def key(item):
    """Returns the id that a call or output pairs by; None: it pairs with nothing."""
    found = item.get("call_id")
    if not found and kind(item) in ("local_shell_call", "local_shell_call_output"):
        found = item.get("id")
    return found if isinstance(found, str) and found else None


def is_models(item):
    """True for an item that the model, or its server, made."""
    found = kind(item)
    if found == MESSAGE:
        return item.get("role") == "assistant"
    return found not in ("mcp_approval_response", "compaction_trigger", "additional_tools") and not is_output(item)


def own_id(item):
    """The id by which the server would look the item up."""
    if kind(item) == "local_shell_call_output" and not item.get("call_id"):
        return None
    return item.get("id") if isinstance(item.get("id"), str) and item["id"] else None


def known_members(item):
    """None: the members of such items aren't judged."""
    found = kind(item)
    if found not in OTHERS:
        return None
    known = {"type", "id", "status", "internal_chat_message_metadata_passthrough", *REQUIRED.get(found, ()),
             *OTHERS[found].split()}
    if found in FITTING or found in OUTPUTS or found in ("program", "program_output"):
        known.add("call_id")
    return known - set(OFFENDERS.get(found, ()))
