# SPDX-License-Identifier: Apache-2.0
"""The real SDK (package anthropic) against a local Messages API: what fails without turnkeeper and
works with it. Each test blocking and with asyncio; run_sdk_tests.sh installs what it needs."""

import asyncio
import contextlib
import gc
import importlib
import importlib.util
import json
import logging
import os
import subprocess
import sys
import threading
import unittest
import warnings

from local import InProcess
from messages_api import MessagesApi
from support import ROOT, real_daemon, wire

import turnkeeper

if importlib.util.find_spec("anthropic") is None:
    raise unittest.SkipTest("the package anthropic is not installed: see run_sdk_tests.sh")
import anthropic

# The library that this version of the SDK is built on.
http = importlib.import_module(anthropic.DefaultHttpxClient.__mro__[1].__module__.split(".")[0])
guards = importlib.import_module("turnkeeper." + http.__name__)

CALL = {
    "type": "server_tool_use",
    "id": "srvtoolu_1",
    "name": "web_search",
    "input": {"query": "the pass é"},
}
HIT = {
    "type": "web_search_result",
    "url": "https://road.example/pass",
    "title": "Road",
    "encrypted_content": "EpAECioIBxgCIiQ4",
    "page_age": "today",
}
RESULT = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [HIT]}
TEXT = {"type": "text", "text": "It is open. Ünd so."}
CLIENT_CALL = {"type": "tool_use", "id": "toolu_1", "name": "note", "input": {"text": "x"}}
THINKING = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
TOOLS = [{"type": "web_search_20250305", "name": "web_search"}]

ANOTHER = dict(CALL, id="srvtoolu_2")
SEARCH = {"content": [ANOTHER, dict(RESULT, tool_use_id="srvtoolu_2"), TEXT]}
ORPHANS = {
    "a call without its result": [CALL, TEXT],
    "a result without its call": [RESULT, TEXT],
}
UNSAFE = [THINKING, RESULT, TEXT]  # signed: nothing in it may be edited


def user(text="q"):
    return {"role": "user", "content": text}


def assistant(parts):
    return {"role": "assistant", "content": parts}


def both(test):
    """The test with the blocking SDK and with the asyncio one; `sdk` is awaited for each."""

    def run(self):
        for kind in (Blocking, Waiting):
            with self.subTest(kind.__name__):
                asyncio.run(test(self, kind(self)))

    return run


class Sdk:
    """One SDK client a call, so that both kinds look the same to a test."""

    def __init__(self, test):
        self.test = test

    def options(self, api, retries):
        return {"api_key": "k", "base_url": api.url, "max_retries": retries}

    def request(self, messages, **more):
        return dict(
            {"model": "claude-sonnet-5-5", "max_tokens": 99, "tools": TOOLS, "messages": messages},
            **more,
        )

    async def ask(self, api, messages, *, stream, guard, retries=0):
        """The message that the SDK makes of the answer."""
        return await self.with_client(api, guard, retries, self.message, messages, stream)


class Blocking(Sdk):
    async def with_client(self, api, guard, retries, body, *args):
        options = self.options(api, retries)
        transport = http.HTTPTransport(verify=False)  # reading certificates takes its time
        if guard:
            transport = guards.GuardTransport(transport, **self.test.guard(guard))
        options["http_client"] = anthropic.DefaultHttpxClient(transport=transport)
        with anthropic.Anthropic(**options) as client:
            return await body(client, *args)

    async def message(self, client, messages, stream):
        request = self.request(messages)
        if not stream:
            return client.messages.create(**request)
        with client.messages.stream(**request) as events:
            return events.get_final_message()

    async def call(self, method, *args, **params):
        return method(*args, **params)


class Waiting(Sdk):
    async def with_client(self, api, guard, retries, body, *args):
        options = self.options(api, retries)
        transport = http.AsyncHTTPTransport(verify=False)
        if guard:
            made = self.test.guard(guard, turnkeeper.AsyncClient)
            transport = guards.AsyncGuardTransport(transport, **made)
        options["http_client"] = anthropic.DefaultAsyncHttpxClient(transport=transport)
        async with anthropic.AsyncAnthropic(**options) as client:
            return await body(client, *args)

    async def message(self, client, messages, stream):
        request = self.request(messages)
        if not stream:
            return await client.messages.create(**request)
        async with client.messages.stream(**request) as events:
            return await events.get_final_message()

    async def call(self, method, *args, **params):
        return await method(*args, **params)


