# SPDX-License-Identifier: Apache-2.0
"""Objects in place of mappings: how they travel, that unedited ones come back, what can't be sent."""

import collections
import dataclasses
import datetime
import decimal
import json
import types
import unittest
from typing import Any, Optional

from support import CODECS, FakeDaemonTest, wire
from test_client import OK

import turnkeeper
from turnkeeper.sent import DEEPEST, misfit


class Model:
    """What pydantic's models have: members that were set, others, and names of the wire."""

    def __init__(self, **members):
        self.members = members

    def model_dump(self, *, mode="python", by_alias=False, exclude_unset=False, exclude=None):
        assert (mode, by_alias, exclude_unset) == ("json", True, True)
        return {
            name: item.model_dump(mode=mode, by_alias=by_alias, exclude_unset=exclude_unset)
            if isinstance(item, Model)
            else [i.model_dump(mode="json", by_alias=True, exclude_unset=True) for i in item]
            if isinstance(item, list)
            else item
            for name, item in self.members.items()
            if name not in (exclude or ())
        }


class Parsed(Model):
    __api_exclude__ = {"parsed_output"}


class Broken(Model):
    def model_dump(self, **_):
        raise RuntimeError("secret")


@dataclasses.dataclass
class Message:
    role: str
    content: Any
    name: Optional[str] = None


@dataclasses.dataclass
class Block:
    text: str
    type: str = "text"


class Lazy(collections.abc.Mapping):
    """A mapping that is no dict."""

    def __init__(self, **members):
        self.members = members

    def __getitem__(self, key):
        return self.members[key]

    def __iter__(self):
        return iter(self.members)

    def __len__(self):
        return len(self.members)


def text(said):
    return {"type": "text", "text": said}


def user(said):
    return {"role": "user", "content": said}


# Objects that a caller may have, and the members of them that are sent.
OBJECTS = [
    (Model(type="text", text="a"), text("a")),
    (Parsed(type="text", text="a", parsed_output=object()), text("a")),
    (Block("a"), text("a")),
    (Lazy(type="text", text="a"), text("a")),
    (types.MappingProxyType(text("a")), text("a")),
    (collections.OrderedDict(text("a")), text("a")),
    ({"when": datetime.datetime(2026, 1, 2, 3)}, {"when": "2026-01-02T03:00:00"}),
    ({"day": datetime.date(2026, 1, 2)}, {"day": "2026-01-02"}),
    ({"some": {"a": 1}.values(), "more": collections.deque([2])}, {"some": [1], "more": [2]}),
]
REMOVE = [{"op": "remove", "path": "/messages/1/content/0"}]
EDIT = {"code": "c", "action": "drop", "pointer": "/messages/1/content/0"}
EDITED = dict(OK, changed=True, patch=REMOVE, edits=[EDIT])
SEAL = {"v": 1}
ANSWERS = {
    "validate": {"valid": True, "message_count": 1, "part_count": 1, "violations": []},
    "repair": EDITED,
    "repair_turn": dict(EDITED, patch=[{"op": "remove", "path": "/content/0"}]),
    "prepare": EDITED,
    "splice": {"action": "continue", "notes": [], "patch": REMOVE},
    "tools": {"changed": True, "headers": {}, "betas": [], "added_betas": [], "notes": []},
    "seal": {"seal": SEAL},
    "stream.open": {"state": "open", "outputs": [], "carried": []},
    "stream.feed": {"state": "open", "outputs": []},
}
ANSWERS["validate"].update(counts={}, truncated=0)
ANSWERS["tools"].update(mcp_servers=[], patch=[{"op": "remove", "path": "/tools/0"}])


class SentTest(FakeDaemonTest):
    def answering(self, **options):
        """A client, and what its daemon was asked."""
        seen = []

        def script(peer):
            while True:
                request = peer.read()
                if request is None:
                    return
                seen.append(request["params"])
                peer.result(request, ANSWERS[request["method"]])

        return self.client(self.daemon(script), **options), seen


