#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The output of the command line program on terminals: colours, progress.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import contextlib
import json
import os
import re
import subprocess
import threading
import unittest

from cli import (CLEAN, ERRORS, OK, ORPHAN_CALL, PROGRAM, QUESTION, SAYS, TIMEOUT, Case, Impostor, environment,
                 error, line, open_terminal, result, run, run_on_terminal)


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

    def test_a_large_document_shows_that_it_is_judged(self):
        """The daemon's side answers when the bar has been seen."""
        master, slave = open_terminal()
        seen, shown = threading.Event(), []

        def read():
            with contextlib.suppress(OSError):
                while True:
                    shown.append(os.read(master, 65536))
                    if b"judged for 0:" in b"".join(shown):
                        seen.set()

        def answer(request):
            self.assertTrue(seen.wait(TIMEOUT))
            return result({"changed": False, "safe": True, "edits": [], "violations": []})(request)

        reader = threading.Thread(target=read)
        reader.start()
        with Impostor(self.path("m.sock"), answer):
            done = subprocess.run([PROGRAM, "repair", "-i", self.file(line(CLEAN)), "--socket", self.path("m.sock")],
                                  stdout=slave, stderr=slave, timeout=TIMEOUT, env=environment(TERM="xterm"))
        os.close(slave)
        reader.join()
        os.close(master)
        self.assertEqual(done.returncode, OK)
        # and it is taken away
        self.assertIn(b"\r\x1b[K", b"".join(shown).split(b"judged for ")[-1])

    def test_progress_where_the_document_goes_to_a_file(self):
        path = self.file(line(ORPHAN_CALL) * 3000, "log.jsonl")
        for args in (("repair", "-o", self.path("out")), ("repair", "-i")):
            _, shown, _ = run_on_terminal(*args, path, stdout=True, stderr=True)
            self.assertRegex(shown, rb"\r\x1b\[K[^\n]* +\d+% \[=*>? *\]  [0-9.]+ [kMG]?B  [0-9.]+ [kMG]?B/s")


EVIL = "a\x7f\u009b31m\u202e\u2066\u200e\u061c\u2028z"
ESCAPED = b"a\\u007f\\u009b31m\\u202e\\u2066\\u200e\\u061c\\u2028z"


class Steering(Case):
    """Nothing in a document, an answer or a file's name steers a terminal; pipes get the bytes."""

    def assertHarmless(self, shown):
        text = re.sub(rb"\x1b(\[[0-9;]*m|\[K)", b"", shown).decode()
        for c in text:
            self.assertTrue(c in "\r\n" or (c.isprintable() and c not in "\u200e\u061c"), ascii(c))

    def chat(self):
        call = {"type": "server_tool_use", "id": "srvtoolu_1", "name": EVIL, "input": {}}
        return [dict(QUESTION, content=EVIL), {"role": "assistant", "content": [SAYS, call]}, QUESTION]

    def test_documents(self):
        path = self.file(line(self.chat()))
        for args in (("repair",), ("repair", "--json"), ("repair", "--diff"), ("validate", "--json"), ("validate", "-v"),
                     ("tools", "--add", "web_search"), ("repair", "-o", "/dev/stdout"), ("repair", "--check")):
            document = path if args[0] != "tools" else self.file(line({"messages": self.chat()}), "body.json")
            status, shown, _ = run_on_terminal(*args, document, stdout=True, stderr=True)
            self.assertIn(status, (OK, ERRORS))
            self.assertHarmless(shown)
            self.assertIn(ESCAPED if args[0] != "validate" else b"srvtoolu_1", shown)
        piped = run("repair", path).stdout
        self.assertIn(EVIL.encode(), piped)
        status, shown, _ = run_on_terminal("repair", "-q", path, stdout=True)
        self.assertEqual(json.loads(shown), json.loads(piped))

    def test_unreadable_lines(self):
        path = self.file(line(CLEAN) + b"\x1b]0;owned\x07 \xc2\x9b \xff\r\n" + line(CLEAN))
        _, shown, _ = run_on_terminal("repair", path, stdout=True, stderr=True)
        self.assertHarmless(shown)
        self.assertIn(b"\\u001b]0;owned", shown)
        self.assertIn(b"\x1b]0;owned\x07", run("repair", path).stdout)

    def test_names_of_files(self):
        name = "x\x1b[31m\u202ey.json"
        for content, args in ((line(ORPHAN_CALL), ("validate",)), (line(ORPHAN_CALL), ("repair", "--diff")),
                              (line(ORPHAN_CALL), ("repair", "-i")), (b"{", ("validate",)),
                              (line(CLEAN) * 2, ("validate",)), (line({"messages": CLEAN}), ("prepare",)),
                              (None, ("validate",)), (line([{"role": "user", "parts": [{"text": "a"}]}]), ("repair",))):
            path = self.file(content, name) if content else self.path("none\x1b[2J")
            _, shown, _ = run_on_terminal(*args, path, stdout=True, stderr=True, env=environment(TERM="dumb"))
            self.assertHarmless(shown)
            self.assertNotIn(b"\x1b", shown)
            self.assertIn(b"\\u001b[", shown)
        self.assertIn(path.encode(), run("repair", path).stderr)
        _, shown, _ = run_on_terminal("val\x1b[2J", stderr=True)
        self.assertHarmless(shown)

    def test_answers(self):
        with Impostor(self.path("t.control.sock"), result({"name": EVIL})):
            for args in (("stats",), ("stats", "--json")):
                _, shown, _ = run_on_terminal(*args, "--socket", self.path("t.sock"), stdout=True)
                self.assertHarmless(shown)
                self.assertIn(ESCAPED, shown.replace(b"\\u00e9", b""))
        os.unlink(self.path("t.control.sock"))
        with Impostor(self.path("t.control.sock"), error(EVIL)):
            _, shown, _ = run_on_terminal("stats", "--socket", self.path("t.sock"), stderr=True)
            self.assertHarmless(shown)


if __name__ == "__main__":
    unittest.main()
