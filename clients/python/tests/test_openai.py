# SPDX-License-Identifier: Apache-2.0
"""The guards on the paths of OpenAI's APIs and of those who copy them, with a daemon that is played here."""

import gzip
import json
import os
import unittest

from local import needs_library
from support import CLIENT, FakeDaemonTest
from test_client import OK
from test_guard import BODY as MESSAGES
from test_guard import LOCAL, SSE, Sent, daemon, document, each

CHAT = b'{"model": "m", "messages": [ {"role":"user","content":"q"},{"n": 1.0} ] }'
CHAT_LEFT = b'{"model": "m", "messages": [ {"role":"user","content":"q"}] }'
INPUT = b'{"model": "m", "input": [ {"role":"user","content":"q"},{"n": 1.0} ], "store":false}'
INPUT_LEFT = b'{"model": "m", "input": [ {"role":"user","content":"q"}], "store":false}'
ASKED = {"return": "splices"}
HOSTS = os.path.join(CLIENT, "..", "shared", "hosts.json")
OPENAI, AZURE = "https://api.openai.com/v1", "https://name.openai.azure.com/openai"


def removes(pointer):
    edit = {"code": "c", "action": "drop", "pointer": pointer}
    return dict(OK, changed=True, swap=(b',{"n": 1.0} ]', b"]"), edits=[edit])


def unsafe(pointer, **more):
    found = {"code": "c", "pointer": pointer, "provider_error": "No tool call found", "text": "t"}
    return (-32001, "unsafe_history", {"violations": [dict(found, **more)]})


# Provider, a body, what is left of it, and the answer that makes it so.
APIS = {
    "openai-chat": (CHAT, CHAT_LEFT, removes("/messages/1")),
    "openai-responses": (INPUT, INPUT_LEFT, removes("/input/1")),
}

class Paths(FakeDaemonTest):
    @each
    def test_provider_and_target(self, side):
        for path, provider in (("/chat/completions", "openai-chat"), ("/responses", "openai-responses")):
            with self.subTest(provider):
                body, left, edited = APIS[provider]
                script = daemon(repair=edited, prepare=None)
                with self.assertLogs("turnkeeper", "INFO"):
                    _, sent = side.ask(script, url=OPENAI + path, content=body)
                (request,) = sent.seen
                self.assertEqual(request.content, left)
                self.assertEqual(request.headers["content-length"], str(len(left)))
                ((method, params),) = script.seen
                self.assertEqual(method, "repair")
                self.assertEqual(params.pop("request"), json.loads(body))
                self.assertEqual(params, dict(ASKED, provider=provider, target={"endpoint": "openai"}))

    @each
    def test_a_sound_body_leaves_byte_for_byte(self, side):
        for body, url in ((CHAT, "/chat/completions"), (INPUT, "/responses")):
            _, sent = side.ask(daemon(), url=OPENAI + url, content=body)
            self.assertEqual(sent.bodies, [body])
            self.assertNotIn("anthropic-beta", sent.seen[0].headers)

    @each
    def test_a_compressed_body(self, side):
        headers = {"content-type": "application/json", "content-encoding": "gzip"}
        script = daemon(repair=removes("/input/1"))
        packed = gzip.compress(INPUT)
        _, sent = side.ask(script, url=OPENAI + "/responses", content=packed, headers=headers)
        self.assertEqual(gzip.decompress(sent.bodies[0]), INPUT_LEFT)

    @each
    def test_the_whole_body_is_judged(self, side):
        """What the server keeps is named in it; a text as input is for the daemon to pass."""
        for more in (
            {"previous_response_id": "resp_1", "input": []},
            {"conversation": {"id": "conv_1"}, "input": []},
            {"input": "q", "stream": False},
        ):
            script = daemon()
            body = json.dumps(dict(more, model="m")).encode()
            _, sent = side.ask(script, url=OPENAI + "/responses", content=body)
            self.assertEqual(script.seen[0][1]["request"], json.loads(body))
            self.assertEqual(sent.bodies, [body])


class Servers(FakeDaemonTest):
    """With the library: what is deleted for a strict server stays for one that isn't known."""

    @classmethod
    def setUpClass(cls):
        needs_library()

    @each
    def test_a_strict_server(self, side):
        answer = {"role": "assistant", "content": "a", "reasoning_content": "r"}
        history = [{"role": "user", "content": "q"}, answer, {"role": "user", "content": "n"}]
        body = json.dumps({"model": "m", "messages": history}).encode()
        for host, strict in (("api.groq.com", True), ("API.mistral.ai.", True), ("gateway.test", False)):
            sent = Sent(side.http)
            transport = side.transport(sent.transport, LOCAL)
            side.post(transport, "https://%s/v1/chat/completions" % host, content=body)
            self.assertEqual(b"reasoning_content" in sent.bodies[0], not strict, host)


