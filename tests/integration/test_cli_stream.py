#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""turnkeeper stream as a pipe between a provider and whoever reads: live, whole or not at all, exit statuses.
test_cli_stream_providers.py has what the providers differ in.

Run through tests/tap.py, or with unittest. $TURNKEEPER is the program; with $TURNKEEPERD everything is
run through a daemon as well.
"""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOP = os.environ.get("top_srcdir", ".")
sys.path[:0] = [os.path.join(TOP, "tests"), os.path.join(TOP, "tests", "conformance")]
import run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

PROGRAM = os.environ.get("TURNKEEPER", "turnkeeper")
HAS_DAEMON = shutil.which(os.environ.get("TURNKEEPERD", "turnkeeperd")) is not None
TIMEOUT = 120
SILENCE = 0.3  # seconds in which nothing may come

DONE, FAILED, USAGE, AGAIN = 0, 1, 2, 75


def content(*path):
    with open(os.path.join(TOP, "tests", *path), "rb") as f:
        return f.read()


SEARCH = content("streams", "web-search.sse")
CUT = content("streams", "web-search-cut.sse")


def frames(sse):
    return [frame + b"\n\n" for frame in sse.split(b"\n\n") if frame]


def sse(*events):
    return b"".join(b"event: %s\ndata: %s\n\n" % (e["type"].encode(), json.dumps(e).encode()) for e in events)


def events_of(bytes_of_sse):
    return [json.loads(row[6:]) for row in bytes_of_sse.splitlines() if row.startswith(b"data: ")]


def lines(stdout):
    return [json.loads(row) for row in stdout.splitlines()]


START = {"type": "message_start", "message": {
    "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
    "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}}
STOP = [{"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
         "usage": {"output_tokens": 5}}, {"type": "message_stop"}]
CALL = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}}
RESULT = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
HISTORY = [{"role": "user", "content": "q"}, {"role": "assistant", "content": [CALL]}]


def block(index, value):
    return [{"type": "content_block_start", "index": index, "content_block": value},
            {"type": "content_block_stop", "index": index}]


def text(index, *pieces):
    begin, end = block(index, {"type": "text", "text": ""})
    return [begin, *({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": p}}
                     for p in pieces), end]


ORPHAN = sse(START, *text(0, "a"), *block(1, RESULT), *STOP)
PROVIDER_ERROR = {"type": "error", "error": {"type": "overloaded_error", "message": "Over\u001b[2Jloaded"}}


def environment():
    return {k: v for k, v in os.environ.items() if k != "TURNKEEPER_SOCKET"}


def run(*args, stdin=b"", **options):
    return subprocess.run([PROGRAM, "stream", *map(str, args)], input=stdin, capture_output=True,
                          timeout=TIMEOUT, env=environment(), **options)


class Live:
    """The program between two pipes."""

    def __init__(self, *args, **options):
        self.process = subprocess.Popen([PROGRAM, "stream", *map(str, args)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                                        bufsize=0, **options)
        self.out = b""

    def write(self, piece):
        self.process.stdin.write(piece)

    def read(self, seconds):
        """Appends what comes next to `out`; False where nothing does."""
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        piece = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
        self.out += piece
        return bool(piece)

    def wait_for(self, what):
        end = time.monotonic() + TIMEOUT
        while what not in self.out and time.monotonic() < end:
            if not self.read(1) and self.process.poll() is not None:
                break
        return what in self.out

    def finish(self):
        """Ends the input; the exit status."""
        self.process.stdin.close()
        while self.read(TIMEOUT):
            pass
        return self.process.wait(TIMEOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


class Case(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.turn = os.path.join(self.folder, "turn.json")

    def file(self, value, name="history.json"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            json.dump(value, f)
        return path

    def message(self):
        with open(self.turn, encoding="utf-8") as f:
            return json.load(f)

    def assertStatus(self, done, status):
        self.assertEqual(done.returncode, status, done.stderr.decode(errors="replace"))

    def assertFailed(self, done, status, says):
        self.assertStatus(done, status)
        self.assertEqual(done.stderr.count(b"\n"), 1)
        self.assertTrue(done.stderr.startswith(b"turnkeeper: stream failed"), done.stderr)
        self.assertEqual(b", retryable: " in done.stderr, status == AGAIN)
        self.assertIn(says.encode(), done.stderr)


# ---- what leaves ----


class Forms(Case):
    def test_the_framing_of_the_input_is_the_default_and_a_stream_again(self):
        done = run(stdin=SEARCH)
        self.assertStatus(done, DONE)
        self.assertEqual(done.stderr, b"")
        for emit in ("wire", "sse"):
            self.assertEqual(done.stdout, run("--emit", emit, stdin=SEARCH).stdout)
        again = run(stdin=done.stdout)
        self.assertStatus(again, DONE)
        self.assertEqual(again.stdout, done.stdout)

    def test_nothing_but_the_call_s_input_is_changed(self):
        came = [e for e in events_of(SEARCH) if e.get("delta", {}).get("type") != "input_json_delta"]
        for event in came:
            if event.get("content_block", {}).get("type") == "server_tool_use":
                event["content_block"]["input"] = {"query": "EUR CHF exchange rate today"}
        went = events_of(run(stdin=SEARCH).stdout)
        ping = {"type": "ping"}
        self.assertEqual([e for e in went if e != ping], [e for e in came if e != ping])

    def test_provider_input(self):
        self.assertEqual(run("--provider-input", "whole", stdin=SEARCH).stdout, run(stdin=SEARCH).stdout)
        done = run("--provider-input", "deltas", stdin=SEARCH)
        self.assertEqual(sorted(map(str, events_of(done.stdout))), sorted(map(str, events_of(SEARCH))))

    def test_events_are_the_same_as_lines(self):
        done = run("--emit", "events", stdin=SEARCH)
        self.assertStatus(done, DONE)
        self.assertEqual(lines(done.stdout), events_of(run(stdin=SEARCH).stdout))

    def test_parts(self):
        done = run("--emit", "parts", stdin=SEARCH)
        self.assertStatus(done, DONE)
        parts = lines(done.stdout)
        self.assertEqual([p["type"] for p in parts if p["type"].startswith(("tool", "source", "finish"))],
                         ["source", "source", "tool_input_start", "tool_input_end", "tool_call", "tool_result",
                          "finish"])
        self.assertEqual(parts[-1]["usage"]["output_tokens"], 181)

    def test_what_stands_behind_the_end_is_read_and_dropped(self):
        with Live() as live:
            live.write(SEARCH)
            self.assertTrue(live.wait_for(b'"type":"message_stop"'))
            time.sleep(SILENCE)
            live.write(b"data: [DONE]\n\n")
            self.assertEqual(live.finish(), DONE)
            self.assertEqual(live.out, run(stdin=SEARCH).stdout)


class Cuts(Case):
    def test_any_cut_gives_the_same(self):
        whole = run("--emit", "parts", stdin=SEARCH).stdout
        for size in (1, 7, 64):  # the titles have characters of three bytes
            with self.subTest(size=size), Live("--emit", "parts", "--message", self.turn) as live:
                for at in range(0, len(SEARCH), size):
                    live.write(SEARCH[at:at + size])
                    live.read(0)
                self.assertEqual(live.finish(), DONE)
                self.assertEqual(live.out, whole)

    def test_text_leaves_before_the_next_piece_is_written(self):
        for emit in ("wire", "sse", "events", "parts"):
            with self.subTest(emit=emit), Live("--emit", emit) as live:
                live.write(sse(START, *text(0, "first")[:2]))
                self.assertTrue(live.wait_for(b'"first"'))
                live.write(sse(*text(0, "second")[1:]))
                self.assertTrue(live.wait_for(b'"second"'))
                live.write(sse(*STOP))
                self.assertEqual(live.finish(), DONE)

    def test_a_call_waits_for_its_result(self):
        for emit in ("sse", "events", "parts"):
            with self.subTest(emit=emit), Live("--emit", emit) as live:
                call, result = sse(*block(0, CALL)), sse(*block(1, RESULT))
                live.write(sse(START))
                if emit != "parts":
                    self.assertTrue(live.wait_for(b"message_start"))
                live.write(call + result[:-1])
                self.assertFalse(live.read(SILENCE), live.out)
                live.write(result[-1:])
                self.assertTrue(live.wait_for(b"web_search_tool_result"))
                self.assertIn(b"srvtoolu_1", live.out)
                live.write(sse(*STOP))
                self.assertEqual(live.finish(), DONE)


# ---- how it ends ----


class Ends(Case):
    def test_failed(self):
        done = run("--message", self.turn, stdin=ORPHAN)
        self.assertFailed(done, FAILED, 'orphan_result: ')
        self.assertIn(b'id="srvtoolu_1"', done.stderr)
        went = events_of(done.stdout)
        self.assertEqual([went[-1]["type"], went[-1]["error"]["type"]], ["error", "invalid_request_error"])
        self.assertNotIn(b"web_search_tool_result", done.stdout)
        self.assertEqual(os.listdir(self.folder), [])

    def test_failed_but_retryable(self):
        for emit in ("sse", "events", "parts"):
            done = run("--emit", emit, "--message", self.turn, stdin=CUT)
            self.assertFailed(done, AGAIN, 'incomplete_operation, truncated_stream: ')
            self.assertIn(b'ids=["srvtoolu_01WYG3ziw53XMcoyKL4XcZmE"]', done.stderr)
            last = events_of(done.stdout)[-1] if emit == "sse" else lines(done.stdout)[-1]
            self.assertEqual(last["type"], "error")
            self.assertNotIn(b"server_tool_use", done.stdout)
            self.assertNotIn(b"EUR CHF", done.stdout)
            self.assertEqual(os.listdir(self.folder), [])

    def test_the_provider_s_error(self):
        done = run(stdin=sse(START, *text(0, "a"), PROVIDER_ERROR))
        self.assertFailed(done, AGAIN, 'provider_error: ')
        self.assertIn(b'error_type="overloaded_error"', done.stderr)
        self.assertNotIn(b"\x1b", done.stderr)
        self.assertEqual(events_of(done.stdout)[-1], PROVIDER_ERROR)

    def test_nothing_at_all(self):
        self.assertFailed(run(), AGAIN, "truncated_stream")

    def test_input_that_can_t_be_read(self):
        with Folder(TOP) as folder:
            done = subprocess.run([PROGRAM, "stream"], stdin=folder.fd, capture_output=True, timeout=TIMEOUT,
                                  env=environment())
        self.assertFailed(done, AGAIN, "transport_error")
        self.assertIn(b"input could not be read: ", done.stderr)

    def test_a_failed_stream_isn_t_read_on(self):
        with Live() as live:
            live.write(ORPHAN)
            self.assertEqual(live.process.wait(TIMEOUT), FAILED)  # the input is still open

    def test_usage(self):
        missing = os.path.join(self.folder, "missing", "file")
        for args, says in [
                (("--emit", "xml"), "--emit: "),
                (("--provider-input", "half"), "--provider-input: "),
                (("--policy", "harsh"), "--policy: "),
                (("--policy", "{"), "--policy: "),
                (("--provider", "nobody"), "--provider: "),
                (("--json",), "stream has no option --json"),
                (("--dialect", "fantasy"), "stream has no option --dialect"),
                (("--message", "-"), "--message needs a file"),
                (("--provider", "bedrock", "--turn", "-"), "--turn needs a file"),
                (("--turn", self.turn), "--turn: this provider's streams have none"),
                (("--wire", "json"), "--wire: this provider has no such framing"),
                (("--provider", "bedrock", "--emit", "sse"), "--emit: sse needs the framing sse"),
                (("--provider", "bedrock", "--provider-input", "deltas"), "--provider-input: "),
                (("--provider", "xai-responses"), "--provider: stream doesn't serve xai-responses"),
                (("--message", missing), missing),
                (("--history", missing), missing),
                (("--history", self.file({"model": "m"}, "1.json")), "neither a list of messages nor a request body"),
                (("--history", self.file({"messages": "x"}, "2.json")), "--history: "),
                (("--history", self.file(["x"], "3.json")), "--history/0: "),
                (("file",), "unexpected argument"),
                (("--socket", missing), missing),
        ]:
            with self.subTest(args=args):
                done = run(*args, stdin=SEARCH)
                self.assertStatus(done, USAGE)
                self.assertEqual(done.stdout, b"")
                self.assertIn(says.encode(), done.stderr)

    def test_a_reader_that_goes_away(self):
        for pieces in (SEARCH[:200], CUT):  # while nothing is written; before more is
            with Live("--message", self.turn) as live:
                live.write(pieces)
                self.assertTrue(live.wait_for(b"message_start") if pieces is CUT else True)
                live.process.stdout.close()
                self.assertEqual(live.process.wait(TIMEOUT), -signal.SIGPIPE)
                self.assertEqual(live.process.stderr.read(), b"")
            self.assertEqual(os.listdir(self.folder), [])

    def test_a_reader_that_goes_away_while_sigpipe_is_ignored(self):
        with Live(restore_signals=False) as live:
            live.write(SEARCH[:200])
            live.process.stdout.close()
            self.assertEqual(live.process.wait(TIMEOUT), USAGE)
            self.assertIn(b"cannot write to stdout: Broken pipe", live.process.stderr.read())

    def test_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "stream"], input=SEARCH, stdout=full, stderr=subprocess.PIPE,
                                  timeout=TIMEOUT, env=environment())
        self.assertStatus(done, USAGE)
        self.assertIn(b"cannot write to stdout: ", done.stderr)


class Folder:
    """A descriptor that can't be read."""

    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.fd)


