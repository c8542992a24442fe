#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The npm package as it is packed: its files and types, in other engines and in a browser, and its command."""
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import unittest

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import npm_package  # noqa: E402

MENDED = [{"role": "user", "content": "Is it raining in Oslo?"},
          {"role": "assistant", "content": [{"type": "text", "text": "I'll look."}]},
          {"role": "user", "content": "And tomorrow?"}]
BROKEN = json.dumps({"model": "m", "max_tokens": 1.50, "messages": [
    MENDED[0], {"role": "assistant", "content": [{"type": "text", "text": "I\u2019ll look."}, {
        "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"n": 2**70}}]}, MENDED[2]]}).encode()
SOUND = json.dumps({"messages": MENDED}, indent=1).encode()
UNSAFE = json.dumps({"messages": [MENDED[0], {"role": "assistant", "content": [
    {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, {
        "type": "tool_use", "id": "a b", "name": "look", "input": {}}]}]}).encode()
CHAT = b'[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function",' \
    b'"function":{"name":"look","arguments":"{}"}}]},{"role":"user","content":"and?"}]'
# A history in a larger document, on many lines, with numbers that a double can't hold.
STORED = json.dumps({"user": 2**70, "chats": [{"messages": [MENDED[0]]}, json.loads(BROKEN), json.loads(BROKEN)],
                     "a/b": json.loads(UNSAFE)}, indent=2).encode()
CONTROL = json.dumps({"messages": [MENDED[0], {"role": "assistant", "content": [
    {"type": "tool_use", "id": "a\u001b[31m\u202e b", "name": "look", "input": {}}]}]}).encode()
FILES = {"stored.json": STORED, "policy.json": b'{"base": "preserve", "orphan_call": "textify"}', "empty.json": b"[]",
         "control.json": CONTROL, "long.jsonl": b"\n".join((SOUND.replace(b"\n", b""), BROKEN, b"", b"[]")),
         "open.jsonl": BROKEN + b"\n" + BROKEN,
         "broken.json": BROKEN, "sound.json": SOUND, "list.json": json.dumps(MENDED).encode(), "unsafe.json": UNSAFE,
         "chat.json": CHAT, "nonsense.json": b"nonsense", "lines.jsonl": b"\n".join((BROKEN, b"nonsense", b"", BROKEN)),
         "unsafe.jsonl": b"\r\n".join((UNSAFE, BROKEN)) + b"\n"}
NAMES = [name for name in FILES if name not in ("stored.json", "policy.json")]
OPEN = b"[%s]" % b",".join((b'{"role":"user","content":"q"}', b'{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1",'
                            b'"name":"look","input":{}}]}', b'{"role":"user","content":"and?"}'))
FILES.update({"open.json": OPEN, "two.jsonl": SOUND.replace(b"\n", b"") + b"\n\n" + OPEN + b"\nnonsense\n"})
CLAUDE = json.dumps({"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": json.loads(OPEN)}).encode()
EMPTY_TEXT = b'[{"role":"user","content":[{"type":"text","text":""}]},' \
    b'{"role":"assistant","content":"a"},{"role":"user","content":"b"}]'
PLAIN = b'[{"role":"user","content":"hi"},{"role":"assistant","content":""},{"role":"user","content":"there?"}]'
LANGCHAIN = b'[{"type":"human","content":"hi","additional_kwargs":{}},{"type":"ai","content":"a","additional_kwargs":{}}]'
FILES.update({"claude.json": CLAUDE, "empty_text.json": EMPTY_TEXT, "plain.json": PLAIN, "langchain.json": LANGCHAIN,
              "mixed.jsonl": b"\n".join((PLAIN, CHAT, PLAIN, b"nonsense", OPEN, PLAIN, PLAIN)),
              "first.jsonl": b"\n".join((PLAIN, CHAT, b"nonsense", PLAIN)), "guesses.jsonl": b"\n".join((PLAIN, PLAIN))})
# Words of the catalogue, and of nobody, as arguments of explain.
UNANSWERED = "messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."
TWICE = "messages.1.content.0: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1"
SIGNED = "messages.1.content.0: Invalid `signature` in `thinking` block"
TEXTS = [UNANSWERED % 1, TWICE, SIGNED, "messages: first message must use the \"user\" role", "Overloaded", "",
         "prompt is too long: 210000 tokens > 200000 maximum", "Corrupted thought signature.", "m" * 65536, "m" * 65537,
         "messages.1: `a\x1b[31m\u202e` tool use with id `b` was found without a corresponding `c_tool_result` block"]
EXPLAINED = [["explain", *options, text] for options in ([], ["--json"]) for text in TEXTS] + [
    ["explain", *options, text, name] for options in ([], ["--json"], ["-v"]) for text in (
        UNANSWERED % 0, UNANSWERED % 1, UNANSWERED % 9, TWICE, SIGNED, TEXTS[6])
    for name in ("open.json", "sound.json", "two.jsonl")] + [
    ["explain", "--at", "/chats/1", UNANSWERED % 1, "stored.json"], ["explain", "--jsonl", TWICE, "two.jsonl"],
    ["explain", "--color", "always", TWICE, "open.json"], ["explain", TWICE, "-"], ["explain", "-"], ["explain", "-", "open.json"],
    ["explain", TWICE, "nonsense.json"], ["explain", "--json", TWICE, "nonsense.json"], ["explain", TWICE, "absent.json"],
    ["explain", "--provider", "gemini", TWICE], ["explain", "--provider", "nobody", TWICE], ["explain", "--quiet", TWICE],
    ["explain", "--no-guard", TWICE], ["explain"], ["explain", "-", "-"], ["explain", "a", "b", "c"]]
OWN_WORDS = [
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following "
    "tool_call_ids did not have response messages: c", "messages.0.content.0: text content blocks must be non-empty",
    "messages: text content blocks must be non-empty", "messages.1: all messages must have non-empty content except for the "
    "optional final assistant message", "messages.1.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"]
# The explanation of a file: what repair makes of it, whose it is, and what is only a guess.
REPAIRED = [["explain", *options, text, name] for options in ([], ["--json"]) for text in OWN_WORDS for name in (
    "chat.json", "claude.json", "empty_text.json", "plain.json", "unsafe.json", "mixed.jsonl", "first.jsonl",
    "guesses.jsonl", "unsafe.jsonl")] + [
    ["explain", *options, OWN_WORDS[0], name] for options in (
        ["--provider", "openai-chat"], ["--provider", "anthropic"], ["--dialect", "anthropic"], ["--policy", "preserve"],
        ["--target", "compatible:gpt-4o"], ["--color", "always"], ["--json", "--policy", '{"orphan_call":"drop"}'])
    for name in ("chat.json", "plain.json", "mixed.jsonl")] + [
    ["explain", "-v", OWN_WORDS[4], "unsafe.json"], ["explain", "--json", TWICE, "absent.json"], ["explain", OWN_WORDS[1], "-"],
    ["explain", OWN_WORDS[1], "langchain.json"]]
# Files without a flag that says whose they are: Chat's, a guess that would lose a message, lines that follow others.
WHOSE = ["chat.json", "claude.json", "empty_text.json", "plain.json", "mixed.jsonl", "first.jsonl", "guesses.jsonl"]
DETECTED = [[command, *options, name] for name in WHOSE for command, options in (
    ("validate", ["-q"]), ("validate", ["--json"]), ("repair", []), ("repair", ["--json"]), ("repair", ["--diff"]), ("repair", ["--check"]),
    ("repair", ["-i"]), ("repair", ["-o", "out.json"]), ("repair", ["--provider", "anthropic"]), ("repair", ["--model", "gpt-4o"]))]
WORDS_OF_WHOSE = re.compile(r"^reading |--provider")
AT = ["--at", "/chats/1"]
LINES = EXPLAINED + REPAIRED + DETECTED + [["repair", name] for name in NAMES] + [["validate", "-q", name] for name in NAMES] + [
    [command, "--json", name] for command in ("validate", "repair") for name in NAMES] + [
    ["repair", "--diff", name] for name in NAMES] + [[command, *AT, *options, "stored.json"] for command, options in (
        ("validate", []), ("validate", ["--json"]), ("validate", ["-v"]), ("repair", []), ("repair", ["--json"]),
        ("repair", ["--diff"]), ("repair", ["-i"]), ("repair", ["-i", "--json"]), ("repair", ["-i", "--diff", "--no-backup"]))] + [
    ["validate", "--at", at, "stored.json"] for at in ("/a~1b", "/chats/0", "/chats/00", "/chats/3", "/chats", "/nothing", "/~2", "x", "/chats/-")
] + [["repair", "--at", "", "--diff", "broken.json"], ["repair", "--at", "/a", "nonsense.json"],
    ["validate", "--json", "broken.json", "lines.jsonl", "sound.json"], ["repair", "--json", "broken.json", "lines.jsonl", "unsafe.json"],
    ["repair", "--check", "--diff", "broken.json", "open.jsonl"], ["repair", "-i", "broken.json", "sound.json"],
    ["repair", "--diff", "-o", "out.json", "broken.json"], ["repair", "--json", "-o", "out.json", "broken.json"],
    ["repair", "--diff", "--color", "always", "broken.json"], ["validate", "--color=always", "-v", "unsafe.json"],
    ["validate", "--color", "always", "control.json"], ["validate", "--color", "never", "broken.json"],
    ["repair", "--policy", "@policy.json", "broken.json"], ["repair", "--max-document", "100000", "broken.json"],
    [*"validate --max-document 200 --json broken.json".split()], [*"repair --max-document 200 broken.json".split()],
    [*"validate --max-document 400 --json long.jsonl".split()], [*"repair --max-document 400 long.jsonl".split()],
    [*"validate --max-document 9 --json long.jsonl".split()], [*"validate --jsonl --max-document 200 --json long.jsonl".split()],
    ["repair"], ["repair", "-"], ["repair", "-o", "out.json", "broken.json"], ["repair", "-i", "broken.json"],
    ["repair", "-i", "--no-backup", "lines.jsonl"], ["repair", "-i", "sound.json"], ["repair", "--check", "broken.json"],
    ["repair", "--check", "sound.json"], ["repair", "--no-guard", "unsafe.json"], ["repair", "-o", "x", "unsafe.json"],
    ["repair", "--policy", "preserve", "broken.json"], ["repair", "--policy", '{"orphan_call":"textify"}', "broken.json"],
    ["repair", "--target=compatible:gpt-4o", "broken.json"], ["repair", "--provider", "openai-chat", "chat.json"],
    ["repair", "--jsonl", "sound.json"], ["validate", "-q", "--max-violations", "1", "unsafe.json"]]


class Installed(npm_package.Installed):
    def test_worker_without_the_file(self):
        """The module given as text, which a bundler needs for no file."""
        said = self.node("--input-type=module", "-e", """
            import { Turnkeeper } from "turnkeeper";
            import { wasm } from "turnkeeper/inline";
            console.log((await Turnkeeper.load({ wasm: wasm() })).ping().pong);""")
        self.assertEqual(said, "true\n")

    def test_ten_lines(self):
        self.assertEqual(json.loads(self.node("ten_lines.mjs")), MENDED)

    def test_guard(self):
        """guardFetch in a program, as an ES module and as CommonJS; the engines and the page below run it, too."""
        self.assertEqual(json.loads(self.node("guarded_lines.mjs")), MENDED)
        with open(os.path.join(self.package.user, "guarded_lines.mjs"), encoding="utf-8") as f:
            first, rest = f.read().split("\n", 1)
        self.assertEqual(first, 'import { guardFetch } from "turnkeeper";')
        self.assertEqual(json.loads(self.node("--input-type=commonjs", "-e", """
            const { guardFetch } = require("turnkeeper");
            (async () => { %s })();""" % rest)), MENDED)

    def test_page(self):
        browser = shutil.which("chromium") or shutil.which("chromium-browser")
        if browser is None:
            self.skipTest("no chromium (Debian: chromium)")
        for program in ("ten_lines.mjs", "guarded_lines.mjs"):
            with self.subTest(program):
                self.assertEqual(json.loads(self.node("page.mjs", browser, program)), MENDED)

    def engine(self, package, *path):
        """Returns the program of another engine."""
        why = npm_package.why_not(npm_package.TOOLS)
        program = os.path.join(npm_package.TOOLS, "node_modules", package, *path)
        if why or not os.path.exists(program):
            self.skipTest(why or "npm has no %s for this machine" % package)
        os.chmod(program, 0o755)
        return program

    def check_engine(self, *command):
        for program in ("ten_lines.mjs", "over_the_socket.mjs", "guarded_lines.mjs"):
            done = npm_package.run([*command, program], self.package.user, TURNKEEPER_SOCKET=self.daemon.socket,
                                   NO_COLOR="1")
            self.assertEqual(done.returncode, 0, done.stdout[-3000:])
            self.assertEqual(json.loads(done.stdout.strip().splitlines()[-1]), MENDED, done.stdout)

    def test_bun(self):
        self.check_engine(self.engine("@oven/bun-linux-x64", "bin", "bun"), "run")

    def test_deno(self):
        self.check_engine(self.engine("@deno/linux-x64-glibc", "deno"), "run", "--allow-all", "--no-lock", "--no-remote",
                          "--node-modules-dir=manual")

    def test_other_nodes(self):
        """The oldest release that the package says it runs on, and the newest that was there when it was pinned."""
        for name in ("node-18", "node-26"):
            with self.subTest(name):
                program = self.engine(name, "bin", "node")
                self.check_engine(program)
                for tests in ("local", "socket"):
                    done = npm_package.run([program, "--test", tests + ".test.mjs"], self.package.user)
                    self.assertEqual(done.returncode, 0, done.stdout[-3000:])

    def program(self, *line, given=None):
        """Runs the package's command and the program of the daemon; returns (status, output, messages) of both."""
        folder = os.path.join(self.package.folder, "work")
        own = os.path.join(self.package.user, "node_modules", ".bin", "turnkeeper")
        results = []
        for program in (own, os.environ["TURNKEEPER"]):
            shutil.rmtree(folder, ignore_errors=True)
            os.mkdir(folder)
            for name, content in FILES.items():
                with open(os.path.join(folder, name), "wb") as f:
                    f.write(content)
            done = subprocess.run([program, *line], cwd=folder, input=given, capture_output=True, timeout=120)
            there = {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}
            results.append((done.returncode, done.stdout, there, done.stderr.decode()))
        return results

    def test_command(self):
        """Compares status, output and files with those of the program of the daemon; every fourth line through it, too."""
        for n, line in enumerate(LINES):
            for place in ([], ["--socket", self.daemon.socket])[:1 if n % 4 else 2]:
                with self.subTest(line=line, place=bool(place)):
                    mine, wanted = self.program(*line, *place, given=FILES["broken.json"])
                    self.assertEqual(mine[:3], wanted[:3], mine[3])

    def test_command_says_whose_it_is(self):
        """On stderr: what shows the format, once for each, and which lines were read as others are."""
        for name in ("chat.json", "plain.json", "mixed.jsonl", "first.jsonl", "guesses.jsonl"):
            with self.subTest(name):
                mine, wanted = self.program("explain", OWN_WORDS[1], name)
                self.assertIn("reading ", wanted[3])
                self.assertEqual(mine[3], wanted[3])
            for line in (["validate"], ["repair"], ["repair", "--policy", "{\"unanswered_call\":\"report\"}"], ["repair", "-q"]):
                with self.subTest(name, line=line):
                    mine, wanted = self.program(*line, name)
                    self.assertEqual(*([told for told in said.splitlines() if WORDS_OF_WHOSE.search(told)] for said in (mine[3], wanted[3])))

    def test_command_says_what_is_wrong(self):
        for line, status, words in (
                (["--help"], 0, ""), (["--version"], 0, ""), ([], 2, "Usage: turnkeeper"), (["explain", "x"], 1, "no rule has these words"), (["rules"], 2, "rules"),
                (["repair", "--nobodys"], 2, "--nobodys"), (["validate", "-o", "x", "sound.json"], 2, "-o"),
                (["repair", "--max-violations", "many", "sound.json"], 2, "max-violations"),
                (["repair", "--policy", "{", "sound.json"], 2, "policy"), (["repair", "absent.json"], 2, "absent.json"),
                (["repair", "--socket", "/nonexistent/s", "sound.json"], 2, "/nonexistent/s"),
                (["repair", "-o", "x", "-i", "sound.json"], 2, "exclude"), (["repair", "--diff", "--json", "sound.json"], 2, "exclude"),
                (["repair", "--check", "-i", "sound.json"], 2, "--check"), (["repair", "-o", "-", "--diff", "sound.json"], 2, "stdout"),
                (["repair", "sound.json", "list.json"], 2, "several files"), (["repair", "-i", "-"], 2, "stdin"),
                (["repair", "-o", "x", "list.json", "sound.json"], 2, "--output"),
                (["repair", "--color", "red", "sound.json"], 2, "--color"), (["validate", "--at"], 2, "--at"),
                (["repair", "--max-document", "0", "sound.json"], 2, "--max-document"),
                (["repair", "--max-document", "1073741825", "sound.json"], 2, "--max-document"),
                (["repair", "--policy", "@absent.json", "sound.json"], 2, "absent.json"),
                (["validate", "--seals", "@broken.json", "sound.json"], 2, "expected a list"),
                (["repair", "-q", "nonsense.json"], 2, "nonsense.json:1:2: error"), (["repair", "unsafe.json"], 1, "way out: "),
                (["explain", TWICE, "langchain.json"], 2, "[dialect_mismatch]"),
                (["repair", "langchain.json"], 2, "[dialect_mismatch]"),
                (["repair", "-v", "unsafe.json"], 1, "the provider would answer: "),
                (["repair", "--color", "always", "unsafe.json"], 1, "\x1b[1;31merror\x1b[0m: "),
                (["validate", "broken.json"], 1, "not valid"), (["repair", "broken.json"], 0, "drop web_search")):
            with self.subTest(line=line):
                status_of_it, _, _, said = self.program(*line)[0]
                self.assertEqual(status_of_it, status, said)
                self.assertIn(words, said)

    def test_types(self):
        """As programs import them: attw for every way to resolve them, publint, and a program with the old compiler."""
        why = npm_package.why_not(npm_package.TOOLS)
        if why:
            self.skipTest(why)
        tools = os.path.join(npm_package.TOOLS, "node_modules")
        attw = os.path.join(tools, "@arethetypeswrong", "cli", "dist", "index.js")
        self.node(attw, self.package.file, "--exclude-entrypoints", "turnkeeper.wasm")
        self.node(os.path.join(tools, "publint", "src", "cli.js"), self.package.file, "--strict")
        compilers = [os.path.join(folder, "typescript", "bin", "tsc")
                     for folder in (tools, os.path.join(npm_package.COMPILER, "node_modules"))]
        for compiler in compilers:
            for module in ("nodenext", "esnext"):
                self.node(compiler, "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom",
                          "--module", module, "--moduleResolution", "nodenext" if module == "nodenext" else "bundler",
                          "types.ts")

    def test_packed_files(self):
        """Nothing but the package: no source, no test, no absolute path; the module is the one that make made."""
        with tarfile.open(self.package.file) as packed:
            names = [member.name for member in packed.getmembers()]
            own = packed.extractfile("package/dist/turnkeeper.wasm").read()
        with open(os.path.join(npm_package.BUILD, "turnkeeper.wasm"), "rb") as f:
            self.assertEqual(own, f.read())
        self.assertEqual({name.split("/")[1] for name in names}, {"package.json", "README.md", "LICENSE", "dist"})
        self.assertEqual([name for name in names if name.endswith(".ts") and not name.endswith(".d.ts")], [])


if __name__ == "__main__":
    unittest.main()
