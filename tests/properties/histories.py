# SPDX-License-Identifier: Apache-2.0
"""Random histories, whole and broken, as JSON text.

Parts are made as values in words that all dialects share (a call, a result, a text...), mixed
up, then spelled in one dialect and written with odd white space, escapes and number lexemes. A
history keeps the text of each part, so that it can be cut down part by part without changing
the rest.
"""
import base64
import json

import model

IDS = ["srvtoolu_A1", "srvtoolu_B2", "srvtoolu_C3", "srvtoolu_D4", "mcptoolu_E5", "toolu_F6"]
ODD_IDS = ["", " ", None, 7, "srvtoolu_\U0001f600", "a\"b\\c", "\u2003"]
CLIENT_IDS = ["toolu_1", "toolu_2", "toolu_3"]
TOOLS = list(model.RESULT_OF)
UNKNOWN_TOOLS = ["browse", "openrouter:web_search"]
WORDS = ["kestrel", "cross the moor", "\u00e9t\u00e9", "line 1\nline 2", "say \"hi\" \\ /", "\U0001f600",
         "tab\there", "\u2028", "x"]
BLANKS = ["", " ", "\u2003\n"]
CUT = ["cut \ud83d", "\udc00 off"]  # half a character
URLS = ["https://e.x/%d" % i for i in range(4)]
JPEG, PDF = "/9j/4AAQ", "JVBERi0xLjc="
MISSING = object()


class Lone:
    """A message's content that is a part and no list."""

    def __init__(self, part):
        self.part = part


class Lexeme:
    """A JSON value whose very spelling matters."""

    def __init__(self, text):
        self.text = text


