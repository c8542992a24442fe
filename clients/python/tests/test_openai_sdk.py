# SPDX-License-Identifier: Apache-2.0
"""The real SDK of OpenAI (package openai) against a local provider: what fails without turnkeeper and works
with it. Each test blocking and with asyncio; run_sdk_tests.sh installs what it needs."""

import asyncio
import importlib
import importlib.util
import json
import logging
import os
import subprocess
import sys
import unittest

from messages_api import MessagesApi
from local import InProcess
from support import ROOT, real_daemon

import turnkeeper

if importlib.util.find_spec("openai") is None:
    raise unittest.SkipTest("the package openai is not installed: see run_sdk_tests.sh")
import openai

# The library that this version of the SDK is built on.
http = importlib.import_module(openai.DefaultHttpxClient.__mro__[1].__module__.split(".")[0])
guards = importlib.import_module("turnkeeper." + http.__name__)

USER = {"role": "user", "content": "How is the road? é\u2028"}
AGAIN = {"role": "user", "content": "And now?"}
FUNCTION = {"name": "look", "parameters": {"type": "object", "properties": {}}}
CHAT_TOOL = {"type": "function", "function": FUNCTION}
TOOL = dict(FUNCTION, type="function", strict=False)
ANSWER = "The pass is open, with chains."

CHAT_CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL]}
TOLD = {"role": "tool", "tool_call_id": "call_1", "content": "open"}
CALL = {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "call_1", "output": "open"}
STORED = dict(CALL, id="fc_1")
REASONING = {"type": "reasoning", "id": "rs_1", "summary": []}
TOLD_WHY = dict(REASONING, summary=[{"type": "summary_text", "text": "It snows."}])
LONE = "without its required following item"

# The API, a history that its provider refuses, what it says, and a text that has to be in the repaired one.
STUCK = [
    ("chat", [USER, CALLING, AGAIN], "must be followed by tool messages", b"Not executed."),
    ("chat", [USER, TOLD, AGAIN], "must be a response to a preceeding message", b'"role":"user"'),
    ("responses", [USER, CALL, AGAIN], "No tool output found for function call", b"Not executed."),
    ("responses", [USER, OUTPUT, AGAIN], "No tool call found for function call", b"input_text"),
    ("responses", [USER, REASONING, AGAIN], LONE, b"And now?"),
    # The call isn't the item that the model made after the reasoning: it lost its id.
    ("responses", [USER, TOLD_WHY, CALL, OUTPUT, AGAIN], LONE, b"It snows."),
]
SOUND = [("chat", [USER, CALLING, TOLD, AGAIN]), ("responses", [USER, REASONING, STORED, OUTPUT, AGAIN])]


def both(test):
    """The test with the blocking SDK and with the asyncio one; `sdk` is awaited for each."""

    def run(self):
        for kind in (Blocking, Waiting):
            with self.subTest(kind.__name__):
                asyncio.run(test(self, kind(self)))

    return run


def local(request, api):
    """Sends a request for OpenAI's hosts to the local provider: the guard above has seen the host."""
    port = int(api.url.rpartition(":")[2])
    request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=port)
    return request


class Rerouted(http.HTTPTransport):
    def __init__(self, api):
        super().__init__(verify=False)  # reading certificates takes its time
        self.api = api

    def handle_request(self, request):
        return super().handle_request(local(request, self.api))


class AsyncRerouted(http.AsyncHTTPTransport):
    def __init__(self, api):
        super().__init__(verify=False)
        self.api = api

    async def handle_async_request(self, request):
        return await super().handle_async_request(local(request, self.api))


