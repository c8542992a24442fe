# SPDX-License-Identifier: Apache-2.0
"""A model of RULES.md sections 1 and 2: finds the faults of a history without the daemon.

    findings("anthropic", messages, policy) -> [(code, severity, message index, part index), ...]

in report order. Written from the text of the rules, to be slow and plain; the daemon must agree.
"""
import json

import catalogue_rows
import model_clients
import model_formats
import model_requests
import model_shapes
import model_texts

OUTSIDE = "provider_executed_block_outside_assistant"
DUPLICATE = "duplicate_provider_executed_id"
NO_RESULT = "provider_executed_call_without_result"
NO_CALL = "provider_executed_result_without_call"
BEFORE = "provider_executed_result_before_call"
BAD_CALL = "invalid_provider_executed_tool_call"
BAD_RESULT = "invalid_provider_executed_tool_result"
MISMATCH = "provider_executed_result_type_mismatch"
CALLER = "caller_reference_dangling"
UNKNOWN = "provider_executed_tool_unknown"
EMPTY = "message_content_empty"
USER_EMPTY = "user_content_empty"
FINAL = "thinking_final_block"


ORDER = catalogue_rows.ORDER

SAME_NAME = ["web_search", "web_fetch", "code_execution", "bash_code_execution",
             "text_editor_code_execution", "advisor"]
RESULT_OF = {name: name + "_tool_result" for name in SAME_NAME}
RESULT_OF["tool_search_tool_regex"] = RESULT_OF["tool_search_tool_bm25"] = "tool_search_tool_result"
MCP = "mcp_tool_result"
LISTED_RESULTS = set(RESULT_OF.values()) | {MCP}
EXECUTED = ["stdout", "stderr", "return_code", "content"]
OBJECTS = {
    "web_fetch_tool_result": {"web_fetch_result": ["url", "content"]},
    "code_execution_tool_result": {
        "code_execution_result": EXECUTED,
        "encrypted_code_execution_result": ["encrypted_stdout"] + EXECUTED[1:]},
    "bash_code_execution_tool_result": {"bash_code_execution_result": EXECUTED},
    "text_editor_code_execution_tool_result": {
        "text_editor_code_execution_view_result": ["content", "file_type"],
        "text_editor_code_execution_create_result": ["is_file_update"],
        "text_editor_code_execution_str_replace_result": []},
    "tool_search_tool_result": {"tool_search_tool_search_result": ["tool_references"]},
    "advisor_tool_result": {"advisor_result": ["text"],
                            "advisor_redacted_result": ["encrypted_content"]},
}
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200b)))


def blank(text):
    return text.strip(WHITE_SPACE) == ""


def filled(value):
    return isinstance(value, str) and value != ""


def member(value, *path):
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


class Part:
    def __init__(self, kind="other"):
        self.kind = kind  # text, thinking, call, result, other
        self.provider = False
        self.signed = False
        self.invisible = False
        self.id = ""
        self.name = None
        self.payload = None
        self.present = False  # the payload is there, be it null
        self.type = None      # of a result, as the wire names it
        self.serializable = True
        self.caller = None
        self.mcp = False
        self.group = None     # provider-executed, in an assistant turn
        self.block = None     # dialect anthropic: its type
        self.text = None
        self.value = None     # as sent; None: a string that is the whole content
        self.listed_shape = True  # a call whose block the table knows
        self.at = None

    def named(self, raw_id):
        self.id = raw_id if isinstance(raw_id, str) else ""
        return self

    def paying(self, holder, key):
        self.present = isinstance(holder, dict) and key in holder
        self.payload = member(holder, key)
        return self


# ---- dialects ----

def read_anthropic(v, role):
    kind = v.get("type") if isinstance(v.get("type"), str) else ""
    part = Part()
    part.block = kind
    if kind == "text":
        part.kind = "text"
        part.text = v.get("text")
    elif kind in ("thinking", "redacted_thinking"):
        part.kind = "thinking"
        part.signed = filled(v.get("signature" if kind == "thinking" else "data"))
    elif kind in ("tool_use", "server_tool_use", "mcp_tool_use") or (
            kind.endswith("_tool_use") and isinstance(v.get("id"), str)):
        part.kind = "call"
        part.named(v.get("id")).paying(v, "input")
        part.provider = kind != "tool_use"
        part.mcp = kind == "mcp_tool_use"
        part.listed_shape = kind in ("server_tool_use", "mcp_tool_use")
        part.name = v.get("name") if isinstance(v.get("name"), str) else None
    elif kind.endswith("tool_result") and (kind == "tool_result" or kind.endswith("_tool_result")):
        part.kind = "result"
        part.named(v.get("tool_use_id")).paying(v, "content")
        part.provider = kind != "tool_result"
        part.type = kind
    part.caller = v.get("caller")
    return part


