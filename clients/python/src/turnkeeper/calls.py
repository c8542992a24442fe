# SPDX-License-Identifier: Apache-2.0
"""Defines what each method sends and how its result is read, for all kinds of clients.

The functions that `Client` and `AsyncClient` offer as methods have their signatures and their
documentation here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Generic, Optional, TypeVar, Union

from . import wire
from ._version import PROTOCOL
from .describe import INSTEAD_OF_HISTORY, JUDGED, describes
from .errors import EncodeError, PairingFailed, UnsupportedProtocol
from .params import (
    Document,
    ExplainParams,
    FitParams,
    Message,
    MissParams,
    Object,
    PairParams,
    PingParams,
    PrepareParams,
    RedactParams,
    RepairParams,
    SealParams,
    SpliceParams,
    Tools,
    ToolsParams,
    Turn,
    TurnParams,
    ValidateParams,
)
from .patch import apply_patch
from .providers import list_of
from .results import (
    Detected,
    Explanation,
    Fitted,
    Health,
    Info,
    Malformed,
    MergedTools,
    PairedTurn,
    Pong,
    Prepared,
    PreparedBody,
    Record,
    Repaired,
    RepairedBody,
    RepairedTurn,
    Report,
    Spliced,
    Stats,
)
from .sent import as_sent, is_object
from .spliced import spliced

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")
R = TypeVar("R", bound=Record)

UNSET: Any = object()  # "the client's own timeout", where None means no limit


@dataclass
class Call(Generic[T]):
    """`acquires`, `releases`: not so for the calls of a stream, which share one connection.

    `body`: JSON text whose splices it asks for; `read` then takes a result that is Unread.
    """

    method: str
    params: Mapping[str, Any]
    read: Callable[[Any], T]
    timeout: Optional[float] = UNSET
    encode: Optional[wire.Encoder] = None  # where the client's own choice of codec doesn't count
    acquires: bool = True
    releases: bool = True
    body: Optional[bytes] = None

    @property
    def repeatable(self) -> bool:
        """True if the call may be sent twice without harm; not for streams, which have state."""
        return not self.method.startswith("stream.")

    @property
    def bounded(self) -> bool:
        """True if the call takes a `timeout_ms`; the calls of streams are bounded by their frames."""
        return self.repeatable


def _as_is(result: Any) -> Any:
    return result


# -- The methods -----------------------------------------------------------------------------


@describes()
def call(
    method: str,
    params: Optional[Mapping[str, Any]] = None,
    *,
    timeout: Optional[float] = UNSET,
) -> Call[Any]:
    """Any method by its name; gives the result as it came.

    Streams belong to a connection, of which a client may have many: see `stream` for them.
    """
    return Call(method, dict(params or {}), _as_is, timeout)


@describes(*JUDGED, takes=ValidateParams)
def validate(document: Document, **params: Unpack[ValidateParams]) -> Call[Report]:
    """Finds all that is wrong with a list of messages, or with a whole request body."""
    _, sent = _document(document)
    return Call("validate", _params(params, sent), Report.read)


@describes("UnsafeHistory", *JUDGED, takes=RepairParams)
def repair(document: Document, **params: Unpack[RepairParams]) -> Call[Repaired]:
    """A repaired copy of a list of messages, or of a whole request body.

    Messages that no edit touched are the same objects in the result, of whatever kind they are; an
    edited one is a dict. The messages of a body whose `input` is a text, or not there, are none.
    """
    key = list_of(params.get("provider"))
    whole, sent = _document(document, key)

    def read(result: Any) -> Repaired:
        body, messages = _with_list(whole, key, result)
        return Repaired.read(result, messages=messages, request=body if "request" in sent else None)

    return Call("repair", _params(params, sent), read)


@describes("UnsafeHistory", *JUDGED, "ParseError", takes=RepairParams)
def repair_body(body: bytes, **params: Unpack[RepairParams]) -> Call[RepairedBody]:
    """A repaired copy of a request body in JSON text, byte for byte the same where not edited.

    This client neither reads nor writes the text: the answer says which of its bytes to replace, and by
    what. Unedited, the result's `body` is the very argument.
    """

    def read(result: Any) -> RepairedBody:
        return RepairedBody.read(result, body=spliced(body, result))

    return _of_text("repair", _params(params, _SPLICES), read, body)


@describes("UnsafeHistory", "Refused", *JUDGED, takes=FitParams)
def fit(document: Document, **params: Unpack[FitParams]) -> Call[Fitted]:
    """A copy of a list of messages, or of a whole request body, that is within the budget `over`.

    Whole rounds go, the oldest first; a pair, a signed turn and the order of roles stay as they are. What stays
    is the same object in the result as in the argument.
    """
    key = list_of(params.get("provider"))
    whole, sent = _document(document, key)

    def read(result: Any) -> Fitted:
        body, messages = _with_list(whole, key, _with_patch(result))
        return Fitted.read(result, messages=messages, request=body if "request" in sent else None)

    return Call("fit", _params(params, sent), read)


@describes(*JUDGED, takes=TurnParams)
def repair_turn(content: Sequence[Any], **params: Unpack[TurnParams]) -> Call[RepairedTurn]:
    """A repaired copy of the content of one assistant turn, before it is stored."""
    parts = _list(content, "content")

    def read(result: Any) -> RepairedTurn:
        body = _patched({"content": parts}, "content", result)
        return RepairedTurn.read(result, content=body["content"])

    return Call("repair_turn", _params(params, {"content": parts}), read)


@describes(
    "Refused",
    *JUDGED,
    takes=SealParams,
    request="the whole body that got this turn as its answer, as a mapping or object",
)
def seal(
    turn: Union[str, bytes, Sequence[Any], Message],
    *,
    request: Optional[Object] = None,
    **params: Unpack[SealParams],
) -> Call[Mapping[str, Any]]:
    """The fingerprint of an assistant turn as it was received: its content, or its message.

    Keep the seal with the turn and give it back in `seals` of `validate`, `repair` and `prepare`, as
    {"seal": it}.
    """
    sent: dict[str, Any] = {}
    text = turn if isinstance(turn, bytes) else None
    if text is None:
        whole = _opened(turn, "turn")
        sent["message" if isinstance(whole, Mapping) else "content"] = whole
    if request is not None:
        sent["request"] = request

    def read(result: Any) -> Mapping[str, Any]:
        made = result.get("seal") if isinstance(result, dict) else None
        if not isinstance(made, dict):
            raise Malformed("an answer without a seal")
        return made

    encode = None if text is None else wire.with_text("content", text)
    return Call("seal", _params(params, sent), read, encode=encode)


@describes(
    "Refused",
    *JUDGED,
    takes=SpliceParams,
    document="the list of messages, or the whole request body, that got `assistant` as its answer; "
    "mappings or objects. It isn't changed",
)
def splice(
    document: Document, assistant: Turn, **params: Unpack[SpliceParams]
) -> Call[Spliced]:
    """Returns the messages to send next: those that were sent, the turn that came back, results, appended ones.

    The turn is the response body, or what `provider` has in it: a message, a choice, a list of items. Results
    may be mappings of `id`, `content` and, where a call failed, `is_error`, for every provider.
    """
    key = list_of(params.get("provider"))
    whole, sent = _document(document, key)

    def read(result: Any) -> Spliced:
        body, messages = _with_list(whole, key, _with_patch(result))
        return Spliced.read(result, messages=messages, request=body if "request" in sent else None)

    return Call("splice", _params(params, {**sent, "assistant": assistant}), read)


@describes(
    "Refused",
    "InvalidParams",
    "AnswerTooLarge",
    "EncodeError",
    takes=ToolsParams,
    document="the list of tools, None where there are none yet, or the whole request body; mappings or "
    "objects. It isn't changed",
    provider="whose tools they are; default: \"anthropic\"",
)
def tools(document: Tools, **params: Unpack[ToolsParams]) -> Call[MergedTools]:
    """A copy of a list of tools, or of a whole request body, with what `add` names."""
    whole: Mapping[str, Any]
    sent: dict[str, Any]
    opened = _opened(document, "document")
    if isinstance(opened, Mapping):
        whole, sent = opened, {"request": opened}
    else:
        whole = sent = {"tools": None if opened is None else _list(opened, "tools")}

    def read(result: Any) -> MergedTools:
        body = _body(whole, _with_patch(result))
        own = body.get("tools")
        if own is not None and not isinstance(own, Sequence):
            raise Malformed("a patch that leaves no tools")
        merged = list(own or ())
        request = {**body, "tools": merged} if "tools" in body else body
        return MergedTools.read(
            result, tools=merged, request=request if "request" in sent else None
        )

    return Call("tools", _params(params, sent), read)


@describes("UnsafeHistory", "Refused", *JUDGED, takes=PrepareParams)
def prepare(request: Object, **params: Unpack[PrepareParams]) -> Call[Prepared]:
    """A copy of a whole request body as it is to be sent, with its beta header: one call for all.

    The steps are `splice`, `tools` and `repair`. `data["stage"]` of an error names the one that
    failed, and then nothing is applied.
    """
    whole = _opened(request, "request")
    if not isinstance(whole, Mapping):
        raise TypeError("request: a mapping, not %s" % type(request).__name__)

    key = list_of(params.get("provider"))

    def read(result: Any) -> Prepared:
        body, messages = _with_list(whole, key, result)
        return Prepared.read(result, messages=messages, request=body)

    return Call("prepare", _params(params, {"request": whole}, _NOT_OF_PREPARE), read)


@describes("UnsafeHistory", "Refused", *JUDGED, "ParseError", takes=PrepareParams)
def prepare_body(body: bytes, **params: Unpack[PrepareParams]) -> Call[PreparedBody]:
    """Prepares a body that is JSON text; what isn't edited keeps its bytes (see repair_body)."""

    def read(result: Any) -> PreparedBody:
        return PreparedBody.read(result, body=spliced(body, result))

    return _of_text("prepare", _params(params, _SPLICES, _NOT_OF_PREPARE), read, body)