class Maker:
    """Draws parts in neutral words: dicts with a `kind`."""

    def __init__(self, rng):
        self.rng = rng
        self.secrets = 0

    def chance(self, p):
        return self.rng.random() < p

    def secret(self, head):
        self.secrets += 1
        return "%s%04dSECRET" % (head, self.secrets)

    def words(self):
        return self.rng.choice(CUT if self.chance(0.004) else WORDS)

    def marker(self):
        return {"type": "ephemeral", **self.rng.choice([{}, {}, {"ttl": "1h"}, {"ttl": "5m"}, {"ttl": None}])}

    def id(self):
        return self.rng.choice(ODD_IDS + [MISSING]) if self.chance(0.04) else self.rng.choice(IDS)

    # payloads

    def hit(self):
        hit = {"type": "web_search_result", "url": self.rng.choice(URLS), "title": self.words(),
               "encrypted_content": self.secret("ENC")}
        if self.chance(0.3):
            hit["page_age"] = self.rng.choice(["2 days", None])
        if self.chance(0.06):
            hit[self.rng.choice(["url", "title", "encrypted_content"])] = self.rng.choice(["", None, 3])
        return hit

    def executed(self, kind):
        return {"type": kind, "stdout": self.words(), "stderr": self.rng.choice(["", "err"]),
                "return_code": self.rng.choice([0, 1, -9]), "content": []}

    def content(self, result_type):
        """Returns the content of a result of that type on the wire, now and then something else."""
        if self.chance(0.12):
            return self.odd_content(result_type)
        if self.chance(0.1):
            return {"type": result_type + "_error",
                    "error_code": self.rng.choice(["unavailable", "unavailable", ""])}
        kind = result_type[:-len("_tool_result")]
        if kind == "web_search":
            return [self.hit() for _ in range(self.rng.randrange(3))]
        if kind == "web_fetch":
            source = self.rng.choice([
                {"type": "text", "media_type": "text/plain", "data": self.words()},
                {"type": "base64", "media_type": "application/pdf", "data": "QUJD"},
                {"type": "content", "content": [{"type": "text", "text": self.words()}]}])
            return {"type": "web_fetch_result", "url": self.rng.choice(URLS),
                    "content": {"type": "document", "title": self.words(), "source": source}}
        if kind == "code_execution" and self.chance(0.3):
            inner = self.executed("encrypted_code_execution_result")
            del inner["stdout"]
            inner["encrypted_stdout"] = self.secret("ENC")
            return inner
        if kind in ("code_execution", "bash_code_execution"):
            return self.executed(kind + "_result")
        if kind == "text_editor_code_execution":
            return self.rng.choice([
                {"type": kind + "_view_result", "content": self.words(), "file_type": "text"},
                {"type": kind + "_create_result", "is_file_update": True},
                {"type": kind + "_str_replace_result", "lines": ["a"]}])
        if kind == "tool_search":
            return {"type": "tool_search_tool_search_result", "tool_references": [
                {"type": "tool_reference", "tool_name": "t%d" % i} for i in range(self.rng.randrange(3))]}
        if kind == "advisor":
            return self.rng.choice([
                {"type": "advisor_result", "text": self.words()},
                {"type": "advisor_redacted_result", "encrypted_content": self.secret("ENC")}])
        return self.rng.choice([self.words(), [{"type": "text", "text": self.words()}], [], MISSING,
                                {"k": 1}])

    def odd_content(self, result_type):
        return self.rng.choice([
            MISSING, None, self.words(), "", [], {}, 5, self.hit(), [self.hit()],
            [{"type": result_type + "_error", "error_code": "unavailable"}],
            {"type": result_type + "_error"}, [self.words(), {"type": "text", "text": self.words()}],
            {"type": "text", "text": self.words()}, [{"type": "image"}], [[], 1, None]])

    # parts

    def text(self):
        part = {"kind": "text", "text": self.rng.choice(BLANKS) if self.chance(0.06) else self.words()}
        if self.chance(0.2):
            part["citations"] = [self.citation() for _ in range(self.rng.randrange(1, 4))]
        if self.chance(0.03):
            part["text"] = self.rng.choice([MISSING, None, 5])
        elif self.chance(0.1):
            part["text"] += self.rng.choice([" ", "\n", "\u3000"])
        return part

    def compaction(self):
        return {"kind": "compaction", "content": self.rng.choice(["so far", "", None, MISSING]),
                "signed": self.chance(0.4)}

    def citation(self):
        if self.chance(0.2):
            return {"type": "char_location", "document_index": self.rng.choice([0, 0, 1, 2, None, 2 ** 53]),
                    "url": self.rng.choice(URLS)}
        index = self.rng.choice([MISSING, None, ""]) if self.chance(0.06) else self.secret("ENC")
        return without_missing({"type": "web_search_result_location", "url": self.rng.choice(URLS),
                                "title": self.words(), "cited_text": self.words(), "encrypted_index": index})

    def thinking(self, signed=None):
        if signed is None:
            signed = self.chance(0.6)
        return {"kind": "thinking", "signed": signed, "redacted": self.chance(0.25),
                "text": self.rng.choice(["", "let me see", "hm", " "] + [MISSING] * self.chance(0.1)),
                "empty_signature": self.chance(0.3)}

    def input(self):
        if self.chance(0.1):
            return self.rng.choice(["{\"q\":1}", " {\"q\": [1, 2.50]} ", "{", "[]", "7", None, [], MISSING, ""])
        return self.rng.choice([{}, {"query": self.words()}, {"a": {"b": [1, Lexeme("1.50e2")]}}])

    def caller(self):
        if self.chance(0.85):
            return MISSING
        return self.rng.choice([
            {"type": "direct"}, {"type": "code_execution_20260120", "tool_id": self.rng.choice(IDS)},
            {"type": "code_execution_20260120", "tool_id": self.rng.choice(IDS)},
            {"type": "code_execution_20250825"}, None, "x"])

    def family(self):
        """(kind of block, tool's name, type of its result)"""
        roll = self.rng.random()
        if roll < 0.72:
            name = self.rng.choice(TOOLS + ["web_search"] * 5)
            return "server", name, model.RESULT_OF[name]
        if roll < 0.84:
            return "mcp", self.rng.choice(["lookup", "web_search"]), model.MCP
        name = self.rng.choice(UNKNOWN_TOOLS)
        if roll < 0.93:
            return "server", name, name.replace(":", "_") + "_tool_result"
        return "browse", "browse", "browse_tool_result"

    def call(self, family, id_):
        block, name, _ = family
        if self.chance(0.03):
            name = self.rng.choice(["", " ", MISSING, 4])
        return {"kind": "call", "provider": True, "block": block, "id": id_, "name": name,
                "input": self.input(), "caller": self.caller()}

    def result(self, family, id_):
        if self.chance(0.05):
            family = self.family()
        return {"kind": "result", "provider": True, "id": id_, "name": family[1], "type": family[2],
                "content": self.content(family[2]), "caller": self.caller(),
                "named": self.chance(0.2), "bare": self.chance(0.1)}

    def client_call(self, id_):
        wire = {}
        if self.chance(0.15):
            wire = self.rng.choice([
                {"name": ""}, {"name": MISSING}, {"name": "\u00e9" * 201}, {"input": "{\"q\": [1, 2.50]}"},
                {"input": "{"}, {"input": MISSING}, {"input": [1, None]}, {"input": "[]"}, {"index": 0},
                {"partial_json": "", "parsed": None, "text": "t"}, {"id": MISSING}])
        if self.chance(0.1):
            wire["toolset_name"] = self.rng.choice(["browser", "browser", "computer", None, 3])
        return {"kind": "call", "provider": False, "block": "client", "id": id_, "name": "load",
                "input": {"path": self.words()}, "caller": self.caller(), "wire": wire}

    def client_result(self, id_):
        content = self.rng.choice([self.words(), self.inside(), MISSING])
        wire = {}
        if self.chance(0.3):
            content = [self.inner() for _ in range(self.rng.randrange(5))]
        elif self.chance(0.1):
            content = self.rng.choice([{"ok": True, "encrypted": [1.50, "\u00e9"]}, 5, False, None])
        if self.chance(0.25):
            wire["is_error"] = self.rng.choice([True, True, False, None])
        if self.chance(0.1):
            wire.update(self.rng.choice([{"toolset_name": "browser"}, {"toolset_name": None}, {"name": "f"}]))
        return {"kind": "result", "provider": False, "id": id_, "name": "load", "type": "tool_result",
                "content": content, "caller": MISSING, "named": True, "bare": False, "wire": wire}

    def png(self):
        side = self.rng.choice([10, 10, 2000, 2001, 8000, 8001])
        sides = [side, 10] if self.chance(0.5) else [10, side]
        head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"".join(n.to_bytes(4, "big") for n in sides)
        return base64.b64encode(head).decode()

    def image(self):
        if self.chance(0.3):
            return {"type": "image", "source": {"type": "url", "url": self.rng.choice(URLS)}}
        data = self.png() if self.chance(0.6) else self.rng.choice([JPEG, "AAAA", "", "iVBO", "//", MISSING, 5])
        if self.chance(0.05):
            data = self.png() + self.rng.choice(["=", "*", "AAAA====", "data:,"])
        kind = self.rng.choice(["image/png", "image/png", "image/jpeg", "image/gif", "image/bmp", None, MISSING])
        return {"type": "image", "source": without_missing({"type": "base64", "media_type": kind, "data": data})}

    def document(self):
        source = self.rng.choice([
            {"type": "text", "media_type": "text/plain", "data": self.words()},
            {"type": "base64", "media_type": "application/pdf", "data": self.rng.choice([PDF, "AAAA", "", "%PDF"])},
            {"type": "content", "content": [{"type": "text", "text": self.words()}]}, {"type": "file", "file_id": "f"}])
        title = {"title": self.words()} if self.chance(0.3) else {}
        if self.chance(0.3):
            title["citations"] = self.rng.choice([{"enabled": True}, {"enabled": True}, {"enabled": False}, None])
        if self.chance(0.3):
            title["citations"] = self.rng.choice([{"enabled": True}, {"enabled": True}, {"enabled": False}, None])
        return {"type": "document", "source": source, **title}

    def found(self):
        content = self.rng.choice([[{"type": "text", "text": self.words()}], [], "x", MISSING])
        return without_missing({"type": "search_result", "source": self.rng.choice(URLS), "title": self.words(),
                                "content": content})

    def inner(self):
        """A block of a client's result."""
        block = self.rng.choice([
            {"type": "text", "text": self.words()}, {"type": "text", "text": self.words()}, self.image(),
            self.document(), self.found(), {"type": "tool_reference", "tool_name": "load"},
            {"type": "browser_state", "tabs": []}, {"type": "audio", "data": "QUJD"}, {}, "loose", 7])
        if isinstance(block, dict) and block.get("type") and self.chance(0.05):
            block["cache_control"] = {"type": "ephemeral"}
        return block

    def media(self):
        """A block that dialect anthropic alone spells as it is."""
        value = self.rng.choice([self.image, self.image, self.document, self.found])()
        if self.chance(0.2):
            value = self.rng.choice([
                {"type": "image"}, {"type": "search_result", "title": "t"}, {"type": "container_upload"},
                {"type": "mid_conv_system", "content": []}, {"type": "fallback", "from": {}},
                {"type": "tool_reference", "tool_name": "load"}])
        return {"kind": "media", "value": value}

    def inside(self):
        """The blocks of a client's result."""
        blocks = [{"type": "text", "text": "r"}]
        while self.chance(0.25):
            blocks.append({"type": "text", "text": self.rng.choice(BLANKS + ["s"])})
        for block in blocks:
            if self.chance(0.08):
                block["cache_control"] = self.marker()
        return blocks

    def other(self):
        return {"kind": "other", "pick": self.rng.randrange(6)}

    def part(self):
        """Any part at all."""
        roll = self.rng.random()
        if roll < 0.2:
            return self.text()
        if roll < 0.35:
            return self.thinking()
        if roll < 0.6:
            return self.call(self.family(), self.id())
        if roll < 0.85:
            return self.result(self.family(), self.id())
        if roll < 0.9:
            return self.client_call(self.rng.choice(CLIENT_IDS))
        if roll < 0.94:
            return self.client_result(self.rng.choice(CLIENT_IDS))
        if self.chance(0.2):
            return self.compaction()
        return self.other() if roll < 0.97 else self.media()

    def pair(self):
        family, id_ = self.family(), self.id()
        return [self.call(family, id_), self.result(family, id_)]

    # scenes: lists of (role, parts or content)

    def user(self):
        if self.chance(0.3):
            return [("user", self.words())]
        parts = [self.text() for _ in range(self.rng.randrange(1, 3))]
        if self.chance(0.1):
            parts += [self.media() for _ in range(self.rng.randrange(1, 4))]
        return [("user", parts)]

    def thoughtful(self):
        """Returns thinking, with blocks that may be between it."""
        parts = [self.thinking(self.chance(0.8))]
        for _ in range(self.rng.randrange(1, 4)):
            between = self.rng.randrange(4)
            if between < 2:
                parts += [{"kind": "text", "text": self.rng.choice(BLANKS)} for _ in range(between + 1)]
            elif between == 2:
                parts.append(self.client_call(self.rng.choice(CLIENT_IDS)))
            parts.append(self.thinking(self.chance(0.8)))
        if self.chance(0.6):
            parts.append(self.text())
        calls = [p["id"] for p in parts if p["kind"] == "call"]
        return [("assistant", parts)] + [("tool", [self.client_result(i) for i in calls])] * bool(calls)

    def album(self):
        """About as many images as make each of them one of many."""
        parts = [{"kind": "media", "value": self.image()} for _ in range(self.rng.randrange(17, 23))]
        return [("user", parts), ("assistant", [self.client_call("toolu_1")]),
                ("tool", [self.client_result("toolu_1")])]

    def answer(self):
        parts = [self.thinking()] if self.chance(0.4) else []
        for _ in range(self.rng.randrange(3)):
            pair = self.pair()
            if self.chance(0.2):  # nested
                pair[1:1] = self.pair()
            parts += pair
            if self.chance(0.4):
                parts.append(self.thinking() if self.chance(0.4) else self.text())
        if self.chance(0.7):
            parts.append(self.text())
        return [("assistant", parts)]

    def soup(self):
        return [("assistant", [self.part() for _ in range(self.rng.randrange(1, 6))])]

    def deferred(self):
        """A provider's call that waits for the client's results."""
        family, id_, client = self.family(), self.id(), self.rng.choice(CLIENT_IDS)
        head = [self.thinking(True)] if self.chance(0.3) else []
        scene = [("assistant", head + [self.call(family, id_), self.client_call(client)])]
        if self.chance(0.9):
            scene.append(("tool", [self.client_result(client)]))
        if self.chance(0.25):
            again = self.rng.choice(CLIENT_IDS)
            scene += [("assistant", [self.client_call(again)]), ("tool", [self.client_result(again)])]
        if self.chance(0.15):
            scene.append(("user", []))
        if self.chance(0.8):
            tail = [self.thinking(True)] if self.chance(0.3) else []
            scene.append(("assistant", tail + [self.result(family, id_), self.text()]))
        return scene

    def asked(self):
        """Calls of the client's tools, and what they gave."""
        ids = CLIENT_IDS[:self.rng.randrange(1, 4)]
        results = [self.client_result(i) for i in ids] + ([self.text()] if self.chance(0.3) else [])
        return [("assistant", [self.client_call(i) for i in ids]), ("tool", results)]

    def odd_message(self):
        return self.rng.choice([
            [("user", [])], [("user", "")], [("assistant", [])], [("assistant", "")],
            [("system", self.words())], [("system", [self.text()])], [("assistant", self.words())],
            [("user", [self.result(self.family(), self.id())])],
            [("tool", [self.result(self.family(), self.id())])],
            [("user", [self.part(), self.part()])], [("system", [self.part()])],
            [("user", None)], [("assistant", MISSING)], [("elf", [self.part()])],
            [("user", Lone(self.rng.choice([self.text(), self.thinking(), self.client_result(
                self.rng.choice(CLIENT_IDS))])))], [("assistant", Lone(self.text()))], [("user", 5)],
            [("user", [self.thinking(), self.text()])], [("assistant", [self.compaction(), self.text()])]])

    def scenes(self, n):
        messages = []
        for _ in range(n):
            scene = self.rng.choices(
                [self.user, self.answer, self.soup, self.deferred, self.asked, self.thoughtful, self.odd_message,
                 self.album],
                [4, 4, 2, 2, 1.5, 1.5, 1.5, 0.1])[0]()
            if scene[0][0] == "assistant" and self.chance(0.75):
                messages += self.user()
            messages += scene
        return messages

    def shuffle(self, messages):
        """Breaks a few things: parts go, come twice, swap, wander."""
        lists = [parts for _, parts in messages if isinstance(parts, list) and parts]
        for _ in range(self.rng.choice([0, 0, 1, 1, 2, 3])):
            if not lists:
                return
            parts, into = self.rng.choice(lists), self.rng.choice(lists)
            if not parts:
                continue
            at, to = self.rng.randrange(len(parts)), self.rng.randrange(len(into) + 1)
            deed = self.rng.randrange(4)
            if deed == 0:
                parts.pop(at)
            elif deed == 1:
                into.insert(to, dict(parts[at]))
            elif deed == 2:
                into.insert(min(to, len(into)), parts.pop(at))
            elif len(parts) > 1:
                parts[at], parts[at - 1] = parts[at - 1], parts[at]


