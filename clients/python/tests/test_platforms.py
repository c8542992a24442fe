# SPDX-License-Identifier: Apache-2.0
"""The guards on the paths of Amazon Bedrock and Vertex AI, with a daemon that is played here."""

import json
import unittest

from support import FakeDaemonTest
from test_client import OK
from test_guard import BODY, EDITED, SSE, UNSAFE, Sent, daemon, each

VERSION = b'{"anthropic_version": "v", "messages": [ {"role":"user","content":"q"},{"n": 1.0} ] }'
SHORTER = b'{"anthropic_version": "v", "messages": [ {"role":"user","content":"q"}] }'
MODEL = "anthropic.claude-sonnet-5-5-v1:0"
BEDROCK = "http://bedrock.test/model/"
VERTEX = "http://vertex.test/v1/projects/p/locations/l/publishers/anthropic/models/"
BINARY = "application/vnd.amazon.eventstream"

def wrong(member):
    return (-32602, "invalid_params", {"pointer": "/params/target" + member})


class Paths(FakeDaemonTest):
    @each
    def test_members_of_ones_own_target_hold(self, side):
        for own, want in (
            ({"model": "claude-x"}, {"endpoint": "bedrock", "model": "claude-x"}),
            ({"endpoint": "compatible"}, {"endpoint": "compatible", "model": MODEL}),
        ):
            script = daemon()
            side.ask(script, url=BEDROCK + MODEL + "/invoke", content=VERSION, target=own)
            self.assertEqual(script.seen[0][1]["target"], want)

    @each
    def test_counting_on_vertex(self, side):
        url = VERTEX + "count-tokens:rawPredict"
        script = daemon()
        side.ask(script, url=url, content=VERSION)
        self.assertEqual(script.seen[0][1]["tools"], {"betas": [], "call": "count_tokens"})
        _, sent = side.ask(daemon((-32001, "unsafe_history", UNSAFE)), url=url, content=VERSION)
        self.assertEqual(sent.bodies, [VERSION])


class OlderDaemons(FakeDaemonTest):
    """They know `target.endpoint` alone, or no target."""

    def answers(self, side, script, **options):
        """Posts twice; the methods that were called, with the targets."""
        sent = Sent(side.http)
        transport = side.transport(sent.transport, side.daemon(script), **options)
        responses = [
            side.post(transport, BEDROCK + MODEL + "/invoke", content=VERSION) for _ in range(2)
        ]
        self.statuses = [response.status_code for response in responses]
        return [(method, params.get("target")) for method, params in script.seen]

    @each
    def test_without_the_member(self, side):
        for member, left in (("model", {"endpoint": "bedrock"}), ("endpoint", {"model": MODEL})):

            def answer(params, member=member):
                known = member not in params.get("target", {})
                return OK if known else wrong("/" + member)

            whole = {"endpoint": "bedrock", "model": MODEL}
            asked = self.answers(side, daemon(prepare=answer))
            want = [("prepare", whole), ("repair", whole), ("prepare", left), ("prepare", left)]
            self.assertEqual((asked, self.statuses), (want, [200, 200]))

    @each
    def test_without_a_target(self, side):
        def answer(params):
            return wrong("") if "target" in params else OK

        asked = self.answers(side, daemon(prepare=answer))
        self.assertEqual(asked[2:], [("prepare", None)] * 2)
        asked = self.answers(side, daemon(prepare=None, seal=None, repair=answer))
        self.assertEqual(asked[2:], [("repair", None)] * 2)

    @each
    def test_ones_own_member_is_not_left_out(self, side):
        for member in ("/model", ""):
            script = daemon(wrong(member))
            own = {"endpoint": "bedrock", "model": "claude-x"}
            self.answers(side, script, target=own)
            self.assertEqual(self.statuses, [400, 400])


class Signatures(FakeDaemonTest):
    URL = BEDROCK + MODEL + "/invoke"
    SIGNED = {"authorization": "AWS4-HMAC-SHA256 Credential=x", "content-type": "application/json"}
    BETAS = dict(
        OK,
        changed=True,
        edits=[],
        headers={},
        added_betas=["x"],
        swap=(b"{", b'{"anthropic_beta":["x"],'),
    )

    @each
    def test_signed(self, side):
        _, sent = side.ask(daemon(), url=self.URL, content=VERSION, headers=self.SIGNED)
        self.assertEqual(sent.bodies, [VERSION])
        response, sent = side.ask(daemon(EDITED), url=self.URL, content=VERSION, headers=self.SIGNED)
        self.assertEqual((response.status_code, sent.seen), (400, []))
        self.assertIn(b"authorization binds the body", response.taken[0])

    @each
    def test_a_sound_history_is_not_refused_for_its_betas(self, side):
        _, sent = side.ask(daemon(self.BETAS), url=self.URL, content=VERSION, headers=self.SIGNED)
        self.assertEqual(sent.bodies, [VERSION])

    @each
    def test_a_bearer_token(self, side):
        headers = dict(self.SIGNED, authorization="Bearer x")
        with self.assertLogs("turnkeeper", "INFO"):
            _, sent = side.ask(daemon(EDITED), url=self.URL, content=VERSION, headers=headers)
        self.assertEqual(sent.bodies, [SHORTER])
        _, sent = side.ask(daemon(self.BETAS), url=self.URL, content=VERSION, headers=headers)
        self.assertEqual(json.loads(sent.bodies[0])["anthropic_beta"], ["x"])


class Streams(FakeDaemonTest):
    def events(self, side, kind, data):
        headers = {"content-type": kind}
        return lambda request: side.http.Response(200, headers=headers, content=data)

    @each
    def test_amazons_framing_passes(self, side):
        """With one warning, however many streams pass."""
        for body in (VERSION, VERSION[:-1] + b', "stream": true}'):
            script = daemon()
            sent = Sent(side.http, self.events(side, BINARY, b"\0\0\0\x7f"))
            transport = side.transport(sent.transport, side.daemon(script))
            url = BEDROCK + MODEL + "/invoke-with-response-stream"
            with self.assertLogs("turnkeeper", "WARNING") as logged:
                for _ in range(3):
                    response = side.post(transport, url, content=body)
                    self.assertEqual(b"".join(response.taken), b"\0\0\0\x7f")
                    self.assertEqual(response.headers["content-type"], BINARY)
            (line,) = logged.output
            self.assertIn("pass as they come", line)
            self.assertNotIn("stream.feed", [method for method, _ in script.seen])

    @each
    def test_vertex_is_paired(self, side):
        script = daemon(end=[{"type": "sse", "data": "last"}])
        body = VERSION[:-1] + b', "stream": true}'
        answer = self.events(side, "text/event-stream", SSE)
        url = VERTEX + "claude-sonnet-5-5:streamRawPredict"
        response, _ = side.ask(script, url=url, content=body, answer=answer)
        self.assertEqual(b"".join(response.taken), SSE + b"last")


if __name__ == "__main__":
    unittest.main()
