# SPDX-License-Identifier: Apache-2.0
"""The client against a daemon played by a script: everything that can go wrong on a connection."""

import contextlib
import copy
import json
import os
import random
import signal
import socket
import threading
import time
import unittest
import warnings

import support
from support import CODECS, PATIENCE, FakeDaemonTest, eventually, folder, framed, pong, wire

import turnkeeper

OK = {"changed": False, "safe": True, "edits": [], "stats": {}, "violations": [], "counts": {}}
OK["truncated"] = 0
INFO = {"version": "0.1.0", "protocol": 1, "methods": [], "providers": [], "dialects": []}
INFO.update(policies={}, limits={}, catalogue=[])


def hang_up(peer):
    """Reads the request and closes."""
    peer.read()


def slam(_):
    """Closes without reading."""


def silent(peer):
    while peer.read() is not None:
        pass


def cut(peer):
    """Half an answer, then the end."""
    request = peer.read()
    whole = peer.frame({"jsonrpc": "2.0", "id": request["id"], "result": {"pong": True}})
    peer.send(whole[:-5])


def raw(data):
    def script(peer):
        peer.read()
        peer.send(data)
        silent(peer)

    return script


class Answers(FakeDaemonTest):
    def test_both_codecs(self):
        for codec in CODECS + ["auto"]:
            with self.subTest(codec=codec):
                daemon = self.daemon(pong)
                got = self.client(daemon, codec=codec).ping(echo={"é": [1, None, 0.5]})
                self.assertEqual((got.pong, got.echo), (True, {"é": [1, None, 0.5]}))

    def test_codec_of_the_answer_is_known_by_its_first_byte(self):
        for packed in {False, wire._usable}:

            def script(peer, packed=packed):
                request = peer.read()
                answer = {"jsonrpc": "2.0", "id": request["id"], "result": {"pong": True}}
                peer.send(peer.frame(answer, packed))

            for codec in CODECS:
                with self.subTest(packed=packed, codec=codec):
                    self.assertTrue(self.client(self.daemon(script), codec=codec).ping().pong)

    def test_in_pieces(self):
        def script(peer):
            request = peer.read()
            answer = {"jsonrpc": "2.0", "id": request["id"], "result": {"pong": True}}
            for byte in peer.frame(answer):
                peer.send(bytes([byte]))
                time.sleep(0.0005)

        self.assertTrue(self.client(self.daemon(script)).ping().pong)

    def test_large_both_ways(self):
        echo = ["x" * 1000] * 5000
        for codec in CODECS:
            with self.subTest(codec=codec):
                self.assertEqual(
                    self.client(self.daemon(pong), codec=codec).ping(echo=echo).echo, echo
                )

    def test_connection_is_kept(self):
        daemon = self.daemon(pong)
        client = self.client(daemon)
        for _ in range(5):
            client.ping()
        self.assertEqual(daemon.accepted, 1)

    def test_a_remote_error_keeps_the_connection(self):
        def script(peer):
            peer.error(peer.read()["id"], -32602, "invalid_params", pointer="/params/x")
            pong(peer)

        daemon = self.daemon(script)
        client = self.client(daemon)
        with self.assertRaises(turnkeeper.InvalidParams) as caught:
            client.call("ping", {"x": 1})
        self.assertEqual(caught.exception.pointer, "/params/x")
        self.assertTrue(client.ping().pong)
        self.assertEqual(daemon.accepted, 1)

    def test_unknown_members_and_missing_ones(self):
        def script(peer):
            peer.result(peer.read(), {"pong": True, "of_tomorrow": 1})
            for result in ({}, [], None, {"status": "ok"}):
                peer.result(peer.read(), result)

        client = self.client(self.daemon(script))
        self.assertEqual(client.ping().raw["of_tomorrow"], 1)
        for call in (client.ping, client.validate, client.repair, client.health):
            with self.subTest(call=call.__name__), self.assertRaises(turnkeeper.ProtocolError):
                call([]) if call.__name__ in ("validate", "repair") else call()

    def test_check_protocol(self):
        def script(peer):
            peer.result(peer.read(), INFO)
            peer.result(peer.read(), dict(INFO, protocol=2))

        client = self.client(self.daemon(script))
        self.assertEqual(client.check_protocol().version, "0.1.0")
        with self.assertRaises(turnkeeper.UnsupportedProtocol) as caught:
            client.check_protocol()
        self.assertIn("speaks protocol 2", str(caught.exception))

    def test_closed_client(self):
        daemon = self.daemon(pong)
        with self.Client(daemon.path) as client:
            client.ping()
        client.close()
        with self.assertRaises(ValueError):
            client.ping()

    def test_nothing_is_left_open(self):
        daemon = self.daemon(pong)
        with warnings.catch_warnings():
            warnings.simplefilter("error", ResourceWarning)
            with self.Client(daemon.path) as client:
                client.ping()
            del client


