# SPDX-License-Identifier: Apache-2.0
"""Guarded transports for httpx2: histories are repaired on their way out, streams paired coming in.

    provider = anthropic.Anthropic(
        http_client=anthropic.DefaultHttpxClient(
            transport=GuardTransport(httpx2.HTTPTransport(), on_unavailable="closed")))

See GuardTransport; guard.py has what it does.
"""

from __future__ import annotations

import httpx2

from .bodies import AsyncBody, AsyncSealedBody, BlockingBody, BlockingSealedBody
from .guard import AsyncGuard, BlockingGuard, Guard, Library
from .peeked import AsyncPeekedBody, BlockingPeekedBody

__all__ = ["AsyncGuardTransport", "GuardTransport", "GuardUnavailable"]


class GuardUnavailable(httpx2.ConnectError):
    """turnkeeperd can't be asked, `on_unavailable` is "closed", and nothing was sent.

    A ConnectError, so that whoever makes failed connections again does so here. `__cause__` is the
    exception of turnkeeper.
    """


class _Body(BlockingBody, httpx2.SyncByteStream):
    pass


class _AsyncBody(AsyncBody, httpx2.AsyncByteStream):
    pass


class _SealedBody(BlockingSealedBody, httpx2.SyncByteStream):
    pass


class _AsyncSealedBody(AsyncSealedBody, httpx2.AsyncByteStream):
    pass


class _PeekedBody(BlockingPeekedBody, httpx2.SyncByteStream):
    pass


class _AsyncPeekedBody(AsyncPeekedBody, httpx2.AsyncByteStream):
    pass


class GuardTransport(
    BlockingGuard[httpx2.BaseTransport, httpx2.Request, httpx2.Response], httpx2.BaseTransport
):
    __doc__ = "A guarded transport.\n" + (Guard.__doc__ or "")
    library = Library(
        "httpx2",
        httpx2.Request,
        httpx2.Response,
        _Body,
        _SealedBody,
        _PeekedBody,
        GuardUnavailable,
        httpx2.ReadError,
    )


class AsyncGuardTransport(
    AsyncGuard[httpx2.AsyncBaseTransport, httpx2.Request, httpx2.Response],
    httpx2.AsyncBaseTransport,
):
    __doc__ = "A guarded transport, for asyncio.\n" + (Guard.__doc__ or "")
    library = Library(
        "httpx2",
        httpx2.Request,
        httpx2.Response,
        _AsyncBody,
        _AsyncSealedBody,
        _AsyncPeekedBody,
        GuardUnavailable,
        httpx2.ReadError,
    )
