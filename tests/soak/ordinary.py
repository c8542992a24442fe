# SPDX-License-Identifier: Apache-2.0
"""Clients that mean well: they hold conversations and compare each answer with the first one to the same request."""
import hashlib
import json

from documents import ABOUT_THE_DAEMON, RUNNER, answer_of, request_of
from harness import Client, Closed

RATE = 100  # conversations a second


class Refused(Exception):
    """The daemon can't serve the request now, and says that a later try may succeed."""


def same_part(method, document):
    """The part of an answer that is equal each time, for the methods that tell about the daemon."""
    result = document.get("result")
    if result is None:  # a refusal, for example of a parameter
        return document
    if method == "info":  # limits change with each reload
        return {key: value for key, value in result.items() if key != "limits"}
    if method in ("health", "stats"):
        return sorted(result)
    return result


def digest(method, payload):
    if method in ABOUT_THE_DAEMON:
        payload = json.dumps(same_part(method, answer_of(payload)), sort_keys=True).encode()
    return hashlib.sha256(payload).digest()


def exchange(client, payload):
    """Sends a request. Even if the daemon doesn't read it, its answer may be there already."""
    try:
        client.send(payload)
    except ConnectionError:
        pass
    return client.receive_bytes()


class Talker:
    """Holds conversations with the daemon at a path and remembers a digest of each first answer."""

    def __init__(self, path, tally):
        self.path, self.tally, self.first = path, tally, {}

    @staticmethod
    def ask(client, payload):
        """The bytes of the answer."""
        try:
            answer = exchange(client, payload)
        except (Closed, ConnectionError):
            # A daemon with too many connections says so in a frame, before it knows what the client speaks.
            if b'"busy"' in client.buffer:
                raise Refused() from None
            raise
        if b"retryable" in answer and answer_of(answer).get("error", {}).get("data", {}).get("retryable"):
            raise Refused()
        return answer

    def hold(self, conversation):
        """All steps of a conversation; counts its answers."""
        outputs = []
        with Client(self.path, lines=conversation["codec"] == "line") as client:
            for n, step in enumerate(conversation["steps"]):
                payload = request_of(step["method"], step["params"], conversation["codec"])
                answer = self.ask(client, payload)
                self.compare(conversation, n, answer, outputs)

    def compare(self, conversation, n, answer, outputs):
        step, key = conversation["steps"][n], (conversation["number"], n)
        found = digest(step["method"], answer)
        if key not in self.first:
            self.judge(conversation["name"], step, answer_of(answer), outputs)
            self.first[key] = found
        elif self.first[key] != found:
            self.tally.count("wrong")
            self.tally.fail("another answer to step %d of %s in %s" % (n, conversation["name"], conversation["codec"]))
        self.tally.count("answers")
        self.tally.count("answers_" + step["method"])

    def judge(self, name, step, document, outputs):
        """The first answer has to be what the case expects."""
        if isinstance(document.get("result"), dict):
            outputs += document["result"].get("outputs") or []
        differences = RUNNER.check(step.get("expect") or {}, document, step["params"], outputs)
        if differences:
            self.tally.count("wrong")
            self.tally.fail("%s: %s" % (name, differences[:3]))

    def converse(self, conversation):
        """hold(), and what went wrong is counted."""
        try:
            self.hold(conversation)
        except Refused:
            self.tally.count("refused")
        except (Closed, OSError) as why:
            self.tally.count("lost")
            self.tally.fail("%s: no answer: %r" % (conversation["name"], why))


def talk(path, conversations):
    """The work of a process: all conversations again and again."""
    def work(tally, stop):
        talker = Talker(path, tally)
        while True:
            for conversation in conversations:
                if stop.wait(1 / RATE):
                    return
                talker.converse(conversation)
    return work
