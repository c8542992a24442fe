# SPDX-License-Identifier: Apache-2.0
"""Bytes and documents: codecs, frames, the envelope. No socket, no clock.

    request -> encode -> frame ~~~~~> Answer.feed ... -> Answer.body -> decode -> unwrap -> result

Which codec a request is sent in:

- JSON, if that was asked for, or msgpack (1.0 or later, the compiled one: the one in plain Python
  is slower than json) isn't installed.
- msgpack else, unless something would be lost or refused: an integer beyond 64 bits, a string with
  a lone surrogate, NaN or an infinity, bytes, a key that isn't a str, a tuple or any other type
  than dict, list, str, int, float, bool, None themselves. Then JSON, as the json module writes it,
  and objects of SDKs as the SDKs send them (sent.py); what has no form there either (NaN, bytes) is
  an EncodeError that names its place and type, and nothing is sent.

The codec of an answer is known by its first byte.

JSON text that the caller has already (a request body, a history) is put into the request as it is: see
with_text.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional, TypeVar, Union

from .errors import EncodeError, ProtocolError, RemoteError
from .errors_base import remote_error
from .results import Malformed
from .sent import as_sent, misfit

try:
    import msgpack  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    msgpack = None

T = TypeVar("T")

HEADER = 4
LARGEST = 1 << 30  # no sane answer is longer: something that isn't turnkeeper sits there

TEXT = 1 << 29  # as large would be what begins with four characters of a text
NOT_OURS = "what answers there is not a turnkeeperd (%s)"

Pieces = Sequence[Union[bytes, bytearray, memoryview]]
Payload = Union[bytes, Pieces]  # in pieces where joining them would copy a large text
Encoder = Callable[[Any], Payload]

_usable = msgpack is not None and getattr(msgpack, "version", (0,)) >= (1, 0)
_compiled = _usable and "fallback" not in msgpack.Packer.__module__
_CODECS = ("auto", "json", "msgpack")

# ensure_ascii=False is the short form; a lone surrogate has no UTF-8, it can only travel escaped.
_strict: dict[str, Any] = {"separators": (",", ":"), "allow_nan": False, "default": as_sent}
_json_short = json.JSONEncoder(ensure_ascii=False, **_strict).encode
_json_ascii = json.JSONEncoder(ensure_ascii=True, **_strict).encode


def encode_json(value: Any) -> bytes:
    try:
        try:
            return _json_short(value).encode("utf-8")
        except UnicodeEncodeError:
            return _json_ascii(value).encode("ascii")
    except (TypeError, ValueError, RecursionError) as why:
        raise _not_encodable(value, why) from why


def _not_encodable(value: Any, why: Exception) -> EncodeError:
    """Not str(why), which may quote the value."""
    found = misfit(value)
    if found is None:
        return EncodeError("the parameters are not JSON (%s)" % type(why).__name__)
    pointer, reason = found
    return EncodeError("this can't be sent: %s" % reason, data={"pointer": pointer})


def encode_msgpack(value: Any) -> bytes:
    """msgpack, or an EncodeError where it would lose something."""
    try:
        # strict_types: tuples and subclasses are refused rather than packed as something else.
        body = msgpack.packb(value, strict_types=True)
    except (TypeError, ValueError, OverflowError) as why:
        raise EncodeError("msgpack can't hold the parameters") from why
    if not _kept(value):
        raise EncodeError("msgpack would change the parameters")
    return bytes(body)


def encode_bytes(value: Any) -> bytes:
    """msgpack of what this package made itself, which may hold bytes: a stream's chunks."""
    return bytes(msgpack.packb(value))


