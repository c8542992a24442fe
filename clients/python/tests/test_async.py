# SPDX-License-Identifier: Apache-2.0
"""The asyncio client: every test of the blocking one, and what only asyncio has."""

import asyncio
import inspect
import threading
import time
import unittest
import warnings

import support
import test_client
import test_daemon
import test_streams
from support import PATIENCE, Blocking, FakeDaemonTest, pong

import turnkeeper

NOT_HERE = {"CtrlC", "Fork", "FakeDaemonTest", "DaemonTest", "Conformance", "Paths"}


def again(module):
    """The tests of a module for the other kind of client."""
    for name, kind in vars(module).items():
        if inspect.isclass(kind) and issubclass(kind, unittest.TestCase):
            if kind.__module__ == module.__name__ and name not in NOT_HERE:
                yield name, type(name, (kind,), {"Client": Blocking, "__module__": __name__})


globals().update(again(test_client))
globals().update(again(test_streams))
globals().update(("Real" + name, kind) for name, kind in again(test_daemon))


class Surface(unittest.TestCase):
    def test_both_kinds_are_alike(self):
        for blocking, waiting in (
            (turnkeeper.Client, turnkeeper.AsyncClient),
            (turnkeeper.Stream, turnkeeper.AsyncStream),
            (turnkeeper.Local, turnkeeper.AsyncLocal),
        ):
            for name in (n for n in dir(blocking) if not n.startswith("_")):
                one, other = getattr(blocking, name), getattr(waiting, name)
                if callable(one):
                    self.assertEqual(self.parameters(one), self.parameters(other), name)
                    self.assertEqual(inspect.iscoroutinefunction(other), name != "stream", name)
            extra = [n for n in dir(waiting) if not n.startswith("_") and not hasattr(blocking, n)]
            self.assertEqual(extra, [])

    def test_both_back_ends_are_alike(self):
        for socket, inside in (
            (turnkeeper.Client, turnkeeper.Local),
            (turnkeeper.AsyncClient, turnkeeper.AsyncLocal),
        ):
            names = {n for n in dir(socket) if not n.startswith("_")}
            own = {"path", "version"}  # the library's
            self.assertEqual({n for n in dir(inside) if not n.startswith("_")}, names | own)
            for name in names:
                self.assertIs(getattr(socket, name), getattr(inside, name))

    @staticmethod
    def parameters(function):
        return list(inspect.signature(function).parameters)

    def test_methods_tell_what_they_take(self):
        signature = inspect.signature(turnkeeper.Client().repair)
        self.assertEqual(list(signature.parameters), ["document", "params"])
        self.assertIn("UnsafeHistory", turnkeeper.AsyncClient.repair.__doc__)


class Tasks(FakeDaemonTest):
    def run_with(self, daemon, body, **options):
        async def main():
            async with turnkeeper.AsyncClient(daemon.path, **options) as client:
                return await body(client)

        with warnings.catch_warnings():
            warnings.simplefilter("error", ResourceWarning)
            return asyncio.run(main())

    def test_many_at_once(self):
        daemon = self.daemon(pong)

        async def caller(client, n):
            for i in range(50):
                self.assertEqual((await client.ping(echo=[n, i])).echo, [n, i])

        async def body(client):
            await asyncio.gather(*(caller(client, n) for n in range(16)))
            self.assertLessEqual(len(client._pool.idle), 4)

        self.run_with(daemon, body)

    def test_cancelling_closes_the_connection(self):
        asked, cancelled, over = (threading.Event() for _ in range(3))

        def slow(peer):
            request = peer.read()
            asked.set()
            cancelled.wait(PATIENCE)
            try:
                peer.result(request, {"pong": "another's"})
            finally:
                over.set()

        daemon = self.daemon(slow, pong)

        async def body(client):
            task = asyncio.ensure_future(client.ping())
            await asyncio.get_running_loop().run_in_executor(None, asked.wait, PATIENCE)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual(len(client._pool.idle), 0)
            cancelled.set()
            await asyncio.get_running_loop().run_in_executor(None, over.wait, PATIENCE)
            self.assertIs((await client.ping()).pong, True)

        self.run_with(daemon, body)
        self.assertEqual(daemon.accepted, 2)

    def test_cancelling_while_sending(self):
        cancelled = threading.Event()
        daemon = self.daemon(lambda peer: cancelled.wait(PATIENCE), pong)

        async def body(client):
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(client.ping(echo="x" * 5_000_000), 0.1)
            cancelled.set()
            self.assertIs((await client.ping()).pong, True)

        self.run_with(daemon, body)

    def test_cancelling_inside_a_stream_ends_it(self):
        def one(peer):
            peer.result(peer.read(), {"state": "open", "outputs": [], "carried": []})
            peer.read()
            cancelled.wait(PATIENCE)

        cancelled = threading.Event()
        daemon = self.daemon(one)

        async def body(client):
            async with client.stream() as stream:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(stream.feed(b"x"), 0.05)
                self.assertEqual(stream.state, "lost")
                with self.assertRaises(turnkeeper.ConnectionLost) as caught:
                    await stream.feed(b"y")
                self.assertFalse(caught.exception.retryable)
            cancelled.set()

        self.run_with(daemon, body)
        self.assertEqual(daemon.accepted, 1)

    def test_cut_off_at_random(self):
        """Cancelled at any moment, nobody ever gets another's answer."""

        def jittery(peer):
            n = 0
            while True:
                request = peer.read()
                if request is None:
                    return
                n += 1
                time.sleep(0.001 * (n % 4))
                peer.result(request, dict(request["params"], pong=True))

        daemon = self.daemon(jittery)
        outcomes = {"answered": 0, "cut": 0}

        async def caller(client, n):
            for i in range(60):
                mark = "%d.%d" % (n, i)
                try:
                    ping = client.ping(echo=mark)
                    limit = (0.0005, 0.003, 5)[(n + i) % 3]
                    self.assertEqual((await asyncio.wait_for(ping, limit)).echo, mark)
                    outcomes["answered"] += 1
                except asyncio.TimeoutError:
                    outcomes["cut"] += 1

        async def body(client):
            await asyncio.gather(*(caller(client, n) for n in range(8)))

        self.run_with(daemon, body)
        self.assertGreater(min(outcomes.values()), 50, outcomes)

    def test_one_client_in_two_loops(self):
        daemon = self.daemon(pong)
        client = turnkeeper.AsyncClient(daemon.path)

        async def ping():
            return (await client.ping()).pong

        for _ in range(2):
            self.assertTrue(asyncio.run(ping()))
        self.assertEqual(daemon.accepted, 1)
        asyncio.run(client.close())

    def test_waiting_leaves_the_loop_free(self):
        daemon = self.daemon(support.FakeDaemon.never)

        async def body(client):
            ping = asyncio.ensure_future(client.ping())
            ticks = 0
            while not ping.done():
                await asyncio.sleep(0.01)
                ticks += 1
            with self.assertRaises(turnkeeper.Timeout):
                await ping
            return ticks

        self.assertGreater(self.run_with(daemon, body, timeout=2), 5)


if __name__ == "__main__":
    unittest.main()
