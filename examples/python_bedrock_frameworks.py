#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stuck chat with Bedrock's Converse through LangChain, LiteLLM and pydantic-ai: as it is, and with turnkeeper.

    AWS_REGION=... AWS_PROFILE=... AWS_BEARER_TOKEN_BEDROCK=... TURNKEEPER_SOCKET=... python_bedrock_frameworks.py

A signature binds the body, so turnkeeper goes before what signs: LangChain and pydantic-ai take a client of boto3, which
python_boto3.py guards. LiteLLM signs itself; what it sends with a bearer token (`api_key`) a guard can still edit.
"""

import asyncio

import boto3
import httpx
import litellm
import turnkeeper
import turnkeeper.httpx
from langchain_aws import ChatBedrockConverse
from langchain_core.messages import AIMessage, HumanMessage
from litellm.llms.custom_httpx.http_handler import HTTPHandler
from pydantic_ai import Agent, Tool
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.providers.bedrock import BedrockProvider
from python_boto3 import guard

MODEL = "amazon.nova-pro-v1:0"
TOOL = "road_status"
QUESTION, AGAIN = "Is the pass open?", "Are you still there?"
FUNCTION = {"name": TOOL, "description": "Tells if a road is open.", "parameters": {"type": "object"}}
TOOLS = [{"type": "function", "function": FUNCTION}]


def client(guarded, **options):
    made = boto3.client("bedrock-runtime")
    return guard(made, turnkeeper.connect(), **options) if guarded else made


def langchain(guarded, **options):
    """An agent died in the middle of a tool's run and was asked to go on."""
    call = {"id": "tooluse_01Cut", "name": TOOL, "args": {"road": "pass"}}
    stuck = [HumanMessage(QUESTION), AIMessage("", tool_calls=[call]), HumanMessage(AGAIN)]
    return ChatBedrockConverse(model=MODEL, client=client(guarded, **options)).bind_tools(TOOLS).invoke(stuck).text


def through_litellm(guarded, **options):
    """The same history."""
    called = {"name": TOOL, "arguments": '{"road": "pass"}'}
    stuck = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": called}]},
        {"role": "user", "content": AGAIN},
    ]
    transport = turnkeeper.httpx.GuardTransport(httpx.HTTPTransport(), on_unavailable="closed", **options)
    http = {"client": HTTPHandler(client=httpx.Client(transport=transport, timeout=600))} if guarded else {}
    answer = litellm.completion(model="bedrock/converse/" + MODEL, messages=stuck, tools=TOOLS, **http)
    return answer.choices[0].message.content


def pydantic_ai(guarded, tools=(TOOL,)):
    """The user wrote while the tool ran, so its result came late. pydantic-ai itself closes calls that have none."""
    late = [
        ModelRequest([UserPromptPart(QUESTION)]),
        ModelResponse([ToolCallPart(TOOL, {"road": "pass"}, "tooluse_01Late")]),
        ModelRequest([UserPromptPart(AGAIN)]),
        ModelResponse([TextPart("I am still looking.")]),
        ModelRequest([ToolReturnPart(TOOL, "open, with chains", "tooluse_01Late")]),
    ]
    model = BedrockConverseModel(MODEL, provider=BedrockProvider(bedrock_client=client(guarded)))
    agent = Agent(model, tools=[Tool(lambda road: road, name=name) for name in tools])
    return asyncio.run(agent.run("And now?", message_history=late)).output


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
