# SPDX-License-Identifier: Apache-2.0
"""Figures of the rules alone, without a socket: what each area of them costs, and what a fault costs
where every message has one."""
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

def area_figures(report, bench, columns):
    """A column for each history {label: file}; a line for each area of the source, in its order."""
    rows = {label: bench("bench_rules", name)[0] for label, name in columns.items()}
    first = next(iter(rows.values()))
    for label, row in rows.items():
        report.note("rules, %s, %d parts" % (label, row["parts"]), "%.1f us, %.0f us per 1,000 parts" % (
            sum(row["areas"].values()) / 1000, sum(row["areas"].values()) / row["parts"]))
    for group in ("before", "areas"):
        for step in first[group]:
            report.note("us per 1,000 parts: %s" % step, "; ".join(
                "%s %.1f%s" % (label, row[group][step] / row["parts"], share(row, group, step))
                for label, row in rows.items()))


def share(row, group, step):
    return " (%.0f %%)" % (100 * row[group][step] / sum(row[group].values())) if group == "areas" else ""


def call_figures(report, bench, columns):
    """Whole requests, {label: file}."""
    rows = bench("bench_call", *columns.values())
    for label, row in zip(columns, rows):
        report.note("in process: " + label, "%.0f us" % row["us"])


def fault_figures(report, bench, write_request):
    """Guarded repairs, which fail where anything is left; the processor time of each per fault, without the time that
    the system takes to clear pages of memory."""
    for round_of in (*ROUNDS, mixed):
        for n in FAULTS:
            write_request("faults_%d" % n, "repair", {"messages": faulty(round_of, n), "return": "patch"})
        rows = bench("bench_call", "--keep", *("faults_%d.json" % n for n in FAULTS))
        per_fault = [1000 * row["us"] / n for row, n in zip(rows, FAULTS)]
        report.line("%s: time per fault, 10^5 to 10^4 (%s ns)" % (
            round_of.__name__.replace("_", " "), ", ".join("%.0f" % ns for ns in per_fault)),
            per_fault[2] / per_fault[1], 1.5, " x")
