#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The SDKs for Python and TypeScript read what emit: "sse" gives and build the message that stream.end gives.

    streams of the cases --> daemon --> recordings --> Messages API on localhost --> reader.py, reader.mjs --> verdicts

One verdict per case and API of an SDK. The SDKs are where install.sh put them: $TK_SDK_FOLDER, or sdk in
the build folder; one that isn't there is skipped with the reason.
"""
import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import messages_api  # noqa: E402
import recordings  # noqa: E402
import daemon  # noqa: E402

FOLDER = os.environ.get("TK_SDK_FOLDER") or os.path.join(os.environ.get("top_builddir", "."), "sdk")
READ_SECONDS = 300

# Streams whose content differs by specification.
APART = {"invalid_client_input", "unstopped_block"}

# What an SDK can't read, filtered or not: by case, of which `provider_input`, in which APIs, why. Its reading
# of the filtered stream must then be its reading of the one that was fed; a row that isn't needed fails.
WHOLE, DELTAS = {recordings.WHOLE}, {recordings.DELTAS}
PLAIN = {"Python", "TypeScript"}
EVERY = PLAIN | {"PythonBeta", "TypeScriptBeta"}
NO_LIST = "blocks are appended unseen to the message's `content`, which is no list here"
FAMILIES = "deltas of an input are gathered for the call types only that the API knows"
NO_INPUT = "without a delta the `input` of the start stays as it is, absent or null"
LIMITS = {
    "compaction": (WHOLE, PLAIN, "the beta API alone knows compaction_delta"),
    "sse-multi-line-data-in-events-form": (WHOLE, EVERY, NO_LIST),
    "wrong-types-elsewhere-count-as-absent": (WHOLE, EVERY, NO_LIST),
    "finish-usage-without-any": (WHOLE, EVERY, NO_LIST),
    "message-delta-without-delta": (WHOLE, EVERY, "members of the absent `delta` are read unseen"),
    "stop-reason-is-not-lost-by-a-later-null": (WHOLE | DELTAS, EVERY, "the last message_delta counts, even null"),
    "finish-usage-strange-counters": (WHOLE, EVERY, "a counter beyond 2^53 is taken as it comes"),
    "input-start-absent": (DELTAS, EVERY, NO_INPUT),
    "input-start-null": (DELTAS, EVERY, NO_INPUT),
    "mcp-pair": (DELTAS, PLAIN, FAMILIES),
    "mcp-result-is-an-error": (DELTAS, PLAIN, FAMILIES),
    "unknown-family-error-result": (DELTAS, EVERY, FAMILIES),
    "unknown-family-pairs-by-shape": (DELTAS, EVERY, FAMILIES),
}


def setUpModule():
    """All recordings, once for all SDKs, and the API that streams them."""
    global api, streams
    streams, bodies = {}, {}
    with daemon.Daemon() as own:
        for case in recordings.cases():
            for n, stream in enumerate(recordings.variants(own.socket, case)):
                name = "%s/%d-%s" % (case["name"], n, stream.way)
                streams.setdefault(case["name"], {})[name] = stream
                bodies[name], bodies[name + "/fed"] = stream.filtered, stream.fed
    api = messages_api.MessagesApi(bodies)
    unittest.addModuleCleanup(api.stop)


def read_all(command, names):
    """{name: what the reader answered}"""
    run = subprocess.run(command, input="".join(name + "\n" for name in names), stdout=subprocess.PIPE,
                         encoding="utf-8", timeout=READ_SECONDS, check=True,
                         env=dict(os.environ, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1", PYTHONWARNINGS="ignore"))
    return {answer["name"]: answer for answer in map(json.loads, run.stdout.splitlines())}


def outcome(answer):
    """Returns the part of an answer that is compared: an error, or what `expected` gives of a stream's end."""
    if "error" in answer:
        return answer["error"]
    message = answer["message"]
    return {"content": message["content"], "stop_reason": message["stop_reason"],
            "output_tokens": (message.get("usage") or {}).get("output_tokens")}


def expected(stream):
    finish = stream.end["finish"]
    return {"content": stream.end["message"]["content"], "stop_reason": finish["stop_reason"],
            "output_tokens": finish["usage"]["output_tokens"]}


def in_doubles(value):
    """The value as a program sees it whose only numbers are doubles."""
    if isinstance(value, dict):
        return {key: in_doubles(member) for key, member in value.items()}
    if isinstance(value, list):
        return [in_doubles(member) for member in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Sdk:
    """One API of one SDK. Subclasses: sdk, its folder; command; which API; sees, what it makes of numbers."""

    @staticmethod
    def sees(value):
        return value

    @classmethod
    def setUpClass(cls):
        cls.skip_unless_installed()
        fed = {name + "/fed" for case in streams for name, stream in streams[case].items()
               if cls.reads_as_fed(case, stream)}
        command = [part.format(here=HERE, folder=FOLDER) for part in cls.command]
        cls.answers = read_all(command + [api.url, cls.which], sorted(fed.union(*streams.values())))

    @classmethod
    def skip_unless_installed(cls):
        reason = os.path.join(FOLDER, cls.sdk + ".skip")
        if os.path.exists(reason):
            with open(reason, encoding="utf-8") as f:
                raise unittest.SkipTest("SDK for %s: %s" % (cls.sdk, f.read().strip()))
        if not os.path.exists(os.path.join(FOLDER, cls.sdk, "pinned")):
            raise unittest.SkipTest("SDK for %s: not installed, see tests/sdk/README.md" % cls.sdk)

    @classmethod
    def is_limited(cls, case, stream):
        ways, apis, _ = LIMITS.get(case, ((), (), ""))
        return stream.way in ways and cls.__name__ in apis

    @classmethod
    def reads_as_fed(cls, case, stream):
        return cls.is_limited(case, stream) or bool(APART & set(stream.end["warnings"]))

    def judge(self, case):
        for name, stream in streams[case].items():
            got, want = self.sees(outcome(self.answers[name])), self.sees(expected(stream))
            if not self.reads_as_fed(case, stream):
                self.assertEqual(got, want, name)
                continue
            self.assertEqual(got, self.sees(outcome(self.answers[name + "/fed"])), name)
            if self.is_limited(case, stream):
                self.assertNotEqual(got, want, "%s can be read: its row in LIMITS isn't needed" % name)


class Python(Sdk, unittest.TestCase):
    sdk, which = "python", "messages"
    command = ("{folder}/python/bin/python", "-B", "{here}/reader.py")


class PythonBeta(Python):
    which = "beta"


class TypeScript(Sdk, unittest.TestCase):
    sdk, which = "typescript", "messages"
    command = ("node", "{here}/reader.mjs", "{folder}/typescript/")
    sees = staticmethod(in_doubles)


class TypeScriptBeta(TypeScript):
    which = "beta"


def add_verdicts():
    for case in recordings.cases():
        for sdk in (Python, TypeScript):
            def verdict(self, name=case["name"]):
                self.judge(name)
            setattr(sdk, "test_" + case["name"].replace("-", "_"), verdict)


add_verdicts()

if __name__ == "__main__":
    unittest.main()
