# SPDX-License-Identifier: Apache-2.0
"""The command line program as tests run it: histories, processes, terminals, and a daemon's side that is made up.

$TURNKEEPER is the program; with $TURNKEEPERD what needs a daemon is run as well.
"""
import contextlib
import json
import os
import pty
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import unittest

TOP = os.environ.get("top_srcdir", ".")
PROGRAM = os.environ.get("TURNKEEPER", "turnkeeper")
HAS_DAEMON = shutil.which(os.environ.get("TURNKEEPERD", "turnkeeperd")) is not None
TIMEOUT = 120

OK, ERRORS, FAILED = 0, 1, 2
COMMANDS = {"validate", "repair", "splice", "tools", "prepare", "seal", "stream", "rules", "explain", "redact", "health", "stats",
            "info", "ping", "call", "help"}

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


# Lines that a JSONL file may hold, and documents that can't be read, each with its error.
MIX = [line(CLEAN), line(ORPHAN_CALL), b"\n", b"not json\n", b"  \r\n", line({"messages": ORPHAN_RESULT, "n": 1}),
       line(UNSAFE), b'{"a": 1}\n', line(CLEAN).rstrip()]
BROKEN = [
    (b"", "parse_error"),
    (b"  \n \n", "parse_error"),
    (b"not json", "parse_error"),
    (b"\xef\xbb\xbf", "parse_error"),
    (b"\xef\xbb\xbf\xef\xbb\xbf[]", "parse_error"),
    ("[]".encode("utf-16"), "parse_error"),
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


# ---- running it ----


def environment(**changes):
    env = {k: v for k, v in os.environ.items() if k not in ("TURNKEEPER_SOCKET", "NO_COLOR", "TERM")}
    env.update(changes)
    return env


def run(*args, stdin=b"", env=None, **options):
    return subprocess.run([PROGRAM, *map(str, args)], input=stdin, capture_output=True, timeout=TIMEOUT,
                          env=env or environment(), **options)


def open_terminal():
    """Returns the two ends of a terminal; skips the test where there is none, as in a chroot without /dev/pts."""
    try:
        return pty.openpty()
    except OSError as why:
        raise unittest.SkipTest("no terminal to be had: %s" % why) from why


def read_terminal(master):
    """Reads what was written to a terminal, until its other side is closed everywhere."""
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
    master, slave = open_terminal()
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


def run_at_terminal(*args):
    """Runs with a terminal as stdin, on which nobody types."""
    master, slave = open_terminal()
    try:
        done = subprocess.run([PROGRAM, *args], stdin=slave, capture_output=True, timeout=TIMEOUT, env=environment())
    finally:
        os.close(master)
        os.close(slave)
    return done.returncode, done.stdout, done.stderr


def option_values(command):
    """The words that --help offers for each option."""
    found, option = {}, None
    for row in run(command, "--help").stdout.decode().splitlines():
        named = re.match(r"  .{4}(--[a-z-]+)", row)
        option = named.group(1) if named else option
        if row.strip().startswith("values: "):
            found[option] = row.split(":", 1)[1].split()
    return found


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
