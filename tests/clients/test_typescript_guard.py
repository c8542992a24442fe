#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""guardFetch and turnkeeper/ai of the npm package, with the real SDKs that tests/clients/install.sh installs.

clients/typescript/tests/guard and tests/ai run in a build of the package, because they play a keeper of its own
classes; against the local provider of the other clients, in process and through a daemon.
"""
import os
import shutil
import sys
import unittest

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import npm_package  # noqa: E402

SDKS = ("@anthropic-ai/sdk", "@aws-sdk/client-bedrock-runtime", "@google/genai", "openai", "ai", "@ai-sdk/anthropic")
OPTIONS = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--target", "ES2022", "--module", "NodeNext",
           "--moduleResolution", "NodeNext", "--types", "node"]


def why_not():
    """Returns why the tests can't run; None if they can."""
    why = npm_package.why_not()
    missing = [name for name in SDKS if not os.path.isdir(os.path.join(npm_package.COMPILER, "node_modules", name))]
    return why or ("not installed: " + ", ".join(missing) if missing else None)


@unittest.skipIf(why_not(), why_not())
class Guards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.package = npm_package.Package()
        cls.folder = os.path.join(cls.package.folder, "package")
        tests = os.path.join(npm_package.SOURCE, "tests")
        shutil.copytree(tests, os.path.join(cls.folder, "tests"), ignore=shutil.ignore_patterns("node_modules"))

    @classmethod
    def tearDownClass(cls):
        cls.package.remove()

    def run_folder(self, name):
        folder = os.path.join("tests", name)
        files = [os.path.join(folder, file) for file in sorted(os.listdir(os.path.join(self.folder, folder)))
                 if file.endswith(".test.mjs")]
        self.assertTrue(files)
        done = npm_package.run(["node", "--test", *files], self.folder, TK_TOP=npm_package.TOP, PYTHON=sys.executable)
        self.assertEqual(done.returncode, 0, npm_package.complaint(done.stdout))

    def test_guard(self):
        self.run_folder("guard")

    def test_ai(self):
        self.run_folder("ai")

    def test_types(self):
        """Programs that use the package compile against the SDKs' own types."""
        compiler = os.path.join(self.folder, "node_modules", "typescript", "bin", "tsc")
        file = os.path.join("tests", "guard", "types.ts")
        done = npm_package.run(["node", compiler, *OPTIONS, file], self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
