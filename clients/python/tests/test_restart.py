# SPDX-License-Identifier: Apache-2.0
"""
64 callers while the daemon is ended and killed again and again. We are the service manager: the
listening sockets are ours and stay open. Every call gets its own answer or a retryable error.
"""

import asyncio
import os
import signal
import sys
import threading
import time
import unittest

from support import ROOT, folder

import turnkeeper

CALLERS = 64
RESTARTS = int(os.environ.get("TK_TEST_RESTARTS", "30"))
PATIENCE = 60  # seconds for one call: sanitizers, and a machine that does other things too
HISTORY = [
    {"role": "user", "content": "q"},
    {
        "role": "assistant",
        "content": [
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}},
            {"type": "text", "text": "a" * 20_000},
        ],
    },
]


def harness():
    """tests/integration/harness.py; SkipTest without the tree or the daemon."""
    if not os.environ.get("TURNKEEPERD"):
        raise unittest.SkipTest("TURNKEEPERD names no daemon")
    sys.path.append(os.path.join(ROOT, "tests", "integration"))
    try:
        import harness as found
    except ImportError as why:
        raise unittest.SkipTest("not in the project's tree") from why
    return found


class Tally:
    """What the callers met. A list's append() is safe from any thread."""

    def __init__(self):
        self.answered = []
        self.retryable = []
        self.lost = []
        self.over = False

    def note(self, n, i, error):
        if error is None:
            self.answered.append((n, i))
        elif isinstance(error, turnkeeper.TurnkeeperError) and error.retryable:
            self.retryable.append(error.name)
        else:
            self.lost.append(repr(error))


def question(n, i):
    """A method and its argument that no other call has, and how to know the answer."""
    mark = "%d.%d" % (n, i)
    if i % 4 == 0:
        history = [{"role": "user", "content": mark}] + HISTORY[1:] + [HISTORY[0]]
        return "repair", (history,), {}, lambda got: got.messages[0] is history[0] and got.changed
    size = (10, 3_000, 60_000)[i % 3]
    return "ping", (), {"echo": mark + "x" * size}, lambda got: got.echo == mark + "x" * size


class Restart(unittest.TestCase):
    def setUp(self):
        self.harness = harness()
        path = folder()
        self.folder = path.__enter__()
        self.addCleanup(path.__exit__, None, None, None)
        os.chmod(self.folder, 0o755)
        names = ("s.sock", "s.control.sock")
        self.sockets = [self.harness.listen(os.path.join(self.folder, n)) for n in names]
        for s in self.sockets:
            self.addCleanup(s.close)
        self.path = os.path.join(self.folder, "s.sock")

    def daemon(self):
        spawn = self.harness.Passing(*self.sockets)
        return self.harness.Daemon({"workers": 2}, folder=self.folder, spawn=spawn)

    def restart_it(self, tally):
        """Ends it one time, kills it the next."""
        try:
            for n in range(RESTARTS):
                with self.daemon() as daemon:
                    time.sleep(0.01 * (n % 5))
                    daemon.signal(signal.SIGKILL if n % 2 else signal.SIGTERM)
                    daemon.wait()
            enough = len(tally.answered) + 5 * CALLERS
            with self.daemon():
                end = time.monotonic() + PATIENCE
                while len(tally.answered) < enough and time.monotonic() < end:
                    time.sleep(0.05)
                tally.over = True
                self.join()
        finally:
            tally.over = True

    def judge(self, tally):
        self.assertEqual(tally.lost, [])
        self.assertGreater(len(tally.answered), RESTARTS)
        print("# %d answered, %d retryable" % (len(tally.answered), len(tally.retryable)))

    def test_threads(self):
        tally = Tally()
        client = turnkeeper.Client(self.path, timeout=PATIENCE, pool_size=CALLERS)
        self.addCleanup(client.close)

        def caller(n):
            i = 0
            while not tally.over:
                i += 1
                method, args, params, fits = question(n, i)
                try:
                    good = fits(getattr(client, method)(*args, **params))
                    tally.note(n, i, None if good else AssertionError("another's answer"))
                except Exception as why:
                    tally.note(n, i, why)

        threads = [threading.Thread(target=caller, args=(n,)) for n in range(CALLERS)]
        self.join = lambda: [thread.join(PATIENCE) for thread in threads]
        for thread in threads:
            thread.start()
        self.restart_it(tally)
        self.assertFalse(any(thread.is_alive() for thread in threads))
        self.judge(tally)

    def test_tasks(self):
        tally = Tally()

        async def caller(client, n):
            i = 0
            while not tally.over:
                i += 1
                method, args, params, fits = question(n, i)
                try:
                    good = fits(await getattr(client, method)(*args, **params))
                    tally.note(n, i, None if good else AssertionError("another's answer"))
                except Exception as why:
                    tally.note(n, i, why)

        async def callers():
            options = {"timeout": PATIENCE, "pool_size": CALLERS}
            async with turnkeeper.AsyncClient(self.path, **options) as client:
                await asyncio.gather(*(caller(client, n) for n in range(CALLERS)))

        loop = threading.Thread(target=lambda: asyncio.run(callers()))
        self.join = lambda: loop.join(PATIENCE)
        loop.start()
        self.restart_it(tally)
        self.assertFalse(loop.is_alive())
        self.judge(tally)


if __name__ == "__main__":
    unittest.main()
