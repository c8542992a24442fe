# SPDX-License-Identifier: Apache-2.0
"""Bodies of responses whose beginning a guard reads before whoever they are for.

    peek()   reads 64 KiB at most, and keeps them
    iter()   what was read, then an error that reading met, then the rest

So nobody else can tell that the body was looked at. For any library that has httpx's shape, blocking or not.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any, Callable, Optional

from .bodies import Flow, decoded

LARGEST = 64 << 10  # bytes that are read, and bytes of the text that they become


def as_text(data: bytes) -> str:
    """Returns the first 64 KiB as far as they are UTF-8."""
    return data[:LARGEST].decode("utf-8", "ignore")


class PeekedBody:
    """`stream`: the body as it comes from the provider's connection."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._rest: Any = iter(())
        self._taken: list[bytes] = []
        self._error: Optional[Exception] = None

    def _begin(self) -> Any:
        raise NotImplementedError

    def _next(self) -> Any:
        """Returns the next chunk, None at the end."""
        raise NotImplementedError

    def peek(self) -> Flow[None]:
        """Reads the beginning. An error is kept for whoever reads the body."""
        size = 0
        try:
            self._rest = self._begin()
            while size < LARGEST:
                chunk = yield self._next()
                if chunk is None:
                    return
                self._taken.append(chunk)
                size += len(chunk)
        except Exception as why:
            self._error = why

    def text(self, coding: str, remade: Callable[..., Any]) -> str:
        """Returns what was read without its content coding, as far as it is UTF-8. `remade`: makes a response."""
        text = bytearray()
        with contextlib.suppress(Exception):  # cut off, or no such coding: what is there has to do
            decoded(self._taken, coding, remade, LARGEST, text)
        return as_text(bytes(text))


class BlockingPeekedBody(PeekedBody):
    def _begin(self) -> Iterator[bytes]:
        return iter(self._stream)

    def _next(self) -> Optional[bytes]:
        return next(self._rest, None)

    def __iter__(self) -> Iterator[bytes]:
        yield from self._taken
        if self._error is not None:
            raise self._error
        yield from self._rest

    def close(self) -> None:
        self._stream.close()

    give_up = close


class AsyncPeekedBody(PeekedBody):
    def _begin(self) -> AsyncIterator[bytes]:
        rest: AsyncIterator[bytes] = self._stream.__aiter__()
        return rest

    async def _next(self) -> Optional[bytes]:
        async for chunk in self._rest:
            found: bytes = chunk
            return found
        return None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._taken:
            yield chunk
        if self._error is not None:
            raise self._error
        async for chunk in self._rest:
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()

    give_up = aclose
