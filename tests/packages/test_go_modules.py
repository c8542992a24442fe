#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Go takes the client and its back end in process from the release's commit, by their tags, as it takes them from a host.

The bundle of the release is fetched into a bare repository, which git is told to ask instead of GitHub. What the back end
needs of others comes from the modules that Go has downloaded before; a module cache of the test's own keeps out what it had of
another build of the same release.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from made import TOP, files, run  # noqa: E402

sys.path += [os.path.join(TOP, name) for name in ("deploy", "tests", "tests/clients")]
import go_modules  # noqa: E402
import go_tool  # noqa: E402
import releases  # noqa: E402

VERSION = "v" + releases.npm()
LOCAL = "%s/%s" % (go_modules.REPOSITORY, go_modules.LOCAL)


def program():
    """The program in the README of the back end, and what it prints."""
    with open(os.path.join(go_tool.LOCAL, "README.md"), encoding="utf-8") as file:
        text = file.read()
    return re.search(r"(?s)```go\n(package main\n.*?)```", text).group(1), re.search(r"It prints\n\n    (.*)\n", text).group(1)


class Modules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (bundle,) = files("go", "turnkeeper-go-*.bundle")
        go, why = go_tool.MODULES[go_tool.LOCAL]
        if go is None:
            raise unittest.SkipTest(why)
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = holder.name
        cls.repository = os.path.join(cls.folder, "repository.git")
        cls.environment = dict(go_tool.ENVIRONMENT, PATH=go.folder + os.pathsep + os.environ["PATH"])
        downloaded = subprocess.run(["go", "env", "GOMODCACHE"], env=cls.environment, text=True, check=True,
                                    stdout=subprocess.PIPE).stdout.strip()
        cls.environment.update(
            GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0="url.file://%s.insteadOf" % cls.repository,
            GIT_CONFIG_VALUE_0="https://" + go_modules.REPOSITORY, GIT_ALLOW_PROTOCOL="file", GOMODCACHE=os.path.join(cls.folder, "cache"),
            GOPRIVATE=go_modules.REPOSITORY, GOPROXY="file://%s/cache/download" % downloaded, GOSUMDB="off", GOFLAGS="-modcacherw")
        # Hosts don't offer what no branch or tag has, and neither does this one.
        cls.must("git", "init", "-q", "--bare", cls.repository)
        cls.must("git", "-C", cls.repository, "fetch", "-q", bundle, "refs/tags/*:refs/tags/*")

    @classmethod
    def must(cls, *command, folder=None):
        done = run(*command, cwd=folder or cls.folder, env=cls.environment)
        if done.returncode != 0:
            raise AssertionError("%s: %s" % (" ".join(command), done.stdout))
        return done.stdout

    def test_a_program_requires_it_without_replacing_anything(self):
        text, said = program()
        folder = os.path.join(self.folder, "program")
        os.mkdir(folder)
        with open(os.path.join(folder, "main.go"), "w", encoding="utf-8") as file:
            file.write(text)
        self.must("go", "mod", "init", "example.com/mine", folder=folder)
        self.must("go", "get", "%s@%s" % (LOCAL, VERSION), folder=folder)
        self.must("go", "mod", "tidy", folder=folder)
        with open(os.path.join(folder, "go.mod"), encoding="utf-8") as file:
            required = file.read()
        for name in (go_modules.CLIENT, go_modules.LOCAL):
            self.assertIn("%s/%s %s\n" % (go_modules.REPOSITORY, name, VERSION), required)
        self.assertNotIn("replace", required)
        self.assertEqual(self.must("go", "run", ".", folder=folder), said + "\n")
        self.assertIn("all modules verified", self.must("go", "mod", "verify", folder=folder))

    def test_its_own_sums_are_those_that_go_computes(self):
        folder = os.path.join(self.folder, "checkout")
        self.must("git", "clone", "-q", "-b", "%s/%s" % (go_modules.LOCAL, VERSION), self.repository, folder)
        local = os.path.join(folder, go_modules.LOCAL)
        self.must("go", "mod", "tidy", "-diff", folder=local)
        self.must("go", "mod", "download", folder=local)


if __name__ == "__main__":
    unittest.main()
