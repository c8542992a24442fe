# SPDX-License-Identifier: Apache-2.0
"""A turnkeeperd of one's own: private socket in a short folder, gone when it is stopped.

For whoever needs a daemon that runs; those that torment one have integration/harness.py.
"""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAM = os.environ.get("TURNKEEPERD", "turnkeeperd")
START_SECONDS = 30  # sanitizers start slowly on a busy machine


class Daemon:
    def __init__(self, *options, config=None):
        # Short, for sun_path holds 108 bytes, and build folders can be deep.
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.socket = os.path.join(self.folder, "s.sock")
        self.control = os.path.join(self.folder, "s.control.sock")
        path = os.path.join(self.folder, "config.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write(config or "{}")
        with open(self.log_path, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "--socket", self.socket, "--config", path, *options],
                stdin=subprocess.DEVNULL, stderr=log)
        try:
            self.wait_until_it_listens()
        except Exception:
            self.process.kill()
            self.process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    @property
    def log_path(self):
        return os.path.join(self.folder, "log")

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as f:
            return f.read()

    def wait_until_it_listens(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError("turnkeeperd ended with %d: %s" % (self.process.returncode, self.log()))
            if self.answers():
                return
            time.sleep(0.01)
        raise RuntimeError("turnkeeperd doesn't listen after %d s" % START_SECONDS)

    def answers(self):
        """True if the control socket answers. The thread that serves it has opened everything else before."""
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(START_SECONDS)
            try:
                s.connect(self.control)
                s.sendall(b'{"id":1,"method":"ping"}\n')
                return s.recv(1) != b""
            except OSError:
                return False

    def stop(self):
        """Ends it; AssertionError if it didn't end well (a sanitizer speaks up at the end)."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        log = self.log()
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.process.returncode not in (0, -signal.SIGKILL):
            raise AssertionError("turnkeeperd ended with %d: %s" % (self.process.returncode, log))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
