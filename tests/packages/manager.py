# SPDX-License-Identifier: Apache-2.0
"""A service manager for a bare root, which does for turnkeeper's units what systemd does for them.

It reads the installed units: it binds the paths of turnkeeper.socket, starts ExecStart= of turnkeeper.service when a client
connects, and keeps the sockets open while the service is restarted. Maintainer scripts find it by /run/systemd/system and
by `systemctl`, a shell script in the root that passes its arguments on and waits for the answer.
"""
import configparser
import glob
import os
import select
import shlex
import subprocess
import threading

from debian_root import end
from harness import Passing  # of tests/integration

SYSTEMCTL = """#!/bin/sh
echo "$*" >/run/manager/asked
read -r status words </run/manager/said
[ -z "$words" ] || echo "$words"
exit "$status"
"""
SERVICE, SOCKET = "turnkeeper.service", "turnkeeper.socket"
CONNECTION_LOOK_SECONDS = 0.05


class Unit(configparser.RawConfigParser):
    """A unit of the root. A name that occurs twice has both values."""

    def __init__(self, root, name):
        super().__init__(strict=False, delimiters=("=",), comment_prefixes=("#",))
        self.optionxform = str
        self.text = root.read("/lib/systemd/system/" + name)
        self.read_string(self.text)

    def all(self, name):
        return [line.partition("=")[2] for line in self.text.splitlines() if line.startswith(name + "=")]


class Manager:
    """`asked`: the arguments of each systemctl, in order. `service`: the daemon's process, or None."""

    def __init__(self, root):
        self.root, self.asked, self.service, self.listeners, self.starts = root, [], None, [], 0
        self.lock, self.ended = threading.RLock(), False
        os.makedirs(root.inside("/run/systemd/system"))
        os.makedirs(root.inside("/run/manager"))
        for name in ("asked", "said"):
            os.mkfifo(root.inside("/run/manager/" + name))
        root.write("/usr/bin/systemctl", SYSTEMCTL, 0o755)
        self.threads = [threading.Thread(target=work) for work in (self.answer, self.activate)]
        for thread in self.threads:
            thread.start()

    def close(self):
        self.ended = True
        with open(self.root.inside("/run/manager/asked"), "w", encoding="utf-8"):
            pass  # wakes answer()
        for thread in self.threads:
            thread.join()
        self.stop(SOCKET)

    def answer(self):
        while not self.ended:
            with open(self.root.inside("/run/manager/asked"), encoding="utf-8") as asked:
                line = asked.read().strip()
            if line:
                with self.lock:
                    self.asked.append(line)
                    said = self.answer_to(word for word in line.split() if not word.startswith("-"))
                with open(self.root.inside("/run/manager/said"), "w", encoding="utf-8") as out:
                    out.write("%d %s\n" % said)

    def answer_to(self, words):
        try:
            return self.obey(*words)
        except Exception as why:  # pylint: disable=broad-except
            return 1, repr(why)  # for the log of apt; nobody would answer the next systemctl otherwise

    def activate(self):
        """Starts the service when a client waits, as long as it doesn't run."""
        while not self.ended:
            with self.lock:
                listeners = [] if self.is_active(SERVICE) else list(self.listeners)
                if listeners and select.select(listeners, [], [], 0)[0]:
                    self.start(SERVICE)
            threading.Event().wait(CONNECTION_LOOK_SECONDS)

    def obey(self, verb, *units):
        """The exit status of systemctl, and its words."""
        if verb == "is-enabled":
            enabled = all(self.is_enabled(unit) for unit in units)
            return (0, "enabled") if enabled else (1, "disabled")
        if verb == "is-active":
            return (0 if all(self.is_active(unit) for unit in units) else 3), ""
        if verb == "daemon-reload":
            return 0, ""
        if verb == "preset":  # Debian's default: what a package wants to be enabled is enabled
            for unit in units:
                if not self.is_enabled(unit):
                    self.enable(unit)
            return 0, ""
        if verb not in ("start", "stop", "restart"):
            return 1, "systemctl %s is unknown to the test" % verb
        for unit in units:
            if verb in ("stop", "restart"):
                self.stop(unit)
            if verb in ("start", "restart"):
                self.start(unit)
        return 0, ""

    def is_enabled(self, unit):
        return bool(glob.glob(self.root.inside("/etc/systemd/system/*.wants/" + unit)))

    def enable(self, unit):
        wants = "/etc/systemd/system/%s.wants" % Unit(self.root, unit)["Install"]["WantedBy"]
        os.makedirs(self.root.inside(wants), exist_ok=True)
        os.symlink("/lib/systemd/system/" + unit, self.root.inside(wants + "/" + unit))

    def is_active(self, unit):
        if unit == SERVICE:
            return self.service is not None and self.service.poll() is None
        return unit == SOCKET and bool(self.listeners)

    def start(self, unit):
        if self.is_active(unit):
            return
        if unit == SOCKET:
            socket = Unit(self.root, SOCKET)
            mode = int(socket["Socket"]["SocketMode"], 8)
            self.listeners = [self.root.listen(path, mode) for path in socket.all("ListenStream")]
        elif unit == SERVICE:
            self.start(SOCKET)  # Requires=
            command = shlex.split(Unit(self.root, SERVICE)["Service"]["ExecStart"])
            self.service = Passing(*self.listeners)(
                self.root.chroot(*command), self.root.environment(), stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.starts += 1

    def stop(self, unit):
        if self.service is not None:  # stopping the socket stops what requires it
            end(self.service)
            self.service = None
        if unit == SOCKET:
            for listener in self.listeners:
                listener.close()
            self.listeners = []
