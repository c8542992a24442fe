# SPDX-License-Identifier: Apache-2.0
"""Guarded transports for httpx: histories are repaired on their way out, streams paired coming in.

    provider = anthropic.Anthropic(
        http_client=anthropic.DefaultHttpxClient(
            transport=GuardTransport(httpx.HTTPTransport(), on_unavailable="closed")))

See GuardTransport; guard.py has what it does.
"""

from __future__ import annotations

import httpx

from .bodies import AsyncBody, AsyncSealedBody, BlockingBody, BlockingSealedBody
from .guard import AsyncGuard, BlockingGuard, Guard, Library
from .peeked import AsyncPeekedBody, BlockingPeekedBody

__all__ = ["AsyncGuardTransport", "GuardTransport", "GuardUnavailable"]


class GuardUnavailable(httpx.ConnectError):
    """turnkeeperd can't be asked, `on_unavailable` is "closed", and nothing was sent.

    A ConnectError, so that whoever makes failed connections again does so here. `__cause__` is the
    exception of turnkeeper.
    """


class _Body(BlockingBody, httpx.SyncByteStream):
    pass


class _AsyncBody(AsyncBody, httpx.AsyncByteStream):
    pass


class _SealedBody(BlockingSealedBody, httpx.SyncByteStream):
    pass


class _AsyncSealedBody(AsyncSealedBody, httpx.AsyncByteStream):
    pass


class _PeekedBody(BlockingPeekedBody, httpx.SyncByteStream):
    pass


class _AsyncPeekedBody(AsyncPeekedBody, httpx.AsyncByteStream):
    pass


class GuardTransport(
    BlockingGuard[httpx.BaseTransport, httpx.Request, httpx.Response], httpx.BaseTransport
):
    __doc__ = "A guarded transport.\n" + (Guard.__doc__ or "")
    library = Library(
        "httpx",
        httpx.Request,
        httpx.Response,
        _Body,
        _SealedBody,
        _PeekedBody,
        GuardUnavailable,
        httpx.ReadError,
    )


class AsyncGuardTransport(
    AsyncGuard[httpx.AsyncBaseTransport, httpx.Request, httpx.Response], httpx.AsyncBaseTransport
):
    __doc__ = "A guarded transport, for asyncio.\n" + (Guard.__doc__ or "")
    library = Library(
        "httpx",
        httpx.Request,
        httpx.Response,
        _AsyncBody,
        _AsyncSealedBody,
        _AsyncPeekedBody,
        GuardUnavailable,
        httpx.ReadError,
    )
