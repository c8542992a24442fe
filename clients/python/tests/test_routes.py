# SPDX-License-Identifier: Apache-2.0
"""Whose request it is, by path and host: the cases that the clients share, with a daemon that is played here."""

import contextlib
import json
import os
import unittest

from support import CLIENT, FakeDaemonTest
from test_client import OK
from test_guard import EDITED, SSE, UNSAFE, daemon, each

from turnkeeper import routes

CASES = os.path.join(CLIENT, "..", "shared", "routes_cases.json")


class Seen:
    """A request as far as its destination depends on it."""

    method = "POST"

    def __init__(self, url, headers):
        self.url = url
        self.headers = headers


@unittest.skipUnless(os.path.exists(CASES), "not in the project's tree")
class Routes(FakeDaemonTest):
    @classmethod
    def setUpClass(cls):
        with open(CASES, encoding="utf-8") as file:
            shared = json.load(file)
        cls.cases, cls.bodies = shared["cases"], shared["bodies"]

    def body(self, case):
        return self.bodies[case.get("body") or case["provider"] or "anthropic"].encode()

    def asked(self, script):
        """Returns what the daemon was asked: method, provider and target, with the call of `tools`."""
        return [
            (method, params.get("provider"), params.get("target", {}), params.get("tools", {}).get("call"))
            for method, params in script.seen
            if not method.startswith("stream.")
        ]

    @each
    def test_what_the_daemon_is_asked(self, side):
        for case in self.cases:
            with self.subTest(case["url"]):
                script, body, provider = daemon(OK), self.body(case), case["provider"]
                _, sent = side.ask(script, url=case["url"], content=body)
                self.assertEqual(sent.bodies, [body])
                if provider is None:
                    self.assertEqual(script.seen, [])
                elif provider == "anthropic":
                    call = "count_tokens" if case.get("counts") else None
                    self.assertEqual(self.asked(script), [("prepare", None, case["target"], call)])
                else:
                    self.assertEqual(self.asked(script), [("repair", provider, case["target"], None)])

    @each
    def test_what_is_known_of_the_answer(self, side):
        for case in self.cases:
            url = side.http.URL(case["url"])
            to = routes.destination(Seen(url, {"content-type": "application/json"}))
            if case["provider"] is not None:
                known = (to.counts, to.streams)
                self.assertEqual(known, (case.get("counts", False), case.get("streams", False)), case["url"])

    @each
    def test_other_methods_and_types(self, side):
        url = side.http.URL("https://api.anthropic.com/v1/messages")
        for kind in ("text/plain", "multipart/form-data; boundary=json"):
            self.assertIsNone(routes.destination(Seen(url, {"content-type": kind})))
        seen = Seen(url, {})
        self.assertIsNotNone(routes.destination(seen))
        seen.method = "GET"
        self.assertIsNone(routes.destination(seen))


CONVERSE = "https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-pro-v1%3A0/converse"
GENERATE = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent"
MESSAGES = b'{"messages": [ {"role":"user","content":[{"text":"q"}]},{"n": 1.0} ] }'
CONTENTS = b'{"contents": [ {"role":"user","parts":[{"text":"q"}]},{"n": 1.0} ] }'
APIS = ((CONVERSE, "bedrock", MESSAGES), (GENERATE, "gemini", CONTENTS))


class BedrockAndGemini(FakeDaemonTest):
    @each
    def test_what_is_edited(self, side):
        for url, _, body in APIS:
            _, sent = side.ask(daemon(EDITED), url=url, content=body)
            self.assertEqual(sent.bodies, [body.replace(b',{"n": 1.0} ', b"")])

    @each
    def test_a_refusal_has_the_form_of_the_provider(self, side):
        for url, provider, body in APIS:
            response, sent = side.ask(daemon((-32001, "unsafe_history", UNSAFE)), url=url, content=body)
            self.assertEqual((response.status_code, sent.seen), (400, []))
            said = json.loads(b"".join(response.taken))
            if provider == "bedrock":
                self.assertEqual(response.headers["x-amzn-errortype"], "ValidationException")
                about, message = said["turnkeeper"], said["message"]
            else:
                error = said["error"]
                self.assertEqual((error["code"], error["status"]), (400, "INVALID_ARGUMENT"))
                about, message = error["details"][0]["turnkeeper"], error["message"]
            self.assertTrue(message.startswith("messages.1: no (refused by turnkeeper"), message)
            self.assertEqual((about["name"], about["violations"]), ("unsafe_history", UNSAFE["violations"]))

    @each
    def test_an_older_daemon(self, side):
        """It says that it doesn't know the provider, or that the list of its default one is absent."""
        for url, provider, body in APIS:
            places = ["/params/provider"] + ["/params/request/messages"] * (provider == "gemini")
            for pointer in places:
                unknown = (-32602, "invalid_params", {"pointer": pointer})
                response, sent = side.ask(daemon(unknown), url=url, content=body)
                self.assertEqual((response.status_code, sent.seen), (400, []))
                self.assertIn(b"doesn't judge %s" % provider.encode(), response.taken[0])
                with self.assertLogs("turnkeeper", "WARNING") as logged:
                    _, sent = side.ask(daemon(unknown), url=url, content=body, on_unavailable="open")
                self.assertEqual(sent.bodies, [body])
                self.assertIn("doesn't judge " + provider, logged.output[0])

    @each
    def test_streams_pass_as_they_come(self, side):
        for url, kind in (
            (CONVERSE + "-stream", "application/vnd.amazon.eventstream"),
            (GENERATE.replace("generate", "streamGenerate") + "?alt=sse", "text/event-stream"),
        ):
            script = daemon()
            headers = {"content-type": kind}
            made = side.http.Response(200, headers=headers, content=SSE)
            with contextlib.nullcontext() if "sse" in url else self.assertLogs("turnkeeper", "WARNING"):
                response, _ = side.ask(script, url=url, content=b"{}", answer=lambda request, made=made: made)
            self.assertEqual(b"".join(response.taken), SSE)
            self.assertEqual([method for method, _ in script.seen], ["repair"])


if __name__ == "__main__":
    unittest.main()
