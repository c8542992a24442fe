# SPDX-License-Identifier: Apache-2.0
"""Holds the options of any kind of client, its connections, and which call has which connection.

    Pool   the idle connections of a client            Hold   the one of a call, or of a stream
      take() ─────────────────────────> acquire()
      put()  <───────────────────────── release(), in order and quiet
                                        drop(): closed, for whatever is still to come on it

Nothing here waits: connecting to a Unix socket succeeds or fails at once. How bytes are sent and
received, blocking or with an event loop, is the matter of the two clients. What `Local` holds in place
of a connection is in library.py.
"""

from __future__ import annotations

import itertools
import os
import select
import socket
import sys
import time
from collections import deque
from dataclasses import replace
from typing import Callable, Generic, Optional, Protocol, TypeVar, Union

from . import wire
from .calls import UNSET, Call
from .conversation import Acquire, Release, Step, Steps, conversation
from .errors import ConnectFailed, RemoteError



class Holdable(Protocol):
    """What a pool keeps: a connection, or what takes its place in process."""

    def quiet(self) -> bool: ...

    def close(self) -> None: ...


C = TypeVar("C", bound=Holdable)
D = TypeVar("D", bound="Connection")
T = TypeVar("T")
Path = Union[str, "os.PathLike[str]"]

DEFAULT_PATH = "/run/turnkeeper/turnkeeper.sock"
LONGEST_PATH = 107 if sys.platform == "linux" else 103  # bytes; one more ends it


def socket_path(path: Optional[Path] = None) -> str:
    """The given path, else the environment's TURNKEEPER_SOCKET, else the default one."""
    return os.fspath(path) if path else os.environ.get("TURNKEEPER_SOCKET") or DEFAULT_PATH


def control_path(path: Optional[Path] = None) -> str:
    """The control socket that belongs to a main socket; it serves ping, health, stats and info."""
    main = socket_path(path)
    return (main[: -len(".sock")] if main.endswith(".sock") else main) + ".control.sock"


def checked_path(path: Optional[Path]) -> str:
    """The socket's path; ConnectFailed at once if it can be none."""
    found = socket_path(path)
    size = len(os.fsencode(found))
    if size > LONGEST_PATH:
        raise ConnectFailed(
            "the path of a socket has room for %d bytes, this one has %d: %s; use a shorter one, or "
            "a symbolic link to its folder" % (LONGEST_PATH, size, found),
            retryable=False,
        )
    return found


class Connection:
    """One socket. `process` is who opened it: after a fork the child must leave it alone."""

    def __init__(self, path: str) -> None:
        self.process = os.getpid()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._readable = select.poll()
        self._readable.register(self._socket, select.POLLIN)
        try:
            # Not blocking: a listener with a full backlog says so, rather than to hold us for ever.
            self._socket.setblocking(False)
            self._socket.connect(path)
        except BaseException as why:
            self._socket.close()
            if isinstance(why, OSError):
                why.filename = path  # for the message
            raise

    def quiet(self) -> bool:
        """True if an idle connection belongs to this process, is open, and has no unread bytes."""
        return self.process == os.getpid() and not self._readable.poll(0)

    def close(self) -> None:
        self._socket.close()  # no shutdown(): after a fork that would reach the parent's


class Pool(Generic[C]):
    """The idle connections of a client, the newest last."""

    def __init__(self, size: int, make: Callable[[], C]) -> None:
        self.idle: deque[C] = deque()
        self.closed = False
        self._size = size
        self._make = make

    def take(self, fresh: bool) -> C:
        while self.idle and not fresh:
            try:
                found = self.idle.pop()
            except IndexError:  # another thread was faster
                break
            if found.quiet():
                return found
            found.close()
        return self._make()

    def put(self, connection: C) -> None:
        self.idle.append(connection)
        self._trim(0 if self.closed else self._size)

    def close(self) -> None:
        self.closed = True
        self._trim(0)

    def _trim(self, keep: int) -> None:
        while len(self.idle) > keep:
            try:
                self.idle.popleft().close()  # the longest idle
            except IndexError:
                return


