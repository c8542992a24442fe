# SPDX-License-Identifier: Apache-2.0
"""One request as it is sent, and as turnkeeper judges it."""
import json

ROOT = {"anthropic": "messages", "openai-chat": "messages", "openai-responses": "input"}
OWN_ENDPOINT = {"anthropic": "anthropic", "openai-chat": "openai", "openai-responses": "openai"}

# The cheapest models that were sold when prices.json was written. Reasoning of Responses needs a model that reasons.
MODELS = {"anthropic": "claude-haiku-4-5", "openai-chat": "gpt-4.1-nano", "openai-responses": "gpt-5-nano"}

# The member that limits the answer, and the smallest number that it takes.
LIMITS = {"anthropic": ("max_tokens", 1), "openai-chat": ("max_completion_tokens", 1),
          "openai-responses": ("max_output_tokens", 16)}
COPIES_LIMIT = {"openai-chat": ("max_tokens", 1)}  # on servers that copy OpenAI's API


class Asked:
    """provider: whose API; endpoint: what it is sent to, as in turnkeeper's `target`; text: the body's bytes; betas: values of
    the header anthropic-beta; judged_with: further options of turnkeeper, by name; only: None, or "count_tokens" for a request
    that is about that call."""

    def __init__(self, provider, endpoint, model, text, betas=(), judged_with=None, only=None):
        self.provider, self.endpoint, self.model, self.text = provider, endpoint, model, text
        self.betas, self.judged_with, self.only = list(betas), judged_with or {}, only

    def with_text(self, text):
        return Asked(self.provider, self.endpoint, self.model, text, self.betas, self.judged_with, self.only)

    def most_tokens_out(self):
        """Returns how many tokens the answer has at most."""
        body = json.loads(self.text)
        return next((body[name] for name in ("max_tokens", "max_completion_tokens", "max_output_tokens") if name in body), 0)


def limited(provider, endpoint, model, body):
    """Returns the body with its model, and with a limit of the answer unless it has one."""
    name, least = (COPIES_LIMIT if endpoint == "compatible" else {}).get(provider) or LIMITS[provider]
    return dict({name: least}, **dict(body, model=model))


def with_raw_messages(provider, endpoint, model, raw):
    """Returns the text of a body whose messages are text that no JSON writer would write."""
    text = json.dumps(limited(provider, endpoint, model, {}))
    return (text[:-1] + ', "messages": ' + raw + "}").encode()
