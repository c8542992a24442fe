#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stuck chat on Amazon Bedrock, with requests that AWS wants signed (Signature Version 4).

    AWS_REGION=... AWS_PROFILE=... TURNKEEPER_SOCKET=... python_bedrock.py

A signature binds the bytes of the body, so what is signed already can't be repaired. Anthropic's SDK
signs before it hands a request to its HTTP client, and thus before the guard. Here it doesn't sign:
it is given a token that nobody checks, and a transport below the guard signs what the guard has let
pass. With a token of Bedrock's own (AWS_BEARER_TOKEN_BEDROCK) none of this is needed.
"""

import os

import anthropic
import boto3
import httpx2
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from turnkeeper.httpx2 import GuardTransport

REGION = os.environ["AWS_REGION"]
MODEL = "us.anthropic.claude-sonnet-5-5-v1:0"

# The chat began on another platform, and its program died in the middle of a web search.
CALL = {
    "type": "server_tool_use",
    "id": "srvtoolu_01Cut",
    "name": "web_search",
    "input": {"query": "pass road status"},
}
STUCK = [
    {"role": "user", "content": "Is the pass open?"},
    {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, CALL]},
    {"role": "user", "content": "Are you still there?"},
]


class Signing(httpx2.BaseTransport):
    """Signs each request as it leaves."""

    def __init__(self, transport, region):
        self.transport = transport
        self.signer = SigV4Auth(boto3.Session().get_credentials(), "bedrock", region)

    def handle_request(self, request):
        headers = {k: v for k, v in request.headers.items() if k != "connection"}  # proxies drop it
        signed = AWSRequest(request.method, str(request.url), headers, request.read())
        self.signer.add_auth(signed)
        request.headers.update(dict(signed.headers.items()))
        return self.transport.handle_request(request)

    def close(self):
        self.transport.close()


def main():
    guard = GuardTransport(Signing(httpx2.HTTPTransport(), REGION), on_unavailable="closed")
    client = anthropic.AnthropicBedrock(
        api_key="replaced by the signature",
        aws_region=REGION,
        http_client=anthropic.DefaultHttpxClient(transport=guard),
    )
    message = client.messages.create(model=MODEL, max_tokens=1024, messages=STUCK)
    print("".join(part.text for part in message.content if part.type == "text"))


if __name__ == "__main__":
    main()
