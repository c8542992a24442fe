# SPDX-License-Identifier: Apache-2.0
"""A short run of daemon_mutate.py, and that it would notice what it is there to notice."""
import io
import json
import os
import random
import signal
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import daemon_mutate  # noqa: E402
import mutate  # noqa: E402
from daemon import Daemon  # noqa: E402
from daemon_mutate import Failed, Session, check_session  # noqa: E402

SEED, ROUNDS = 20261122, 300


def answer(request_id, **members):
    members = members or {"result": {"pong": True}}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, **members}).encode()


def refusal(name):
    return {"error": {"code": 1, "message": "m", "data": {"name": name}}}


class Run(unittest.TestCase):
    def test_some_rounds(self):
        out = io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            options = daemon_mutate.arguments(["--seed", str(SEED), "--rounds", str(ROUNDS), "--keep", folder])
            answers = daemon_mutate.hunt(options, out)
            self.assertEqual(os.listdir(folder), [])
        self.assertGreater(answers, 10 * ROUNDS)
        self.assertIn("seed %d: %d rounds" % (SEED, ROUNDS), out.getvalue())

    def test_what_is_drawn(self):
        """All methods in both codecs, lines and frames, whole and broken; and the same for the same seed."""
        documents = mutate.seeds()
        sessions = [s for n in range(ROUNDS) for s in daemon_mutate.draw_round(SEED, n, documents)]
        payloads = [p for s in sessions for p in s.payloads]
        read = [mutate.parsed(p) for p in payloads]
        methods = {d.get("method") for d in read if isinstance(d, dict) and isinstance(d.get("method"), str)}
        self.assertLessEqual(set(mutate.METHODS), methods)
        self.assertGreater(sum(d is ... for d in read), len(read) // 20)
        self.assertGreater(sum(p[:1] == b"{" for p in payloads), len(read) // 4)
        self.assertGreater(sum(p[:1] > b"\x7f" for p in payloads), len(read) // 10)
        for quality in ("lines", "half_close", "deaf"):
            self.assertEqual({getattr(s, quality) for s in sessions}, {True, False}, quality)
        self.assertGreater(max(len(s.chunks) for s in sessions), 20)
        again = daemon_mutate.draw_round(SEED, 7, documents)
        self.assertEqual([s.to_json() for s in again],
                         [s.to_json() for s in daemon_mutate.draw_round(SEED, 7, documents)])

    def test_a_kept_round_is_sent_again(self):
        documents = mutate.seeds()
        with tempfile.TemporaryDirectory() as folder, Daemon(config=json.dumps(daemon_mutate.CONFIG)) as d:
            kept = daemon_mutate.Kept(folder, "round")
            sessions = daemon_mutate.draw_round(SEED, 3, documents)
            kept.write(sessions)
            read = daemon_mutate.read_kept(kept.path)
            self.assertEqual([s.to_json() for s in sessions], [s.to_json() for s in read])
            watch = daemon_mutate.Watch(d)
            self.assertEqual(daemon_mutate.run_round(d, watch, sessions), daemon_mutate.run_round(d, watch, read))

    def test_a_daemon_that_ends(self):
        with Daemon(config=json.dumps(daemon_mutate.CONFIG)) as d:
            session = daemon_mutate.draw_session(random.Random(1), mutate.Mutator(random.Random(1), mutate.seeds()))
            d.process.kill()
            d.process.wait()
            with self.assertRaisesRegex(Failed, "ended with -9"):
                daemon_mutate.run_round(d, daemon_mutate.Watch(d), [session])


    def test_a_round_that_ends_the_daemon(self):
        """Seed and round are told, and what was sent is kept."""
        daemons = []

        def start(**options):
            daemons.append(Daemon(**options))
            return daemons[0]

        def draw(seed, number, documents):
            if number == 3:
                daemons[0].process.send_signal(signal.SIGABRT)
                daemons[0].process.wait()
            return daemon_mutate.draw_round(seed, number, documents)

        with tempfile.TemporaryDirectory() as folder:
            options = daemon_mutate.arguments(["--seed", "9", "--rounds", "5", "--keep", folder])
            patched = {"Daemon": start, "draw_round": draw}
            hunt = types.FunctionType(daemon_mutate.hunt.__code__, {**vars(daemon_mutate), **patched})
            with self.assertRaisesRegex(Failed, "seed 9, round 3: the daemon ended with -6\n.*round-9 has"):
                hunt(options, io.StringIO())
            self.assertEqual(len(daemon_mutate.read_kept(os.path.join(folder, "round-9"))),
                             len(daemon_mutate.draw_round(9, 3, mutate.seeds())))


class Laws(unittest.TestCase):
    REQUEST = b'{"id":5,"method":"ping"}'
    NOTIFICATION = b'{"method":"ping"}'

    def check(self, payloads, answers, lines=False):
        return check_session(Session(lines, payloads, b"", [], False), answers)

    def refused(self, *arguments):
        with self.assertRaises(Failed):
            self.check(*arguments)

    def test_one_answer_each(self):
        one, two = [self.REQUEST], [self.REQUEST, self.REQUEST]
        self.assertEqual(self.check(one, [answer("mark-0"), answer(5), answer("mark-1")]), 3)
        self.refused(one, [answer("mark-0"), answer("mark-1")])
        self.refused(one, [answer("mark-0"), answer(5), answer(5), answer("mark-1")])
        self.refused(one, [answer("mark-0"), answer(5), answer("mark-1"), answer(5)])
        self.refused(one, [answer("mark-0"), answer(5)])
        self.refused(one, [answer("mark-0"), answer("mark-1"), answer(5)])
        self.refused(two, [answer("mark-0"), answer(5), answer("mark-2"), answer(5), answer("mark-1")])

    def test_ids(self):
        around = (answer("mark-0"), answer("mark-1"))
        self.assertEqual(self.check([self.REQUEST], [around[0], answer(None, **refusal("busy")), around[1]]), 3)
        self.refused([self.REQUEST], [around[0], answer(6), around[1]])

    def test_notifications(self):
        self.assertEqual(self.check([self.NOTIFICATION], [answer("mark-0"), answer("mark-1")]), 2)
        self.assertEqual(self.check([b"  "], [answer("mark-0"), answer("mark-1")], True), 2)
        self.refused([b"{"], [answer("mark-0"), answer("mark-1")])

    def test_internal(self):
        self.refused([self.REQUEST], [answer("mark-0"), answer(5, **refusal("internal")), answer("mark-1")])
        self.refused([self.REQUEST], [answer("mark-0"), answer(5, result=1, error=2), answer("mark-1")])
