# SPDX-License-Identifier: Apache-2.0
"""The streaming part of demo.py: when events leave the filter, and which never do.

Feeds a recording event by event and prints next to each what came out. The daemon is asked in lines of
JSON on one connection, as a shell script could do it.
"""
import json
import os
import socket
import subprocess
import tempfile
import textwrap

SEARCH, CUT = "web-search.sse", "web-search-cut.sse"
COLUMN = 46


def read_events(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        return [json.loads(row[len("data: "):]) for row in f if row.startswith("data: ")]


class Stream:
    """One stream on a connection of its own."""

    def __init__(self, path, **params):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.answers = self.socket.makefile("r", encoding="utf-8")
        self.ask("stream.open", **params)

    def ask(self, method, **params):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"stream": "demo", **params}}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        return json.loads(self.answers.readline())["result"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.answers.close()
        self.socket.close()


def short(event):
    """An event in a few words."""
    delta, block = event.get("delta", {}), event.get("content_block", {})
    index = event.get("index", "")
    kind = event["type"].replace("content_block_", "")
    if kind == "start":
        shown = json.dumps(block["input"]) if block.get("input") else ""
        return ("%s start %s %s" % (index, block["type"], shown)).rstrip()
    if kind == "delta":
        what = delta["type"].replace("_delta", "")
        text = delta.get("text", delta.get("thinking", delta.get("partial_json")))
        return "%s %s%s" % (index, what, " '%s'" % text if text is not None else "")
    if kind == "stop":
        return "%s stop" % index
    if kind == "message_delta":
        return "message_delta, stop reason %s" % delta["stop_reason"]
    return kind


def row(left, right):
    print("  %-*s %s" % (COLUMN, textwrap.shorten(left, COLUMN), textwrap.shorten(right, COLUMN)))


def show_timeline(path, events):
    """Feeds one event after the other and prints it on the left, and on the right what came out."""
    row("the provider sends", "turnkeeper passes on")
    row("-" * (COLUMN - 2), "-" * 40)
    with Stream(path, emit="events") as stream:
        for event in events:
            out = [short(o) for o in stream.ask("stream.feed", events=[event])["outputs"]]
            row(short(event), out[0] if out else "... held back")
            for more in out[1:]:
                row("", more)
        return stream.ask("stream.end")


def assemble(events):
    """Builds the turn as a program without turnkeeper stores it: from all events that arrived."""
    blocks = []
    for event in events:
        delta = event.get("delta", {})
        if event["type"] == "content_block_start":
            blocks.append(dict(event["content_block"]))
        for key in ("text", "thinking", "signature"):
            if key in delta:
                blocks[event["index"]][key] += delta[key]
        if "partial_json" in delta:
            blocks[event["index"]].setdefault("partial", []).append(delta["partial_json"])
    for block in blocks:
        if "partial" in block:
            block["input"] = json.loads("".join(block.pop("partial")))
    return {"role": "assistant", "content": blocks}


def validate(messages):
    return subprocess.run([os.environ["TURNKEEPER"], "validate", "--verbose", "--quiet", "-"],
                          input=json.dumps(messages), capture_output=True, text=True).stdout


def show_search(path, folder, title):
    title("A stream: the model searches the web while it answers")
    print("The provider runs this search. turnkeeper holds its call back until the result is there, so that a")
    print("program never stores one without the other. The number is the index of the block in the turn.")
    end = show_timeline(path, read_events(folder, SEARCH))
    print("=> %s: call and result left together; stop reason %s, %d output tokens, a turn of %d blocks" % (
        end["state"], end["finish"]["stop_reason"], end["finish"]["usage"]["output_tokens"],
        len(end["message"]["content"])))


def show_cut(folder, title):
    title("The same stream, but the connection breaks before the search has its result")
    events = read_events(folder, CUT)
    question = {"role": "user", "content": "What is the euro in francs?"}
    leaked = assemble(events)
    print("Without turnkeeper the program stores a turn that ends in a call without result: %s" % ", ".join(b["type"] for b in leaked["content"]))
    print("and the provider refuses every further request:")
    for said in validate([question, leaked, {"role": "user", "content": "Hello?"}]).splitlines():
        print("    " + said)
    command = ["stream", "--emit", "events", "--message", "turn.json"]
    print("$ curl -N ... | turnkeeper", *command)
    with open(os.path.join(folder, CUT), "rb") as f, tempfile.TemporaryDirectory() as place:
        done = subprocess.run([os.environ["TURNKEEPER"], *command], stdin=f, cwd=place, capture_output=True, text=True)
        written = os.listdir(place)
    left = [json.loads(line) for line in done.stdout.splitlines()]
    for event in left:
        print("    " + short(event))
    print("    " + done.stderr.rstrip())
    held = [short(e) for e in events if e not in left]
    print("=> exit status %d%s; files written: %s. Held back and never passed on:" % (
        done.returncode, " (send the request again)" if done.returncode == 75 else "", ", ".join(written) or "none"))
    for event in held:
        print("    " + event)


def show(path, folder, title):
    show_search(path, folder, title)
    show_cut(folder, title)
