# SPDX-License-Identifier: Apache-2.0
"""A short soak, and the exit status of the program."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "soak.py")
MINUTES = 2 / 3
PATIENCE = 600


class Soak(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder)
        self.log = os.path.join(self.folder, "made", "soak.log")

    def start(self, *options):
        return subprocess.Popen([sys.executable, "-B", PROGRAM, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True)

    def ended(self, process):
        """Its exit status and what it printed."""
        out = process.communicate(timeout=PATIENCE)[0]
        return process.returncode, out

    def judged(self, rows, end):
        path = os.path.join(self.folder, "changed.log")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(json.dumps(document) + "\n" for document in [*rows, end])
        return self.ended(self.start("--judge", path))

    def test_a_short_soak(self):
        status, out = self.ended(self.start("--minutes", str(MINUTES), "--log", self.log))
        print(out)
        self.assertEqual(status, 0)
        self.assertIn("soak: all good", out)
        with open(self.log, encoding="utf-8") as f:
            *rows, end = [json.loads(line) for line in f]
        self.assertEqual([row["row"] for row in rows], list(range(1, 9)))
        methods = {name for row in rows for name in row["counts"] if name.startswith("answers_")}
        self.assertLessEqual({"answers_" + m for m in ("validate", "repair", "stream.feed", "info")}, methods)
        self.assertEqual(self.judged(rows, end)[0], 0)
        self.assertEqual(self.judged(rows, {**end, "descriptors_after": end["descriptors_before"] + 1})[0], 1)
        lost = [{**row, "counts": {**row["counts"], "lost": row["row"] == 3}} for row in rows]
        self.assertEqual(self.judged(lost, end)[0], 1)
        leak = [{**row, "rss_kb": [kb * row["row"] for kb in row["rss_kb"]]} for row in rows]
        self.assertEqual(self.judged(leak, {**end, "is_sanitized": False})[0], 1)

    def test_a_daemon_that_ends(self):
        process = self.start("--minutes", "60", "--log", self.log)
        pid = int(re.search(r"daemon (\d+)", process.stdout.readline())[1])
        process.stdout.readline()  # the head of the table: all processes are there
        os.kill(pid, signal.SIGKILL)
        status, out = self.ended(process)
        self.assertEqual(status, 1)
        self.assertIn("the daemon ended with -9", out)


if __name__ == "__main__":
    unittest.main()
