# SPDX-License-Identifier: Apache-2.0
"""The guarded transports, of each library that is installed, blocking and not."""

import asyncio
import contextlib
import gzip
import importlib
import importlib.util
import json
import os
import tracemalloc
import unittest
import warnings
import zlib
from typing import get_args, get_type_hints
from unittest import mock

from local import needs_library
from messages_api import MessagesApi
from support import CLIENT, FakeDaemonTest, folder, real_daemon
from test_client import INFO, OK

import turnkeeper
from turnkeeper import coding as coding_module
from turnkeeper import library, options

LIBRARIES = [name for name in ("httpx", "httpx2") if importlib.util.find_spec(name)]
if not LIBRARIES:
    raise unittest.SkipTest("neither httpx nor httpx2 is installed: see run_sdk_tests.sh")
URL = "http://provider.test/v1/messages"
BODY = b'{"model": "m", "messages": [ {"role":"user","content":"q"},{"n": 1.0} ] }'
EDIT = {"code": "c", "action": "drop", "pointer": "/messages/1"}
EDITED = dict(OK, changed=True, swap=(b',{"n": 1.0} ]', b"]"), edits=[EDIT])
UNSAFE = {
    "violations": [
        {"code": "c", "pointer": "/messages/1", "provider_error": "messages.1: no", "text": "t"}
    ]
}
LOCAL = object()  # in place of a socket's path: the library in process
BOMB = gzip.compress(b'{"messages": [' + b" " * (64 << 20) + b"]}")
MEDIA_TYPES = os.path.join(CLIENT, "..", "shared", "media_types.json")
SSE = b'event: ping\ndata: {"type":"ping"}\n\n'


SEAL = {
    "v": 1,
    "alg": "sha256",
    "turn": "ab",
    "blocks": [{"type": "thinking", "opaque": "cd"}, {"type": "tool_use", "id": "toolu_1"}],
}

FINISH = {"reason": "stop", "stop_reason": "end_turn", "usage": {}, "pending_operations": []}


def daemon(prepare=OK, state="open", end=(), open_error=None, calls=None, **methods):
    """A script: answers `prepare` with a result or an error, and lets streams pass as they are.

    `methods`: what to answer to others; None: the daemon has no such method. `calls`: a list to which (method,
    params) of each call is added, `info` included; `seen` of the script is without that.
    """
    methods = {"prepare": prepare, "repair": prepare, "seal": {"seal": SEAL}, **methods}
    whole = {"finish": FINISH, "message": {}, "seal": SEAL, "warnings": {}}

    def script(peer):
        seen = script.seen
        while True:
            request = peer.read()
            if request is None:
                return
            method, params = request["method"], request["params"]
            if calls is not None:
                calls.append((method, params))
            if method == "info":
                peer.result(request, methods.get("info", INFO))
                continue
            seen.append((method, params))
            data = params.get("data")
            text = data.decode() if isinstance(data, bytes) else data
            outputs = [{"type": "sse", "data": text}] if text else []
            answer = methods.get(method)
            if callable(answer):
                answer = answer(params)
            if method in methods and answer is None:
                peer.error(request["id"], -32601, "method_not_found")
            elif isinstance(answer, tuple):
                peer.error(request["id"], *answer[:2], **answer[2])
            elif answer is not None:
                peer.result(request, answer)
            elif method == "stream.open" and open_error:
                peer.error(request["id"], *open_error)
            elif method == "stream.open":
                peer.result(request, {"state": "open", "outputs": [], "carried": []})
            elif method == "stream.feed":
                peer.result(request, {"state": state, "outputs": outputs})
            elif state == "done":
                peer.result(request, dict(whole, state="done", outputs=list(end)))
            else:
                kinds = {"kinds": ["truncated_stream"], "retryable": True}
                ended = {"state": "failed", "error": kinds, "warnings": {}}
                peer.result(request, dict(ended, outputs=list(end)))

    script.seen = []
    return script


def in_two_members(data):
    return gzip.compress(data[:20]) + gzip.compress(data[20:])


class Sent:
    """The wrapped transport: keeps what arrives, answers with what it was given."""

    def __init__(self, library, answer=None):
        self.seen = []
        self.closed = 0
        self.answer = answer or (lambda request: library.Response(200, json={"ok": True}))
        inner = library.MockTransport(self.take)
        inner.close = self.close
        inner.aclose = self.aclose
        self.transport = inner

    def take(self, request):
        self.seen.append(request)
        return self.answer(request)

    def close(self):
        self.closed += 1

    async def aclose(self):
        self.closed += 1

    @property
    def bodies(self):
        return [request.content for request in self.seen]


def each(test):
    """The test for each library, with a blocking client and with an asyncio one."""

    def run(self):
        for name in LIBRARIES:
            for waiting in (False, True):
                with self.subTest(library=name, waiting=waiting):
                    test(self, Side(self, name, waiting))

    return run


class Side:
    def __init__(self, test, name, waiting):
        self.test = test
        self.waiting = waiting
        self.http = importlib.import_module(name)
        self.guards = importlib.import_module("turnkeeper." + name)
        self.told = []  # the events of all guards of this side

    def daemon(self, *scripts):
        return self.test.daemon(*scripts).path

    def transport(self, inner, path, on_unavailable="closed", **options):
        kind = self.guards.AsyncGuardTransport if self.waiting else self.guards.GuardTransport
        if path is LOCAL:
            keeper = turnkeeper.AsyncLocal() if self.waiting else turnkeeper.Local()
        else:
            keeper = turnkeeper.AsyncClient if self.waiting else turnkeeper.Client
            keeper = keeper(path, timeout=5)
            options["on_unavailable"] = on_unavailable
        options.setdefault("on_event", self.told.append)
        self.test.addCleanup(keeper._pool.close)
        return kind(inner, keeper=keeper, **options)

    def post(self, transport, url=URL, *, read=True, **request):
        """One request, and its response with all of its body. It has at most one event of what became of it."""
        before = len(self.told)
        try:
            return self.exchange(transport, url, read, **request)
        finally:
            told = [event for event in self.told[before:] if event.kind != "missed"]
            self.test.assertLessEqual(len(told), 1, told)

    def exchange(self, transport, url, read, **request):
        request.setdefault("headers", {"content-type": "application/json"})
        if not self.waiting:
            with self.http.Client(transport=transport) as client:
                response = client.send(client.build_request("POST", url, **request), stream=True)
                if read:
                    response.taken = list(response.iter_bytes())
                response.close()
                return response
        return asyncio.run(self.post_async(transport, url, read, **request))

    async def post_async(self, transport, url, read, **request):
        if "content" in request and not isinstance(request["content"], (bytes, str)):
            request["content"] = self.asynchronous(request["content"])
        async with self.http.AsyncClient(transport=transport) as client:
            sent = client.build_request("POST", url, **request)
            response = await client.send(sent, stream=True)
            if read:
                response.taken = [chunk async for chunk in response.aiter_bytes()]
            await response.aclose()
            return response

    @staticmethod
    async def asynchronous(chunks):
        for chunk in chunks:
            yield chunk

    def ask(self, script, **request):
        """The response to BODY, and what left."""
        sent = Sent(self.http, request.pop("answer", None))
        names = ("on_unavailable", "policy", "provenance", "seals", "target")
        names += ("caller", "on_event", "save_misses")
        options = {k: request.pop(k) for k in names if k in request}
        transport = self.transport(sent.transport, self.daemon(script), **options)
        request.setdefault("content", BODY)
        return self.post(transport, **request), sent


