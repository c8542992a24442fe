# SPDX-License-Identifier: Apache-2.0
"""The client against the real daemon, the binary that TURNKEEPERD names."""

import copy
import os
import re
import signal
import socket
import subprocess
import threading
import unittest

from support import CODECS, PATIENCE, Peer, eventually, framed, real_daemon, wire

import turnkeeper

CALL = {
    "type": "server_tool_use",
    "id": "srvtoolu_1",
    "name": "web_search",
    "input": {"query": "q"},
}
HIT = {
    "type": "web_search_result",
    "url": "https://e.org",
    "title": "T",
    "encrypted_content": "eA==",
}
RESULT = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [HIT]}
THINKING = {"type": "thinking", "thinking": "t", "signature": "c2ln"}


def user(text):
    return {"role": "user", "content": text}


def turn(*parts):
    return {"role": "assistant", "content": list(parts)}


def text(value):
    return {"type": "text", "text": value}


ORPHAN_CALL = [user("q"), turn(text("a"), CALL, text("b")), user("n")]
CLEAN = [user("q"), turn(CALL, RESULT, text("b")), user("n")]
HISTORIES = {
    "clean": CLEAN,
    "orphan call": ORPHAN_CALL,
    "orphan result": [user("q"), turn(text("a"), RESULT), user("n")],
    "result before call": [user("q"), turn(RESULT, CALL, text("a")), user("n")],
    "duplicate id": [user("q"), turn(CALL, RESULT, CALL, RESULT, text("a")), user("n")],
    "emptied message": [user("q"), turn(CALL), user("n"), turn(text("a")), user("m")],
    "before a signed turn": ORPHAN_CALL + [turn(THINKING, text("c")), user("m")],
    "odd values": [
        user("\u0000 é \U0001f600"),
        turn(CALL, text("a"), {"type": "x", "n": [1.5, -0.0, (1 << 63) + 1, None, True, {}]}),
        user("n"),
    ],
}
BROKEN_SIGNED = [user("q"), turn(THINKING, RESULT, CALL, text("a")), user("n")]


class DaemonTest(unittest.TestCase):
    Client = turnkeeper.Client
    config = {}

    @classmethod
    def setUpClass(cls):
        cls.daemon = real_daemon(**cls.config)
        cls.addClassCleanup(cls.daemon.stop)
        cls.path = cls.daemon.socket

    def client(self, **options):
        client = self.Client(self.path, **options)
        self.addCleanup(client.close)
        return client

    def told(self, method):
        """The result of a method without parameters, on the control socket."""
        with turnkeeper.Client(self.daemon.control) as client:
            return client.call(method)


class Redacted(DaemonTest):
    def findings(self, document):
        return [(found.code, found.pointer) for found in self.client().validate(document).violations]

    def test_redact(self):
        for codec in CODECS:
            client = self.client(codec=codec)
            for messages in HISTORIES.values():
                for document in (messages, {"model": "claude-sonnet-4-5", "messages": messages}):
                    before = copy.deepcopy(document)
                    hidden = client.redact(document, provider="anthropic")
                    self.assertEqual((document, type(hidden)), (before, type(document)))
                    self.assertEqual(self.findings(hidden), self.findings(document))
            (said,) = client.redact([user("Anna Schmidtke")])
            self.assertRegex(said["content"], "^[A-Z][a-z]{3} [A-Z][a-z]{8}$")
            self.assertNotIn("Schmidtke", said["content"])

    def test_refusals(self):
        with self.assertRaises(turnkeeper.InvalidParams):
            self.client().redact([], dialect="none")
        with self.assertRaises(TypeError):
            self.client().redact([], request={})


WORDS = "messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."


class Whose(DaemonTest):
    def test_detect(self):
        for codec in CODECS:
            client = self.client(codec=codec)
            chat = client.detect({"model": "deepseek-chat", "messages": [user("q")]})
            self.assertEqual(
                (chat.provider, chat.dialect, chat.endpoint, chat.sure, chat.because, chat.at),
                ("openai-chat", "openai-chat", "compatible", True, "model deepseek-chat", "/model"),
            )
            guess = client.detect([user("q")])
            self.assertEqual((guess.provider, guess.sure, guess.at), ("anthropic", False, None))
            nobody = client.detect([{"from": "human", "value": "q"}])
            self.assertEqual((nobody.provider, nobody.looks_like, nobody.dialect), (None, "sharegpt", None))


