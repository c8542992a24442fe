#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Torments a running daemon with requests that are nearly right, for as long as it is told.

    daemon_mutate.py [--seconds N] [--rounds N] [--seed N] [--from-round N] [--keep FOLDER]
    daemon_mutate.py --replay FILE...

Several connections at a time send mutated requests, JSON and msgpack, framed and as lines, pipelined and
split anywhere; a ping with a number of its own follows each. What must hold:

  - each request gets exactly one answer before the answer of the ping that follows it, a notification none,
    and the answer has the request's id or null;
  - no answer is `internal`;
  - the control socket says that the daemon is well, and the daemon lives.

A round follows from the seed and its number alone. What is sent is written to a file first, which stays where
the round failed: --replay sends it again.
"""
import argparse
import base64
import json
import os
import random
import select
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutate  # noqa: E402
from daemon import Daemon  # noqa: E402

MAX_FRAME = 1 << 20
CONFIG = {"max_frame": MAX_FRAME, "workers": 2, "request_timeout": 30}
PATIENCE = 120
HEALTH_EVERY = 1
STATUS_EVERY = 10
MARK = "mark-%d"


class Failed(Exception):
    """A law that didn't hold."""


# -- What is sent ----------------------------------------------------------------------------

class Session:
    """One connection's bytes, in chunks, and the payloads between its marks."""

    def __init__(self, lines, payloads, data, chunks, half_close, deaf=False):
        self.lines, self.payloads, self.half_close, self.deaf = lines, payloads, half_close, deaf
        self.chunks = [data[a:b] for a, b in zip([0, *chunks], [*chunks, len(data)])]

    def to_json(self):
        def text(b):
            return None if b is None else base64.b64encode(b).decode()
        return {"lines": self.lines, "half_close": self.half_close, "deaf": self.deaf,
                "payloads": [text(p) for p in self.payloads], "chunks": [text(c) for c in self.chunks]}

    @classmethod
    def from_json(cls, document):
        def data(t):
            return None if t is None else base64.b64decode(t)
        session = cls(document["lines"], [data(p) for p in document["payloads"]], b"", [], document["half_close"],
                      document["deaf"])
        session.chunks = [data(c) for c in document["chunks"]]
        return session


def enveloped(payload, lines):
    return payload + b"\n" if lines else struct.pack(">I", len(payload)) + payload


def mark(n):
    return json.dumps({"id": MARK % n, "method": "ping"}).encode()


def draw_session(rng, mutator):
    lines = rng.random() < 0.3
    data, payloads = enveloped(mark(0), lines), []
    for n in range(rng.choice((1, 1, 2, 5, 20))):
        payload = mutator.payload(lines)
        if lines:
            payload = payload.replace(b"\n", b" ")
        if not lines and rng.random() < 0.01:  # the length of nothing, or of too much
            payload = rng.choice((b"", b"x" * (MAX_FRAME + rng.choice((1, 1000)))))
        payloads.append(payload)
        data += enveloped(payload, lines) + enveloped(mark(n + 1), lines)
    deaf = rng.random() < 0.05
    if deaf:  # goes without a word, in the middle of something
        data = data[:rng.randrange(1, len(data) + 1)]
    cuts = sorted(rng.randrange(1, len(data) + 1) for _ in range(rng.choice((0, 0, 1, 3, 30))))
    return Session(lines, payloads, data, cuts, rng.random() < 0.3, deaf)


def draw_round(seed, number, documents):
    rng = random.Random("%d/%d" % (seed, number))
    mutator = mutate.Mutator(rng, documents)
    return [draw_session(rng, mutator) for _ in range(rng.choice((1, 2, 4)))]


# -- What comes back -------------------------------------------------------------------------

def take_answers(buffer, lines):
    """The whole answers at the beginning of the buffer, which loses them."""
    answers = []
    while True:
        if lines:
            end = buffer.find(b"\n")
            if end < 0:
                return answers
            answers.append(bytes(buffer[:end]))
            del buffer[:end + 1]
        else:
            end = 4 + int.from_bytes(buffer[:4], "big")
            if len(buffer) < 4 or len(buffer) < end:
                return answers
            answers.append(bytes(buffer[4:end]))
            del buffer[:end]


