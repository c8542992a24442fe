# SPDX-License-Identifier: Apache-2.0
"""Clients of the main and of the control socket that mean no good, or are broken.

An act is a function act(target, rng) that raises an exception if the daemon doesn't do what it must: answer, refuse or
close. After each act a well-meaning client is served. ACTS take turns in one process. Each of WAITING has a process of
its own: these wait until a timeout of the daemon closes their connections.
"""
import os
import random
import select
import struct
import sys
import time
import traceback

from harness import PATIENCE, Client, Closed, error_name, eventually, frame, request_of_size

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fuzz"))
import daemon_mutate  # noqa: E402
import mutate  # noqa: E402

MAX_FRAME = 4 << 20
CONNECTIONS = 150
CONTROL_CONNECTIONS = 64
# Limits that the acts reach.
CONFIG = {"workers": 2, "max_frame": MAX_FRAME, "max_connections_per_uid": CONNECTIONS, "max_inflight_bytes": 64 << 20,
          "handshake_timeout": 10, "frame_timeout": 10, "max_streams_per_connection": 16}
PAUSE = 0.3  # seconds between acts


class Target:
    """The daemon that is attacked: its two sockets."""

    def __init__(self, path, control):
        self.path, self.control = path, control

    def connect(self):
        return Client(self.path)

    def gauge(self, name):
        with Client(self.control) as c:
            return c.call("stats")["gauges"][name]


def must(condition, text):
    if not condition:
        raise AssertionError(text)


def is_served(target):
    """True if a new client is answered. The connections of an act that is over may still be counted for a moment."""
    try:
        with target.connect() as c:
            return c.ping()
    except (Closed, OSError):
        return False


def read_to_the_end(client):
    """All bytes that come before the daemon closes the connection."""
    received = b""
    try:
        while more := client.socket.recv(1 << 16):
            received += more
    except ConnectionError:
        pass
    return received


# -- Acts that take turns --------------------------------------------------------------------

def garbage(target, rng):
    for _ in range(10):
        with target.connect() as c:
            try:
                c.send_bytes(rng.randbytes(rng.choice((1, 5, 100, 10_000))))
                c.end()
            except OSError:  # it was closed already
                pass
            read_to_the_end(c)


def garbage_on_the_control_socket(target, rng):
    for size in (1, 5, 1000):
        with Client(target.control) as c:
            try:
                c.send_bytes(rng.randbytes(size))
                c.end()
            except OSError:
                pass
            read_to_the_end(c)


def aborted_requests(target, _rng):
    data = frame(request_of_size(200_000))
    for n in range(50):
        with target.connect() as c:
            c.socket.setblocking(False)
            try:
                c.socket.send(data[:1 + n * 4000])
            except OSError:
                pass


def announced_and_gone(target, _rng):
    for size in (MAX_FRAME, MAX_FRAME + 1, 0x3FFFFFFF, 0xFFFFFFFF):
        with target.connect() as c:
            c.send_bytes(struct.pack(">I", size) + b"{" * 10_000)


def too_large(target, _rng):
    with target.connect() as c:
        c.send_bytes(struct.pack(">I", MAX_FRAME + 1) + b" " * (MAX_FRAME + 1))
        must(error_name(c.receive()) == "frame_too_large", "a frame over max_frame is accepted")
        must(c.ping(), "no answer after a frame that is too large")


def largest(target, _rng):
    with target.connect() as c:
        c.send(request_of_size(MAX_FRAME))
        answer = c.receive_bytes()
        must(b'"pong"' in answer[:100] or b'"busy"' in answer[:300], "no answer to the largest frame: %r" % answer[:300])


def slow_reader(target, _rng):
    with target.connect() as c:
        c.send(request_of_size(400_000))
        received = b""
        while len(received) < 400_000:
            more = c.socket.recv(4000)
            must(more, "the answer to a slow reader broke off")
            received += more
            time.sleep(0.002)


def connection_flood(target, _rng):
    crowd = [target.connect() for _ in range(2 * CONNECTIONS)]
    try:
        busy = sum(is_turned_away(c) for c in crowd)
    finally:
        for c in crowd:
            c.close()
    must(busy >= CONNECTIONS, "only %d of %d were turned away" % (busy, len(crowd)))


