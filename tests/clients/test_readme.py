#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The README's examples of the Python client do what the README says, on the history that it shows; and the
demo's operations what they say.

Its loops run in Python and Go against a provider that is played here. Its first programs with the providers' SDKs run where those are installed: Programs of
clients/python/tests/test_sdk.py, TestFirstProgram of clients/go/internal/sdktest.
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
CLIENT = os.path.join(TOP, "clients", "python")
sys.path += [os.path.join(TOP, "tests"), os.path.join(CLIENT, "tests"), os.path.join(TOP, "examples")]
from daemon import Daemon  # noqa: E402
from demo_in_process import why_no_go  # noqa: E402
from go_tool import EXAMPLE, MODULES, run  # noqa: E402
from messages_api import MessagesApi  # noqa: E402

SOCKET = "/tmp/tk.sock"  # the one of the README's session


def readme():
    with open(os.path.join(TOP, "README.md"), encoding="utf-8") as f:
        return f.read()


class Session(unittest.TestCase):
    """The commands of the section "A session" print what is shown below them."""

    def test_prints_what_is_shown(self):
        section = re.search(r"\n## A session\n(.*?)\n## ", readme(), re.S).group(1)
        steps = re.findall(r"```sh\n(.*?)```\n\n((?:    [^\n]*\n)+)", section, re.S)
        self.assertEqual(len(steps), 2)
        start = re.compile(r"\./quickstart build\nexport PATH=.*\nturnkeeperd --socket .*\n")
        self.assertRegex(steps[0][0], start)
        programs = os.path.dirname(os.path.abspath(os.environ["TURNKEEPER"]))
        with Daemon() as daemon, tempfile.TemporaryDirectory() as folder:
            there = dict(os.environ, PATH=programs + os.pathsep + os.environ["PATH"], TURNKEEPER_SOCKET=daemon.socket)
            for commands, shown in steps:
                if "socat" in commands and not (shutil.which("socat") and shutil.which("jq")):
                    self.skipTest("socat or jq is not installed")
                done = subprocess.run(["bash", "-c", start.sub("", commands)], cwd=folder, env=there, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
                self.assertEqual(done.stdout, re.sub(r"(?m)^    ", "", shown))


class InProcess(unittest.TestCase):
    """The examples of the section about programs without a daemon are those of examples/in-process, which run."""

    FOLDER = os.path.join(TOP, "examples", "in-process")
    BUILD = os.path.abspath(os.environ.get("top_builddir", os.path.join(TOP, "build", "plain")))

    def shown(self, *path):
        with open(os.path.join(self.FOLDER, *path), encoding="utf-8") as f:
            self.assertIn(f.read().split("\n", 1)[1], readme())

    def printed(self, command, folder, **environment):
        done = subprocess.run(command, cwd=folder, env=dict(os.environ, **environment), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        first, _, rest = done.stdout.partition("\n")
        self.assertEqual(first, "drop /messages/1/content/1")
        self.assertIn("Let me look that up.", rest)
        self.assertNotIn("server_tool_use", rest)

    def test_python(self):
        self.shown("repair.py")
        self.printed([sys.executable, "-W", "ignore", "-B", "repair.py"], self.FOLDER,
                     PYTHONPATH=os.path.join(CLIENT, "src"),
                     TURNKEEPER_LIBRARY=os.path.join(self.BUILD, ".libs", "libturnkeeper.so.1"))

    def test_typescript(self):
        """test_typescript_package.py runs a program of the same lines with the packed file."""
        self.shown("repair.mjs")

    def test_go(self):
        with open(os.path.join(self.FOLDER, "go", "main.go"), encoding="utf-8") as f:
            body = re.search(r"func main\(\) \{\n(.*?)\n\}\n", f.read(), re.S).group(1)
        self.assertIn(re.sub(r"(?m)^\t", "", body), readme())
        reason = why_no_go(os.path.join(self.FOLDER, "go"))
        if reason:
            self.skipTest(reason)
        self.printed(["go", "run", "."], os.path.join(self.FOLDER, "go"), GOFLAGS="-buildvcs=false")


class Python(unittest.TestCase):
    def run_it(self, history):
        program = re.search(r"## From Python\n\n```python\n(.*?)```", readme(), re.S).group(1)
        self.assertIn(SOCKET, program)
        with Daemon() as daemon, tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "chat.json"), "w", encoding="utf-8") as f:
                f.write(history)
            there = dict(os.environ, PYTHONPATH=os.path.join(CLIENT, "src"))
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


