# SPDX-License-Identifier: Apache-2.0
"""OPERATIONS.md C.1 to C.3 and C.6 again, as directly as they are written: digests, which messages a
seal is of, what became of them, and whether they are bound to another conversation."""
import hashlib
import struct

THINKING = ("thinking", "redacted_thinking")
CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
INDETERMINATE = "indeterminate"
CODES = {verdict: "sealed_turn_" + verdict for verdict in (
    "reordered", "altered", "missing_thinking", "missing_tool_use", "foreign_block")}
MISMATCH = "thinking_prefix_mismatch"


# -- C.1: digests --------------------------------------------------------------------------------

def canon(v):
    if v is None or isinstance(v, bool):
        return {None: b"n", True: b"t", False: b"f"}[v]
    if isinstance(v, int):
        return b"i%d;" % v
    if isinstance(v, float):
        return b"d" + struct.pack(">d", v).hex().encode() + b";"
    if isinstance(v, str):
        return b"s%d:%s" % (len(v.encode()), v.encode())
    if isinstance(v, list):
        return b"[" + b"".join(map(canon, v)) + b"]"
    return b"{" + b"".join(canon(k) + canon(v[k]) for k in sorted(v, key=str.encode)) + b"}"


def without_markers(v):
    if isinstance(v, dict):
        return {k: x if k == "input" else without_markers(x) for k, x in v.items() if k != "cache_control"}
    return [without_markers(x) for x in v] if isinstance(v, list) else v


def digest(tag, data):
    return hashlib.sha256(b"turnkeeper." + tag + b".v1\0" + data).hexdigest()


def canon_block(block):
    if isinstance(block, str):
        block = {"type": "text", "text": block}
    return canon({k: v for k, v in without_markers(block).items()
                  if v is not None and not (k == "caller" and v == {"type": "direct"})})


def block_digest(block):
    return digest(b"block", canon_block(block))


def signature_of(block):
    """Returns the signature of a block, "" if it has none."""
    member = {"thinking": "signature", "redacted_thinking": "data"}.get(block["type"])
    signature = block.get(member) if member else None
    return signature if isinstance(signature, str) else ""


def opaque_digest(block):
    return digest(b"opaque", canon(block["type"]) + canon(signature_of(block)))


def seal_block(block):
    sealed = {"type": block["type"], "digest": block_digest(block)}
    if block["type"] in CALLS:
        sealed["id"] = block["id"]
    if signature_of(block):
        sealed["opaque"] = opaque_digest(block)
        if "thinking" in block:
            sealed["text"] = digest(b"text", canon(block["thinking"]))
    return sealed


def seal(content):
    """`content` as a list of blocks."""
    blocks = [seal_block(b) for b in content]
    return {"v": 1, "alg": "sha256", "blocks": blocks,
            "turn": digest(b"turn", b"".join(bytes.fromhex(b["digest"]) for b in blocks))}


def blocks_of(message):
    content = message["content"]
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content


# -- C.1: the prefix -----------------------------------------------------------------------------

def walk(v):
    yield v
    for x in v.values() if isinstance(v, dict) else v if isinstance(v, list) else ():
        yield from walk(x)


def mentioned(messages):
    """Names of tools that calls, references and additions name."""
    names = set()
    for block in (b for m in messages for b in blocks_of(m)):
        if block["type"] in CALLS:
            names.add(block.get("name"))
            continue
        for v in (v for v in walk(block) if isinstance(v, dict)):
            if v.get("type") == "tool_reference":
                names |= {v.get("tool_name"), v.get("name")}
            elif v.get("type") == "tool_addition":
                names |= {v["tool"].get("name"), v["tool"].get("definition", {}).get("name")}
    return names


def tools_digest(body, messages):
    names = mentioned(messages)
    kept = [t for t in body.get("tools", []) if not t.get("defer_loading") is True or t.get("name") in names]
    return digest(b"tools", canon([{k: v for k, v in t.items() if k != "cache_control"} for t in kept]))


def system_digest(body):
    system = body.get("system", [])
    blocks = [system] * (system != "") if isinstance(system, str) else system
    return digest(b"system", b"[" + b"".join(map(canon_block, blocks)) + b"]")


def has_url(block):
    return any(isinstance(v, dict) and v.get("type") in ("image", "document")
               and isinstance(v.get("source"), dict) and v["source"].get("type") == "url" for v in walk(block))


