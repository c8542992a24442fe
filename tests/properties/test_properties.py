#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The laws of laws.py, edit_laws.py and turn_laws.py over random histories, the same ones at every run.

TK_PROPERTY_COUNT and TK_PROPERTY_SEED ask for more or other ones; hunt.py does so by hand.
"""
import json
import os
import unittest

import histories
import hunt
import turn_laws

COUNT = int(os.environ.get("TK_PROPERTY_COUNT", "3000"))
SEED = os.environ.get("TK_PROPERTY_SEED", "turnkeeper")


class Properties(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.target = hunt.Target()
        cls.addClassCleanup(cls.target.stop)
        cls.hunt = hunt.Hunt(cls.target, SEED)
        cls.hunt.run(0, COUNT)

    def holds(self, law):
        count, first = self.hunt.failures.get(law.__name__, (0, None))
        self.assertEqual(count, 0, "%d of %d histories break it. The first:\n%s" % (count, COUNT, first))


def history(dialect, policy, *messages):
    """A history of messages given as (role, parts)."""
    return histories.History(dialect, [
        histories.Message('{"role":"%s","content":' % role, [json.dumps(p) for p in parts], "}")
        for role, parts in messages], policy, True)


def message(head, *parts):
    """A message whose other members are written in `head`."""
    return histories.Message('{%s,"content":' % head, [json.dumps(p) for p in parts], "}")


class Found(unittest.TestCase):
    """Histories that broke a law once."""

    def check(self, *of):
        self.check_history(history(*of))

    def check_history(self, found):
        target = hunt.Target()
        self.addCleanup(target.stop)
        self.assertEqual(list(hunt.broken(target, found, [], hunt.LAWS)), [])

    def test_a_compaction_between_a_call_and_its_result(self):
        """The summary takes along what is before it; the result of a call there goes, too."""
        call = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
        summary = {"type": "compaction", "content": "before", "signature": "c2ln"}
        result = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
        question, end = {"type": "text", "text": "q"}, {"type": "text", "text": "end"}
        self.check("anthropic", "preserve", ("user", [question]), ("assistant", [call, summary, result, end]),
                   ("user", [question]))
        self.check("anthropic", "preserve", ("user", [question]), ("assistant", [call]),
                   ("assistant", [summary, result, end]), ("user", [question]))


    def test_a_message_with_unknown_members_is_not_merged(self):
        """It stays, and nothing merges into it while those members are all that it says."""
        empty, text = message('"role":"user"'), message('"role":"user"', {"type": "text", "text": "q"})
        bare, kept = message('"role":"user"'), message('"role":"user","x":1')
        for messages in ([empty, kept], [text, kept, empty], [kept, bare, text], [text, empty, kept, text]):
            self.check_history(histories.History("anthropic", messages, {"merge_adjacent": "all"}, True))

    def test_a_block_with_unknown_members_stays(self):
        """It lacks a required member, but may be newer than the table of blocks."""
        for block in ({"type": "fallback", "x": {}}, {"type": "image", "x": None}, {"type": "image", "index": 0},
                      {"type": "search_result", "title": "t", "x": 1}):
            for role in ("user", "assistant"):
                self.check("anthropic", {}, (role, [block]))

    def test_blocks_leave_a_result_only_in_a_user_turn(self):
        """A system message that can't move has no place for them."""
        result = {"type": "tool_result", "content": [{"type": "tool_reference"}, {}]}
        self.check("anthropic", {}, ("system", [result]))

    def test_the_only_message_with_a_role_stays(self):
        """Without it the next request would be refused: the list would be no history."""
        of = [message('"role":"assistant"'), message('"refusal":"no"')]
        self.check_history(histories.History("anthropic", of, None, False))


    def test_a_result_of_a_carried_call_that_names_mcp(self):
        """The call says whose it is, not the result."""
        result = {"type": "tool-result", "toolCallId": "srvtoolu_1",
                  "providerOptions": {"anthropic": {"type": "mcp-tool-use"}}}
        carried = [{"id": "srvtoolu_1", "name": "web_search", "type": "server_tool_use"}]
        target = hunt.Target()
        self.addCleanup(target.stop)
        turn = (history("ai-sdk", "preserve", ("assistant", [result])), None, carried)
        self.assertEqual(list(hunt.broken_turn(target, turn, turn_laws.LAWS)), [])


def add_verdict(law):
    def verdict(self):
        self.holds(law)
    verdict.__doc__ = law.__doc__
    setattr(Properties, "test_" + law.__name__, verdict)


for _law in [hunt.lives] + hunt.LAWS + turn_laws.LAWS:
    add_verdict(_law)

if __name__ == "__main__":
    unittest.main()