def anthropic_options(data):
    """fantasy: the typed options of a part, of a prompt or of a stored step."""
    for key in ("provider_options", "provider_metadata"):
        found = member(data, key, "anthropic")
        if isinstance(found, dict):
            return found
    return {}


def metadata_type(options):
    """fantasy: the wire's type of a result whose metadata that is."""
    kind, head, tail = options.get("type"), "anthropic.", "_result_metadata"
    if isinstance(kind, str) and kind.startswith(head) and kind.endswith(tail) and len(kind) > len(head + tail):
        return kind[len(head):-len(tail)] + "_tool_result"
    return None


def read_fantasy(v, role):
    kind, data = v.get("type"), v.get("data")
    part = Part()
    options = anthropic_options(data)
    if kind == "reasoning":
        part.kind = "thinking"
        if options.get("type") == "anthropic.reasoning_metadata":
            part.signed = filled(member(options, "data", "signature")) or filled(
                member(options, "data", "redacted_data"))
        part.invisible = not part.signed
    elif kind == "text":
        part.kind = "text"
    elif kind in ("tool-call", "tool-result"):
        part.kind = kind[5:]
        part.named(member(data, "tool_call_id"))
        part.provider = member(data, "provider_executed") is True
        name = member(data, "tool_name")
        part.name = name if filled(name) else None
        part.paying(data, "input")
        part.type = metadata_type(options)
        part.serializable = part.type is not None and isinstance(options.get("data"), dict)
    elif kind == "file":
        part.kind = "media"
    elif kind == "source":
        part.invisible = True
    return part


def read_ai_sdk(v, role):
    kind = v.get("type")
    mine = member(v, "providerOptions", "anthropic")
    part = Part()
    if kind == "reasoning":
        part.kind = "thinking"
        part.signed = filled(member(mine, "redactedData")) or filled(member(mine, "signature"))
        part.invisible = not part.signed
    elif kind == "text":
        part.kind = "text"
    elif kind in ("tool-call", "tool-result"):
        part.kind = kind[5:]
        part.named(v.get("toolCallId"))
        part.name = v["toolName"] if filled(v.get("toolName")) else None
        part.provider = v.get("providerExecuted") is True
        if part.kind == "result" and v.get("providerExecuted") is None:
            part.provider = role == "assistant"
        part.mcp = part.kind == "call" and part.provider and member(mine, "type") == "mcp-tool-use"
        part.paying(v, "input" if part.kind == "call" else "output")
        part.caller = member(mine, "caller")
    elif kind in ("tool-approval-request", "tool-approval-response"):
        part.invisible = True
    return part


READERS = {"anthropic": read_anthropic, "fantasy": read_fantasy, "ai-sdk": read_ai_sdk}


class Message:
    def __init__(self, dialect, v, index):
        role = v.get("role")
        self.role = role if role in ("user", "assistant", "system") else "other"
        if role == "tool" and dialect != "anthropic":
            self.role = "user"
        self.transparent = role == "system" and dialect != "anthropic"
        content = v.get("content")
        self.shaped = isinstance(content, (str, list))
        self.lone = isinstance(content, dict)
        self.parts = []
        if filled(content):
            self.parts = [Part("text")]
            self.parts[0].block, self.parts[0].text = "text", content
        elif isinstance(content, list):
            self.parts = [READERS[dialect](p, self.role) for p in content]
            for part, value in zip(self.parts, content):
                part.value = value
        for i, part in enumerate(self.parts):
            part.at = (index, i)
        self.index = index


class Turn:
    def __init__(self, message):
        self.role = message.role
        self.messages = [message]

    @property
    def parts(self):
        return [p for m in self.messages for p in m.parts]

    def signed(self):
        return any(p.signed for p in self.parts)


