#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One answer everywhere: whichever way a history takes to the rules, they say the same.

Ways: JSON frames, msgpack frames, lines, many connections at once, the program's embedded core and its
--socket; two daemons with 1 and 8 workers, each with a hash key of its own. JSON answers must agree
byte by byte, msgpack ones value by value.
"""
import hashlib
import json
import re
import os
import random
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [TESTS, os.path.join(TESTS, "properties"), os.path.join(TESTS, "conformance")]
import histories  # noqa: E402
import spans  # noqa: E402
import wire  # noqa: E402
import run_cases  # noqa: E402
from daemon import Daemon  # noqa: E402

PROGRAM = os.environ.get("TURNKEEPER", "turnkeeper")
GENERATED = int(os.environ.get("TK_ONE_ANSWER_COUNT", "400"))
CASES = ("validate", "repair", "protected_turn")
PLAIN = {"provider", "dialect", "policy", "guard", "return", "messages", "max_violations"}
POLICIES = [None, "preserve", {"base": "preserve", "orphan_call": "error_result", "merge_adjacent": "all"},
            {"duplicate_id": "keep_first", "unknown_tools": "error"}]
WORKERS = (1, 8)
MAX = 100000


LONE = re.compile("[\ud800-\udfff]")


class Question:
    """A history, and how to judge it. text: the messages on one line."""

    def __init__(self, name, dialect, policy, guard, messages):
        self.name, self.dialect, self.policy, self.guard = name, dialect, policy, guard
        self.messages = messages
        self.text = json.dumps(messages, ensure_ascii=False)
        if self.text.encode("utf-8", "replace") != self.text.encode("utf-8", "surrogatepass"):
            self.text = json.dumps(messages)  # lone surrogates are only read as escapes

    def options(self):
        """Parameters that several questions may share."""
        return self.dialect, json.dumps(self.policy, sort_keys=True), self.guard

    def params(self, **more):
        rest = {"dialect": self.dialect, "max_violations": MAX, **more}
        if self.policy is not None:
            rest["policy"] = self.policy
        return rest

    def params_text(self, **more):
        return '%s,"messages":%s}' % (json.dumps(self.params(**more))[:-1], self.text)


def requests(question):
    """(method, more parameters): what is asked about every question."""
    yield "validate", {}
    for form in ("patch", "messages", "report"):
        yield "repair", {"guard": question.guard, "return": form}


def from_cases():
    for name in CASES:
        for case in run_cases.read(name):
            for i, step in enumerate(case.get("steps") or [case]):
                params = step.get("params", {})
                if set(params) <= PLAIN and "__repeat__" not in json.dumps(params) and \
                        isinstance(params.get("messages"), list):
                    yield Question("%s %s %d" % (name, case["name"], i), params.get("dialect", "anthropic"),
                                   params.get("policy"), params.get("guard", True), params["messages"])


def generated():
    for i in range(GENERATED):
        rng = random.Random("one answer %d" % i)
        h = histories.draw(rng)
        yield Question("generated %d" % i, h.dialect, POLICIES[i % len(POLICIES)], i % 3 != 0, h.value())


def outcome(raw):
    """The bytes of result or error in a JSON answer."""
    node = spans.Node(raw.decode("utf-8", "surrogatepass"))
    return (node.get("result") or node.get("error")).text


def spelled(members):
    return "{%s}" % ",".join('%s:%s' % member for member in members)


def finding_in(node):
    """Of a row's finding: what the result has no member for is null there."""
    return spelled((key, item.text) for key, item in zip(node.open().keys, node.items)
                   if item.text != "null" or key in ('"message_index"', '"part_index"'))


def result_in(row):
    """The bytes of the result that a row of `validate --json` spells as a table (src/cli/io/json_rows.h)."""
    node = spans.Node(row)
    rewritten = {
        "violations": "[%s]" % ",".join(map(finding_in, node.get("violations").open().items)),
        "counts": spelled((c.get("code").text, c.get("count").text) for c in node.get("counts").open().items),
    }
    names = ("valid", "message_count", "part_count", "protected", "violations", "counts", "truncated")
    return spelled((json.dumps(name), rewritten.get(name) or node.get(name).text) for name in names)


def known_to(path):
    """True if this build knows the parameters: those of later releases are refused."""
    with wire.Wire(path) as w:
        return [q for q in [*from_cases(), *generated()]
                if w.ask("validate", q.params_text()).error is None]


