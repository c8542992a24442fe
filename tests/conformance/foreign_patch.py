#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Foreign eyes: every patch of the repair cases, applied by python-jsonpatch and by our client.

Both must make of the patch what the daemon itself makes of it (`return: "messages"` or "content").

    foreign_patch.py SOCKET    against a daemon that listens there; prints TAP
    tests/tap.py foreign_patch.py    against $TURNKEEPERD, as `make check` does
"""

import copy
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
KEYS = {"repair": "messages", "repair_turn": "content"}

sys.dont_write_bytecode = True  # the source tree may be read-only
sys.path[:0] = [os.path.join(os.path.dirname(TESTS), "clients", "python", "src"), TESTS]

import turnkeeper
from run_cases import load_runner, read

try:
    import jsonpatch
except ImportError:
    jsonpatch = None


def repairs(runner, case):
    """(method, parameters) of the requests of a case that can give a patch."""
    for step in case.get("steps") or [case]:
        params = runner.grown(step.get("params", {}))
        key = KEYS.get(step["method"])
        if key is None or params.get("return", "patch") != "patch":
            continue
        if "__raw_messages__" in params:
            params["messages"] = json.loads(params.pop("__raw_messages__"))
        yield step["method"], key, params


def ask(client, method, params):
    """The result, None for an error: then there is no patch to look at."""
    try:
        return client.call(method, params)
    except turnkeeper.RemoteError:
        return None


def differences(runner, client, method, key, params):
    """Returns the fault of one repair; None if it made no patch."""
    result = ask(client, method, params)
    if not result or not result.get("patch"):
        return None
    body, patch = runner.body_of(params), result["patch"]
    want = {**body, key: client.call(method, {**params, "return": key})[key]}
    before = copy.deepcopy(body)
    appliers = {
        # a copy: 1.32 builds on the patch's own values
        "python-jsonpatch": lambda: jsonpatch.apply_patch(body, copy.deepcopy(patch)),
        "turnkeeper": lambda: turnkeeper.apply_patch(body, patch),
    }
    found = []
    for name, apply in appliers.items():
        got = apply()
        if got != want:
            found.append("%s: want %s\n got %s" % (name, json.dumps(want), json.dumps(got)))
        if body != before:
            found.append("%s: changed its argument" % name)
    return found


class ForeignPatch(unittest.TestCase):
    path = None

    @classmethod
    def setUpClass(cls):
        if jsonpatch is None:
            raise unittest.SkipTest("python-jsonpatch is missing (Debian: python3-jsonpatch)")
        if cls.path is None:
            from daemon import Daemon

            daemon = Daemon()
            cls.addClassCleanup(daemon.stop)
            cls.path = daemon.socket
        cls.runner = load_runner()
        cls.client = turnkeeper.Client(cls.path, timeout=10)
        cls.addClassCleanup(cls.client.close)

    def every_case_of(self, folder):
        patches = 0
        for case in read(folder):
            with self.subTest(case["name"]):
                for method, key, params in repairs(self.runner, case):
                    found = differences(self.runner, self.client, method, key, params)
                    patches += found is not None
                    self.assertFalse(found, "\n".join(found or [])[:4000])
        self.assertGreater(patches, 0, "no case of %s made a patch" % folder)

    def test_repair(self):
        self.every_case_of("repair")

    def test_repair_turn(self):
        self.every_case_of("repair_turn")

    def test_protected_turn(self):
        self.every_case_of("protected_turn")

    def test_texts(self):
        self.every_case_of("texts")


def main():
    """As tests/tap.py does it, with the daemon that the caller names."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    import tap

    ForeignPatch.path = sys.argv[1]
    result = tap.TapResult(sys.stdout)
    unittest.defaultTestLoader.loadTestsFromTestCase(ForeignPatch).run(result)
    print("1..%d" % result.lines)
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
