# SPDX-License-Identifier: Apache-2.0
"""The model's pairing of Responses: calls, outputs and batches (PROVIDERS.md 4.2)."""
import model_items as table

SWITCHED = {"function_call_output": "custom_tool_call", "custom_tool_call_output": "function_call"}


class Pairs:
    """Pairs outputs with calls, and keeps what is left over."""

    def __init__(self, items, server_state):
        self.items, self.server_state = items, server_state
        self.batch = {}       # index of a call -> the first index of its batch
        self.answer = {}      # call -> output
        self.answers = {}     # output -> call
        self.claims = {}      # output of the other type -> call
        self.repeated = []    # calls whose id an earlier call has
        self.wrong = []       # (code, output)
        ids = set()
        for n, item in enumerate(items):
            if table.is_call(item):
                self.batch[n] = self.batch.get(n - 1, n)
                if table.key(item) in ids:
                    self.repeated.append(n)
                if table.key(item):
                    ids.add(table.key(item))
            elif table.is_output(item) and table.key(item):
                self.place(n, item)

    def calls(self, n, key):
        """The calls before item n with that key."""
        return [k for k in sorted(self.batch) if k < n and table.key(self.items[k]) == key]

    def is_open(self, call):
        return call not in self.answer and call not in self.claims.values()

    def place(self, n, item):
        before = self.calls(n, table.key(item))
        fitting = [k for k in before if table.kind(item) in table.FITTING[table.kind(self.items[k])]]
        open_ = [k for k in fitting if self.is_open(k)]
        if open_:
            newest = max(self.batch[k] for k in open_)
            call = min(k for k in open_ if self.batch[k] == newest)
            self.answer[call], self.answers[n] = n, call
        elif fitting:
            self.wrong.append(("resp_output_duplicate", n))
        elif not self.server_state:
            others = [k for k in before if self.is_open(k)
                      and table.kind(self.items[k]) == SWITCHED.get(table.kind(item))]
            if others:
                self.claims[n] = others[-1]
            referred = not others and self.refers(n)
            self.wrong.append(("resp_item_reference_call" if referred else "resp_output_without_call", n))

    def refers(self, n):
        """True if a reference to a call is before item n."""
        return any(table.kind(item) == table.REFERENCE and isinstance(item.get("id"), str)
                   and item["id"].startswith(("fc", "ctc")) for item in self.items[:n])

    def unanswered(self):
        return [n for n in self.batch if self.is_open(n) and n not in self.repeated and table.key(self.items[n])]

    def apart(self):
        """Outputs that aren't in the row of outputs directly after their call's batch."""
        found = []
        for output, call in self.answers.items():
            end = call
            while end in self.batch:
                end += 1
            if not all(table.is_output(item) for item in self.items[end:output]) or output < end:
                found.append(output)
        return found
