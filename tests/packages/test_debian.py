#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The packages for Debian: what lintian says, and what they do in a bare Debian 12 without systemd."""
import glob
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from debian_root import Root, end  # noqa: E402
from made import BUILD, TOP, debian_package, files, run  # noqa: E402

sys.path += [os.path.join(TOP, "tests"), os.path.join(TOP, "tests", "integration")]
import releases  # noqa: E402
from harness import eventually  # noqa: E402

PLACES = ("/etc/turnkeeper/turnkeeper.json", "/lib/systemd/system/turnkeeper-http.socket",
          "/lib/systemd/system/turnkeeper.service", "/lib/systemd/system/turnkeeper.socket",
          "/usr/lib/sysusers.d/turnkeeper.conf", "/usr/share/bash-completion/completions/turnkeeper",
          "/usr/share/doc/turnkeeper/copyright", "/usr/share/fish/vendor_completions.d/turnkeeper.fish",
          "/usr/share/man/man1/turnkeeper.1.gz", "/usr/share/man/man7/turnkeeper-rules.7.gz",
          "/usr/share/man/man8/turnkeeperd.8.gz", "/usr/share/zsh/vendor-completions/_turnkeeper")
MENDS = """
import importlib.metadata, turnkeeper
call = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
text = {"type": "text", "text": "a"}
history = [{"role": "user", "content": "q"}, {"role": "assistant", "content": [text, call]},
           {"role": "user", "content": "n"}]
assert turnkeeper.Local().repair(history).messages[1]["content"] == [text]
print(importlib.metadata.version("turnkeeper"), turnkeeper.Local().version, turnkeeper.__file__)
"""


class Lintian(unittest.TestCase):
    def test_no_error(self):
        packages = files("debian", "*.deb")
        if shutil.which("lintian") is None:
            self.skipTest("lintian isn't installed (Debian: lintian)")
        said = run("lintian", "--allow-root", "--no-cfg", "--fail-on", "error", *packages)
        self.assertEqual(said.returncode, 0, said.stdout)
        self.assertEqual(glob.glob(os.path.join(TOP, "debian", "*lintian-overrides")), [])

    def test_the_packages_of_the_contract(self):
        names = {os.path.basename(path).split("_")[0] for path in files("debian", "*.deb")}
        self.assertEqual({name for name in names if not name.endswith("-dbgsym")},
                         {"turnkeeper", "libturnkeeper1", "libturnkeeper-dev", "python3-turnkeeper"})


class Programs(unittest.TestCase):
    def test_both_take_the_core_from_one_library(self):
        """It is named after the release and is in a folder of the package, which their run path names."""
        name = "libturnkeeper-private-%s.so" % releases.debian()
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["dpkg-deb", "-x", debian_package("turnkeeper"), folder], check=True)
            (library,) = glob.glob(os.path.join(folder, "usr", "lib", "*", "turnkeeper", name))
            for program in ("usr/bin/turnkeeper", "usr/sbin/turnkeeperd"):
                said = run("readelf", "-d", os.path.join(folder, program)).stdout
                self.assertIn("Shared library: [%s]" % name, said)
                self.assertIn("[%s]" % os.path.dirname(library)[len(folder):], said)
                self.assertLess(os.path.getsize(os.path.join(folder, program)), os.path.getsize(library) / 3)


class Development(unittest.TestCase):
    def test_a_program_is_compiled_with_the_packages(self):
        """By pkg-config, from the unpacked packages of the library alone."""
        compiler = shlex.split(os.environ.get("CC", "cc"))
        with tempfile.TemporaryDirectory() as folder:
            for name in ("libturnkeeper1", "libturnkeeper-dev"):
                subprocess.run(["dpkg-deb", "-x", debian_package(name), folder], check=True)
            (module,) = glob.glob(os.path.join(folder, "usr", "lib", "*", "pkgconfig", "turnkeeper.pc"))
            environment = dict(os.environ, PKG_CONFIG_PATH=os.path.dirname(module), PKG_CONFIG_SYSROOT_DIR=folder)
            flags = run("pkg-config", "--cflags", "--libs", "turnkeeper", env=environment)
            self.assertEqual(flags.returncode, 0, flags.stdout)
            program = os.path.join(folder, "embed")
            made = run(*compiler, os.path.join(TOP, "examples", "embed.c"), "-o", program, *flags.stdout.split())
            self.assertEqual(made.returncode, 0, made.stdout)
            library = os.path.dirname(os.path.dirname(module))
            said = run(program, env=dict(os.environ, LD_LIBRARY_PATH=library)).stdout
        answer = json.loads(said)["messages"][1]["content"]
        self.assertEqual(answer, [{"type": "text", "text": "Let me look."}])  # its search never got a result


class Bare(unittest.TestCase):
    """Without systemd. The daemon is started by hand."""

    def setUp(self):
        files("debian", "*.deb")
        self.root = Root()
        self.addCleanup(self.root.remove)

    def test_install_use_and_purge(self):
        before = self.root.files()
        self.root.install(debian_package("turnkeeper"))
        missing = [path for path in PLACES if not os.path.isfile(self.root.inside(path))]
        self.assertEqual(missing, [])
        self.assertRegex(self.root.read("/etc/group"), r"(?m)^turnkeeper:")
        self.assertIn(releases.debian(), self.root.must("turnkeeper", "--version"))
        self.assertEqual(self.root.run("turnkeeper", "health").returncode, 2)  # nothing was started

        daemon = self.root.start("turnkeeperd")
        self.addCleanup(daemon.kill)
        self.assertTrue(eventually(lambda: self.root.run("turnkeeper", "health").returncode == 0))
        self.assertIn("TURNKEEPER OK", self.root.must("turnkeeper", "health"))
        self.root.write("/tmp/chat.json", json.dumps([{"role": "user", "content": "hello"}]))
        self.root.must("turnkeeper", "validate", "--daemon", "/tmp/chat.json")
        self.assertEqual(end(daemon), 0)

        self.root.must("apt-get", "-q", "-y", "purge", "turnkeeper")
        self.root.must("apt-get", "-q", "-y", "autoremove", "--purge")
        self.assertEqual(sorted(self.root.files() - before), [])
        self.assertEqual(sorted(before - self.root.files()), [])

    def test_python_works_in_process(self):
        self.root.install(debian_package("libturnkeeper1"), debian_package("python3-turnkeeper"))
        said = self.root.must("python3", "-c", MENDS).split()
        self.assertEqual(said, [releases.pypi(), releases.debian(), "/usr/lib/python3/dist-packages/turnkeeper/__init__.py"])


class Tree(unittest.TestCase):
    def test_the_build_folder_keeps_no_work(self):
        files("source", "*.tar.xz")
        self.assertEqual(glob.glob(os.path.join(BUILD, "release-*")), [])


if __name__ == "__main__":
    unittest.main()
