# SPDX-License-Identifier: Apache-2.0
"""Streams of the client: with a daemon played by a script and, where it has them, the real one."""

import base64
import unittest

from support import CODECS, FakeDaemonTest, real_daemon, wire

import turnkeeper

OPEN = {"state": "open", "outputs": [], "carried": []}
FINISH = {
    "type": "finish",
    "id": "msg_1",
    "model": "m",
    "reason": "stop",
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "stop_details": None,
    "container": None,
    "usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
    "pending_operations": [],
}
DONE = {
    "state": "done",
    "outputs": [FINISH],
    "finish": FINISH,
    "error": None,
    "message": {"role": "assistant", "content": [{"type": "text", "text": "a"}]},
    "seal": {"version": 1},
    "warnings": {"unknown_event": 1},
}
ERROR = {
    "type": "error",
    "kind": "incomplete_operation",
    "kinds": ["incomplete_operation", "provider_error"],
    "retryable": True,
    "text": "for people",
    "ids": ["srvtoolu_1"],
}
FAILED = dict(DONE, state="failed", outputs=[ERROR], finish=None, error=ERROR, message=None)


class Played:
    """A daemon with streams: answers by method from `results`, keeps the requests in `seen`."""

    def __init__(self, **results):
        self.results = dict({"open": OPEN, "feed": OPEN, "end": DONE}, **results)
        self.seen = []

    def __call__(self, peer):
        while True:
            request = peer.read()
            if request is None:
                return
            self.seen.append((request["method"], request["params"], peer.packed))
            answer = self.results.get(request["method"].split(".")[-1], DONE)
            if isinstance(answer, list) and answer:
                answer = answer.pop(0)
            if callable(answer):
                answer(peer, request)
            else:
                peer.result(request, answer)

    @property
    def methods(self):
        return [method for method, _, _ in self.seen]

    def params(self, method):
        return [params for name, params, _ in self.seen if name == method]


def pong(peer, request):
    peer.result(request, {"pong": True})


def refuse(code, name, **data):
    def answer(peer, request):
        ident = None if code == -32011 else request["id"]
        peer.error(ident, code, name, retryable=code <= -32011, **data)

    return answer