def document(response):
    return json.loads(b"".join(response.taken))


class Requests(FakeDaemonTest):
    @each
    def test_a_clean_request_leaves_as_it_was(self, side):
        script = daemon()
        options = {"policy": "preserve", "provenance": "rebuilt", "target": {"endpoint": "vertex"}}
        response, sent = side.ask(script, **options)
        self.assertEqual(document(response), {"ok": True})
        self.assertEqual(sent.bodies, [BODY])
        ((method, params),) = script.seen
        self.assertEqual((method, {name: params[name] for name in options}), ("prepare", options))
        self.assertEqual(params["request"], json.loads(BODY))

    @each
    def test_an_edited_request_keeps_its_other_bytes(self, side):
        want = b'{"model": "m", "messages": [ {"role":"user","content":"q"}] }'
        for content in (BODY, [BODY[:9], BODY[9:]]):  # the second is chunked
            with self.assertLogs("turnkeeper", "INFO") as logged:
                response, sent = side.ask(daemon(EDITED), content=content)
            self.assertEqual(response.status_code, 200)
            (request,) = sent.seen
            self.assertEqual(request.content, want)
            self.assertEqual(request.headers["content-length"], str(len(want)))
            self.assertNotIn("transfer-encoding", request.headers)
            self.assertEqual(request.headers["content-type"], "application/json")
            self.assertIn("repaired: c", logged.output[0])

    @each
    def test_compressed_requests(self, side):
        want = b'{"model": "m", "messages": [ {"role":"user","content":"q"}] }'
        for coding, pack, unpack in (
            ("gzip", gzip.compress, gzip.decompress),
            ("gzip", in_two_members, gzip.decompress),
            ("deflate", zlib.compress, zlib.decompress),
            ("identity", bytes, bytes),
        ):
            headers = {"content-type": "application/json", "content-encoding": coding}
            packed = pack(BODY)
            _, sent = side.ask(daemon(), content=packed, headers=headers)
            self.assertEqual(sent.bodies, [packed])
            _, sent = side.ask(daemon(EDITED), content=packed, headers=headers)
            (request,) = sent.seen
            self.assertEqual(unpack(request.content), want)
            self.assertEqual(request.headers["content-encoding"], coding)
            self.assertEqual(request.headers["content-length"], str(len(request.content)))

    @each
    def test_what_nobody_can_decompress(self, side):
        cut = gzip.compress(BODY)[:-9]
        for coding, content in (
            ("br", b"x"),
            ("gzip", b"no gzip"),
            ("gzip", cut),
            ("deflate", b""),
        ):
            headers = {"content-type": "application/json", "content-encoding": coding}
            response, sent = side.ask(daemon(), content=content, headers=headers)
            self.assertEqual((response.status_code, sent.seen), (400, []))
            with self.assertLogs("turnkeeper", "WARNING"):
                response, sent = side.ask(
                    daemon(), content=content, headers=headers, on_unavailable="open"
                )
            self.assertEqual(sent.bodies, [content])

    @each
    def test_what_becomes_too_large(self, side):
        """Nothing is unpacked beyond what the daemon takes, or, where it doesn't say that, 64 MiB."""
        large = b'{"messages": [' + b" " * (1 << 20) + b"]}"
        peaks = []
        for coding, pack in (("gzip", gzip.compress), ("gzip", in_two_members), ("deflate", zlib.compress)):
            for most, fits in ((len(large), True), (len(large) - 1, False), (1000, False)):
                headers = {"content-type": "application/json", "content-encoding": coding}
                info = dict(INFO, limits={"max_frame": most})
                script, packed = daemon(info=info), pack(large)
                response, sent = side.ask(script, content=packed, headers=headers)
                self.assertEqual(response.status_code, 200 if fits else 400)
                self.assertEqual(sent.bodies, [packed] if fits else [])
                if fits:
                    continue
                self.assertIn("more than %d bytes" % most, document(response)["error"]["message"])
                with self.assertLogs("turnkeeper", "WARNING"):
                    _, sent = side.ask(daemon(info=info), content=packed, headers=headers, on_unavailable="open")
                self.assertEqual(sent.bodies, [packed])
                tracemalloc.start()
                with self.assertRaises(turnkeeper.EncodeError):
                    coding_module.plain(packed, coding, 1000)
                peaks.append(tracemalloc.get_traced_memory()[1])
                tracemalloc.stop()
        self.assertLess(max(peaks), 300_000)
        bomb = {"content-type": "application/json", "content-encoding": "gzip"}
        response, sent = side.ask(daemon(), content=BOMB, headers=bomb)
        self.assertEqual((response.status_code, sent.seen), (400, []))
        self.assertIn("more than %d bytes" % (64 << 20), document(response)["error"]["message"])

    @each
    def test_what_is_not_guarded(self, side):
        never = daemon((-32603, "internal", {}))
        for change in (
            {"url": "http://provider.test/v1/messages/batches"},
            {"url": "http://provider.test/v1/complete"},
            {"url": "http://bedrock.test/model/anthropic.claude-v1%3A0/invoke"},
            {"url": "http://bedrock.test/model/m/invoke-with-response-stream"},
            {"url": "http://vertex.test/v1/projects/p/publishers/anthropic/models/m:rawPredict"},
            {"url": "http://vertex.test/v1/models/m:streamRawPredict?alt=sse"},
            {"url": "http://other.test/v1/threads/t/messages"},
            {"headers": {"content-type": "multipart/form-data; boundary=x"}},
            {"headers": {"content-type": "text/plain"}},
        ):
            response, sent = side.ask(never, **change)
            self.assertEqual(sent.bodies, [BODY])
        for change in (
            {"url": "http://gateway.test/anthropic/v1/messages?beta=true"},
            {"url": "http://provider.test/v1/messages/count_tokens?beta=true"},
            {"headers": {"content-type": "application/json; charset=utf-8"}},
            {"headers": {}},
        ):
            with self.assertRaises(side.guards.GuardUnavailable):
                side.ask(never, **change)

    @each
    def test_counting(self, side):
        """What is counted is what will be sent; it is never refused, and no stream is opened."""
        url = URL + "/count_tokens"
        script = daemon(EDITED)
        _, sent = side.ask(script, url=url, content=BODY[:-1] + b', "stream": true}')
        self.assertNotIn(b"1.0", sent.bodies[0])
        self.assertEqual([method for method, _ in script.seen], ["prepare"])
        _, sent = side.ask(daemon((-32001, "unsafe_history", UNSAFE)), url=url)
        self.assertEqual(sent.bodies, [BODY])

    @each
    def test_a_header_that_binds_the_body(self, side):
        for name, value in (
            ("x-amz-content-sha256", "0"),
            ("content-md5", "0"),
            ("authorization", "AWS4-HMAC-SHA256 Credential=x"),
        ):
            headers = {"content-type": "application/json", name: value}
            _, sent = side.ask(daemon(), headers=headers)
            self.assertEqual(sent.bodies, [BODY])
            response, sent = side.ask(daemon(EDITED), headers=headers)
            self.assertEqual((response.status_code, sent.seen), (400, []))
            self.assertIn(name, document(response)["error"]["message"])
            _, sent = side.ask(daemon(EDITED), url=URL + "/count_tokens", headers=headers)
            self.assertEqual(sent.bodies, [BODY])
        _, sent = side.ask(daemon(EDITED), headers={"authorization": "Bearer x"})
        self.assertEqual(len(sent.seen), 1)