def may_be_silent(payload, lines):
    """True if no answer is right: a notification, a blank line, or msgpack that only the daemon can read."""
    if lines and payload.strip(b" \t\r") == b"":
        return True
    if payload.lstrip(b" \t\r\n")[:1] not in (b"{", b"["):
        if lines:
            return False
        if mutate.parsed(payload) is ...:
            return b"method" in payload
    document = mutate.parsed(payload)
    return isinstance(document, dict) and isinstance(document.get("method"), str) and "id" not in document


def check_answer(payload, answer):
    document = mutate.parsed(answer)
    if not isinstance(document, dict) or ("result" in document) == ("error" in document):
        raise Failed("an answer that is none: %r" % answer[:200])
    if document.get("error", {}).get("data", {}).get("name") == "internal":
        raise Failed("internal: %r" % answer[:400])
    request = mutate.parsed(payload)
    asked = request.get("id") if isinstance(request, dict) else None
    if document["id"] is not None and request is not ... and document["id"] != asked:
        raise Failed("the answer of %r to %r" % (document["id"], asked))


def check_session(session, answers):
    """Holds what one connection got against what it sent. Returns how many answers that is."""
    at = 0
    for n, payload in enumerate([None, *session.payloads]):
        wanted = MARK % n
        if payload is not None:
            mine = []
            while at < len(answers) and mark_of(answers[at]) is None:
                mine.append(answers[at])
                at += 1
            least = 0 if may_be_silent(payload, session.lines) else 1
            if not least <= len(mine) <= 1:
                raise Failed("%d answers to request %d: %r" % (len(mine), n, payload[:200]))
            for answer in mine:
                check_answer(payload, answer)
        if at == len(answers) or mark_of(answers[at]) != wanted:
            raise Failed("no answer of %s where it should be" % wanted)
        at += 1
    if at != len(answers):
        raise Failed("%d answers more than requests" % (len(answers) - at))
    return at


def mark_of(answer):
    """The id of a mark's answer, None of another one's."""
    if b"mark-" not in answer[:100]:
        return None
    document = mutate.parsed(answer)
    request_id = document.get("id") if isinstance(document, dict) else None
    return request_id if isinstance(request_id, str) and request_id.startswith("mark-") else None


# -- The conversation ------------------------------------------------------------------------

class Talk:
    """A session on its way."""

    def __init__(self, session, path):
        self.session, self.chunks = session, list(session.chunks)
        self.received, self.answers, self.over = bytearray(), [], False
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.setblocking(False)

    def wants_to_write(self):
        return bool(self.chunks) and not self.over

    def write(self):
        try:
            sent = self.socket.send(self.chunks[0])
        except BlockingIOError:
            return
        except (BrokenPipeError, ConnectionResetError):
            self.over = True
            return
        self.chunks[0] = self.chunks[0][sent:]
        if not self.chunks[0]:
            self.chunks.pop(0)
        if not self.chunks and self.session.deaf:
            self.over = True
        elif not self.chunks and self.session.half_close:
            self.socket.shutdown(socket.SHUT_WR)

    def read(self):
        try:
            data = self.socket.recv(1 << 20)
        except BlockingIOError:
            return
        except ConnectionResetError:
            data = b""
        self.received += data
        self.answers += take_answers(self.received, self.session.lines)
        last = MARK % len(self.session.payloads)
        if not data or (not self.session.half_close and self.answers and mark_of(self.answers[-1]) == last):
            self.over = True


def converse(sessions, path, pause=lambda: None):
    """Sends all sessions at once. Returns the number of answers, all of which were right."""
    talks = [Talk(s, path) for s in sessions]
    end = time.monotonic() + PATIENCE
    try:
        while any(not t.over for t in talks):
            open_talks = {t.socket: t for t in talks if not t.over}
            writing = [s for s, t in open_talks.items() if t.wants_to_write()]
            readable, writable, _ = select.select(list(open_talks), writing, [], HEALTH_EVERY)
            for s in readable:
                open_talks[s].read()
            for s in writable:
                if not open_talks[s].over:
                    open_talks[s].write()
            pause()
            if time.monotonic() > end:
                raise Failed("no answer after %d s" % PATIENCE)
        return sum(check_session(t.session, t.answers) for t in talks if not t.session.deaf)
    finally:
        for t in talks:
            t.socket.close()


