# SPDX-License-Identifier: Apache-2.0
"""The verdict on a rule, from the answers to its example and to its sound neighbour.

| example | neighbour | outcome |
|---|---|---|
| refused with the rule's words | taken | confirmed |
| refused, and no words are known | taken | confirmed |
| refused with other words | taken | wording changed |
| taken | taken | contradicted; not testable for a warning, which says that an endpoint may refuse it |
| any | refused with the rule's words | contradicted |
| refused with the same words as the neighbour | refused | not testable: something else is wrong with both |
| any | refused with other words | contradicted: what is called sound isn't |

An answer about the request's surroundings (an unknown model) and one that doesn't come make a rule not testable. For a row that says that
the example is taken, `taken` and `refused` of the example change places.
"""
import words

CONFIRMED, CONTRADICTED, WORDING, NOT_TESTABLE = "confirmed", "contradicted", "wording changed", "not testable"
OUTCOMES = (CONTRADICTED, WORDING, CONFIRMED, NOT_TESTABLE)


class Verdict:
    """outcome: one of OUTCOMES; why: a sentence, or ""; said: the provider's words; by: the call that was asked, or ""."""

    def __init__(self, outcome, why="", said="", by=""):
        self.outcome, self.why, self.said, self.by = outcome, why, words.shown(said), by


def verdict(plan, example, neighbour, rows):
    """Returns the Verdict on plan.row. example, neighbour: Answers (endpoint.py); rows: the catalogue's."""
    row = plan.row
    for name, answer in (("example", example), ("neighbour", neighbour)):
        why = unanswered(row, answer)
        if why:
            return Verdict(NOT_TESTABLE, "the %s got no judgement: %s" % (name, why), answer.text)
    if neighbour.kind == "refused":
        return of_refused_neighbour(row, example, neighbour)
    if plan.accepted:
        return of_accepted_row(example)
    return of_taken_neighbour(row, example, rows)


def unanswered(row, answer):
    """Returns why the answer says nothing about the history; None if it does."""
    if answer.kind == "failed":
        return answer.text
    if answer.kind == "refused" and not words.fits(row["provider_error"], answer.text):
        return words.surroundings(answer.text)
    return None


def of_refused_neighbour(row, example, neighbour):
    if words.fits(row["provider_error"], neighbour.text):
        return Verdict(CONTRADICTED, "its sound neighbour is refused with the rule's words", neighbour.text)
    if example.kind == "refused" and example.text == neighbour.text:
        return Verdict(NOT_TESTABLE, "example and neighbour are refused with the same words", neighbour.text)
    return Verdict(CONTRADICTED, "its sound neighbour is refused", neighbour.text)


def of_accepted_row(example):
    if example.kind == "taken":
        return Verdict(CONFIRMED)
    return Verdict(CONTRADICTED, "the example is refused", example.text)


def of_taken_neighbour(row, example, rows):
    if example.kind == "taken":
        if row["severity"] == "warning":
            return Verdict(NOT_TESTABLE, "a warning: this endpoint takes the example, others may refuse it")
        return Verdict(CONTRADICTED, "the example is taken")
    if not row["provider_error"]:
        return Verdict(CONFIRMED, "no words are known", example.text)
    if words.fits(row["provider_error"], example.text):
        return Verdict(CONFIRMED)
    others = words.rules_of(rows, row["provider"], example.text)
    return Verdict(WORDING, "the words of " + ", ".join(others) if others else "", example.text)
