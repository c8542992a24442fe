#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One file says which release this is and which protocol it speaks; one says where the Go module lives.

VERSION: the release, and "protocol N" below it. The programs and the header are compared here, each
client by its own tests.
"""
import json
import os
import re
import subprocess
import sys
import unittest

from tree import TOP, files, text  # next to this file

sys.path.append(os.path.join(TOP, "tests"))
import releases  # noqa: E402
from daemon import Daemon  # noqa: E402

MODULE = os.path.join("clients", "go", "go.mod")


class Version(unittest.TestCase):
    def test_header(self):
        header = text(os.path.join("include", "turnkeeper", "turnkeeper.h"))
        defined = dict(re.findall(r"#define (TK_PROTOCOL|TURNKEEPER_VERSION\w*) +(\S+)", header))
        self.assertEqual(defined, {
            "TK_PROTOCOL": str(releases.protocol()),
            "TURNKEEPER_VERSION": '"%s"' % releases.debian(),
            "TURNKEEPER_VERSION_NUMBER": "0x%06x" % releases.number(),
        })

    def test_programs(self):
        for name in ("TURNKEEPERD", "TURNKEEPER"):
            said = subprocess.run([os.environ[name], "--version"], capture_output=True, text=True, check=True)
            self.assertIn(releases.debian(), said.stdout.split())

    def test_info(self):
        with Daemon() as daemon:
            command = [os.environ["TURNKEEPER"], "call", "--socket", daemon.socket, "info"]
            info = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        self.assertEqual((info["version"], info["protocol"]), (releases.debian(), releases.protocol()))

    def test_debian_changelog(self):
        newest = re.match(r"turnkeeper \((.+)-\d+\) ", text(os.path.join("debian", "changelog")))
        self.assertEqual(newest.group(1), releases.debian())

    def test_npm_package(self):
        for name in ("package.json", "package-lock.json"):
            package = json.loads(text(os.path.join("clients", "typescript", name)))
            self.assertEqual(package["version"], releases.npm(), name)


class ModulePath(unittest.TestCase):
    def test_every_mention_is_the_one_of_go_mod(self):
        """Where it is imported, required or shown, the module has the path that its go.mod declares."""
        path = re.match(r"module (\S+)\n", text(MODULE)).group(1)
        self.assertTrue(path.endswith("/clients/go"))  # the folder: `go get` looks for it there
        found = 0
        for name in files():
            if not name.endswith((".go", ".mod", ".md", ".py")):
                continue
            for mention in re.findall(r"[\w.-]+\.\w+/[\w./-]*/clients/go\b", text(name)):
                self.assertEqual(mention, path, name)
                found += 1
        self.assertGreater(found, 5)


if __name__ == "__main__":
    unittest.main()
