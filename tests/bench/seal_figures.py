# SPDX-License-Identifier: Apache-2.0
"""Figures of seals: how fast a large turn is sealed, and what they add to repair."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "properties"))
import seal_model  # noqa: E402

TURNS = ("prose", "code")
CODE = "def area(w, h):\n    if w < 0 or h < 0:\n        raise ValueError(\"negative\")\n    return w * h\n\n"
PROSE = "The ice on the lake was thick enough to carry us, and so we walked across it to the far shore. "


def turn(kind):
    """About 2 MB in forty blocks, in the order in which a model writes them."""
    blocks = [{"type": "thinking", "thinking": PROSE * 50, "signature": "c2ln" * 100}]
    for i in range(40):
        if kind == "code":
            blocks.append({"type": "tool_use", "id": "toolu_%d" % i, "name": "write_file",
                           "input": {"path": "a/%d.py" % i, "content": CODE * 500}})
        else:
            blocks.append({"type": "text", "text": PROSE * 500})
    return blocks


def seals_of(body):
    turns = [m["content"] for m in body["messages"] if m["role"] == "assistant" and isinstance(m["content"], list)]
    return [{"seal": seal_model.seal(t)} for t in turns]


def write_requests(write_request, bodies):
    for kind in TURNS:
        write_request("seal_" + kind, "seal", {"content": turn(kind)})
    for name in "ml":
        write_request("sealed_" + name, "repair", {"request": bodies[name], "seals": seals_of(bodies[name])})


def figures(report, bench):
    for suffix, codec in (("json", "JSON"), ("mp", "msgpack")):
        files = ["seal_%s.%s" % (kind, suffix) for kind in TURNS]
        floors = {row["file"]: row for row in bench("bench_hash", *files)}
        for row in bench("bench_call", *files):
            floor = floors[row["file"]]
            speed, hashing = (r["bytes"] / r["us"] for r in (row, floor))
            report.line("seal, a turn of %s, %s (SHA-256 alone %.0f MB/s)" % (
                row["file"].split("_")[1].split(".")[0], codec, hashing), speed, round(min(1000, hashing)), " MB/s",
                at_least=True)
        rows = {row["file"]: row for row in bench("bench_call", *(
            "%s_%s.%s" % (what, size, suffix) for what in ("clean", "sealed") for size in "ml"))}
        for size, label in (("m", "200 KB"), ("l", "2 MB")):
            report.note("repair with the seals of its turns, %s, %s" % (codec, label), "%.1f x without" % (
                rows["sealed_%s.%s" % (size, suffix)]["us"] / rows["clean_%s.%s" % (size, suffix)]["us"]))
