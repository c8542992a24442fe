# SPDX-License-Identifier: Apache-2.0
"""How one call goes, without doing any of it: when to connect, send again, wait, give up.

`conversation()` is a generator of steps. Whoever drives it does each step (with a socket, with
asyncio, with a script in a test), sends the outcome back in, and throws in the OSError if there was
one. When it returns, the value is the call's result.

    Acquire ──> Send ──> Receive ... ──> Release ──> (the result | Pause ──> Acquire again)
       ^          │         │
       └──────────┴─────────┘  closed before any byte of the answer: once more, on a new connection

Between Acquire and Release the driver holds a connection for this call alone. It closes it whenever
the conversation ends or is abandoned there, for whatever reason: an answer that may still come must
never be read by the next call.

The calls of a stream share a connection: the first acquires it, the last releases it, and none of
them is sent again, for the daemon may have done what it was asked. Only what it didn't read at all,
and says so (`busy`), may be.
"""

from __future__ import annotations

import errno
import random
import socket
import time
from collections.abc import Generator
from typing import Callable, NamedTuple, Optional, TypeVar, Union

from . import wire
from .calls import Call
from .errors import (
    Busy,
    ConnectFailed,
    ConnectionLost,
    ProtocolError,
    RemoteError,
    Timeout,
    TransportError,
    TurnkeeperError,
)
from .spliced import unread

T = TypeVar("T")

CHUNK = 1 << 16  # what one Receive asks for: header and body of most answers at once
FIRST_PAUSE = 0.05  # seconds; doubled with each retry, where the daemon names no time
LONGEST_PAUSE = 2.0
BACKLOG_PAUSE = 0.005
LONGEST_TIMEOUT = 1 << 31  # milliseconds: the daemon's own limit is lower by far


class Acquire(NamedTuple):
    """Hold a connection: an idle one that is quiet, or, if `fresh`, a new one. Outcome: none."""

    fresh: bool
    deadline: Optional[float]


class Send(NamedTuple):
    """Send all of `data`, one piece after the other. Outcome: none."""

    data: wire.Pieces
    deadline: Optional[float]


class Receive(NamedTuple):
    """Outcome: between 1 and `limit` bytes, or b"" at the end of the stream."""

    limit: int
    deadline: Optional[float]


class Release(NamedTuple):
    """The connection is in order and free for the next call. Outcome: none."""


class Pause(NamedTuple):
    """Wait, holding nothing. Outcome: none."""

    seconds: float


Step = Union[Acquire, Send, Receive, Release, Pause]
Steps = Generator[Step, Optional[bytes], T]


def conversation(
    call: Call[T],
    ident: int,
    encode: wire.Encoder,
    *,
    timeout: Optional[float],
    retries: int,
    clock: Callable[[], float] = time.monotonic,
    path: Optional[str] = None,
) -> Steps[T]:
    """The whole of one call. `timeout` bounds all of it, pauses and retries included.

    `path`: of the socket, for what it raises.
    """
    try:
        return (yield from _tries(call, ident, encode, timeout, retries, clock))
    except TransportError as error:
        error.path = path
        raise


def _tries(
    call: Call[T],
    ident: int,
    encode: wire.Encoder,
    timeout: Optional[float],
    retries: int,
    clock: Callable[[], float],
) -> Steps[T]:
    check_timeout(timeout)
    deadline = None if timeout is None else clock() + timeout
    tries = 0
    while True:
        seconds = None if deadline is None else deadline - clock()
        payload = request_of(call, ident, encode, seconds)
        try:
            result = yield from _exchange(call, ident, wire.frame(payload), deadline)
            break
        except (RemoteError, ConnectFailed) as error:
            if isinstance(error, RemoteError):
                wire.count_in_text(error, payload)
            # Not ConnectionLost: the daemon may have died of this very request.
            pause = _pause_before(tries, error)
            late = deadline is not None and clock() + pause >= deadline
            if tries >= retries or not _may_try_again(call, error) or late:
                raise
        tries += 1
        yield Pause(pause)
    return result_of(call, result)


def check_timeout(timeout: Optional[float]) -> None:
    if timeout is not None and timeout <= 0:
        raise ValueError("timeout: more than 0 seconds, or None")


def request_of(
    call: Call[T], ident: int, encode: wire.Encoder, seconds: Optional[float]
) -> wire.Payload:
    """The document. What time is left travels in it, so that the daemon doesn't work for nobody."""
    params = call.params
    if seconds is not None and call.bounded and "timeout_ms" not in params:
        params = {"timeout_ms": milliseconds(seconds), **params}
    return (call.encode or encode)(wire.request(ident, call.method, params))


