# SPDX-License-Identifier: Apache-2.0
"""Random conversations with OpenAI's two APIs: a valid one, then any number of faults, as a list or a whole body.

    case = draw("seed", 7)      the same at every run; case.params() are the parameters of its method
"""
import json
import random

import chat_draws
import item_draws
import model_openai

DRAWS = {"openai-chat": chat_draws, "openai-responses": item_draws}
MODELS = ["gpt-5", "o1-mini", "o1-preview-2024", "mistral-large", "devstral-small", "gemma-3-27b-it", "Qwen3.6-27B",
          "deepseek-chat", "DeepSeek-V4", "deepseek-reasoner", "kimi-k2.5", "llama-3.3-70b", None]
SERVERS = ["deepseek", "groq", "mistral", "moonshot", "openrouter", "vllm", "xai"]
ENDPOINTS = [None, "openai", "azure", "compatible", "compatible"]
KEYS = {
    "unanswered_call": ["insert_result", "report"],
    "unmatched_result": ["textify", "report"],
    "duplicate_id": ["textify", "keep_first", "report"],
    "mark_text": [True, False],
    "merge_adjacent": ["never", "touched", "all"],
    "item_ids": ["keep", "strip"],
    "blank_text": ["drop", "report"],
    "unsigned_thinking": ["demote", "drop"],
}
FAULTS = [0, 1, 1, 2, 2, 3, 3, 4, 6, 8]


class Words:
    """Texts that a person or a model wrote: all different, so that each can be looked for."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1
        return "word%03dx" % self.count


class Case:
    """A list of messages or items, the rest of the body if there is one, and how it is judged."""

    def __init__(self, provider, items, body=None, target=None, policy=None, turn=False, tail=()):
        self.provider, self.items, self.body = provider, items, body
        self.target, self.policy, self.turn, self.tail = target, policy, turn, list(tail)

    def but(self, **changes):
        members = {k: v for k, v in vars(self).items() if k in (
            "provider", "items", "body", "target", "policy", "turn", "tail")}
        return Case(**{**members, **changes})

    @property
    def list(self):
        return model_openai.LISTS[self.provider]

    @property
    def pointer(self):
        return "/content" if self.turn else "/" + self.list

    @property
    def method(self):
        return "repair_turn" if self.turn else "repair"

    def params(self, items=None, **more):
        items = self.items if items is None else items
        params = {"provider": self.provider}
        if self.turn:
            params["content"] = items
        elif self.body is not None:
            params["request"] = dict(self.body, **{self.list: items})
        else:
            params["messages"] = items
        for name in ("target", "policy"):
            if getattr(self, name) is not None:
                params[name] = getattr(self, name)
        return {**params, **more}

    def findings(self, items=None):
        return model_openai.findings(self.provider, self.params(items))

    def describe(self):
        return json.dumps(self.params()) + ("\nappended: " + json.dumps(self.tail) if self.tail else "")


def policy(rng):
    if rng.random() < 0.3:
        return None
    base = rng.choice(["conservative", "preserve"])
    if rng.random() < 0.3:
        return base
    chosen = rng.sample(sorted(KEYS), rng.choice([0, 1, 1, 2, 3]))
    return {"base": base, **{key: rng.choice(KEYS[key]) for key in chosen}}


def target(rng):
    chosen = {"endpoint": rng.choice(ENDPOINTS), "model": rng.choice(MODELS)}
    chosen = {name: value for name, value in chosen.items() if value}
    if chosen.get("endpoint") == "compatible" and rng.random() < 0.4:
        chosen["server"] = rng.choice(SERVERS)
    return chosen if chosen and rng.random() < 0.8 else None


def draw(seed, number, provider=None):
    """Case `number` of a seed."""
    rng = random.Random("%s/%d" % (seed, number))
    provider = provider or rng.choice(sorted(DRAWS))
    draws, words = DRAWS[provider], Words()
    items = draws.conversation(rng, words)
    for _ in range(rng.choice(FAULTS)):
        rng.choice(draws.FAULTS)(rng, items, words)
    if rng.random() < 0.01:
        items = []
    if provider == "openai-chat":
        draws.fill_holes(items)
    body = None
    turn = number % 7 == 6
    if not turn and rng.random() < 0.5:
        body = draws.body(rng)
        if rng.random() < 0.5:
            body["model"] = rng.choice(MODELS[:-1])
    if turn:
        start = rng.randrange(len(items) + 1)
        items = items[start:start + rng.choice([1, 2, 3, 5])]
    tail = draws.conversation(rng, words) if rng.random() < 0.4 and not turn else []
    return Case(provider, items, body, target(rng), policy(rng), turn, tail)
