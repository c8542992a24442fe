# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of the client in Python."""
import ast
import json
import os

from said import BY_HAND, NOTICE, class_of, families, parameters, policy_keys, sentence

HEAD = '# SPDX-License-Identifier: Apache-2.0\n"""%s\n\n%s\n"""\n\nfrom __future__ import annotations\n\n'
HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH = 100


# -- tables.py


def value(given):
    if isinstance(given, dict):
        return "{%s}" % ", ".join("%s: %s" % (value(k), value(v)) for k, v in given.items())
    if isinstance(given, list):
        return "(%s,)" % ", ".join(map(value, given))
    if isinstance(given, str):
        return '%s"%s"' % ("r" if "\\" in given else "", given)
    return repr(given)


def tables(table):
    lists = ("%s: tuple[dict[str, Any], ...] = (\n%s)\n" % (
        name.upper(), "".join("    %s,\n" % value(row) for row in table[name])) for name in ("providers", "routes", "hosts", "servers"))
    return HEAD % ("Providers, routes and hosts of the guards.", NOTICE) + "from typing import Any\n\n" + "\n".join(lists)


# -- errors.py


def error(row, of):
    family = of[row["code"]]
    own = '    NAME = "%s"\n' % row["name"]
    if row["name"] == family:
        own += "    CODE = %d\n" % row["code"]
    if row["retryable"]:
        own += "    RETRYABLE = True\n"
    base = "RemoteError" if row["name"] == family else class_of(family)
    if base == "RemoteError" or family in BY_HAND:
        base = "errors_base." + base
    return 'class %s(%s):\n    """%s"""\n\n%s\n\n' % (class_of(row["name"]), base, sentence(row["text"]), own)


def by_hand():
    """Returns the names that errors_base.py offers."""
    with open(os.path.join(HERE, "..", "python", "src", "turnkeeper", "errors_base.py"), encoding="utf-8") as f:
        assigned = [node for node in ast.parse(f.read()).body if isinstance(node, ast.Assign)]
    return next(ast.literal_eval(node.value) for node in assigned if node.targets[0].id == "__all__")


def errors(info):
    of = families(info)
    rows = [row for row in info["errors"] if row["name"] not in BY_HAND]
    rows.sort(key=lambda row: of[row["code"]] != row["name"])  # a class comes after its base
    names = "".join('    "%s",\n' % name for name in sorted([*map(class_of, (row["name"] for row in rows)), *by_hand()]))
    about = ("Everything that this package raises on purpose: what errors_base.py has, and a class for each other name that a\n"
             "daemon's error may have.")
    return (HEAD % (about, NOTICE) + "from . import errors_base\nfrom .errors_base import *\n\n"
            "__all__ = [\n" + names + "]\n\n\n" + "".join(error(row, of) for row in rows)).rstrip() + "\n"


# -- policy.py


def type_of(schema):
    if "enum" in schema:
        return "Literal[%s]" % ", ".join('"%s"' % word for word in schema["enum"])
    return "bool" if schema["type"] == "boolean" else "Optional[Sequence[str]]"


def policy(info):
    names = "PolicyName = Literal[%s]\n" % ", ".join('"%s"' % name for name in info["policies"])
    keys = "".join("    # %s.\n    %s: %s\n" % (
        schema["description"], name, "PolicyName" if name == "base" else type_of(schema)) for name, schema in policy_keys(info))
    return (HEAD % ("The parameter `policy`.", NOTICE) +
            "from collections.abc import Sequence\nfrom typing import Literal, Optional, TypedDict, Union\n\n" + names +
            "\n\nclass PolicyKeys(TypedDict, total=False):\n"
            '    """What may be done about each kind of fault (RULES.md 5); `base` has the values of all keys that are absent."""\n\n' +
            keys + "\n\nPolicy = Union[PolicyName, PolicyKeys]\n")


# -- parameters.py


def help_of(schema):
    text = schema["description"]
    if not text[1:2].isupper():
        text = text[:1].lower() + text[1:]
    words = ['"%s"' % word for word in schema.get("enum", ())]
    default = schema.get("default")
    if default in schema.get("enum", ()):
        words[schema["enum"].index(default)] += " (default)"
    if words:
        text += ": " + ", ".join(words)
    elif default not in (None, False) and not isinstance(default, (dict, list)):
        text += "; default: %s" % (default if default is True else json.dumps(default))
    return text


def helps(info):
    """Returns the help of each parameter by its name; by method and name where an earlier method's is another."""
    found = {}
    for method, name, schema in parameters(info):
        text = help_of(schema)
        if found.setdefault(name, text) != text:
            found["%s.%s" % (method, name)] = text
    return found


def quoted(name, text):
    line = "    %s: %s,\n" % (json.dumps(name), json.dumps(text))
    if len(line) <= WIDTH + 1:
        return line
    pieces, rest = [], text
    while rest:
        piece, rest = split(rest)
        pieces.append("        %s\n" % json.dumps(piece))
    return "    %s:\n%s,\n" % (json.dumps(name), "".join(pieces).rstrip("\n"))


def split(text):
    room = WIDTH - 16
    if len(text) <= room:
        return text, ""
    at = text.rindex(" ", 0, room) + 1
    return text[:at], text[at:]


def described(info):
    rows = "".join(quoted(name, text) for name, text in helps(info).items())
    about = "The help of each parameter, by its name; by method and name where methods differ."
    return HEAD % (about, NOTICE) + "HELP = {\n" + rows + "}\n"


def files(table, info):
    for name, text in (("tables", tables(table)), ("errors", errors(info)), ("policy", policy(info)), ("parameters", described(info))):
        yield os.path.join("src", "turnkeeper", name + ".py"), text
