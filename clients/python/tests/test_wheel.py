# SPDX-License-Identifier: Apache-2.0
"""The wheel and the source distribution as others get them, made by make_wheel.py.

The wheel must run in a Debian without compiler and without a network: make_root.sh makes one. run_sdk_tests.sh --install
makes it, and the environment with what makes wheels, in the folder that TK_SDK_FOLDER names, else in sdk of the build.
"""

import glob
import os
import re
import shutil
import subprocess
import tarfile
import unittest
import zipfile

from support import CLIENT, ROOT, folder

import turnkeeper

SDK = os.environ.get("TK_SDK_FOLDER") or os.path.join(os.environ.get("top_builddir", "."), "sdk")
ENVIRONMENT = os.path.join(SDK, "client-wheel")
PYTHON = os.path.join(ENVIRONMENT, "bin", "python")
INSTALLED = os.path.join(ENVIRONMENT, "installed.txt")
BARE = os.path.join(SDK, "debian-root")

MENDS = """
import turnkeeper
call = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
text = {"type": "text", "text": "a"}
history = [{"role": "user", "content": "q"}, {"role": "assistant", "content": [text, call]},
           {"role": "user", "content": "n"}]
assert turnkeeper.Local().repair(history).messages[1]["content"] == [text]
assert turnkeeper.Local()._library.answer.func is turnkeeper._answer.answer
print(turnkeeper.__version__, turnkeeper.Local().version, turnkeeper.__file__)
"""


def setUpModule():
    if not os.path.exists(PYTHON):
        raise unittest.SkipTest("%s is missing: run_sdk_tests.sh --install makes it" % PYTHON)
    if not os.path.exists(INSTALLED):  # pip came to no end
        raise unittest.SkipTest("what makes wheels isn't installed: %s" % reason(ENVIRONMENT + ".log"))
    if shutil.which("cc") is None:
        raise unittest.SkipTest("no C compiler")


def run(*command, **how):
    """What it said, and its exit status."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
    return done.stdout.decode(), done.returncode


class Distributions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = folder()
        cls.folder = holder.__enter__()
        cls.addClassCleanup(holder.__exit__, None, None, None)
        said, status = run(PYTHON, os.path.join(CLIENT, "make_wheel.py"), cls.folder)
        if status != 0:
            raise AssertionError(said)
        cls.source, cls.wheel = said.splitlines()[-2:]

    def test_the_wheel_is_for_a_platform(self):
        name = os.path.basename(self.wheel)
        self.assertRegex(name, r"^turnkeeper-%s-py3-none-manylinux\w+(\.manylinux\w+)*\.whl$" % re.escape(
            turnkeeper.__version__))
        said, _ = run(PYTHON, "-m", "auditwheel", "show", self.wheel)
        needed = set(re.findall(r"\blib[\w+-]+\.so[.\d]*", said))
        self.assertLessEqual(needed, {"libc.so.6"}, said)

    def test_what_is_in_the_wheel(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            metadata = wheel.read(next(n for n in names if n.endswith("/METADATA"))).decode()
            library = wheel.read("turnkeeper/libturnkeeper.so")
        for wanted in ("turnkeeper/py.typed", "turnkeeper/_answer.pyi", "turnkeeper/_answer.abi3.so"):
            self.assertIn(wanted, names)
        self.assertEqual(len([n for n in names if n.endswith("/LICENSE")]), 1, names)
        modules = os.listdir(os.path.join(CLIENT, "src", "turnkeeper"))
        for module in (m for m in modules if m.endswith(".py")):
            self.assertIn("turnkeeper/" + module, names)
        self.assertEqual([n for n in names if "test" in n], [])
        self.assertIn("Version: %s\n" % turnkeeper.__version__, metadata)
        for name in ("msgpack", "httpx", "httpx2"):  # each is an extra
            self.assertNotIn("Requires-Dist: %s\n" % name, metadata)
            self.assertIn("Provides-Extra: %s\n" % name, metadata)
        self.assertNotIn(ROOT.encode(), library)

    def test_the_source_has_the_library(self):
        with tarfile.open(self.source) as source:
            names = [name.partition("/")[2] for name in source.getnames()]
        for wanted in ("native/answer.c", "core/VERSION", "core/src/turnkeeper.map", "core/src/value/json_read.c"):
            self.assertIn(wanted, names)
        self.assertEqual([n for n in names if n.startswith(("core/src/daemon", "core/src/cli"))], [])

    def test_without_a_compiler_the_source_says_so(self):
        with folder() as target:
            said, status = run(
                PYTHON, "-m", "pip", "install", "--no-index", "--no-deps", "--no-build-isolation", "--target",
                target, self.source, env=dict(os.environ, CC="/nowhere/cc"),
            )
        self.assertNotEqual(status, 0)
        self.assertIn("a C compiler is needed to build the library, and /nowhere/cc can't be run", said)

    def test_an_installed_wheel_runs(self):
        with folder() as target:
            self.installed(target)
            bare = {"PYTHONPATH": target, "PATH": os.environ["PATH"]}
            said, status = run(PYTHON, "-c", MENDS, env=bare, cwd=target)
            self.assertEqual(status, 0, said)
            python = turnkeeper.__version__
            library = python.replace(".dev0", "~dev")
            self.assertTrue(said.startswith("%s %s %s" % (python, library, target)), said)

    def installed(self, target):
        said, status = run(
            PYTHON, "-m", "pip", "install", "--no-index", "--no-deps", "--target", target, self.wheel
        )
        self.assertEqual(status, 0, said)

    def test_a_debian_without_a_compiler(self):
        if os.getuid() != 0:
            self.skipTest("only root can change the root folder")
        if not os.path.exists(os.path.join(BARE, "made")):
            self.skipTest("no bare Debian: %s" % reason(BARE + ".log"))
        for name in ("cc", "gcc", "clang"):
            self.assertEqual(glob.glob(os.path.join(BARE, "usr", "bin", name)), [])
        inside = os.path.join(BARE, "tmp", os.path.basename(self.wheel))
        shutil.copy(self.wheel, inside)
        self.addCleanup(os.unlink, inside)
        self.addCleanup(shutil.rmtree, os.path.join(BARE, "tmp", "installed"), True)
        script = (
            "cd /tmp && rm -rf installed && env -i PATH=/usr/bin:/bin pip install -q --no-index --no-deps --target "
            'installed "$1" && env -i PATH=/usr/bin:/bin PYTHONPATH=/tmp/installed python3 -c "$2"'
        )
        said, status = run(
            "chroot", BARE, "/bin/sh", "-c", script, "sh", os.path.basename(inside), MENDS
        )
        self.assertEqual(status, 0, said)
        self.assertIn("/tmp/installed/turnkeeper", said)


def reason(log):
    try:
        with open(log, encoding="utf-8") as text:
            return text.read().strip().splitlines()[-1]
    except (OSError, IndexError):
        return "run_sdk_tests.sh --install wasn't run"


if __name__ == "__main__":
    unittest.main()