class Options(FakeDaemonTest):
    @each
    def test_policy_and_target(self, side):
        """A member of one's own target holds; what is about signatures isn't sent."""
        policy = {"base": "preserve", "unmatched_result": "report"}
        for own, want in (
            ({"endpoint": "openai"}, {"endpoint": "openai"}),
            ({"model": "gpt-5"}, {"endpoint": "azure", "model": "gpt-5"}),
        ):
            script = daemon()
            options = {"policy": policy, "target": own, "provenance": "rebuilt"}
            side.ask(script, url=AZURE + "/v1/responses", content=INPUT, **options)
            ((_, params),) = script.seen
            del params["request"]
            want = dict(ASKED, provider="openai-responses", policy=policy, target=want)
            self.assertEqual(params, want)

    @unittest.skipUnless(os.path.exists(HOSTS), "not in the project's tree")
    @each
    def test_the_host_names_the_server(self, side):
        """The table that the clients share."""
        with open(HOSTS, encoding="utf-8") as file:
            cases = json.load(file)["cases"]
        for case in cases:
            want = {name: case[name] for name in ("endpoint", "server") if name in case}
            for path, body in (("/v1/chat/completions", CHAT), ("/responses", INPUT)):
                script = daemon()
                side.ask(script, url="https://" + case["host"] + path, content=body)
                ((_, params),) = script.seen
                self.assertEqual(params["target"], want, case["host"])
            # The Messages API is the official one there, unless the caller says otherwise.
            for target in (None, {"endpoint": "compatible"}):
                script = daemon()
                side.ask(script, url="https://" + case["host"] + "/v1/messages", target=target)
                ((_, params),) = script.seen
                server = {"server": case["server"]} if "server" in case else {}
                self.assertEqual(params.get("target"), target and {**target, **server}, case["host"])

    @each
    def test_the_server_of_the_caller(self, side):
        for own, want in (
            ({"server": "vllm"}, {"endpoint": "compatible", "server": "vllm"}),
            ({"endpoint": "openai"}, {"endpoint": "openai"}),
            ({"model": "m"}, {"endpoint": "compatible", "model": "m", "server": "groq"}),
            ({"endpoint": "azure", "server": "x"}, {"endpoint": "azure", "server": "x"}),  # the daemon says no
        ):
            script = daemon()
            side.ask(script, url="https://api.groq.com/openai/v1/chat/completions", content=CHAT, target=own)
            ((_, params),) = script.seen
            self.assertEqual(params["target"], want)

    @each
    def test_a_daemon_that_knows_no_servers(self, side):
        """It is asked once with the server; a server that the caller names is never left out."""

        def old(params):
            if "server" in params["target"]:
                return (-32602, "invalid_params", {"pointer": "/params/target/server"})
            return OK

        url = "https://api.groq.com/openai/v1/chat/completions"
        script = daemon(repair=old)
        transport = side.transport(Sent(side.http).transport, side.daemon(script))
        for _ in range(2):
            self.assertEqual(side.post(transport, url, content=CHAT).status_code, 200)
        asked = [params["target"].get("server") for _, params in script.seen]
        self.assertEqual(asked, ["groq", None, None])
        response, sent = side.ask(daemon(repair=old), url=url, content=CHAT, target={"server": "groq"})
        self.assertEqual((response.status_code, sent.seen), (400, []))

    @each
    def test_a_wrong_target(self, side):
        wrong = (-32602, "invalid_params", {"pointer": "/params/target/endpoint"})
        for on_unavailable in ("open", "closed"):
            response, sent = side.ask(
                daemon(repair=wrong),
                url=OPENAI + "/responses",
                content=INPUT,
                target={"endpoint": "bedrock"},
                on_unavailable=on_unavailable,
            )
            self.assertEqual((response.status_code, sent.seen), (400, []))
            self.assertIn("an option of turnkeeper's guard", document(response)["error"]["message"])

    @each
    def test_one_guard_for_two_providers(self, side):
        """What is found out about one provider's target says nothing of the other's."""

        def wrong(params):
            return (-32602, "invalid_params", {"pointer": "/params/target"}) if "target" in params else OK

        script = daemon(prepare=wrong, repair=lambda params: wrong(params) if params.get("provider") is None else OK)
        transport = side.transport(Sent(side.http).transport, side.daemon(script))
        bedrock = "https://bedrock.test/model/anthropic.claude-x-v1/invoke"
        for url, body in ((bedrock, b'{"anthropic_version":"v"}'), (OPENAI + "/responses", INPUT)):
            self.assertEqual(side.post(transport, url, content=body).status_code, 200)
        method, params = script.seen[-1]
        self.assertEqual((method, params["target"]), ("repair", {"endpoint": "openai"}))