class Failures(FakeDaemonTest):
    def test_no_daemon(self):
        with folder() as path, self.assertRaises(turnkeeper.ConnectFailed) as caught:
            self.Client(path + "/none").ping()
        self.assertIsInstance(caught.exception, ConnectionError)
        self.assertTrue(caught.exception.retryable)
        self.assertIn("/none (No such file or directory)", str(caught.exception))

    def test_too_long_a_path(self):
        with self.assertRaises(turnkeeper.ConnectFailed):
            self.Client("/" + "x" * 200).ping()

    def test_closed_before_the_answer_is_sent_again_once(self):
        for first in (hang_up, slam):
            with self.subTest(first.__name__):
                daemon = self.daemon(first, pong)
                self.assertTrue(self.client(daemon).ping().pong)
                self.assertEqual(daemon.accepted, 2)

    def test_only_once(self):
        for script in (hang_up, slam):
            with self.subTest(script.__name__):
                daemon = self.daemon(script)
                with self.assertRaises(turnkeeper.ConnectionLost) as caught:
                    self.client(daemon, retries=3).ping()
                self.assertTrue(caught.exception.retryable)
                self.assertEqual(daemon.accepted, 2)

    def test_a_large_request_to_one_that_closes_without_reading(self):
        daemon = self.daemon(slam, pong)
        echo = "x" * 3_000_000
        self.assertEqual(self.client(daemon).ping(echo=echo).echo, echo)

    def test_streams_are_never_sent_again(self):
        for script in (hang_up, slam):
            with self.subTest(script.__name__):
                daemon = self.daemon(script)
                with self.assertRaises(turnkeeper.ConnectionLost) as caught:
                    self.client(daemon).call("stream.feed", {"stream": "s"})
                self.assertFalse(caught.exception.retryable)
                self.assertEqual(daemon.accepted, 1)

    def test_closed_inside_the_answer(self):
        daemon = self.daemon(cut, pong)
        client = self.client(daemon, retries=3)
        with self.assertRaises(turnkeeper.ConnectionLost):
            client.ping()
        self.assertEqual(daemon.accepted, 1)
        self.assertTrue(client.ping().pong)

    def test_an_idle_connection_that_was_closed(self):
        def once(peer):
            peer.result(peer.read(), {"pong": True})

        daemon = self.daemon(once)
        client = self.client(daemon)
        for n in range(1, 5):
            self.assertTrue(client.ping().pong)
            self.assertEqual(daemon.accepted, n)
            self.assertTrue(eventually(lambda n=n: daemon.closed == n))
        # and for streams too: the end was seen before anything was sent
        client.call("stream.open", {"stream": "s"})

    def test_an_idle_connection_that_talks(self):
        answered, said = threading.Event(), threading.Event()

        def chatty(peer):
            peer.result(peer.read(), {"pong": True})
            answered.wait(PATIENCE)
            peer.send(peer.frame({"jsonrpc": "2.0", "id": 2, "result": {"pong": "stale"}}))
            said.set()
            silent(peer)

        daemon = self.daemon(chatty, pong)
        client = self.client(daemon)
        client.ping()
        answered.set()
        self.assertTrue(said.wait(PATIENCE))
        self.assertIs(client.ping().pong, True)
        self.assertEqual(daemon.accepted, 2)

    def test_garbage(self):
        bad = {
            "http": b"HTTP/1.1 400 Bad Request\r\n\r\n",
            "length 0": b"\0\0\0\0",
            "no document": b"\0\0\0\x03abc",
            "no response": b"\0\0\0\x02{}",
            "not an object": b"\0\0\0\x02[]",
            "cut msgpack": b"\0\0\0\x01\x81",
            "other id": framed(b'{"jsonrpc":"2.0","id":99,"result":{"pong":true}}'),
            "no id": framed(b'{"jsonrpc":"2.0","result":{"pong":true}}'),
            "null id": framed(b'{"jsonrpc":"2.0","id":null,"result":{"pong":true}}'),
            "two": framed(b'{"jsonrpc":"2.0","id":1,"result":{"pong":true}}') * 2,
        }
        for name, data in bad.items():
            with self.subTest(name):
                daemon = self.daemon(raw(data), pong)
                client = self.client(daemon, retries=3)
                with self.assertRaises(turnkeeper.ProtocolError) as caught:
                    client.ping()
                self.assertFalse(caught.exception.retryable)
                self.assertTrue(client.ping().pong)
                self.assertEqual(daemon.accepted, 2)

    def test_slow_answer(self):
        late, over = threading.Event(), threading.Event()

        def slow(peer):
            request = peer.read()
            late.wait(PATIENCE)
            try:
                peer.result(request, {"pong": "late"})
            finally:
                over.set()

        daemon = self.daemon(slow, pong)
        client = self.client(daemon, timeout=0.1, retries=3)
        start = time.monotonic()
        with self.assertRaises(turnkeeper.Timeout) as caught:
            client.ping()
        self.assertLess(time.monotonic() - start, PATIENCE / 2)
        self.assertIsInstance(caught.exception, TimeoutError)
        late.set()
        self.assertTrue(over.wait(PATIENCE))
        self.assertIs(client.ping().pong, True)  # not the late one
        self.assertEqual(daemon.accepted, 2)

    def test_time_for_the_whole_call(self):
        def drip(peer):
            request = peer.read()
            data = peer.frame({"jsonrpc": "2.0", "id": request["id"], "result": {"x": "y" * 2000}})
            for byte in data:  # for longer than PATIENCE
                peer.send(bytes([byte]))
                time.sleep(0.02)

        start = time.monotonic()
        with self.assertRaises(turnkeeper.Timeout):
            self.client(self.daemon(drip), timeout=0.2).ping()
        self.assertLess(time.monotonic() - start, PATIENCE / 2)

    def test_a_daemon_that_never_reads(self):
        done = threading.Event()
        daemon = self.daemon(lambda peer: done.wait(PATIENCE))
        with self.assertRaises(turnkeeper.Timeout):
            self.client(daemon, timeout=0.2).ping(echo="x" * 5_000_000)
        done.set()

    def test_timeout_of_one_call(self):
        client = self.client(self.daemon(silent))
        start = time.monotonic()
        with self.assertRaises(turnkeeper.Timeout):
            client.call("ping", timeout=0.1)
        self.assertLess(time.monotonic() - start, PATIENCE / 2)
        for wrong in (0, -1):
            with self.assertRaises(ValueError):
                client.call("ping", timeout=wrong)

    def test_full_backlog(self):
        with folder() as path, socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path + "/s")
            listener.listen(0)
            with contextlib.ExitStack() as stack:
                with self.assertRaises(BlockingIOError):
                    while True:  # until no more fit
                        full = stack.enter_context(socket.socket(socket.AF_UNIX))
                        full.setblocking(False)
                        full.connect(path + "/s")
                with self.Client(path + "/s", timeout=0.1) as client:
                    with self.assertRaises(turnkeeper.Timeout):
                        client.ping()
            accepting = threading.Thread(target=self.accept_all, args=(listener,), daemon=True)
            with self.Client(path + "/s", timeout=5) as client:
                threading.Timer(0.05, accepting.start).start()
                self.assertTrue(client.ping().pong)
            listener.shutdown(socket.SHUT_RDWR)
            accepting.join(5)

    @staticmethod
    def accept_all(listener):
        with contextlib.suppress(OSError):
            while True:
                conn, _ = listener.accept()
                with conn, contextlib.suppress(OSError):
                    pong(support.Peer(conn))

    def test_what_cannot_be_sent(self):
        daemon = self.daemon(pong)
        client = self.client(daemon)
        for value in (object(), float("nan"), b"x"):
            with self.subTest(value=value), self.assertRaises(turnkeeper.EncodeError):
                client.ping(echo=value)
        self.assertEqual(daemon.accepted, 0)


