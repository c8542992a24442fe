# SPDX-License-Identifier: Apache-2.0
"""CATALOGUE 3.7 to 3.11 about the rest of a request, once more: tools, choices, servers, a container, models.

    judge_request(judge, turns, messages, body, target)    adds to judge.found

body: the members of the body other than its messages; None: the messages were sent alone. Findings about the request
are noted once each, however many places they have.
"""
import re

import catalogue_rows
import model_shapes

MODEL = re.compile(r"claude-(?:([a-z]+)-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)|(\d{1,2})(?:[-.](\d{1,2}))?-([a-z]+))", re.I)
NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
DATED = re.compile(r"(web_search|web_fetch|code_execution)_(\d{8})")
RUNNERS = {"code_execution", "bash_code_execution", "text_editor_code_execution"}
SEARCHES = {"tool_search_tool_regex", "tool_search_tool_bm25"}
LISTED = {"web_search", "web_fetch", "advisor"} | SEARCHES
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200b)))
TITLE = re.compile("[a-zA-Z0-9()\\[\\]%s-]*" % WHITE_SPACE)
REQUEST = (None, None)


def version_of(name):
    """(family, (major, minor)), or None for a model that nobody knows."""
    found = MODEL.search(name) if isinstance(name, str) else None
    if not found:
        return None
    family, major, minor, first, second, other = found.groups()
    return (family or other).lower(), (int(major or first), int(minor or second or 0))


def get(value, *path):
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def rows(value):
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def kind_of(value):
    kind = get(value, "type")
    return kind if isinstance(kind, str) else ""


def is_code(name):
    return isinstance(name, str) and name.startswith("code_execution")


