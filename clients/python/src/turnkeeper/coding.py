# SPDX-License-Identifier: Apache-2.0
"""Undoes and makes the content codings of HTTP bodies, which the daemon doesn't know."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from typing import Any, Callable

from .errors import EncodeError


def _as_is(data: bytes) -> bytes:
    return data


def _gzip(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    return packer.compress(data) + packer.flush()


# By name: what undoes it, and what makes it.
CODINGS: Mapping[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    "": (_as_is, _as_is),
    "identity": (_as_is, _as_is),
    "gzip": (gzip.decompress, _gzip),
    "deflate": (zlib.decompress, zlib.compress),
}


def coding_of(request: Any) -> str:
    """The name of a body's coding; "" if it has none."""
    value: str = request.headers.get("content-encoding", "")
    return value.strip().lower()


def plain(data: bytes, coding: str) -> bytes:
    """A body without its coding; EncodeError where that can't be undone here."""
    try:
        return CODINGS[coding][0](data)
    except (KeyError, EOFError, OSError, zlib.error) as why:
        raise EncodeError("a body in a coding that can't be undone here") from why
