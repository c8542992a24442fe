#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An agent of pydantic-ai whose history is broken: as it is, and with turnkeeper in its HTTP client.

    ANTHROPIC_API_KEY=... TURNKEEPER_SOCKET=... python_pydantic_ai.py
"""

import asyncio

import httpx2
from pydantic_ai import Agent, exceptions
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    NativeToolReturnPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from turnkeeper.httpx2 import AsyncGuardTransport

# A processor that trims histories kept the result of a web search and dropped its call.
HIT = {
    "type": "web_search_result",
    "url": "https://road.example",
    "title": "Road",
    "encrypted_content": "RU5D",
}
RESULT = NativeToolReturnPart(
    tool_name="web_search",
    tool_call_id="srvtoolu_01Lost",
    content=[HIT],
    provider_name="anthropic",
)
STUCK = [
    ModelRequest(parts=[UserPromptPart("Is the pass open?")]),
    ModelResponse(parts=[RESULT, TextPart("It is.")], provider_name="anthropic"),
]


async def ask(http_client=None):
    provider = AnthropicProvider(http_client=http_client)
    agent = Agent(AnthropicModel("claude-sonnet-5-5", provider=provider))
    try:
        answer = await agent.run("Are you still there?", message_history=STUCK)
        print("   ", answer.output)
    except exceptions.ModelHTTPError as error:
        print("   ", error.status_code, error.body["error"]["message"])


async def main():
    print("without turnkeeper:")
    await ask()

    print("with turnkeeper:")
    guard = AsyncGuardTransport(httpx2.AsyncHTTPTransport(), on_unavailable="closed")
    async with httpx2.AsyncClient(transport=guard, timeout=600) as client:
        await ask(client)


if __name__ == "__main__":
    asyncio.run(main())
