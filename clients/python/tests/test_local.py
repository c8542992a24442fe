# SPDX-License-Identifier: Apache-2.0
"""The library in process: the tests of the real daemon that fit, and what only this back end has."""

import asyncio
import gc
import json
import os
import resource
import subprocess
import sys
import textwrap
import threading
import tracemalloc
import unittest
from unittest import mock

import test_daemon
from local import async_local, local, needs_library
from support import real_daemon, wire
from test_daemon import CALL, ORPHAN_CALL, text, turn, user

import turnkeeper
from turnkeeper import library

needs_library()

MANY_FAULTS = [user("q")] + [turn(text("a"), dict(CALL, id="srvtoolu_%d" % n)) for n in range(20000)]
EVENTS = [
    {"type": "message_start", "message": {"role": "assistant", "content": [], "id": "m"}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hi"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    {"type": "message_stop"},
]
SSE = "".join("event: %s\ndata: %s\n\n" % (e["type"], json.dumps(e)) for e in EVENTS).encode()


class LocalTest(unittest.TestCase):
    make = staticmethod(local)

    def client(self, **options):
        made = self.make(**options)
        self.addCleanup(made.close)
        return made


class Blocks(LocalTest):
    """One kind of back end, blocking; `Waits` is the other one."""

    def test_stream(self):
        for emit in ("parts", "events", "sse"):
            for cut in (1, 7, len(SSE)):
                with self.subTest(emit=emit, cut=cut), self.client().stream(emit=emit) as stream:
                    for at in range(0, len(SSE), cut):
                        stream.feed(SSE[at : at + cut])
                    finished = stream.finish()
                    self.assertEqual(finished.message["content"], [text("hi")])

    def test_refusals(self):
        client = self.client(caller="agent-7")
        found = client.explain("messages: first message must use the \"user\" role", caller="its.own")
        self.assertEqual((found.best.code, found.best.action), ("first_message_not_user", None))
        code = client.report_miss(400, "Could not process image", "anthropic")
        self.assertEqual(code, "image_unprocessable")
        with self.assertRaises(turnkeeper.InvalidParams):
            self.client(caller="a b").ping()

    def test_a_refused_stream_leaves_the_client_in_order(self):
        client = self.client()
        with self.assertRaises(turnkeeper.InvalidParams):
            client.stream(emit="nothing").open()
        self.assertEqual(len(client._pool.idle), 1)
        self.assertTrue(client.ping().pong)

    def test_streams_at_once(self):
        client = self.client()
        streams = [client.stream() for _ in range(20)]
        for stream in streams:
            stream.open()
            stream.feed(SSE[:100])
        for stream in streams:
            stream.feed(SSE[100:])
        for stream in streams:
            self.assertEqual(stream.finish().message["content"], [text("hi")])
        self.assertEqual(len(client._pool.idle), 4)

    def test_what_only_a_daemon_has(self):
        for method in ("health", "stats"):
            with self.assertRaises(turnkeeper.MethodNotFound) as caught:
                getattr(self.client(), method)()
            self.assertIn("this method is a daemon's own", str(caught.exception))
        with self.assertRaises(turnkeeper.MethodNotFound) as caught:
            self.client().call("nobodys")
        self.assertIn("there is no such method", str(caught.exception))

    def test_info(self):
        info = self.client().check_protocol()
        self.assertEqual(info.version, self.client().version)
        self.assertNotIn("health", [method.name for method in info.methods])

    def test_limits(self):
        for options, document, error in (
            ({"max_depth": 8}, [[[[[[[[[]]]]]]]]], turnkeeper.TooDeep),
            ({"max_values": 100}, list(range(100)), turnkeeper.TooManyValues),
            ({"max_frame": 1000}, "x" * 1000, turnkeeper.FrameTooLarge),
            ({"max_answer": 1000}, "x" * 1000, turnkeeper.AnswerTooLarge),
            ({"max_memory": 65536}, list(range(100_000)), turnkeeper.RequestTooCostly),
        ):
            with self.subTest(error.__name__):
                client = self.client(**options)
                with self.assertRaises(error) as caught:
                    client.call("ping", {"echo": document})
                self.assertEqual([caught.exception.limit], list(options.values()))
                self.assertTrue(client.ping().pong)
                self.assertTrue(self.client().call("ping", {"echo": document}))

    def test_a_frame_of_exactly_the_limit(self):
        client = self.client(codec="json", max_frame=2000, timeout=None)
        size = len(wire.encode_json(wire.request(1, "ping", {"echo": ""})))
        self.assertTrue(client.call("ping", {"echo": "x" * (2000 - size)}))
        with self.assertRaises(turnkeeper.FrameTooLarge):
            client.call("ping", {"echo": "x" * (2001 - size)})

    def test_a_large_body_is_refused_before_it_is_copied(self):
        client = self.client()
        client.ping()
        body = b"{" + b" " * (64 << 20) + b"}"
        tracemalloc.start()
        try:
            for method in ("repair_body", "prepare_body"):
                with self.assertRaises(turnkeeper.FrameTooLarge) as caught:
                    getattr(client, method)(body)
                self.assertEqual(caught.exception.limit, 64 << 20)
            self.assertLess(tracemalloc.get_traced_memory()[1], 1 << 20)
        finally:
            tracemalloc.stop()

    def test_a_deadline(self):
        client = self.client()
        for how in ({"timeout_ms": 1}, {}):
            client.timeout = None if how else 0.001
            with self.subTest(how), self.assertRaises(turnkeeper.DeadlineExceeded):
                client.repair(MANY_FAULTS, **how)
        client.timeout = 60
        self.assertTrue(client.repair(MANY_FAULTS).safe)
        for wrong in (0, -1):
            with self.assertRaises(ValueError):
                client.call("ping", timeout=wrong)

    def test_a_closed_client(self):
        client = self.client()
        stream = client.stream()
        stream.open()
        client.close()
        with self.assertRaises(ValueError):
            client.ping()
        stream.close()
        self.assertEqual(stream.state, "lost")
        with self.assertRaises(turnkeeper.ConnectionLost):
            stream.feed(SSE)

    def test_many_threads(self):
        client = self.client()
        failures = []

        def work(number):
            try:
                for i in range(60):
                    mark = "%d.%d" % (number, i)
                    history = [user(mark), *ORPHAN_CALL[1:]]
                    assert client.repair(history).messages[0] is history[0]
                    with client.stream(history=history[:1]) as stream:
                        stream.feed(SSE)
                        assert stream.finish().message["content"] == [text("hi")]
            except BaseException as why:
                failures.append(why)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertLessEqual(len(client._pool.idle), 4)


    def test_what_nobody_looks_at_isnt_decoded(self):
        client = self.client()
        sound, stuck = [user("q"), turn(text("a")), user("n")], [user("q"), turn(text("a"), CALL), user("n")]
        with mock.patch.object(wire, "decode", wraps=wire.decode) as decode:
            for messages in (sound, stuck):
                body = wire.encode_json({"messages": messages})
                for method in (client.repair_body, client.prepare_body):
                    got = method(body)
                    self.assertEqual((got.body is body, decode.call_count), (messages is sound, 0))
                    self.assertEqual(len(got.edits), messages is stuck)
                    self.assertEqual((got.changed, decode.call_count), (messages is stuck, 1))
                    decode.reset_mock()


class Waits(Blocks):
    make = staticmethod(async_local)


class Ctypes(Blocks):
    """As where the module _answer can't be loaded."""

    @classmethod
    def setUpClass(cls):
        library.load.cache_clear()
        patch = mock.patch.object(library, "_quick", return_value=None)
        patch.start()
        cls.addClassCleanup(library.load.cache_clear)
        cls.addClassCleanup(patch.stop)

    def test_the_module_is_not_used(self):
        used = self.client()._library
        self.assertEqual(used.answer, used._answer)


def again(make):
    """The tests of the real daemon that are about answers alone."""
    for name in ("Results", "Fork"):
        members = {"make": staticmethod(make), "client": LocalTest.client, "setUpClass": None}
        members["setUpClass"] = classmethod(lambda cls: None)
        yield name, type(name, (getattr(test_daemon, name),), members)


globals().update(again(local))
globals().update(("Async" + name, kind) for name, kind in again(async_local) if name != "Fork")


class Errors(unittest.TestCase):
    def test_a_large_frame_is_the_daemons_error(self):
        daemon = real_daemon(max_frame=1 << 16)
        self.addCleanup(daemon.stop)
        said = []
        with turnkeeper.Client(daemon.socket) as client, local(max_frame=1 << 16) as own:
            for keeper in (client, own):
                with self.assertRaises(turnkeeper.FrameTooLarge) as caught:
                    keeper.ping(echo="x" * (1 << 17))
                error = caught.exception
                said.append((str(error), error.name, error.code, error.data, error.retryable))
        self.assertEqual(said[0], said[1])

    def test_no_library(self):
        for path in ("/nowhere/libturnkeeper.so", __file__, "libc.so.6"):
            with self.subTest(path), mock.patch.dict(os.environ, TURNKEEPER_LIBRARY=path):
                with self.assertRaises(turnkeeper.LibraryMissing) as caught:
                    turnkeeper.Local()
                self.assertIn(path, str(caught.exception))
                self.assertIsInstance(caught.exception, ImportError)

    def test_no_library_named(self):
        with mock.patch.dict(os.environ):
            del os.environ["TURNKEEPER_LIBRARY"]
            inside = os.path.dirname(turnkeeper.__file__)
            self.assertIn(library.library_path(), (library.SYSTEM, *_files(inside)))

    def test_keys_of_hash_tables_are_random(self):
        keys = {bytes(library._options(library.Limits()).hash_key) for _ in range(10)}
        self.assertEqual(len(keys), 10)


def _files(folder):
    return [os.path.join(folder, name) for name in os.listdir(folder)]


class Connect(unittest.TestCase):
    def test_a_named_daemon(self):
        for path in ("/nowhere/s", None):
            daemon = real_daemon() if path is None else None
            with mock.patch.dict(os.environ, TURNKEEPER_SOCKET=path or daemon.socket):
                with turnkeeper.connect(timeout=3) as keeper:
                    self.assertIsInstance(keeper, turnkeeper.Client)
                    self.assertEqual((keeper.path, keeper.timeout), (path or daemon.socket, 3))
            if daemon:
                daemon.stop()

    def test_the_default_socket(self):
        daemon = real_daemon()
        self.addCleanup(daemon.stop)
        for path, kind in ((daemon.socket, turnkeeper.Client), ("/nowhere/s", turnkeeper.Local)):
            with self.subTest(path), mock.patch.dict(os.environ):
                os.environ.pop("TURNKEEPER_SOCKET", None)
                with mock.patch("turnkeeper.local.DEFAULT_PATH", path):
                    with turnkeeper.connect(codec="json") as keeper:
                        self.assertIs(type(keeper), kind)
                        self.assertEqual(keeper.codec, "json")
                        self.assertTrue(keeper.repair(ORPHAN_CALL).safe)


def run(program, **environment):
    """What a program said, in a process of its own; AssertionError if it failed."""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), **environment)
    command = [sys.executable, "-c", "import support\n" + textwrap.dedent(program)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, "exit %d\n%s%s" % (done.returncode, done.stdout, done.stderr)
    return done.stdout.split()


class Process(unittest.TestCase):
    """What could end a process, each in a process of its own."""

    def test_no_memory(self):
        for way in ({}, {"TURNKEEPER_TEST_CTYPES": "1"}):
            with self.subTest(way):
                self.no_memory(way)

    def no_memory(self, way):
        said = run(
            """
            import resource, turnkeeper
            from test_local import SSE
            keeper = turnkeeper.Local(codec="json", max_values=1 << 24)
            keeper.ping()
            with keeper.stream() as stream:
                stream.feed(SSE[:200])
                small = [{"role": "user", "content": "q"}]
                large = b'{"messages":[' + b'0,' * 3_000_000 + b'0]}'
                used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
                hard = resource.getrlimit(resource.RLIMIT_AS)[1]
                resource.setrlimit(resource.RLIMIT_AS, (used + (16 << 20), hard))
                try:
                    keeper.repair_body(large)
                except turnkeeper.InternalError as error:
                    print(error.name, error.code)
                assert keeper.repair(small).safe
                data = b": " + b"x" * (7 << 20)
                try:
                    for _ in range(9):
                        stream.feed(data)
                except (turnkeeper.InternalError, MemoryError) as error:
                    print(type(error).__name__)
                try:
                    stream.feed(b"x")
                except turnkeeper.ConnectionLost as error:
                    print(stream.state, error.retryable)
                resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
                with keeper.stream() as stream:
                    stream.feed(SSE)
                    print(stream.finish().message["role"])
            """,
            **way,
        )
        self.assertEqual(said[:2], ["internal", "-32603"])
        self.assertEqual(said[-1], "assistant")

    def test_the_interpreter_ends_while_threads_work(self):
        said = run(
            """
            import threading, time, turnkeeper
            from test_local import MANY_FAULTS
            keeper = turnkeeper.Local(timeout=60)
            def work():
                while True:
                    keeper.repair(MANY_FAULTS)
            for _ in range(3):
                threading.Thread(target=work, daemon=True).start()
            time.sleep(0.5)
            print("end")
            """
        )
        self.assertEqual(said, ["end"])

    def test_what_nobody_closed_is_freed_at_the_end(self):
        program = """
            import turnkeeper
            keeper = turnkeeper.Local()
            stream = keeper.stream().open()
            print(keeper.ping().pong)
            """
        self.assertEqual(run(program), ["True"])

    def test_fork_while_threads_work(self):
        said = run(
            """
            import os, threading, turnkeeper
            from test_local import MANY_FAULTS, SSE
            keeper = turnkeeper.Local(timeout=60)
            stream = keeper.stream().open()
            working = threading.Event()
            def work():
                while True:
                    working.set()
                    keeper.repair(MANY_FAULTS)
            threading.Thread(target=work, daemon=True).start()
            working.wait()
            for _ in range(5):
                child = os.fork()
                if child == 0:
                    try:
                        assert keeper.repair(MANY_FAULTS[:50]).safe
                        try:
                            stream.feed(SSE)
                            os._exit(2)
                        except turnkeeper.ConnectionLost:
                            os._exit(0)
                    finally:
                        os._exit(1)
                print(os.waitpid(child, 0)[1])
            stream.feed(SSE)
            print(stream.finish().message["role"])
            """
        )
        self.assertEqual(said, ["0"] * 5 + ["assistant"])


class Threads(unittest.TestCase):
    def test_a_stream_that_is_closed_while_a_call_runs(self):
        for _ in range(50):
            keeper = local()
            stream = keeper.stream().open()
            lost = []

            def feed():
                try:
                    for _ in range(1000):
                        stream.feed(b": comment\n" * 1000)
                except (turnkeeper.ConnectionLost, RuntimeError, ValueError) as why:
                    lost.append(why)

            thread = threading.Thread(target=feed)
            thread.start()
            stream.close()
            thread.join()
            self.assertTrue(lost)
            self.assertTrue(keeper.ping().pong)

    def test_one_stream_for_many_threads(self):
        """Not allowed, and no harm to the process."""
        with local().stream() as stream:
            threads = [
                threading.Thread(target=lambda: [stream.feed(b": x\n\n") for _ in range(500)])
                for _ in range(4)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            stream.feed(SSE)
            self.assertEqual(stream.finish().message["content"], [text("hi")])

    def test_instances_are_freed(self):
        def resident():
            gc.collect()
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * resource.getpagesize()

        def use():
            for _ in range(300):
                with local().stream() as stream:
                    stream.feed(SSE)

        use()
        before = resident()
        for _ in range(4):
            use()
        self.assertLess(resident() - before, 4 << 20)


class Tasks(unittest.TestCase):
    def test_a_large_document_doesnt_hold_up_the_loop(self):
        async def main():
            async with turnkeeper.AsyncLocal(timeout=60) as keeper:
                beats = 0
                task = asyncio.ensure_future(keeper.call("repair", {"messages": MANY_FAULTS}))
                while not task.done():
                    await asyncio.sleep(0.001)
                    beats += 1
                self.assertTrue((await task)["safe"])
                return beats

        self.assertGreater(asyncio.run(main()), 1)

    def test_cancelling_ends_the_work(self):
        async def main():
            async with turnkeeper.AsyncLocal(timeout=None) as keeper:
                cancelled = 0
                while cancelled < 5:
                    task = asyncio.ensure_future(keeper.call("repair", {"messages": MANY_FAULTS}))
                    await asyncio.sleep(0.01)
                    if not task.cancel():  # it was faster: the machine let this thread wait
                        self.assertTrue((await task)["safe"])
                        continue
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                    cancelled += 1
                    self.assertTrue((await keeper.ping()).pong)

        asyncio.run(main())

    def test_a_stopped_instance_ends_its_call(self):
        instance = library.Instance(library.load(library.library_path()), library.Limits())
        request = wire.encode_json(wire.request(1, "validate", {"messages": MANY_FAULTS}))
        self.assertIn(b'"result"', instance.call(request, 0))
        instance._stop()
        self.assertIn(b"deadline_exceeded", instance.call(request, 0))


if __name__ == "__main__":
    unittest.main()
