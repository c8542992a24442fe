#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that the daemon stays up: all methods, ordinary and hostile clients, reloads and restarts, for a long time.

    soak.py [--minutes N] [--log FILE] [--seed N]
    soak.py --judge FILE          the verdict on a log of before

Two daemons run. The first one is never restarted: memory, descriptors and latency are measured on it, while its
configuration is reloaded, conversations in all codecs are compared with their first answers, hostile clients attack its
three sockets, and Prometheus scrapes it. The second one is restarted every 20 seconds under load; its sockets stay open.

A row a minute is printed, and a table of verdicts at the end. Exit status: 0 if all of them are good, else 1. The log
has the rows as JSON, one a line (judge.py says what is in them), and the end as the last line.

Latency is measured by a process of its own, from send to answer, at a fixed rate; latency.py says how other load of the
machine is taken out of it. All processes that only make load have a lower priority.
"""
import argparse
import json
import multiprocessing.connection
import os
import random
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "integration")]
import documents  # noqa: E402
import hostile  # noqa: E402
import http_clients  # noqa: E402
import judge  # noqa: E402
import latency  # noqa: E402
import ordinary  # noqa: E402
import prometheus  # noqa: E402
import reloads  # noqa: E402
import restarts  # noqa: E402
from harness import Client, allow_descriptors, cpu_seconds, eventually, is_sanitized, request_of_size, resident  # noqa: E402
from load import FORK, Tally, Worker  # noqa: E402
from monitored import Monitored  # noqa: E402

LONG_SECONDS = 600  # from here on the bars of a long run hold, and a row is a minute
SHORT_ROWS = 8
SAMPLE_SECONDS = 0.2
WARM_UP = 3  # seconds before the first row, in which all processes start
# At the end of a row, without load: clients that wait for a timeout of ten seconds end, too, and the daemon gives memory back.
REST_SECONDS = 13
RESTART_SECONDS = 20
RELOAD_SECONDS = 5
SCRAPE_SECONDS = 10
CALLERS = 2

COLUMNS = (("row", 4), ("answers", 8), ("p99_us", 8), ("ref_us", 8), ("rss_kb", 8), ("rest_kb", 8), ("fds", 5), ("cpu_s", 7),
           ("restarts", 9), ("resent", 7), ("lost", 5), ("wrong", 6), ("refused", 8), ("acts", 6), ("reloads", 8),
           ("failures", 9))


class Plan:
    """How long each thing takes in a run of so many seconds."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.is_long = seconds >= LONG_SECONDS
        self.row = 60 if self.is_long else seconds / SHORT_ROWS
        self.restart = min(RESTART_SECONDS, self.row)
        self.reload = min(RELOAD_SECONDS, self.row / 3)
        self.rest = min(REST_SECONDS, self.row / 4)
        self.scrape = min(SCRAPE_SECONDS, max(1, int(self.row)))
        self.bars = judge.LONG if self.is_long else judge.SHORT
        # So many that each is held several times.
        self.cases = int(seconds * ordinary.RATE / 4)

    def end(self, daemon):
        """Facts about the run that the verdict needs, but for those measured at its end."""
        acts = hostile.ACTS + hostile.WAITING + http_clients.ACTS + http_clients.WAITING
        return {"acts": [act.__name__ for act in acts], "is_sanitized": is_sanitized(daemon.pid),
                "is_long": self.is_long,
                # Pauses and starts on a busy machine take their time: 100 an hour are enough.
                "restarts": int(self.seconds / self.restart * 5 / 9),
                "scrapes": int(self.seconds / self.scrape * 5 / 6) - 1 if prometheus.PROGRAM else 0}


def workers(daemon, sockets, plan, seed, pause):
    """Starts all processes. While the event `pause` is set, they do nothing."""
    bodies = documents.bodies()
    held = documents.conversations(bodies, random.Random(seed), plan.cases)
    target = hostile.Target(daemon.socket, daemon.control)
    works = {"conversations": ordinary.talk(daemon.socket, held),
             "hostile": hostile.attack(hostile.ACTS, target, seed),
             "http": hostile.attack(http_clients.ACTS, http_clients.Target(daemon), seed),
             "reloads": reloads.reload(daemon, hostile.CONFIG, plan.reload),
             "restarts": restarts.restart(sockets, plan.restart)}
    works.update({act.__name__: hostile.attack([act], target, seed) for act in hostile.WAITING})
    works.update({act.__name__: hostile.attack([act], http_clients.Target(daemon), seed)
                  for act in http_clients.WAITING})
    works.update({"caller %d" % n: restarts.call(sockets.path, held) for n in range(CALLERS)})
    started = [Worker(name, work, pause) for name, work in works.items()]
    return started + [Worker("latency", latency.measure(daemon.socket, bodies["m"]), pause, nice=0)]


