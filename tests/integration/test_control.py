# SPDX-License-Identifier: Apache-2.0
"""The control socket, and what health, stats and info tell."""
from harness import Client, Daemon, Test, encode, eventually, frame, one_user, request_of_size

HISTORY = [{"role": "user", "content": "Hello."}]


class Control(Test):
    def test_only_four_methods(self):
        with Daemon() as d:
            for method in ("ping", "health", "stats", "info"):
                self.assertNotIn("code", d.ask(method))
            for method in ("validate", "repair", "repair_turn", "nonsense"):
                self.assertEqual(d.ask(method, messages=HISTORY)["data"]["name"],
                                 "method_not_found")

    def test_lines_and_pipelining(self):
        with Daemon() as d, Client(d.control, lines=True) as c:
            c.send_bytes(b'{"id":1,"method":"ping"}\n{"id":2,"method":"health"}\n')
            self.assertPong(c.receive(), 1)
            self.assertEqual(c.receive()["result"]["status"], "ok")

    def test_its_own_frame_limit(self):
        with Daemon() as d, Client(d.control) as c:
            c.send(request_of_size(1 << 20))
            self.assertPong(c.receive(), 1)
            c.send(request_of_size((1 << 20) + 1))
            self.assertError(c.receive(), "frame_too_large", -32010)
            self.assertTrue(c.ping())

    def test_a_full_main_socket(self):
        with Daemon({"max_connections": 1, **one_user(1000)}) as d, d.connect() as c:
            c.send_bytes(frame(b"{" * 900)[:800])
            self.assertTrue(eventually(lambda: d.gauge("inflight_bytes") == 796))
            health = d.ask("health")
            self.assertEqual(health["status"], "degraded")
            self.assertEqual([x["name"] for x in health["checks"] if not x["ok"]],
                             ["connections"])

    def test_they_are_on_the_main_socket_too(self):
        with Daemon() as d, d.connect() as c:
            for method in ("health", "stats", "info"):
                self.assertNotIn("code", c.call(method))


class Health(Test):
    def test_shape(self):
        with Daemon() as d:
            health = d.ask("health")
            self.assertEqual(set(health), {"status", "version", "uptime_s", "checks"})
            self.assertEqual([c["name"] for c in health["checks"]],
                             ["worker_heartbeat", "connections", "streams", "inflight_bytes"])
            for check in health["checks"]:
                self.assertEqual(set(check), {"name", "ok", "value", "limit", "unit"})
                self.assertTrue(check["ok"])
            self.assertLess(health["uptime_s"], 60)


class Stats(Test):
    def test_requests_are_counted_by_method(self):
        with Daemon() as d, d.connect() as c:
            for _ in range(10):
                c.call("ping")
            c.call("ping", nonsense=1)
            c.call("nonsense")
            c.send(b"{")
            c.receive()
            c.send({"method": "ping"})
            c.call("ping")
            stats = d.ask("stats")
            ping = stats["methods"]["ping"]
            self.assertEqual((ping["requests"], ping["errors"]), (13, {"invalid_params": 1}))
            latency = ping["latency_us"]
            self.assertEqual(latency["count"], 13)
            bounds = [le for le, _ in latency["buckets"]]
            counts = [n for _, n in latency["buckets"]]
            self.assertEqual((bounds, counts), (sorted(bounds), sorted(counts)))
            self.assertEqual(counts[-1], 13)
            counters = stats["counters"]
            self.assertEqual(counters["notifications"], 1)
            self.assertEqual(counters["unreadable_requests"], 2)
            self.assertEqual(counters["unreadable_parse_error"], 1)
            self.assertEqual(counters["unreadable_method_not_found"], 1)
            self.assertEqual(counters["errors"], 3)
            self.assertEqual(set(stats["methods"]), {m["name"] for m in d.ask("info")["methods"]})

    def test_bytes_are_counted(self):
        with Daemon() as d, d.connect() as c:
            before = d.ask("stats")["counters"]
            request = encode({"id": 1, "method": "ping"})
            c.send(request)
            size = len(c.receive_bytes()) + 4
            self.assertTrue(eventually(
                lambda: d.ask("stats")["counters"]["bytes_out"] - before["bytes_out"] > 1000 + size))
            after = d.ask("stats")["counters"]
            self.assertGreater(after["bytes_in"] - before["bytes_in"], len(request))

    def test_every_limit_is_there(self):
        with Daemon() as d:
            limits = d.ask("info")["limits"]
            stats = d.ask("stats")
            self.assertEqual(set(limits), set(stats["limit_hits"]))
            self.assertEqual(stats["limits"], stats["limit_hits"])
            self.assertEqual(limits, {
                "max_frame": 64 << 20, "max_depth": 256, "max_values": 1 << 20,
                "max_connections": 1024, "max_connections_per_uid": 256,
                "max_streams_per_connection": 64, "max_stream_buffer": 64 << 20,
                "max_inflight_bytes": 256 << 20, "max_inflight_bytes_per_uid": 128 << 20,
                "max_answer": 256 << 20,
                "max_memory": 512 << 20,
                "handshake_timeout": 10, "frame_timeout": 30,
                "idle_timeout": 300, "request_timeout": 5, "drain_timeout": 20,
                "backlog": 1024})

    def test_connections_come_and_go(self):
        with Daemon() as d:
            clients = [d.connect() for _ in range(10)]
            for c in clients:
                self.assertTrue(c.ping())
            self.assertEqual(d.gauge("connections"), 10)
            for c in clients:
                c.close()
            self.assertTrue(eventually(lambda: d.gauge("connections") == 0))
            counters = d.ask("stats")["counters"]
            self.assertGreaterEqual(counters["connections_accepted"], 10)
            self.assertGreaterEqual(counters["connections_closed"], 10)

    def test_findings_and_edits_are_counted(self):
        orphan = [{"role": "user", "content": "Weather?"},
                  {"role": "assistant", "content": [
                      {"type": "text", "text": "One moment."},
                      {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search",
                       "input": {"query": "weather"}}]},
                  {"role": "user", "content": "And?"}]
        with Daemon() as d, d.connect() as c:
            code = "provider_executed_call_without_result"
            self.assertEqual(c.call("validate", messages=orphan)["counts"], {code: 1})
            edits = c.call("repair", messages=orphan)["edits"]
            stats = d.ask("stats")
            self.assertGreaterEqual(stats["violations"][code], 1)
            self.assertEqual(sum(stats["edits"].values()), len(edits))
