# SPDX-License-Identifier: Apache-2.0
"""Refusals as providers, SDKs and gateways word them: the catalogue's templates with drawn values, passed on in drawn ways."""
import json
import os
import re
import textwrap

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SLOT = re.compile(r"\{([a-z_]+)\}")
INDEXES = {"message", "part", "call", "index"}
NUMBERS = INDEXES | {"n", "count", "size", "column", "offset", "length"}
IN_THEIR_PLACE = ("N", "X", "I", "j", "<n>", "<index>", "{i}", "*", "***")
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
QUOTES = "`'\"\u2018\u2019"
WORDS = ("the apple river window seven copper lantern please orbit maple violet drum harbour quick sand candle north "
         "garden ladder marble pepper bridge ticket cotton whistle engine paper island").split()


def templates():
    """Every rule of the catalogue whose words are known, once for each of its wordings, which is its member `words`."""
    with open(os.path.join(TOP, "src", "catalogue", "catalogue.json"), encoding="utf-8") as f:
        rules = [rule for rule in json.load(f)["rules"] if rule["provider_error"]]
    return [{**rule, "words": words} for rule in rules for words in rule.get("provider_errors", [rule["provider_error"]])]


def value(rng, slot):
    if slot in NUMBERS:
        return str(rng.choice((0, 1, 7, 12, 345, 99999)))
    return "q" + "".join(rng.choice(LETTERS) for _ in range(rng.randrange(1, 40)))


def fill(rng, template, hides=False):
    """The words with drawn values. Returns them and the first value of each slot. hides: with what reports write in the
    place of an index."""
    values = {}

    def drawn(slot):
        new = rng.choice(IN_THEIR_PLACE) if hides and slot[1] in INDEXES else value(rng, slot[1])
        values.setdefault(slot[1], new)
        return new
    return SLOT.sub(drawn, template), values


def prose(rng, count):
    return " ".join(rng.choice(WORDS) for _ in range(count))


# Ways in which words reach a person. Each keeps the words.

def body(rng, words):
    return json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": words},
                       "request_id": "req_" + prose(rng, 1)})


def indented(rng, words):
    return json.dumps({"error": {"message": words, "type": "invalid_request_error", "param": None}}, indent=2)


def exception(rng, words):
    """As the SDKs for Python print it."""
    return "Error code: 400 - %r" % {"type": "error", "error": {"message": words}}


def gateway(rng, words):
    """A body inside the text of another body."""
    return json.dumps({"error": {"message": "Provider returned error", "metadata": {"raw": body(rng, words)}}})


def validation_exception(rng, words):
    return ("An error occurred (ValidationException) when calling the InvokeModel operation: " + words)


def requoted(rng, words):
    return re.sub("[`'\"]", lambda _: rng.choice(QUOTES), words)


def unquoted(rng, words):
    return re.sub("\\\\*[`'\"]", "", words)


def spaced(rng, words):
    return re.sub(" ", lambda _: rng.choice((" ", "  ", "\n", "\t", " \r\n ")), words)



def framed(rng, words):
    """As a terminal draws it in a box. No word is cut."""
    lines = textwrap.wrap(words, 50, break_long_words=False, break_on_hyphens=False)
    return "\u256d" + "\u2500" * 52 + "\u256e\n" + "\n".join("\u2502 %-50s \u2502" % line for line in lines) + "\n\u2570"


def full_width(rng, words):
    return "".join(chr(ord(c) - 0x20 + 0xFF00) if c in "[]{}(),:;!?" else c for c in words)


def coloured(rng, words):
    return "\x1b[31mError:\x1b[0m " + words.replace(" ", " \x1b[1m", 1) + "\x1b[0m"


def escaped(rng, words):
    if "\\" in words:  # the letter of another escape
        return words
    return "".join("\\u%04x" % ord(c) if rng.random() < 0.2 else c for c in words)


def without_stop(rng, words):
    return words.rstrip(".")


def logged(rng, words):
    """The repr of a string in the text of an exception, in a line of a log."""
    return "2026-01-02 03:04:05,678 ERROR worker.py:12 BadRequestError(%r)" % json.dumps({"detail": words})


def followed(rng, words):
    return "%s%s %s" % (words, "" if words.endswith(".") else ".", prose(rng, 8))


def preceded(rng, words):
    return "%s: %s" % (prose(rng, 4), words)


WAYS = (body, indented, exception, gateway, validation_exception, requoted, unquoted, spaced, followed, preceded, framed, full_width,
        coloured, escaped, without_stop, logged)
ONCE = (full_width, coloured)  # which change what another way wrote, not only the words

# Refusals that are no rule's, and none of the catalogue's.
OTHER_REFUSALS = (
    "Your credit balance is too low to access the API. Please go to Plans & Billing to upgrade or purchase credits.",
    "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
    "Overloaded",
    "model: claude-unknown",
    "Incorrect API key provided: sk-abc. You can find your API key at https://platform.openai.com/account/api-keys.",
    "The model `gpt-unknown` does not exist or you do not have access to it.",
    "max_tokens: Field required",
    "body.name: Field required",
    "metadata.user_id: Extra inputs are not permitted",
    "items.0.id: String should match pattern '^[a-z]+$'",
    "Unable to parse request body",
    "Internal server error",
)
PART = re.compile(r"^messages\.\{message\}\.content\.\{part\}")
MESSAGE = re.compile(r"^messages\.\{message\}|'(messages|input)\[\{message\}\]")


def points_at_a_part(rule):
    return PART.match(rule["words"]) is not None


def points_at_a_message(rule):
    return MESSAGE.search(rule["words"]) is not None
