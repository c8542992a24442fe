# SPDX-License-Identifier: Apache-2.0
"""What errors say: places, limits, formats, ways out, sockets."""

import os
import socket
import unittest

from support import FakeDaemonTest, folder, real_daemon

import turnkeeper
from turnkeeper import errors
from turnkeeper.connection import LONGEST_PATH
from turnkeeper.errors_base import remote_error
from turnkeeper.places import shown


def made(code, name, message="m", **data):
    return remote_error({"code": code, "message": message, "data": dict(data, name=name)})


def violation(code="c", pointer="/messages/1", **more):
    return dict(code=code, pointer=pointer, **more)


class Names(unittest.TestCase):
    def test_tracebacks_name_the_public_module(self):
        for name in errors.__all__:
            with self.subTest(name=name):
                self.assertEqual(getattr(errors, name).__module__, "turnkeeper.errors")


class Texts(unittest.TestCase):
    def test_the_place(self):
        error = made(-32602, "invalid_params", pointer="/params/messages/0/role")
        self.assertEqual(str(error), "invalid_params: m (at /params/messages/0/role)")
        self.assertEqual(error.pointer, "/params/messages/0/role")

    def test_numbers(self):
        for code, name, data, want in (
            (-32010, "frame_too_large", {"limit": 9}, "the limit is 9"),
            (-32014, "answer_too_large", {"limit": 9}, "the limit is 9"),
            (-32014, "request_too_costly", {"limit": 9}, "the limit is 9"),
            (-32011, "busy", {"limit": 9, "retry_after_ms": 250}, "9; again after 250 ms"),
            (-32700, "too_deep", {"offset": 337, "limit": 256}, "byte 337; the limit is 256"),
            (-32700, "parse_error", {"offset": 0}, "byte 0"),
        ):
            error = made(code, name, **data)
            self.assertTrue(str(error).endswith(want + ")"), str(error))
            self.assertEqual(error.limit, data.get("limit"))
        self.assertEqual(str(made(-32603, "internal", limit="x", offset=True)), "internal: m")

    def test_places_tell_no_content(self):
        secret = "/params/messages/0/content/1/input/mail@x/0/type"
        self.assertEqual(shown(secret), "/params/messages/0/content/1/input/…/0/type")
        self.assertIn("/input/…/0", str(made(-32700, "duplicate_key", pointer=secret)))
        self.assertEqual(made(-32700, "duplicate_key", pointer=secret).pointer, secret)
        self.assertLess(len(shown("/params" + "/0" * 300)), 130)

    def test_names_of_options_are_shown(self):
        """They are the programmer's words."""
        for pointer, want in (
            ("/params/polcy", "at /params/polcy"),
            ("/params/gaurd", "at /params/gaurd"),
            ("/params/policy/thinkin", "at /params/policy/thinkin"),
            ("/params/target/endpiont", "at /params/target/endpiont"),
            ("/params/tools/ad", "at /params/tools/ad"),
            ("/params/zzz", "at /params/zzz"),
            ("/params/policy", "at /params/policy"),
            ("/params/a b", "at /params/…"),
            ("/params/" + "x" * 41, "at /params/…"),
            ("/params/request/polcy", "at /params/request/…"),
            ("/params/tools/0/polcy", "at /params/tools/0/…"),
        ):
            error = made(-32602, "invalid_params", pointer=pointer)
            self.assertEqual(str(error), "invalid_params: m (%s)" % want)

    def test_another_format(self):
        data = {"looks_like": "openai-chat", "sign": "tool_calls", "dialect": "anthropic"}
        error = made(-32602, "dialect_mismatch", pointer="/params/messages/1", **data)
        self.assertIsInstance(error, turnkeeper.DialectMismatch)
        self.assertIsInstance(error, turnkeeper.InvalidParams)
        for name, value in data.items():
            self.assertEqual(getattr(error, name), value)
        want = "this looks like openai-chat: tool_calls; asked for as anthropic; at /params/messages/1"
        self.assertIn(want, str(error))
        error = made(-32602, "dialect_mismatch", looks_like=None, sign="a,b", dialect="fantasy")
        self.assertIsNone(error.looks_like)
        self.assertEqual(str(error), "dialect_mismatch: m (asked for as fantasy)")
        self.assertFalse(error.retryable)

    def test_answer_too_large(self):
        self.assertIsInstance(made(-32014, "of_tomorrow"), turnkeeper.AnswerTooLarge)
        self.assertIs(type(made(-32014, "request_too_costly")), turnkeeper.RequestTooCostly)

    def test_a_way_out(self):
        found = [violation(way_out="Go back."), violation("d", way_out="Go back."), violation("e")]
        found += [violation("f", way_out="Or set a policy.")]
        error = made(-32001, "unsafe_history", violations=found)
        self.assertEqual(error.ways_out, ("Go back.", "Or set a policy."))
        self.assertTrue(str(error).endswith("; 1 more) Go back. Or set a policy."), str(error))
        self.assertEqual(error.violations[0].way_out, "Go back.")
        self.assertIn("(c at /messages/1)", str(made(-32001, "unsafe_history", violations=found[:1])))
        self.assertEqual(made(-32001, "unsafe_history", violations=[violation()]).ways_out, ())

    def test_findings_of_the_request_itself(self):
        error = made(-32001, "unsafe_history", violations=[violation("messages_empty", "")])
        self.assertIn("messages_empty at /", str(error))
        for pointer, place in (
            ("/tools/3", "/tools/3"),
            ("/tool_choice/name", "/tool_choice/name"),
            ("/context_management/edits/0", "/context_management/edits/0"),
            ("/tools/3/input_schema/properties/secret", "/tools/3/input_schema/…/…"),
        ):
            found = [{"code": "c", "pointer": pointer, "text": "t", "message_index": None}]
            error = made(-32001, "unsafe_history", violations=found)
            self.assertTrue(str(error).endswith("(c at %s)" % place), str(error))
            self.assertIsNone(error.violations[0].message_index)


