#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A chat that is stuck, with Anthropic's SDK: as it is, and with turnkeeper at the place where the
HTTP client is made.

    ANTHROPIC_API_KEY=... TURNKEEPER_SOCKET=... python_sdk.py
"""

import anthropic
import httpx2
from turnkeeper.httpx2 import GuardTransport

QUESTION = {"role": "user", "content": "Is the pass open?"}
AGAIN = {"role": "user", "content": "Are you still there?"}

# An agent died in the middle of a web search and was asked to go on.
CALL = {
    "type": "server_tool_use",
    "id": "srvtoolu_01Cut",
    "name": "web_search",
    "input": {"query": "pass road status"},
}
STUCK = [
    QUESTION,
    {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, CALL]},
    AGAIN,
]

# A signed turn holds a result without its call: nothing in there may be edited.
HIT = {
    "type": "web_search_result",
    "url": "https://road.example",
    "title": "Road",
    "encrypted_content": "RU5D",
}
RESULT = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_01Lost", "content": [HIT]}
THINKING = {
    "type": "thinking",
    "thinking": "They want the road's status.",
    "signature": "c2lnbmVk",
}
HOPELESS = [
    QUESTION,
    {"role": "assistant", "content": [THINKING, RESULT, {"type": "text", "text": "It is."}]},
    AGAIN,
]


def ask(client, messages):
    """Streams the answer and prints it as it comes."""
    try:
        with client.messages.stream(
            model="claude-sonnet-5-5",
            max_tokens=1024,
            tools=[{"type": "web_search_20250305", "name": "web_search"}],
            messages=messages,
        ) as stream:
            print("    ", end="")
            for text in stream.text_stream:
                print(text, end="", flush=True)
            print()
            message = stream.get_final_message()
        print("    store this:", ", ".join(part.type for part in message.content))
    except anthropic.BadRequestError as error:
        print("   ", error.status_code, error.body["error"]["message"])


def main():
    print("without turnkeeper:")
    ask(anthropic.Anthropic(), STUCK)

    guard = GuardTransport(httpx2.HTTPTransport(), on_unavailable="closed")
    client = anthropic.Anthropic(http_client=anthropic.DefaultHttpxClient(transport=guard))
    print("with turnkeeper:")
    ask(client, STUCK)
    print("and a history that no safe edit can repair is never sent:")
    ask(client, HOPELESS)


if __name__ == "__main__":
    main()