# ---- history and message ----


class Turns(Case):
    ANSWER = sse(START, *block(0, RESULT), *text(1, "a"), *STOP)

    def test_history_carries_a_call(self):
        self.assertFailed(run(stdin=self.ANSWER), FAILED, "orphan_result")
        for history in (HISTORY, {"model": "m", "messages": HISTORY, "max_tokens": 1}):
            done = run("--history", self.file(history, "[h].json"), "--message", self.turn, stdin=self.ANSWER)
            self.assertStatus(done, DONE)
            self.assertEqual(self.message()["content"], [RESULT, {"type": "text", "text": "a"}])

    def test_history_holds_ids(self):
        history = HISTORY + [{"role": "user", "content": "and?"}]
        done = run("--history", self.file(history), stdin=sse(START, *block(0, CALL), *block(1, RESULT), *STOP))
        self.assertFailed(done, FAILED, "duplicate_operation")

    def test_policy(self):
        new = sse(START, *block(0, dict(CALL, name="new")), *block(1, dict(RESULT, type="new_tool_result")), *STOP)
        self.assertStatus(run(stdin=new), DONE)
        self.assertFailed(run("--policy", '{"unknown_tools":"error"}', stdin=new), FAILED, "unknown_tool")

    def test_message_replaces_a_file_only_when_done(self):
        self.file("old", "turn.json")
        os.chmod(self.turn, 0o600)
        self.assertStatus(run("--message", self.turn, stdin=CUT), AGAIN)
        self.assertEqual(self.message(), "old")
        self.assertStatus(run("--message", self.turn, stdin=SEARCH), DONE)
        self.assertEqual([b["type"] for b in self.message()["content"]],
                         ["thinking", "text", "server_tool_use", "web_search_tool_result", "text", "text", "text"])
        self.assertEqual(os.stat(self.turn).st_mode & 0o777, 0o600)
        self.assertEqual(os.listdir(self.folder), ["turn.json"])

    def test_message_is_there_before_the_input_ends(self):
        with Live("--message", self.turn) as live:
            live.write(SEARCH)
            end = time.monotonic() + TIMEOUT
            while not os.path.exists(self.turn) and time.monotonic() < end:
                time.sleep(0.01)
            self.assertEqual(self.message()["role"], "assistant")
            self.assertEqual(live.finish(), DONE)

    def test_message_and_history_are_valid(self):
        question = [{"role": "user", "content": "What is the rate?"}]
        self.assertStatus(run("--history", self.file(question), "--message", self.turn, stdin=SEARCH), DONE)
        path = self.file(question + [self.message()], "next.json")
        done = subprocess.run([PROGRAM, "validate", path], capture_output=True, timeout=TIMEOUT)
        self.assertStatus(done, DONE)


