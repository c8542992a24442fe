#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A chat that is stuck, with Anthropic's SDK: as it is, and with turnkeeper at the place where the
HTTP client is made.

    ANTHROPIC_API_KEY=... TURNKEEPER_SOCKET=... python_sdk.py

The history holds a web search that was cut off between its call and its result.
"""

import anthropic
import httpx2
from turnkeeper.httpx2 import GuardTransport

HISTORY = [
    {"role": "user", "content": "Is the pass open?"},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "Let me look."},
            {
                "type": "server_tool_use",
                "id": "srvtoolu_01Cut",
                "name": "web_search",
                "input": {"query": "pass road status"},
            },
        ],
    },
    {"role": "user", "content": "Are you still there?"},
]


def ask(client):
    """Streams the answer to the history and prints it as it comes."""
    with client.messages.stream(
        model="claude-sonnet-5-5",
        max_tokens=1024,
        tools=[{"type": "web_search_20250305", "name": "web_search"}],
        messages=HISTORY,
    ) as stream:
        for text in stream.text_stream:
            print(text, end="", flush=True)
        print()
        return stream.get_final_message()


def main():
    print("without turnkeeper:")
    try:
        ask(anthropic.Anthropic())
    except anthropic.BadRequestError as error:
        print("   ", error.status_code, error.body["error"]["message"])

    print("with turnkeeper:")
    transport = GuardTransport(httpx2.HTTPTransport(), on_unavailable="closed")
    client = anthropic.Anthropic(http_client=anthropic.DefaultHttpxClient(transport=transport))
    print("    ", end="")
    message = ask(client)
    print("    to be stored:", ", ".join(part.type for part in message.content))


if __name__ == "__main__":
    main()
