#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The npm package, installed from the packed file: clients/typescript/tests with Node against a daemon that runs.

The conformance cases are those of tests/conformance; TK_CASES names another folder with files of cases.
"""
import glob
import json
import os
import re
import socket
import struct
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "conformance")]
import near_misses  # noqa: E402
import npm_package  # noqa: E402
import releases  # noqa: E402
import run_cases  # noqa: E402

LARGEST = 1 << 20  # characters of a request; a few near misses are about size alone and have dozens of megabytes
SURROGATE = re.compile("[\ud800-\udfff]")
PARTS = ("messages", "request", "provider", "dialect", "policy", "provenance", "seals", "betas", "target")


def cases():
    """Yields (name, steps) of every case, built or not: what an answer says doesn't matter here."""
    folder = os.environ.get("TK_CASES", run_cases.HERE)
    for path in sorted(glob.glob(os.path.join(folder, "**", "*.json"), recursive=True)):
        with open(path, encoding="utf-8") as f:
            for n, case in enumerate(json.load(f)):
                if "fires" in case:
                    params = {key: case[key] for key in PARTS if key in case}
                    yield "%s %d" % (case["code"], n), [{"method": m, "params": params} for m in ("validate", "repair")]
                    near = dict(params, **{"request" if "request" in case else "messages": near_misses.changed(case)})
                    yield "near %s %d" % (case["code"], n), [{"method": "validate", "params": near}]
                elif "method" in case or "steps" in case:
                    yield case.get("name", path), case.get("steps") or [case]


def spelled(step, number, grown):
    """The request of a step as JSON text, in UTF-8 where that has a form for it."""
    params = grown(step.get("params", {}))
    raw = params.pop("__raw_messages__", None) if isinstance(params, dict) else None
    whole = {"jsonrpc": "2.0", "id": number, "method": step["method"], "params": params}
    text = json.dumps(whole, ensure_ascii=False)
    if SURROGATE.search(text):
        text = json.dumps(whole)
    if raw is not None:
        text = '%s%s"messages":%s}}' % (text[:-2], "," if params else "", raw)
    return text


class Line:
    """A connection that sends frames and knows nothing of any client."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)

    def answer(self, text):
        body = text.encode()
        self.socket.sendall(struct.pack(">I", len(body)) + body)
        return self.read(struct.unpack(">I", self.read(4))[0]).decode()

    def read(self, size):
        got = bytearray()
        while len(got) < size:
            more = self.socket.recv(size - len(got))
            if not more:
                raise ConnectionError("closed inside an answer")
            got += more
        return bytes(got)


def write_requests(path, daemon_socket):
    """Writes one case a line: its name, and each step's method and request with the daemon's answer to it."""
    grown = run_cases.load_runner().grown
    with open(path, "w", encoding="utf-8") as out:
        for name, steps in cases():
            texts = [spelled(step, n, grown) for n, step in enumerate(steps)]
            if max(map(len, texts)) > LARGEST:
                continue
            line = Line(daemon_socket)
            rows = [{"method": step["method"], "request": text, "answer": line.answer(text)}
                    for step, text in zip(steps, texts)]
            line.socket.close()
            out.write(json.dumps({"name": name, "steps": rows}) + "\n")


class Installed(npm_package.Installed):
    def run_file(self, name, **environment):
        self.node("--test", name + ".test.mjs", **environment)

    def test_answers_are_the_daemons(self):
        requests = os.path.join(self.package.folder, "requests.jsonl")
        write_requests(requests, self.daemon.socket)
        for name in ("conformance", "typed"):
            with self.subTest(name):
                self.run_file(name, TK_REQUESTS=requests)

    def test_local(self):
        self.run_file("local")

    def test_socket(self):
        self.run_file("socket")

    def test_streams(self):
        self.run_file("streams")

    def test_splices(self):
        self.run_file("splices")

    def test_patch(self):
        self.run_file("patch")


class Pins(unittest.TestCase):
    def test_versions(self):
        """The package has the release and the protocol of the project; its dependencies have one version each."""
        release, protocol = releases.npm(), releases.protocol()
        with open(os.path.join(npm_package.SOURCE, "src", "version.ts"), encoding="utf-8") as f:
            said = f.read()
        self.assertIn('VERSION = "%s"' % release, said)
        self.assertIn("PROTOCOL = %s;" % protocol, said)
        package = self.package("package.json")
        self.assertEqual(package["version"], release)
        self.assertNotIn("dependencies", package)
        for name in ("package.json", os.path.join("tests", "tools", "package.json")):
            pins = self.package(name)
            for version in {**pins.get("dependencies", {}), **pins.get("devDependencies", {}), **pins.get("optionalDependencies", {})}.values():
                self.assertRegex(version, r"^(npm:[\w-]+@)?\d+\.\d+\.\d+$")

    @staticmethod
    def package(name):
        with open(os.path.join(npm_package.SOURCE, name), encoding="utf-8") as f:
            return json.load(f)


if __name__ == "__main__":
    unittest.main()