def turns_of(messages):
    turns = []
    for m in messages:
        if m.transparent:
            continue
        if turns and turns[-1].role == m.role and m.role in ("user", "assistant"):
            turns[-1].messages.append(m)
        else:
            turns.append(Turn(m))
    return turns


def read(dialect, messages):
    return [Message(dialect, m, i) for i, m in enumerate(messages)]


def protected_turn(turns):
    """The newest assistant turn, if it is signed."""
    newest = newest_turn(turns)
    return newest if newest and newest.signed() else None


# ---- pairs ----

def either(value, snake):
    words = snake.split("_")
    camel = words[0] + "".join(w.capitalize() for w in words[1:])
    for key in (snake, camel):
        if isinstance(value, dict) and key in value:
            return True, value[key]
    return False, None


def is_hit(v):
    return (member(v, "type") == "web_search_result" and isinstance(member(v, "url"), str)
            and isinstance(member(v, "title"), str) and filled(either(v, "encrypted_content")[1]))


def wire_content_fits(kind, part):
    content = part.payload
    if kind == MCP:
        return (content is None or isinstance(content, str) or isinstance(content, list)
                and all(member(b, "type") == "text" for b in content))
    if kind == "web_search_tool_result" and isinstance(content, list):
        return all(map(is_hit, content))
    if member(content, "type") == kind + "_error" and filled(member(content, "error_code")):
        return True
    required = OBJECTS.get(kind, {}).get(member(content, "type") or "")
    return required is not None and all(either(content, key)[0] for key in required)


ANY = object()  # a value that isn't looked at
EXECUTIONS = ["code_execution_result", "encrypted_code_execution_result", "bash_code_execution_result",
              "bash_code_execution_tool_result_error", "text_editor_code_execution_tool_result_error",
              "text_editor_code_execution_view_result", "text_editor_code_execution_create_result",
              "text_editor_code_execution_str_replace_result"]
ADVICE = ["advisor_result", "advisor_redacted_result", "advisor_tool_result_error"]


def list_of(good):
    return lambda v: isinstance(v, list) and all(good(e) for e in v)


def typed(*types):
    return lambda v: isinstance(v, dict) and v.get("type") in types


def sent_hit(v):
    return (member(v, "type") == "web_search_result" and isinstance(member(v, "url"), str)
            and filled(member(v, "encryptedContent")))


def sent_page(v):
    return (member(v, "type") == "web_fetch_result" and isinstance(member(v, "url"), str)
            and isinstance(member(v, "content"), dict))


def sent_by_mcp(v):
    return v is None or isinstance(v, str) or list_of(
        lambda e: member(e, "type") == "text" and isinstance(member(e, "text"), str))(v)


FOUND_TOOLS = {"json": list_of(lambda v: isinstance(member(v, "toolName"), str))}
# DIALECTS.md 3: what the adapter writes, by the call's name and the output's type
WRITTEN = {
    "web_search": {"error-json": ANY, "json": list_of(sent_hit)},
    "web_fetch": {"error-json": ANY, "json": sent_page},
    "tool_search_tool_regex": FOUND_TOOLS, "tool_search_tool_bm25": FOUND_TOOLS,
    "code_execution": {"error-text": ANY, "error-json": ANY, "json": typed(*EXECUTIONS)},
    "advisor": {"json": typed(*ADVICE), "error-json": typed(*ADVICE)},
}
OF_MCP = {"json": sent_by_mcp, "error-json": sent_by_mcp}


def adapter_writes(call, output):
    written = OF_MCP if call.mcp else WRITTEN.get(call.name)
    if written is None:
        return True
    kind = member(output, "type")
    good = written.get(kind) if isinstance(kind, str) else None
    return good is ANY or good is not None and good(member(output, "value"))


def result_fits(dialect, part, call):
    """call: None if it isn't in the history."""
    if dialect == "fantasy":
        wrong = call and call.name == "web_search" and part.type != "web_search_tool_result"
        return part.serializable and not wrong
    if dialect == "ai-sdk":
        return adapter_writes(call or part, part.payload)
    return part.type not in LISTED_RESULTS or wire_content_fits(part.type, part)


