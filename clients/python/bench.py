#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the time that the guard adds to a call, next to the SDK's own work for it.

    bench.py            prints a table; TURNKEEPERD names the daemon
    bench.py --json     one object a line

For histories of 18 KB, 200 KB and 2 MB (tests/bench/gen_corpus.py), each figure the median of calls
that take turns, so that all of them meet the same machine:

    encode       the SDK's own work: json.dumps as httpx has it. What follows is added to it
    clean        the guard, for a history that needs no edit: the same bytes leave
    sealed       the guard, which has seen every signed turn of it: their seals go along
    edited       the guard, for one with an orphaned call near its end: patched
    stream       the guard and an open stream, for a request that asks for one
    asyncio      clean, with AsyncClient
    repair()     the typed method on decoded objects, which encodes them itself

With httpx2 or httpx, also what a whole request through one of their clients takes longer; with the
SDK (package anthropic), a whole call of it without a network, and what the guard adds to that.

`memory` is the peak of what Python allocates in a call, as a multiple of the body.
"""

import asyncio
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc

CLIENT = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(CLIENT))
sys.path[:0] = [os.path.join(CLIENT, "tests"), os.path.join(ROOT, "tests")]

import built  # noqa: E402, F401: finds the package
from daemon import Daemon  # noqa: E402

import turnkeeper  # noqa: E402
from turnkeeper.seals import Seals  # noqa: E402

SECONDS = 1.5  # for one size
SIZES = {"s": "18 KB", "m": "200 KB", "l": "2 MB"}
EVENT = (
    b"event: content_block_delta\n"
    b'data: {"type":"content_block_delta","index":0,'
    b'"delta":{"type":"text_delta","text":"some words of it "}}\n\n'
)
START = (
    b'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","content":[],'
    b'"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}\n\n'
    b'event: content_block_start\ndata: {"type":"content_block_start","index":0,'
    b'"content_block":{"type":"text","text":""}}\n\n'
)


def encode(body):
    """As httpx encodes `json=`."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8")


def corpora():
    with tempfile.TemporaryDirectory(prefix="tk") as folder:
        program = os.path.join(ROOT, "tests", "bench", "gen_corpus.py")
        quiet = {"stdout": subprocess.DEVNULL, "check": True}
        subprocess.run([sys.executable, program], cwd=folder, **quiet)
        for name in SIZES:
            with open(os.path.join(folder, name + ".json"), encoding="utf-8") as text:
                yield name, json.load(text)


def with_orphan(body):
    call = {"type": "server_tool_use", "id": "srvtoolu_orphan", "name": "web_search", "input": {}}
    text = {"type": "text", "text": "a"}
    tail = [{"role": "assistant", "content": [text, call]}, {"role": "user", "content": "q"}]
    return dict(body, messages=body["messages"] + tail)


def in_turns(works, seconds):
    """The median time of each, in microseconds."""
    times = {name: [] for name in works}
    for work in works.values():
        work()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times[next(iter(works))]) < 5:
        for name, work in works.items():
            start = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(taken) * 1e6 for name, taken in times.items()}


def peak(work):
    tracemalloc.start()
    work()
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return size


def guarded(client, text, want):
    def work():
        assert client.prepare_body(text, tools={"betas": []}).changed == want

    return work


def sealed(client, body, text):
    seals = Seals()
    for message in body["messages"]:
        if message["role"] == "assistant":
            seals.keep(client.seal(message))

    def work():
        ready = client.prepare_body(text, tools={"betas": []}, seals=seals.of(text))
        assert not ready.changed and ready.verdicts[0].verdict == "intact"

    return work


def streamed(client, text):
    def work():
        body = client.prepare_body(text, tools={"betas": []}).body
        with client.stream(request=body, emit="sse"):
            pass

    return work


def figures(client, waiting, loop, body, streams):
    text, broken = encode(body), encode(with_orphan(body))
    works = {
        "encode": lambda: encode(body),
        "clean": guarded(client, text, False),
        "sealed": sealed(client, body, text),
        "edited": guarded(client, broken, True),
        "asyncio": lambda: loop.run_until_complete(waiting.prepare_body(text)),
        "repair()": lambda: client.repair(body),
    }
    if streams:
        works["stream"] = streamed(client, encode(dict(body, stream=True)))
    row = in_turns(works, SECONDS)
    row["memory"] = peak(works["clean"]) / len(text)
    row["memory, edited"] = peak(works["edited"]) / len(text)
    return len(text), row


