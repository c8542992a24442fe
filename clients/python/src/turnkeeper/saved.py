# SPDX-License-Identifier: Apache-2.0
"""Writes redacted requests that a provider refused into a folder of the user's.

    FOLDER/miss-0123456789abcdef.json    {"provider", "status", "code", "request"}
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
from collections.abc import Mapping
from typing import Any, Optional, Union

log = logging.getLogger("turnkeeper")

MOST = 100  # files in one folder
_PREFIX, _SUFFIX = "miss-", ".json"


class Folder:
    """A folder that exists; ValueError if it doesn't. Threads and processes may share it."""

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        self._path = os.path.abspath(path)  # the program may go to another folder later
        self._told = False  # that it is full
        if not os.path.isdir(self._path):
            raise ValueError("save_misses: no such folder: %s" % self._path)

    def has_room(self) -> bool:
        """False if as many files as it may have are there; the log says so once. OSError if it can't be read."""
        full = self._count() >= MOST
        if full and not self._told:
            self._told = True
            log.warning("no more misses are saved: %s has %d of them", self._path, MOST)
        return not full

    def write(self, document: Mapping[str, Any]) -> Optional[str]:
        """Writes a file that only its owner can read, and returns its path; None if others filled the folder
        meanwhile. OSError if it can't be written: then there is no file."""
        path = os.path.join(self._path, _PREFIX + secrets.token_hex(8) + _SUFFIX)
        data = json.dumps(document).encode()
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(file, "wb") as new:
                new.write(data)
            kept = self._count() <= MOST
        except BaseException:
            _remove(path)
            raise
        if not kept:
            _remove(path)
            return None
        return path

    def _count(self) -> int:
        names = os.listdir(self._path)
        return sum(name.startswith(_PREFIX) and name.endswith(_SUFFIX) for name in names)


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)
