# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of the client in Go."""
from said import NOTICE, camel, families, vocabularies

HEAD = "// SPDX-License-Identifier: Apache-2.0\n\npackage turnkeeper\n\n// %s\n\n" % NOTICE
FLAGS = ("counts", "versioned", "streams")

# Names that are spelled as Go's own.
SPELLED = {"parse_error": "Parse", "openai": "OpenAI", "xai": "XAI", "vllm": "VLLM", "ai": "AI", "id": "ID",
           "openrouter": "OpenRouter", "deepseek": "DeepSeek"}
KINDS = {
    "provider": "Values of Params.Provider: the providers whose rules a daemon of this release judges.",
    "dialect": "Values of Params.Dialect.",
    "endpoint": "Values of Target.Endpoint. Each provider has some of them; the first one is the default.",
    "server": "Values of Target.Server.",
    "policy": "Values of Params.Policy that are names.",
}


def spelled(name):
    return SPELLED.get(name) or "".join(SPELLED.get(word, camel(word)) for word in name.replace("-", "_").split("_"))


# -- tables.go


def members(*given):
    return "{%s}" % ", ".join("%s: %s" % member for member in given if member[1] not in ("false", "nil"))


def flag(row, name):
    return name, "true" if row.get(name) else "false"


def provider(row):
    words = [(name, '"%s"' % row[name]) for name in ("name", "list", "refusal")]
    return "\t%s,\n" % members(*words, flag(row, "prepares"), flag(row, "servers"))


def route(row):
    target = 'Target{Endpoint: "%s"}' % row["endpoint"] if "endpoint" in row else "nil"
    api = 'apiOf("%s")' % row["provider"] if row["provider"] else "nil"
    to = members(("api", api), ("target", target), *(flag(row, name) for name in FLAGS))
    return "\t{ending(`%s`), destination%s},\n" % (row["path"], to)


def host(row):
    providers = ", ".join('"%s"' % name for name in row["providers"])
    return '\t{whole(`%s`), "%s", []string{%s}},\n' % (row["host"], row["endpoint"], providers)


def server(row):
    return '\t{"%s", "%s"},\n' % (row["host"], row["server"])


def tables(table):
    lists = (("apis = []*api", "providers", provider), ("routes = []route", "routes", route), ("hosts = []host", "hosts", host),
             ("servers = []server", "servers", server))
    return HEAD + "\n".join("var %s{\n%s}\n" % (name, "".join(map(line, table[key]))) for name, key, line in lists)


# -- names.go


def errors(info):
    of = families(info)
    about = ("// Errors that the daemon answers (as a [*RemoteError]). A name that belongs to a whole code of the protocol matches\n"
             "// all errors of that code: [ErrParse] matches [ErrTooDeep] too, and [ErrBusy] whatever a newer daemon may call its\n"
             "// refusals under the same code.\n")
    lines = "".join('\t// Err%s: %s\n\tErr%s Name = "%s"\n' % (spelled(row["name"]), row["text"] + ".", spelled(row["name"]), row["name"])
                    for row in info["errors"])
    for code, name in sorted(of.items()):
        if name not in [row["name"] for row in info["errors"]]:
            lines += '\t// Err%s: any error of the code %d.\n\tErr%s Name = "%s"\n' % (spelled(name), code, spelled(name), name)
    rows = "".join("\t%d: Err%s,\n" % (code, spelled(name)) for code, name in sorted(of.items()))
    return (about + "const (\n" + lines + ")\n\n// families has the name that matches all errors of a code.\n"
            "var families = map[int]Name{\n" + rows + "}\n")


def vocabulary(kind, words):
    rows = [(kind.capitalize() + spelled(word), word) for word in words]
    width = max(len(name) for name, _ in rows)
    return "// %s\nconst (\n%s)\n" % (KINDS[kind], "".join('\t%s = "%s"\n' % (name.ljust(width), word) for name, word in rows))


def names(info):
    lists = [errors(info)] + [vocabulary(kind, words) for kind, words in vocabularies(info).items()]
    return HEAD + "\n".join(lists)


def files(table, info):
    yield "tables.go", tables(table)
    yield "names.go", names(info)
