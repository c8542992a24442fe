# SPDX-License-Identifier: Apache-2.0
"""A local provider for the test of the probe: it answers each body as a script says, and takes what the script doesn't mention.

script: (call, body) -> a list of behaviours, of which each request takes the next, and the last one stays. `call` is "answer" or "count"
(count_tokens), `body` is the text of `key()`. Behaviours:

    ("refuse", words)            400 with these words, in the form of the path's API
    ("take",)                    200 with an answer of one token
    ("turn", document)           200 with this document
    ("status", number, words, code)   another status
    ("hang",), ("cut",), ("garbage",), ("away",)  says nothing; cuts its answer; 200 without JSON; a redirection
"""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HANG_SECONDS = 60  # longer than the probe waits in a test
TAKEN = {"id": "msg_1", "content": [], "output": [], "usage": {"input_tokens": 10, "output_tokens": 1}}


def key(text, call="answer"):
    """Returns how a body is named in a script: its members in one order, for count_tokens without the limit."""
    body = json.loads(text)
    if call == "count":
        body.pop("max_tokens", None)
    return json.dumps(body, sort_keys=True)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        text = self.rfile.read(int(self.headers["content-length"]))
        call = "count" if self.path.endswith("/count_tokens") else "answer"
        provider = self.server.provider
        with provider.lock:
            provider.seen.append((self.path, dict(self.headers.items()), text))
            steps = provider.script.get((call, key(text, call), self.headers.get("anthropic-beta", "")))
            behaviour = (steps.pop(0) if len(steps) > 1 else steps[0]) if steps else provider.otherwise
        getattr(self, behaviour[0])(*behaviour[1:])

    def refuse(self, words):
        self.status(400, words)

    def take(self):
        self.document(200, TAKEN)

    def turn(self, document):
        self.document(200, document)

    def status(self, number, words="", code=None):
        self.document(number, {"error": {"type": "invalid_request_error", "message": words, "code": code}},
                      {"retry-after": "0"} if number == 429 else {})

    def hang(self):
        self.server.provider.over.wait(HANG_SECONDS)
        self.close_connection = True

    def cut(self):
        self.send_response(200)
        self.send_header("content-length", "1000")
        self.end_headers()
        self.wfile.write(b'{"id"')
        self.close_connection = True

    def garbage(self):
        self.raw(200, b"<html>")

    def away(self):
        self.raw(307, b"", {"location": self.server.provider.url + "/elsewhere"})

    def document(self, status, document, headers=None):
        self.raw(status, json.dumps(document).encode(), headers)

    def raw(self, status, data, headers=None):
        self.send_response(status)
        for name, value in dict(headers or {}, **{"content-length": str(len(data))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        """A probe that gives up is nothing to print a traceback for."""


class Provider:
    """otherwise: what is done with a body that the script doesn't have."""

    def __init__(self):
        self.script, self.seen, self.otherwise = {}, [], ("take",)
        self.lock, self.over = threading.Lock(), threading.Event()
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.provider = self
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def says(self, asked, *behaviours, call="answer"):
        """Adds a line to the script: what is done with an Asked."""
        self.script[call, key(asked.text, call), ",".join(asked.betas)] = list(behaviours)

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)
