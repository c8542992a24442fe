# SPDX-License-Identifier: Apache-2.0
"""The package in the tree: its version, its licence, its names. test_wheel.py has the wheel."""

import os
import unittest

from support import CLIENT, ROOT

import turnkeeper


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as text:
        return text.read()


@unittest.skipUnless(os.path.exists(os.path.join(ROOT, "VERSION")), "not in the project's tree")
class Tree(unittest.TestCase):
    def test_versions(self):
        ours = "%s\nprotocol %d\n" % (turnkeeper.__version__, turnkeeper.PROTOCOL)
        self.assertEqual(ours, read(ROOT, "VERSION"))

    def test_licence(self):
        self.assertEqual(read(CLIENT, "LICENSE"), read(ROOT, "LICENSE"))

    def test_every_file_names_its_licence(self):
        for where, _, names in os.walk(CLIENT):
            for name in (n for n in names if n.endswith(".py")):
                with self.subTest(name):
                    self.assertIn("SPDX-License-Identifier: Apache-2.0", read(where, name)[:100])


class Surface(unittest.TestCase):
    def test_all(self):
        self.assertEqual(len(set(turnkeeper.__all__)), len(turnkeeper.__all__))
        for name in turnkeeper.__all__:
            self.assertTrue(hasattr(turnkeeper, name), name)

    def test_every_error_is_exported(self):
        todo = [turnkeeper.TurnkeeperError]
        for kind in todo:
            self.assertIs(getattr(turnkeeper, kind.__name__), kind)
            todo += kind.__subclasses__()


if __name__ == "__main__":
    unittest.main()
