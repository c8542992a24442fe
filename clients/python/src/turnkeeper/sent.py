# SPDX-License-Identifier: Apache-2.0
"""Objects of SDKs, as the SDKs send them.

    as_sent(block)     what one object is on the wire: a dict, a list or a string
    misfit(value)      the first place in a value that has no such form, and why

What has `model_dump` (pydantic, thus the blocks and messages of Anthropic's SDK) is asked for what the
SDK itself asks for: JSON types, names of the wire, no member that nobody set, none that the class keeps
from requests. Dataclasses give their fields, but for those that are None by default and still so;
mappings, sequences and views of a dict give what they hold; dates are text.

Sets have no order and iterators are gone once they are read, so both are refused.
"""

from __future__ import annotations

import dataclasses
from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from datetime import date
from typing import Any, Optional

from .places import joined

DEEPEST = 900  # containers in one another; the module json ends at the interpreter's own limit


def is_object(value: Any) -> bool:
    """True for an object of a class that lists its members itself."""
    return not isinstance(value, type) and (
        callable(getattr(value, "model_dump", None)) or dataclasses.is_dataclass(value)
    )


def as_sent(value: Any) -> Any:
    """One object in the form in which it travels; what is in that may be objects again.

    TypeError, without any content in it, for what has no such form.
    """
    if isinstance(value, type):
        raise TypeError("a class, not an object of it")
    if callable(getattr(value, "model_dump", None)):
        return _dumped(value)
    if dataclasses.is_dataclass(value):
        return _fields(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, _LISTS) and not isinstance(value, _BYTES):
        return list(value)
    if isinstance(value, date):  # and datetime
        return value.isoformat()
    if isinstance(value, Iterator):
        raise TypeError("an iterator, which can be read only once; make a list of it")
    raise TypeError("no form in JSON")


_BYTES = (str, bytes, bytearray, memoryview)
_LISTS = (Sequence, KeysView, ValuesView, ItemsView)


def _dumped(value: Any) -> Any:
    options: dict[str, Any] = {"mode": "json", "by_alias": True, "exclude_unset": True}
    kept_back = getattr(value, "__api_exclude__", None)
    if kept_back is not None:
        options["exclude"] = kept_back
    try:
        return value.model_dump(**options)
    except Exception as why:  # anything: the class may be anybody's
        raise TypeError("its model_dump() raised %s" % type(why).__name__) from why


def _fields(value: Any) -> dict[str, Any]:
    found = ((f, getattr(value, f.name)) for f in dataclasses.fields(value))
    return {f.name: item for f, item in found if item is not None or f.default is not None}


def misfit(value: Any) -> Optional[tuple[str, str]]:
    """The pointer of the first value, in document order, that can't be sent, and what is wrong."""
    path: list[str] = []
    items: list[Iterator[tuple[str, Any]]] = []
    reason = _enter(value, items)
    while reason is None and items:
        pair = next(items[-1], None)
        if pair is None:
            items.pop()
            continue
        del path[len(items) - 1 :]
        path.append(pair[0])
        reason = _enter(pair[1], items)
    return None if reason is None else (joined(path), reason)


def _enter(value: Any, items: list[Iterator[tuple[str, Any]]]) -> Optional[str]:
    """Says what is wrong with a value itself; adds what is in it to be looked at next."""
    given = type(value).__name__
    try:
        for _ in range(DEEPEST):
            if value is None or isinstance(value, (str, int, float, dict, list, tuple)):
                break
            value = as_sent(value)
    except TypeError as why:
        return "%s: %s" % (given, why)
    if isinstance(value, float) and value - value != 0:
        return "float: JSON has no NaN and no infinity"
    if len(items) > DEEPEST:
        return "%s: nested too deeply, or in itself" % given
    if isinstance(value, dict):
        wrong = next((k for k in value if not isinstance(k, (str, int, float, type(None)))), None)
        if wrong is not None:
            return "%s: a key that is a %s" % (given, type(wrong).__name__)
        items.append((str(k), v) for k, v in value.items())
    elif isinstance(value, (list, tuple)):
        items.append((str(n), v) for n, v in enumerate(value))
    return None
