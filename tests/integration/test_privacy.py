# SPDX-License-Identifier: Apache-2.0
"""The content of a history goes to its owner and to nobody else: not to the log, not to metrics."""
import json

from harness import Closed, Daemon, Test, eventually, frame

SECRET = "ich-weiss-was"


def histories():
    """Requests that hold the secret in every place, well-formed and not."""
    text = {"type": "text", "text": SECRET}
    call = {"type": "server_tool_use", "id": "srvtoolu_" + SECRET, "name": SECRET,
            "input": {SECRET: SECRET}}
    turn = {"role": "assistant", "content": [text, call]}
    for method in ("validate", "repair"):
        yield {"id": SECRET, "method": method, "params": {"messages": [turn]}}
        yield {"id": SECRET, "method": method,
               "params": {"messages": [{"role": SECRET, "content": SECRET}]}}
        yield {"id": SECRET, "method": method, "params": {SECRET: SECRET}}
        yield {"id": SECRET, "method": method, "params": {"messages": SECRET}}
        yield {"id": SECRET, "method": method, "params": {"messages": [turn], "policy": SECRET}}
    yield {"id": SECRET, "method": "repair_turn", "params": {"content": [text, call]}}
    for method, status in (("explain", {}), ("report_miss", {"status": 400})):
        for words in (SECRET, "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: " + SECRET):
            yield {"id": SECRET, "method": method, "params": {"text": words, "provider": "anthropic", **status}}
            yield {"id": SECRET, "method": method, "params": {"text": words, "provider": SECRET, **status}}
    yield {"id": SECRET, "method": "ping", "params": {"caller": SECRET + " and a blank"}}
    yield {"id": SECRET, "method": SECRET}
    yield {"id": {SECRET: SECRET}, "method": "ping"}
    yield SECRET


def streams():
    """The lives of streams that hold it, from the key to the provider's error."""
    call = {"type": "server_tool_use", "id": SECRET, "name": SECRET, "input": {SECRET: SECRET}}
    result = {"type": SECRET + "_tool_result", "tool_use_id": SECRET, "content": SECRET}
    start = {"type": "message_start", "message": {"id": SECRET, "model": SECRET, "content": [call]}}
    ends = [
        {"type": "error", "error": {"type": SECRET, "message": SECRET}},
        {"type": "content_block_start", "index": 1, "content_block": call},
        {"type": "content_block_start", "index": 1, "content_block": result},
        {"type": "content_block_delta", "index": 0, "delta": {"type": SECRET}},
        {"type": SECRET},
        {"type": "message_delta", "delta": {"stop_reason": 7, SECRET: SECRET}},
    ]
    for events in [[start, end] for end in ends]:
        yield {"stream": SECRET, "carry_in": [{"id": SECRET + "_", "name": SECRET}]}, {"events": events}
    yield {"stream": SECRET, "emit": "sse"}, {"data": "event: error\ndata: %s\n\n" % SECRET}
    yield {"stream": SECRET}, {"data": "data: %s\n\n" % SECRET}
    yield {"stream": SECRET, "max_buffer": 5}, {"data": SECRET}
    yield {"stream": SECRET, "emit": SECRET}, {"events": SECRET}
    yield {"stream": SECRET * 30}, {"data_base64": SECRET}


def payloads():
    for document in histories():
        payload = json.dumps(document).encode()
        yield payload
        yield payload[:-1]
        yield payload + SECRET.encode()
    yield SECRET.encode()
    yield b"\x81\xa1" + SECRET.encode()
    yield b'{"%s":1,"%s":2}' % (SECRET.encode(), SECRET.encode())


class Privacy(Test):
    def test_nothing_in_log_metrics_or_messages(self):
        config = {"log_level": "debug", "log_repairs": "all", "max_frame": 2000, "max_inflight_bytes": 1500,
                  "frame_timeout": 0.2, "max_connections": 2}
        with Daemon(config) as d:
            with d.connect() as c:
                for payload in payloads():
                    c.send(payload)
                    answer = c.receive_bytes()
                    if answer.startswith(b"{"):
                        error = json.loads(answer).get("error", {"message": ""})
                        self.assertNotIn(SECRET, error["message"], payload)
                c.send(SECRET.encode() * 300)
                c.receive()
                c.send(SECRET.encode() * 130)
                c.receive()
                with d.connect(), d.connect():
                    pass
                c.send_bytes(frame(SECRET.encode())[:-1])
                with self.assertRaises((Closed, ConnectionError)):
                    c.receive()
            told = json.dumps([d.ask(m) for m in ("stats", "health")])
            self.assertNotIn(SECRET, told)
            self.assertEqual(d.stop(), 0)
            self.assertGreater(len(d.log().splitlines()), 10)
            self.assertNotIn(SECRET, d.log())

    def test_nothing_of_a_stream(self):
        with Daemon({"log_level": "debug", "max_streams_per_connection": 1}) as d:
            with d.connect() as c:
                for opening, feeding in streams():
                    for method, params in (("stream.open", opening), ("stream.open", {"stream": SECRET + "2"}),
                                           ("stream.feed", {"stream": SECRET, **feeding}),
                                           ("stream.end", {"stream": SECRET, "transport_error": SECRET}),
                                           ("stream.end", {"stream": SECRET + "2"})):
                        answer = c.call(method, **params)
                        self.assertNotIn(SECRET, answer.get("message") if "code" in answer else "", params)
                        # Outputs go to their owner, but what they say for people may go elsewhere.
                        error = answer.get("error") or {}
                        self.assertNotIn(SECRET, error.get("text", ""), params)
                self.assertEqual(c.call("stream.open", stream=SECRET)["state"], "open")
            self.assertTrue(eventually(lambda: d.gauge("streams") == 0))
            self.assertNotIn(SECRET, json.dumps([d.ask(m) for m in ("stats", "health")]))
            self.assertEqual(d.stop(), 0)
            self.assertGreater(len(d.log().splitlines()), 5)
            self.assertNotIn(SECRET, d.log())

    def test_the_configuration_is_not_content(self):
        """A key of it is named when it is wrong, its value isn't printed."""
        d = Daemon('{"max_frame": "%s"}' % SECRET, wait=False)
        try:
            self.assertEqual(d.wait(), 2)
            self.assertIn("max_frame", d.log())
            self.assertNotIn(SECRET, d.log())
        finally:
            d.close()
