# SPDX-License-Identifier: Apache-2.0
"""HTTP for monitoring: every page, every limit, and clients that mean no good (doc/DAEMON.md 5)."""
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

import prometheus
from harness import PATIENCE, Daemon, Passing, Test, eventually, listen
from monitored import Monitored

TURNKEEPER = os.environ.get("TURNKEEPER", "turnkeeper")
QUICK = 0.002  # seconds in which forty clients can't take sixteen places
OPENMETRICS = "application/openmetrics-text"
BROKEN = [{"role": "user", "content": "Hello."},
          {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {}}]},
          {"role": "user", "content": "Go on."}]


def samples(text):
    """Name with labels -> value."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


class Pages(Test):
    def test_each_page(self):
        with Monitored() as d:
            for path, start in (("/livez", "ok\n"), ("/readyz", "ok\n"),
                                ("/metrics", "# HELP turnkeeper_"), ("/info", "{"), ("/stats", "{")):
                status, headers, text = d.request(path)
                self.assertEqual((status, headers["Cache-Control"]), (200, "no-store"), path)
                self.assertTrue(text.startswith(start), path)
                status, headers, text = d.request(path, "HEAD")
                self.assertEqual((status, text), (200, ""), path)
            self.assertEqual(set(json.loads(d.request("/stats")[2])), set(d.ask("stats")))
            self.assertEqual(json.loads(d.request("/info")[2]), d.ask("info"))

    def test_other_paths_and_methods(self):
        with Monitored() as d:
            for path in ("/", "/metricsx", "/livez/", "//livez", "/%00", "/..;/stats"):
                self.assertEqual(d.request(path)[0], 404, path)
            for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"):
                status, headers, _ = d.request("/livez", method)
                self.assertEqual((status, headers["Allow"]), (405, "GET, HEAD"), method)

    def test_not_ready(self):
        with Monitored({"max_connections": 1}) as d, d.connect() as c:
            self.assertTrue(c.ping())
            self.assertEqual(d.request("/readyz")[0::2], (503, "connections\n"))
            self.assertEqual(d.request("/livez")[0], 200)
            c.send_bytes(b"\0")  # half a frame: the drain waits for it
            d.signal(signal.SIGTERM)
            self.assertTrue(eventually(lambda: "draining" in d.request("/readyz")[2]))
            c.close()
            self.assertEqual(d.wait(), 0)

    def test_off_unless_asked_for(self):
        with Daemon() as d:
            self.assertNotIn("event=http", d.log())


class Metrics(Test):
    def test_they_count_what_stats_counts(self):
        with Monitored() as d, d.connect() as c:
            c.call("validate", messages=BROKEN)
            c.call("repair", messages=BROKEN)
            c.call("repair", messages=BROKEN[:1])
            c.call("repair", nonsense=1)
            c.call("nonsense")
            s = samples(d.request("/metrics")[2])
            self.assertEqual(s['turnkeeper_requests_total{method="repair",error=""}'], 2)
            self.assertEqual(s['turnkeeper_requests_total{method="repair",error="invalid_params"}'], 1)
            self.assertEqual(s['turnkeeper_requests_total{method="none",error="method_not_found"}'], 1)
            self.assertEqual(s['turnkeeper_histories_total{outcome="unsafe"}'], 1)
            self.assertEqual(s['turnkeeper_histories_total{outcome="repaired"}'], 1)
            self.assertEqual(s['turnkeeper_histories_total{outcome="clean"}'], 1)
            self.assertEqual(s['turnkeeper_request_duration_seconds_count{method="repair"}'], 3)
            self.assertEqual(s['turnkeeper_request_duration_seconds_bucket{method="repair",le="+Inf"}'], 3)
            self.assertEqual(s['turnkeeper_connections{socket="main"}'], 1)
            self.assertEqual(s['turnkeeper_limit_seconds{limit="request_timeout"}'], 5)
            self.assertEqual(s['turnkeeper_limit_bytes{limit="max_frame"}'], 64 << 20)
            stats = d.ask("stats")
            self.assertEqual(stats["histories"], {"clean": 1, "repaired": 1, "unsafe": 1})
            for code, n in stats["violations"].items():
                self.assertEqual(s['turnkeeper_findings_total{code="%s"}' % code], n)
            for action, n in stats["edits"].items():
                self.assertEqual(s['turnkeeper_edits_total{action="%s"}' % action], n)
            self.assertTrue(stats["violations"] and stats["edits"])

    def test_errors_of_the_daemon_are_there_from_the_start(self):
        """With 0: an alert sees only what increases."""
        with Monitored() as d:
            s = samples(d.request("/metrics")[2])
            for method in ("validate", "repair", "ping", "none"):
                for error in ("busy", "deadline_exceeded", "internal"):
                    self.assertEqual(s['turnkeeper_requests_total{method="%s",error="%s"}' % (method, error)], 0)

    def test_misses(self):
        words = "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."
        name = 'turnkeeper_misses_total{code="%s"}'
        with Monitored() as d, d.connect() as c:
            before = samples(d.request("/metrics")[2])
            self.assertEqual({n for key, n in before.items() if "misses_total" in key}, {0})
            self.assertEqual(d.ask("stats")["misses"], {})
            c.call("report_miss", status=400, text=words, provider="anthropic")
            c.call("report_miss", status=400, text=words, provider="anthropic")
            c.call("report_miss", status=529, text="Overloaded", provider="anthropic")
            c.call("report_miss", status=400, text="Secr3t", provider="gemini")
            c.call("report_miss", status=200, text=words, provider="anthropic")
            c.call("explain", text=words)
            self.assertEqual(d.ask("stats")["misses"], {"tool_use_without_result": 2, "none": 2})
            after = samples(d.request("/metrics")[2])
            self.assertEqual((after[name % "tool_use_without_result"], after[name % "none"]), (2, 2))
            self.assertEqual({key for key in after if "misses" in key}, {key for key in before if "misses" in key})

    def test_no_label_comes_from_a_history(self):
        with Monitored() as d, d.connect() as c:
            before = set(samples(d.request("/metrics")[2]))
            c.call("repair", messages=json.loads(json.dumps(BROKEN).replace('"f"', '"Secr3t"')))
            text = d.request("/metrics")[2]
            self.assertNotIn("Secr3t", text)
            self.assertEqual(set(samples(text)), before)

    def test_formats(self):
        with Monitored() as d:
            for accept, expected in (
                    (None, "text/plain; version=0.0.4"), ("*/*", "text/plain; version=0.0.4"),
                    (OPENMETRICS + ";q=0, text/plain", "text/plain; version=0.0.4"),
                    (OPENMETRICS + "; version=1.0.0;q=0.75, text/plain;q=0.5", OPENMETRICS)):
                _, headers, text = d.request("/metrics", **({"Accept": accept} if accept else {}))
                self.assertTrue(headers["Content-Type"].startswith(expected), accept)
                self.assertEqual(text.endswith("# EOF\n"), expected == OPENMETRICS, accept)

    def test_the_same_without_http(self):
        with Monitored() as d:
            for option, accept in (("prometheus", "text/plain"), ("openmetrics", OPENMETRICS)):
                printed = subprocess.run(
                    [TURNKEEPER, "stats", "--format", option, "--socket", d.socket],
                    capture_output=True, text=True, check=True).stdout
                served = d.request("/metrics", Accept=accept)[2]
                self.assertEqual(set(samples(printed)), set(samples(served)))
                comments = [[line for line in text.splitlines() if line.startswith("#")]
                            for text in (printed, served)]
                self.assertEqual(*comments)
            self.assertEqual(subprocess.run([TURNKEEPER, "stats", "--format", "x"],
                                            capture_output=True).returncode, 2)

    def test_promtool_finds_nothing_to_say(self):
        if not shutil.which("promtool"):
            self.skipTest("promtool (Debian's package prometheus) isn't installed")
        with Monitored() as d, d.connect() as c:
            c.call("repair", messages=BROKEN)
            checked = subprocess.run(["promtool", "check", "metrics"], text=True,
                                     input=d.request("/metrics")[2], capture_output=True)
            self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))

    def test_a_real_prometheus(self):
        if not prometheus.PROGRAM:
            self.skipTest("prometheus isn't installed")
        with Monitored() as d, prometheus.Prometheus(d.port, 1) as server:
            self.assertTrue(eventually(lambda: server.value("sum_over_time(up[5m])") >= 5, 120))
            self.assertEqual(server.value("min_over_time(up[5m])"), 1)
            self.assertGreater(server.value("scrape_samples_scraped"), 300)
            self.assertEqual(server.value("turnkeeper_build_info"), 1)


class Limits(Test):
    def open(self, d, sent):
        s = socket.create_connection(("127.0.0.1", d.port), PATIENCE)
        s.sendall(sent)
        return s

    def test_connections(self):
        """Sixteen stay. One more closes the one that has waited longest for the end of its head."""
        whole, half = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /livez HTTP/1.1\r\n"
        with Monitored() as d, d.connect() as c:
            held = []
            for _ in range(15):
                held.append(self.open(d, whole))
                self.assertIn(b" 200 ", held[-1].recv(1 << 16))
            held.append(self.open(d, half))
            # The first one isn't the oldest any more: what counts is when it began to wait.
            held[0].sendall(whole)
            self.assertIn(b" 200 ", held[0].recv(1 << 16))
            self.assertEqual(self.ended(held), [])
            for expected in ([1], [1, 2], [1, 2, 3]):
                held.append(self.open(d, whole))
                self.assertIn(b" 200 ", held[-1].recv(1 << 16))
                self.assertEqual(self.ended(held), expected)
            self.assertTrue(c.ping())
            held[15].sendall(b"Host: localhost\r\n\r\n")  # a head that is ended in time
            self.assertIn(b" 200 ", held[15].recv(1 << 16))
            for s in held:
                s.close()
            self.assertEqual(d.request("/livez")[0], 200)

    def ended(self, sockets):
        """Numbers of those that the daemon has closed."""
        return [n for n, s in enumerate(sockets) if select.select([s], [], [], 0.02)[0]]

    def test_slow_clients_do_not_keep_out_quick_ones(self):
        """Forty that send a line now and then, and come again when they are closed."""
        with Monitored() as d, d.connect() as c:
            stop = threading.Event()
            crowd = threading.Thread(target=self.slow_crowd, args=(d, stop))
            crowd.start()
            try:
                time.sleep(0.5)
                slowest, answered = 0, 0
                for _ in range(1000):
                    begun = time.monotonic()
                    status, sending = self.ask(d)
                    if status is None and sending > QUICK:
                        continue  # the machine is busy: this client was a slow one itself
                    self.assertEqual(status, b"200")
                    slowest, answered = max(slowest, time.monotonic() - begun), answered + 1
                    if answered == 40:
                        break
                    time.sleep(0.02)
                self.assertEqual(answered, 40)
                self.assertTrue(c.ping())
            finally:
                stop.set()
                crowd.join()
            self.assertLess(slowest, 1)

    def ask(self, d):
        """Returns the status, None if the connection was closed, and the seconds from connecting to having sent."""
        begun = time.monotonic()
        with socket.create_connection(("127.0.0.1", d.port), timeout=PATIENCE) as s:
            try:
                s.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                sending = time.monotonic() - begun
                return (s.recv(4096).split(b" ") + [b"", None])[1] or None, sending
            except OSError:
                return None, time.monotonic() - begun

    def slow_crowd(self, d, stop):
        crowd = [self.open(d, b"GET /livez HTTP/1.1\r\n") for _ in range(40)]
        while not stop.wait(0.05):
            for n, s in enumerate(crowd):
                try:
                    s.sendall(b"X: y\r\n")
                    s.setblocking(False)
                    if s.recv(1):
                        continue
                except BlockingIOError:
                    continue
                except OSError:
                    pass
                s.close()
                crowd[n] = self.open(d, b"GET /livez HTTP/1.1\r\n")
        for s in crowd:
            s.close()

    def test_clients_that_do_not_read(self):
        """Sixteen whose answers wait for them don't keep out others either."""
        with Monitored() as d:
            deaf = []
            for _ in range(16):
                s = socket.socket()
                s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                s.connect(("127.0.0.1", d.port))
                s.sendall(b"GET /metrics HTTP/1.1\r\n\r\n" * 99)
                deaf.append(s)
            begun = time.monotonic()
            self.assertEqual(d.request("/livez")[0], 200)
            self.assertLess(time.monotonic() - begun, 2)
            for s in deaf:
                s.close()

    def test_backlog(self):
        """128 wait while the daemon doesn't accept (the kernel takes one more), and no more."""
        with Monitored() as d:
            port = d.port
            d.signal(signal.SIGSTOP)
            waiting = []
            try:
                for _ in range(129):
                    waiting.append(socket.create_connection(("127.0.0.1", port), PATIENCE))
                with self.assertRaises(TimeoutError):
                    socket.create_connection(("127.0.0.1", port), 0.5)
            finally:
                d.signal(signal.SIGCONT)
                for s in waiting:
                    s.close()
            self.assertEqual(d.request("/livez")[0], 200)

    def test_a_slow_request_is_cut_off(self):
        with Monitored() as d:
            begun, ended = time.monotonic(), False
            with socket.create_connection(("127.0.0.1", d.port), PATIENCE) as s:
                s.settimeout(0.2)
                while not ended and time.monotonic() < begun + PATIENCE:  # a byte now and then
                    try:
                        s.sendall(b"G")
                        ended = s.recv(1) == b""
                    except TimeoutError:
                        pass
                    except OSError:
                        ended = True
            self.assertTrue(ended)
            self.assertGreater(time.monotonic() - begun, 4)
            self.assertEqual(d.request("/livez")[0], 200)

    def test_heads_and_bodies(self):
        """Heads of 8,192 bytes (ends of lines don't count) and bodies of 8,192 bytes, and one byte more."""
        def head(size):
            start, end = b"GET /livez HTTP/1.1\r\nX: ", b"\r\nConnection: close\r\n\r\n"
            return start + b"a" * (size - len((start + end).replace(b"\r\n", b""))) + end

        def body(size):
            return b"POST /livez HTTP/1.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % size + b"a" * size

        def chunks(*sizes):
            pieces = b"".join(b"%x\r\n%s\r\n" % (n, b"a" * n) for n in sizes)
            return b"POST /livez HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + pieces + b"0\r\n\r\n"

        with Monitored() as d:
            self.assertIn(b" 200 ", d.raw(head(8192)))
            self.assertIn(b" 400 ", d.raw(head(8193)))
            self.assertIn(b" 400 ", d.raw(b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n"))
            self.assertIn(b" 405 ", d.raw(body(8192)))
            self.assertIn(b" 413 ", d.raw(body(8193)))
            self.assertIn(b" 405 ", d.raw(chunks(8192)))
            self.assertIn(b" 413 ", d.raw(chunks(8193)))
            self.assertIn(b" 413 ", d.raw(chunks(8192, 1)))
            self.assertIn(b" 413 ", d.raw(b"POST /livez HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n"))

    def test_a_hundred_requests_of_a_connection(self):
        with Monitored() as d:
            answers = d.raw(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n" * 120)
            self.assertEqual(answers.count(b"HTTP/1.1 200 "), 100)
            self.assertEqual(answers.count(b"Connection: close"), 1)

    def test_garbage(self):
        with Monitored() as d, d.connect() as c:
            for bad in (b"GARBAGE\r\n\r\n", b"\x00\xff\xfe\r\n\r\n", b"\r\n\r\n\r\n\r\nX\r\n\r\n",
                        b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n', b"\x00\x00\x00\x02{}\n\n",
                        b"GET /livez HTTP/9.9\r\n\r\n", b"GET  HTTP/1.1\r\n\r\n",
                        b"GET /livez HTTP/1.1\r\nno colon\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\n"):
                answer = d.raw(bad)
                self.assertNotIn(b"pong", answer)
                self.assertRegex(answer, rb"^(HTTP/1.[01] (400|404|405|505) |$)", bad)
            self.assertTrue(c.ping())
            self.assertEqual(d.request("/livez")[0], 200)
            self.assertEqual(d.ask("stats")["counters"]["requests"], 1)

    def test_many_that_come_and_go(self):
        with Monitored() as d, d.connect() as c:
            self.assertTrue(c.ping())
            before = len(os.listdir("/proc/%d/fd" % d.pid))
            for _ in range(20):
                crowd = []
                for _ in range(50):
                    s = socket.socket()
                    s.setblocking(False)
                    s.connect_ex(("127.0.0.1", d.port))
                    crowd.append(s)
                self.assertTrue(c.ping())
                for s in crowd:
                    s.close()
            self.assertTrue(eventually(lambda: d.request("/livez")[0] == 200))
            self.assertTrue(eventually(
                lambda: len(os.listdir("/proc/%d/fd" % d.pid)) <= before))


class Hosts(Test):
    """A web page whose name is made to mean 127.0.0.1 must not read what only this machine may."""

    LOCAL = (None, "localhost", "LocalHost", "localhost:9464", "127.0.0.1", "127.0.0.1:1", "10.1.2.3:80", "[::1]",
             "[::1]:9464", "[fe80::1]:80", "localhost:")
    OTHER = ("", "x", "example.com", "example.com:9464", "localhost.", "localhost.example.com", "localhostx", "xlocalhost",
             "127.0.0.1.example.com", "127.0.0.1x", "127.1", "2130706433", "0x7f000001", "::1", "[::1", "[::1]x",
             "[::1]:x", "[localhost]", "[127.0.0.1]", "[]", "localhost:80:80", "localhost:x", "localhost,example.com",
             "user@localhost", "a" * 300, "[" + "1" * 300 + "]")

    def status(self, d, host, target="/livez", more=""):
        line = "" if host is None else "Host: %s\r\n" % host
        answer = d.raw(("GET %s HTTP/1.1\r\n%s%sConnection: close\r\n\r\n" % (target, line, more)).encode())
        return int(answer.split()[1]), answer.partition(b"\r\n\r\n")[2]

    def test_loopback(self):
        with Monitored() as d:
            for host in self.LOCAL:
                self.assertEqual(self.status(d, host), (200, b"ok\n"), host)
            for host in self.OTHER:
                for target in ("/livez", "/metrics", "/none"):
                    status, text = self.status(d, host, target)
                    self.assertEqual((status, b"turnkeeper" in text), (421, False), host)
            self.assertEqual(self.status(d, "localhost", more="Host: example.com\r\n")[0], 421)
            self.assertEqual(self.status(d, "localhost", "http://example.com/livez")[0], 421)
            self.assertEqual(self.status(d, None, "http://127.0.0.1/livez")[0], 200)

    def test_public(self):
        with Monitored({"http_public": True}) as d:
            for host in self.LOCAL + self.OTHER:
                self.assertEqual(self.status(d, host)[0], 200, host)

    def test_a_passed_listener(self):
        with tempfile.TemporaryDirectory(prefix="tk", dir="/tmp") as folder:
            main = listen(os.path.join(folder, "s.sock"))
            with main, socket.create_server(("127.0.0.1", 0)) as s:
                with Daemon(folder=folder, spawn=Passing(main, s),
                            environment={"LISTEN_FDNAMES": "turnkeeper.socket:http"}):
                    with socket.create_connection(s.getsockname(), PATIENCE) as c:
                        c.sendall(b"GET /livez HTTP/1.0\r\nHost: example.com\r\n\r\n")
                        self.assertTrue(c.recv(1 << 16).startswith(b"HTTP/1.0 421 Misdirected Request\r\n"))


class Addresses(Test):
    def test_who_may_reach_it(self):
        for address in ("0.0.0.0:0", "192.0.2.1:9464", "[::]:0"):
            with self.subTest(address), Daemon({"http": address}, wait=False) as d:
                self.assertEqual(d.wait(), 2)
                self.assertIn("http_public", d.log())
                self.assertIn(".json: http: %s isn't a loopback address" % address, d.log())
        with Daemon({"http": "0.0.0.0:0", "http_public": True}) as d:
            self.assertIn('address="0.0.0.0:', d.log())

    def test_what_is_no_address(self):
        for address in ("localhost:9464", "127.0.0.1", "9464", "[::1]", "::1:9464", "127.0.0.1:65536",
                        "127.0.0.1:-1", "unix:relative", "", "127.0.0.1:", 9464):
            with self.subTest(address), Daemon({"http": address}, wait=False) as d:
                self.assertEqual(d.wait(), 2)
                self.assertIn("http: must be an address", d.log())
        with Daemon({"http_public": 1}, wait=False) as d:
            self.assertEqual(d.wait(), 2)
            self.assertIn("http_public: must be true or false", d.log())

    def test_an_address_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as s:
            with Daemon({"http": "127.0.0.1:%d" % s.getsockname()[1]}, wait=False) as d:
                self.assertEqual(d.wait(), 1)
                self.assertIn("can't be bound", d.log())

    def test_a_unix_socket(self):
        with tempfile.TemporaryDirectory(prefix="tk", dir="/tmp") as folder:
            path = os.path.join(folder, "http")
            with Daemon({"http": "unix:" + path}) as d:
                with socket.socket(socket.AF_UNIX) as s:
                    s.connect(path)
                    s.sendall(b"GET /livez HTTP/1.0\r\n\r\n")
                    self.assertTrue(s.recv(1 << 16).endswith(b"\r\n\r\nok\n"))
                self.assertEqual(d.stop(), 0)
            self.assertFalse(os.path.exists(path))

    def test_a_passed_listener(self):
        with tempfile.TemporaryDirectory(prefix="tk", dir="/tmp") as folder:
            main = listen(os.path.join(folder, "s.sock"))
            with main, socket.create_server(("127.0.0.1", 0)) as s:
                with Daemon(folder=folder, spawn=Passing(main, s),
                            environment={"LISTEN_FDNAMES": "turnkeeper.socket:http"}):
                    url = "http://127.0.0.1:%d/readyz" % s.getsockname()[1]
                    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
                        self.assertEqual(answer.read(), b"ok\n")

    def test_a_reload_does_not_move_it(self):
        with Monitored() as d:
            d.configure({"http": "127.0.0.1:1"})
            before = d.port
            d.signal(signal.SIGHUP)
            self.assertTrue(eventually(lambda: d.logged("reload")))
            self.assertEqual((d.port, d.request("/livez")[0]), (before, 200))