class Steps(FakeDaemonTest):
    """The steps of prepare before the repair, and daemons that have no prepare."""

    @each
    def test_beta_values_are_added_behind_the_callers(self, side):
        for given, added, want in (
            ([], ["x"], ["x"]),
            (["a, b"], ["x", "y"], ["a, b,x,y"]),
            (["a", "b"], ["x"], ["a,b,x"]),
            (["a , b"], [], ["a , b"]),
            ([], [], []),
        ):
            betas = {"anthropic-beta": "whatever"} if added or given else {}
            for answer in (OK, EDITED):
                script = daemon(dict(answer, headers=betas, betas=["?"], added_betas=added))
                sent = [("content-type", "application/json")]
                _, left = side.ask(script, headers=sent + [("Anthropic-Beta", b) for b in given])
                (request,) = left.seen
                self.assertEqual(request.headers.get_list("anthropic-beta"), want)
                self.assertEqual(request.headers["content-type"], "application/json")
                self.assertEqual(b"1.0" in request.content, answer is OK)
                ((_, params),) = script.seen
                self.assertEqual(params["tools"], {"betas": given})

    @each
    def test_no_beta_values_where_they_have_no_place(self, side):
        """In the body of Bedrock's, or where the headers are signed."""
        in_body = dict(OK, headers={}, betas=["x"], added_betas=["x"])
        _, sent = side.ask(daemon(in_body))
        self.assertNotIn("anthropic-beta", sent.seen[0].headers)
        needed = dict(in_body, headers={"anthropic-beta": "x"})
        _, sent = side.ask(daemon(needed), headers={"authorization": "AWS4-HMAC-SHA256 C=x"})
        self.assertNotIn("anthropic-beta", sent.seen[0].headers)
        self.assertEqual(sent.bodies, [BODY])

    @each
    def test_counting(self, side):
        script = daemon(dict(OK, headers={"anthropic-beta": "x"}, added_betas=["x"]))
        _, sent = side.ask(script, url=URL + "/count_tokens", headers={"anthropic-beta": "a"})
        self.assertEqual(sent.seen[0].headers["anthropic-beta"], "a,x")
        ((_, params),) = script.seen
        self.assertEqual(params["tools"], {"betas": ["a"], "call": "count_tokens"})

    @each
    def test_an_older_daemon(self, side):
        """It is asked to repair; prepare isn't tried again, and nothing is sealed."""
        script = daemon(prepare=None, seal=None, repair=EDITED)
        sent = Sent(side.http, signed(side))
        transport = side.transport(sent.transport, side.daemon(script), policy="preserve")
        with self.assertLogs("turnkeeper", "INFO"):
            for _ in range(2):
                side.post(transport, content=BODY)
        methods = [m for m, _ in script.seen]
        self.assertEqual(sorted(methods), ["prepare", "repair", "repair"])
        self.assertEqual(script.seen[-1][1]["policy"], "preserve")
        self.assertEqual([b"1.0" in body for body in sent.bodies], [False, False])

    @each
    def test_only_the_history_is_refused(self, side):
        """Tools that clash are for the provider to refuse, and a thread's new messages no history."""
        for name, stage in (
            ("tool_name_conflict", "tools"),
            ("thread_unsupported_request", "splice"),
        ):
            refused = (-32003, name, {"stage": stage, "pointer": "/params/request/tools"})
            script = daemon(prepare=refused, repair=EDITED)
            with self.assertLogs("turnkeeper", "INFO"):
                response, sent = side.ask(script)
            self.assertEqual(response.status_code, 200)
            self.assertNotIn(b"1.0", sent.bodies[0])
            unsafe = (-32001, "unsafe_history", UNSAFE)
            response, sent = side.ask(daemon(prepare=refused, repair=unsafe))
            self.assertEqual((response.status_code, sent.seen), (400, []))
        wrong = (-32602, "invalid_params", {"pointer": "/params/request/tools"})
        response, sent = side.ask(daemon(prepare=wrong, repair=OK))
        self.assertEqual((response.status_code, sent.bodies), (200, [BODY]))


TURN = (
    b'{"type":"message", "content" : [{"type":"thinking","thinking":"t","signature":"c2ln"},'
    b'{"type":"tool_use","id":"toolu_1","name":"f","input":{"n":1.0}}],"stop_reason":"tool_use"}'
)
NEXT = (
    b'{"messages": [ {"role":"assistant","content":[{"type":"thinking","signature":"altered"},'
    b'{"type":"tool_use", "id" : "toolu_1"}]} ]}'
)


