# SPDX-License-Identifier: Apache-2.0
"""The laws of streams for some hundred drawn ones; stream_hunt.py draws as many as there is time for."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import stream_hunt  # noqa: E402
import stream_laws  # noqa: E402
from daemon import Daemon  # noqa: E402
from wire import Wire  # noqa: E402

COUNT = 1200


class Streams(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.wire = Wire(cls.daemon.socket)

    @classmethod
    def tearDownClass(cls):
        cls.wire.close()
        cls.daemon.stop()

    def test_laws(self):
        broken = {}
        for number in range(COUNT):
            for law, why, stream in stream_hunt.breaches(self.wire, "check", number):
                broken.setdefault(law.__name__, stream_hunt.describe(number, law, why, stream))
        for law in stream_laws.LAWS:
            with self.subTest(law.__name__):
                self.assertNotIn(law.__name__, broken, broken.get(law.__name__))


if __name__ == "__main__":
    unittest.main()
