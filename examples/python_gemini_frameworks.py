#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stuck chat with Gemini through LangChain, LiteLLM and pydantic-ai: as it is, and with turnkeeper in the HTTP client.

    GEMINI_API_KEY=... TURNKEEPER_SOCKET=... python_gemini_frameworks.py
"""

import asyncio

import httpx
import httpx2
import litellm
import turnkeeper.httpx
import turnkeeper.httpx2
from langchain_core.messages import AIMessage, HumanMessage
from langchain_google_genai import ChatGoogleGenerativeAI
from litellm.llms.custom_httpx.http_handler import HTTPHandler
from pydantic_ai import Agent, Tool
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider

MODEL = "gemini-2.5-flash"
TOOL = "road_status"
QUESTION, AGAIN = "Is the pass open?", "Are you still there?"


FUNCTION = {"name": TOOL, "description": "Tells if a road is open.", "parameters": {"type": "object"}}
TOOLS = [{"type": "function", "function": FUNCTION}]
GUARD = {"on_unavailable": "closed"}


class BothWays(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """LangChain gives its one `client_args` to a blocking client and to one of asyncio."""

    def __init__(self, **options):
        self.blocking = turnkeeper.httpx.GuardTransport(httpx.HTTPTransport(), **GUARD, **options)
        self.waiting = turnkeeper.httpx.AsyncGuardTransport(httpx.AsyncHTTPTransport(), **GUARD, **options)
        self.handle_request = self.blocking.handle_request
        self.handle_async_request = self.waiting.handle_async_request
        self.close, self.aclose = self.blocking.close, self.waiting.aclose


def langchain(guarded, waiting=False, **options):
    """An agent died in the middle of a tool's run and was asked to go on."""
    call = {"id": "call_01Cut", "name": TOOL, "args": {"road": "pass"}}
    stuck = [HumanMessage(QUESTION), AIMessage("", tool_calls=[call]), HumanMessage(AGAIN)]
    http = {"client_args": {"transport": BothWays(**options)}} if guarded else {}
    model = ChatGoogleGenerativeAI(model=MODEL, max_retries=1, **http).bind_tools(TOOLS)
    return asyncio.run(model.ainvoke(stuck)).text if waiting else model.invoke(stuck).text


def through_litellm(guarded, **options):
    """The same history."""
    called = {"name": TOOL, "arguments": '{"road": "pass"}'}
    stuck = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": called}]},
        {"role": "user", "content": AGAIN},
    ]
    guard = turnkeeper.httpx.GuardTransport(httpx.HTTPTransport(), **GUARD, **options)
    http = {"client": HTTPHandler(client=httpx.Client(transport=guard, timeout=600))} if guarded else {}
    answer = litellm.completion(model="gemini/" + MODEL, messages=stuck, tools=TOOLS, **http)
    return answer.choices[0].message.content


def pydantic_ai(guarded, tool=TOOL):
    """The user wrote while the tool ran, so its result came late. pydantic-ai itself closes calls that have none."""
    late = [
        ModelRequest([UserPromptPart(QUESTION)]),
        ModelResponse([ToolCallPart(TOOL, {"road": "pass"}, "call_01Late")]),
        ModelRequest([UserPromptPart(AGAIN)]),
        ModelResponse([TextPart("I am still looking.")]),
        ModelRequest([ToolReturnPart(TOOL, "open, with chains", "call_01Late")]),
    ]

    async def run():
        guard = turnkeeper.httpx2.AsyncGuardTransport(httpx2.AsyncHTTPTransport(), **GUARD)
        async with httpx2.AsyncClient(transport=guard, timeout=600) as client:
            provider = GoogleProvider(http_client=client if guarded else None)
            agent = Agent(GoogleModel(MODEL, provider=provider), tools=[Tool(lambda road: road, name=tool)])
            return (await agent.run("And now?", message_history=late)).output

    return asyncio.run(run())


FRAMEWORKS = (langchain, through_litellm, pydantic_ai)


def main():
    litellm.suppress_debug_info = True
    for ask in FRAMEWORKS:
        for guarded in (False, True):
            print("%s, %s turnkeeper:" % (ask.__name__, "with" if guarded else "without"))
            try:
                print("   ", ask(guarded))
            except Exception as error:  # each framework has its own
                print("   ", error)


if __name__ == "__main__":
    main()