def milliseconds(seconds: float) -> int:
    """A time limit as the protocol has it, at least 1."""
    return min(max(int(seconds * 1000), 1), LONGEST_TIMEOUT)


def answered(call: Call[T], ident: int, answer: bytes) -> object:
    """The result in the answer to request `ident`, for result_of(). Raises the error that it is instead."""
    if call.body is not None:
        result = unread(answer, ident, call.body)
        if result is not None:
            return result
    return wire.unwrap(wire.decode(answer), ident)


def result_of(call: Call[T], result: object) -> T:
    """What the caller gets of a result; ProtocolError if no turnkeeper gives such a one."""
    return wire.sound(call.read, result)


def _may_try_again(call: Call[T], error: TurnkeeperError) -> bool:
    return error.retryable and (call.acquires or isinstance(error, Busy))


def _exchange(
    call: Call[T], ident: int, request: wire.Pieces, deadline: Optional[float]
) -> Steps[object]:
    """One request and its answer; once more where the connection closed before the answer began."""
    fresh = False
    while True:
        if call.acquires:
            yield from _connect(fresh, deadline)
        answer = wire.Answer()
        try:
            yield from _carry(request, answer, deadline)
            break
        except ConnectionLost as lost:
            if fresh or answer.started or not call.repeatable:
                lost.retryable = call.repeatable
                raise
        fresh = True
    try:
        result = answered(call, ident, answer.body)
    except RemoteError:
        if call.acquires:  # a refused stream holds nothing; one that is open goes on
            yield Release()
        raise
    if call.releases:
        yield Release()
    return result


def _connect(fresh: bool, deadline: Optional[float]) -> Steps[None]:
    while True:
        try:
            yield Acquire(fresh, deadline)
            return
        except BlockingIOError:
            pass  # the listener's backlog is full: it will be worked off
        except OSError as why:
            where = "no connection to %s" % (why.filename or "the daemon")
            raise _local(why, ConnectFailed, where) from why
        yield Pause(BACKLOG_PAUSE)


def _carry(request: wire.Pieces, answer: wire.Answer, deadline: Optional[float]) -> Steps[None]:
    """The request out, the answer in. Raises ConnectionLost if the connection ends in between."""
    broken: Optional[OSError] = None
    try:
        yield Send(request, deadline)
    except OSError as why:
        if _is_timeout(why):
            raise _local(why, ConnectionLost, "") from why
        broken = why  # a busy daemon answers and closes without reading: look for that answer
    while not answer.whole:
        try:
            data = yield Receive(max(CHUNK, min(answer.missing, 1 << 20)), deadline)
        except OSError as why:
            raise _local(why, ConnectionLost, "inside the call") from why
        if not data:
            where = "inside the answer" if answer.started else "before the answer"
            raise _local(broken, ConnectionLost, where)
        answer.feed(data)


def _is_timeout(error: OSError) -> bool:
    return isinstance(error, (TimeoutError, socket.timeout))  # two classes before Python 3.10


def _local(error: Optional[OSError], kind: "type[TransportError]", text: str) -> TransportError:
    """The exception of this package for one of the operating system's."""
    if error is not None and _is_timeout(error):
        return Timeout("no answer in time")
    detail = error.strerror or str(error) if error is not None else ""
    hint = _HINTS.get(error.errno or 0) if error is not None and kind is ConnectFailed else None
    said = "%s (%s)" % (text, detail) if detail else text
    return kind("%s: %s" % (said, hint) if hint else said)


_HINTS = {
    errno.ENOENT: "no daemon has made this socket; is turnkeeperd running, and is this its path?",
    errno.ECONNREFUSED: "nobody listens there; is turnkeeperd running?",
    errno.EACCES: "this user may not use it; the daemon's socket_mode and socket_group decide",
    errno.EPROTOTYPE: "what is there is not a turnkeeperd",
}


def _pause_before(tries: int, error: TurnkeeperError) -> float:
    """How long to wait: what the daemon asks for, else longer each time, and not all at once."""
    asked = error.retry_after_ms if isinstance(error, RemoteError) else None
    spread = random.uniform(0.5, 1.0)
    if asked is not None:
        return asked / 1000 * (1.5 - spread / 2)  # never less than asked
    return spread * min(FIRST_PAUSE * 2.0**tries, LONGEST_PAUSE)
