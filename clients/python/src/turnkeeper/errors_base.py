# SPDX-License-Identifier: Apache-2.0
"""The errors of this package that are written by hand; errors.py has them all.

    TurnkeeperError              name, code, data, retryable
    ├── EncodeError              the argument isn't JSON; nothing was sent (also a ValueError)
    ├── PatchError               a JSON Patch that doesn't fit its document (also a ValueError)
    ├── LibraryMissing           there is no libturnkeeper that Local could load (also an ImportError)
    ├── TransportError           no whole answer came
    │   ├── ConnectFailed        nobody listens there (also a ConnectionError)
    │   ├── ConnectionLost       closed before or inside the answer (also a ConnectionError)
    │   ├── Timeout              (also a TimeoutError)
    │   └── ProtocolError        an answer that no turnkeeper gives
    │       └── UnsupportedProtocol
    ├── PairingFailed            a stream, or a response, that can't be used: `kinds` says why
    └── RemoteError              the daemon answered with an error: one class a name

A class of RemoteError has the name and the code of its errors. An unknown name, as a newer
daemon may send, becomes the class of its code, and an unknown code becomes RemoteError itself; what
the daemon said stays in `name`, `code`, `data` and `retryable` in any case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Optional

from .places import shown
from .results import Finding, Malformed

__all__ = [
    "ConnectFailed",
    "ConnectionLost",
    "DialectMismatch",
    "EncodeError",
    "InvalidParams",
    "LibraryMissing",
    "PairingFailed",
    "ParseError",
    "PatchError",
    "ProtocolError",
    "Refused",
    "RemoteError",
    "StreamError",
    "Timeout",
    "TransportError",
    "TurnkeeperError",
    "UnsafeHistory",
    "UnsupportedProtocol",
]

LISTED = 3  # findings in a text


class TurnkeeperError(Exception):
    """Base of all. `name` is stable and meant for programs, the text is meant for people.

    `retryable`: the same call may succeed if it is made again. `data`: what the daemon added, which
    may name ids and tools of the history; the text of an error never holds any of that.
    """

    NAME: ClassVar[str] = ""
    CODE: ClassVar[Optional[int]] = None
    RETRYABLE: ClassVar[bool] = False

    def __init__(
        self,
        message: str = "",
        *,
        name: Optional[str] = None,
        code: Optional[int] = None,
        data: Optional[Mapping[str, Any]] = None,
        retryable: Optional[bool] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.name: str = self.NAME if name is None else name
        self.code: Optional[int] = self.CODE if code is None else code
        self.data: dict[str, Any] = dict(data or {})
        self.retryable: bool = self.RETRYABLE if retryable is None else retryable

    @property
    def pointer(self) -> Optional[str]:
        """The place in the request that the error is about, as `/params/messages/0/role`."""
        value = self.data.get("pointer")
        return value if isinstance(value, str) else None

    def __str__(self) -> str:
        text = "%s: %s" % (self.name, self.message) if self.message else self.name
        about = list(self._about())
        return "%s (%s)" % (text, "; ".join(about)) if about else text

    def _about(self) -> Iterator[str]:
        """Yields what the text adds to the message; nothing of it is content of a history."""
        if self.pointer:
            yield "at %s" % shown(self.pointer)
        for name, text in _NUMBERS:
            value = self.data.get(name)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                yield text % value


_NUMBERS = (
    ("offset", "byte %d"),
    ("limit", "the limit is %d"),
    ("retry_after_ms", "again after %d ms"),
)


class EncodeError(TurnkeeperError, ValueError):
    """The parameters hold something that JSON has no form for; nothing was sent.

    `pointer` names its place in the request, the text its type.
    """

    NAME = "not_encodable"


class PatchError(TurnkeeperError, ValueError):
    """A JSON Patch that isn't one, or doesn't fit the document."""

    NAME = "patch_failed"


class LibraryMissing(TurnkeeperError, ImportError):  # type: ignore[misc]  # both have a name
    """The shared library isn't there, or can't be used here, or is of an older release.

    Wheels contain it. Otherwise install the project's libturnkeeper, or name the file in the environment's
    TURNKEEPER_LIBRARY; or use Client and a daemon.
    """

    NAME = "library_missing"


class TransportError(TurnkeeperError):
    """The daemon gave no whole, readable answer. The connection is closed.

    `path`: of the daemon's socket.
    """

    NAME = "transport"
    path: Optional[str] = None

    def _about(self) -> Iterator[str]:
        yield from super()._about()
        if self.path and self.path not in self.message:
            yield "socket %s" % self.path


class ConnectFailed(TransportError, ConnectionError):
    """Nobody accepts connections at this path, or this process may not use it. Nothing was sent."""

    NAME = "connect_failed"
    RETRYABLE = True


class ConnectionLost(TransportError, ConnectionError):
    """The connection ended before the whole answer was there.

    `retryable` but for streams: every other method only computes, so calling twice does no harm.
    """

    NAME = "connection_lost"
    RETRYABLE = True


class Timeout(TransportError, TimeoutError):
    """The call's own time ran out (the daemon's is DeadlineExceeded)."""

    NAME = "timeout"


class ProtocolError(TransportError):
    """The bytes received are no answer to the request."""

    NAME = "protocol_error"


class UnsupportedProtocol(ProtocolError):
    """The daemon speaks another version of the protocol than this package."""

    NAME = "unsupported_protocol"


class PairingFailed(TurnkeeperError):
    """The provider sent no turn that can be stored: STREAM.md 10 lists the kinds.

    `kinds`: all that is wrong, the worst first, as ("incomplete_operation", "provider_error").
    `outputs`: what the end brought, the error last; nothing in it or before it is half of a pair.
    `data`: the error itself. `retryable`: the same request may succeed. `turn`: what can be stored all the same; None
    for Anthropic.
    """

    NAME = "pairing_failed"
    kinds: tuple[str, ...] = ()
    outputs: Sequence[Mapping[str, Any]] = ()
    warnings: Mapping[str, int] = MappingProxyType({})
    turn: Optional[Mapping[str, Any]] = None

    @classmethod
    def read(cls, result: Mapping[str, Any]) -> PairingFailed:
        """The exception for the result of `stream.end` or `pair` whose state is "failed"."""
        error = result.get("error")
        kinds = error.get("kinds") if isinstance(error, dict) else None
        if not isinstance(error, dict) or not isinstance(kinds, list):
            raise Malformed("no error in a failed stream")
        made = cls(", ".join(map(str, kinds)), data=error, retryable=error.get("retryable") is True)
        made.kinds = tuple(map(str, kinds))
        made.outputs = result.get("outputs") or ()
        made.warnings = result.get("warnings") or made.warnings
        made.turn = result.get("turn")
        return made


class RemoteError(TurnkeeperError):
    """The daemon answered with an error. The connection stays usable."""

    NAME = "error"
    by_name: ClassVar[dict[str, type["RemoteError"]]] = {}
    by_code: ClassVar[dict[int, type["RemoteError"]]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "NAME" in cls.__dict__:
            RemoteError.by_name[cls.NAME] = cls
        if "CODE" in cls.__dict__ and cls.CODE is not None:
            RemoteError.by_code[cls.CODE] = cls

    @property
    def limit(self) -> Optional[int]:
        """The limit that was met, where the error is about one."""
        value = self.data.get("limit")
        return value if isinstance(value, int) else None

    @property
    def retry_after_ms(self) -> Optional[float]:
        """How long the daemon asks to wait before the call is made again, None if it didn't say."""
        value = self.data.get("retry_after_ms")
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        return max(value, 0)


