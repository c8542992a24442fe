# SPDX-License-Identifier: Apache-2.0
"""Applies `splices` (PROTOCOL.md 5.2): the outcome of a method as changes of the bytes that were sent.

    body      {"messages":[  a  ,  b  ,  c  ]}
    splices   [[offset, length, text], ...]      ascending; each replaces `length` bytes by `text`

One pass, no parsing: what no splice touches has its bytes.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence
from typing import Any, Callable, Optional, Union

from . import wire
from .results import Malformed, Unread

SPACE = b" \t\n\r"  # of JSON


def spliced(body: bytes, result: Any) -> bytes:
    """The body after a result, which may be Unread; the very argument if nothing changed."""
    if isinstance(result, Unread):
        return result.body
    if not isinstance(result, dict):
        raise Malformed("not a mapping")
    splices = result.get("splices")
    if splices is None and not result.get("changed"):
        return body
    if not isinstance(splices, list):
        raise Malformed("no splices")
    return _applied(body, splices)


# How an answer of the library begins whose result has splices, or none because nothing changed.
_BEGINS = re.compile(
    r'(?:"action":"\w+",)?"changed":(?:false,|true,(?:"safe":(?:true|false),)?"splices":(?=\[))'
)
_value_at = json.JSONDecoder().raw_decode


def unread(answer: bytes, ident: int, body: bytes) -> Optional[Unread]:
    """What the library's answer to request `ident` makes of a body; the rest, which most callers don't look at, stays
    text. None for an error, and for an answer that begins in another way: then it must be decoded."""
    made = (_quick if type(body) is bytes else _spliced)(answer, ident, body)
    return None if made is None else Unread(made, functools.partial(_decoded, answer, ident))


def _decoded(answer: bytes, ident: int, check: Callable[[Any], None]) -> Any:
    result = wire.unwrap(wire.decode(answer), ident)
    wire.sound(check, result)
    return result


def _spliced(answer: bytes, ident: int, body: bytes) -> Optional[bytes]:
    head = b'{"jsonrpc":"2.0","id":%d,"result":{' % ident
    if not answer.startswith(head):
        return None
    try:
        text = str(answer, "utf-8")
        found = _BEGINS.match(text, len(head))
        if found is None:
            return None
        at = found.end()
        return _applied(body, _value_at(text, at)[0]) if text[at] == "[" else body
    except (ValueError, RecursionError):  # which decoding all of it will meet, too
        return None


try:
    from ._answer import spliced as _quick
except ImportError:  # see library.py
    _quick = _spliced


def _applied(body: bytes, splices: Sequence[Any]) -> bytes:
    lead = len(body) - len(body.lstrip(SPACE)) if body[:1] in SPACE else 0  # offsets count from the value's first byte
    whole = memoryview(body)
    pieces: list[Union[bytes, memoryview]] = [whole[:lead]]
    done = lead
    for splice in splices:
        try:
            offset, length, text = splice
            start = lead + offset
            end = start + length
            if not done <= start <= end <= len(body):
                raise ValueError("outside of the body")
            pieces += (whole[done:start], text.encode())
        except (TypeError, ValueError, AttributeError) as why:
            raise Malformed("a splice that doesn't fit") from why
        done = end
    pieces.append(whole[done:])
    return b"".join(pieces)