# ---- spelling in a dialect ----

def without_missing(value):
    return {k: v for k, v in value.items() if v is not MISSING}


class Anthropic:
    name = "anthropic"
    blocks = {"server": "server_tool_use", "mcp": "mcp_tool_use", "browse": "browse_tool_use",
              "client": "tool_use"}
    others = [{"type": "image", "source": {"type": "url", "url": "u"}},
              {"type": "compaction", "content": "so far"}, {"type": "frob", "x": []}, {"type": 5}, {},
              {"type": "odd_tool_use", "name": "odd"}]

    def __init__(self, maker):
        self.maker = maker

    def role(self, role):
        return "user" if role == "tool" else role

    def spell(self, part):
        return getattr(self, part["kind"])(part)

    def text(self, part):
        return without_missing({"type": "text", "text": part["text"],
                                "citations": part.get("citations", MISSING)})

    def thinking(self, part):
        if part["redacted"]:
            data = self.maker.secret("RED") if part["signed"] else "" if part["empty_signature"] else MISSING
            return without_missing({"type": "redacted_thinking", "data": data})
        signature = self.maker.secret("SIG") if part["signed"] else "" if part["empty_signature"] else MISSING
        if part["signed"] and self.maker.chance(0.7):
            signature += "AA="  # base64, and of the right length
        return without_missing({"type": "thinking", "thinking": part["text"], "signature": signature})

    def call(self, part):
        return without_missing({"type": self.blocks[part["block"]], "id": part["id"], "name": part["name"],
                                "input": part["input"], "caller": part["caller"], **part.get("wire", {})})

    def result(self, part):
        return without_missing({"type": part["type"], "tool_use_id": part["id"],
                                "content": part["content"], "caller": part["caller"], **part.get("wire", {})})

    def other(self, part):
        return dict(self.others[part["pick"]])

    def media(self, part):
        return dict(part["value"])

    def compaction(self, part):
        return without_missing({"type": "compaction", "content": part["content"],
                                "signature": self.maker.secret("SIG") if part["signed"] else MISSING})

    def mark(self, value, marker):
        value["cache_control"] = marker


