# SPDX-License-Identifier: Apache-2.0
"""The package in the tree: its version, its licence, its names. test_wheel.py has the wheel."""

import ast
import os
import pydoc
import unittest

from support import CLIENT, ROOT

import turnkeeper


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as text:
        return text.read()


@unittest.skipUnless(os.path.exists(os.path.join(ROOT, "VERSION")), "not in the project's tree")
class Tree(unittest.TestCase):
    def test_versions(self):
        release = turnkeeper.__version__.replace(".dev0", "~dev")
        ours = "%s\nprotocol %d\n" % (release, turnkeeper.PROTOCOL)
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
        """Each name that is imported is offered, and sorted; those of errors.py are its __all__."""
        with open(turnkeeper.__file__, encoding="utf-8") as text:
            imported = [node for node in ast.parse(text.read()).body if isinstance(node, ast.ImportFrom)]
        for node in imported:
            names = [alias.name for alias in node.names]
            offered = [None] if names == ["*"] else names
            self.assertEqual([alias.asname for alias in node.names], offered)
        modules = [node.module for node in imported]
        self.assertEqual(modules, sorted(modules))

    def test_help_is_short(self):
        """It begins with what most people want, and doesn't list all methods of all classes."""
        text = pydoc.render_doc(turnkeeper, renderer=pydoc.plaintext)
        self.assertLess(len(text.splitlines()), 100)
        beginning = " ".join(text.split()[:120])
        for wanted in ("turnkeeper.Local()", "turnkeeper.connect()", "GuardTransport"):
            self.assertIn(wanted, beginning)

    def test_every_error_is_exported(self):
        todo = [turnkeeper.TurnkeeperError]
        for kind in todo:
            self.assertIs(getattr(turnkeeper, kind.__name__), kind)
            todo += kind.__subclasses__()


if __name__ == "__main__":
    unittest.main()
