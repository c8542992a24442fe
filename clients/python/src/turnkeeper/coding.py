# SPDX-License-Identifier: Apache-2.0
"""Undoes and makes the content codings of HTTP bodies, which the daemon doesn't know."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Mapping
from typing import Any, Callable

from .errors import EncodeError


# The functions that undo a coding take a limit, and make at most one byte more than that.


def _not_coded(data: bytes, _limit: int) -> bytes:
    return data


def _gunzip(data: bytes, limit: int) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacked:
        return unpacked.read(limit + 1)


def _inflate(data: bytes, limit: int) -> bytes:
    unpacker = zlib.decompressobj()
    body = unpacker.decompress(data, limit + 1)
    if not unpacker.eof and len(body) <= limit:
        raise EOFError
    return body


def _as_is(data: bytes) -> bytes:
    return data


def _gzip(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    return packer.compress(data) + packer.flush()


# By name: what undoes it, and what makes it.
CODINGS: Mapping[str, tuple[Callable[[bytes, int], bytes], Callable[[bytes], bytes]]] = {
    "": (_not_coded, _as_is),
    "identity": (_not_coded, _as_is),
    "gzip": (_gunzip, _gzip),
    "deflate": (_inflate, zlib.compress),
}


def coding_of(request: Any) -> str:
    """The name of a body's coding; "" if it has none."""
    value: str = request.headers.get("content-encoding", "")
    return value.strip().lower()


def plain(data: bytes, coding: str, limit: int) -> bytes:
    """A body without its coding; EncodeError where that can't be undone here, or makes more than `limit` bytes.
    A body that has no coding is of any size."""
    try:
        body = CODINGS[coding][0](data, limit)
    except (KeyError, EOFError, OSError, zlib.error) as why:
        raise EncodeError("a body in a coding that can't be undone here") from why
    if body is not data and len(body) > limit:
        raise EncodeError("a body of more than %d bytes without its coding" % limit)
    return body
