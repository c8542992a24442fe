# SPDX-License-Identifier: Apache-2.0
"""What the guarded transports do, for any library that has httpx's shape, blocking or not.

    request ──> read ──> repair ──┬──> edited, or as it was ──> open a stream ──> forward ──┐
                                  └──> refused: a response, nothing leaves                  │
    response <── as it came, or paired: every chunk through the stream <────────────────────┘

The way is written once, as generators that yield what has to be waited for: what a blocking client
or transport gives is there already, what the other kind gives is awaited by who drives.

A refusal is a response with status 400 and the body that the provider would have sent, not an
exception. An SDK takes an exception of its transport for a broken connection: it makes the same
call again, twice, after pauses, and in the end raises a connection error whose text says nothing.
Of a 400 it makes at once what its users handle already (anthropic.BadRequestError), with the text
that says which message is wrong. The violations are in the body under "turnkeeper", the exception
itself (UnsafeHistory) is in the response's extensions under the same name.
"""

from __future__ import annotations

import gzip
import json
import logging
import zlib
from collections.abc import AsyncIterator, Awaitable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Callable, ClassVar, Generic, Literal, NoReturn, Optional, TypeVar, Union

from .aio import AsyncClient
from .client import Client
from .errors import (
    EncodeError,
    FrameTooLarge,
    InvalidParams,
    PairingFailed,
    ParseError,
    TurnkeeperError,
    UnsafeHistory,
)
from .results import RepairedBody
from .text import NotJson, Text

Transport = TypeVar("Transport")
Request = TypeVar("Request")
Response = TypeVar("Response")
T = TypeVar("T")
Flow = Generator[Any, Any, T]

log = logging.getLogger("turnkeeper")

GUARDED = "/v1/messages"
COUNTING = "/v1/messages/count_tokens"  # repaired like what is counted, but never refused
# What a header says about the bytes of the body would be wrong of other bytes.
BINDING = ("x-amz-content-sha256", "content-md5", "digest", "content-digest")


@dataclass(frozen=True)
class Library:
    """What of httpx, or of a library like it, is made or raised here."""

    request: Callable[..., Any]
    response: Callable[..., Any]
    body: Callable[[Any, Any, Any], Any]
    unavailable: Callable[..., Exception]
    broken: Callable[..., Exception]


class Refused(Exception):
    """The request isn't sent."""

    def __init__(self, error: TurnkeeperError, message: str) -> None:
        super().__init__(message)
        self.error = error


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


# -- Bodies ----------------------------------------------------------------------------------


def _is_guarded(request: Any) -> bool:
    kind: str = request.headers.get("content-type", "application/json").partition(";")[0]
    path: str = request.url.path
    json_in_it = kind.strip().lower().endswith("json")
    return request.method == "POST" and path.endswith((GUARDED, COUNTING)) and json_in_it


def _is_count(request: Any) -> bool:
    path: str = request.url.path
    return path.endswith(COUNTING)


def _as_is(data: bytes) -> bytes:
    return data


