# SPDX-License-Identifier: Apache-2.0
"""The methods of the clients without a daemon: the shared library in this process.

    Local        each call in the thread that makes it
    AsyncLocal   large documents in a thread of the event loop's executor
    connect()    a Client where a daemon answers, else a Local

Where a client has connections, these have instances of the library (library.py), held in the same way: one a
call, one a stream, the idle ones in a pool.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any, Optional, TypeVar, Union

from . import wire
from .aio import AsyncMethods
from .calls import Call
from .client import Client, Methods
from .connection import DEFAULT_PATH, Hold, Keeper, Pool
from .conversation import answered, check_timeout, milliseconds, request_of, result_of
from .errors import InternalError, RemoteError, TransportError
from .errors_base import remote_error
from .library import Instance, Library, Limits, library_path, load

T = TypeVar("T")

MAX_FRAME = 64 << 20  # bytes of a request, the daemon's default
ASK_DAEMON = 1.0  # seconds that connect() waits for the default socket's daemon
LARGE = 256 << 10  # bytes: a smaller request takes less time than handing it to a thread


class BaseLocal(Keeper[Instance]):
    """
    timeout     seconds for one call; None: no limit
    codec       "auto": msgpack where it is installed and loses nothing, else JSON; "json"; "msgpack"
    pool_size   how many idle instances of the library are kept; more exist while more calls and
                streams run at once
    max_frame   bytes of the largest request; a larger one raises FrameTooLarge before it is copied
    max_depth, max_values, max_answer, max_memory
                the daemon's limits of these names; None: the daemon's defaults
    caller      sent with each call that gives none, as a Client does; no daemon logs it here

    It needs the shared library: wheels contain it; else the environment's TURNKEEPER_LIBRARY names it, or
    the system has it (libturnkeeper.so.1). Where there is none, LibraryMissing is raised here.

    `health` and `stats` are the daemon's, and raise MethodNotFound. After fork() the child makes its own
    instances; a stream that was opened before is the parent's. If there is no memory, the call raises
    InternalError, and the next one has a new instance. Instances have random keys for their hash tables.
    """

    def __init__(
        self,
        *,
        timeout: Optional[float] = 5.0,
        codec: str = "auto",
        pool_size: int = 4,
        max_frame: int = MAX_FRAME,
        max_depth: Optional[int] = None,
        max_values: Optional[int] = None,
        max_answer: Optional[int] = None,
        max_memory: Optional[int] = None,
        caller: Optional[str] = None,
    ) -> None:
        self.max_frame = max_frame
        self._limits = Limits(
            max_depth or 0, max_values or 0, max_answer or 0, max_memory or 0
        )
        self._library: Library = load(library_path())
        super().__init__(timeout, codec, Pool(pool_size, self._instance), caller)

    @property
    def path(self) -> str:
        """The file of the library."""
        return self._library.path

    @property
    def version(self) -> str:
        """The library's release."""
        return self._library.version

    def _instance(self) -> Instance:
        return Instance(self._library, self._limits)

    def _question(self, call: Call[T]) -> _Question:
        seconds = self._time_of(call)
        check_timeout(seconds)
        ident = next(self._ids)
        payload = request_of(self._named(call), ident, self._encode, seconds)
        size = wire.size_of(payload)
        if size > self.max_frame:
            raise _too_large(self.max_frame)
        return _Question(call, ident, payload, milliseconds(seconds) if seconds else 0)


class _Question:
    """A call on its way to the library."""

    def __init__(
        self, call: Call[Any], ident: int, payload: wire.Payload, limit_ms: int
    ) -> None:
        self.call = call
        self.ident = ident
        self.payload = payload
        self.limit_ms = limit_ms

    def ask(self, hold: Hold[Instance]) -> Any:
        """The result. Raises the error that was the answer; after InternalError the instance, which may
        have no memory left, isn't used again."""
        answer = hold.held.call(wire.joined(self.payload), self.limit_ms)
        try:
            return answered(self.call, self.ident, answer)
        except InternalError:
            hold.held.close()
            raise
        except RemoteError as error:
            wire.count_in_text(error, self.payload)
            raise

    def begin(self, hold: Hold[Instance]) -> None:
        if self.call.acquires:
            hold.acquire()

    def end(self, hold: Hold[Instance], refused: bool) -> None:
        """A refused stream holds nothing; one that is open goes on."""
        if self.call.acquires if refused else self.call.releases:
            hold.release()


def _too_large(limit: int) -> RemoteError:
    """The daemon's error, in its words."""
    return remote_error(
        {
            "code": -32010,
            "message": "the request is larger than max_frame",
            "data": {"name": "frame_too_large", "retryable": False, "limit": limit},
        }
    )


class Local(BaseLocal, Methods):
    __doc__ = """The methods of Client without a daemon: the library works in this process.

        turnkeeper.Local().repair(messages).messages

    Threads may share it.
    """ + (BaseLocal.__doc__ or "")

    def __enter__(self) -> Local:
        return self

    def _run(self, call: Call[T], hold: Optional[Hold[Any]] = None) -> T:
        with Hold(self._pool) if hold is None else hold as held:
            question = self._question(call)
            question.begin(held)
            try:
                result = question.ask(held)
            except RemoteError:
                question.end(held, refused=True)
                raise
            question.end(held, refused=False)
            return result_of(call, result)


class AsyncLocal(BaseLocal, AsyncMethods):
    __doc__ = """The methods of AsyncClient without a daemon: the library works in this process.

        fixed = await turnkeeper.AsyncLocal().repair(messages)

    Requests of 256 KiB and more are worked on in a thread of the event loop's executor. Any number of tasks
    may share it.
    """ + (BaseLocal.__doc__ or "")

    async def __aenter__(self) -> AsyncLocal:
        return self

    async def _run(self, call: Call[T], hold: Optional[Hold[Any]] = None) -> T:
        with Hold(self._pool) if hold is None else hold as held:
            question = self._question(call)
            question.begin(held)
            try:
                result = await self._asked(question, held)
            except RemoteError:
                question.end(held, refused=True)
                raise
            question.end(held, refused=False)
            return result_of(call, result)

    async def _asked(self, question: _Question, hold: Hold[Instance]) -> Any:
        if wire.size_of(question.payload) < LARGE:
            return question.ask(hold)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, question.ask, hold)


def connect(**options: Any) -> Union[Client, Local]:
    """A Client of the daemon that the environment's TURNKEEPER_SOCKET names, or that answers at the default
    socket; else a Local. Both have the same methods.

    `options`: those that both take: timeout, codec, pool_size, caller. A daemon that TURNKEEPER_SOCKET names needn't
    run yet: what is asked of it while it doesn't raises ConnectFailed.
    """
    if os.environ.get("TURNKEEPER_SOCKET"):
        return Client(**options)
    client = Client(DEFAULT_PATH, **options)
    try:
        client.call("ping", timeout=ASK_DAEMON)
        return client
    except (TransportError, RemoteError):
        client.close()
        return Local(**options)
