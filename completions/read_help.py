# SPDX-License-Identifier: Apache-2.0
"""Reads what `turnkeeper --help` says: the commands with their options. The completions and the man page are made from it."""
import collections
import os
import re
import subprocess

# short: "o" or "". value: the word of the help ("FILE"), or "" for a switch. words: the values that it lists.
Option = collections.namedtuple("Option", "short name value words text")
# methods: what the operand METHOD may be.
Command = collections.namedtuple("Command", "name text details operands methods options")


def help_of(program, *command):
    done = subprocess.run([program, *command, "--help"], stdout=subprocess.PIPE, check=True, text=True,
                          env=dict(os.environ, LC_ALL="C.UTF-8", COLUMNS="200"))
    return done.stdout


def read_options(text):
    row = re.compile(r"^  (?:-(?P<short>\w), |    )--(?P<name>[\w-]+)(?: (?P<value>[A-Z|]+)\b)?(?:\s+(?P<text>.*))?$")
    found = []
    for line in text.split("\nOptions", 1)[1].splitlines():
        match = row.match(line)
        if match:
            found.append(Option(match["short"] or "", match["name"], match["value"] or "", [], match["text"] or ""))
        elif found and line.strip().startswith("values: "):
            found[-1].words.extend(line.split(":", 1)[1].split())
        elif found and line.startswith(" " * 20):  # a text that didn't fit into the option's own line
            found[-1] = found[-1]._replace(text=(found[-1].text + " " + line.strip()).strip())
    return found


def read_commands(program):
    """Returns all commands, and the options of the program without a command."""
    top = help_of(program)
    commands = []
    for name, text in re.findall(r"^  ([a-z]+) {2,}(.*)$", top.split("Options")[0], re.M):
        page = help_of(program, name)
        operands = page.splitlines()[0].split("[OPTION]...")[-1].strip()
        listed = re.search(r"(?m)^Methods:((?: .*\n)+)", page)
        methods = listed.group(1).split() if listed else []
        details = re.split(r"\n\n(?:Methods|Options):", page.split("\n\n", 2)[2])[0]
        commands.append(Command(name, text, details, operands, methods, read_options(page)))
    return commands, read_options(top)
