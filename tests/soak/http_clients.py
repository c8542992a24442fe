# SPDX-License-Identifier: Apache-2.0
"""Clients of HTTP for monitoring: one that means well, and those that don't.

They are acts as in hostile.py, on another target.
"""
import select
import socket
import time

from harness import PATIENCE, Client

GOOD = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
GARBAGE = (b"GARBAGE\r\n\r\n", b"\x00\xff\xfe\r\n\r\n", b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n', b"GET  HTTP/1.1\r\n\r\n",
           b"GET /livez HTTP/1.1\r\nno colon\r\n\r\n", b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n")
CROWD = 1000  # connections at the same time; ten crowds a minute are 10^4
SLOW = 8      # half of the connections that HTTP may have, so that Prometheus isn't kept waiting


class Target:
    """A daemon with HTTP (integration/monitored.py): its port, and the path of its main socket."""

    def __init__(self, daemon):
        self.daemon, self.path, self.port = daemon, daemon.socket, daemon.port

    def connect(self):
        return Client(self.path)


def must(condition, text):
    if not condition:
        raise AssertionError(text)


def scrape(target, _rng):
    for path, expected in (("/livez", "ok\n"), ("/readyz", ""), ("/metrics", "# HELP turnkeeper_"), ("/info", "{"),
                           ("/stats", "{")):
        status, _, text = target.daemon.request(path)
        must(status == 200 or (path, status) == ("/readyz", 503), "%s: %d" % (path, status))
        must(text.startswith(expected) or status != 200, "%s: %r" % (path, text[:100]))


def http_garbage(target, _rng):
    for data in GARBAGE:
        answer = target.daemon.raw(data)
        must(answer == b"" or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4", b"HTTP/1.1 505")),
             "%r is answered with %r" % (data[:50], answer[:100]))


def http_pipelining(target, _rng):
    answers = target.daemon.raw(GOOD * 120)
    must(answers.count(b"HTTP/1.1 200 ") == 100, "%d answers to 120 requests" % answers.count(b"HTTP/1.1 200 "))


def http_crowd(target, _rng):
    """Connections that come all at once, and go."""
    crowd = []
    try:
        for _ in range(CROWD):
            s = socket.socket()
            crowd.append(s)
            s.setblocking(False)
            s.connect_ex(("127.0.0.1", target.port))
    finally:
        for s in crowd:
            s.close()


def http_slow_heads(target, _rng):
    """Each sends a byte now and then; the daemon ends it 5 seconds after the first one."""
    waiting = [socket.create_connection(("127.0.0.1", target.port), PATIENCE) for _ in range(SLOW)]
    end = time.monotonic() + PATIENCE
    try:
        while waiting and time.monotonic() < end:
            for s in list(waiting):
                if not send_a_byte(s):
                    waiting.remove(s)
                    s.close()
            select.select(waiting, [], [], 0.5)
        must(not waiting, "%d slow heads are kept" % len(waiting))
    finally:
        for s in waiting:
            s.close()


def send_a_byte(s):
    """False if the daemon has ended the connection."""
    try:
        s.sendall(b"G")
        return not select.select([s], [], [], 0)[0]
    except OSError:
        return False


ACTS = (scrape, http_garbage, http_pipelining, http_crowd)
WAITING = (http_slow_heads,)
