# SPDX-License-Identifier: Apache-2.0
"""The asyncio client: the event loop for the steps of conversation.py.

Sockets stay out of the loop while they are idle, so a client may outlive a loop and serve another.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Coroutine
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar, cast

from . import calls, wire
from .calls import Call
from .client import Stream, with_self
from .connection import BaseClient, Connection, Hold, Keeper, left
from .conversation import Pause, Receive, Send, Step, Steps
from .describe import INSTEAD_OF_HISTORY, describes
from .params import StreamParams
from .results import PairedTurn
from .streams import BaseStream, Chunk, Output

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec, Unpack

    P = ParamSpec("P")

T = TypeVar("T")
Watch = Callable[..., Any]


class AsyncConnection(Connection):
    async def send(self, data: wire.Pieces, deadline: Optional[float]) -> None:
        rest: wire.Pieces = data
        while True:
            try:
                rest = wire.after(rest, self._socket.sendmsg(rest))
                if not rest:
                    return
            except BlockingIOError:
                pass
            loop = asyncio.get_running_loop()
            await self._until(loop.add_writer, loop.remove_writer, deadline)

    async def receive(self, limit: int, deadline: Optional[float]) -> bytes:
        while True:
            try:
                return self._socket.recv(limit)
            except BlockingIOError:
                loop = asyncio.get_running_loop()
                await self._until(loop.add_reader, loop.remove_reader, deadline)

    async def _until(self, watch: Watch, unwatch: Watch, deadline: Optional[float]) -> None:
        """Waits for the socket. Cancelled or not, the loop knows nothing of it afterwards."""
        loop = asyncio.get_running_loop()
        ready = loop.create_future()
        seconds = left(deadline)
        timer = (
            None if seconds is None else loop.call_later(seconds, _settle, ready, TimeoutError())
        )
        watch(self._socket, _settle, ready)
        try:
            await ready
        finally:
            unwatch(self._socket)
            if timer is not None:
                timer.cancel()


def _settle(ready: asyncio.Future[None], error: Optional[Exception] = None) -> None:
    if ready.done():
        return
    if error is None:
        ready.set_result(None)
    else:
        ready.set_exception(error)


def _method(
    build: Callable[P, Call[T]],
) -> Callable[Concatenate[AsyncMethods, P], Coroutine[Any, Any, T]]:
    """The method that makes a call and awaits its result."""

    @functools.wraps(build)
    async def method(self: AsyncMethods, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(build(*args, **kwargs))

    method.__signature__ = with_self(build)  # type: ignore[attr-defined]
    return cast("Callable[Concatenate[AsyncMethods, P], Coroutine[Any, Any, T]]", method)


class Closing:
    """Base of what `async with` closes at its end."""

    async def close(self) -> None:
        raise NotImplementedError

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()


class AsyncMethods(Closing, Keeper[Any]):
    """What can be asked for, whoever answers."""

    validate = _method(calls.validate)
    repair = _method(calls.repair)
    repair_body = _method(calls.repair_body)
    repair_turn = _method(calls.repair_turn)
    fit = _method(calls.fit)
    seal = _method(calls.seal)
    splice = _method(calls.splice)
    tools = _method(calls.tools)
    prepare = _method(calls.prepare)
    prepare_body = _method(calls.prepare_body)
    pair = _method(calls.pair)
    detect = _method(calls.detect)
    explain = _method(calls.explain)
    report_miss = _method(calls.report_miss)
    redact = _method(calls.redact)
    ping = _method(calls.ping)
    health = _method(calls.health)
    stats = _method(calls.stats)
    info = _method(calls.info)
    check_protocol = _method(calls.check_protocol)
    call = _method(calls.call)

    @describes(takes=StreamParams, of="stream.open", request=INSTEAD_OF_HISTORY)
    def stream(self, **params: Unpack[StreamParams]) -> AsyncStream:
        """Pairs a provider's stream as it comes. See AsyncStream. What is wrong is raised when it
        opens."""
        return AsyncStream(self, params)

    async def close(self) -> None:
        """Closes the connections; those of calls in other tasks, when they end. An `AsyncLocal` has cores
        in their place."""
        self._pool.close()

    async def _run(self, call: Call[T], hold: Optional[Hold[Any]] = None) -> T:
        raise NotImplementedError


class AsyncClient(BaseClient[AsyncConnection], AsyncMethods):
    __doc__ = """A client of turnkeeperd for asyncio, with the same methods as Client.

        async with AsyncClient() as turnkeeper:
            fixed = await turnkeeper.repair(messages)
            await send_to_the_provider(fixed.messages)

    Any number of tasks may share it.
    """ + (BaseClient.__doc__ or "")

    _connection = AsyncConnection

    async def __aenter__(self) -> AsyncClient:
        return self

    async def _run(self, call: Call[T], hold: Optional[Hold[Any]] = None) -> T:
        steps = self._steps(call)
        with Hold(self._pool) if hold is None else hold as held:
            return await _drive(steps, held)


class AsyncStream(Closing, BaseStream):
    """A provider's stream, in which no half of a provider-executed pair leaves alone.

        async with client.stream(history=messages) as stream:
            async for chunk in response:
                for part in await stream.feed(chunk):
                    show(part)
            turn = await stream.finish()

    As Stream in all else; one task at a time.
    """

    def __init__(self, client: AsyncMethods, params: StreamParams) -> None:
        super().__init__(client, params)
        self._client = client

    async def open(self) -> AsyncStream:
        await self._client._run(self._pairing.open(), self._hold)
        return self

    async def feed(self, chunk: Chunk) -> list[Output]:
        call = self._feeding(chunk)
        return await self._client._run(call, self._hold) if call else []

    async def finish(self, transport_error: Optional[str] = None) -> PairedTurn:
        return await self._client._run(self._ending(transport_error), self._hold)

    async def close(self) -> None:
        self._hold.drop()

    async def __aenter__(self) -> AsyncStream:
        return await self.open()


for _name in ("open", "feed", "finish", "close"):
    getattr(AsyncStream, _name).__doc__ = getattr(Stream, _name).__doc__


async def _drive(steps: Steps[T], hold: Hold[AsyncConnection]) -> T:
    outcome: Optional[bytes] = None
    error: Optional[OSError] = None
    while True:
        try:
            step = steps.send(outcome) if error is None else steps.throw(error)
        except StopIteration as end:
            result: T = end.value
            return result
        outcome = error = None
        try:
            outcome = await _perform(step, hold)
        except OSError as why:
            error = why


async def _perform(step: Step, hold: Hold[AsyncConnection]) -> Optional[bytes]:
    if isinstance(step, Pause):
        await asyncio.sleep(step.seconds)
    elif isinstance(step, Send):
        await hold.held.send(step.data, step.deadline)
    elif isinstance(step, Receive):
        return await hold.held.receive(step.limit, step.deadline)
    else:
        hold.apply(step)
    return None
