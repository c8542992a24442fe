#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""turnkeeper stream with streams of all providers in all framings: what leaves, --message, --turn, exit statuses, as
the conformance cases say; live; the same however the bytes are cut, and through a daemon.

Run through tests/tap.py, or with unittest; test_cli_stream.py says what it needs.
"""
import base64
import json
import os
import subprocess
import unittest

from test_cli_stream import (AGAIN, DONE, FAILED, HAS_DAEMON, PROGRAM, TIMEOUT, TOP, Case, Daemon, Folder, Live,
                             environment, lines, run, run_cases)

RUNNER = run_cases.load_runner()
FOLDERS = [folder for folder in run_cases.FOLDERS if folder.startswith("stream_")]
# Parameters of stream.open that the command line program has options for. Cases with others are left out.
OPTIONS = ("emit", "provider", "wire")


def bytes_of(member):
    return base64.b64decode(member["data_base64"]) if "data_base64" in member else member.get("data", "").encode()


class Stream:
    """A case that opens one stream, feeds it with bytes and ends it."""

    def __init__(self, case):
        first, *feeds, last = case["steps"]
        self.name = case["name"]
        self.emit = first["params"].get("emit", "parts")
        self.options = [word for key in OPTIONS if key in first["params"] for word in ("--" + key, first["params"][key])]
        if self.emit == "parts" and "--emit" not in self.options:
            self.options += ["--emit", "parts"]
        self.provider = first["params"].get("provider", "anthropic")
        self.bytes = b"".join(bytes_of(step["params"]) for step in feeds)
        self.result = last["expect"].get("result", {})
        self.outputs = last["expect"].get("outputs")


def is_told(case):
    steps = case.get("steps", [])
    methods = [step["method"] for step in steps]
    return (methods == ["stream.open"] + ["stream.feed"] * (len(steps) - 2) + ["stream.end"] and len(steps) > 2
            and set(steps[0]["params"]) <= {"stream", *OPTIONS} and not steps[-1]["params"].get("transport_error")
            and all(set(step["params"]) <= {"stream", "data", "data_base64"} for step in steps[1:-1])
            and not any("error" in step["expect"] for step in steps))


STREAMS = {case["name"]: Stream(case) for folder in FOLDERS for case in run_cases.read(folder) if is_told(case)}
# One stream of each provider and framing, with text: as the provider sends it, and the bytes after the first text.
TEXTS = {"stream-chat-text": b"Hel", "stream-responses-text": b"Hel", "stream-gemini-text": b"Hel",
         "stream-gemini-json-array": None, "stream-bedrock-text": b"Hel", "stream-anthropic-frames-text": None}


def framing(stream):
    """The options that say whose stream it is, without the form of the output."""
    at = stream.options.index("--emit")
    return stream.options[:at] + stream.options[at + 2:]


def end_of_frame(stream, at):
    """Where the frame ends that has the byte `at`."""
    if "bedrock" not in stream.options:
        return stream.bytes.index(b"\n\n", at) + 2
    end = 0
    while end <= at:
        end += int.from_bytes(stream.bytes[end:end + 4], "big")
    return end


class Files(Case):
    def setUp(self):
        super().setUp()
        self.stored = os.path.join(self.folder, "stored.json")

    def written(self, path):
        """The value of a file that the program wrote, which goes; None if there is none."""
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as f:
            value = json.load(f)
        os.unlink(path)
        return value

    def files(self, stream):
        """--message and, of a provider that has one, --turn."""
        return ["--message", self.turn] + (["--turn", self.stored] if stream.provider != "anthropic" else [])


class Conformance(Files):
    def assertLeft(self, stream, stdout):
        if stream.outputs is None:
            return
        if stream.emit in ("parts", "events"):
            got = lines(stdout)
            if stream.emit == "events":  # their lines are the events alone
                got = [o["event"] if set(o) == {"type", "event"} else o for o in got]
            self.assertEqual(RUNNER.match_outputs(stream.outputs, got), [])
        elif {"...": True} not in stream.outputs:
            self.assertEqual(stdout, b"".join(map(bytes_of, stream.outputs)))

    def assertEnded(self, stream, done):
        failed = stream.result["state"] == "failed"
        wanted = (AGAIN if stream.result["error"].get("retryable") else FAILED) if failed else DONE
        self.assertStatus(done, wanted)
        if failed:
            self.assertIn(", ".join(stream.result["error"].get("kinds", [])).encode(), done.stderr)
        message, turn = self.written(self.turn), self.written(self.stored)
        if "turn" in stream.result and stream.provider != "anthropic":
            self.assertEqual(RUNNER.subset(stream.result["turn"], turn, "turn"), [])
        if failed:
            self.assertIsNone(message)
        elif "message" in stream.result:
            self.assertEqual(message, stream.result["message"] or turn["entries"])
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_leaves_and_is_written_is_what_the_cases_say(self):
        for stream in STREAMS.values():
            with self.subTest(case=stream.name):
                done = run(*stream.options, *self.files(stream), stdin=stream.bytes)
                self.assertLeft(stream, done.stdout)
                if "state" in stream.result:
                    self.assertEnded(stream, done)

    def test_every_provider_and_framing_is_there(self):
        self.assertEqual({stream.provider for stream in STREAMS.values()},
                         {"anthropic", "bedrock", "gemini", "openai-chat", "openai-responses"})
        self.assertGreater(len(STREAMS), 100)


class Forms(Files):
    def test_the_default_is_the_framing_of_the_input(self):
        for name in TEXTS:
            stream = STREAMS[name]
            with self.subTest(case=name):
                done = run(*framing(stream), stdin=stream.bytes)
                self.assertStatus(done, DONE)
                self.assertEqual(done.stdout, run(*framing(stream), "--emit", "wire", stdin=stream.bytes).stdout)
                again = run(*framing(stream), stdin=done.stdout)
                self.assertStatus(again, DONE)
                self.assertEqual(again.stdout, done.stdout)

    def test_any_cut_gives_the_same(self):
        for name in TEXTS:
            stream = STREAMS[name]
            for emit in ("wire", "parts"):
                options = [*framing(stream), "--emit", emit]
                with self.subTest(case=name, emit=emit), Live(*options) as live:
                    for at in range(len(stream.bytes)):
                        live.write(stream.bytes[at:at + 1])
                        live.read(0)
                    self.assertEqual(live.finish(), DONE)
                    self.assertEqual(live.out, run(*options, stdin=stream.bytes).stdout)

    def test_text_leaves_before_the_rest_is_written(self):
        for name, text in TEXTS.items():
            stream = STREAMS[name]
            if not text:
                continue
            cut = end_of_frame(stream, stream.bytes.index(text))
            with self.subTest(case=name), Live(*framing(stream)) as live:
                live.write(stream.bytes[:cut])
                self.assertTrue(live.wait_for(text))
                live.write(stream.bytes[cut:])
                self.assertEqual(live.finish(), DONE)

    def test_a_search_waits_for_its_result(self):
        stream = STREAMS["stream-responses-web-search-events"]
        result = stream.bytes.index(b"response.output_item.done")
        with Live(*framing(stream)) as live:
            live.write(stream.bytes[:result])
            self.assertTrue(live.wait_for(b"response.created"))
            live.write(stream.bytes[result:])
            self.assertEqual(live.finish(), DONE)
        before = run(*framing(stream), stdin=stream.bytes[:result])
        self.assertStatus(before, AGAIN)
        self.assertNotIn(b"web_search_call", before.stdout.split(b"event: error")[0])


class Turns(Files):
    def test_the_turn_of_a_stream_that_broke(self):
        stream = STREAMS["stream-chat-text"]
        cut = stream.bytes.index(b"\n\n", stream.bytes.index(b"Hel")) + 2
        done = run("--provider", "openai-chat", *self.files(stream), stdin=stream.bytes[:cut])
        self.assertFailed(done, AGAIN, "truncated_stream")
        self.assertIsNone(self.written(self.turn))
        turn = self.written(self.stored)
        self.assertEqual([entry["content"] for entry in turn["entries"]], ["Hel"])
        self.assertFalse(turn["complete"])

    def test_the_turn_of_input_that_can_t_be_read(self):
        with Folder(TOP) as folder:
            done = subprocess.run([PROGRAM, "stream", "--provider", "gemini", "--turn", self.stored], stdin=folder.fd,
                                  capture_output=True, timeout=TIMEOUT, env=environment())
        self.assertFailed(done, AGAIN, "transport_error")
        self.assertEqual(self.written(self.stored)["entries"], [])

    def test_items_and_nothing_at_all_are_lists(self):
        stream = STREAMS["stream-responses-text"]
        done = run("--provider", "openai-responses", "--message", self.turn, stdin=stream.bytes)
        self.assertStatus(done, DONE)
        self.assertEqual([item["type"] for item in self.written(self.turn)], ["message"])
        nothing = b'data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n'
        self.assertStatus(run("--provider", "gemini", "--message", self.turn, stdin=nothing), DONE)
        self.assertEqual(self.written(self.turn), [])

    def test_a_turn_file_stays_if_the_stream_isn_t_opened(self):
        path = self.file("old", "stored.json")
        done = run("--provider", "gemini", "--wire", "eventstream", "--turn", path, stdin=b"x")
        self.assertStatus(done, 2)
        self.assertEqual(self.written(path), "old")
        self.assertEqual(os.listdir(self.folder), [])


@unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
class ThroughADaemon(Files):
    def test_the_same_as_embedded(self):
        daemon = Daemon()
        self.addCleanup(daemon.stop)
        for name in TEXTS:
            stream = STREAMS[name]
            for data in (stream.bytes, stream.bytes[:len(stream.bytes) // 2], b""):
                seen = []
                for more in ((), ("--socket", daemon.socket)):
                    done = run(*framing(stream), *self.files(stream), *more, stdin=data)
                    seen.append((done.returncode, done.stdout, done.stderr, self.written(self.turn),
                                 self.written(self.stored)))
                with self.subTest(case=name, bytes=len(data)):
                    self.assertEqual(seen[1], seen[0])


if __name__ == "__main__":
    unittest.main()
