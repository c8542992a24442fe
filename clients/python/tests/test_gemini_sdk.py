# SPDX-License-Identifier: Apache-2.0
"""Google's SDK (package google-genai) against a local provider: what fails without turnkeeper and works with it, on httpx
and httpx2, blocking and with asyncio. run_sdk_tests.sh installs what it needs."""

import asyncio
import importlib
import importlib.util
import os
import unittest
from unittest import mock

from messages_api import MessagesApi
from support import real_daemon

import turnkeeper

try:
    from google import genai
except ImportError as why:
    raise unittest.SkipTest("google-genai is not installed: see run_sdk_tests.sh") from why
from google.genai import errors, types

LIBRARIES = [name for name in ("httpx", "httpx2") if importlib.util.find_spec(name)]
ANSWER = "The pass is open, with chains."
OLD, NEW = "gemini-2.5-flash", "gemini-3-pro-preview"


def user(*parts):
    return {"role": "user", "parts": [{"text": part} if isinstance(part, str) else part for part in parts]}


def model(*parts):
    return {"role": "model", "parts": list(parts)}


CALL = {"functionCall": {"name": "look", "args": {"road": "pass"}}}
RESPONSE = {"functionResponse": {"name": "look", "response": {"output": "open"}}}
SIGNED = dict(CALL, thoughtSignature="c2lnbmVkIGJ5IHRoZSBsb2NhbCBwcm92aWRlcg==")
QUESTION, AGAIN = user("How is the road? é"), user("And now?")
UNEQUAL = "the number of function response parts is equal"

# The model, a history that Gemini refuses, what it says, and a text that has to be in the repaired one.
STUCK = [
    (OLD, [QUESTION, model(CALL), AGAIN], UNEQUAL, "Not executed."),
    (OLD, [QUESTION, user(RESPONSE), AGAIN], "immediately after a function call turn", "open"),
    (OLD, [model(CALL), user(RESPONSE)], "comes immediately after a user turn", "look"),
    (NEW, [QUESTION, model(CALL), user(RESPONSE)], "missing a thought_signature", "skip_thought_signature_validator"),
]
SOUND = [
    (OLD, [QUESTION, model(CALL), user(RESPONSE), model({"text": "It is."}), AGAIN]),
    (NEW, [QUESTION, model(SIGNED), user(RESPONSE)]),
]


def each(test):
    """The test for each HTTP library, with the blocking SDK and with the asyncio one."""

    def run(self):
        for name in LIBRARIES:
            for waiting in (False, True):
                with self.subTest(library=name, waiting=waiting):
                    asyncio.run(closed(test, self, Sdk(self, name, waiting)))

    return run


async def closed(test, self, sdk):
    try:
        await test(self, sdk)
    finally:
        for made in sdk.opened:
            await (made.aclose() if sdk.waiting else asyncio.sleep(0, made.close()))


class Sdk:
    def __init__(self, test, name, waiting):
        self.test, self.waiting, self.opened = test, waiting, []
        self.http = importlib.import_module(name)
        self.guards = importlib.import_module("turnkeeper." + name)

    def client(self, api, guard, **options):
        """The SDK's client, with a guard of these options or, None, without one."""
        path = {} if guard is None else {"on_unavailable": "closed", **guard}
        if self.waiting:
            transport = self.http.AsyncHTTPTransport(verify=False)
            if guard is not None:
                transport = self.guards.AsyncGuardTransport(transport, **path)
            made = {"httpx_async_client": self.http.AsyncClient(transport=transport)}
        else:
            transport = self.http.HTTPTransport(verify=False)
            if guard is not None:
                transport = self.guards.GuardTransport(transport, **path)
            made = {"httpx_client": self.http.Client(transport=transport)}
        self.opened += made.values()
        http_options = types.HttpOptions(base_url=api.url, **made)
        return genai.Client(api_key="k", http_options=http_options, **options)

    async def ask(self, api, name, history, guard=None, stream=False):
        """The text of the answer."""
        client = self.client(api, guard)
        request = {"model": name, "contents": history}
        if self.waiting:
            if not stream:
                return (await client.aio.models.generate_content(**request)).text
            chunks = await client.aio.models.generate_content_stream(**request)
            return "".join([chunk.text async for chunk in chunks])
        if not stream:
            return client.models.generate_content(**request).text
        return "".join(chunk.text for chunk in client.models.generate_content_stream(**request))


