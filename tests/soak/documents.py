# SPDX-License-Identifier: Apache-2.0
"""Requests of the ordinary clients: the conformance cases, and whole histories of 200 KB and 2 MB.

A conversation is {"number", "name", "codec", "steps": [{"method", "params", "expect"}...]}: one case in one codec, sent
on a connection of its own, for streams belong to a connection. `expect` is what the case says about the answer, if
anything.
"""
import json
import os
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "conformance")]
import run_cases  # noqa: E402

RUNNER = run_cases.load_runner()
GENERATOR = os.path.join(TESTS, "bench", "gen_corpus.py")
ABOUT_THE_DAEMON = ("ping", "health", "stats", "info")
LARGEST = 3_000_000  # bytes of the parameters of a case; larger ones test limits, not the daemon's life
LARGE = (("validate", {}), ("repair", {"guard": False}), ("repair", {"guard": False, "return": "messages"}),
         ("repair", {"guard": False, "return": "splices"}))


def request_of(method, params, codec, request_id=1):
    """The bytes of a request's document."""
    document = {"id": request_id, "method": method, "params": params}
    if codec == "msgpack":
        return RUNNER.mp_enc(document)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def answer_of(payload):
    """An answer as a document. JSON where the daemon couldn't know the codec, for example if it is busy."""
    return json.loads(payload) if payload[:1] in (b"{", b"[") else RUNNER.mp_dec(payload)[0]


def bodies():
    """Request bodies without faults: {"s": 18 KB, "m": 200 KB, "l": 2 MB}."""
    with tempfile.TemporaryDirectory(prefix="tk", dir="/tmp") as folder:
        subprocess.run([sys.executable, GENERATOR], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        found = {}
        for name in "sml":
            with open(os.path.join(folder, name + ".json"), encoding="utf-8") as f:
                found[name] = json.load(f)
            found[name]["messages"].append({"role": "user", "content": "Go on."})
        return found


def of_cases():
    for folder, case in run_cases.runnable():
        steps = case.get("steps") or [{key: case.get(key, {}) for key in ("method", "params", "expect")}]
        as_bytes = case.get("raw") or any("__raw_messages__" in (s.get("params") or {}) for s in steps)
        if as_bytes:
            continue
        steps = [{**s, "params": RUNNER.grown(s.get("params") or {})} for s in steps]
        if len(json.dumps([s["params"] for s in steps])) > LARGEST:
            continue
        for codec in run_cases.CODECS:
            yield {"name": case["name"], "codec": codec, "steps": steps}


def of_large_bodies(found):
    for name in "ml":
        for method, params in LARGE:
            for codec in ("json", "line" if params.get("return") == "splices" else "msgpack"):  # splices are for JSON
                step = {"method": method, "params": {"request": found[name], **params}, "expect": {}}
                yield {"name": "%s of %s" % (method, name), "codec": codec, "steps": [step]}


def about_the_daemon():
    for codec in run_cases.CODECS:
        steps = [{"method": method, "params": {}, "expect": {}} for method in ABOUT_THE_DAEMON]
        yield {"name": "about the daemon", "codec": codec, "steps": steps}


def conversations(found, draw, most):
    """All of them in an order that `draw` (a random.Random) makes. found: bodies(). most: how many may be cases."""
    cases = list(of_cases())
    held = draw.sample(cases, min(most, len(cases))) + list(of_large_bodies(found)) + list(about_the_daemon())
    draw.shuffle(held)
    return [{**conversation, "number": n} for n, conversation in enumerate(held)]
