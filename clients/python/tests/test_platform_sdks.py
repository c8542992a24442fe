# SPDX-License-Identifier: Apache-2.0
"""The real SDK's clients for Amazon Bedrock and Vertex AI against a local provider: what fails without
turnkeeper and works with it, blocking and with asyncio. run_sdk_tests.sh installs what they need."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import unittest

NEEDED = ("anthropic", "boto3", "google")
if any(importlib.util.find_spec(name) is None for name in NEEDED):
    raise unittest.SkipTest("anthropic[bedrock,vertex] is not installed: see run_sdk_tests.sh")

import anthropic
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from messages_api import MessagesApi
from support import ROOT
from test_sdk import (
    CALL,
    RESULT,
    SEARCH,
    TEXT,
    UNSAFE,
    SdkTest,
    assistant,
    both,
    content,
    guards,
    http,
    user,
)

import turnkeeper

REGION = "us-east-1"
KEYS = ("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
ORPHAN = [user(), assistant([TEXT, CALL]), user("and now?")]
SOUND = [user(), assistant([CALL, RESULT, TEXT]), user("and now?")]
BEDROCK = "anthropic.claude-sonnet-5-5-v1:0"
ARN = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3"
VERTEX = "claude-sonnet-5-5@20260101"


class PlatformTest(SdkTest):
    kinds = {}  # by the name of `sdk`'s class: a client of the SDK
    model = None

    def options(self, api):
        raise NotImplementedError

    async def with_client(self, sdk, api, guard, body, **options):
        """Calls `body` with a client of this platform, guarded or not."""
        waiting = type(sdk).__name__ == "Waiting"
        options = {**self.options(api), "max_retries": 0, **options}
        if waiting:
            transport = http.AsyncHTTPTransport(verify=False)
            if guard:
                made = self.guard(True, turnkeeper.AsyncClient)
                transport = guards.AsyncGuardTransport(transport, **made)
            made = anthropic.DefaultAsyncHttpxClient(transport=transport)
            async with self.kinds["Waiting"](http_client=made, **options) as client:
                return await body(client)
        transport = http.HTTPTransport(verify=False)
        if guard:
            transport = guards.GuardTransport(transport, **self.guard(True))
        made = anthropic.DefaultHttpxClient(transport=transport)
        with self.kinds["Blocking"](http_client=made, **options) as client:
            return await body(client)

    async def ask(self, sdk, api, messages, *, guard, stream=False, model=None, **more):
        """The message of one answer, the SDK's own helper for streams included."""
        options = more.pop("client", {})
        request = dict(sdk.request(messages, **more), model=model or self.model)

        async def body(client):
            return await sdk.message(_As(client, request), messages, stream)

        return await self.with_client(sdk, api, guard, body, **options)

    async def fails(self, sdk, api, messages, **how):
        with self.assertRaises(anthropic.BadRequestError) as caught:
            await self.ask(sdk, api, messages, **how)
        return caught.exception


class _As:
    """A client whose requests are these, whatever the test's helper asks for."""

    def __init__(self, client, request):
        self.messages = self
        self.create = lambda **_: client.messages.create(**request)
        self.stream = lambda **_: client.messages.stream(**request)


def logged(test):
    """What a guard's log says of streams; SdkTest keeps it quiet."""
    return test.assertLogs("turnkeeper", "WARNING")


