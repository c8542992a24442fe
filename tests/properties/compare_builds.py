#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the answers of two builds, byte for byte: for a change that must not change behaviour.

    compare_builds.py OLD NEW [--provider anthropic] [--count 100000] [--seed 1] [--sentences]

OLD and NEW are build folders. Both daemons get every conformance case of this tree, and `validate` and `repair` of drawn
histories of the provider (`tests/random/random_histories --print` of NEW), in JSON and in msgpack. Exits with 1 if an answer
differs and prints the first requests for which it does. `--sentences` leaves the members `text` and `message`, which are for
people, out of the comparison: for a change that rewords them.
"""
import argparse
import json
import os
import re
import socket
import struct
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [TESTS, os.path.join(TESTS, "conformance")]
import daemon  # noqa: E402
import run_cases  # noqa: E402

RETURNS = ("patch", "messages")
BATCH = 200  # requests that are on their way at once
SHOWN = 5
DECODER = json.JSONDecoder()
GUARD = re.compile(rb'"guard":(?:true|false),')
SAID = ("text", "message", "provider_error")
RUNNER = run_cases.load_runner()
SENTENCE = re.compile(rb'"(?:text|message|provider_error)":"(?:[^"\\]|\\.)*"')


def unsaid(value):
    """A value without the members that are for people."""
    if isinstance(value, dict):
        return {key: unsaid(member) for key, member in value.items() if key not in SAID}
    return [unsaid(item) for item in value] if isinstance(value, list) else value


class Side:
    """One build's daemon and a connection to it."""

    def __init__(self, build):
        daemon.PROGRAM = os.path.join(build, "turnkeeperd")
        self.daemon = daemon.Daemon(config=json.dumps({"request_timeout": 60}))
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(self.daemon.socket)
        self.stream = self.socket.makefile("rb", 1 << 20)

    def ask(self, payloads):
        """Sends them from a thread: the daemon stops reading while answers wait to be read."""
        frames = b"".join(struct.pack(">I", len(p)) + p for p in payloads)
        threading.Thread(target=self.socket.sendall, args=(frames,), daemon=True).start()

    def answers(self, count):
        for _ in range(count):
            yield self.stream.read(struct.unpack(">I", self.stream.read(4))[0])

    def stop(self):
        self.stream.close()
        self.socket.close()
        self.daemon.stop()


class Comparison:
    def __init__(self, old, new, sentences):
        self.sides = (Side(old), Side(new))
        self.sentences = sentences
        self.asked = self.different = 0
        self.waiting = []

    def add(self, payload):
        self.waiting.append(payload)
        if len(self.waiting) >= BATCH:
            self.flush()

    def flush(self):
        payloads, self.waiting = self.waiting, []
        for side in self.sides:
            side.ask(payloads)
        for payload, old, new in zip(payloads, *(s.answers(len(payloads)) for s in self.sides)):
            self.asked += 1
            if self.spelled(old) != self.spelled(new):
                self.show(payload, old, new)

    def spelled(self, answer):
        """The answer without its sentences, if those are left out; msgpack by value, then."""
        if not self.sentences:
            return answer
        return SENTENCE.sub(b'""', answer) if answer[:1] == b"{" else unsaid(RUNNER.mp_dec(answer)[0])

    def show(self, payload, old, new):
        self.different += 1
        if self.different <= SHOWN:
            print("# %r\n#   old: %r\n#   new: %r" % (payload[:2000], old[:2000], new[:2000]))

    def stop(self):
        for side in self.sides:
            side.stop()


def envelope(method, params):
    """A request in JSON; params as bytes, so that their spelling stays."""
    return b'{"id":1,"method":"%s","params":%s}' % (method.encode(), params)


def conformance_requests(runner):
    """Every step of every case, in both codecs."""
    for _, case in run_cases.cases():
        if "__raw_messages__" in json.dumps(case):
            continue
        for step in case.get("steps", [case]):
            request = {"id": 1, "method": step["method"], "params": runner.grown(step.get("params", {}))}
            yield json.dumps(request, ensure_ascii=False).encode("utf-8", "surrogatepass")
            yield runner.mp_enc(request)


def drawn(given):
    """The cases of the history grammar, as bytes."""
    program = os.path.join(given.new, "tests", "random", "random_histories")
    command = [program, "--print", "--provider", given.provider, "--count", str(given.count), "--seed", str(given.seed),
               "--start", str(given.start)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        rest = b""
        while chunk := process.stdout.read(1 << 20):
            *whole, rest = (rest + chunk).split(b"\0")
            yield from whole


def history_requests(runner, case):
    """validate, and repair in each form, in JSON; validate and the patch in msgpack, too."""
    text = case.decode()
    begin = text.index("{", 1)
    value, end = DECODER.raw_decode(text, begin)
    params = text[begin:end].encode()
    plain = GUARD.sub(b"", params, 1)
    yield envelope("validate", plain)
    for form in RETURNS:
        yield envelope("repair", b'{"return":"%s",%s' % (form.encode(), params[1:]))
    yield runner.mp_enc({"id": 1, "method": "repair", "params": value})


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("old")
    options.add_argument("new")
    options.add_argument("--provider", default="anthropic")
    options.add_argument("--count", type=int, default=100000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--start", type=int, default=0)
    options.add_argument("--sentences", action="store_true")
    given = options.parse_args()
    runner = RUNNER
    comparison = Comparison(given.old, given.new, given.sentences)
    try:
        for payload in conformance_requests(runner):
            comparison.add(payload)
        comparison.flush()
        print("%d requests of the conformance cases: %d answers differ" % (comparison.asked, comparison.different))
        for case in drawn(given):
            for payload in history_requests(runner, case):
                comparison.add(payload)
        comparison.flush()
    finally:
        comparison.stop()
    print("%d requests in all: %d answers differ" % (comparison.asked, comparison.different))
    return comparison.different > 0


if __name__ == "__main__":
    sys.exit(main())
