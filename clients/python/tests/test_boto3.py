# SPDX-License-Identifier: Apache-2.0
"""boto3's client of Bedrock's Converse with the recipe of examples/python_boto3.py, against a local provider: what fails
without turnkeeper and works with it. run_sdk_tests.sh installs what it needs."""

import importlib.util
import os
import sys
import unittest

from messages_api import MessagesApi
from support import ROOT, real_daemon

import turnkeeper

if importlib.util.find_spec("boto3") is None:
    raise unittest.SkipTest("boto3 is not installed: see run_sdk_tests.sh")
import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

sys.path.append(os.path.join(ROOT, "examples"))
from python_boto3 import guard
from test_platform_sdks import KEYS, REGION, is_signed

ANSWER = "The pass is open, with chains."
MODEL = "amazon.nova-pro-v1:0"
TOOLS = {"tools": [{"toolSpec": {"name": "look", "inputSchema": {"json": {"type": "object"}}}}]}


def user(*blocks):
    return {"role": "user", "content": [{"text": block} if isinstance(block, str) else block for block in blocks]}


CALL = {"toolUse": {"toolUseId": "tooluse_1", "name": "look", "input": {}}}
RESULT = {"toolResult": {"toolUseId": "tooluse_1", "content": [{"text": "open"}]}}
CALLING = {"role": "assistant", "content": [CALL]}
QUESTION, AGAIN = user("How is the road? é"), user("And now?")

# A history that Bedrock refuses, what it says, and a text that has to be in the repaired one.
STUCK = [
    ([QUESTION, CALLING, AGAIN], "Expected toolResult blocks at messages.2.content", "Not executed."),
    ([QUESTION, user(RESULT), AGAIN], "exceeds the number of toolUse blocks", '"open"'),
    ([QUESTION, {"role": "assistant", "content": []}, AGAIN], "messages.1 is empty", "And now?"),
]
SOUND = [QUESTION, CALLING, user(RESULT), {"role": "assistant", "content": [{"text": "It is."}]}, AGAIN]


class Converse(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = real_daemon()
        cls.addClassCleanup(cls.daemon.stop)
        with turnkeeper.Client(cls.daemon.socket) as client:
            if "bedrock" not in client.info().providers:
                raise unittest.SkipTest("this daemon doesn't judge Bedrock's histories")

    def client(self, api, keeper=None):
        made = boto3.client(
            "bedrock-runtime",
            region_name=REGION,
            endpoint_url=api.url,
            aws_access_key_id=KEYS[0],
            aws_secret_access_key=KEYS[1],
            config=Config(retries={"total_max_attempts": 1}),
        )
        self.addCleanup(made.close)
        return made if keeper is None else guard(made, keeper)

    def keeper(self):
        made = turnkeeper.Client(self.daemon.socket)
        self.addCleanup(made.close)
        return made

    def ask(self, client, history, stream=False):
        """The text of the answer."""
        request = {"modelId": MODEL, "messages": history, "toolConfig": TOOLS}
        if not stream:
            return client.converse(**request)["output"]["message"]["content"][0]["text"]
        events = client.converse_stream(**request)["stream"]
        return "".join(event["contentBlockDelta"]["delta"]["text"] for event in events if "contentBlockDelta" in event)

    def refused(self, *given):
        with self.assertRaises(ClientError) as caught:
            self.ask(*given)
        error = caught.exception
        self.assertEqual(type(error).__name__, "ValidationException")
        self.assertEqual(error.response["ResponseMetadata"]["HTTPStatusCode"], 400)
        return error.response

    def test_stuck(self):
        for history, said, mended in STUCK:
            for stream in (False, True):
                with self.subTest(said, stream=stream), MessagesApi() as api:
                    self.assertIn(said, self.refused(self.client(api), history, stream)["Error"]["Message"])
                    self.assertEqual(self.ask(self.client(api, self.keeper()), history, stream), ANSWER)
                    stuck, sent = (body.decode() for body in api.bodies)
                    self.assertIn(mended, sent)
                    self.assertNotEqual(stuck, sent)
                    self.assertTrue(is_signed(api))

    def test_sound(self):
        with MessagesApi() as api:
            for keeper in (None, self.keeper()):
                self.assertEqual(self.ask(self.client(api, keeper), SOUND), ANSWER)
            plain, guarded = api.bodies
            self.assertEqual(plain, guarded)

    def test_what_nothing_repairs_is_refused_as_bedrock_would(self):
        """A history with calls needs the tools, which nobody but the caller has."""
        with MessagesApi() as api:
            client = self.client(api, self.keeper())
            with self.assertRaises(ClientError) as caught:
                client.converse(modelId=MODEL, messages=SOUND)
            error = caught.exception
            self.assertEqual(type(error).__name__, "ValidationException")
            self.assertIn("toolConfig field must be defined", str(error))
            self.assertEqual(error.response["turnkeeper"]["violations"][0]["code"], "brk_toolconfig_missing")
            self.assertEqual(api.seen, [])

    def test_a_daemon_that_is_gone(self):
        with MessagesApi() as api, turnkeeper.Client("/nonexistent") as nobody:
            with self.assertRaises(turnkeeper.ConnectFailed):
                self.ask(self.client(api, nobody), SOUND)
            self.assertEqual(api.seen, [])


if __name__ == "__main__":
    unittest.main()
