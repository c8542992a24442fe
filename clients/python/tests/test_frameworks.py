# SPDX-License-Identifier: Apache-2.0
"""Gemini and Bedrock's Converse through LangChain, LiteLLM and pydantic-ai, as examples/python_gemini_frameworks.py and
python_bedrock_frameworks.py have them, against a local provider: what fails without turnkeeper, works with it, and is refused by
it. run_sdk_tests.sh installs what they need."""

import importlib.util
import logging
import os
import re
import sys
import unittest
from unittest import mock

from messages_api import MessagesApi
from support import ROOT, real_daemon

import turnkeeper

NEEDED = ("langchain_aws", "langchain_google_genai", "litellm", "pydantic_ai", "boto3", "httpx2")
if any(importlib.util.find_spec(name) is None for name in NEEDED):
    raise unittest.SkipTest("the frameworks are not installed: see run_sdk_tests.sh")
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else it asks the network for prices
sys.path.append(os.path.join(ROOT, "examples"))
import litellm
import python_bedrock_frameworks as bedrock
import python_gemini_frameworks as gemini

ANSWER = "The pass is open, with chains."
KEPT = {"policy": {"unanswered_call": "report"}}
TOKEN = {"AWS_BEARER_TOKEN_BEDROCK": "none"}  # boto3 wants TLS then, LiteLLM doesn't
UNEQUAL = "the number of function response parts is equal"
UNTOLD = "Expected toolResult blocks at messages.2.content"

# What asks, what the provider says without turnkeeper, what only the repaired body has, and the environment.
STUCK = [
    (gemini.langchain, UNEQUAL, "Not executed.", {}),
    (gemini.through_litellm, UNEQUAL, "Not executed.", {}),
    (gemini.pydantic_ai, UNEQUAL, '"functionResponse".*still there', {}),
    (bedrock.langchain, UNTOLD, "Not executed.", {}),
    (bedrock.through_litellm, UNTOLD, "Not executed.", TOKEN),
    (bedrock.pydantic_ai, UNTOLD, '"toolResult".*still there', {}),
]

# What asks and how, and the code or the name of the refusal.
REFUSED = [
    (gemini.langchain, KEPT, "gem_call_without_response", {}),
    (gemini.through_litellm, KEPT, "gem_call_without_response", {}),
    (gemini.pydantic_ai, {"tool": "2nd road"}, "gem_function_name", {}),
    (bedrock.langchain, KEPT, "brk_missing_tool_result", {}),
    (bedrock.through_litellm, KEPT, "brk_missing_tool_result", TOKEN),
    (bedrock.through_litellm, {}, "the header authorization binds the body", {}),
    (bedrock.pydantic_ai, {"tools": ()}, "brk_toolconfig_missing", {}),
]


def told(error):
    """Returns all that an exception tells its user: Bedrock's has the violations in a member."""
    return "%s %s" % (error, getattr(error, "response", ""))


class Frameworks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = real_daemon()
        cls.addClassCleanup(cls.daemon.stop)
        with turnkeeper.Client(cls.daemon.socket) as client:
            if not {"gemini", "bedrock"} <= set(client.info().providers):
                raise unittest.SkipTest("this daemon doesn't judge the histories of Gemini and Bedrock")
        litellm.suppress_debug_info = True
        logging.disable(logging.WARNING)  # of the frameworks about the keys
        cls.addClassCleanup(logging.disable, logging.NOTSET)

    def environment(self, api, more):
        there = dict(os.environ, TURNKEEPER_SOCKET=self.daemon.socket, **more)
        there.update(GOOGLE_GEMINI_BASE_URL=api.url, GEMINI_API_BASE=api.url, GEMINI_API_KEY="none")
        there.update(AWS_ENDPOINT_URL_BEDROCK_RUNTIME=api.url, AWS_BEDROCK_RUNTIME_ENDPOINT=api.url)
        there.update(AWS_DEFAULT_REGION="us-east-1", AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none")
        return mock.patch.dict(os.environ, there, clear=True)

    def refused(self, ask, *given, **options):
        with self.assertRaises(Exception) as caught:  # each framework has its own
            ask(*given, **options)
        return told(caught.exception)

    def test_refused_without_and_answered_with_it(self):
        for ask, said, mended, more in STUCK:
            with self.subTest(ask.__module__, ask=ask.__name__), MessagesApi() as api, self.environment(api, more):
                self.assertIn(said, self.refused(ask, False))
                self.assertEqual(ask(True), ANSWER)
                stuck, sent = (body.decode() for body in api.bodies)
                self.assertNotRegex(stuck, mended)
                self.assertRegex(sent, mended)

    def test_langchain_with_asyncio(self):
        with MessagesApi() as api, self.environment(api, {}):
            self.assertEqual(gemini.langchain(True, waiting=True), ANSWER)
            self.assertIn(b"Not executed.", api.bodies[0])

    def test_refused_with_it(self):
        for ask, options, said, more in REFUSED:
            with self.subTest(ask.__module__, ask=ask.__name__), MessagesApi() as api, self.environment(api, more):
                self.assertIn(said, self.refused(ask, True, **options))
                self.assertEqual(api.seen, [])


class Table(unittest.TestCase):
    """The rows of "Works with" in doc/INTEGRATIONS.md have the versions that are installed here."""

    def test_rows(self):
        with open(os.path.join(ROOT, "doc", "INTEGRATIONS.md"), encoding="utf-8") as text:
            rows = [line for line in text if "_frameworks.py)" in line]
        with open(os.path.join(ROOT, "clients/python/tests/requirements-frameworks.txt"), encoding="utf-8") as text:
            pinned = dict(re.findall(r"(?m)^([\w-]+?)(?:-slim)?==(\S+)", text.read()))
        told = [[cell.strip() for cell in row.split("|")[1:3]] for row in rows]
        self.assertEqual([package for package, _ in told].count("litellm"), 1)
        self.assertEqual(len(told), 4)
        for package, version in told:
            self.assertIn(pinned[package], version)


if __name__ == "__main__":
    unittest.main()