def signed(side, body=TURN, **headers):
    headers = dict({"content-type": "application/json; charset=utf-8"}, **headers)
    return lambda request: side.http.Response(200, headers=headers, content=body)


class Sealed(FakeDaemonTest):
    """Turns that pass are sealed, and a later request that holds one carries its seal."""

    def turns(self, side, script, *bodies, answer=None, **options):
        """Posts one request after the other; what each was prepared with."""
        self.sent = Sent(side.http, answer or signed(side))
        transport = side.transport(self.sent.transport, side.daemon(script), **options)
        self.responses = [side.post(transport, content=body) for body in bodies]
        self.transport = transport
        return [params.get("seals") for method, params in script.seen if method == "prepare"]

    @each
    def test_whole_responses(self, side):
        script = daemon()
        sent = self.turns(side, script, BODY, NEXT, BODY)
        self.assertEqual(sent, [None, [{"seal": SEAL}], None])
        for response in self.responses:
            self.assertEqual(b"".join(response.taken), TURN)
        sealing = [params for method, params in script.seen if method == "seal"]
        self.assertEqual(sealing, [{"content": json.loads(TURN)["content"]}] * 3)

    @each
    def test_compressed_responses_come_as_they_are(self, side):
        packed = gzip.compress(TURN)
        headers = {"content-encoding": "gzip", "content-length": str(len(packed))}
        script = daemon()
        sent = self.turns(side, script, BODY, NEXT, answer=signed(side, packed, **headers))
        self.assertEqual(sent, [None, [{"seal": SEAL}]])
        self.assertEqual(b"".join(self.responses[0].taken), TURN)  # httpx has decoded it
        self.assertEqual(self.responses[0].headers["content-length"], str(len(packed)))

    @each
    def test_what_is_not_sealed(self, side):
        """No signature, no turn, no success, no JSON, larger than is reasonable: no call is made."""
        plain = TURN.replace(b"signature", b"sig")
        large = TURN[:-1] + b" " * (8 << 20) + b"}"
        for answer in (
            signed(side, plain),
            signed(side, large),
            signed(side, b'"signature"'),
            signed(side, b'{"signature"'),
            signed(side, b'{"signature": 1}'),
            signed(side, b"no gzip", **{"content-encoding": "gzip"}),
            signed(side, TURN, **{"content-type": "text/plain"}),
            signed(side, gzip.compress(large), **{"content-encoding": "gzip"}),
            lambda request: side.http.Response(400, json=json.loads(TURN)),
        ):
            script = daemon()
            try:
                sent = self.turns(side, script, BODY, NEXT, answer=answer)
            except side.http.DecodingError:
                pass  # that is for whoever reads it
            else:
                self.assertEqual(sent, [None, None])
            self.assertNotIn("seal", [method for method, _ in script.seen])

    @each
    def test_off(self, side):
        script = daemon()
        self.assertEqual(self.turns(side, script, BODY, NEXT, seals=False), [None, None])
        self.assertNotIn("seal", [method for method, _ in script.seen])

    @each
    def test_counting_is_sealed_in_one_direction(self, side):
        script = daemon()
        self.turns(side, script, BODY)
        count = side.post(self.transport, URL + "/count_tokens", content=NEXT)
        self.assertEqual(b"".join(count.taken), TURN)
        self.assertEqual(script.seen[-1][1]["seals"], [{"seal": SEAL}])

    @each
    def test_without_a_seal_nothing_fails(self, side):
        for answer in ((-32011, "busy", {}), (-32602, "invalid_params", {}), {"seal": 7}):
            with self.assertLogs("turnkeeper", "WARNING") as logged:
                sent = self.turns(side, daemon(seal=answer), BODY, NEXT)
            self.assertEqual(sent, [None, None])
            self.assertIn("without a seal", logged.output[0])
            self.assertEqual(b"".join(self.responses[0].taken), TURN)

    @each
    def test_seals_that_a_new_daemon_does_not_know(self, side):
        """They are forgotten, and the request is prepared without them."""

        def prepare(params):
            if "seals" in params:
                return (-32003, "seal_unsupported", {"pointer": "/params/seals/0/seal"})
            return OK

        sent = self.turns(side, daemon(prepare), BODY, NEXT)
        self.assertEqual(sent, [None, [{"seal": SEAL}], None])
        self.assertEqual([response.status_code for response in self.responses], [200, 200])

    @each
    def test_with_the_repair_of_what_could_not_be_prepared(self, side):
        refused = (-32003, "tool_name_conflict", {"stage": "tools"})
        script = daemon(lambda params: refused if "seals" in params else OK, repair=OK)
        self.turns(side, script, BODY, NEXT)
        repaired = [params for method, params in script.seen if method == "repair"]
        self.assertEqual([params["seals"] for params in repaired], [[{"seal": SEAL}]])


@unittest.skipUnless(os.path.exists(MEDIA_TYPES), "not in the project's tree")
class MediaTypes(FakeDaemonTest):
    """The table that the clients share."""

    def cases(self):
        with open(MEDIA_TYPES, encoding="utf-8") as file:
            return [(case["value"], case["kind"]) for case in json.load(file)["cases"]]

    @each
    def test_of_a_request(self, side):
        for value, kind in self.cases():
            script = daemon(EDITED)
            guarded = kind in ("json", "other_json")
            with self.assertLogs("turnkeeper", "INFO") if guarded else contextlib.nullcontext():
                _, sent = side.ask(script, headers={"content-type": value})
            self.assertEqual([method for method, _ in script.seen], ["prepare"] if guarded else [], value)
            self.assertEqual(sent.bodies == [BODY], not guarded)

    @each
    def test_of_a_response(self, side):
        asking = BODY[:-1] + b', "stream": true}'
        for value, kind in self.cases():
            script = daemon(state="done")
            answer = signed(side, SSE, **{"content-type": value})
            side.ask(script, content=asking, answer=answer)
            fed = "stream.feed" in [method for method, _ in script.seen]
            self.assertEqual(fed, kind == "sse", value)
            script = daemon()
            side.ask(script, answer=signed(side, TURN, **{"content-type": value}))
            sealed = "seal" in [method for method, _ in script.seen]
            self.assertEqual(sealed, kind == "json", value)


