# SPDX-License-Identifier: Apache-2.0
"""Asks the local provider of the clients' tests (clients/python/tests/openai_api.py) whether it takes a list.

It sees what a live server sees: a body with a model, on a path that says whose rules apply. So it is asked without
HTTP, and answers with the text that it refuses the body with.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(os.path.dirname(HERE)), "clients", "python", "tests"))

import openai_api  # noqa: E402

HEADS = {"openai": "/v1", "azure": "/openai/v1", "compatible": "/compatible/v1"}
PATHS = {"openai-chat": "/chat/completions", "openai-responses": "/responses"}


def body_of(case, items):
    """The body that a client would send: a list alone gets no members besides the model."""
    target = case.target or {}
    body = dict(case.body or {}, **{case.list: items})
    body["model"] = target.get("model") or body.get("model") or "gpt-5"
    return body


def refusal(case, items):
    """Returns the text of the refusal, None if the items are taken. `case` is one of openai_draws.py."""
    target = case.target or {}
    head = HEADS[target.get("endpoint", "openai")]
    if target.get("server"):
        head = head.replace("/compatible", "/compatible/" + target["server"])
    try:
        openai_api.check(openai_api.route(head + PATHS[case.provider]), body_of(case, items), {})
    except openai_api.Refusal as why:
        return str(why)
    return None
