#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `./quickstart demo` shows: broken histories, what the provider would say, how they are mended;
and a stream, what leaves it when.

    demo.py HISTORIES STREAMS     folders; a history: {"name", "provider_says", "request"}

Needs TURNKEEPERD and TURNKEEPER in the environment (the two programs), and the Python client.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import textwrap

import demo_stream
import turnkeeper
from daemon import Daemon  # tests/daemon.py

WIDTH = 96
ENDS = {
    "mended": "mended: this can be sent",
    "clean": "clean: not a byte changes",
    "refused": "refused: fails closed, nothing is written",
}


def wrap(text, indent):
    print(textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=" " * len(indent)))


def title(text):
    print("\n" + "-" * WIDTH)
    wrap(text, "")


def load(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path, encoding="utf-8") as f:
            yield os.path.basename(path), json.load(f)


def repair(daemon, name, request, options):
    """The command line program on one request body; its before/after view comes on stderr."""
    with open(os.path.join(daemon.folder, name), "w", encoding="utf-8") as f:
        json.dump(request, f)
    return subprocess.run(
        [os.environ["TURNKEEPER"], "repair", "--socket", daemon.socket, *options, name],
        cwd=daemon.folder, capture_output=True, text=True)


def show(daemon, name, history):
    """Prints one history; "mended", "clean" or "refused"."""
    title(history["name"])
    wrap(history["provider_says"] or "(accepts it)", "the provider: ")
    options = ["--policy", history["policy"]] if "policy" in history else []
    print("$ turnkeeper repair", *options, name)
    done = repair(daemon, name, history["request"], options)
    if done.returncode > 1:
        sys.exit("turnkeeper failed: " + done.stderr)
    print(textwrap.indent(done.stderr.rstrip(), "    "))
    if done.returncode == 1:
        end = "refused"
    else:
        end = "clean" if json.loads(done.stdout) == history["request"] else "mended"
    print("=> " + ENDS[end])
    return end


def show_client(socket, history):
    """The same from Python."""
    title("The first one again, from Python")
    print(textwrap.dedent("""\
        with turnkeeper.Client(path) as client:
            fixed = client.repair(messages)"""))
    with turnkeeper.Client(socket) as client:
        messages = history["request"]["messages"]
        fixed = client.repair(messages)
        same = sum(any(new is old for old in messages) for new in fixed.messages)
        print("fixed.safe is %s; %d edit(s): %s" % (
            fixed.safe, len(fixed.edits), ", ".join("%s %s" % (e.action, e.pointer) for e in fixed.edits)))
        print("%d of %d messages are the very same objects; the argument is unchanged" % (
            same, len(fixed.messages)))
        print("the repaired history is valid:", client.validate(fixed.messages).valid)


def show_go(socket):
    """examples/go: the guard where a Go program makes its HTTP client."""
    title("And from Go")
    if not shutil.which("go"):
        print("(Go is not installed)")
        return
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "go")
    print("$ cd examples/go && go run .", flush=True)
    subprocess.run(["go", "run", "-buildvcs=false", "."], cwd=folder, check=True,
                   env=dict(os.environ, TURNKEEPER_SOCKET=socket, GOTOOLCHAIN="local"))


def main():
    histories = list(load(sys.argv[1]))
    if not histories:
        sys.exit("no histories in " + sys.argv[1])
    with Daemon() as daemon:
        print("turnkeeperd listens on", daemon.socket)
        ends = [show(daemon, name, history) for name, history in histories]
        show_client(daemon.socket, histories[ends.index("mended")][1])
        demo_stream.show(daemon.socket, sys.argv[2], title)
        show_go(daemon.socket)
    title("Summary")
    print("%d histories: %s" % (len(ends), ", ".join(
        "%d %s" % (ends.count(end), end) for end in ("mended", "clean", "refused"))))


if __name__ == "__main__":
    main()