def with_text(name: str, text: Union[bytes, bytearray, memoryview]) -> Encoder:
    """An encoder that adds the parameter `name`, given as JSON text. Bytes aren't copied.

    The text isn't checked and may not be JSON. That does no harm: it comes last, so it can only add
    parameters to this one call, and no provider would accept such a text.
    """

    if isinstance(text, memoryview):
        text = bytes(text)

    ending = b'"%s":' % name.encode()

    def encode(value: Any) -> Pieces:
        head = _head(value)
        if head is None:
            head = encode_json(value)
            if not head.endswith(b"}}"):
                raise EncodeError("parameters that don't come last")
            head = head[:-2] + b"," if value["params"] else head[:-2]
        return (head + ending, text, b"}}")

    return encode


def _head(value: Any) -> Optional[bytes]:
    """An envelope with its parameters, without what closes both; None if a parameter isn't a number or a plain word.

    It is what encode_json() makes, in a quarter of the time, which is what a small request waits for.
    """
    text = f'{{"jsonrpc":"2.0","id":{value["id"]},"method":"{value["method"]}","params":{{'
    for name, given in value["params"].items():
        member = _plain_member(name, given) if type(given) in _PLAIN else None
        if member is None:
            return None
        text += member
    return text.encode()


_PLAIN = frozenset((int, str))
_plain_word = re.compile(r"[A-Za-z0-9._:-]{0,64}").fullmatch


@functools.lru_cache(maxsize=256, typed=True)
def _plain_member(name: str, value: Union[int, str]) -> Optional[str]:
    """A member of an object, with its comma; None if it can't be written without looking at each character."""
    if not name.isidentifier() or not (type(value) is int or _plain_word(str(value))):
        return None
    return f'"{name}":{value},' if type(value) is int else f'"{name}":"{value}",'


def count_in_text(error: RemoteError, payload: Payload) -> None:
    """Makes the `offset` of an error count from the first byte of the text that the caller gave, not of the request."""
    offset = error.data.get("offset")
    if isinstance(payload, bytes) or not isinstance(offset, int):
        return
    head, text = payload[:2]
    if offset >= len(head):
        error.data = {**error.data, "offset": min(offset - len(head), len(text))}


def _kept(value: Any) -> bool:
    """False for what packs without complaint and isn't the same value to the daemon.

    Called with what msgpack has packed: no cycles, no foreign types.
    """
    todo = [value]
    for holder in todo:
        items = holder
        if type(holder) is dict:
            for key in holder:
                if type(key) is not str:
                    return False
            items = holder.values()
        for item in items:
            kind = type(item)
            if kind is str:
                continue
            if kind is dict or kind is list:
                todo.append(item)
            elif kind is float:
                if item - item != 0:
                    return False
            elif kind is not int and kind is not bool and item is not None:
                return False
    return True


def _encode_packed(value: Any) -> bytes:
    """msgpack in any case: objects as JSON has them."""
    try:
        return encode_msgpack(value)
    except EncodeError:
        return encode_msgpack(json.loads(encode_json(value)))


def _encode_best(value: Any) -> bytes:
    try:
        return encode_msgpack(value)
    except EncodeError:
        return encode_json(value)


def encoder(codec: str) -> Encoder:
    """The function that writes requests, for "auto", "json" or "msgpack"."""
    if codec not in _CODECS:
        raise ValueError("codec: one of %s" % ", ".join(_CODECS))
    if codec == "msgpack":
        if not _usable:
            raise ValueError('codec="msgpack": the package msgpack, 1.0 or later, is not installed')
        return _encode_packed
    return _encode_best if codec == "auto" and _compiled else encode_json


def sends_bytes(codec: str) -> bool:
    """True if a client of this codec can send bytes unchanged, in msgpack."""
    return codec == "msgpack" or (codec == "auto" and _compiled)


def is_msgpack(first: int) -> bool:
    return 0x80 <= first <= 0x9F or 0xDC <= first <= 0xDF


def decode(body: bytes) -> Any:
    """The document in a payload, in either codec."""
    packed = is_msgpack(body[0])
    if packed and not _usable:
        raise ProtocolError("an answer in msgpack, which is not installed here")
    try:
        return msgpack.unpackb(body) if packed else json.loads(str(body, "utf-8"))
    except (ValueError, TypeError, RecursionError) as why:
        raise ProtocolError(NOT_OURS % "an answer that can't be read") from why