def _gzip(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    return packer.compress(data) + packer.flush()


_CODINGS: Mapping[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    "": (_as_is, _as_is),
    "identity": (_as_is, _as_is),
    "gzip": (gzip.decompress, _gzip),
    "deflate": (zlib.decompress, zlib.compress),
}


def _coding(request: Any) -> str:
    value: str = request.headers.get("content-encoding", "")
    return value.strip().lower()


def _plain(data: bytes, coding: str) -> bytes:
    try:
        return _CODINGS[coding][0](data)
    except (KeyError, EOFError, OSError, zlib.error) as why:
        raise EncodeError("a body in a coding that can't be undone here") from why


def _streaming(body: bytes) -> Optional[bytes]:
    """The messages of a request that asks for a stream, as they are spelled; else None."""
    if b'"stream"' not in body:  # most requests needn't be looked into
        return None
    try:
        members = Text.of(body).values()
    except NotJson:
        return None
    streams = "stream" in members and members["stream"].value() is True
    return bytes(members["messages"]) if streams and "messages" in members else None


def _is_event_stream(response: Any) -> bool:
    kind: str = response.headers.get("content-type", "")
    return response.status_code < 300 and kind.partition(";")[0].strip() == "text/event-stream"


# -- Errors ----------------------------------------------------------------------------------


def _cannot_be_judged(error: TurnkeeperError) -> bool:
    """Whether the request is the reason, and would be the next time."""
    pointer = str(error.data.get("pointer") or "")
    about_it = pointer.startswith(("/params/request", "/params/history"))
    return about_it or isinstance(error, (EncodeError, FrameTooLarge, ParseError))


def _would_have_said(error: UnsafeHistory) -> str:
    """The provider names one fault only; so does this, but for what it adds at the end."""
    first = next(iter(error.violations), None)
    said = (first.provider_error or first.text) if first else str(error)
    return "%s (refused by turnkeeper, not sent: %s)" % (said, error)


def _refusal_body(refused: Refused) -> bytes:
    error = refused.error
    about = {"name": error.name, **error.data}
    body = {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": str(refused)},
        "turnkeeper": about,
    }
    return json.dumps(body).encode()


# -- The guard -------------------------------------------------------------------------------


class Guard(Generic[Transport, Request, Response]):
    """
    transport       the one that is guarded; it is closed with this one
    on_unavailable  what becomes of a request while turnkeeperd can't be asked: "open" sends it
                    unguarded (and logs a warning), "closed" raises GuardUnavailable before anything
                    leaves. There is no default: either can be the wrong one. A daemon that doesn't
                    answer counts as such after the client's timeout
    client          of turnkeeper; one of the default path is made, and closed, if none is given
    policy, target  as those of repair
    provider_input  as that of stream

    Requests to the Messages API (POST .../v1/messages) are repaired on their way; only the bytes of
    what is edited change. One that no allowed edit makes safe is answered, before it leaves, with
    status 400 and what the provider would have said; so is, if "closed", one that can't be judged
    (larger than the daemon's limits, an unknown content coding), while one that isn't JSON is left
    to the provider. Where a header binds the bytes of the body (AWS signatures, digests), a request
    that needs an edit is refused, too: repair such histories before they are signed. Requests that
    count tokens (.../count_tokens) are repaired as well, so that what is counted is what will be
    sent, but not refused: a count does no harm.

    A streamed response to such a request passes through pairing: no half of a provider-executed
    call and result leaves, and where the provider's stream breaks their order, it ends in an error
    event. When the daemon goes away in the middle of a stream, reading it raises ReadError,
    whatever `on_unavailable` says: it has part of the response. All else passes untouched.
    """

    library: ClassVar[Library]
    _client_kind: ClassVar[type[Union[Client, AsyncClient]]]

    def __init__(
        self,
        transport: Transport,
        *,
        on_unavailable: Literal["open", "closed"],
        client: Any = None,
        policy: Union[str, Mapping[str, Any], None] = None,
        target: Optional[Mapping[str, str]] = None,
        provider_input: str = "whole",
    ) -> None:
        if on_unavailable not in ("open", "closed"):
            raise ValueError('on_unavailable: "open" or "closed"')
        if client is not None and not isinstance(client, self._client_kind):
            raise TypeError("client: a turnkeeper.%s" % self._client_kind.__name__)
        self._inner: Any = transport
        self._open = on_unavailable == "open"
        self._own = client is None
        self._speaks = False  # the daemon's protocol is this package's
        self._client: Any = self._client_kind() if client is None else client
        given = {"policy": policy, "target": target}
        self._repair = {name: value for name, value in given.items() if value is not None}
        self._pairing: dict[str, Any] = {"emit": "sse", "provider_input": provider_input}
        if policy is not None:
            self._pairing["policy"] = policy

    def _read(self, request: Request) -> Any:
        raise NotImplementedError

    def _forward(self, request: Request) -> Any:
        raise NotImplementedError

    def _exchange(self, request: Any) -> Flow[Any]:
        """From the request to its response."""
        if not _is_guarded(request):
            return (yield self._forward(request))
        try:
            request, stream = yield from self._admitted(request)
        except Refused as refused:
            return self._refusal(request, refused)
        if stream is None:
            return (yield self._forward(request))
        try:
            response = yield self._forward(request)
        except BaseException:
            yield stream.close()
            raise
        if _is_event_stream(response):
            return self._paired(request, response, stream)
        yield stream.close()
        return response

    def _admitted(self, request: Any) -> Flow[tuple[Any, Any]]:
        """The request as it may leave, and the stream that its response passes through, if any."""
        sent = yield self._read(request)
        coding = _coding(request)
        try:
            body = _plain(sent, coding)
            if not self._speaks:
                yield self._client.check_protocol()
                self._speaks = True
            report: RepairedBody = yield self._client.repair_body(body, **self._repair)
        except TurnkeeperError as error:
            self._judge(request, error)
            return request, None
        if report.changed:
            request = self._edited(request, report, _CODINGS[coding][1])
        messages = None if _is_count(request) else _streaming(report.body)
        if messages is None:
            return request, None
        stream = self._client.stream(history=messages, **self._pairing)
        try:
            yield stream.open()
        except TurnkeeperError as error:
            self._judge(request, error)
            return request, None
        return request, stream

    def _judge(self, request: Any, error: TurnkeeperError) -> None:
        """Returns where the request is to leave as it is; raises where it isn't."""
        if isinstance(error, UnsafeHistory) and _is_count(request):
            return  # a count does no harm
        if isinstance(error, UnsafeHistory):
            raise Refused(error, _would_have_said(error)) from error
        if error.name in ("parse_error", "trailing_bytes"):
            return  # no JSON, thus no history in it, which the provider will say
        at_fault = _cannot_be_judged(error)
        if isinstance(error, InvalidParams) and not at_fault:
            raise error  # of this transport's own options: that must not pass unnoticed
        if self._open:
            log.warning("sent unguarded: %s", error)
        elif at_fault:
            raise Refused(error, "turnkeeper can't judge this request, not sent: %s" % error)
        else:
            raise self.library.unavailable(str(error), request=request) from error

    def _edited(self, request: Any, report: RepairedBody, pack: Callable[[bytes], bytes]) -> Any:
        bound = [name for name in BINDING if name in request.headers]
        if request.headers.get("authorization", "").startswith("AWS4-"):
            bound.append("authorization")
        if bound and _is_count(request):
            return request
        if bound:
            error = EncodeError("the header %s binds the body" % bound[0])
            raise Refused(error, "this history needs a repair, not sent: %s" % error)
        log.info("repaired: %s", ", ".join(sorted({e.code for e in report.edits})))
        headers = request.headers.copy()
        for name in ("content-length", "transfer-encoding"):
            headers.pop(name, None)
        return self.library.request(
            request.method,
            request.url,
            headers=headers,
            content=pack(report.body),
            extensions=request.extensions,
        )

    def _refusal(self, request: Any, refused: Refused) -> Any:
        log.info("refused: %s", refused.error)
        return self.library.response(
            400,
            headers={"content-type": "application/json", "x-should-retry": "false"},
            content=_refusal_body(refused),
            extensions={"turnkeeper": refused.error},
            request=request,
        )

    def _paired(self, request: Any, response: Any, stream: Any) -> Any:
        """The same response with another body, which is no longer compressed."""
        response.request = request
        headers = response.headers.copy()
        for name in ("content-length", "content-encoding"):
            headers.pop(name, None)
        return self.library.response(
            response.status_code,
            headers=headers,
            stream=self.library.body(response, stream, self.library.broken),
            extensions=response.extensions,
        )


class BlockingGuard(Guard[Transport, Request, Response]):
    _client_kind = Client

    def _read(self, request: Any) -> Any:
        return request.read()

    def _forward(self, request: Any) -> Any:
        return self._inner.handle_request(request)

    def handle_request(self, request: Request) -> Response:
        response: Response = blocking(self._exchange(request))
        return response

    def close(self) -> None:
        self._inner.close()
        if self._own:
            self._client.close()


class AsyncGuard(Guard[Transport, Request, Response]):
    _client_kind = AsyncClient

    def _read(self, request: Any) -> Any:
        return request.aread()

    def _forward(self, request: Any) -> Any:
        return self._inner.handle_async_request(request)

    async def handle_async_request(self, request: Request) -> Response:
        response: Response = await awaiting(self._exchange(request))
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()
        if self._own:
            await self._client.close()


# -- Paired bodies ---------------------------------------------------------------------------


class PairedBody:
    """The body of a response, through a stream that is open."""

    def __init__(self, response: Any, stream: Any, broken: Callable[..., Exception]) -> None:
        self._response = response
        self._stream = stream
        self._broken = broken
        self._failed = False

    def _taken(self, chunk: bytes) -> Flow[bytes]:
        """What may leave after this chunk. Behind the end nothing may, but it is read all the same:
        only so is the provider's connection good for the next request."""
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
        """What may leave at the end, unless that was there already."""
        if self._stream.state == "ended":
            return b""
        try:
            outputs = (yield self._stream.finish()).outputs
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


def _joined(outputs: Any) -> bytes:
    return "".join(output["data"] for output in outputs if "data" in output).encode()
