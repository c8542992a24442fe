#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows what `./quickstart demo` prints: broken histories, the provider's errors and the repairs; a stream
before and after the filter; one tool loop; the library in process, in four languages; and the examples for Python and
Go.

    demo.py HISTORIES STREAMS     folders; a history: {"name", "provider_says", "request"}

Needs TURNKEEPERD and TURNKEEPER in the environment (the two programs), and the Python client. TK_BUILD is the build
folder, for the library and the WebAssembly module. In TK_SDK_FOLDER it looks for the provider's SDK (clients/python/tests/run_sdk_tests.sh --install).
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import textwrap

import demo_in_process
import demo_operations
import demo_stream
import turnkeeper
from daemon import Daemon  # tests/daemon.py

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WIDTH = 96
ENDS = {
    "repaired": "repaired: this can be sent",
    "clean": "clean: nothing is wrong, not a byte changes",
    "refused": "refused: no safe repair exists, so nothing is written and nothing should be sent",
}
INTRODUCTION = """\
An agent stores its conversation and sends all of it with each request. If the stored history breaks one of
the provider's rules, the provider refuses it with HTTP 400, and every further request too: the chat is stuck.
turnkeeper finds such faults and repairs a copy of the history. Nothing is sent to a provider here: its
answers are known beforehand, or come from a local program."""
LEGEND = """\
Each history below is the body of a request. "the provider:" precedes the error that it answers; the lines
after "$" are printed by turnkeeper. A line of an edit begins with - (removed), + (added) or ~ (moved or rewritten),
followed by the place as a JSON pointer: /messages/1/content/0 is the first part of the second message. At its
end is the code of the rule in brackets; `turnkeeper rules CODE` explains it."""
NEXT = """\
Try it on a history of your own: build/plain/turnkeeper validate FILE (no daemon is needed). README.md shows
how to use it from the command line, TypeScript, Python and Go."""


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
    """Prints one history and its repair. Returns a key of ENDS."""
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
        end = "clean" if json.loads(done.stdout) == history["request"] else "repaired"
    print("=> " + ENDS[end])
    return end


def show_client(socket, history):
    """Repairs a history through the Python client."""
    title("The first history again, repaired by the Python client")
    print(textwrap.dedent("""\
        with turnkeeper.Client(path) as client:
            fixed = client.repair(messages)"""))
    with turnkeeper.Client(socket) as client:
        messages = history["request"]["messages"]
        fixed = client.repair(messages)
        same = sum(any(new is old for old in messages) for new in fixed.messages)
        print("=> fixed.safe is %s; %d edit(s): %s" % (
            fixed.safe, len(fixed.edits), ", ".join("%s %s" % (e.action, e.pointer) for e in fixed.edits)))
        print("%d of %d messages are the objects that were passed in; the argument itself is unchanged" % (
            same, len(fixed.messages)))
        print("the repaired history is valid:", client.validate(fixed.messages).valid)


def show_example(program, shown, folder=TOP):
    """Runs an example with a daemon and a local Messages API of its own, and wraps its output."""
    print("$ " + shown, flush=True)
    server = os.path.join(TOP, "clients", "python", "tests", "messages_api.py")
    done = subprocess.run([sys.executable, "-B", server, *program], cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for line in done.stdout.splitlines():
        wrap(line.strip(), "    " if line.startswith(" ") else "")
    if done.returncode:
        sys.exit("the example failed")


def show_python():
    title("Anthropic's SDK for Python, a stuck chat, and a local server that refuses as the provider does")
    folder = os.environ.get("TK_SDK_FOLDER", "")
    python = os.path.abspath(os.path.join(folder, "client-sdk", "bin", "python"))
    if not os.path.exists(os.path.join(folder, "client-sdk", "installed.txt")):
        print("(left out: the SDK couldn't be installed from PyPI; see build/sdk.log)")
        return
    show_example([python, "-B", os.path.join(TOP, "examples", "python_sdk.py")], "python3 examples/python_sdk.py")


def show_go():
    title("The same chat from Go, with net/http")
    if not shutil.which("go"):
        print("(left out: Go is not installed)")
        return
    os.environ.update(GOTOOLCHAIN="local", GOFLAGS="-buildvcs=false")
    show_example(["go", "run", "."], "cd examples/go && go run .", os.path.join(TOP, "examples", "go"))


def main():
    histories = list(load(sys.argv[1]))
    if not histories:
        sys.exit("no histories in " + sys.argv[1])
    with Daemon() as daemon:
        wrap(INTRODUCTION, "")
        print("\nturnkeeperd, the daemon, listens on", daemon.socket)
        title("Ten stored histories; eight of them are broken, each in another way")
        wrap(LEGEND, "")
        ends = [show(daemon, name, history) for name, history in histories]
        show_client(daemon.socket, histories[ends.index("repaired")][1])
        demo_stream.show(daemon.socket, sys.argv[2], title)
        demo_operations.show(daemon.socket, title)
    demo_in_process.show(os.environ.get("TK_BUILD", ""), title)
    show_python()
    show_go()
    title("Summary")
    print("%d histories: %s" % (len(ends), ", ".join(
        "%d %s" % (ends.count(end), end) for end in ENDS)))
    wrap(NEXT, "")


if __name__ == "__main__":
    main()
