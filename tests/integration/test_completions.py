#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The completions for bash, zsh and fish: they are what completions/generate.py writes from --help, the shells accept
them, and offer what the program takes. test_cli_pages.py has bash's.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import os
import select
import shutil
import subprocess
import sys
import time
import unittest

from cli import COMMANDS, PROGRAM, TIMEOUT, TOP, Case, open_terminal
from test_cli_pages import long_options

FOLDER = os.path.abspath(os.path.join(TOP, "completions"))
FILES = {"bash": os.path.join(FOLDER, "turnkeeper"), "zsh": os.path.join(FOLDER, "_turnkeeper"), "fish": os.path.join(FOLDER, "turnkeeper.fish")}
NO_ZSH = unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
NO_FISH = unittest.skipUnless(shutil.which("fish"), "fish is not installed")


class Generated(Case):
    def test_written_from_the_help(self):
        for shell, path in FILES.items():
            done = subprocess.run([sys.executable, "-B", os.path.join(FOLDER, "generate.py"), PROGRAM, shell],
                                  capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open(path, encoding="utf-8") as f:
                self.assertEqual(f.read(), done.stdout, "run: make completions")

    @NO_ZSH
    def test_zsh_accepts_it(self):
        subprocess.run(["zsh", "-n", FILES["zsh"]], check=True, timeout=TIMEOUT)

    @NO_FISH
    def test_fish_accepts_it(self):
        subprocess.run(["fish", "--no-config", "-n", FILES["fish"]], check=True, timeout=TIMEOUT)


@NO_FISH
class Fish(Case):
    def complete(self, *lines):
        """Returns what fish would offer at the end of each line."""
        code = "source %s\n" % FILES["fish"]
        code += "".join("echo '=='; complete -C '%s'\n" % line for line in lines)
        home = dict(os.environ, HOME=self.folder, XDG_CONFIG_HOME=self.folder, XDG_DATA_HOME=self.folder)
        done = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True, check=True,
                              cwd=self.folder, env=home, timeout=TIMEOUT)
        self.assertEqual(done.stderr, "")
        offers = done.stdout.split("==\n")[1:]
        return [{line.split("\t")[0] for line in offer.splitlines()} for offer in offers]

    def test_commands_and_options_are_the_program_s(self):
        names = sorted(COMMANDS)
        found = self.complete("turnkeeper ", *("turnkeeper %s --" % name for name in names))
        self.assertEqual(found[0], COMMANDS)
        for name, offered in zip(names, found[1:]):
            self.assertEqual({word.rstrip("=") for word in offered}, long_options(name), name)

    def test_values_and_files(self):
        self.file(b"", "chat.json")
        found = self.complete("turnkeeper repair --policy pre", "turnkeeper repair --policy @c", "turnkeeper validate c",
                              "turnkeeper stream --message c", "turnkeeper call repair", "turnkeeper ping c",
                              "turnkeeper repair --socket x --dialect f")
        self.assertEqual(found, [{"preserve"}, {"@chat.json"}, {"chat.json"}, {"chat.json"}, {"repair", "repair_turn"},
                                 set(), {"fantasy"}])


@NO_ZSH
class Zsh(Case):
    # In an interactive shell the key ^X writes the line as it is into the file shown.
    SETUP = """PS1= PS2= RPS1=; unsetopt zle_bracketed_paste 2>/dev/null; zstyle ':completion:*' list false
fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D
show() {{ print -r -- "<$BUFFER>" >>|shown; BUFFER= }}; zle -N show; bindkey '^X' show; print >ready
"""

    def until(self, is_done, terminal):
        """Reads what the shell prints, which must not block it, until something has happened."""
        end = time.monotonic() + TIMEOUT
        while not is_done():
            self.assertLess(time.monotonic(), end, "zsh did not get there")
            if select.select([terminal], [], [], 0.02)[0]:
                os.read(terminal, 65536)

    def lines(self):
        try:
            with open(os.path.join(self.folder, "shown"), encoding="utf-8") as f:
                return f.read().splitlines()
        except FileNotFoundError:
            return []

    def complete(self, *typed):
        """Each line as the key TAB at its end leaves it."""
        ours, theirs = open_terminal()
        there = dict(os.environ, HOME=self.folder, ZDOTDIR=self.folder, TERM="xterm")
        shell = subprocess.Popen(["zsh", "-f", "-i"], cwd=self.folder, env=there, stdin=theirs, stdout=theirs,
                                 stderr=theirs, start_new_session=True)
        os.close(theirs)
        try:
            os.write(ours, self.SETUP.format(folder=FOLDER).encode())
            self.until(lambda: os.path.exists(os.path.join(self.folder, "ready")), ours)
            for n, line in enumerate(typed, 1):
                os.write(ours, line.encode() + b"\t\x18")
                self.until(lambda n=n: len(self.lines()) >= n, ours)
        finally:
            shell.kill()
            shell.wait()
            os.close(ours)
        return [line[1:-1] for line in self.lines()]

    def test_options_are_the_program_s(self):
        """The file has a branch for each command, in which are its options."""
        with open(FILES["zsh"], encoding="utf-8") as f:
            branches = f.read().split("        arguments:")[1:]
        self.assertEqual({branch.split(")")[0] for branch in branches}, COMMANDS)
        for branch in branches:
            name = branch.split(")")[0]
            for option in long_options(name):
                self.assertRegex(branch, r"[',{]%s[=\[}]" % option, name)

    def test_completes(self):
        self.file(b"", "chat.json")
        wanted = {
            "turnkeeper val": "turnkeeper validate ",
            "turnkeeper repair --dia": "turnkeeper repair --dialect=",
            "turnkeeper repair --dialect=fan": "turnkeeper repair --dialect=fantasy ",
            "turnkeeper repair --policy pre": "turnkeeper repair --policy preserve ",
            "turnkeeper repair --policy @c": "turnkeeper repair --policy @chat.json ",
            "turnkeeper call repair_": "turnkeeper call repair_turn ",
            "turnkeeper validate c": "turnkeeper validate chat.json ",
            "turnkeeper ping c": "turnkeeper ping c",
        }
        self.assertEqual(self.complete(*wanted), list(wanted.values()))


if __name__ == "__main__":
    unittest.main()
