# SPDX-License-Identifier: Apache-2.0
"""A turnkeeperd of one's own, and a client that knows the wire and nothing else.

    with Daemon({"max_frame": 1000}) as d, d.connect() as c:
        c.send({"id": 1, "method": "ping"})
        c.receive() -> {"jsonrpc": "2.0", "id": 1, "result": {"pong": True}}
"""
import ctypes
import itertools
import json
import os
import resource
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ.get("TURNKEEPERD", "turnkeeperd")
# Sanitizers and valgrind start slowly on a busy machine.
PATIENCE = 30


def eventually(condition, seconds=PATIENCE):
    """Waits until condition() is true and returns what it returned."""
    end = time.monotonic() + seconds
    while True:
        result = condition()
        if result or time.monotonic() > end:
            return result
        time.sleep(0.005)


def frame(payload):
    return struct.pack(">I", len(payload)) + payload


def encode(document):
    return document if isinstance(document, bytes) else json.dumps(document).encode()


def request_of_size(size, **members):
    """A ping whose document has exactly `size` bytes."""
    document = {"id": 1, "method": "ping", "params": {"echo": ""}, **members}
    missing = size - len(encode(document))
    if missing < 0:
        raise ValueError("%d bytes are too few" % size)
    document["params"]["echo"] = "x" * missing
    return encode(document)


class Closed(Exception):
    """The connection ended where an answer was expected."""


class Client:
    """A blocking connection. Frames, or lines where lines=True."""

    def __init__(self, path, lines=False, connected=None):
        self.lines = lines
        self.buffer = b""
        self.socket = connected or socket.socket(socket.AF_UNIX)
        if not connected:
            self.socket.connect(path)  # waits while the backlog is full, as no timeout is set yet
        self.socket.settimeout(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, document):
        payload = encode(document)
        self.send_bytes(payload + b"\n" if self.lines else frame(payload))

    def send_bytes(self, data):
        self.socket.sendall(data)

    def end(self):
        self.socket.shutdown(socket.SHUT_WR)

    def _fill(self, size):
        while len(self.buffer) < size:
            data = self.socket.recv(1 << 16)
            if not data:
                raise Closed("after %d of %d bytes" % (len(self.buffer), size))
            self.buffer += data

    def _take(self, size):
        self._fill(size)
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken

    def receive_bytes(self):
        if not self.lines:
            (size,) = struct.unpack(">I", self._take(4))
            return self._take(size)
        while b"\n" not in self.buffer:
            self._fill(len(self.buffer) + 1)
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line

    def receive(self):
        return json.loads(self.receive_bytes())

    def call(self, method, **params):
        """The result of a request, or its error object."""
        self.send({"id": 1, "method": method, "params": params})
        answer = self.receive()
        return answer.get("result", answer.get("error"))

    def ping(self):
        self.send({"id": "alive", "method": "ping"})
        return self.receive() == {"jsonrpc": "2.0", "id": "alive", "result": {"pong": True}}

    def is_closed(self, seconds=PATIENCE):
        """Waits for the end; true when it came without another byte."""
        self.socket.settimeout(seconds)
        try:
            return self.buffer == b"" and self.socket.recv(1) == b""
        except ConnectionError:
            return True
        except socket.timeout:
            return False
        finally:
            self.socket.settimeout(PATIENCE)


def one_user(inflight):
    """Limits for tests in which one user may hold all that there is."""
    return {"max_inflight_bytes": inflight, "max_inflight_bytes_per_uid": inflight}


def error_name(answer):
    """`error.data.name` of an answer or an error object."""
    return answer.get("error", answer)["data"]["name"]


class Daemon:
    """Runs in a private folder with a short path. config: a dict, or text as it is."""

    numbers = itertools.count()

    def __init__(self, config=None, *options, environment=None, wait=True, wrapper=(),
                 folder=None, own_config=True, spawn=None):
        self.own_folder = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix="tk", dir="/tmp")
        os.chmod(self.folder, 0o755)
        self.socket = os.path.join(self.folder, "s.sock")
        self.control = os.path.join(self.folder, "s.control.sock")
        self.config = os.path.join(self.folder, "turnkeeper.json")
        self.log_path = os.path.join(self.folder, "log%d" % next(Daemon.numbers))
        self.process = None
        if own_config:
            self.configure(config or {})
            options = ("--config", self.config) + options
        environment = {**os.environ, **(environment or {})}
        for name in ("NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "JOURNAL_STREAM"):
            if environment.get(name) == os.environ.get(name):
                environment.pop(name, None)
        command = [*wrapper, *shlex.split(PROGRAM), "--socket", self.socket, *options]
        with open(self.log_path, "ab") as log:
            self.process = (spawn or subprocess.Popen)(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)
        if wait:
            try:
                self.wait_until_ready()
            except Exception:
                self.close()
                raise

    def configure(self, config):
        with open(self.config, "w", encoding="utf-8") as f:
            f.write(config if isinstance(config, str) else json.dumps(config))

    def wait_until_ready(self):
        def ready():
            if self.process.poll() is not None:
                raise RuntimeError("ended with %d: %s" % (self.process.returncode, self.log()))
            return self.logged("ready")
        if not eventually(ready):
            raise RuntimeError("isn't ready: " + self.log())

    @property
    def pid(self):
        return self.process.pid

    @property
    def slowness(self):
        """How many times the work of an ordinary build takes in this one, by and large."""
        return 10 if is_sanitized(self.pid) else 1

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as f:
            return f.read()

    def logged(self, event, **values):
        """Lines of this event that have all these values."""
        wanted = ["event=%s" % event] + ["%s=%s" % item for item in values.items()]
        return [line for line in self.log().splitlines()
                if all(" " + w + " " in " " + line + " " for w in wanted)]

    def connect(self, lines=False):
        return Client(self.socket, lines)

    def ask(self, method, **params):
        """A request on the control socket."""
        with Client(self.control) as c:
            return c.call(method, **params)

    def hits(self, limit):
        return self.ask("stats")["limit_hits"][limit]

    def gauge(self, name):
        return self.ask("stats")["gauges"][name]

    def counter(self, name):
        return self.ask("stats")["counters"][name]

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, seconds=PATIENCE):
        """Its exit code."""
        return self.process.wait(seconds)

    def stop(self):
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.wait()

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind=None, *_):
        try:
            code = self.stop() if self.process.poll() is None else 0
            log = self.log()
            if kind is None and (code != 0 or "Sanitizer" in log or "runtime error" in log):
                raise AssertionError("ended with %d: %s" % (code, log))
            if kind is not None:
                print(log[-4000:])
        finally:
            self.close()


