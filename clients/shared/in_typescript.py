# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of the client in TypeScript."""
import json
import os
import re

from said import BY_HAND, NOTICE, camel, class_of, families, policy_keys, sentence, vocabularies

HEAD = "// SPDX-License-Identifier: Apache-2.0\n/**\n * %s\n *\n * %s\n */\n\n"


# -- tables.ts


def value(name, given):
    if not isinstance(given, str):
        return "[%s]" % ", ".join(map(json.dumps, given)) if isinstance(given, list) else json.dumps(given)
    if name == "path":
        return "/%s$/" % given.replace("/", "\\/")
    return "/^%s$/" % given if name == "host" else json.dumps(given)


def row(given):
    return "  { %s },\n" % ", ".join("%s: %s" % (name, value(name, member)) for name, member in given.items())


def tables(table):
    kinds = (("PROVIDERS", "Provider", "providers"), ("ROUTES", "Route", "routes"), ("HOSTS", "Host", "hosts"))
    lists = ["export const %s: readonly %s[] = [\n%s];\n" % (name, kind, "".join(map(row, table[key]))) for name, kind, key in kinds]
    servers = "".join("  [%s, %s],\n" % (json.dumps(of["host"]), json.dumps(of["server"])) for of in table["servers"])
    lists.append("export const SERVERS: readonly (readonly [string, string])[] = [\n%s];\n" % servers)
    return (HEAD % ("Providers, routes and hosts of the guards.", NOTICE) +
            'import type { Host, Route } from "./guard/routes.js";\nimport type { Provider } from "./providers.js";\n\n' + "\n".join(lists))


# -- errors_by_name.ts


def error(given, of):
    family = of[given["code"]]
    lines = ['NAME: string = "%s"' % given["name"]]
    if given["name"] == family:
        lines.append("CODE: number | null = %d" % given["code"])
    if given["retryable"]:
        lines.append("RETRYABLE: boolean = true")
    base = "RemoteError" if given["name"] == family else class_of(family)
    return "/** %s */\nexport class %s extends %s {\n%s}\n" % (
        sentence(given["text"]), class_of(given["name"]), base, "".join("  static override readonly %s;\n" % line for line in lines))


def errors(info):
    of = families(info)
    rows = [given for given in info["errors"] if given["name"] not in BY_HAND]
    rows.sort(key=lambda given: of[given["code"]] != given["name"])  # a class comes after its base
    hand = ", ".join(sorted(class_of(name) for name in BY_HAND))
    bases = ", ".join(sorted({class_of(of[given["code"]]) for given in rows} & set(map(class_of, BY_HAND))))
    about = "Errors that the other side answers with: one class a name. Those with data of their own are in errors_with_data.ts."
    return (HEAD % (about, NOTICE) + 'import { RemoteError } from "./errors.js";\nimport { %s } from "./errors_with_data.js";\n\n' % bases +
            'export { %s } from "./errors_with_data.js";\n\n' % hand + "\n".join(error(given, of) for given in rows))


# -- words.ts


def union(words):
    return " | ".join(map(json.dumps, words))


def type_of(name, schema):
    if name == "base":
        return "PolicyName"
    if "enum" in schema:
        return union(schema["enum"])
    return "boolean" if schema["type"] == "boolean" else "readonly string[] | null"


def words(info):
    about = {"provider": "The providers whose rules are judged; a newer core may know more.", "dialect": "The shapes of messages.",
             "endpoint": "Endpoints of a target. Each provider has some of them.", "server": "Servers that copy an API.",
             "policy": "Policies by name."}
    lists = ["/** %s */\nexport type %sName = %s;\n" % (about[kind], camel(kind), union(names)) for kind, names in vocabularies(info).items()]
    lists.append("export const POLICIES: readonly PolicyName[] = [%s];\n" % ", ".join(map(json.dumps, info["policies"])))
    keys = list(policy_keys(info))
    lists.append("/** Keys that override those of their `base`; RULES.md 5 says what each is about. */\nexport interface PolicyKeys {\n%s}\n" % "".join(
        "  /** %s. */\n  readonly %s?: %s;\n" % (schema["description"], name, type_of(name, schema)) for name, schema in keys))
    lists.append("/** The words of each key; null: it has no words. */\nexport const POLICY_KEYS: { "
                 "readonly [K in keyof PolicyKeys]-?: readonly string[] | null } = {\n%s};\n" % "".join(
                     "  %s: %s,\n" % (name, "[%s]" % ", ".join(map(json.dumps, schema["enum"])) if "enum" in schema else "null")
                     for name, schema in keys))
    return HEAD % ("Words of parameters.", NOTICE) + "\n".join(lists)


