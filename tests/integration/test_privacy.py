# SPDX-License-Identifier: Apache-2.0
"""What a history says goes to its owner and to nobody else: not to the log, not to metrics."""
import json

from harness import Closed, Daemon, Test, frame

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
    yield {"id": SECRET, "method": SECRET}
    yield {"id": {SECRET: SECRET}, "method": "ping"}
    yield SECRET


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
        config = {"log_level": "debug", "max_frame": 2000, "max_inflight_bytes": 1500,
                  "frame_timeout": 0.2, "max_connections": 2}
        with Daemon(config) as d:
            with d.connect() as c:
                for payload in payloads():
                    c.send(payload)
                    answer = c.receive_bytes()
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

    def test_the_configuration_is_not_content(self):
        """A key of it is named when it is wrong, its value isn't printed."""
        d = Daemon('{"max_frame": "%s"}' % SECRET, wait=False)
        try:
            self.assertEqual(d.wait(), 2)
            self.assertIn("max_frame", d.log())
            self.assertNotIn(SECRET, d.log())
        finally:
            d.close()
