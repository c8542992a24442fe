# SPDX-License-Identifier: Apache-2.0
"""The daemon under a service manager: passed sockets, notifications, the watchdog, the units' score."""
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from harness import PATIENCE, PROGRAM, Client, Daemon, Frozen, Passing, Test, eventually, listen

SOURCE = os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))


class Activation(Test):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder)
        self.main = listen(os.path.join(self.folder, "s.sock"))
        self.addCleanup(self.main.close)
        self.control = listen(os.path.join(self.folder, "s.control.sock"))
        self.addCleanup(self.control.close)
        os.chmod(os.path.join(self.folder, "s.sock"), 0o642)

    def start(self, *sockets, **options):
        return Daemon(folder=self.folder, spawn=Passing(*sockets), **options)

    def test_both_in_any_order(self):
        for sockets in ((self.main, self.control), (self.control, self.main)):
            with self.start(*sockets) as d, d.connect() as c:
                self.assertTrue(c.ping())
                self.assertEqual(d.ask("health")["status"], "ok")
                self.assertIn("code", d.ask("validate"))
                self.assertTrue(d.logged("ready", passed=1))

    def test_passed_sockets_are_left_as_they_are(self):
        path = os.path.join(self.folder, "s.sock")
        before = os.stat(path)
        with self.start(self.main, self.control) as d:
            d.configure({"backlog": 5})
            d.signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: d.logged("reload")))
            self.assertEqual(d.stop(), 0)
        after = os.stat(path)
        self.assertEqual((before.st_ino, before.st_mode), (after.st_ino, after.st_mode))

    def test_only_one_of_them(self):
        os.unlink(self.control.getsockname())
        with self.start(self.main) as d, d.connect() as c:
            self.assertTrue(c.ping())
            self.assertEqual(d.ask("health")["status"], "ok")
            self.assertEqual(d.stop(), 0)
            self.assertFalse(os.path.exists(d.control))
            self.assertTrue(os.path.exists(d.socket))

    def test_clients_wait_over_a_restart(self):
        with self.start(self.main, self.control) as d, d.connect() as c:
            self.assertTrue(c.ping())
        with Client(self.main.getsockname()) as waiting:
            waiting.send({"id": 1, "method": "ping"})
            with self.start(self.main, self.control):
                self.assertPong(waiting.receive(), 1)

    def test_a_stranger_among_them(self):
        other = listen(os.path.join(self.folder, "other.sock"))
        self.addCleanup(other.close)
        d = self.start(self.main, other, wait=False)
        self.assertEqual(d.wait(), 1)
        self.assertIn("neither", d.log())

    def test_a_socket_that_does_not_listen(self):
        with socket.socket(socket.AF_UNIX) as s:
            d = self.start(self.main, s, wait=False)
            self.assertEqual(d.wait(), 1)

    def test_variables_of_another_process(self):
        os.unlink(self.main.getsockname())
        os.unlink(self.control.getsockname())
        with Daemon(folder=self.folder,
                    environment={"LISTEN_PID": "1", "LISTEN_FDS": "2"}) as d, d.connect() as c:
            self.assertTrue(c.ping())

    def test_systemd_socket_activate(self):
        if not shutil.which("systemd-socket-activate"):
            self.skipTest("systemd-socket-activate isn't installed")
        path, control = (os.path.join(self.folder, n) for n in ("a.sock", "a.control.sock"))
        log = os.path.join(self.folder, "log")
        with open(log, "ab") as f:
            process = subprocess.Popen(
                ["systemd-socket-activate", "-l", path, "-l", control, PROGRAM, "--socket", path],
                stdin=subprocess.DEVNULL, stdout=f, stderr=f)
        try:
            self.assertTrue(eventually(lambda: os.path.exists(control)))
            with Client(path) as c:
                self.assertTrue(c.ping())
            with Client(control) as c:
                self.assertEqual(c.call("health")["status"], "ok")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(PATIENCE), 0)
        finally:
            process.kill()
            process.wait()


