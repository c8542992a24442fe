# SPDX-License-Identifier: Apache-2.0
"""Figures of the rules alone, without a socket: what each area of them costs, and what a fault costs
where every message has one."""
import json

FAULTS = (1_000, 10_000, 100_000)
USER = {"role": "user", "content": "q"}


def user(*parts):
    return {"role": "user", "content": list(parts)}


def assistant(*parts):
    return {"role": "assistant", "content": list(parts)}


def text(words="done"):
    return {"type": "text", "text": words}


def thinking(**more):
    return {"type": "thinking", "thinking": "hm", **more}


def signed(**more):
    return thinking(signature="c2lnbmVk", **more)


def call(i):
    return {"type": "tool_use", "id": "toolu_%d" % i, "name": "read_file", "input": {"path": "a.c"}}


def answer(i):
    return {"type": "tool_result", "tool_use_id": "toolu_%d" % i, "content": "int main(void);"}


def search(i):
    return {"type": "server_tool_use", "id": "srvtoolu_%d" % i, "name": "web_search", "input": {"query": "x"}}


def found(i):
    hit = {"type": "web_search_result", "url": "u", "title": "t", "encrypted_content": "E"}
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_%d" % i, "content": [hit]}


def dense(n=200):
    """A history of thinking and tools in every message, with little text between them."""
    rounds = ((assistant(signed(), search(i), found(i), text(), call(i)), user(answer(i), text()))
              for i in range(n))
    return [USER] + [message for pair in rounds for message in pair] + [assistant(text()), USER]


# -- A fault in every round --------------------------------------------------------------------

def unanswered_call(i):
    return [assistant(text(), call(i)), USER]


def orphan_search(i):
    return [assistant(text(), search(i)), USER]


def blank_text(_):
    return [assistant(text()), user(text(" "), text())]


def result_behind_text(i):
    return [assistant(call(i)), user(text(), answer(i))]


def unsigned_thinking(_):
    return [assistant(thinking(), text()), USER]


def marked_thinking(_):
    return [assistant(signed(cache_control={"type": "ephemeral"}), text()), USER]


ROUNDS = (unanswered_call, orphan_search, blank_text, result_behind_text, unsigned_thinking, marked_thinking)


def mixed(i):
    return ROUNDS[i % len(ROUNDS)](i)


def faulty(round_of, n):
    return [USER] + [message for i in range(n) for message in round_of(i)] + [assistant(text()), USER]


# -- Measuring ---------------------------------------------------------------------------------

def write_bodies(write, bodies):
    """What the figures are taken from. write(name, document)."""
    for name, body in bodies.items():
        write("rules_%s.json" % name, body)
    write("rules_dense.json", {"messages": dense()})


def area_figures(report, bench):
    """A column for each history, in the order in which rules are judged; the names are those of the source."""
    columns = {"200 KB": "m", "2 MB": "l", "dense": "dense"}
    rows = dict(zip(columns, bench("bench_rules", *("rules_%s.json" % name for name in columns.values()))))
    rules = {label: sum(list(row["ns"].values())[row["before"]:]) for label, row in rows.items()}
    for step in next(iter(rows.values()))["ns"]:
        report.note("us per 1,000 parts: " + step, "; ".join(
            "%s %.1f" % (label, row["ns"][step] / row["parts"]) + (
                " (%.0f %%)" % (100 * row["ns"][step] / rules[label]) if step in row["areas"] else "")
            for label, row in rows.items()))


def fault_figures(report, bench, write_request):
    """Guarded repairs, so that all is mended; the processor time of each per fault."""
    for round_of in (*ROUNDS, mixed):
        for n in FAULTS:
            write_request("faults_%d" % n, "repair", {"messages": faulty(round_of, n)})
        rows = bench("bench_call", *("faults_%d.json" % n for n in FAULTS))
        per_fault = [1000 * row["us"] / n for row, n in zip(rows, FAULTS)]
        report.line("repair, time per fault, 10^5 to 10^4 %s (%s ns)" % (
            round_of.__name__.replace("_", " "), ", ".join("%.0f" % ns for ns in per_fault)),
            per_fault[2] / per_fault[1], 1.5, " x")
