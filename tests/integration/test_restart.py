# SPDX-License-Identifier: Apache-2.0
"""
A hundred restarts under load. We are the service manager: the listening sockets are ours and stay
open. Every request gets its answer or `draining`, after at most one resend: on a new connection,
and only when the old one closed before any byte of the answer.
"""
import json
import os
import select
import shutil
import tempfile
import time

from callers import Caller
from harness import Daemon, Passing, Test, listen

RESTARTS = int(os.environ.get("TK_TEST_RESTARTS", "100"))
CLIENTS = 4


def call_until(stop, caller):
    """Requests of many sizes, with and without pauses, until `stop` is readable."""
    n = 0
    while not select.select([stop], [], [], 0.001 * (n % 3))[0]:
        n += 1
        size = (10, 3_000, 100, 150_000, 50)[n % 5]
        caller.call({"id": n, "method": "ping", "params": {"echo": "x" * size}})


def start_caller(path, stop, stopper):
    """A process of its own; what it counted comes out of the returned pipe."""
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(stopper)
        caller = Caller(path)
        try:
            call_until(stop, caller)
        finally:
            os.write(into, json.dumps(caller.counts).encode()[:60_000])
            os._exit(0)
    os.close(into)
    return pid, out


class Restart(Test):
    def test_a_hundred_restarts_under_load(self):
        folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.addCleanup(shutil.rmtree, folder)
        sockets = [listen(os.path.join(folder, n)) for n in ("s.sock", "s.control.sock")]
        stop, stopper = os.pipe()
        callers = [start_caller(os.path.join(folder, "s.sock"), stop, stopper)
                   for _ in range(CLIENTS)]
        drained = 0
        for n in range(RESTARTS):
            with Daemon({"workers": 2}, folder=folder, spawn=Passing(*sockets)) as d:
                time.sleep(0.002 * (n % 8))
                drained += d.stop() == 0
        with Daemon(folder=folder, spawn=Passing(*sockets)):
            time.sleep(0.1)
            os.close(stopper)
            results = [self.result(pid, out) for pid, out in callers]
        os.close(stop)
        for s in sockets:
            s.close()
        total = {key: sum(r[key] for r in results) for key in ("answered", "draining", "resent")}
        self.assertEqual([r["lost"] for r in results], [[]] * CLIENTS)
        self.assertEqual(drained, RESTARTS)
        self.assertGreater(total["answered"], RESTARTS)
        print("# %(answered)d answered, %(draining)d draining, %(resent)d resent" % total)

    @staticmethod
    def result(pid, out):
        data = b""
        while chunk := os.read(out, 65536):
            data += chunk
        os.close(out)
        os.waitpid(pid, 0)
        return json.loads(data)
