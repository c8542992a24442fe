# SPDX-License-Identifier: Apache-2.0
"""Implements the guarded transports, for any library with httpx's interface, blocking or not.

    request ──> read ──> prepare ──┬──> edited, or as it was ──> open a stream ──> forward ──┐
                   seals ┘         └──> refused: a response, nothing leaves                  │
                     └────── the turn's seal ───────────┐                                    │
    response <── as it came, or paired: every chunk through the stream <─────────────────────┘

The way is written once, for both kinds of client and transport: see bodies.py. routes.py says which requests are
guarded. Of providers that the daemon doesn't prepare, pair and seal for (providers.py) requests are repaired, and
responses are as they came.

A refusal is a response with status 400 and the body that the provider would have sent, not an
exception. An SDK takes an exception of its transport for a broken connection: it makes the same
call again, twice, after pauses, and in the end raises a connection error whose text says nothing.
Of a 400 it makes at once what its users handle already (BadRequestError), with the text that says which
message is wrong. The violations are in the body under "turnkeeper" (refusals.py), the exception itself
(UnsafeHistory) is in the response's extensions under the same name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ClassVar,
    Generic,
    Literal,
    Optional,
    TypedDict,
    TypeVar,
    Union,
    overload,
)

from .aio import AsyncClient
from .bodies import Flow, awaiting, blocking
from .client import Client
from .coding import CODINGS, coding_of, plain
from .errors import (
    AnswerTooLarge,
    DialectMismatch,
    EncodeError,
    FrameTooLarge,
    InvalidParams,
    MethodNotFound,
    ParseError,
    RemoteError,
    TransportError,
    TurnkeeperError,
    UnsafeHistory,
)
from .errors import Refused as StepRefused
from .events import Events, OnEvent, Outcome
from .local import MAX_FRAME, AsyncLocal, BaseLocal, Local
from .misses import Misses
from .notices import Notices, log
from .options import check_caller, check_policy, check_target, check_transport
from .params import Policy
from .providers import ANTHROPIC
from .refusals import STATUS, Refused, refusal, would_have_said
from .results import PreparedBody, RepairedBody
from .routes import OTHERS, Destination, destination, media_type
from .saved import Folder
from .seals import Seals, may_be_signed
from .text import NotJson, members

if TYPE_CHECKING:
    from typing_extensions import Unpack

Transport = TypeVar("Transport")
Request = TypeVar("Request")
Response = TypeVar("Response")
G = TypeVar("G", bound="BlockingGuard[Any, Any, Any]")
A = TypeVar("A", bound="AsyncGuard[Any, Any, Any]")

WhenDown = Literal["open", "closed"]

BETA = "anthropic-beta"
SSE = "text/event-stream"
BINARY = "application/vnd.amazon.eventstream"
# Headers about the bytes of the body: they would be wrong for an edited body.
BINDING = ("x-amz-content-sha256", "content-md5", "digest", "content-digest")


@dataclass(frozen=True)
class Library:
    """The classes of httpx, or of a library like it, that are made or raised here; its name."""

    name: str
    request: Callable[..., Any]
    response: Callable[..., Any]
    body: Callable[..., Any]
    sealing: Callable[..., Any]
    peeked: Callable[..., Any]
    unavailable: Callable[..., Exception]
    broken: Callable[..., Exception]


# -- Bodies and headers -----------------------------------------------------------------------


def _streaming(body: bytes) -> bool:
    """True for a request that asks for a stream."""
    if b'"stream"' not in body:  # most requests needn't be looked into
        return False
    try:
        return members(body, "stream").get("stream") == b"true"
    except NotJson:
        return False


def _is(response: Any, media: str) -> bool:
    """True for a response that succeeded and is of this media type."""
    return response.status_code < 300 and media_type(response.headers) == media


def _bound_by(request: Any) -> Optional[str]:
    """The header that binds the body, if one does."""
    for name in BINDING:
        if name in request.headers:
            return name
    return "authorization" if _is_signed(request) else None


def _is_signed(request: Any) -> bool:
    """True if the headers are signed too."""
    value: str = request.headers.get("authorization", "")
    return value.startswith("AWS4-")


def _needs_betas(report: PreparedBody) -> bool:
    """True if the header must have values that the caller didn't give."""
    return BETA in report.headers and bool(report.added_betas)


