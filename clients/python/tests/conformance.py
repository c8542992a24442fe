#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The conformance cases through this client, with the checks of tests/conformance/run itself.

    conformance.py --socket PATH [--codec json|msgpack|all] [--only SUBSTRING] [--tag TAG] FILE...

A case whose request is a document goes through the typed methods (Client.repair and so on), with
this on top: the argument is not changed, messages that no edit names come back as the same objects,
and the patch as the client applies it gives what the runner's own applier makes of it. What the
typed methods don't let through (`return`, wrong types on purpose) goes through Client.call. A case
that opens one stream, feeds and ends it, and isn't about misuse, goes through Client.stream. Where
a case chooses the bytes of its messages, they are put into the request that the client made (JSON).
"""

import argparse
import base64
import copy
import json
import os
import sys
import types
import weakref

import support
from support import ROOT, wire

sys.path.append(os.path.join(ROOT, "tests", "conformance"))
import run_cases
from run_cases import load_runner

import turnkeeper
from turnkeeper.providers import list_of

MARK = "the bytes of the messages"
TYPED = {"validate": "messages", "repair": "messages", "repair_turn": "content"}
OPERATIONS = {"splice": "messages", "tools": "tools", "prepare": "messages"}


class NotInThisCodec(Exception):
    """A case about the bytes of JSON."""


class ClientConn:
    """Looks like the runner's Conn. `last`: the answer's bytes; `codec`: the request's."""

    runner = None
    typed = 0
    by_name = 0
    one_stream = False  # whether the case is one for Client.stream
    keeper = turnkeeper.Client  # or a function that takes the same and gives another back end
    answers = None  # a list: the bytes of each answer are added to it

    def __init__(self, path, codec):
        self.asked = codec
        self.codec = codec
        self.last = b""
        self.raw = None
        self.stream = None
        self.client = ClientConn.keeper(
            path, timeout=10, codec="auto" if codec == "msgpack" else codec, pool_size=1
        )
        # Weakly, so that the connection is closed at once when its case is over, not when cycles are
        # collected: the daemon waits for a stream that is still open.
        encode, this = self.client._encode, weakref.ref(self)
        self.client._encode = lambda value: this().sent(encode(value))

    def __del__(self):
        self.client.close()

    def sent(self, body):
        if self.raw is not None:
            body = body.replace(('"%s"' % MARK).encode(), self.raw.encode())
        self.codec = "msgpack" if wire.is_msgpack(body[0]) else "json"
        return body

    def call(self, method, params):
        self.raw = params.get("__raw_messages__") if isinstance(params, dict) else None
        if self.raw is not None:
            if self.asked != "json":
                raise NotInThisCodec
            params = dict(params, messages=MARK)
            del params["__raw_messages__"]
        with recorded(self):
            try:
                return {"result": self.result(method, params)}
            except turnkeeper.RemoteError as error:
                return {"error": {"code": error.code, "message": error.message, "data": error.data}}

    def result(self, method, params):
        if method.startswith("stream.") and self.one_stream:
            ClientConn.typed += 1
            return self.streamed(method, params)
        if (
            method == "pair"
            and isinstance(params, dict)
            and isinstance(params.get("response"), dict)
        ):
            ClientConn.typed += 1
            rest = {k: v for k, v in params.items() if k != "response"}
            return ended(lambda: self.client.pair(params["response"], **rest))
        if self.is_operation(method, params):
            ClientConn.typed += 1
            return self.operation(method, params)
        document = self.document(method, params)
        if document is None:
            ClientConn.by_name += 1
            return self.client.call(method, params)
        ClientConn.typed += 1
        before = copy.deepcopy(document)
        rest = {k: v for k, v in params.items() if k not in ("messages", "request", "content")}
        got = getattr(self.client, method)(document, **rest)
        assert document == before, "the argument was changed"
        if method != "validate":
            self.check_repaired(method, params, document, got)
        return got.raw

    def streamed(self, method, params):
        rest = {k: v for k, v in params.items() if k != "stream"}
        if method == "stream.open":
            self.stream = self.client.stream(**rest).open()
            return {"state": "open", "outputs": [], "carried": list(self.stream.carried)}
        if method == "stream.feed":
            ((form, chunk),) = rest.items()
            outputs = self.stream.feed(base64.b64decode(chunk) if form == "data_base64" else chunk)
            return {"state": self.stream.state, "outputs": outputs}
        return ended(lambda: self.stream.finish(**rest))

    @staticmethod
    def is_operation(method, params):
        """Whether splice, tools or prepare is asked for in the way that its typed method does."""
        if method not in OPERATIONS or not isinstance(params, dict) or "return" in params:
            return False
        kinds = {"messages": list, "tools": (list, type(None)), "request": dict, "history": ()}
        if method == "prepare":
            kinds = {"request": dict, "messages": (), "history": ()}  # `tools` is a step of it
        forms = [k for k in kinds if k in params]
        if len(forms) != 1 or not isinstance(params[forms[0]], kinds[forms[0]]):
            return False
        return method != "splice" or "assistant" in params

    def operation(self, method, params):
        """The result, once it is what the patch makes of the caller's own objects."""
        form = next(k for k in ("request", "messages", "tools") if k in params)
        document, key = params[form], OPERATIONS[method]
        inner = key if key == "tools" else list_of(params.get("provider"))
        rest = {k: v for k, v in params.items() if k not in (form, "assistant")}
        before = copy.deepcopy(document)
        given = (document, params["assistant"]) if method == "splice" else (document,)
        if method == "prepare" and self.asked == "json":
            text = self.client.prepare_body(wire.encode_json(document), **rest)
        got = getattr(self.client, method)(*given, **rest)
        assert document == before, "the argument was changed"
        body = document if form == "request" else {inner: document}
        want = self.runner.patch(body, got.raw["patch"])
        after = getattr(got, key)
        assert after == listed(want, inner), "the client's patch: want %s, got %s" % (want, after)
        if method == "prepare" and self.asked == "json":
            assert json.loads(text.body) == want, "the patch of text: %s" % text.body
        assert (got.request == want) if form == "request" else got.request is None, "request"
        source = listed(body, inner)
        assert after is not source, "not a new list"
        edited = sum(o["op"] != "add" for o in got.raw["patch"])
        kept = sum(any(v is w for w in source) for v in after)
        assert edited or kept == len(source), "%d of %d are the same objects" % (kept, len(source))
        return got.raw

    @staticmethod
    def document(method, params):
        """What a typed method takes as its first argument; None: it would refuse this."""
        if method not in TYPED or not isinstance(params, dict) or "return" in params:
            return None
        key = TYPED[method]
        if key == "content" or "request" not in params:
            value = params.get(key)
            return value if isinstance(value, list) else None
        value, inner = params["request"], list_of(params.get("provider"))
        fits = isinstance(value, dict) and isinstance(value.get(inner), list) and key not in params
        return value if fits else None

    def check_repaired(self, method, params, document, got):
        key = TYPED[method]
        after = getattr(got, key)
        want = self.runner.patched(params, got.raw, key)
        assert after == want, "the client's patch: want %s, got %s" % (want, after)
        whole = isinstance(document, dict)
        key = list_of(params.get("provider")) if key == "messages" else key
        source = document[key] if whole else document
        assert after is not source, "not a new list"
        if whole:
            assert got.request is not document and got.request[key] is after, "request"
            assert all(got.request[k] is document[k] for k in document if k != key), "request"
        touched = {
            "/".join(o[at].split("/")[:3]) for o in got.patch for at in ("path", "from") if at in o
        }
        if not any(o["op"] != "replace" and o["path"].count("/") < 3 for o in got.patch):
            for n, value in enumerate(source):  # nothing moved: same place, same object
                if "/%s/%d" % (key, n) not in touched:
                    assert after[n] is value, "/%s/%d is another object" % (key, n)
        mine = {id(v) for v in source}
        kept = sum(id(v) in mine for v in after)
        gone = sum(o["path"].count("/") < 3 for o in got.patch)  # each at its place, then the next
        least = len(source) - len(touched) - gone
        assert kept >= least, "%d of %d are the same objects" % (kept, len(source))


