# SPDX-License-Identifier: Apache-2.0
"""How long a user waits for a ping while another has 256 connections that validate 430 KB each, one after the other.

Printed by report.py. "Alone" is a second daemon, asked in turn with the first while the crowd keeps the first one busy: so the
figures differ by what the daemon does, and not by what else runs on the processors. Without root there is one user only, so nothing
can be measured.
"""
import multiprocessing
import os
import selectors
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "integration")]
import harness  # noqa: E402

GREEDY, OTHER = 60002, 60003
CROWD = 256
REQUEST_SIZE = 430_000
SECONDS = 12

def validate(size):
    """A validate of that many bytes, in which nothing is wrong."""
    pair = ('{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_%d", "name": "f", "input": {"a": [1, 2]}}]}, '
            '{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_%d", "content": "%s"}]}')
    text = "x" * 800
    pairs = ", ".join(pair % (n, n, text) for n in range(size // len(pair % (1000, 1000, text))))
    return harness.frame(('{"id": 1, "method": "validate", "params": {"messages": [{"role": "user", "content": "q"}, %s]}}'
                          % pairs).encode())


class Greedy:
    """A connection that sends the request again as soon as it is answered."""

    def __init__(self, selector, path, request):
        self.client = harness.connect_as(GREEDY, path)
        self.client.socket.setblocking(False)
        self.selector, self.request, self.left = selector, request, memoryview(request)
        selector.register(self.client.socket, selectors.EVENT_WRITE, self)

    def write(self):
        self.left = self.left[self.client.socket.send(self.left):]
        if not self.left:
            self.selector.modify(self.client.socket, selectors.EVENT_READ, self)

    def read(self):
        """True if it was answered. An answer is short: it comes in one piece."""
        self.client.socket.recv(1 << 16)
        self.left = memoryview(self.request)
        self.selector.modify(self.client.socket, selectors.EVENT_WRITE, self)


def be_greedy(path, request, count, stop, answered):
    os.nice(5)  # so that the other user's process isn't what waits
    selector = selectors.DefaultSelector()
    for _ in range(count):
        Greedy(selector, path, request)
    while not stop.is_set():
        for key, events in selector.select(0.1):
            try:
                if events & selectors.EVENT_READ:
                    key.data.read()
                    answered.value += 1
                else:
                    key.data.write()
            except BlockingIOError:
                pass


def seconds_of(call):
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def p99(values):
    return sorted(values)[len(values) * 99 // 100]


def ask_both(crowded, alone, request):
    """Returns times of pings in the crowd, of pings alone, and of validates alone."""
    times = ([], [], [])
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        times[0].append(seconds_of(crowded.ping))
        times[1].append(seconds_of(alone.ping))
        if len(times[0]) % 10 == 0:
            times[2].append(seconds_of(lambda: (alone.send_bytes(request), alone.receive_bytes())))
        time.sleep(0.002)
    return times


def measure():
    """Returns times as ask_both(), and how many validates of the crowd were answered in a second."""
    harness.allow_descriptors(2 * CROWD)
    request = validate(REQUEST_SIZE)
    config = {"socket_mode": "0666", "workers": 1, **harness.one_user(1 << 30)}
    with harness.Daemon(config) as busy, harness.Daemon(config) as idle:
        stop, answered = multiprocessing.Event(), multiprocessing.Value("L", 0, lock=False)
        crowd = multiprocessing.get_context("fork").Process(
            target=be_greedy, args=(busy.socket, request, CROWD, stop, answered))
        crowd.start()
        try:
            harness.eventually(lambda: answered.value > CROWD)
            before = answered.value
            with harness.connect_as(OTHER, busy.socket) as crowded, harness.connect_as(OTHER, idle.socket) as alone:
                times = ask_both(crowded, alone, request)
            return (*times, (answered.value - before) / SECONDS)
        finally:
            stop.set()
            crowd.join()


def figures(report):
    """Adds the rows to the report of `make bench`."""
    if os.geteuid() != 0:
        return report.note("shares", "only root can be several users")
    crowded, alone, validates, rate = measure()
    longest = max(validates)
    report.note("shares: ping of a user alone, p99", "%.2f ms" % (1000 * p99(alone)))
    report.note("shares: validate of 430 KB alone, longest", "%.2f ms" % (1000 * longest))
    report.note("shares: validates a second of 256 connections", "%.0f" % rate)
    return report.line("shares: ping of another user meanwhile, p99 (%.2f ms)" % (1000 * p99(crowded)),
                       p99(crowded) / (10 * p99(alone) + longest), 1, " x (10 pings alone + the longest)")
