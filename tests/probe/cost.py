# SPDX-License-Identifier: Apache-2.0
"""The price of requests, about, by prices.json, and the budget that they may not exceed.

A model is priced by the longest name in the table that its own begins with, and by the dearest one if none fits. Prices change: the
table has its date, and the sum that is told says so.
"""
import json
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
BYTES_OF_A_TOKEN = 3
TOKENS_OF_AN_IMAGE = 1600
IMAGE = re.compile(rb'"[A-Za-z0-9+/]{64,}={0,2}"|"data:image/[^"]*"')


def table():
    with open(os.path.join(HERE, "prices.json"), encoding="utf-8") as text:
        return json.load(text)


def row_of(model):
    models = table()["models"]
    names = [name for name in models if model.startswith(name)]
    return models[max(names, key=len)] if names else max(models.values())


def price(model):
    """Returns the prices of a million tokens in and of a million out, in USD."""
    return tuple(row_of(model)[:2])


def tokens_in(text):
    """Returns about how many tokens a body has. An image counts as one, whatever its size in bytes."""
    rest, images = IMAGE.subn(b"", text)
    return len(rest) // BYTES_OF_A_TOKEN + images * TOKENS_OF_AN_IMAGE + 1


def at_most(asked):
    """Returns the USD that the request costs if it is taken and answered in full length. None is taken that is longer than the
    model's context."""
    per_in, per_out = price(asked.model)
    return (min(tokens_in(asked.text), row_of(asked.model)[2]) * per_in + asked.most_tokens_out() * per_out) / 1e6


def charged(asked, answer):
    """Returns the USD that an answer with `usage` cost; what the request costs at most if it has none."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    counts = [(usage or {}).get(name) for name in ("input_tokens", "output_tokens")]
    if None in counts:
        counts = [(usage or {}).get(name) for name in ("prompt_tokens", "completion_tokens")]
    if not all(isinstance(count, int) for count in counts):
        return at_most(asked)
    return sum(count * each for count, each in zip(counts, price(asked.model))) / 1e6


class UsedUp(Exception):
    """The next request could exceed the budget."""


class Budget:
    def __init__(self, dollars):
        self.dollars, self.spent = dollars, 0.0

    def reserve(self, asked):
        if self.spent + at_most(asked) > self.dollars:
            raise UsedUp()
