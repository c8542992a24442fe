# SPDX-License-Identifier: Apache-2.0
"""What the tests share: the package from this tree, a daemon played by a script, the real one."""

import asyncio
import contextlib
import functools
import inspect
import json
import os
import shutil
import socket
import sys
import tempfile
import threading
import time
import unittest

from built import CLIENT as CLIENT, ROOT

sys.path.append(os.path.join(ROOT, "tests"))

import turnkeeper
from turnkeeper import wire

PATIENCE = 30  # seconds for what comes at once unless the machine is very busy
CODECS = ["json"] + (["msgpack"] if wire._usable else [])


def eventually(condition, seconds=PATIENCE):
    """Waits until condition() is true and returns what it returned last."""
    end = time.monotonic() + seconds
    while True:
        result = condition()
        if result or time.monotonic() > end:
            return result
        time.sleep(0.005)


@contextlib.contextmanager
def folder():
    """A folder whose name is short: the path of a socket has room for 107 bytes."""
    path = tempfile.mkdtemp(prefix="tk")
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def framed(body):
    return b"".join(wire.frame(body))


class Peer:
    """The daemon's end of one connection, for scripts."""

    def __init__(self, conn):
        self.conn = conn

    def read(self):
        """The next request, decoded; None at the end of the stream. What the client adds to every
        call isn't what a script asks about: it is in `timeout_ms`."""
        head = self._exactly(4)
        if head is None:
            return None
        self.body = body = self._exactly(int.from_bytes(head, "big"))
        self.packed = wire.is_msgpack(body[0])
        request = wire.decode(body)
        self.timeout_ms = request.get("params", {}).pop("timeout_ms", None)
        return request

    def _exactly(self, n):
        data = b""
        while len(data) < n:
            more = self.conn.recv(n - len(data))
            if not more:
                return None
            data += more
        return data

    def send(self, data):
        self.conn.sendall(data)

    def frame(self, document, packed=False):
        encode = wire.encode_msgpack if packed else wire.encode_json
        return framed(encode(document))

    def _spliced(self, result):
        """`swap` of a script, bytes of the request's text and what comes in their place, as the result has it."""
        result = dict(result)
        old, new = result.pop("swap")
        start = self.body.index(b'"request":') + len(b'"request":')
        sent = self.body[start:].lstrip(b" \t\r\n")
        return dict(result, splices=[[sent.index(old), len(old), new.decode()]])

    def result(self, request, result):
        if isinstance(result, dict) and "swap" in result:
            result = self._spliced(result)
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": result}
        self.send(self.frame(answer, self.packed))

    def error(self, ident, code, name, retryable=False, **data):
        detail = dict(data, name=name, retryable=retryable)
        error = {"code": code, "message": name, "data": detail}
        self.send(self.frame({"jsonrpc": "2.0", "id": ident, "error": error}))


def pong(peer):
    """The script of a daemon that answers everything with its own parameters."""
    while True:
        request = peer.read()
        if request is None:
            return
        peer.result(request, dict(request["params"], pong=True))


class FakeDaemon:
    """Plays one script a connection, in order; the last one also for all that follow."""

    def __init__(self, path, *scripts):
        self.path = path
        self.scripts = list(scripts)
        self.accepted = 0  # connections
        self.closed = 0  # those of them that a script has ended
        self.failures = []
        self._open = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(64)
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def _accept(self):
        while True:
            try:
                conn, _ = self._listener.accept()
            except OSError:
                return
            script = self.scripts[min(self.accepted, len(self.scripts) - 1)]
            self.accepted += 1
            self._open.append(conn)
            thread = threading.Thread(target=self._play, args=(script, conn), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _play(self, script, conn):
        try:
            with conn:
                script(Peer(conn))
            self.closed += 1
        except OSError:
            pass  # the client went away, as many tests want it to
        except Exception as why:
            self.failures.append(why)

    @staticmethod
    def never(peer):
        """A script that reads and never answers."""
        while peer.read() is not None:
            pass

    def close(self):
        for end in [self._listener] + self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(5)


class Blocking:
    """An AsyncClient, or a stream of one, for tests that were written for the blocking kind.

    Its coroutines run in one loop, in a thread of its own; callers in any thread wait for them.
    """

    loop = None

    def __init__(self, *args, **options):
        self.inner = turnkeeper.AsyncClient(*args, **options)

    @classmethod
    def around(cls, inner):
        made = cls.__new__(cls)
        made.inner = inner
        return made

    @classmethod
    def wait(cls, coroutine):
        if cls.loop is None:
            cls.loop = asyncio.new_event_loop()
            threading.Thread(target=cls.loop.run_forever, daemon=True).start()
        return asyncio.run_coroutine_threadsafe(coroutine, cls.loop).result()

    def __getattr__(self, name):
        value = getattr(self.inner, name)
        if name == "stream":
            return lambda **params: Blocking.around(value(**params))
        if inspect.iscoroutinefunction(value):
            return functools.wraps(value)(lambda *args, **params: self.wait(value(*args, **params)))
        return value

    def __setattr__(self, name, value):
        if name == "inner":
            super().__setattr__(name, value)
        else:
            setattr(self.inner, name, value)

    def __enter__(self):
        self.wait(self.inner.__aenter__())
        return self

    def __exit__(self, *error):
        self.wait(self.inner.__aexit__(*error))


class FakeDaemonTest(unittest.TestCase):
    Client = turnkeeper.Client

    def daemon(self, *scripts):
        path = os.path.join(self.enterContext39(folder()), "s")
        daemon = FakeDaemon(path, *scripts)
        self.addCleanup(lambda: self.assertEqual(daemon.failures, []))
        self.addCleanup(daemon.close)
        return daemon

    def client(self, daemon, **options):
        return self.enterContext39(self.Client(daemon.path, **options))

    def enterContext39(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value


def real_daemon(**config):
    """The project's turnkeeperd on a socket of its own (tests/daemon.py); SkipTest without one."""
    if not os.environ.get("TURNKEEPERD"):
        raise unittest.SkipTest("TURNKEEPERD names no daemon")
    try:
        from daemon import Daemon
    except ImportError as why:
        raise unittest.SkipTest("not in the project's tree") from why
    return Daemon(config=json.dumps(config))
