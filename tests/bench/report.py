#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the figures of one run of `make bench`, each next to its bar.

Makes the corpora and the requests in bench/ of the build folder, starts a daemon of its own, runs
the bench programs and compares. "over" is said, not hidden, and doesn't fail the run: figures depend
on the machine. A figure that can't be taken is printed with the reason.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

TOP = os.path.abspath(os.environ.get("top_srcdir", "."))
BUILD = os.path.abspath(os.environ.get("top_builddir", "."))
sys.path[:0] = [TOP + "/tests", TOP + "/tests/conformance"]
from daemon import Daemon  # noqa: E402
import line_figures  # noqa: E402
import provider_figures  # noqa: E402
import rule_figures  # noqa: E402
import seal_figures  # noqa: E402
import share_figures  # noqa: E402
import wasm_figures  # noqa: E402
import run_cases  # noqa: E402

FOLDER = os.path.join(BUILD, "bench")
RUNNER = run_cases.load_runner()
SMALL, LARGE = 1_000, 100_000
ROW = "%-58s %12s %12s  %s"


# -- Documents -------------------------------------------------------------------------------

def corpora():
    """{"s": body, "m": body, "l": body}: about 18 KB, 200 KB and 2 MB, in which nothing is wrong."""
    subprocess.run([sys.executable, TOP + "/tests/bench/gen_corpus.py"], cwd=FOLDER, check=True,
                   stdout=subprocess.DEVNULL)
    bodies = {}
    for name in "sml":
        with open(os.path.join(FOLDER, name + ".json"), encoding="utf-8") as f:
            bodies[name] = json.load(f)
        # They end in a text of the assistant that ends in white space: without a message after it, a fault.
        bodies[name]["messages"].append(user("q"))
    return bodies


def with_orphan(body):
    """One call without its result at the end, in a turn that is over."""
    call = {"type": "server_tool_use", "id": "srvtoolu_orphan", "name": "web_search", "input": {"query": "x"}}
    tail = [{"role": "assistant", "content": [{"type": "text", "text": "a"}, call]},
            {"role": "user", "content": "q"}]
    return dict(body, messages=body["messages"] + tail)


def user(text):
    return {"role": "user", "content": text}


def many_messages(n):
    roles = ("user", "assistant")
    return [{"role": roles[i % 2], "content": [{"type": "text", "text": "message %06d" % i}]}
            for i in range(n)]


def equal_ids(n):
    call = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
    return [user("q"), {"role": "assistant", "content": [call] * n}, user("q")]


def open_calls(n):
    calls = [{"type": "server_tool_use", "id": "srvtoolu_%06d" % i, "name": "web_search",
              "input": {"query": "x"}} for i in range(n)]
    return [user("q"), {"role": "assistant", "content": calls}, user("q")]