class Retries(FakeDaemonTest):
    @staticmethod
    def busy(peer):
        """As the daemon at its limit of connections: one answer, at once, and the end."""
        peer.error(None, -32011, "busy", retryable=True, retry_after_ms=40)

    @staticmethod
    def draining(peer):
        peer.error(peer.read()["id"], -32012, "draining", retryable=True)

    def test_busy(self):
        daemon = self.daemon(self.busy)
        for size in (0, 3_000_000):  # a request that fits into the socket, and one that doesn't
            with self.subTest(size=size), self.assertRaises(turnkeeper.Busy) as caught:
                self.client(daemon).ping(echo="x" * size)
            self.assertEqual(caught.exception.retry_after_ms, 40)
            self.assertTrue(caught.exception.retryable)
        self.assertEqual(daemon.accepted, 2)

    def test_not_unless_asked(self):
        daemon = self.daemon(self.draining)
        with self.assertRaises(turnkeeper.Draining):
            self.client(daemon).ping()
        self.assertEqual(daemon.accepted, 1)

    def test_as_often_as_asked_and_not_too_soon(self):
        daemon = self.daemon(self.busy, self.draining, self.busy, pong)
        start = time.monotonic()
        self.assertTrue(self.client(daemon, retries=3).ping().pong)
        self.assertGreaterEqual(time.monotonic() - start, 0.08)
        self.assertEqual(daemon.accepted, 4)
        daemon = self.daemon(self.busy)
        with self.assertRaises(turnkeeper.Busy):
            self.client(daemon, retries=2).ping()
        self.assertEqual(daemon.accepted, 3)

    def test_retries_end_with_the_time(self):
        daemon = self.daemon(self.busy)
        start = time.monotonic()
        # Which one depends on where the time runs out.
        with self.assertRaises((turnkeeper.Busy, turnkeeper.Timeout)):
            self.client(daemon, retries=1000, timeout=0.3).ping()
        self.assertLess(time.monotonic() - start, PATIENCE / 2)

    def test_errors_that_are_not_retryable(self):
        def script(peer):
            peer.error(peer.read()["id"], -32603, "internal")

        daemon = self.daemon(script)
        with self.assertRaises(turnkeeper.InternalError):
            self.client(daemon, retries=3).ping()
        self.assertEqual(daemon.accepted, 1)

    def test_until_somebody_listens(self):
        with folder() as path:
            timer = threading.Timer(
                0.15, lambda: daemons.append(support.FakeDaemon(path + "/s", pong))
            )
            daemons = []
            timer.start()
            with self.Client(path + "/s", retries=1000) as client:
                self.assertTrue(client.ping().pong)
            timer.join()
            daemons[0].close()