class Refusals(FakeDaemonTest):
    @each
    def test_unsafe(self, side):
        for on_unavailable in ("open", "closed"):
            script = daemon((-32001, "unsafe_history", UNSAFE))
            response, sent = side.ask(script, on_unavailable=on_unavailable)
            self.assertEqual((response.status_code, sent.seen), (400, []))
            self.assertEqual(response.headers["x-should-retry"], "false")
            got = document(response)
            self.assertEqual(got["type"], "error")
            self.assertEqual(got["error"]["type"], "invalid_request_error")
            self.assertTrue(got["error"]["message"].startswith("messages.1: no (refused by"))
            self.assertEqual(got["turnkeeper"]["violations"], UNSAFE["violations"])
            error = response.extensions["turnkeeper"]
            self.assertIsInstance(error, turnkeeper.UnsafeHistory)

    @each
    def test_what_the_daemon_cannot_judge(self, side):
        for error in (
            (-32010, "frame_too_large", {}),
            (-32014, "request_too_costly", {"limit": 9}),
            (-32014, "answer_too_large", {"limit": 9}),
            (-32700, "duplicate_key", {"offset": 1}),
            (-32602, "invalid_params", {"pointer": "/params/request/messages"}),
        ):
            response, sent = side.ask(daemon(error))
            self.assertEqual((response.status_code, sent.seen), (400, []))
            self.assertIn("can't judge", document(response)["error"]["message"])
            with self.assertLogs("turnkeeper", "WARNING") as logged:
                response, sent = side.ask(daemon(error), on_unavailable="open")
            self.assertEqual(sent.bodies, [BODY])
            self.assertIn("sent unguarded: " + error[1], logged.output[0])

    @each
    def test_an_option_of_ones_own_that_is_wrong(self, side):
        """An SDK would make an exception three times and then tell nothing of it."""
        error = (-32602, "invalid_params", {"pointer": "/params/policy/thinking"})
        for on_unavailable in ("open", "closed"):
            response, sent = side.ask(daemon(error), on_unavailable=on_unavailable)
            self.assertEqual((response.status_code, sent.seen), (400, []))
            self.assertEqual(response.headers["x-should-retry"], "false")
            said = document(response)["error"]["message"]
            self.assertIn("an option of turnkeeper's guard is wrong", said)
            self.assertIn("at /params/policy/thinking", said)
            self.assertIsInstance(response.extensions["turnkeeper"], turnkeeper.InvalidParams)

    @each
    def test_options(self, side):
        kind = side.guards.AsyncGuardTransport if side.waiting else side.guards.GuardTransport
        other = turnkeeper.Client if side.waiting else turnkeeper.AsyncClient
        own = turnkeeper.AsyncClient if side.waiting else turnkeeper.Client
        for wrong, error in (
            ({}, TypeError),
            ({"on_unavailable": "maybe"}, ValueError),
            ({"on_unavailable": "open", "client": other()}, TypeError),
            ({"on_unavailable": "open", "keeper": other()}, TypeError),
            ({"on_unavailable": "open", "keeper": own(), "client": own()}, TypeError),
            ({"keeper": own()}, TypeError),
            ({"keeper": own(), "on_unavailable": "maybe"}, ValueError),
        ):
            with self.assertRaises(error):
                kind(Sent(side.http).transport, **wrong)

    def refused(self, side, error, transport=None, **options):
        """What is said when a guard can't be made like this."""
        kind = side.guards.AsyncGuardTransport if side.waiting else side.guards.GuardTransport
        with self.assertRaises(error) as caught:
            kind(transport or Sent(side.http).transport, on_unavailable="closed", **options)
        return str(caught.exception)

    @each
    def test_a_wrong_policy(self, side):
        for policy, error, said in (
            ("perserve", ValueError, "'perserve' is none of conservative, preserve; did you mean"),
            ({"thinkin": "demote"}, ValueError, "the key: 'thinkin' is none of"),
            ({"base": "x"}, ValueError, "'x' is none of"),
            (7, TypeError, "policy: a name or a mapping, not int"),
        ):
            self.assertIn(said, self.refused(side, error, policy=policy))
        for policy in ("preserve", {"base": "preserve", "thinking": "drop"}, {}, None):
            side.transport(Sent(side.http).transport, "/nowhere/s", policy=policy)

    @each
    def test_a_wrong_target(self, side):
        for target, error, said in (
            ({"endpiont": "azure"}, ValueError, "the member: 'endpiont' is none of endpoint, model, server; did you mean 'endpoint'"),
            ("azure", TypeError, "target: a mapping, not str"),
        ):
            self.assertIn(said, self.refused(side, error, target=target))

    @each
    def test_a_transport_that_does_not_fit(self, side):
        other = side.http.HTTPTransport if side.waiting else side.http.AsyncHTTPTransport
        wanted = "an asynchronous transport" if side.waiting else "a blocking transport"
        for wrong in (other(verify=False), side.http.Client(), object()):
            said = self.refused(side, TypeError, wrong)
            self.assertIn("needs %s of %s" % (wanted, side.http.__name__), said)
            self.assertIn(type(wrong).__name__, said)

    @each
    def test_a_transport_of_the_other_library(self, side):
        for name in set(LIBRARIES) - {side.http.__name__}:
            other = Sent(importlib.import_module(name)).transport
            said = self.refused(side, TypeError, other)
            self.assertIn("take %s from turnkeeper.%s" % (self.kind(side), name), said)

    @staticmethod
    def kind(side):
        return "AsyncGuardTransport" if side.waiting else "GuardTransport"

    @each
    def test_too_long_a_path(self, side):
        path = os.environ.get("TURNKEEPER_SOCKET")
        os.environ["TURNKEEPER_SOCKET"] = "/" + "x" * 200
        try:
            said = self.refused(side, turnkeeper.ConnectFailed)
        finally:
            del os.environ["TURNKEEPER_SOCKET"]
            if path is not None:
                os.environ["TURNKEEPER_SOCKET"] = path
        self.assertIn("the path of a socket has room for", said)

    @each
    def test_another_format(self, side):
        """It is for the provider to refuse; the log has it once a format."""
        seen = []

        def prepare(params):
            looks = "openai-chat" if len(seen) < 3 else "gemini"
            seen.append(params)
            data = {"looks_like": looks, "sign": "tool_calls", "dialect": "anthropic"}
            return (-32602, "dialect_mismatch", dict(data, pointer="/params/request/messages/1"))

        for on_unavailable in ("open", "closed"):
            seen.clear()
            script = daemon(prepare)
            sent = Sent(side.http)
            transport = side.transport(sent.transport, side.daemon(script), on_unavailable)
            with self.assertLogs("turnkeeper", "WARNING") as logged:
                for content in (BODY, BODY[:-1] + b', "stream": true}', BODY, BODY):
                    response = side.post(transport, content=content)
                    self.assertEqual(response.status_code, 200)
            self.assertEqual([b"1.0" in body for body in sent.bodies], [True] * 4)
            self.assertEqual({method for method, _ in script.seen}, {"prepare"})
            self.assertEqual(len(logged.output), 2)
            self.assertIn("this looks like openai-chat: tool_calls", logged.output[0])
            self.assertIn("gemini", logged.output[1])