class Manager:
    """The other end of NOTIFY_SOCKET."""

    def __init__(self, name):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(name.replace("@", "\0"))
        self.socket.settimeout(PATIENCE)
        self.environment = {"NOTIFY_SOCKET": name}

    def next(self):
        return dict(line.split("=", 1) for line in self.socket.recv(4096).decode().splitlines())

    def wait_for(self, name):
        message = {}
        while name not in message:
            message = self.next()
        return message

    def heard(self, name, seconds):
        """How many messages with this name come in that time."""
        count, end = 0, time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                self.socket.settimeout(max(end - time.monotonic(), 0.001))
                count += name in self.next()
        except (BlockingIOError, socket.timeout):
            pass
        self.socket.settimeout(PATIENCE)
        return count


class Notify(Test):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder)
        self.manager = Manager(os.path.join(self.folder, "notify"))
        self.addCleanup(self.manager.socket.close)

    def test_the_whole_life(self):
        with Daemon({"max_frame": 1000}, environment=self.manager.environment) as d:
            message = self.manager.next()
            self.assertEqual(message["READY"], "1")
            self.assertIn(d.socket, message["STATUS"])
            d.signal(signal.SIGHUP)
            message = self.manager.next()
            self.assertEqual(message["RELOADING"], "1")
            self.assertLess(abs(int(message["MONOTONIC_USEC"]) - time.monotonic() * 1e6), 30e6)
            self.assertEqual(self.manager.next()["READY"], "1")
            d.configure({"max_frame": "much"})
            d.signal(signal.SIGHUP)
            self.assertEqual(self.manager.next()["RELOADING"], "1")
            message = self.manager.next()
            self.assertEqual(message["READY"], "1")
            self.assertIn("max_frame", message["STATUS"])
            self.assertEqual(d.stop(), 0)
            self.assertEqual(self.manager.next()["STOPPING"], "1")

    def test_an_abstract_name(self):
        manager = Manager("@turnkeeper-test-%d" % os.getpid())
        with manager.socket, Daemon(environment=manager.environment):
            self.assertEqual(manager.next()["READY"], "1")

    def watched(self, patience, **more):
        environment = {"WATCHDOG_USEC": str(int(patience * 1e6)), **self.manager.environment,
                       **more}
        return Daemon({"request_timeout": 0.1, "workers": 2}, environment=environment)

    def test_the_watchdog_is_fed(self):
        with self.watched(0.3):
            self.manager.wait_for("READY")
            for _ in range(5):
                self.manager.wait_for("WATCHDOG")

    def test_the_watchdog_of_another_process(self):
        with self.watched(0.1, WATCHDOG_PID="1"):
            self.manager.wait_for("READY")
            self.assertEqual(self.manager.heard("WATCHDOG", 0.3), 0)

    def test_a_worker_that_hangs_is_noticed(self):
        """No food for the watchdog, and the control socket says what is wrong."""
        with self.watched(0.3) as d:
            self.manager.wait_for("WATCHDOG")
            with Frozen(d.pid, "worker"):
                self.manager.heard("WATCHDOG", 0.3)  # what was under way
                self.assertEqual(self.manager.heard("WATCHDOG", 0.6), 0)
                self.assertTrue(eventually(lambda: d.ask("health")["status"] == "degraded"))
                check = d.ask("health")["checks"][0]
                self.assertEqual((check["name"], check["ok"]), ("worker_heartbeat", False))
                self.assertGreater(check["value"], check["limit"])
            self.manager.wait_for("WATCHDOG")
            self.assertTrue(eventually(lambda: d.ask("health")["status"] == "ok"))

    def test_a_short_watchdog_is_complained_about(self):
        with self.watched(0.15) as d:
            self.assertTrue(d.logged("watchdog"))

    def test_journal_priorities(self):
        with tempfile.TemporaryFile() as f:
            number = "%d:%d" % (os.fstat(f.fileno()).st_dev, os.fstat(f.fileno()).st_ino)
            process = subprocess.Popen(
                [PROGRAM, "--socket", os.path.join(self.folder, "s.sock")], stderr=f,
                env={**os.environ, "JOURNAL_STREAM": number, **self.manager.environment})
            self.manager.wait_for("READY")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(PATIENCE), 0)
            f.seek(0)
            lines = f.read().decode().splitlines()
            self.assertGreater(len(lines), 2)
            for line in lines:
                self.assertRegex(line, r"^<[3-7]>event=[a-z_]+")


