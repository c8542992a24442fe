# SPDX-License-Identifier: Apache-2.0
"""JSON Patch (RFC 6902) that shares structure.

The result is a new document; the argument is never changed. Only the containers on the way to an
edited place are new, everything else is the very same object in both.

    document  {"messages": [m0, m1, m2]}    remove /messages/1/content/0

    _Object ── "messages" ── _Array ──┬── m0            shared
                                      ├── _Object ── "content" ── _Array   m1, copied
                                      └── m2            shared

While operations run, each container that had to be copied is in the tree as an _Object or an
_Array; at the end one walk over these turns them into plain dicts and lists. An _Array is a gap
buffer: a run of edits that moves through a list in one direction costs the way it moves, so 10^5
removals from a list of 10^5 parts aren't quadratic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn, Union

from .errors import PatchError
from .sent import as_sent


class _Object:
    """A dict that this patch copied."""

    __slots__ = ("items",)

    def __init__(self, source: Mapping[str, Any]) -> None:
        self.items: dict[str, Any] = dict(source)

    def get(self, key: str) -> Any:
        return _member(self.items, key)

    def set(self, key: str, value: Any) -> None:
        self.items[key] = value

    def add(self, key: str, value: Any) -> None:
        self.items[key] = value

    def take(self, key: str) -> Any:
        value = self.get(key)
        del self.items[key]
        return value

    def plain(self) -> tuple[Any, Iterable[tuple[Any, Any]]]:
        return dict(self.items), self.items.items()


class _Array:
    """A list that this patch copied: the elements before the gap, and, reversed, those after it."""

    __slots__ = ("front", "back")

    def __init__(self, source: Iterable[Any]) -> None:
        self.front: list[Any] = list(source)
        self.back: list[Any] = []

    def __len__(self) -> int:
        return len(self.front) + len(self.back)

    def get(self, key: str) -> Any:
        side, at = self._place(_index(key, len(self) - 1))
        return side[at]

    def set(self, key: str, value: Any) -> None:
        side, at = self._place(_index(key, len(self) - 1))
        side[at] = value

    def add(self, key: str, value: Any) -> None:
        self._move(len(self) if key == "-" else _index(key, len(self)))
        self.front.append(value)

    def take(self, key: str) -> Any:
        self._move(_index(key, len(self) - 1))
        return self.back.pop()

    def plain(self) -> tuple[Any, Iterable[tuple[Any, Any]]]:
        self._move(len(self))
        return list(self.front), enumerate(self.front)

    def _place(self, index: int) -> tuple[list[Any], int]:
        if index < len(self.front):
            return self.front, index
        return self.back, len(self) - 1 - index

    def _move(self, gap: int) -> None:
        """Moves the gap before element number `gap`."""
        front, back = self.front, self.back
        if gap < len(front):
            back.extend(reversed(front[gap:]))
            del front[gap:]
        elif gap > len(front):
            start = len(self) - gap
            front.extend(reversed(back[start:]))
            del back[start:]


_Copied = Union[_Object, _Array]
_PLAIN = (_Object, _Array, dict, list, tuple, str, int, float)


class _Tree:
    """The document while operations run."""

    def __init__(self, document: Any) -> None:
        self.root: Any = document

    # The six operations of the standard.

    def add(self, op: Mapping[str, Any]) -> None:
        self._put(_tokens(op, "path"), _value(op))

    def remove(self, op: Mapping[str, Any]) -> None:
        self._take(_tokens(op, "path"))

    def replace(self, op: Mapping[str, Any]) -> None:
        path = _tokens(op, "path")
        if not path:
            self.root = _value(op)
            return
        parent = self._open(path[:-1])
        parent.get(path[-1])
        parent.set(path[-1], _value(op))

    def move(self, op: Mapping[str, Any]) -> None:
        source, path = _tokens(op, "from"), _tokens(op, "path")
        if len(source) < len(path) and path[: len(source)] == source:
            _misfit("a move into itself", op["path"])
        self._put(path, self._take(source))

    def copy(self, op: Mapping[str, Any]) -> None:
        # Plain: the two places may be edited apart later, so neither may own what both show.
        self._put(_tokens(op, "path"), _frozen(self._look(_tokens(op, "from"))))

    def test(self, op: Mapping[str, Any]) -> None:
        if not _equal(_frozen(self._look(_tokens(op, "path"))), _value(op)):
            _misfit("another value", op["path"])

    # These differ for documents in memory and for JSON text.

    # Ways through the tree.

    def _look(self, path: list[str]) -> Any:
        node = self.root
        for token in path:
            node = _child(node, token)
        return node

    def _open(self, path: list[str]) -> _Copied:
        """The container at `path`; it and all on the way to it are this patch's own copies."""
        here: _Copied
        self.root = here = _copied(self.root, "")
        for token in path:
            child = here.get(token)
            own = _copied(child, token)
            if own is not child:
                here.set(token, own)
            here = own
        return here

    def _put(self, path: list[str], value: Any) -> None:
        if path:
            self._open(path[:-1]).add(path[-1], value)
        else:
            self.root = value

    def _take(self, path: list[str]) -> Any:
        if not path:
            _misfit("nothing to take the root from", "")
        return self._open(path[:-1]).take(path[-1])


