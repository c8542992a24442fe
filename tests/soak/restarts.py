# SPDX-License-Identifier: Apache-2.0
"""A second daemon that is restarted again and again under load. This program keeps its listening sockets, as systemd
does, so that clients which come during a restart wait in the backlog."""
import os
import shutil
import tempfile

from callers import Caller
from harness import Daemon, Passing, listen

CONFIG = {"workers": 2}
PAUSE = 0.02  # seconds between a caller's requests
DOCUMENTS = 200


class Sockets:
    """Listening sockets in a folder of their own."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.path = os.path.join(self.folder, "s.sock")
        self.sockets = [listen(os.path.join(self.folder, name)) for name in ("s.sock", "s.control.sock")]

    def close(self):
        for s in self.sockets:
            s.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def restart(sockets, seconds):
    """The work of a process: starts the daemon, and again after so many seconds, until it is stopped."""
    def work(tally, stop):
        while not stop.is_set():
            with Daemon(CONFIG, folder=sockets.folder, spawn=Passing(*sockets.sockets)) as d:
                stop.wait(seconds)
                code = d.stop()
            os.unlink(d.log_path)
            if code != 0:
                tally.fail("a restarted daemon ended with %d" % code)
            elif not stop.is_set():
                tally.count("restarts")
    return work


def same_request(documents, n):
    """Request n of a caller: a ping of some size, or one of the documents."""
    if n % 3:
        size = (10, 3_000, 150_000)[n // 3 % 3]
        return {"id": n, "method": "ping", "params": {"echo": "x" * size}}
    return {"id": n, **documents[n // 3 % len(documents)]}


def call(path, conversations):
    """The work of a process: requests to the restarted daemon, whose results are compared with the first ones."""
    documents = [{key: c["steps"][0][key] for key in ("method", "params")} for c in conversations
                     if len(c["steps"]) == 1 and c["codec"] == "json" and is_judged(c)][:DOCUMENTS]

    def work(tally, stop):
        caller, first, n = Caller(path), {}, 0
        while not stop.wait(PAUSE):
            n += 1
            document = same_request(documents, n)
            answer = caller.call(document)
            report(caller, tally)
            if n % 3 == 0 and answer and "result" in answer:
                known = first.setdefault(n // 3 % len(documents), answer["result"])
                if known != answer["result"]:
                    tally.count("wrong")
                    tally.fail("another answer after a restart: %s" % document["method"])
    return work


def is_judged(conversation):
    """True if the answer to it is a result that depends on the request alone."""
    step = conversation["steps"][0]
    return step["method"] in ("validate", "repair", "repair_turn", "seal") and "error" not in step["expect"]


def report(caller, tally):
    """Moves a caller's counts into the tally."""
    counts = caller.counts
    tally.count("restart_answers", counts["answered"])
    tally.count("restart_draining", counts["draining"])
    tally.count("restart_resent", counts["resent"])
    for why in counts["lost"]:
        tally.count("restart_lost")
        tally.fail("lost over a restart: " + why)
    caller.counts = {"answered": 0, "draining": 0, "resent": 0, "lost": []}
