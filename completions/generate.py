#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py TURNKEEPER bash|zsh|fish: prints a completion, written from what the program's own --help says.

`make completions` writes the files; tests/integration/test_completions.py fails while they are not what this prints.
"""
import os
import re
import sys
import textwrap

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from read_help import read_commands  # noqa: E402


def names_a_file(option):
    return option.value in ("FILE", "PATH")


def takes_at_file(option):
    """Whether @FILE may be the value."""
    return "JSON" in option.value or option.value in ("LIST", "TARGET")


# -- bash ------------------------------------------------------------------------------------

# Nothing in it depends on the program's tables.
BASH_FILES = r"""
# Completes files that begin with $1. If $2 is @ it precedes each name, and the name is quoted here,
# since bash would quote the @ as well.
_turnkeeper_files()
{
    local file

    [[ -z ${2-} ]] && compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
        [[ -n ${2-} ]] && printf -v file '%s%q' "$2" "$file"
        COMPREPLY+=("$file")
    done < <(compgen -f -- "$1")
}
"""
BASH_END = r"""
# Words are taken from the line: what bash makes of '=' and '@' depends on COMP_WORDBREAKS.
# $2 is the word that the replies replace; of --option=value that is the value.
_turnkeeper()
{
    local line=${COMP_LINE:0:COMP_POINT} cur=$2
    local command= operands=0 option= options= word last

    local -a words
    read -ra words <<<"$line"
    last=
    [[ $line == *[![:space:]] ]] && last=${words[-1]} && unset 'words[-1]'

    COMPREPLY=()
    for word in "${words[@]:1}"; do
        if [[ -n $option ]]; then
            option=
        elif _turnkeeper_takes_value "$word"; then
            option=$word
        elif [[ $word == -?* ]]; then
            continue
        elif [[ -z $command ]]; then
            command=$word
        else
            ((operands++))
        fi
    done

    [[ $last == --*=* ]] && option=${last%%=*}
    if [[ -n $option ]]; then
        _turnkeeper_value "$option" "$cur"
    elif [[ $last == -?* || $last == - ]]; then
        _turnkeeper_options "$command"
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
    else
        _turnkeeper_operand "$cur"
    fi
}

complete -F _turnkeeper turnkeeper"""


def bash_words(name, words):
    """Yields the lines of an assignment of words to a variable."""
    lines = textwrap.wrap('%s="%s"' % (name, " ".join(words)), 100, subsequent_indent="    ", break_on_hyphens=False)
    yield from lines


def bash_case(rows):
    """Yields the rows of a `case`: a pattern with the lines that it runs."""
    for pattern, lines in rows:
        yield "        %s)" % pattern
        yield from ("            " + line for line in lines)
        yield "            ;;"


def bash_values(commands):
    """Yields a row of a `case` for each option with words: the words depend on the command where commands differ."""
    found = {}
    for command in commands:
        for option in command.options:
            if option.words:
                found.setdefault(option.name, {}).setdefault(tuple(option.words), []).append(command.name)
    for name, by_words in found.items():
        if len(by_words) == 1:
            yield "--%s:*" % name, bash_words("words", *by_words)
        for words, names in by_words.items() if len(by_words) > 1 else ():
            yield " | ".join("--%s:%s" % (name, command) for command in names), bash_words("words", words)


def options_that(commands, condition):
    """Returns the spellings of all options for which a condition holds, as a pattern of `case`."""
    found = {option.name: option.short for command in commands for option in command.options if condition(option)}
    return ["--" + name for name in found] + ["-" + short for short in found.values() if short]


def bash_offer(words):
    return 'COMPREPLY=($(compgen -W "%s" -- "$1"))' % " ".join(words)


def bash_operands(commands):
    """Returns the rows of a `case` for operands: patterns are a command and the number of operands before."""
    names = [command.name for command in commands]
    rows = {}
    for command in commands:
        for at, kind in enumerate(command.operands.split()):
            if "FILE" in kind:
                line = '_turnkeeper_files "$1"'
            elif kind == "METHOD":
                line = bash_offer(command.methods)
            elif "COMMAND" in kind:
                line = bash_offer(names)
            elif "PARAMS" in kind:
                line = '[[ $1 == @* ]] && _turnkeeper_files "${1#@}" @'
            else:
                continue
            rows.setdefault(line, []).append("%s:%s" % (command.name, "*" if kind.endswith("...") else at))
    return [(":*", [bash_offer(names)])] + [(" | ".join(patterns), [line]) for line, patterns in rows.items()]


def bash(commands, common):
    yield "# bash completion for turnkeeper                            -*- shell-script -*-"
    yield "# SPDX-License-Identifier: Apache-2.0"
    yield "#"
    yield "# Written by completions/generate.py: don't edit it. Nothing beyond bash itself is needed."
    yield ""
    yield "# Sets `options` to the options of a command."
    yield "_turnkeeper_options()"
    yield "{"
    yield "    case $1 in"
    rows = [(command.name, command.options) for command in commands] + [("*", common)]
    yield from bash_case((name, bash_words("options", ["--" + o.name for o in options])) for name, options in rows)
    yield "    esac"
    yield "}"
    yield ""
    yield "# Succeeds if an option takes a value."
    yield "_turnkeeper_takes_value()"
    yield "{"
    yield "    case $1 in"
    yield from bash_case([(" | ".join(options_that(commands, lambda option: option.value)), ["return 0"])])
    yield "    esac"
    yield "    return 1"
    yield "}"
    yield ""
    yield "# Completes the value $2 of the option $1 of `command`."
    yield "_turnkeeper_value()"
    yield "{"
    yield "    local words="
    yield ""
    yield "    case $1:$command in"
    yield from bash_case(bash_values(commands))
    yield "    esac"
    yield "    case $1:$2 in"
    at_files = " | ".join(name + ":@*" for name in options_that(commands, takes_at_file))
    files = " | ".join(name + ":*" for name in options_that(commands, names_a_file))
    yield from bash_case([(at_files, ['_turnkeeper_files "${2#@}" @']), (files, ['_turnkeeper_files "$2"']),
                          ("*", ['COMPREPLY=($(compgen -W "$words" -- "$2"))'])])
    yield "    esac"
    yield "}"
    yield BASH_FILES
    yield "# Completes the operand after `command` and `operands` others, or the command itself."
    yield "_turnkeeper_operand()"
    yield "{"
    yield "    case $command:$operands in"
    yield from bash_case(bash_operands(commands))
    yield "    esac"
    yield "}"
    yield BASH_END


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
        return ["'1:method:(%s)'" % " ".join(command.methods), "'2:parameters:_turnkeeper_at_file'"]
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
        return ["-a " + fish_quoted(" ".join(command.methods) + " (__turnkeeper_at_file)")]
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
    shells = {"bash": bash, "zsh": zsh, "fish": fish}
    if len(sys.argv) != 3 or sys.argv[2] not in shells:
        sys.exit(__doc__.splitlines()[0])
    shell = shells[sys.argv[2]]
    print("\n".join(shell(*read_commands(sys.argv[1]))))


if __name__ == "__main__":
    main()