class Streams(FakeDaemonTest):
    def test_from_open_to_finish(self):
        parts = [{"type": "text_delta", "delta": "a"}]
        played = Played(feed=[dict(OPEN, outputs=parts), dict(OPEN, outputs=[])], ping=pong)
        daemon = self.daemon(played)
        client = self.client(daemon)
        with client.stream(history=[{"role": "user", "content": "q"}], policy="preserve") as stream:
            self.assertEqual(stream.state, "open")
            self.assertEqual(stream.feed(b"data: {}"), parts)
            self.assertEqual(stream.feed(b"\n\n"), [])
            turn = stream.finish()
            self.assertEqual(stream.state, "ended")
        self.assertEqual(turn.message, DONE["message"])
        self.assertEqual((turn.finish.reason, turn.finish.usage["total_tokens"]), ("stop", 3))
        self.assertEqual((turn.seal, turn.warnings), ({"version": 1}, {"unknown_event": 1}))
        self.assertEqual(turn.outputs, [FINISH])
        (opened,) = played.params("stream.open")
        del opened["stream"]
        self.assertEqual(
            opened, {"history": [{"role": "user", "content": "q"}], "policy": "preserve"}
        )
        self.assertTrue(client.ping().pong)
        self.assertEqual(daemon.accepted, 1)  # the connection came back

    def test_a_stream_has_its_connection_for_itself(self):
        plays = [Played(ping=pong) for _ in range(3)]
        daemon = self.daemon(*plays)
        client = self.client(daemon)
        with client.stream() as one, client.stream() as two:
            one.feed(b"x")
            self.assertTrue(client.ping().pong)
            two.feed(b"x")
            one.finish()
            two.finish()
        self.assertEqual(daemon.accepted, 3)
        self.assertEqual(
            [p.methods for p in plays],
            [["stream.open", "stream.feed", "stream.end"]] * 2 + [["ping"]],
        )

    def test_what_went_wrong(self):
        played = Played(feed=dict(OPEN, state="failed", outputs=[ERROR]), end=FAILED)
        with self.client(self.daemon(played)).stream() as stream:
            self.assertEqual(stream.feed(b"x"), [ERROR])
            self.assertEqual(stream.state, "failed")
            self.assertEqual(stream.feed(b"more"), [])  # nobody reads it
            with self.assertRaises(turnkeeper.PairingFailed) as caught:
                stream.finish("reset")
        error = caught.exception
        self.assertEqual(error.kinds, ("incomplete_operation", "provider_error"))
        self.assertEqual((error.name, error.retryable), ("pairing_failed", True))
        self.assertEqual((error.data, error.outputs), (ERROR, [ERROR]))
        self.assertNotIn("srvtoolu_1", str(error))
        self.assertEqual(played.methods, ["stream.open", "stream.feed", "stream.end"])
        self.assertEqual(played.params("stream.end")[0]["transport_error"], "reset")

    def test_after_the_end(self):
        played = Played(feed=dict(OPEN, state="done", outputs=[FINISH]))
        with self.client(self.daemon(played)).stream() as stream:
            self.assertEqual(stream.feed(b"x"), [FINISH])
            self.assertEqual(stream.feed(b": trailing comment"), [])
            stream.finish()
            for call in (stream.finish, stream.open, lambda: stream.feed(b"x")):
                with self.assertRaises(ValueError):
                    call()
        self.assertEqual(played.methods, ["stream.open", "stream.feed", "stream.end"])

    def test_an_unfinished_stream_gives_its_connection_up(self):
        plays = [Played(), Played(ping=pong)]
        daemon = self.daemon(*plays)
        client = self.client(daemon)
        with client.stream() as stream:
            stream.feed(b"x")
        self.assertEqual(stream.state, "lost")
        with self.assertRaises(turnkeeper.ConnectionLost):
            stream.finish()
        self.assertTrue(client.ping().pong)
        self.assertEqual(daemon.accepted, 2)

    def test_nothing_is_sent_again(self):
        def hang_up(peer, request):
            peer.conn.close()

        for lost in ("open", "feed", "end"):
            with self.subTest(lost):
                daemon = self.daemon(Played(**{lost: hang_up}))
                stream = self.client(daemon, retries=5).stream()
                with self.assertRaises(turnkeeper.ConnectionLost) as caught, stream:
                    stream.feed(b"x")
                    stream.finish()
                self.assertFalse(caught.exception.retryable)
                self.assertEqual(daemon.accepted, 1)

    def test_busy_was_not_read_and_may_be_said_again(self):
        busy = refuse(-32011, "busy", retry_after_ms=10)
        played = Played(open=[busy, OPEN], feed=[busy, OPEN], end=[busy, DONE])
        daemon = self.daemon(played)
        with self.client(daemon, retries=1).stream() as stream:
            stream.feed(b"x")
            stream.finish()
        self.assertEqual(len(played.seen), 6)
        self.assertEqual(daemon.accepted, 1)
        played = Played(feed=[busy, OPEN])
        with self.client(self.daemon(played)).stream() as stream:
            with self.assertRaises(turnkeeper.Busy):
                stream.feed(b"x")
            stream.feed(b"x")  # the caller may, too
            stream.finish()

    def test_a_refusal_leaves_the_stream_as_it_was(self):
        wrong = refuse(-32602, "invalid_params", pointer="/params/events")
        played = Played(feed=[wrong, OPEN])
        with self.client(self.daemon(played)).stream() as stream:
            with self.assertRaises(turnkeeper.InvalidParams):
                stream.feed([{"no": "type"}])
            stream.feed([{"type": "ping"}])
            stream.finish()

    def test_a_stream_that_is_not_opened(self):
        wrong = refuse(-32602, "invalid_params", pointer="/params/emit")
        played = Played(open=wrong, ping=pong)
        daemon = self.daemon(played)
        client = self.client(daemon)
        stream = client.stream(emit="x")
        for call in (stream.finish, lambda: stream.feed(b"x")):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(turnkeeper.InvalidParams):
            stream.open()
        self.assertTrue(client.ping().pong)
        self.assertEqual(daemon.accepted, 1)

    def test_an_answer_that_is_none(self):
        for bad in ({}, [], {"state": "open"}, {"state": "x", "outputs": []}, {"outputs": []}):
            played = Played(feed=bad)
            with self.subTest(bad=bad), self.client(self.daemon(played)).stream() as stream:
                with self.assertRaises(turnkeeper.ProtocolError):
                    stream.feed(b"x")
                self.assertEqual(stream.state, "lost")

    def test_no_content_in_reprs(self):
        with self.client(self.daemon(Played())).stream() as stream:
            self.assertNotIn("assistant", repr(stream.finish()))

    def test_carried(self):
        carried = [{"id": "srvtoolu_1", "name": "web_search", "type": "server_tool_use"}]
        played = Played(open=dict(OPEN, carried=carried))
        with self.client(self.daemon(played)).stream() as stream:
            self.assertEqual(stream.carried, carried)


