# SPDX-License-Identifier: Apache-2.0
"""Start, socket files, drain, reload, and how it all ends."""
import contextlib
import fcntl
import grp
import json
import os
import signal
import socket
import stat
import subprocess
import time
import unittest

from harness import (PATIENCE, Closed, Daemon, Test, as_user, eventually, frame, request_of_size)

TOP = os.environ.get("top_srcdir", ".")


class Drain(Test):
    def test_nothing_to_do(self):
        with Daemon() as d, d.connect() as c:
            self.assertTrue(c.ping())
            self.assertEqual(d.stop(), 0)
            self.assertFalse(d.logged("cut_off"))
            self.assertTrue(c.is_closed())
            self.assertTrue(d.logged("drain", connections=1))
            self.assertTrue(d.logged("drained"))
            self.assertFalse(os.path.exists(d.socket) or os.path.exists(d.control))

    def test_interrupt_is_the_same(self):
        with Daemon() as d:
            d.signal(signal.SIGINT)
            self.assertEqual(d.wait(), 0)

    def test_what_was_read_is_answered_and_later_ones_get_draining(self):
        """A client that doesn't read holds its requests in all places at once."""
        with Daemon() as d, d.connect() as c:
            request = request_of_size(2000)
            c.socket.setblocking(False)
            data = frame(request) * 1000
            sent, end = 0, time.monotonic() + 0.5
            while time.monotonic() < end:
                try:
                    sent += c.socket.send(data[sent:])
                except BlockingIOError:
                    time.sleep(0.01)
            complete = sent // (len(request) + 4)
            self.assertTrue(eventually(lambda: d.counter("stalls") > 0))
            self.assertLess(sent, len(data))
            c.socket.settimeout(PATIENCE)
            d.signal(signal.SIGTERM)
            self.assertTrue(eventually(lambda: d.logged("drain")))
            answers = [c.receive() for _ in range(complete)]
            if sent % (len(request) + 4):
                c.send_bytes(data[sent:(complete + 1) * (len(request) + 4)])
                answers.append(c.receive())
            answered = ["result" in answer for answer in answers]
            self.assertEqual(answered, sorted(answered, reverse=True))
            self.assertGreater(sum(answered), 100)
            self.assertLess(sum(answered), complete)
            why = self.assertError(answers[-1], "draining", -32012)
            self.assertTrue(why["retryable"])
            self.assertTrue(c.is_closed())
            self.assertEqual(d.wait(), 0)

    def test_a_frame_that_is_not_complete_gets_draining(self):
        with Daemon({"workers": 1}) as d, d.connect() as c, d.connect() as idle:
            idle.call("ping")
            data = frame(request_of_size(100_000))
            c.send_bytes(data[:50_000])
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") > 0))
            d.signal(signal.SIGTERM)
            self.assertTrue(idle.is_closed())  # so the worker has heard of the drain, which the log tells earlier
            c.send_bytes(data[50_000:])
            self.assertError(c.receive(), "draining", -32012)
            self.assertTrue(c.is_closed())
            self.assertEqual(d.wait(), 0)

    def test_a_client_that_has_just_come_is_heard(self):
        with Daemon() as d:
            d.signal(signal.SIGSTOP)
            c = d.connect()
            d.signal(signal.SIGTERM)
            d.signal(signal.SIGCONT)
            self.assertTrue(eventually(lambda: d.logged("drain")))
            answer = {"result": None}
            while "result" in answer:  # until its worker has heard of it, too
                c.send({"id": 1, "method": "ping"})
                answer = c.receive()
            self.assertError(answer, "draining", -32012)
            self.assertTrue(c.is_closed())
            c.close()
            self.assertEqual(d.wait(), 0)

    def test_a_client_that_never_speaks_holds_nothing_up(self):
        with Daemon() as d, d.connect() as c:
            self.assertTrue(eventually(lambda: d.gauge("connections") == 1))
            d.signal(signal.SIGTERM)
            self.assertEqual(d.wait(), 0)
            self.assertFalse(d.logged("cut_off"))
            self.assertTrue(c.is_closed())

    def hold(self, d):
        """A connection that can't be drained: its answer isn't read."""
        c = d.connect()
        c.send(request_of_size(2_000_000))
        self.assertTrue(eventually(lambda: d.counter("stalls") > 0))
        d.signal(signal.SIGTERM)
        self.assertTrue(eventually(lambda: d.logged("drain")))
        return c

    def test_control_socket_answers_to_the_end(self):
        with Daemon() as d, self.hold(d) as c:
            self.assertEqual(d.ask("health")["status"], "draining")
            self.assertEqual(d.gauge("draining"), 1)
            with self.assertRaises((FileNotFoundError, ConnectionRefusedError)):
                d.connect()
            self.assertPong(c.receive(), 1)
            self.assertEqual(d.wait(), 0)

    def test_second_signal_ends_at_once(self):
        with Daemon() as d, self.hold(d):
            d.signal(signal.SIGTERM)
            self.assertEqual(d.wait(), 1)
            self.assertTrue(d.logged("cut_off", reason="second_signal", connections=1))
            self.assertFalse(os.path.exists(d.socket) or os.path.exists(d.control))

    def test_drain_timeout(self):
        with Daemon({"drain_timeout": 0.5}) as d, self.hold(d) as c:
            self.assertEqual(d.wait(), 1)
            self.assertTrue(d.logged("cut_off", reason="drain_timeout"))
            with self.assertRaises((Closed, ConnectionError)):
                c.receive()