# ---- the conformance cases ----


def cases_of_bytes():
    """Cases whose one stream is opened by parameters that are options, fed with bytes, and ended."""
    for case in run_cases.read("stream"):
        steps = case.get("steps", [])
        methods = [s["method"] for s in steps]
        if not steps or methods != ["stream.open"] + ["stream.feed"] * (len(steps) - 2) + ["stream.end"]:
            continue
        first, feeds, last = steps[0]["params"], [s["params"] for s in steps[1:-1]], steps[-1]["params"]
        if (set(first) <= {"stream", "emit", "provider_input", "history", "policy"} and not last.get("transport_error")
                and all("data" in f or "data_base64" in f for f in feeds)
                and not any("error" in s["expect"] for s in steps)):
            pieces = [f["data"].encode("utf-8") if "data" in f else base64.b64decode(f["data_base64"]) for f in feeds]
            yield case["name"], first, b"".join(pieces), steps[-1]["expect"]


class Conformance(Case):
    def options(self, params):
        given = ["--emit", params.get("emit", "parts")]
        if "provider_input" in params:
            given += ["--provider-input", params["provider_input"]]
        if "policy" in params:
            given += ["--policy", json.dumps(params["policy"]) if isinstance(params["policy"], dict)
                      else params["policy"]]
        if "history" in params:
            given += ["--history", self.file(params["history"])]
        return given

    def test_message_and_status_are_those_of_the_cases(self):
        seen = 0
        for name, params, data, expect in cases_of_bytes():
            result = expect.get("result", {})
            if "state" not in result:
                continue
            seen += 1
            with self.subTest(case=name):
                done = run(*self.options(params), "--message", self.turn, stdin=data)
                failed = result["state"] == "failed"
                wanted = (AGAIN if result["error"].get("retryable") else FAILED) if failed else DONE
                self.assertStatus(done, wanted)
                if failed:
                    self.assertIn(", ".join(result["error"].get("kinds", [])).encode(), done.stderr)
                    self.assertFalse(os.path.exists(self.turn))
                elif result.get("message"):
                    self.assertEqual(self.message(), result["message"])
                if os.path.exists(self.turn):
                    os.unlink(self.turn)
        self.assertGreater(seen, 30)