def content(message):
    """The content as it would be stored and sent again: what the SDK added itself left out."""
    return [
        {k: v for k, v in part.model_dump(mode="json").items() if v is not None and k != "parsed"}
        for part in message.content
    ]


class SdkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = real_daemon()
        cls.addClassCleanup(cls.daemon.stop)
        with turnkeeper.Client(cls.daemon.socket) as client:
            methods = {method.name for method in client.info().methods}
        cls.ways = (False, True) if "stream.open" in methods else (False,)
        quiet = logging.getLogger("turnkeeper")
        before, quiet.level = quiet.level, logging.CRITICAL
        cls.addClassCleanup(lambda: setattr(quiet, "level", before))

    def guard(self, guard, kind=turnkeeper.Client):
        path, on_unavailable = (self.daemon.socket, "closed") if guard is True else guard
        client = kind(path, timeout=30)
        self.addCleanup(client._pool.close)
        return {"client": client, "on_unavailable": on_unavailable}

    def needs_streams(self):
        if True not in self.ways:
            self.skipTest("this daemon has no streams")

    async def refused(self, sdk, api, messages, **how):
        with self.assertRaises(anthropic.BadRequestError) as caught:
            await sdk.ask(api, messages, **how)
        return caught.exception


class Histories(SdkTest):
    @both
    async def test_orphans(self, sdk):
        """A chat that is stuck without turnkeeper goes on with it."""
        for name, parts in ORPHANS.items():
            messages = [user(), assistant(parts), user("and now?")]
            for stream in self.ways:
                with self.subTest(name, stream=stream), MessagesApi(SEARCH) as api:
                    error = await self.refused(sdk, api, messages, stream=stream, guard=False)
                    self.assertIn("srvtoolu_1", error.body["error"]["message"])
                    answer = await sdk.ask(api, messages, stream=stream, guard=True)
                    self.assertEqual(content(answer), SEARCH["content"])
                    self.assertEqual(answer.stop_reason, "end_turn")
                    self.assertEqual(len(api.bodies), 2)

    @both
    async def test_a_paused_turn_that_the_user_cut_short(self, sdk):
        paused = {"content": [TEXT, CALL], "stop_reason": "pause_turn"}
        for stream in self.ways:
            with self.subTest(stream=stream), MessagesApi(paused, SEARCH) as api:
                first = await sdk.ask(api, [user()], stream=stream, guard=True)
                self.assertEqual(first.stop_reason, "pause_turn")
                self.assertEqual(content(first), paused["content"])
                messages = [user(), assistant(content(first)), user("never mind")]
                await self.refused(sdk, api, messages, stream=stream, guard=False)
                answer = await sdk.ask(api, messages, stream=stream, guard=True)
                self.assertEqual(content(answer), SEARCH["content"])

    @both
    async def test_a_paused_turn_goes_on(self, sdk):
        """The result at the head of the next message belongs to a call of the one before."""
        paused = {"content": [TEXT, CALL], "stop_reason": "pause_turn"}
        rest = {"content": [RESULT, TEXT]}
        for stream in self.ways:
            with self.subTest(stream=stream), MessagesApi(paused, rest, SEARCH) as api:
                first = await sdk.ask(api, [user()], stream=stream, guard=True)
                messages = [user(), assistant(content(first))]
                second = await sdk.ask(api, messages, stream=stream, guard=True)
                self.assertEqual(content(second), rest["content"])
                messages += [assistant(content(second)), user("more")]
                self.assertEqual(
                    content(await sdk.ask(api, messages, stream=stream, guard=True)),
                    SEARCH["content"],
                )

    @both
    async def test_what_cannot_be_repaired_never_leaves(self, sdk):
        messages = [user(), assistant(UNSAFE), user("n")]
        for stream in self.ways:
            with self.subTest(stream=stream), MessagesApi() as api:
                theirs = await self.refused(sdk, api, messages, stream=stream, guard=False)
                ours = await self.refused(sdk, api, messages, stream=stream, guard=True, retries=2)
                self.assertEqual(len(api.bodies), 1)  # and not tried again, either
                said = theirs.body["error"]["message"]
                self.assertEqual(ours.body["error"]["message"][: len(said)], said)
                self.assertEqual(ours.status_code, theirs.status_code)
                self.assertEqual(ours.body["turnkeeper"]["name"], "unsafe_history")
                cause = ours.response.extensions["turnkeeper"]
                self.assertEqual(cause.violations[0].pointer, "/messages/1/content/1")

    @both
    async def test_a_sound_history_leaves_byte_for_byte(self, sdk):
        sound = [CALL, RESULT, TEXT, CLIENT_CALL]
        told = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "é"}
        messages = [user("é\u2028"), assistant(sound), {"role": "user", "content": [told]}]
        for stream in self.ways:
            with self.subTest(stream=stream), MessagesApi(SEARCH, SEARCH) as api:
                for guard in (False, True):
                    await sdk.ask(api, messages, stream=stream, guard=guard)
                plain, guarded = api.bodies
                self.assertEqual(plain, guarded)
                one, other = (
                    {k.lower(): v for k, v in headers.items() if k.lower() not in VARYING}
                    for _, headers, _ in api.seen
                )
                self.assertEqual(one, other)

    @both
    async def test_a_repaired_history_leaves_byte_for_byte_but_for_the_edit(self, sdk):
        messages = [user("é"), assistant([TEXT, CALL]), user("n")]
        with MessagesApi(SEARCH) as api:
            await self.refused(sdk, api, messages, stream=False, guard=False)
            await sdk.ask(api, messages, stream=False, guard=True)
            sent, repaired = api.bodies
            start = sent.index(b',{"type":"server_tool_use"')
            end = sent.index(b"}}", start) + 2
            self.assertEqual(repaired, sent[:start] + sent[end:])


