# SPDX-License-Identifier: Apache-2.0
"""Streams as the daemon keeps them: whose they are, how much they may take, and how they end.

The conformance cases test what a stream says; here it's that it says it undisturbed.
"""
import base64
import json
import os
import signal
import sys
import unittest

from harness import Closed, Daemon, Test, eventually, is_sanitized, one_user, resident

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "conformance"))
import run_cases  # noqa: E402

RUNNER = run_cases.load_runner()


# -- Events ----------------------------------------------------------------------------------

def sse(*events):
    return "".join("event: %s\ndata: %s\n\n" % (e["type"], json.dumps(e)) for e in events)


def begin(index, block):
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index, text):
    return {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}


def stop(index):
    return {"type": "content_block_stop", "index": index}


START = {"type": "message_start", "message": {"id": "msg_1", "model": "m", "content": [],
                                              "usage": {"input_tokens": 1}}}
TEXT = begin(0, {"type": "text", "text": ""})
END = [{"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
       {"type": "message_stop"}]
CALL = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}}
RESULT = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}


def turn(text):
    """A whole turn of text."""
    return [START, TEXT, delta(0, text), stop(0), *END]


def text_of(end):
    return "".join(block["text"] for block in end["message"]["content"])


class Streams(Test):
    def open(self, c, key="s", **params):
        result = c.call("stream.open", stream=key, **params)
        self.assertEqual(result.get("state"), "open", result)
        return result

    def feed(self, c, events, key="s"):
        result = c.call("stream.feed", stream=key, events=events)
        self.assertIn("outputs", result, result)
        return result

    def end(self, c, key="s"):
        result = c.call("stream.end", stream=key)
        self.assertIn("outputs", result, result)
        return result

    def whole(self, c, text, key="s", **params):
        """Opens, feeds and ends a stream of that text."""
        self.open(c, key, **params)
        self.feed(c, turn(text), key)
        end = self.end(c, key)
        self.assertEqual((end["state"], text_of(end)), ("done", text))

    def refused(self, answer, name, code):
        return self.assertError({"error": answer}, name, code)

    def busy(self, answer):
        data = self.refused(answer, "busy", -32011)
        self.assertTrue(data["retryable"])
        self.assertGreater(data["retry_after_ms"], 0)
        return data

    def nothing_left(self, d):
        # An answer is out before its worker has done the sums.
        self.assertTrue(eventually(lambda: d.gauge("streams") == 0 and d.gauge("inflight_bytes") == 0),
                        d.ask("stats")["gauges"])


# -- Limits ----------------------------------------------------------------------------------