class Objects(SentTest):
    def test_as_the_sdk_sends_them(self):
        for codec in CODECS + ["auto"]:
            client, seen = self.answering(codec=codec)
            for value, want in OBJECTS:
                with self.subTest(codec=codec, value=type(value).__name__):
                    client.validate([user([value])])
                    self.assertEqual(seen[-1]["messages"], [user([want])])

    def test_none_by_default_is_not_set(self):
        client, seen = self.answering()
        client.validate([Message("user", "q"), Message("user", None, "n")])
        want = [user("q"), {"role": "user", "content": None, "name": "n"}]
        self.assertEqual(seen[-1]["messages"], want)

    def test_repair_gives_the_objects_back(self):
        blocks = [Model(type="text", text="a"), Block("b")]
        for edited, shared in (
            (Message("assistant", blocks), True),
            ({"role": "assistant", "content": blocks}, True),
            (Lazy(role="assistant", content=tuple(blocks)), True),
            (Model(role="assistant", content=[Model(type="text", text="a")] * 2), False),
        ):
            with self.subTest(type(edited).__name__):
                client, _ = self.answering()
                messages = [Message("user", "q"), edited, Model(role="user", content="n")]
                for document in (messages, tuple(messages), {"messages": messages}):
                    fixed = client.repair(document).messages
                    self.assertIs(fixed[0], messages[0])
                    self.assertIs(fixed[2], messages[2])
                    self.assertEqual(fixed[1]["role"], "assistant")
                    self.assertEqual(len(fixed[1]["content"]), 1)
                    self.assertEqual(fixed[1]["content"][0] is blocks[1], shared)
        self.assertEqual(len(blocks), 2)

    def test_whole_bodies_that_are_objects(self):
        messages = [user("q"), {"role": "assistant", "content": [text("a"), text("b")]}]
        for body in (Model(model="m", messages=[]), Lazy(model="m", messages=messages)):
            client, seen = self.answering()
            body.members["messages"] = messages if isinstance(body, Lazy) else []
            client.validate(body)
            self.assertEqual(seen[-1]["request"]["model"], "m")
        prepared = client.prepare(Lazy(model="m", messages=messages))
        self.assertEqual(prepared.request["model"], "m")
        self.assertEqual(prepared.messages[1]["content"], [text("b")])
        self.assertIs(prepared.messages[0], messages[0])

    def test_every_method(self):
        turn = Model(role="assistant", content=[Block("a")] and [Model(**text("a"))] * 2)
        sent = {"role": "assistant", "content": [text("a")] * 2}
        history = [Message("user", "q"), turn]
        client, seen = self.answering()
        client.seal(turn, request=Model(messages=[]))
        self.assertEqual(seen[-1], {"message": sent, "request": {"messages": []}})
        client.seal([Block("a")])
        self.assertEqual(seen[-1], {"content": [text("a")]})
        self.assertEqual(len(client.repair_turn([Block("a"), Block("b")]).content), 1)
        self.assertEqual(seen[-1]["content"], [text("a"), text("b")])
        client.splice(history, turn, tool_results=[Block("r")], appended=[Message("user", "n")])
        self.assertEqual(seen[-1]["messages"], [user("q"), sent])
        self.assertEqual(seen[-1]["assistant"], sent)
        self.assertEqual(seen[-1]["tool_results"], [text("r")])
        tools = client.tools([Model(name="f"), Model(name="g")], add=[Model(name="h")]).tools
        self.assertEqual([type(tool) for tool in tools], [Model])
        self.assertEqual(seen[-1]["add"], [{"name": "h"}])
        client.prepare({"messages": history}, splice={"assistant": turn})
        self.assertEqual(seen[-1]["splice"], {"assistant": sent})
        for body in ({"messages": history}, Lazy(messages=history), b'{"messages": []}'):
            with client.stream(request=body):
                self.assertEqual(seen[-1]["request"]["messages"], [] if isinstance(body, bytes) else [user("q"), sent])
        with client.stream(history=history) as stream:
            self.assertEqual(seen[-1]["history"], [user("q"), sent])
            for chunk in (Model(type="ping"), [Model(type="ping")], [{"type": "ping"}]):
                stream.feed(chunk)
                self.assertEqual(seen[-1]["events"], [{"type": "ping"}])


