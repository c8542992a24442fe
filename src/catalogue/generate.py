#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes codes.h and rows.c from catalogue.json, the one place where a rule is described.

    generate.py           writes both files next to this one
    generate.py --check   exits with 1 if one of them isn't what it would write

A rule of the catalogue that has a `text` is built: it gets a constant, TK_CODE_ and its code in capitals, and a row. Rows
are in the order of the catalogue, which is the order of reports. `judged_from` says more exactly than `needs` what must
be known to judge a rule; `policy_only` says that nothing judges it unless a policy key turns it on. A rule that isn't built and
that only the server can judge is a row of the second table: nothing looks for it. After those come the other rules that
this build doesn't judge, if the provider's words are known.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NOTICE = "/* Made by generate.py from catalogue.json: change those. */\n"
LICENCE = "/* SPDX-License-Identifier: Apache-2.0 */\n"
WIDTH = 100


def catalogue():
    with open(os.path.join(HERE, "catalogue.json"), encoding="utf-8") as f:
        return json.load(f)["rules"]


def rules():
    return [rule for rule in catalogue() if rule.get("text")]


def unjudged():
    """The refusals by providers of this build that no rule looks for."""
    built = {rule["provider"] for rule in rules()}
    return [rule for rule in catalogue() if rule["needs"] == "server" and rule["provider"] in built]


def foreign():
    """The rules that this build doesn't judge, most of them of other providers, by whose words a refusal can be told."""
    return [rule for rule in catalogue() if not rule.get("text") and rule not in unjudged() and rule["provider_error"]]


def constant(rule):
    return "TK_CODE_" + rule["code"].upper()


def pieces(text, room):
    """The text in pieces of at most `room` columns as C spells them, cut after spaces."""
    piece = ""
    for word in text.replace("\n", " ").split(" "):
        spelled = json.dumps(word, ensure_ascii=False)[1:-1]
        if piece and len(piece) + 1 + len(spelled) + 1 > room:
            yield piece + " "
            piece = spelled
        else:
            piece = piece + " " + spelled if piece else spelled
    yield piece


def member(name, text):
    """A string member, on as many lines as it needs."""
    if text is None:
        return ""
    head = "        .%s = " % name
    if len(head) + len(text) + 3 <= WIDTH:
        return head + json.dumps(text, ensure_ascii=False) + ",\n"
    indent = " " * 12
    body = ("\n" + indent).join('"%s"' % piece for piece in pieces(text, WIDTH - len(indent) - 3))
    return head.rstrip() + "\n" + indent + body + ",\n"


def wordings(rule):
    """The members with the provider's words: the first wording, and the list of the others."""
    others = rule.get("provider_errors", [])[1:]
    if not others:
        return member("provider_error", rule["provider_error"])
    indent = " " * 12
    lines = ["%s%s,\n" % (indent, ("\n" + indent).join(
        '"%s"' % piece for piece in pieces(other, WIDTH - len(indent) - 3))) for other in others]
    return (member("provider_error", rule["provider_error"]) + "        .more_errors = (const char *const[]){\n" +
            "".join(lines) + indent + "NULL},\n")


def row(rule):
    fix = rule["fix"]
    preserve = fix["preserve"] if fix["preserve"] != fix["conservative"] else None
    needs = " | ".join("TK_NEEDS_" + word.upper() for word in rule.get("judged_from", [rule["needs"]]))
    facts = ".severity = TK_%s, .needs = %s, .wave = %d" % (rule["severity"].upper(), needs, rule["wave"])
    facts += "".join(", .%s = true" % flag for flag in ("edit_only", "policy_only") if rule.get(flag))
    return "    [%s] = {\n%s        %s,\n%s%s%s%s%s    },\n" % (
        constant(rule), member("code", rule["code"]) + member("provider", rule["provider"]), facts,
        member("text", rule["text"]), wordings(rule),
        member("trigger", rule["trigger"]), member("conservative", fix["conservative"]),
        member("preserve", preserve))


def what_helps(rule):
    """What the catalogue says of a fix, or None if there is none."""
    fixes = [fix.removeprefix("none: ") for fix in (rule["fix"]["conservative"], rule["fix"]["preserve"])]
    return " / ".join(fix for fix in dict.fromkeys(fixes) if fix not in ("none", "report")) or None


def unjudged_row(rule):
    return "    {\n%s        .severity = TK_%s, .needs = TK_NEEDS_%s,\n%s    },\n" % (
        member("code", rule["code"]) + member("provider", rule["provider"]), rule["severity"].upper(), rule["needs"].upper(),
        wordings(rule) + member("trigger", rule["trigger"]) + member("helps", what_helps(rule)))


def codes_h():
    names = "".join("    %s,\n" % constant(rule) for rule in rules())
    return (LICENCE + NOTICE + "#ifndef TK_CATALOGUE_CODES_H\n#define TK_CATALOGUE_CODES_H\n\n"
            "/* The codes of this build's rules, in the order of reports. */\n"
            "enum tk_code {\n" + names + "    TK_CODE_COUNT,\n};\n\n"
            "enum {\n    TK_UNJUDGED_COUNT = %d, /* of this build's providers */\n"
            "    TK_UNBUILT_COUNT = %d,  /* with all others that it doesn't judge */\n};\n\n#endif\n"
            % (len(unjudged()), len(unjudged() + foreign())))


def rows_c():
    return (LICENCE + NOTICE + '#include "catalogue/rule.h"\n\n#include <stddef.h>\n\n'
            "/* clang-format off */\n"
            "const struct tk_rule tk_catalogue[TK_CODE_COUNT] = {\n" + "".join(row(rule) for rule in rules()) +
            "};\n\nconst struct tk_unjudged tk_unjudged[TK_UNBUILT_COUNT] = {\n" +
            "".join(unjudged_row(rule) for rule in unjudged() + foreign()) + "};\n/* clang-format on */\n")


def main(check):
    stale = False
    for name, wanted in (("codes.h", codes_h()), ("rows.c", rows_c())):
        path = os.path.join(HERE, name)
        current = open(path, encoding="utf-8").read() if os.path.exists(path) else None
        if current == wanted:
            continue
        stale = True
        if check:
            print("%s isn't what generate.py makes of catalogue.json" % name)
        else:
            with open(path, "w", encoding="utf-8") as f:
                f.write(wanted)
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["--check"]))