@describes("PairingFailed", *JUDGED, takes=PairParams, request=INSTEAD_OF_HISTORY)
def pair(response: Object, **params: Unpack[PairParams]) -> Call[PairedTurn]:
    """The turn in a whole response, its outputs in the form `emit`; the twin of `stream`."""
    sent = _params(params, {"response": response}, _NOT_OF_PAIR)
    return with_history("pair", sent, read_paired)


@describes("InvalidParams", takes=MissParams)
def detect(document: Document, **params: Unpack[MissParams]) -> Call[Detected]:
    """Says whose history a list of messages, or a whole request body, is: the provider, the dialect, the endpoint."""
    _, sent = _document(document)
    return Call("detect", _params(params, sent), Detected.read)


@describes(
    "InvalidParams",
    takes=ExplainParams,
    provider="only the rules of this one, also \"bedrock\" or \"gemini\"; default: those of all",
)
def explain(text: str, **params: Unpack[ExplainParams]) -> Call[Explanation]:
    """Finds the rules that a provider's refusal belongs to, by its words.

    `str(error)` of an SDK's exception will do. At most 65,536 bytes.
    """
    return Call("explain", _params(params, {"text": text}), Explanation.read)


@describes(
    "InvalidParams", takes=MissParams, provider="the provider that refused, one that explain() takes"
)
def report_miss(
    status: int, text: str, provider: str, **params: Unpack[MissParams]
) -> Call[Optional[str]]:
    """Counts a request that the provider refused although it was called sound; gives the code of its rule, or None.

    The daemon counts it in stats().misses, by this code. The text is neither kept nor logged.
    """

    def read(result: Any) -> Optional[str]:
        code = result.get("code", "") if isinstance(result, dict) else ""
        if code is not None and (not isinstance(code, str) or not code):
            raise Malformed("an answer without a code")
        return code

    sent = {"status": status, "text": text, "provider": provider}
    return Call("report_miss", _params(params, sent), read)