def descriptors(pid):
    return len(os.listdir("/proc/%d/fd" % pid))


class Ended(Exception):
    """The daemon that is never restarted has ended."""


class Row:
    """One row while it is collected."""

    def __init__(self, number, daemon):
        self.number, self.daemon = number, daemon
        self.tally, self.rss, self.rest, self.cpu = Tally(), [], 0, cpu_seconds(daemon.pid)

    def collect(self, pipes, until):
        """Adds up reports and samples the daemon until a moment of time.monotonic()."""
        sample = time.monotonic()
        while (now := time.monotonic()) < until:
            if self.daemon.process.poll() is not None:
                raise Ended("the daemon ended with %d: %s" % (self.daemon.process.returncode, self.daemon.log()[-2000:]))
            if now >= sample:
                self.rss.append(resident(self.daemon.pid) // 1024)
                sample += SAMPLE_SECONDS
            for pipe in multiprocessing.connection.wait(pipes, max(0, min(until, sample) - now)):
                receive(pipe, pipes, self.tally)

    def measure_at_rest(self, pipes, pause, seconds):
        """Lets all load pause for so long. At the end of it the daemon has given back what it doesn't use: it does so a
        second or two after a large request."""
        pause.set()
        self.collect(pipes, time.monotonic() + seconds * 2 / 3)
        send_large_requests(self.daemon)
        self.collect(pipes, time.monotonic() + seconds / 3)
        pause.clear()
        self.rest = self.rss[-1]

    def finish(self):
        return {"row": self.number, "rss_kb": self.rss, "rest_kb": self.rest, "descriptors": descriptors(self.daemon.pid),
                "cpu_s": round(cpu_seconds(self.daemon.pid) - self.cpu, 2), **self.tally.as_report()}


def send_large_requests(daemon):
    with Client(daemon.socket) as c:
        for _ in range(2):
            c.send(request_of_size(hostile.MAX_FRAME))
            c.receive_bytes()


def receive(pipe, pipes, tally):
    try:
        tally.add(pipe.recv())
    except EOFError:
        pipes.remove(pipe)


def line_of(row, acts):
    """A row's values for people, in the order of COLUMNS."""
    counts, samples = row["counts"], row["samples"]
    p99 = [judge.percentile(samples.get(name, []), 99) for name in ("validate_us", "reference_us")]
    values = [row["row"], counts.get("answers", 0), *p99, judge.percentile(row["rss_kb"], 50), row["rest_kb"], row["descriptors"],
              row["cpu_s"], counts.get("restarts", 0), counts.get("restart_resent", 0),
              counts.get("lost", 0) + counts.get("restart_lost", 0), counts.get("wrong", 0), counts.get("refused", 0),
              sum(counts.get(name, 0) for name in acts), counts.get("reloads", 0), len(row["failures"])]
    return " ".join(str(value).rjust(width) for value, (_, width) in zip(values, COLUMNS))


class Printer:
    """Rows for people on `out`, and as JSON in the log."""

    def __init__(self, out, log, acts):
        self.out, self.log, self.acts = out, log, acts

    def say(self, text):
        print(text, file=self.out, flush=True)

    def head(self):
        self.say(" ".join(name.rjust(width) for name, width in COLUMNS))

    def row(self, row):
        self.say(line_of(row, self.acts))
        for text in row["failures"][:5]:
            self.say("    " + text.replace("\n", "\n    "))
        self.write(row)

    def write(self, document):
        self.log.write(json.dumps(document) + "\n")
        self.log.flush()


def stop_all(started, tally):
    """Ends the processes and adds their last reports. What restarts a daemon ends last: until then its callers get their
    answers."""
    for is_last in (False, True):
        stop([worker for worker in started if (worker.name == "restarts") is is_last], tally)


def stop(started, tally):
    for worker in started:
        worker.stop.set()
    pipes = [worker.reports for worker in started]
    while pipes:
        for pipe in multiprocessing.connection.wait(pipes):
            receive(pipe, pipes, tally)
    for worker in started:
        worker.process.join()


def scrapes_of(server, tally):
    """Counts Prometheus's scrapes since its start."""
    good, all_of_them = (int(server.value("%s_over_time(up[2d])" % function)) for function in ("sum", "count"))
    tally.count("scrapes", good)
    tally.count("scrapes_failed", all_of_them - good)


def rows_of(daemon, started, plan, printer, pause):
    """Collects and prints the rows, but for the last one: that is returned unfinished, for what comes at the end."""
    pipes = [worker.reports for worker in started]
    warm_up = Row(0, daemon)
    warm_up.collect(pipes, time.monotonic() + WARM_UP)
    begin, finished, number = time.monotonic(), [], 1
    while True:
        row = Row(number, daemon)
        if number == 1:  # what is counted then counts, but it is no time to measure
            row.tally.add({**warm_up.tally.as_report(), "samples": {}})
        row.collect(pipes, begin + number * plan.row - plan.rest)
        row.measure_at_rest(pipes, pause, plan.rest)
        if number * plan.row >= plan.seconds:
            return finished, row
        finished.append(row.finish())
        printer.row(finished[-1])
        number += 1


def soak_daemon(daemon, plan, seed, printer):
    """Rows and end of a whole run."""
    with Client(daemon.socket) as c:
        c.ping()
    eventually(lambda: daemon.gauge("connections") == 0)
    end = {**plan.end(daemon), "descriptors_before": descriptors(daemon.pid)}
    sockets, rest = restarts.Sockets(), Tally()
    server = prometheus.Prometheus(daemon.port, plan.scrape) if prometheus.PROGRAM else None
    pause = FORK.Event()
    started = workers(daemon, sockets, plan, seed, pause)
    printer.head()
    try:
        rows, last = rows_of(daemon, started, plan, printer, pause)
        if server:
            scrapes_of(server, rest)
    finally:
        if server:
            server.close()
        stop_all(started, rest)
        sockets.close()
    last.tally.add(rest.as_report())
    rows.append(last.finish())
    printer.row(rows[-1])
    eventually(lambda: descriptors(daemon.pid) <= end["descriptors_before"])
    end["descriptors_after"] = descriptors(daemon.pid)
    return rows, end


def table(verdicts):
    """The verdicts for people."""
    lines = ["", "%-44s %-60s %s" % ("check", "measured", "bar")]
    for v in verdicts:
        lines.append("%-44s %-60s %s%s" % (v.name, v.measured, v.bar, "" if v.ok else "   FAILED"))
    lines.append("soak: " + ("all good" if all(v.ok for v in verdicts) else "FAILED"))
    return "\n".join(lines)


def run(options, out=sys.stdout):
    """A whole run. Returns the verdicts."""
    allow_descriptors(4096)
    plan = Plan(options.minutes * 60)
    folder = os.path.dirname(os.path.abspath(options.log))
    os.makedirs(folder, exist_ok=True)
    with open(options.log, "w", encoding="utf-8") as log, Monitored(hostile.CONFIG) as daemon:
        printer = Printer(out, log, plan.end(daemon)["acts"])
        printer.say("seed %d, %g minutes, a row is %g seconds, daemon %d"
                    % (options.seed, options.minutes, plan.row, daemon.pid))
        rows, end = soak_daemon(daemon, plan, options.seed, printer)
        printer.write(end)
    verdicts = judge.judge(rows, end, plan.bars)
    printer.say(table(verdicts))
    return verdicts


def judge_log(path):
    """The verdicts on a log of before."""
    with open(path, encoding="utf-8") as f:
        *rows, end = [json.loads(line) for line in f]
    verdicts = judge.judge(rows, end, judge.LONG if end["is_long"] else judge.SHORT)
    print(table(verdicts))
    return verdicts


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60, help="how long [60]; under ten it is a short form")
    parser.add_argument("--log", default="soak/soak.log", help="the rows as JSON lines [soak/soak.log]")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9), help="[drawn]")
    parser.add_argument("--judge", metavar="FILE", help="judge a log instead")
    return parser.parse_args(argv)


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # as an exception, so that daemons and Prometheus end, too
    try:
        verdicts = judge_log(options.judge) if options.judge else run(options)
    except Ended as why:
        print(why)
        return 1
    return 0 if all(v.ok for v in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
