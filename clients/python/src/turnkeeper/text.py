# SPDX-License-Identifier: Apache-2.0
"""Finds members at the top level of JSON text; their values keep their bytes.

A guard needs three of them that no answer tells: of a request `stream`, to pair what will come, and
`anthropic_version`, without which a body isn't one of Anthropic's; of a response `content`, to seal it. Nothing here changes a body or looks into a message.

The bytes are held as Latin-1, one character a byte: offsets are those of the bytes, and the json module's own
scanner, which finds where a value ends, takes it, since nothing that structures JSON is outside ASCII.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_scan = json.JSONDecoder().raw_decode
_space = re.compile(r"[ \t\n\r]*").match


class NotJson(ValueError):
    """The text isn't an object in JSON."""


def members(data: bytes, *names: str) -> dict[str, bytes]:
    """The values of those of the names that the object has, as they are spelled."""
    chars = str(data, "latin-1")
    found = {}
    for key, start, end in _spans(chars):
        if key in names:
            found[key] = data[start:end]
    return found


def _spans(chars: str) -> Iterator[tuple[str, int, int]]:
    """Yields key, start and end of each member."""
    at = _skip(chars, _past(chars, _skip(chars, 0), "{"))
    more = not chars.startswith("}", at)
    while more:
        key, end = _scanned(chars, at)
        if not isinstance(key, str):
            raise NotJson("no key")
        start = _skip(chars, _past(chars, _skip(chars, end), ":"))
        _, end = _scanned(chars, start)
        yield key, start, end
        at = _skip(chars, end)
        more = chars.startswith(",", at)
        if more:
            at = _skip(chars, at + 1)
    if _skip(chars, _past(chars, at, "}")) != len(chars):
        raise NotJson("something after the object")


def _skip(chars: str, at: int) -> int:
    found = _space(chars, at)
    return found.end() if found else at


def _past(chars: str, at: int, expected: str) -> int:
    if not chars.startswith(expected, at):
        raise NotJson("no %s" % expected)
    return at + 1


def _scanned(chars: str, at: int) -> tuple[Any, int]:
    """Returns the value at this place, and where it ends."""
    try:
        return _scan(chars, at)
    except (ValueError, RecursionError) as why:
        raise NotJson("no value") from why
