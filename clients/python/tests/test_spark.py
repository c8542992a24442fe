# SPDX-License-Identifier: Apache-2.0
"""turnkeeper.spark with PySpark: a cluster of two executors on this machine. run_sdk_tests.sh installs what it needs.

TURNKEEPER names the program whose output Spark's is compared with.
"""

import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from local import needs_library
from support import CLIENT

import turnkeeper

CONVERSATIONS = 100_000
PATIENCE = 900  # seconds for the cluster's work on a busy machine


def missing():
    """What is missing for these tests, in words; None if nothing is."""
    for module in ("pyspark", "pyarrow", "pandas"):
        if importlib.util.find_spec(module) is None:
            return "%s is not installed" % module
    if shutil.which("java") is None:
        return "Java is not installed"
    if not os.path.exists(os.environ.get("TURNKEEPER", "")):
        return "TURNKEEPER names no program"
    return None


WHY = missing()

if WHY is None:
    import pyspark
    from pyspark.sql import SparkSession

    import turnkeeper.spark


def conversation(r, n):
    """A conversation of one to four kilobytes, as one line of JSON; about one of five has a fault."""
    word = lambda: r.choice(("ice", "skates", "f\u00f8re", "\u6c37", "\\u00e9", "lake", "thick"))
    text = lambda size: " ".join(word() for _ in range(size))
    messages = [{"role": "user", "content": "%d: %s" % (n, text(40))}]
    for turn in range(r.randrange(1, 5)):
        ident = "srvtoolu_%d_%d" % (n, turn)
        parts = [{"type": "text", "text": text(60)},
                 {"type": "server_tool_use", "id": ident, "name": "web_search", "input": {"query": text(4)}},
                 {"type": "web_search_tool_result", "tool_use_id": ident, "content": []}]
        if r.random() < 0.08:
            del parts[r.randrange(1, 3)]
        messages.append({"role": "assistant", "content": parts})
        messages.append({"role": "user", "content": text(30)})
    return json.dumps(messages, ensure_ascii=r.random() < 0.5)


UNSAFE = json.dumps([
    {"role": "user", "content": "q"},
    {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "t", "signature": "c2ln"},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
        {"type": "text", "text": "a"}]},
    {"role": "user", "content": "n"}])


def write_lines(path, count):
    r = random.Random(7)
    with open(path, "w", encoding="utf-8") as f:
        for n in range(count):
            if n % 1000 == 500:
                f.write('{"messages": [%d\n' % n)
            elif n % 1000 == 700:
                f.write(UNSAFE.replace('"q"', '"%d"' % n) + "\n")
            else:
                f.write(conversation(r, n) + "\n")


