#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much clients of HTTP can slow down the main socket: a validate of 18 KB with and without an attack.

    http_attack.py [--rounds N] [--seconds N]

Each round has a part without an attack and a part with each of them, so that all are measured under the same conditions.
As in latency.py each request is followed by the same bytes to a reference, which only hashes them: an attack
costs the processor time of the attacker too, and the reference shows how much of the slowdown is due to that.
"""
import argparse
import os
import random
import socket
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "integration")]
import documents  # noqa: E402
import http_clients  # noqa: E402
import judge  # noqa: E402
import latency  # noqa: E402
from harness import Client, allow_descriptors, frame  # noqa: E402
from load import FORK, Worker  # noqa: E402
from monitored import Monitored  # noqa: E402

CONNECTIONS = 10_000
SLOW_HEADS = 100  # of which the daemon serves sixteen at a time
REQUEST_SECONDS = 0.005  # from one request to the next
WARM_UP = 0.3  # seconds in which an attack begins, not measured


# -- Attacks: the work of a process each -----------------------------------------------------

def connect_at_once(port):
    s = socket.socket()
    s.setblocking(False)
    s.connect_ex(("127.0.0.1", port))
    return s


def nothing(_target):
    return lambda _tally, stop: stop.wait()


def slow_heads(target):
    """Heads that come a byte at a time. One that the daemon has ended begins again."""
    def work(_tally, stop):
        crowd = [connect_at_once(target.port) for _ in range(SLOW_HEADS)]
        while not stop.wait(0.05):
            for n, s in enumerate(crowd):
                if not http_clients.send_a_byte(s):
                    s.close()
                    crowd[n] = connect_at_once(target.port)
    return work


def ten_thousand_connections(target):
    """All open at the same time, then closed, again and again."""
    def work(_tally, stop):
        while not stop.is_set():
            crowd = [connect_at_once(target.port) for _ in range(CONNECTIONS)]
            stop.wait(0.3)
            for s in crowd:
                s.close()
    return work


def repeated(act):
    """An act of http_clients.py, ten times a second."""
    def attack(target):
        def work(_tally, stop):
            while not stop.wait(0.1):
                act(target, random)
        return work
    return attack


ATTACKS = {"none": nothing, "slow heads": slow_heads, "10^4 connections": ten_thousand_connections,
           "garbage": repeated(http_clients.http_garbage), "pipelining": repeated(http_clients.http_pipelining)}


# -- Measuring -------------------------------------------------------------------------------

def sample(client, reference, data, seconds):
    """[(microseconds of the daemon, of the reference)...] of one part of a round."""
    found, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        took, answer = latency.microseconds(client, data)
        if not answer or b'"result"' not in answer[:100]:
            raise RuntimeError("no result: %r" % answer)
        found.append((took, latency.microseconds(reference, data)[0]))
        time.sleep(REQUEST_SECONDS)
    return found


def measure(rounds, seconds):
    """{attack: samples}"""
    allow_descriptors(CONNECTIONS + 1000)
    data = frame(documents.request_of("validate", {"request": documents.bodies()["s"]}, "json"))
    found = {name: [] for name in ATTACKS}
    reference = latency.start_reference()
    with Monitored() as daemon, Client(daemon.socket) as c:
        target = http_clients.Target(daemon)
        for _ in range(rounds):
            for name, attack in ATTACKS.items():
                worker = Worker(name, attack(target), FORK.Event())
                sample(c.socket, reference, data, WARM_UP)
                found[name] += sample(c.socket, reference, data, seconds)
                worker.stop.set()
                worker.process.join()
                if worker.reports.poll():
                    failures = worker.reports.recv()["failures"]
                    if failures:
                        raise RuntimeError(failures[0])
    reference.close()
    return found


def figures(samples, quiet):
    """{"daemon": (p50, p99), "reference": (p50, p99), "slower": quotient}: microseconds with an attack, and how much
    slower the median of the daemon is than without one. The slowdown of the reference is divided out."""
    of = {}
    for n, name in enumerate(("daemon", "reference")):
        values, quiet_values = [s[n] for s in samples], [s[n] for s in quiet]
        of[name] = judge.percentile(values, 50), judge.percentile(values, 99)
        of["slower " + name] = of[name][0] / judge.percentile(quiet_values, 50)
    of["slower"] = of["slower daemon"] / max(1, of["slower reference"])
    return of


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="[5]")
    parser.add_argument("--seconds", type=float, default=2, help="of each part of a round [2]")
    options = parser.parse_args()
    found = measure(options.rounds, options.seconds)
    print("validate of 18 KB on the main socket while HTTP is attacked (us)")
    print("%-18s %10s %10s %14s %14s %8s %8s" % ("attack", "p50", "p99", "reference p50", "reference p99", "slower", "samples"))
    for name, samples in found.items():
        f = figures(samples, found["none"])
        print("%-18s %10.0f %10.0f %14.0f %14.0f %8.2f %8d"
              % (name, *f["daemon"], *f["reference"], f["slower"], len(samples)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