# -- parameters.ts

# Parameters that are arguments of a method, or the client's own.
ARGUMENTS = {"return", "timeout_ms", "caller", "messages"}
METHODS = {
    "validate": {"request"}, "repair": {"request"}, "repair_turn": {"content"}, "seal": {"content", "message"},
    "splice": {"request", "history", "assistant"}, "tools": {"request", "tools"}, "prepare": {"request"}, "explain": {"text"},
    "redact": {"request", "document", "at"}, "pair": {"response"}, "stream.open": {"stream"}, "fit": {"request", "over", "dialect"},
}
TYPES = {
    "add": "readonly (string | object)[]", "appended": "readonly object[]", "betas": "string | readonly string[]",
    "carry_in": "readonly unknown[]", "history": "readonly object[] | Uint8Array", "options": "Readonly<Record<string, string | number>>",
    "policy": "Policy", "request": "object | string | Uint8Array", "seals": "readonly Sealed[]",
    "splice": "SpliceStep & { assistant: object }", "stop_reason": "string | null", "target": "Target",
    "tool_results": "readonly object[]", "tools": "ToolsParameters", "seal.request": "object",
    "keep": "FitKeep", "keep.tools": "readonly string[]", "fit": "FitStep & { over: number }",
}
CLOSED = {"emit", "provider_input"}  # the other words may be those of a newer daemon
PLAIN = {"string": "string", "integer": "number", "boolean": "boolean"}


def typed(method, name, schema):
    given = TYPES.get("%s.%s" % (method, name)) or TYPES.get(name)
    if given:
        return given
    if "enum" in schema:
        return union(schema["enum"]) if name in CLOSED else "OrNewer<%s>" % union(schema["enum"])
    if schema["type"] == "array":
        return "readonly %s[]" % bracketed(typed(method, name, schema["items"]))
    return PLAIN[schema["type"]]


def bracketed(kind):
    """A type as that of a list's elements."""
    return "(%s)" % kind if " | " in re.sub("<.*>", "", kind) else kind


def spelled(name):
    return name.split("_")[0] + camel("_".join(name.split("_")[1:]))


def remark(schema):
    default = schema.get("default")
    after = "" if default in (None, False) else " Default: %s." % json.dumps(default)
    return "  /** %s.%s */\n" % (schema["description"], after)


def interface(name, method, rows, spell=spelled, base=""):
    members = "".join("%s  %s?: %s;\n" % (remark(schema), spell(key), typed(method, key, schema)) for key, schema in rows)
    return "export interface %s%s {\n%s}\n" % (name, base and " extends " + base, members)


def described(info):
    found = {method["name"]: method["params"]["properties"] for method in info["methods"]}
    step, splice = (found["prepare"][name]["properties"] for name in ("fit", "splice"))
    lists = [interface("Target", "target", found["validate"]["target"]["properties"].items()),
             interface("FitKeep", "keep", step["keep"]["properties"].items(), str),
             interface("FitStep", "fit", [row for row in step.items() if row[0] != "over"]),
             interface("SpliceStep", "splice", [row for row in splice.items() if row[0] != "assistant"])]
    for method, arguments in METHODS.items():
        base = "FitStep" if method == "fit" else ""
        without = ARGUMENTS | arguments | (set(step) if base else set())
        rows = [row for row in found[method].items() if row[0] not in without]
        lists.append(interface(camel(method.replace(".", "_")) + "Parameters", method, rows, base=base))
    about = "Parameters of the methods, as options: what isn't an argument of a method or the client's own."
    return (HEAD % (about, NOTICE) + 'import type { Sealed } from "./params.js";\nimport type { Policy } from "./policy.js";\n\n'
            "/** A word that this release knows, or one of a newer daemon. */\n"
            "export type OrNewer<T extends string> = T | (string & {});\n\n" + "\n".join(lists))


def files(table, info):
    made = (("tables", tables(table)), ("errors_by_name", errors(info)), ("words", words(info)), ("parameters", described(info)))
    for name, text in made:
        yield os.path.join("src", name + ".ts"), text