class Sdk:
    """One SDK client a call, so that both kinds look the same to a test."""

    azure = False

    def __init__(self, test):
        self.test = test

    def options(self, retries):
        options = {"api_key": "k", "max_retries": retries}
        if self.azure:
            options.update(azure_endpoint="https://n.openai.azure.com", api_version="2025-04-01-preview")
        return options

    async def ask(self, api, kind, history, *, stream=False, guard=True, retries=0, **more):
        """The text of the answer."""
        request = dict({"model": "gpt-5"}, **more)
        request["messages" if kind == "chat" else "input"] = history

        async def body(client):
            resource = client.chat.completions if kind == "chat" else client.responses
            answer = await self.call(resource.create, stream=stream, **request)
            if stream:
                return "".join([text_of(event) async for event in self.events(answer)])
            return answer.choices[0].message.content if kind == "chat" else answer.output_text

        return await self.with_client(api, guard, retries, body)


def text_of(event):
    if hasattr(event, "choices"):
        return "".join(choice.delta.content or "" for choice in event.choices)
    return event.delta if event.type == "response.output_text.delta" else ""


class Blocking(Sdk):
    async def with_client(self, api, guard, retries, body):
        transport = Rerouted(api)
        if guard:
            transport = guards.GuardTransport(transport, **self.test.guard(guard, turnkeeper.Client))
        kind = openai.AzureOpenAI if self.azure else openai.OpenAI
        made = openai.DefaultHttpxClient(transport=transport)
        with kind(http_client=made, **self.options(retries)) as client:
            return await body(client)

    async def call(self, method, *args, **params):
        return method(*args, **params)

    @staticmethod
    async def events(stream):
        for event in stream:
            yield event


class Waiting(Sdk):
    async def with_client(self, api, guard, retries, body):
        transport = AsyncRerouted(api)
        if guard:
            made = self.test.guard(guard, turnkeeper.AsyncClient)
            transport = guards.AsyncGuardTransport(transport, **made)
        kind = openai.AsyncAzureOpenAI if self.azure else openai.AsyncOpenAI
        made = openai.DefaultAsyncHttpxClient(transport=transport)
        async with kind(http_client=made, **self.options(retries)) as client:
            return await body(client)

    async def call(self, method, *args, **params):
        return await method(*args, **params)

    @staticmethod
    async def events(stream):
        async for event in stream:
            yield event


class OpenAiTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = real_daemon()
        cls.addClassCleanup(cls.daemon.stop)
        quiet = logging.getLogger("turnkeeper")
        before, quiet.level = quiet.level, logging.CRITICAL
        cls.addClassCleanup(lambda: setattr(quiet, "level", before))

    def guard(self, guard, kind):
        """The options of a guard. `guard`: True, or a dictionary of some."""
        options = dict({"on_unavailable": "closed"}, **({} if guard is True else guard))
        client = kind(options.pop("socket", self.daemon.socket), timeout=30)
        self.addCleanup(client._pool.close)
        return dict(options, client=client)

    async def refused(self, sdk, api, kind, history, **how):
        with self.assertRaises(openai.BadRequestError) as caught:
            await sdk.ask(api, kind, history, **how)
        return caught.exception