class Refusals(FakeDaemonTest):
    @each
    def test_in_openais_form(self, side):
        for url, body, pointer, param in (
            ("/chat/completions", CHAT, "/messages/3/tool_calls/0", "messages[3].tool_calls[0]"),
            ("/responses", INPUT, "/input/5", "input[5]"),
            ("/responses", INPUT[:-1] + b', "stream": true}', "/input/5/content/0", "input[5].content[0]"),
            ("/responses", INPUT, "/tools/3", "tools[3]"),
            ("/responses", INPUT, "", None),
        ):
            script = daemon(repair=unsafe(pointer))
            response, sent = side.ask(script, url=OPENAI + url, content=body)
            self.assertEqual((response.status_code, sent.seen), (400, []))
            self.assertEqual(response.headers["content-type"], "application/json")
            self.assertEqual(response.headers["x-should-retry"], "false")
            (error,) = document(response).values()
            self.assertEqual(
                {name: error[name] for name in ("type", "param", "code")},
                {"type": "invalid_request_error", "param": param, "code": None},
            )
            self.assertTrue(error["message"].startswith("No tool call found (refused by"), error)
            self.assertEqual(error["turnkeeper"]["name"], "unsafe_history")
            self.assertEqual(error["turnkeeper"]["violations"][0]["pointer"], pointer)
            self.assertEqual(response.extensions["turnkeeper"].violations[0].pointer, pointer)

    @each
    def test_in_anthropics_form_as_ever(self, side):
        response, _ = side.ask(daemon(unsafe("/messages/1")), content=MESSAGES)
        refusal = document(response)
        self.assertEqual(list(refusal), ["type", "error", "turnkeeper"])
        self.assertEqual(list(refusal["error"]), ["type", "message"])

    @each
    def test_a_header_that_binds_the_body(self, side):
        headers = {"content-type": "application/json", "content-digest": "sha-256=:x:"}
        script = daemon(repair=removes("/input/1"))
        url = OPENAI + "/responses"
        response, sent = side.ask(script, url=url, content=INPUT, headers=headers)
        self.assertEqual((response.status_code, sent.seen), (400, []))
        self.assertIn("content-digest", document(response)["error"]["message"])
        self.assertIsNone(document(response)["error"]["param"])

    @each
    def test_another_format_is_the_providers_to_refuse(self, side):
        script = daemon(repair=(-32602, "dialect_mismatch", {"looks_like": "anthropic"}))
        with self.assertLogs("turnkeeper", "WARNING"):
            _, sent = side.ask(script, url=OPENAI + "/chat/completions", content=CHAT)
        self.assertEqual(sent.bodies, [CHAT])


class Responses(FakeDaemonTest):
    @each
    def test_pass_as_they_come(self, side):
        """Whole ones and streams: nothing of them is paired or sealed."""
        whole = b'{"output": [{"type":"reasoning"}], "signature": "c2ln"}'
        for kind, answer, more in (
            ("application/json", whole, b"}"),
            ("text/event-stream", SSE, b', "stream": true}'),
        ):
            for url, body in (("/chat/completions", CHAT), ("/responses", INPUT)):
                script = daemon()
                headers = {"content-type": kind}
                response, sent = side.ask(
                    script,
                    url=OPENAI + url,
                    content=body[:-1] + more,
                    answer=lambda _, h=headers, a=answer: side.http.Response(200, headers=h, content=a),
                )
                self.assertEqual(b"".join(response.taken), answer)
                self.assertEqual([method for method, _ in script.seen], ["repair"])


class OlderDaemons(FakeDaemonTest):
    """They don't judge these providers."""

    UNKNOWN = (-32602, "invalid_params", {"pointer": "/params/provider"})
    MISSED = (-32602, "invalid_params", {"pointer": "/params/request/messages"})

    def ask(self, side, on_unavailable, answer=UNKNOWN):
        return side.ask(
            daemon(repair=answer),
            url=OPENAI + "/responses",
            content=INPUT,
            on_unavailable=on_unavailable,
        )

    @each
    def test_closed(self, side):
        for answer in (self.UNKNOWN, self.MISSED):
            response, sent = self.ask(side, "closed", answer)
            self.assertEqual((response.status_code, sent.seen), (400, []))
            self.assertIn("doesn't judge openai-responses", document(response)["error"]["message"])

    @each
    def test_open(self, side):
        with self.assertLogs("turnkeeper", "WARNING") as logged:
            _, sent = self.ask(side, "open")
        self.assertEqual(sent.bodies, [INPUT])
        self.assertIn("doesn't judge openai-responses", logged.output[0])

    @each
    def test_it_goes_on_with_anthropic(self, side):
        script = daemon(repair=self.UNKNOWN)
        _, sent = side.ask(script, content=MESSAGES)
        self.assertEqual(sent.bodies, [MESSAGES])
        self.assertEqual([method for method, _ in script.seen], ["prepare"])


if __name__ == "__main__":
    unittest.main()
