#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Go client's own tests, one verdict for each; skipped where Go is missing or too old.

Also vet, format, staticcheck (tests/clients/install.sh has it), a short run of the fuzz target and the
example. go_tool.py says which Go does what.
"""
import collections
import json
import os
import re
import shutil
import sys
import tempfile
import unittest

from go_tool import CLIENT, EXAMPLE, GENAI, GOS, LOCAL, MODULES, OPENAI, OPENAI_EXAMPLE, SDK, TOP, needed, run, usable  # next to this file


def has_race(go):
    """The detector needs cgo and a C compiler."""
    return run(go, CLIENT, "go", "test", "-race", "-run", "^$", ".")[1] == 0


Verdict = collections.namedtuple("Verdict", "action output")


# Runs a command with a local provider and a daemon.
THROUGH = (sys.executable, os.path.join(TOP, "clients", "python", "tests", "messages_api.py"))


def verdicts(folder, go, *through, flags=None):
    """The tests of a module, by name. flags: instead of the race detector's."""
    if flags is None:
        flags = ["-race"] if has_race(go) else []
    output, code = run(go, folder, *through, "go", "test", "-json", "-count=1", *flags, "./...")
    texts, found = collections.defaultdict(str), {}
    for line in output.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            texts[""] += line + "\n"  # what doesn't compile
            continue
        test = event.get("Test", "").split("/")[0]
        texts[test] += event.get("Output", "")
        if event["Action"] in ("pass", "fail", "skip") and event.get("Test") == test != "":
            found[test] = event["Action"]
    if code and "fail" not in found.values():
        found["builds"] = "fail"
        texts["builds"] = "".join(texts.values())
    return {name: Verdict(action, texts[name]) for name, action in found.items()}


def add(case, name, verdict):
    def test(self):
        if verdict.action == "skip":
            reason = [line for line in verdict.output.splitlines() if ".go:" in line]
            self.skipTest(reason[-1].split(": ", 1)[-1] if reason else "no reason given")
        self.assertEqual(verdict.action, "pass", verdict.output)
    setattr(case, "test_" + name, test)


class Client(unittest.TestCase):
    pass


class Local(unittest.TestCase):
    pass


class ClientWithLocal(unittest.TestCase):
    """The client's tests once more, with the back end in process, whose answers are held against the daemon's."""


class Sdk(unittest.TestCase):
    pass


class OpenaiSdk(unittest.TestCase):
    pass


class GenaiSdk(unittest.TestCase):
    pass


class SdkInProcess(unittest.TestCase):
    """Those tests with the back end in process, and no daemon."""


class OpenaiSdkInProcess(unittest.TestCase):
    """Those tests with the back end in process, and no daemon."""


class GenaiSdkInProcess(unittest.TestCase):
    """Those tests with the back end in process, and no daemon."""


def staticcheck():
    """The program, or None; and why there is none."""
    folder = os.environ.get("TK_SDK_FOLDER", "")
    try:
        with open(os.path.join(folder, "staticcheck.skip"), encoding="utf-8") as f:
            why = f.read().strip()
    except OSError:
        why = "staticcheck is not installed: tests/clients/install.sh"
    return shutil.which("staticcheck", path=os.path.join(folder, "staticcheck")) or shutil.which("staticcheck"), why


@unittest.skipIf(MODULES[CLIENT][0] is None, MODULES[CLIENT][1])
class Checks(unittest.TestCase):
    def check(self, *command, go=None, of=None):
        for folder, its in [(of, go)] if of else usable():
            output, code = run(go or its, folder, *command)
            self.assertEqual(code, 0, output)

    def test_vet(self):
        self.check("go", "vet", "./...")

    def test_format(self):
        for folder, go in usable():
            self.assertEqual(run(go, folder, "gofmt", "-l", "."), ("", 0))

    def test_staticcheck(self):
        program, why = staticcheck()
        if not program:
            self.skipTest(why)
        for folder, go in usable():
            if go == GOS[0]:  # it reads what it was built with
                self.check(program, "./...", go=go, of=folder)

    def test_race_detector(self):
        if not has_race(GOS[0]):
            self.skipTest("no race detector here: tests ran without it")

    def test_builds_with_the_oldest(self):
        self.check("go", "vet", "./...", of=CLIENT, go=min(go for go in GOS if go.version >= needed(CLIENT)))

    def test_fuzz_for_a_moment(self):
        self.check("go", "test", "-run", "^$", "-fuzz", "FuzzSplices", "-fuzztime", "5s", "-parallel", "1", ".",
                   of=CLIENT, go=GOS[0])


@unittest.skipIf(MODULES[CLIENT][0] is None, MODULES[CLIENT][1])
class Readme(unittest.TestCase):
    def test_module_from_a_clone(self):
        """The commands that the README shows give a new program the client, without a network."""
        with open(os.path.join(CLIENT, "README.md"), encoding="utf-8") as f:
            commands = re.search(r"```sh\n(go mod edit -replace.*?)```", f.read(), re.S).group(1)
        self.assertIn("/path/to/turnkeeper/clients/go", commands)
        with open(os.path.join(TOP, "README.md"), encoding="utf-8") as f:
            self.assertIn(commands.splitlines()[0], f.read())
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "main.go"), "w", encoding="utf-8") as f:
                f.write('package main\n\nimport turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"\n\n'
                        'func main() { println(turnkeeper.Version) }\n')
            there = "go mod init example.com/mine\n" + commands.replace("/path/to/turnkeeper/clients/go", CLIENT)
            output, code = run(MODULES[CLIENT][0], folder, "env", "GOPROXY=off", "sh", "-ec",
                               there + "go run -buildvcs=false .\n")
        self.assertEqual(code, 0, output)