# Names whose data have members of their own, and codes without a name in common. A class with a CODE is also the class
# of all unknown names of that code.


class ParseError(RemoteError):
    """The daemon couldn't read the request as a document; `offset` says at which byte: of the JSON text that was given, if
    one was, as to repair_body(); else of the request."""

    NAME = "parse_error"
    CODE = -32700

    @property
    def offset(self) -> Optional[int]:
        value = self.data.get("offset")
        return value if isinstance(value, int) else None


class InvalidParams(RemoteError):
    """A parameter is missing, unknown or of the wrong type: `pointer` names it."""

    NAME = "invalid_params"
    CODE = -32602


class DialectMismatch(InvalidParams):
    """The history is in another format than was asked for; nothing of it was touched.

    `looks_like`: the format that it shows a sign of, as "openai-chat"; None: of none that is known.
    `sign`: the member that shows it. `dialect`: what was asked for.
    """

    NAME = "dialect_mismatch"

    @property
    def looks_like(self) -> Optional[str]:
        return self._text("looks_like")

    @property
    def sign(self) -> Optional[str]:
        return self._text("sign")

    @property
    def dialect(self) -> Optional[str]:
        return self._text("dialect")

    def _text(self, name: str) -> Optional[str]:
        value = self.data.get(name)
        return value if isinstance(value, str) else None

    def _about(self) -> Iterator[str]:
        if self.looks_like and self.sign:
            yield "this looks like %s: %s" % (self.looks_like, self.sign)
        if self.dialect:
            yield "asked for as %s" % self.dialect
        yield from super()._about()


class UnsafeHistory(RemoteError):
    """The guard could not make the history safe: don't send it to the provider.

    `violations` lists the findings that no allowed edit could repair, with places of the history as it was passed;
    `needed` of each names the edit that protection or policy forbade, `way_out` says what to do.
    """

    NAME = "unsafe_history"
    CODE = -32001

    @property
    def violations(self) -> tuple[Finding, ...]:
        listed = self.data.get("violations")
        found = listed if isinstance(listed, list) else []
        return tuple(Finding.read(v) for v in found if isinstance(v, dict) and "code" in v)

    @property
    def ways_out(self) -> tuple[str, ...]:
        """Returns sentences that say what the user can do; none if the daemon is too old for them."""
        return tuple(dict.fromkeys(v.way_out for v in self.violations if v.way_out))

    def _about(self) -> Iterator[str]:
        # Codes and places only: an error's text ends up in logs, a history must not.
        found = self.violations
        for v in found[:LISTED]:
            yield "%s at %s" % (v.code, shown(v.pointer) or "/")
        if len(found) > LISTED:
            yield "%d more" % (len(found) - LISTED)

    def __str__(self) -> str:
        return " ".join([super().__str__(), *self.ways_out[:LISTED]])


class StreamError(RemoteError):
    """Misuse of a stream."""

    CODE = -32002


class Refused(RemoteError):
    """The daemon understood the request and won't do it, for the reason that `name` gives."""

    CODE = -32003


def remote_error(error: Mapping[str, Any]) -> RemoteError:
    """The exception for the `error` member of an answer (`code` and `message` already checked)."""
    code: int = error["code"]
    detail = error.get("data")
    data: Mapping[str, Any] = detail if isinstance(detail, dict) else {}
    said = data.get("name")
    name = said if isinstance(said, str) else None
    kind = RemoteError.by_name.get(name or "") or RemoteError.by_code.get(code) or RemoteError
    retryable = data.get("retryable")
    return kind(
        error["message"],
        name=name,
        code=code,
        data=data,
        retryable=retryable if isinstance(retryable, bool) else None,
    )


# Callers know them as members of turnkeeper.errors, and so does pickle.
for _name in __all__:
    globals()[_name].__module__ = "turnkeeper.errors"
