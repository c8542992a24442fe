# SPDX-License-Identifier: Apache-2.0
"""One law: a client and a Local can't be told apart by the bytes of an answer, in any conformance case.

Each case runs through the typed methods of both. Left out is what an answer has of the process that made it: the
correlation id of a defect, and in `info` the limits and methods that only a daemon has.
"""

import json
import re
import unittest

import conformance
from local import local, needs_library
from support import CODECS, real_daemon

import turnkeeper

needs_library()

LEAST = 600  # cases


class BackEnds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = real_daemon()
        cls.addClassCleanup(cls.daemon.stop)
        cls.runner = conformance.load()
        cls.addClassCleanup(setattr, conformance.ClientConn, "keeper", turnkeeper.Client)
        cls.addClassCleanup(setattr, conformance.ClientConn, "answers", None)

    def answers(self, keeper, codec, case):
        """The bytes of each answer to a case, and the differences from what it expects."""
        conformance.ClientConn.keeper = keeper
        conformance.ClientConn.answers = found = []
        wrong = conformance.run_case(self.runner, self.daemon.socket, codec, case)
        return [without_the_process(answer) for answer in found], wrong

    def compare(self, codec):
        compared = 0
        for case in conformance.cases():
            with self.subTest(case["name"]):
                asked, wrong = self.answers(unbounded(turnkeeper.Client), codec, case)
                answered, also_wrong = self.answers(unbounded(local), codec, case)
                self.assertEqual(answered, asked)
                self.assertEqual(also_wrong, wrong)
                compared += len(asked)
        print("# %d answers compared (%s)" % (compared, codec))
        self.assertGreater(compared, LEAST)

    def test_json(self):
        self.compare("json")

    @unittest.skipUnless("msgpack" in CODECS, "msgpack is not installed")
    def test_msgpack(self):
        self.compare("msgpack")


def unbounded(keeper):
    """What makes a back end without a timeout, so that both send the same bytes: else the time left is in them."""
    return lambda path, **options: keeper(path, **dict(options, timeout=None))


def without_the_process(answer):
    """An answer without what depends on who made it."""
    answer = re.sub(rb'"correlation_id":"[0-9a-f]*"', b'"correlation_id":""', answer)
    if b'"catalogue"' not in answer:
        return answer
    document = json.loads(answer)
    for name in ("limits", "methods"):
        document["result"].pop(name, None)
    return json.dumps(document).encode()


if __name__ == "__main__":
    unittest.main()
