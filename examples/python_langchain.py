#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A chat of langchain-anthropic that is stuck: as it is, and with turnkeeper in its HTTP client.

    ANTHROPIC_API_KEY=... TURNKEEPER_SOCKET=... python_langchain.py
"""

from functools import cached_property

import anthropic
import httpx2
from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessage, HumanMessage
from turnkeeper.httpx2 import AsyncGuardTransport, GuardTransport


class GuardedChatAnthropic(ChatAnthropic):
    """ChatAnthropic takes no HTTP client, but makes the SDK's clients in these two places."""

    @cached_property
    def _client(self):
        guard = GuardTransport(httpx2.HTTPTransport(), on_unavailable="closed")
        client = anthropic.DefaultHttpxClient(transport=guard)
        return anthropic.Anthropic(**self._client_params, http_client=client)

    @cached_property
    def _async_client(self):
        guard = AsyncGuardTransport(httpx2.AsyncHTTPTransport(), on_unavailable="closed")
        client = anthropic.DefaultAsyncHttpxClient(transport=guard)
        return anthropic.AsyncAnthropic(**self._client_params, http_client=client)


# An agent died in the middle of a web search and was asked to go on.
CALL = {
    "type": "server_tool_use",
    "id": "srvtoolu_01Cut",
    "name": "web_search",
    "input": {"query": "pass road status"},
}
STUCK = [
    HumanMessage("Is the pass open?"),
    AIMessage([{"type": "text", "text": "Let me look."}, CALL]),
    HumanMessage("Are you still there?"),
]


def ask(kind):
    try:
        print("   ", kind(model="claude-sonnet-5-5", max_tokens=1024).invoke(STUCK).text)
    except anthropic.BadRequestError as error:
        print("   ", error.status_code, error.body["error"]["message"])


def main():
    print("without turnkeeper:")
    ask(ChatAnthropic)
    print("with turnkeeper:")
    ask(GuardedChatAnthropic)


if __name__ == "__main__":
    main()