class Loop(unittest.TestCase):
    """Three turns: a tool of the client's, a search that pauses, and its result with the answer."""

    CALL = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Oslo"}}
    SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "rain Oslo"}}
    FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    THINKING = {"type": "thinking", "thinking": "Two questions.", "signature": "c2ln"}
    TURNS = ({"content": [THINKING, CALL], "stop_reason": "tool_use"},
             {"content": [THINKING, SEARCH], "stop_reason": "pause_turn"},
             {"content": [FOUND, {"type": "text", "text": "It rains, and nobody wrote about it."}]})

    def loop(self, language, mark):
        (program,) = [block for block in re.findall(r"```%s\n(.*?)```" % language, readme(), re.S) if mark in block]
        return program

    def play(self, start):
        """Returns what a program prints, and the requests that reached the provider."""
        with Daemon() as daemon, MessagesApi(*self.TURNS) as api:
            there = dict(os.environ, TURNKEEPER_SOCKET=daemon.socket, ANTHROPIC_BASE_URL=api.url, ANTHROPIC_API_KEY="k")
            printed = start(there)
            return printed, [json.loads(body) for body in api.bodies], self.judged(daemon, api.bodies)

    def judged(self, daemon, bodies):
        done = [subprocess.run([os.environ["TURNKEEPER"], "validate", "--socket", daemon.socket, "-"], input=body,
                               capture_output=True) for body in bodies]
        return [one.returncode for one in done]

    def check(self, printed, requests, judged):
        self.assertIn("nobody wrote about it", printed)
        self.assertEqual(judged, [0, 0, 0])
        contents = [[m["content"] for m in request["messages"]][1:] for request in requests]
        result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "4 degrees, rain"}
        first, second = (turn["content"] for turn in self.TURNS[:2])
        self.assertEqual(contents, [[], [first, [result]], [first, [result], second]])
        for request in requests:
            self.assertEqual([tool["name"] for tool in request["tools"]], ["get_weather", "web_search"])

    def test_python(self):
        def start(there):
            there["PYTHONPATH"] = os.pathsep.join([os.path.join(CLIENT, "src"), os.path.join(TOP, "examples")])
            done = subprocess.run([sys.executable, "-B", "-W", "ignore", "-c", self.loop("python", "keeper.prepare")],
                                  env=there, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout

        self.check(*self.play(start))

    @unittest.skipIf(MODULES[EXAMPLE][0] is None, MODULES[EXAMPLE][1])
    def test_go(self):
        with open(os.path.join(EXAMPLE, "loop", "main.go"), encoding="utf-8") as f:
            self.assertEqual(f.read().split("\n\n", 1)[1], self.loop("go", "keeper.Prepare"))

        def start(there):
            names = ("TURNKEEPER_SOCKET", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY")
            given = ["%s=%s" % (name, there[name]) for name in names]
            output, code = run(MODULES[EXAMPLE][0], EXAMPLE, "env", *given, "go", "run", "-buildvcs=false", "./loop")
            self.assertEqual(code, 0, output)
            return output

        self.check(*self.play(start))


class Demo(unittest.TestCase):
    """The operations in `./quickstart demo`: each history that the provider refuses is repaired."""

    def test_operations(self):
        folders = (os.path.join(TOP, "examples"), os.path.join(TOP, "tests"), os.path.join(CLIENT, "src"))
        with Daemon() as daemon:
            done = subprocess.run(
                [sys.executable, "-B", "-W", "ignore", "-c", "import demo, demo_operations, sys\n"
                 "demo_operations.show(sys.argv[1], demo.title)", daemon.socket],
                env=dict(os.environ, PYTHONPATH=os.pathsep.join(folders)), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        loop, tools, replay, prepared = done.stdout.split("-" * 96)[1:]
        for part, refused, accepted in ((loop, 2, 1), (tools, 2, 1), (replay, 1, 2), (prepared, 0, 1)):
            said = [line for line in part.splitlines() if line.startswith("the provider:")]
            self.assertEqual(["accepts" in line for line in said], [False] * refused + [True] * accepted, part)
        self.assertIn("blocks in the latest", replay)
        self.assertIn("found to be reordered, restored from its seal; the turn is as it was received: True", replay)
        self.assertIn("2 thoughts became text", replay)
        self.assertIn("'anthropic-beta': 'web-search-2025-03-05'", prepared)
        self.assertIn("safe: True; the turn is intact", prepared)


if __name__ == "__main__":
    unittest.main()
