#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The package under systemd itself, which is booted in a bare Debian root: units, hardening, an upgrade under load, purge.

test_upgrade.py has a manager of its own, so that it runs where no second systemd can be booted.
"""
import os
import shutil
import sys
import tempfile
import unittest

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from debian_root import APT, Root  # noqa: E402
from made import debian_package, last_line, run, with_version  # noqa: E402

DYNAMIC_USERS = range(61184, 65520)  # of DynamicUser=, systemd.exec(5)
BOOT_SECONDS = 400  # a deadline; it takes 30 seconds
UNITS = "turnkeeper.socket turnkeeper.service turnkeeper-http.socket"
# Runs inside. Each `note` is a line of /story/notes, which the test reads when the system has shut down.
STORY = """#!/bin/sh
export DEBIAN_FRONTEND=noninteractive
note() { echo "$*" >>/story/notes; }
units() { for unit in %(units)s; do note "$1 $unit $(systemctl is-enabled $unit) $(systemctl is-active $unit)"; done; }
ask() { # until there is a file /story/stop: how often, and how often in vain
    asked=0 failed=0
    while [ ! -e /story/stop ]; do
        turnkeeper call ping >/dev/null 2>>/story/errors || failed=$((failed + 1))
        asked=$((asked + 1))
    done
    echo "$asked $failed" >/story/asked
}
systemctl is-system-running --wait
note booted
apt-get -q -y install /story/old.deb && note installed
units installed
turnkeeper health && note healthy
units connected
note "user $(stat -c %%u /proc/$(systemctl show -P MainPID turnkeeper.service))"
echo '{"log_level": "notice"}' >/etc/turnkeeper/turnkeeper.json
first=$(systemctl show -P MainPID turnkeeper.service)
ask &
apt-get -q -y install /story/new.deb && note upgraded
[ "$(systemctl show -P MainPID turnkeeper.service)" != "$first" ] && note restarted
turnkeeper call ping && sleep 1
touch /story/stop
wait
note "asked $(cat /story/asked)"
note "configuration $(cat /etc/turnkeeper/turnkeeper.json)"
units upgraded
apt-get -q -y purge turnkeeper && note purged
[ -e /run/turnkeeper ] || [ -e /etc/turnkeeper ] || note gone
units purged
systemctl poweroff
""" % {"units": UNITS}
UNIT = "[Unit]\nAfter=multi-user.target\n[Service]\nType=exec\nExecStart=/story/story.sh\nStandardOutput=file:/story/log\n" \
    "StandardError=file:/story/log\n"
FRESH = ["turnkeeper.socket enabled active", "turnkeeper.service disabled inactive",
         "turnkeeper-http.socket disabled inactive"]
USED = [FRESH[0], "turnkeeper.service disabled active", FRESH[2]]


class Systemd(unittest.TestCase):
    def setUp(self):
        new = debian_package("turnkeeper")
        if shutil.which("systemd-nspawn") is None:
            self.skipTest("systemd-nspawn isn't installed (Debian: systemd-container)")
        self.root = Root()
        self.addCleanup(self.root.remove)
        os.mkdir(self.root.inside("/story"))
        shutil.copy(new, self.root.inside("/story/new.deb"))
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(with_version(new, "0.0.9-1", folder), self.root.inside("/story/old.deb"))

    def notes(self):
        """Boots the root and returns what the story noted: the words after each first word, in order."""
        self.root.must(*APT, "install", "systemd", "systemd-sysv", "dbus")
        self.root.must(*APT, "--download-only", "install", "/story/new.deb")  # so that no network is needed inside
        self.root.write("/story/story.sh", STORY, 0o755)
        self.root.write("/etc/systemd/system/story.service", UNIT)
        wants = self.root.inside("/etc/systemd/system/multi-user.target.wants")
        os.makedirs(wants, exist_ok=True)
        os.symlink("../story.service", os.path.join(wants, "story.service"))
        said = run("timeout", str(BOOT_SECONDS), "systemd-nspawn", "-q", "--register=no", "--keep-unit", "--console=pipe",
                   "-b", "-D", self.root.path)
        found = {}
        if os.path.exists(self.root.inside("/story/notes")):
            for line in self.root.read("/story/notes").splitlines():
                word, _, rest = line.partition(" ")
                found.setdefault(word, []).append(rest)
        if "booted" not in found:
            self.skipTest("systemd can't be booted here: %s" % " / ".join(said.stdout.strip().splitlines()[-2:]))
        return found

    def test_a_life_of_the_package(self):
        notes = self.notes()
        log = last_line(self.root.inside("/story/log"), "no log")
        for word in ("healthy", "restarted", "gone"):
            self.assertIn(word, notes, log)
        self.assertEqual(notes["installed"], ["", *FRESH])
        self.assertEqual(notes["connected"], USED)
        self.assertIn(int(notes["user"][0]), DYNAMIC_USERS)
        self.assertEqual(notes["upgraded"], ["", *USED])
        self.assertEqual(notes["configuration"], ['{"log_level": "notice"}'])
        asked, failed = map(int, notes["asked"][0].split())
        self.assertEqual(failed, 0, self.root.read("/story/errors"))
        self.assertGreater(asked, 20)
        self.assertEqual([row.split()[-1] for row in notes["purged"][1:]], ["inactive"] * 3)


if __name__ == "__main__":
    unittest.main()
