# SPDX-License-Identifier: Apache-2.0
"""Compares what a provider says when it refuses a request with what the catalogue expects it to say.

A row's `provider_error` is a template: {name} stands for any text of at least one character, "..." for any text. The
template may be a part of the provider's text. Runs of white space count as one space, for texts are wrapped differently.
"""
import re

OPEN = re.compile(r"\{\w+\}|\.\.\.")
LONGEST = 300  # characters of a provider's text in a report

# Texts about the request's surroundings, not about its history: (pattern, what is wrong).
SURROUNDINGS = [
    (r"model.{0,80}(not exist|not found|not supported)|model_not_found|^model:|unknown model|invalid model|"
     r"does not have access to (the )?model", "the model isn't known to the endpoint, or not allowed"),
    (r"credit balance|insufficient_quota|exceeded your current quota|billing", "the account has no credit"),
    (r"unexpected value\(s\).{0,200}anthropic-beta", "a beta value isn't known to the endpoint, or not allowed"),
    (r"must be verified", "the account isn't verified for this model"),
    (r"'?max_(completion_|output_)?tokens'?.{0,80}(not supported|below the minimum|unsupported)|"
     r"unsupported parameter: 'max_", "the endpoint doesn't take the limit of tokens that was sent"),
]

# A refusal that comes after the request was taken: the model began to answer and the limit of one token was too low.
TAKEN = re.compile(r"max_tokens or model output limit was reached", re.I)


def one_line(text):
    return " ".join(text.split())


def pattern(template):
    pieces, end = [], 0
    template = one_line(template)
    for hole in OPEN.finditer(template):
        pieces += [re.escape(template[end:hole.start()]), ".*" if hole[0] == "..." else ".+?"]
        end = hole.end()
    return re.compile("".join(pieces + [re.escape(template[end:])]), re.S)


def fits(template, text):
    """Returns True if the provider's text contains the template's words."""
    return bool(template) and bool(pattern(template).search(one_line(text)))


def rules_of(rows, provider, text):
    """Returns the codes of the provider's rows whose words the text contains, in the order of the catalogue."""
    return [row["code"] for row in rows if row["provider"] == provider and fits(row["provider_error"], text)]


def surroundings(text):
    """Returns what is wrong with the request's surroundings; None if the text doesn't speak of them."""
    for words, why in SURROUNDINGS:
        if re.search(words, one_line(text), re.I):
            return why
    return None


def was_taken(text):
    return bool(TAKEN.search(text))


def shown(text):
    """Returns the text as a report shows it: on one line, and cut."""
    text = one_line(text)
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."