def is_turned_away(client):
    """True if the daemon's first answer is `busy`, and it then closes the connection."""
    try:
        client.send({"id": 1, "method": "ping"})
    except ConnectionError:
        pass
    answer = client.receive()
    if "error" not in answer:
        return False
    must(error_name(answer) == "busy", "turned away with %s" % answer)
    return client.is_closed()


def control_flood(target, _rng):
    """More connections than the control socket takes: those that it takes are answered."""
    crowd = [Client(target.control) for _ in range(CONTROL_CONNECTIONS + 20)]
    try:
        for c in crowd:
            try:
                c.send({"id": 1, "method": "stats"})
            except ConnectionError:
                pass
        end, answered = time.monotonic() + PATIENCE, set()
        while len(answered) < CONTROL_CONNECTIONS // 2 and time.monotonic() < end:
            answered |= set(select.select([c.socket for c in crowd], [], [], 1)[0])
        must(len(answered) >= CONTROL_CONNECTIONS // 2, "the control socket answers %d" % len(answered))
    finally:
        for c in crowd:
            c.close()


def abandoned_streams(target, _rng):
    """As many streams as a connection may have, each in the middle of an event."""
    with target.connect() as c:
        for n in range(CONFIG["max_streams_per_connection"] * 2):
            answer = c.call("stream.open", stream="s%d" % n, provider="anthropic", emit="events")
            if "data" in answer:
                break
            c.call("stream.feed", stream="s%d" % n, data='event: message_start\ndata: {"type": "mess')
        must("data" in answer and error_name(answer) == "busy", "too many streams: %s" % answer)
    must(eventually(lambda: target.gauge("streams") == 0), "streams are left")


def half_closed(target, _rng):
    with target.connect() as c:
        c.send_bytes(frame(b'{"id":1,"method":"ping"}') * 50)
        c.end()
        for _ in range(50):
            must("result" in c.receive(), "a request before a half-close isn't answered")
        must(c.is_closed(), "a connection stays after a half-close")


def mutated_requests(target, rng):
    """Two rounds of tests/fuzz/daemon_mutate.py, each with several clients: exactly one answer to each request."""
    for _ in range(2):
        sessions = daemon_mutate.draw_round(rng.randrange(10**9), 0, DOCUMENTS)
        daemon_mutate.converse(sessions, target.path)


DOCUMENTS = mutate.seeds()
ACTS = (garbage, garbage_on_the_control_socket, aborted_requests, announced_and_gone, too_large, largest, slow_reader,
        connection_flood, control_flood, abandoned_streams, half_closed, mutated_requests)


# -- Acts that wait for a timeout ------------------------------------------------------------

def half_frames(target, _rng):
    crowd = [target.connect() for _ in range(10)]
    for c in crowd:
        try:
            c.send_bytes(struct.pack(">I", 1000) + b'{"id": 1, "method": "pi')
        except ConnectionError:  # it came during a flood of connections, and was turned away
            pass
    end_all(crowd)


def silent(target, _rng):
    end_all([target.connect() for _ in range(10)])


def never_reading(target, _rng):
    """They send until nothing more is taken. The daemon ends them when too little of their answers moves."""
    crowd = [target.connect() for _ in range(3)]
    data = frame(request_of_size(100_000))
    for c in crowd:
        c.socket.setblocking(False)
        try:
            while c.socket.send(data) == len(data):
                pass
        except OSError:
            pass
    for c in crowd:
        poll = select.poll()
        poll.register(c.socket, 0)  # the end of the connection is reported without being asked for
        must(poll.poll(PATIENCE * 1000), "a client that never reads is kept")
        c.close()


def end_all(crowd):
    """Waits until the daemon has closed these connections."""
    for c in crowd:
        read_to_the_end(c)
        c.close()


WAITING = (half_frames, silent, never_reading)


# -- Their processes -------------------------------------------------------------------------

def perform(act, target, rng, tally):
    """One act, counted by its name; how it failed is a failure."""
    try:
        act(target, rng)
        must(eventually(lambda: is_served(target)), "nobody is served afterwards")
        tally.count(act.__name__)
    except (AssertionError, Closed, OSError, ValueError, KeyError, daemon_mutate.Failed):
        tally.fail("%s: %s" % (act.__name__, traceback.format_exc(limit=3)))


def attack(acts, target, seed):
    """The work of a process: these acts, one after the other, again and again."""
    def work(tally, stop):
        rng = random.Random(seed)
        while True:
            for act in acts:
                if stop.wait(PAUSE):
                    return
                perform(act, target, rng, tally)
    return work