class Socket(Test):
    def test_mode_and_group(self):
        with Daemon({"socket_mode": "0606"}) as d:
            for path in (d.socket, d.control):
                self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o606)
        name = grp.getgrgid(os.getgid()).gr_name
        with Daemon({"socket_group": name}) as d:
            self.assertEqual(stat.S_IMODE(os.stat(d.socket).st_mode), 0o660)
            self.assertEqual(os.stat(d.control).st_gid, os.getgid())

    def start(self, folder, *options):
        """Exit code and log of a daemon that should not start."""
        d = Daemon(None, *options, folder=folder, wait=False)
        code = d.wait()
        return code, d.log()

    def test_a_stale_file_is_replaced(self):
        with Daemon() as d:
            d.process.kill()
            d.wait()
            self.assertTrue(os.path.exists(d.socket))
            with Daemon(folder=d.folder) as second, second.connect() as c:
                self.assertTrue(c.ping())

    def test_a_living_server_is_not(self):
        with Daemon() as d:
            code, log = self.start(d.folder)
            self.assertEqual(code, 1)
            self.assertIn("pid=%d uid=%d" % (d.pid, os.getuid()), log)
            self.assertIn('path="%s"' % d.control, log)
            code, log = self.start(d.folder, "--control", d.folder + "/other")
            self.assertEqual(code, 1)
            self.assertIn('path="%s"' % d.socket, log)
            self.assertFalse(os.path.exists(d.folder + "/other"))
            with d.connect() as c:
                self.assertTrue(c.ping())

    def test_a_living_server_with_a_full_backlog_is_not(self):
        with Daemon() as d:
            path = os.path.join(d.folder, "busy.sock")
            with socket.socket(socket.AF_UNIX) as s, socket.socket(socket.AF_UNIX) as first:
                s.bind(path)
                s.listen(0)
                first.connect(path)
                code, log = self.start(d.folder, "--control", path)
                self.assertEqual(code, 1)
                self.assertIn(path, log)

    def test_another_file_is_left_alone(self):
        with Daemon() as d:
            path = os.path.join(d.folder, "precious")
            with open(path, "w", encoding="utf-8") as f:
                f.write("data")
            code, log = self.start(d.folder, "--control", path)
            self.assertEqual(code, 1)
            self.assertIn("not a socket", log)
            with open(path, encoding="utf-8") as f:
                self.assertEqual(f.read(), "data")

    def test_a_foreign_lock_on_the_folder_only_delays(self):
        with Daemon() as d:
            d.stop()
            folder = os.open(d.folder, os.O_RDONLY)
            fcntl.flock(folder, fcntl.LOCK_EX)
            with Daemon(folder=d.folder) as second, second.connect() as c:
                self.assertTrue(c.ping())
            os.close(folder)

    def test_no_such_folder(self):
        with Daemon() as d:
            code, log = self.start(d.folder, "--control", d.folder + "/no/such.sock")
            self.assertEqual(code, 1)
            self.assertIn("can't be bound", log)

    def test_the_file_of_a_successor_is_not_removed(self):
        with Daemon() as d:
            os.unlink(d.socket)
            with socket.socket(socket.AF_UNIX) as s:
                s.bind(d.socket)
                self.assertEqual(d.stop(), 0)
                self.assertTrue(os.path.exists(d.socket))