class Fantasy(Anthropic):
    name = "fantasy"
    others = [{"type": "file", "data": {"filename": "f"}}, {"type": "source", "data": {}},
              {"type": "frob"}, {}, {"type": "text"}, {"type": "file", "data": None}]

    def role(self, role):
        return role

    def media(self, part):
        return dict(self.others[0])

    @staticmethod
    def options(kind, data):
        return {"anthropic": {"type": "anthropic." + kind, "data": data}}

    def text(self, part):
        return {"type": "text", "data": without_missing({"text": part["text"]})}

    def compaction(self, part):
        return dict(self.others[0])

    def thinking(self, part):
        data, chance = {"signature": "", "redacted_data": ""}, self.maker.chance
        if part["signed"] and (part["redacted"] or chance(0.1)):
            data["redacted_data"] = self.maker.secret("RED")
        if part["signed"] and not part["redacted"]:
            data["signature"] = self.maker.secret("SIG")
        kind = self.maker.rng.choice(["cache_control_options", "x"]) if chance(0.05) else "reasoning_metadata"
        value = without_missing({"text": part["text"]})
        if part["signed"] or not part["empty_signature"]:
            value["provider_metadata" if chance(0.1) else "provider_options"] = self.options(kind, data)
        if "provider_options" not in value and chance(0.5):
            value["provider_options"] = self.maker.rng.choice([None, {"anthropic": None}, {"anthropic": "x"}, {}])
        return {"type": "reasoning", "data": value}

    def call(self, part):
        input_ = part["input"]
        if isinstance(input_, (dict, list)):
            input_ = write(input_, Plain())
            if self.maker.chance(0.1):
                input_ = "\u2003%s\u00a0" % input_
        return {"type": "tool-call", "data": without_missing({
            "tool_call_id": part["id"], "tool_name": part["name"], "input": input_,
            "provider_executed": part["provider"]})}

    def output(self, content):
        if content is MISSING or content is None:
            return content
        if isinstance(content, str):
            return self.maker.rng.choice([
                {"type": "text", "data": {"text": content}}, {"type": "error", "data": {"error": content}},
                {"type": "media", "data": {"data": "QUJD", "media_type": "image/png", "text": content}}])
        if self.maker.chance(0.3):
            return {"type": "json", "data": content}
        if self.maker.chance(0.2):
            return self.maker.rng.choice([content, {"rows": content}, [content], 2.5, {"type": "text"},
                                          {"type": "x", "data": None}, {"type": "error", "data": "x"}])
        return {"type": "text", "data": {"text": self.maker.rng.choice(["", "{}", "found it"])}}

    def result(self, part):
        value = {"tool_call_id": part["id"], "provider_executed": part["provider"]}
        old = self.maker.chance(0.15)
        value["result" if old else "output"] = self.output(part["content"])
        if part["named"] and (not part["provider"] or self.maker.chance(0.3)):
            value["tool_name"] = part["name"] if self.maker.chance(0.7) else self.maker.rng.choice(["", None, 5])
        if old and self.maker.chance(0.3):
            value["output"] = None
        if part["provider"] and not part["bare"]:
            content = part["content"]
            data = {"results": content} if isinstance(content, list) else content
            if not isinstance(data, dict) and self.maker.chance(0.8):
                data = {}
            kind = part["type"][:-len("_tool_result")] + "_result_metadata"
            value["provider_metadata" if old else "provider_options"] = self.options(
                kind, None if data is MISSING else data)
        return {"type": "tool-result", "data": without_missing(value)}

    def mark(self, value, marker):
        data = value.get("data")
        if isinstance(data, dict) and not data.get("provider_options"):
            data["provider_options"] = {"anthropic": {"type": "anthropic.cache_control_options",
                                                      "data": {"cache_control": marker}}}


