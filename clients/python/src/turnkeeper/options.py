# SPDX-License-Identifier: Apache-2.0
"""Checks a guard's options when it is made, so that its first request doesn't fail.

Values of a policy's keys are the daemon's to judge. Names are known here, so that a misspelled one is
told at once; a test holds them against the daemon of the same release.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from .params import TARGET, PolicyKeys, PolicyName

POLICIES: tuple[str, ...] = get_args(PolicyName)
POLICY_KEYS = tuple(PolicyKeys.__annotations__)

_caller = re.compile(r"[A-Za-z0-9._:-]{1,64}").fullmatch


def check_policy(policy: Any) -> None:
    """ValueError, or TypeError, in words, where it can be no policy."""
    if policy is None:
        return
    if isinstance(policy, str):
        _check_word("policy", policy, POLICIES)
    elif isinstance(policy, Mapping):
        for key in policy:
            _check_word("policy: the key", key, POLICY_KEYS)
        if "base" in policy:
            _check_word('policy["base"]', policy["base"], POLICIES)
    else:
        raise TypeError("policy: a name or a mapping, not %s" % type(policy).__name__)


def check_target(target: Any) -> None:
    """ValueError, or TypeError, in words, where it can be no target."""
    if target is None:
        return
    if not isinstance(target, Mapping):
        raise TypeError("target: a mapping, not %s" % type(target).__name__)
    for name in target:
        _check_word("target: the member", name, TARGET)


def _check_word(what: str, word: Any, known: Iterable[str]) -> None:
    if word in known:
        return
    close = difflib.get_close_matches(str(word), list(known), 1)
    meant = "; did you mean %r?" % close[0] if close else ""
    raise ValueError("%s: %r is none of %s%s" % (what, word, ", ".join(known), meant))


def check_caller(caller: Any) -> None:
    """TypeError or ValueError, in words, where it can be no parameter `caller`."""
    if caller is None:
        return
    if not isinstance(caller, str):
        raise TypeError("caller: a string, not %s" % type(caller).__name__)
    if not _caller(caller):
        raise ValueError('caller: 1 to 64 of A-Z, a-z, 0-9 and "._:-"')


def check_transport(guard: type, transport: Any, method: str, library: str) -> None:
    """TypeError, in words, where it can't be what this guard forwards requests to."""
    kind = type(transport)
    given = "%s.%s" % (kind.__module__.partition(".")[0], kind.__name__)
    if not callable(getattr(transport, method, None)):
        waits = "an asynchronous transport" if "async" in method else "a blocking transport"
        raise TypeError(
            "transport: %s needs %s of %s (one with %s), not %s"
            % (guard.__name__, waits, library, method, given)
        )
    roots = {base.__module__.partition(".")[0] for base in kind.__mro__} & {"httpx", "httpx2"}
    if roots and library not in roots:
        raise TypeError(
            "transport: turnkeeper.%s is for transports of %s, not %s; take %s from turnkeeper.%s"
            % (library, library, given, guard.__name__, min(roots))
        )
