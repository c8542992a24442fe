# SPDX-License-Identifier: Apache-2.0
"""mypy --strict of the package, and of a program that uses it: run_sdk_tests.sh has a mypy for it."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import unittest

from support import CLIENT, folder

if importlib.util.find_spec("mypy") is None:
    raise unittest.SkipTest("mypy is not installed: see run_sdk_tests.sh")

# A user's type checker looks at methods that are made of functions: --strict also complains
# about an `ignore` that isn't needed.
USER = """
import dataclasses
import pathlib
import httpx
import turnkeeper
from turnkeeper.httpx import AsyncGuardTransport, GuardTransport

@dataclasses.dataclass
class Turn:
    role: str
    content: object

class Model:
    def model_dump(self, *, mode: str = "python", exclude_unset: bool = False) -> dict[str, object]:
        return {}

def objects(client: turnkeeper.Client) -> turnkeeper.Report:
    client.seal(Turn("assistant", []), request=Model())
    client.seal(5)  # type: ignore[arg-type]
    client.splice([Turn("user", "q")], Model(), appended=[Model(), {"role": "user"}])
    try:
        client.repair([object()])  # type: ignore[list-item]
    except turnkeeper.DialectMismatch as mismatch:
        looks: str = mismatch.looks_like or ""
    return client.validate([Model(), Turn("user", "q"), {"role": "user", "content": [Model()]}])

def blocking(client: turnkeeper.Client) -> turnkeeper.Repaired:
    client.repair([], gaurd=True)  # type: ignore[call-arg]
    client.validate(5)  # type: ignore[arg-type]
    with client.stream(emit="sse", history=b"[]") as stream:
        turn: turnkeeper.PairedTurn = stream.finish()
    return client.repair([{}], guard=False, betas=["b"], seals=[{"seal": client.seal("a")}])

def preparing(client: turnkeeper.Client) -> turnkeeper.Prepared:
    client.prepare([])  # type: ignore[arg-type]
    client.prepare({}, betas="b")  # type: ignore[call-arg]
    client.prepare({}, splice={"appended": []})  # type: ignore[typeddict-item]
    client.prepare({}, tools={"ad": []})  # type: ignore[typeddict-unknown-key]
    step: turnkeeper.SpliceStep = {"assistant": {"content": []}, "tool_results": []}
    text: bytes = client.prepare_body(b"{}", tools={"betas": ["b"]}).body
    ready = client.prepare({}, splice=step, tools={"add": ["web_search"]}, guard=False)
    dead: bool = ready.verdicts[0].dead
    header: str = ready.headers["anthropic-beta"] + ready.notes.splice[0]
    return ready

async def waiting(client: turnkeeper.AsyncClient) -> turnkeeper.Report:
    pong: turnkeeper.Pong = await client.ping(echo=1)
    client.stream(emti="sse")  # type: ignore[call-arg]
    return await client.validate([])

def inside(keeper: turnkeeper.Local) -> turnkeeper.Repaired:
    keeper.repair([], gaurd=True)  # type: ignore[call-arg]
    release: str = keeper.version
    with turnkeeper.connect(timeout=None) as either, either.stream(emit="sse") as stream:
        stream.feed(b"")
        return either.repair([{}])

def events(path: pathlib.Path) -> httpx.Client:
    kinds: list[str] = []

    def count(event: turnkeeper.Event) -> None:
        kinds.extend([event.kind, event.code or "none"] * sum(event.codes.values()))

    keeper = turnkeeper.Local()
    guard = GuardTransport(
        httpx.HTTPTransport(), keeper=keeper, caller="agent-7", on_event=count, save_misses=path
    )
    GuardTransport(httpx.HTTPTransport(), keeper=keeper, on_event=kinds)  # type: ignore[call-overload]
    return httpx.Client(transport=guard)

def policies(client: turnkeeper.Client, keeper: turnkeeper.Local) -> turnkeeper.Policy:
    keys: turnkeeper.PolicyKeys = {"base": "preserve", "prefill": "report", "extra_members": "drop"}
    keeper.repair([], policy=keys)
    keeper.repair([], policy="perserve")  # type: ignore[arg-type]
    client.validate([], policy={"thinkin": "drop"})  # type: ignore[arg-type]
    client.prepare({}, policy={"thinking": "dorp"})  # type: ignore[arg-type]
    client.stream(policy="perserve")  # type: ignore[arg-type]
    return keys

def guards(client: turnkeeper.Client, keeper: turnkeeper.Local) -> None:
    inner = httpx.HTTPTransport()
    GuardTransport(inner, keeper=keeper, policy="preserve")
    GuardTransport(inner, client=keeper)
    GuardTransport(inner, on_unavailable="open")
    GuardTransport(inner, keeper=client, on_unavailable="closed", target={"server": "vllm"})
    GuardTransport(inner, keeper=turnkeeper.connect(), on_unavailable="closed")
    GuardTransport(inner)  # type: ignore[call-overload]
    GuardTransport(inner, keeper=client)  # type: ignore[call-overload]
    GuardTransport(inner, keeper=turnkeeper.connect())  # type: ignore[arg-type]
    GuardTransport(inner, on_unavailable="maybe")  # type: ignore[call-overload]
    GuardTransport(inner, keeper=keeper, policy="perserve")  # type: ignore[call-overload]
    GuardTransport(inner, keeper=keeper, polcy="preserve")  # type: ignore[call-overload]
    AsyncGuardTransport(httpx.AsyncHTTPTransport(), keeper=turnkeeper.AsyncLocal())
    AsyncGuardTransport(httpx.AsyncHTTPTransport(), keeper=keeper)  # type: ignore[call-overload]

async def waiting_inside() -> bytes:
    async with turnkeeper.AsyncLocal(max_frame=1 << 20) as keeper:
        return (await keeper.repair_body(b"{}")).body
"""


class Typing(unittest.TestCase):
    def check(self, folder, target):
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder]
        if not all(importlib.util.find_spec(name) for name in ("httpx", "httpx2")):
            command += ["--ignore-missing-imports", "--allow-subclassing-any"]
        found = dict(os.environ, MYPYPATH=os.path.join(CLIENT, "src"))
        done = subprocess.run(
            command + [target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=found
        )
        self.assertEqual(done.returncode, 0, done.stdout.decode())

    @unittest.skipUnless(shutil.which("pyright"), "pyright is not installed")
    def test_pyright(self):
        """Finds the same lines wrong as mypy, at this level: each of them has a comment for both."""
        with folder() as path:
            file = os.path.join(path, "user.py")
            with open(file, "w", encoding="utf-8") as text:
                text.write(USER)
            settings = {"extraPaths": [os.path.join(CLIENT, "src")], "include": ["user.py"]}
            settings["enableTypeIgnoreComments"] = False
            with open(os.path.join(path, "pyrightconfig.json"), "w", encoding="utf-8") as text:
                json.dump(settings, text)
            command = ["pyright", "--outputjson", "--pythonpath", sys.executable, "-p", path]
            done = subprocess.run(command, stdout=subprocess.PIPE)
        found = json.loads(done.stdout)["generalDiagnostics"]
        wrong = {d["range"]["start"]["line"] for d in found if d["severity"] == "error"}
        marked = {n for n, line in enumerate(USER.splitlines()) if "# type: ignore" in line}
        self.assertEqual(wrong, marked, found)

    def test_strict(self):
        with folder() as path:
            self.check(path, os.path.join(CLIENT, "src", "turnkeeper"))
            with open(os.path.join(path, "user.py"), "w", encoding="utf-8") as text:
                text.write(USER)
            self.check(path, text.name)


if __name__ == "__main__":
    unittest.main()