VARYING = ("x-stainless-timeout", "x-stainless-read-timeout", "host", "idempotency-key")


class Streams(SdkTest):
    def setUp(self):
        self.needs_streams()

    @both
    async def test_the_same_message_with_and_without(self, sdk):
        turns = (
            SEARCH,
            {"content": [TEXT, CLIENT_CALL], "stop_reason": "tool_use"},
            {"content": [THINKING, CALL, RESULT, TEXT, CLIENT_CALL], "stop_reason": "tool_use"},
        )
        for turn in turns:
            for compress in (False, True):
                with MessagesApi(*[turn] * 3, compress=compress) as api:
                    plain = await sdk.ask(api, [user()], stream=True, guard=False)
                    paired = await sdk.ask(api, [user()], stream=True, guard=True)
                    whole = await sdk.ask(api, [user()], stream=False, guard=True)
                    self.assertEqual(content(paired), content(plain))
                    self.assertEqual(content(paired), content(whole))
                    self.assertEqual(paired.stop_reason, whole.stop_reason)
                    self.assertEqual(paired.usage.output_tokens, whole.usage.output_tokens)

    @both
    async def test_half_a_pair_never_arrives(self, sdk):
        """A stream that breaks off between call and result: without turnkeeper the SDK hands out
        the orphan, and the chat is stuck one turn later."""
        for turn in (
            {"content": [TEXT, CALL]},  # says end_turn as if all were well
            {"content": [RESULT, TEXT]},
            {"content": [CALL, RESULT, CALL, RESULT, TEXT]},
        ):
            with self.subTest(turn), MessagesApi(turn, turn) as api:
                stored = content(await sdk.ask(api, [user()], stream=True, guard=False))
                self.assertEqual(stored, turn["content"])
                if turn["content"][0] != CALL:
                    messages = [user(), assistant(stored), user("n")]
                    await self.refused(sdk, api, messages, stream=True, guard=False)
                seen = []
                with self.assertRaises(anthropic.APIStatusError) as caught:
                    await self.events(sdk, api, seen)
                self.assertEqual(caught.exception.body["type"], "error")
                halves = [e for e in seen if e.type == "content_block_start"]
                types = [e.content_block.type for e in halves]
                self.assertEqual(
                    types.count("server_tool_use"), types.count("web_search_tool_result"), types
                )

    async def events(self, sdk, api, seen):
        async def body(client):
            request = sdk.request([user()], stream=True)
            stream = await sdk.call(client.messages.create, **request)
            if isinstance(sdk, Blocking):
                self.take(stream, seen)
            else:
                async for event in stream:
                    seen.append(event)

        await sdk.with_client(api, True, 0, body)

    @staticmethod
    def take(stream, seen):
        for event in stream:
            seen.append(event)

    @both
    async def test_a_stream_that_is_cut(self, sdk):
        """Without turnkeeper the SDK takes what came for the whole."""
        turn = {"content": [CALL, RESULT, TEXT], "ends": "cut"}
        with MessagesApi(turn, turn) as api:
            plain = await sdk.ask(api, [user()], stream=True, guard=False)
            self.assertIsNone(plain.stop_reason)
            with self.assertRaises(anthropic.APIStatusError) as caught:
                await sdk.ask(api, [user()], stream=True, guard=True)
            self.assertEqual(caught.exception.body["error"]["type"], "api_error")

    @both
    async def test_the_providers_own_error(self, sdk):
        turn = {"content": [TEXT], "ends": "overloaded"}
        with MessagesApi(turn, turn) as api:
            said = []
            for guard in (False, True):
                with self.assertRaises(anthropic.APIStatusError) as caught:
                    await sdk.ask(api, [user()], stream=True, guard=guard)
                said.append((type(caught.exception), caught.exception.body["error"]))
            self.assertEqual(said[0], said[1])

    @both
    async def test_the_providers_connection_breaks(self, sdk):
        turn = {"content": [TEXT], "ends": "reset"}
        with MessagesApi(turn, turn) as api:
            kinds = []
            for guard in (False, True):
                try:
                    await sdk.ask(api, [user()], stream=True, guard=guard)
                except Exception as why:
                    kinds.append(type(why))
            self.assertEqual(kinds[0], kinds[1])

    @both
    async def test_a_reader_that_leaves(self, sdk):
        with MessagesApi(*[SEARCH] * 3) as api, warnings.catch_warnings():
            warnings.simplefilter("error", ResourceWarning)

            async def body(client):
                for _ in range(3):
                    request = sdk.request([user()], stream=True)
                    stream = await sdk.call(client.messages.create, **request)
                    await sdk.call(stream.close)

            await sdk.with_client(api, True, 0, body)
            gc.collect()


