# SPDX-License-Identifier: Apache-2.0
"""Reloads of the configuration: a limit changes each time, and the daemon has to say that it is in force."""
import os
import signal

from harness import Closed, eventually

LIMIT = "max_streams_per_connection"


def limit_in_force(daemon):
    """The limit as `info` tells it; None if the control socket has too many clients at the moment."""
    try:
        return daemon.ask("info").get("limits", {}).get(LIMIT)
    except (Closed, OSError):
        return None


def reload(daemon, config, seconds):
    """The work of a process: a reload every so many seconds."""
    def work(tally, stop):
        n = 0
        while not stop.wait(seconds):
            n += 1
            wanted = config[LIMIT] + n % 2
            daemon.configure({**config, LIMIT: wanted})
            os.kill(daemon.pid, signal.SIGHUP)
            if eventually(lambda: limit_in_force(daemon) == wanted):
                tally.count("reloads")
            else:
                tally.fail("reload %d didn't come into force" % n)
    return work