@unittest.skipIf(MODULES[LOCAL][0] is None, MODULES[LOCAL][1])
class LocalReadme(unittest.TestCase):
    def test_program_in_an_empty_folder(self):
        """The commands and the program that the README shows mend a history, and there is no daemon."""
        with open(os.path.join(LOCAL, "README.md"), encoding="utf-8") as f:
            text = f.read()
        commands = re.search(r"```sh\n(go mod init.*?)```", text, re.S).group(1)
        program = re.search(r"```go\n(package main.*?)```", text, re.S).group(1)
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "main.go"), "w", encoding="utf-8") as f:
                f.write(program)
            commands = commands.replace("/path/to/turnkeeper", TOP).replace("go run", "go run -buildvcs=false")
            output, code = run(MODULES[LOCAL][0], folder, "env", "-u", "TURNKEEPER_SOCKET", "GOFLAGS=-mod=mod", "sh", "-ec", commands)
        self.assertEqual(code, 0, output)
        answer = re.search(r"It prints\n\n(.*?)\n\n", text, re.S).group(1)
        self.assertTrue(output.endswith(answer.replace("    ", "", 1) + "\n"), output)


@unittest.skipIf(MODULES[EXAMPLE][0] is None, MODULES[EXAMPLE][1])
class Example(unittest.TestCase):
    def test_example(self):
        """The failure without turnkeeper, the success with it."""
        output, code = run(MODULES[EXAMPLE][0], EXAMPLE, *THROUGH, "go", "run", "-buildvcs=false", ".")
        self.assertEqual(code, 0, output)
        without, guarded = output.split("with turnkeeper")
        self.assertIn("without a corresponding `web_search_tool_result` block", without)
        self.assertNotIn("The pass is open", without)
        self.assertIn("The pass is open", guarded)


@unittest.skipIf(MODULES[OPENAI_EXAMPLE][0] is None, MODULES[OPENAI_EXAMPLE][1])
class OpenaiExample(unittest.TestCase):
    def test_example(self):
        """Both of OpenAI's APIs refuse a chat, and answer it with turnkeeper."""
        go = MODULES[OPENAI_EXAMPLE][0]
        output, code = run(go, OPENAI_EXAMPLE, *THROUGH, "go", "run", "-buildvcs=false", ".")
        if "doesn't judge openai" in output or "/params/provider" in output:
            self.skipTest("this daemon doesn't judge OpenAI's histories")
        self.assertEqual(code, 0, output)
        without, guarded = output.split("with turnkeeper:\n")[-2:]
        self.assertIn("must be followed by tool messages", without)
        self.assertIn("No tool call found for function call output", without)
        for api in ("Chat Completions", "Responses"):
            self.assertIn("    %s: 400 " % api, without)
            self.assertIn("    %s: The pass is open, with chains.\n" % api, guarded)
        self.assertEqual(guarded.count("repaired on its way"), 2)


def in_process(folder, to):
    """Writes to a folder what a run of a module with the package local needs. Returns the flags of go test.

    The module's own go.mod doesn't name that package, which can't be built without `make wasm`."""
    with open(os.path.join(LOCAL, "go.mod"), encoding="utf-8") as f:
        wazero = re.search(r"github.com/tetratelabs/wazero \S+", f.read()).group()
    local = "github.com/turnkeeper/turnkeeper/clients/go/local"
    added = {"go.mod": "\nrequire (\n\t%s\n\t%s v0.0.0\n)\n\nreplace %s => ../../local\n" % (wazero, local, local)}
    with open(os.path.join(LOCAL, "go.sum"), encoding="utf-8") as f:
        added["go.sum"] = f.read()
    for name, text in added.items():
        with open(os.path.join(folder, name), encoding="utf-8") as f, \
                open(os.path.join(to, name), "w", encoding="utf-8") as made:
            made.write(f.read() + text)
    name, overlay = "in_process_test.go", os.path.join(to, "overlay.json")
    with open(overlay, "w", encoding="utf-8") as f:
        json.dump({"Replace": {os.path.join(folder, name): os.path.join(folder, "testdata", name)}}, f)
    return ["-overlay", overlay, "-modfile", os.path.join(to, "go.mod")]


def load_in_process(case, folder, *through):
    """Adds the tests of a module once more, with the back end in process."""
    with tempfile.TemporaryDirectory() as to:
        load(case, folder, *through, of=LOCAL if MODULES[LOCAL][1] else folder, flags=in_process(folder, to))


def load(case, folder, *through, of=None, flags=None):
    """Adds the tests of a module; of: the one that says which Go they need."""
    go, why = MODULES[of or folder]
    if why:
        add(case, "all", Verdict("skip", "x.go: " + why))
        return
    for name, verdict in verdicts(folder, go, *through, flags=flags).items():
        add(case, name, verdict)


load(Client, CLIENT)
load(Local, LOCAL)
# Without the race detector: two daemons' work for each of 8,000 requests, and the detector sees nothing in the module.
load(ClientWithLocal, CLIENT, of=LOCAL, flags=["-overlay", os.path.join("local", "tests.json"), "-modfile", os.path.join("local", "tests.mod")])
load(Sdk, SDK)
load(OpenaiSdk, OPENAI, *THROUGH)
load(GenaiSdk, GENAI, *THROUGH)
load_in_process(SdkInProcess, SDK)
load_in_process(OpenaiSdkInProcess, OPENAI, *THROUGH)
load_in_process(GenaiSdkInProcess, GENAI, *THROUGH)

if __name__ == "__main__":
    unittest.main()
