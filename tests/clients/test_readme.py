#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands and programs of the README, doc/DAEMON.md and doc/INTEGRATIONS.md do what is said there, and so do the demo's operations.

The loops of doc/INTEGRATIONS.md run in Python and Go against a provider that is played here. The guard in three lines, and
the first programs of the clients' READMEs, run where the providers' SDKs are installed: Programs of
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


def readme():
    with open(os.path.join(TOP, "README.md"), encoding="utf-8") as f:
        return f.read()


def page(name):
    with open(os.path.join(TOP, "doc", name), encoding="utf-8") as f:
        return f.read()


def steps(text):
    """Returns the commands, each with the output that is shown below it."""
    found = re.findall(r"```sh\n(.*?)```\n\n((?:    [^\n]*\n)+)", text, re.S)
    return [(commands, re.sub(r"(?m)^    ", "", shown)) for commands, shown in found]


def section(name, text):
    return re.search(r"\n##+ %s\n(.*?)\n## " % name, text, re.S).group(1)


class Shell(unittest.TestCase):
    """Commands print what is shown below them."""

    PROGRAMS = os.path.dirname(os.path.abspath(os.environ["TURNKEEPER"]))
    PATH = PROGRAMS + os.pathsep + os.environ["PATH"]

    def output(self, commands, folder, **environment):
        done = subprocess.run(["bash", "-c", commands], cwd=folder, env=dict(os.environ, PATH=self.PATH, **environment),
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        return done.stdout

    def test_the_beginning(self):
        """The provider's words are those of the rule that the repair names."""
        words, command, shown = re.match(r"# turnkeeper\n\n    (.*?)\n.*?    \$ (.*?)\n(.*?)\n\n", readme(), re.S).groups()
        explained = subprocess.run([os.environ["TURNKEEPER"], "explain", words], text=True, capture_output=True)
        self.assertEqual(explained.stdout.split(" ")[0], "provider_executed_call_without_result")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(TOP, "examples", "in-process", "chat.json"), folder)
            self.assertEqual(self.output(command, folder), re.sub(r"(?m)^    ", "", shown) + "\n")

    def test_a_session(self):
        """The commands of "A session with the daemon", and those by hand that go on with its file."""
        text = page("INTEGRATIONS.md")
        by_hand = text.partition("\n## By hand\n")[2]
        all_steps = steps(section("A session with the daemon", text) + "\n") + steps(by_hand + "\n")
        self.assertEqual(len(all_steps), 2)
        start = re.compile(r"\./quickstart build\nexport PATH=.*\nturnkeeperd --socket .*\n")
        self.assertRegex(all_steps[0][0], start)
        with Daemon() as daemon, tempfile.TemporaryDirectory() as folder:
            for commands, shown in all_steps:
                if "socat" in commands and not (shutil.which("socat") and shutil.which("jq")):
                    self.skipTest("socat or jq is not installed")
                printed = self.output(start.sub("", commands), folder, TURNKEEPER_SOCKET=daemon.socket)
                self.assertEqual(printed, shown)

    def test_rows_for_fine_tuning(self):
        ((commands, shown),) = steps(section("Rows for fine-tuning", page("DAEMON.md")) + "\n")
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.output(commands, folder), shown)


class Guards(unittest.TestCase):
    """The lines of the guards are in programs that the tests of the SDKs run."""

    def shown(self, language, mark):
        (block,) = [b for b in re.findall(r"```%s\n(.*?)```" % language, readme(), re.S) if mark in b]
        return block.strip()

    def test_typescript(self):
        """test_typescript_guard.py compiles such lines against the SDK's types, and runs them."""
        with open(os.path.join(TOP, "clients", "typescript", "README.md"), encoding="utf-8") as f:
            self.assertIn(self.shown("ts", "guardFetch"), f.read())

    def test_go(self):
        """TestFirstProgram of sdktest runs the lines of the client's README, which ask a daemon."""
        with open(os.path.join(TOP, "clients", "go", "README.md"), encoding="utf-8") as f:
            program = f.read()
        for line in self.shown("go", "FailClosed").replace("local.Backend()", "").splitlines():
            inner = re.sub(r"^client := anthropic\.NewClient\((.*)\)$", r"\1", line)
            self.assertIn(inner, program)

    def test_install_of_go(self):
        """LocalReadme of test_go.py runs these lines."""
        lines = re.search(r"```sh\n(go mod edit.*?)```", readme(), re.S).group(1)
        with open(os.path.join(TOP, "clients", "go", "local", "README.md"), encoding="utf-8") as f:
            self.assertIn(lines, f.read())


class InProcess(unittest.TestCase):
    """The examples of the sections about programs without a daemon are those of examples/in-process, which run."""

    FOLDER = os.path.join(TOP, "examples", "in-process")
    BUILD = os.path.abspath(os.environ.get("top_builddir", os.path.join(TOP, "build", "plain")))

    def shown(self, program, text):
        with open(os.path.join(self.FOLDER, program), encoding="utf-8") as f:
            self.assertIn(f.read().split("\n", 1)[1], text)

    def printed(self, command, folder, **environment):
        done = subprocess.run(command, cwd=folder, env=dict(os.environ, **environment), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        first, _, rest = done.stdout.partition("\n")
        self.assertEqual(first, "drop /messages/1/content/1")
        self.assertIn("Let me look that up.", rest)
        self.assertNotIn("server_tool_use", rest)

    def test_python(self):
        self.shown("repair.py", readme())
        self.printed([sys.executable, "-W", "ignore", "-B", "repair.py"], self.FOLDER,
                     PYTHONPATH=os.path.join(CLIENT, "src"),
                     TURNKEEPER_LIBRARY=os.path.join(self.BUILD, ".libs", "libturnkeeper.so.1"))

    def test_typescript(self):
        """test_typescript_package.py runs a program of the same lines with the packed file."""
        self.shown("repair.mjs", page("INTEGRATIONS.md"))

    def test_go(self):
        with open(os.path.join(self.FOLDER, "go", "main.go"), encoding="utf-8") as f:
            body = re.search(r"func main\(\) \{\n(.*?)\n\}\n", f.read(), re.S).group(1)
        self.assertIn(re.sub(r"(?m)^\t", "", body), page("INTEGRATIONS.md"))
        reason = why_no_go(os.path.join(self.FOLDER, "go"))
        if reason:
            self.skipTest(reason)
        self.printed(["go", "run", "."], os.path.join(self.FOLDER, "go"), GOFLAGS="-buildvcs=false")


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
        blocks = re.findall(r"```%s\n(.*?)```" % language, page("INTEGRATIONS.md"), re.S)
        (program,) = [block for block in blocks if mark in block]
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
