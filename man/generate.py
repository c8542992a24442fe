#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py TURNKEEPER: prints turnkeeper(1), made of turnkeeper.1.in and of what the program's own --help says.

A line of turnkeeper.1.in that begins with @ becomes

    @synopsis        the usage of every command
    @command NAME    the head of an item: the command with its operands; the lines that follow are the item's text
    @commands        the commands that have no such line, each with the text of its --help
    @option NAME     an item: the option with its argument, its commands, its help and its values; the lines that follow
                     are added to it
    @options         the options that have no such line
    @working         the names of the commands that work in the program itself; of those that know no daemon:
                     @independent; of those that always ask one: @asking

so that a new command or option is in the page before anybody writes more about it. `make man-pages` writes the page.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "completions")]
from read_help import read_commands  # noqa: E402


def escaped(text):
    text = text.replace("\\", "\\e")
    return "\\&" + text if text[:1] in (".", "'") else text


def listed(words, last=""):
    """Returns words as the arguments of a macro, with commas between them and `last` after them."""
    return " , ".join(words) + (" " + last if last else "")


def operand(text):
    """Returns the macros of an operand as --help has it: "[FILE|-]...", "TEXT|-", "METHOD"."""
    bare = text.replace("...", "").strip("[]")
    words = " | ".join("Fl" if word == "-" else "Ar " + word.lower() for word in bare.split("|"))
    words = words.replace("| Ar ", "| ")  # one macro for neighbours
    return ".Op " + words if text.startswith("[") else "." + words


def usage(command):
    yield ".Nm turnkeeper"
    yield ".Cm " + command.name
    yield ".Op Ar option ..."
    for text in command.operands.split():
        yield operand(text)
        if text.endswith("..."):
            yield ".Ar ..."


def command_head(command):
    return " ".join([".It Cm", command.name, *(operand(text)[1:] for text in command.operands.split())])


def command_text(command):
    yield escaped(command.text[0].upper() + command.text[1:] + ".")
    for paragraph in command.details.split("\n\n"):
        if not paragraph.startswith("Exit status:"):  # the page has a section of it
            yield ".Pp"
            yield from map(escaped, re.split(r"(?<=\.) ", paragraph.replace("\n", " ")))


def option_head(option):
    letter = "Fl %s , " % option.short if option.short else ""
    value = " Ar " + option.value.lower().replace("|", " | ") if option.value else ""
    return ".It %sFl Fl %s%s" % (letter, option.name, value)


def sentence(option):
    """Yields the help of an option as a sentence, and what holds without the option."""
    text, default = re.fullmatch(r"(.*?)(?: \[(.*)\])?", option.text).groups()
    text = text[0].upper() + text[1:] + "."
    word = re.compile(r" ?\b(%s)\b([.,;]?) ?" % option.value if option.value in ("FILE", "PATH", "N") else r"(?!)")
    before = 0
    for found in word.finditer(text):
        yield escaped(text[before:found.start()])
        yield ".Ar %s %s" % (found[1].lower(), found[2])
        before = found.end()
    if text[before:]:
        yield escaped(text[before:])
    if default:
        yield escaped("Default: %s." % default)


def enumerated(names):
    """Yields the names of commands, with "and" before the last one."""
    *others, last = names
    yield ".Cm " + listed(others)
    yield "and"
    yield ".Cm " + last


class Page:
    def __init__(self, program):
        self.commands, _ = read_commands(program)
        self.named = {command.name: command for command in self.commands}
        self.options = {}  # by name, in the order of the program's table: an option for each command that has it
        for command in self.commands:
            for option in command.options:
                self.options.setdefault(option.name, {})[command.name] = option

    def values(self, by_command):
        """Yields the values of an option: for all its commands, or where they differ, for each."""
        groups = {}
        for name, option in by_command.items():
            groups.setdefault(tuple(option.words), []).append(name)
        for words, names in groups.items():
            if words and len(groups) > 1:
                yield "Values with"
                yield ".Cm %s :" % listed(names)
                yield ".Sy " + listed(words, ".")
            elif words:
                yield "Values:"
                yield ".Sy " + listed(words, ".")

    def option(self, name):
        by_command = self.options[name]
        option = next(iter(by_command.values()))
        yield option_head(option)
        others = [name for name in self.named if name not in by_command]
        if others:
            yield ".Pq not Cm " + listed(others) if len(others) < 4 else ".Pq Cm " + listed(by_command)
        yield from sentence(option)
        yield from self.values(by_command)

    def lists(self):
        """Returns the commands by what they do with a daemon, as their options say it."""
        lists = {"@working": [], "@independent": [], "@asking": []}
        for command in self.commands:
            names = {option.name for option in command.options}
            lists["@working" if "daemon" in names else "@asking" if "socket" in names else "@independent"].append(command.name)
        return lists

    def made(self, lines):
        """Yields the lines of the page. `lines` are those of turnkeeper.1.in."""
        places = [line.split() for line in lines if line.startswith("@")]
        commands = {place[1] for place in places if place[0] == "@command"}
        options = {place[1] for place in places if place[0] == "@option"}
        lists = self.lists()
        for line in lines:
            word, _, name = line.partition(" ")
            if word in lists:
                yield from enumerated(lists[word])
            elif word == "@synopsis":
                for command in self.commands:
                    yield from usage(command)
            elif word == "@command":
                yield command_head(self.named[name])
            elif word == "@commands":
                for command in self.commands:
                    if command.name not in commands:
                        yield command_head(command)
                        yield from command_text(command)
            elif word == "@option":
                yield from self.option(name)
            elif word == "@options":
                for other in self.options:
                    if other not in options:
                        yield from self.option(other)
            else:
                yield line


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    with open(os.path.join(HERE, "turnkeeper.1.in"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    print("\n".join(Page(sys.argv[1]).made(lines)))


if __name__ == "__main__":
    main()