class Chunks(FakeDaemonTest):
    def fed(self, chunk, codec, **params):
        played = Played()
        with self.client(self.daemon(played), codec=codec).stream(**params) as stream:
            stream.feed(chunk)
            stream.finish()
        (fed,) = played.params("stream.feed")
        del fed["stream"]
        return fed, [packed for _, _, packed in played.seen]

    def test_in_json(self):
        for chunk, want in (
            ("text é", {"data": "text é"}),
            ("é".encode(), {"data": "é"}),
            (bytearray(b"x"), {"data": "x"}),
            (memoryview(b"x"), {"data": "x"}),
            ("é".encode()[:1], {"data_base64": base64.b64encode(b"\xc3").decode()}),
            ({"type": "ping"}, {"events": [{"type": "ping"}]}),
            (({"type": "ping"},), {"events": [{"type": "ping"}]}),
            ([], {"events": []}),
        ):
            with self.subTest(chunk=chunk):
                self.assertEqual(self.fed(chunk, "json"), (want, [False] * 3))

    @unittest.skipUnless("msgpack" in CODECS, "msgpack is not installed")
    def test_in_msgpack(self):
        self.assertEqual(self.fed(b"\xc3", "msgpack"), ({"data": b"\xc3"}, [True] * 3))

    @unittest.skipUnless(wire._compiled, "no compiled msgpack")
    def test_in_what_loses_nothing(self):
        # Values may hold numbers that only JSON has; text doesn't.
        self.assertEqual(self.fed(b"x", "auto"), ({"data": "x"}, [True, False, False]))
        self.assertEqual(self.fed(b"x", "auto", emit="sse"), ({"data": b"x"}, [True, True, False]))

    def test_history_as_text(self):
        for codec in CODECS + ["auto"]:
            played = Played(pair=DONE)
            client = self.client(self.daemon(played), codec=codec)
            with client.stream(history=b'[{"role":"user","content":"q"}]', emit="sse"):
                client.pair({"id": "msg_1"}, history=b" [] ")
            self.assertEqual(
                [params["history"] for _, params, _ in played.seen],
                [[{"role": "user", "content": "q"}], []],
            )


class Pair(FakeDaemonTest):
    def test_pair(self):
        played = Played(pair=[DONE, FAILED])
        client = self.client(self.daemon(played))
        turn = client.pair({"id": "msg_1"}, emit="events")
        self.assertEqual((turn.message, turn.finish.id), (DONE["message"], "msg_1"))
        self.assertEqual(played.seen[0][1], {"response": {"id": "msg_1"}, "emit": "events"})
        with self.assertRaises(turnkeeper.PairingFailed):
            client.pair({})
        with self.assertRaises(TypeError):
            client.pair({}, stream="x")


CALL = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
RESULT = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
START = {
    "type": "message_start",
    "message": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
}


def block(index, value):
    return [
        {"type": "content_block_start", "index": index, "content_block": value},
        {"type": "content_block_stop", "index": index},
    ]


def end(reason):
    return [
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]


def sse(events):
    lines = ("event: %s\ndata: %s\n\n" % (e["type"], wire.encode_json(e).decode()) for e in events)
    return "".join(lines).encode()