@describes("InvalidParams", takes=RedactParams)
def redact(document: Document, **params: Unpack[RedactParams]) -> Call[Any]:
    """A copy of a list of messages, or of a whole request body, without what was said in it, for a bug report.

    Every text, name, input, output, id and signature is replaced by others of the same length and kind; validate says
    the same of the copy. White space, punctuation and the protocol's words stay: read it before you publish it.
    """
    _, sent = _document(document)
    (name,) = sent

    def read(result: Any) -> Any:
        if not isinstance(result, dict) or not isinstance(result.get(name), (list, dict)):
            raise Malformed("an answer without the document")
        return result[name]

    return Call("redact", _params(params, sent), read)


@describes(takes=PingParams)
def ping(**echo: Any) -> Call[Pong]:
    """Checks that the daemon answers. It returns the value of `echo=` unchanged."""
    return record("ping", Pong, **echo)


@describes()
def health() -> Call[Health]:
    """Asks if the daemon is well, and for the checks that say so."""
    return record("health", Health)


@describes()
def stats() -> Call[Stats]:
    """Counts since the daemon's start."""
    return record("stats", Stats)


@describes()
def info() -> Call[Info]:
    """Asks what the daemon serves and judges."""
    return record("info", Info)


@describes("UnsupportedProtocol")
def check_protocol(*, caller: Optional[str] = None) -> Call[Info]:
    """Asks what the daemon serves; raises if it speaks another protocol than this client."""

    def read(result: Any) -> Info:
        version = result.get("protocol") if isinstance(result, dict) else None
        if version is None:
            raise Malformed("no version of the protocol")
        if version != PROTOCOL:
            raise UnsupportedProtocol(
                "the daemon speaks protocol %s, this client %d" % (version, PROTOCOL),
                data={"protocol": version},
            )
        return Info.read(result)

    return Call("info", {} if caller is None else {"caller": caller}, read)


