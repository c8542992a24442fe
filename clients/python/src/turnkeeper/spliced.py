# SPDX-License-Identifier: Apache-2.0
"""Applies `splices` (PROTOCOL.md 5.2): the outcome of a method as changes of the bytes that were sent.

    body      {"messages":[  a  ,  b  ,  c  ]}
    splices   [[offset, length, text], ...]      ascending; each replaces `length` bytes by `text`

One pass, no parsing: what no splice touches has its bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

from .results import Malformed

SPACE = b" \t\n\r"  # of JSON


def spliced(body: bytes, result: Any) -> bytes:
    """The body after a result; the very argument if nothing changed."""
    if not isinstance(result, dict):
        raise Malformed("not a mapping")
    splices = result.get("splices")
    if splices is None and not result.get("changed"):
        return body
    if not isinstance(splices, list):
        raise Malformed("no splices")
    return _applied(body, splices)


def _applied(body: bytes, splices: Sequence[Any]) -> bytes:
    lead = len(body) - len(body.lstrip(SPACE))  # offsets count from the value's first byte
    whole = memoryview(body)
    pieces: list[Union[bytes, memoryview]] = [whole[:lead]]
    done = lead
    for splice in splices:
        start, end, text = _checked(splice, lead)
        if not done <= start <= end <= len(body):
            raise Malformed("a splice outside of the body")
        pieces += (whole[done:start], text)
        done = end
    pieces.append(whole[done:])
    return b"".join(pieces)


def _checked(splice: Any, lead: int) -> tuple[int, int, bytes]:
    """Start and end in the body, and what comes there."""
    try:
        offset, length, text = splice
        return lead + offset, lead + offset + length, text.encode("utf-8")
    except (TypeError, ValueError, AttributeError) as why:
        raise Malformed("a splice of another shape") from why
