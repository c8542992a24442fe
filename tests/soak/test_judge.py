# SPDX-License-Identifier: Apache-2.0
"""The verdict on a soak: what is fed in is found, in rows and from a process."""
import copy
import os
import random
import socket
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "integration")]
import judge  # noqa: E402
import ordinary  # noqa: E402
import soak  # noqa: E402
from callers import Caller  # noqa: E402
from harness import frame, listen  # noqa: E402
from load import FORK, Tally, Worker  # noqa: E402

ACTS = ["garbage", "half_frames"]
END = {"descriptors_before": 19, "descriptors_after": 19, "acts": ACTS, "is_sanitized": False, "is_long": True,
       "restarts": 80, "scrapes": 300}


def good_rows(count=60):
    """Rows of a run in which nothing is wrong, with values that vary a little."""
    draw = random.Random(5)
    rows = []
    for n in range(count):
        grown = min(n, 10) * 100  # in the beginning memory grows
        rows.append({"rss_kb": [9_000 + grown + draw.randrange(5000) for _ in range(300)], "descriptors": 60,
                     "rest_kb": 9_000 + grown + draw.randrange(1000),
                     "counts": {"answers": 6000, "restarts": 2, "restart_answers": 5000, "reloads": 12, "scrapes": 6,
                                **dict.fromkeys(ACTS, 4)},
                     "samples": {"validate_us": [draw.randrange(400, 900) for _ in range(1000)],
                                 "reference_us": [draw.randrange(400, 900) for _ in range(1000)]},
                     "failures": []})
    return rows


