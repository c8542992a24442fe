# SPDX-License-Identifier: Apache-2.0
"""What a guard tells the program that uses it: an Event for each request that it repaired or refused, or that the
provider refuses although the guard called it sound (misses.py).

    guard = GuardTransport(inner, keeper=turnkeeper.Local(), on_event=count)

Events have codes and counts, and nothing of what was said.
"""

from __future__ import annotations

import inspect
import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Callable, Literal, Optional

from .errors import UnsafeHistory
from .refusals import Refused
from .results import Edit

log = logging.getLogger("turnkeeper")


@dataclass(frozen=True)
class Event:
    """
    kind      "repaired": the request was edited and leaves after this; "refused": it doesn't leave; "missed": it was
              called sound, as it was or repaired, and the provider answers with status 400 or 422
    provider  whose rules hold: "anthropic", "openai-chat", "openai-responses"
    caller    the name that the guard's option `caller` gives, else the keeper's own; None: neither has one
    codes     how often each rule's code occurs: among the edits of a repaired request, among the findings of a
              refused one (of one that can't be edited because a header binds its body: among the edits that it needs).
              Empty for a request that is refused because it can't be judged
    actions   how many edits of each kind a repaired request has: "drop", "rewrite", "move"...
    status    of the provider's answer to a missed request
    code      the rule that the words of that answer belong to; None: no rule, or the keeper couldn't be asked
    saved     the path of the file that has the missed request, redacted; None: there is none
    """

    kind: Literal["repaired", "refused", "missed"]
    provider: str
    caller: Optional[str] = None
    codes: Mapping[str, int] = field(default_factory=dict)
    actions: Mapping[str, int] = field(default_factory=dict)
    status: Optional[int] = None
    code: Optional[str] = None
    saved: Optional[str] = None


OnEvent = Callable[[Event], None]


@dataclass
class Outcome:
    """What a guard found out about one request, for its events. `edits`: those that it leaves with. `body`: the JSON
    text that the keeper calls sound and that leaves; None: it leaves otherwise, or nobody judged it."""

    provider: str
    edits: tuple[Edit, ...] = ()
    body: Optional[bytes] = None


class Events:
    """Tells the events of one guard. Threads may share it."""

    def __init__(self, on_event: Optional[OnEvent], caller: Optional[str]) -> None:
        if on_event is not None and not callable(on_event):
            raise TypeError("on_event: a function of an Event, not %s" % type(on_event).__name__)
        if inspect.iscoroutinefunction(on_event):
            raise TypeError("on_event: a plain function; it isn't awaited")
        self._on_event = on_event
        self._caller = caller

    @property
    def heard(self) -> bool:
        """True if there is somebody to tell."""
        return self._on_event is not None

    def leaves(self, outcome: Outcome) -> None:
        """Tells of the edits of a request that is about to leave; nothing if it has none."""
        if outcome.edits:
            actions = Counter(edit.action for edit in outcome.edits)
            self._tell("repaired", outcome, codes=_codes(outcome.edits), actions=dict(actions))

    def refused(self, outcome: Outcome, refused: Refused) -> None:
        """Tells of a request that doesn't leave."""
        self._tell("refused", outcome, codes=_found(refused))

    def missed(
        self, outcome: Outcome, status: int, code: Optional[str], saved: Optional[str]
    ) -> None:
        """Tells of a request that the provider refused."""
        self._tell("missed", outcome, status=status, code=code, saved=saved)

    def _tell(self, kind: Any, outcome: Outcome, **more: Any) -> None:
        if self._on_event is None:
            return
        try:
            self._on_event(Event(kind, outcome.provider, self._caller, **more))
        except Exception as why:  # its text may quote whatever that program works on
            log.warning("on_event raised %s; the request isn't affected", type(why).__name__)


def _codes(found: Iterable[Any]) -> dict[str, int]:
    return dict(Counter(each.code for each in found))


def _found(refused: Refused) -> dict[str, int]:
    """The findings of a refused request by code."""
    error = refused.error
    if not isinstance(error, UnsafeHistory):
        return _codes(refused.edits)
    counts = error.data.get("counts")  # of all findings, where `violations` lists the first ones
    return dict(counts) if isinstance(counts, dict) else _codes(error.violations)