def many_keys(n):
    keys = {"key_%06d" % i: i for i in range(n)}
    call = {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": keys}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "x"}
    return [user("q"), {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def edits_everywhere(size):
    """About `size` bytes of JSON: each second message has a call without a result."""
    return [message for n in range(size // 150) for message in (
        user("question %d" % n), {"role": "assistant", "content": [{"type": "text", "text": "answer"}, {
            "type": "tool_use", "id": "toolu_%06d" % n, "name": "f", "input": {"n": n}}]})] + [user("q")]


def with_turn(body):
    """Parameters of splice: a signed turn with two calls, their results, and what a caller appended."""
    calls = [{"type": "tool_use", "id": "toolu_bench_%d" % i, "name": "read_file", "input": {"path": "a.c"}}
             for i in (1, 2)]
    turn = [{"type": "thinking", "thinking": "plan", "signature": "c2ln"}] + calls
    results = [{"type": "tool_result", "tool_use_id": c["id"], "content": "x" * 4000} for c in calls]
    return {"request": body, "assistant": {"content": turn, "stop_reason": "tool_use"}, "tool_results": results,
            "appended": [{"role": "assistant", "content": calls}, user("be brief")]}


def with_addition(body):
    """Returns parameters of tools: web search and two functions."""
    functions = [{"name": n, "description": "d", "input_schema": {"type": "object"}} for n in ("read_file", "list")]
    return {"request": dict(body, tools=functions), "add": ["web_search"], "betas": "context-1m-2025-08-07"}


# Characters of a description and number of parameters of each of 50 tools: short ones, and as agents have them.
TOOLS = {"short": (60, 1), "usual": (200, 3), "long": (500, 5)}


def fifty_tools(described, parameters):
    """About 12, 26 and 49 KB of definitions."""
    schema = {"type": "object", "required": ["arg_0"], "properties": {
        "arg_%d" % i: {"type": "string", "description": "The path of the file, absolute."} for i in range(parameters)}}
    description = ("Reads a file of the project and returns its lines, with their numbers. " * 10)[:described]
    return [{"name": "tool_%d" % i, "description": description, "input_schema": schema} for i in range(50)]


SHAPES = {"messages": many_messages, "equal_ids": equal_ids, "keys": many_keys, "open_calls": open_calls}


def write_document(name, document):
    with open(os.path.join(FOLDER, name), "wb") as f:
        f.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())


def write_request(name, method, params):
    """Both codecs of one request, bench/NAME.json and bench/NAME.mp."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    write_document(name + ".json", request)
    with open(os.path.join(FOLDER, name + ".mp"), "wb") as f:
        f.write(RUNNER.mp_enc(request))


def write_requests(bodies):
    write_document("dense.json", {"messages": rule_figures.dense()})
    for name, body in bodies.items():
        write_document("body_%s.json" % name, body)
        write_request("validate_" + name, "validate", {"request": body})
        write_request("clean_" + name, "repair", {"request": body})
        write_request("broken_" + name, "validate", {"request": with_orphan(body)})
        write_request("repair_" + name, "repair", {"request": with_orphan(body)})
        write_request("splice_" + name, "splice", with_turn(body))
        write_request("tools_" + name, "tools", with_addition(body))
        write_request("prepare_" + name, "prepare", {"request": body})
    write_request("edits_x", "repair", {"messages": edits_everywhere(10_000_000)})
    write_request("history_m", "validate", {"messages": bodies["m"]["messages"]})
    for name, size in TOOLS.items():
        write_request("body_with_%s_tools" % name, "validate", {"request": dict(bodies["m"], tools=fifty_tools(*size))})
    for name, shape in SHAPES.items():
        for n in (SMALL, LARGE):
            write_request("%s_%d" % (name, n), "validate", {"messages": shape(n)})
            # Not guarded: shapes that can't be mended are measured all the same.
            write_request("repair_%s_%d" % (name, n), "repair", {"messages": shape(n), "guard": False})


# -- Measuring -------------------------------------------------------------------------------

def bench(program, *arguments):
    """The objects that a bench program prints."""
    done = subprocess.run([os.path.join(BUILD, "tests", "bench", program), "--json", *arguments],
                          check=True, stdout=subprocess.PIPE, text=True, cwd=FOLDER)
    return [json.loads(line) for line in done.stdout.splitlines()]


def by_file(rows):
    return {row["file"]: row for row in rows}


def frames(daemon, *files):
    return by_file(bench("bench_socket", "frames", daemon.socket, *files))


class Report:
    def __init__(self):
        self.met = self.over = 0
        print(ROW % ("figure", "measured", "bar", ""))

    def line(self, figure, value, bar, unit="", at_least=False):
        good = value >= bar if at_least else value <= bar
        self.met += good
        self.over += not good
        print(ROW % (figure, "%.2f%s" % (value, unit), "%s %g%s" % (">=" if at_least else "<=", bar, unit),
                     "ok" if good else ("under" if at_least else "over")), flush=True)

    def note(self, figure, value):
        print(ROW % (figure, value, "", ""), flush=True)


def socket_figures(report, daemon):
    names = ["%s_%s.%s" % (what, size, suffix) for size in "ml" for suffix in ("json", "mp")
             for what in ("validate", "broken", "repair")]
    rows = frames(daemon, *names)
    for size, label in (("m", "200 KB"), ("l", "2 MB")):
        for suffix, codec, bar in (("json", "JSON", 3.0), ("mp", "msgpack", 1.6)):
            row = rows["validate_%s.%s" % (size, suffix)]
            report.line("validate, %s, %s (floor %.0f us, ours %.0f us)" % (
                codec, label, row["floor_us"], row["daemon_us"]), row["ratio"], bar, " x floor")
    for size, label in (("m", "200 KB"), ("l", "2 MB")):
        for suffix, codec in (("json", "JSON"), ("mp", "msgpack")):
            ratio = (rows["repair_%s.%s" % (size, suffix)]["daemon_us"]
                     / rows["broken_%s.%s" % (size, suffix)]["daemon_us"])
            report.line("repair with patch, one orphan, %s, %s" % (codec, label), ratio, 1.2, " x validate")
    for suffix, codec in (("json", "JSON"), ("mp", "msgpack")):
        per_byte = [rows["validate_%s.%s" % (size, suffix)] for size in "lm"]
        report.line("growth: time per byte, 2 MB to 200 KB, " + codec, ratio_per_byte(*per_byte), 1.3, " x")


def request_figures(report, daemon):
    """A whole body with tools to its messages alone: what reading the tools costs, and their rules."""
    for suffix, codec in (("json", "JSON"), ("mp", "msgpack")):
        rows = frames(daemon, *("%s.%s" % (name, suffix) for name in (
            "history_m", *("body_with_%s_tools" % size for size in TOOLS))))
        alone = rows["history_m.%s" % suffix]
        for size in TOOLS:
            row = rows["body_with_%s_tools.%s" % (size, suffix)]
            ratio, bytes_ = row["daemon_us"] / alone["daemon_us"], row["bytes"] / alone["bytes"]
            figure = "validate, %s, 200 KB and 50 %s tools (%.2f x the bytes)" % (codec, size, bytes_)
            if size == "short":
                report.line(figure, ratio, 1.15, " x its messages")
            else:
                report.note(figure, "%.2f x its messages" % ratio)


def operation_figures(report, daemon):
    """Measures work before a request, next to the cost of looking at its history at all."""
    for suffix, codec in (("json", "JSON"), ("mp", "msgpack")):
        rows = frames(daemon, *("%s_%s.%s" % (what, size, suffix) for size in "ml"
                                for what in ("validate", "splice", "tools")))
        for what, bar in (("splice", 1.2), ("tools", 1.2)):
            for size, label in (("m", "200 KB"), ("l", "2 MB")):
                ratio = (rows["%s_%s.%s" % (what, size, suffix)]["daemon_us"]
                         / rows["validate_%s.%s" % (size, suffix)]["daemon_us"])
                report.line("%s with patch, %s, %s" % (what, codec, label), ratio, bar, " x validate")
            per_byte = [rows["%s_%s.%s" % (what, size, suffix)] for size in "lm"]
            report.line("%s: time per byte, 2 MB to 200 KB, %s" % (what, codec), ratio_per_byte(*per_byte), 1.3, " x")


def ratio_per_byte(large, small):
    return (large["daemon_us"] / large["bytes"]) / (small["daemon_us"] / small["bytes"])


def shape_figures(report, daemon):
    for method, prefix in (("validate", ""), ("repair", "repair_")):
        rows = frames(daemon, *("%s%s_%d.json" % (prefix, name, n) for name in SHAPES for n in (SMALL, LARGE)))
        for name in SHAPES:
            large, small = (rows["%s%s_%d.json" % (prefix, name, n)] for n in (LARGE, SMALL))
            report.line("%s: time per byte, 10^5 to 10^3 %s" % (method, name.replace("_", " ")),
                        ratio_per_byte(large, small), 1.3 if name == "messages" else 4, " x")


def figures_in_process(report, bodies):
    rule_figures.call_figures(report, bench, {
        "%s, %s, %s" % (what, codec, size): "%s_%s.%s" % (name, letter, suffix)
        for what, name in (("validate", "validate"), ("repair of what is clean", "clean"))
        for letter, size in (("m", "200 KB"), ("l", "2 MB"))
        for suffix, codec in (("json", "JSON"), ("mp", "msgpack"))})
    rule_figures.area_figures(report, bench, {
        "200 KB": "body_m.json", "2 MB": "body_l.json", "tools everywhere": "dense.json"})
    rule_figures.fault_figures(report, bench, write_request)
    provider_figures.figures(report, bench, write_request)
    prepare_figures(report)
    tool_figures(report)
    seal_figures.write_requests(write_request, bodies)
    seal_figures.figures(report, bench)


def prepare_figures(report):
    """Every step, and none has anything to do: in processor time, without a socket."""
    for suffix, codec in (("json", "JSON"), ("mp", "msgpack")):
        us = {row["file"]: row["us"] for row in bench("bench_call", *(
            "%s_%s.%s" % (what, size, suffix) for what in ("validate", "prepare") for size in "ml"))}
        for size, label in (("m", "200 KB"), ("l", "2 MB")):
            ratio = us["prepare_%s.%s" % (size, suffix)] / us["validate_%s.%s" % (size, suffix)]
            report.line("in process: prepare with nothing to do, %s, %s" % (codec, label), ratio, 1.3, " x validate")


def tool_figures(report):
    """request_figures() in processor time, without a socket: the bar is for tools as agents have them."""
    for suffix, codec in (("json", "JSON"), ("mp", "msgpack")):
        us = {row["file"]: row["us"] for row in bench("bench_call", *("%s.%s" % (name, suffix) for name in (
            "history_m", *("body_with_%s_tools" % size for size in TOOLS))))}
        for size in TOOLS:
            ratio = us["body_with_%s_tools.%s" % (size, suffix)] / us["history_m.%s" % suffix]
            figure = "in process: validate, %s, 200 KB and 50 %s tools" % (codec, size)
            if size == "long":
                report.note(figure, "%.2f x its messages" % ratio)
            else:
                report.line(figure, ratio, 1.15, " x its messages")


def reading_figures(report):
    for row in bench("bench_read", *(size + ".json" for size in "sml")):
        size = "%d KB" % (row["bytes"] / 1000)
        us = {name: figure["us"] for name, figure in row.items() if isinstance(figure, dict)}
        report.line("reading JSON, %s (%.0f us, jansson %.0f us)" % (size, us["tk_json_read"], us["json_loadb"]),
                    us["json_loadb"] / us["tk_json_read"], 25, " x jansson", at_least=True)
        report.note("reading msgpack, %s" % size, "%.0f us, msgpack-c %.0f us, memcpy %.0f us" % (
            us["tk_msgpack_read"], us["msgpack_unpack_next"], us["memcpy"]))


def stream_figures(report):
    for row in bench("bench_stream"):
        if "turn" in row:
            figure = "stream, %s, %s, %s (%.1f M events/s)" % (
                row["turn"], row["codec"], row["emit"], row["events_s"] / 1e6)
            if (row["codec"], row["emit"]) == ("msgpack", "parts"):
                report.line(figure, row["mb_s"], 300, " MB/s", at_least=True)
            else:
                report.note(figure, "%.0f MB/s" % row["mb_s"])
        elif "growth" in row:
            report.line("stream, %s, %s: time per event, 10^5 to 10^3 (%.0f ns)" % (
                row["growth"], row["emit"], row["many_ns"]), row["ratio"], 1.3, " x")
        else:
            report.note("stream, time added to a live delta, %s, %s" % (row["live"], row["emit"]),
                        "p50 %.1f us, p99 %.1f us" % (row["p50_us"], row["p99_us"]))


def memory_figures(report):
    def beyond(row):
        return max(0, row["peak"] - 65536) / row["bytes"]

    files = ["%s_%s.%s" % (what, size, suffix) for size in "sml" for what in ("validate", "repair", "splice", "tools")
             for suffix in ("json", "mp")]
    worst = max(bench("bench_memory", *files), key=beyond)
    report.line("memory beyond the frame and 64 KB: corpora (%s)" % worst["file"], beyond(worst), 1, " x frame")
    files = ["%s%s_%d.json" % (prefix, name, LARGE) for name in SHAPES for prefix in ("", "repair_")]
    worst = max(bench("bench_memory", *files), key=beyond)
    report.line("memory beyond the frame and 64 KB: shapes (%s)" % worst["file"], beyond(worst), 3, " x frame")


def patch_figure(report, daemon, bodies):
    """The answer to one edit at the end, of a small and of a large history."""
    sizes = []
    for name in "sl":
        conn = RUNNER.Conn(daemon.socket, "json")
        reply = conn.call("repair", {"request": with_orphan(bodies[name])})
        sizes.append(len(json.dumps(reply["result"]["patch"])))
    # The index of a message may have more digits.
    report.line("size of a patch at the end, 2 MB to 18 KB (%d, %d bytes)" % tuple(sizes[::-1]),
                sizes[1] / sizes[0], 1.1, " x")


def idle_figures(report):
    with Daemon() as daemon:
        row, = bench("bench_socket", "idle", daemon.socket, "200", str(daemon.process.pid))
    report.line("idle daemon, PSS", row["idle_daemon_pss_kb"] / 1024, 8, " MB")
    report.line("idle connection, PSS", row["idle_connection_pss_kb"], 8, " KB")


def start_memcached(path, threads):
    server = subprocess.Popen(["memcached", "-u", "root", "-s", path, "-t", str(threads)])
    for _ in range(500):
        if os.path.exists(path):
            return server
        time.sleep(0.01)
    raise RuntimeError("memcached doesn't start")


def rate_figure(report):
    if not shutil.which("memcached"):
        return report.note("ping next to memcached's get", "memcached isn't installed")
    threads = os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="tk", dir="/tmp") as folder, Daemon("--workers", str(threads)) as daemon:
        path = os.path.join(folder, "m.sock")
        server = start_memcached(path, threads)
        try:
            rows = bench("bench_socket", "rate", "8", "ping=" + daemon.socket, "memcached=" + path)
        finally:
            server.kill()
            server.wait()
    rates = {row["target"]: row["requests_s"] for row in rows if "target" in row}
    report.line("ping, 8 connections (%.0f/s, memcached %.0f/s)" % (rates["ping"], rates["memcached"]),
                rates["ping"] / rates["memcached"], 0.6, " x memcached", at_least=True)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    bodies = corpora()
    write_requests(bodies)
    report = Report()
    reading_figures(report)
    figures_in_process(report, bodies)
    with Daemon() as daemon:
        socket_figures(report, daemon)
        request_figures(report, daemon)
        operation_figures(report, daemon)
        shape_figures(report, daemon)
        patch_figure(report, daemon, bodies)
    stream_figures(report)
    line_figures.figures(report, os.environ["TURNKEEPER"], FOLDER)
    wasm_figures.figures(report, bench, os.path.join(BUILD, "turnkeeper.wasm"), FOLDER)
    memory_figures(report)
    idle_figures(report)
    rate_figure(report)
    share_figures.figures(report)
    print("%d bars met, %d not" % (report.met, report.over))


if __name__ == "__main__":
    main()