# -- What they are made of -------------------------------------------------------------------

_OWN = ("messages", "request", "content", "tools", "return", "response", "stream")
_SPLICES = {"return": "splices"}
_NOT_OF_PAIR = tuple(name for name in _OWN if name != "request")
_NOT_OF_PREPARE = tuple(name for name in _OWN if name != "tools")


def record(method: str, kind: type[R], **params: Any) -> Call[R]:
    """A method whose result is one record and needs nothing of the parameters."""
    return Call(method, params, kind.read)


def with_history(
    method: str, params: dict[str, Any], read: Callable[[Any], T], **how: Any
) -> Call[T]:
    """A call whose parameter `history` or `request` may be JSON text."""
    for name in ("history", "request"):
        text = params.get(name)
        if isinstance(text, (bytes, bytearray, memoryview)):
            del params[name]
            how["encode"] = wire.with_text(name, text)
            break
    return Call(method, params, read, **how)


def _of_text(
    method: str, params: dict[str, Any], read: Callable[[Any], T], body: bytes
) -> Call[T]:
    """A call with a body of JSON text, whose answer says which of its bytes to replace."""
    return Call(method, params, read, encode=wire.with_text("request", body), body=body)


def read_paired(result: Any) -> PairedTurn:
    """Reads the answer of `stream.end` and `pair`; raises the stream's error."""
    if isinstance(result, dict) and result.get("state") == "failed":
        raise PairingFailed.read(result)
    return PairedTurn.read(result)


def _params(
    given: Mapping[str, Any], sent: Mapping[str, Any], own: Sequence[str] = _OWN
) -> dict[str, Any]:
    for name in own:
        if name in given:
            raise TypeError("%r is not for the caller to give" % name)
    return {**given, **sent}


def _opened(value: Any, what: str) -> Any:
    """Returns the members of an object that the caller passed; other values unchanged."""
    if not is_object(value):
        return value
    try:
        return as_sent(value)
    except TypeError as why:
        reason = "%s can't be sent: %s: %s" % (what, type(value).__name__, why)
        raise EncodeError(reason, data={"pointer": "/params"}) from why


def _list(value: Any, what: str) -> list[Any]:
    """A list is sent as it is: copying it would be wasted, nothing here changes it."""
    if isinstance(value, list):
        return value
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray)):
        return list(value)
    raise TypeError("%s: a list, not %s" % (what, type(value).__name__))


def _document(
    document: Document, key: str = "messages"
) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """The body that patches apply to, and the parameter that sends it. `key`: of the list in such a body."""
    opened = _opened(document, "document")
    if isinstance(opened, Mapping):
        return opened, {"request": opened}
    messages = _list(opened, "messages")
    return {key: messages}, {"messages": messages}


def _patch_of(result: Any) -> list[Any]:
    if not isinstance(result, dict):
        raise Malformed("not a mapping")
    patch = result.get("patch", None if result.get("changed") else [])
    if not isinstance(patch, list):
        raise Malformed("no patch")
    return patch


def _with_patch(result: Any) -> Any:
    """A result that always has a patch."""
    if isinstance(result, dict) and not isinstance(result.get("patch"), list):
        raise Malformed("no patch")
    return result


def _body(whole: Mapping[str, Any], result: Any) -> dict[str, Any]:
    """The body after the patch: new at the top, even where no edit was made."""
    body = apply_patch(whole, _patch_of(result))
    if not isinstance(body, Mapping):
        raise Malformed("a patch that leaves no body")
    return dict(body)


def _with_list(
    whole: Mapping[str, Any], key: str, result: Any
) -> tuple[dict[str, Any], list[Any]]:
    """The body after the patch and its messages: none where they are a text, or not there, before and after."""
    if isinstance(whole.get(key), Sequence) and not isinstance(whole[key], str):
        body = _patched(whole, key, result)
        return body, body[key]
    body = _body(whole, result)
    items = body.get(key)
    if not isinstance(items, list):
        return body, []
    return {**body, key: list(items)}, list(items)


def _patched(whole: Mapping[str, Any], key: str, result: Any) -> dict[str, Any]:
    """Returns a copy of the body with the patch applied; its list `key` is a new one."""
    body = _body(whole, result)
    items = body.get(key)
    if not isinstance(items, Sequence) or isinstance(items, (str, bytes)):
        raise Malformed("a patch that leaves no %s" % key)
    return {**body, key: list(items)}
