#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes JSON files of cases so that people can review them: a value that fits on one line is on one line.

    format_cases.py FILE...           rewrites them
    format_cases.py --check FILE...   names the files that are formatted otherwise, and exits with 1
"""
import json
import sys

WIDTH = 110


def one_line(value):
    """Returns the value as JSON on one line. Characters are not escaped, except lone surrogates."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join("\\u%04x" % ord(c) if "\ud800" <= c <= "\udfff" else c for c in text)


def lines_of(value, indent, room):
    """Returns the lines of the value, the first without its indent; `room` columns are left on the first one."""
    flat = one_line(value)
    if len(flat) <= room or not isinstance(value, (dict, list)) or not value:
        return [flat]
    inside = indent + "  "
    if isinstance(value, dict):
        items = [(one_line(key) + ": ", item) for key, item in value.items()]
        first, last = "{", "}"
    else:
        items = [("", item) for item in value]
        first, last = "[", "]"
    lines = [first]
    for n, (head, item) in enumerate(items):
        comma = "," if n + 1 < len(items) else ""
        body = lines_of(item, inside, WIDTH - len(inside) - len(head) - 1)
        body[0] = inside + head + body[0]
        body[-1] += comma
        lines += body
    return lines + [indent + last]


def formatted(value):
    """Returns the text of a file. Each element of a list begins a line, even if the list fits on one."""
    if isinstance(value, list):
        cases = ["\n".join("  " + line if n == 0 else line for n, line in enumerate(lines_of(case, "  ", WIDTH - 2)))
                 for case in value]
        return "[\n" + ",\n".join(cases) + "\n]\n"
    return "\n".join(lines_of(value, "", 0)) + "\n"


def main(arguments):
    check = arguments[:1] == ["--check"]
    wrong = []
    for path in arguments[check:]:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        wanted = formatted(json.loads(text))
        if text == wanted:
            continue
        wrong.append(path)
        if not check:
            with open(path, "w", encoding="utf-8") as f:
                f.write(wanted)
    if check and wrong:
        print("not formatted: " + " ".join(wrong))
    return 1 if check and wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
