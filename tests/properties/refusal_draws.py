# SPDX-License-Identifier: Apache-2.0
"""Refusals as providers, SDKs and gateways word them: the catalogue's templates with drawn values, passed on in drawn ways."""
import json
import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SLOT = re.compile(r"\{([a-z_]+)\}")
NUMBERS = {"message", "part", "n", "call", "index", "count", "size", "column", "offset", "length"}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
QUOTES = "`'\"\u2018\u2019"
WORDS = ("the apple river window seven copper lantern please orbit maple violet drum harbour quick sand candle north "
         "garden ladder marble pepper bridge ticket cotton whistle engine paper island").split()


def templates():
    """Every rule of the catalogue whose words are known."""
    with open(os.path.join(TOP, "src", "rules", "catalogue", "catalogue.json"), encoding="utf-8") as f:
        return [rule for rule in json.load(f)["rules"] if rule["provider_error"]]


def value(rng, slot):
    if slot in NUMBERS:
        return str(rng.choice((0, 1, 7, 12, 345, 99999)))
    return "q" + "".join(rng.choice(LETTERS) for _ in range(rng.randrange(1, 40)))


def fill(rng, template):
    """The words with drawn values. Returns them and the first value of each slot."""
    values = {}

    def drawn(slot):
        new = value(rng, slot[1])
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
    return re.sub("[`'\"]", "", words)


def spaced(rng, words):
    return re.sub(" ", lambda _: rng.choice((" ", "  ", "\n", "\t", " \r\n ")), words)



def followed(rng, words):
    return "%s%s %s" % (words, "" if words.endswith(".") else ".", prose(rng, 8))


def preceded(rng, words):
    return "%s: %s" % (prose(rng, 4), words)


WAYS = (body, indented, exception, gateway, validation_exception, requoted, unquoted, spaced, followed, preceded)

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
    return PART.match(rule["provider_error"]) is not None


def points_at_a_message(rule):
    return MESSAGE.search(rule["provider_error"]) is not None
