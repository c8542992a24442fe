# SPDX-License-Identifier: Apache-2.0
"""Writes a guard's log, with a limit on how often.

    turnkeeperd can't be asked, or can be again     a warning, once a change
    a history in another format                     a warning, once a format and guard
    a stream that can't be paired                   a warning, once a guard
    a provider that this daemon doesn't judge       a warning, once a provider and guard
"""

from __future__ import annotations

import logging
import threading
from typing import Optional

from .errors import DialectMismatch, TransportError

log = logging.getLogger("turnkeeper")

CONSEQUENCES = {
    True: 'requests are sent unguarded until it can (on_unavailable="open")',
    False: 'requests are not sent until it can (on_unavailable="closed")',
}


class Notices:
    """Those of one guard. Threads may share it."""

    def __init__(self, path: str, opens: bool) -> None:
        self._path = path
        self._opens = opens
        self._down = False
        self._binary = False  # was told of
        self._formats: set[Optional[str]] = set()
        self._unserved: set[str] = set()  # providers
        self._lock = threading.Lock()

    def down(self, error: TransportError) -> None:
        """The daemon can't be asked."""
        if self._changes(True):
            log.warning("turnkeeperd can't be asked, %s: %s", CONSEQUENCES[self._opens], error)
        elif self._opens:
            log.info("sent unguarded: %s", error)

    def up(self) -> None:
        """The daemon answered."""
        if self._down and self._changes(False):
            log.warning("turnkeeperd answers again, requests are guarded (socket %s)", self._path)

    def foreign(self, error: DialectMismatch) -> None:
        """A history isn't one of the provider's format, thus not one that a guard may touch."""
        with self._lock:
            known = error.looks_like in self._formats
            self._formats.add(error.looks_like)
        level = logging.DEBUG if known else logging.WARNING
        log.log(level, "not the provider's format, sent as it is for the provider to judge: %s", error)

    def binary(self) -> None:
        """A response is a stream of Amazon's own framing, which the daemon doesn't read."""
        with self._lock:
            known, self._binary = self._binary, True
        level = logging.DEBUG if known else logging.WARNING
        log.log(
            level,
            "Bedrock's event streams pass as they come, neither paired nor sealed; requests are repaired",
        )

    def unserved(self, provider: str) -> None:
        """The daemon is of an older release, and requests for this provider leave as they are."""
        with self._lock:
            known = provider in self._unserved
            self._unserved.add(provider)
        level = logging.DEBUG if known else logging.WARNING
        log.log(level, "this turnkeeperd doesn't judge %s: its requests are sent unguarded", provider)

    def _changes(self, down: bool) -> bool:
        with self._lock:
            changed = self._down != down
            self._down = down
        return changed
