#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The module answers every request of the conformance cases as the native library does, byte for byte.

The runner of the cases speaks to the native library instead of a daemon; it also sends what the laws of repair need.
Each request then goes to the module under Node, too, in JSON and in msgpack. The few that are larger than LARGE go in
JSON only, since copying them takes most of the time.
"""
import os
import struct
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "conformance")]
import catalogue_examples  # noqa: E402
import native  # noqa: E402
import near_misses  # noqa: E402
import node  # noqa: E402
import run_cases  # noqa: E402

node.need()

CODECS = ("json", "msgpack")
LARGE = 1 << 20  # bytes


class Both:
    """The native library and the module, which get the same requests. It keeps the answers that differ."""

    def __init__(self):
        self.core = native.Core()
        self.module = subprocess.Popen([node.NODE, os.path.join(HERE, "answer_requests.mjs"), node.MODULE],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count, self.differ = 0, []

    def new_session(self):
        self.core.new_session()
        self.send(b"")

    def send(self, request):
        self.module.stdin.write(struct.pack(">I", len(request)) + request)
        self.module.stdin.flush()

    def call(self, request):
        answer = self.core.call(request)
        if len(request) <= LARGE or request[:1] == b"{":
            self.send(request)
            size, = struct.unpack(">I", self.module.stdout.read(4))
            got = self.module.stdout.read(size)
            self.count += 1
            if got != answer and len(self.differ) < 3:
                self.differ.append((request[:2000], answer[:2000], got[:2000]))
        return answer

    def close(self):
        """Returns the exit code of the program that runs the module."""
        self.module.stdin.close()
        self.module.stdout.close()
        self.core.close()
        return self.module.wait(node.SECONDS)


class Socket:
    """As much of a socket as the runner uses."""

    def __init__(self, both):
        self.both, self.received = both, b""
        both.new_session()

    def sendall(self, frame):
        answer = self.both.call(frame[4:])
        self.received += struct.pack(">I", len(answer)) + answer

    def recv(self, size):
        data, self.received = self.received[:size], self.received[size:]
        return data


def load_runner(both):
    runner = run_cases.load_runner()

    class Connection(runner.Conn):
        def __init__(self, _path, codec):  # pylint: disable=super-init-not-called
            self.codec, self.n, self.buf, self.s = codec, 0, b"", Socket(both)

    runner.Conn = Connection
    return runner


def send_all(both):
    """Sends all cases, the near misses and the examples of the catalogue. What the answers say is judged elsewhere."""
    runner = load_runner(both)
    for codec in CODECS:
        for _, case in run_cases.cases():
            if codec in run_cases.codecs(case):
                runner.run_case(None, codec, case)
        connection = runner.Conn(None, codec)
        for method, params in requests_of_rows():
            if codec != "msgpack" or "__raw_messages__" not in params:
                connection.call(method, runner.grown(params))


def requests_of_rows():
    for rule in catalogue_examples.rules():
        yield "validate", rule["example"]
    for row in near_misses.ROWS:
        if row.get("raw"):
            continue
        rest = {k: v for k, v in row.items() if k not in ("code", "why", "messages", "request", "fires", "near", "raw")}
        for history in (near_misses.sent(row), near_misses.changed(row)):
            for method in ("validate", "repair"):
                yield method, {**rest, ("request" if "request" in row else "messages"): history}
    for row in run_cases.read("near", "operations"):
        yield row["method"], row["params"]


class Conformance(unittest.TestCase):
    def test_every_answer_is_that_of_the_native_library(self):
        both = Both()
        try:
            send_all(both)
        finally:
            exit_code = both.close()
        self.assertEqual(exit_code, 0)
        self.assertEqual(both.differ, [])
        self.assertGreater(both.count, 10000)


if __name__ == "__main__":
    unittest.main()
