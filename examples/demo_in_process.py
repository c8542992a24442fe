# SPDX-License-Identifier: Apache-2.0
"""The part of the demo without a daemon: one history, repaired inside a program of each language."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "in-process")


def run(shown, command, folder, **environment):
    """Runs an example and prints what it prints."""
    print("$ " + shown, flush=True)
    done = subprocess.run(command, cwd=folder, env=dict(os.environ, **environment), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for line in done.stdout.rstrip().splitlines():
        print("    " + (line if len(line) < 92 else line[:88] + " ..."))
    if done.returncode:
        sys.exit("the example failed")


def show_c(build):
    program = os.path.join(build, "examples", "embed")
    run("cc embed.c $(pkg-config --cflags --libs turnkeeper) -o embed && ./embed", [program], EXAMPLES)


def show_python(build):
    library = os.path.join(build, ".libs", "libturnkeeper.so.1")
    run("cd examples/in-process && python3 repair.py", [sys.executable, "-B", "-W", "ignore", "repair.py"], EXAMPLES,
        TURNKEEPER_LIBRARY=library, PYTHONPATH=os.path.join(HERE, "..", "clients", "python", "src"))


def why_no_go(folder):
    """Why the example in Go can't be built here; None if it can."""
    def go(*command):
        return subprocess.run(["go", *command], cwd=folder, text=True, capture_output=True)
    if not shutil.which("go"):
        return "it is not installed"
    if not os.path.exists(os.path.join(HERE, "..", "clients", "go", "local", "turnkeeper.wasm")):
        return "the WebAssembly module isn't there: make wasm"
    version = re.match(r"go1\.(\d+)", go("env", "GOVERSION").stdout)
    if not version or int(version.group(1)) < 23:
        return "wazero needs Go 1.23"
    return None if go("mod", "download").returncode == 0 else "wazero can't be downloaded"


def show_go(_):
    folder = os.path.join(EXAMPLES, "go")
    reason = why_no_go(folder)
    if reason:
        print("(Go is left out: %s)" % reason)
    else:
        run("cd examples/in-process/go && go run .", ["go", "run", "."], folder, GOFLAGS="-buildvcs=false")


def show_typescript(build):
    package = os.path.join(os.path.dirname(build), "npm")
    if not os.path.exists(os.path.join(package, "dist", "turnkeeper.wasm")):
        print("(TypeScript is left out: the package couldn't be built; see build/npm.log)")
        return
    with tempfile.TemporaryDirectory(prefix="tk") as folder:
        os.mkdir(os.path.join(folder, "node_modules"))
        os.symlink(package, os.path.join(folder, "node_modules", "turnkeeper"))
        for name in ("chat.json", "repair.mjs"):
            shutil.copy(os.path.join(EXAMPLES, name), folder)
        run("npm install turnkeeper && node repair.mjs", ["node", "repair.mjs"], folder)


def show(build, title):
    title("The same repair without a daemon, inside a program in C, Python, Go and TypeScript")
    for language in (show_c, show_python, show_go, show_typescript):
        language(os.path.abspath(build))
