# SPDX-License-Identifier: Apache-2.0
"""A bare Debian 12 of one's own, a copy of the one that install.sh made: no systemd, no compiler, no daemon."""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

from made import SDK, last_line, run

BARE = os.path.join(SDK, "debian-root")
# Where dpkg, apt and ldconfig keep what they know, what the tests bring, and the copies of an account file that was changed.
VOLATILE = ("/dev/", "/proc/", "/sys/", "/tmp/", "/var/cache/", "/var/lib/apt/", "/var/lib/dpkg/", "/var/log/",
            "/etc/group-/", "/etc/gshadow-/")
APT = ("apt-get", "-q", "-y", "--no-install-recommends")


def why_not():
    """Returns why there is none; None if there is."""
    if os.getuid() != 0:
        return "only root can change the root folder"
    if not os.path.exists(os.path.join(BARE, "made")):
        return "no bare Debian: %s" % last_line(BARE + ".log", "tests/packages/install.sh wasn't run")
    if shutil.which("unshare") is None or run("unshare", "--mount", "--pid", "--fork", "true").returncode != 0:
        return "no namespaces: unshare doesn't work here"
    return None


class Root:
    """`path`: the folder; short, because sockets in it have short paths only."""

    def __init__(self):
        why = why_not()
        if why:
            raise unittest.SkipTest(why)
        self.folder = tempfile.mkdtemp(prefix="tk", dir="/tmp")
        self.path = os.path.join(self.folder, "r")
        os.chmod(self.folder, 0o755)
        try:
            subprocess.run(["cp", "-a", BARE, self.path], check=True)
            updated = self.run("apt-get", "-q", "update")
            if updated.returncode != 0 or "Failed to fetch" in updated.stdout:
                raise unittest.SkipTest("apt-get update: no network: " + updated.stdout.strip().splitlines()[-1])
        except BaseException:
            self.remove()
            raise

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def inside(self, path):
        """The place of a path of this root."""
        return self.path + path

    def read(self, path):
        with open(self.inside(path), encoding="utf-8") as file:
            return file.read()

    def write(self, path, text, mode=0o644):
        with open(self.inside(path), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.inside(path), mode)

    def chroot(self, *command, user=None):
        """The command that runs another one here, as this user and group (`10:10`)."""
        return ["chroot", *(["--userspec=" + user, "--groups="] if user else []), self.path, *command]

    def environment(self, **more):
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **more}

    def run(self, *command, user=None):
        """Runs a command with /proc mounted; its output is in `stdout`."""
        space = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc=" + self.inside("/proc")]
        return run(*space, *self.chroot(*command, user=user), env=self.environment())

    def must(self, *command):
        done = self.run(*command)
        if done.returncode != 0:
            raise AssertionError("%s: %d\n%s" % (" ".join(command), done.returncode, done.stdout[-4000:]))
        return done.stdout

    def install(self, *packages):
        """Installs packages that are files outside, by apt."""
        names = []
        for package in packages:
            shutil.copy(package, self.inside("/tmp"))
            names.append("/tmp/" + os.path.basename(package))
        return self.must(*APT, "install", "--allow-downgrades", *names)

    def start(self, *command, user=None):
        """Starts a program that its process id belongs to."""
        return subprocess.Popen(self.chroot(*command, user=user), env=self.environment(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def files(self):
        """The paths of all files, links and folders, but for those in VOLATILE."""
        found = set()
        for folder, names, leaves in os.walk(self.path):
            here = folder[len(self.path):]
            found.update(here + "/" + name for name in names + leaves)
        return {path for path in found if not (path + "/").startswith(VOLATILE)}

    def listen(self, path, mode):
        """A listening socket whose address is a path of this root, as a service manager inside would bind it."""
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.chroot(self.path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if os.path.exists(path):
                    os.unlink(path)
                listener = socket.socket(socket.AF_UNIX)
                listener.bind(path)
                os.chmod(path, mode)
                listener.listen(1024)
                socket.send_fds(theirs, [b"."], [listener.fileno()])
                status = 0
            finally:
                os._exit(status)
        theirs.close()
        with ours:
            _, fds, _, _ = socket.recv_fds(ours, 1, 1)
        os.waitpid(pid, 0)
        return socket.socket(fileno=fds[0])


def end(process, seconds=60):
    """Ends a daemon; returns its exit status."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    return process.wait(seconds)
