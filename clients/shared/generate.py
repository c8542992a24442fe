#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of the clients in Python, Go and TypeScript from routes.json.

    generate.py           writes them
    generate.py --check   exits with 1 if one isn't what it would write
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENTS = os.path.dirname(HERE)
NOTICE = "Made by clients/shared/generate.py from routes.json: change that."
FLAGS = ("counts", "versioned", "streams")


def table():
    with open(os.path.join(HERE, "routes.json"), encoding="utf-8") as f:
        return json.load(f)


# -- Python


def python_value(value):
    if isinstance(value, dict):
        return "{%s}" % ", ".join("%s: %s" % (python_value(k), python_value(v)) for k, v in value.items())
    if isinstance(value, list):
        return "(%s,)" % ", ".join(map(python_value, value))
    if isinstance(value, str):
        return "%s%s" % ("r" if "\\" in value else "", '"%s"' % value)
    return repr(value)


def python_rows(name, rows):
    return "%s: tuple[dict[str, Any], ...] = (\n%s)\n" % (name, "".join("    %s,\n" % python_value(row) for row in rows))


def python(made):
    lists = [python_rows(name.upper(), made[name]) for name in ("providers", "routes", "hosts", "servers")]
    return ('# SPDX-License-Identifier: Apache-2.0\n"""%s"""\n\n'
            "from __future__ import annotations\n\nfrom typing import Any\n\n" % NOTICE) + "\n".join(lists)


# -- Go


def go_members(*given):
    return "{%s}" % ", ".join("%s: %s" % member for member in given if member[1] not in ("false", "nil", '""'))


def go_bool(row, name):
    return name, "true" if row.get(name) else "false"


def go_words(words):
    return "[]string{%s}" % ", ".join('"%s"' % word for word in words)


def go_provider(row):
    words = [(name, '"%s"' % row[name]) for name in ("name", "list", "refusal")]
    return "\t%s,\n" % go_members(*words, go_bool(row, "prepares"), go_bool(row, "servers"))


def go_route(row):
    target = "Target{Endpoint: \"%s\"}" % row["endpoint"] if "endpoint" in row else "nil"
    api = 'apiOf("%s")' % row["provider"] if row["provider"] else "nil"
    to = go_members(("api", api), ("target", target), *(go_bool(row, name) for name in FLAGS))
    return "\t{ending(`%s`), destination%s},\n" % (row["path"], to)


def go_host(row):
    return "\t{whole(`%s`), \"%s\", %s},\n" % (row["host"], row["endpoint"], go_words(row["providers"]))


def go(made):
    lists = (("apis = []*api", "providers", go_provider), ("routes = []route", "routes", go_route),
             ("hosts = []host", "hosts", go_host),
             ("servers = []server", "servers", lambda row: '\t{"%s", "%s"},\n' % (row["host"], row["server"])))
    return "// SPDX-License-Identifier: Apache-2.0\n\npackage turnkeeper\n\n// %s\n\n%s" % (
        NOTICE, "\n".join("var %s{\n%s}\n" % (name, "".join(map(line, made[key]))) for name, key, line in lists))


# -- TypeScript


def typescript_value(name, value):
    if isinstance(value, str):
        if name == "path":
            return "/%s$/" % value.replace("/", "\\/")
        return "/^%s$/" % value if name == "host" and "\\" in value else json.dumps(value)
    return "[%s]" % ", ".join(map(json.dumps, value)) if isinstance(value, list) else json.dumps(value)


def typescript_row(row):
    return "  { %s },\n" % ", ".join("%s: %s" % (name, typescript_value(name, value)) for name, value in row.items())


def typescript(made):
    kinds = (("PROVIDERS", "Provider", "providers"), ("ROUTES", "Route", "routes"), ("HOSTS", "Host", "hosts"))
    lists = ["export const %s: readonly %s[] = [\n%s];\n" % (name, kind, "".join(map(typescript_row, made[key])))
             for name, kind, key in kinds]
    servers = "".join("  [%s, %s],\n" % (json.dumps(row["host"]), json.dumps(row["server"])) for row in made["servers"])
    return ("// SPDX-License-Identifier: Apache-2.0\n/** %s */\n\n"
            'import type { Host, Route } from "./guard/routes.js";\nimport type { Provider } from "./providers.js";\n\n'
            "%s\nexport const SERVERS: readonly (readonly [string, string])[] = [\n%s];\n") % (
                NOTICE, "\n".join(lists), servers)


def files():
    made = table()
    yield os.path.join("python", "src", "turnkeeper", "tables.py"), python(made)
    yield os.path.join("go", "tables.go"), go(made)
    yield os.path.join("typescript", "src", "tables.ts"), typescript(made)


def main(check):
    stale = False
    for name, wanted in files():
        path = os.path.join(CLIENTS, name)
        current = open(path, encoding="utf-8").read() if os.path.exists(path) else None
        if current == wanted:
            continue
        stale = True
        if check:
            print("clients/%s isn't what clients/shared/generate.py makes" % name)
        else:
            with open(path, "w", encoding="utf-8") as f:
                f.write(wanted)
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["--check"]))