# ---- through a daemon ----


@unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
class ThroughADaemon(Case):
    def setUp(self):
        super().setUp()
        self.daemon = Daemon()
        self.addCleanup(self.daemon.stop)

    def test_the_same_as_embedded(self):
        history = self.file(HISTORY)
        for stdin in (SEARCH, CUT, ORPHAN, Turns.ANSWER, b"", SEARCH[:-1], b"event: x\n\ndata: \xff\n\n"):
            for args in (("--emit", "sse"), ("--emit", "events"), ("--emit", "parts"), ("--history", history),
                         ("--emit", "xml"), ("--history", self.file([1], "odd.json"))):
                with self.subTest(args=args, stdin=stdin[-40:]):
                    here, there = (run(*args, *more, stdin=stdin) for more in ((), ("--socket", self.daemon.socket)))
                    self.assertEqual((there.returncode, there.stdout, there.stderr),
                                     (here.returncode, here.stdout, here.stderr))

    def test_live(self):
        with Live("--socket", self.daemon.socket, "--message", self.turn) as live:
            for frame in frames(SEARCH):
                live.write(frame)
                live.read(0)
            self.assertEqual(live.finish(), DONE)
            self.assertEqual(live.out, run(stdin=SEARCH).stdout)
        self.assertEqual(self.message()["role"], "assistant")

    def test_a_daemon_that_dies(self):
        with Live("--socket", self.daemon.socket, "--message", self.turn) as live:
            live.write(sse(START))
            self.assertTrue(live.wait_for(b"message_start"))
            self.daemon.process.kill()
            self.daemon.process.wait()
            live.write(sse(*text(0, "a")))
            self.assertEqual(live.process.wait(TIMEOUT), USAGE)
            self.assertIn(b"no answer: ", live.process.stderr.read())
        self.assertFalse(os.path.exists(self.turn))

    def test_another_daemon_isn_t_asked_to_go_on(self):
        """A stream lives on its connection; the answer of a new connection isn't tested here."""
        with Live("--socket", self.daemon.socket) as live:
            live.write(sse(START))
            self.assertTrue(live.wait_for(b"message_start"))
            self.daemon.process.kill()
            self.daemon.process.wait()
            config = os.path.join(self.daemon.folder, "config.json")
            self.daemon.process = subprocess.Popen(
                [os.environ["TURNKEEPERD"], "--socket", self.daemon.socket, "--config", config],
                stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.daemon.wait_until_it_listens()
            live.write(sse(*text(0, "a")))
            self.assertEqual(live.process.wait(TIMEOUT), USAGE)
            says = live.process.stderr.read()
            self.assertNotIn(b"stream_not_found", says)
            self.assertIn(b"no answer: ", says)


if __name__ == "__main__":
    unittest.main()
