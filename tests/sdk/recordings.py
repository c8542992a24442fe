# SPDX-License-Identifier: Apache-2.0
"""The streams of the conformance cases as two recordings each: what was fed, and what emit: "sse" gave.

    case steps ---> daemon, emit "sse" ---> Recording(fed, filtered, end)   one per stream that ended done
"""
import base64
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
for _folder in (TESTS, os.path.join(TESTS, "conformance")):
    sys.path.insert(0, _folder)
import run_cases  # noqa: E402

RUNNER = run_cases.load_runner()
WHOLE, DELTAS = "whole", "deltas"
OPENING = ("stream.open", "pair")
READING = ("stream.feed", "stream.end")


class Recording:
    def __init__(self, way):
        self.way = way  # provider_input: how a provider's call leaves
        self.fed = b""
        self.filtered = b""
        self.end = None  # the result of stream.end or pair

    def take(self, method, params, result):
        if method == "pair":
            self.fed = as_stream(params["response"])
        elif method == "stream.feed":
            self.fed += fed_by(params)
        self.filtered += "".join(output["data"] for output in result["outputs"]).encode()


def fed_by(params):
    """Returns the bytes that one stream.feed adds to the wire."""
    if "events" in params:
        return b"".join(map(frame, params["events"]))
    if "data_base64" in params:
        return base64.b64decode(params["data_base64"])
    return params["data"].encode("utf-8", "surrogatepass")


def frame(event):
    text = json.dumps(event, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return b"event: %s\ndata: %s\n\n" % (str(event.get("type")).encode(), text)


def as_stream(response):
    """A whole response as the stream that `pair` takes it for."""
    return b"".join(map(frame, ({"type": "message_start", "message": response}, {"type": "message_stop"})))


def steps_of(case):
    return case.get("steps") or [case]


def ends_done(step):
    return step["method"] in ("stream.end", "pair") and step["expect"].get("result", {}).get("state") == "done"


def cases():
    """Those in which a stream ends done, by their own expectation."""
    return [case for case in run_cases.read("stream") if any(map(ends_done, steps_of(case)))]


def record(path, case, way):
    """Drives the case's steps with emit "sse"; the Recordings of its streams that are expected to end done."""
    conn, running, done = RUNNER.Conn(path, "json"), {}, []
    for step in steps_of(case):
        method, params = step["method"], RUNNER.grown(step.get("params", {}))
        if method in OPENING:
            params = dict(params, emit="sse", provider_input=way)
        result = conn.call(method, params).get("result")
        if result is None:  # an error is that step's point; the others still count
            continue
        if method in OPENING:
            running[params.get("stream")] = Recording(way)
        if method in OPENING + READING:
            stream = running[params.get("stream")]
            stream.take(method, params, result)
        if ends_done(step):
            stream.end = result
            done.append(stream)
    conn.s.close()
    return done


def variants(path, case):
    """Recordings of both ways in which a provider's call can leave, the second where it makes a difference."""
    whole, deltas = (record(path, case, way) for way in (WHOLE, DELTAS))
    return whole + [d for w, d in zip(whole, deltas) if d.filtered != w.filtered]