def messages_digest(messages):
    """The list of [role, blocks, others] that C.1 describes, hashed."""
    rows = []
    for m in messages:
        others = {k: v for k, v in m.items() if k in ("output_config", "clear_at")}
        blocks = blocks_of(m)
        newest = [i for i, b in enumerate(blocks) if b["type"] == "compaction"][-1:]
        if newest:
            rows, blocks = [], blocks[newest[0]:]
        blocks = [b for b in blocks if b["type"] not in THINKING]
        if not blocks and not others:
            continue
        if rows and not others and not rows[-1][2] and rows[-1][0] == m["role"]:
            rows[-1][1] += blocks
        else:
            rows.append([m["role"], list(blocks), others])
    if any(has_url(b) for _, blocks, _ in rows for b in blocks):
        return INDETERMINATE
    return digest(b"messages", b"[" + b"".join(
        b"[" + canon(role) + b"[" + b"".join(map(canon_block, blocks)) + b"]" + canon(others) + b"]"
        for role, blocks, others in rows) + b"]")


def prefix(body):
    """Returns the prefix of the turn that was the answer to this request."""
    messages = body["messages"]
    return {"system": system_digest(body), "tools": tools_digest(body, messages),
            "messages": messages_digest(messages),
            "thinking": [opaque_digest(b) for m in messages for b in blocks_of(m) if signature_of(b)]}


# -- C.3: whose seal it is -----------------------------------------------------------------------

def keys_of(message):
    blocks = blocks_of(message)
    return ({("id", b["id"]) for b in blocks if b["type"] in CALLS} |
            {("opaque", opaque_digest(b)) for b in blocks if signature_of(b)})


def seal_keys(one):
    return ({("id", b["id"]) for b in one["blocks"] if "id" in b} |
            {("opaque", b["opaque"]) for b in one["blocks"] if "opaque" in b})


def turns_of(messages):
    """By message the number of its turn: neighbours of one role are one."""
    numbers, role = [], None
    for m in messages:
        numbers.append((numbers[-1] if numbers else -1) + (m["role"] != role))
        role = m["role"]
    return numbers


def newest_turn(messages):
    """The last assistant turn, also if it is empty."""
    turns = turns_of(messages)
    return max((turns[i] for i, m in enumerate(messages) if m["role"] == "assistant"), default=None)


class Group:
    """Messages of one turn, and the seals of it."""

    def __init__(self, messages, seals):
        self.messages, self.seals = messages, seals
        self.verdict, self.dead, self.blamed = "intact", False, None


def home_of(entry, messages):
    one, at = entry["seal"], entry.get("message_index")
    keys = seal_keys(one)
    if at is None:
        return next((i for i, m in enumerate(messages) if m["role"] == "assistant" and keys & keys_of(m)), None)
    if at >= len(messages) or messages[at]["role"] != "assistant":
        return None
    digests = {b["digest"] for b in one["blocks"]} & {block_digest(b) for b in blocks_of(messages[at])}
    return at if digests or keys & keys_of(messages[at]) else None


def match(seals, messages):
    """The groups by their first message, and the numbers of seals that match nothing."""
    turns, groups, unmatched, seen = turns_of(messages), [], [], set()
    for number, entry in enumerate(seals):
        if entry["seal"]["turn"] in seen:
            continue
        seen.add(entry["seal"]["turn"])
        home = home_of(entry, messages)
        if home is None:
            unmatched.append(number)
            continue
        keys = seal_keys(entry["seal"])
        of_it = {home} | {i for i, m in enumerate(messages) if i > home and turns[i] == turns[home]
                          and m["role"] == "assistant" and keys & keys_of(m)}
        for other in [g for g in groups if g.messages & of_it]:
            groups.remove(other)
            of_it |= other.messages
            number = [number] if isinstance(number, int) else number
            number = other.seals + number
        groups.append(Group(of_it, number if isinstance(number, list) else [number]))
    for group in groups:
        group.messages, group.seals = sorted(group.messages), sorted(group.seals)
    return sorted(groups, key=lambda g: g.messages[0]), unmatched


# -- C.3: V1 to V7, and what is dead -------------------------------------------------------------

