#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Near misses of the operations: a request that a note or an error is told of, and one that differs in a
single value and has another answer.

The files in near/operations, one a method, have rows of

    told, why       the note or error, and what the difference is about
    method, params  the request that it is told of
    near            {path into params, value}: the one value that is put there, or taken out where no
                    value is told; afterwards `leaves` is told and nothing else
"""
import collections
import copy
import os
import re
import unittest

import run_cases
from run_cases import daemon

SEVERAL = 2
TOP = os.path.dirname(os.path.dirname(run_cases.HERE))
# Where each operation's notes are listed.
NOTES = ("src/operations/splice/splice.h", "src/operations/tools/tools.h")

ROWS = list(run_cases.read("near", "operations"))


def changed(row):
    """The parameters with the one difference."""
    params, near = copy.deepcopy(row["params"]), row["near"]
    *path, last = near["path"].split("/")[1:]
    at = params
    for token in path:
        at = at[int(token)] if isinstance(at, list) else at[token]
    if "value" in near:
        at[int(last) if isinstance(at, list) else last] = near["value"]
    else:
        del at[last]
    return params


def names():
    """Every note, and every error of these methods (code -32003)."""
    for path in NOTES:
        with open(os.path.join(TOP, path), encoding="utf-8") as f:
            yield from re.findall(r'X\([A-Z_]+,\s*"([a-z0-9_]+)"\)', f.read())
    with open(os.path.join(TOP, "src/methods/core/errors.c"), encoding="utf-8") as f:
        yield from re.findall(r'\{"(\w+)", -32003,', f.read())


class NearMisses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runner = run_cases.load_runner()
        cls.daemon = daemon.Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def told(self, row, params, codec):
        reply = self.runner.Conn(self.daemon.socket, codec).call(row["method"], params)
        if "error" in reply:
            return [reply["error"]["data"]["name"]]
        notes = reply["result"].get("notes", [])
        return notes if isinstance(notes, list) else notes.get("splice", []) + notes["tools"]

    def judge(self, row, codec):
        leaves = row["near"].get("leaves", [])
        self.assertIn(row["told"], self.told(row, row["params"], codec))
        self.assertEqual(sorted(self.told(row, changed(row), codec)), sorted(leaves))
        self.assertNotIn(row["told"], leaves)

    def test_every_name_has_some(self):
        have = collections.Counter(row["told"] for row in ROWS)
        self.assertEqual(sorted({n for n in names() if have[n] < SEVERAL}), [])


def add_verdict(number, row, codec):
    def verdict(self):
        self.judge(row, codec)
    verdict.__doc__ = "%s, %s: %s" % (row["told"], codec, row["why"])
    setattr(NearMisses, "test_%04d_%s_%s" % (number, row["told"], codec), verdict)


for _number, _row in enumerate(ROWS):
    for _codec in run_cases.CODECS:
        add_verdict(_number, _row, _codec)

if __name__ == "__main__":
    unittest.main()
