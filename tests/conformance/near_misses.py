#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Near misses: a history that breaks a rule, and one that differs in a single value and doesn't.

The files in near/rules, one an area or code, have rows of

    code, why      the rule, and what the difference is about
    messages       the history, or request: the body (dialect, provider, policy, provenance, seals, betas, target: as
                   for validate); {"__repeat__": string or list, "times": n} writes out a long value
    fires          all that validate must find: [code, message index, part index]
    raw            true: sent as plain ASCII, for what msgpack can't hold
    near           {path into messages or request, value}: the one value that is put there, or taken out where no
                   value is told; afterwards nothing may be found but `leaves`, [code, message, part]
"""
import copy
import json
import unittest

import run_cases
from run_cases import daemon

EDIT_ONLY = {"thinking_not_for_route", "prior_thinking_pruned", "resp_item_ids_stripped"}  # never found
PAIRING = "provider_executed"
SEVERAL = 5

ROWS = list(run_cases.read("near", "rules"))


def sent(row):
    return row["request"] if "request" in row else row["messages"]


def changed(row):
    """The history with the one difference."""
    messages, near = copy.deepcopy(sent(row)), row["near"]
    *path, last = near["path"].split("/")[1:]
    at = messages
    for token in path:
        at = at[int(token)] if isinstance(at, list) else at[token]
    if isinstance(at, list):
        last = int(last)
    if isinstance(at, list) and last == len(at):
        at.append(near["value"])
    elif "value" in near:
        at[last] = near["value"]
    else:
        del at[last]
    return messages


def in_order(findings):
    """By code; null comes first."""
    return sorted(findings, key=lambda f: (f[0], *(-1 if at is None else at for at in f[1:])))


class NearMisses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runner = run_cases.load_runner()
        cls.daemon = daemon.Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def found(self, row, messages, codec):
        names = ("dialect", "provider", "policy", "provenance", "seals", "betas", "target")
        params = {k: row[k] for k in names if k in row}
        name = "request" if "request" in row else "__raw_messages__" if row.get("raw") else "messages"
        what = {name: json.dumps(messages) if row.get("raw") else messages}
        reply = self.runner.Conn(self.daemon.socket, codec).call("validate", self.runner.grown({**params, **what}))
        self.assertIn("result", reply, reply)
        violations = reply["result"]["violations"]
        order = [tuple(-1 if v[key] is None else v[key] for key in ("message_index", "part_index"))
                 for v in violations]
        self.assertEqual(order, sorted(order), "not in report order")
        return in_order([v["code"], v["message_index"], v["part_index"]] for v in violations)

    def judge(self, row, codec):
        self.assertIn(row["code"], [code for code, _, _ in row["fires"]])
        self.assertEqual(self.found(row, sent(row), codec), in_order(row["fires"]))
        self.assertEqual(self.found(row, changed(row), codec), in_order(row["near"].get("leaves", [])))

    def test_every_code_has_some(self):
        reply = self.runner.Conn(self.daemon.socket, "json").call("info", {})
        have = [row["code"] for row in ROWS]
        for code in {row["code"] for row in reply["result"]["catalogue"]} - EDIT_ONLY:
            self.assertGreaterEqual(have.count(code), SEVERAL if PAIRING in code else 2, code)

    def test_silent_ones_are_silent(self):
        for row in ROWS:
            self.assertNotIn(row["code"], [left[0] for left in row["near"].get("leaves", [])])


def add_verdict(number, row, codec):
    def verdict(self):
        self.judge(row, codec)
    verdict.__doc__ = "%s, %s: %s" % (row["code"], codec, row["why"])
    setattr(NearMisses, "test_%04d_%s_%s" % (number, row["code"], codec), verdict)


for _number, _row in enumerate(ROWS):
    for _codec in run_cases.codecs(_row):
        add_verdict(_number, _row, _codec)

if __name__ == "__main__":
    unittest.main()
