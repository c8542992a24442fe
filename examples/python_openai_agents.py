#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An agent of the OpenAI Agents SDK whose session is broken: as it is, and repaired by the callback that puts
the session's history and the new input together.

    OPENAI_API_KEY=... TURNKEEPER_SOCKET=... python_openai_agents.py

The session keeps what it has: the callback says what is sent. A guard in the HTTP client does the same for every
request (python_openai.py); the callback needs none.
"""

import asyncio

import openai
import turnkeeper
from agents import Agent, RunConfig, Runner, SQLiteSession, set_tracing_disabled

# The oldest items were cut off: the output of a tool is left, and its call is gone.
TRIMMED = [
    {"type": "function_call_output", "call_id": "call_01Lost", "output": "open, with chains"},
    {"role": "assistant", "content": "It is open."},
]


async def ask(run_config):
    session = SQLiteSession("pass")
    await session.add_items(TRIMMED)
    agent = Agent(name="Road", model="gpt-5")
    try:
        result = await Runner.run(
            agent, "Are you still there?", session=session, run_config=run_config
        )
        print("   ", result.final_output)
    except openai.BadRequestError as error:
        return print("   ", error.status_code, error.body["message"])
    stored = await session.get_items()  # as they were, then the question and its answer
    assert stored[:-2] == TRIMMED, stored


async def main():
    set_tracing_disabled(True)
    print("without turnkeeper:")
    await ask(RunConfig())

    print("with turnkeeper:")
    async with turnkeeper.AsyncClient() as keeper:

        async def repaired(history, new_items):
            whole = history + new_items
            sent = (await keeper.repair(whole, provider="openai-responses")).messages
            # What is in `history` now is the session's to the SDK, which stores all else.
            history[:] = sent[: len(sent) - len(new_items)]
            return sent

        await ask(RunConfig(session_input_callback=repaired))


if __name__ == "__main__":
    asyncio.run(main())