class Signed(SdkTest):
    @both
    async def test_a_turn_that_comes_back_in_another_order(self, sdk):
        """Programs that keep thinking and calls apart: refused without turnkeeper, accepted with it."""
        thoughts = [THINKING, dict(THINKING, signature="dHdv")]
        calls = [CLIENT_CALL, dict(CLIENT_CALL, id="toolu_2")]
        turn = {
            "content": [thoughts[0], calls[0], thoughts[1], calls[1]],
            "stop_reason": "tool_use",
        }
        results = [{"type": "tool_result", "tool_use_id": c["id"], "content": "r"} for c in calls]
        after = [assistant(thoughts + calls), {"role": "user", "content": results}]
        for stream in self.ways:
            for guard in (False, True):
                with self.subTest(stream=stream, guard=guard), MessagesApi(turn, SEARCH) as api:

                    async def body(client, stream=stream, guard=guard):
                        first = await sdk.message(client, [user()], stream)
                        self.assertEqual(content(first), turn["content"])
                        if guard:
                            answer = await sdk.message(client, [user()] + after, stream)
                            self.assertEqual(content(answer), SEARCH["content"])
                            return
                        with self.assertRaises(anthropic.BadRequestError) as caught:
                            await sdk.message(client, [user()] + after, stream)
                        self.assertIn("must remain as they were", str(caught.exception))

                    await sdk.with_client(api, guard, 0, body)


