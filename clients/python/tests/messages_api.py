# SPDX-License-Identifier: Apache-2.0
"""A local server that behaves as the Messages API does for the faults that turnkeeper is about.

    messages_api.py COMMAND...      runs a program of the SDK against it, and a turnkeeperd

It refuses a history with an orphaned provider-executed call or result with status 400 and the
provider's own words (src/catalogue/catalogue.json), one whose latest turn has the thinking of a
turn that it gave, but not as it gave it, as well, and answers others with the next turn of `turns`,
whole or as SSE, as the request asks. What arrived is in `seen`.

It takes the paths of Amazon Bedrock (InvokeModel) and Vertex AI (rawPredict) as well, with their form of
the body: "anthropic_version" in it, "model" not in it. A stream of Bedrock has Amazon's own framing.

It plays OpenAI's APIs, too: openai_api.py has what it refuses there, openai_answers.py what it says; Bedrock's Converse
(bedrock_api.py) and Gemini (gemini_api.py).
"""

import base64
import gzip
import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import openai_api  # finds tests/properties, which the others need too
import amazon_frames
import bedrock_api
import gemini_api
from support import ROOT

PATH = "/v1/messages"
SSE = "text/event-stream; charset=utf-8"
OTHERS = (openai_api, bedrock_api, gemini_api)
PLATFORMS = re.compile(
    r"/model/[^/]+/invoke(-with-response-stream)?$"
    r"|/publishers/anthropic/models/(?!count-tokens:)[^/]+:(raw|streamRaw)Predict$"
).search


def catalogue():
    """What the provider says, by code."""
    path = os.path.join(ROOT, "src", "catalogue", "catalogue.json")
    with open(path, encoding="utf-8") as text:
        rules = json.load(text)["rules"]
    return {rule["code"]: rule["provider_error"] for rule in rules if rule["provider_error"]}


def said(template, **values):
    return re.sub(r"\{(\w+)\}", lambda found: str(values[found.group(1)]), template)


class Refusal(Exception):
    pass


# -- What the API checks ---------------------------------------------------------------------


def is_call(part):
    return part["type"] == "server_tool_use"


def is_result(part):
    return part["type"].endswith("_tool_result")


def parts_of(message):
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def answers_tools_only(message):
    return all(part["type"] == "tool_result" for part in parts_of(message))


class Pairing:
    """One walk through the messages: calls wait for their result until the turn is over."""

    def __init__(self, texts):
        self.texts = texts
        self.open = {}  # id -> (message, tool)

    def check(self, messages):
        for n, message in enumerate(messages):
            if message["role"] == "assistant":
                self.turn(n, parts_of(message))
            elif not answers_tools_only(message):
                self.over()

    def turn(self, n, parts):
        for k, part in enumerate(parts):
            if is_call(part):
                self.open[part["id"]] = (n, part["name"])
            elif is_result(part) and self.open.pop(part["tool_use_id"], None) is None:
                tool, ident = part["type"][: -len("_tool_result")], part["tool_use_id"]
                text = self.texts["provider_executed_result_without_call"]
                raise Refusal(said(text, message=n, part=k, tool=tool, id=ident))

    def over(self):
        for ident, (n, tool) in self.open.items():
            text = self.texts["provider_executed_call_without_result"]
            raise Refusal(said(text, message=n, tool=tool, id=ident))


def shown(part):
    """A block as far as the order of a signed turn is concerned."""
    return part["type"], part.get("signature") or part.get("data") or part.get("id")


def check_thinking(texts, given, messages):
    """The thinking in the latest assistant message is where it was when the API made it."""
    turns = [n for n, message in enumerate(messages) if message["role"] == "assistant"]
    if not turns:
        return
    blocks = [shown(part) for part in parts_of(messages[turns[-1]])]
    signed = [block for block in blocks if "thinking" in block[0]]
    made = [[shown(part) for part in turn["content"]] for turn in given]
    theirs = [turn for turn in made if any(block in turn for block in signed)]
    if theirs and blocks not in theirs:
        others = (n for n, block in enumerate(blocks) if [block] != theirs[-1][n : n + 1])
        part = next(others, len(blocks) - 1)
        raise Refusal(said(texts["sealed_turn_reordered"], message=turns[-1], part=part))


# -- What the API answers --------------------------------------------------------------------


