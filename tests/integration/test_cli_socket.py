#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line program and a daemon: none, one that is made up, a real one.

Run through tests/tap.py, or with unittest; cli.py says what it needs.
"""
import json
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

from cli import (BROKEN, CLEAN, ERRORS, FAILED, HAS_DAEMON, MIX, OK, ORPHAN_CALL, PROGRAM, TIMEOUT, TOP,
                 TWO_FAULTS, UNSAFE, Case, Impostor, body, checks, environment, error, frame, line, result, run,
                 run_on_terminal)

sys.path[:0] = [os.path.join(TOP, "tests")]
from daemon import Daemon  # noqa: E402


class NoDaemon(Case):
    def test_no_daemon(self):
        path = self.file(line(CLEAN))
        missing = self.path("none.sock")
        for args in (("validate", "--socket", missing, path), ("repair", "--socket", missing, path),
                     ("ping", "--socket", missing), ("stats", "--socket", missing), ("info", "--socket", missing),
                     ("call", "--socket", missing, "ping"), ("validate", "--socket", self.folder * 20, path),
                     ("call", "--socket", path, "ping")):
            done = run(*args)
            self.assertStatus(done, FAILED)
            self.assertEqual(done.stdout, b"")
            self.assertIn(b"cannot connect", done.stderr)
        done = run("health", "--socket", missing)
        self.assertStatus(done, 2)
        self.assertRegex(done.stdout.decode(), r"^TURNKEEPER CRITICAL - [^\n]*none\.control\.sock: cannot connect: [^\n]*\n$")

    def test_nothing_is_written_without_a_daemon(self):
        path = self.file(line(ORPHAN_CALL))
        done = run("repair", "-i", "--socket", self.path("none"), path)
        self.assertStatus(done, FAILED)
        self.assertEqual(os.listdir(self.folder), ["chat.json"])

    def test_default_sockets(self):
        env = environment(TURNKEEPER_SOCKET=self.path("a.sock"))
        self.assertIn(b"a.sock: cannot connect", run("validate", "--daemon", self.file(line(CLEAN)), env=env).stderr)
        self.assertIn(b"a.control.sock: cannot connect", run("ping", env=env).stderr)
        self.assertIn(b"b.control.sock: cannot connect", run("ping", "--socket", self.path("b.sock"), env=env).stderr)
        self.assertIn(b"/c.control.sock: cannot connect", run("ping", "--socket", self.path("c"), env=env).stderr)


class MadeUp(Case):
    def ask(self, answer, *args, control=True, status=OK):
        name = "m.control.sock" if control else "m.sock"
        with Impostor(self.path(name), answer) as self.impostor:
            done = run(*args, "--socket", self.path("m.sock"))
        os.unlink(self.path(name))
        self.assertStatus(done, status)
        return done

    def test_health(self):
        up = {"version": "1", "uptime_s": 12.5}
        done = self.ask(result({"status": "ok", **up, "checks": checks(worker_heartbeat=(True, 0.002))}), "health")
        self.assertEqual(done.stdout, b"TURNKEEPER OK - ok, 1 checks, up 12.5 s"
                                      b" | uptime=12.5s worker_heartbeat=0.002s;5.0\n")
        done = self.ask(result({"status": "degraded", **up, "checks": checks(a=(True, 1), b=(False, 1e-07))}),
                        "health", status=1)
        self.assertEqual(done.stdout, b"TURNKEEPER WARNING - degraded, b at 0.000000 of 5.0, 2 checks, up 12.5 s"
                                      b" | uptime=12.5s a=1s;5.0 b=0.000000s;5.0\n")
        done = self.ask(result({"status": "draining", **up, "checks": []}), "health", status=1)
        self.assertTrue(done.stdout.startswith(b"TURNKEEPER WARNING - draining"))
        done = self.ask(result({"status": "ok", **up, "checks": []}), "health", "--json")
        self.assertEqual(json.loads(done.stdout)["status"], "ok")

    def test_health_is_critical(self):
        for answer in (result({"status": "strange"}), result(7), error("internal"), lambda _: None,
                       lambda _: frame(b"garbage"), lambda _: frame(b""), lambda _: b"\0\0\0\x0aabc",
                       lambda _: frame({"jsonrpc": "2.0", "id": 99, "result": {"status": "ok"}}),
                       lambda _: frame({"jsonrpc": "2.0", "id": 1})):
            done = self.ask(answer, "health", "--timeout-ms", 2000, status=2)
            self.assertTrue(done.stdout.startswith(b"TURNKEEPER CRITICAL - "), done.stdout)
            self.assertEqual(done.stdout.count(b"\n"), 1)

    def test_health_in_time(self):
        def slowly(_):
            time.sleep(0.6)
            return b"\0"

        start = time.monotonic()
        done = self.ask(slowly, "health", "--timeout-ms", 300, status=2)
        self.assertIn(b"no answer in time", done.stdout)
        self.assertLess(time.monotonic() - start, 20)

    def test_results_and_errors(self):
        value = {"a": [1.0, "\u00e9", {}], "b": None}
        for command in ("stats", "info", "ping"):
            done = self.ask(result(value), command)
            self.assertEqual(json.loads(done.stdout), value)
            self.assertEqual(self.impostor.requests[0]["method"], command)
            done = self.ask(error("internal"), command, status=ERRORS)
            self.assertEqual(json.loads(done.stderr)["data"]["name"], "internal")
            self.assertEqual(done.stdout, b"")
            self.ask(lambda _: frame(b"[]"), command, status=FAILED)

    def test_call(self):
        params = self.file(b'{"echo": [1.0,\n "\\u00e9"]}', "params.json")
        for args, want in [((), None), (("{}",), {}), (("@" + params,), {"echo": [1.0, "\u00e9"]}), (("[1]",), [1])]:
            self.ask(result("fine"), "call", "some\"method", *args, control=False)
            self.assertEqual(self.impostor.requests[0].get("params"), want)
            self.assertEqual(self.impostor.requests[0]["method"], 'some"method')
        for params, want in [("{}", {"provider": "p\u00e9"}), ('{"a": [1.0], "b": {}}', {"provider": "p\u00e9", "a": [1.0], "b": {}})]:
            self.ask(result("fine"), "call", "--provider", "p\u00e9", "x", params, control=False)
            self.assertEqual(self.impostor.requests[0]["params"], want)
        self.ask(result("fine"), "call", "--provider", "p", "x", control=False)
        self.assertEqual(self.impostor.requests[0]["params"], {"provider": "p"})
        for params, says in [("[]", b"isn't an object"), ('{"provider": "a"}', b"names one already")]:
            done = run("call", "--provider", "p", "x", params)
            self.assertStatus(done, FAILED)
            self.assertIn(says, done.stderr)
        # duplicate keys are the daemon's to judge
        done = self.ask(error("duplicate_key"), "call", "x", '{"a":1,"a":2}', control=False, status=ERRORS)
        self.assertEqual(json.loads(done.stderr)["data"]["name"], "duplicate_key")
        done = run("call", "ping", "@" + self.path("none"))
        self.assertStatus(done, FAILED)
        done = run("call", "ping", "-", stdin=b"{")
        self.assertStatus(done, FAILED)

    def test_a_result_is_shown_as_it_came(self):
        raw = b'{"jsonrpc":"2.0","id":1,"result":{ "n" : 1.0,\n "s":"\\u00e9" }}'
        self.assertEqual(self.ask(lambda _: frame(raw), "stats").stdout, b'{ "n" : 1.0,\n "s":"\\u00e9" }\n')
        self.assertEqual(self.ask(lambda _: frame(raw), "stats", "--json").stdout, b'{"n":1.0,"s":"\\u00e9"}\n')
        with Impostor(self.path("t.control.sock"), lambda _: frame(raw)):
            status, shown, _ = run_on_terminal("stats", "--color=never", "--socket", self.path("t.sock"), stdout=True)
        self.assertEqual((status, shown), (OK, b'{\r\n  "n": 1.0,\r\n  "s": "\\u00e9"\r\n}\r\n'))

    def test_a_request_is_sent_again_once(self):
        answers = [None]

        def hang_up_first(request):
            return answers.pop() if answers else result({"pong": True})(request)

        self.ask(hang_up_first, "ping")
        self.assertEqual(self.impostor.connections, 2)
        self.ask(lambda _: None, "ping", status=FAILED)
        self.assertEqual(self.impostor.connections, 2)
        # not where the answer had begun
        self.ask(lambda _: b"\0\0", "ping", "--timeout-ms", 500, status=FAILED)
        self.assertEqual(self.impostor.connections, 1)

    def test_a_request_that_came_too_late_is_the_next_daemon_s(self):
        refusal = error("draining", code=-32012, retryable=True)
        for call, control in ((("ping",), True), (("call", "ping"), False), (("validate", self.file(line(CLEAN))), False)):
            answers = [refusal]
            valid = result({"valid": True})
            done = self.ask(lambda request: (answers.pop() if answers else valid)(request), *call, control=control)
            self.assertEqual((self.impostor.connections, len(self.impostor.requests)), (2, 2))
            self.assertNotIn(b"draining", done.stderr)
        # once, and the refusal is the answer
        done = self.ask(refusal, "call", "ping", control=False, status=ERRORS)
        self.assertEqual((json.loads(done.stderr)["data"]["name"], self.impostor.connections), ("draining", 2))

        def leave(request):
            os.unlink(self.path("m.sock"))
            self.file(b"", "m.sock")  # where nobody listens
            return refusal(request)

        done = self.ask(leave, "call", "ping", control=False, status=ERRORS)
        self.assertEqual((json.loads(done.stderr)["data"]["name"], self.impostor.connections), ("draining", 1))
        # a history may speak of draining
        self.ask(result({"name": "draining", "retryable": True}), "call", "ping", control=False)
        self.assertEqual(self.impostor.connections, 1)

    def test_documents(self):
        path = self.file(line(CLEAN) * 3)
        done = self.ask(error("frame_too_large", limit=100), "repair", path, control=False, status=FAILED)
        self.assertEqual(done.stdout, line(CLEAN) * 3)
        self.assertEqual(done.stderr.count(b"(limit 100) [frame_too_large]"), 3)
        for name in ("busy", "deadline_exceeded"):
            done = self.ask(error(name), "repair", path, control=False, status=FAILED)
            self.assertEqual(done.stdout, line(CLEAN) * 3)
        done = self.ask(error("draining"), "validate", path, control=False, status=FAILED)
        self.assertEqual(len(self.impostor.requests), 1)
        self.assertIn(b"draining", done.stderr)
        done = self.ask(error("parse_error", code=-32700, offset=70), "validate", self.file(line(CLEAN)),
                        control=False, status=FAILED)
        self.assertRegex(done.stderr.decode(), r"chat\.json:1:\d+: error: ")

    def test_parameters(self):
        self.ask(result({"valid": True}), "validate", self.file(line(CLEAN)), "--policy", "preserve", "--betas", "a,b",
                 "--target", "bedrock:m:1", "--max-violations", 7, "--timeout-ms", 9, "--seals", "[]",
                 "--provenance", "rebuilt", "--dialect", "x", "--provider", "y", control=False)
        self.assertEqual(self.impostor.requests[0], {"jsonrpc": "2.0", "id": 1, "method": "validate", "params": {
            "messages": CLEAN, "policy": "preserve", "betas": "a,b", "target": {"endpoint": "bedrock", "model": "m:1"},
            "max_violations": 7, "timeout_ms": 9, "seals": [], "provenance": "rebuilt", "dialect": "x",
            "provider": "y"}})
        self.ask(result({"changed": False, "safe": True}), "repair", self.file(body(CLEAN)), "--no-guard",
                 "--betas", '["a"]', "--target", '{"endpoint":"vertex"}', control=False)
        self.assertEqual(self.impostor.requests[0]["params"], {
            "request": json.loads(body(CLEAN)), "return": "messages", "guard": False, "betas": ["a"],
            "target": {"endpoint": "vertex"}})

    def repairing(self, meanwhile, *numbers):
        """Runs `repair -i` over a daemon that does something before it answers; returns the process's status.

        A signal may be ignored where tests run in the background; those of `numbers` have their default action."""
        path, started = self.file(line(ORPHAN_CALL)), threading.Event()

        def answer(request):
            started.wait(TIMEOUT)
            meanwhile(path)
            return result({"changed": True, "safe": True, "edits": [], "messages": CLEAN, "violations": []})(request)

        with Impostor(self.path("m.sock"), answer):
            self.process = subprocess.Popen([PROGRAM, "repair", "-i", path, "--socket", self.path("m.sock")],
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                                            preexec_fn=lambda: [signal.signal(n, signal.SIG_DFL) for n in numbers])
            started.set()
            self.errors = self.process.communicate(timeout=TIMEOUT)[1].decode()
        os.unlink(self.path("m.sock"))
        return self.process.returncode

    def test_a_file_that_changes_meanwhile_stays(self):
        def append(path):
            with open(path, "ab") as f:
                f.write(b"more\n")

        self.assertEqual(self.repairing(append), FAILED)
        self.assertIn("changed while it was being repaired", self.errors)
        self.assertEqual(self.content("chat.json"), line(ORPHAN_CALL) + b"more\n")
        self.assertEqual(os.listdir(self.folder), ["chat.json"])

    def test_a_signal_takes_the_temporary_file_along(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            seen = []

            def kill(_, number=number, seen=seen):
                seen.extend(os.listdir(self.folder))
                self.process.send_signal(number)
                self.process.wait(TIMEOUT)

            self.assertEqual(self.repairing(kill, number), -number)
            self.assertEqual(len(seen), 3, "there was a temporary file")
            self.assertEqual(os.listdir(self.folder), ["chat.json"])
            self.assertEqual(self.content("chat.json"), line(ORPHAN_CALL))

    def test_a_second_signal_leaves_nothing(self):
        """Both wait for a process that is stopped, so that the second comes while the first is handled."""
        for pair in ((signal.SIGINT, signal.SIGQUIT), (signal.SIGTERM, signal.SIGHUP), (signal.SIGHUP, signal.SIGHUP)):
            seen = []

            def kill(_, pair=pair, seen=seen):
                self.process.send_signal(signal.SIGSTOP)
                os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOWAIT)
                seen.extend(os.listdir(self.folder))
                for number in pair:
                    self.process.send_signal(number)
                self.process.send_signal(signal.SIGCONT)
                self.process.wait(TIMEOUT)

            self.assertIn(-self.repairing(kill, pair[0], pair[1]), pair)
            self.assertEqual(len(seen), 3, "there was a temporary file")
            self.assertEqual(os.listdir(self.folder), ["chat.json"])


@unittest.skipUnless(HAS_DAEMON, "no turnkeeperd")
class WithDaemon(Case):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.stop)

    def test_same_output_as_the_embedded_core(self):
        inputs = [line(CLEAN), line(ORPHAN_CALL), body(TWO_FAULTS), body(UNSAFE), b"".join(MIX),
                  *(content for content, _ in BROKEN)]
        options = [("validate",), ("validate", "--json", "-v"), ("repair",), ("repair", "--no-guard"),
                   ("validate", "--max-violations", "1"), ("repair", "--policy", "preserve"),
                   ("validate", "--policy", "harsh")]
        for content in inputs:
            path = self.file(content)
            for args in options:
                with self.subTest(args=args, content=content[:40]):
                    embedded, asked = run(*args, path), run(*args, path, "--socket", self.daemon.socket)
                    self.assertEqual((embedded.returncode, embedded.stdout, embedded.stderr),
                                     (asked.returncode, asked.stdout, asked.stderr))

    def test_control(self):
        env = environment(TURNKEEPER_SOCKET=self.daemon.socket)
        done = run("health", env=env)
        self.assertStatus(done, OK)
        self.assertRegex(done.stdout.decode(), r"^TURNKEEPER OK - ok, \d+ checks, up [0-9.]+ s \| "
                                               r"uptime=[0-9.]+s( [a-z_]+=[0-9.]+[sB]?;[0-9.]+)+\n$")
        self.assertEqual(json.loads(run("ping", env=env).stdout), {"pong": True})
        self.assertIn("counters", json.loads(run("stats", env=env).stdout))
        self.assertEqual(json.loads(run("info", env=env).stdout)["protocol"], 1)

    def test_call(self):
        env = environment(TURNKEEPER_SOCKET=self.daemon.socket)
        done = run("call", "ping", '{"echo": [1.0, "\\u00e9"]}', env=env)
        self.assertIn(b'"echo":[1.0, "\\u00e9"]', done.stdout)
        done = run("call", "validate", "-", env=env, stdin=b'{"messages": %s}' % line(ORPHAN_CALL))
        self.assertStatus(done, OK)
        self.assertFalse(json.loads(done.stdout)["valid"])
        for method, params, name in [("mend", "{}", "method_not_found"), ("validate", "{}", "invalid_params"),
                                     ("validate", "7", "invalid_params"),
                                     ("ping", '{"a":1,"a":1}', "duplicate_key")]:
            done = run("call", method, params, env=env)
            self.assertStatus(done, ERRORS)
            self.assertEqual(json.loads(done.stderr)["data"]["name"], name)

    def test_daemon_flag(self):
        env = environment(TURNKEEPER_SOCKET=self.daemon.socket)
        self.assertStatus(run("validate", "--daemon", self.file(line(ORPHAN_CALL)), env=env), ERRORS)

    def test_a_document_too_large_for_the_daemon(self):
        with Daemon(config='{"max_frame": 1000}') as small:
            content = line(CLEAN) + line([{"role": "user", "content": "x" * 2000}]) + line(ORPHAN_CALL)
            done = run("validate", "--socket", small.socket, "-", stdin=content)
        self.assertStatus(done, FAILED)
        self.assertIn(b"stdin:2: error: ", done.stderr)
        self.assertIn(b"(limit 1000) [frame_too_large]", done.stderr)
        self.assertTrue(done.stdout.startswith(b"stdin:3:/messages/1/content/1: "), done.stdout)


if __name__ == "__main__":
    unittest.main()