def is_json(text):
    def no(_):
        raise ValueError
    try:
        json.loads(text.strip(" \t\r\n"), parse_constant=no)
        return True
    except ValueError:
        return False


def call_fits(dialect, part, allowed):
    if blank(part.id) or part.name is None or blank(part.name):
        return False
    if allowed is not None and part.name not in allowed:
        return False
    if dialect == "fantasy":
        return isinstance(part.payload, str) and is_json(part.payload.strip(WHITE_SPACE))
    return isinstance(part.payload, dict)


def listed(call):
    return call.mcp or call.listed_shape and call.name in RESULT_OF


def belongs(dialect, call, result):
    if dialect == "ai-sdk":
        return call.mcp or result.name == call.name
    if result.name is not None and result.name != call.name:
        return False
    if listed(call):
        return result.type == (MCP if call.mcp else RESULT_OF[call.name])
    return result.type not in LISTED_RESULTS


class Group:
    def __init__(self):
        self.parts = []
        self.partner = None  # a call in flight and its result
        self.open = False
        self.answered = False

    def of(self, kind):
        return [p for p in self.parts if p.kind == kind]


class Judge:
    def __init__(self, dialect, policy=None):
        self.dialect = dialect
        self.policy = policy if isinstance(policy, dict) else {}
        self.allowed = self.policy.get("serializable_tools")
        self.newest = {}  # id -> its newest group
        self.open = []    # groups whose call is in flight
        self.found = []

    def blame(self, parts, code, severity="error"):
        for p in parts:
            self.found.append((code, severity) + p.at)

    def blame_unknown(self, call, result=None):
        if blank(call.name or "") or listed(call) or self.allowed is not None:
            return
        if self.policy.get("unknown_tools") == "error":
            self.blame([p for p in (call, result) if p], UNKNOWN)
        else:
            self.blame([call], UNKNOWN, "warning")

    def pair(self, call, result):
        both = [p for p in (call, result) if p]
        if call and not call_fits(self.dialect, call, self.allowed):
            self.blame(both, BAD_CALL)
        elif not result_fits(self.dialect, result, call):
            self.blame(both, BAD_RESULT)
        elif call and not belongs(self.dialect, call, result):
            self.blame(both, MISMATCH)
        elif call:
            self.blame_unknown(call, result)

    def group(self, group, earlier):
        calls, results = group.of("call"), group.of("result")
        if earlier:
            if not earlier.open or calls:
                self.blame(group.parts, DUPLICATE)
                return
            earlier.answered = True
            group.partner, earlier.partner = earlier, group
            if len(results) > 1:
                self.blame(group.parts, DUPLICATE)
            else:
                self.pair(earlier.of("call")[0] if earlier.parts else None, results[0])
        elif len(calls) > 1 or len(results) > 1:
            self.blame(group.parts, DUPLICATE)
        elif not results:
            group.open = True
        elif not calls:
            self.blame(results, NO_CALL)
        elif group.parts[0].kind == "result":
            self.blame(group.parts, BEFORE)
        else:
            self.pair(calls[0], results[0])

    def callers(self, turn, before):
        calls = {p.id for p in turn.parts if p.provider and p.kind == "call"}
        calls |= {i for i, g in before.items() if g.open}
        key = "tool_id" if self.dialect == "anthropic" else "toolId"
        for p in turn.parts:
            if isinstance(p.caller, dict) and p.caller.get("type") != "direct":
                named = p.caller.get(key)
                if not isinstance(named, str) or named not in calls:
                    self.blame([p], CALLER)

    def close(self, groups):
        for g in groups:
            g.open = False
            self.blame(g.parts, NO_RESULT)

    def assistant(self, turn, is_last):
        before, groups = dict(self.newest), {}
        in_flight = list(self.open)
        for p in turn.parts:
            if p.provider:
                groups.setdefault(p.id, Group()).parts.append(p)
        for i, g in groups.items():
            for p in g.parts:
                p.group = g
            self.group(g, before.get(i))
            self.newest[i] = g
        self.callers(turn, before)
        left = [g for g in in_flight if not g.answered]
        for g in in_flight:
            if g.answered:
                g.open = False
        stay = is_last or any(p.kind == "call" and not p.provider for p in turn.parts)
        if not stay:
            self.close(left)
        self.open = (left if stay else []) + [g for g in groups.values() if g.open]

    def other(self, turn):
        self.blame([p for p in turn.parts if p.provider], OUTSIDE)
        crossing = turn.role == "user" and all(
            p.invisible or p.kind == "result" and not p.provider for p in turn.parts)
        if not crossing:
            self.close(self.open)
            self.open = []

    def pairs(self, turns):
        last = len(turns) - 1
        while last > 0 and turns[last].role == "user" and not turns[last].parts:
            last -= 1
        for i, turn in enumerate(turns):
            if turn.role == "assistant":
                self.assistant(turn, i >= last)
            else:
                self.other(turn)

    def emptiness(self, turns):
        if self.dialect == "fantasy":  # the adapter leaves them out
            return
        for i, turn in enumerate(turns):
            if turn.parts or not all(m.shaped for m in turn.messages):
                continue
            code = USER_EMPTY if turn.role == "user" else EMPTY
            if turn.role == "user" or turn.role == "assistant" and i + 1 < len(turns):
                for m in turn.messages:
                    self.found.append((code, "error", m.index, None))

    def thinking(self, turns):
        for turn in turns:
            seen = [p for p in turn.parts if not p.invisible]
            if turn.role != "assistant" or not seen or seen[-1].kind != "thinking":
                continue
            if self.dialect != "fantasy" or any(p.kind not in ("thinking", "media") for p in seen):
                self.blame(seen[-1:], FINAL)

    def in_flight(self):
        for g in self.open:
            if g.parts:
                self.blame_unknown(g.of("call")[0])

    def report(self):
        return sorted(self.found, key=lambda f: (
            -1 if f[2] is None else f[2], -1 if f[3] is None else f[3], ORDER.index(f[0])))


