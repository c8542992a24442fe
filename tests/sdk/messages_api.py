# SPDX-License-Identifier: Apache-2.0
"""A Messages API on localhost that streams recordings: whoever asks for the model NAME gets the one of that name."""
import http.server
import json
import threading


class MessagesApi:
    def __init__(self, recordings):
        """recordings: {name: bytes}"""
        handler = type("Handler", (Handler,), {"recordings": recordings})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return "http://127.0.0.1:%d" % self.server.server_port

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    recordings = {}

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = self.recordings[request["model"]]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
