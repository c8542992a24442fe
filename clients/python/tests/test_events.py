# SPDX-License-Identifier: Apache-2.0
"""What guards tell of requests that they repaired or refused, with each library, blocking and not."""

import asyncio
import json
import unittest
from collections import Counter

import conformance
from local import needs_library
from support import FakeDaemonTest, real_daemon
from test_client import OK
from test_guard import BODY, EDIT, EDITED, LOCAL, UNSAFE, URL, Sent, daemon, each

import turnkeeper
from turnkeeper import Event
from turnkeeper.providers import list_of

LEAST = {"sound": 300, "repaired": 400, "refused": 80}  # different histories of the law
STREAMED = BODY[:-1] + b', "stream": true}'


class Told(FakeDaemonTest):
    """With a daemon that is played by a script."""

    def told(self, side, script, **request):
        """The events of one request."""
        before = len(side.told)
        self.response, self.sent = side.ask(script, **request)
        return side.told[before:]

    @each
    def test_repaired(self, side):
        edits = [EDIT, EDIT, dict(EDIT, code="d", action="move")]
        script = daemon(dict(EDITED, edits=edits))
        events = self.told(side, script)
        want = Event("repaired", "anthropic", codes={"c": 2, "d": 1}, actions={"drop": 2, "move": 1})
        self.assertEqual(events, [want])

    @each
    def test_it_is_told_before_the_request_leaves(self, side):
        order = []

        def answer(request):
            order.append("left")
            return side.http.Response(200, json={})

        side.ask(daemon(EDITED), on_event=lambda event: order.append(event.kind), answer=answer)
        self.assertEqual(order, ["repaired", "left"])

    @each
    def test_refused(self, side):
        fault = UNSAFE["violations"][0]
        two = {"violations": [fault, fault]}
        all_of_them = dict(two, counts={"c": 900})  # the list of violations has a limit
        for data, codes in ((two, {"c": 2}), (all_of_them, {"c": 900})):
            events = self.told(side, daemon((-32001, "unsafe_history", data)))
            self.assertEqual(events, [Event("refused", "anthropic", codes=codes)])
            self.assertEqual((self.response.status_code, self.sent.seen), (400, []))

    @each
    def test_refused_because_a_header_binds_the_body(self, side):
        headers = {"content-type": "application/json", "content-md5": "0"}
        events = self.told(side, daemon(EDITED), headers=headers)
        self.assertEqual(events, [Event("refused", "anthropic", codes={"c": 1})])

    @each
    def test_refused_because_it_cannot_be_judged(self, side):
        for error in (
            (-32010, "frame_too_large", {}),
            (-32602, "invalid_params", {"pointer": "/params/policy/thinking"}),
        ):
            events = self.told(side, daemon(error))
            self.assertEqual(events, [Event("refused", "anthropic")])

    @each
    def test_of_what_nothing_is_told(self, side):
        betas = dict(OK, changed=True, swap=(b"1.0", b"1.0"), headers={"anthropic-beta": "x"})
        bound = {"content-type": "application/json", "content-md5": "0"}
        for script, request in (
            (daemon(), {}),
            (daemon(dict(betas, added_betas=["x"])), {}),  # no edit of the history
            (daemon(EDITED), {"url": "http://provider.test/v1/complete"}),
            (daemon(EDITED), {"url": URL + "/count_tokens", "headers": bound}),  # leaves as it was
            (daemon((-32001, "unsafe_history", UNSAFE)), {"url": URL + "/count_tokens"}),
            (daemon((-32011, "busy", {})), {"on_unavailable": "open"}),
        ):
            self.assertEqual(self.told(side, script, **request), [])
            self.assertEqual(len(self.sent.seen), 1)
        with self.assertRaises(side.guards.GuardUnavailable):
            self.told(side, daemon((-32011, "busy", {})))
        self.assertEqual(side.told, [])

    @each
    def test_a_stream_that_cannot_be_opened(self, side):
        """The request is refused, or leaves as it was repaired: one event says which."""
        busy = daemon(EDITED, open_error=(-32011, "busy"))
        with self.assertRaises(side.guards.GuardUnavailable):
            self.told(side, busy, content=STREAMED)
        self.assertEqual(side.told, [])
        (event,) = self.told(side, busy, content=STREAMED, on_unavailable="open")
        self.assertEqual(event.kind, "repaired")
        wrong = daemon(EDITED, open_error=(-32602, "invalid_params"))
        events = self.told(side, wrong, content=STREAMED)
        self.assertEqual(events, [Event("refused", "anthropic")])

    @each
    def test_what_the_program_raises_changes_nothing(self, side):
        def broken(event):
            raise ValueError("SECRET words")

        for script, status in ((EDITED, 200), ((-32001, "unsafe_history", UNSAFE), 400)):
            with self.assertLogs("turnkeeper", "WARNING") as logged:
                response, _ = side.ask(daemon(script), on_event=broken)
            self.assertEqual(response.status_code, status)
            (line,) = logged.output
            self.assertIn("on_event raised ValueError", line)
            self.assertNotIn("SECRET", line)

    @each
    def test_a_name_of_the_caller(self, side):
        """Each call has it: of a whole turn that is sealed, and of a stream."""
        turn = b'{"content": [{"type": "thinking", "thinking": "t", "signature": "c2ln"}]}'
        frames = b'event: ping\ndata: {"type":"ping"}\n\n'
        for content, kind, body, methods in (
            (BODY, "application/json", turn, ["info", "prepare", "seal"]),
            (
                STREAMED,
                "text/event-stream",
                frames,
                ["info", "prepare", "stream.open", "stream.feed", "stream.end"],
            ),
        ):
            calls = []
            script = daemon(EDITED, calls=calls)
            headers = {"content-type": kind}
            (event,) = self.told(
                side,
                script,
                content=content,
                caller="agent-7",
                answer=lambda request: side.http.Response(200, headers=headers, content=body),
            )
            self.assertEqual(event.caller, "agent-7")
            self.assertEqual([method for method, _ in calls], methods)
            self.assertEqual({params.get("caller") for _, params in calls}, {"agent-7"})

    @each
    def test_the_keepers_own_name(self, side):
        kind = turnkeeper.AsyncClient if side.waiting else turnkeeper.Client
        keeper = kind(side.daemon(daemon(EDITED)), timeout=5, caller="keeper-1")
        self.addCleanup(keeper._pool.close)
        guard = side.guards.AsyncGuardTransport if side.waiting else side.guards.GuardTransport
        inner = Sent(side.http).transport
        transport = guard(inner, keeper=keeper, on_unavailable="closed", on_event=side.told.append)
        side.post(transport, content=BODY)
        self.assertEqual([event.caller for event in side.told], ["keeper-1"])

    @each
    def test_options_that_are_wrong(self, side):
        async def waits(event):
            pass

        for wrong, error, said in (
            ({"caller": ""}, ValueError, "caller: 1 to 64 of"),
            ({"caller": "a" * 65}, ValueError, "caller: 1 to 64 of"),
            ({"caller": "a b"}, ValueError, "caller: 1 to 64 of"),
            ({"caller": "a\n"}, ValueError, "caller: 1 to 64 of"),
            ({"caller": 7}, TypeError, "caller: a string, not int"),
            ({"on_event": 7}, TypeError, "on_event: a function of an Event, not int"),
            ({"on_event": waits}, TypeError, "it isn't awaited"),
        ):
            with self.assertRaises(error) as caught:
                side.transport(Sent(side.http).transport, "/nowhere/s", **wrong)
            self.assertIn(said, str(caught.exception))
        side.transport(Sent(side.http).transport, "/nowhere/s", caller="a" * 64)


