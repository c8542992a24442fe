#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes words.c from words.json and from the strings in the code of providers and shapes.

    generate.py           writes words.c next to this file
    generate.py --check   exits with 1 if it isn't what it would write

A rule that looks for a new word in a history has that word as a string in its code, so it is found here. Strings that are
sentences, formats of printf() or parts of a pointer aren't words.
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..")
LICENCE = "/* SPDX-License-Identifier: Apache-2.0 */\n"
NOTICE = "/* Made by generate.py from words.json and the code of providers and shapes: change those. */\n"
COMMENT = re.compile(r"/\*.*?\*/", re.S)
INCLUDE = re.compile(r"^\s*#\s*include.*$", re.M)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
WORD = re.compile(r"_{0,2}[A-Za-z](?:[A-Za-z0-9_./-]*[A-Za-z0-9])?")
FLAGS = (("enumerated", "TK_NAMES_WORD"), ("model", "TK_NAMES_MODEL"), ("json", "TK_NAMES_JSON"),
         ("number", "TK_NAMES_NUMBER"), ("free", "TK_NAMES_FREE"), ("schema", "TK_NAMES_SCHEMA"), ("of_schema", "TK_OF_SCHEMA"),
         ("named", "TK_OF_SCHEMA_NAMED"), ("value", "TK_OF_SCHEMA_VALUE"))
HEADS = re.compile(r"\bheads\[\] = \{(.*?)\};", re.S)
WIDTH = 100


def sources():
    """The C files of providers and shapes, except those in this folder."""
    for layer in ("providers", "shapes"):
        for folder, _, names in os.walk(os.path.join(SOURCE, layer)):
            if os.path.abspath(folder) != HERE:
                yield from (os.path.join(folder, name) for name in names if name.endswith((".c", ".h")))


def words_of_code():
    for path in sources():
        with open(path, encoding="utf-8") as f:
            code = INCLUDE.sub("", COMMENT.sub(" ", f.read()))
        yield from (text for text in STRING.findall(code) if WORD.fullmatch(text))


def words_of_models():
    """The beginnings of models' names by which a history without other signs is somebody's."""
    with open(os.path.join(SOURCE, "shapes", "detect.c"), encoding="utf-8") as f:
        for table in HEADS.findall(f.read()):
            yield from STRING.findall(table)


def in_camel_case(word):
    """The spelling that libraries in TypeScript have of "tool_use_id"."""
    return re.sub(r"(?<=[a-z])_([a-z])", lambda found: found[1].upper(), word)


def row(word, flagged):
    flags = [flag for key, flag in FLAGS if word in flagged[key]]
    lines, line = [], "    {TK_STR_INIT(%s), " % json.dumps(word)
    for number, flag in enumerate(flags or ["0"]):
        more = " | " + flag if number else flag
        if len(line) + len(more) + len("},") > WIDTH:
            lines.append(line + " |")
            line, more = "     ", flag
        line += more
    return "\n".join(lines + [line + "},\n"])


def strings(name, texts):
    """A table of strings, the longest first, so that the first one that fits is the best."""
    head = "const struct tk_str %s[] = {\n" % name
    rows = ["    TK_STR_INIT(%s),\n" % json.dumps(text) for text in sorted(set(texts), key=lambda t: (-len(t), t))]
    return head + "".join(rows) + "    {NULL, 0},\n};\n"


def written():
    with open(os.path.join(HERE, "words.json"), encoding="utf-8") as f:
        given = json.load(f)
    flagged = {key: {form for word in given[key] for form in (word, in_camel_case(word))} for key, _ in FLAGS}
    words = set(words_of_code()) | set(given["more"]) | {word for key, _ in FLAGS for word in given[key]}
    words |= {in_camel_case(word) for word in words}
    rows = [row(word, flagged) for word in sorted(words, key=lambda w: (len(w), w.encode()))]
    return (LICENCE + NOTICE + '#include "providers/words/words.h"\n\n/* clang-format off */\n'
            + "const struct tk_known_word tk_known_words[] = {\n" + "".join(rows) + "};\n\n"
            + "const uint32_t tk_known_word_count = sizeof(tk_known_words) / sizeof(tk_known_words[0]);\n\n"
            + strings("tk_word_beginnings", given["beginnings"]) + "\n" + strings("tk_word_ends", given["ends"]) + "\n"
            + strings("tk_model_words", [*given["models"], *words_of_models()]) + "/* clang-format on */\n")


def main():
    path = os.path.join(HERE, "words.c")
    text = written()
    if sys.argv[1:] == ["--check"]:
        with open(path, encoding="utf-8") as f:
            if f.read() != text:
                sys.exit(path + " isn't current: run generate.py")
        return
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    main()
