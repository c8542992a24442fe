#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py TURNKEEPER zsh|fish: prints a completion, written from what the program's own --help says.

The methods of `call` are those of the bash completion, which people write. `make completions` writes both files;
tests/integration/test_completions.py fails while they are not what this prints.
"""
import collections
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# short: "o" or "". value: the word of the help ("FILE"), or "" for a switch. words: the values that it lists.
Option = collections.namedtuple("Option", "short name value words text")
Command = collections.namedtuple("Command", "name text operands options")


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
    top = help_of(program)
    commands = []
    for name, text in re.findall(r"^  ([a-z]+) {2,}(.*)$", top.split("Options")[0], re.M):
        page = help_of(program, name)
        operands = page.splitlines()[0].split("[OPTION]...")[-1].strip()
        commands.append(Command(name, text, operands, read_options(page)))
    return commands, read_options(top)


def methods():
    """The methods that `call` offers."""
    with open(os.path.join(HERE, "turnkeeper"), encoding="utf-8") as f:
        return re.search(r'call:0\) .*?-W "([^"]+)"', f.read()).group(1).split()


def names_a_file(option):
    return option.value in ("FILE", "PATH")


def takes_at_file(option):
    """Whether @FILE may be the value."""
    return "JSON" in option.value or option.value in ("LIST", "TARGET")


# -- zsh -------------------------------------------------------------------------------------

def zsh_quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_text(text):
    """A description between the brackets of an option."""
    return re.sub(r"([\[\]\\:])", r"\\\1", text)


def zsh_action(option):
    words = "(" + " ".join(option.words) + ")"
    if names_a_file(option):
        return "_files"
    if takes_at_file(option):
        return "_turnkeeper_at_file " + " ".join(option.words) if option.words else "_turnkeeper_at_file"
    return words if option.words else " "


def zsh_option(option):
    text = "[%s]" % zsh_text(option.text)
    if option.value:
        text += ":%s:%s" % (option.value.replace(":", "\\:"), zsh_action(option))
    is_last = option.name in ("help", "version")
    if not option.short:
        return zsh_quoted("--" + option.name + ("=" if option.value else "") + text)
    others = "(- *)" if is_last else "(-%s --%s)" % (option.short, option.name)
    spellings = "{-%s%s,--%s%s}" % (option.short, "+" if option.value else "",
                                   option.name, "=" if option.value else "")
    return zsh_quoted(others) + spellings + zsh_quoted(text)


def zsh_operands(command):
    kind = command.operands
    if kind.startswith("METHOD"):
        return ["'1:method:(%s)'" % " ".join(methods()), "'2:parameters:_turnkeeper_at_file'"]
    if "FILE" in kind:
        return ["'%s:file:_files'" % ("*" if "..." in kind else "1")]
    if "COMMAND" in kind:
        return ["'1:command:_turnkeeper_commands'"]
    return []


def zsh(commands, common):
    yield "#compdef turnkeeper"
    yield "# SPDX-License-Identifier: Apache-2.0"
    yield "# zsh completion for turnkeeper, written by completions/generate.py: don't edit it."
    yield ""
    yield "# A value that may be @FILE, or one of the words that are given."
    yield "_turnkeeper_at_file()"
    yield "{"
    yield "    if compset -P @; then"
    yield "        _files"
    yield "    else"
    yield "        compadd -- $@"
    yield "    fi"
    yield "}"
    yield ""
    yield "_turnkeeper_commands()"
    yield "{"
    yield "    local -a commands=("
    for command in commands:
        yield "        " + zsh_quoted("%s:%s" % (command.name, zsh_text(command.text)))
    yield "    )"
    yield "    _describe -t commands command commands"
    yield "}"
    yield ""
    yield "_turnkeeper()"
    yield "{"
    yield "    local curcontext=$curcontext context state line"
    yield "    typeset -A opt_args"
    yield ""
    yield "    _arguments -C -S \\"
    for option in common:
        yield "        %s \\" % zsh_option(option)
    yield "        '1:command:_turnkeeper_commands' '*::argument:->arguments' && return"
    yield "    case $state:$line[1] in"
    for command in commands:
        yield "        arguments:%s)" % command.name
        rows = [zsh_option(option) for option in command.options] + zsh_operands(command)
        yield "            _arguments -s -S \\"
        for row in rows[:-1]:
            yield "                %s \\" % row
        yield "                " + rows[-1]
        yield "            ;;"
    yield "    esac"
    yield "}"
    yield ""
    yield '_turnkeeper "$@"'


# -- fish ------------------------------------------------------------------------------------

def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_option(option):
    row = "-l " + option.name
    if option.short:
        row = "-s %s %s" % (option.short, row)
    if names_a_file(option):
        row += " -r -F"
    elif option.value:
        words = " ".join(option.words)
        if takes_at_file(option):
            words = (words + " (__turnkeeper_at_file)").strip()
        row += " -x"
        row += " -a " + fish_quoted(words) if words else ""
    return row + " -d " + fish_quoted(option.text)


def fish_operands(command):
    if command.operands.startswith("METHOD"):
        return ["-a " + fish_quoted(" ".join(methods()) + " (__turnkeeper_at_file)")]
    if "FILE" in command.operands:
        return ["-F"]
    return []


def fish(commands, common):
    with_value = sorted({"--" + o.name for c in commands for o in c.options if o.value} |
                        {"-" + o.short for c in commands for o in c.options if o.value and o.short})
    yield "# SPDX-License-Identifier: Apache-2.0"
    yield "# fish completion for turnkeeper, written by completions/generate.py: don't edit it."
    yield ""
    yield "# Prints the command of the line, or nothing."
    yield "function __turnkeeper_command"
    yield "    set -l words (commandline -opc)"
    yield "    set -l skip 0"
    yield "    for word in $words[2..-1]"
    yield "        if test $skip = 1"
    yield "            set skip 0"
    yield "        else if contains -- $word " + " ".join(with_value)
    yield "            set skip 1"
    yield "        else if not string match -q -- '-*' $word"
    yield "            echo $word"
    yield "            return"
    yield "        end"
    yield "    end"
    yield "end"
    yield ""
    yield "# Succeeds if the command of the line is one of those given; without any, if there is none yet."
    yield "function __turnkeeper_is"
    yield "    set -l command (__turnkeeper_command)"
    yield '    test (count $argv) = 0; and test -z "$command"; and return'
    yield '    contains -- "$command" $argv'
    yield "end"
    yield ""
    yield "# Prints the files that complete a word that begins with @."
    yield "function __turnkeeper_at_file"
    yield "    set -l word (string replace -r '^--[a-z-]+=' '' -- (commandline -ct))"
    yield "    string match -q -- '@*' $word; or return"
    yield "    for file in (string sub -s 2 -- $word)*"
    yield "        echo @$file"
    yield "    end"
    yield "end"
    yield ""
    yield "complete -c turnkeeper -f"
    for option in common:
        yield "complete -c turnkeeper -n __turnkeeper_is " + fish_option(option)
    for command in commands:
        yield "complete -c turnkeeper -n __turnkeeper_is -a %s -d %s" % (command.name, fish_quoted(command.text))
        if "COMMAND" in command.operands:
            for named in commands:
                yield "complete -c turnkeeper -n '__turnkeeper_is %s' -a %s" % (command.name, named.name)
    for command in commands:
        yield ""
        for row in [fish_option(option) for option in command.options] + fish_operands(command):
            yield "complete -c turnkeeper -n '__turnkeeper_is %s' %s" % (command.name, row)


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in ("zsh", "fish"):
        sys.exit(__doc__.splitlines()[0])
    shell = {"zsh": zsh, "fish": fish}[sys.argv[2]]
    print("\n".join(shell(*read_commands(sys.argv[1]))))


if __name__ == "__main__":
    main()
