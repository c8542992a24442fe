# SPDX-License-Identifier: Apache-2.0
"""Figures of the WebAssembly module in Node, next to the native library and to Node's own JSON."""
import json
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
REQUESTS = {"of what is clean": "clean_m.json", "with a fault": "repair_m.json"}
LARGE = "edits_x.json"
FIRST_CALL = """
import fs from "node:fs";
const start = performance.now();
const module = new WebAssembly.Module(fs.readFileSync(process.argv[1]));
const { exports } = new WebAssembly.Instance(module, {});
const core = exports.tk_module_core_new(0, 0, 0, 0, 0, 0), request = exports.tk_module_allocate(64);
const ping = new TextEncoder().encode('{"id":1,"method":"ping"}');
new Uint8Array(exports.memory.buffer, request, ping.length).set(ping);
exports.tk_module_call(core, 0, request, ping.length, 0);
console.log(performance.now() - start);
"""


def figures(report, bench, module, folder):
    """folder: that of the requests of report.py. Without module or Node the report says so."""
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None or not os.path.exists(module):
        report.note("module in Node", "not measured: it needs Node and `make wasm`")
        return
    files = [*REQUESTS.values(), LARGE]
    rows = run(folder, node, os.path.join(HERE, "bench_wasm.mjs"), module, *files)
    native = {row["file"]: row["us"] for row in bench("bench_call", *files)}
    for what, file in REQUESTS.items():
        row = next(row for row in rows if row["file"] == file)
        report.line("module in Node: repair %s, 200 KB of JSON (%.0f us)" % (what, row["call"]),
                    row["call"] / native[file], 4, " x native")
        report.line("module in Node: the same from string to string (%.0f us)" % row["text"],
                    row["text"] / row["json"], 1, " x JSON.parse + JSON.stringify")
    large = next(row for row in rows if row["file"] == LARGE)["fresh"]
    report.line("module in Node: repair 10 MB with edits everywhere (%.0f ms)" % (large / 1000),
                large / native[LARGE], 4, " x native")
    first = [run(folder, node, "--input-type=module", "-e", FIRST_CALL, module)[0] for _ in range(5)]
    report.line("module in Node: compile, instantiate and first call", sorted(first)[2], 50, " ms")


def run(folder, *command):
    """The lines of JSON that a program prints."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]
