# SPDX-License-Identifier: Apache-2.0
"""Load for a daemon while a call fails: every kind of connection at the same time, and a reload.

    load = Load(daemon)
    load.learn()                  runs once without a fault and keeps the answers
    load.run() -> [complaint]     runs again; each answer is `busy`, `internal`, or as it was
"""
import json
import os
import selectors
import signal
import socket
import struct
import time

import msgpack

from harness import eventually, frame

# A request that has no answer after this time never gets one.
PATIENCE = 20
REFUSALS = {"busy", "internal"}
# How a stream answers from a refused request on.
STREAM_ERRORS = REFUSALS | {"stream_not_found", "stream_exists", "stream_finished"}

HISTORY = [
    {"role": "user", "content": "one"},
    {"role": "assistant", "content": [
        {"type": "text", "text": "two"},
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"a": 1}},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}}]},
    {"role": "user", "content": [{"type": "text", "text": ""}, {"type": "text", "text": "three"}]},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "t", "signature": "c2ln"},
                                      {"type": "text", "text": "four"}]},
    {"role": "user", "content": "five"},
]
LARGE = HISTORY + [{"role": "user" if n % 2 == 0 else "assistant", "content": "%d " % n + "x" * 4000}
                   for n in range(1, 120)] + [{"role": "user", "content": "end"}]
BODY = {"model": "claude-sonnet-4-5", "max_tokens": 10, "messages": HISTORY,
        "tools": [{"name": "look", "input_schema": {"type": "object"}}]}
