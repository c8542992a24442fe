# SPDX-License-Identifier: Apache-2.0
"""A client that lives through restarts of its daemon, and counts what became of each request."""
from harness import Client, Closed, encode, error_name


class Caller:
    """A client as DAEMON section 4 wants it: a request is sent again at most once, on a new connection, and only if
    the old one closed before any byte of the answer.

    counts: requests that were answered, answers `draining`, requests sent again, and a list of those that are lost:
    the reason of each.
    """

    def __init__(self, path):
        self.path = path
        self.client = None
        self.counts = {"answered": 0, "draining": 0, "resent": 0, "lost": []}

    def attempt(self, payload):
        """The answer, or None if the connection closed before any byte of it."""
        if self.client is None:
            self.client = Client(self.path)
        try:
            self.client.send(payload)
            return self.client.receive()
        except (Closed, ConnectionError) as why:
            partly = self.client.buffer
            self.hang_up()
            if partly:
                raise AssertionError("an answer broke off: %s" % why) from why
            return None

    def call(self, document):
        """Sends a request, which is a document with an id, and counts its fate. Returns the answer or None."""
        try:
            payload = encode(document)
            answer = self.attempt(payload)
            if answer is None:
                self.counts["resent"] += 1
                answer = self.attempt(payload)
        except Exception as why:  # pylint: disable=broad-except
            self.counts["lost"].append(repr(why))
            self.hang_up()
            return None
        self.count(document, answer)
        return answer

    def hang_up(self):
        if self.client is not None:
            self.client.close()
            self.client = None

    def count(self, document, answer):
        if answer is None:
            self.counts["lost"].append("closed twice")
        elif answer["id"] != document["id"]:
            self.counts["lost"].append("somebody else's answer")
        elif "error" not in answer:
            self.counts["answered"] += 1
        elif error_name(answer) == "draining":
            self.counts["draining"] += 1
        else:
            self.counts["lost"].append(error_name(answer))
