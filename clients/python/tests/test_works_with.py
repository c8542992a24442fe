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
from typing import NamedTuple

from messages_api import MessagesApi
from support import ROOT, real_daemon

import turnkeeper

HERE = os.path.dirname(os.path.abspath(__file__))



class Fault(NamedTuple):
    words: str  # of the provider's refusal
    stuck: str  # what the history has that the repaired one lacks
    mended: str = ""  # and the other way round


ORPHAN = Fault("web_search_tool_result", '"srvtoolu_01Cut"')
LOST = Fault("web_search_tool_result", '"srvtoolu_01Lost"')
UNANSWERED = Fault("must be followed by tool messages", "", "Not executed.")
UNTOLD = Fault("Expected toolResult blocks at messages.2.content", "", "Not executed.")
UNEQUAL = Fault("the number of function response parts is equal", "", "Not executed.")
UNASKED = Fault("No tool call found for function call output", '"function_call_output"', "input_text")


class Row(NamedTuple):
    package: str
    module: str  # what of it is imported
    program: str
    fault: Fault
    method: str = "prepare"  # what the daemon is asked for, and how often
    asked: int = 1
    provider: str = "anthropic"


WORKS = [
    Row("anthropic", "anthropic", "python_sdk.py", ORPHAN),
    Row("pydantic-ai", "pydantic_ai", "python_pydantic_ai.py", LOST),
    Row("litellm", "litellm", "python_litellm.py", ORPHAN),
    Row("langchain-anthropic", "langchain_anthropic", "python_langchain.py", ORPHAN),
    Row("openai", "openai", "python_openai.py", UNANSWERED, "repair", 2, "openai-chat"),
    Row("openai-agents", "agents", "python_openai_agents.py", UNASKED, "repair", 1, "openai-responses"),
    Row("litellm", "litellm", "python_openai_litellm.py", UNANSWERED, "repair", 1, "openai-chat"),
    Row("langchain-openai", "langchain_openai", "python_openai_langchain.py", UNANSWERED, "repair", 1, "openai-chat"),
    Row("boto3", "boto3", "python_boto3.py", UNTOLD, "repair", 1, "bedrock"),
    Row("google-genai", "google.genai", "python_gemini.py", UNEQUAL, "repair", 1, "gemini"),
]
OWN_TESTS = ("anthropic", "openai")  # of the SDKs: test_sdk.py, test_openai_sdk.py
ANSWER = "The pass is open, with chains."


def read(*place):
    with open(os.path.join(ROOT, *place), encoding="utf-8") as text:
        return text.read()


def installed(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # of the package that it is in
        return False


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = [w for w in WORKS if w.package not in OWN_TESTS and installed(w.module)]
        if not cls.rows:
            raise unittest.SkipTest("none of the packages is installed: see run_sdk_tests.sh")
        cls.daemon = real_daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def output(self, program, api):
        there = dict(os.environ, TURNKEEPER_SOCKET=self.daemon.socket)
        there.update(ANTHROPIC_BASE_URL=api.url, ANTHROPIC_API_KEY="none")
        there.update(OPENAI_BASE_URL=api.url + "/v1", OPENAI_API_KEY="none")
        there.update(GOOGLE_GEMINI_BASE_URL=api.url, GEMINI_API_KEY="none")
        there.update(AWS_ENDPOINT_URL_BEDROCK_RUNTIME=api.url, AWS_DEFAULT_REGION="us-east-1")
        there.update(AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none")
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

    def asked(self, method):
        with turnkeeper.Client(self.daemon.socket) as client:
            return client.stats().methods[method]["requests"]

    def judges(self, provider):
        """The daemon may be of a release that doesn't judge all of them."""
        with turnkeeper.Client(self.daemon.socket) as client:
            return provider in client.info().providers

    def test_refused_without_and_answered_with_it(self):
        for work in self.rows:
            with self.subTest(work.program), MessagesApi() as api:
                if not self.judges(work.provider):
                    self.skipTest("this daemon doesn't judge histories of %s" % work.provider)
                before = self.asked(work.method)
                said = self.output(work.program, api)
                without, guarded = said.removeprefix("without turnkeeper:\n").split(
                    "with turnkeeper:\n"
                )
                self.assertIn("400 ", without)
                self.assertIn(work.fault.words, without)
                self.assertNotIn(ANSWER, without)
                self.assertEqual(guarded.strip(), ANSWER)
                self.assertEqual(self.asked(work.method) - before, work.asked)
                stuck, mended = (body.decode() for body in api.bodies)
                self.assertIn(work.fault.stuck, stuck)
                self.assertIn(work.fault.mended, mended)
                if work.fault.stuck:
                    self.assertNotIn(work.fault.stuck, mended)
                if work.fault.mended:
                    self.assertNotIn(work.fault.mended, stuck)


class Table(unittest.TestCase):
    """"Works with" in doc/INTEGRATIONS.md has what is tested here."""

    def pinned(self, package):
        names = [n for n in os.listdir(HERE) if n.startswith("requirements-")]
        texts = [read("clients", "python", "tests", name) for name in sorted(names)]
        pattern = r"(?m)^%s(?:-slim)?==(\S+)" % re.escape(package)
        return {v for text in texts for v in re.findall(pattern, text)}

    def test_rows(self):
        section = read("doc", "INTEGRATIONS.md").partition("\n## Works with\n")[2].partition("\n## ")[0]
        rows = [line for line in section.splitlines() if line.startswith("| ")]
        for work in WORKS:
            (row,) = [row for row in rows if row.startswith("| %s " % work.package)]
            self.assertIn("(../examples/%s)" % work.program, row)
            told = set(re.findall(r"\d+\.\d+\.\d+", row.split("|")[2]))
            self.assertTrue(told, row)
            self.assertEqual(told, self.pinned(work.package))


if __name__ == "__main__":
    unittest.main()