SSE = "".join("event: %s\ndata: %s\n\n" % (e["type"], json.dumps(e)) for e in [
    {"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {
        "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}},
    {"type": "content_block_delta", "index": 0, "delta": {
        "type": "input_json_delta", "partial_json": "{\"query\":\"q\"}"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {
        "type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}},
    {"type": "content_block_stop", "index": 1},
    {"type": "content_block_start", "index": 2, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "text_delta", "text": "hello"}},
    {"type": "content_block_stop", "index": 2},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
     "usage": {"output_tokens": 2}},
    {"type": "message_stop"}])


def requests(*calls):
    return [{"jsonrpc": "2.0", "id": n, "method": method, "params": params}
            for n, (method, params) in enumerate(calls)]


WORK = requests(
    ("ping", {"echo": "x"}),
    ("validate", {"messages": HISTORY}),
    ("repair", {"request": BODY}),
    ("repair", {"messages": HISTORY, "return": "messages"}),
    ("repair_turn", {"content": HISTORY[1]["content"]}),
    ("seal", {"message": HISTORY[3]}),
    ("prepare", {"request": BODY}),
    ("repair", {"provider": "openai-chat", "messages": [{"role": "user", "content": "x"}]}),
    ("nothing", {}))
STREAM = requests(
    ("stream.open", {"stream": "s", "emit": "sse"}),
    ("stream.open", {"stream": "p", "emit": "parts"}),
    *(("stream.feed", {"stream": key, "data": SSE[at:at + 300]})
      for at in range(0, len(SSE), 300) for key in ("s", "p")),
    ("stream.end", {"stream": "s"}),
    ("stream.end", {"stream": "p"}))
PAGES = ("/livez", "/readyz", "/stats", "/metrics")


class Talk:
    """One connection: all requests at once, then all answers. `received` is what came back."""

    live = False        # answers change from run to run: any result will do
    stream = False      # one refused request may change all answers after it

    def __init__(self, path, request_bytes, count):
        self.path, self.to_send, self.count = path, request_bytes, count
        self.received = bytearray()
        self.ended = False
        self.socket = None
        self.left = b""

    def open(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(self.path)
        self.socket.setblocking(False)
        self.left = memoryview(self.to_send)

    def close(self):
        self.socket.close()

    def advance(self, reads=True):
        """Sends and receives what is possible now."""
        try:
            while self.left:
                self.left = self.left[self.socket.send(self.left):]
        except BlockingIOError:
            pass
        except ConnectionError:
            self.left = b""
        try:
            while reads:
                data = self.socket.recv(1 << 16)
                if not data:
                    self.ended = True
                    return
                self.received += data
        except BlockingIOError:
            pass
        except ConnectionError:
            self.ended = True

    def is_done(self):
        return self.ended or len(self.answers()) >= self.count


class Frames(Talk):
    """Requests and answers with their length; `encode` and `decode` are those of the codec."""

    def __init__(self, path, documents, encode=None, decode=None):
        self.decode = decode or json.loads
        encode = encode or (lambda d: json.dumps(d).encode())
        super().__init__(path, b"".join(frame(encode(d)) for d in documents), len(documents))

    def answers(self):
        found, at = [], 0
        while len(self.received) >= at + 4:
            (size,) = struct.unpack_from(">I", self.received, at)
            if len(self.received) < at + 4 + size:
                break
            found.append(bytes(self.received[at + 4:at + 4 + size]))
            at += 4 + size
        return found

    def error_of(self, answer):
        document = (json.loads if answer[:1] == b"{" else self.decode)(answer)
        return document["error"]["data"]["name"] if "error" in document else None


class Lines(Talk):
    def __init__(self, path, documents):
        super().__init__(path, b"".join(json.dumps(d).encode() + b"\n" for d in documents), len(documents))

    def answers(self):
        # A connection that is refused as a whole gets a frame, as nothing was read yet.
        if self.received[:1] == b"\0":
            return Frames.answers(self)
        return bytes(self.received).split(b"\n")[:-1]

    def error_of(self, answer):
        document = json.loads(answer)
        return document["error"]["data"]["name"] if "error" in document else None


class Live(Frames):
    live = True


class Streaming(Frames):
    stream = True


class Pages(Talk):
    """HTTP: one connection, page after page. A closed connection is an answer as well: a client asks again."""

    live = True

    def __init__(self, path):
        heads = ["GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (p, "Connection: close\r\n" if p == PAGES[-1] else "")
                 for p in PAGES]
        super().__init__(path, "".join(heads).encode(), len(PAGES))

    def answers(self):
        return [self.received]

    def is_done(self):
        return self.ended


class Load:
    def __init__(self, daemon, http):
        self.daemon, self.http = daemon, http
        self.patience = PATIENCE
        self.expected = []

    def talks(self):
        main = self.daemon.socket
        large = requests(("repair", {"messages": LARGE, "return": "messages"}), ("ping", {}))
        mixed = [WORK[0], *large, WORK[1]]
        control = requests(("ping", {}), ("health", {}), ("stats", {}), ("info", {}))
        return [
            Frames(main, WORK),
            Frames(main, WORK, msgpack.packb, msgpack.unpackb),
            Lines(main, WORK),
            Streaming(main, STREAM),
            Frames(main, mixed),
            Live(self.daemon.control, control),
            Pages(self.http),
        ]

    def play(self, talks):
        """Runs all connections at the same time. Returns whether all are done."""
        end = time.monotonic() + self.patience
        self.daemon.signal(signal.SIGHUP)
        with selectors.DefaultSelector() as selector:
            for talk in talks:
                talk.open()
                talk.advance(reads=False)
                selector.register(talk.socket, selectors.EVENT_READ, talk)
            open_ones = set(talks)
            while open_ones and time.monotonic() < end:
                for key, _ in selector.select(0.001 if any(t.left for t in open_ones) else 0.05):
                    key.data.advance()
                for talk in [t for t in open_ones if t.left]:
                    talk.advance()
                for talk in [t for t in open_ones if t.is_done()]:
                    open_ones.remove(talk)
                    selector.unregister(talk.socket)
        for talk in talks:
            talk.close()
        return not open_ones

    def learn(self):
        talks = self.talks()
        if not self.play(talks):
            raise AssertionError("no answer: %s" % [len(t.answers()) for t in talks])
        self.expected = [t.answers() for t in talks]

    def run(self, may_break=False):
        """Complaints about answers. may_break: the kernel says that one connection is broken."""
        talks = self.talks()
        complaints = [] if self.play(talks) else ["no answer within %g s" % self.patience]
        broken = 0
        for number, (talk, expected) in enumerate(zip(talks, self.expected)):
            if isinstance(talk, Pages):
                complaints += self.judge_pages(talk)
                continue
            missing, wrong = self.judge(talk, expected)
            complaints += ["connection %d: %s" % (number, w) for w in wrong]
            broken += missing > 0
            if missing and not may_break:
                complaints.append("connection %d: %d answers of %d are missing" % (number, missing, talk.count))
        if broken > 1:
            complaints.append("%d connections broke" % broken)
        return complaints

    @staticmethod
    def judge(talk, expected):
        """Answers that are missing, though no refusal of the whole connection explains it; wrong answers."""
        answers, wrong, refused = talk.answers(), [], False
        allowed = STREAM_ERRORS if talk.stream else REFUSALS
        for n, (answer, right) in enumerate(zip(answers, expected)):
            error = talk.error_of(answer)
            if error in allowed:
                refused = True
            elif not (talk.live and error is None) and answer != right and not (talk.stream and refused):
                wrong.append("answer %d is %r" % (n, answer[:300]))
        missing = talk.count - len(answers)
        if len(answers) == 1 and talk.ended and talk.error_of(answers[0]) in REFUSALS:
            missing = 0     # refused before anything was read
        return missing, wrong

    @staticmethod
    def judge_pages(talk):
        return ["page: %r" % line for line in bytes(talk.received).split(b"\r\n")
                if line.startswith(b"HTTP/") and line.split(b" ")[1] not in (b"200", b"500", b"503")]

    def is_well(self):
        """True if requests on new connections are right and every part says that it is well."""
        try:
            with self.daemon.connect() as c:
                c.send(WORK[1])
                if c.receive_bytes() != self.expected[0][1]:
                    return False
            return self.daemon.ask("health")["status"] == "ok" and b" 200 " in self.page("/readyz").split(b"\r\n")[0]
        except (OSError, RuntimeError):
            return False

    def page(self, path):
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(PATIENCE)
            s.connect(self.http)
            s.sendall(b"GET %s HTTP/1.0\r\n\r\n" % path.encode())
            received = b""
            while data := s.recv(1 << 16):
                received += data
            return received

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.daemon.pid))

    def is_quiet(self, descriptors):
        """Waits until connections of before are gone; true if no descriptor is left over."""
        return eventually(lambda: self.descriptors() <= descriptors)
