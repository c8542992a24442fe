# SPDX-License-Identifier: Apache-2.0
"""Misspelt parameters: of every method, and of the policy and the target, by what `info` says that there is.

The error's text has the name of the nearest parameter. It doesn't have the name that was sent, which may be content.
"""
import unittest

from harness import Daemon, Test


def misspelt(name):
    """Slips of a keyboard: a letter missing, doubled, wrong, swapped with the next; another case; only the beginning."""
    middle = len(name) // 2
    yield name[:middle] + name[middle + 1:]
    yield name[:middle] + name[middle] + name[middle:]
    yield name[:middle] + "%" + name[middle + 1:]
    yield name[:middle] + name[middle:middle + 2][::-1] + name[middle + 2:]
    yield name.title().replace("_", "")[:1].lower() + name.title().replace("_", "")[1:]
    yield name[:-1]


class Misspelt(Test):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.stop)
        self.client = self.daemon.connect()
        self.addCleanup(self.client.close)
        self.methods = {m["name"]: m["params"] for m in self.client.call("info")["methods"]}

    def check(self, method, params, pointer, known, sent):
        error = self.client.call(method, **params)
        self.assertEqual((error["data"]["name"], error["data"]["pointer"]), ("invalid_params", pointer))
        said = error["message"]
        self.assertRegex(said, r"^unknown member; did you mean `\w+`\?$")
        self.assertIn(said.split("`")[1], known)
        self.assertNotIn("`%s`" % sent, said)

    def test_every_parameter_of_every_method(self):
        seen = 0
        for method, shape in self.methods.items():
            known = shape.get("properties", {})
            for name in known:
                if len(name) < 4 or shape.get("additionalProperties") is not False:
                    continue
                for sent in set(misspelt(name)) - set(known):
                    with self.subTest(method=method, sent=sent):
                        self.check(method, {sent: None}, "/params/" + sent, known, sent)
                        seen += 1
        self.assertGreater(seen, 200)

    def test_keys_of_a_policy_and_a_target(self):
        for inside in ("policy", "target"):
            known = self.members_of(self.methods["repair"]["properties"][inside])
            self.assertGreater(len(known), 1)
            for name in known:
                for sent in set(misspelt(name)) - set(known):
                    with self.subTest(sent=sent):
                        self.check("repair", {"messages": [], inside: {sent: None}}, "/params/%s/%s" % (inside, sent), known, sent)

    @staticmethod
    def members_of(shape):
        """The members of an object, which may be one of several forms."""
        forms = [shape, *shape.get("anyOf", []), *shape.get("oneOf", [])]
        return {name for form in forms for name in form.get("properties", {})}

    def test_what_is_near_to_none_is_not_repeated(self):
        for sent in ("zzqqzzqq", "my secret password", "x" * 33, "m" * 100000, "\u00e9\u00e9", "q", ""):
            with self.subTest(sent=sent[:20]):
                error = self.client.call("validate", **{"messages": [], sent: 1})
                self.assertEqual((error["message"], error["data"]["name"]), ("unknown member", "invalid_params"))


if __name__ == "__main__":
    unittest.main()