def live_delta(client):
    """What one delta waits for, in microseconds: median and 99th percentile."""
    with client.stream(emit="sse") as stream:
        stream.feed(START)
        times = []
        for _ in range(3000):
            start = time.perf_counter()
            stream.feed(EVENT)
            times.append((time.perf_counter() - start) * 1e6)
    times.sort()
    return times[len(times) // 2], times[len(times) * 99 // 100]


def through_httpx(path, texts):
    """The same where it is used: a whole request through a client, with the guard and without."""
    names = [name for name in ("httpx2", "httpx") if importlib.util.find_spec(name)]
    if not names:
        return None
    http = importlib.import_module(names[0])
    guards = importlib.import_module("turnkeeper." + names[0])
    plain = http.MockTransport(lambda request: http.Response(200, content=b"{}"))
    own = turnkeeper.Client(path)
    guard = guards.GuardTransport(plain, on_unavailable="closed", client=own)
    rows = {}
    with http.Client(transport=plain) as one, http.Client(transport=guard) as other, own:
        for name, text in texts.items():

            def post(client, text=text):
                headers = {"content-type": "application/json"}
                return client.post("http://x/v1/messages", content=text, headers=headers)

            row = in_turns({"plain": lambda: post(one), "guarded": lambda: post(other)}, 0.5)
            rows[name] = row["guarded"] - row["plain"]
    return names[0], rows


MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": "ok"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


def through_sdk(path, bodies):
    """The same for a call of the SDK, but for the network; None without it."""
    if not importlib.util.find_spec("anthropic"):
        return
    import anthropic

    http = importlib.import_module(anthropic.DefaultHttpxClient.__mro__[1].__module__.split(".")[0])
    guards = importlib.import_module("turnkeeper." + http.__name__)
    plain = http.MockTransport(lambda request: http.Response(200, json=MESSAGE))
    with turnkeeper.Client(path) as own:
        guard = guards.GuardTransport(plain, on_unavailable="closed", client=own)
        bare, guarded = (
            anthropic.Anthropic(api_key="k", http_client=http.Client(transport=transport))
            for transport in (plain, guard)
        )
        for name, body in bodies.items():
            asked = [*body["messages"], {"role": "user", "content": "go on"}]
            body = dict(body, model="claude-sonnet-5-5", max_tokens=64, messages=asked)
            row = in_turns(
                {
                    "encode": lambda body=body: encode(body),
                    "call": lambda body=body: bare.messages.create(**body),
                    "guarded": lambda body=body: guarded.messages.create(**body),
                },
                SECONDS,
            )
            added = row.pop("guarded") - row["call"]
            yield {"sdk": SIZES[name], **row, "the guard adds": added}


def measure(daemon):
    bodies = dict(corpora())
    loop = asyncio.new_event_loop()
    waiting = turnkeeper.AsyncClient(daemon.socket, timeout=30)
    with turnkeeper.Client(daemon.socket, timeout=30) as client:
        streams = "stream.open" in {method.name for method in client.info().methods}
        bodies = {name: client.repair(body).request for name, body in bodies.items()}
        for name, body in bodies.items():
            size, row = figures(client, waiting, loop, body, streams)
            yield dict({"size": SIZES[name], "bytes": size}, **row)
        if streams:
            median, p99 = live_delta(client)
            yield {"live delta": {"median": median, "p99": p99}}
    added = through_httpx(daemon.socket, {name: encode(body) for name, body in bodies.items()})
    if added:
        yield {added[0]: {SIZES[name]: value for name, value in added[1].items()}}
    yield from through_sdk(daemon.socket, bodies)
    loop.run_until_complete(waiting.close())
    loop.close()


def show(row):
    if "sdk" in row:
        own = row["encode"]
        call, added = row["call"], row["the guard adds"]
        found = (row["sdk"], own, call, call / own, added, added / own)
        return (
            "official SDK, Python, %-6s encode %.0f us, call %.0f (%.2fx), the guard adds %.0f (%.2fx)"
            % found
        )
    if "size" not in row:
        ((name, values),) = row.items()
        what = "a delta of a live stream" if name == "live delta" else "added to a call by " + name
        found = ", ".join("%s %.0f us" % item for item in values.items())
        return "%-28s %s" % (what, found)
    own = row["encode"]
    cells = ["%-28s encode %.0f us" % ("guard, Python, " + row["size"], own)]
    for name in ("clean", "sealed", "edited", "stream", "asyncio", "repair()"):
        if name in row:
            cells.append("%s %.0f (%.2fx)" % (name, row[name], row[name] / own))
    cells.append("memory %.1fx, edited %.1fx" % (row["memory"], row["memory, edited"]))
    return ", ".join(cells)


def main():
    with Daemon("--log-level", "error") as daemon:
        for row in measure(daemon):
            print(json.dumps(row) if "--json" in sys.argv else show(row), flush=True)


if __name__ == "__main__":
    main()