class Reload(Test):
    def reload(self, d, event="reload"):
        before = len(d.logged(event))
        d.signal(signal.SIGHUP)
        self.assertTrue(eventually(lambda: len(d.logged(event)) > before), d.log())

    def test_limits_change_for_living_connections(self):
        with Daemon({"max_frame": 1000}) as d, d.connect() as c:
            c.send(request_of_size(2000))
            self.assertError(c.receive(), "frame_too_large", -32010)
            d.configure({"max_frame": 3000, "max_depth": 3})
            self.reload(d)
            answers = []  # a worker hears of it a moment later

            def taken():
                c.send(request_of_size(2000))
                answers.append(c.receive())
                return "result" in answers[-1]
            self.assertTrue(eventually(taken), answers)
            self.assertPong(answers[-1], 1)
            c.send(b'{"id":1,"method":"ping","params":{"echo":[[1]]}}')
            self.assertError(c.receive(), "too_deep", -32700)
            limits = c.call("info")["limits"]
            self.assertEqual((limits["max_frame"], limits["max_depth"]), (3000, 3))
            self.assertEqual(d.ask("info")["limits"], limits)
            self.assertEqual(d.counter("reloads"), 1)
            self.assertEqual(d.hits("max_frame"), len(answers))

    def test_timeouts_change_for_living_connections(self):
        with Daemon() as d, d.connect() as c:
            self.assertTrue(c.ping())
            d.configure({"idle_timeout": 0.2})
            self.reload(d)
            self.assertTrue(c.is_closed())

    def test_connections_and_backlog(self):
        with Daemon({"max_connections": 2}) as d, d.connect() as a, d.connect() as b:
            self.assertTrue(a.ping() and b.ping())
            d.configure({"max_connections": 1, "backlog": 5})
            self.reload(d)
            self.assertTrue(a.ping() and b.ping())
            with d.connect() as c:
                self.assertError(c.receive(), "busy", -32011)
            d.configure({})
            self.reload(d)
            with d.connect() as c:
                self.assertTrue(c.ping())

    def test_allow_lists(self):
        with Daemon({"allow_uids": [os.getuid()]}) as d, d.connect() as c:
            self.assertTrue(c.ping())
            d.configure({"allow_uids": [os.getuid() + 1]})
            self.reload(d)
            self.assertTrue(c.is_closed())
            with d.connect() as other:
                self.assertTrue(other.is_closed())
            self.assertTrue(eventually(lambda: d.logged("not_allowed", uid=os.getuid())))
            self.assertTrue(d.ask("ping")["pong"])
            d.configure({"allow_uids": [], "allow_gids": [os.getgid()]})
            self.reload(d)
            with d.connect() as other:
                self.assertTrue(other.ping())

    @unittest.skipIf(os.getuid() != 0, "needs root")
    def test_supplementary_groups_count(self):
        with Daemon({"allow_gids": [65531], "socket_mode": "0666"}) as d:
            def is_let_in():
                with d.connect() as c:
                    try:
                        return 0 if c.ping() else 1
                    except (Closed, ConnectionError):
                        return 2
            self.assertEqual(as_user(65533, is_let_in, [65532, 65531]), 0)
            self.assertEqual(as_user(65533, is_let_in, [65532]), 2)

    def test_log_level(self):
        with Daemon() as d, d.connect() as c:
            self.assertTrue(c.ping())
            self.assertFalse(d.logged("state"))
            d.configure({"log_level": "debug"})
            self.reload(d)
            self.assertTrue(c.ping())
            with d.connect() as other:
                self.assertTrue(other.ping())
            self.assertTrue(eventually(lambda: d.logged("state")))

    def test_a_bad_file_changes_nothing(self):
        with Daemon({"max_frame": 1000}) as d, d.connect() as c:
            for text in ('{"max_frame": 2000, "nonsense": 1}', '{"max_frame": 0}', '{"max_frame"',
                         ""):
                d.configure(text)
                self.reload(d, "reload_failed")
            os.unlink(d.config)
            self.reload(d, "reload_failed")
            self.assertEqual(c.call("info")["limits"]["max_frame"], 1000)
            self.assertEqual((d.counter("reload_failures"), d.counter("reloads")), (5, 0))

    def test_what_is_not_a_file_changes_nothing(self):
        """Reading it could wait forever. The control socket goes on answering, and a file works afterwards."""
        with Daemon({"max_frame": 1000}) as d, d.connect() as c:
            for make in NOT_REGULAR:
                os.unlink(d.config)
                with make(d.config):
                    self.reload(d, "reload_failed")
                    self.assertIn("%s: isn't a regular file" % d.config, d.logged("reload_failed")[-1])
                    self.assertIn("pong", d.ask("ping"))
                    (os.rmdir if os.path.isdir(d.config) else os.unlink)(d.config)
                d.configure({"max_frame": 2000})
                self.reload(d)
            elsewhere = d.config + ".real"
            os.rename(d.config, elsewhere)
            os.symlink(elsewhere, d.config)  # a link to a file is fine
            self.reload(d)
            self.assertEqual(c.call("info")["limits"]["max_frame"], 2000)

    def test_what_needs_a_restart_is_named(self):
        with Daemon({"workers": 1}) as d:
            d.configure({"workers": 2, "socket_mode": "0600", "max_frame": 2000})
            self.reload(d)
            lines = d.logged("restart_needed")
            self.assertEqual(len(lines), 1)
            self.assertIn('keys="socket_mode workers"', lines[0])
            self.assertEqual(d.gauge("workers"), 1)
            self.assertEqual(d.ask("info")["limits"]["max_frame"], 2000)

    def test_the_command_line_still_wins(self):
        with Daemon({}, "--log-level", "notice") as d:
            d.configure({"log_level": "debug", "socket": "/nowhere/else.sock"})
            d.signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: d.counter("reloads") == 1))
            with d.connect() as c:
                self.assertTrue(c.ping())
            self.assertFalse(d.logged("state"))

    def test_a_storm_of_them_under_load(self):
        with Daemon() as d, d.connect() as c:
            for n in range(100):
                d.configure({"max_frame": 100_000 + n})
                d.signal(signal.SIGHUP)
                c.send(request_of_size(50_000, id=n))
                self.assertPong(c.receive(), n)


