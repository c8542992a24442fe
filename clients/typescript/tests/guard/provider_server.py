# SPDX-License-Identifier: Apache-2.0
"""The local provider that the other clients are tested with, and a turnkeeperd, for tests in JavaScript.

    provider_server.py      reads commands from standard input and answers each, a line of JSON for a line of JSON

    {"turns": [...], "compress": false}    forgets what arrived; what is answered next, and how  -> {}
    {"seen": true}                         what arrived since then  -> [[path, headers, body as text], ...]

The first line that it writes has the provider's "url" and the daemon's "socket" (null if TURNKEEPERD names no
daemon). It ends when its standard input does. TK_TOP is the project's folder, if this file is a copy elsewhere.
"""

import contextlib
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.environ.get("TK_TOP") or os.path.normpath(os.path.join(HERE, "..", "..", "..", ".."))
sys.path += [os.path.join(ROOT, "tests"), os.path.join(ROOT, "clients", "python", "tests")]

from messages_api import MessagesApi


def daemon(stack):
    if not os.environ.get("TURNKEEPERD"):
        return None
    from daemon import Daemon

    return stack.enter_context(Daemon("--log-level", "error")).socket


def answer(api, command):
    if "seen" in command:
        return [[path, headers, body.decode("utf-8", "replace")] for path, headers, body in api.seen]
    api.turns[:] = command.get("turns") or []
    api.compress = command.get("compress", False)
    for kept in (api.seen, api.given, api.reasoned):
        kept.clear()
    return {}


def main():
    with contextlib.ExitStack() as stack:
        api = stack.enter_context(MessagesApi())
        print(json.dumps({"url": api.url, "socket": daemon(stack)}), flush=True)
        for line in sys.stdin:
            print(json.dumps(answer(api, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
