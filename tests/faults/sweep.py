#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets each call of the C library fail that a daemon makes, one after the other, and says what went wrong.

    sweep.py [--only FUNCTION] [--part serve|start]

`make faults` runs it; exit status 1 after a complaint.
"""
import argparse
import contextlib
import errno
import os
import shutil
import signal
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "integration"))

from harness import PROGRAM, Daemon, eventually
from load import Load
from page import ONE_BYTE, Page

# Failures while requests are served, by function.
WHILE_SERVING = {
    "allocation": [errno.ENOMEM],
    "accept4": [errno.EMFILE, errno.ENOMEM, errno.ECONNABORTED, errno.EINTR],
    "read": [errno.EINTR, errno.EAGAIN, ONE_BYTE, errno.ECONNRESET],
    "readv": [errno.EINTR, errno.EAGAIN, ONE_BYTE, errno.ECONNRESET],
    "write": [errno.EAGAIN, errno.ENOSPC],
    "writev": [errno.EINTR, errno.EAGAIN, ONE_BYTE, errno.EPIPE],
    "sendmsg": [errno.EINTR, errno.EAGAIN, errno.ENOBUFS, errno.ENOMEM, ONE_BYTE, errno.EPIPE],
    "epoll_ctl": [errno.ENOMEM, errno.ENOSPC],
    "epoll_wait": [errno.EINTR],
    "listen": [errno.ENOBUFS],
}
# The kernel says that this connection is broken: then it is, and its answers are lost.
BROKEN = {errno.ECONNRESET, errno.EPIPE}
# Failures while the daemon starts.
AT_START = {
    "allocation": [errno.ENOMEM],
    "epoll_create1": [errno.EMFILE],
    "epoll_ctl": [errno.ENOMEM],
    "eventfd": [errno.EMFILE],
    "signalfd": [errno.EMFILE],
    "socket": [errno.EMFILE],
    "bind": [errno.EACCES],
    "listen": [errno.ENOBUFS],
    "getsockopt": [errno.ENOBUFS],
    "open": [errno.EMFILE],
    "getgrnam": [errno.ENOMEM],
    "pthread_create": [errno.EAGAIN],
}
# More blocks than this at the end, for each hundred faults, and memory has leaked. Tables grow a little.
BLOCKS_PER_HUNDRED = 4
BLOCKS_OF_TABLES = 40


@contextlib.contextmanager
def stopped(daemon):
    """Stops the process, as no fault does: nothing is answered meanwhile."""
    daemon.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        daemon.signal(signal.SIGCONT)


def name_of(error):
    return "one byte" if error == ONE_BYTE else errno.errorcode[error]


class Sweep:
    """A daemon under faults. `complaints` is what went wrong, with the fault that it followed."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.page = Page(os.path.join(self.folder, "page"))
        self.http = os.path.join(self.folder, "h.sock")
        self.complaints = []
        self.faults = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def daemon(self, **options):
        return Daemon({"http": "unix:" + self.http, "workers": 2}, environment=self.page.environment(), **options)

    def complain(self, function, n, error, what):
        self.complaints.append("%s %d, %s: %s" % (function, n, name_of(error), what))
        print(self.complaints[-1], flush=True)

    # ---- while requests are served ----

    def serve(self, samples, only=None):
        """Each call fails once, of each function, or of `only` one. samples: one call of how many, by function."""
        with self.daemon() as d:
            if not self.page.names():
                raise RuntimeError("the program doesn't call libfaults.so")
            load = Load(d, self.http)
            load.learn()
            for _ in range(3):   # tables reach their size
                load.run()
            eventually(load.is_well)
            descriptors, blocks = self.quiet(load)
            for function in [only] if only else WHILE_SERVING:
                for error in WHILE_SERVING[function]:
                    self.each_call(load, function, error, samples.get(function, 1), descriptors)
                    if d.process.poll() is not None:
                        return
            left = self.quiet(load)[1] - blocks
            if left > BLOCKS_OF_TABLES + self.faults * BLOCKS_PER_HUNDRED // 100:
                self.complaints.append("%d blocks of memory are left over after %d faults" % (left, self.faults))

    def quiet(self, load):
        """Descriptors and blocks once nothing is under way: the same numbers twice."""
        seen = [None]

        def settled():
            now = (load.descriptors(), self.page.blocks())
            seen.append(now)
            return seen[-2] == now
        eventually(settled)
        return seen[-1]

    def each_call(self, load, function, error, every, descriptors):
        n, missed = 1 + self.faults % every, 0
        while missed < 2:   # their number differs from run to run
            if not self.one_call(load, function, n, error, descriptors):
                missed += 1
            n += every

    def one_call(self, load, function, n, error, descriptors):
        """Returns true if the call was made."""
        self.page.arm(function, n, error)
        complaints = load.run(may_break=error in BROKEN)
        failed = self.page.disarm(function)
        for what in complaints:
            self.complain(function, n, error, what)
        if not eventually(load.is_well, 10):
            self.complain(function, n, error, "it isn't well afterwards")
        if not load.is_quiet(descriptors):
            self.complain(function, n, error, "%d descriptors, not %d" % (load.descriptors(), descriptors))
        self.faults += failed
        return failed

    # ---- at start ----

    def start(self, samples, only=None):
        """The daemon is started again and again: it serves, or says in a line why it doesn't, with status 1."""
        self.page.restart()
        with self.daemon():
            self.page.names()
            calls = {function: self.page.calls(function) for function in AT_START}
        for function in [only] if only else AT_START:
            for error in AT_START[function]:
                for n in range(1, calls[function] + 1, samples.get(function, 1)):
                    self.one_start(function, n, error)

    def one_start(self, function, n, error):
        self.page.restart()
        self.page.arm(function, n, error)
        d = self.daemon(wait=False)
        try:
            eventually(lambda: d.process.poll() is not None or d.logged("ready"))
            self.page.disarm(function)
            self.faults += 1
            if d.process.poll() is None and d.logged("ready"):
                load = Load(d, self.http)
                load.learn()
                if not eventually(load.is_well, 10):
                    self.complain(function, n, error, "it isn't well")
                code = d.stop()
                if code != 0:
                    self.complain(function, n, error, "ended with %d: %s" % (code, d.log()[-2000:]))
            elif d.process.poll() != 1 or "level=error" not in d.log():
                self.complain(function, n, error, "exit status %r: %s" % (d.process.poll(), d.log()[-300:]))
        except (OSError, AssertionError) as e:
            self.complain(function, n, error, "%s; log: %s" % (e, d.log()[-300:]))
        finally:
            d.close()
            if os.path.exists(self.http):
                os.unlink(self.http)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", metavar="FUNCTION")
    options.add_argument("--part", choices=("serve", "start"))
    options = options.parse_args()
    with Sweep() as sweep:
        if options.part != "start" and (not options.only or options.only in WHILE_SERVING):
            sweep.serve({}, options.only)
            print("%d faults while %s served" % (sweep.faults, os.path.basename(PROGRAM)))
        served = sweep.faults
        if options.part != "serve" and (not options.only or options.only in AT_START):
            sweep.start({}, options.only)
            print("%d faults at start" % (sweep.faults - served))
    return 1 if sweep.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