class CtrlC(FakeDaemonTest):
    def test_ctrl_c(self):
        def slow(peer):
            request = peer.read()
            os.kill(os.getpid(), signal.SIGINT)
            interrupted.wait(PATIENCE)
            try:
                peer.result(request, {"pong": "another's"})
            finally:
                over.set()
            silent(peer)

        interrupted, over = threading.Event(), threading.Event()
        daemon = self.daemon(slow, pong)
        client = self.client(daemon)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with self.assertRaises(KeyboardInterrupt):
                client.ping()
        finally:
            signal.signal(signal.SIGINT, before)
        interrupted.set()
        self.assertTrue(over.wait(PATIENCE))
        self.assertIs(client.ping().pong, True)
        self.assertEqual(daemon.accepted, 2)


class Interrupted(FakeDaemonTest):
    def test_nobody_gets_anothers_answer(self):
        """Calls cut off at random moments: every answer that comes is the one asked for."""

        def jittery(peer):
            rng = random.Random(os.urandom(4))
            while True:
                request = peer.read()
                if request is None:
                    return
                time.sleep(rng.choice([0, 0, 0.001, 0.004]))
                peer.result(request, dict(request["params"], pong=True))

        daemon = self.daemon(jittery)
        client = self.client(daemon)
        outcomes = {"answered": 0, "cut": 0}

        def caller(seed):
            rng = random.Random(seed)
            for n in range(150):
                mark = "%d.%d" % (seed, n)
                try:
                    limit = rng.choice([0.0005, 0.002, 5])
                    self.assertEqual(
                        client.call("ping", {"echo": mark}, timeout=limit)["echo"], mark
                    )
                    outcomes["answered"] += 1
                except turnkeeper.Timeout:
                    outcomes["cut"] += 1

        run_threads(self, caller, 8)
        self.assertGreater(min(outcomes.values()), 50, outcomes)


class Threads(FakeDaemonTest):
    def test_one_client_for_many(self):
        daemon = self.daemon(pong)
        client = self.client(daemon, pool_size=3)

        def caller(n):
            for i in range(100):
                self.assertEqual(client.ping(echo=[n, i]).echo, [n, i])

        run_threads(self, caller, 12)
        self.assertLessEqual(len(client._pool.idle), 3)
        self.assertLess(daemon.accepted, 12 * 100)

    def test_close_while_others_call(self):
        client = self.client(self.daemon(pong))

        def caller(_):
            with contextlib.suppress(ValueError):
                while True:
                    client.ping()

        threading.Timer(0.1, client.close).start()
        run_threads(self, caller, 4)
        self.assertEqual(len(client._pool.idle), 0)