class Limits(Streams):
    def test_max_streams_per_connection(self):
        with Daemon({"max_streams_per_connection": 3}) as d, d.connect() as c, d.connect() as other:
            for key in "abc":
                self.open(c, key)
            data = self.busy(c.call("stream.open", stream="d"))
            self.assertEqual(data["limit"], 3)
            self.assertEqual(d.hits("max_streams_per_connection"), 1)
            self.refused(c.call("stream.feed", stream="d", events=[]), "stream_not_found", -32002)
            self.open(other, "d")
            # One that has failed counts until its end.
            self.assertEqual(self.feed(c, [stop(0)], "a")["state"], "failed")
            self.busy(c.call("stream.open", stream="d"))
            self.end(c, "a")
            self.open(c, "d")
            for key in "bcd":
                self.feed(c, turn(key), key)
                self.assertEqual(text_of(self.end(c, key)), key)
            self.assertEqual(d.hits("max_streams_per_connection"), 2)

    def test_pair_needs_no_place(self):
        with Daemon({"max_streams_per_connection": 1}) as d, d.connect() as c:
            self.open(c)
            answer = c.call("pair", response={"content": [CALL, RESULT], "stop_reason": "end_turn"})
            self.assertEqual(answer["state"], "done")
            self.assertEqual(d.gauge("streams"), 1)

    def fill(self, c, key, data):
        result = c.call("stream.feed", stream=key, data=data)
        return [o for o in result["outputs"] if o["type"] == "error"]

    def test_max_stream_buffer(self):
        data = sse(*turn("x" * 500))
        with Daemon({"max_stream_buffer": len(data)}) as d, d.connect() as c:
            for surplus, hits in ((0, 0), (1, 1), (0, 1)):
                self.open(c)
                first = ":" * surplus + "\n" * surplus
                fault = self.fill(c, "s", first + data[:600]) + self.fill(c, "s", data[600:])
                self.assertEqual([(f["kind"], f["limit"]) for f in fault],
                                 [("stream_too_large", len(data))] * bool(surplus))
                self.assertEqual(self.end(c)["state"], "failed" if surplus else "done")
                self.assertEqual(d.hits("max_stream_buffer"), hits)
            self.nothing_left(d)

    def test_max_buffer_lowers_it(self):
        with Daemon({"max_stream_buffer": 2000}) as d, d.connect() as c:
            data = self.refused(c.call("stream.open", stream="s", max_buffer=2001), "invalid_params", -32602)
            self.assertEqual((data["pointer"], data["limit"]), ("/params/max_buffer", 2000))
            self.open(c, max_buffer=2000)
            self.open(c, "small", max_buffer=10)
            self.assertEqual(self.fill(c, "small", "x" * 10), [])
            self.assertEqual(self.fill(c, "small", "x")[0]["limit"], 10)
            self.assertEqual(self.fill(c, "s", "x" * 2000), [])
            self.refused(c.call("stream.feed", stream="small", data="x"), "stream_finished", -32002)

    def grow(self, c, key, size=50_000, most=100):
        """Feeds text until there is no room for more; how often it was fed."""
        for n in range(most):
            answer = c.call("stream.feed", stream=key, events=[delta(0, "x" * size)])
            if "outputs" not in answer:
                self.busy(answer)
                return n
        self.fail("no limit")

    def test_max_inflight_bytes(self):
        """Bytes that streams hold count; a feed without room was not consumed and can be sent again."""
        config = {"max_inflight_bytes": 400_000, "max_inflight_bytes_per_uid": 1 << 30}
        with Daemon(config) as d, d.connect() as c, d.connect() as other:
            for key in ("large", "small"):
                self.open(c, key)
                self.feed(c, [START, TEXT], key)
            n = self.grow(c, "large")
            self.assertGreaterEqual(n, 2)
            c.call("ping")  # whose answer comes when the frame before it is gone
            held = d.gauge("inflight_bytes")
            self.assertGreater(held, n * 50_000)
            self.assertEqual(d.hits("max_inflight_bytes"), 1)
            self.busy(c.call("stream.feed", stream="small", events=[delta(0, "y" * 200_000)]))
            self.busy(c.call("stream.open", stream="new", carry_in=[{"id": "i" * 200_000}]))
            # A connection without streams finds no room either, before anybody reads what it wants.
            self.busy(other.call("ping", echo="x" * 300_000))
            self.assertEqual(d.hits("max_inflight_bytes"), 4)
            # The answer comes before the rest of the frame, part of which counts until it is passed over.
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") <= held))
            # To end one always helps.
            self.feed(c, [stop(0)], "large")
            self.assertEqual(self.end(c, "large")["error"]["kind"], "truncated_stream")
            self.feed(c, [delta(0, "y" * 150_000), stop(0), *END], "small")
            self.assertEqual(text_of(self.end(c, "small")), "y" * 150_000)
            self.assertEqual(other.call("ping", echo="x" * 300_000)["pong"], True)
            self.nothing_left(d)

    def test_the_end_passes_where_nothing_else_does(self):
        """stream.end frees memory: it is served however little there is."""
        with Daemon(one_user(200_000)) as d, d.connect() as c:
            self.open(c)
            self.feed(c, [START, TEXT])
            self.grow(c, "s", 10_000)
            while True:  # to the last byte
                answer = c.call("stream.feed", stream="s", events=[delta(0, "z")])
                if "outputs" not in answer:
                    break
            self.busy(answer)
            self.busy(c.call("ping"))
            self.assertEqual(self.end(c)["error"]["kind"], "truncated_stream")
            self.whole(c, "afterwards")
            self.nothing_left(d)

    def test_request_timeout_is_not_for_streams(self):
        """A feed can't be said again: it is served however long it waited."""
        with Daemon({"request_timeout": 0.001}) as d, d.connect() as c:
            self.open(c)
            events = [START, TEXT] + [delta(0, "x%d" % i) for i in range(100_000)] + [stop(0), *END]
            self.assertEqual(self.feed(c, events)["state"], "done")
            self.assertEqual(len(self.end(c)["message"]["content"]), 1)

    def test_idle_timeout_takes_open_streams_along(self):
        with Daemon() as d, d.connect() as c:
            self.open(c)
            self.feed(c, [START, TEXT])
            d.configure({"idle_timeout": 0.2})
            d.signal(signal.SIGHUP)
            self.assertTrue(c.is_closed())
            self.assertEqual(d.hits("idle_timeout"), 1)
            self.nothing_left(d)

    def test_a_reload_lowers_them(self):
        with Daemon({"max_streams_per_connection": 5}) as d, d.connect() as c:
            for key in "abc":
                self.open(c, key)
            d.configure({"max_streams_per_connection": 2, "max_stream_buffer": 50})
            d.signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: d.ask("info")["limits"]["max_stream_buffer"] == 50))

            def is_refused():  # each worker takes it up in its own time
                answer = c.call("stream.open", stream="d")
                if "state" in answer:
                    self.end(c, "d")
                return "data" in answer and answer["data"]["name"] == "busy"

            self.assertTrue(eventually(is_refused))
            # Those that are open keep what they were opened with.
            self.feed(c, turn("x" * 500), "a")
            self.assertEqual(self.end(c, "a")["state"], "done")
            self.busy(c.call("stream.open", stream="d"))
            self.end(c, "b")
            self.open(c, "d")
            self.assertEqual(self.feed(c, turn("x" * 500), "d")["state"], "failed")