class Hold(Generic[C]):
    """At most one connection, to be put back among the idle ones or closed.

    As a context it closes the connection when anything goes wrong in it, but for an error that the
    daemon answered with: that one leaves the connection in order.
    """

    def __init__(self, pool: Pool[C]) -> None:
        self._pool = pool
        self._held: Optional[C] = None

    @property
    def held(self) -> C:
        if self._held is None:
            raise RuntimeError("a step without a connection")
        return self._held

    @property
    def empty(self) -> bool:
        return self._held is None

    def apply(self, step: Step) -> None:
        """The steps that are about having a connection, not about using it."""
        if isinstance(step, Acquire):
            self.drop()
            left(step.deadline)
            self.acquire(step.fresh)
        elif isinstance(step, Release):
            self.release()

    def acquire(self, fresh: bool = False) -> None:
        if self._held is not None:
            self.drop()
        self._held = self._pool.take(fresh)

    def release(self) -> None:
        connection, self._held = self.held, None
        self._pool.put(connection)

    def drop(self) -> None:
        connection, self._held = self._held, None
        if connection is not None:
            connection.close()

    def __enter__(self) -> Hold[C]:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], *_: object) -> None:
        if kind is not None and not issubclass(kind, RemoteError):
            self.drop()


def left(deadline: Optional[float]) -> Optional[float]:
    """The time until the deadline; TimeoutError once it has passed."""
    if deadline is None:
        return None
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


class Keeper(Generic[C]):
    """The part of the options that is the same for a client of the daemon and for the library."""

    def __init__(
        self, timeout: Optional[float], codec: str, pool: Pool[C], caller: Optional[str]
    ) -> None:
        self.timeout = timeout
        self.caller = caller
        self.codec = codec
        self._encode = wire.encoder(codec)
        self._ids = itertools.count(1)
        self._pool = pool

    def _time_of(self, call: Call[T]) -> Optional[float]:
        """The seconds that a call may take. ValueError if nothing may be called any more."""
        if self._pool.closed:
            raise ValueError("the client is closed")
        return self.timeout if call.timeout is UNSET else call.timeout

    def _named(self, call: Call[T]) -> Call[T]:
        """The call with the client's name for it, unless it has its own."""
        if self.caller is None or "caller" in call.params:
            return call
        return replace(call, params={**call.params, "caller": self.caller})


class BaseClient(Keeper[D]):
    """
    path       the daemon's socket; else TURNKEEPER_SOCKET, else /run/turnkeeper/turnkeeper.sock.
               One that is too long for a socket raises ConnectFailed here
    timeout    seconds for one call as a whole, waiting and retrying included; None: no limit
    codec      "auto": msgpack where it is installed and loses nothing, else JSON; "json"; "msgpack"
    retries    how often a call is made again after an error that the daemon calls retryable, or
               while nobody listens; it waits as long as the daemon asks for, within `timeout`
    pool_size  how many idle connections are kept
    caller     a name for the daemon's log, which each call has that gives none: at most 64 of A-Z, a-z, 0-9 and "._:-"

    Nothing connects before the first call, and what the daemon closed is opened again by itself.
    A call has its connection for itself and there is no lock; as many connections are open as calls
    and streams run at once. After fork() the child opens its own connections. A call that is
    interrupted, by its timeout, its cancellation or any exception, closes its connection.
    """

    _connection: type[D]

    def __init__(
        self,
        path: Optional[Path] = None,
        *,
        timeout: Optional[float] = 5.0,
        codec: str = "auto",
        retries: int = 0,
        pool_size: int = 4,
        caller: Optional[str] = None,
    ) -> None:
        self.path = checked_path(path)
        self.retries = retries
        super().__init__(timeout, codec, Pool(pool_size, self._connect), caller)

    def _connect(self) -> D:
        return self._connection(self.path)

    def _steps(self, call: Call[T]) -> Steps[T]:
        return conversation(
            self._named(call),
            next(self._ids),
            self._encode,
            timeout=self._time_of(call),
            retries=self.retries,
            path=self.path,
        )