class Bedrock(PlatformTest):
    kinds = {
        "Blocking": anthropic.AnthropicBedrock,
        "Waiting": anthropic.AsyncAnthropicBedrock,
    }
    model = BEDROCK
    SIGNED = {"api_key": None, "aws_access_key": KEYS[0], "aws_secret_key": KEYS[1]}

    def options(self, api):
        return {"api_key": "token", "aws_region": REGION, "base_url": api.url}

    @both
    async def test_orphans(self, sdk):
        for model in (BEDROCK, "us." + BEDROCK, ARN):
            with self.subTest(model), MessagesApi(SEARCH) as api:
                error = await self.fails(sdk, api, ORPHAN, guard=False, model=model)
                self.assertIn("srvtoolu_1", error.body["error"]["message"])
                answer = await self.ask(sdk, api, ORPHAN, guard=True, model=model)
                self.assertEqual(content(answer), SEARCH["content"])
                self.assertEqual(len(api.bodies), 2)
                self.assertNotIn(b"srvtoolu_1", api.bodies[1])

    @both
    async def test_streams(self, sdk):
        """Their requests are repaired; the SDK reads them as Bedrock sends them."""
        with MessagesApi(SEARCH, SEARCH) as api, logged(self) as log:
            await self.fails(sdk, api, ORPHAN, guard=False, stream=True)
            answer = await self.ask(sdk, api, ORPHAN, guard=True, stream=True)
            self.assertEqual(content(answer), SEARCH["content"])
            self.assertTrue(api.seen[-1][0].endswith("/invoke-with-response-stream"))
        self.assertEqual(len(log.output), 1)

    @both
    async def test_what_cannot_be_repaired_never_leaves(self, sdk):
        with MessagesApi() as api:
            error = await self.fails(sdk, api, [user(), assistant(UNSAFE), user()], guard=True)
            self.assertEqual(error.body["turnkeeper"]["name"], "unsafe_history")
            self.assertEqual(api.seen, [])

    @both
    async def test_the_platforms_own_rules_hold(self, sdk):
        """A title of a document that Bedrock refuses; the official API takes it."""
        source = {"type": "text", "media_type": "text/plain", "data": "x"}
        document = {"type": "document", "source": source, "title": "pass_(2).txt"}
        messages = [{"role": "user", "content": [document, {"type": "text", "text": "q"}]}]
        with MessagesApi() as api:
            await self.ask(sdk, api, messages, guard=True)
            self.assertNotIn(b"pass_(2).txt", api.bodies[0])
            await sdk.ask(api, messages, stream=False, guard=True)
            self.assertIn(b"pass_(2).txt", api.bodies[1])

    @both
    async def test_beta_values_are_in_the_body(self, sdk):
        computer = {"type": "computer_20250124", "name": "computer"}
        tools = [dict(computer, display_width_px=1, display_height_px=1)]
        own = {"anthropic-beta": "files-api-2025-04-14"}
        for given, want in ((own, [own["anthropic-beta"]]), ({}, [])):
            with MessagesApi() as api:
                how = {"tools": tools, "extra_headers": given}
                await self.ask(sdk, api, [user()], guard=True, **how)
                want = want + ["computer-use-2025-01-24"]
                self.assertEqual(json.loads(api.bodies[0])["anthropic_beta"], want)

    @both
    async def test_signed_requests(self, sdk):
        """A sound history leaves as it was signed; one that needs an edit is refused."""
        with MessagesApi() as api:
            await self.ask(sdk, api, SOUND, guard=True, client=self.SIGNED)
            self.assertTrue(is_signed(api))
            error = await self.fails(sdk, api, ORPHAN, guard=True, client=self.SIGNED)
            self.assertIn("the header authorization binds the body", str(error))
            self.assertEqual(len(api.bodies), 1)

    def test_the_example_signs_below_the_guard(self):
        with open(os.path.join(ROOT, "examples", "python_bedrock.py"), encoding="utf-8") as text:
            program = text.read().replace("httpx2", http.__name__)
        there = dict(os.environ, TURNKEEPER_SOCKET=self.daemon.socket, AWS_REGION=REGION)
        there.update(zip(("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"), KEYS))
        there.pop("AWS_BEARER_TOKEN_BEDROCK", None)
        there["PYTHONPATH"] = os.path.join(ROOT, "clients", "python", "src")
        with MessagesApi() as api:
            there["ANTHROPIC_BEDROCK_BASE_URL"] = api.url
            done = subprocess.run(
                [sys.executable, "-c", program], env=there, capture_output=True, text=True
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("The pass is open", done.stdout)
            (body,) = api.bodies
            self.assertNotIn(b"srvtoolu_", body)  # it was edited
            self.assertTrue(is_signed(api))


class Vertex(PlatformTest):
    kinds = {
        "Blocking": anthropic.AnthropicVertex,
        "Waiting": anthropic.AsyncAnthropicVertex,
    }
    model = VERTEX

    def options(self, api):
        place = {"region": "us-east5", "project_id": "p", "access_token": "token"}
        return {**place, "base_url": api.url + "/v1"}

    @both
    async def test_orphans(self, sdk):
        for stream in self.ways:
            with self.subTest(stream=stream), MessagesApi(SEARCH) as api:
                error = await self.fails(sdk, api, ORPHAN, guard=False, stream=stream)
                self.assertIn("srvtoolu_1", error.body["error"]["message"])
                answer = await self.ask(sdk, api, ORPHAN, guard=True, stream=stream)
                self.assertEqual(content(answer), SEARCH["content"])
                self.assertEqual(len(api.bodies), 2)
                self.assertNotIn(b"srvtoolu_1", api.bodies[1])

    @both
    async def test_half_a_pair_never_arrives(self, sdk):
        """Streams pass through pairing."""
        self.needs_streams()
        half = {"content": [CALL, TEXT]}
        with MessagesApi(half, half) as api:
            answer = await self.ask(sdk, api, [user()], guard=False, stream=True)
            self.assertEqual(content(answer), half["content"])
            with self.assertRaises(anthropic.APIError) as caught:
                await self.ask(sdk, api, [user()], guard=True, stream=True)
            self.assertIn("calls had no result", str(caught.exception.body))

    @both
    async def test_beta_values_are_in_the_header(self, sdk):
        """Also the one that Vertex wants where the official API doesn't."""
        with MessagesApi() as api:
            await self.ask(sdk, api, [user()], guard=True)
            (sent,) = api.seen
            self.assertEqual(sent[1]["anthropic-beta"], "web-search-2025-03-05")
            self.assertNotIn("anthropic_beta", json.loads(sent[2]))

    @both
    async def test_counting_tokens(self, sdk):
        with MessagesApi() as api:

            async def body(client):
                count = client.messages.count_tokens
                counted = await sdk.call(count, model=VERTEX, messages=ORPHAN)
                self.assertEqual(counted.input_tokens, 7)

            await self.with_client(sdk, api, True, body)
            ((path, _, sent),) = api.seen
            self.assertTrue(path.endswith("/models/count-tokens:rawPredict"), path)
            self.assertNotIn(b"srvtoolu_1", sent)


def is_signed(api):
    """True if the signature of the last request is that of the bytes that arrived."""
    path, headers, body = api.seen[-1]
    given = {name.lower(): value for name, value in headers.items()}
    names, signature = re.search(
        r"SignedHeaders=([^,]+), Signature=(\w+)", given["authorization"]
    ).groups()
    signed = {name: given[name] for name in names.split(";") if name != "host"}
    request = AWSRequest("POST", "http://%s%s" % (given["host"], path), headers=signed, data=body)
    request.context["timestamp"] = given["x-amz-date"]
    signer = SigV4Auth(Credentials(*KEYS), "bedrock", REGION)
    text = signer.string_to_sign(request, signer.canonical_request(request))
    return signer.signature(text, request) == signature


if __name__ == "__main__":
    unittest.main()
