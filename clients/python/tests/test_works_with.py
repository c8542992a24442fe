# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/ for packages that sit on the provider's SDK, or in its place.

Each shows a history that the provider refuses, and that goes through with the guard: here against a
local Messages API and the real daemon. run_sdk_tests.sh installs each package in a folder of its own.
"""

import importlib.util
import os
import re
import subprocess
import sys
import unittest

from messages_api import MessagesApi
from support import HERE, ROOT, real_daemon

import turnkeeper

# Package, what of it is imported, its example, and the id of the half that has to be gone.
WORKS = [
    ("anthropic", "anthropic", "python_sdk.py", "srvtoolu_01Cut"),
    ("pydantic-ai", "pydantic_ai", "python_pydantic_ai.py", "srvtoolu_01Lost"),
    ("litellm", "litellm", "python_litellm.py", "srvtoolu_01Cut"),
    ("langchain-anthropic", "langchain_anthropic", "python_langchain.py", "srvtoolu_01Cut"),
]
ANSWER = "The pass is open, with chains."


def read(*place):
    with open(os.path.join(ROOT, *place), encoding="utf-8") as text:
        return text.read()


def installed(module):
    return importlib.util.find_spec(module) is not None


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not any(installed(module) for _, module, _, _ in WORKS[1:]):
            raise unittest.SkipTest("none of the packages is installed: see run_sdk_tests.sh")
        cls.daemon = real_daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def output(self, program, api):
        there = dict(os.environ, TURNKEEPER_SOCKET=self.daemon.socket)
        there.update(ANTHROPIC_BASE_URL=api.url, ANTHROPIC_API_KEY="none")
        there["PYTHONPATH"] = os.path.join(ROOT, "clients", "python", "src")
        there["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it asks the network for prices
        done = subprocess.run(
            [sys.executable, os.path.join(ROOT, "examples", program)],
            env=there,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def prepared(self):
        with turnkeeper.Client(self.daemon.socket) as client:
            return client.stats().methods["prepare"]["requests"]

    def test_refused_without_and_answered_with_it(self):
        for _, module, program, half in WORKS[1:]:  # the first is test_sdk.py's
            if not installed(module):
                continue
            with self.subTest(program), MessagesApi() as api:
                before = self.prepared()
                said = self.output(program, api)
                without, guarded = said.removeprefix("without turnkeeper:\n").split(
                    "with turnkeeper:\n"
                )
                self.assertIn("400 ", without)
                self.assertIn("web_search_tool_result", without)
                self.assertNotIn(ANSWER, without)
                self.assertEqual(guarded.strip(), ANSWER)
                self.assertEqual(self.prepared() - before, 1)
                stuck, mended = api.bodies
                self.assertIn(half.encode(), stuck)
                self.assertNotIn(b'"' + half.encode(), mended)


class Table(unittest.TestCase):
    """"Works with" in the README has what is tested here."""

    def pinned(self, package):
        names = [n for n in os.listdir(HERE) if n.startswith("requirements-")]
        texts = [read("clients", "python", "tests", name) for name in sorted(names)]
        pattern = r"(?m)^%s(?:-slim)?==(\S+)" % re.escape(package)
        return {v for text in texts for v in re.findall(pattern, text)}

    def test_rows(self):
        section = read("README.md").partition("\n## Works with\n")[2].partition("\n## ")[0]
        rows = [line for line in section.splitlines() if line.startswith("| ")]
        for package, _, program, _ in WORKS:
            (row,) = [row for row in rows if row.startswith("| %s " % package)]
            self.assertIn("(examples/%s)" % program, row)
            told = set(re.findall(r"\d+\.\d+\.\d+", row.split("|")[2]))
            self.assertTrue(told, row)
            self.assertEqual(told, self.pinned(package))


if __name__ == "__main__":
    unittest.main()
