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


# What a user's type checker sees of methods that are made of functions: --strict also complains
# about an `ignore` that isn't needed.
USER = """
import turnkeeper

def blocking(client: turnkeeper.Client) -> turnkeeper.Repaired:
    client.repair([], gaurd=True)  # type: ignore[call-arg]
    client.validate(5)  # type: ignore[arg-type]
    with client.stream(emit="sse", history=b"[]") as stream:
        turn: turnkeeper.PairedTurn = stream.finish()
    return client.repair([{}], guard=False)

async def waiting(client: turnkeeper.AsyncClient) -> turnkeeper.Report:
    pong: turnkeeper.Pong = await client.ping(echo=1)
    client.stream(emti="sse")  # type: ignore[call-arg]
    return await client.validate([])
"""


class Typing(unittest.TestCase):
    def check(self, folder, target):
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder]
        if not all(importlib.util.find_spec(name) for name in ("httpx", "httpx2")):
            command += ["--ignore-missing-imports", "--allow-subclassing-any"]
        found = dict(os.environ, MYPYPATH=os.path.join(CLIENT, "src"))
        done = subprocess.run(
            command + [target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=found
        )
        self.assertEqual(done.returncode, 0, done.stdout.decode())

    def test_strict(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        with folder() as path:
            self.check(path, os.path.join(CLIENT, "src", "turnkeeper"))
            with open(os.path.join(path, "user.py"), "w", encoding="utf-8") as text:
                text.write(USER)
            self.check(path, text.name)


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
