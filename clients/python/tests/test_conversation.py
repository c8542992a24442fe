# SPDX-License-Identifier: Apache-2.0
"""How a call goes, step by step, without a socket and with a clock that doesn't move."""

import asyncio
import errno
import unittest

from support import FakeDaemonTest, framed, pong, wire

import turnkeeper
from turnkeeper import calls
from turnkeeper.conversation import (
    Acquire,
    Pause,
    Receive,
    Release,
    Send,
    conversation,
)
from turnkeeper.results import Pong

PING = calls.record("ping", Pong)
FEED = calls.call("stream.feed", {})
IDENT = 7


def answer(**members):
    document = dict({"jsonrpc": "2.0", "id": IDENT}, **members)
    return framed(wire.encode_json(document))


def failure(code, name, ident=IDENT, **data):
    detail = dict(data, name=name, retryable=code <= -32011)
    return answer(id=ident, error={"code": code, "message": name, "data": detail})


GOOD = answer(result={"pong": True})
BUSY = failure(-32011, "busy", ident=None, retry_after_ms=100)
DRAINING = failure(-32012, "draining")
RESET = ConnectionResetError(errno.ECONNRESET, "reset")


class Script:
    """Performs steps by a list of outcomes; a Pause moves the clock."""

    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)
        self.steps = []
        self.now = 100.0

    def run(self, call=PING, timeout=5.0, retries=0):
        steps = conversation(
            call, IDENT, wire.encode_json, timeout=timeout, retries=retries, clock=lambda: self.now
        )
        outcome = None
        while True:
            try:
                if isinstance(outcome, BaseException):
                    step = steps.throw(outcome)
                else:
                    step = steps.send(outcome)
            except StopIteration as end:
                return end.value
            self.steps.append(step)
            outcome = None
            if isinstance(step, Pause):
                self.now += step.seconds
            elif not isinstance(step, Release):
                outcome = self.outcomes.pop(0)

    @property
    def kinds(self):
        return [type(step) for step in self.steps]


