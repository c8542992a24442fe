# SPDX-License-Identifier: Apache-2.0
"""Misses: requests that a guard called sound and the provider refused all the same.

    response ──> status 400, 422? ──> its words ──> report_miss: the rule's code ──┐
                                      the request ──> redact ──> a file, if wanted ┴──> an Event

The response goes on unchanged. Whatever goes wrong here is logged, without content, and changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Callable, Optional

from .bodies import Flow
from .errors import MethodNotFound, TurnkeeperError
from .events import Events, Outcome, log
from .local import BaseLocal
from .peeked import as_text
from .saved import Folder

# Others are about the key (401, 403), the address (404), the rate (429) or the provider itself (5xx).
STATUSES = (400, 422)


class Misses:
    """Those of one guard. Threads may share it.

    `named`: the parameter `caller` of its calls, if there is one. `peeked`: makes a PeekedBody of the guard's library,
    `remade` a response.
    """

    def __init__(
        self,
        keeper: Any,
        events: Events,
        folder: Optional[Folder],
        named: Mapping[str, str],
        *,
        peeked: Callable[..., Any],
        remade: Callable[..., Any],
    ) -> None:
        self._keeper = keeper
        self._events = events
        self._folder = folder
        self._named = named
        self._peeked = peeked
        self._remade = remade
        self._reports = True  # the keeper has the method
        # A Local counts for nobody.
        self._wanted = events.heard or folder is not None or not isinstance(keeper, BaseLocal)

    def look(self, outcome: Outcome, response: Any) -> Flow[None]:
        """Tells of the response if it is a miss. If this is interrupted, the response is closed."""
        if not self._wanted or outcome.body is None or response.status_code not in STATUSES:
            return
        if response.is_stream_consumed:  # the guarded transport has read it
            yield from self._found(outcome, response.status_code, as_text(response.content))
            return
        body: Any = self._peeked(response.stream)
        response.stream = body
        try:
            yield from body.peek()
            text = body.text(response.headers.get("content-encoding", ""), self._remade)
            yield from self._found(outcome, response.status_code, text)
        except BaseException:
            yield body.give_up()
            raise

    def _found(self, outcome: Outcome, status: int, text: str) -> Flow[None]:
        code = yield from self._code(status, text, outcome.provider)
        log.info("the provider refused what was called sound: %d, %s", status, code or "no rule")
        saved = yield from self._saved(outcome, status, code)
        self._events.missed(outcome, status, code, saved)

    def _code(self, status: int, text: str, provider: str) -> Flow[Optional[str]]:
        """Has the miss counted; returns the code of its rule, if the keeper can say it."""
        if not self._reports or not text:  # `report_miss` takes no empty text
            return None
        try:
            found: Optional[str] = yield self._keeper.report_miss(
                status, text, provider, **self._named
            )
            return found
        except MethodNotFound:
            self._reports = False  # an older daemon
        except Exception as why:
            log.info("a miss isn't counted: %s", _told(why))
        return None

    def _saved(self, outcome: Outcome, status: int, code: Optional[str]) -> Flow[Optional[str]]:
        """Returns the path of the file with the redacted request; None if there is none."""
        if self._folder is None or outcome.body is None:
            return None
        try:
            if not self._folder.has_room():
                return None
            request = yield self._keeper.redact(json.loads(outcome.body), **self._named)
            about = {"provider": outcome.provider, "status": status, "code": code}
            return self._folder.write({**about, "request": request})
        except Exception as why:
            log.warning("a miss isn't saved: %s", _told(why))
        return None


def _told(why: Exception) -> str:
    """What the log may say of an error: the text of those that have no content, else the type."""
    return str(why) if isinstance(why, (TurnkeeperError, OSError)) else type(why).__name__