def run_threads(test, body, count):
    failures = []

    def guarded(n):
        try:
            body(n)
        except BaseException as why:
            failures.append(why)

    threads = [threading.Thread(target=guarded, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    test.assertEqual(failures, [])


@unittest.skipUnless(hasattr(os, "fork"), "no fork here")
class Fork(FakeDaemonTest):
    def test_the_child_has_its_own_connections(self):
        daemon = self.daemon(pong)
        client = self.client(daemon)
        client.ping()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # fork() with threads: our daemon's
            child = os.fork()
        if child == 0:
            try:
                good = client.ping(echo="child").echo == "child"
                client.close()
            except BaseException:
                good = False
            os._exit(0 if good else 1)
        for n in range(50):
            self.assertEqual(client.ping(echo=n).echo, n)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertTrue(client.ping().pong)
        self.assertEqual(daemon.accepted, 2)


class Repairs(FakeDaemonTest):
    MESSAGES = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "x", "id": "1"}]},
        {"role": "user", "content": [{"type": "text", "text": "b"}]},
    ]
    PATCH = [
        {"op": "remove", "path": "/messages/1/content/1"},
        {"op": "add", "path": "/messages/1/content/-", "value": {"type": "text", "text": "x"}},
    ]
    EDITED = dict(
        OK,
        changed=True,
        edits=[{"code": "c", "action": "drop", "pointer": "/messages/1/content/1", "id": "1"}],
        patch=PATCH,
        protected={"message_index": 1, "sha256": "00"},
        unbound={"from": "/messages/1", "thinking": ["/messages/5/content/0"]},
        violations=[
            {
                "code": "w",
                "severity": "warning",
                "message_index": None,
                "part_index": None,
                "pointer": "",
                "text": "t",
            }
        ],
        counts={"w": 1},
        set={"/thinking": {"type": "disabled"}},
        betas=["b-1"],
        verdicts=[
            {"message_index": 1, "seals": [0, 2], "verdict": "reordered", "dead": True},
            {"message_index": None, "seals": [1], "verdict": "unknown", "dead": False},
        ],
    )

    def repairing(self, result):
        self.seen = []

        def script(peer):
            while True:
                request = peer.read()
                if request is None:
                    return
                self.seen.append(request)
                peer.result(request, result)

        return self.client(self.daemon(script))

    def test_messages(self):
        client = self.repairing(self.EDITED)
        messages = copy.deepcopy(self.MESSAGES)
        got = client.repair(messages, guard=False, policy={"base": "preserve"})
        self.assertEqual(messages, self.MESSAGES)
        self.assertEqual(
            self.seen[0]["params"],
            {"messages": messages, "guard": False, "policy": {"base": "preserve"}},
        )
        self.assertIsNone(got.request)
        self.assertEqual([len(m["content"]) for m in got.messages], [1, 2, 1])
        self.assertEqual(got.messages[1]["content"][1], {"type": "text", "text": "x"})
        self.assertIs(got.messages[0], messages[0])
        self.assertIs(got.messages[2], messages[2])
        self.assertIs(got.messages[1]["content"][0], messages[1]["content"][0])
        self.assertEqual((got.changed, got.safe), (True, True))
        self.assertEqual(
            (got.edits[0].action, got.edits[0].id, got.edits[0].tool), ("drop", "1", None)
        )
        self.assertEqual((got.violations[0].code, got.violations[0].is_error), ("w", False))
        self.assertEqual((got.protected.message_index, got.protected.sha256), (1, "00"))
        self.assertEqual(
            (got.unbound.start, got.unbound.thinking), ("/messages/1", ("/messages/5/content/0",))
        )
        self.assertEqual(got.patch, self.PATCH)
        self.assertEqual(got.settings, {"/thinking": {"type": "disabled"}})
        self.assertEqual(got.betas, ["b-1"])
        first, second = got.verdicts
        self.assertEqual(
            (first.message_index, first.seals, first.verdict, first.dead),
            (1, (0, 2), "reordered", True),
        )
        self.assertEqual((second.message_index, second.verdict), (None, "unknown"))

    def test_request(self):
        client = self.repairing(self.EDITED)
        request = {"model": "m", "tools": [{}], "messages": copy.deepcopy(self.MESSAGES)}
        before = copy.deepcopy(request)
        got = client.repair(request)
        self.assertEqual(request, before)
        self.assertEqual(self.seen[0]["params"], {"request": request})
        self.assertIs(got.request["messages"], got.messages)
        self.assertIs(got.request["tools"], request["tools"])
        self.assertIs(got.messages[0], request["messages"][0])

    def test_items_of_responses(self):
        """Patches name the list as the provider's body does, also where it was sent alone."""
        items = [{"type": "message", "role": "user", "content": "q"}, {"type": "reasoning"}]
        edited = dict(OK, changed=True, patch=[{"op": "remove", "path": "/input/1"}])
        client = self.repairing(edited)
        got = client.repair(items, provider="openai-responses")
        self.assertEqual(self.seen[0]["params"], {"messages": items, "provider": "openai-responses"})
        self.assertEqual(got.request, None)
        self.assertEqual(len(got.messages), 1)
        self.assertIs(got.messages[0], items[0])
        got = client.repair({"input": items, "store": False}, provider="openai-responses")
        self.assertEqual(got.request, {"input": items[:1], "store": False})
        self.assertIs(got.request["input"], got.messages)

    def test_input_that_is_no_list(self):
        client = self.repairing(OK)
        for request in ({"input": "q"}, {"previous_response_id": "resp_1"}, {"input": None}):
            got = client.repair(request, provider="openai-responses")
            self.assertEqual((got.request, got.messages), (request, []))
            self.assertIsNot(got.request, request)

    def test_turn(self):
        patch = [{"op": "remove", "path": "/content/0"}]
        client = self.repairing(dict(OK, changed=True, patch=patch))
        content = [{"type": "x"}, {"type": "text", "text": "a"}]
        got = client.repair_turn(content, stop_reason="end_turn")
        self.assertEqual(self.seen[0]["params"], {"content": content, "stop_reason": "end_turn"})
        self.assertEqual(len(content), 2)
        self.assertEqual(len(got.content), 1)
        self.assertIs(got.content[0], content[1])

    def test_unchanged_is_a_new_list_of_the_same_messages(self):
        for result in (OK, dict(OK, patch=[])):
            client = self.repairing(result)
            messages = copy.deepcopy(self.MESSAGES)
            got = client.repair(messages)
            self.assertIsNot(got.messages, messages)
            self.assertEqual(list(map(id, got.messages)), list(map(id, messages)))
            request = {"messages": messages}
            got = client.repair(request)
            self.assertIsNot(got.request, request)
            self.assertIsNot(got.request["messages"], messages)

    def test_other_sequences(self):
        client = self.repairing(self.EDITED)
        got = client.repair(tuple(self.MESSAGES))
        self.assertIs(got.messages[0], self.MESSAGES[0])
        for wrong in ("text", b"bytes", None, 5, iter([])):
            for call in (client.repair, client.validate, client.repair_turn):
                with self.subTest(wrong=wrong), self.assertRaises(TypeError):
                    call(wrong)

    def test_parameters_that_are_the_clients(self):
        client = self.repairing(OK)
        for name in ("return", "messages", "request", "content"):
            with self.subTest(name), self.assertRaises(TypeError):
                client.repair([], **{name: "messages"})
            with self.subTest(name), self.assertRaises(TypeError):
                client.prepare({}, **{name: "messages"})
        self.assertEqual(self.seen, [])

    def test_a_patch_that_does_not_fit(self):
        for patch in ([{"op": "remove", "path": "/messages/9"}], [{"op": "x", "path": ""}], ["x"]):
            with self.subTest(patch=patch), self.assertRaises(turnkeeper.PatchError):
                self.repairing(dict(OK, changed=True, patch=patch)).repair(self.MESSAGES)
        for patch in (
            None,
            {},
            [{"op": "remove", "path": "/messages"}],
            [{"op": "replace", "path": "", "value": 1}],
        ):
            with self.subTest(patch=patch), self.assertRaises(turnkeeper.ProtocolError):
                self.repairing(dict(OK, changed=True, patch=patch)).repair(self.MESSAGES)
        with self.assertRaises(turnkeeper.ProtocolError):
            self.repairing(dict(OK, changed=True)).repair(self.MESSAGES)

    def test_no_content_in_reprs(self):
        client = self.repairing(self.EDITED)
        secret = [{"role": "user", "content": "secret"}] + self.MESSAGES[1:]
        self.assertNotIn("secret", repr(client.repair(secret)))
        self.assertNotIn("secret", repr(client.repair({"messages": secret})))


