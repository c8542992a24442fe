# SPDX-License-Identifier: Apache-2.0
"""The report of a probe: Markdown, or JSON lines for a file whose name ends in .jsonl.

It is made to be committed and compared with the next one: sorted by provider and code, without a date unless one is given, without
keys, and with ids that providers draw anew each time (toolu_01Ab..., req_...) cut to their prefix.
"""
import json
import os
import re

from verdict import OUTCOMES

DRAWN = re.compile(r"\b((?:srv)?toolu|req|msg|resp|rs|fc|call|org|proj)[_-][A-Za-z0-9]{12,}")
COLUMNS = ("code", "severity", "outcome", "by", "model", "why", "said")


def stable(text):
    return DRAWN.sub(r"\1_...", text)


def entries(results):
    """Returns a dictionary for each (row, model, Verdict), sorted."""
    made = [{"provider": row["provider"], "code": row["code"], "severity": row["severity"], "outcome": verdict.outcome,
             "by": verdict.by, "model": model, "why": stable(verdict.why), "said": stable(verdict.said)}
            for row, model, verdict in results]
    return sorted(made, key=lambda entry: (entry["provider"], entry["code"]))


def counts(results):
    """Returns {outcome: number of rows}, without those of no row."""
    seen = [verdict.outcome for _, _, verdict in results]
    return {outcome: seen.count(outcome) for outcome in OUTCOMES if outcome in seen}


def summary(results):
    return ", ".join("%d %s" % (count, outcome) for outcome, count in counts(results).items()) or "nothing asked"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def markdown(results, date):
    lines = ["# Rules asked of live endpoints", ""]
    lines += ["Asked on %s." % date, ""] if date else []
    lines += [summary(results) + ".", ""]
    provider = None
    for entry in entries(results):
        if entry["provider"] != provider:
            provider = entry["provider"]
            lines += ["## " + provider, "", "| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
        lines.append("| " + " | ".join(cell(entry[name]) for name in COLUMNS) + " |")
    return "\n".join(lines) + "\n"


def json_lines(results, date):
    dated = {"date": date} if date else {}
    return "".join(json.dumps(dict(entry, **dated), sort_keys=True) + "\n" for entry in entries(results))


def write(path, results, date=None):
    """Writes the report; an older one is replaced when the new one is whole."""
    text = (json_lines if path.endswith(".jsonl") else markdown)(results, date)
    unfinished = path + ".new"
    with open(unfinished, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(unfinished, path)
