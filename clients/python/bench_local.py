#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the two back ends against what they can't be faster than, with the bars that they are held to.

    bench_local.py     TURNKEEPERD names the daemon, TURNKEEPER_LIBRARY the library

    local       Local.repair_body with edits, next to the library alone on the same request
    socket      Client.repair_body with edits, next to the daemon's own time for it, which `stats` has
    peer        both, for a body in which one call has no result, next to turnsafe's repair of the same with orjson,
                which reads and writes the text
    objects     Local.repair of decoded messages, next to turnsafe's repair of the same
    first       loading the library, making a core and the first call, in a fresh process

Each is the median of calls that take turns with what they are compared with. What needs a package that isn't installed
says so: requirements-local.txt of the tests has all of them.
"""

import importlib.util
import os
import statistics
import subprocess
import sys

import bench  # also finds the package
from built import BUILD
from daemon import Daemon

import turnkeeper
from turnkeeper import wire
from turnkeeper.library import Instance, Limits, library_path, load

FRESH = """
import time, turnkeeper
start = time.perf_counter()
turnkeeper.Local().repair([{"role": "user", "content": "q"}])
print((time.perf_counter() - start) * 1e6)
"""


def row(name, value, bar, against, limit):
    """One line: both figures in microseconds, and if the bar is met."""
    met = "met" if value <= limit else "NOT met"
    print(
        "%-24s %7.0f us, bar %7.0f us %s: %s (%s %.0f us)" % (name, value, limit, met, bar, *against),
        flush=True,
    )


def native(text):
    """A function that has the library answer the request that repair_body makes of a text."""
    instance = Instance(load(library_path()), Limits())
    params = {"timeout_ms": 5000, "return": "splices"}
    request = wire.joined(wire.with_text("request", text)(wire.request(1, "repair", params)))
    return lambda: instance.call(request, 5000)  # whose own share is about 5 us


def local(size, text):
    with turnkeeper.Local() as keeper:
        assert keeper.repair_body(text).changed
        taken = bench.in_turns(
            {"native": native(text), "own": lambda: keeper.repair_body(text)}, bench.SECONDS
        )
    limit = 1.3 * taken["native"] + 20
    row("local, " + size, taken["own"], "1.3 x + 20 us", ("the library alone", taken["native"]), limit)


def spent(client):
    """The daemon's own time for `repair` so far: count and sum in microseconds."""
    found = client.stats().methods["repair"]["latency_us"]
    return found["count"], found["sum"]


def socket(daemon, size, text):
    with turnkeeper.Client(daemon.socket, timeout=30) as client:
        client.repair_body(text)
        before = spent(client)
        taken = bench.in_turns({"own": lambda: client.repair_body(text)}, bench.SECONDS)
        after = spent(client)
    own = (after[1] - before[1]) / (after[0] - before[0])
    row("socket, " + size, taken["own"], "1.3 x + 40 us", ("the daemon's own", own), 1.3 * own + 40)


def installed(what, *names):
    """True if these packages are; else it says that this isn't measured."""
    missing = [name for name in names if not importlib.util.find_spec(name)]
    if missing:
        print("%-24s not measured: %s not installed" % (what, " and ".join(missing)))
    return not missing


def peer(daemon, size, body):
    """Agents send 10 to 120 KB. The bar: three times as fast in process, as fast over the socket."""
    if not installed("peer, " + size, "turnsafe", "orjson"):
        return
    import orjson
    import turnsafe

    text = bench.encode(unanswered(body))

    def other():
        document = orjson.loads(text)
        document["messages"] = turnsafe.repair(document["messages"], provider="anthropic")
        return orjson.dumps(document)

    for where, keeper, times in (("local", turnkeeper.Local(), 3), ("socket", turnkeeper.Client(daemon.socket), 1)):
        with keeper:
            assert len(keeper.repair_body(text).edits) == 1 and other() != text
            taken = bench.in_turns({"own": lambda: keeper.repair_body(text), "peer": other}, bench.SECONDS)
        against = "turnsafe + orjson, %.2f x," % (taken["peer"] / taken["own"])
        what = "%s, %s, peer" % (where, size)
        row(what, taken["own"], "1/%d" % times, (against, taken["peer"]), taken["peer"] / times)


def unanswered(body):
    """The body, sound and with one call at its end that has no result."""
    with turnkeeper.Local() as keeper:
        sound = keeper.repair(body).request
    call = {"type": "tool_use", "id": "toolu_last", "name": "bash", "input": {"command": "ls"}}
    tail = [{"role": "assistant", "content": [call]}, {"role": "user", "content": "go on"}]
    return dict(sound, messages=sound["messages"] + tail)


def objects(size, body):
    if not installed("objects, " + size, "turnsafe", "msgpack"):
        return
    import turnsafe

    messages = body["messages"]
    with turnkeeper.Local() as keeper:
        works = {
            "turnsafe": lambda: turnsafe.repair(messages, provider="anthropic"),
            "own": lambda: keeper.repair(messages),
        }
        taken = bench.in_turns(works, bench.SECONDS)
    row("objects, " + size, taken["own"], "1 x", ("turnsafe", taken["turnsafe"]), taken["turnsafe"])


def first():
    path = os.path.dirname(os.path.dirname(turnkeeper.__file__))
    environment = dict(os.environ, PYTHONPATH=path)
    times = []
    for _ in range(7):
        command = [sys.executable, "-c", FRESH]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
        times.append(float(done.stdout))
    row("first call", statistics.median(times), "10 ms", ("least", min(times)), 10000)


def main():
    built = os.path.join(BUILD, ".libs", "libturnkeeper.so")
    if os.path.exists(built):
        os.environ.setdefault("TURNKEEPER_LIBRARY", built)
    bodies = dict(bench.corpora())
    broken = {bench.SIZES[name]: bench.with_orphan(body) for name, body in bodies.items()}
    for size, body in broken.items():
        local(size, bench.encode(body))
    with Daemon("--log-level", "error") as daemon:
        for size, body in broken.items():
            socket(daemon, size, bench.encode(body))
        for name in "sm":
            peer(daemon, bench.SIZES[name], bodies[name])
    objects("200 KB", broken["200 KB"])
    first()


if __name__ == "__main__":
    main()
