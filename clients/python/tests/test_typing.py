# SPDX-License-Identifier: Apache-2.0
"""mypy --strict of the package, and of a program that uses it: run_sdk_tests.sh has a mypy for it."""

import importlib.util
import os
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
from turnkeeper.httpx import GuardTransport

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
    GuardTransport(httpx.HTTPTransport(), keeper=keeper, on_event=kinds)  # type: ignore[arg-type]
    return httpx.Client(transport=guard)

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

    def test_strict(self):
        with folder() as path:
            self.check(path, os.path.join(CLIENT, "src", "turnkeeper"))
            with open(os.path.join(path, "user.py"), "w", encoding="utf-8") as text:
                text.write(USER)
            self.check(path, text.name)


if __name__ == "__main__":
    unittest.main()