def unix_socket(path):
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    return s


def not_regular(make):
    return lambda path: contextlib.nullcontext(make(path))


# Things at a path that are no regular files. Each is made there, and lasts as long as the context.
NOT_REGULAR = (not_regular(os.mkfifo), not_regular(os.mkdir), unix_socket,
               not_regular(lambda path: os.symlink("/dev/zero", path)), not_regular(lambda path: os.symlink("/dev/null", path)))


class CommandLine(Test):
    def run_daemon(self, *arguments, config=None):
        with Daemon() as d:
            if config is not None:
                d.configure(config)
                arguments += ("--config", d.config)
            program = d.process.args[0]
            result = subprocess.run([program, *arguments], capture_output=True, text=True,
                                    timeout=PATIENCE, check=False)
            return result.returncode, result.stdout, result.stderr, d

    def test_version_and_help(self):
        code, out, err, _ = self.run_daemon("--version")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"^turnkeeperd \d+\.\d+\.\d+(~dev)?\n$")
        code, out, err, _ = self.run_daemon("--help")
        self.assertEqual((code, err), (0, ""))
        for word in ("--socket PATH", "--check-config", "max_inflight_bytes", "allow_uids"):
            self.assertIn(word, out)

    def test_usage_errors(self):
        for arguments in (["--nonsense"], ["stray"], ["--workers"], ["--workers", "0"],
                          ["--workers", "x"], ["--workers", "2x"], ["--log-level", "loud"],
                          ["--socket", "relative.sock"], ["--socket", "/" + "x" * 120],
                          ["--config", "/no/such/file"],
                          ["--socket", "/tmp/a", "--control", "/tmp/a"]):
            with self.subTest(arguments=arguments):
                code, out, err, _ = self.run_daemon(*arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertNotEqual(err, "")

    def test_check_config(self):
        code, out, err, _ = self.run_daemon("--check-config", config={"max_frame": 5})
        self.assertEqual((code, out, err), (0, "", ""))
        code, out, err, d = self.run_daemon("--check-config", config='{\n  "max_frame": 0}')
        self.assertEqual(code, 2)
        self.assertIn(d.config + ":2:3: max_frame: ", err)

    def test_the_example_of_a_configuration(self):
        """It is accepted, changes no default, and turnkeeperd(8) describes its keys."""
        with open(os.path.join(TOP, "examples", "turnkeeper.json"), encoding="utf-8") as f:
            example = f.read()
        self.assertEqual(self.run_daemon("--check-config", config=example)[:3], (0, "", ""))
        with Daemon() as daemon:
            limits = daemon.ask("info")["limits"]
        with open(os.path.join(TOP, "man", "turnkeeperd.8"), encoding="utf-8") as f:
            page = f.read()
        for key, value in json.loads(example).items():
            self.assertRegex(page, r"(?m)^\.It Sy ([a-z_]+ , )*%s\b" % key)
            if key != "log_level":
                self.assertEqual(limits[key], value, key)

    def test_what_is_not_a_file_refuses_the_start(self):
        with Daemon() as d:
            path = os.path.join(d.folder, "config")
            for make in NOT_REGULAR:
                with make(path):
                    for check in ([], ["--check-config"]):
                        result = subprocess.run([d.process.args[0], "--socket", d.folder + "/other.sock", "--config", path, *check],
                                                capture_output=True, text=True, timeout=PATIENCE, check=False)
                        self.assertEqual((result.returncode, result.stdout), (2, ""))
                        self.assertIn("%s: isn't a regular file" % path, result.stderr)
                    (os.rmdir if os.path.isdir(path) else os.unlink)(path)

    def test_a_bad_configuration_refuses_the_start(self):
        code, _, err, d = self.run_daemon(config='{"workers": 1,\n "max_frames": 5}')
        self.assertEqual(code, 2)
        self.assertIn(d.config + ":2:2: max_frames: unknown key", err)

