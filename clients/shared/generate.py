#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of the clients in Python, Go and TypeScript from routes.json and from what the build says (`info`).

    generate.py           writes them
    generate.py --check   exits with 1 if one isn't what it would write

TURNKEEPERD and TURNKEEPER name the programs of the build. `make clients-tables` sets them.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(CLIENTS, "..", "tests")]
import in_go  # noqa: E402
import in_python  # noqa: E402
import in_typescript  # noqa: E402
from daemon import Daemon  # noqa: E402


def routes():
    with open(os.path.join(HERE, "routes.json"), encoding="utf-8") as f:
        return json.load(f)


def info():
    with Daemon() as daemon:
        command = [os.environ.get("TURNKEEPER", "turnkeeper"), "info", "--socket", daemon.socket]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def files():
    """Yields the name below clients and the text of each file."""
    table, said = routes(), info()
    for folder, language in (("python", in_python), ("go", in_go), ("typescript", in_typescript)):
        for name, text in language.files(table, said):
            yield os.path.join(folder, name), text


def main(check):
    stale = False
    for name, wanted in files():
        path = os.path.join(CLIENTS, name)
        current = open(path, encoding="utf-8").read() if os.path.exists(path) else None
        if current == wanted:
            continue
        stale = True
        if check:
            print("clients/%s isn't what `make clients-tables` writes" % name)
        else:
            with open(path, "w", encoding="utf-8") as f:
                f.write(wanted)
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] == ["--check"]))
