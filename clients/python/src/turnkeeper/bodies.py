# SPDX-License-Identifier: Apache-2.0
"""Bodies of responses on their way in, for any library that has httpx's shape, blocking or not.

    PairedBody    a stream's events, each chunk through the daemon's pairing; at the end its seal
    SealedBody    a whole response as it comes; once it has been read, a seal of the turn in it

What both do is written once, as generators that yield what has to be waited for: what a blocking
client or transport gives is there already, what the other kind gives is awaited by who drives.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Generator, Iterator, Mapping, Sequence
from typing import Any, Callable, NoReturn, Optional, TypeVar

from .errors import PairingFailed, TurnkeeperError

T = TypeVar("T")
Flow = Generator[Any, Any, T]

log = logging.getLogger("turnkeeper")

LARGEST = 8 << 20  # of a response that is read for its seal, and of what that becomes without its coding
PIECE = 1 << 10  # bytes that are decoded at once


def blocking(flow: Flow[T]) -> T:
    """Drives a flow whose steps are done when they are yielded."""
    outcome = None
    while True:
        try:
            outcome = flow.send(outcome)
        except StopIteration as end:
            result: T = end.value
            return result


async def awaiting(flow: Flow[T]) -> T:
    """Drives a flow whose steps are awaitables."""
    outcome: Any = None
    error: Optional[BaseException] = None
    while True:
        try:
            step: Awaitable[Any] = flow.send(outcome) if error is None else flow.throw(error)
        except StopIteration as end:
            result: T = end.value
            return result
        outcome = error = None
        try:
            outcome = await step
        except BaseException as why:
            error = why


# -- Paired bodies ---------------------------------------------------------------------------


class PairedBody:
    """The body of a response, through a stream that is open."""

    def __init__(
        self,
        response: Any,
        stream: Any,
        broken: Callable[..., Exception],
        keep: Callable[[Mapping[str, Any]], None],
    ) -> None:
        self._response = response
        self._stream = stream
        self._broken = broken
        self._keep = keep
        self._failed = False

    def _taken(self, chunk: bytes) -> Flow[bytes]:
        """Returns what may leave after this chunk. After the end nothing may, but reading goes on: the
        provider's connection can be used again only if the body was read to its end."""
        if self._stream.state == "ended":
            return b""
        try:
            text = _joined((yield self._stream.feed(chunk)))
            if self._stream.state != "open":
                text += yield from self._ended()
        except TurnkeeperError as error:
            self._raise(error)
        return text

    def _ended(self) -> Flow[bytes]:
        """Returns what may leave at the end; nothing if the stream ended before."""
        if self._stream.state == "ended":
            return b""
        try:
            turn = yield self._stream.finish()
            self._keep(turn.seal)
            outputs = turn.outputs
        except PairingFailed as failed:
            log.info("the provider's stream: %s", failed)
            self._failed = True
            outputs = failed.outputs
        except TurnkeeperError as error:
            self._raise(error)
        return _joined(outputs)

    def _raise(self, error: TurnkeeperError) -> NoReturn:
        raise self._broken(str(error), request=self._response.request) from error


class BlockingBody(PairedBody):
    def __iter__(self) -> Iterator[bytes]:
        try:
            for chunk in self._response.iter_bytes():
                yield blocking(self._taken(chunk))
                if self._failed:  # what follows is of no use, and made for money
                    return
            yield blocking(self._ended())
        finally:
            self._stream.close()

    def close(self) -> None:
        self._stream.close()
        self._response.close()


class AsyncBody(PairedBody):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._response.aiter_bytes():
                yield await awaiting(self._taken(chunk))
                if self._failed:
                    return
            yield await awaiting(self._ended())
        finally:
            await self._stream.close()

    async def aclose(self) -> None:
        await self._stream.close()
        await self._response.aclose()


# -- Content codings -------------------------------------------------------------------------


def decoded(
    taken: Sequence[bytes],
    coding: str,
    remade: Callable[..., Any],
    limit: int,
    so_far: Optional[bytearray] = None,
) -> bytearray:
    """Returns a body without its coding, of which `taken` are the chunks; of one of more than `limit` bytes the
    beginning, hardly longer than that. Knows all codings that the library knows; raises what the library raises.

    `remade`: makes a response. `so_far`: gets what is decoded, which is of use where the rest can't be.
    """
    body = bytearray() if so_far is None else so_far
    made = remade(200, headers={"content-encoding": coding}, content=_cut(taken))
    for chunk in made.iter_bytes():
        body += chunk
        if len(body) > limit:
            break
    return body


def _cut(chunks: Sequence[bytes]) -> Iterator[bytes]:
    """Returns the chunks in pieces so small that what one becomes fits in memory, however well it is compressed."""
    for chunk in chunks:
        view = memoryview(chunk)
        for at in range(0, len(chunk), PIECE):
            yield bytes(view[at : at + PIECE])


# -- Bodies that are sealed ------------------------------------------------------------------


class SealedBody:
    """The body of a response as it comes, and, once it is whole, its turn sealed."""

    def __init__(
        self, response: Any, remade: Callable[..., Any], seal: Callable[[bytes], Flow[None]]
    ) -> None:
        self._response = response
        self._remade = remade
        self._seal = seal
        self._taken: list[bytes] = []
        self._size = 0

    def _take(self, chunk: bytes) -> bytes:
        self._size += len(chunk)
        if self._size > LARGEST:
            self._taken.clear()
        else:
            self._taken.append(chunk)
        return chunk

    def _whole(self) -> Flow[None]:
        if self._size > LARGEST:
            return
        coding = self._response.headers.get("content-encoding", "")
        try:
            body = decoded(self._taken, coding, self._remade, LARGEST)
        except Exception:  # which whoever reads the response will meet, too
            return
        if len(body) <= LARGEST:
            yield from self._seal(bytes(body))


class BlockingSealedBody(SealedBody):
    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._response.stream:
            yield self._take(chunk)
        blocking(self._whole())

    def close(self) -> None:
        self._response.close()


class AsyncSealedBody(SealedBody):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._response.stream:
            yield self._take(chunk)
        await awaiting(self._whole())

    async def aclose(self) -> None:
        await self._response.aclose()


def _joined(outputs: Any) -> bytes:
    return "".join(output["data"] for output in outputs if "data" in output).encode()