class Histories(OpenAiTest):
    @both
    async def test_stuck_goes_on(self, sdk):
        for kind, history, said, mended in STUCK:
            for stream in (False, True):
                with self.subTest(said, stream=stream), MessagesApi() as api:
                    error = await self.refused(sdk, api, kind, history, stream=stream, guard=False)
                    self.assertIn(said, error.body["message"])
                    answer = await sdk.ask(api, kind, history, stream=stream)
                    self.assertEqual(answer, ANSWER)
                    stuck, sent = api.bodies
                    self.assertNotEqual(stuck, sent)
                    self.assertIn(mended, sent)
                    self.assertNotIn(b'"rs_1"', sent)

    @both
    async def test_a_sound_history_leaves_byte_for_byte(self, sdk):
        for kind, history in SOUND:
            for stream in (False, True):
                with self.subTest(kind, stream=stream), MessagesApi() as api:
                    for guard in (False, True):
                        answer = await sdk.ask(api, kind, history, stream=stream, guard=guard)
                        self.assertEqual(answer, ANSWER)
                    plain, guarded = api.bodies
                    self.assertEqual(plain, guarded)

    @both
    async def test_what_cannot_be_repaired_never_leaves(self, sdk):
        both = {"previous_response_id": "resp_1", "conversation": "conv_1"}
        for kind, history, more in (("chat", [], {}), ("responses", [USER], both)):
            with self.subTest(kind), MessagesApi() as api:
                theirs = await self.refused(sdk, api, kind, history, guard=False, **more)
                ours = await self.refused(sdk, api, kind, history, retries=2, **more)
                self.assertEqual(len(api.bodies), 1)  # and not tried again, either
                said = theirs.body["message"]
                self.assertEqual(ours.body["message"][: len(said)], said)
                self.assertEqual((ours.status_code, ours.type), (400, theirs.type))
                self.assertEqual(ours.body["turnkeeper"]["name"], "unsafe_history")
                self.assertIsInstance(
                    ours.response.extensions["turnkeeper"], turnkeeper.UnsafeHistory
                )

    @both
    async def test_outputs_alone_under_a_previous_response(self, sdk):
        """The server has the call: whole bodies are judged."""
        with MessagesApi() as api:
            answer = await sdk.ask(api, "responses", [OUTPUT], previous_response_id="resp_1")
            self.assertEqual(answer, ANSWER)
            self.assertEqual(json.loads(api.bodies[0])["input"], [OUTPUT])

    @both
    async def test_an_input_that_is_a_text(self, sdk):
        with MessagesApi() as api:
            self.assertEqual(await sdk.ask(api, "responses", "How is the road?"), ANSWER)
            self.assertEqual(json.loads(api.bodies[0])["input"], "How is the road?")

    @both
    async def test_policies(self, sdk):
        """Where ids are stripped nothing is left for the server to look up."""
        with MessagesApi({"reasoning": "Hm.", "text": "Wait."}) as api:

            async def body(client):
                first = await sdk.call(client.responses.create, model="gpt-5", input=[USER])
                items = [item.model_dump(exclude_unset=True) for item in first.output]
                history = [USER, *items[1:], AGAIN]  # a trimmer took the reasoning away
                return await sdk.call(client.responses.create, model="gpt-5", input=history)

            with self.assertRaises(openai.BadRequestError) as caught:
                await sdk.with_client(api, True, 0, body)
            self.assertIn("without its required 'reasoning' item", caught.exception.message)
            api.turns.append({"reasoning": "Hm.", "text": "Wait."})
            strip = {"policy": {"base": "conservative", "item_ids": "strip"}}
            answer = await sdk.with_client(api, strip, 0, body)
            self.assertEqual(answer.output_text, ANSWER)


class LocalHistories(InProcess, Histories):
    pass


class Azure(OpenAiTest):
    """AzureOpenAI: the deployment is in the path of Chat Completions."""

    @both
    async def test_stuck_goes_on(self, sdk):
        sdk.azure = True
        for kind, history, said, mended in STUCK[:4]:
            with self.subTest(said), MessagesApi() as api:
                error = await self.refused(sdk, api, kind, history, guard=False)
                self.assertIn(said, error.body["message"])
                self.assertEqual(await sdk.ask(api, kind, history), ANSWER)
                self.assertIn(mended, api.bodies[1])
                path = api.seen[1][0]
                self.assertIn("/openai/deployments/gpt-5/chat" if kind == "chat" else "/openai/resp", path)

    @both
    async def test_ids_of_reasoning_stay(self, sdk):
        """What OpenAI takes after a repair Azure doesn't: nothing is sent."""
        sdk.azure = True
        history = [USER, REASONING, AGAIN]
        with MessagesApi() as api:
            error = await self.refused(sdk, api, "responses", history)
            self.assertEqual(api.bodies, [])
            self.assertEqual(error.param, "input[1]")
            self.assertEqual(
                error.body["turnkeeper"]["violations"][0]["code"], "resp_reasoning_without_next"
            )
            how = {"target": {"endpoint": "openai"}}
            sdk.azure = False
            self.assertEqual(await sdk.ask(api, "responses", history, guard=how), ANSWER)


