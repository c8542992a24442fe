#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A chat with an OpenAI model through LiteLLM that is stuck: as it is, and with turnkeeper in the HTTP client of
OpenAI's SDK, which LiteLLM calls.

    OPENAI_API_KEY=... TURNKEEPER_SOCKET=... python_openai_litellm.py
"""

import httpx
import litellm
import openai
from turnkeeper.httpx import GuardTransport

# An agent died in the middle of a tool's run and was asked to go on.
FUNCTION = {"name": "road_status", "arguments": '{"road": "pass"}'}
CALL = {"id": "call_01Cut", "type": "function", "function": FUNCTION}
STUCK = [
    {"role": "user", "content": "Is the pass open?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "user", "content": "Are you still there?"},
]


def ask(**options):
    try:
        answer = litellm.completion(model="openai/gpt-5", messages=STUCK, **options)
        print("   ", answer.choices[0].message.content)
    except litellm.BadRequestError as error:
        print("   ", error.status_code, error.message)


def main():
    litellm.suppress_debug_info = True
    print("without turnkeeper:")
    ask()

    print("with turnkeeper:")
    guard = GuardTransport(httpx.HTTPTransport(), on_unavailable="closed")
    ask(client=openai.OpenAI(http_client=openai.DefaultHttpxClient(transport=guard)))


if __name__ == "__main__":
    main()
