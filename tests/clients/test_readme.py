#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the README shows of the Python client does what the README says, on the history that it shows.

Its first programs with the providers' SDKs run where those are installed: Programs of
clients/python/tests/test_sdk.py, TestFirstProgram of clients/go/internal/sdktest.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.abspath(os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "..", "..")))
sys.path.append(os.path.join(TOP, "tests"))
from daemon import Daemon  # noqa: E402

SOCKET = "/tmp/tk.sock"  # the one of the README's session


def readme():
    with open(os.path.join(TOP, "README.md"), encoding="utf-8") as f:
        return f.read()


class Python(unittest.TestCase):
    def run_it(self, history):
        program = re.search(r"```python\n(import json\n.*?)```", readme(), re.S).group(1)
        self.assertIn(SOCKET, program)
        with Daemon() as daemon, tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "chat.json"), "w", encoding="utf-8") as f:
                f.write(history)
            there = dict(os.environ, PYTHONPATH=os.path.join(TOP, "clients", "python", "src"))
            done = subprocess.run([sys.executable, "-W", "ignore", "-c", program.replace(SOCKET, daemon.socket)],
                                  cwd=folder, env=there, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_mended(self):
        history = re.search(r"cat >chat.json <<'END'\n(.*?)END\n", readme(), re.S).group(1)
        self.assertIn("server_tool_use", history)
        printed = self.run_it(history)
        self.assertIn("Let me look that up.", printed)
        self.assertNotIn("server_tool_use", printed)

    def test_refused(self):
        printed = self.run_it("""[{"role": "user", "content": "q"}, {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "t", "signature": "c2ln"},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
            {"type": "text", "text": "a"}]}, {"role": "user", "content": "n"}]""")
        self.assertIn("provider_executed_result_without_call", printed)
        self.assertIn("/messages/1/content/1", printed)


if __name__ == "__main__":
    unittest.main()