class OneAnswer(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.daemons = []
        for workers in WORKERS:
            cls.daemons.append(Daemon("--workers", str(workers)))
            cls.addClassCleanup(cls.daemons[-1].stop)
        cls.questions = known_to(cls.daemons[0].socket)
        cls.answers = {}
        with wire.Wire(cls.daemons[0].socket) as w:
            for q in cls.questions:
                cls.answers[q.name] = [outcome(w.ask(m, q.params_text(**more)).raw) for m, more in requests(q)]

    def wanted(self, question, method, form=None):
        """The outcome that all must give, parsed."""
        index = [(m, more.get("return")) for m, more in requests(question)].index((method, form))
        return json.loads(self.answers[question.name][index])

    def compare(self, question, index, got):
        want = self.answers[question.name][index]
        self.assertEqual(got, want, "%s (%s), request %d" % (question.name, question.text[:2000], index))

    def test_there_are_questions(self):
        names = [q.name for q in self.questions]
        self.assertGreater(len(names), GENERATED + 100)

    def test_frames_of_every_daemon(self):
        for daemon in self.daemons:
            with wire.Wire(daemon.socket) as w:
                for q in self.questions:
                    for i, (method, more) in enumerate(requests(q)):
                        self.compare(q, i, outcome(w.ask(method, q.params_text(**more)).raw))

    def test_many_connections(self):
        """Requests of one history wait in different workers at the same time."""
        connections = [wire.Wire(self.daemons[1].socket) for _ in range(16)]
        waiting = []
        for n, q in enumerate(self.questions):
            for i, (method, more) in enumerate(requests(q)):
                w = connections[(4 * n + i) % len(connections)]
                w.send(method, q.params_text(**more))
                waiting.append((w, q, i))
            if len(waiting) >= 4 * len(connections):
                self.collect(waiting)
                waiting = []
        self.collect(waiting)
        for w in connections:
            w.close()

    def collect(self, waiting):
        for w, q, i in waiting:
            self.compare(q, i, outcome(w.receive()))

    def test_lines(self):
        for daemon in self.daemons:
            with wire.connected(daemon.socket) as s, s.makefile("rwb") as stream:
                for q in self.questions:
                    for i, (method, more) in enumerate(requests(q)):
                        stream.write(b'{"id":1,"method":"%s","params":%s}\n' % (
                            method.encode(), q.params_text(**more).encode()))
                        stream.flush()
                        self.compare(q, i, outcome(stream.readline()))

    def test_msgpack(self):
        for daemon in self.daemons:
            with wire.Wire(daemon.socket) as w:
                for q in self.questions:
                    if LONE.search(json.dumps(q.messages, ensure_ascii=False)):
                        continue  # msgpack can't hold half a surrogate pair
                    for method, more in requests(q):
                        got = w.ask_msgpack(method, {**q.params(**more), "messages": q.messages})
                        want = self.wanted(q, method, more.get("return"))
                        self.assertEqual(self.plain(got.result or got.error, q), self.plain(want, q), q.text)

    def plain(self, outcome_value, question):
        """Spelled out, for 1 isn't 1.0 and true isn't 1; the digest is over the codec's own bytes."""
        protected = outcome_value.get("protected")
        if isinstance(protected, dict):
            message = question.messages[protected["message_index"]]
            codecs = [json.dumps(message, ensure_ascii=False).encode(), wire.RUNNER.mp_enc(message)]
            self.assertIn(protected["sha256"], [hashlib.sha256(c).hexdigest() for c in codecs])
            outcome_value = {**outcome_value, "protected": protected["message_index"]}
        return json.dumps(outcome_value, sort_keys=True)

    # ---- the program ----

    def groups(self):
        found = {}
        for q in self.questions:
            found.setdefault(q.options(), []).append(q)
        return found.values()

    def run_program(self, command, group, *options):
        """Its standard output, one line for each question of the group."""
        q = group[0]
        more = ["--dialect", q.dialect] + (["--policy", json.dumps(q.policy) if isinstance(q.policy, dict)
                                            else q.policy] if q.policy else [])
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as f:
            f.write("".join(q.text + "\n" for q in group))
            f.flush()
            done = subprocess.run([PROGRAM, command, "--jsonl", *more, *options, f.name],
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        lines = done.stdout.decode("utf-8", "surrogatepass").split("\n")
        self.assertEqual(len(lines), len(group) + 1)
        return lines

    def program_validates(self, *options):
        for group in self.groups():
            lines = self.run_program("validate", group, "--json", "--max-violations", str(MAX), *options)
            for q, line in zip(group, lines):
                self.compare(q, 0, result_in(line))

    def program_repairs(self, *options):
        for group in self.groups():
            guard = [] if group[0].guard else ["--no-guard"]
            for q, line in zip(group, self.run_program("repair", group, "--quiet", *guard, *options)):
                node = spans.Node(self.answers[q.name][2])
                messages = node.get("messages")
                self.assertEqual(line, messages.text if messages else q.text, q.name)

    def test_embedded_validate(self):
        self.program_validates()

    def test_embedded_repair(self):
        self.program_repairs()

    def test_program_asks_daemon_to_validate(self):
        for daemon in self.daemons:
            self.program_validates("--socket", daemon.socket)

    def test_program_asks_daemon_to_repair(self):
        for daemon in self.daemons:
            self.program_repairs("--socket", daemon.socket)


if __name__ == "__main__":
    unittest.main()
