# SPDX-License-Identifier: Apache-2.0
"""The package as others get it: its version, its licence, the wheel."""

import importlib.util
import os
import shutil
import subprocess
import sys
import unittest
import zipfile

from support import CLIENT, ROOT, folder

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


class Wheel(unittest.TestCase):
    def test_wheel(self):
        for needed in ("pip", "setuptools", "wheel"):
            if importlib.util.find_spec(needed) is None:
                self.skipTest("%s is not installed" % needed)
        with folder() as path:
            source = shutil.copytree(CLIENT, os.path.join(path, "python"))
            for where, _, _ in os.walk(source):
                os.chmod(where, 0o700)  # the tree that it was copied from may be read-only
            command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
            command += ["--disable-pip-version-check", "--no-index", "-w", path, source]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout.decode())
            name = "turnkeeper-%s-py3-none-any.whl" % turnkeeper.__version__
            with zipfile.ZipFile(os.path.join(path, name)) as wheel:
                self.contents(wheel)
            self.install(path, os.path.join(path, name))

    def install(self, path, wheel):
        """What pip makes of it: a package that runs, with its marker for type checkers."""
        target = os.path.join(path, "installed")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
        subprocess.run(
            command + ["--disable-pip-version-check", "--target", target, wheel], check=True
        )
        self.assertTrue(os.path.exists(os.path.join(target, "turnkeeper", "py.typed")))
        program = "import turnkeeper; print(turnkeeper.__version__, turnkeeper.__file__)"
        said = subprocess.run(
            [sys.executable, "-c", program],
            cwd=path,
            env=dict(os.environ, PYTHONPATH=target),
            stdout=subprocess.PIPE,
            check=True,
        ).stdout.decode()
        self.assertTrue(said.startswith("%s %s" % (turnkeeper.__version__, target)), said)

    def contents(self, wheel):
        names = wheel.namelist()
        self.assertIn("turnkeeper/py.typed", names)
        self.assertEqual(len([n for n in names if n.endswith("/LICENSE")]), 1, names)
        modules = os.listdir(os.path.join(CLIENT, "src", "turnkeeper"))
        for module in (m for m in modules if m.endswith(".py")):
            self.assertIn("turnkeeper/" + module, names)
        self.assertEqual([n for n in names if "test" in n], [])
        metadata = wheel.read(next(n for n in names if n.endswith("/METADATA"))).decode()
        self.assertIn("Version: %s\n" % turnkeeper.__version__, metadata)
        for name in ("msgpack", "httpx", "httpx2"):  # each is an extra
            self.assertNotIn("Requires-Dist: %s\n" % name, metadata)
            self.assertIn("Provides-Extra: %s\n" % name, metadata)


if __name__ == "__main__":
    unittest.main()