# -- One law ---------------------------------------------------------------------------------

PATHS = {
    "anthropic": "/v1/messages",
    "openai-chat": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "bedrock": "/model/m/converse",
    "gemini": "/v1beta/models/m:generateContent",
}
# What a guard finds out of a request to such a path of api.openai.com.
TARGETS = {
    "openai-chat": {"endpoint": "openai"},
    "openai-responses": {"endpoint": "openai"},
    "bedrock": {"endpoint": "bedrock", "model": "m"},
    "gemini": {"endpoint": "compatible", "model": "m"},
}


def requests():
    """(provider, body) of each history in the conformance cases that has the provider's own format, once."""
    found = {}
    for case in conformance.cases():
        for step in case.get("steps", [case]):
            params = step.get("params")
            if not isinstance(params, dict) or "__raw_messages__" in params or "dialect" in params:
                continue
            provider = params.get("provider", "anthropic")
            body = params.get("request")
            if isinstance(params.get("messages"), list) and provider in PATHS:
                body = {list_of(provider): params["messages"]}
            if isinstance(body, dict) and provider in PATHS:
                found[provider, json.dumps(body).encode()] = None
    return list(found)


def answered(keeper, provider, body):
    """What `repair` answers; for Anthropic after the other steps of `prepare`, unless one of them refuses."""
    if provider != "anthropic":
        return keeper.repair_body(body, provider=provider, target=TARGETS[provider])
    try:
        return keeper.prepare_body(body, tools={"betas": []})
    except (turnkeeper.Refused, turnkeeper.InvalidParams):
        return keeper.repair_body(body)


