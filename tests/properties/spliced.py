# SPDX-License-Identifier: Apache-2.0
"""A law of `return: "splices"` (PROTOCOL.md 5.2), for every method and whatever was sent.

The changes are applied to the bytes as sent by a few lines that know nothing of JSON, and compared with what the
method answers in its other forms.
"""
import json

from wire import RUNNER

WHOLE = {"repair": "messages", "repair_turn": "content", "splice": "messages", "tools": "tools", "prepare": "request"}
# The parameters whose bytes the changes are about, the body first.
SOURCES = ("request", "messages", "history", "content", "tools")
FORMS = ("patch", "splices", "request", "messages", "content", "tools")
_scan = json.JSONDecoder().raw_decode
_WHITE = " \t\r\n"


class Wrong(Exception):
    """The fault of an answer."""


def _skip(text, at):
    while text[at] in _WHITE:
        at += 1
    return at


def _members(text, at):
    """Yields (key, start, end) of the values of the object that begins at `at`."""
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, at = _scan(text, at)
        start = _skip(text, _skip(text, at) + 1)
        end = _scan(text, start)[1]
        yield key, start, end
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def member(text, *path):
    """(start, end) of a member of a member ... of an object, as offsets into its text; None if there is none."""
    at, end = _skip(text, 0), len(text)
    for name in path:
        found = [(start, stop) for key, start, stop in _members(text, at) if key == name]
        if not found:
            return None
        at, end = found[0]
    return at, end


def text_of(text, *path):
    place = member(text, *path)
    return None if place is None else text[place[0]:place[1]]


def to_bytes(text):
    return text.encode("utf-8", "surrogatepass")


def applied(sent, splices):
    """The bytes after the changes, in one pass."""
    pieces, at = [], 0
    for offset, length, text in splices:
        if offset < at or length < 0 or offset + length > len(sent):
            raise Wrong("a change of %d bytes at %d, after %d of %d" % (length, offset, at, len(sent)))
        old, new = sent[offset:offset + length], to_bytes(text)
        if old == new or (old and new and told_in_vain(old.decode("utf-8", "surrogatepass"), text)):
            raise Wrong("a change of %r to %r" % (old, new))
        pieces += [sent[at:offset], new]
        at = offset + length
    return b"".join(pieces + [sent[at:]])


def told_in_vain(old, new):
    """True if both begin or end with the same character."""
    return old[0] == new[0] or old[-1] == new[-1]


def with_form(params_text, form):
    """The parameters with another `return`."""
    place = member(params_text, "return")
    if place:
        return params_text[:place[0]] + json.dumps(form) + params_text[place[1]:]
    end = params_text.rindex("}")
    comma = "," if json.loads(params_text) else ""
    return '%s%s"return":%s}' % (params_text[:end], comma, json.dumps(form))


def _expected(method, params_text, source, whole_text):
    """The text that the other form makes of the source; None if that form doesn't say all."""
    sent = text_of(params_text, source)
    if method == "prepare" or source != "request":
        return whole_text
    params = json.loads(params_text)
    place = member(sent, "tools" if method == "tools" else RUNNER.member(params, "messages"))
    return place and sent[:place[0]] + whole_text + sent[place[1]:]


def _value_of_patch(params, source, patch):
    """The source after the patch; without a body the patch is that of a body with the list alone."""
    if source == "request":
        return RUNNER.patch(params["request"], patch)
    name = {"history": "messages", "messages": RUNNER.member(params, "messages")}.get(source, source)
    return RUNNER.patch({name: params[source]}, patch)[name]


def law(ask, method, params_text):
    """The changes give what the other forms of the answer give; None if they do, else a sentence.

    ask(form) gives the method's Answer (wire.py) to these parameters with that `return`.
    """
    params = json.loads(params_text)
    source = next(name for name in SOURCES if name in params)
    texts = {form: ask(form).raw.decode("utf-8", "surrogatepass") for form in ("splices", WHOLE[method], "patch")}
    answers = {form: json.loads(text) for form, text in texts.items()}
    rest = [_rest(a) for a in answers.values()]
    if not rest[0] == rest[1] == rest[2]:
        return "the forms answer %s" % json.dumps(rest)[:2000]
    if "error" in answers["splices"]:
        return None
    try:
        return _compared(method, params_text, source, texts, answers)
    except Wrong as wrong:
        return str(wrong)


def _rest(answer):
    """An answer without what its form decides. Settings are in a form for a whole body, if the body was sent."""
    if "error" in answer:
        return answer["error"].get("data")
    return {k: v for k, v in answer["result"].items() if k not in FORMS}


def _compared(method, params_text, source, texts, answers):
    result, form = answers["splices"]["result"], WHOLE[method]
    if "splices" in result and (not result["splices"] or result.get("changed") is False):
        return "splices %s, changed %s" % (result["splices"], result.get("changed"))
    sent = to_bytes(text_of(params_text, source))
    got = applied(sent, result.get("splices", []))
    after = json.loads(got.decode("utf-8", "surrogatepass"))
    params, patch = json.loads(params_text), answers["patch"]["result"]["patch"]
    if after != _value_of_patch(params, source, patch):
        return "the splices %s give %s, the patch is %s" % (result.get("splices"), got[:2000], json.dumps(patch)[:2000])
    whole = text_of(texts[form], "result", form)
    elsewhere = method in ("splice", "tools") and source == "request"
    if whole is None or (elsewhere and not _one_member(method, params, patch)):
        return None
    want = _expected(method, params_text, source, whole)
    if want is not None and got != to_bytes(want) and patch:
        return "the splices %s give %s, return: %s %s" % (result.get("splices"), got[:2000], form, want[:2000])
    return None


def _one_member(method, params, patch):
    """True if the patch changes only the member that the other form sends."""
    name = "/tools" if method == "tools" else "/" + RUNNER.member(params, "messages")
    return all(op["path"].startswith(name) for op in patch)