def by_the_program(path):
    """What the command line program makes of the lines."""
    done = subprocess.run([os.environ["TURNKEEPER"], "repair", "--jsonl", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode().splitlines()


def children(of):
    """Processes below this one, with their command lines."""
    below, found = {of}, {}
    parents = {}
    for entry in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % entry, encoding="utf-8") as f:
                parents[int(entry)] = int(f.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    grown = True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in below} - below
        grown = bool(more)
        below |= more
    for pid in below - {of}:
        try:
            with open("/proc/%d/cmdline" % pid, encoding="utf-8", errors="replace") as f:
                found[pid] = f.read()
        except OSError:
            continue
    return found


@unittest.skipIf(WHY is not None, WHY)
class Spark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        needs_library()
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
        os.environ["PYSPARK_PYTHON"] = sys.executable
        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.local.dir": cls.folder,
            "spark.sql.warehouse.dir": os.path.join(cls.folder, "warehouse"),
            "spark.executorEnv.PYTHONPATH": os.path.join(CLIENT, "src"),
            "spark.executorEnv.TURNKEEPER_LIBRARY": os.environ.get("TURNKEEPER_LIBRARY", ""),
            "spark.sql.files.maxPartitionBytes": str(8 << 20),
            "spark.network.timeout": "600s",
        }
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("turnkeeper")
        for name, value in settings.items():
            builder = builder.config(name, value)
        os.chdir(cls.folder)  # the cluster keeps its folder `work` here
        cls.spark = builder.getOrCreate()
        cls.addClassCleanup(cls.spark.stop)
        cls.spark.sparkContext.setLogLevel("OFF")

    def rows(self, values, kind):
        return self.spark.createDataFrame([(value,) for value in values], "chat %s" % kind)

    def test_a_worker_that_is_killed_loses_nothing(self):
        """Every conversation comes out, as the command line program repairs it, though an executor dies midway."""
        path, out = os.path.join(self.folder, "chats.jsonl"), os.path.join(self.folder, "clean")
        write_lines(path, CONVERSATIONS)
        fixed = turnkeeper.spark.repair(self.spark.read.text(path), "value")
        failed = []

        def job():
            try:
                fixed.select("repaired").write.text(out)
            except Exception as error:  # it is told below
                failed.append(error)

        work = threading.Thread(target=job)
        work.start()
        killed = self.kill_an_executor_midway(work)
        work.join(PATIENCE)
        self.assertEqual((work.is_alive(), failed), (False, []))
        self.assertTrue(killed, "the job ended before an executor could be killed")
        got = []
        for name in sorted(os.listdir(out)):
            if name.startswith("part-"):
                with open(os.path.join(out, name), encoding="utf-8") as f:
                    got += f.read().splitlines()
        want = by_the_program(path)
        self.assertEqual((len(want), len(got)), (CONVERSATIONS, CONVERSATIONS))
        differing = [pair for pair in zip(sorted(want), sorted(got)) if pair[0] != pair[1]]
        self.assertEqual(differing[:1], [])
        with open(path, encoding="utf-8") as f:
            edited = sum(line.rstrip("\n") != wanted for line, wanted in zip(f, want))
        self.assertGreater(edited, CONVERSATIONS // 20)

    def kill_an_executor_midway(self, work):
        tracker = self.spark.sparkContext.statusTracker()
        deadline = time.monotonic() + PATIENCE
        while work.is_alive() and time.monotonic() < deadline:
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                if info and info.numCompletedTasks >= 2 and info.numActiveTasks > 0:
                    executors = [pid for pid, command in children(os.getpid()).items()
                                 if "CoarseGrainedExecutorBackend" in command]
                    os.kill(executors[0], signal.SIGKILL)
                    return True
            time.sleep(0.02)
        return False

    def test_findings(self):
        broken = json.dumps([{"role": "user", "content": "q"}, {"role": "assistant", "content": [
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}, {"type": "text", "text": "a"}]},
            {"role": "user", "content": "n"}])
        whole = ' {"model": "m", "max_tokens": 1.0, "messages" : %s }' % broken
        clean = '[{"role": "user", "content": "q"}]'
        df = self.rows([broken, whole, clean, UNSAFE, "nothing", None], "string")
        got = turnkeeper.spark.repair(df, "chat", output="text", findings="why").collect()
        self.assertEqual([row.chat for row in got], [broken, whole, clean, UNSAFE, "nothing", None])
        self.assertEqual([row.text for row in got],
                         [self.mended(broken), self.mended(whole), clean, UNSAFE, "nothing", None])
        first, second, third, unsafe, unread, none = [row.why for row in got]
        self.assertEqual((first.changed, first.safe, first.error, first.violations), (True, True, None, []))
        self.assertEqual([(e.code, e.action, e.pointer, e.tool) for e in first.edits],
                         [("provider_executed_call_without_result", "drop", "/messages/1/content/0", "web_search")])
        self.assertEqual((second.changed, third.changed, third.edits), (True, False, []))
        self.assertEqual((unsafe.error, unsafe.changed, unsafe.violations[0].severity), ("unsafe_history", None, "error"))
        self.assertEqual((unread.error, unread.violations), ("parse_error", []))
        self.assertIsNone(none)

    def mended(self, text):
        """Without the call, by hand."""
        start = text.index('{"type": "server_tool_use"')
        return text[:start] + text[text.index('{"type": "text"'):]

    def test_validate(self):
        df = self.rows(['[{"role": "user", "content": "q"}]', UNSAFE, "{", None], "string")
        got = turnkeeper.spark.validate(df, "chat").select("findings").collect()
        valid, invalid, unread, none = [row.findings for row in got]
        self.assertEqual((valid.valid, valid.message_count, valid.part_count, valid.violations), (True, 1, 1, []))
        self.assertFalse(invalid.valid)
        self.assertIn("/messages/1/content/1", [v.pointer for v in invalid.violations])
        self.assertEqual((unread.valid, unread.error), (None, "parse_error"))
        self.assertIsNone(none)

    def test_binary_and_structs(self):
        text = '[{"role":"user","content":"\u00e9"},{"role":"assistant","content":" "},{"role":"user","content":"n"}]'
        structs = "array<struct<role: string, content: string>>"
        plain = turnkeeper.spark.repair(self.rows([text], "string"), "chat").collect()[0]
        self.assertTrue(plain.findings.changed)
        binary = turnkeeper.spark.repair(self.rows([text.encode()], "binary"), "chat").collect()[0]
        self.assertEqual(bytes(binary.repaired), plain.repaired.encode())
        lists = turnkeeper.spark.repair(self.rows([json.loads(text)], structs), "chat").collect()[0]
        self.assertEqual(lists.repaired, plain.repaired)

    def test_parameters_reach_every_row(self):
        chat = '[{"role":"assistant","content":"a","tool_calls":[{"id":"c","type":"function","function":{"name":"n","arguments":"{}"}}]}]'
        df = self.rows([chat], "string")
        row = turnkeeper.spark.repair(df, "chat", provider="openai-chat").collect()[0]
        self.assertEqual(row.findings.edits[0].code, turnkeeper.Local().repair(json.loads(chat), provider="openai-chat").edits[0].code)
        row = turnkeeper.spark.repair(df, "chat", policy="wishful").collect()[0]
        self.assertEqual(row.findings.error, "invalid_params")

    def test_what_is_no_conversation(self):
        df = self.rows([3], "int")
        with self.assertRaisesRegex(TypeError, "'chat' has int"):
            turnkeeper.spark.repair(df, "chat")
        with self.assertRaisesRegex(ValueError, "no column 'chats'"):
            turnkeeper.spark.repair(df, "chats")
        with self.assertRaisesRegex(ValueError, "'chat' already"):
            turnkeeper.spark.validate(self.rows(["[]"], "string"), "chat", findings="chat")
        with self.assertRaises(TypeError):
            turnkeeper.spark.repair(self.rows(["[]"], "string"), "chat", policy=object())


if __name__ == "__main__":
    unittest.main()