class Comparison:
    """Compares the blocks of a group with those of its seals."""

    def __init__(self, group, seals, messages):
        self.places = [(m, k) for m in group.messages for k in range(len(blocks_of(messages[m])))]
        self.there = [blocks_of(messages[m])[k] for m, k in self.places]
        self.sealed = [b for s in group.seals for b in seals[s]["seal"]["blocks"]]
        known = {b["digest"] for b in self.sealed}
        free = list(range(len(self.sealed)))
        self.which = []  # by block there: the sealed one that it is
        self.known = []  # by block there: a sealed one has its digest
        for block in self.there:
            d = block_digest(block)
            if d not in known and block["type"] == "thinking":
                d = block_digest({**block, "thinking": ""}) if "thinking" in block else d
            self.known.append(d in known)
            found = next((i for i in free if self.sealed[i]["digest"] == d), None)
            if found is not None:
                free.remove(found)
            self.which.append(found)
        self.absent = [self.sealed[i] for i in free]
        self.added = [b for b, w in zip(self.there, self.which) if w is None]

    def verdict(self):
        if self.which == list(range(len(self.sealed))):
            return "intact"
        if not self.added and not self.absent:
            return "reordered"
        sealed_ids = {b["id"] for b in self.sealed if "id" in b}
        ids = {b["id"] for b in self.there if b["type"] in CALLS}
        if sealed_ids - ids:
            return "missing_tool_use"
        if ids - sealed_ids or not self.absent:
            return "foreign_block"
        if not self.added and all(b["type"] in THINKING for b in self.absent):
            return "missing_thinking"
        return "altered"

    def is_edited(self, i):
        """Dead (1)."""
        block = self.there[i]
        if self.known[i] or not signature_of(block):
            return False
        me = seal_block(block)
        return (me["opaque"] in {b.get("opaque") for b in self.sealed}
                or me.get("text") in {b["text"] for b in self.absent if "text" in b}
                or block["type"] == "redacted_thinking" and any(b["type"] == "redacted_thinking" for b in self.absent))

    def is_misplaced(self, i):
        """Dead (2), (3), (4)."""
        if not signature_of(self.there[i]):
            return False
        if any("opaque" in b for b in self.absent):
            return True
        mine = self.which[i]
        if mine is None:
            return False
        if any(w is not None and ((k > i) != (w > mine)) for k, w in enumerate(self.which) if k != i):
            return True
        before = self.which[i - 1] if i else None
        if before is None or not signature_of(self.there[i - 1]):
            return False
        low, high = sorted((before, mine))
        return any(b["type"] == "tool_use" for b in self.sealed[low:high])

    def in_order(self):
        """True if all blocks are sealed and in their order; `(interrupted)` at the end is ignored."""
        which = self.which[:-1] if self.interrupted() else self.which
        return None not in which and which == sorted(which)

    def interrupted(self):
        """The text at the end that repair adds, if it is there and not sealed."""
        last = self.there[-1] if self.there and self.which[-1] is None else {}
        return last if last.get("type") == "text" and last.get("text") == "(interrupted)" else None

    def judge(self, group, latest):
        group.verdict = self.verdict()
        if group.verdict == "intact":
            return
        dead = [i for i in range(len(self.there)) if self.is_edited(i) or (latest and self.is_misplaced(i))]
        different = [i for i, w in enumerate(self.which) if w != i]
        group.dead = bool(dead)
        first = (dead or different)[:1]
        group.blamed = self.places[first[0]] if first else (group.messages[0], None)


def judge(seals, messages):
    """match(), with verdicts."""
    groups, unmatched = match(seals, messages)
    turns, newest = turns_of(messages), newest_turn(messages)
    for group in groups:
        group.comparison = Comparison(group, seals, messages)
        group.comparison.judge(group, turns[group.messages[0]] == newest)
    return groups, unmatched


def verdicts(seals, messages):
    """The result's member of that name."""
    groups, unmatched = judge(seals, messages)
    rows = {g.messages[0]: {"message_index": g.messages[0], "seals": g.seals, "verdict": g.verdict, "dead": g.dead}
            for g in groups}
    covered = {m for g in groups for m in g.messages}
    for i, m in enumerate(messages):
        if i not in covered and m["role"] == "assistant" and any(b["type"] in THINKING for b in blocks_of(m)):
            rows[i] = {"message_index": i, "seals": [], "verdict": "unknown", "dead": False}
    return [rows[i] for i in sorted(rows)] + [
        {"message_index": None, "seals": [s], "verdict": "unknown", "dead": False} for s in unmatched]


# -- C.6 -----------------------------------------------------------------------------------------

def differs(given, body, at, whole):
    """True if the content before message `at` differs from the seal's prefix."""
    messages = body["messages"][:at]
    now = messages_digest(messages)
    if whole and "system" in given and given["system"] != system_digest(body):
        return True
    if whole and "tools" in given and given["tools"] != tools_digest(body, messages):
        return True
    then = given.get("messages", INDETERMINATE)
    return INDETERMINATE not in (now, then) and now != then


def mismatches(seals, body, whole):
    """The first messages of groups that are bound to another conversation and hold thinking.

    A prefix that fits clears what it lists, also if its own message holds no thinking."""
    found, cleared = [], set()
    for group in match(seals, body["messages"])[0]:
        given = seals[group.seals[0]]["seal"].get("prefix")
        message = body["messages"][group.messages[0]]
        if not given or len(group.messages) > 1:
            continue
        if not differs(given, body, group.messages[0], whole):
            cleared |= set(given["thinking"])
        elif any(b["type"] in THINKING for b in blocks_of(message)):
            found.append(group.messages[0])
    return [m for m in found if not cleared & {
        opaque_digest(b) for b in blocks_of(body["messages"][m]) if signature_of(b)}]
