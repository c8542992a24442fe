#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every case of streams with a `history` has the same answers if the whole body comes as `request` instead."""
import json
import unittest

import run_cases
from run_cases import daemon


def in_request(params):
    """The parameters with the history as messages of a body."""
    if not isinstance(params, dict) or "history" not in params:
        return params
    rest = {name: value for name, value in params.items() if name != "history"}
    return {**rest, "request": {"model": "claude-sonnet-4-5", "stream": True, "messages": params["history"]}}


def names_request(step):
    """True if a step says by itself where the body is."""
    return isinstance(step.get("params"), dict) and "request" in step["params"]


def comparable(reply):
    """A reply without what names a place of the parameters."""
    text = json.dumps({name: reply[name] for name in ("result", "error") if name in reply}, sort_keys=True)
    return text.replace("/params/request/messages", "/params/history")


class Streams(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runner = run_cases.load_runner()
        cls.daemon = daemon.Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def replies(self, steps, form, codec):
        connection = self.runner.Conn(self.daemon.socket, codec)
        with connection.s:
            return [comparable(connection.call(step["method"], form(self.runner.grown(step.get("params", {})))))
                    for step in steps]

    def law(self, codec):
        asked = 0
        for case in run_cases.read("stream"):
            steps = case.get("steps") or [case]
            histories = [step["params"].get("history") for step in steps if isinstance(step.get("params"), dict)]
            if any(histories) and not any(names_request(step) for step in steps):
                asked += 1
                self.assertEqual(self.replies(steps, lambda params: params, codec), self.replies(steps, in_request, codec),
                                 case["name"])
        self.assertGreater(asked, 10)

    def test_json(self):
        self.law("json")

    def test_msgpack(self):
        self.law("msgpack")


if __name__ == "__main__":
    unittest.main()
