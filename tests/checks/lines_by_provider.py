#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows which lines of a folder of `src` are run by the conformance cases of one provider alone.

    lines_by_provider.py BUILD [--folder engine] [--most 0.1] [--lines]

BUILD is a build folder that was configured with --enable-coverage. For each provider a daemon runs that provider's cases alone, and
gcov says which lines they reached. A line that two providers reach is common. Without a second provider nothing tells whether
code is common or that provider's, so the last line is the figure to keep low: lines that one provider alone reached, as a share of
all lines that any of them reached. The exit status is 1 if it is above --most.

`make lines-by-provider` builds what is needed and runs this.
"""
import argparse
import collections
import json
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests"))
sys.path.insert(0, os.path.join(TOP, "tests", "conformance"))
DEFAULT_PROVIDER = "anthropic"  # of the protocol


def providers_of(case):
    """The providers that a case's requests ask for."""
    steps = case.get("steps", [case])
    return {(step.get("params") or {}).get("provider", DEFAULT_PROVIDER) for step in steps if "method" in step}


def cases_by_provider():
    """The conformance cases of each provider that this build judges; a case that asks for several counts for none."""
    import run_cases

    judged = {rule["provider"] for rule in run_cases.rules() if run_cases.is_judged(rule)}
    found = {provider: [] for provider in judged}
    for _, case in run_cases.runnable():
        providers = providers_of(case)
        if len(providers) == 1 and providers <= judged:
            found[providers.pop()].append(case)
    return found


def counts_below(folder):
    """The files of counts; libtool keeps them in hidden folders."""
    return [os.path.abspath(os.path.join(path, name)) for path, _, names in os.walk(folder) for name in names
            if name.endswith(".gcda")]


def forget_counts(build):
    for path in counts_below(build):
        os.remove(path)


def run(build, cases):
    """Has a daemon of the build answer the cases; their outcome is for run_cases.py to judge."""
    os.environ["TURNKEEPERD"] = os.path.join(build, "turnkeeperd")
    import daemon
    import run_cases

    daemon.PROGRAM = os.environ["TURNKEEPERD"]
    runner = run_cases.load_runner()
    served = daemon.Daemon()
    try:
        for case in cases:
            runner.run_case(served.socket, "json", case)
    finally:
        served.stop()


def reached(build, folder):
    """{(file, line)} of the folder's lines that have been run since the counts were forgotten."""
    counts = counts_below(os.path.join(build, "src", folder))
    # One line of JSON for each file of counts: written to files, reports of equal base names would replace each other.
    said = subprocess.run(["gcov", "--json-format", "--stdout", *counts], check=True, capture_output=True).stdout
    lines = set()
    for text in said.splitlines():
        for source in json.loads(text)["files"]:
            name = os.path.normpath(source["file"]).split("src/", 1)[-1]
            if name.startswith(folder + "/") and name.endswith(".c"):
                lines |= {(name, line["line_number"]) for line in source["lines"] if line["count"]}
    return lines


def report(by_provider, folder, with_lines):
    """Prints a row for each file; returns the share of lines that one provider alone reached."""
    owners = collections.defaultdict(set)
    for provider, lines in by_provider.items():
        for line in lines:
            owners[line].add(provider)
    names = sorted(by_provider)
    print("%-40s %8s  %s" % ("src/" + folder, "common", "  ".join("%16s" % name for name in names)))
    rows = collections.defaultdict(collections.Counter)
    for (name, _), who in owners.items():
        rows[name][next(iter(who)) if len(who) == 1 else "common"] += 1
    total = collections.Counter()
    for name in sorted(rows):
        total += rows[name]
        print("%-40s %8d  %s" % (name, rows[name]["common"], "  ".join("%16d" % rows[name][who] for who in names)))
    if with_lines:
        for (name, line), who in sorted(owners.items()):
            if len(who) == 1:
                print("%s:%d: %s" % (name, line, next(iter(who))))
    alone = sum(total[who] for who in names)
    share = alone / max(1, sum(total.values()))
    print("%-40s %8d  %s" % ("all", total["common"], "  ".join("%16d" % total[who] for who in names)))
    print("%d of %d lines are run by one provider alone: %.1f %%" % (alone, sum(total.values()), 100 * share))
    return share


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("build", help="a build folder configured with --enable-coverage")
    parser.add_argument("--folder", default="engine", help="folder of src to look at [%(default)s]")
    parser.add_argument("--most", type=float, default=1.0, help="largest share that is good [%(default)s]")
    parser.add_argument("--lines", action="store_true", help="list the lines of one provider alone")
    options = parser.parse_args()
    by_provider = {}
    for provider, cases in sorted(cases_by_provider().items()):
        forget_counts(options.build)
        run(options.build, cases)
        by_provider[provider] = reached(options.build, options.folder)
    return 0 if report(by_provider, options.folder, options.lines) <= options.most else 1


if __name__ == "__main__":
    sys.exit(main())