class Objects(SdkTest):
    """Histories of the SDK's own objects, given to a client of turnkeeper."""

    def received(self, turn):
        """The SDK's object for a turn, of either kind of message, plain and from a stream."""
        for beta in (False, True):
            for stream in (False, True):
                with MessagesApi(turn) as api:
                    transport = http.HTTPTransport(verify=False)
                    inner = anthropic.DefaultHttpxClient(transport=transport)
                    options = {"api_key": "k", "base_url": api.url, "http_client": inner}
                    with anthropic.Anthropic(**options) as client:
                        messages = client.beta.messages if beta else client.messages
                        request = Sdk(self).request([user()])
                        if stream:
                            with messages.stream(**request) as events:
                                yield events.get_final_message()
                        else:
                            yield messages.create(**request)

    def test_as_the_sdk_sends_them(self):
        for message in self.received(dict(SEARCH)):
            history = [user(), assistant(message.content), {"role": "user", "content": "é"}]
            with MessagesApi() as api, http.Client(verify=False) as inner:
                options = {"api_key": "k", "base_url": api.url, "http_client": inner}
                with anthropic.Anthropic(**options) as client:
                    client.messages.create(**Sdk(self).request(history))
                self.assertEqual(
                    json.loads(wire.encode_json(history)), json.loads(api.bodies[0])["messages"]
                )

    def test_repair(self):
        """What was stuck goes through, and what no edit touched is what was given."""
        for message in self.received({"content": [TEXT, CALL]}):
            history = [user(), assistant(message.content), user("n")]
            with turnkeeper.Client(self.daemon.socket) as client:
                self.assertFalse(client.validate(history).valid)
                fixed = client.repair(history).messages
                self.assertIs(fixed[0], history[0])
                self.assertIs(fixed[2], history[2])
                self.assertEqual(len(fixed[1]["content"]), 1)
                self.assertIs(fixed[1]["content"][0], message.content[0])
                self.assertEqual(client.seal(message)["turn"], client.seal(message.content)["turn"])
                self.assertEqual(
                    client.seal(message.content)["turn"], client.seal([TEXT, CALL])["turn"]
                )
                self.assertEqual(len(client.repair_turn(message.content).content), 1)
                request = Sdk(self).request(history)
                self.assertTrue(client.prepare(request).safe)
                paired = client.pair(dict(message.to_dict(), content=[TEXT]))
                self.assertEqual(paired.message["content"], [TEXT])

    def test_what_a_dump_has_too_much(self):
        """Whole messages, as objects and as every kind of dump: they lose the extra members only."""
        with turnkeeper.Client(self.daemon.socket) as client:
            if "message_extra_inputs" not in {rule.code for rule in client.info().catalogue}:
                self.skipTest("this daemon doesn't know message_extra_inputs")
        for message in self.received({"content": [TEXT]}):
            for stored in (
                message,
                message.model_dump(),
                message.model_dump(mode="json"),
                message.to_dict(),
                json.loads(message.to_json()),
            ):
                with turnkeeper.Client(self.daemon.socket) as client:
                    fixed = client.repair([user(), stored, user("n")])
                    self.assertEqual({e.code for e in fixed.edits}, {"message_extra_inputs"})
                    (turn,) = fixed.messages[1:2]
                    self.assertEqual(sorted(turn), ["content", "role"])
                    given = stored["content"] if isinstance(stored, dict) else [TEXT]
                    self.assertEqual(turn["content"], given)

    def test_splice(self):
        turn = {"content": [TEXT, CLIENT_CALL], "stop_reason": "tool_use"}
        result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "r"}
        for message in self.received(turn):
            with turnkeeper.Client(self.daemon.socket) as client:
                following = client.splice([user()], message, tool_results=[result])
                self.assertEqual(following.messages[-1]["content"], [result])
                self.assertEqual(len(following.messages), 3)


class LocalHistories(InProcess, Histories):
    pass


class LocalStreams(InProcess, Streams):
    pass