class Request:
    def __init__(self, judge, turns, messages, body, target):
        self.judge, self.turns, self.messages = judge, turns, messages
        self.whole, self.body = body is not None, body or {}
        self.endpoint = get(target, "endpoint") or "anthropic"
        self.name = get(target, "model") or self.body.get("model")
        self.model = version_of(self.name)
        self.tools = rows(self.body.get("tools"))
        self.parts = [p for m in messages for p in m.parts]
        changes = [p.value for p in self.parts if kind_of(p.value) in ("tool_addition", "tool_removal")]
        self.references = [get(v, "tool") for v in changes if get(v, "tool", "type") == "tool_reference"]
        self.definitions = [get(v, "tool", "definition") for v in changes
                            if get(v, "tool", "type") == "tool_definition" and kind_of(v) == "tool_addition"]
        self.names = [t.get("name") for t in self.tools + rows(self.definitions) if isinstance(t.get("name"), str)]
        self.toolsets = [t for t in self.tools if kind_of(t) == "mcp_toolset"]
        self.pending = [p for group in judge.open for p in group.of("call")]

    def blame(self, code, at=REQUEST, severity="error"):
        finding = (code, severity) + at
        if code in catalogue_rows.JUDGED and finding not in self.judge.found:
            self.judge.found.append(finding)

    # ---- 3.7, 3.8: limits, names, citations, markers ----

    def limits(self):
        most = 100 if self.model and self.model[1] < (4, 6) else 600
        blocks = [(p, b) for p in self.parts if p.value is not None for b in model_shapes.media_of(p.value)]
        if sum(kind_of(b) == "image" for _, b in blocks) > most:
            self.blame("image_count")
        for p, block in blocks:
            title = get(block, "title")
            if self.endpoint == "bedrock" and kind_of(block) == "document" and isinstance(title, str) and \
                    not TITLE.fullmatch(title):
                self.blame("document_name_chars", p.at)
            if get(self.body, "output_config", "format") is not None and kind_of(block) == "document" and \
                    get(block, "citations", "enabled") is True and self.messages[p.at[0]].role == "user":
                self.blame("citations_with_structured_output", p.at)

    def markers(self):
        mine = self.body.get("cache_control")
        last = self.parts[-1] if self.parts else None
        theirs = get(last.value, "cache_control") if last and isinstance(last.value, dict) else None
        if mine is not None and theirs is not None and (get(mine, "ttl") or "5m") != (get(theirs, "ttl") or "5m"):
            self.blame("cache_auto_conflict", last.at)
        if any(t.get("defer_loading") is True and t.get("cache_control") is not None for t in self.tools):
            self.blame("cache_defer_loading")

    # ---- 3.9: tools ----

    def entries(self):
        names = [t["name"] for t in self.tools if isinstance(t.get("name"), str)]
        if len(set(names)) < len(names):
            self.blame("tool_names_duplicate")
        if not all(NAME.fullmatch(name) for name in names):
            self.blame("tool_name_pattern")
        if self.tools and all(t.get("defer_loading") is True for t in self.tools):
            self.blame("tools_all_deferred")
        dated = [(DATED.fullmatch(kind_of(t)), t) for t in self.tools]
        newer = [t for d, t in dated if d and d[1] != "code_execution" and d[2] >= "20260209"]
        if any(t.get("allowed_callers") != ["direct"] for t in newer) and any(
                d and d[1] == "code_execution" and d[2] < "20260120" for d, _ in dated):
            self.blame("web_tool_version_mix")
        self.runs_code = any(is_code(kind_of(t)) for t in self.tools) or bool(newer)

    def choice(self):
        choice = self.body.get("tool_choice")
        if get(choice, "disable_parallel_tool_use") is True and any(
                is_code(c) for t in self.tools for c in t.get("allowed_callers") or []):
            self.blame("ptc_disable_parallel")
        bare = isinstance(self.body.get("mcp_servers"), list) and not self.toolsets  # an older beta offers their tools
        if get(choice, "type") == "any" and not self.tools and not self.definitions and not bare:
            self.blame("tool_choice_invalid")
        if get(choice, "type") != "tool":
            return
        named = [t for t in self.tools if t.get("name") == get(choice, "name")]
        if get(choice, "name") not in self.names and not self.toolsets and not bare:
            self.blame("tool_choice_invalid")
        if named and all("direct" not in t.get("allowed_callers", ["direct"]) for t in named):
            self.blame("tool_choice_invalid")

    def servers(self):
        servers = [s.get("name") for s in rows(self.body.get("mcp_servers"))]
        if not self.toolsets:  # no body here tells its betas
            return
        used = [t.get("mcp_server_name") for t in self.toolsets]
        if any(used.count(s) != 1 for s in servers) or any(u not in servers for u in used):
            self.blame("mcp_server_config")

    def container(self):
        container = self.body.get("container")
        running = [p for p in self.pending if p.name in RUNNERS and not p.mcp]
        if get(container, "id") is not None and get(container, "skills") is None:
            self.blame("container_shape")
        if container is not None and not self.runs_code and not running:
            self.blame("container_without_code_execution")
        if isinstance(container, str) or get(container, "id") is not None:
            return
        used = [p.id for p in self.parts if p.kind == "call" and p.provider]
        ids = {p.id for p in running if used.count(p.id) == 1}  # an id that is used again names no call
        for p in self.parts:
            if p.kind == "call" and not p.provider and get(p.caller, "tool_id") in ids:
                self.blame("container_required", p.at)

    def unknown(self):
        if any(kind_of(t).endswith("_toolset") or "_toolset_" in kind_of(t) for t in self.tools):
            return
        if isinstance(self.body.get("mcp_servers"), list) and not self.toolsets:  # it may offer all of a server's
            return
        for p in self.parts:
            content = get(p.value, "content") if isinstance(p.value, dict) else None
            inside = rows(content) if p.block == "tool_result" else rows(get(content, "tool_references")) \
                if p.block == "tool_search_tool_result" else []
            if any(kind_of(b) == "tool_reference" and isinstance(b.get("tool_name"), str) and
                   b["tool_name"] not in self.names for b in inside):
                self.blame("tool_reference_unknown", p.at)

    def missing(self):
        for p in self.pending:
            caller = get(p.caller, "type")
            if caller not in (None, "direct") or not (p.mcp or p.listed_shape and p.name in LISTED):
                continue
            if p.mcp:
                server = get(p.value, "server_name")
                where = [t.get("mcp_server_name") for t in self.toolsets] if self.toolsets else \
                    [s.get("name") for s in rows(self.body.get("mcp_servers"))]
                good = server in where if isinstance(server, str) else bool(where)  # one without a name has any
            else:
                good = any(t.get("name") == p.name or kind_of(t) == p.name or kind_of(t).startswith(p.name + "_")
                           for t in self.tools) or p.name in self.names
            if not good:
                self.blame("server_tool_pending_tool_missing", p.at)

    # ---- 3.11 ----

    def edits(self):
        edits = rows(get(self.body, "context_management", "edits"))
        if any(kind_of(e) == "clear_thinking_20251015" for e in edits[1:]):
            self.blame("context_management_edits")
        for e in edits:
            value = get(e, "trigger", "value")
            if kind_of(e) == "compact_20260112" and isinstance(value, int) and value < 50000:
                self.blame("context_management_edits")

    # ---- 3.2 to 3.5: targets and models ----

    def target(self):
        thinking = get(self.body, "thinking", "type")
        last = self.messages[-1] if self.messages else None
        old = self.model and (self.model[1] <= (4, 7) or self.model == ("sonnet", (5, 0)))
        for m in self.messages:
            if m.role == "system" and old:
                self.blame("system_role_unsupported", (m.index, None))
        if self.endpoint == "bedrock":
            for p in self.pending:
                if p.name in SEARCHES:
                    self.blame("tool_search_unpaired", p.at)
        if last and last.role == "assistant" and not self.judge.open and (
                thinking in ("enabled", "adaptive") or self.model and self.model[1] >= (4, 6)):
            self.blame("assistant_prefill_unsupported", (last.index, None))
        if last and last.role == "assistant" and thinking == "disabled":
            for p in [p for p in last.parts if p.kind == "thinking"][:1]:
                self.blame("thinking_disabled_final", p.at)
        if thinking == "enabled" and not (self.model and self.model[1] > (4, 6)):
            self.manual()
        self.wanted(thinking)

    def manual(self):
        turns = [t for t in self.turns if t.role == "assistant"]
        for turn in turns:
            if turn.parts and turn.parts[0].kind != "thinking" and any(p.kind == "thinking" for p in turn.parts):
                self.blame("thinking_not_first", turn.parts[0].at, "warning")
        last = self.messages[-1] if self.messages else None
        if not last or last.role != "user" or not any(p.block == "tool_result" for p in last.parts) or not turns:
            return
        first = newest = max(i for i, t in enumerate(self.turns) if t.role == "assistant")
        for i in range(newest - 1, -1, -1):
            if self.turns[i].role == "assistant":
                between = [p for t in self.turns[i + 1:first] if t.role == "user" for p in t.parts]
                if not any(p.block == "tool_result" for p in between):
                    break
                first = i
        begins = [self.turns[i].parts[:1] for i in (first, newest)]  # a turn without parts has none to blame
        if all(b and b[0].kind != "thinking" for b in begins):
            self.blame("thinking_required_first", begins[0][0].at)

    def wanted(self, thinking):
        """DeepSeek wants its thinking back."""
        name = str(self.name or "").lower()
        if thinking == "disabled" or self.endpoint != "compatible" or not (
                "deepseek-reasoner" in name or "deepseek-v4" in name):
            return
        for turn in self.turns:
            calls = [p for p in turn.parts if p.block == "tool_use"]
            if turn.role == "assistant" and calls and not any(p.kind == "thinking" for p in turn.parts):
                on = thinking in ("enabled", "adaptive")
                self.blame("thinking_content_required", calls[0].at, "error" if on else "warning")


def judge_request(judge, turns, messages, body, target):
    r = Request(judge, turns, messages, body, target)
    r.limits()
    if r.whole:
        r.markers()
        r.entries()
        r.choice()
        r.servers()
        r.container()
        r.unknown()
        r.missing()
        r.edits()
    r.target()
