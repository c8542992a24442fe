# SPDX-License-Identifier: Apache-2.0
"""JSON as text, opened only where somebody goes through it; everything else keeps its bytes.

    {"a": 1, "messages" : [ {"x": 1.0} , {"y": "\\u00e9"} ] }
     └─┬─┘│  └─────┬─────┘└───────────────┬───────────────┘
      lead text   lead                   text               every comma divides, nothing else goes

The bytes are held as Latin-1, one character a byte: that costs a copy and no decoding, offsets are
those of the bytes, and the json module's own scanner, which finds where a value ends, takes it,
since nothing that structures JSON is outside ASCII. Keys are decoded when they are asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Union

_scan = json.JSONDecoder().raw_decode
_space = re.compile(r"[ \t\n\r]*").match


class NotJson(ValueError):
    """The text isn't JSON, or not of the shape that was expected."""


class Text:
    """One value, with the white space around it."""

    __slots__ = ("chars",)

    def __init__(self, chars: str) -> None:
        self.chars = chars

    @classmethod
    def of(cls, data: Union[bytes, bytearray, memoryview]) -> Text:
        return cls(str(data, "latin-1"))

    def __bytes__(self) -> bytes:
        return self.chars.encode("latin-1")

    def value(self) -> Any:
        """The value itself, as the json module reads it."""
        return json.loads(bytes(self))

    def values(self) -> dict[str, Text]:
        """The items of an object or array by key or index."""
        return {key: value for key, _, value in self.split().items if isinstance(value, Text)}

    def split(self, path: Sequence[str] = ()) -> Split:
        """The items of an object or array; those on `path`, keys and indexes, are split as well.

        In one go, because to find where a value ends is what it costs.
        """
        found, end = _split(self.chars, 0, path)
        if end != len(self.chars):
            raise NotJson("something after the value")
        return found


class Split:
    """A container: the text around its items, and the items. `lead`: key and colon, as written."""

    __slots__ = ("opening", "closing", "items")

    def __init__(self, opening: str, items: list[Item], closing: str) -> None:
        self.opening = opening
        self.items = items
        self.closing = closing

    @property
    def is_object(self) -> bool:
        return self.opening.endswith("{")


Item = tuple[str, str, Union[Text, Split]]  # key or index, lead, value


def member(data: bytes, *path: str) -> Text:
    """The value at the end of a path of keys and indexes."""
    text = Text.of(data)
    for token in path:
        values = text.values()
        if token not in values:
            raise NotJson("no such member")
        text = values[token]
    return text


def _split(chars: str, at: int, path: Sequence[str]) -> tuple[Split, int]:
    """The container from here, its white space included, and where that ends."""
    end = _skip(chars, at) + 1
    opening = chars[at:end]
    keyed = opening.endswith("{")
    if not keyed and not opening.endswith("["):
        raise NotJson("no container")
    items: list[Item] = []
    more = not chars.startswith("}" if keyed else "]", _skip(chars, end))
    start = end
    while more:
        key, value_at = _key(chars, start) if keyed else (str(len(items)), start)
        on_path = bool(path) and key == path[0] and _opens(chars, value_at)
        value: Union[Text, Split]
        if on_path:
            value, end = _split(chars, value_at, path[1:])
        else:
            end = _scanned(chars, value_at)[1]
            value = Text(chars[value_at:end])
        items.append((key, chars[start:value_at], value))
        more = chars.startswith(",", end)
        start = end + more
    past = _past(chars, _skip(chars, start), "}" if keyed else "]")
    after = _skip(chars, past)
    return Split(opening, items, chars[end:after]), after


def _skip(chars: str, at: int) -> int:
    found = _space(chars, at)
    return found.end() if found else at


def _past(chars: str, at: int, expected: str) -> int:
    if not chars.startswith(expected, at):
        raise NotJson("no %s" % expected)
    return at + 1


def _scanned(chars: str, at: int) -> tuple[Any, int]:
    """Returns the value at this place, and where it and the white space after it end."""
    try:
        value, end = _scan(chars, _skip(chars, at))
    except (ValueError, RecursionError) as why:
        raise NotJson("no value") from why
    return value, _skip(chars, end)


def _opens(chars: str, at: int) -> bool:
    return chars.startswith(("{", "["), _skip(chars, at))


def _key(chars: str, at: int) -> tuple[str, int]:
    """Returns the key at this place, and where its value starts."""
    key, end = _scanned(chars, at)
    if not isinstance(key, str):
        raise NotJson("no key")
    if not chars[at:end].isascii():
        key = Text(chars[at:end]).value()
    return key, _past(chars, end, ":")
