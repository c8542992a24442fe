# SPDX-License-Identifier: Apache-2.0
"""Processes that put load on a daemon, and what they report.

A process of the soak runs a function work(tally, stop) until `stop` is set, and waits for nothing but `stop`, which also
holds it up while the load pauses. What it counts, measures and finds wrong
goes into its tally, which is sent to the parent once a second:

    tally.count("answers")             how often something happened
    tally.sample("validate_us", 412)   one measured value, a whole number
    tally.fail("text")                 something that must not happen; the verdict is then a failure
"""
import collections
import gc
import multiprocessing
import os
import time
import traceback

REPORT_SECONDS = 1
# Less important than the daemons and the process that measures, so that these get the processor when they need it.
NICE = 5
FORK = multiprocessing.get_context("fork")


class Tally:
    """Counts, samples and failures; a report is a dict of these three, and reports can be added."""

    def __init__(self, send=None):
        self.send, self.sent = send, time.monotonic()
        self.clear()

    def clear(self):
        self.counts, self.samples, self.failures = collections.Counter(), collections.defaultdict(list), []

    def count(self, name, n=1):
        self.counts[name] += n
        self.report(REPORT_SECONDS)

    def sample(self, name, value):
        self.samples[name].append(int(value))
        self.report(REPORT_SECONDS)

    def fail(self, text):
        self.failures.append(text)
        self.report(0)

    def as_report(self):
        return {"counts": dict(self.counts), "samples": dict(self.samples), "failures": self.failures}

    def add(self, report):
        self.counts.update(report["counts"])
        for name, values in report["samples"].items():
            self.samples[name] += values
        self.failures += report["failures"]

    def report(self, seconds):
        """Sends what came together since the last report, if that is so many seconds ago."""
        if self.send and time.monotonic() >= self.sent + seconds:
            self.send(self.as_report())
            self.clear()
            self.sent = time.monotonic()


class Stop:
    """Tells a process when to end. While `pause` is set, an event that all processes share, it doesn't go on."""

    def __init__(self, pause):
        self.ended, self.pause = FORK.Event(), pause

    def set(self):
        self.ended.set()

    def is_set(self):
        return self.ended.is_set()

    def wait(self, seconds=None):
        """Waits so long, and then until no pause is. Returns True if the process has to end, as soon as it has to."""
        while not self.ended.wait(seconds):
            if not self.pause.is_set():
                return False
            seconds = 0.1
        return True


class Worker:
    """A process of its own that works until it is stopped. `reports` is the pipe that its reports come out of."""

    def __init__(self, name, work, pause, nice=NICE):
        self.name = name
        self.stop = Stop(pause)
        self.reports, send = FORK.Pipe(duplex=False)
        self.process = FORK.Process(target=self.run, args=(work, nice, send), name=name, daemon=True)
        self.process.start()
        send.close()

    def run(self, work, nice, send):
        os.nice(nice)
        gc.freeze()  # what the parent has read is not looked at again
        tally = Tally(send.send)
        try:
            work(tally, self.stop)
        except Exception:  # pylint: disable=broad-except
            tally.fail("%s ended: %s" % (self.name, traceback.format_exc()))
        tally.report(0)