class Steps(unittest.TestCase):
    def test_plain(self):
        script = Script(None, None, GOOD)
        self.assertTrue(script.run().pong)
        self.assertEqual(script.kinds, [Acquire, Send, Receive, Release])
        self.assertEqual(script.steps[0], Acquire(False, 105.0))
        self.assertEqual({step.deadline for step in script.steps[:3]}, {105.0})
        self.assertGreaterEqual(script.steps[2].limit, len(GOOD))

    def test_no_limit(self):
        script = Script(None, None, GOOD)
        script.run(timeout=None)
        self.assertEqual({step.deadline for step in script.steps[:3]}, {None})

    def timeouts(self, script):
        sent = [wire.decode(s.data[1])["params"] for s in script.steps if isinstance(s, Send)]
        return [params.get("timeout_ms") for params in sent]

    def test_the_deadline_travels(self):
        script = Script(None, None, GOOD)
        script.run()
        self.assertEqual(self.timeouts(script), [5000])
        script = Script(None, None, BUSY, None, None, GOOD)
        script.run(retries=1)
        pause = next(s.seconds for s in script.steps if isinstance(s, Pause))
        self.assertEqual(self.timeouts(script), [5000, int((5 - pause) * 1000)])
        for call, timeout, want in (
            (PING, None, None),  # no limit here, the daemon's own there
            (FEED, 5.0, None),  # bounded by its frames
            (calls.call("ping", {"timeout_ms": 7}), 5.0, 7),  # the caller's own
            (PING, 1e-6, 1),
            (PING, 1e12, 1 << 31),
        ):
            script = Script(None, None, GOOD)
            script.run(call, timeout=timeout)
            self.assertEqual(self.timeouts(script), [want])

    def test_in_pieces(self):
        script = Script(None, None, *(GOOD[i : i + 1] for i in range(len(GOOD))))
        self.assertTrue(script.run().pong)

    def test_once_more_on_a_new_connection(self):
        for way in ([None, b""], [None, RESET], [RESET, b""], [RESET, RESET]):
            with self.subTest(way=way):
                script = Script(None, *way, None, None, GOOD)
                self.assertTrue(script.run().pong)
                acquired = [s.fresh for s in script.steps if isinstance(s, Acquire)]
                self.assertEqual(acquired, [False, True])
                sent = [s.data for s in script.steps if isinstance(s, Send)]
                self.assertEqual(sent[0], sent[1])

    def test_not_twice_and_never_for_streams(self):
        for call, count in ((PING, 2), (FEED, 1)):
            script = Script(*[None, None, b""] * 2)
            with self.assertRaises(turnkeeper.ConnectionLost) as caught:
                script.run(call, retries=5)
            self.assertEqual(script.kinds.count(Send), count)
            self.assertEqual(caught.exception.retryable, call is PING)
            self.assertNotIn(Release, script.kinds)

    def test_not_after_the_first_byte(self):
        for end in (b"", RESET):
            script = Script(None, None, GOOD[:1], end)
            with self.assertRaises(turnkeeper.ConnectionLost):
                script.run(retries=5)
            self.assertEqual(script.kinds.count(Send), 1)
            self.assertNotIn(Release, script.kinds)

    def test_an_answer_behind_a_failed_send(self):
        script = Script(None, BrokenPipeError(errno.EPIPE, "pipe"), BUSY)
        with self.assertRaises(turnkeeper.Busy):
            script.run()

    def test_waits_as_long_as_asked(self):
        script = Script(None, None, BUSY, None, None, GOOD)
        self.assertTrue(script.run(retries=1).pong)
        (pause,) = [s.seconds for s in script.steps if isinstance(s, Pause)]
        self.assertTrue(0.1 <= pause <= 0.125, pause)
        at = script.kinds.index(Pause)
        self.assertEqual(script.kinds[at - 1], Release)  # nothing is held while waiting

    def test_waits_longer_each_time(self):
        script = Script(*[None, None, DRAINING] * 8)
        with self.assertRaises(turnkeeper.Draining):
            script.run(retries=7, timeout=60)
        pauses = [s.seconds for s in script.steps if isinstance(s, Pause)]
        self.assertEqual(len(pauses), 7)
        for n, pause in enumerate(pauses):
            longest = min(0.05 * 2**n, 2.0)
            self.assertTrue(longest / 2 <= pause <= longest, pauses)

    def test_no_pause_beyond_the_deadline(self):
        slow = failure(-32011, "busy", retry_after_ms=6000)
        script = Script(None, None, slow)
        with self.assertRaises(turnkeeper.Busy):
            script.run(retries=5, timeout=5)
        self.assertNotIn(Pause, script.kinds)

    def test_full_backlog(self):
        script = Script(BlockingIOError(), BlockingIOError(), None, None, GOOD)
        self.assertTrue(script.run().pong)
        self.assertEqual(script.kinds[:5], [Acquire, Pause, Acquire, Pause, Acquire])

    def test_nobody_there(self):
        missing = FileNotFoundError(errno.ENOENT, "missing")
        script = Script(missing)
        with self.assertRaises(turnkeeper.ConnectFailed):
            script.run()
        script = Script(missing, missing, None, None, GOOD)
        self.assertTrue(script.run(retries=2).pong)

    def test_timeouts_are_not_retried(self):
        for outcomes in ([TimeoutError()], [None, TimeoutError()], [None, None, TimeoutError()]):
            script = Script(*outcomes)
            with self.assertRaises(turnkeeper.Timeout):
                script.run(retries=5)
            self.assertNotIn(Release, script.kinds)

    def test_a_foreign_answer_does_not_free_the_connection(self):
        for data in (answer(id=8, result={}), answer(result={}) + b"x", b"\0\0\0\x01x"):
            script = Script(None, None, data)
            with self.assertRaises(turnkeeper.ProtocolError):
                script.run(retries=5)
            self.assertNotIn(Release, script.kinds)


class Asyncio(FakeDaemonTest):
    """The same steps, done by asyncio: what a second kind of client has to write."""

    @staticmethod
    async def run_steps(path, steps):
        reader = writer = None
        try:
            outcome = None
            while True:
                step = steps.send(outcome)
                outcome = None
                if isinstance(step, Acquire):
                    reader, writer = await asyncio.open_unix_connection(path)
                elif isinstance(step, Send):
                    writer.writelines(step.data)
                    await writer.drain()
                elif isinstance(step, Receive):
                    outcome = await reader.read(step.limit)
        except StopIteration as end:
            return end.value
        finally:
            writer.close()

    def test_asyncio(self):
        daemon = self.daemon(pong)
        call = calls.record("ping", Pong, echo="é")
        steps = conversation(call, 1, wire.encoder("auto"), timeout=5, retries=0)
        self.assertEqual(asyncio.run(self.run_steps(daemon.path, steps)).echo, "é")


if __name__ == "__main__":
    unittest.main()