class Units(Test):
    def unit(self, folder):
        with open(os.path.join(SOURCE, "systemd", "turnkeeper.service.in"), encoding="utf-8") as f:
            text = f.read().replace("@sbindir@", "/usr/bin").replace("/turnkeeperd\n", "/env\n")
        path = os.path.join(folder, "turnkeeper.service")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        for name in ("turnkeeper.socket", "turnkeeper-http.socket"):
            shutil.copy(os.path.join(SOURCE, "systemd", name), folder)
        return path

    def analyze(self, *arguments):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze isn't installed")
        result = subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True,
                                timeout=PATIENCE, check=False)
        return result.returncode, result.stdout + result.stderr

    def test_score(self):
        with tempfile.TemporaryDirectory() as folder:
            code, out = self.analyze("security", "--offline=true", "--threshold=5",
                                     self.unit(folder))
            self.assertEqual(code, 0, out)

    def test_they_are_well_formed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.unit(folder)
            _, out = self.analyze("verify", "--man=no", path, path.replace("service", "socket"),
                                  path.replace(".service", "-http.socket"))
            # This doesn't test that programs are installed where the unit says.
            complaints = [line for line in out.splitlines()
                          if "turnkeeper" in line and "is not executable" not in line]
            self.assertEqual(complaints, [])

    def test_peers_keep_their_uid(self):
        settings = self.settings()
        self.assertNotIn("PrivateUsers", settings)
        self.assertGreater(int(settings["WatchdogSec"]), 2 * 5)
        self.assertGreater(int(settings["TimeoutStopSec"]), 20)
        self.assertGreater(int(settings["LimitNOFILE"]), 1024 + 100)
        self.assertNotIn("RuntimeDirectory", settings)

    def settings(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(self.unit(folder), encoding="utf-8") as f:
                lines = [line.strip() for line in f]
        return dict(line.split("=", 1) for line in lines if "=" in line and line[0] != "#")

    def test_memory_is_bounded(self):
        settings = self.settings()
        size = re.fullmatch(r"(\d+)G", settings["MemoryMax"])
        limits = {name: int(value) for name, value in re.findall(
            r"^  (max_\w+) .*\[(\d+)\]$", subprocess.check_output([PROGRAM, "--help"], text=True), re.M)}
        self.assertGreater(int(size[1]) << 30, limits["max_inflight_bytes"] + 4 * 8 * limits["max_frame"])
        self.assertEqual(settings["MemorySwapMax"], "0")

    def test_no_start_limit_takes_the_socket_down(self):
        settings = self.settings()
        self.assertEqual(settings["StartLimitIntervalSec"], "0")
        self.assertGreaterEqual(int(settings["RestartSec"]), 1)
        self.assertEqual((settings["Restart"], settings["RestartPreventExitStatus"]), ("on-failure", "2"))

    def test_a_bad_configuration_is_not_tried_again_at_once(self):
        """The command after its end waits, and after any other end it doesn't."""
        command = shlex.split(self.settings()["ExecStopPost"])
        self.assertIn("exec sleep 1", command[-1])
        for status, waits in (("2", True), ("0", False), ("TERM", False)):
            begin = time.monotonic()
            subprocess.run([*command[:-1], command[-1].replace("sleep 1", "sleep 5")], check=True,
                           env={**os.environ, "EXIT_STATUS": status}, timeout=PATIENCE)
            self.assertEqual(time.monotonic() - begin >= 5, waits, status)