# -- Errors ----------------------------------------------------------------------------------


def _cannot_be_judged(error: TurnkeeperError) -> bool:
    """True if the request itself is the reason, so that sending it again would fail again."""
    pointer = str(error.data.get("pointer") or "")
    about_it = pointer.startswith(("/params/request", "/params/history"))
    return about_it or isinstance(error, (EncodeError, AnswerTooLarge, FrameTooLarge, ParseError))


def _of_target(error: InvalidParams) -> set[str]:
    """Returns the members of the parameter `target` that the error is about."""
    _, about_target, member_of_it = (error.pointer or "").partition("/params/target")
    if not about_target:
        return set()
    return {member_of_it[1:]} if member_of_it else {"endpoint", "model", "server"}


def _of_old(to: Destination) -> set[str]:
    """Returns the members of a target that a daemon of an older release, which judges this provider, may not know."""
    return {"endpoint", "model", "server"} if to.provider.prepares else {"server"}


def _lacks_provider(error: TurnkeeperError, to: Destination) -> bool:
    """True if the daemon doesn't judge the provider; it may miss the default one's list before it says so."""
    places = {"/params/provider"}
    if to.provider.list != ANTHROPIC.list:
        places.add("/params/request/" + ANTHROPIC.list)
    return isinstance(error, InvalidParams) and error.pointer in places


def _is_about_seals(error: RemoteError) -> bool:
    return (error.pointer or "").startswith("/params/seals")


# -- The guard -------------------------------------------------------------------------------


