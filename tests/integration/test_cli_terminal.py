#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the command line program shows on terminals: colours, progress.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import re
import unittest

from cli import ORPHAN_CALL, Case, environment, line, run, run_on_terminal


class Terminal(Case):
    def test_colour(self):
        path = self.file(line(ORPHAN_CALL))
        for command, place in (("validate", {"stdout": True}), ("repair", {"stderr": True})):
            _, shown, piped = run_on_terminal(command, path, **place)
            self.assertIn(b"\x1b[", shown)
            self.assertNotIn(b"\x1b", piped)
            plain = re.sub(rb"\x1b\[[0-9;]*m", b"", shown).replace(b"\r\n", b"\n")
            done = run(command, path)
            self.assertEqual(plain, done.stdout if command == "validate" else done.stderr)

    def test_no_colour(self):
        path = self.file(line(ORPHAN_CALL))
        for env in (environment(TERM="xterm", NO_COLOR="1"), environment(TERM="dumb"), environment()):
            _, shown, _ = run_on_terminal("validate", path, stdout=True, env=env)
            self.assertNotIn(b"\x1b", shown)
        _, shown, _ = run_on_terminal("validate", "--color=never", path, stdout=True)
        self.assertNotIn(b"\x1b", shown)
        _, shown, _ = run_on_terminal("validate", path, stdout=True, env=environment(TERM="xterm", NO_COLOR=""))
        self.assertIn(b"\x1b", shown, "an empty NO_COLOR means nothing")
        self.assertIn(b"\x1b", run("validate", "--color=always", path, env=environment(NO_COLOR="1")).stdout)

    def test_progress(self):
        path = self.file(line(ORPHAN_CALL) * 3000, "log.jsonl")
        for args in (("repair", "-o", self.path("out")), ("validate",)):
            _, shown, _ = run_on_terminal(*args, path, stderr=True)
            self.assertRegex(shown, rb"\r\x1b\[K[^\n]* +\d+% \[=*>? *\]  [0-9.]+ [kMG]?B  [0-9.]+ [kMG]?B/s")
            # the bar is taken away before a line is written
            for row in shown.split(b"\n"):
                self.assertNotIn(b"B/s", row.split(b"\r\x1b[K")[-1])

    def test_no_progress(self):
        path = self.file(line(ORPHAN_CALL) * 300, "log.jsonl")
        for args, place in [(("validate", path), {"stdout": True, "stderr": True}),
                            (("validate", "-q", path), {"stderr": True}),
                            (("validate", self.file(line(ORPHAN_CALL))), {"stderr": True})]:
            self.assertNotIn(b"B/s", run_on_terminal(*args, **place)[1])


if __name__ == "__main__":
    unittest.main()