class Gemini(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = real_daemon()
        cls.addClassCleanup(cls.daemon.stop)
        there = mock.patch.dict(os.environ, TURNKEEPER_SOCKET=cls.daemon.socket)  # the guards make and close clients of it
        there.start()
        cls.addClassCleanup(there.stop)
        with turnkeeper.Client(cls.daemon.socket) as client:
            if "gemini" not in client.info().providers:
                raise unittest.SkipTest("this daemon doesn't judge Gemini's histories")

    async def refused(self, sdk, *given, **more):
        with self.assertRaises(errors.ClientError) as caught:
            await sdk.ask(*given, **more)
        return caught.exception

    @each
    async def test_stuck(self, sdk):
        for name, history, said, mended in STUCK:
            for stream in (False, True):
                with self.subTest(said, stream=stream), MessagesApi() as api:
                    error = await self.refused(sdk, api, name, history, stream=stream)
                    self.assertEqual((error.code, error.status), (400, "INVALID_ARGUMENT"))
                    self.assertIn(said, error.message)
                    self.assertEqual(await sdk.ask(api, name, history, {}, stream), ANSWER)
                    stuck, sent = (body.decode() for body in api.bodies)
                    self.assertIn(mended, sent)
                    self.assertNotEqual(stuck, sent)

    @each
    async def test_sound(self, sdk):
        for name, history in SOUND:
            with MessagesApi() as api:
                for guard in (None, {}):
                    self.assertEqual(await sdk.ask(api, name, history, guard), ANSWER)
                plain, guarded = api.bodies
                self.assertEqual(plain, guarded)

    @each
    async def test_what_policy_forbids_is_refused_as_gemini_would(self, sdk):
        name, history, said, _ = STUCK[0]
        with MessagesApi() as api:
            error = await self.refused(sdk, api, name, history, {"policy": {"unanswered_call": "report"}})
            self.assertEqual((error.code, error.status, api.seen), (400, "INVALID_ARGUMENT", []))
            self.assertIn(said, error.message)
            about = error.details["error"]["details"][0]["turnkeeper"]
            self.assertEqual(about["name"], "unsafe_history")
            self.assertEqual(about["violations"][0]["code"], "gem_call_without_response")

    @each
    async def test_calls_of_the_model(self, sdk):
        """A call that came back goes out again as the SDK stores it, signed."""
        with MessagesApi({"calls": [["look", {}]]}) as api:
            client = sdk.client(api, {})
            models = client.aio.models if sdk.waiting else client.models
            asked = models.generate_content(model=NEW, contents=[QUESTION])
            answer = await asked if sdk.waiting else asked
            history = [QUESTION, answer.candidates[0].content, user(RESPONSE)]
            self.assertEqual(await sdk.ask(api, NEW, history, {}), ANSWER)
            self.assertIn(b"thoughtSignature", api.bodies[1])

    @each
    async def test_vertex(self, sdk):
        """The path says that it is Vertex AI, and which model."""
        target = []
        with MessagesApi() as api:
            guard = {"on_event": lambda event: target.append(event.provider)}
            made = sdk.client(api, guard, vertexai=True)
            models = made.aio.models if sdk.waiting else made.models
            asked = models.generate_content(model=OLD, contents=STUCK[0][1])
            self.assertEqual((await asked if sdk.waiting else asked).text, ANSWER)
            self.assertIn("publishers/google/models/" + OLD, api.seen[0][0])
        self.assertEqual(target, ["gemini"])


if __name__ == "__main__":
    unittest.main()