class Guard(Generic[Transport, Request, Response]):
    """
    transport       the one that is guarded; it is closed with this one
    on_unavailable  what becomes of a request while turnkeeperd can't be asked: "open" sends it
                    unguarded, "closed" raises GuardUnavailable before anything leaves. There is no
                    default: either can be the wrong one. A daemon that doesn't answer counts as
                    such after the client's timeout. The log "turnkeeper" has a warning when it
                    can't be asked any more, and when it can be again. With a Local nothing is
                    asked of a daemon, and "closed" is the default
    keeper          who is asked: a Client, or a Local, which needs no daemon; a Client of the default
                    path is made, and closed, if none is given
    client          the older name of `keeper`
    policy, target, provenance
                    as those of prepare; an unknown name in `policy` or `target` raises ValueError here, what
                    the daemon finds wrong with them answers the first request with status 400.
                    The guard finds out the target of Bedrock's and Vertex's requests from their
                    path, of OpenAI's from their host, and which server copies an API ("server") from its host;
                    a member that is in `target` holds instead of the one it found
    provider_input  as that of stream
    seals           False: no seals are made, kept and sent
    caller          the name of this program or session, which is sent with each call of the guard, for the daemon's
                    log, and is in each event: at most 64 of A-Z, a-z, 0-9 and "._:-"; default: the keeper's
    on_event        a function that is called with an Event (events.py) for each request that was repaired, before
                    it leaves, for each that is refused, before the answer is returned, and for each miss; in the
                    thread, or the event loop, of the request. It must return soon. What it raises is logged by
                    its type and changes nothing
    save_misses     a folder, which must exist (else ValueError): the request of each miss is written to a file
                    miss-....json there, redacted, with provider, status and code; at most 100 files. Words of the
                    provider are in none, for they may quote the history

    Requests to the Messages API (POST .../v1/messages) are repaired on their way; only the bytes of
    what is edited change. So are requests to Anthropic's models on Amazon Bedrock (InvokeModel) and
    Vertex AI (rawPredict), by the rules of that platform and of the model in their path. For every
    other base URL the rules of the official API hold, unless `target` says more. Beta values that the
    request needs are added to its header, after the caller's, on Bedrock to its body. Turns with signed
    thinking are sealed as they come in: a request that holds one of them in another order, or altered, is
    repaired as `policy` says. Seals are in memory, a thousand of them; they hold digests and ids.

    Requests to OpenAI's APIs (POST .../chat/completions, .../responses) are repaired, too, whoever
    serves them: by OpenAI's rules at api.openai.com, by Azure's at its hosts and on its path with a deployment, else by
    those of servers that copy the API ("compatible"); `target` says otherwise. The model is the body's, on
    Azure what the body calls it: `target` may name the one that is deployed. So are requests to Gemini
    (POST .../models/MODEL:generateContent, :streamGenerateContent), by the rules of Google's API, of Vertex AI or of a server
    that copies the API, as host and path say, and to Bedrock's Converse (POST .../model/MODEL/converse, /converse-stream);
    the model is that of the path. Their responses, streams too, pass as they come. `provenance`, `provider_input` and `seals`
    don't concern them.

    A history in another format than the provider's (DialectMismatch) leaves as it is: it is the
    provider's to refuse. The log has one warning for each format. A request that no allowed edit
    makes safe is answered, before it leaves, with status 400 and
    what the provider would have said; so is, if "closed", one that can't be judged (larger than the
    daemon's limits, an unknown content coding), while one that isn't JSON is left to the provider.
    Where a header binds the bytes of the body (AWS signatures, digests), a request that needs an
    edit is refused, too: repair such histories before they are signed. Requests that count tokens
    (.../count_tokens, on Vertex count-tokens) are repaired as well, so that what is counted is what will be sent, but not
    refused: a count does no harm.

    A streamed response to such a request passes through pairing: no half of a provider-executed
    call and result leaves, and where the provider's stream breaks their order, it ends in an error
    event. When the daemon goes away in the middle of a stream, reading it raises ReadError,
    whatever `on_unavailable` says: it has part of the response. Bedrock's event streams pass as they
    come, with one warning in the log. All else passes untouched.

    A miss is a request that was called sound, as it was or repaired, and that the provider answers with status
    400 or 422. A daemon is told of each (report_miss), so that it counts them by the rule that the provider's
    words belong to. At most 64 KiB of that response are read for it; whoever made the request gets all of it.
    """

    library: ClassVar[Library]
    _handler: ClassVar[str]
    _client_kind: ClassVar[type[Union[Client, AsyncClient]]]
    _local_kind: ClassVar[type[Union[Local, AsyncLocal]]]

    def __init__(
        self,
        transport: Transport,
        *,
        on_unavailable: Optional[WhenDown] = None,
        keeper: Any = None,
        client: Any = None,
        policy: Optional[Policy] = None,
        target: Optional[Mapping[str, str]] = None,
        provenance: Optional[str] = None,
        provider_input: str = "whole",
        seals: bool = True,
        caller: Optional[str] = None,
        on_event: Optional[OnEvent] = None,
        save_misses: Union[str, os.PathLike[str], None] = None,
    ) -> None:
        client = self._asked_of(keeper, client)
        if on_unavailable is None and isinstance(client, BaseLocal):
            on_unavailable = "closed"
        if on_unavailable is None:
            raise TypeError('on_unavailable: "open" or "closed"; or keeper: a %s' % self._local_kind.__name__)
        if on_unavailable not in ("open", "closed"):
            raise ValueError('on_unavailable: "open" or "closed"')
        check_transport(type(self), transport, self._handler, self.library.name)
        check_policy(policy)
        check_target(target)
        check_caller(caller)
        folder = None if save_misses is None else Folder(save_misses)
        self._inner: Any = transport
        self._open = on_unavailable == "open"
        self._own = client is None
        self._speaks = False  # the daemon's protocol is this package's
        self._largest = MAX_FRAME  # bytes of the largest request that it takes
        self._prepares = True  # and it is no older one, which has only repair
        self._unknown: set[str] = set()  # members of a target that an older one doesn't know
        self._target = dict(target or {})
        self._seals = Seals() if seals else None
        self._client: Any = self._client_kind() if client is None else client
        self._notices = Notices(self._client.path, self._open)
        self._events = Events(on_event, self._client.caller if caller is None else caller)
        self._caller: dict[str, Any] = {} if caller is None else {"caller": caller}
        makes = {"peeked": self.library.peeked, "remade": self.library.response}
        self._misses = Misses(self._client, self._events, folder, self._caller, **makes)
        given = {"policy": policy, "provenance": provenance, "caller": caller}
        self._repair = {name: value for name, value in given.items() if value is not None}
        self._pairing: dict[str, Any] = {"emit": "sse", "provider_input": provider_input, **self._caller}
        if policy is not None:
            self._pairing["policy"] = policy

    def _asked_of(self, keeper: Any, client: Any) -> Any:
        """Returns the one of the two names that was given; TypeError if it can't be asked."""
        if keeper is not None and client is not None:
            raise TypeError("keeper and client are two names of one argument; give one")
        given = client if keeper is None else keeper
        kinds = (self._client_kind, self._local_kind)
        if given is not None and not isinstance(given, kinds):
            names = " or ".join("turnkeeper." + kind.__name__ for kind in kinds)
            raise TypeError("%s: a %s" % ("client" if keeper is None else "keeper", names))
        return given

    def _read(self, request: Request) -> Any:
        raise NotImplementedError

    def _forward(self, request: Request) -> Any:
        raise NotImplementedError

    def _exchange(self, request: Any) -> Flow[Any]:
        """From the request to its response."""
        to = destination(request)
        if to is None:
            return (yield self._forward(request))
        outcome = Outcome(to.provider.name)
        try:
            request, stream, judged = yield from self._admitted(request, to, outcome)
        except Refused as refused:
            self._events.refused(outcome, refused)
            return self._refusal(request, to, refused)
        self._events.leaves(outcome)
        if stream is None:
            response = yield self._forward(request)
            yield from self._misses.look(outcome, response)
            self._tell_if_binary(response)
            return self._sealing(request, to, response) if judged else response
        try:
            response = yield self._forward(request)
        except BaseException:
            yield stream.close()
            raise
        if _is(response, SSE):
            body = self.library.body(response, stream, self.library.broken, self._kept)
            return self._with_body(request, response, body, ("content-length", "content-encoding"))
        yield stream.close()
        yield from self._misses.look(outcome, response)
        self._tell_if_binary(response)
        return response

    def _admitted(
        self, request: Any, to: Destination, outcome: Outcome
    ) -> Flow[tuple[Any, Any, bool]]:
        """The request as it may leave; the stream that its response passes through, if any; and
        whether the daemon judged it. `outcome` gets its edits, and its body if that is sound."""
        sent = yield self._read(request)
        coding = coding_of(request)
        try:
            if coding not in ("", "identity"):
                yield from self._greeted()  # which says how much of it may be unpacked
            body = plain(sent, coding, self._largest)
            if not to.takes(body):
                return request, None, False
            yield from self._greeted()
            report = yield from self._judged(request, to, body)
        except TurnkeeperError as error:
            self._judge(request, to, error)
            return request, None, False
        self._notices.up()
        whole = True  # it leaves with all that the daemon wants to have changed
        if report.changed:
            edited = self._edited(request, to, report, CODINGS[coding][1])
            whole = edited is not request
            if whole:
                request, outcome.edits = edited, report.edits
        if isinstance(report, PreparedBody):
            whole = whole and not (_needs_betas(report) and _is_signed(request))
            request = self._with_betas(request, report)
        if whole:
            outcome.body = report.body
        if not (self._answers_a_turn(to) and (to.streams or _streaming(report.body))):
            return request, None, True
        stream = self._client.stream(request=report.body, **self._pairing)
        try:
            yield stream.open()
        except TurnkeeperError as error:
            self._judge(request, to, error)
            return request, None, False
        return request, stream, True

    def _greeted(self) -> Flow[None]:
        """Asks, before the first request, if daemon and package understand each other, and how large a request may be."""
        if self._speaks:
            return
        info = yield self._client.check_protocol(**self._caller)
        own = getattr(self._client, "max_frame", None)  # a Local has its own
        self._largest = int(own or info.limits.get("max_frame") or MAX_FRAME)
        self._speaks = True

    def _judged(
        self, request: Any, to: Destination, body: bytes
    ) -> Flow[Union[PreparedBody, RepairedBody]]:
        """Returns what the daemon makes of the body. An older one doesn't know all members of a target
        that was found out: it is asked without them."""
        while True:
            target = self._target_of(to)
            how = {**self._repair, "target": target} if target else self._repair
            try:
                if to.provider.prepares:
                    return (yield from self._asked(request, to, body, how))
                return (yield from self._repaired(body, to, how))
            except InvalidParams as error:
                unknown = _of_target(error) & (set(target) - set(self._target)) & _of_old(to)
                if not unknown:
                    raise
                self._unknown |= unknown

    def _target_of(self, to: Destination) -> dict[str, str]:
        """Returns the target of a request: what it shows, less what the daemon doesn't know; the caller's members hold."""
        unknown = self._unknown & _of_old(to)
        found = {n: v for n, v in to.target.items() if n not in unknown}
        target = {**found, **self._target}
        if target.get("endpoint") != OTHERS and "server" not in self._target:
            target.pop("server", None)
        return target

    def _repaired(self, body: bytes, to: Destination, how: Mapping[str, Any]) -> Flow[RepairedBody]:
        """Returns the result of repair, for a provider of which the daemon serves no other step. `provenance`
        is about signatures, which such a provider doesn't have."""
        kept = {name: value for name, value in how.items() if name != "provenance"}
        repaired: RepairedBody = yield self._client.repair_body(
            body, provider=to.provider.name, **kept
        )
        return repaired

    def _asked(
        self, request: Any, to: Destination, body: bytes, how: Mapping[str, Any]
    ) -> Flow[Union[PreparedBody, RepairedBody]]:
        """Returns the result of prepare. The guard refuses only what breaks a rule, so it asks for
        repair if another step fails: the provider refuses malformed tools."""
        seals = self._seals.of(body) if self._seals is not None and self._prepares else []
        sealed: dict[str, Any] = {"seals": seals} if seals else {}
        try:
            if self._prepares:
                tools: dict[str, Any] = {"betas": request.headers.get_list(BETA)}
                if to.counts:
                    tools["call"] = "count_tokens"
                prepared: PreparedBody = yield self._client.prepare_body(
                    body, tools=tools, **sealed, **how
                )
                return prepared
        except MethodNotFound:
            self._prepares = False
            sealed = {}
        except RemoteError as error:
            if self._seals is not None and sealed and _is_about_seals(error):
                self._seals.forget()  # of another release of the daemon
                return (yield from self._asked(request, to, body, how))
            other_step = isinstance(error, (StepRefused, InvalidParams))
            if isinstance(error, DialectMismatch) or not other_step:
                raise
        repaired: RepairedBody = yield self._client.repair_body(body, **sealed, **how)
        return repaired

    def _judge(self, request: Any, to: Destination, error: TurnkeeperError) -> None:
        """Returns where the request is to leave as it is; raises where it isn't."""
        if isinstance(error, RemoteError):
            self._notices.up()
        if isinstance(error, DialectMismatch):
            return self._notices.foreign(error)
        if isinstance(error, UnsafeHistory) and to.counts:
            return  # a count does no harm
        if isinstance(error, UnsafeHistory):
            raise Refused(error, would_have_said(error)) from error
        if error.name in ("parse_error", "trailing_bytes"):
            return  # no JSON, thus no history in it, which the provider will say
        if _lacks_provider(error, to):
            return self._unserved(to, error)
        at_fault = _cannot_be_judged(error)
        if isinstance(error, InvalidParams) and not at_fault:  # that must not pass unnoticed
            raise Refused(error, "an option of turnkeeper's guard is wrong, not sent: %s" % error)
        if isinstance(error, TransportError):
            self._notices.down(error)
        elif self._open:
            log.warning("sent unguarded: %s", error)
        if self._open:
            return
        if at_fault:
            raise Refused(error, "turnkeeper can't judge this request, not sent: %s" % error)
        raise self.library.unavailable(self._why(error), request=request) from error

    def _unserved(self, to: Destination, error: TurnkeeperError) -> None:
        """As _judge, where the daemon is of a release that doesn't judge this provider."""
        if self._open:
            return self._notices.unserved(to.provider.name)
        said = "this turnkeeperd doesn't judge %s, not sent: %s" % (to.provider.name, error)
        raise Refused(error, said)

    def _why(self, error: TurnkeeperError) -> str:
        """Returns the text of GuardUnavailable: the cause, and the socket if the cause doesn't name it."""
        cause, path = str(error), self._client.path
        where = "" if path in cause else " (socket %s)" % path
        return "turnkeeperd can't be asked, nothing was sent: %s%s" % (cause, where)

    def _edited(
        self,
        request: Any,
        to: Destination,
        report: Union[PreparedBody, RepairedBody],
        pack: Callable[[bytes], bytes],
    ) -> Any:
        bound = _bound_by(request)
        if bound and (to.counts or not report.edits):  # no edits: a body that only lacks beta values
            return request
        if bound:
            error = EncodeError("the header %s binds the body" % bound)
            said = "this history needs a repair, not sent: %s" % error
            raise Refused(error, said, report.edits)
        if report.edits:
            log.info("repaired: %s", ", ".join(sorted({e.code for e in report.edits})))
        headers = request.headers.copy()
        for name in ("content-length", "transfer-encoding"):
            headers.pop(name, None)
        return self._copied(request, headers, pack(report.body))

    def _with_betas(self, request: Any, report: PreparedBody) -> Any:
        """Returns the request with the values that it lacks after the caller's own, which stay unchanged."""
        if not _needs_betas(report) or _is_signed(request):
            return request
        log.info("added to %s: %s", BETA, ", ".join(report.added_betas))
        headers = request.headers.copy()
        headers[BETA] = ",".join([*headers.get_list(BETA), *report.added_betas])
        return self._copied(request, headers, request.content)

    def _copied(self, request: Any, headers: Any, content: bytes) -> Any:
        return self.library.request(
            request.method,
            request.url,
            headers=headers,
            content=content,
            extensions=request.extensions,
        )

    def _refusal(self, request: Any, to: Destination, refused: Refused) -> Any:
        log.info("refused: %s", refused.error)
        headers, body = refusal(to.provider, refused)
        return self.library.response(
            STATUS,
            headers=headers,
            content=body,
            extensions={"turnkeeper": refused.error},
            request=request,
        )

    def _tell_if_binary(self, response: Any) -> None:
        if _is(response, BINARY):
            self._notices.binary()

    @staticmethod
    def _answers_a_turn(to: Destination) -> bool:
        """True if the response may hold a turn that the daemon can pair and seal."""
        return to.provider.prepares and not to.counts

    def _sealing(self, request: Any, to: Destination, response: Any) -> Any:
        """Returns the response unchanged; the turn in it is sealed once it has been read."""
        wanted = self._seals is not None and self._prepares and self._answers_a_turn(to)
        if not wanted or not _is(response, "application/json"):
            return response
        body = self.library.sealing(response, self.library.response, self._seal)
        return self._with_body(request, response, body)

    def _seal(self, body: bytes) -> Flow[None]:
        """Keeps the seal of the turn in a whole response. Without one nothing fails."""
        if not may_be_signed(body):
            return
        try:
            content = members(body, "content").get("content")
            if content is not None:
                self._kept((yield self._client.seal(content, **self._caller)))
        except NotJson:
            pass
        except TurnkeeperError as error:
            log.warning("a turn without a seal: %s", error)

    def _kept(self, seal: Mapping[str, Any]) -> None:
        if self._seals is not None and self._prepares:
            self._seals.keep(seal)

    def _with_body(
        self, request: Any, response: Any, body: Any, without: Sequence[str] = ()
    ) -> Any:
        """Returns the response with another body, `without` the headers that would be wrong for it."""
        response.request = request
        headers = response.headers.copy()
        for name in without:
            headers.pop(name, None)
        return self.library.response(
            response.status_code, headers=headers, stream=body, extensions=response.extensions
        )