def request(ident: Optional[int], method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The envelope of a request; of a notification, which is never answered, without an id."""
    # Parameters come last: see with_text.
    if ident is None:
        return {"jsonrpc": "2.0", "method": method, "params": params}
    return {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}


def pieces(payload: Payload) -> Pieces:
    return (payload,) if isinstance(payload, bytes) else payload


def size_of(payload: Payload) -> int:
    """In bytes."""
    return sum(map(len, pieces(payload)))


def joined(payload: Payload) -> bytes:
    return payload if isinstance(payload, bytes) else b"".join(payload)


def frame(payload: Payload) -> Pieces:
    """The frame of a document, header first."""
    return (size_of(payload).to_bytes(HEADER, "big"), *pieces(payload))


def after(data: Pieces, count: int) -> Pieces:
    """What is left of the pieces without their first `count` bytes."""
    for number, piece in enumerate(data):
        if count < len(piece):
            return (memoryview(piece)[count:], *data[number + 1 :])
        count -= len(piece)
    return ()


class Answer:
    """Gathers the one frame that answers a request."""

    def __init__(self) -> None:
        self._got: Union[bytes, bytearray] = b""
        self._size: Optional[int] = None

    @property
    def started(self) -> bool:
        return bool(self._got)

    @property
    def missing(self) -> int:
        """How many bytes are known to be missing; 0: the frame is whole."""
        return HEADER + (self._size or 0) - len(self._got)

    @property
    def whole(self) -> bool:
        return self._size is not None and self.missing == 0

    @property
    def body(self) -> bytes:
        return bytes(memoryview(self._got)[HEADER:])

    def _is_document(self) -> bool:
        first = self._got[HEADER]
        return first == ord("{") or is_msgpack(first)

    def feed(self, data: bytes) -> None:
        if not self._got:
            self._got = data  # which is all of most answers
        else:
            self._got = self._got if isinstance(self._got, bytearray) else bytearray(self._got)
            self._got += data
        if self._size is None and len(self._got) >= HEADER:
            self._size = int.from_bytes(self._got[:HEADER], "big")
            if not 0 < self._size <= LARGEST:
                raise ProtocolError(NOT_OURS % ("an answer of %d bytes" % self._size))
        if (self._size or 0) >= TEXT and len(self._got) > HEADER and not self._is_document():
            raise ProtocolError(NOT_OURS % "an answer that is no frame")
        if self._size is not None and self.missing < 0:
            raise ProtocolError("bytes after the answer")


# Errors that may come with the id null, because the request's wasn't read: what is no document, what is
# no envelope, no memory to read it, too large a frame, too busy to read, too costly to read.
_UNREAD = (-32700, -32600, -32603, -32010, -32011, -32014)


def unwrap(answer: Any, ident: int) -> Any:
    """The result in an answer to request `ident`; raises the error that it holds instead."""
    error = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(answer, dict) or ("result" in answer) == ("error" in answer):
        raise ProtocolError(NOT_OURS % "an answer that is no JSON-RPC response")
    if "error" in answer and not _is_error(error):
        raise ProtocolError("an answer with a malformed error")
    given = answer.get("id")
    unread = given is None and error is not None and error["code"] in _UNREAD
    if not unread and (type(given) is not int or given != ident):
        raise ProtocolError("an answer to another request")
    if error is not None:
        raise remote_error(error)
    return answer["result"]


def sound(read: Callable[[Any], T], result: Any) -> T:
    """What is read of a result; ProtocolError if no turnkeeper gives such a one."""
    try:
        return read(result)
    except Malformed as why:
        raise ProtocolError(NOT_OURS % ("a result of another shape: %s" % why)) from why


def _is_error(error: Any) -> bool:
    return (
        isinstance(error, dict)
        and type(error.get("code")) is int
        and isinstance(error.get("message"), str)
    )