class Operations(FakeDaemonTest):
    TURN = {"content": [{"type": "tool_use", "id": "t"}], "stop_reason": "tool_use"}
    SPLICED = {
        "action": "continue",
        "patch": [
            {"op": "add", "path": "/messages/-", "value": {"role": "assistant", "content": "a"}},
            {"op": "add", "path": "/container", "value": "c"},
        ],
        "deferred": [{"role": "user", "content": "later"}],
        "set": {"/container": "c"},
        "notes": ["n"],
    }
    MERGED = {
        "changed": True,
        "patch": [
            {"op": "replace", "path": "/tools/0", "value": {"name": "b"}},
            {"op": "add", "path": "/tools/-", "value": {"name": "c"}},
        ],
        "mcp_servers": [],
        "headers": {"anthropic-beta": "x"},
        "betas": ["x"],
        "added_betas": ["x"],
        "notes": ["tool_replaced"],
    }

    def answering(self, result):
        self.seen = []

        def script(peer):
            while True:
                request = peer.read()
                if request is None:
                    return
                self.seen.append(request)
                peer.result(request, result)

        return self.client(self.daemon(script))

    def test_seal(self):
        made = {"v": 1, "alg": "sha256", "turn": "ab", "blocks": []}
        client = self.answering({"seal": made})
        request = {"messages": []}
        self.assertEqual(client.seal([], request=request, blocks=True), made)
        self.assertEqual(client.seal({"role": "assistant", "content": "a"}), made)
        self.assertEqual(client.seal(b'[{"n": 1.0}]', blocks=True), made)
        self.assertEqual(
            [asked["params"] for asked in self.seen],
            [
                {"content": [], "request": request, "blocks": True},
                {"message": {"role": "assistant", "content": "a"}},
                {"content": [{"n": 1.0}], "blocks": True},
            ],
        )
        with self.assertRaises(turnkeeper.ProtocolError):
            self.answering({"seal": 7}).seal("a")

    def test_splice_into_messages(self):
        client = self.answering(dict(self.SPLICED, patch=self.SPLICED["patch"][:1]))
        messages = [{"role": "user", "content": "q"}]
        got = client.splice(messages, self.TURN, appended=[], options={"mode": "strict"})
        self.assertEqual(
            self.seen[0]["params"],
            {
                "messages": messages,
                "assistant": self.TURN,
                "appended": [],
                "options": {"mode": "strict"},
            },
        )
        self.assertEqual(len(messages), 1)
        self.assertIs(got.messages[0], messages[0])
        self.assertEqual(got.messages[1:], [{"role": "assistant", "content": "a"}])
        self.assertIsNone(got.request)
        self.assertEqual((got.action, got.stops, got.notes), ("continue", False, ["n"]))
        self.assertEqual(got.deferred, self.SPLICED["deferred"])
        self.assertEqual(got.settings, {"/container": "c"})

    def test_splice_into_a_request(self):
        client = self.answering(self.SPLICED)
        request = {"model": "m", "system": [{}], "messages": [{"role": "user", "content": "q"}]}
        got = client.splice(request, self.TURN)
        self.assertNotIn("container", request)
        self.assertEqual(got.request["container"], "c")
        self.assertIs(got.request["messages"], got.messages)
        self.assertIs(got.request["system"], request["system"])
        self.assertIs(got.messages[0], request["messages"][0])

    def test_splice_stops(self):
        result = {"action": "stop", "patch": [], "notes": []}
        got = self.answering(result).splice([], self.TURN)
        self.assertEqual((got.stops, got.messages, got.settings), (True, [], None))
        self.assertEqual(list(got.deferred), [])

    def test_tools(self):
        client = self.answering(self.MERGED)
        tools = [{"name": "a"}, {"name": "d"}]
        got = client.tools(tools, add=["web_search"], betas="y")
        self.assertEqual(
            self.seen[0]["params"], {"tools": tools, "add": ["web_search"], "betas": "y"}
        )
        self.assertEqual(tools, [{"name": "a"}, {"name": "d"}])
        self.assertEqual(got.tools, [{"name": "b"}, {"name": "d"}, {"name": "c"}])
        self.assertIs(got.tools[1], tools[1])
        self.assertEqual(got.headers, {"anthropic-beta": "x"})
        self.assertEqual((got.changed, got.request), (True, None))

    def test_tools_of_a_request(self):
        client = self.answering(self.MERGED)
        request = {"messages": [{}], "tools": [{"name": "a"}]}
        got = client.tools(request)
        self.assertEqual(self.seen[0]["params"], {"request": request})
        self.assertEqual(request["tools"], [{"name": "a"}])
        self.assertIs(got.request["tools"], got.tools)
        self.assertIs(got.request["messages"], request["messages"])

    def test_no_tools_yet(self):
        nothing = dict(self.MERGED, changed=False, patch=[])
        for document in (None, {"messages": []}, {"messages": [], "tools": None}):
            with self.subTest(document):
                got = self.answering(nothing).tools(document)
                self.assertEqual(got.tools, [])
                self.assertEqual(got.request is None, document is None)
        added = dict(
            self.MERGED, patch=[{"op": "replace", "path": "/tools", "value": [{"name": "c"}]}]
        )
        self.assertEqual(self.answering(added).tools(None).tools, [{"name": "c"}])

    PREPARED = {
        "action": "resume",
        "changed": True,
        "safe": True,
        "patch": [
            {"op": "add", "path": "/messages/-", "value": {"role": "assistant", "content": "a"}},
            {"op": "add", "path": "/tools", "value": [{"name": "c"}]},
            {"op": "remove", "path": "/messages/1/content/1"},
        ],
        "deferred": [{"role": "user", "content": "later"}],
        "headers": {"anthropic-beta": "y,x"},
        "betas": ["y", "x"],
        "added_betas": ["x"],
        "notes": {"splice": ["n"], "tools": ["m"]},
        "protected": {"message_index": 1, "sha256": "00"},
        "edits": [{"code": "c", "action": "drop", "pointer": "/messages/1/content/1"}],
        "stats": {"removed_tool_calls": 1},
        "violations": [],
        "counts": {},
        "truncated": 0,
        "unbound": {"from": "/messages/1", "thinking": ["/messages/1/content/0"]},
        "verdicts": [{"message_index": 1, "seals": [0], "verdict": "intact", "dead": False}],
    }

    def test_prepare(self):
        client = self.answering(self.PREPARED)
        request = {"model": "m", "system": [{}], "messages": copy.deepcopy(Repairs.MESSAGES)}
        before = copy.deepcopy(request)
        got = client.prepare(
            request,
            splice={"assistant": self.TURN, "appended": []},
            tools={"add": ["web_search"], "betas": "y"},
            seals=[{"seal": {}}],
            policy="preserve",
        )
        self.assertEqual(request, before)
        self.assertEqual(
            self.seen[0]["params"],
            {
                "request": request,
                "splice": {"assistant": self.TURN, "appended": []},
                "tools": {"add": ["web_search"], "betas": "y"},
                "seals": [{"seal": {}}],
                "policy": "preserve",
            },
        )
        self.assertIs(got.request["messages"], got.messages)
        self.assertIs(got.request["system"], request["system"])
        self.assertIs(got.messages[0], request["messages"][0])
        self.assertIs(got.messages[1]["content"][0], request["messages"][1]["content"][0])
        self.assertIs(got.messages[2], request["messages"][2])
        self.assertEqual([len(m["content"]) for m in got.messages], [1, 1, 1, 1])
        self.assertEqual(got.request["tools"], [{"name": "c"}])
        self.assertEqual((got.action, got.stops, got.safe), ("resume", False, True))
        self.assertEqual(got.deferred, self.PREPARED["deferred"])
        self.assertEqual(got.headers, {"anthropic-beta": "y,x"})
        self.assertEqual((got.betas, got.added_betas), (["y", "x"], ["x"]))
        self.assertEqual((got.notes.splice, got.notes.tools), (["n"], ["m"]))
        self.assertEqual((got.edits[0].code, got.stats), ("c", {"removed_tool_calls": 1}))
        self.assertEqual((got.protected.message_index, got.unbound.start), (1, "/messages/1"))
        self.assertEqual((got.verdicts[0].verdict, got.verdicts[0].seals), ("intact", (0,)))

    def test_prepare_stops(self):
        result = {"action": "stop", "changed": False, "patch": [], "notes": {"splice": []}}
        got = self.answering(result).prepare({"messages": [{}]})
        self.assertEqual((got.stops, got.safe, got.messages), (True, False, [{}]))
        self.assertEqual((got.headers, got.betas, got.edits, got.verdicts), ({}, (), (), ()))
        self.assertEqual((got.notes.splice, got.notes.tools, got.deferred), ([], (), ()))

    def test_prepare_a_body_in_text(self):
        body = b' {"n": 1.0, "messages": [ {"x" : 1e2}, {"content": [7, 8]} ]}\n'
        swapped = {k: v for k, v in self.PREPARED.items() if k != "patch"}
        swapped["swap"] = (b", 8]", b"]")
        got = self.answering(swapped).prepare_body(body, tools={})
        self.assertEqual(got.body, body.replace(b", 8]", b"]"))
        sent = {"request": json.loads(body), "tools": {}, "return": "splices"}
        self.assertEqual(self.seen[0]["params"], sent)
        nothing = dict(self.PREPARED, changed=False, patch=[])
        self.assertIs(self.answering(nothing).prepare_body(body).body, body)
        with self.assertRaises(turnkeeper.ProtocolError):
            self.answering(dict(self.PREPARED, patch=[])).prepare_body(body)

    def test_prepare_trusts_no_answer_that_does_not_add_up(self):
        for broken in ({"patch": None}, {"changed": None}, {"patch": [{"op": "x"}]}):
            with self.subTest(broken), self.assertRaises(turnkeeper.TurnkeeperError):
                self.answering(dict(self.PREPARED, **broken)).prepare({"messages": [{}]})

    def test_prepare_names_the_step_that_failed(self):
        def script(peer):
            request = peer.read()
            peer.error(request["id"], -32001, "unsafe_history", stage="repair", violations=[])

        with self.assertRaises(turnkeeper.UnsafeHistory) as caught:
            self.client(self.daemon(script)).prepare({"messages": []})
        self.assertEqual(caught.exception.data["stage"], "repair")

    def test_wrong_arguments(self):
        client = self.answering(self.SPLICED)
        for wrong in ("text", 5):
            with self.subTest(wrong=wrong), self.assertRaises(TypeError):
                client.tools(wrong)
            with self.subTest(wrong=wrong), self.assertRaises(TypeError):
                client.splice(wrong, self.TURN)
            with self.subTest(wrong=wrong), self.assertRaises(TypeError):
                client.prepare(wrong)
        for call in (
            lambda: client.splice([], self.TURN, **{"return": "messages"}),
            lambda: client.tools([], request={}),
            lambda: client.tools([], **{"return": "tools"}),
        ):
            with self.assertRaises(TypeError):
                call()
        self.assertEqual(self.seen, [])

    def test_a_result_without_patch(self):
        for result in ({"action": "stop", "notes": []}, dict(self.SPLICED, patch={})):
            with self.subTest(result), self.assertRaises(turnkeeper.ProtocolError):
                self.answering(result).splice([], self.TURN)
        for patch in (None, [{"op": "replace", "path": "/tools", "value": 7}]):
            with self.subTest(patch), self.assertRaises(turnkeeper.ProtocolError):
                self.answering(dict(self.MERGED, patch=patch)).tools([])

    def test_refusals(self):
        def script(peer):
            request = peer.read()
            peer.error(request["id"], -32003, "missing_tool_result", ids=["t"], pointer="/params/x")

        with self.assertRaises(turnkeeper.Refused) as caught:
            self.client(self.daemon(script)).splice([], self.TURN)
        self.assertEqual(caught.exception.name, "missing_tool_result")
        self.assertEqual(caught.exception.data["ids"], ["t"])

    def test_no_content_in_reprs(self):
        secret = [{"role": "user", "content": "secret"}]
        result = dict(self.SPLICED, deferred=secret)
        self.assertNotIn("secret", repr(self.answering(result).splice(secret, self.TURN)))
        tools = [{"name": "a", "description": "secret"}]
        self.assertNotIn("secret", repr(self.answering(self.MERGED).tools(tools)))
        result = dict(self.PREPARED, deferred=secret, patch=[])
        self.assertNotIn("secret", repr(self.answering(result).prepare({"messages": secret})))


class Paths(unittest.TestCase):
    def setUp(self):
        self.before = os.environ.pop("TURNKEEPER_SOCKET", None)

    def tearDown(self):
        os.environ.pop("TURNKEEPER_SOCKET", None)
        if self.before is not None:
            os.environ["TURNKEEPER_SOCKET"] = self.before

    def test_order(self):
        self.assertEqual(turnkeeper.Client().path, "/run/turnkeeper/turnkeeper.sock")
        os.environ["TURNKEEPER_SOCKET"] = "/x/y"
        self.assertEqual(turnkeeper.Client().path, "/x/y")
        self.assertEqual(turnkeeper.Client("/a/b").path, "/a/b")
        os.environ["TURNKEEPER_SOCKET"] = ""
        self.assertEqual(turnkeeper.Client().path, turnkeeper.DEFAULT_PATH)

    def test_control(self):
        for main, control in (
            (None, "/run/turnkeeper/turnkeeper.control.sock"),
            ("/x/a.sock", "/x/a.control.sock"),
            ("/x/a", "/x/a.control.sock"),
        ):
            self.assertEqual(turnkeeper.control_path(main), control)


if __name__ == "__main__":
    unittest.main()