class Misfits(SentTest):
    def test_place_and_type(self):
        ones = iter([1])
        for value, what in (
            (object(), "object"),
            ({1}, "set"),
            (b"x", "bytes"),
            (decimal.Decimal(1), "Decimal"),
            (float("nan"), "float"),
            (ones, "iterator"),
            (Model, "type"),
            (Broken(), "Broken: its model_dump() raised RuntimeError"),
            (Message("user", object()), "object"),
            ({b"k": 1}, "key that is a bytes"),
        ):
            for codec in CODECS + ["auto"]:
                with self.subTest(what, codec=codec):
                    client, seen = self.answering(codec=codec)
                    with self.assertRaises(turnkeeper.EncodeError) as caught:
                        client.repair([user("q"), user([text("a"), value])])
                    place = "/params/messages/1/content/1"
                    self.assertTrue(caught.exception.pointer.startswith(place))
                    self.assertIn("at " + place, str(caught.exception))
                    self.assertIn(what, str(caught.exception))
                    self.assertEqual(seen, [])
                    self.assertNotIn("secret", str(caught.exception))

    def test_the_pointer_is_whole_and_the_text_has_no_keys_of_a_tools_input(self):
        call = {"type": "tool_use", "id": "i", "name": "f", "input": {"mail@x": [{"a/b": {1}}]}}
        client, _ = self.answering()
        with self.assertRaises(turnkeeper.EncodeError) as caught:
            client.repair([{"role": "assistant", "content": [call]}])
        whole = "/params/messages/0/content/0/input/mail@x/0/a~1b"
        self.assertEqual(caught.exception.pointer, whole)
        self.assertIn("at /params/messages/0/content/0/input/…/0/…)", str(caught.exception))

    def test_whole_objects(self):
        client, _ = self.answering()
        for call in (client.repair, client.prepare, client.seal, client.tools):
            with self.assertRaises(turnkeeper.EncodeError) as caught:
                call(Broken())
            self.assertIn("Broken", str(caught.exception))

    def test_cycles_and_depth(self):
        cycle = {}
        cycle["a"] = [cycle]
        deep = []
        for _ in range(DEEPEST + 200):
            deep = [deep]

        class Endless(Model):
            def model_dump(self, **_):
                return self

        for value in (cycle, deep, Endless()):
            with self.assertRaises(turnkeeper.EncodeError):
                wire.encode_json(value)
        self.assertIn("nested too deeply", misfit(cycle)[1])
        self.assertIsNone(misfit([OBJECTS, {"a": (1, None, True, "b", 0.5)}]))

    def test_the_first_in_document_order(self):
        self.assertEqual(misfit({"a": [1, {"b": 2}], "c": [{1}], "d": {2}})[0], "/c/0")


class Patched(unittest.TestCase):
    def test_operations_see_what_was_sent(self):
        document = {"m": [Message("user", [Block("a"), Block("b")])]}
        for op, want in (
            ({"op": "test", "path": "/m/0", "value": user([text("a"), text("b")])}, None),
            ({"op": "replace", "path": "/m/0/content/1/text", "value": "c"}, ["a", "c"]),
            ({"op": "move", "from": "/m/0/content/0", "path": "/m/0/content/1"}, ["b", "a"]),
            ({"op": "copy", "from": "/m/0/content/0", "path": "/m/0/content/-"}, ["a", "b", "a"]),
        ):
            with self.subTest(op["op"]):
                made = turnkeeper.apply_patch(document, [op])
                if want is None:
                    self.assertIs(made["m"][0], document["m"][0])
                    continue
                got = json.loads(wire.encode_json(made))["m"][0]["content"]
                self.assertEqual([block["text"] for block in got], want)
        wrong = {"op": "test", "path": "/m/0/role", "value": "assistant"}
        with self.assertRaises(turnkeeper.PatchError):
            turnkeeper.apply_patch(document, [wrong])


if __name__ == "__main__":
    unittest.main()
