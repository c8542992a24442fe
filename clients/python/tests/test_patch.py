# SPDX-License-Identifier: Apache-2.0
"""JSON Patch: the standard's operations, what is shared, what it costs."""

import copy
import random
import unittest

import support  # noqa: F401

from turnkeeper import PatchError, apply_patch


def op(name, path, **more):
    return dict(more, op=name, path=path)


class Standard(unittest.TestCase):
    apply = staticmethod(apply_patch)

    # (document, patch, result), after the examples of RFC 6902 appendix A
    GOOD = [
        ({"a": 1}, [], {"a": 1}),
        ({"foo": "bar"}, [op("add", "/baz", value="qux")], {"foo": "bar", "baz": "qux"}),
        ({"foo": [1, 3]}, [op("add", "/foo/1", value=2)], {"foo": [1, 2, 3]}),
        ({"foo": [1]}, [op("add", "/foo/-", value=[2])], {"foo": [1, [2]]}),
        ({"foo": [1]}, [op("add", "/foo/1", value=2)], {"foo": [1, 2]}),
        ({"foo": 1, "b": 2}, [op("remove", "/b")], {"foo": 1}),
        ({"foo": [1, 2, 3]}, [op("remove", "/foo/1")], {"foo": [1, 3]}),
        ({"foo": 1}, [op("replace", "/foo", value=None)], {"foo": None}),
        ({"foo": [1, 2]}, [op("replace", "/foo/1", value=3)], {"foo": [1, 3]}),
        (
            {"a": {"x": 1}, "b": {}},
            [op("move", "/b/y", **{"from": "/a/x"})],
            {"a": {}, "b": {"y": 1}},
        ),
        ({"f": [1, 2, 3, 4]}, [op("move", "/f/3", **{"from": "/f/1"})], {"f": [1, 3, 4, 2]}),
        ({"f": [1, 2, 3, 4]}, [op("move", "/f/0", **{"from": "/f/3"})], {"f": [4, 1, 2, 3]}),
        ({"a": [1]}, [op("copy", "/b", **{"from": "/a"})], {"a": [1], "b": [1]}),
        ({"a": 1}, [op("move", "/a", **{"from": "/a"})], {"a": 1}),
        ({"a": {"b": 1}}, [op("test", "/a", value={"b": 1.0})], {"a": {"b": 1}}),
        ({"a": [1]}, [op("add", "/a/0", value=0), op("test", "/a", value=[0, 1])], {"a": [0, 1]}),
        ({"a/b": 1, "m~n": 2}, [op("remove", "/a~1b"), op("test", "/m~0n", value=2)], {"m~n": 2}),
        ({"~1": 1}, [op("remove", "/~01")], {}),
        ({"": 1}, [op("replace", "/", value=2)], {"": 2}),
        ({"a": 1}, [op("replace", "", value=[1])], [1]),
        ({"a": 1}, [op("add", "", value={})], {}),
        ([1, 2], [op("remove", "/0")], [2]),
        ({"0": 1}, [op("remove", "/0")], {}),
        ({"a": 1}, [op("add", "/a", value=2, extra=True)], {"a": 2}),
    ]

    BAD = [
        ({"a": 1}, op("remove", "/b")),
        ({"a": 1}, op("replace", "/b", value=1)),
        ({"a": 1}, op("add", "/b/c", value=1)),
        ({"a": "xyz"}, op("add", "/a/0", value=1)),
        ({"a": [1]}, op("remove", "/a/1")),
        ({"a": [1]}, op("remove", "/a/-")),
        ({"a": [1]}, op("add", "/a/2", value=1)),
        ({"a": [1, 2]}, op("remove", "/a/01")),
        ({"a": [1, 2]}, op("remove", "/a/-1")),
        ({"a": [1, 2]}, op("remove", "/a/+1")),
        ({"a": [1, 2]}, op("remove", "/a/1e0")),
        ({"a": [1, 2]}, op("remove", "/a/١")),
        ({"a": [1, 2]}, op("remove", "/a/" + "9" * 5000)),
        ({"a": [1, 2]}, op("remove", "/a/")),
        ({"a": [1]}, op("replace", "/a/1", value=1)),
        ({"a": {"b": 1}}, op("move", "/a/b/c", **{"from": "/a"})),
        ({"a": 1}, op("move", "/b", **{"from": "/c"})),
        ({"a": 1}, op("copy", "/b", **{"from": "/a/x"})),
        ({"a": 1}, op("copy", "/b")),
        ({"a": 1}, op("test", "/a", value=True)),
        ({"a": True}, op("test", "/a", value=1)),
        ({"a": [1]}, op("test", "/a", value=[1, 2])),
        ({"a": {"b": 1}}, op("test", "/a", value={"c": 1})),
        ({"a": 1}, op("add", "/b")),
        ({"a": 1}, op("add", "b", value=1)),
        ({"a": 1}, op("remove", "")),
        ({"a": 1}, op("spam", "/a")),
        ({"a": 1}, {"path": "/a"}),
        ({"a": 1}, {"op": ["remove"], "path": "/a"}),
        ({"a": 1}, {"op": "remove", "path": 1}),
        ({"a": 1}, "remove"),
    ]

    def test_operations(self):
        for document, patch, want in self.GOOD:
            with self.subTest(patch=patch):
                before = copy.deepcopy(document)
                self.assertEqual(self.apply(document, patch), want)
                self.assertEqual(document, before)

    def test_what_does_not_fit(self):
        for document, bad in self.BAD:
            with self.subTest(op=bad):
                before = copy.deepcopy(document)
                with self.assertRaises(PatchError):
                    self.apply(document, [bad])
                self.assertEqual(document, before)

    def test_an_error_tells_no_content(self):
        with self.assertRaises(PatchError) as caught:
            self.apply({"a": {}}, [op("remove", "/a/secret")])
        self.assertNotIn("secret", str(caught.exception))
        self.assertEqual(caught.exception.data, {"at": "secret"})


