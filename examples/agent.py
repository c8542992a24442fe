# SPDX-License-Identifier: Apache-2.0
"""The agent's part of the program in doc/INTEGRATIONS.md: how it asks the provider, and its tools."""

import json
import os
import urllib.request


def ask(request, headers):
    """The response body to a request."""
    url = os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com") + "/v1/messages"
    own = {
        "content-type": "application/json",
        "anthropic-version": "2023-06-01",
        "x-api-key": os.environ["ANTHROPIC_API_KEY"],
    }
    sent = urllib.request.Request(url, json.dumps(request).encode(), {**own, **headers})
    with urllib.request.urlopen(sent) as response:
        return json.load(response)


def run(turn):
    """The results of the tools that a turn asks for; there is one, and it knows one answer."""
    return [
        {"type": "tool_result", "tool_use_id": block["id"], "content": "4 degrees, rain"}
        for block in turn["content"]
        if block["type"] == "tool_use"
    ]