def newest_turn(turns):
    """The last assistant turn, also if it is empty."""
    return next((turn for turn in reversed(turns) if turn.role == "assistant"), None)


def judge(dialect, messages, policy=None, context=None):
    """context: `provenance`, `target`, the `body` around the messages, and whether it is `whole`: sent with them."""
    judge = Judge(dialect, policy)
    read_messages = read(dialect, messages)
    turns = turns_of(read_messages)
    judge.pairs(turns)
    for m in read_messages:
        if m.transparent:
            judge.blame([p for p in m.parts if p.provider], OUTSIDE)
    judge.in_flight()
    answers = model_clients.judge_clients(judge, dialect, turns, read_messages, messages, blank)
    if dialect == "anthropic":
        calls = {result: messages[m]["content"][i] for result, (m, i) in answers.items()}
        model_shapes.judge_shapes(judge, read_messages, messages, calls)
        given = context or {}
        compatible = (given.get("target") or {}).get("endpoint") == "compatible"
        judge.found += model_formats.extras_found(messages, compatible)
        body = given.get("body") or {} if given.get("whole") else None
        model_requests.judge_request(judge, turns, read_messages, body, given.get("target"))
    judge.emptiness(turns)
    judge.thinking(turns)
    model_texts.judge_texts(judge, dialect, turns, read_messages, messages, newest_turn(turns), context or {},
                            blank)
    return judge


def findings(dialect, messages, policy=None, context=None):
    return judge(dialect, messages, policy, context).report()


def turn_findings(dialect, content, policy=None, stop_reason=None, carry_in=()):
    """Finds the faults of a turn alone, as repair_turn sees it."""
    judge = Judge(dialect, policy)
    turn = Turn(Message(dialect, {"role": "assistant", "content": content}, 0))
    for call in carry_in:
        carried = Group()
        carried.open = True
        judge.newest[call["id"]] = carried
        judge.open.append(carried)
    judge.assistant(turn, True)
    client = any(p.kind == "call" and not p.provider for p in turn.parts)
    if not (stop_reason == "pause_turn" or client and stop_reason in (None, "tool_use")):
        judge.close(judge.open)
        judge.open = []
    judge.in_flight()
    if dialect == "anthropic":
        model_clients.ids(judge, turn.messages)
        model_shapes.judge_shapes(judge, turn.messages, [{"content": content}], {})
    model_texts.judge_turn(judge, dialect, turn, blank)
    return judge.report()
