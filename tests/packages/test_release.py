#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A release made a second time has the same bytes; its wheel and its checksums are what others expect."""
import hashlib
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from made import BUILD, RELEASE, SDK, TOP, checker, files, run  # noqa: E402

sys.path += [os.path.join(TOP, "deploy"), os.path.join(TOP, "tests")]
import release  # noqa: E402
import releases  # noqa: E402


def checksums(folder):
    with open(os.path.join(folder, "SHA256SUMS"), encoding="utf-8") as file:
        return {name: digest for digest, name in map(str.split, file)}


class Release(unittest.TestCase):
    def test_checksums_are_those_of_all_files(self):
        files("source", "*.tar.xz")
        found = {}
        for name in os.listdir(RELEASE):
            if name != "SHA256SUMS" and not name.endswith(".skip"):
                with open(os.path.join(RELEASE, name), "rb") as file:
                    found[name] = hashlib.sha256(file.read()).hexdigest()
        self.assertEqual(checksums(RELEASE), found)

    def test_all_files_have_the_version(self):
        names = set(checksums(RELEASE)) - {"turnkeeper.wasm"}
        written = releases.debian(), releases.pypi(), releases.npm()
        self.assertEqual([name for name in names if not any(w in name for w in written)], [])

    def test_twine_check(self):
        found = files("python", "*.whl") + files("python", "*.tar.gz")
        said = run(checker("twine"), "check", "--strict", *found)
        self.assertEqual(said.returncode, 0, said.stdout)

    def test_the_same_bytes_from_the_tarball(self):
        """In another folder, with another umask, time zone and language, from the tarball instead of the tree."""
        (tarball,) = files("source", "*.tar.xz")
        parts = [name for name in ("source", "debian", "python", "wasm", "npm", "go")
                 if not os.path.exists(os.path.join(RELEASE, name + ".skip"))]
        with tempfile.TemporaryDirectory(prefix="again", dir=BUILD) as folder:
            subprocess.run(["tar", "-xf", tarball, "-C", folder], check=True)
            tree = os.path.join(folder, os.path.basename(tarball)[:-len(".tar.xz")])
            build = os.path.join(folder, "another")
            os.mkdir(build)
            # Debian's own tests of its packages have passed when the first release was made.
            environment = dict(os.environ, TZ="Asia/Tokyo", LC_ALL="C", DEB_BUILD_OPTIONS="nocheck", TK_SDK_FOLDER=SDK)
            environment.pop("MAKEFLAGS", None)
            script = 'umask 077 && "$0"/configure PYTHON="$1" && exec "$1" -B "$0"/deploy/release.py . release $2'
            said = run("sh", "-c", script, tree, sys.executable, " ".join(parts), cwd=build, env=environment, timeout=1000)
            self.assertEqual(said.returncode, 0, said.stdout[-4000:])
            again = checksums(os.path.join(build, "release"))
        self.assertEqual(again, checksums(RELEASE))


class Parts(unittest.TestCase):
    """release.py with parts of the test's own, some of which can't be made."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.build, self.folder = holder.name, os.path.join(holder.name, "finished")
        self.made, self.lacking = [], True
        parts = {"source": lambda r: self.part(r, "source", "Release.tar.xz"),
                 "npm": self.npm}
        patch = mock.patch.dict(release.PARTS, parts, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def part(self, of, name, file):
        self.made.append(name)
        with open(os.path.join(of.folder, file), "w", encoding="utf-8") as out:
            out.write(name)

    def npm(self, of):
        if self.lacking:
            raise release.Missing("npm is missing (Debian: npm)")
        self.part(of, "npm", "turnkeeper.tgz")

    def make(self, if_possible):
        release.make(self.build, self.folder, ["source", "npm"], if_possible)
        return sorted(os.listdir(self.folder))

    def test_what_is_missing_ends_it_and_nothing_is_replaced(self):
        with self.assertRaises(SystemExit) as raised:
            self.make(False)
        self.assertEqual(str(raised.exception), "release: npm can't be made: npm is missing (Debian: npm)")
        self.assertEqual(os.listdir(self.build), [])

    def test_if_possible_it_says_what_is_missing(self):
        self.assertEqual(self.make(True), ["Release.tar.xz", "SHA256SUMS", "npm.skip"])
        with open(os.path.join(self.folder, "npm.skip"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "npm is missing (Debian: npm)\n")
        self.lacking = False
        self.assertEqual(self.make(True), ["Release.tar.xz", "SHA256SUMS", "turnkeeper.tgz"])

    def test_the_same_tarball_is_the_same_release(self):
        self.lacking = False
        for if_possible, made in ((True, ["source", "npm"]), (True, ["source"]), (False, ["source", "npm"])):
            self.made = []
            self.make(if_possible)
            self.assertEqual(self.made, made)

    def test_a_part_alone_has_no_tarball(self):
        self.lacking = False
        with mock.patch.object(release, "version", return_value="1"), mock.patch.dict(
                release.PARTS, source=lambda r: self.part(r, "source", "turnkeeper-1.tar.xz")):
            release.make(self.build, self.folder, ["npm"], False)
        self.assertEqual(sorted(os.listdir(self.folder)), ["SHA256SUMS", "turnkeeper.tgz"])


if __name__ == "__main__":
    unittest.main()