class Refusals(DaemonTest):
    def test_explain(self):
        for codec in CODECS:
            client = self.client(codec=codec)
            best = client.explain("Error code: 400 - {'message': '%s'}" % (WORDS % 3)).best
            self.assertEqual(
                (best.code, best.provider, best.severity, best.judged),
                ("tool_use_without_result", "anthropic", "error", True),
            )
            self.assertEqual(
                best.place,
                turnkeeper.results.Place({}, pointer="/messages/3", message=3, id="toolu_1"),
            )
            self.assertIn("{id}", best.provider_error)
            self.assertTrue(best.text and best.action)
            self.assertNotIn("toolu_1", repr(best))

    def test_several_matches_and_none(self):
        client = self.client()
        words = "messages.5.content.0: Invalid `signature` in `thinking` block"
        found = client.explain(words).matches
        codes = [m.code for m in found]  # the rule that only a policy key turns on comes after the other
        self.assertEqual(codes, ["thinking_signature_invalid", "thinking_signature_malformed"])
        self.assertEqual([m.judged for m in found], [False, True])
        self.assertEqual((found[0].place.message, found[0].place.block), (5, 0))
        self.assertEqual(client.explain(words, provider="gemini").matches, ())
        self.assertIsNone(client.explain("Overloaded").best)
        with self.assertRaises(turnkeeper.InvalidParams) as caught:
            client.explain("")
        self.assertEqual(caught.exception.pointer, "/params/text")

    def test_misses(self):
        client = self.client()
        before = client.stats().misses
        code = client.report_miss(400, WORDS % 1, "anthropic")
        self.assertEqual(code, "tool_use_without_result")
        self.assertIsNone(client.report_miss(529, "Overloaded", "anthropic"))
        counted = client.stats().misses
        self.assertEqual({name: counted[name] - before.get(name, 0) for name in (code, "none")}, {code: 1, "none": 1})
        with self.assertRaises(turnkeeper.InvalidParams) as caught:
            client.report_miss(200, "x", "anthropic")
        self.assertEqual(caught.exception.pointer, "/params/status")


class Callers(DaemonTest):
    config = {"log_repairs": "all"}

    def lines(self):
        """The caller and the method of each request in the log."""
        return re.findall(r" caller=(\S+) method=(\S+) ", self.daemon.log())

    def test_each_call_has_the_client_s_or_its_own(self):
        for codec in CODECS:
            client = self.client(codec=codec, caller="agent-7")
            start = len(self.lines())
            client.validate(CLEAN)
            client.repair_body(b'{"messages":[]}', guard=False, caller="its.own")
            client.ping()
            client.stats()
            client.explain("x", caller="other")
            client.call("ping")
            with client.stream() as stream:
                stream.feed(b"event: ping\ndata: {}\n\n")
            with client.stream(caller="stream") as stream:
                stream.feed(b"event: ping\ndata: {}\n\n")
            wanted = [("agent-7", "validate"), ("its.own", "repair"), ("agent-7", "ping"), ("agent-7", "stats"),
                      ("other", "explain"), ("agent-7", "ping"), ("agent-7", "stream.open"), ("agent-7", "stream.feed"),
                      ("stream", "stream.open"), ("stream", "stream.feed")]
            self.assertTrue(eventually(lambda: len(self.lines()) >= start + len(wanted)))
            self.assertEqual(self.lines()[start:], wanted)

    def test_none_by_default(self):
        client = self.client()
        start = len(self.lines())
        client.ping()
        self.assertTrue(eventually(lambda: self.lines()[start:] == [("-", "ping")]))

    def test_a_bad_one(self):
        for caller in ("a b", "x" * 65, 7):
            with self.assertRaises(turnkeeper.InvalidParams) as caught:
                self.client(caller=caller).ping()
            self.assertEqual(caught.exception.pointer, "/params/caller")


