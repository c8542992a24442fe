#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rows of `validate --json` for JSONL and several files: one table, as jq and DuckDB read it.

Run through tests/tap.py, or with unittest; cli.py says what it needs. DuckDB comes from PyPI, if that answers.
"""
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from cli import CALL_CODE, CLEAN, MIX, ORPHAN_CALL, RESULT_CODE, TIMEOUT, TWO_FAULTS, Case, line, run

MEMBERS = ["file", "line", "provider", "dialect", "valid", "message_count", "part_count", "protected", "violations",
           "counts", "truncated", "error"]
FINDING = ["code", "severity", "message_index", "part_index", "pointer", "id", "tool", "text", "provider_error"]
FAULT = ["name", "message", "pointer", "offset"]
INT, TEXT = (int, type(None)), (str, type(None))
TYPES = {"file": (str,), "line": INT, "provider": TEXT, "dialect": TEXT, "valid": (bool, type(None)),
         "message_count": INT, "part_count": INT, "protected": INT, "violations": (list,), "counts": (list,),
         "truncated": INT, "error": (dict, type(None))}
DUCKDB = "duckdb==1.4.1"


@functools.lru_cache(None)
def duckdb_folder():
    """A folder with DuckDB's package, or the reason why there is none."""
    folder = tempfile.mkdtemp(prefix="duckdb")
    command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary=:all:",
               "--retries=0", "--timeout=10", "--target", folder, DUCKDB]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None, "PyPI doesn't answer in time"
    return (folder, "") if done.returncode == 0 else (None, done.stderr.strip()[-300:])


class Rows(Case):
    def rows(self, *paths, options=()):
        done = run("validate", "--json", *options, *paths)
        return [json.loads(row) for row in done.stdout.splitlines() if row]

    def assertTable(self, rows):
        for row in rows:
            self.assertEqual(list(row), MEMBERS)
            for name, types in TYPES.items():
                self.assertIsInstance(row[name], types, name)
            for finding in row["violations"]:
                self.assertEqual(list(finding), FINDING)
            for count in row["counts"]:
                self.assertEqual(list(count), ["code", "count"])
            if row["error"]:
                self.assertEqual(list(row["error"]), FAULT)

    def test_every_row_has_the_same_members(self):
        rows = self.rows(self.file(b"".join(MIX)))
        self.assertTable(rows)
        self.assertEqual([row["line"] for row in rows], [1, 2, 4, 6, 7, 8, 9])
        self.assertEqual({row["provider"] for row in rows if not row["error"]}, {"anthropic"})
        for row in rows:
            if row["error"]:
                self.assertEqual([row[name] for name in ("provider", "valid", "message_count", "violations", "counts")],
                                 [None, None, None, [], []])

    def test_a_row_says_what_the_result_of_the_document_says(self):
        for history in (CLEAN, ORPHAN_CALL, TWO_FAULTS):
            alone = json.loads(run("validate", "--json", self.file(line(history), "one.json")).stdout)
            row, = self.rows(self.file(line(history), "one.jsonl"), options=["--jsonl"])
            self.assertTable([row])
            self.assertEqual({c["code"]: c["count"] for c in row["counts"]}, alone["counts"])
            for name in ("valid", "message_count", "part_count", "protected", "truncated"):
                self.assertEqual(row[name], alone[name])
            self.assertEqual(len(row["violations"]), len(alone["violations"]))
            for mine, its in zip(row["violations"], alone["violations"]):
                self.assertEqual(mine, {**dict.fromkeys(FINDING), **its})

    def test_findings_that_are_not_listed_are_counted(self):
        rows = self.rows(self.file(line(TWO_FAULTS) * 2), options=["--max-violations", "1"])
        self.assertTable(rows)
        self.assertEqual([(len(row["violations"]), row["truncated"], sum(c["count"] for c in row["counts"])) for row in rows],
                         [(1, 1, 2)] * 2)

    def test_of_several_files(self):
        paths = [self.file(line(ORPHAN_CALL), "a.json"), self.file(b"{", "b.json"), self.path("none"),
                 self.file(line(CLEAN) * 2, "d.jsonl")]
        rows = self.rows(*paths)
        self.assertTable(rows)
        self.assertEqual([(row["file"], row["line"], row["valid"]) for row in rows],
                         [(paths[0], None, False), (paths[1], None, None), (paths[2], None, None), (paths[3], 1, True),
                          (paths[3], 2, True)])

    @unittest.skipUnless(shutil.which("jq"), "jq is not installed")
    def test_jq(self):
        text = run("validate", "--json", self.file(b"".join(MIX))).stdout
        done = subprocess.run(["jq", "-r", '.line as $line | .violations[] | [$line, .code, .message_index] | @tsv'],
                              input=text, capture_output=True, check=True, timeout=TIMEOUT)
        self.assertEqual(done.stdout.decode().splitlines(),
                         ["2\t%s\t1" % CALL_CODE, "6\t%s\t1" % RESULT_CODE, "7\t%s\t1" % RESULT_CODE])

    def test_duckdb(self):
        folder, why = duckdb_folder()
        if not folder:
            self.skipTest("no %s: %s" % (DUCKDB, why))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        with open(self.path("rows.jsonl"), "wb") as f:
            f.write(run("validate", "--json", self.file(b"".join(MIX))).stdout)
        code = """
import duckdb, json, sys
rows = duckdb.sql("select line, v.code, v.message_index from (select line, unnest(violations) as v "
                  "from read_json('%s')) order by line" % sys.argv[1]).fetchall()
types = duckdb.sql("describe select * from read_json('%s')" % sys.argv[1]).fetchall()
print(json.dumps([rows, [row[0] for row in types]]))
"""
        done = subprocess.run([sys.executable, "-c", code, self.path("rows.jsonl")], capture_output=True, text=True,
                              timeout=TIMEOUT, env=dict(os.environ, PYTHONPATH=folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows, names = json.loads(done.stdout)
        self.assertEqual(rows, [[2, CALL_CODE, 1], [6, RESULT_CODE, 1], [7, RESULT_CODE, 1]])
        self.assertEqual(names, MEMBERS)


if __name__ == "__main__":
    unittest.main()