# -- Whose they are --------------------------------------------------------------------------

class Owners(Streams):
    def test_unknown_to_another_connection(self):
        with Daemon() as d, d.connect() as c, d.connect() as other:
            self.open(c)
            self.feed(c, [START, TEXT])
            for method, more in (("stream.feed", {"events": []}), ("stream.end", {})):
                self.refused(other.call(method, stream="s", **more), "stream_not_found", -32002)
            self.open(other)
            self.feed(other, turn("theirs"))
            self.feed(c, [delta(0, "mine"), stop(0), *END])
            self.assertEqual(text_of(self.end(other)), "theirs")
            self.assertEqual(text_of(self.end(c)), "mine")
            self.nothing_left(d)

    def test_they_end_with_their_connection(self):
        with Daemon() as d, d.connect() as other:
            self.open(other)
            for how in ("close", "half-close"):
                with d.connect() as c:
                    for i in range(10):
                        self.open(c, "key %d" % i, emit="events")
                        self.feed(c, [START, begin(0, CALL)], "key %d" % i)
                    self.assertTrue(eventually(lambda: d.gauge("streams") == 11))
                    self.assertGreater(d.gauge("inflight_bytes"), 10 * 100)
                    if how == "half-close":
                        c.end()
                        self.assertTrue(c.is_closed())
                self.assertTrue(eventually(lambda: d.gauge("streams") == 1))
            self.feed(other, turn("still there"))
            self.assertEqual(text_of(self.end(other)), "still there")
            self.nothing_left(d)

    def test_half_close_answers_all_that_came(self):
        with Daemon() as d, d.connect() as c:
            c.send({"id": 1, "method": "stream.open", "params": {"stream": "s"}})
            c.send({"id": 2, "method": "stream.feed", "params": {"stream": "s", "events": turn("x")}})
            c.send({"id": 3, "method": "stream.end", "params": {"stream": "s"}})
            c.end()
            answers = [c.receive() for _ in range(3)]
            self.assertEqual([a["id"] for a in answers], [1, 2, 3])
            self.assertEqual(text_of(answers[2]["result"]), "x")
            self.assertTrue(c.is_closed())
            self.nothing_left(d)

    def test_notifications_run(self):
        with Daemon() as d, d.connect() as c:
            c.send({"method": "stream.open", "params": {"stream": "s"}})
            for event in turn("quiet"):
                c.send({"method": "stream.feed", "params": {"stream": "s", "events": [event]}})
            c.send({"method": "stream.feed", "params": {"stream": "nobody", "events": []}})
            self.assertEqual(text_of(self.end(c)), "quiet")
            c.send({"method": "stream.open", "params": {"stream": "s"}})
            c.send({"method": "stream.end", "params": {"stream": "s"}})
            self.assertTrue(c.ping())
            self.nothing_left(d)

    def test_many_at_once_keep_apart(self):
        """64 streams a connection, fed in turns, on connections of all workers."""
        with Daemon({"workers": 2}) as d:
            clients = [d.connect() for _ in range(4)]
            for c in clients:
                for i in range(64):
                    self.open(c, "key %d" % i)
            for step in range(len(turn(""))):
                for n, c in enumerate(clients):
                    for i in range(64):
                        self.feed(c, [turn("%d of %d" % (i, n))[step]], "key %d" % i)
            for n, c in enumerate(clients):
                for i in range(63, -1, -1):
                    self.assertEqual(text_of(self.end(c, "key %d" % i)), "%d of %d" % (i, n))
                c.close()
            self.nothing_left(d)