def _child(node: Any, token: str) -> Any:
    if isinstance(node, (_Object, _Array)):
        return _copied(node, token).get(token)
    node = _plain(node)
    if isinstance(node, Mapping):
        return _member(node, token)
    if isinstance(node, (list, tuple)):
        return node[_index(token, len(node) - 1)]
    _misfit("no container", token)


def _member(items: Mapping[str, Any], key: str) -> Any:
    if key not in items:
        _misfit("no member", key)
    return items[key]


def _index(key: str, last: int) -> int:
    plain = key.isascii() and key.isdigit() and (key == "0" or key[0] != "0")
    if not plain or len(key) > 12 or int(key) > last:
        _misfit("no place", key)
    return int(key)


def _plain(node: Any) -> Any:
    """A value of the document; where it is an object, in the form in which it was sent."""
    if node is None or isinstance(node, _PLAIN):
        return node
    try:
        return as_sent(node)
    except TypeError:
        return node


def _copied(node: Any, token: str) -> _Copied:
    node = _plain(node)
    if isinstance(node, (_Object, _Array)):
        return node
    if isinstance(node, Mapping):
        return _Object(node)
    if isinstance(node, (list, tuple)):
        return _Array(node)
    _misfit("no container", token)


def _frozen(node: Any) -> Any:
    """The node with plain containers for the copied ones at and below it; they stay as they are."""
    top = [node]
    todo: list[tuple[Any, Any, Any]] = [(top, 0, node)]
    for holder, key, value in todo:
        if isinstance(value, (_Object, _Array)):
            holder[key], items = value.plain()
            todo.extend((holder[key], k, v) for k, v in items if type(v) in (_Object, _Array))
    return top[0]


def _misfit(what: str, where: Any) -> NoReturn:
    raise PatchError(what, data={"at": where})  # a key may be content: not into the text


def _tokens(op: Mapping[str, Any], member: str) -> list[str]:
    path = op.get(member)
    if not isinstance(path, str) or (path and path[0] != "/"):
        _misfit("no JSON Pointer", member)
    return [t.replace("~1", "/").replace("~0", "~") for t in path.split("/")[1:]]


def _value(op: Mapping[str, Any]) -> Any:
    if "value" not in op:
        _misfit("no value", op.get("path"))
    return op["value"]


def _equal(a: Any, b: Any) -> bool:
    """Equality of JSON: numbers by value, but true is not 1."""
    a = _plain(a)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(_equal, a, b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_equal(a[k], b[k]) for k in a)
    return bool(a == b)


_OPERATIONS = {
    "add": _Tree.add,
    "remove": _Tree.remove,
    "replace": _Tree.replace,
    "move": _Tree.move,
    "copy": _Tree.copy,
    "test": _Tree.test,
}


def apply_patch(document: Any, patch: Iterable[Mapping[str, Any]]) -> Any:
    """A new document with the operations applied in order; PatchError if one doesn't fit.

    Nothing of `document` is changed or copied beyond the containers on edited paths. Values that
    the patch brings are put in as they are, so don't change them through the result and then use
    the patch again.
    """
    tree = _Tree(document)
    _run(tree, patch)
    return _frozen(tree.root)


def _run(tree: _Tree, patch: Iterable[Mapping[str, Any]]) -> None:
    for op in patch:
        name = op.get("op") if isinstance(op, Mapping) else None
        run = _OPERATIONS.get(name) if isinstance(name, str) else None
        if run is None:
            _misfit("no operation", name)
        run(tree, op)