PAIR = [START, *block(0, CALL), *block(1, RESULT), *block(2, {"type": "text", "text": "é"})]


class Real(unittest.TestCase):
    Client = turnkeeper.Client

    @classmethod
    def setUpClass(cls):
        cls.daemon = real_daemon()
        cls.addClassCleanup(cls.daemon.stop)
        with turnkeeper.Client(cls.daemon.socket) as client:
            if "stream.open" not in {method.name for method in client.info().methods}:
                raise unittest.SkipTest("this daemon has no streams")

    def client(self, **options):
        client = self.Client(self.daemon.socket, **options)
        self.addCleanup(client.__exit__, None, None, None)
        return client

    def whole(self, client, chunks, **params):
        outputs = []
        with client.stream(**params) as stream:
            for chunk in chunks:
                outputs += stream.feed(chunk)
            turn = stream.finish()
        return outputs + list(turn.outputs), turn

    def test_every_way_in_gives_the_same(self):
        events = PAIR + end("end_turn")
        text = sse(events)
        found = []
        for codec in CODECS + ["auto"]:
            client = self.client(codec=codec)
            for chunks in ([text], [text[:300], text[300:]], [bytes([b]) for b in text], [events]):
                outputs, turn = self.whole(client, chunks)
                found.append((outputs, turn.raw["finish"], turn.message, turn.seal))
        self.assertEqual(found, found[:1] * len(found))
        self.assertEqual(found[0][2]["content"], [CALL, RESULT, {"type": "text", "text": "é"}])
        self.assertEqual([o["type"] for o in found[0][0]][-1], "finish")

    def test_sse_out_is_sse_in(self):
        text = sse(PAIR + end("end_turn"))
        for codec in CODECS + ["auto"]:
            outputs, turn = self.whole(self.client(codec=codec), [text], emit="sse")
            again, same = self.whole(self.client(), ["".join(o["data"] for o in outputs)])
            self.assertEqual(same.message, turn.message)

    def test_a_call_without_its_result(self):
        for codec in CODECS:
            with self.assertRaises(turnkeeper.PairingFailed) as caught:
                self.whole(self.client(codec=codec), [[START, *block(0, CALL), *end("end_turn")]])
            self.assertEqual(caught.exception.kinds, ("incomplete_operation",))
            with self.assertRaises(turnkeeper.PairingFailed) as caught:
                self.whole(self.client(codec=codec), [sse(PAIR)])
            self.assertEqual(caught.exception.kinds, ("truncated_stream",))
            self.assertTrue(caught.exception.retryable)

    def test_paused_and_resumed(self):
        client = self.client()
        _, turn = self.whole(client, [[START, *block(0, CALL), *end("pause_turn")]])
        pending = {"id": "srvtoolu_1", "name": "web_search", "type": "server_tool_use"}
        self.assertEqual(list(turn.finish.pending_operations), [pending])
        history = [{"role": "user", "content": "q"}, turn.message]
        rest = [START, *block(0, RESULT), *end("end_turn")]
        for given in (history, wire.encode_json(history)):
            with client.stream(history=given) as stream:
                self.assertEqual(list(stream.carried), [pending])
                stream.feed(rest)
                self.assertEqual(stream.finish().message["content"], [RESULT])

    def test_pair(self):
        events = PAIR + end("end_turn")
        _, turn = self.whole(self.client(), [events])
        response = dict(
            START["message"],
            content=turn.message["content"],
            stop_reason="end_turn",
            usage={"input_tokens": 1, "output_tokens": 5},
        )
        paired = self.client().pair(response)
        self.assertEqual((paired.message, paired.seal), (turn.message, turn.seal))
        with self.assertRaises(turnkeeper.PairingFailed):
            self.client().pair(dict(response, content=[CALL]))

    def test_misuse(self):
        client = self.client()
        with self.assertRaises(turnkeeper.StreamNotFound):
            client.call("stream.feed", {"stream": "x", "events": []})
        with self.assertRaises(turnkeeper.InvalidParams), client.stream(emit="x"):
            pass


if __name__ == "__main__":
    unittest.main()