def listed(body, key):
    """The messages of a body; none where they are a text, or not there."""
    value = body.get(key)
    return value if isinstance(value, list) else []


def ended(call):
    """The result of `stream.end` or `pair`, put together again where it came as an exception."""
    try:
        return call().raw
    except turnkeeper.PairingFailed as failed:
        assert failed.kinds == tuple(failed.data["kinds"]), failed.kinds
        nothing = {"finish": None, "message": None, "seal": None}
        said = {"error": failed.data, "outputs": failed.outputs, "warnings": dict(failed.warnings)}
        if failed.turn is not None:
            said["turn"] = failed.turn
        return dict(nothing, state="failed", **said)


def is_one_stream(case):
    """Whether a case opens one stream, feeds it and ends it, and every step succeeds."""
    steps = case.get("steps") or [case]
    methods = [step["method"] for step in steps]
    params = [step.get("params") or {} for step in steps]
    if methods != ["stream.open"] + ["stream.feed"] * (len(steps) - 2) + ["stream.end"]:
        return False
    keys = [p.get("stream") for p in params]
    forms = [len(p) == 2 for p in params[1:-1]]
    fine = not any("error" in (step.get("expect") or {}) for step in steps)
    return fine and all(forms) and keys == keys[:1] * len(keys)


def respelled(case):
    """Bytes that are wanted of what is given as values: in the client's spelling of values."""
    case = copy.deepcopy(case)
    steps = case.get("steps") or [case]
    given = any("events" in (step.get("params") or {}) for step in steps)
    sealed = any("seals" in (step.get("params") or {}) for step in steps)  # restored from values
    if given or sealed or case.get("method") in OPERATIONS:
        for expect in (s["expect"] for s in steps if "bytes" in s.get("expect", {})):
            expect["bytes"] = [wire.encode_json(json.loads(b)).decode() for b in expect["bytes"]]
    return case


