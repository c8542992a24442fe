#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A stuck chat with Bedrock's Converse, with boto3: as it is, and with turnkeeper before the request is signed.

    AWS_REGION=... AWS_PROFILE=... TURNKEEPER_SOCKET=... python_boto3.py

boto3 takes no HTTP client, and a signature binds the body. Its event `before-call` has the body before it is signed.
"""

from urllib.parse import unquote

import boto3
import turnkeeper
from botocore.awsrequest import AWSResponse
from botocore.exceptions import ClientError

MODEL = "amazon.nova-pro-v1:0"

# An agent died in the middle of a tool's run and was asked to go on.
CALL = {"toolUseId": "tooluse_01Cut", "name": "road_status", "input": {"road": "pass"}}
SPEC = {"name": "road_status", "inputSchema": {"json": {"type": "object"}}}
STUCK = [
    {"role": "user", "content": [{"text": "Is the pass open?"}]},
    {"role": "assistant", "content": [{"toolUse": CALL}]},
    {"role": "user", "content": [{"text": "Are you still there?"}]},
]


def guard(client, keeper, **options):
    """Repairs what a client of bedrock-runtime sends to Converse and ConverseStream, or raises what Bedrock would refuse
    it with. `keeper` is a turnkeeper.Client or turnkeeper.Local; what it raises otherwise is raised too. `options` are those
    of its repair_body(), such as `policy`."""

    def before_call(params, **_):
        target = {"model": unquote(params["url_path"].split("/")[2])}
        try:
            fixed = keeper.repair_body(params["body"], provider="bedrock", target=target, **options)
        except turnkeeper.UnsafeHistory as error:
            return refused(params["url"], error)
        params["body"] = fixed.body
        return None

    for operation in ("Converse", "ConverseStream"):
        client.meta.events.register("before-call.bedrock-runtime." + operation, before_call)
    return client


def refused(url, unsafe):
    """Returns the response and what boto3 reads of it, as if Bedrock had refused the request."""
    first = unsafe.violations[0]
    said = {"Code": "ValidationException", "Message": first.provider_error or first.text}
    about = {"HTTPStatusCode": 400, "HTTPHeaders": {}, "RetryAttempts": 0}
    return AWSResponse(url, 400, {}, None), {"Error": said, "ResponseMetadata": about, "turnkeeper": unsafe.data}


def ask(client):
    try:
        answer = client.converse(modelId=MODEL, messages=STUCK, toolConfig={"tools": [{"toolSpec": SPEC}]})
        print("    " + "".join(block.get("text", "") for block in answer["output"]["message"]["content"]))
    except ClientError as error:
        print("    %d %s" % (error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Message"]))


def main():
    print("without turnkeeper:")
    ask(boto3.client("bedrock-runtime"))

    print("with turnkeeper:")
    ask(guard(boto3.client("bedrock-runtime"), turnkeeper.connect()))


if __name__ == "__main__":
    main()