class Names(unittest.TestCase):
    def test_every_error_of_the_daemon_has_a_class(self):
        with real_daemon() as daemon, turnkeeper.Client(daemon.socket) as client:
            listed = client.call("info")["errors"]
        self.assertGreater(len(listed), 30)
        for row in listed:
            error = made(row["code"], row["name"])
            self.assertEqual((type(error).NAME, error.code, error.retryable), (row["name"], row["code"], row["retryable"]))


class Sockets(FakeDaemonTest):
    def raised(self, path, kind, **options):
        with self.assertRaises(kind) as caught:
            self.Client(path, **options).ping()
        return str(caught.exception)

    def test_too_long_a_path(self):
        """It is told before anything is asked."""
        path = "/" + "x" * LONGEST_PATH
        for kind in (turnkeeper.Client, turnkeeper.AsyncClient):
            with self.assertRaises(turnkeeper.ConnectFailed) as caught:
                kind(path)
            text = str(caught.exception)
            self.assertIn("room for %d bytes, this one has %d" % (LONGEST_PATH, len(path)), text)
            self.assertIn(path, text)
            self.assertFalse(caught.exception.retryable)
            kind(path[1:])  # it has that room

    def test_the_longest_path(self):
        with folder() as here:
            path = os.path.join(here, "s" * (LONGEST_PATH - len(here) - 1))
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(path)
            self.assertIn("nobody listens", self.raised(path, turnkeeper.ConnectFailed))

    def test_nobody_there(self):
        with folder() as here:
            path = os.path.join(here, "s")
            text = self.raised(path, turnkeeper.ConnectFailed)
            self.assertIn(path + " (No such file or directory)", text)
            self.assertIn("is turnkeeperd running", text)
            self.assertEqual(text.count(path), 1)
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
                other.bind(path)
                self.assertIn("not a turnkeeperd", self.raised(path, turnkeeper.ConnectFailed))

    @unittest.skipIf(os.geteuid() == 0, "root may use every socket")
    def test_not_allowed(self):
        with folder() as here, socket.socket(socket.AF_UNIX) as listener:
            path = os.path.join(here, "s")
            listener.bind(path)
            os.chmod(path, 0)
            self.assertIn("socket_mode", self.raised(path, turnkeeper.ConnectFailed))

    def test_what_answers_is_something_else(self):
        for said in (b"HTTP/1.1 400 Bad Request\r\n\r\n", b"220 mail\r\n", b"\0\0\0\x02{}"):
            with self.subTest(said):
                path = self.says(said)
                text = self.raised(path, turnkeeper.ProtocolError)
                self.assertIn("what answers there is not a turnkeeperd", text)
                self.assertIn(path, text)

    def test_what_hangs_up(self):
        path = self.says(b"")
        self.assertIn("socket " + path, self.raised(path, turnkeeper.ConnectionLost))

    def test_no_version(self):
        def other(peer):
            peer.result(peer.read(), {})

        client = self.client(self.daemon(other))
        with self.assertRaises(turnkeeper.ProtocolError) as caught:
            client.check_protocol()
        self.assertIn("not a turnkeeperd", str(caught.exception))

    def test_no_answer_in_time(self):
        path = self.daemon(lambda peer: peer.read() and peer.read()).path
        self.assertIn("socket " + path, self.raised(path, turnkeeper.Timeout, timeout=0.2))

    def says(self, data):
        """The path of a server that says something to whoever connects, and hangs up."""

        def script(peer):
            peer.send(data)
            peer.conn.recv(65536)

        return self.daemon(script).path


