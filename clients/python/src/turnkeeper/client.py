# SPDX-License-Identifier: Apache-2.0
"""The blocking client: sockets with timeouts for the steps of conversation.py.

`Methods` and `Stream` are the same for `Local`, which has the library in place of sockets (local.py).
"""

from __future__ import annotations

import functools
import inspect
import math
import select
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar, cast

from . import calls, wire
from .calls import Call
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


class BlockingConnection(Connection):
    def send(self, data: wire.Pieces, deadline: Optional[float]) -> None:
        rest: wire.Pieces = data
        while True:
            try:
                rest = wire.after(rest, self._socket.sendmsg(rest))
                if not rest:
                    return
            except BlockingIOError:
                pass
            writable = select.poll()
            writable.register(self._socket, select.POLLOUT)
            _wait(writable, deadline)

    def receive(self, limit: int, deadline: Optional[float]) -> bytes:
        while True:
            _wait(self._readable, deadline)
            try:
                return self._socket.recv(limit)
            except BlockingIOError:
                pass


def _wait(poll: select.poll, deadline: Optional[float]) -> None:
    """Returns when what `poll` looks for is there; TimeoutError if it isn't by the deadline."""
    seconds = left(deadline)
    # In whole milliseconds: the last one isn't waited for in vain.
    if not poll.poll(None if seconds is None else math.ceil(seconds * 1000)):
        raise TimeoutError


def with_self(build: Callable[..., Any]) -> inspect.Signature:
    """The signature of a function of calls.py as a method's, which gives what the call gives."""
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    bare = inspect.signature(build)
    gives = str(bare.return_annotation)[len("Call[") : -len("]")]
    parameters = [own, *bare.parameters.values()]
    return bare.replace(parameters=parameters, return_annotation=gives)


def _method(build: Callable[P, Call[T]]) -> Callable[Concatenate[Methods, P], T]:
    """The method that makes a call and waits for its result."""

    @functools.wraps(build)
    def method(self: Methods, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._run(build(*args, **kwargs))

    method.__signature__ = with_self(build)  # type: ignore[attr-defined]
    return cast("Callable[Concatenate[Methods, P], T]", method)


class Closing:
    """Base of what `with` closes at its end."""

    def close(self) -> None:
        raise NotImplementedError

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


class Methods(Closing, Keeper[Any]):
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
    def stream(self, **params: Unpack[StreamParams]) -> Stream:
        """Pairs a provider's stream as it comes. See Stream. What is wrong is raised when it opens."""
        return Stream(self, params)

    def close(self) -> None:
        """Closes the connections; those of calls that run in other threads, when they end. A `Local` has
        cores in their place."""
        self._pool.close()

    def _run(self, call: Call[T], hold: Optional[Hold[Any]] = None) -> T:
        raise NotImplementedError


class Client(BaseClient[BlockingConnection], Methods):
    __doc__ = """A client of turnkeeperd.

        with Client() as turnkeeper:
            fixed = turnkeeper.repair(messages)   # raises UnsafeHistory rather than guess
            send_to_the_provider(fixed.messages)

    Threads may share it.
    """ + (BaseClient.__doc__ or "")

    _connection = BlockingConnection

    def __enter__(self) -> Client:
        return self

    def _run(self, call: Call[T], hold: Optional[Hold[Any]] = None) -> T:
        steps = self._steps(call)
        with Hold(self._pool) if hold is None else hold as held:
            return _drive(steps, held)


class Stream(Closing, BaseStream):
    """A provider's stream, in which no half of a provider-executed pair leaves alone.

        with client.stream(history=messages) as stream:
            for chunk in response:
                for part in stream.feed(chunk):
                    show(part)
            turn = stream.finish()
        messages.append(turn.message)

    It holds a connection of its own from open() to finish(), and nothing of it is ever sent again:
    when that connection is lost, so is the stream. Use it from one thread at a time.
    """

    def __init__(self, client: Methods, params: StreamParams) -> None:
        super().__init__(client, params)
        self._client = client

    @describes("StreamExists", "InvalidParams", "DialectMismatch", "EncodeError")
    def open(self) -> Stream:
        """Opens the stream; `with` calls it at its start."""
        self._client._run(self._pairing.open(), self._hold)
        return self

    @describes("StreamFinished", "AnswerTooLarge", "EncodeError")
    def feed(self, chunk: Chunk) -> list[Output]:
        """The outputs that this chunk brings."""
        call = self._feeding(chunk)
        return self._client._run(call, self._hold) if call else []

    @describes("PairingFailed", "AnswerTooLarge")
    def finish(self, transport_error: Optional[str] = None) -> PairedTurn:
        """The whole turn, after the stream's end."""
        return self._client._run(self._ending(transport_error), self._hold)

    def close(self) -> None:
        """Gives up an unfinished stream; `with` calls it at its end."""
        self._hold.drop()

    def __enter__(self) -> Stream:
        return self.open()


def _drive(steps: Steps[T], hold: Hold[BlockingConnection]) -> T:
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
            outcome = _perform(step, hold)
        except OSError as why:
            error = why


def _perform(step: Step, hold: Hold[BlockingConnection]) -> Optional[bytes]:
    if isinstance(step, Send):
        hold.held.send(step.data, step.deadline)
    elif isinstance(step, Receive):
        return hold.held.receive(step.limit, step.deadline)
    elif isinstance(step, Pause):
        time.sleep(step.seconds)
    else:
        hold.apply(step)
    return None