def whole(turn, number):
    return {
        "id": "msg_%02d" % number,
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": turn["content"],
        "stop_reason": turn.get("stop_reason", "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 20},
    }


def starts_as(part):
    """A block as it starts, and the deltas that make it whole."""
    if part["type"] == "text":
        half = len(part["text"]) // 2
        pieces = (part["text"][:half], part["text"][half:])
        return dict(part, text=""), [{"type": "text_delta", "text": piece} for piece in pieces]
    if part["type"].endswith("tool_use"):
        text = json.dumps(part["input"])
        pieces = ("", text[:5], text[5:])
        return dict(part, input={}), [
            {"type": "input_json_delta", "partial_json": piece} for piece in pieces
        ]
    return part, []


def events(turn, number):
    """The same turn as a stream; `ends` says how it ends if not well."""
    start = dict(whole(turn, number), content=[], stop_reason=None)
    yield {"type": "message_start", "message": start}
    yield {"type": "ping"}
    for index, part in enumerate(turn["content"]):
        block, deltas = starts_as(part)
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    if turn.get("ends") == "overloaded":
        yield {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    if turn.get("ends"):
        return
    delta = {"stop_reason": turn.get("stop_reason", "end_turn"), "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 20}}
    yield {"type": "message_stop"}


def frame(event):
    return ("event: %s\ndata: %s\n\n" % (event["type"], json.dumps(event))).encode()


def amazons(event):
    """Returns the event in Amazon's framing, as InvokeModelWithResponseStream has it."""
    return amazon_frames.frame("chunk", {"bytes": base64.b64encode(json.dumps(event).encode()).decode()})


def route(path):
    """Returns whose API a path without its query is, if it is one of OTHERS, and what that says of it."""
    routes = ((other, other.route(path)) for other in OTHERS)
    return next((found for found in routes if found[1]), (None, None))


def check_platform(request):
    """The form of the body on Bedrock and Vertex."""
    if "anthropic_version" not in request:
        raise Refusal("anthropic_version: Field required")
    if "model" in request:
        raise Refusal("model: Extra inputs are not permitted")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(200, {"data": [], "has_more": False, "first_id": None, "last_id": None})

    def do_POST(self):
        body = self.body()
        api = self.server.api
        api.seen.append((self.path, dict(self.headers.items()), body))
        path = self.path.partition("?")[0]
        platform = PLATFORMS(path)
        other, wanted = route(path)
        if path != PATH and not platform and not wanted:
            return self.answer(200, {"input_tokens": 7})
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        if wanted:
            return other.serve(self, wanted, body)
        try:
            request = json.loads(body)
            if platform:
                check_platform(request)
            Pairing(api.texts).check(request["messages"])
            check_thinking(api.texts, api.given, request["messages"])
        except Refusal as why:
            return self.refuse(str(why))
        except (ValueError, KeyError, TypeError):
            return self.refuse("The request body is not valid JSON")
        number = len(api.seen)
        turn = api.turns.pop(0) if api.turns else api.another(number)
        api.given.append(turn)
        if path.endswith("-stream"):
            return self.stream(map(amazons, events(turn, number)), turn, amazon_frames.MEDIA)
        if request.get("stream"):
            return self.stream(map(frame, events(turn, number)), turn, SSE)
        return self.answer(200, whole(turn, number))

    def body(self):
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length", 0)))
        data = b""
        while True:
            size = int(self.rfile.readline(), 16)
            data += self.rfile.read(size)
            self.rfile.readline()
            if not size:
                return data

    def refuse(self, message):
        error = {"type": "invalid_request_error", "message": message}
        self.answer(400, {"type": "error", "error": error, "request_id": "req_1"})

    def answer(self, status, document, headers=()):
        data = json.dumps(document).encode()
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.send_header("request-id", "req_1")
        self.end_headers()
        self.wfile.write(data)

    def stream(self, frames, turn, kind):
        packer = gzip.zlib.compressobj(wbits=31) if self.server.api.compress else None
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("transfer-encoding", "chunked")
        if packer:
            self.send_header("content-encoding", "gzip")
        self.end_headers()
        for data in frames:
            if packer:
                data = packer.compress(data) + packer.flush(gzip.zlib.Z_SYNC_FLUSH)
            self.chunk(data)
        if turn.get("ends") == "reset":
            self.close_connection = True
            self.connection.close()
            return
        if packer:
            self.chunk(packer.flush())
        self.wfile.write(b"0\r\n\r\n")

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that goes away is nothing to print a traceback for."""


class MessagesApi:
    """Listens on a port of its own until it is closed."""

    def __init__(self, *turns, compress=False):
        self.texts = catalogue()
        self.turns = list(turns)
        self.compress = compress
        self.seen = []
        self.given = []
        self.reasoned = {}  # OpenAI's items: id -> the id of the reasoning before it
        self._server = Server(("127.0.0.1", 0), Handler)
        self._server.api = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()
        self.url = "http://127.0.0.1:%d" % self._server.server_address[1]

    @staticmethod
    def another(number):
        """A turn with a search in it, where the test didn't say which."""
        call = {"type": "server_tool_use", "id": "srvtoolu_%04d" % number, "name": "web_search"}
        hit = {"type": "web_search_result", "url": "https://road.example", "title": "Road status"}
        result = {"type": "web_search_tool_result", "tool_use_id": call["id"]}
        return {
            "content": [
                dict(call, input={"query": "pass road status"}),
                dict(result, content=[dict(hit, encrypted_content="EpAE", page_age=None)]),
                {"type": "text", "text": "The pass is open, with chains."},
            ]
        }

    @property
    def bodies(self):
        """Those of requests for an answer, not of batches and counts."""
        sent = [(path.partition("?")[0], body) for path, _, body in self.seen]
        return [
            body for path, body in sent if path == PATH or PLATFORMS(path) or route(path)[1]
        ]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


def main():
    from daemon import Daemon

    with MessagesApi() as api, Daemon("--log-level", "error") as daemon:
        program = dict(os.environ, TURNKEEPER_SOCKET=daemon.socket)
        program.update(ANTHROPIC_BASE_URL=api.url, ANTHROPIC_API_KEY="none")
        program.update(OPENAI_BASE_URL=api.url + "/v1", OPENAI_API_KEY="none")
        program.update(GOOGLE_GEMINI_BASE_URL=api.url, GEMINI_API_KEY="none")
        program.update(AWS_ENDPOINT_URL_BEDROCK_RUNTIME=api.url, AWS_REGION="us-east-1", AWS_DEFAULT_REGION="us-east-1")
        program.update(AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none")
        program.update(AZURE_OPENAI_ENDPOINT=api.url, AZURE_OPENAI_API_KEY="none")
        program["PYTHONPATH"] = os.pathsep.join(
            [os.path.join(ROOT, "clients", "python", "src"), program.get("PYTHONPATH", "")]
        )
        return subprocess.call(sys.argv[1:], env=program)


if __name__ == "__main__":
    sys.exit(main())
