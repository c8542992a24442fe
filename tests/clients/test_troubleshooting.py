#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of doc/TROUBLESHOOTING.md print what the page shows.

In a block ```console a line that begins with "$ " is a command (a here-document goes on to its END), the others are
its output, stdout and stderr together. "..." matches anything, alone on a line for any lines.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = os.path.abspath(os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "..", "..")))
sys.path.append(os.path.join(TOP, "tests"))
from daemon import Daemon  # noqa: E402

PAGE = os.path.join(TOP, "doc", "TROUBLESHOOTING.md")


def blocks():
    """Each block as its heading and its commands with their outputs."""
    heading = None
    with open(PAGE, encoding="utf-8") as f:
        for name, block in re.findall(r"(?m)^#+ (.*)$|^```console\n((?:.*\n)*?)```$", f.read()):
            heading = name or heading
            if block:
                yield heading, commands(block)


def commands(block):
    found, here = [], False
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], []])
            here = "<<'END'" in line
        elif here:
            found[-1][0] += "\n" + line
            here = line != "END"
        else:
            found[-1][1].append(line)
    return found


def pattern(lines):
    """A regular expression of the output that is shown."""
    return "".join(r"(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n"
                   for line in lines)


class Commands(unittest.TestCase):
    def test_the_page_is_read(self):
        self.assertGreater(sum(len(shown) for _, shown in blocks()), 10)

    def test_they_print_what_is_shown(self):
        programs = os.pathsep.join(os.path.dirname(os.path.abspath(os.environ[name]))
                                   for name in ("TURNKEEPER", "TURNKEEPERD"))
        with tempfile.TemporaryDirectory() as folder, Daemon() as daemon:
            there = dict(os.environ, PATH=programs + os.pathsep + os.environ["PATH"],
                         TURNKEEPER_SOCKET=daemon.socket, LC_ALL="C.UTF-8")
            for heading, shown in blocks():
                for command, output in shown:
                    if command.startswith("jq ") and not shutil.which("jq"):
                        continue
                    with self.subTest(heading=heading, command=command.splitlines()[0]):
                        done = subprocess.run(["bash", "-c", command], cwd=folder, env=there, text=True, timeout=120,
                                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                              stderr=subprocess.STDOUT)
                        self.assertRegex(done.stdout, r"\A%s\Z" % pattern(output))


if __name__ == "__main__":
    unittest.main()