class Real(unittest.TestCase):
    """Each of them from the daemon itself."""

    def client(self, **config):
        daemon = real_daemon(**config)
        self.addCleanup(daemon.stop)
        client = turnkeeper.Client(daemon.socket)
        self.addCleanup(client.close)
        return client

    def raised(self, kind, call, *args, **params):
        with self.assertRaises(kind) as caught:
            call(*args, **params)
        return caught.exception

    def test_limits_have_their_number(self):
        client = self.client(max_frame=4096, max_depth=16, max_values=100)
        deep = []
        for _ in range(20):
            deep = [deep]
        for kind, value, limit in (
            (turnkeeper.FrameTooLarge, "x" * 5000, 4096),
            (turnkeeper.TooDeep, deep, 16),
            (turnkeeper.TooManyValues, [0] * 200, 100),
        ):
            error = self.raised(kind, client.ping, echo=value)
            self.assertEqual(error.limit, limit)
            self.assertIn("the limit is %d" % limit, str(error))

    def test_another_format(self):
        client = self.client()
        call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        chat = [{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": [call]}]
        body = {"model": "m", "max_tokens": 9, "messages": chat}
        for method, args in (
            (client.validate, (chat,)),
            (client.repair, (chat,)),
            (client.prepare, (body,)),
            (client.splice, (chat, {"role": "assistant", "content": "a"})),
        ):
            error = self.raised(turnkeeper.DialectMismatch, method, *args)
            self.assertEqual((error.looks_like, error.sign), ("openai-chat", "tool_calls"))
            self.assertEqual(error.dialect, "anthropic")
            self.assertTrue(error.pointer.endswith("/messages/1"))

    def test_a_way_out(self):
        signed = {"type": "thinking", "thinking": "t", "signature": "c2lnbmVk"}
        result = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_x", "content": []}
        turn = {"role": "assistant", "content": [signed, result, {"type": "text", "text": "a"}]}
        history = [{"role": "user", "content": "q"}, turn, {"role": "user", "content": "n"}]
        error = self.raised(turnkeeper.UnsafeHistory, self.client().repair, history)
        self.assertGreater(len(error.ways_out), 0)
        for sentence in error.ways_out[:3]:
            self.assertIn(sentence, str(error))


if __name__ == "__main__":
    unittest.main()
