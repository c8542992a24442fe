#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every example of catalogue.json whose rule is built yields exactly its `expect`."""
import unittest

import run_cases
from run_cases import daemon


def rules():
    return [rule for rule in run_cases.rules() if run_cases.is_judged(rule) and rule["example"]]


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runner = run_cases.load_runner()
        cls.daemon = daemon.Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def findings(self, example, codec):
        reply = self.runner.Conn(self.daemon.socket, codec).call("validate", example)
        self.assertIn("result", reply, reply)
        return [[v["code"], v["message_index"], v["part_index"]] for v in reply["result"]["violations"]]


def add_verdict(rule, codec):
    def verdict(self):
        example = dict(rule["example"])
        if codec == "msgpack" and "__raw_messages__" in example:
            self.skipTest("its point is its bytes")
        self.assertEqual(self.findings(example, codec), rule["expect"])
    setattr(Examples, "test_%s_%s" % (rule["code"], codec), verdict)


for _rule in rules():
    for _codec in run_cases.CODECS:
        add_verdict(_rule, _codec)

if __name__ == "__main__":
    unittest.main()