class GuardOptions(TypedDict, total=False):
    """Options of a guard, but for who is asked."""

    policy: Optional[Policy]
    target: Optional[Mapping[str, str]]
    provenance: Optional[str]
    provider_input: str
    seals: bool
    caller: Optional[str]
    on_event: Optional[OnEvent]
    save_misses: Union[str, os.PathLike[str], None]


# For type checkers: where a daemon may be asked, `on_unavailable` has to be chosen.


class BlockingGuard(Guard[Transport, Request, Response]):
    _client_kind = Client
    _local_kind = Local
    _handler = "handle_request"

    if TYPE_CHECKING:

        @overload
        def __init__(
            self,
            transport: Transport,
            *,
            keeper: Local,
            on_unavailable: Optional[WhenDown] = None,
            **options: Unpack[GuardOptions],
        ) -> None: ...

        @overload
        def __init__(
            self,
            transport: Transport,
            *,
            client: Local,
            on_unavailable: Optional[WhenDown] = None,
            **options: Unpack[GuardOptions],
        ) -> None: ...

        @overload
        def __init__(
            self,
            transport: Transport,
            *,
            on_unavailable: WhenDown,
            keeper: Union[Client, Local, None] = None,
            client: Union[Client, Local, None] = None,
            **options: Unpack[GuardOptions],
        ) -> None: ...

        def __init__(self, transport: Transport, **options: Any) -> None: ...

    def _read(self, request: Any) -> Any:
        return request.read()

    def _forward(self, request: Any) -> Any:
        return self._inner.handle_request(request)

    def handle_request(self, request: Request) -> Response:
        response: Response = blocking(self._exchange(request))
        return response

    def __enter__(self: G) -> G:
        self._inner.__enter__()
        return self

    def close(self) -> None:
        self._inner.close()
        if self._own:
            self._client.close()