class Watch:
    """Asks the control socket now and then whether all is well."""

    def __init__(self, daemon):
        self.daemon, self.next = daemon, 0

    def __call__(self):
        if time.monotonic() < self.next:
            return
        self.next = time.monotonic() + HEALTH_EVERY
        self.check()

    def check(self):
        if self.daemon.process.poll() is not None:
            raise Failed("the daemon ended with %d" % self.daemon.process.returncode)
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(PATIENCE)
            s.connect(self.daemon.control)
            s.sendall(b'{"id":1,"method":"health"}\n')
            status = json.loads(s.makefile("rb").readline())["result"]["status"]
        if status != "ok":
            raise Failed("health is " + status)


class Kept:
    """The file of what is sent at present; it stays after a failure."""

    def __init__(self, folder, name):
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, name)

    def write(self, sessions):
        with open(self.path, "w", encoding="utf-8") as f:
            json.dump([s.to_json() for s in sessions], f)

    def remove(self):
        if os.path.exists(self.path):
            os.unlink(self.path)


def read_kept(path):
    with open(path, encoding="utf-8") as f:
        return [Session.from_json(document) for document in json.load(f)]


def run_round(daemon, watch, sessions):
    try:
        count = converse(sessions, daemon.socket, watch)
    except (OSError, ValueError, KeyError) as e:
        time.sleep(0.2)  # an end that explains it is seen a moment later
        watch.check()
        raise Failed("%s: %s" % (type(e).__name__, e)) from e
    except Failed:
        time.sleep(0.2)
        watch.check()
        raise
    return count


def hunt(options, out=sys.stdout):
    """Rounds until the time or their number is over. Returns the number of answers."""
    documents = mutate.seeds()
    kept = Kept(options.keep, "round-%d" % options.seed)
    answers, number, begin = 0, options.from_round, time.monotonic()
    status = begin + STATUS_EVERY
    daemon = Daemon(config=json.dumps(CONFIG))
    try:
        watch = Watch(daemon)
        while number < options.from_round + options.rounds and time.monotonic() < begin + options.seconds:
            sessions = draw_round(options.seed, number, documents)
            kept.write(sessions)
            answers += run_round(daemon, watch, sessions)
            number += 1
            if time.monotonic() > status:
                status += STATUS_EVERY
                print("%d s: round %d, %d answers" % (time.monotonic() - begin, number, answers), file=out, flush=True)
        watch.check()
    except Failed as e:
        print(daemon.log()[-4000:], file=out)
        daemon.process.kill()
        stop_quietly(daemon)
        raise Failed("seed %d, round %d: %s\n%s has what was sent" % (options.seed, number, e, kept.path)) from e
    daemon.stop()  # a sanitizer may speak up at the end: then the file stays, too
    kept.remove()
    print("seed %d: %d rounds, %d answers, all as they should be" % (options.seed, number - options.from_round, answers),
          file=out, flush=True)
    return answers


def stop_quietly(daemon):
    try:
        daemon.stop()
    except AssertionError:  # how it ended is known
        pass


def replay(paths):
    with Daemon(config=json.dumps(CONFIG)) as daemon:
        for path in paths:
            print("%s: %d answers" % (path, run_round(daemon, Watch(daemon), read_kept(path))))


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=float("inf"), help="how long [until --rounds are over]")
    parser.add_argument("--rounds", type=int, default=sys.maxsize, help="how many [until the time is over]")
    parser.add_argument("--seed", type=int, default=None, help="[drawn, and printed]")
    parser.add_argument("--from-round", type=int, default=0, help="the first one [0]")
    parser.add_argument("--keep", default="fuzz-found", help="the folder of what a failed round sent [fuzz-found]")
    parser.add_argument("--replay", nargs="+", metavar="FILE", help="send such files again")
    options = parser.parse_args(argv)
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**9)
    return options


def main():
    options = arguments()
    try:
        if options.replay:
            replay(options.replay)
            return 0
        print("seed %d" % options.seed, flush=True)
        hunt(options)
    except (Failed, AssertionError) as e:
        print(e)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
