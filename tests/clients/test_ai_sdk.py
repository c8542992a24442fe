#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The AI SDK with turnkeeper: examples/ai-sdk, with the real packages, against a provider that is played here.

tests/sdk/install.sh installs the pinned packages; without them the test is skipped and says why.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.abspath(os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "..", "..")))
EXAMPLE = os.path.join(TOP, "examples", "ai-sdk")
sys.path += [os.path.join(TOP, "tests"), os.path.join(TOP, "clients", "python", "tests")]
from daemon import Daemon  # noqa: E402
from messages_api import MessagesApi  # noqa: E402

INSTALLED = os.path.join(os.environ.get("TK_SDK_FOLDER", ""), "ai-sdk")


def why_not():
    """Why the packages aren't here, or None."""
    if not os.environ.get("TK_SDK_FOLDER"):
        return "TK_SDK_FOLDER is not set; ./quickstart test sets it"
    try:
        with open(INSTALLED + ".skip", encoding="utf-8") as f:
            return f.read().strip()
    except FileNotFoundError:
        return None if os.path.exists(os.path.join(INSTALLED, "pinned")) else "not installed: tests/sdk/install.sh"


@unittest.skipIf(why_not(), why_not())
class Example(unittest.TestCase):
    def play(self, socket=None):
        """Returns what the program prints, and the requests that reached the provider."""
        with tempfile.TemporaryDirectory() as folder, Daemon() as daemon, MessagesApi() as api:
            shutil.copy(os.path.join(EXAMPLE, "chat.mjs"), folder)
            os.symlink(os.path.join(INSTALLED, "node_modules"), os.path.join(folder, "node_modules"))
            there = dict(os.environ, TURNKEEPER_SOCKET=socket or daemon.socket, ANTHROPIC_BASE_URL=api.url,
                         ANTHROPIC_API_KEY="k")
            done = subprocess.run(["node", os.path.join(folder, "chat.mjs")], env=there, capture_output=True,
                                  text=True, timeout=120)
            return done, [json.loads(body)["messages"] for body in api.bodies]

    def test_mended(self):
        done, requests = self.play()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        without, guarded = done.stdout.split("with turnkeeper:")
        self.assertIn("refused: messages.1: `web_search` tool use with id `srvtoolu_01Cut` was found without", without)
        self.assertIn("repaired: drop web_search at /messages/1/content/1", guarded)
        self.assertEqual(guarded.count("The pass is open, with chains."), 2)
        # The stored messages are the SDK's own: the second question comes after an answer with a whole search.
        self.assertIn("6 messages are stored", guarded)
        stuck, mended, again = requests
        self.assertIn("srvtoolu_01Cut", json.dumps(stuck))
        for request in (mended, again):
            self.assertNotIn("srvtoolu_01Cut", json.dumps(request))
        self.assertRegex(json.dumps(again), r'"server_tool_use".*"web_search_tool_result"')

    def test_no_daemon(self):
        done, _ = self.play(socket="/nonexistent/tk.sock")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("ENOENT", done.stderr)

    def test_installed_as_pinned(self):
        with open(os.path.join(EXAMPLE, "package.json"), encoding="utf-8") as f:
            pins = json.load(f)["dependencies"]
        for name, version in pins.items():
            self.assertTrue(re.fullmatch(r"\d+\.\d+\.\d+", version), "not pinned: " + name)
            with open(os.path.join(INSTALLED, "node_modules", name, "package.json"), encoding="utf-8") as f:
                self.assertEqual(json.load(f)["version"], version)


if __name__ == "__main__":
    unittest.main()
