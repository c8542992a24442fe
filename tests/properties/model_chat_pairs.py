# SPDX-License-Identifier: Apache-2.0
"""The model's pairing of Chat Completions: PROVIDERS.md 3."""
from model_openai import is_text


class Call:
    """A call of an assistant message; `part` counts on after the content's parts."""

    def __init__(self, message, part, value, first):
        self.message, self.part, self.value = message, part, value
        self.id = value.get("id") if is_text(value.get("id")) else None
        self.repeats = not first  # an earlier call of the message has the id
        self.answer = None        # index of the tool message that answers it
        self.claimed = False


class Pairs:
    """Pairs tool messages with calls, and keeps what is left over."""

    def __init__(self, messages, calls_of):
        self.messages = messages
        self.calls = {}       # message index -> its calls
        self.answers = {}     # index of a tool message -> its call
        self.by_position = set()
        self.repeated = []    # tool messages whose id one before them in their run has
        self.strays = []
        self.claims = {}      # index of a stray -> the call that it claims
        self.in_runs = set()
        for n, message in enumerate(messages):
            calls = calls_of(n, message)
            if calls:
                self.calls[n] = calls
                self.pair(calls, self.run(n))
        self.strays += [n for n, message in enumerate(messages)
                        if message.get("role") == "tool" and n not in self.in_runs]
        self.strays.sort()
        self.claim()

    def run(self, n):
        """Indexes of the tool messages directly after message n."""
        run = []
        for k in range(n + 1, len(self.messages)):
            if self.messages[k].get("role") != "tool":
                break
            run.append(k)
        self.in_runs.update(run)
        return run

    def id(self, n):
        value = self.messages[n].get("tool_call_id")
        return value if is_text(value) else None

    def take(self, n, call):
        call.answer = n
        self.answers[n] = call

    def pair(self, calls, run):
        ids = {call.id for call in calls if call.id}
        for n in run:
            open_ = [call for call in calls if call.id and call.id == self.id(n) and call.answer is None]
            if open_:
                self.take(n, open_[0])
        for n in run:
            if n in self.answers or self.id(n) in ids:
                continue
            open_ = [call for call in calls if call.answer is None and (self.id(n) is None or call.id is None)]
            if open_:
                self.take(n, open_[0])
                self.by_position.add(n)
        seen = set()
        for n in run:
            if self.id(n) in seen and (n in self.answers or self.id(n) in ids):
                self.repeated.append(n)
            elif n not in self.answers:
                self.strays.append(n)
            if self.id(n):
                seen.add(self.id(n))

    def claim(self):
        for n in self.strays:
            if not self.id(n):
                continue
            for m in sorted(self.calls, reverse=True):
                if m >= n:
                    continue
                free = [c for c in self.calls[m] if c.id == self.id(n) and c.answer is None and not c.claimed]
                if free:
                    free[-1].claimed = True
                    self.claims[n] = free[-1]
                    break