class LocalSigned(InProcess, Signed):
    pass


class Unavailable(SdkTest):
    @both
    async def test_closed(self, sdk):
        for stream in (False, True):
            with MessagesApi() as api:
                with self.assertRaises(anthropic.APIConnectionError) as caught:
                    guard = ("/nowhere/s", "closed")
                    await sdk.ask(api, [user()], stream=stream, guard=guard)
                self.assertIsInstance(caught.exception.__cause__, guards.GuardUnavailable)
                self.assertEqual(api.seen, [])

    @both
    async def test_open(self, sdk):
        for stream in (False, True):
            with MessagesApi(SEARCH) as api:
                answer = await sdk.ask(api, [user()], stream=stream, guard=("/nowhere/s", "open"))
                self.assertEqual(content(answer), SEARCH["content"])

    @both
    async def test_a_daemon_that_comes_back(self, sdk):
        """The SDK makes a call again that the guard could not ask about: its own retries do."""

        path = self.daemon.socket
        with MessagesApi(SEARCH) as api:
            guard = (path + ".late", "closed")
            timer = threading.Timer(0.2, os.symlink, (path, path + ".late"))
            timer.start()
            try:
                answer = await sdk.ask(api, [user()], stream=False, guard=guard, retries=5)
            finally:
                timer.join()
                with contextlib.suppress(OSError):
                    os.unlink(path + ".late")
            self.assertEqual(content(answer), SEARCH["content"])
            self.assertEqual(len(api.bodies), 1)


class Endpoints(SdkTest):
    @both
    async def test_others_are_left_alone(self, sdk):
        """No daemon is asked: there is none."""
        request = sdk.request([user(), assistant([CALL]), user()])
        with MessagesApi() as api:

            async def body(client):
                self.assertEqual((await sdk.call(client.models.list)).data, [])
                batch = [{"custom_id": "1", "params": request}]
                await sdk.call(client.messages.batches.create, requests=batch)

            await sdk.with_client(api, ("/nowhere/s", "closed"), 0, body)
            path, _, sent = api.seen[-1]
            self.assertEqual(path, "/v1/messages/batches")
            self.assertIn(b"srvtoolu_1", sent)

    @both
    async def test_counting_tokens(self, sdk):
        """What is counted is what would be sent."""
        messages = [user(), assistant([CALL, TEXT]), user()]
        with MessagesApi() as api:

            async def body(client):
                for count in (client.messages.count_tokens, client.beta.messages.count_tokens):
                    counted = await sdk.call(count, model="claude-sonnet-5-5", messages=messages)
                    self.assertEqual(counted.input_tokens, 7)

            await sdk.with_client(api, True, 0, body)
            for path, _, sent in api.seen:
                self.assertTrue(path.startswith("/v1/messages/count_tokens"), path)
                self.assertNotIn(b"srvtoolu_1", sent)

    @both
    async def test_beta(self, sdk):
        with MessagesApi(SEARCH) as api:

            async def body(client):
                messages = [user(), assistant([TEXT, CALL]), user("n")]
                request = sdk.request(messages, betas=["files-api-2025-04-14"])
                answer = await sdk.call(client.beta.messages.create, **request)
                self.assertEqual(answer.stop_reason, "end_turn")

            await sdk.with_client(api, True, 0, body)
            self.assertTrue(api.seen[0][0].startswith("/v1/messages"))

    @both
    async def test_beta_values(self, sdk):
        """Those of the caller and those that the tools need, whichever way the caller gives them."""
        computer = {"type": "computer_20250124", "name": "computer"}
        tools = [dict(computer, display_width_px=1, display_height_px=1)]
        own = {"anthropic-beta": "files-api-2025-04-14"}
        with MessagesApi() as api:

            async def body(client):
                for how in ({"betas": list(own.values())}, {"extra_headers": own}):
                    request = dict(sdk.request([user()]), tools=tools, **how)
                    await sdk.call(client.beta.messages.create, **request)

            await sdk.with_client(api, True, 0, body)
            for _, headers, _ in api.seen:
                found = {k.lower(): v for k, v in headers.items()}["anthropic-beta"].split(",")
                self.assertEqual(found, ["files-api-2025-04-14", "computer-use-2025-01-24"])

    @both
    async def test_raw_responses(self, sdk):
        with MessagesApi(SEARCH) as api:

            async def body(client):
                request = sdk.request([user()])
                raw = await sdk.call(client.messages.with_raw_response.create, **request)
                self.assertEqual(raw.headers["request-id"], "req_1")
                parsed = raw.parse()
                parsed = await parsed if asyncio.iscoroutine(parsed) else parsed
                self.assertEqual(content(parsed), SEARCH["content"])

            await sdk.with_client(api, True, 0, body)


