# SPDX-License-Identifier: Apache-2.0
"""JSON text as a tree that remembers its bytes.

A Node is the text of a value until somebody looks inside; then it is a list of child nodes. An
RFC 6902 patch applied to such a tree opens just the containers that it works in, so what is still
text afterwards is what the patch left alone: `compare` finds whether the daemon's reply has
the same bytes there.
"""
import json

_scan = json.JSONDecoder().raw_decode
_WHITE = " \t\n\r"


def _skip(text, at):
    while text[at] in _WHITE:
        at += 1
    return at


class Node:
    __slots__ = ("text", "keys", "items", "kind")

    def __init__(self, text):
        self.text = text
        self.items = self.keys = None
        self.kind = text[0] if text[0] in "{[" else ""

    def open(self):
        """The children of a list: items. Of an object: items, and their keys (as text)."""
        if self.items is None and self.kind:
            self.items = []
            self.keys = [] if self.kind == "{" else None
            self._read()
        return self

    def _read(self):
        text = self.text
        at = _skip(text, 1)
        while text[at] not in "]}":
            if self.kind == "{":
                end = _scan(text, at)[1]
                self.keys.append(text[at:end])
                at = _skip(text, _skip(text, end) + 1)
            end = _scan(text, at)[1]
            self.items.append(Node(text[at:end]))
            at = _skip(text, end)
            if text[at] == ",":
                at = _skip(text, at + 1)

    def index(self, key):
        """Returns where the member of that (unescaped) name is; None if there is none."""
        for i, k in enumerate(self.keys):
            if json.loads(k) == key:
                return i
        return None

    def get(self, key):
        self.open()
        i = self.index(key)
        return None if i is None else self.items[i]

    def value(self):
        if self.items is None:
            return json.loads(self.text)
        values = [item.value() for item in self.items]
        return values if self.kind == "[" else dict(zip(map(json.loads, self.keys), values))


def _tokens(path):
    return [t.replace("~1", "/").replace("~0", "~") for t in path.split("/")[1:]]


def _parent(root, tokens):
    for token in tokens[:-1]:
        root.open()
        root = root.items[int(token)] if root.kind == "[" else root.get(token)
    return root.open()


def _add(root, path, node):
    tokens = _tokens(path)
    parent = _parent(root, tokens)
    if parent.kind == "[":
        at = int(tokens[-1])
        if at > len(parent.items):
            raise IndexError(path)
        parent.items.insert(at, node)
        return
    at = parent.index(tokens[-1])
    if at is not None:
        parent.items[at] = node
        return
    parent.keys.append(json.dumps(tokens[-1]))
    parent.items.append(node)


def _remove(root, path):
    tokens = _tokens(path)
    parent = _parent(root, tokens)
    at = int(tokens[-1]) if parent.kind == "[" else parent.index(tokens[-1])
    if parent.kind == "{":
        parent.keys.pop(at)
    return parent.items.pop(at)


def apply(root, patch):
    """patch: a Node of the list of operations. Changes root."""
    for op in patch.open().items:
        name, path = op.get("op").value(), op.get("path").value()
        if name == "add":
            _add(root, path, Node(op.get("value").text))
        elif name == "remove":
            _remove(root, path)
        elif name == "replace":
            tokens = _tokens(path)
            parent = _parent(root, tokens)
            at = int(tokens[-1]) if parent.kind == "[" else parent.index(tokens[-1])
            if at is None or not 0 <= at < len(parent.items):
                raise KeyError(path)
            parent.items[at] = Node(op.get("value").text)
        elif name == "move":
            _add(root, path, _remove(root, op.get("from").value()))
        else:
            raise ValueError(name)
    return root


def compare(want, got, at="", loose=0):
    """The first difference in bytes between a patched tree and a Node of the reply; None: none.

    loose: down to that depth white space between members and elements may differ.
    """
    if want.items is None:
        if want.text == got.text:
            return None
        if loose <= 0 or not want.kind:
            return "%s: %s became %s" % (at, want.text, got.text)
        want.open()
    got.open()
    if want.kind != got.kind or want.keys != got.keys or len(want.items) != len(got.items):
        return "%s: %s became %s" % (at, want.value(), got.text)
    for i, (w, g) in enumerate(zip(want.items, got.items)):
        difference = compare(w, g, "%s/%s" % (at, want.keys[i] if want.keys else i), loose - 1)
        if difference:
            return difference
    return None
