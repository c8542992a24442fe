#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the guard adds to a call in Go, next to the encoding of the same request in the same run.

    bench_go.py            prints a table; TURNKEEPERD names the daemon
    bench_go.py --json     one object a line

Each figure is the best of six, for histories of 18 KB, 200 KB and 2 MB, from the benchmarks of clients/go and, where a Go is new enough
for the official SDK, of clients/go/internal/sdktest:

    encode       encoding/json, or the SDK's own encoder; what follows is added to it
    clean        Repair of a history that needs no edit; edited: of one that needs one, with the bar that it has to keep:
                 1.3 times the daemon's own answer (bytes written to the socket and read from it), and 40 us
    transport    the guard around an http.RoundTripper; stream: for a request that asks for one
    call         a whole call of the SDK without a network: bare, and what the guard adds to it

Then the back end in process (clients/go/local) next to the library itself, with the requests that tests/bench/report.py has left in
the folder bench: processor time of a repair with an edit, and what the first call of a process costs.
"""
import json
import os
import re
import subprocess
import sys

from go_tool import CLIENT, LOCAL, MODULES, SDK, run  # next to this file

SIZES = {"18KB": "18 KB", "200KB": "200 KB", "2MB": "2 MB"}
LINE = re.compile(r"Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op.*?([\d.]+) B/op\s+(\d+) allocs/op")


def benchmarks(folder, pattern):
    """{name: figures} of the benchmarks of a module; SystemExit where they fail."""
    go, why = MODULES[folder]
    if not go:
        return why, {}
    output, code = run(go, folder, "go", "test", "-run", "^$", "-bench", pattern, "-benchmem",
                       "-benchtime", "0.1s", "-count", "6", ".")
    if code:
        sys.exit(output)
    best = {}
    for name, ns, size, allocs in LINE.findall(output):
        figures = {"us": float(ns) / 1e3, "bytes": float(size), "allocs": int(allocs)}
        best[name] = min(figures, best.get(name, figures), key=lambda f: f["us"])
    return None, best


REQUESTS = {size: os.path.abspath(os.path.join("bench", "repair_%s.json" % letter))
            for letter, size in (("s", "18 KB"), ("m", "200 KB"), ("l", "2 MB"))}
TIMES_NATIVE, FIRST_CALL_MS = 4, 500  # bars
LOCAL_LINE = re.compile(r"Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op(?:.*?([\d.]+) cpu-ns/op)?")


def in_process():
    """Rows of clients/go/local: what, figure, bar, unit."""
    go, _ = MODULES[LOCAL]
    paths = list(REQUESTS.values())
    there = dict(os.environ, TK_BENCH_REQUESTS=":".join(paths), PATH=go.folder + os.pathsep + os.environ["PATH"], GOTOOLCHAIN="local", GOWORK="off")
    done = subprocess.run(["go", "test", "-run", "^$", "-bench", "Call", "-benchtime", "0.2s", "-count", "6", "."],
                          cwd=LOCAL, env=there, stdout=subprocess.PIPE, text=True, check=True)
    best = {}
    for name, ns, cpu in LOCAL_LINE.findall(done.stdout):
        best[name] = min(float(cpu or ns), best.get(name, float("inf")))
    native = subprocess.run([os.path.join("tests", "bench", "bench_call"), "--json", *paths],
                            stdout=subprocess.PIPE, text=True, check=True).stdout
    for (size, path), line in zip(REQUESTS.items(), native.splitlines()):
        ratio = best["Call/" + os.path.basename(path)] / 1e3 / json.loads(line)["us"]
        yield "in process, Go, %s: times the library" % size, ratio, TIMES_NATIVE, "x"
    yield "in process, Go: first call", best["FirstCall"] / 1e6, FIRST_CALL_MS, "ms"
    yield "in process, Go: first call, machine code kept", best["FirstCallCached"] / 1e6, FIRST_CALL_MS, "ms"


def show_in_process():
    why = MODULES[LOCAL][1]
    if not why and not all(map(os.path.exists, REQUESTS.values())):
        why = "tests/bench/report.py has left no requests in bench"
    if why:
        print("%-28s not measured: %s" % ("in process, Go", why))
        return
    for what, figure, bar, unit in in_process():
        if "--json" in sys.argv:
            print(json.dumps({"what": what, "figure": figure, "bar": bar, "unit": unit}), flush=True)
        else:
            print("%-52s %.2f %s, bar <= %g: %s" % (what, figure, unit, bar, "ok" if figure <= bar else "over"), flush=True)


def next_to(figure, encode):
    """Time, as a multiple of the encoding too, and allocations."""
    return "%.0f us (%.2fx, %d allocs, %.1f KB)" % (
        figure["us"], figure["us"] / encode["us"], figure["allocs"], figure["bytes"] / 1e3)


def bar(edited, answer):
    """The cost of an edit, next to the daemon's own answer to the same request."""
    most = 1.3 * answer["us"] + 40
    return "%s, answer %.0f us, bar %.0f us: %s" % (
        "%.0f us" % edited["us"], answer["us"], most, "kept" if edited["us"] <= most else "missed")


def client_rows(found):
    for size, label in SIZES.items():
        encode = found["EncodingJSON/" + size]
        yield label, encode, {
            "clean": found["RepairClean/" + size], "edited": found["RepairBroken/" + size], "answer": found["Answer/" + size],
            "transport": found["Transport/stream=false/" + size], "stream": found["Transport/stream=true/" + size]}


def sdk_rows(found):
    for size, label in SIZES.items():
        bare, guarded = found["SDKCall/%s/bare" % size], found["SDKCall/%s/guarded" % size]
        yield label, found["SDKEncoding/" + size], {
            "call": bare, "the guard adds": {key: guarded[key] - bare[key] for key in bare}}


def show(title, rows):
    for label, encode, figures in rows:
        if "--json" in sys.argv:
            print(json.dumps({"what": title, "size": label, "encode": encode, **figures}), flush=True)
            continue
        cells = ["%s %s" % (name, next_to(figure, encode)) for name, figure in figures.items()]
        if "answer" in figures:
            cells.append("edited: " + bar(figures["edited"], figures["answer"]))
        print("%-28s encode %.0f us, %s" % ("%s, %s" % (title, label), encode["us"], ", ".join(cells)), flush=True)


def main():
    for title, folder, pattern, rows in (
            ("guard, Go", CLIENT, "EncodingJSON|Repair|Answer|Transport", client_rows),
            ("official SDK, Go", SDK, "SDK", sdk_rows)):
        why, found = benchmarks(folder, pattern)
        if why:
            print("%-28s not measured: %s" % (title, why))
        else:
            show(title, rows(found))
    show_in_process()


if __name__ == "__main__":
    main()
