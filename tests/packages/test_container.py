#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The image of the Containerfile, its steps done in a bare Debian root, and the manifest for Kubernetes that uses it."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from containerfile import Image, instructions  # noqa: E402
from debian_root import Root, end  # noqa: E402
from made import CHECKERS, RELEASE, TOP, checker, files, run  # noqa: E402

sys.path += [os.path.join(TOP, "tests"), os.path.join(TOP, "tests", "integration")]
import releases  # noqa: E402
from harness import Client, eventually  # noqa: E402

CONTAINERFILE = os.path.join(TOP, "Containerfile")
SIDECAR = os.path.join(TOP, "deploy", "kubernetes", "sidecar.yaml")
KUBERNETES = "1.29"  # the oldest that the manifest is for
GROUP = 10464


def seconds(text):
    return int(re.fullmatch(r"(\d+)s", text).group(1))


class Container(unittest.TestCase):
    def test_image(self):
        files("debian", "turnkeeper_*.deb")
        root = Root()
        self.addCleanup(root.remove)
        image = Image(CONTAINERFILE, RELEASE, root)
        self.assertRegex(image.base, r"^docker\.io/library/debian:bookworm-slim$")
        self.assertEqual(image.user, "%d:%d" % (GROUP, GROUP))
        self.assertEqual(os.listdir(root.inside("/var/lib/apt/lists")), [])
        self.assertFalse(os.path.exists(root.inside("/packages")))
        self.runs(root, image)

    def runs(self, root, image):
        self.assertNotEqual(image.health()[1], 0)
        daemon = image.start()
        self.addCleanup(daemon.kill)
        self.assertTrue(eventually(lambda: image.health()[1] == 0))
        self.assertIn("TURNKEEPER OK", image.health()[0])
        with open("/proc/%d/status" % daemon.pid, encoding="utf-8") as status:
            self.assertRegex(status.read(), r"(?m)^Uid:\s+10464\s+10464\s+10464\s+10464$")
        path = root.inside("/run/turnkeeper/turnkeeper.sock")
        self.assertEqual((os.stat(path).st_gid, os.stat(path).st_mode & 0o777), (GROUP, 0o660))
        with Client(path) as client:
            self.assertTrue(client.ping())
        self.assertEqual(end(daemon), 0)

    def test_health_is_asked_within_its_time(self):
        with open(CONTAINERFILE, encoding="utf-8") as file:
            rest = dict(instructions(file.read()))["HEALTHCHECK"]
        limit = int(re.search(r'"--timeout-ms", "(\d+)"', rest).group(1))
        self.assertLess(limit / 1000, seconds(re.search(r"--timeout=(\S+)", rest).group(1)))


class Sidecar(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        checker("kubernetes-validate")
        program = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)"
        said = subprocess.run([os.path.join(CHECKERS, "bin", "python"), "-c", program, SIDECAR], check=True,
                              stdout=subprocess.PIPE)
        cls.pod = json.loads(said.stdout)["spec"]["template"]["spec"]
        (cls.sidecar,), (cls.program,) = cls.pod["initContainers"], cls.pod["containers"]

    def validate(self, path):
        return run(checker("kubernetes-validate"), "--strict", "-k", KUBERNETES, path)

    def test_schema(self):
        said = self.validate(SIDECAR)
        self.assertEqual(said.returncode, 0, said.stdout)

    def test_the_schema_finds_what_is_wrong(self):
        with open(SIDECAR, encoding="utf-8") as file:
            text = file.read()
        for good, bad in (("emptyDir:", "emptyDirectory:"), ("livenessProbe:", "aliveProbe:"), ("fsGroup: 10464", "fsGroup: a")):
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write(text.replace(good, bad))
                file.flush()
                self.assertNotEqual(self.validate(file.name).returncode, 0, bad)

    def test_both_containers_have_the_folder_of_the_socket(self):
        (volume,) = self.pod["volumes"]
        self.assertIn("emptyDir", volume)
        socket = self.sidecar["args"][self.sidecar["args"].index("--socket") + 1]
        (variable,) = (row for row in self.program["env"] if row["name"] == "TURNKEEPER_SOCKET")
        self.assertEqual(variable["value"], socket)
        for container in (self.sidecar, self.program):
            (mount,) = container["volumeMounts"]
            self.assertEqual((mount["name"], mount["mountPath"]), (volume["name"], os.path.dirname(socket)))

    def test_users_are_those_of_the_image(self):
        with open(CONTAINERFILE, encoding="utf-8") as file:
            user = dict(instructions(file.read()))["USER"]
        context = self.sidecar["securityContext"]
        self.assertEqual("%d:%d" % (context["runAsUser"], context["runAsGroup"]), user)
        self.assertEqual(self.pod["securityContext"]["fsGroup"], GROUP)
        self.assertEqual(self.sidecar["image"], "turnkeeper:" + releases.npm())

    def probes(self):
        return {name: self.sidecar[name] for name in ("startupProbe", "livenessProbe", "readinessProbe")}

    def test_probes_end_in_their_time(self):
        for name, probe in self.probes().items():
            command = probe["exec"]["command"]
            self.assertLess(int(command[command.index("--timeout-ms") + 1]) / 1000, probe["timeoutSeconds"], name)

    def test_the_commands_against_a_daemon(self):
        """With the daemon's arguments and the probes' commands as written, but for the socket's folder."""
        with tempfile.TemporaryDirectory(prefix="tk", dir="/tmp") as folder:
            def here(words):
                return [word.replace("/run/turnkeeper", folder) for word in words]
            commands = [[os.environ["TURNKEEPER"], *here(probe["exec"]["command"])[1:]] for probe in self.probes().values()]
            for command in commands:
                self.assertEqual(run(*command).returncode, 2, command)  # no daemon, and no error of usage
            daemon = subprocess.Popen([os.environ["TURNKEEPERD"], *here(self.sidecar["args"])], stdin=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
            self.addCleanup(daemon.kill)
            self.assertTrue(eventually(lambda: run(*commands[0]).returncode == 0))
            for command in commands:
                self.assertEqual(run(*command).returncode, 0, command)
            self.assertEqual(end(daemon), 0)


if __name__ == "__main__":
    unittest.main()