def listen(path, backlog=1024):
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen(backlog)
    return s


class Passing:
    """For Daemon(spawn=...): gives the process these listening sockets, as systemd does."""

    def __init__(self, *sockets):
        self.sockets = sockets

    def __call__(self, command, env, **options):
        fds = [s.fileno() for s in self.sockets]

        def renumber():  # over high numbers, for 3 may be one of ours
            high = [os.dup2(fd, 50 + n) for n, fd in enumerate(fds)]
            for n, fd in enumerate(high):
                os.dup2(fd, 3 + n)

        # The shell's pid becomes the daemon's.
        script = 'export LISTEN_PID=$$ LISTEN_FDS=%d; exec "$@"' % len(fds)
        return subprocess.Popen(["sh", "-c", script, "sh", *command], env=env, close_fds=False,
                                preexec_fn=renumber, **options)


class Test(unittest.TestCase):
    """With a word for answers that are errors."""

    def assertError(self, answer, name, code):
        error = answer.get("error")
        self.assertIsNotNone(error, answer)
        self.assertEqual((error["data"]["name"], error["code"]), (name, code))
        return error["data"]

    def assertPong(self, answer, request_id):
        self.assertEqual(answer.get("id"), request_id, answer)
        self.assertIn("result", answer)
        self.assertTrue(answer["result"]["pong"])


def as_user(uid, work, groups=()):
    """Runs work() in a child with another uid and these groups; its exit code. Only as root."""
    pid = os.fork()
    if pid == 0:
        code = 99
        try:
            os.setgroups(groups)
            os.setgid(uid)
            os.setuid(uid)
            code = work() or 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def crowd_as(uid, path, count):
    """That many Clients that the daemon takes for another user's. Only as root."""
    at_once = 100  # the kernel passes 253 descriptors with a message
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
            for done in range(0, count, at_once):
                clients = [Client(path) for _ in range(min(at_once, count - done))]
                socket.send_fds(theirs, [b"."], [c.socket.fileno() for c in clients])
                for c in clients:
                    c.close()
        finally:
            os._exit(0)
    theirs.close()
    fds = []
    with ours:
        ours.settimeout(PATIENCE)
        while len(fds) < count:
            fds += socket.recv_fds(ours, 1, at_once)[1]
    os.waitpid(pid, 0)
    return [Client(path, connected=socket.socket(fileno=fd)) for fd in fds]


def connect_as(uid, path):
    """A Client that the daemon takes for another user's. Only as root."""
    (client,) = crowd_as(uid, path, 1)
    return client


def allow_descriptors(count):
    """Makes room for that many open files, or skips the test."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count <= hard or hard == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count), hard))
    elif soft < count:
        raise unittest.SkipTest("only %d files may be open" % hard)


class Frozen:
    """Stops single threads of a process, as nothing but a debugger can."""

    SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17
    WALL = 0x40000000

    def __init__(self, pid, thread_name):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.threads = []
        for tid in map(int, os.listdir("/proc/%d/task" % pid)):
            with open("/proc/%d/task/%d/comm" % (pid, tid), encoding="utf-8") as f:
                if f.read().strip() == thread_name:
                    self.threads.append(tid)

    def _ptrace(self, request, tid):
        if self.libc.ptrace(request, tid, None, None) != 0:
            raise unittest.SkipTest("ptrace: " + os.strerror(ctypes.get_errno()))

    def __enter__(self):
        for tid in self.threads:
            self._ptrace(self.SEIZE, tid)
            self._ptrace(self.INTERRUPT, tid)
            os.waitpid(tid, self.WALL)
        return self

    def __exit__(self, *_):
        for tid in self.threads:
            self._ptrace(self.DETACH, tid)


def is_sanitized(pid):
    """True if the daemon is built with a sanitizer, whose memory can't be judged."""
    with open("/proc/%d/maps" % pid, encoding="utf-8") as f:
        if "san.so" in f.read():
            return True
    with open("/proc/%d/exe" % pid, "rb") as f:
        return b"__asan_init" in f.read()


def resident(pid):
    """Bytes of memory that it has now."""
    with open("/proc/%d/statm" % pid, encoding="utf-8") as f:
        return int(f.read().split()[1]) * resource.getpagesize()


def peak_memory_kb(pid):
    with open("/proc/%d/status" % pid, encoding="utf-8") as f:
        for line in f:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def cpu_seconds(pid):
    with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
