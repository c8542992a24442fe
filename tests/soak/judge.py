# SPDX-License-Identifier: Apache-2.0
"""The verdict on a soak, from its rows.

A row is what happened in one minute (in a short run: in one part of it):

    {"rss_kb": [n...], "rest_kb": n, "descriptors": n,       of the daemon that is never restarted; memory several times
                                                             a second, and at the end of a pause of the load
     "counts": {name: n}, "samples": {name: [n...]}, "failures": [text...]}

The end is {"descriptors_before": n, "descriptors_after": n, "acts": [name...], "is_sanitized": bool,
"restarts": least number of restarts, "scrapes": least number of Prometheus's scrapes, 0 if it isn't installed}.
"""
import collections

Verdict = collections.namedtuple("Verdict", "name ok measured bar")
# The largest allowed quotient of memory (last quarter by second quarter), and of latency (later by the first row).
Bars = collections.namedtuple("Bars", "memory latency")
LONG = Bars(1.02, 2)
# In less than ten minutes memory has not settled yet, and the first row has too few samples for a good p99. Such a run
# only finds what is grossly wrong.
SHORT = Bars(1.5, 10)


def percentile(values, percent):
    """The smallest value that at least so many percent of the values don't exceed; 0 without values."""
    if not values:
        return 0
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def total(rows, name):
    return sum(row["counts"].get(name, 0) for row in rows)


def samples(rows, name):
    return [value for row in rows for value in row["samples"].get(name, [])]


def least_memory(rows):
    """The least memory that the daemon was seen with, in KB: what it keeps. All that it needs for a moment, and what it has
    freed and not yet given back, only adds to that; how much a sample sees of it depends on chance and on the machine. A
    leak adds to every sample."""
    return min(min(row["rss_kb"], default=row["rest_kb"]) for row in rows)


def memory(rows, end, bars):
    """The last quarter by the second. In the first quarter memory still grows to what the load needs. Only growth is a
    leak: less memory is no failure."""
    if end["is_sanitized"]:
        return Verdict("memory", True, "not judged: a sanitizer keeps freed memory", "")
    quarter = len(rows) // 4
    if quarter == 0:
        return Verdict("memory", False, "too few rows", "")
    parts = rows[-quarter:], rows[quarter:2 * quarter]
    last, second = map(least_memory, parts)
    medians = [percentile([kb for row in part for kb in row["rss_kb"]], 50) for part in parts]
    return Verdict("memory: last quarter by second", last <= second * bars.memory,
                   "%.3f (%d KB by %d KB; medians %d by %d)" % (last / second, last, second, *medians),
                   "<= %.2f" % bars.memory)


def descriptors(_rows, end, _bars):
    before, after = end["descriptors_before"], end["descriptors_after"]
    return Verdict("open descriptors at the end", after <= before, str(after), "<= %d" % before)


def latency(rows, _end, bars):
    """The p99 of a validate after the first row by that of the first row. Where other programs slow down the machine,
    a server that only hashes the same bytes gets slower as well: its quotient, if above 1, is divided out."""
    figures = {}
    for name in ("validate_us", "reference_us"):
        first, later = (percentile(samples(part, name), 99) for part in (rows[:1], rows[1:]))
        if not first or not later:
            return Verdict("p99 of validate", False, "not measured", "")
        figures[name] = later / first
        if name == "validate_us":
            shown = "%d us by %d us" % (later, first)
    noise = max(1, figures["reference_us"])
    quotient = figures["validate_us"]
    return Verdict("p99 of validate: later by first row", quotient / noise <= bars.latency,
                   "%.2f (%s); reference %.2f" % (quotient, shown, figures["reference_us"]),
                   "<= %d times the reference's" % bars.latency)


def none_of(name, count):
    """The check that something was never counted."""
    def check(rows, _end, _bars):
        n = total(rows, count)
        return Verdict(name, n == 0, str(n), "0")
    return check


def some_of(name, count):
    """The check that something was counted in every row, so that the load didn't end early."""
    def check(rows, _end, _bars):
        least = min((row["counts"].get(count, 0) for row in rows), default=0)
        return Verdict(name, least > 0, "%d, at least %d a row" % (total(rows, count), least), "> 0 a row")
    return check


def at_least(name, count, bar):
    """The check that something was counted as often as the end says."""
    def check(rows, end, _bars):
        n = total(rows, count)
        return Verdict(name, n >= end[bar], str(n), ">= %d" % end[bar])
    return check


def acts(rows, end, _bars):
    missing = [name for name in end["acts"] if not total(rows, name)]
    return Verdict("kinds of hostile clients", not missing, ", ".join(missing) + " never came" if missing else
                   str(len(end["acts"])), "all of them")


def failures(rows, _end, _bars):
    found = [text for row in rows for text in row["failures"]]
    return Verdict("failures", not found, "; ".join(found[:3])[:2000] if found else "0", "0")


CHECKS = (
    memory, descriptors, latency,
    some_of("answers, compared with the first", "answers"),
    none_of("answers that differ", "wrong"),
    none_of("requests without an answer", "lost"),
    at_least("restarts", "restarts", "restarts"),
    some_of("answers over restarts", "restart_answers"),
    none_of("requests without an answer over restarts", "restart_lost"),
    some_of("reloads that came into force", "reloads"),
    acts,
    at_least("scrapes by Prometheus", "scrapes", "scrapes"),
    none_of("scrapes that failed", "scrapes_failed"),
    failures,
)


def judge(rows, end, bars):
    """The verdict of each check, in order."""
    return [check(rows, end, bars) for check in CHECKS]