# -- Codecs ----------------------------------------------------------------------------------

class Codecs(Streams):
    def pack(self, c, method, **params):
        c.send(RUNNER.mp_enc({"id": 1, "method": method, "params": params}))
        answer, _ = RUNNER.mp_dec(c.receive_bytes())
        return answer["result"]

    def test_both_on_one_connection(self):
        """Each request chooses; a stream takes what comes, and its end is in the end's codec."""
        text = "\u00e9\U0001F600 x"
        data = sse(*turn(text)).encode()
        cut = data.index(b"u00e9") + 2
        with Daemon() as d, d.connect() as c:
            ends = []
            for first in ("json", "msgpack"):
                for form in ("parts", "events", "sse"):
                    self.assertEqual(self.pack(c, "stream.open", stream="m", emit=form)["state"], "open")
                    self.open(c, "j", emit=form)
                    outputs = []
                    for key in "mj":
                        fed = [lambda k, piece: self.pack(c, "stream.feed", stream=k, data=piece),
                               lambda k, piece: c.call("stream.feed", stream=k,
                                                       data_base64=base64.b64encode(piece).decode())]
                        if first == "json":
                            fed.reverse()
                        outputs.append(fed[0](key, data[:cut])["outputs"] + fed[1](key, data[cut:])["outputs"])
                    self.assertEqual(outputs[0], outputs[1])
                    ends += [self.pack(c, "stream.end", stream="m"), self.end(c, "j")]
            for end in ends:
                self.assertEqual((text_of(end), end["seal"]), (text, ends[0]["seal"]))
            self.nothing_left(d)

    def test_lines(self):
        with Daemon() as d, d.connect(lines=True) as c:
            self.open(c, emit="sse")
            answer = c.call("stream.feed", stream="s", data=sse(*turn("a\nb")))
            self.assertEqual(answer["state"], "done")
            self.assertIn(r"a\nb", "".join(o["data"] for o in answer["outputs"]))
            self.assertEqual(text_of(self.end(c)), "a\nb")

    def test_a_chunk_that_ends_inside_a_character(self):
        data = sse(*turn("x")).replace('"text": "x"', '"text": "\u00e9"').encode()
        with Daemon() as d, d.connect() as c:
            for cut in range(data.index(b"\xc3") - 1, data.index(b"\xc3") + 3):
                self.open(c)
                for piece in (data[:cut], data[cut:]):
                    c.call("stream.feed", stream="s", data_base64=base64.b64encode(piece).decode())
                self.assertEqual(text_of(self.end(c)), "\u00e9")


# -- Memory ----------------------------------------------------------------------------------