class Results(DaemonTest):
    def test_both_codecs_say_the_same(self):
        clients = [self.client(codec=codec) for codec in CODECS]
        for name, history in HISTORIES.items():
            with self.subTest(name):
                reports = [client.validate(history).raw for client in clients]
                repairs = [dict(client.repair(history).raw) for client in clients]
                for repair in repairs:  # over the bytes as they were sent, so one a codec
                    if repair.get("protected"):
                        repair["protected"] = repair["protected"]["message_index"]
                self.assertEqual(reports, reports[:1] * len(reports))
                self.assertEqual(repairs, repairs[:1] * len(repairs))

    def test_patch_and_messages_are_one(self):
        for codec in CODECS:
            client = self.client(codec=codec)
            for name, history in HISTORIES.items():
                for policy in ("conservative", "preserve"):
                    with self.subTest(name, codec=codec, policy=policy):
                        params = {"messages": history, "policy": policy, "return": "messages"}
                        want = client.call("repair", params).get("messages", history)
                        got = client.repair(history, policy=policy)
                        self.assertEqual(got.messages, want)
                        again = client.repair(got.messages, policy=policy)
                        self.assertEqual((again.changed, again.messages), (False, want))
                        self.assertTrue(client.validate(want).valid)

    def test_the_argument_is_not_changed_and_messages_stay_the_same_objects(self):
        client = self.client()
        for name, history in HISTORIES.items():
            for document in (history, {"model": "m", "max_tokens": 1, "messages": history}):
                with self.subTest(name, request=isinstance(document, dict)):
                    before = copy.deepcopy(document)
                    got = client.repair(document)
                    self.assertEqual(document, before)
                    edited = {e.pointer.split("/")[2] for e in got.edits}
                    kept = {id(m) for m in got.messages}
                    for n, message in enumerate(history):
                        if str(n) not in edited:
                            self.assertIn(id(message), kept)
                    if isinstance(document, dict):
                        self.assertEqual(got.request, dict(document, messages=got.messages))
                    else:
                        self.assertIsNone(got.request)

    def test_report(self):
        client = self.client()
        report = client.validate(ORPHAN_CALL)
        self.assertFalse(report.valid)
        (found,) = report.errors
        self.assertEqual(found.code, "provider_executed_call_without_result")
        self.assertEqual((found.message_index, found.part_index), (1, 1))
        self.assertEqual((found.pointer, found.id), ("/messages/1/content/1", "srvtoolu_1"))
        self.assertEqual(report.counts, {found.code: 1})
        self.assertEqual((report.message_count, report.protected), (3, None))
        self.assertTrue(client.validate(CLEAN).valid)

    def test_repaired(self):
        got = self.client().repair(ORPHAN_CALL)
        self.assertEqual((got.changed, got.safe), (True, True))
        self.assertEqual(
            [(e.action, e.pointer) for e in got.edits], [("drop", "/messages/1/content/1")]
        )
        self.assertEqual(got.stats["removed_tool_calls"], 1)
        self.assertIs(got.messages[1]["content"][0], ORPHAN_CALL[1]["content"][0])
        self.assertIs(got.messages[1]["content"][1], ORPHAN_CALL[1]["content"][2])
        self.assertIsNone(got.protected)
        signed = HISTORIES["before a signed turn"]
        self.assertEqual(self.client().repair(signed).protected.message_index, 3)

    def test_turn(self):
        content = [text("a"), CALL, text("b")]
        before = copy.deepcopy(content)
        for codec in CODECS:
            got = self.client(codec=codec).repair_turn(content, stop_reason="end_turn")
            self.assertEqual(content, before)
            self.assertEqual(got.content, [text("a"), text("b")])
            self.assertIs(got.content[0], content[0])
            self.assertEqual([e.pointer for e in got.edits], ["/content/1"])

    def test_unsafe(self):
        for codec in CODECS:
            with self.subTest(codec):
                client = self.client(codec=codec)
                with self.assertRaises(turnkeeper.UnsafeHistory) as caught:
                    client.repair(BROKEN_SIGNED)
                error = caught.exception
                self.assertEqual((error.name, error.code), ("unsafe_history", -32001))
                self.assertFalse(error.retryable)
                codes = {v.code for v in error.violations}
                self.assertEqual(codes, {"provider_executed_result_before_call"})
                self.assertTrue(all(v.needed for v in error.violations), error.violations)
                self.assertIn("/messages/1/content/", str(error))
                left = client.repair(BROKEN_SIGNED, guard=False)
                self.assertFalse(left.safe)
                self.assertIs(left.messages[1], BROKEN_SIGNED[1])

    def test_what_only_json_holds(self):
        client = self.client()
        for odd in (1 << 70, -(1 << 64)):
            with self.subTest(odd=odd):
                history = [user("q"), turn(text("a"), CALL, {"type": "x", "v": odd}), user("n")]
                got = client.repair(history, guard=False)
                self.assertIs(got.messages[1]["content"][1], history[1]["content"][2])

    def test_a_lone_surrogate_is_mended(self):
        history = [user("q"), turn(text("a"), {"type": "x", "v": "\udc00"}), user("n")]
        got = self.client().repair(history, guard=False)
        self.assertEqual(got.messages[1]["content"][1], {"type": "x", "v": "\ufffd"})

    def test_errors(self):
        for codec in CODECS:
            client = self.client(codec=codec)
            with self.subTest(codec):
                with self.assertRaises(turnkeeper.MethodNotFound):
                    client.call("nothing")
                with self.assertRaises(turnkeeper.InvalidParams) as caught:
                    client.repair(CLEAN, polcy="x")
                self.assertEqual(caught.exception.pointer, "/params/polcy")
                with self.assertRaises(turnkeeper.InvalidParams) as caught:
                    client.validate([CLEAN[0], "n"])
                self.assertEqual(caught.exception.pointer, "/params/messages/1")
                with self.assertRaises(turnkeeper.TooDeep):
                    deep = []
                    for _ in range(300):
                        deep = [deep]
                    client.call("ping", {"echo": deep})
                self.assertTrue(client.ping().pong)
        with self.assertRaises(turnkeeper.DuplicateKey) as caught:
            self.client().validate([{"role": "user", "content": "q", "1": 0, 1: 0}])
        self.assertIsNotNone(caught.exception.offset)

    def test_offsets_count_in_the_text_that_was_given(self):
        client = self.client(caller="x")
        for text, offset in ((b'{"messages": [}', 14), (b' {"messages": [], "messages": []}', 18), (b'{"messages": [', 14)):
            with self.assertRaises(turnkeeper.ParseError) as caught:
                client.repair_body(text)
            self.assertEqual(caught.exception.offset, offset, text)
            self.assertIn("byte %d" % offset, str(caught.exception))