class Unavailable(FakeDaemonTest):
    @each
    def test_no_daemon(self, side):
        sent = Sent(side.http)
        transport = side.transport(sent.transport, "/nowhere/s")
        with self.assertLogs("turnkeeper", "WARNING") as logged:
            for _ in range(2):
                with self.assertRaises(side.guards.GuardUnavailable) as caught:
                    side.post(transport, content=BODY)
        self.assertEqual(len(logged.output), 1)
        for said in (logged.output[0], str(caught.exception)):
            self.assertIn("/nowhere/s (No such file or directory)", said)
        self.assertIn("requests are not sent until it can", logged.output[0])
        self.assertIsInstance(caught.exception, side.http.ConnectError)
        self.assertIsInstance(caught.exception.__cause__, turnkeeper.ConnectFailed)
        self.assertEqual(str(caught.exception.request.url), URL)
        self.assertEqual(sent.seen, [])
        transport = side.transport(sent.transport, "/nowhere/s", "open")
        with self.assertLogs("turnkeeper", "WARNING") as logged:
            for _ in range(3):
                response = side.post(transport, content=BODY)
        self.assertEqual((response.status_code, sent.bodies), (200, [BODY] * 3))
        self.assertEqual(len(logged.output), 1)
        self.assertIn("connect_failed", logged.output[0])
        self.assertIn("requests are sent unguarded until it can", logged.output[0])

    @each
    def test_once_a_change_of_state(self, side):
        """Down, up again, and down again: a warning each, however many requests there are."""
        for on_unavailable in ("open", "closed"):
            peer = side.daemon(daemon())
            path = peer + ".link"
            sent = Sent(side.http)
            transport = side.transport(sent.transport, path, on_unavailable)

            def post(path=path, transport=transport):
                with contextlib.suppress(side.guards.GuardUnavailable):
                    side.post(transport, content=BODY)
                transport._client._pool.idle.clear()

            with self.assertLogs("turnkeeper", "WARNING") as logged, warnings.catch_warnings():
                warnings.simplefilter("ignore", ResourceWarning)
                for there in (False, False, True, True, False, False, True):
                    if there and not os.path.islink(path):
                        os.symlink(peer, path)
                    if not there and os.path.islink(path):
                        os.unlink(path)
                    post()
            told = ["answers again" in line for line in logged.output]
            self.assertEqual(told, [False, True, False, True], logged.output)
            for line in logged.output:
                self.assertIn(path, line)

    @each
    def test_an_error_is_an_answer(self, side):
        """A daemon that refuses can be asked."""
        sent = Sent(side.http)
        with folder() as here:
            path = os.path.join(here, "s")
            transport = side.transport(sent.transport, path)
            with self.assertLogs("turnkeeper", "WARNING") as logged:
                with self.assertRaises(side.guards.GuardUnavailable):
                    side.post(transport, content=BODY)
                os.symlink(side.daemon(daemon((-32001, "unsafe_history", UNSAFE))), path)
                side.post(transport, content=BODY)
            self.assertIn("answers again", logged.output[1])

    @each
    def test_something_else_answers_there(self, side):
        def other(peer):
            peer.send(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            peer.conn.recv(65536)

        path = side.daemon(other)
        transport = side.transport(Sent(side.http).transport, path)
        with self.assertLogs("turnkeeper", "WARNING") as logged:
            with self.assertRaises(side.guards.GuardUnavailable) as caught:
                side.post(transport, content=BODY)
        for said in (str(caught.exception), logged.output[0]):
            self.assertIn("not a turnkeeperd", said)
            self.assertIn(path, said)

    @each
    def test_the_socket_is_named_whatever_the_cause(self, side):
        path = side.daemon(daemon((-32011, "busy", {"retryable": True})))
        with self.assertRaises(side.guards.GuardUnavailable) as caught:
            side.post(side.transport(Sent(side.http).transport, path), content=BODY)
        self.assertIn("busy", str(caught.exception))
        self.assertIn(path, str(caught.exception))

    @each
    def test_another_protocol(self, side):
        """It is asked once, before anything else, and the answer says what is wrong."""

        def of_tomorrow(peer):
            peer.result(peer.read(), dict(INFO, protocol=2))
            peer.read()

        with self.assertRaises(side.guards.GuardUnavailable) as caught:
            side.ask(of_tomorrow)
        self.assertIsInstance(caught.exception.__cause__, turnkeeper.UnsupportedProtocol)
        self.assertIn("speaks protocol 2, this client 1", str(caught.exception))
        with self.assertLogs("turnkeeper", "WARNING") as logged:
            _, sent = side.ask(of_tomorrow, on_unavailable="open")
        self.assertEqual(sent.bodies, [BODY])
        self.assertIn("speaks protocol 2", logged.output[0])

    @each
    def test_no_streams(self, side):
        body = BODY[:-1] + b', "stream" : true}'
        for error in ((-32601, "method_not_found"), (-32011, "busy")):
            script = daemon(EDITED, open_error=error)
            with self.assertRaises(side.guards.GuardUnavailable):
                side.ask(script, content=body)
            with self.assertLogs("turnkeeper", "WARNING"):
                _, sent = side.ask(script, content=body, on_unavailable="open")
            self.assertNotIn(b"1.0", sent.bodies[0])  # repaired all the same

    @each
    def test_closing(self, side):
        sent = Sent(side.http)
        side.post(side.transport(sent.transport, side.daemon(daemon())), content=BODY)
        self.assertEqual(sent.closed, 1)


class Streams(FakeDaemonTest):
    BODY = BODY[:-1] + b', "stream" : true}'

    def events(self, side, *chunks, **headers):
        class Body(side.http.SyncByteStream, side.http.AsyncByteStream):
            closed = 0

            def __iter__(body):
                for chunk in chunks:
                    if isinstance(chunk, Exception):
                        raise chunk
                    yield chunk

            async def __aiter__(body):
                for chunk in body:
                    yield chunk

            def close(body):
                Body.closed += 1

            async def aclose(body):
                Body.closed += 1

        headers = dict({"content-type": "text/event-stream; charset=utf-8"}, **headers)
        self.upstream = Body
        return lambda request: side.http.Response(200, headers=headers, stream=Body())

    @each
    def test_passes_through(self, side):
        script = daemon(end=[{"type": "sse", "data": "last"}])
        answer = self.events(side, SSE[:5], SSE[5:])
        response, sent = side.ask(script, content=self.BODY, answer=answer)
        self.assertEqual(b"".join(response.taken), SSE + b"last")
        self.assertEqual(response.taken[0], SSE[:5])  # at once, not at the end
        self.assertEqual(sent.bodies, [self.BODY])
        self.assertEqual(response.headers["content-type"], "text/event-stream; charset=utf-8")
        self.assertGreater(self.upstream.closed, 0)
        methods = [method for method, _ in script.seen]
        self.assertEqual(methods, ["prepare", "stream.open"] + ["stream.feed"] * 2 + ["stream.end"])
        opened = script.seen[1][1]
        self.assertEqual((opened["emit"], opened["provider_input"]), ("sse", "whole"))
        self.assertEqual(opened["request"], json.loads(self.BODY))

    @each
    def test_compressed(self, side):
        packer = zlib.compressobj(wbits=31)
        first = packer.compress(SSE) + packer.flush(zlib.Z_SYNC_FLUSH)
        answer = self.events(
            side, first, packer.flush(), **{"content-encoding": "gzip", "content-length": "9"}
        )
        response, _ = side.ask(daemon(), content=self.BODY, answer=answer)
        self.assertEqual(b"".join(response.taken), SSE)
        self.assertNotIn("content-encoding", response.headers)
        self.assertNotIn("content-length", response.headers)

    @each
    def test_sealed(self, side):
        script = daemon(state="done")
        answer = self.events(side, SSE)
        sent = Sent(side.http, answer)
        transport = side.transport(sent.transport, side.daemon(script))
        for body in (self.BODY, NEXT):
            side.post(transport, content=body)
        prepared = [params for method, params in script.seen if method == "prepare"]
        self.assertEqual([p.get("seals") for p in prepared], [None, [{"seal": SEAL}]])

    @each
    def test_the_history_is_the_repaired_one(self, side):
        script = daemon(EDITED)
        side.ask(script, content=self.BODY, answer=self.events(side, SSE))
        self.assertEqual(script.seen[1][1]["request"]["messages"], json.loads(BODY)["messages"][:1])

    @each
    def test_after_the_end_nothing_leaves(self, side):
        script = daemon(state="failed", end=[{"type": "error", "data": "error!"}])
        answer = self.events(side, SSE, b"more", b"and more")
        response, _ = side.ask(script, content=self.BODY, answer=answer)
        self.assertEqual(b"".join(response.taken), SSE + b"error!")

    @each
    def test_no_stream_after_all(self, side):
        for status, headers in ((529, "text/event-stream"), (200, "application/json")):
            script = daemon()
            answer = self.plain(side, status, headers)
            response, _ = side.ask(script, content=self.BODY, answer=answer)
            self.assertEqual(b"".join(response.taken), b"as it is")
            self.assertEqual([m for m, _ in script.seen], ["prepare", "stream.open"])

    @staticmethod
    def plain(side, status, kind):
        return lambda request: side.http.Response(
            status, headers={"content-type": kind}, content=b"as it is"
        )

    @each
    def test_only_where_a_stream_is_asked_for(self, side):
        for body in (
            BODY,
            BODY[:-1] + b', "stream": false}',
            BODY[:-1] + b', "metadata": {"stream": true}}',
            BODY.replace(b'"q"', b'"\\"stream\\": true"'),
        ):
            script = daemon()
            response, _ = side.ask(script, content=body, answer=self.events(side, SSE))
            self.assertEqual(b"".join(response.taken), SSE)
            self.assertEqual([m for m, _ in script.seen], ["prepare"])

    @each
    def test_the_providers_connection_breaks(self, side):
        script = daemon()
        broken = side.http.ReadError("reset")
        with self.assertRaises(side.http.ReadError) as caught:
            side.ask(script, content=self.BODY, answer=self.events(side, SSE, broken))
        self.assertIs(caught.exception, broken)

    @each
    def test_no_connection_to_the_provider(self, side):
        def refuse(request):
            raise side.http.ConnectError("refused")

        script = daemon()
        with self.assertRaises(side.http.ConnectError):
            side.ask(script, content=self.BODY, answer=refuse)

    @each
    def test_the_daemon_goes_away(self, side):
        def mortal(peer):
            for result in (INFO, OK):
                peer.result(peer.read(), result)
            peer.result(peer.read(), {"state": "open", "outputs": [], "carried": []})
            peer.read()

        for on_unavailable in ("open", "closed"):
            with self.assertRaises(side.http.ReadError) as caught:
                side.ask(
                    mortal,
                    content=self.BODY,
                    answer=self.events(side, SSE),
                    on_unavailable=on_unavailable,
                )
            self.assertIsInstance(caught.exception.__cause__, turnkeeper.ConnectionLost)

    @each
    def test_a_reader_that_leaves(self, side):
        script = daemon()
        sent = Sent(side.http, self.events(side, SSE, SSE))
        side.post(
            side.transport(sent.transport, side.daemon(script)), content=self.BODY, read=False
        )
        self.assertGreater(self.upstream.closed, 0)
        self.assertEqual([m for m, _ in script.seen], ["prepare", "stream.open"])

    @each
    def test_cancelled(self, side):
        if not side.waiting:
            return

        async def main(side=side):
            async def forever(request):
                await asyncio.sleep(60)

            inner = side.http.MockTransport(forever)
            transport = side.transport(inner, side.daemon(daemon()))
            async with side.http.AsyncClient(transport=transport) as client:
                post = client.post(URL, content=self.BODY)
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(post, 0.2)

        asyncio.run(main())


class Libraries(unittest.TestCase):
    def test_the_two_modules_are_one_text(self):
        """What is said twice, because types can't be made by a function, is said alike."""
        texts = []
        for name in ("httpx", "httpx2"):
            with open(os.path.join(CLIENT, "src", "turnkeeper", name + ".py")) as text:
                texts.append("".join(text.read().replace("httpx2", "httpx").split()).replace(",]", "]"))
        self.assertEqual(texts[0].replace(",)", ")"), texts[1].replace(",)", ")"))


CALL = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}


