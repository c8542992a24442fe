#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files with one document a line.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import random
import re
import resource
import subprocess
import unittest

from cli import (CLEAN, ERRORS, FAILED, MIX, OK, ORPHAN_CALL, PROGRAM, TIMEOUT, UNSAFE, Case, environment, line,
                 run)


class Jsonl(Case):
    def test_validate(self):
        path = self.file(b"".join(MIX))
        done = run("validate", path)
        self.assertStatus(done, FAILED)
        places = [text.split(": ")[0] for text in done.stdout.decode().splitlines()]
        self.assertEqual(places, [path + ":2:/messages/1/content/1", path + ":6:/messages/1/content/1",
                                  path + ":7:/messages/1/content/1"])
        errors = done.stderr.decode()
        self.assertRegex(errors, re.escape(path) + r":4(:\d+)?: error: [^\n]* \[parse_error\]\n")
        self.assertIn(path + ":8: error: ", errors)
        self.assertIn("7 documents: 2 valid, 3 not valid, 2 unreadable, 3 findings", errors)

    def test_json_keeps_step_with_the_input(self):
        done = run("validate", "--json", self.file(b"".join(MIX)))
        self.assertStatus(done, FAILED)
        rows = done.stdout.decode().split("\n")
        self.assertEqual(len(rows), len(MIX) + 1)
        found = [json.loads(row) if row else None for row in rows]
        self.assertEqual([row and row["line"] for row in found], [1, 2, None, 4, None, 6, 7, 8, 9, None])
        self.assertEqual([row and row["valid"] for row in found],
                         [True, False, None, None, None, False, False, None, True, None])
        self.assertEqual([row["error"]["name"] for row in found if row and row["error"]],
                         ["parse_error", "invalid_params"])

    def test_repair(self):
        done = run("repair", "-", stdin=b"".join(MIX))
        self.assertStatus(done, FAILED)
        rows = done.stdout.split(b"\n")
        expected = b"".join(MIX).split(b"\n")
        self.assertEqual(len(rows), len(expected))
        for i, (row, was) in enumerate(zip(rows, expected)):
            if i not in (1, 5):
                self.assertEqual(row, was)
        self.assertNotIn(b"server_tool_use", rows[1])
        self.assertTrue(rows[5].startswith(b'{"messages": [') and rows[5].endswith(b', "n": 1}'), rows[5])
        self.assertIn(b"7 documents: 2 repaired, 2 unchanged, 1 unsafe, 2 unreadable; 2 edits", done.stderr)
        self.assertIn(b"stdin:2: 1 edit\n", done.stderr)

    def test_status(self):
        for lines, status in [([CLEAN, CLEAN], OK), ([CLEAN, ORPHAN_CALL], OK), ([UNSAFE, CLEAN], ERRORS)]:
            done = run("repair", "-", stdin=b"".join(map(line, lines)))
            self.assertStatus(done, status)
        self.assertStatus(run("repair", "-", stdin=line(UNSAFE) + b"x\n"), FAILED)

    def test_what_is_found_out(self):
        many, one = (b"stdin:1:", b"stdin:2:"), (b"stdin:/",)
        for content, places in [
                (line(ORPHAN_CALL) + line(ORPHAN_CALL), many),
                (line(ORPHAN_CALL) + line({"messages": ORPHAN_CALL}).rstrip(), many),
                (b"\n\n" + line(CLEAN) + line(ORPHAN_CALL), (b"stdin:4:",)),
                (line(ORPHAN_CALL), one),
                (b"\n" + line(ORPHAN_CALL).rstrip() + b"\n\n", one),
                (json.dumps(ORPHAN_CALL, indent=1).encode(), one),
                (json.dumps({"messages": ORPHAN_CALL}, indent=1).encode(), one),
                # one message a line, but one document
                (b"[" + b",".join(map(line, ORPHAN_CALL)) + b"]", one),
                # the first line is broken, cut off, or no history
                (b"oops\n" + line(ORPHAN_CALL), (b"stdin:2:",)),
                (line(CLEAN)[:30] + b"\n" + line(ORPHAN_CALL), (b"stdin:2:",)),
                (b'{"version": 1}\n' + line(ORPHAN_CALL), (b"stdin:2:",)),
                (b'{"a": 1, "a": 1}\n' + line(ORPHAN_CALL), (b"stdin:2:",)),
                # the first line is longer than what is looked at first
                (line([{"role": "user", "content": "x" * 3000000}]) + line(ORPHAN_CALL), (b"stdin:2:",)),
                (b"x" * 3000000 + b"\n" + line(ORPHAN_CALL), (b"stdin:2:",)),
                (line([{"role": "user", "content": "x" * 3000000}, *ORPHAN_CALL[1:]]), one),
        ]:
            with self.subTest(content=content[:60]):
                done = run("validate", "-", stdin=content)
                found = done.stdout.splitlines()
                self.assertEqual(len(found), len(places), done.stderr[-500:])
                for row, place in zip(found, places):
                    self.assertTrue(row.startswith(place), row)

    def test_jsonl_says_so(self):
        done = run("validate", "--jsonl", "-", stdin=line(ORPHAN_CALL))
        self.assertTrue(done.stdout.startswith(b"stdin:1:/messages/1/content/1: "), done.stdout)
        self.assertStatus(run("validate", "--jsonl", "-", stdin=b""), OK)
        self.assertStatus(run("repair", "--jsonl", "-", stdin=json.dumps(CLEAN, indent=1).encode()), FAILED)

    def test_a_line_over_the_limit(self):
        long_line = b'["' + b"x" * 5000000 + b'"]'
        for ending in (b"\n", b""):
            content = line(ORPHAN_CALL) + long_line + b"\n" + line(CLEAN) + long_line + ending
            done = run("repair", "--jsonl", "--max-document", 1000, "-", stdin=content)
            self.assertStatus(done, FAILED)
            self.assertEqual(done.stdout.split(b"\n", 1)[1], content.split(b"\n", 1)[1])
            self.assertEqual(done.stderr.count(b"longer than 1000 bytes"), 2)
            self.assertIn(b"stdin:2: error: ", done.stderr)
            self.assertIn(b"stdin:4: error: ", done.stderr)
            done = run("validate", "--json", "--jsonl", "--max-document", 1000, "-", stdin=content)
            self.assertEqual(done.stdout.count(b"\n"), 4)

    def test_a_huge_line(self):
        chat = [{"role": "user", "content": "x" * 20000000}, *ORPHAN_CALL[1:]]
        done = run("repair", "-", stdin=line(chat) + line(ORPHAN_CALL))
        self.assertStatus(done, OK)
        first, second, rest = done.stdout.split(b"\n")
        self.assertEqual((len(first) > 20000000, b"server_tool_use" in second, rest), (True, False, b""))

    def test_windows_line_ends(self):
        content = line(CLEAN).rstrip() + b"\r\n" + line(ORPHAN_CALL).rstrip() + b"\r\n"
        done = run("repair", "-", stdin=content)
        self.assertStatus(done, OK)
        rows = done.stdout.split(b"\r\n")
        self.assertEqual((rows[0], len(rows)), (line(CLEAN).rstrip(), 3))

    def test_answers_come_while_the_input_is_open(self):
        with subprocess.Popen([PROGRAM, "repair", "--jsonl", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=environment()) as process:
            for _ in range(3):
                process.stdin.write(line(CLEAN))
                process.stdin.flush()
                self.assertEqual(process.stdout.readline(), line(CLEAN))
            process.stdin.close()
            self.assertEqual(process.wait(TIMEOUT), OK)

    def test_outcomes_keep_the_order_of_the_file(self):
        """Lines are judged by several threads; what they cost differs by a factor of thousands."""
        rng = random.Random(8)
        long = [{"role": "user", "content": "x" * 300000}, *ORPHAN_CALL[1:]]
        kinds = {"fine": line(CLEAN), "orphan": line(ORPHAN_CALL), "long": line(long), "broken": b"{\n", "blank": b"\n",
                 "unsafe": line(UNSAFE), "other": b'{"a": 1}\n'}
        drawn = rng.choices(list(kinds), weights=[30, 20, 2, 3, 3, 5, 3], k=2000)
        path = self.file(b"".join(kinds[kind] for kind in drawn))
        found = [text.split(":")[1] for text in run("validate", path).stdout.decode().splitlines()]
        self.assertEqual(found, [str(n) for n, kind in enumerate(drawn, 1) if kind in ("orphan", "long", "unsafe")])
        rows = run("repair", path).stdout.split(b"\n")
        self.assertEqual(len(rows), len(drawn) + 1)
        for row, kind in zip(rows, drawn):
            if kind in ("orphan", "long"):
                self.assertNotIn(b"server_tool_use", row)
                self.assertEqual(len(row) > 300000, kind == "long")
            else:
                self.assertEqual(row + b"\n", kinds[kind])

    def test_memory_holds_one_line(self):
        with open(PROGRAM, "rb") as f:
            if b"__asan_init" in f.read() or not os.path.isabs(PROGRAM):
                self.skipTest("a sanitizer's memory says nothing")
        path = self.path("big.jsonl")
        with open(path, "wb") as f:
            for _ in range(100):
                f.write(line([{"role": "user", "content": "x" * 1000000}]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertStatus(run("repair", "-o", "/dev/null", path), OK)
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertTrue(after == before or after < 40 * 1024, "%d KiB" % after)


if __name__ == "__main__":
    unittest.main()