def camel(value):
    """Member names as the AI SDK spells them."""
    if isinstance(value, list):
        return [camel(v) for v in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for key, v in value.items():
        words = key.split("_")
        out[words[0] + "".join(w.capitalize() for w in words[1:])] = camel(v)
    return out


class AiSdk(Anthropic):
    name = "ai-sdk"
    others = [{"type": "file", "mediaType": "text/plain", "data": "QQ=="}, {"type": "image", "image": "u"},
              {"type": "tool-approval-request", "approvalId": "a", "toolCallId": "toolu_1"},
              {"type": "tool-approval-response", "approvalId": "a", "approved": True}, {}, {"type": "custom"}]

    def role(self, role):
        return role

    def other(self, part):
        value = dict(self.others[part["pick"]])
        if "toolCallId" in value:
            value["toolCallId"] = self.maker.rng.choice(CLIENT_IDS + ["srvtoolu_A1", ""])
        return value

    def media(self, part):
        return dict(self.others[0])

    def text(self, part):
        return without_missing({"type": "text", "text": part["text"]})

    def compaction(self, part):
        return dict(self.others[0])

    def thinking(self, part):
        value = without_missing({"type": "reasoning", "text": part["text"]})
        if part["signed"] or part["empty_signature"]:
            key = "redactedData" if part["redacted"] else "signature"
            value["providerOptions"] = {"anthropic": {key: self.maker.secret("SIG") if part["signed"] else ""}}
        return value

    def with_options(self, value, part):
        mine = without_missing({"caller": camel(part["caller"])})
        if part.get("block") == "mcp" or self.maker.chance(0.02):
            mine.update(self.maker.rng.choice([{"type": "mcp-tool-use", "serverName": "s"}] * 9 + [{"type": "x"}]))
        if mine:
            value["providerOptions"] = {"anthropic": mine}
        return without_missing(value)

    def call(self, part):
        value = {"type": "tool-call", "toolCallId": part["id"], "toolName": part["name"],
                 "input": part["input"]}
        if part["provider"] or self.maker.chance(0.2):
            value["providerExecuted"] = part["provider"]
        return self.with_options(value, part)

    def output(self, content):
        choice = self.maker.rng.choice
        if content is not MISSING and self.maker.chance(0.05):
            return choice([content, {"type": "text"}, {"type": "error-json"}, {"type": 5, "value": content}])
        if isinstance(content, dict) and "tool_references" in content:
            content = content["tool_references"]
        if content is MISSING:
            return MISSING
        if isinstance(content, str):
            return choice([{"type": "text", "value": content}, {"type": "error-text", "value": content},
                           {"type": "execution-denied", "reason": content}])
        if isinstance(content, dict) and "error_code" in content:
            return {"type": "error-json", "value": camel(content)}
        if self.maker.chance(0.1):
            return choice([{"type": "json"}, {"type": "content", "value": [{"type": "text", "text": "w"}]}, None])
        if self.maker.chance(0.1):
            return {"type": choice(["json", "error-json", "text"]), "value": content}
        return {"type": "json", "value": camel(content)}

    def result(self, part):
        value = {"type": "tool-result", "toolCallId": part["id"], "toolName": part["name"],
                 "output": self.output(part["content"])}
        if part["name"] is not MISSING and self.maker.chance(0.03):
            value["toolName"] = self.maker.rng.choice(["", None, 5])
        if self.maker.chance(0.4):
            value["providerExecuted"] = part["provider"] if self.maker.chance(0.9) else None
        return self.with_options(value, part)

    def mark(self, value, marker):
        options = value.setdefault("providerOptions", {})
        options.setdefault("anthropic", {})["cacheControl"] = marker


DIALECTS = {d.name: d for d in (Anthropic, Fantasy, AiSdk)}


# ---- writing ----

class Plain:
    """How plain JSON is written."""

    def space(self):
        return ""

    def members(self, value):
        return list(value.items())

    def string(self, s):
        return json.dumps(s, ensure_ascii=is_cut(s))


def is_cut(s):
    """Half a character can only be written as an escape."""
    return any("\ud800" <= c <= "\udfff" for c in s)


class Wild(Plain):
    """Odd white space, escapes and member order."""

    def __init__(self, rng):
        self.rng = rng

    def space(self):
        return self.rng.choice(["", "", "", "", " ", "\n", "\t ", "\r\n  "])

    def members(self, value):
        items = list(value.items())
        if self.rng.random() < 0.5:
            self.rng.shuffle(items)
        return items

    def string(self, s):
        if self.rng.random() < 0.8:
            return json.dumps(s, ensure_ascii=is_cut(s) or self.rng.random() < 0.3)
        out = []
        for c in s:
            roll = self.rng.random()
            if c == "/" and roll < 0.5:
                out.append("\\/")
            elif ord(c) < 0x10000 and roll < 0.2:
                out.append(("\\u%04X" if roll < 0.1 else "\\u%04x") % ord(c))
            else:
                out.append(json.dumps(c, ensure_ascii=is_cut(c) or roll > 0.5)[1:-1])
        return '"%s"' % "".join(out)


def write(value, style):
    if isinstance(value, Lexeme):
        return value.text
    if isinstance(value, str):
        return style.string(value)
    if isinstance(value, list):
        items = [style.space() + write(v, style) + style.space() for v in value]
        return "[" + (",".join(items) or style.space()) + "]"
    if isinstance(value, dict):
        items = [style.space() + style.string(k) + style.space() + ":" + style.space() + write(v, style)
                 + style.space() for k, v in style.members(value)]
        return "{" + (",".join(items) or style.space()) + "}"
    return json.dumps(value)


NUMBERS = ["1.0", "1e5", "-0", "-0.0", "0.10", "123456789012345678", "1E+2", "5e-324", "9007199254740993"]


class Message:
    """head [ part , part ] tail, or head content tail; all of it text."""

    def __init__(self, head, parts, tail, content=None):
        self.head, self.parts, self.tail, self.content = head, parts, tail, content
        self.space = ["", ",", ""]

    def text(self):
        content = self.content
        if content is None:
            opening, comma, closing = self.space
            content = "[" + opening + comma.join(self.parts) + closing + "]"
        return self.head + content + self.tail

    def copy(self):
        m = Message(self.head, None if self.parts is None else list(self.parts), self.tail, self.content)
        m.space = self.space
        return m


class History:
    """The subject of one case of the properties."""

    def __init__(self, dialect, messages, policy, guard, wrapped=False):
        self.dialect, self.messages, self.policy, self.guard = dialect, messages, policy, guard
        self.wrapped = wrapped  # sent as `request`, with members of its own
        self.around = {}        # more of those
        self.target = None
        self.rebuilt = False    # turns were put together again
        self.comma = ","

    def copy(self):
        h = History(self.dialect, [m.copy() for m in self.messages], self.policy, self.guard, self.wrapped)
        h.around, h.rebuilt, h.target = self.around, self.rebuilt, self.target
        h.comma = self.comma
        return h

    def text(self):
        return "[" + self.comma.join(m.text() for m in self.messages) + "]"

    def value(self):
        return json.loads(self.text())

    def body(self, messages_text=None):
        """The parameter that holds the messages, as text."""
        text = self.text() if messages_text is None else messages_text
        if self.wrapped:
            around = "".join(", %s:%s" % (json.dumps(k), json.dumps(v)) for k, v in self.around.items())
            model = "" if "model" in self.around else '"model": "m", '
            return '"request":{%s"messages" :%s ,"max_tokens":1e3%s}' % (model, text, around)
        return '"messages":' + text

    @property
    def context(self):
        """Facts that the rules look at apart from the messages."""
        return {"provenance": "rebuilt" if self.rebuilt else "wire", "body": self.around if self.wrapped else {},
                "whole": self.wrapped, "target": self.target}

    def params(self, messages_text=None, **more):
        rest = {"dialect": self.dialect, "policy": self.policy, **more}
        if self.rebuilt:
            rest["provenance"] = "rebuilt"
        if self.target is not None:
            rest["target"] = self.target
        pairs = ['%s:%s' % (json.dumps(k), json.dumps(v)) for k, v in rest.items()
                 if not (v is None)]
        return "{%s}" % ",".join(pairs + [self.body(messages_text)])


OVERRIDES = {
    "orphan_call": ["drop", "error_result", "report"],
    "orphan_result": ["textify", "drop", "report"],
    "result_before_call": ["textify", "move", "report"],
    "duplicate_id": ["textify", "keep_first", "report"],
    "invalid_pair": ["textify", "repair", "report"],
    "unanswered_call": ["insert_result", "report"],
    "unmatched_result": ["textify", "report"],
    "blank_text": ["drop", "report"],
    "prefill": ["continue", "report"],
    "unsigned_thinking": ["demote", "drop"],
    "emptied_turn": ["placeholder"],
    "mark_text": [True, False],
    "merge_adjacent": ["never", "touched", "all"],
    "unknown_tools": ["report", "error"],
    "serializable_tools": [["web_search"], [], None, ["web_search", "web_fetch", "browse"]],
}


REBUILT = {
    "thinking": ["demote", "drop", "restore", "report"],
    "signature_form": ["any", "base64"],
    "rebuilt_rule": ["grouped"],
}


def draw_policy(rng):
    roll = rng.random()
    if roll < 0.3:
        return rng.choice([None, "conservative"])
    if roll < 0.5:
        return "preserve"
    policy = {"base": rng.choice(["conservative", "preserve"])} if rng.random() < 0.8 else {}
    for key in rng.sample(sorted(OVERRIDES), rng.randrange(1, 4)):
        policy[key] = rng.choice(OVERRIDES[key])
    if rng.random() < 0.2:
        policy["orphan_call"] = "error_result"
    return policy


def draw_around(rng, maker):
    """Members of a request that rules look at."""
    around = {}
    if rng.random() < 0.5:
        around["system"] = rng.choice([
            " ", "", "be brief", [{"type": "text", "text": "s", "cache_control": maker.marker()}],
            [{"type": "text", "text": rng.choice(BLANKS + ["s"])}, {"type": "text", "text": "s"}]])
    if rng.random() < 0.5:
        tools = [{"name": "t%d" % i} for i in range(rng.randrange(1, 5))]
        around["tools"] = [{**t, **({"cache_control": maker.marker()} if rng.random() < 0.4 else {})} for t in tools]
    if rng.random() < 0.2:
        around["cache_control"] = maker.marker()
    return around


class Speller:
    def __init__(self, rng, dialect, maker):
        self.rng, self.dialect = rng, dialect(maker)
        self.style = Wild(rng) if rng.random() < 0.5 else Plain()

    def chance(self, p):
        return self.rng.random() < p

    def part(self, part):
        value = self.dialect.spell(part)
        if self.chance(0.03 if part["kind"] == "thinking" else 0.08):
            self.dialect.mark(value, self.dialect.maker.marker())
        if self.chance(0.1):
            value["x"] = {"n": [Lexeme(self.rng.choice(NUMBERS))], "\u00e9/~": "v"}
        return write(value, self.style)

    def message(self, role, content):
        members = {"role": self.dialect.role(role)}
        if self.chance(0.1):
            members["x"] = Lexeme(self.rng.choice(NUMBERS))
        option = {"fantasy": "provider_options", "ai-sdk": "providerOptions"}.get(self.dialect.name)
        if option and self.chance(0.1):
            members[option] = self.rng.choice([None, {}, {"anthropic": {"k": 1}}])
        if content is not MISSING:
            members["content"] = Lexeme("\0")
        text = write(members, self.style)
        if content is MISSING:
            return Message(text, None, "", "")
        head, tail = text.split("\0")
        if isinstance(content, Lone):
            return Message(head, None, tail, self.part(content.part))
        if not isinstance(content, list):
            return Message(head, None, tail, write(content, self.style))
        message = Message(head, [self.part(p) for p in content], tail)
        message.space = [self.style.space(), self.style.space() + "," + self.style.space(), self.style.space()]
        return message


def draw(rng, dialect=None):
    """A random History."""
    maker = Maker(rng)
    dialect = dialect or rng.choices(list(DIALECTS), [2, 1, 1])[0]
    scenes = maker.scenes(rng.choice([1, 1, 2, 2, 3, 4, 6]))
    maker.shuffle(scenes)
    speller = Speller(rng, DIALECTS[dialect], maker)
    messages = [speller.message(role, content) for role, content in scenes]
    guard = rng.choice([True, True, False])
    history = History(dialect, messages, draw_policy(rng), guard, rng.random() < 0.15)
    if dialect == "anthropic" and rng.random() < 0.2:
        history.rebuilt = rng.random() < 0.7
        if history.policy not in ("conservative", "preserve"):
            key = rng.choice(sorted(REBUILT))
            history.policy = {**(history.policy or {}), key: rng.choice(REBUILT[key])}
    if dialect == "anthropic" and history.wrapped:
        history.around = draw_around(rng, maker)
    return history


# ---- cutting down ----

def smaller(history):
    """Histories with a little less in them."""
    n = len(history.messages)
    for size in (n // 2, n // 4, 1):
        for at in range(0, n, max(size, 1)):
            if 0 < size < n or size == 1:
                h = history.copy()
                del h.messages[at:at + size]
                yield h
    for i, message in enumerate(history.messages):
        for k in range(len(message.parts or ())):
            h = history.copy()
            del h.messages[i].parts[k]
            yield h
    if isinstance(history.policy, dict):
        for key in history.policy:
            h = history.copy()
            h.policy = {k: v for k, v in history.policy.items() if k != key}
            yield h
    if history.wrapped:
        h = history.copy()
        h.wrapped = False
        yield h
    for key in history.around:
        h = history.copy()
        h.around = {k: v for k, v in history.around.items() if k != key}
        yield h
    if history.rebuilt:
        h = history.copy()
        h.rebuilt = False
        yield h
    yield from simpler_messages(history)


def simpler_messages(history):
    for i, message in enumerate(history.messages):
        value = json.loads(message.text())
        plain = {k: v for k, v in value.items() if k in ("role", "content")}
        if "content" in plain and isinstance(plain["content"], list):
            del plain["content"]
            head = json.dumps(plain)[:-1] + (', ' if plain else '') + '"content": '
            if message.head != head or message.tail != "}" or message.space != ["", ", ", ""]:
                h = history.copy()
                h.messages[i].head, h.messages[i].tail = head, "}"
                h.messages[i].space = ["", ", ", ""]
                yield h
        for k, text in enumerate(message.parts or ()):
            part = json.loads(text)
            if json.dumps(part) != text:
                yield with_part(history, i, k, part)
            for smaller_part in less(part):
                yield with_part(history, i, k, smaller_part)


def less(value):
    """Values with one member or element less, at any depth."""
    if isinstance(value, dict):
        for key in value:
            yield {k: v for k, v in value.items() if k != key}
        for key, inner in value.items():
            for v in less(inner):
                yield {**value, key: v}
    elif isinstance(value, list):
        for i in range(len(value)):
            yield value[:i] + value[i + 1:]
            for v in less(value[i]):
                yield value[:i] + [v] + value[i + 1:]


def with_part(history, i, k, part):
    h = history.copy()
    h.messages[i].parts[k] = json.dumps(part)
    return h


def shrink(history, fails, budget=3000):
    """A history of which fails() is still true and of which no smaller() one is."""
    again = True
    while again and budget > 0:
        again = False
        for h in smaller(history):
            budget -= 1
            if budget <= 0:
                break
            if fails(h):
                history, again = h, True
                break
    return history