class Verdicts(unittest.TestCase):
    def setUp(self):
        self.rows, self.end = good_rows(), copy.deepcopy(END)

    def failed(self, bars=judge.LONG):
        return [v.name for v in judge.judge(self.rows, self.end, bars) if not v.ok]

    def assertOnly(self, words):
        """One check fails, and its name begins with these words."""
        failed = self.failed()
        self.assertEqual(len(failed), 1, failed)
        self.assertTrue(failed[0].startswith(words), failed)

    def count(self, name, n, row=30):
        self.rows[row]["counts"][name] = n

    def slow_down(self, name, times):
        for row in self.rows[1:]:
            row["samples"][name] = [times * value for value in row["samples"][name]]

    def test_a_good_run(self):
        self.assertEqual(self.failed(), [])

    def test_a_leak(self):
        for n, row in enumerate(self.rows):  # 0.1 % a minute
            row["rss_kb"] = [kb + 10 * n for kb in row["rss_kb"]]
        self.assertOnly("memory")

    def test_growth_in_the_beginning_is_no_leak(self):
        for row in self.rows[:10]:
            row["rss_kb"] = [kb // 2 for kb in row["rss_kb"]]
        self.assertEqual(self.failed(), [])

    def test_memory_for_a_moment_is_no_leak(self):
        """Larger requests in the end, after which the daemon has as much as before."""
        for row in self.rows[45:]:
            row["rss_kb"][:-30] = [kb + 20_000 for kb in row["rss_kb"][:-30]]
        self.assertEqual(self.failed(), [])

    def test_memory_of_a_sanitizer_is_not_judged(self):
        self.end["is_sanitized"] = True
        for row in self.rows[40:]:
            row["rss_kb"] = [10**6]
        self.assertEqual(self.failed(), [])

    def test_a_descriptor_that_is_left(self):
        self.end["descriptors_after"] += 1
        self.assertOnly("open descriptors")

    def test_latency(self):
        self.slow_down("validate_us", 3)
        self.assertOnly("p99 of validate")

    def test_latency_that_grows(self):
        for n, row in enumerate(self.rows):
            row["samples"]["validate_us"] = [value + value * n // 20 for value in row["samples"]["validate_us"]]
        self.assertOnly("p99 of validate")

    def test_latency_of_a_machine_that_slows_down(self):
        self.slow_down("validate_us", 3)
        self.slow_down("reference_us", 3)
        self.assertEqual(self.failed(), [])

    def test_a_machine_that_becomes_faster_excuses_nothing(self):
        self.slow_down("validate_us", 3)
        for row in self.rows[1:]:
            row["samples"]["reference_us"] = [value // 3 for value in row["samples"]["reference_us"]]
        self.assertOnly("p99 of validate")

    def test_what_must_never_be_counted(self):
        for name, words in (("wrong", "answers that differ"), ("lost", "requests without an answer"),
                            ("restart_lost", "requests without an answer over restarts"),
                            ("scrapes_failed", "scrapes that failed")):
            with self.subTest(name):
                self.setUp()
                self.count(name, 1)
                self.assertOnly(words)

    def test_load_that_ended(self):
        for name, words in (("answers", "answers, compared"), ("restart_answers", "answers over restarts"),
                            ("reloads", "reloads")):
            with self.subTest(name):
                self.setUp()
                del self.rows[-1]["counts"][name]
                self.assertOnly(words)

    def test_too_few(self):
        for name, words in (("restarts", "restarts"), ("scrapes", "scrapes by Prometheus")):
            with self.subTest(name):
                self.setUp()
                for n in range(40):
                    self.count(name, 0, n)
                self.assertOnly(words)

    def test_an_act_that_never_came(self):
        for n in range(60):
            self.count("garbage", 0, n)
        self.assertOnly("kinds of hostile clients")

    def test_failures(self):
        self.rows[5]["failures"].append("something")
        self.assertOnly("failures")

    def test_nothing_measured(self):
        self.rows = [{**row, "samples": {}} for row in self.rows[:3]]
        self.end.update(restarts=0, scrapes=0)
        self.assertEqual([name.split()[0] for name in self.failed()], ["memory", "p99"])

    def test_the_table_says_which_failed(self):
        self.count("lost", 2)
        text = soak.table(judge.judge(self.rows, self.end, judge.LONG))
        self.assertEqual([line.split("  ")[0] for line in text.splitlines() if line.endswith("   FAILED")],
                         ["requests without an answer"])
        self.assertTrue(text.endswith("soak: FAILED"))

    def test_percentiles(self):
        draw = random.Random(7)
        for _ in range(200):
            values = [draw.randrange(50) for _ in range(draw.randrange(1, 300))]
            percent = draw.randrange(1, 101)
            found = judge.percentile(values, percent)
            self.assertIn(found, values)
            self.assertGreaterEqual(sum(v <= found for v in values) * 100, percent * len(values))
            self.assertLess(sum(v < found for v in values) * 100, percent * len(values))


class Server:
    """Answers each frame with the next of these bytes; None closes the connection instead."""

    def __init__(self, *answers):
        self.folder = tempfile.TemporaryDirectory(prefix="tk", dir="/tmp")
        self.path = os.path.join(self.folder.name, "s")
        self.socket = listen(self.path)
        self.thread = threading.Thread(target=self.serve, args=(answers,), daemon=True)
        self.thread.start()

    def serve(self, answers):
        client = None
        for answer in answers:
            client = client or self.socket.accept()[0]
            self.read_frame(client)
            if answer is not None:
                client.sendall(frame(answer))
            client.close()
            client = None

    @staticmethod
    def read_frame(client):
        size = int.from_bytes(client.recv(4, socket.MSG_WAITALL), "big")
        client.recv(size, socket.MSG_WAITALL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.thread.join(30)
        self.socket.close()
        self.folder.cleanup()


PING = {"number": 0, "name": "a ping", "codec": "json", "steps": [{"method": "repair", "params": {}, "expect": {}}]}
PONG = b'{"jsonrpc":"2.0","id":1,"result":{"pong":true}}'


class Clients(unittest.TestCase):
    """Clients notice what a server does wrong."""

    def counted(self, *answers, conversation=PING):
        tally = Tally()
        with Server(*answers) as server:
            talker = ordinary.Talker(server.path, tally)
            for _ in answers:
                talker.converse(conversation)
        return tally

    def test_equal_answers(self):
        tally = self.counted(PONG, PONG)
        self.assertEqual((tally.counts["answers"], tally.counts["wrong"], tally.failures), (2, 0, []))

    def test_another_answer(self):
        tally = self.counted(PONG, PONG, PONG.replace(b"true", b"false"))
        self.assertEqual((tally.counts["wrong"], len(tally.failures)), (1, 1))

    def test_a_first_answer_that_is_wrong(self):
        step = {**PING["steps"][0], "expect": {"result": {"pong": False}}}
        self.assertEqual(self.counted(PONG, conversation={**PING, "steps": [step]}).counts["wrong"], 1)

    def test_a_refusal_of_a_method_about_the_daemon(self):
        refusal = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"data":{"name":"invalid_params","retryable":false}}}'
        step = {"method": "info", "params": {"caller": ""}, "expect": {"error": {"name": "invalid_params"}}}
        tally = self.counted(refusal, refusal, refusal.replace(b"invalid", b"other"),
                             conversation={**PING, "steps": [step]})
        self.assertEqual((tally.counts["answers"], tally.counts["wrong"]), (3, 1))

    def test_no_answer(self):
        tally = self.counted(PONG, None)
        self.assertEqual((tally.counts["answers"], tally.counts["lost"], len(tally.failures)), (1, 1, 1))

    def test_a_busy_daemon_is_no_failure(self):
        busy = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32011,"data":{"name":"busy","retryable":true}}}'
        tally = self.counted(busy, PONG)
        self.assertEqual((tally.counts["refused"], tally.counts["answers"], tally.failures), (1, 1, []))

    def test_an_answer_lost_over_a_restart(self):
        with Server(None, PONG, None, None) as server:
            caller = Caller(server.path)
            caller.call({"id": 1, "method": "ping"})
            caller.hang_up()
            self.assertEqual((caller.counts["answered"], caller.counts["resent"], caller.counts["lost"]), (1, 1, []))
            caller.call({"id": 1, "method": "ping"})
            self.assertEqual(caller.counts["lost"], ["closed twice"])

    def test_descriptors_are_seen(self):
        before = soak.descriptors(os.getpid())
        with socket.socket():
            self.assertEqual(soak.descriptors(os.getpid()), before + 1)


class Workers(unittest.TestCase):
    def test_reports_arrive(self):
        def work(tally, stop):
            tally.count("made", 3)
            stop.wait(30)
            tally.sample("taken_us", 7)
        tally = Tally()
        soak.stop_all([Worker("works", work, FORK.Event())], tally)
        self.assertEqual((tally.counts["made"], tally.samples["taken_us"], tally.failures), (3, [7], []))

    def test_a_pause_holds_all_up(self):
        def work(tally, stop):
            while not stop.wait(0.01):
                tally.send({"counts": {"turns": 1}, "samples": {}, "failures": []})
        pause = FORK.Event()
        pause.set()
        worker = Worker("pauses", work, pause)
        self.assertFalse(worker.reports.poll(0.5))
        pause.clear()
        self.assertTrue(worker.reports.poll(30))
        soak.stop_all([worker], Tally())

    def test_a_process_that_fails_is_a_failure(self):
        def work(_tally, _stop):
            raise ValueError("no such thing")
        tally = Tally()
        soak.stop_all([Worker("fails", work, FORK.Event())], tally)
        self.assertEqual(len(tally.failures), 1)
        self.assertIn("fails ended", tally.failures[0])
        self.assertIn("no such thing", tally.failures[0])


if __name__ == "__main__":
    unittest.main()