class Real(FakeDaemonTest):
    """With the real daemon, over real HTTP. `socket`: of the daemon."""

    @classmethod
    def setUpClass(cls):
        real = real_daemon()
        cls.addClassCleanup(real.stop)
        cls.socket = real.socket

    def client(self):
        return turnkeeper.Client(self.socket)

    def test_the_policies_are_the_daemons(self):
        with self.client() as client:
            policies = client.info().policies
        self.assertEqual(sorted(policies), sorted(options.POLICIES))
        keys = {key for policy in policies.values() for key in policy} | {"base"}
        self.assertEqual(keys, set(options.POLICY_KEYS))

    def test_values_of_a_policy_are_the_daemons(self):
        with self.client() as client:
            (repair,) = [method for method in client.info().methods if method.name == "repair"]
        (schema,) = [kind for kind in repair.params["properties"]["policy"]["anyOf"] if kind["type"] == "object"]
        theirs = {name: key.get("enum") for name, key in schema["properties"].items()}
        ours = get_type_hints(turnkeeper.PolicyKeys)
        self.assertEqual(set(theirs), set(ours))
        for name, words in theirs.items():
            if words is not None:
                self.assertEqual(set(get_args(ours[name])), set(words), name)

    @each
    def test_no_json_is_the_providers_to_refuse(self, side):
        for body in (b"", b"{no", b"\xff", b'{"messages":[]},"guard":false'):
            sent = Sent(side.http)
            side.post(side.transport(sent.transport, self.socket), content=body)
            self.assertEqual(sent.bodies, [body])

    @each
    def test_tools_that_are_none_are_the_providers_to_refuse(self, side):
        for more in (b', "tools": 7}', b', "thread": {"type": "continue"}}'):
            body = b'{"messages": [{"role": "user", "content": "q"}]' + more
            sent = Sent(side.http)
            side.post(side.transport(sent.transport, self.socket), content=body)
            self.assertEqual(sent.bodies, [body])

    @each
    def test_another_format_is_the_providers_to_refuse(self, side):
        call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        openai = [{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": [call]}]
        gemini = [{"role": "user", "parts": [{"text": "q"}]}]
        for messages, looks in ((openai, "openai-chat"), (gemini, "gemini")):
            body = json.dumps({"model": "m", "messages": messages}, indent=1).encode()
            for more in (b"", b', "stream": true'):
                sent = Sent(side.http)
                transport = side.transport(sent.transport, self.socket)
                with self.assertLogs("turnkeeper", "WARNING") as logged:
                    for _ in range(2):
                        side.post(transport, content=body[:-1] + more + b"}")
                self.assertEqual(sent.bodies, [body[:-1] + more + b"}"] * 2)
                self.assertEqual(len(logged.output), 1)
                self.assertIn("looks like " + looks, logged.output[0])

    @each
    def test_a_shuffled_turn(self, side):
        """It goes back as it came: by the seal of a whole response, and of a stream."""
        with self.client() as client:
            if "prepare" not in {method.name for method in client.info().methods}:
                self.skipTest("this daemon doesn't serve prepare")
        thinking = [{"type": "thinking", "thinking": t, "signature": t} for t in ("b25l", "dHdv")]
        calls = [{"type": "tool_use", "id": "toolu_" + n, "name": "f", "input": {}} for n in "12"]
        received = [thinking[0], calls[0], thinking[1], calls[1]]
        stored = {"role": "assistant", "content": thinking + calls}
        results = [{"type": "tool_result", "tool_use_id": c["id"], "content": "r"} for c in calls]
        first = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "q"}]}
        after = [stored, {"role": "user", "content": results}]
        for stream in (False, True):
            for policy, want in (("preserve", received), (None, None)):
                turn = {"content": received, "stop_reason": "tool_use"}
                with MessagesApi(turn) as api:
                    inner = (
                        side.http.AsyncHTTPTransport if side.waiting else side.http.HTTPTransport
                    )
                    options = {"policy": policy} if policy else {}
                    transport = side.transport(inner(verify=False), self.socket, **options)
                    for messages in ([], after):
                        sent = dict(first, messages=first["messages"] + messages, stream=stream)
                        response = side.post(transport, api.url + "/v1/messages", json=sent)
                        self.assertEqual(response.status_code, 200)
                    plain = dict(sent, stream=False)
                    without = side.post(inner(verify=False), api.url + "/v1/messages", json=plain)
                    self.assertEqual(without.status_code, 400)
                    self.assertIn("must remain as they were", str(document(without)))
                    last = json.loads(api.bodies[1])["messages"][1]["content"]
                    demoted = [{"type": "text", "text": t["thinking"]} for t in thinking] + calls
                    self.assertEqual(last, want or demoted)

    @each
    def test_orphan(self, side):
        texts = ({"type": "text", "text": "é"}, {"type": "text", "text": "b"})
        messages = [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [texts[0], CALL, texts[1]]},
            {"role": "user", "content": "n"},
        ]
        body = json.dumps({"model": "m", "max_tokens": 9, "messages": messages}, indent=1).encode()
        want = body.replace(json.dumps(CALL, indent=1).replace("\n", "\n    ").encode(), b"@")
        want = want.replace(b",\n    @", b"")
        turn = {"content": [texts[0]]}
        with MessagesApi(turn) as api:
            url = api.url + "/v1/messages"
            inner = side.http.AsyncHTTPTransport if side.waiting else side.http.HTTPTransport
            plain = side.post(inner(), url, content=body)
            self.assertEqual(plain.status_code, 400)
            transport = side.transport(inner(), self.socket)
            response = side.post(transport, url, content=body)
            self.assertEqual(response.status_code, 200, response.taken)
            self.assertEqual(document(response)["content"], [texts[0]])
            self.assertEqual(api.bodies, [body, want])


class RealLocal(Real):
    """The same with the library in process, and without a daemon to ask."""

    @classmethod
    def setUpClass(cls):
        needs_library()
        cls.socket = LOCAL

    def client(self):
        return turnkeeper.Local()

    @each
    def test_without_memory_nothing_leaves(self, side):
        """Nobody is asked again, and nothing leaves unjudged."""
        sent = Sent(side.http)
        transport = side.transport(sent.transport, LOCAL)
        body = b'{"messages": [{"role": "user", "content": "q"}]}'
        with mock.patch.object(library.Instance, "call", side_effect=library._no_memory()):
            with self.assertRaises(side.guards.GuardUnavailable):
                side.post(transport, content=body)
        self.assertEqual(sent.bodies, [])
        side.post(transport, content=body)
        self.assertEqual(sent.bodies, [body])


if __name__ == "__main__":
    unittest.main()