class recorded:
    """Keeps the bytes of the answer for the checks that look at them."""

    def __init__(self, conn):
        self.conn = conn

    def __enter__(self):
        self.before = wire.decode
        wire.decode = self.decode

    def decode(self, body):
        self.conn.last = body
        if self.conn.answers is not None:
            self.conn.answers.append(bytes(body))
        return self.before(body)

    def __exit__(self, *_):
        wire.decode = self.before


def load():
    """The runner with this client, and its spelling of documents: a check hashes what was sent."""
    runner = load_runner()
    ClientConn.runner = runner
    runner.Conn = ClientConn
    if "msgpack" in support.CODECS:
        runner.mp_enc = wire.encode_msgpack
    dumps = json.dumps

    def spelled(value, ensure_ascii=True, **how):
        return dumps(value, **how) if ensure_ascii else wire.encode_json(value).decode()

    runner.json = types.SimpleNamespace(**dict(vars(json), dumps=spelled))
    return runner


def cases():
    """Every case of every file."""
    for _, case in run_cases.cases():
        yield case


def run_case(runner, path, codec, case):
    """The differences, or None if this codec can't be asked."""
    ClientConn.one_stream = is_one_stream(case)
    try:
        return runner.run_case(path, codec, respelled(case))
    except NotInThisCodec:
        return None
    except Exception as why:
        return ["%s: %s" % (type(why).__name__, why)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--socket", required=True)
    parser.add_argument("--codec", default="all", choices=["json", "msgpack", "all"])
    parser.add_argument("--only", default="")
    parser.add_argument("--tag", default="", help="only cases with this tag")
    parser.add_argument("--max-diff", type=int, default=3)
    parser.add_argument("files", nargs="+")
    return parser.parse_args()


def main():
    args = arguments()
    runner = load()
    codecs = support.CODECS if args.codec == "all" else [args.codec]
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for name in args.files:
        with open(name, encoding="utf-8") as text:
            cases = json.load(text)
        for case in cases:
            chosen = args.only in case["name"] and (not args.tag or args.tag in case["tags"])
            if not chosen or case.get("skip_reason"):
                continue
            found = {codec: run_case(runner, args.socket, codec, case) for codec in codecs}
            failed = {codec: diffs for codec, diffs in found.items() if diffs}
            kind = "failed" if failed else "passed" if [] in found.values() else "skipped"
            count[kind] += 1
            for codec, diffs in failed.items():
                print("FAIL %s (%s) [%s]" % (case["name"], codec, name))
                for diff in diffs[: args.max_diff]:
                    print("   ", diff)
    print(
        "codecs: %s; %d calls by typed methods, %d by name"
        % (", ".join(codecs), ClientConn.typed, ClientConn.by_name)
    )
    print("%(passed)d passed, %(failed)d failed, %(skipped)d skipped" % count)
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
