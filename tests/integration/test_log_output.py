# SPDX-License-Identifier: Apache-2.0
"""The log where stderr can't be written: the daemon serves as ever, and no line goes anywhere else."""
import fcntl
import os
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

from harness import PATIENCE, PROGRAM, Daemon, Test, eventually

REQUESTS = 2000     # at `debug` each is a line: more bytes than a pipe or a socket holds
# That many answers take less than a second. A worker that waited for a reader of its log would never answer.
SECONDS = 60
NOBODY = 65534


class With:
    """For Daemon(spawn=...): a stderr of one's own."""

    def __init__(self, stderr, prepare=None):
        self.stderr, self.prepare = stderr, prepare

    def __call__(self, command, **options):
        return subprocess.Popen(command, **{**options, "stderr": self.stderr}, preexec_fn=self.prepare)


class Output(Test):
    def daemon(self, stderr, prepare=None, **options):
        d = Daemon({"log_level": "debug", "workers": 2}, spawn=With(stderr, prepare), wait=False, **options)
        self.addCleanup(d.close)
        self.assertTrue(eventually(lambda: self.answers(d)))
        return d

    @staticmethod
    def answers(d):
        try:
            return d.ask("health")["status"] == "ok"
        except OSError:
            return False

    def serve(self, d):
        """All requests are answered, on both sockets."""
        with d.connect() as c:
            c.socket.settimeout(SECONDS)
            for _ in range(REQUESTS // 100):
                for n in range(100):
                    c.send({"id": n, "method": "ping"})
                for n in range(100):
                    self.assertPong(c.receive(), n)
        d.signal(signal.SIGHUP)
        self.assertTrue(eventually(lambda: d.counter("reloads") == 1))

    def end(self, d):
        self.assertEqual(d.stop(), 0)

    def test_a_pipe_that_nobody_reads(self):
        read, write = os.pipe()
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
        d = self.daemon(write)
        self.serve(d)
        # A flag that others who have this pipe would feel.
        self.assertFalse(fcntl.fcntl(write, fcntl.F_GETFL) & os.O_NONBLOCK)
        os.close(write)
        self.assertLost(read, d)

    @unittest.skipIf(os.getuid() != 0, "only root can start it as another user")
    def test_a_pipe_of_another_user(self):
        """It can't be opened again, so it is asked before each line if it takes one."""
        def become():
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

        read, write = os.pipe()
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
        with tempfile.TemporaryDirectory(prefix="tk", dir="/tmp") as folder:
            os.chown(folder, NOBODY, NOBODY)
            try:
                d = self.daemon(write, become, folder=folder)
            except PermissionError:
                self.skipTest("another user can't run the program")
            self.serve(d)
            os.close(write)
            self.assertLost(read, d)

    def test_a_socket_that_nobody_reads(self):
        ours, theirs = socket.socketpair()
        d = self.daemon(theirs.fileno())
        self.serve(d)
        theirs.close()
        self.assertLost(ours.detach(), d)

    def assertLost(self, read, d):
        """Once it is read, the log says how many lines are missing, and each line is whole."""
        lines = []
        with open(read, "rb") as log:
            reader = threading.Thread(target=lambda: lines.extend(log))
            reader.start()

            def told():
                self.assertTrue(d.ask("ping")["pong"])
                return any(b"event=log_lost" in line for line in lines)
            self.assertTrue(eventually(told))
            self.end(d)
            reader.join()
        lost = [int(line.split(b"lines=")[1]) for line in lines if b"event=log_lost" in line]
        self.assertGreater(sum(lost), 100)
        for line in lines:
            self.assertRegex(line, rb"^time=\S+ level=\w+ event=[^\n]*\n$")

    def test_a_pipe_without_a_reader(self):
        read, write = os.pipe()
        d = self.daemon(write)
        os.close(read)
        os.close(write)
        self.serve(d)
        self.end(d)

    def test_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            d = self.daemon(full)
            self.serve(d)
            self.end(d)

    def test_a_file_that_may_not_grow(self):
        with tempfile.TemporaryFile() as log:
            d = self.daemon(log, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000)))
            self.serve(d)
            self.end(d)
            self.assertEqual(os.fstat(log.fileno()).st_size, 10000)
            log.truncate(0)

    def test_a_disk_with_room_again(self):
        """The line that was cut off is ended before the next one."""
        with tempfile.TemporaryFile("w+b") as log:
            fcntl.fcntl(log, fcntl.F_SETFL, fcntl.fcntl(log, fcntl.F_GETFL) | os.O_APPEND)
            d = self.daemon(log, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, -1)))
            self.serve(d)
            resource.prlimit(d.pid, resource.RLIMIT_FSIZE, (-1, -1))
            self.assertTrue(d.ask("ping")["pong"])
            self.end(d)
            log.seek(0)
            lines = log.read().splitlines()
            lost = [n for n, line in enumerate(lines) if b"event=log_lost" in line]
            self.assertEqual(len(lost), 1)
            torn = lines.pop(lost[0] - 1)
            self.assertTrue(torn == b"" or torn.startswith(b"time="), torn)
            for line in lines:
                self.assertRegex(line, rb"^time=\S+ level=\w+ event=")

    def test_closed_descriptors(self):
        """No socket gets their numbers: the log would be sent to a client."""
        for closed in ("2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed=closed):
                d = self.daemon(subprocess.DEVNULL, wrapper=("sh", "-c", 'exec "$@" ' + closed, "sh"))
                for fd in range(3):
                    self.assertEqual(os.readlink("/proc/%d/fd/%d" % (d.pid, fd)).startswith("socket:"), False)
                self.assertEqual(os.readlink("/proc/%d/fd/2" % d.pid), "/dev/null")
                self.serve(d)
                self.end(d)


class Commands(Test):
    def run_with(self, *options, **streams):
        return subprocess.run([PROGRAM, *options], timeout=PATIENCE, check=False, **streams)

    def test_what_only_prints(self):
        with open("/dev/full", "wb") as full:
            for option in ("--help", "--version"):
                done = self.run_with(option, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 1, option)
                self.assertIn(b"No space left on device", done.stderr)

    def test_an_error_that_nobody_reads(self):
        """The status is that of the error: no signal ends the program."""
        read, write = os.pipe()
        os.close(read)
        for options in (["--config", "/nonexistent/turnkeeper.json"], ["--workers", "x"], ["--nothing"]):
            done = self.run_with(*options, stdout=subprocess.DEVNULL, stderr=write)
            self.assertEqual(done.returncode, 2, options)
        os.close(write)


if __name__ == "__main__":
    unittest.main()
