# SPDX-License-Identifier: Apache-2.0
"""Frames whose payload the caller wrote byte by byte, and the answer as it came."""
import importlib.machinery
import importlib.util
import json
import os
import socket
import struct
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE = 60  # sanitizers are slow


def load_runner():
    """tests/conformance/run as a module: msgpack and RFC 6902 that share no code with the daemon."""
    path = os.path.join(os.path.dirname(HERE), "conformance", "run")
    loader = importlib.machinery.SourceFileLoader("conformance_run", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


RUNNER = load_runner()


class Answer:
    """One reply: .raw as it came, .result or .error parsed."""

    def __init__(self, raw, document):
        self.raw = raw
        self.document = document
        self.result = document.get("result")
        self.error = document.get("error")
        self.name = self.error["data"]["name"] if self.error else None


def connected(path):
    """The control socket may listen a moment before this one does."""
    end = time.monotonic() + PATIENCE
    while True:
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(PATIENCE)
        try:
            s.connect(path)
            return s
        except (ConnectionRefusedError, FileNotFoundError):
            s.close()
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


class Wire:
    """A framed connection. ask() takes JSON text, ask_msgpack() values."""

    def __init__(self, path):
        self.socket = connected(path)

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _receive(self, size):
        pieces = []
        while size:
            data = self.socket.recv(min(size, 1 << 20))
            if not data:
                raise ConnectionError("the daemon closed the connection")
            pieces.append(data)
            size -= len(data)
        return b"".join(pieces)

    def receive(self):
        """The bytes of the next answer."""
        return self._receive(struct.unpack(">I", self._receive(4))[0])

    def exchange(self, payload):
        self.socket.sendall(struct.pack(">I", len(payload)) + payload)
        return self.receive()

    def send(self, method, params_text):
        """params_text: the parameters as JSON text."""
        request = '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}' % (method, params_text)
        payload = request.encode("utf-8", "surrogatepass")
        self.socket.sendall(struct.pack(">I", len(payload)) + payload)

    def ask(self, method, params_text):
        self.send(method, params_text)
        raw = self.receive()
        return Answer(raw, json.loads(raw))

    def ask_msgpack(self, method, params):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        raw = self.exchange(RUNNER.mp_enc(request))
        document, end = RUNNER.mp_dec(raw)
        if end != len(raw):
            raise ValueError("bytes after the msgpack document")
        return Answer(raw, document)
