#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The package `turnkeeper` under a service manager: what it enables, and an upgrade while clients send requests."""
import os
import sys
import tempfile
import threading
import unittest

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from made import TOP, debian_package, files, with_version  # noqa: E402

sys.path.append(os.path.join(TOP, "tests", "integration"))
from callers import Caller  # noqa: E402
from debian_root import Root  # noqa: E402
from harness import PATIENCE, eventually  # noqa: E402
from manager import SERVICE, SOCKET, Manager  # noqa: E402

CLIENTS = 4
CONFIGURATION = '{"log_level": "notice", "max_connections": 77}\n'


class Clients:
    """Clients that send requests of many sizes until they are stopped, each in a thread."""

    def __init__(self, path):
        self.stopped = threading.Event()
        self.callers = [Caller(path) for _ in range(CLIENTS)]
        self.threads = [threading.Thread(target=self.work, args=(caller,)) for caller in self.callers]
        for thread in self.threads:
            thread.start()

    def work(self, caller):
        number = 0
        while not self.stopped.is_set():
            number += 1
            size = (10, 3_000, 100, 150_000, 50)[number % 5]
            caller.call({"id": number, "method": "ping", "params": {"echo": "x" * size}})
        caller.hang_up()

    def count(self, name):
        return sum(caller.counts[name] for caller in self.callers)

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(PATIENCE)

    def lost(self):
        return [why for caller in self.callers for why in caller.counts["lost"]]


class Upgrade(unittest.TestCase):
    def setUp(self):
        self.new = debian_package("turnkeeper")
        files("debian", "*.deb")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.old = with_version(self.new, "0.0.9-1", folder.name)
        self.root = Root()
        self.addCleanup(self.root.remove)
        self.manager = Manager(self.root)
        self.addCleanup(self.manager.close)

    def answered_since(self, clients, before):
        return eventually(lambda: clients.count("answered") > before + 100)

    def test_install_upgrade_and_purge(self):
        before = self.root.files()
        self.root.install(self.old)
        self.only_the_socket_is_active()
        self.assertIn("TURNKEEPER OK", self.root.must("turnkeeper", "health"))  # the connection started it
        self.assertTrue(self.manager.is_active(SERVICE))
        self.root.write("/etc/turnkeeper/turnkeeper.json", CONFIGURATION)
        for package in (self.new, self.old, self.new):
            self.upgrade_under_load(package)
        self.remove_and_purge(before)

    def only_the_socket_is_active(self):
        for name, enabled in ((SOCKET, True), ("turnkeeper-http.socket", False), (SERVICE, False)):
            self.assertEqual(self.manager.is_enabled(name), enabled, name)
            self.assertEqual(self.manager.is_active(name), enabled, name)

    def upgrade_under_load(self, package):
        process, starts, listeners = self.manager.service, self.manager.starts, list(self.manager.listeners)
        clients = Clients(self.root.inside("/run/turnkeeper/turnkeeper.sock"))
        try:
            self.assertTrue(self.answered_since(clients, 0))
            self.root.install(package)
            self.assertTrue(self.answered_since(clients, clients.count("answered")))
        finally:
            clients.stop()
        self.assertEqual(clients.lost(), [])
        self.assertEqual(process.wait(PATIENCE), 0)  # it was drained
        self.assertEqual(self.manager.starts, starts + 1, self.manager.asked)
        self.assertEqual(self.manager.listeners, listeners)
        self.assertEqual(self.root.read("/etc/turnkeeper/turnkeeper.json"), CONFIGURATION)
        installed = self.root.must("dpkg-query", "-W", "-f", "${Version}", "turnkeeper")
        self.assertEqual(installed, os.path.basename(package).split("_")[1])

    def remove_and_purge(self, before):
        self.root.must("apt-get", "-q", "-y", "remove", "turnkeeper")
        self.assertFalse(self.manager.is_active(SERVICE))
        self.assertFalse(self.manager.is_active(SOCKET))
        self.assertEqual(self.root.read("/etc/turnkeeper/turnkeeper.json"), CONFIGURATION)
        self.root.must("apt-get", "-q", "-y", "purge", "turnkeeper")
        self.root.must("apt-get", "-q", "-y", "autoremove", "--purge")
        self.assertEqual(sorted(self.root.files() - before), [])


if __name__ == "__main__":
    unittest.main()
