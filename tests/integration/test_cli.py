#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line program as scripts and people meet it: bytes in, bytes out, exit statuses.

Run through tests/tap.py, or with unittest. $TURNKEEPER is the program; with $TURNKEEPERD what
needs a daemon is run as well. Answers that no healthy daemon gives come from a socket of our own.
"""
import contextlib
import errno
import json
import os
import pty
import re
import resource
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

TOP = os.environ.get("top_srcdir", ".")
sys.path[:0] = [os.path.join(TOP, "tests")]
from daemon import Daemon  # noqa: E402

PROGRAM = os.environ.get("TURNKEEPER", "turnkeeper")
HAS_DAEMON = shutil.which(os.environ.get("TURNKEEPERD", "turnkeeperd")) is not None
TIMEOUT = 120

OK, ERRORS, FAILED = 0, 1, 2
COMMANDS = {"validate", "repair", "splice", "tools", "prepare", "seal", "stream", "rules", "health", "stats", "info", "ping", "call"}

# ---- histories ----

QUESTION = {"role": "user", "content": "What is new?"}
ANSWER = {"role": "assistant", "content": [{"type": "text", "text": "Nothing."}]}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "news"}}
HITS = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1",
        "content": [{"type": "web_search_result", "title": "News", "url": "https://example.com",
                     "encrypted_content": "abc", "page_age": None}]}
THINKING = {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmF0dXJl"}
SAYS = {"type": "text", "text": "I look."}

CLEAN = [QUESTION, ANSWER, QUESTION]
ORPHAN_CALL = [QUESTION, {"role": "assistant", "content": [SAYS, SEARCH]}, QUESTION]
ORPHAN_RESULT = [QUESTION, {"role": "assistant", "content": [SAYS, HITS]}, QUESTION]
TWO_FAULTS = json.loads(json.dumps(ORPHAN_CALL[:2] + ORPHAN_RESULT).replace('tool_use_id": "srvtoolu_1', 'tool_use_id": "srvtoolu_2'))
UNSAFE = [QUESTION, {"role": "assistant", "content": [THINKING, HITS, SAYS]}, QUESTION]

CALL_CODE = "provider_executed_call_without_result"
RESULT_CODE = "provider_executed_result_without_call"


def line(document):
    return json.dumps(document, ensure_ascii=False).encode() + b"\n"


# A body as people write them: the messages are on lines of their own, numbers and escapes odd.
BODY_HEAD = b'{\r\n  "model": "m\\u0061", "temperature": 1.0,\n  "messages" : '
BODY_TAIL = b' ,\n  "max_tokens": 1e3, "metadata": {"user_id": "\\/x"}\n}\n\n'


def body(messages):
    return BODY_HEAD + json.dumps(messages, indent=2).encode() + BODY_TAIL


# ---- running it ----


def environment(**changes):
    env = {k: v for k, v in os.environ.items() if k not in ("TURNKEEPER_SOCKET", "NO_COLOR", "TERM")}
    env.update(changes)
    return env


def run(*args, stdin=b"", env=None, **options):
    return subprocess.run([PROGRAM, *map(str, args)], input=stdin, capture_output=True, timeout=TIMEOUT,
                          env=env or environment(), **options)


def read_terminal(master):
    """What was written to a terminal, until its other side is closed everywhere."""
    pieces = []
    with contextlib.suppress(OSError):
        while True:
            piece = os.read(master, 65536)
            if not piece:
                break
            pieces.append(piece)
    os.close(master)
    return b"".join(pieces)


def run_on_terminal(*args, stdout=False, stderr=False, env=None):
    """Runs with a terminal as stdout, stderr or both; returns status, its bytes, and what went to pipes."""
    try:
        master, slave = pty.openpty()
    except OSError as why:  # a chroot without /dev/pts
        raise unittest.SkipTest("no terminal to be had: %s" % why) from why
    process = subprocess.Popen([PROGRAM, *map(str, args)], stdin=subprocess.DEVNULL,
                               stdout=slave if stdout else subprocess.PIPE,
                               stderr=slave if stderr else subprocess.PIPE,
                               env=env or environment(TERM="xterm"))
    os.close(slave)
    shown = []
    reader = threading.Thread(target=lambda: shown.append(read_terminal(master)))
    reader.start()
    out, err = process.communicate(timeout=TIMEOUT)
    reader.join()
    return process.returncode, shown[0], (out or b"") + (err or b"")


class Case(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, content, name="chat.json"):
        with open(self.path(name), "wb") as f:
            f.write(content)
        return self.path(name)

    def content(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def assertStatus(self, done, status):
        self.assertEqual(done.returncode, status, done.stderr.decode(errors="replace"))


# ---- usage ----


class Usage(Case):
    def usage_error(self, *args, status=FAILED, says=""):
        done = run(*args)
        with self.subTest(args=args):
            self.assertStatus(done, status)
            self.assertIn(says, done.stderr.decode())
            self.assertIn("--help", done.stderr.decode())
        return done

    def test_usage_errors(self):
        for args, says in [
                ((), "no command"),
                (("mend",), "unknown command 'mend'"),
                (("stream", "file"), "unexpected argument 'file'"),
                (("validate",), "validate needs FILE|-"),
                (("validate", "a", "b"), "unexpected argument 'b'"),
                (("validate", "--colour", "a"), "unknown option '--colour'"),
                (("validate", "-x", "a"), "unknown option '-x'"),
                (("validate", "a", "--dialect"), "needs an argument"),
                (("validate", "--jsonl=1", "a"), "--jsonl takes no argument"),
                (("validate", "--no-guard", "a"), "validate has no option --no-guard"),
                (("repair", "--json", "a"), "repair has no option --json"),
                (("ping", "--policy", "x"), "ping has no option --policy"),
                (("validate", "--max-violations", "-1", "a"), "needs a number"),
                (("validate", "--max-violations", "1x", "a"), "needs a number"),
                (("validate", "--timeout-ms", "0", "a"), "from 1"),
                (("validate", "--max-document", "99999999999999999999", "a"), "needs a number"),
                (("validate", "--color", "red", "a"), "auto, always or never"),
                (("validate", "--policy", "{", "a"), "--policy"),
                (("validate", "--policy", '{}, "x": {}', "a"), "--policy"),
                (("validate", "--seals", "x", "a"), "--seals"),
                (("validate", "--dialect", b"\xff", "a"), "not UTF-8"),
                (("repair", "-i", "-o", "b", "a"), "exclude each other"),
                (("repair", "-i", "-"), "not stdin"),
                (("call",), "call needs METHOD"),
                (("call", "ping", "{"), "PARAMS"),
                (("call", "ping", "{} {}"), "PARAMS"),
        ]:
            args = [os.fsdecode(a) if isinstance(a, bytes) else a for a in args]
            self.usage_error(*args, says=says)

    def test_usage_of_the_monitoring_plugin(self):
        done = self.usage_error("health", "--bogus", status=3)
        self.assertTrue(done.stdout.startswith(b"TURNKEEPER UNKNOWN - "), done.stdout)
        self.usage_error("health", "extra", status=3)
        self.usage_error("health", "--timeout-ms", "soon", status=3)

    def test_help_and_version(self):
        done = run("--help")
        self.assertStatus(done, OK)
        named = set(re.findall(r"^  ([a-z]+)  ", done.stdout.decode(), re.M))
        self.assertEqual(named, COMMANDS)
        for command in sorted(COMMANDS):
            done = run(command, "--help")
            self.assertStatus(done, OK)
            self.assertIn("Usage: turnkeeper " + command, done.stdout.decode())
            self.assertEqual(run(command, "--bogus", "--help").returncode, 3 if command == "health" else FAILED)
        self.assertRegex(run("--version").stdout.decode(), r"^turnkeeper \d+\.\d+\.\d+\n$")

    def test_options_may_stand_anywhere(self):
        path = self.file(line(CLEAN))
        for args in [("--dialect", "anthropic", "validate", path), ("validate", path, "--dialect=anthropic"),
                     ("-q", "validate", "--", path)]:
            self.assertStatus(run(*args), OK)
        os.rename(path, self.path("--jsonl"))
        self.assertStatus(run("validate", "--", "--jsonl", cwd=self.folder), OK)

    def test_the_core_refuses_a_parameter(self):
        path = self.file(line(CLEAN))
        for option, value in [("--dialect", "klingon"), ("--policy", "harsh"), ("--provider", "nobody"),
                              ("--policy", '{"orphan_call": "wish"}'), ("--target", '{"planet": 1}')]:
            for command in ("validate", "repair"):
                done = run(command, option, value, path)
                self.assertStatus(done, FAILED)
                self.assertEqual(done.stdout, b"")
                self.assertIn(option, done.stderr.decode())


# ---- validate ----


class Validate(Case):
    def test_clean(self):
        for content in (line(CLEAN), body(CLEAN), line(CLEAN).rstrip(), b" \n" + line({"messages": CLEAN})):
            done = run("validate", self.file(content))
            self.assertStatus(done, OK)
            self.assertEqual(done.stdout, b"")
            self.assertRegex(done.stderr, rb": valid, 0 findings \(3 messages, 3 parts\)\n$")

    def test_findings_as_a_compiler_writes_them(self):
        for content in (line(ORPHAN_CALL), body(ORPHAN_CALL)):
            path = self.file(content)
            done = run("validate", path)
            self.assertStatus(done, ERRORS)
            self.assertRegex(done.stdout.decode(),
                             r"^%s:/messages/1/content/1: error: [^\n]+ \[%s\]\n$" % (re.escape(path), CALL_CODE))
            self.assertRegex(done.stderr.decode(), r"not valid, 1 finding \(3 messages")
            self.assertRegex(done.stderr.decode(), r"\n +1  error %s\n$" % CALL_CODE)

    def test_stdin(self):
        done = run("validate", "-", stdin=line(ORPHAN_CALL))
        self.assertStatus(done, ERRORS)
        self.assertTrue(done.stdout.startswith(b"-:/messages/1/content/1: error: "), done.stdout)

    def test_json(self):
        done = run("validate", "--json", self.file(body(TWO_FAULTS)))
        self.assertStatus(done, ERRORS)
        self.assertEqual(done.stdout.count(b"\n"), 1)
        result = json.loads(done.stdout)
        self.assertFalse(result["valid"])
        self.assertEqual([v["code"] for v in result["violations"]], [CALL_CODE, RESULT_CODE])

    def test_all_are_counted(self):
        done = run("validate", "--max-violations", 1, self.file(line(TWO_FAULTS)))
        self.assertStatus(done, ERRORS)
        self.assertEqual(done.stdout.count(b"error: "), 1)
        self.assertIn(b": note: 1 more finding not listed", done.stdout)
        self.assertIn(b"not valid, 2 findings", done.stderr)
        done = run("validate", "--max-violations", 0, self.file(line(TWO_FAULTS)))
        self.assertStatus(done, ERRORS)
        self.assertIn(CALL_CODE.encode(), done.stderr)

    def test_verbose_and_quiet(self):
        path = self.file(line(ORPHAN_CALL))
        plain, verbose = run("validate", path), run("validate", "-v", path)
        self.assertTrue(verbose.stdout.startswith(plain.stdout))
        self.assertIn(b": note: the provider would answer: ", verbose.stdout)
        self.assertEqual(run("validate", "-q", path).stderr, b"")

    def test_parameters_reach_the_core(self):
        path = self.file(line(ORPHAN_CALL))
        policy = self.file(b' {"base": "preserve",\n "orphan_call": "report"}\n', "policy.json")
        for value in ("preserve", '{"base":"preserve"}', "@" + policy):
            self.assertStatus(run("validate", "--policy", value, path), ERRORS)
        fantasy = [QUESTION, {"role": "assistant", "content": [
            {"type": "tool-call", "data": {"tool_call_id": "srvtoolu_1", "tool_name": "web_search",
                                           "input": "{}", "provider_executed": True}}]}, QUESTION]
        fantasy[0] = fantasy[2] = {"role": "user", "content": [{"type": "text", "data": {"text": "q"}}]}
        done = run("validate", "--dialect", "fantasy", self.file(line(fantasy)))
        self.assertIn(CALL_CODE.encode(), done.stdout)

    def test_nothing_steers_the_terminal(self):
        evil = "srv\x1b[2J\u009b\u202e\ud800"
        chat = json.loads(json.dumps(ORPHAN_CALL).replace("srvtoolu_1", json.dumps(evil)[1:-1]))
        path = self.path("x")
        with open(path, "w", encoding="ascii") as f:
            json.dump(chat, f)
        for args in (("validate", path), ("repair", path)):
            done = run(*args)
            text = (done.stdout if args[0] == "validate" else b"") + done.stderr
            for bad in (b"\x1b", b"\xc2\x9b", b"\xe2\x80\xae", b"\xed\xa0"):
                self.assertNotIn(bad, text)
            text.decode()


class Unreadable(Case):
    DOCUMENTS = [
        (b"", "parse_error"),
        (b"  \n \n", "parse_error"),
        (b"not json", "parse_error"),
        (b"\xef\xbb\xbf[]", "parse_error"),
        (bytes(range(256)) * 40, "parse_error"),
        (b"\0" * 5000, "parse_error"),
        (b'[{"role": "user", "content": "\xff"}]', "parse_error"),
        (b'{"messages": [', "parse_error"),
        (b'{"messages": [{"role": "user", "content": "hello', "parse_error"),
        (b'{"messages": [], "messages": []}', "duplicate_key"),
        (b"[] trailing", "trailing_bytes"),
        (b"[" * 300 + b"]" * 300, "too_deep"),
        (b"[" * 1000000, "too_deep"),
        (b"[" + b"0," * 1100000 + b"0]", "too_many_values"),
        (b"{}", "invalid_params"),
        (b'{"role": "user", "content": "a message alone"}', "invalid_params"),
        (b'{"messages": 7}', "invalid_params"),
        (b"[7]", "invalid_params"),
    ]

    def test_unreadable_documents(self):
        for content, name in self.DOCUMENTS:
            path = self.file(content)
            for command in ("validate", "repair"):
                with self.subTest(content=content[:40], command=command):
                    done = run(command, path)
                    self.assertStatus(done, FAILED)
                    self.assertEqual(done.stdout, b"")
                    self.assertTrue(done.stderr.startswith(path.encode() + b":"), done.stderr)
                    self.assertIn(": error: ", done.stderr.decode())
                    self.assertIn("[%s]" % name, done.stderr.decode())

    def test_place(self):
        path = self.file(b'{\n  "messages": [],\n  "n": 01\n}\n')
        self.assertIn(path + ":3:", run("validate", path).stderr.decode())
        path = self.file(b'[{"role": "user", "content": "a"}, 7]')
        self.assertIn(path + ":/messages/1: error: ", run("validate", path).stderr.decode())
        path = self.file(b'{"messages": [{"role": "user", "content": [7]}]}')
        self.assertIn(path + ":/messages/0/content/0: error: ", run("validate", path).stderr.decode())

    def test_an_error_object_with_json(self):
        done = run("validate", "--json", self.file(b"{,}"))
        self.assertStatus(done, FAILED)
        self.assertEqual(json.loads(done.stdout)["error"]["name"], "parse_error")
        self.assertEqual(json.loads(done.stdout)["error"]["offset"], 1)

    def test_no_file(self):
        for path, says in [("missing.json", errno.ENOENT), (".", errno.EISDIR)]:
            for command in ("validate", "repair"):
                done = run(command, path, cwd=self.folder)
                self.assertStatus(done, FAILED)
                self.assertIn(os.strerror(says), done.stderr.decode())

    def test_a_document_over_the_limit(self):
        path = self.file(line(CLEAN) * 1)
        size = os.path.getsize(path)
        self.assertStatus(run("validate", "--max-document", size, path), OK)
        done = run("repair", "--max-document", size - 1, path)
        self.assertStatus(done, FAILED)
        self.assertEqual(done.stdout, b"")
        self.assertIn("longer than %d bytes" % (size - 1), done.stderr.decode())


# ---- JSONL ----


class Jsonl(Case):
    MIX = [line(CLEAN), line(ORPHAN_CALL), b"\n", b"not json\n", b"  \r\n", line({"messages": ORPHAN_RESULT, "n": 1}),
           line(UNSAFE), b'{"a": 1}\n', line(CLEAN).rstrip()]

    def test_validate(self):
        path = self.file(b"".join(self.MIX))
        done = run("validate", path)
        self.assertStatus(done, FAILED)
        places = [text.split(": ")[0] for text in done.stdout.decode().splitlines()]
        self.assertEqual(places, [path + ":2:/messages/1/content/1", path + ":6:/messages/1/content/1",
                                  path + ":7:/messages/1/content/1"])
        errors = done.stderr.decode()
        self.assertRegex(errors, re.escape(path) + r":4(:\d+)?: error: [^\n]* \[parse_error\]\n")
        self.assertIn(path + ":8: error: ", errors)
        self.assertIn("7 documents: 2 valid, 3 not valid, 2 unreadable, 3 findings", errors)

    def test_json_keeps_step_with_the_input(self):
        done = run("validate", "--json", self.file(b"".join(self.MIX)))
        self.assertStatus(done, FAILED)
        rows = done.stdout.decode().split("\n")
        self.assertEqual(len(rows), len(self.MIX) + 1)
        kinds = [next(iter(json.loads(row))) if row else "" for row in rows]
        self.assertEqual(kinds, ["valid", "valid", "", "error", "", "valid", "valid", "error", "valid", ""])

    def test_repair(self):
        done = run("repair", "-", stdin=b"".join(self.MIX))
        self.assertStatus(done, FAILED)
        rows = done.stdout.split(b"\n")
        expected = b"".join(self.MIX).split(b"\n")
        self.assertEqual(len(rows), len(expected))
        for i, (row, was) in enumerate(zip(rows, expected)):
            if i not in (1, 5):
                self.assertEqual(row, was)
        self.assertNotIn(b"server_tool_use", rows[1])
        self.assertTrue(rows[5].startswith(b'{"messages": [') and rows[5].endswith(b', "n": 1}'), rows[5])
        self.assertIn(b"7 documents: 2 repaired, 2 unchanged, 1 unsafe, 2 unreadable; 2 edits", done.stderr)
        self.assertIn(b"-:2: 1 edit\n", done.stderr)

    def test_status(self):
        for lines, status in [([CLEAN, CLEAN], OK), ([CLEAN, ORPHAN_CALL], OK), ([UNSAFE, CLEAN], ERRORS)]:
            done = run("repair", "-", stdin=b"".join(map(line, lines)))
            self.assertStatus(done, status)
        self.assertStatus(run("repair", "-", stdin=line(UNSAFE) + b"x\n"), FAILED)

    def test_what_is_found_out(self):
        many, one = (b"-:1:", b"-:2:"), (b"-:/",)
        for content, places in [
                (line(ORPHAN_CALL) + line(ORPHAN_CALL), many),
                (line(ORPHAN_CALL) + line({"messages": ORPHAN_CALL}).rstrip(), many),
                (b"\n\n" + line(CLEAN) + line(ORPHAN_CALL), (b"-:4:",)),
                (line(ORPHAN_CALL), one),
                (b"\n" + line(ORPHAN_CALL).rstrip() + b"\n\n", one),
                (json.dumps(ORPHAN_CALL, indent=1).encode(), one),
                (json.dumps({"messages": ORPHAN_CALL}, indent=1).encode(), one),
                # one message a line, but one document
                (b"[" + b",".join(map(line, ORPHAN_CALL)) + b"]", one),
                # the first line is broken, cut off, or no history
                (b"oops\n" + line(ORPHAN_CALL), (b"-:2:",)),
                (line(CLEAN)[:30] + b"\n" + line(ORPHAN_CALL), (b"-:2:",)),
                (b'{"version": 1}\n' + line(ORPHAN_CALL), (b"-:2:",)),
                (b'{"a": 1, "a": 1}\n' + line(ORPHAN_CALL), (b"-:2:",)),
                # the first line is longer than what is looked at first
                (line([{"role": "user", "content": "x" * 3000000}]) + line(ORPHAN_CALL), (b"-:2:",)),
                (b"x" * 3000000 + b"\n" + line(ORPHAN_CALL), (b"-:2:",)),
                (line([{"role": "user", "content": "x" * 3000000}, *ORPHAN_CALL[1:]]), one),
        ]:
            with self.subTest(content=content[:60]):
                done = run("validate", "-", stdin=content)
                found = done.stdout.splitlines()
                self.assertEqual(len(found), len(places), done.stderr[-500:])
                for row, place in zip(found, places):
                    self.assertTrue(row.startswith(place), row)

    def test_jsonl_says_so(self):
        done = run("validate", "--jsonl", "-", stdin=line(ORPHAN_CALL))
        self.assertTrue(done.stdout.startswith(b"-:1:/messages/1/content/1: "), done.stdout)
        self.assertStatus(run("validate", "--jsonl", "-", stdin=b""), OK)
        self.assertStatus(run("repair", "--jsonl", "-", stdin=json.dumps(CLEAN, indent=1).encode()), FAILED)

    def test_a_line_over_the_limit(self):
        long_line = b'["' + b"x" * 5000000 + b'"]'
        for ending in (b"\n", b""):
            content = line(ORPHAN_CALL) + long_line + b"\n" + line(CLEAN) + long_line + ending
            done = run("repair", "--jsonl", "--max-document", 1000, "-", stdin=content)
            self.assertStatus(done, FAILED)
            self.assertEqual(done.stdout.split(b"\n", 1)[1], content.split(b"\n", 1)[1])
            self.assertEqual(done.stderr.count(b"longer than 1000 bytes"), 2)
            self.assertIn(b"-:2: error: ", done.stderr)
            self.assertIn(b"-:4: error: ", done.stderr)
            done = run("validate", "--json", "--jsonl", "--max-document", 1000, "-", stdin=content)
            self.assertEqual(done.stdout.count(b"\n"), 4)

    def test_a_huge_line(self):
        chat = [{"role": "user", "content": "x" * 20000000}, *ORPHAN_CALL[1:]]
        done = run("repair", "-", stdin=line(chat) + line(ORPHAN_CALL))
        self.assertStatus(done, OK)
        first, second, rest = done.stdout.split(b"\n")
        self.assertEqual((len(first) > 20000000, b"server_tool_use" in second, rest), (True, False, b""))

    def test_windows_line_ends(self):
        content = line(CLEAN).rstrip() + b"\r\n" + line(ORPHAN_CALL).rstrip() + b"\r\n"
        done = run("repair", "-", stdin=content)
        self.assertStatus(done, OK)
        rows = done.stdout.split(b"\r\n")
        self.assertEqual((rows[0], len(rows)), (line(CLEAN).rstrip(), 3))

    def test_answers_come_while_the_input_is_open(self):
        with subprocess.Popen([PROGRAM, "repair", "--jsonl", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=environment()) as process:
            for _ in range(3):
                process.stdin.write(line(CLEAN))
                process.stdin.flush()
                self.assertEqual(process.stdout.readline(), line(CLEAN))
            process.stdin.close()
            self.assertEqual(process.wait(TIMEOUT), OK)

    def test_memory_holds_one_line(self):
        with open(PROGRAM, "rb") as f:
            if b"__asan_init" in f.read() or not os.path.isabs(PROGRAM):
                self.skipTest("a sanitizer's memory says nothing")
        path = self.path("big.jsonl")
        with open(path, "wb") as f:
            for _ in range(100):
                f.write(line([{"role": "user", "content": "x" * 1000000}]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertStatus(run("repair", "-o", "/dev/null", path), OK)
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertTrue(after == before or after < 40 * 1024, "%d KiB" % after)


# ---- repair ----


class Repair(Case):
    def test_what_needs_nothing_is_the_input(self):
        for content in (line(CLEAN), body(CLEAN), b"\t" + line(CLEAN).rstrip(), line(CLEAN) + b"\n\n"):
            done = run("repair", self.file(content))
            self.assertStatus(done, OK)
            self.assertEqual(done.stdout, content)
            self.assertIn(b": unchanged; 0 edits, 0 findings remain\n", done.stderr)

    def test_list_in_list_out(self):
        for ending in (b"\n", b"", b"\n\n"):
            done = run("repair", "-", stdin=b" " + line(ORPHAN_CALL).rstrip() + ending)
            self.assertStatus(done, OK)
            self.assertTrue(done.stdout.startswith(b" ["))
            self.assertTrue(done.stdout.endswith(b"]" + ending))
            self.assertEqual(json.loads(done.stdout), [QUESTION, {"role": "assistant", "content": [SAYS]}, QUESTION])

    def test_body_in_body_out(self):
        done = run("repair", "-", stdin=body(ORPHAN_CALL))
        self.assertStatus(done, OK)
        self.assertTrue(done.stdout.startswith(BODY_HEAD + b"["), done.stdout)
        self.assertTrue(done.stdout.endswith(b"]" + BODY_TAIL), done.stdout)
        # an unedited message has its bytes, too
        question = json.dumps(ORPHAN_CALL, indent=2).encode().split(b"  {")[1].rstrip(b",\n ")
        self.assertIn(question, done.stdout)

    def test_it_is_done_after_one_repair(self):
        for messages in (ORPHAN_CALL, ORPHAN_RESULT, TWO_FAULTS):
            once = run("repair", "-", stdin=body(messages))
            twice = run("repair", "-", stdin=once.stdout)
            self.assertEqual(once.stdout, twice.stdout)
            self.assertIn(b"unchanged", twice.stderr)
            self.assertStatus(run("validate", "-", stdin=once.stdout), OK)

    def test_view(self):
        done = run("repair", "-", stdin=body(TWO_FAULTS))
        shown = done.stderr.decode()
        self.assertIn("-: 2 edits\n", shown)
        self.assertRegex(shown, r"(?m)^- /messages/1/content/1 server_tool_use web_search \(srvtoolu_1\): "
                                r"dropped \[%s\]$" % CALL_CODE)
        self.assertRegex(shown, r"(?m)^- /messages/3/content/1 web_search_tool_result[^\n]*: "
                                r"turned into text \[%s\]$" % RESULT_CODE)
        self.assertRegex(shown, r'(?m)^\+ /messages/3/content/1 text "News, https://example.com"$')
        self.assertEqual(shown.count("\n+ "), 1)
        self.assertRegex(shown, r"(?m)^ +1  drop %s$" % CALL_CODE)
        self.assertEqual(run("repair", "-q", "-", stdin=body(TWO_FAULTS)).stderr, b"")

    def test_thinking_behind_an_edit(self):
        signed = {"role": "assistant", "content": [THINKING, SAYS]}
        done = run("repair", "-", stdin=line([*ORPHAN_CALL, signed, QUESTION]))
        self.assertStatus(done, OK)
        self.assertIn(b"-: note: 1 thinking block may be bound to what the repair changed from /messages/1 on\n",
                      done.stderr)

    def test_view_of_an_inserted_message(self):
        call = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
        chat = [QUESTION, {"role": "assistant", "content": [call]}]
        done = run("repair", "-", stdin=line([*chat, {"role": "assistant", "content": "b"}, QUESTION]))
        self.assertIn(b"result inserted", done.stderr)
        self.assertRegex(done.stderr.decode(), r'(?m)^\+ /messages/3/content/0 tool_result \(toolu_1\) "Not executed')
        self.assertNotIn(b"\n+ /messages/4", done.stderr)

    def test_unsafe_gives_nothing(self):
        path = self.file(body(UNSAFE))
        for args in ((), ("-o", self.path("out")), ("-i",)):
            done = run("repair", *args, path)
            self.assertStatus(done, ERRORS)
            self.assertEqual(done.stdout, b"")
            self.assertIn(path + ":/messages/1/content/1: error: ", done.stderr.decode())
            self.assertIn("[%s]" % RESULT_CODE, done.stderr.decode())
            self.assertIn("unsafe; ", done.stderr.decode())
            self.assertEqual(os.listdir(self.folder), ["chat.json"])
        self.assertEqual(self.content("chat.json"), body(UNSAFE))

    def test_no_guard_writes_what_it_can(self):
        done = run("repair", "--no-guard", "-", stdin=body(UNSAFE))
        self.assertStatus(done, ERRORS)
        self.assertEqual(done.stdout, body(UNSAFE))
        self.assertIn(b"-:/messages/1/content/1: error: ", done.stderr)


    def test_time_over(self):
        content = line([{"role": "user", "content": [SAYS] * 100000}])
        for command in ("validate", "repair"):
            done = run(command, "--timeout-ms", 1, "-", stdin=content + line(CLEAN))
            self.assertStatus(done, FAILED)
            self.assertIn(b"-:1: error: ", done.stderr)
            self.assertIn(b"[deadline_exceeded]", done.stderr)


class Files(Case):
    def files(self):
        return sorted(os.listdir(self.folder))

    def test_output(self):
        path = self.file(line(ORPHAN_CALL))
        done = run("repair", "-o", self.path("out"), path, preexec_fn=lambda: os.umask(0o027))
        self.assertStatus(done, OK)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(self.files(), ["chat.json", "out"])
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out")).st_mode), 0o640)
        self.assertEqual(self.content("out"), run("repair", path).stdout)
        self.assertEqual(self.content("chat.json"), line(ORPHAN_CALL))
        self.assertEqual(run("repair", "-o", "-", path).stdout, self.content("out"))

    def test_output_replaces_a_file(self):
        path = self.file(line(CLEAN))
        os.chmod(self.file(b"old", "out"), 0o604)
        self.assertStatus(run("repair", "-o", self.path("out"), path), OK)
        self.assertEqual(self.content("out"), line(CLEAN))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out")).st_mode), 0o604)

    def test_output_to_what_is_no_file(self):
        path = self.file(line(CLEAN))
        self.assertStatus(run("repair", "-o", "/dev/null", path), OK)
        done = run("repair", "-o", "/dev/stdout", path)
        self.assertEqual(done.stdout, line(CLEAN))
        for place in (self.path("none/out"), self.folder, "/dev/full"):
            done = run("repair", "-o", place, path)
            self.assertStatus(done, FAILED)
            self.assertIn(place, done.stderr.decode())

    def test_output_over_the_input(self):
        path = self.file(line(ORPHAN_CALL) + line(CLEAN))
        self.assertStatus(run("repair", "-o", path, path), OK)
        self.assertEqual(self.content("chat.json").split(b"\n", 1)[1], line(CLEAN))

    def test_in_place(self):
        path = self.file(body(ORPHAN_CALL))
        expected = run("repair", path).stdout
        os.chmod(path, 0o4751)
        if os.getuid() == 0:
            os.chown(path, 1234, 5678)
            os.chmod(path, 0o4751)
        before = os.stat(path)
        done = run("repair", "--in-place", path)
        self.assertStatus(done, OK)
        self.assertEqual(done.stdout, b"")
        after = os.stat(path)
        self.assertEqual(self.content("chat.json"), expected)
        self.assertEqual((after.st_mode, after.st_uid, after.st_gid), (before.st_mode, before.st_uid, before.st_gid))
        self.assertNotEqual(after.st_ino, before.st_ino, "replaced, not written over")
        self.assertEqual(self.files(), ["chat.json"])

    def test_in_place_leaves_alone_what_needs_nothing(self):
        path = self.file(line(CLEAN) + line(UNSAFE))
        before = os.stat(path)
        self.assertStatus(run("repair", "-i", path), ERRORS)
        after = os.stat(path)
        self.assertEqual((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns))

    def test_in_place_jsonl(self):
        path = self.file(b"".join(Jsonl.MIX))
        expected = run("repair", path).stdout
        self.assertStatus(run("repair", "-i", path), FAILED)
        self.assertEqual(self.content("chat.json"), expected)

    def test_in_place_through_a_link(self):
        os.mkdir(self.path("real"))
        self.file(line(ORPHAN_CALL), "real/chat.json")
        os.symlink("real/chat.json", self.path("link"))
        self.assertStatus(run("repair", "-i", self.path("link")), OK)
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertNotIn(b"server_tool_use", self.content("real/chat.json"))
        self.assertEqual(os.listdir(self.path("real")), ["chat.json"])

    def test_output_through_a_link_that_leads_nowhere(self):
        os.symlink("nowhere", self.path("link"))
        self.assertStatus(run("repair", "-o", self.path("link"), self.file(line(CLEAN))), OK)
        self.assertEqual(self.content("link"), line(CLEAN))

    def test_in_place_of_what_is_no_file(self):
        os.mkfifo(self.path("pipe"))
        writer = threading.Thread(target=self.file, args=(line(ORPHAN_CALL), "pipe"))
        writer.start()
        done = run("repair", "-i", self.path("pipe"))
        writer.join()
        self.assertStatus(done, FAILED)
        self.assertIn("regular file", done.stderr.decode())

    @unittest.skipUnless(os.getuid() == 0, "needs to become somebody else")
    def test_in_place_keeps_the_owner_or_nothing(self):
        path = self.file(line(ORPHAN_CALL))
        os.chmod(path, 0o666)
        os.chmod(self.folder, 0o777)
        program = shutil.copy(shutil.which(PROGRAM), self.path("program"))
        os.chmod(program, 0o755)
        done = subprocess.run([program, "repair", "-i", path], capture_output=True, user=65534, group=65534,
                              extra_groups=[], timeout=TIMEOUT, env=environment())
        os.unlink(program)
        if b"shared librar" in done.stderr or b"libtool" in done.stderr:
            self.skipTest("the program runs in its build folder only")
        self.assertStatus(done, FAILED)
        self.assertIn(os.strerror(errno.EPERM), done.stderr.decode())
        self.assertEqual(self.content("chat.json"), line(ORPHAN_CALL))
        self.assertEqual(self.files(), ["chat.json"])

    def test_readers_see_the_old_or_the_new(self):
        many = line(ORPHAN_CALL) * 2000
        path = self.file(many)
        seen, done = set(), threading.Event()

        def watch():
            while not done.is_set():
                seen.add(len(self.content("chat.json")))

        watcher = threading.Thread(target=watch)
        watcher.start()
        self.assertStatus(run("repair", "-q", "-i", path), OK)
        done.set()
        watcher.join()
        self.assertLessEqual(seen, {len(many), os.path.getsize(path)})

    def test_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "repair", "-q", self.file(line(CLEAN) * 100000)], stdout=full,
                                  stderr=subprocess.PIPE, timeout=TIMEOUT, env=environment())
            self.assertStatus(done, FAILED)
            self.assertIn(os.strerror(errno.ENOSPC), done.stderr.decode())
            self.assertEqual(done.stderr.count(b"\n"), 1)
            done = subprocess.run([PROGRAM, "validate", "-q", self.file(line(ORPHAN_CALL))], stdout=full,
                                  stderr=subprocess.PIPE, timeout=TIMEOUT, env=environment())
            self.assertStatus(done, FAILED)

    def test_a_closed_pipe_is_no_news(self):
        path = self.file(line(ORPHAN_CALL) * 20000)
        for command in ("validate", "repair"):
            process = subprocess.Popen([PROGRAM, command, "-q", path], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=environment())
            process.stdout.read(100)
            process.stdout.close()
            errors = process.stderr.read()
            process.stderr.close()
            self.assertEqual(process.wait(TIMEOUT), -signal.SIGPIPE)
            self.assertEqual(errors, b"")


# ---- terminals ----


class Terminal(Case):
    def test_colour(self):
        path = self.file(line(ORPHAN_CALL))
        for command, place in (("validate", {"stdout": True}), ("repair", {"stderr": True})):
            _, shown, piped = run_on_terminal(command, path, **place)
            self.assertIn(b"\x1b[", shown)
            self.assertNotIn(b"\x1b", piped)
            plain = re.sub(rb"\x1b\[[0-9;]*m", b"", shown).replace(b"\r\n", b"\n")
            done = run(command, path)
            self.assertEqual(plain, done.stdout if command == "validate" else done.stderr)

    def test_no_colour(self):
        path = self.file(line(ORPHAN_CALL))
        for env in (environment(TERM="xterm", NO_COLOR="1"), environment(TERM="dumb"), environment()):
            _, shown, _ = run_on_terminal("validate", path, stdout=True, env=env)
            self.assertNotIn(b"\x1b", shown)
        _, shown, _ = run_on_terminal("validate", "--color=never", path, stdout=True)
        self.assertNotIn(b"\x1b", shown)
        _, shown, _ = run_on_terminal("validate", path, stdout=True, env=environment(TERM="xterm", NO_COLOR=""))
        self.assertIn(b"\x1b", shown, "an empty NO_COLOR means nothing")
        self.assertIn(b"\x1b", run("validate", "--color=always", path, env=environment(NO_COLOR="1")).stdout)

    def test_progress(self):
        path = self.file(line(ORPHAN_CALL) * 3000, "log.jsonl")
        for args in (("repair", "-o", self.path("out")), ("validate",)):
            _, shown, _ = run_on_terminal(*args, path, stderr=True)
            self.assertRegex(shown, rb"\r\x1b\[K[^\n]* +\d+% \[=*>? *\]  [0-9.]+ [kMG]?B  [0-9.]+ [kMG]?B/s")
            # the bar is taken away before a line is written
            for row in shown.split(b"\n"):
                self.assertNotIn(b"B/s", row.split(b"\r\x1b[K")[-1])

    def test_no_progress(self):
        path = self.file(line(ORPHAN_CALL) * 300, "log.jsonl")
        for args, place in [(("validate", path), {"stdout": True, "stderr": True}),
                            (("validate", "-q", path), {"stderr": True}),
                            (("validate", self.file(line(ORPHAN_CALL))), {"stderr": True})]:
            self.assertNotIn(b"B/s", run_on_terminal(*args, **place)[1])


# ---- the daemon's side, made up ----


def frame(payload):
    if not isinstance(payload, bytes):
        payload = json.dumps(payload).encode()
    return struct.pack(">I", len(payload)) + payload


def receive(connection, n):
    data = b""
    while len(data) < n:
        piece = connection.recv(n - len(data))
        if not piece:
            return None
        data += piece
    return data


class Impostor:
    """Listens on a path. For every request, `answer(request)` gives the bytes to send, or None to hang up."""

    def __init__(self, path, answer):
        self.answer, self.requests, self.connections = answer, [], 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections += 1
                with connection, contextlib.suppress(OSError):
                    self.talk(connection)

    def talk(self, connection):
        while True:
            length = receive(connection, 4)
            if length is None:
                return
            self.requests.append(json.loads(receive(connection, struct.unpack(">I", length)[0])))
            answer = self.answer(self.requests[-1])
            if answer is None:
                return
            connection.sendall(answer)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(TIMEOUT)


def result(value):
    return lambda request: frame({"jsonrpc": "2.0", "id": request["id"], "result": value})


def error(name, code=-32000, **data):
    return lambda request: frame({"jsonrpc": "2.0", "id": None, "error": {
        "code": code, "message": "it is " + name, "data": {"name": name, "retryable": False, **data}}})


def checks(**values):
    return [{"name": name, "ok": ok, "value": value, "limit": 5.0, "unit": "s"}
            for name, (ok, value) in values.items()]


class NoDaemon(Case):
    def test_no_daemon(self):
        path = self.file(line(CLEAN))
        missing = self.path("none.sock")
        for args in (("validate", "--socket", missing, path), ("repair", "--socket", missing, path),
                     ("ping", "--socket", missing), ("stats", "--socket", missing), ("info", "--socket", missing),
                     ("call", "--socket", missing, "ping"), ("validate", "--socket", self.folder * 20, path),
                     ("call", "--socket", path, "ping")):
            done = run(*args)
            self.assertStatus(done, FAILED)
            self.assertEqual(done.stdout, b"")
            self.assertIn(b"cannot connect", done.stderr)
        done = run("health", "--socket", missing)
        self.assertStatus(done, 2)
        self.assertRegex(done.stdout.decode(), r"^TURNKEEPER CRITICAL - [^\n]*none\.control\.sock: cannot connect: [^\n]*\n$")

    def test_nothing_is_written_without_a_daemon(self):
        path = self.file(line(ORPHAN_CALL))
        done = run("repair", "-i", "--socket", self.path("none"), path)
        self.assertStatus(done, FAILED)
        self.assertEqual(os.listdir(self.folder), ["chat.json"])

    def test_default_sockets(self):
        env = environment(TURNKEEPER_SOCKET=self.path("a.sock"))
        self.assertIn(b"a.sock: cannot connect", run("validate", "--daemon", self.file(line(CLEAN)), env=env).stderr)
        self.assertIn(b"a.control.sock: cannot connect", run("ping", env=env).stderr)
        self.assertIn(b"b.control.sock: cannot connect", run("ping", "--socket", self.path("b.sock"), env=env).stderr)
        self.assertIn(b"/c.control.sock: cannot connect", run("ping", "--socket", self.path("c"), env=env).stderr)


class MadeUp(Case):
    def ask(self, answer, *args, control=True, status=OK):
        name = "m.control.sock" if control else "m.sock"
        with Impostor(self.path(name), answer) as self.impostor:
            done = run(*args, "--socket", self.path("m.sock"))
        os.unlink(self.path(name))
        self.assertStatus(done, status)
        return done

    def test_health(self):
        up = {"version": "1", "uptime_s": 12.5}
        done = self.ask(result({"status": "ok", **up, "checks": checks(worker_heartbeat=(True, 0.002))}), "health")
        self.assertEqual(done.stdout, b"TURNKEEPER OK - ok, 1 checks, up 12.5 s"
                                      b" | uptime=12.5s worker_heartbeat=0.002s;5.0\n")
        done = self.ask(result({"status": "degraded", **up, "checks": checks(a=(True, 1), b=(False, 1e-07))}),
                        "health", status=1)
        self.assertEqual(done.stdout, b"TURNKEEPER WARNING - degraded, b at 0.000000 of 5.0, 2 checks, up 12.5 s"
                                      b" | uptime=12.5s a=1s;5.0 b=0.000000s;5.0\n")
        done = self.ask(result({"status": "draining", **up, "checks": []}), "health", status=1)
        self.assertTrue(done.stdout.startswith(b"TURNKEEPER WARNING - draining"))
        done = self.ask(result({"status": "ok", **up, "checks": []}), "health", "--json")
        self.assertEqual(json.loads(done.stdout)["status"], "ok")

    def test_health_is_critical(self):
        for answer in (result({"status": "strange"}), result(7), error("internal"), lambda _: None,
                       lambda _: frame(b"garbage"), lambda _: frame(b""), lambda _: b"\0\0\0\x0aabc",
                       lambda _: frame({"jsonrpc": "2.0", "id": 99, "result": {"status": "ok"}}),
                       lambda _: frame({"jsonrpc": "2.0", "id": 1})):
            done = self.ask(answer, "health", "--timeout-ms", 2000, status=2)
            self.assertTrue(done.stdout.startswith(b"TURNKEEPER CRITICAL - "), done.stdout)
            self.assertEqual(done.stdout.count(b"\n"), 1)

    def test_health_in_time(self):
        def slowly(_):
            time.sleep(0.6)
            return b"\0"

        start = time.monotonic()
        done = self.ask(slowly, "health", "--timeout-ms", 300, status=2)
        self.assertIn(b"no answer in time", done.stdout)
        self.assertLess(time.monotonic() - start, 20)

    def test_results_and_errors(self):
        value = {"a": [1.0, "\u00e9", {}], "b": None}
        for command in ("stats", "info", "ping"):
            done = self.ask(result(value), command)
            self.assertEqual(json.loads(done.stdout), value)
            self.assertEqual(self.impostor.requests[0]["method"], command)
            done = self.ask(error("internal"), command, status=ERRORS)
            self.assertEqual(json.loads(done.stderr)["data"]["name"], "internal")
            self.assertEqual(done.stdout, b"")
            self.ask(lambda _: frame(b"[]"), command, status=FAILED)

    def test_call(self):
        params = self.file(b'{"echo": [1.0,\n "\\u00e9"]}', "params.json")
        for args, want in [((), None), (("{}",), {}), (("@" + params,), {"echo": [1.0, "\u00e9"]}), (("[1]",), [1])]:
            self.ask(result("fine"), "call", "some\"method", *args, control=False)
            self.assertEqual(self.impostor.requests[0].get("params"), want)
            self.assertEqual(self.impostor.requests[0]["method"], 'some"method')
        # duplicate keys are the daemon's to judge
        done = self.ask(error("duplicate_key"), "call", "x", '{"a":1,"a":2}', control=False, status=ERRORS)
        self.assertEqual(json.loads(done.stderr)["data"]["name"], "duplicate_key")
        done = run("call", "ping", "@" + self.path("none"))
        self.assertStatus(done, FAILED)
        done = run("call", "ping", "-", stdin=b"{")
        self.assertStatus(done, FAILED)

    def test_a_result_is_shown_as_it_came(self):
        raw = b'{"jsonrpc":"2.0","id":1,"result":{ "n" : 1.0,\n "s":"\\u00e9" }}'
        self.assertEqual(self.ask(lambda _: frame(raw), "stats").stdout, b'{ "n" : 1.0,\n "s":"\\u00e9" }\n')
        self.assertEqual(self.ask(lambda _: frame(raw), "stats", "--json").stdout, b'{"n":1.0,"s":"\\u00e9"}\n')
        with Impostor(self.path("t.control.sock"), lambda _: frame(raw)):
            status, shown, _ = run_on_terminal("stats", "--color=never", "--socket", self.path("t.sock"), stdout=True)
        self.assertEqual((status, shown), (OK, b'{\r\n  "n": 1.0,\r\n  "s": "\\u00e9"\r\n}\r\n'))

    def test_a_request_is_sent_again_once(self):
        answers = [None]

        def hang_up_first(request):
            return answers.pop() if answers else result({"pong": True})(request)

        self.ask(hang_up_first, "ping")
        self.assertEqual(self.impostor.connections, 2)
        self.ask(lambda _: None, "ping", status=FAILED)
        self.assertEqual(self.impostor.connections, 2)
        # not where the answer had begun
        self.ask(lambda _: b"\0\0", "ping", "--timeout-ms", 500, status=FAILED)
        self.assertEqual(self.impostor.connections, 1)

    def test_documents(self):
        path = self.file(line(CLEAN) * 3)
        done = self.ask(error("frame_too_large", limit=100), "repair", path, control=False, status=FAILED)
        self.assertEqual(done.stdout, line(CLEAN) * 3)
        self.assertEqual(done.stderr.count(b"(limit 100) [frame_too_large]"), 3)
        for name in ("busy", "deadline_exceeded"):
            done = self.ask(error(name), "repair", path, control=False, status=FAILED)
            self.assertEqual(done.stdout, line(CLEAN) * 3)
        done = self.ask(error("draining"), "validate", path, control=False, status=FAILED)
        self.assertEqual(len(self.impostor.requests), 1)
        self.assertIn(b"draining", done.stderr)
        done = self.ask(error("parse_error", code=-32700, offset=70), "validate", self.file(line(CLEAN)),
                        control=False, status=FAILED)
        self.assertRegex(done.stderr.decode(), r"chat\.json:1:\d+: error: ")

    def test_parameters(self):
        self.ask(result({"valid": True}), "validate", self.file(line(CLEAN)), "--policy", "preserve", "--betas", "a,b",
                 "--target", "bedrock:m:1", "--max-violations", 7, "--timeout-ms", 9, "--seals", "[]",
                 "--provenance", "rebuilt", "--dialect", "x", "--provider", "y", control=False)
        self.assertEqual(self.impostor.requests[0], {"jsonrpc": "2.0", "id": 1, "method": "validate", "params": {
            "messages": CLEAN, "policy": "preserve", "betas": "a,b", "target": {"endpoint": "bedrock", "model": "m:1"},
            "max_violations": 7, "timeout_ms": 9, "seals": [], "provenance": "rebuilt", "dialect": "x",
            "provider": "y"}})
        self.ask(result({"changed": False, "safe": True}), "repair", self.file(body(CLEAN)), "--no-guard",
                 "--betas", '["a"]', "--target", '{"endpoint":"vertex"}', control=False)
        self.assertEqual(self.impostor.requests[0]["params"], {
            "request": json.loads(body(CLEAN)), "return": "messages", "guard": False, "betas": ["a"],
            "target": {"endpoint": "vertex"}})

    def repairing(self, meanwhile, number=signal.SIGTERM):
        """Runs `repair -i` over a daemon that does something before it answers; returns the process's status.

        A signal may be ignored where tests run in the background; `number` has its default action."""
        path, started = self.file(line(ORPHAN_CALL)), threading.Event()

        def answer(request):
            started.wait(TIMEOUT)
            meanwhile(path)
            return result({"changed": True, "safe": True, "edits": [], "messages": CLEAN, "violations": []})(request)

        with Impostor(self.path("m.sock"), answer):
            self.process = subprocess.Popen([PROGRAM, "repair", "-i", path, "--socket", self.path("m.sock")],
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                                            preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            started.set()
            self.errors = self.process.communicate(timeout=TIMEOUT)[1].decode()
        os.unlink(self.path("m.sock"))
        return self.process.returncode

    def test_a_file_that_changes_meanwhile_stays(self):
        def append(path):
            with open(path, "ab") as f:
                f.write(b"more\n")

        self.assertEqual(self.repairing(append), FAILED)
        self.assertIn("changed while it was being repaired", self.errors)
        self.assertEqual(self.content("chat.json"), line(ORPHAN_CALL) + b"more\n")
        self.assertEqual(os.listdir(self.folder), ["chat.json"])

    def test_a_signal_takes_the_temporary_file_along(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            seen = []

            def kill(_, number=number, seen=seen):
                seen.extend(os.listdir(self.folder))
                self.process.send_signal(number)
                self.process.wait(TIMEOUT)

            self.assertEqual(self.repairing(kill, number), -number)
            self.assertEqual(len(seen), 3, "there was a temporary file")
            self.assertEqual(os.listdir(self.folder), ["chat.json"])
            self.assertEqual(self.content("chat.json"), line(ORPHAN_CALL))


# ---- the daemon itself ----


@unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
class WithDaemon(Case):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def test_same_output_as_the_embedded_core(self):
        inputs = [line(CLEAN), line(ORPHAN_CALL), body(TWO_FAULTS), body(UNSAFE), b"".join(Jsonl.MIX),
                  *(content for content, _ in Unreadable.DOCUMENTS)]
        options = [("validate",), ("validate", "--json", "-v"), ("repair",), ("repair", "--no-guard"),
                   ("validate", "--max-violations", "1"), ("repair", "--policy", "preserve"),
                   ("validate", "--policy", "harsh")]
        for content in inputs:
            path = self.file(content)
            for args in options:
                with self.subTest(args=args, content=content[:40]):
                    embedded, asked = run(*args, path), run(*args, path, "--socket", self.daemon.socket)
                    self.assertEqual((embedded.returncode, embedded.stdout, embedded.stderr),
                                     (asked.returncode, asked.stdout, asked.stderr))

    def test_control(self):
        env = environment(TURNKEEPER_SOCKET=self.daemon.socket)
        done = run("health", env=env)
        self.assertStatus(done, OK)
        self.assertRegex(done.stdout.decode(), r"^TURNKEEPER OK - ok, \d+ checks, up [0-9.]+ s \| "
                                               r"uptime=[0-9.]+s( [a-z_]+=[0-9.]+[sB]?;[0-9.]+)+\n$")
        self.assertEqual(json.loads(run("ping", env=env).stdout), {"pong": True})
        self.assertIn("counters", json.loads(run("stats", env=env).stdout))
        self.assertEqual(json.loads(run("info", env=env).stdout)["protocol"], 1)

    def test_call(self):
        env = environment(TURNKEEPER_SOCKET=self.daemon.socket)
        done = run("call", "ping", '{"echo": [1.0, "\\u00e9"]}', env=env)
        self.assertIn(b'"echo":[1.0, "\\u00e9"]', done.stdout)
        done = run("call", "validate", "-", env=env, stdin=b'{"messages": %s}' % line(ORPHAN_CALL))
        self.assertStatus(done, OK)
        self.assertFalse(json.loads(done.stdout)["valid"])
        for method, params, name in [("mend", "{}", "method_not_found"), ("validate", "{}", "invalid_params"),
                                     ("validate", "7", "invalid_params"),
                                     ("ping", '{"a":1,"a":1}', "duplicate_key")]:
            done = run("call", method, params, env=env)
            self.assertStatus(done, ERRORS)
            self.assertEqual(json.loads(done.stderr)["data"]["name"], name)

    def test_daemon_flag(self):
        env = environment(TURNKEEPER_SOCKET=self.daemon.socket)
        self.assertStatus(run("validate", "--daemon", self.file(line(ORPHAN_CALL)), env=env), ERRORS)

    def test_a_document_too_large_for_the_daemon(self):
        with Daemon(config='{"max_frame": 1000}') as small:
            content = line(CLEAN) + line([{"role": "user", "content": "x" * 2000}]) + line(ORPHAN_CALL)
            done = run("validate", "--socket", small.socket, "-", stdin=content)
        self.assertStatus(done, FAILED)
        self.assertIn(b"-:2: error: ", done.stderr)
        self.assertIn(b"(limit 1000) [frame_too_large]", done.stderr)
        self.assertTrue(done.stdout.startswith(b"-:3:/messages/1/content/1: "), done.stdout)


class Rules(Case):
    def test_one(self):
        done = run("rules", "tool_use_without_result")
        self.assertStatus(done, OK)
        self.assertTrue(done.stdout.startswith(b"tool_use_without_result (error)\n"), done.stdout)
        self.assertIn(b"ids were found without `tool_result` blocks", b" ".join(done.stdout.split()))

    def test_all(self):
        done = run("rules")
        self.assertStatus(done, OK)
        self.assertIn(CALL_CODE.encode(), done.stdout)
        self.assertIn(b"\ncitation_dangling (warning)\n", done.stdout)

    def test_none(self):
        done = run("rules", "no_such_rule")
        self.assertStatus(done, ERRORS)
        self.assertEqual(done.stderr, b"turnkeeper: no rule is called no_such_rule\n")

    @unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
    def test_info_tells_the_same(self):
        with Daemon() as daemon:
            catalogue = json.loads(run("info", "--socket", daemon.socket).stdout)["catalogue"]
        for rule in catalogue:
            words = " ".join(run("rules", rule["code"]).stdout.decode().split())
            self.assertIn(rule["trigger"], words)
            self.assertIn(rule["fix"]["preserve"], words)


# ---- what stands beside the program ----


def long_options(command):
    return set(re.findall(r"^  .{4}(--[a-z-]+)", run(command, "--help").stdout.decode(), re.M))


def option_values(command):
    found, option = {}, None
    for row in run(command, "--help").stdout.decode().splitlines():
        named = re.match(r"  .{4}(--[a-z-]+)", row)
        option = named.group(1) if named else option
        if row.strip().startswith("values: "):
            found[option] = row.split(":", 1)[1].split()
    return found


class Completion(Case):
    SCRIPT = os.path.join(TOP, "completions", "turnkeeper")

    def complete(self, typed, cur=None):
        """What bash would offer at the end of a line; cur is the word it would replace."""
        if cur is None:
            cur = "" if typed.endswith(" ") else re.split(r"[ =]", typed)[-1]
        code = 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _turnkeeper turnkeeper "$3" ""; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "--norc", "--noprofile", "-c", code, "bash", os.path.abspath(self.SCRIPT), typed,
                               cur], capture_output=True, text=True, check=True, cwd=self.folder, timeout=TIMEOUT)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split("\n")) - {""}

    def test_commands_and_options_are_the_program_s(self):
        self.assertEqual(self.complete("turnkeeper "), COMMANDS)
        self.assertEqual(self.complete("turnkeeper --socket /x va"), {"validate"})
        self.assertEqual(self.complete("turnkeeper -"), {"--help", "--version"})
        for command in sorted(COMMANDS):
            self.assertEqual(self.complete("turnkeeper %s -" % command), long_options(command), command)

    def test_values(self):
        for command in ("validate", "repair", "splice", "tools", "stream"):
            for option, values in option_values(command).items():
                self.assertEqual(self.complete("turnkeeper %s %s " % (command, option)), set(values), option)
                self.assertEqual(self.complete("turnkeeper %s %s=" % (command, option)), set(values), option)
        self.assertEqual(self.complete("turnkeeper repair --policy=pre"), {"preserve"})
        self.assertEqual(self.complete("turnkeeper repair --max-violations "), set())

    def test_files(self):
        self.file(b"", "a b.json")
        self.file(b"", "c.json")
        self.assertEqual(self.complete("turnkeeper validate "), {"a b.json", "c.json"})
        self.assertEqual(self.complete("turnkeeper repair --output "), {"a b.json", "c.json"})
        self.assertEqual(self.complete("turnkeeper repair -o c"), {"c.json"})
        self.assertEqual(self.complete("turnkeeper repair c.json "), set())
        self.assertEqual(self.complete("turnkeeper validate --policy @c"), {"@c.json"})
        self.assertEqual(self.complete("turnkeeper call ping @"), {"@a\\ b.json", "@c.json"})

    def test_methods(self):
        methods = self.complete("turnkeeper call ")
        self.assertLessEqual({"validate", "repair", "repair_turn", "ping", "health", "stats", "info"}, methods)


class Manual(Case):
    def page(self, name):
        with open(os.path.join(TOP, "man", name), encoding="utf-8") as f:
            return f.read()

    def test_options_and_commands_are_described(self):
        page = self.page("turnkeeper.1")
        for command in COMMANDS:
            self.assertRegex(page, r"\.It Cm %s\b" % command)
            for option in long_options(command):
                self.assertRegex(page, r"\.It [^\n]*Fl Fl %s\b" % option[2:])

    def test_the_rules_page_is_the_program_s(self):
        self.assertEqual(run("rules", "--man").stdout.decode(), self.page("turnkeeper-rules.7"))

    @unittest.skipUnless(shutil.which("groff"), "no groff")
    def test_no_warnings(self):
        for name, macros in (("turnkeeper.1", "-mdoc"), ("turnkeeper-rules.7", "-man"), ("turnkeeperd.8", "-mdoc")):
            done = subprocess.run(["groff", macros, "-ww", "-z", "-Kutf8", os.path.join(TOP, "man", name)],
                                  capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    @unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
    def test_the_daemon_s_limits_are_described(self):
        with Daemon() as daemon:
            limits = json.loads(run("info", "--socket", daemon.socket).stdout)["limits"]
        page = self.page("turnkeeperd.8")
        for name in limits:
            self.assertRegex(page, r"(?m)^\.It Sy %s$" % name)


if __name__ == "__main__":
    unittest.main()
