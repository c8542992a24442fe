#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One turn, one seal: `seal`, `stream.end` and both clients make the same bytes of it."""
import json
import os
import socket
import subprocess
import sys
import tempfile
import unittest

from go_tool import CLIENT, MODULES, run  # next to this file

TOP = os.path.abspath(os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "..", "..")))
sys.path += [os.path.join(TOP, "tests"), os.path.join(TOP, "clients", "python", "src")]
import turnkeeper  # noqa: E402
from daemon import Daemon  # noqa: E402

# Contents as a provider spells them: numbers and escapes in several ways, members that a seal leaves out.
TURNS = [content.encode() for content in (
    r'[{"type":"text","text":"a \u00e9 \ud83d\ude00 \" \\ \/ \u0000"}]',
    r'[{"type":"thinking","thinking":"one","signature":"EqQB+/c="},'
    r'{"type":"tool_use","id":"toolu_1","name":"f","input":{"b":[1,1.0,1e2,-0.0,18446744073709551615],"a":null}},'
    r'{"type":"thinking","thinking":"","signature":"dHdv"},'
    r'{"type":"tool_use","id":"toolu_2","name":"f","input":{}}]',
    r'[{"type":"redacted_thinking","data":"RW1=="},{"type":"text","text":"b","citations":null},'
    r'{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"},"caller":{"type":"direct"}},'
    r'{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result",'
    r'"url":"https://e.org","title":"T","encrypted_content":"eA==","page_age":null}]},'
    r'{"type":"text","text":"c"}]',
)]
SAME_IN_PYTHON = """
import sys, json, turnkeeper
with turnkeeper.Client() as client:
    for line in sys.stdin:
        print(json.dumps(client.seal(json.loads(line)), separators=(",", ":"), ensure_ascii=False))
"""
SAME_IN_GO = """package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

func main() {
	client := turnkeeper.New()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		seal, err := client.Seal(context.Background(), lines.Bytes(), nil)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s\\n", seal)
	}
}
"""
GO_MODULE = """module seals

go 1.19

require github.com/turnkeeper/turnkeeper/clients/go v0.0.0

replace github.com/turnkeeper/turnkeeper/clients/go => %s
"""


def spelled(value):
    return json.dumps(value, separators=(",", ":"))


def deltas(block):
    """A block as a stream starts it, and what the stream adds then."""
    if block["type"] == "text":
        return dict(block, text=""), [{"type": "text_delta", "text": block["text"]}]
    if block["type"] == "thinking":
        return dict(block, thinking="", signature=""), [
            {"type": "thinking_delta", "thinking": block["thinking"]},
            {"type": "signature_delta", "signature": block["signature"]}]
    if block["type"].endswith("tool_use"):
        return dict(block, input={}), [{"type": "input_json_delta", "partial_json": spelled(block["input"])}]
    return block, []


def events(blocks):
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
               "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    yield {"type": "message_start", "message": message}
    for index, block in enumerate(blocks):
        start, added = deltas(block)
        yield {"type": "content_block_start", "index": index, "content_block": start}
        for delta in added:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    reason = "tool_use" if blocks[-1]["type"] == "tool_use" else "end_turn"
    yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 2}}
    yield {"type": "message_stop"}


class Lines:
    """The daemon as a shell script asks it: one request a line."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.answers = self.socket.makefile("rb")

    def ask(self, method, params):
        """The answer's line; params as JSON text."""
        self.socket.sendall(b'{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\n' % (method.encode(), params))
        return self.answers.readline()

    def close(self):
        self.answers.close()
        self.socket.close()


def seal_in(answer):
    """The bytes of the member `seal` of a result."""
    key = b'"seal":'
    text = answer[answer.index(key) + len(key):].decode()
    return text[:json.JSONDecoder().raw_decode(text)[1]]


class OneSeal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)
        lines = Lines(cls.daemon.socket)
        cls.addClassCleanup(lines.close)
        cls.lines = lines
        cls.wanted = [seal_in(lines.ask("seal", b'{"content":%s}' % turn)) for turn in TURNS]

    def test_of_all_turns_another(self):
        self.assertEqual(len({json.loads(seal)["turn"] for seal in self.wanted}), len(TURNS))

    def test_stream_end(self):
        for turn, want in zip(TURNS, self.wanted):
            self.lines.ask("stream.open", b'{"stream":"s"}')
            feed = {"stream": "s", "events": list(events(json.loads(turn)))}
            self.assertIn(b'"done"', self.lines.ask("stream.feed", spelled(feed).encode()))
            self.assertEqual(seal_in(self.lines.ask("stream.end", b'{"stream":"s"}')), want)

    def test_pair(self):
        for turn, want in zip(TURNS, self.wanted):
            whole = b'{"response":{"role":"assistant","stop_reason":"end_turn","content":%s,"usage":{}}}' % turn
            self.assertEqual(seal_in(self.lines.ask("pair", whole)), want)

    def ask_client(self, start):
        there = dict(os.environ, TURNKEEPER_SOCKET=self.daemon.socket)
        there["PYTHONPATH"] = os.path.join(TOP, "clients", "python", "src")
        return start(there, b"".join(turn + b"\n" for turn in TURNS)).splitlines()

    def test_python(self):
        """In both codecs, and of text."""
        def start(there, turns):
            return subprocess.run([sys.executable, "-W", "ignore", "-c", SAME_IN_PYTHON], input=turns, env=there,
                                  stdout=subprocess.PIPE, check=True).stdout.decode()

        self.assertEqual(self.ask_client(start), self.wanted)
        with turnkeeper.Client(self.daemon.socket, codec="json") as client:
            for turn, want in zip(TURNS, self.wanted):
                for form in (turn, json.loads(turn), {"role": "assistant", "content": json.loads(turn)}):
                    self.assertEqual(spelled(client.seal(form)), want)

    @unittest.skipIf(MODULES[CLIENT][0] is None, MODULES[CLIENT][1])
    def test_go(self):
        def start(there, turns):
            with tempfile.TemporaryDirectory() as folder:
                for name, text in (("go.mod", GO_MODULE % CLIENT), ("main.go", SAME_IN_GO), ("turns", turns.decode())):
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                        f.write(text)
                output, code = run(MODULES[CLIENT][0], folder, "env", "TURNKEEPER_SOCKET=" + there["TURNKEEPER_SOCKET"],
                                   "sh", "-c", "go run . <turns")
                self.assertEqual(code, 0, output)
                return output

        self.assertEqual(self.ask_client(start), self.wanted)


if __name__ == "__main__":
    unittest.main()
