#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two chats that are stuck, with OpenAI's SDK: as they are, and with turnkeeper at the place where the HTTP
client is made. One is of Chat Completions, one of Responses.

    OPENAI_API_KEY=... TURNKEEPER_SOCKET=... python_openai.py
"""

import httpx2
import openai
from turnkeeper.httpx2 import GuardTransport

QUESTION = {"role": "user", "content": "Is the pass open?"}
AGAIN = {"role": "user", "content": "Are you still there?"}

# An agent died in the middle of a tool's run and was asked to go on.
FUNCTION = {"name": "road_status", "arguments": '{"road": "pass"}'}
CALL = {"id": "call_01Cut", "type": "function", "function": FUNCTION}
CHAT = [QUESTION, {"role": "assistant", "content": None, "tool_calls": [CALL]}, AGAIN]

# A trimmer kept the output of a tool and dropped its call.
OUTPUT = {"type": "function_call_output", "call_id": "call_01Lost", "output": "open, with chains"}
ITEMS = [QUESTION, OUTPUT, AGAIN]


def ask(client):
    """Asks both APIs, the second for a stream, and prints the answers."""
    try:
        answer = client.chat.completions.create(model="gpt-5", messages=CHAT)
        print("    Chat Completions:", answer.choices[0].message.content)
    except openai.BadRequestError as error:
        print("    Chat Completions:", error.status_code, error.body["message"])
    try:
        with client.responses.stream(model="gpt-5", input=ITEMS) as stream:
            print("    Responses:", stream.get_final_response().output_text)
    except openai.BadRequestError as error:
        print("    Responses:", error.status_code, error.body["message"])


def main():
    print("without turnkeeper:")
    ask(openai.OpenAI())

    print("with turnkeeper:")
    guard = GuardTransport(httpx2.HTTPTransport(), on_unavailable="closed")
    ask(openai.OpenAI(http_client=openai.DefaultHttpxClient(transport=guard)))


if __name__ == "__main__":
    main()