class Sharing(unittest.TestCase):
    def test_only_edited_paths_are_new(self):
        document = {"m": [{"c": [{"t": 1}, {"t": 2}]}, {"c": [{"t": 3}]}], "x": {"y": {}}}
        after = apply_patch(document, [op("remove", "/m/0/c/0")])
        self.assertEqual(after["m"][0]["c"], [{"t": 2}])
        self.assertIs(after["m"][0]["c"][0], document["m"][0]["c"][1])
        self.assertIs(after["m"][1], document["m"][1])
        self.assertIs(after["x"], document["x"])
        for path in ([], ["m"], ["m", 0], ["m", 0, "c"]):
            a, b = after, document
            for key in path:
                a, b = a[key], b[key]
            self.assertIsNot(a, b)

    def test_no_operation_no_copy(self):
        document = {"m": [1]}
        self.assertIs(apply_patch(document, []), document)
        self.assertIs(apply_patch(document, [op("test", "/m", value=[1])]), document)

    def test_a_copied_place_is_edited_apart(self):
        document = {"a": {"l": [1]}, "s": [[0]]}
        after = apply_patch(
            document,
            [
                op("add", "/a/l/-", value=2),
                op("copy", "/b", **{"from": "/a"}),
                op("add", "/b/l/-", value=3),
                op("remove", "/a/l/0"),
                op("copy", "/s/1", **{"from": "/s/0"}),
                op("add", "/s/1/-", value=1),
            ],
        )
        self.assertEqual(after, {"a": {"l": [2]}, "b": {"l": [1, 2, 3]}, "s": [[0], [0, 1]]})
        self.assertEqual(document, {"a": {"l": [1]}, "s": [[0]]})

    def test_the_patch_is_not_changed(self):
        patch = [op("add", "/a", value=[]), op("add", "/a/-", value=1)]
        self.assertEqual(apply_patch({}, patch), {"a": [1]})
        self.assertEqual(patch, [op("add", "/a", value=[]), op("add", "/a/-", value=1)])

    def test_tuples_are_lists(self):
        document = {"m": ({"c": 1}, {"c": 2})}
        after = apply_patch(document, [op("remove", "/m/0")])
        self.assertEqual(after, {"m": [{"c": 2}]})
        self.assertIs(after["m"][0], document["m"][1])


class Naive:
    """The standard in its plainest form, on a deep copy."""

    @staticmethod
    def apply(document, patch):
        document = copy.deepcopy(document)
        for o in patch:
            keys = o["path"].split("/")[1:]
            parent = document
            for key in keys[:-1]:
                parent = parent[int(key)] if isinstance(parent, list) else parent[key]
            last = keys[-1]
            if isinstance(parent, list):
                last = len(parent) if last == "-" else int(last)
                if o["op"] == "add":
                    parent.insert(last, copy.deepcopy(o["value"]))
                    continue
            if o["op"] == "remove":
                del parent[last]
            else:
                parent[last] = copy.deepcopy(o["value"])
        return document


class Random(unittest.TestCase):
    def test_against_the_plainest_form(self):
        rng = random.Random(6902)
        for _ in range(100):
            document = {"m": [{"c": list(range(rng.randrange(5)))} for _ in range(6)]}
            before, patch, now = copy.deepcopy(document), [], document
            for _ in range(rng.randrange(1, 25)):
                patch.append(self.edit(rng, now))
                now = Naive.apply(document, patch)
            self.assertEqual(apply_patch(document, patch), now)
            self.assertEqual(document, before)

    @staticmethod
    def edit(rng, document):
        messages = document["m"]
        at, values = "/m", messages
        if messages and rng.random() < 0.7:
            i = rng.randrange(len(messages))
            at, values = "/m/%d/c" % i, messages[i]["c"]
        name = rng.choice(["add", "remove", "replace"]) if values else "add"
        place = rng.randrange(len(values) + (name == "add"))
        value = {"c": [rng.random()]} if at == "/m" else rng.random()
        return op(name, "%s/%d" % (at, place), **({} if name == "remove" else {"value": value}))


if __name__ == "__main__":
    unittest.main()