class AsyncGuard(Guard[Transport, Request, Response]):
    _client_kind = AsyncClient
    _local_kind = AsyncLocal
    _handler = "handle_async_request"

    if TYPE_CHECKING:

        @overload
        def __init__(
            self,
            transport: Transport,
            *,
            keeper: AsyncLocal,
            on_unavailable: Optional[WhenDown] = None,
            **options: Unpack[GuardOptions],
        ) -> None: ...

        @overload
        def __init__(
            self,
            transport: Transport,
            *,
            client: AsyncLocal,
            on_unavailable: Optional[WhenDown] = None,
            **options: Unpack[GuardOptions],
        ) -> None: ...

        @overload
        def __init__(
            self,
            transport: Transport,
            *,
            on_unavailable: WhenDown,
            keeper: Union[AsyncClient, AsyncLocal, None] = None,
            client: Union[AsyncClient, AsyncLocal, None] = None,
            **options: Unpack[GuardOptions],
        ) -> None: ...

        def __init__(self, transport: Transport, **options: Any) -> None: ...

    def _read(self, request: Any) -> Any:
        return request.aread()

    def _forward(self, request: Any) -> Any:
        return self._inner.handle_async_request(request)

    async def handle_async_request(self, request: Request) -> Response:
        response: Response = await awaiting(self._exchange(request))
        return response

    async def __aenter__(self: A) -> A:
        await self._inner.__aenter__()
        return self

    async def aclose(self) -> None:
        await self._inner.aclose()
        if self._own:
            await self._client.close()
