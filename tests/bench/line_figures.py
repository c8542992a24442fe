# SPDX-License-Identifier: Apache-2.0
"""How fast the program reads JSONL: `turnkeeper validate` on files like those for fine-tuning, next to wc and jq.

    line_figures.py TURNKEEPER [MEGABYTES]    prints them, for files of that size (500) in the current folder
"""
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import time

WORDS = "the ice on the lake was thick enough to carry us and so we walked across it to the far shore".split()
TOOLS = [{"type": "function", "function": {
    "name": "get_weather", "description": "Get the current weather in a given location",
    "parameters": {"type": "object", "properties": {
        "location": {"type": "string", "description": "The city and country"},
        "format": {"type": "string", "enum": ["celsius", "fahrenheit"]}}, "required": ["location", "format"]}}}]
INPUT = {"location": "Oslo, Norway", "format": "celsius"}
DISTINCT = 4000


def chat_call(name, text):
    call = {"id": name, "type": "function", "function": {"name": "get_weather", "arguments": json.dumps(INPUT)}}
    return [{"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": name, "content": text}]


def anthropic_call(name, text):
    return [{"role": "assistant", "content": [{"type": "tool_use", "id": name, "name": "get_weather", "input": INPUT}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": name, "content": text}]}]


KINDS = {"anthropic": (anthropic_call, {}), "openai-chat": (chat_call, {"tools": TOOLS})}


def line(rng, kind):
    """One conversation of about 2 KB, in which nothing is wrong. Its first turn has a call, which shows its format."""
    call, members = KINDS[kind]
    messages = []
    for i in range(rng.randint(1, 4)):
        messages.append({"role": "user", "content": " ".join(rng.choices(WORDS, k=rng.randint(8, 40)))})
        if i == 0 or rng.random() < 0.6:
            messages += call("call_%06d" % rng.randint(0, 999999), " ".join(rng.choices(WORDS, k=20)))
        messages.append({"role": "assistant", "content": " ".join(rng.choices(WORDS, k=rng.randint(10, 80)))})
    return (json.dumps({"messages": messages, **members}) + "\n").encode()


def write(path, kind, size):
    rng = random.Random(5)
    block = b"".join(line(rng, kind) for _ in range(DISTINCT))
    with open(path, "wb") as f:
        while f.tell() < size:
            f.write(block)


def seconds(*command):
    """Wall clock and processor time of the best of three runs."""
    best = None
    for _ in range(3):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = (time.monotonic() - start, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
        best = min(best or run, run)
    return best


def figures(report, program, folder, size=100_000_000):
    offered = subprocess.run([program, "validate", "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    for kind in KINDS:
        if kind not in offered:
            report.note("turnkeeper validate, JSONL (%s)" % kind, "not served")
            continue
        path = os.path.join(folder, "lines_%s.jsonl" % kind)
        write(path, kind, size)
        size_mb = os.path.getsize(path) / 1e6
        with open(path, "rb") as f:  # into the page cache
            while f.read(1 << 20):
                pass
        commands = {"wc -l": ("wc", "-l", path), "turnkeeper validate": (program, "validate", "-q", path),
                    "turnkeeper validate --json": (program, "validate", "-q", "--json", path)}
        if shutil.which("jq"):
            commands["jq -c ."] = ("jq", "-c", ".", path)
        for name, command in commands.items():
            wall, cpu = seconds(*command)
            report.note("%s, %.0f MB of JSONL (%s)" % (name, size_mb, kind),
                        "%.0f MB/s, %.1f processors" % (size_mb / wall, cpu / wall))
        os.remove(path)


if __name__ == "__main__":
    class Printed:
        @staticmethod
        def note(name, value):
            print("%-64s %s" % (name, value), flush=True)

    figures(Printed, sys.argv[1], ".", int(sys.argv[2] if len(sys.argv) > 2 else 500) * 1_000_000)
