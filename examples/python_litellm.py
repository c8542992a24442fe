#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A chat through LiteLLM that is stuck: as it is, and with turnkeeper in its HTTP client.

    ANTHROPIC_API_KEY=... TURNKEEPER_SOCKET=... python_litellm.py
"""

import httpx
import litellm
from litellm.llms.custom_httpx.http_handler import HTTPHandler
from turnkeeper.httpx import GuardTransport

# An agent died in the middle of a web search and was asked to go on.
CALL = {
    "type": "server_tool_use",
    "id": "srvtoolu_01Cut",
    "name": "web_search",
    "input": {"query": "pass road status"},
}
STUCK = [
    {"role": "user", "content": "Is the pass open?"},
    {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, CALL]},
    {"role": "user", "content": "Are you still there?"},
]


def ask(**options):
    try:
        answer = litellm.completion(
            model="anthropic/claude-sonnet-5-5", max_tokens=1024, messages=STUCK, **options
        )
        print("   ", answer.choices[0].message.content)
    except litellm.BadRequestError as error:
        print("   ", error.status_code, error.message)


def main():
    litellm.suppress_debug_info = True
    print("without turnkeeper:")
    ask()

    print("with turnkeeper:")
    guard = GuardTransport(httpx.HTTPTransport(), on_unavailable="closed")
    ask(client=HTTPHandler(client=httpx.Client(transport=guard, timeout=600)))


if __name__ == "__main__":
    main()