class Programs(SdkTest):
    """Runs the programs of the READMEs, unchanged and without the lines that are marked; and the
    example."""

    MARK = "  # +"

    def program(self, *place):
        with open(os.path.join(ROOT, *place), encoding="utf-8") as readme:
            blocks = readme.read().split("```python\n")[1:]
        found = [block.partition("```")[0] for block in blocks if "import anthropic" in block]
        self.assertEqual(len(found), 1)
        return found[0].replace("httpx2", http.__name__)  # as the README says for older SDKs

    def output(self, program, api):
        there = dict(os.environ, TURNKEEPER_SOCKET=self.daemon.socket)
        there.update(ANTHROPIC_BASE_URL=api.url, ANTHROPIC_API_KEY="none")
        there["PYTHONPATH"] = os.path.join(ROOT, "clients", "python", "src")
        done = subprocess.run(
            [sys.executable, "-c", program], env=there, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def run_it(self, program):
        """How many requests the daemon has judged meanwhile."""
        with turnkeeper.Client(self.daemon.socket) as client, MessagesApi() as api:
            before = client.stats().methods["prepare"]["requests"]
            self.assertIn("The pass is open", self.output(program, api))
            self.assertEqual(len(api.bodies), 1)
            return client.stats().methods["prepare"]["requests"] - before

    def test_example(self):
        with open(os.path.join(ROOT, "examples", "python_sdk.py"), encoding="utf-8") as text:
            program = text.read().replace("httpx2", http.__name__)
        with MessagesApi() as api:
            without, rest = self.output(program, api).split("with turnkeeper:\n")
            guarded, hopeless = rest.split("and a history that no safe edit can repair is never sent:\n")
            self.assertIn("without a corresponding `web_search_tool_result` block", without)
            self.assertIn("The pass is open, with chains.\n", guarded)
            self.assertIn("store this: server_tool_use, web_search_tool_result, text", guarded)
            self.assertIn("(refused by turnkeeper, not sent", hopeless)
            self.assertIn("go back to before message 1", hopeless)  # the way out
            self.assertEqual(len(api.bodies), 2)

    def test_first_program(self):
        program = self.program("clients", "python", "README.md")
        lines = program.splitlines(keepends=True)
        own = [line for line in lines if not line.endswith(self.MARK + "\n")]
        self.assertIn(len(lines) - len(own), range(1, 6))
        self.assertEqual([line for line in own if "turnkeeper" in line or "guard" in line], [])
        self.assertEqual(self.run_it("".join(own)), 0)
        self.assertEqual(self.run_it(program), 1)

    def test_three_lines(self):
        """The README's, which ask no daemon."""
        asks = "message = client.messages.create(model='m', max_tokens=9, messages=[{'role': 'user', 'content': 'q'}])\n"
        stuck = "[{'role': 'user', 'content': 'q'}, {'role': 'assistant', 'content': [{'type': 'server_tool_use', 'id': "
        stuck += "'srvtoolu_1', 'name': 'web_search', 'input': {}}]}, {'role': 'user', 'content': 'q'}]"
        asks = asks.replace("[{'role': 'user', 'content': 'q'}]", stuck) + "print(message.content)\n"
        with MessagesApi() as api:
            self.assertIn("The pass is open", self.output(self.program("README.md") + asks, api))
            (body,) = api.bodies
            self.assertNotIn(b"server_tool_use", body)


if __name__ == "__main__":
    unittest.main()
