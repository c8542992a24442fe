# SPDX-License-Identifier: Apache-2.0
"""Seals of the turns that a guard saw pass, and which of them a request may be about.

    turn ──> seal ──> keep()      by the opaque digests of its signed blocks and the ids of its calls
    request body ──> of() ──> the seals whose signatures or ids are spelled in it, oldest first

Of a body only the values after the keys that matter are read: signatures, and ids where there is
a signature that no seal knows, for it may have been altered. A body without any has nothing that could
break. What is found too much does no harm: the daemon decides what a seal belongs to.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import wire

COUNT = 1024
SIZE = 1 << 20  # of all seals as JSON

_REDACTED = b'"redacted_thinking"'

_spelled = re.compile(rb'[ \t\n\r]*:[ \t\n\r]*"([^"\\]*)"').match


@dataclass(frozen=True)
class _Kept:
    number: int  # in the order in which they were made: seals of one message are joined in it
    seal: Mapping[str, Any]
    keys: tuple[str, ...]
    size: int


class Seals:
    """Those of turns with signed blocks, for only they can break; at most `count`, and at most `size`
    bytes. Those that no request was about for the longest time go first. Threads may share it."""

    def __init__(self, count: int = COUNT, size: int = SIZE) -> None:
        self._count = count
        self._free = size
        self._made = 0
        self._kept: OrderedDict[str, _Kept] = OrderedDict()  # by turn, the longest unused first
        self._turns: dict[str, str] = {}  # by key
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self, seal: Mapping[str, Any]) -> None:
        turn, blocks = seal.get("turn"), seal.get("blocks") or ()
        if turn is None or not any("opaque" in block for block in blocks):
            return
        keys = tuple(block[name] for block in blocks for name in ("id", "opaque") if name in block)
        size = len(wire.encode_json(seal))
        with self._lock:
            self._drop(turn)
            self._made += 1
            self._kept[turn] = _Kept(self._made, seal, keys, size)
            self._turns.update((key, turn) for key in keys)
            self._free -= size
            while self._free < 0 or len(self._kept) > self._count:
                self._drop(next(iter(self._kept)))

    def of(self, body: bytes) -> list[dict[str, Any]]:
        """The parameter `seals` for a request with this body; empty: none is about it."""
        if not self._kept or not may_be_signed(body):
            return []
        keys = list(_signatures(body))
        if any(key not in self._turns for key in keys):
            keys += (value.decode("utf-8", "replace") for value in _values(body, b'"id"'))
        with self._lock:
            turns = {self._turns[key] for key in keys if key in self._turns}
            for turn in turns:
                self._kept.move_to_end(turn)
            found = sorted((self._kept[turn] for turn in turns), key=lambda kept: kept.number)
        return [{"seal": kept.seal} for kept in found]

    def forget(self) -> None:
        """All of them."""
        with self._lock:
            for turn in list(self._kept):
                self._drop(turn)

    def _drop(self, turn: str) -> None:
        kept = self._kept.pop(turn, None)
        if kept is None:
            return
        self._free += kept.size
        for key in kept.keys:
            if self._turns.get(key) == turn:
                del self._turns[key]


def may_be_signed(body: bytes) -> bool:
    """True if a body may hold a signed block, so that it is worth a seal."""
    return b'"signature"' in body or _REDACTED in body


def _signatures(body: bytes) -> Iterator[str]:
    """The opaque digests of what may be signed blocks."""
    for value in _values(body, b'"signature"'):
        yield _opaque(b"thinking", value)
    if _REDACTED in body:  # images have such a member, too
        for value in _values(body, b'"data"'):
            yield _opaque(b"redacted_thinking", value)


def _values(body: bytes, key: bytes) -> Iterator[bytes]:
    """Yields the strings after a key; not those with an escape, which ids and base64 never need."""
    at = body.find(key)
    while at >= 0:
        at += len(key)
        found = _spelled(body, at)
        if found and found.group(1):
            yield found.group(1)
        at = body.find(key, at)


def _opaque(kind: bytes, secret: bytes) -> str:
    """The digest that seals know a signed block by (OPERATIONS.md C.1)."""
    canonical = b"s%d:%ss%d:%s" % (len(kind), kind, len(secret), secret)
    return hashlib.sha256(b"turnkeeper.opaque.v1\0" + canonical).hexdigest()
