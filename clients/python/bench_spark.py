#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures turnkeeper.spark.repair on one core of Spark: megabytes of stored JSON a second.

    bench_spark.py            prints a table; TURNKEEPER_LIBRARY names the library
    bench_spark.py --json     one object a line

The conversations are tests/bench/gen_corpus.py's of 18 KB, of which one in four has a call without its result: 200 MB of
JSONL. Each figure is the best of three of a whole job with one core, from the file to nowhere:

    read      Spark reads the lines
    passed    and hands them to Python and back, where nothing is done with them
    repair    and repairs them there
"""

import importlib.util
import json
import os
import sys
import tempfile
import time

from bench import corpora, with_orphan  # next to this file

CLIENT = os.path.dirname(os.path.abspath(__file__))
SIZE = 200_000_000
BAR = 50  # MB/s of `repair`
RUNS = 3


def conversations():
    """One with a call without its result and three clean ones, as lines of JSON."""
    body = dict(corpora())["s"]
    return [json.dumps(chat, ensure_ascii=False) + "\n" for chat in (with_orphan(body), body, body, body)]


def write(path):
    lines = conversations()
    with open(path, "w", encoding="utf-8") as f:
        while f.tell() < SIZE:
            f.writelines(lines)
    return os.path.getsize(path)


def seconds(job):
    """The best time of a job that writes to nowhere."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.monotonic()
        job().write.format("noop").mode("overwrite").save()
        best = min(best, time.monotonic() - start)
    return best


def measure(path):
    from pyspark.sql import SparkSession

    import turnkeeper.spark

    os.environ["PYTHONPATH"] = os.path.join(CLIENT, "src")  # of the worker processes
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
             .config("spark.ui.showConsoleProgress", "false").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())
    spark.sparkContext.setLogLevel("OFF")
    try:
        lines = spark.read.text(path)
        return {
            "read": seconds(lambda: lines),
            "passed": seconds(lambda: lines.mapInArrow(lambda batches: batches, lines.schema)),
            "repair": seconds(lambda: turnkeeper.spark.repair(lines, "value")),
        }
    finally:
        spark.stop()


def main():
    if importlib.util.find_spec("pyspark") is None:
        print("Spark, one core              not measured: PySpark is not installed")
        return
    sys.path.insert(0, os.path.join(CLIENT, "src"))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "chats.jsonl")
        size = write(path)
        rates = {name: size / 1e6 / took for name, took in measure(path).items()}
    if "--json" in sys.argv:
        print(json.dumps({"what": "Spark, one core", "mb_per_s": rates, "bar": BAR}))
        return
    figures = ", ".join("%s %.0f MB/s" % row for row in rates.items())
    print("Spark, one core              %s (bar of repair: >= %d MB/s: %s)" % (
        figures, BAR, "ok" if rates["repair"] >= BAR else "under"))


if __name__ == "__main__":
    main()