class Conformance(DaemonTest):
    """The shared cases through this client (conformance.py is the same as a program), those that need
    more than this build has too: each with the verdict that it has over a bare connection."""

    def every_case(self, codec):
        import conformance
        import run_cases

        runner, bare = conformance.load(), run_cases.load_runner()
        passed = 0
        for case in conformance.cases():
            with self.subTest(case["name"]):
                found = conformance.run_case(runner, self.path, codec, case)
                if found is None:
                    continue
                expected = bare.run_case(self.path, codec, case)
                self.assertEqual(bool(found), bool(expected), (found, expected))
                passed += not found
        print("# %d cases pass (%s)" % (passed, codec))
        self.assertGreater(passed, 600)

    def test_json(self):
        self.every_case("json")

    @unittest.skipUnless("msgpack" in CODECS, "msgpack is not installed")
    def test_msgpack(self):
        self.every_case("msgpack")


class Service(DaemonTest):
    def test_info(self):
        for codec in CODECS:
            with self.subTest(codec):
                info = self.client(codec=codec).check_protocol()
                self.assertEqual(info.protocol, turnkeeper.PROTOCOL)
                self.assertEqual(info.version, turnkeeper.__version__.replace(".dev0", "~dev"))
                names = {method.name for method in info.methods}
                self.assertLessEqual({"validate", "repair", "repair_turn", "ping", "info"}, names)
                self.assertIn("anthropic", info.dialects)
                self.assertTrue(info.catalogue)

    def test_every_method_of_the_daemon_is_one_of_the_clients(self):
        served = {method.name.partition(".")[0] for method in self.client().info().methods}
        for kind in (turnkeeper.Client, turnkeeper.AsyncClient):
            self.assertEqual([name for name in served if not callable(getattr(kind, name, None))], [])

    def test_health_and_stats(self):
        self.assertEqual(turnkeeper.control_path(self.path), self.daemon.control)
        for path in (self.path, self.daemon.control):
            for codec in CODECS:
                with self.subTest(path=path, codec=codec), self.Client(path, codec=codec) as client:
                    health = client.health()
                    self.assertTrue(health.ok, health)
                    self.assertLessEqual(
                        {"worker_heartbeat", "connections"}, {c.name for c in health.checks}
                    )
                    before = client.stats()
                    client.ping()
                    after = client.stats()
                    self.assertGreaterEqual(after.uptime_s, before.uptime_s)
                    self.assertIn("ping", after.methods)

    def test_control_socket_serves_no_history(self):
        with self.Client(self.daemon.control) as client:
            with self.assertRaises(turnkeeper.MethodNotFound):
                client.validate(CLEAN)

    def test_a_notification_is_never_answered(self):
        for codec in CODECS:
            with self.subTest(codec), socket.socket(socket.AF_UNIX) as conn:
                conn.settimeout(PATIENCE)
                conn.connect(self.path)
                encode = wire.encoder(codec)
                for envelope in (
                    wire.request(None, "ping", {"echo": 1}),
                    wire.request(None, "nothing", {}),
                    wire.request(7, "ping", {"echo": 2}),
                ):
                    conn.sendall(framed(encode(envelope)))
                answer = Peer(conn).read()
                self.assertEqual(wire.unwrap(answer, 7), {"pong": True, "echo": 2})

    def test_one_client_for_many_threads(self):
        client = self.client()
        failures = []

        def caller(n):
            try:
                for i in range(50):
                    mark = "%d.%d" % (n, i)
                    assert client.ping(echo=mark).echo == mark
                    history = [user(mark)] + ORPHAN_CALL[1:]
                    assert client.repair(history).messages[0] is history[0]
            except BaseException as why:
                failures.append(why)

        threads = [threading.Thread(target=caller, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(failures, [])


class Fork(DaemonTest):
    def test_fork(self):
        client = self.client()
        client.ping()
        child = os.fork()
        if child == 0:
            good = False
            try:
                good = all(client.ping(echo=-n).echo == -n for n in range(200))
            finally:
                os._exit(0 if good else 1)
        for n in range(200):
            self.assertEqual(client.ping(echo=n).echo, n)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Limits(DaemonTest):
    config = {"max_frame": 1 << 16, "max_connections_per_uid": 3}

    def test_frame_too_large(self):
        client = self.client(retries=10)  # the daemon may still count the other test's connections
        with self.assertRaises(turnkeeper.FrameTooLarge):
            client.ping(echo="x" * (1 << 17))
        self.assertTrue(client.ping().pong)

    def test_busy(self):
        with self.Client(self.path, retries=10) as first:
            first.ping()
            more = [socket.socket(socket.AF_UNIX) for _ in range(2)]
            try:
                for conn in more:
                    conn.connect(self.path)
                self.assertTrue(eventually(lambda: self.told("stats")["gauges"]["connections"] == 3))
                with self.assertRaises(turnkeeper.Busy) as caught:
                    self.client().ping()
                self.assertTrue(caught.exception.retryable)
                self.assertIsNotNone(caught.exception.retry_after_ms)
                self.assertTrue(first.ping().pong)
                threading.Timer(0.1, more[0].close).start()
                self.assertTrue(self.client(retries=100).ping().pong)
            finally:
                for conn in more:
                    conn.close()


class Ends(DaemonTest):
    def end(self, how=signal.SIGTERM):
        self.daemon.process.send_signal(how)
        return self.daemon.process.wait(30)

    def start(self):
        self.daemon.process = subprocess.Popen(self.daemon.process.args, stdin=subprocess.DEVNULL)
        self.daemon.wait_until_it_listens()

    def test_restart(self):
        client = self.client(retries=50)
        client.ping()
        self.assertEqual(self.end(), 0)
        with self.assertRaises(turnkeeper.ConnectFailed):
            self.client().ping()
        self.start()
        self.assertTrue(client.ping().pong)
        self.end(signal.SIGKILL)
        self.start()
        self.assertTrue(client.ping().pong)

    def test_drain(self):
        """A request that the daemon has only half of when it is told to stop is refused by name."""
        with socket.socket(socket.AF_UNIX) as conn:
            conn.settimeout(PATIENCE)
            conn.connect(self.path)
            request = framed(wire.encode_json(wire.request(1, "ping", {"echo": "x" * 100})))
            conn.sendall(request[:20])
            self.assertTrue(eventually(lambda: self.told("stats")["gauges"]["inflight_bytes"] > 0))
            self.daemon.process.send_signal(signal.SIGTERM)
            self.assertTrue(eventually(lambda: self.told("health")["status"] == "draining"))
            conn.sendall(request[20:])
            with self.assertRaises(turnkeeper.Draining) as caught:
                wire.unwrap(Peer(conn).read(), 1)
            self.assertTrue(caught.exception.retryable)
        self.assertEqual(self.daemon.process.wait(30), 0)
        self.start()


if __name__ == "__main__":
    unittest.main()
