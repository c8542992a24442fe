#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stuck chat with Gemini, with Google's SDK: as it is, and with turnkeeper at the place where the HTTP client is made.

    GEMINI_API_KEY=... TURNKEEPER_SOCKET=... python_gemini.py
"""

import httpx2
from google import genai
from google.genai import errors, types
from turnkeeper.httpx2 import GuardTransport

MODEL = "gemini-2.5-flash"

# An agent died in the middle of a tool's run and was asked to go on.
CALL = types.Part.from_function_call(name="road_status", args={"road": "pass"})
STUCK = [
    types.UserContent("Is the pass open?"),
    types.ModelContent([CALL]),
    types.UserContent("Are you still there?"),
]


def ask(client):
    try:
        print("    " + client.models.generate_content(model=MODEL, contents=STUCK).text)
    except errors.ClientError as error:
        print("    %d %s" % (error.code, error.message))


def main():
    print("without turnkeeper:")
    ask(genai.Client())

    print("with turnkeeper:")
    guard = GuardTransport(httpx2.HTTPTransport(), on_unavailable="closed")
    ask(genai.Client(http_options=types.HttpOptions(httpx_client=httpx2.Client(transport=guard))))


if __name__ == "__main__":
    main()
