#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A chat of langchain-openai that is stuck: as it is, and with turnkeeper in its HTTP client.

    OPENAI_API_KEY=... TURNKEEPER_SOCKET=... python_openai_langchain.py
"""

import httpx2
import openai
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI
from turnkeeper.httpx2 import AsyncGuardTransport, GuardTransport

# An agent died before the second of two tools had answered, and was asked to go on.
CALLS = [
    {"id": "call_01Kept", "name": "road_status", "args": {"road": "pass"}},
    {"id": "call_01Cut", "name": "road_status", "args": {"road": "tunnel"}},
]
STUCK = [
    HumanMessage("Is the pass open, or the tunnel?"),
    AIMessage("", tool_calls=CALLS),
    ToolMessage("open, with chains", tool_call_id="call_01Kept"),
    HumanMessage("Are you still there?"),
]


def ask(**options):
    try:
        print("   ", ChatOpenAI(model="gpt-5", **options).invoke(STUCK).text)
    except openai.BadRequestError as error:
        print("   ", error.status_code, error.body["message"])


def main():
    print("without turnkeeper:")
    ask()

    print("with turnkeeper:")
    guard = GuardTransport(httpx2.HTTPTransport(), on_unavailable="closed")
    waiting = AsyncGuardTransport(httpx2.AsyncHTTPTransport(), on_unavailable="closed")
    ask(
        http_client=openai.DefaultHttpxClient(transport=guard),
        http_async_client=openai.DefaultAsyncHttpxClient(transport=waiting),
    )


if __name__ == "__main__":
    main()
