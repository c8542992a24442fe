# SPDX-License-Identifier: Apache-2.0
"""A model of PROVIDERS.md 1 and 2: what the rules of both APIs of OpenAI share.

    findings("openai-chat", params) -> [(code, severity, message index, part index), ...]

in report order, for the parameters of `validate`, or of `repair_turn`. Written from the text of the rules, to be
slow and plain; the daemon must agree.
"""
import base64
import binascii
import json

import catalogue_rows

PLACE = {code: place for place, code in enumerate(catalogue_rows.ORDER)}
SEVERITY = {row["code"]: row["severity"] for row in catalogue_rows.ROWS}
LISTS = {"openai-chat": "messages", "openai-responses": "input"}
MISTRAL = ("mistral", "mixtral", "ministral", "codestral", "devstral", "magistral", "pixtral", "voxtral")
DEEPSEEK = ("deepseek",)
GEMMA = ("gemma",)
QWEN = ("qwen3.", "qwen-3.")
REASONERS = ("deepseek-reasoner", "deepseek-v4", "mimo", "kimi-k2.5", "kimi-k2.6", "kimi-k2-thinking")
OLD_O1 = ("o1-mini", "o1-preview")
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200b)))
TOOLS = 128  # as many tools, and calls of one message
SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")


class Subject:
    """The list that is judged, the rest of the body if it was sent, and for whom."""

    def __init__(self, provider, params):
        self.body = params.get("request")
        self.turn = "content" in params
        name = LISTS[provider]
        if self.body is not None:
            self.list = self.body.get(name)
        else:
            self.list = params["content" if self.turn else "messages"]
        self.name = name
        target = params.get("target") or {}
        self.endpoint = target.get("endpoint") or "openai"
        model = target.get("model") or self.member("model")
        self.model = model.lower() if isinstance(model, str) else ""
        self.server = target.get("server")
        self.found = {}

    @property
    def compatible(self):
        return self.endpoint == "compatible"

    @property
    def openai(self):
        return not self.compatible

    def member(self, name):
        """A member of the body; None for a list alone."""
        return self.body.get(name) if self.body is not None else None

    def named(self, words):
        """True if the model's name holds one of the words, or the server serves its maker's models alone."""
        return any(word in self.model for word in words) or {"mistral": MISTRAL, "deepseek": DEEPSEEK}.get(
            self.server) is words

    def blame(self, code, message=None, part=None, severity=None, place=0):
        key = (-1 if message is None else message, -1 if part is None else part, PLACE[code], code, place)
        self.found.setdefault(key, (code, severity or SEVERITY[code], message, part))

    def report(self):
        return [self.found[key] for key in sorted(self.found)]


def is_text(value):
    """A string that isn't empty."""
    return isinstance(value, str) and value != ""


def same(one, other):
    """Equal: the same members in the same order, spelled the same."""
    return json.dumps(one) == json.dumps(other)


def is_object_text(text):
    """True for the text of a JSON object."""
    def refuse(word):
        raise ValueError(word)

    try:
        return isinstance(json.loads(text, parse_constant=refuse), dict)
    except (ValueError, RecursionError):
        return False


def content_parts(message):
    """[(index, part)] of a message's content; string content is one part."""
    content = message.get("content")
    if is_text(content):
        return [(0, {"type": "text", "text": content})]
    return list(enumerate(content)) if isinstance(content, list) else []


def is_readable_image(url):
    """True for a data URL that can be decoded."""
    try:
        return base64.b64decode(url.partition(",")[2].encode("ascii"), validate=True) is not None and url.partition(
            ",")[0].endswith(";base64")
    except (binascii.Error, UnicodeEncodeError):
        return False


def is_bad_image(url):
    """True for a data URL that isn't base64 or begins with no known signature of an image."""
    if not isinstance(url, str) or not url.startswith("data:"):
        return False
    head, _, data = url.partition(",")
    if not head.endswith(";base64"):
        return True
    try:
        raw = base64.b64decode(data.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        return True
    return not (raw.startswith(SIGNATURES) or raw[:4] == b"RIFF" and raw[8:12] == b"WEBP")


def has_lone(value):
    """True if a string in the value, a name of a member too, holds a lone surrogate."""
    if isinstance(value, str):
        return any("\ud800" <= c <= "\udfff" for c in value)
    if isinstance(value, dict):
        return any(has_lone(k) or has_lone(v) for k, v in value.items())
    return isinstance(value, list) and any(map(has_lone, value))


def lone_surrogates(subject, parts_of):
    """parts_of: [(index, part)] of an element of the list, and the element without them."""
    for n, element in enumerate(subject.list if isinstance(subject.list, list) else []):
        parts, rest = parts_of(element)
        for k, part in parts:
            if has_lone(part):
                subject.blame("body_lone_surrogate", n, k)
        if has_lone(rest):
            subject.blame("body_lone_surrogate", n)
    if isinstance(subject.list, str) and has_lone(subject.list):
        subject.blame("body_lone_surrogate", 0, 0)
    if subject.body is not None and has_lone({k: v for k, v in subject.body.items() if k != subject.name}):
        subject.blame("body_lone_surrogate")


def tool_limits(subject, code, name_of, longest):
    tools = subject.member("tools")
    if not subject.openai or not isinstance(tools, list):
        return
    names = [name_of(tool) for tool in tools if isinstance(tool, dict)]
    if len(tools) > TOOLS or any(isinstance(name, str) and len(name) > longest for name in names):
        subject.blame(code)


def findings(provider, params):
    import model_chat
    import model_responses
    subject = Subject(provider, params)
    {"openai-chat": model_chat, "openai-responses": model_responses}[provider].judge(subject)
    return subject.report()


def errors(provider, params):
    return [found for found in findings(provider, params) if found[1] == "error"]