class ToolLoops(OpenAiTest):
    """What the SDK made of an answer goes back with the result of its call, whole and streamed."""

    @both
    async def test_chat(self, sdk):
        async def body(client):
            create, history = client.chat.completions.create, [USER]
            how = {"model": "gpt-5", "tools": [CHAT_TOOL]}
            message = (await sdk.call(create, messages=history, **how)).choices[0].message
            (call,) = message.tool_calls
            history += [message, {"role": "tool", "tool_call_id": call.id, "content": "open"}]
            return (await sdk.call(create, messages=history, **how)).choices[0].message.content

        with MessagesApi() as api:
            self.assertEqual(await sdk.with_client(api, True, 0, body), ANSWER)

    @both
    async def test_responses(self, sdk):
        async def body(client):
            create, history = client.responses.create, [USER]
            how = {"model": "gpt-5", "tools": [TOOL], "store": False}
            how["include"] = ["reasoning.encrypted_content"]
            items = (await sdk.call(create, input=history, **how)).output
            call = items[-1]
            history += [*items, {"type": "function_call_output", "call_id": call.call_id, "output": "x"}]
            return (await sdk.call(create, input=history, **how)).output_text

        with MessagesApi({"reasoning": "Hm.", "calls": [["look", {}]]}) as api:
            self.assertEqual(await sdk.with_client(api, True, 0, body), ANSWER)
            plain = [item.get("id") for item in json.loads(api.bodies[1])["input"]]
            self.assertIn("rs_001", plain)

    @both
    async def test_streamed(self, sdk):
        async def body(client):
            stream = await sdk.call(
                client.responses.create, model="gpt-5", input=[USER], tools=[TOOL], stream=True
            )
            done = [e async for e in sdk.events(stream) if e.type == "response.completed"]
            call = done[0].response.output[-1]
            output = {"type": "function_call_output", "call_id": call.call_id, "output": "open"}
            history = [USER, *done[0].response.output, output]
            return (await sdk.call(client.responses.create, model="gpt-5", input=history)).output_text

        with MessagesApi() as api:
            self.assertEqual(await sdk.with_client(api, True, 0, body), ANSWER)


class Programs(OpenAiTest):
    def test_example(self):
        with open(os.path.join(ROOT, "examples", "python_openai.py"), encoding="utf-8") as text:
            program = text.read().replace("httpx2", http.__name__)
        with MessagesApi() as api:
            there = dict(os.environ, TURNKEEPER_SOCKET=self.daemon.socket)
            there.update(OPENAI_BASE_URL=api.url + "/v1", OPENAI_API_KEY="none")
            there["PYTHONPATH"] = os.path.join(ROOT, "clients", "python", "src")
            done = subprocess.run(
                [sys.executable, "-c", program], env=there, capture_output=True, text=True
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            without, guarded = done.stdout.split("with turnkeeper:\n")[-2:]
            self.assertIn("Completions: 400 An assistant message with 'tool_calls' must be", without)
            self.assertIn("Responses: 400 No tool call found for function call output", without)
            self.assertIn("Completions: " + ANSWER, guarded)
            self.assertIn("Responses: " + ANSWER, guarded)
            self.assertEqual(len(api.bodies), 4)


class Unavailable(OpenAiTest):
    @both
    async def test_closed_and_open(self, sdk):
        nowhere = {"socket": os.path.join(os.sep, "nonexistent", "s")}
        for kind, history in SOUND:
            with MessagesApi() as api:
                with self.assertRaises(openai.APIConnectionError) as caught:
                    await sdk.ask(api, kind, history, guard=nowhere)
                self.assertIn("/nonexistent/s", str(caught.exception.__cause__))
                self.assertEqual(api.seen, [])
                opened = dict(nowhere, on_unavailable="open")
                self.assertEqual(await sdk.ask(api, kind, history, guard=opened), ANSWER)


if __name__ == "__main__":
    unittest.main()