class Memory(Streams):
    COUNT = 1000
    LIVES = [
        ("stream.feed", {"events": turn("x" * 300)}),
        ("stream.feed", {"events": [START, begin(0, CALL), stop(0), begin(1, RESULT)]}),  # ends half done
        ("stream.feed", {"events": [START, begin(0, RESULT)]}),  # fails
        ("stream.feed", {"data": sse(*turn("x" * 300))[:-100]}),
        ("stream.feed", {"data": "no such thing\n\ndata: {\n\n"}),
    ]

    def cycle(self, c, count):
        for i in range(count):
            method, params = self.LIVES[i % len(self.LIVES)]
            form = ("parts", "events", "sse")[i % 3]
            for m, p in (("stream.open", {"emit": form}), (method, params), ("stream.end", {})):
                c.send({"id": i, "method": m, "params": {"stream": "s%d" % (i % 7), **p}})
            for _ in range(3):
                self.assertIn("result", c.receive())

    def test_thousands_leave_nothing(self):
        with Daemon({"workers": 1}) as d, d.connect() as c:
            self.cycle(c, self.COUNT)
            self.nothing_left(d)
            before = resident(d.pid)
            self.cycle(c, 3 * self.COUNT)
            self.nothing_left(d)
            grown = resident(d.pid) - before
            if is_sanitized(d.pid):
                self.skipTest("a sanitizer's memory says nothing")
            self.assertLess(grown, 300 << 10)

    def test_thousands_of_connections_leave_nothing(self):
        """Streams that nobody ended."""
        with Daemon({"workers": 1}) as d:
            for rounds in range(2):
                for i in range(500):
                    with d.connect() as c:
                        self.open(c)
                        self.feed(c, [START, TEXT, delta(0, "x" * 2000)])
                self.nothing_left(d)
                if rounds == 0:
                    before = resident(d.pid)
            grown = resident(d.pid) - before
            if is_sanitized(d.pid):
                self.skipTest("a sanitizer's memory says nothing")
            self.assertLess(grown, 300 << 10)

    def test_a_failed_stream_holds_little(self):
        with Daemon() as d, d.connect() as c:
            self.open(c)
            self.feed(c, [START, TEXT, delta(0, "x" * 1_000_000)])
            self.assertTrue(eventually(lambda: 1_000_000 < d.gauge("inflight_bytes") < 3_000_000))
            self.assertEqual(self.feed(c, [stop(7)])["state"], "failed")
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") < 20_000))
            self.assertEqual(self.end(c)["error"]["kind"], "unknown_index")


# -- Drain -----------------------------------------------------------------------------------

class Drain(Streams):
    def begin(self, d, c):
        """Returns once c's worker drains, which it hears of after the log."""
        d.signal(signal.SIGTERM)
        self.assertTrue(eventually(lambda: c.call("ping") != {"pong": True}))
        self.assertTrue(d.logged("drain"))

    def test_open_streams_go_on(self):
        with Daemon() as d, d.connect() as c, d.connect() as idle:
            self.assertTrue(idle.ping())
            for key in "ab":
                self.open(c, key)
                self.feed(c, [START, TEXT], key)
            self.begin(d, c)
            self.assertTrue(idle.is_closed())
            for params in ({"stream": "new"}, {"stream": "a"}):
                data = self.refused(c.call("stream.open", **params), "draining", -32012)
                self.assertTrue(data["retryable"])
            for method, params in (("ping", {}), ("pair", {"response": {}}), ("no.such.method", {}),
                                   ("stream.feed", {"stream": "nobody", "events": []})):
                self.refused(c.call(method, **params), "draining", -32012)
            for key in "ab":
                self.feed(c, [delta(0, "late"), stop(0), *END], key)
                self.assertIsNone(d.process.poll())
            self.assertEqual(text_of(self.end(c, "a")), "late")
            self.assertEqual(text_of(self.end(c, "b")), "late")
            self.assertTrue(c.is_closed())
            self.assertEqual(d.wait(), 0)

    def test_a_failed_stream_is_still_ended(self):
        with Daemon() as d, d.connect() as c:
            self.open(c)
            self.begin(d, c)
            self.assertEqual(self.feed(c, [stop(0)])["state"], "failed")
            self.refused(c.call("stream.feed", stream="s", events=[]), "stream_finished", -32002)
            self.assertEqual(self.end(c)["error"]["kind"], "event_before_message_start")
            self.assertTrue(c.is_closed())
            self.assertEqual(d.wait(), 0)

    def test_a_stream_without_end_holds_it_up_until_drain_timeout(self):
        with Daemon({"drain_timeout": 0.5}) as d, d.connect() as c:
            self.open(c)
            self.feed(c, [START, TEXT])
            self.begin(d, c)
            self.assertEqual(d.wait(), 1)
            self.assertTrue(d.logged("cut_off", reason="drain_timeout", connections=1))
            with self.assertRaises((Closed, ConnectionError)):
                self.end(c)

    def test_a_client_that_goes_holds_nothing_up(self):
        with Daemon() as d:
            with d.connect() as c:
                self.open(c)
                self.begin(d, c)
            self.assertEqual(d.wait(), 0)


if __name__ == "__main__":
    unittest.main()