def expected(keeper, provider, body):
    """The events that the keeper's answer makes, and a word for it."""
    try:
        edits = answered(keeper, provider, body).edits
    except turnkeeper.UnsafeHistory as unsafe:
        return [Event("refused", provider, codes=unsafe.data["counts"])], "refused"
    except turnkeeper.RemoteError:
        return [], "not judged"
    if not edits:
        return [], "sound"
    codes, actions = Counter(e.code for e in edits), Counter(e.action for e in edits)
    return [Event("repaired", provider, codes=dict(codes), actions=dict(actions))], "repaired"


def posted(side, provider, body):
    headers = {"content-type": "application/json"}
    url = "http://api.openai.com" + PATHS[provider]
    return side.http.Request("POST", url, headers=headers, content=body)


def events_of(side, transport, requests):
    """The events of each of the requests, which leave one after the other."""

    async def main():
        for request in requests:
            side.told.clear()
            if side.waiting:
                await transport.handle_async_request(request)
            else:
                transport.handle_request(request)
            yield list(side.told)

    async def gathered():
        return [events async for events in main()]

    return asyncio.run(gathered())


class Law(FakeDaemonTest):
    """Each request has the one event that the keeper's answer makes, or none. `path`: of the daemon's socket."""

    @classmethod
    def setUpClass(cls):
        real = real_daemon()
        cls.addClassCleanup(real.stop)
        cls.path = real.socket
        cls.expect(turnkeeper.Client(real.socket, timeout=30))

    @classmethod
    def expect(cls, keeper):
        with keeper:
            cls.cases = [(*case, *expected(keeper, *case)) for case in requests()]
        count = Counter(kind for *_, kind in cls.cases)
        print("# %s" % ", ".join("%d %s" % (n, kind) for kind, n in sorted(count.items())))
        assert all(count[kind] > least for kind, least in LEAST.items()), count

    @each
    def test_law(self, side):
        transport = side.transport(Sent(side.http).transport, self.path, seals=False)
        requests = [posted(side, provider, body) for provider, body, _, _ in self.cases]
        with self.assertLogs("turnkeeper", "WARNING"):  # about what isn't judged
            told = events_of(side, transport, requests)
        for (provider, body, want, kind), events in zip(self.cases, told):
            if kind == "not judged" and events:  # and thus refused, unless it is the provider's to refuse
                want = [Event("refused", provider)]
            self.assertEqual(events, want, body)


class LawLocal(Law):
    """The same with the library in process."""

    @classmethod
    def setUpClass(cls):
        needs_library()
        cls.path = LOCAL
        cls.expect(turnkeeper.Local(timeout=30))


if __name__ == "__main__":
    unittest.main()
