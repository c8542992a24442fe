# SPDX-License-Identifier: Apache-2.0
"""Units and packages run only programs that every system has, and a broken configuration is told at an upgrade."""
import os
import re
import shlex
import subprocess
import tempfile

from harness import PROGRAM, Test

TOP = os.environ.get("top_srcdir", ".")


def text_of(*path):
    with open(os.path.join(TOP, *path), encoding="utf-8") as f:
        return f.read()


class Unit(Test):
    BUILTINS = {"kill", "[", "exec", "sleep"}  # of the shell, but for sleep, which is in coreutils: essential

    def test_it_runs_only_what_a_minimal_system_has(self):
        commands = re.findall(r"(?m)^Exec\w+=[-+:!]*(.*)$", text_of("systemd", "turnkeeper.service.in"))
        self.assertGreaterEqual(len(commands), 3)
        for words in map(shlex.split, commands):
            if words[0] == "/bin/sh":
                self.assertEqual(words[1], "-c")
                first = {part.split()[0] for part in re.split(r"\|\||&&|;", words[2])}
                self.assertLessEqual(first, self.BUILTINS)
            else:
                self.assertEqual(words[0], "@sbindir@/turnkeeperd")

    def test_its_reload_is_a_signal(self):
        """The command, as systemd runs it: MAINPID is in its environment."""
        command = re.search(r"(?m)^ExecReload=(.*)$", text_of("systemd", "turnkeeper.service.in")).group(1)
        with subprocess.Popen(["/bin/sh", "-c", "trap 'exit 7' HUP; echo; while :; do sleep 0.05; done"],
                              stdout=subprocess.PIPE) as main:
            main.stdout.readline()  # the trap is set
            environment = {"MAINPID": str(main.pid), "PATH": "/nonexistent"}
            self.assertEqual(subprocess.run(shlex.split(command), env=environment, check=False).returncode, 0)
            self.assertEqual(main.wait(30), 7)


class Postinst(Test):
    """debian/turnkeeper.postinst, with the daemon of this build and a configuration of the test's own."""

    def configure(self, configuration, action="configure"):
        with tempfile.TemporaryDirectory(prefix="tk", dir="/tmp") as folder:
            path = os.path.join(folder, "turnkeeper.json")
            with open(path, "w", encoding="utf-8") as f:
                f.write(configuration)
            program = os.path.join(folder, "turnkeeperd")
            with open(program, "w", encoding="utf-8") as f:
                f.write('#!/bin/sh\nexec %s --config %s "$@"\n' % (PROGRAM, path))
            os.chmod(program, 0o755)
            done = subprocess.run(["/bin/sh", os.path.join(TOP, "debian", "turnkeeper.postinst"), action], text=True,
                                  env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]}, capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            return done.stderr.replace(path, "FILE")

    def test_a_good_configuration(self):
        self.assertEqual(self.configure("{}"), "")
        self.assertEqual(self.configure('{"max_frame": 1000}'), "")

    def test_a_broken_one(self):
        told = self.configure('{"max_frames": 1000}')
        self.assertIn("won't start", told)
        self.assertIn("FILE:1:2: max_frames: unknown key", told)
        self.assertIn("turnkeeperd --check-config", told)

    def test_other_actions(self):
        self.assertEqual(self.configure("broken", "abort-upgrade"), "")


class Packages(Test):
    def test_install_lines_match_one_package_each(self):
        """`apt install ./deb/libturnkeeper*_*.deb` would match debug symbols and headers as well."""
        packages = re.findall(r"(?m)^Package: (\S+)", text_of("debian", "control"))
        made = ["%s_0.1.0_amd64.deb" % p for name in packages for p in (name, name + "-dbgsym")]
        for page in ("README.md", "doc/INSTALL.md"):
            for pattern in re.findall(r"\./deb/(\S+\.deb)", text_of(page)):
                expression = re.compile(re.escape(pattern).replace(r"\*", ".*"))
                self.assertEqual(len([m for m in made if expression.fullmatch(m)]), 1, pattern)

    def test_a_build_says_how_long_it_takes(self):
        self.assertIn("DEB_BUILD_OPTIONS=nocheck", text_of("deploy", "release.py"))
        self.assertIn("nocheck", text_of("doc", "INSTALL.md"))
