#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Laws of explain over drawn refusals: the words of each rule, however they were passed on, name that rule and its place;
texts that are nobody's words name none; and the work grows with the text, not faster.

    test_explain.py                     some thousand texts
    TK_EXPLAIN_ROUNDS=100 TK_EXPLAIN_SEED=7 test_explain.py
"""
import json
import os
import random
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import refusal_draws  # noqa: E402
from daemon import Daemon  # noqa: E402
from test_growth import cpu_seconds  # noqa: E402
from wire import Wire  # noqa: E402

ROUNDS = int(os.environ.get("TK_EXPLAIN_ROUNDS", "2"))
SEED = int(os.environ.get("TK_EXPLAIN_SEED", "1"))
RULES = refusal_draws.templates()
OWNERS = {rule["words"]: {other["code"] for other in RULES if other["words"] == rule["words"]} for rule in RULES}
LONGEST = 65536
GROWTH = 8


class Asking(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon("--workers", "1")
        cls.addClassCleanup(cls.daemon.stop)
        cls.wire = Wire(cls.daemon.socket)
        cls.addClassCleanup(cls.wire.close)
        cls.rng = random.Random(SEED)

    def explain(self, text, **params):
        answer = self.wire.ask("explain", json.dumps({"text": text, **params}))
        self.assertIsNone(answer.error)
        return answer.result["matches"]


class Explain(Asking):
    def check_named(self, rule, text, **params):
        matches = self.explain(text, **params)
        self.assertIn(rule["code"], [match["code"] for match in matches], text)
        self.assertIn(matches[0]["code"], OWNERS[rule["words"]], text)
        return next(match for match in matches if match["code"] == rule["code"])

    def each(self):
        for _ in range(ROUNDS):
            for rule in RULES:
                yield (rule, *refusal_draws.fill(self.rng, rule["words"]))

    def test_the_words_of_each_rule_name_it_first(self):
        for rule, words, _ in self.each():
            match = self.check_named(rule, words)
            self.assertEqual((match["provider"], match["severity"]), (rule["provider"], rule["severity"]))
            self.assertEqual(match["judged"], bool(rule.get("text")) and not rule.get("edit_only"))

    def test_a_provider_keeps_its_rules_and_no_others(self):
        for rule, words, _ in self.each():
            self.check_named(rule, words, provider=rule["provider"])
            for other in {r["provider"] for r in RULES} - {rule["provider"]}:
                self.assertEqual({match["provider"] for match in self.explain(words, provider=other)} - {other}, set())

    def test_the_way_that_words_took_changes_nothing(self):
        for rule, words, _ in self.each():
            for way in refusal_draws.WAYS:
                with self.subTest(way.__name__):
                    self.check_named(rule, way(self.rng, words))

    def test_several_ways_one_after_the_other(self):
        for rule, words, _ in self.each():
            for way in self.rng.sample([w for w in refusal_draws.WAYS if w not in refusal_draws.ONCE], 3):
                words = way(self.rng, words)
            self.check_named(rule, words)

    def test_letters_may_be_large(self):
        for rule, _, _ in self.each():
            self.check_named(rule, refusal_draws.fill(self.rng, rule["words"])[0].upper())

    def test_places_are_those_of_the_words(self):
        seen = set()
        for rule, words, values in self.each():
            place = self.check_named(rule, words)["place"]
            if refusal_draws.points_at_a_part(rule):
                seen.add("part")
                self.assertEqual((place["message"], place["block"]), (int(values["message"]), int(values["part"])), words)
                self.assertEqual(place["pointer"], "/messages/{message}/content/{part}".format(**values))
            elif refusal_draws.points_at_a_message(rule):
                seen.add("message")
                self.assertEqual(place["message"], int(values["message"]), words)
                self.assertTrue(place["pointer"].split("/")[2] == values["message"])
            if "id" in values:
                seen.add("id")
                self.assertIn(place["id"], words)
                self.assertEqual(place["id"], values["id"])
        self.assertEqual(seen, {"part", "message", "id"})

    def test_what_reports_write_for_an_index_is_no_place(self):
        for rule in RULES:
            words, values = refusal_draws.fill(self.rng, rule["words"], hides=True)
            match = self.check_named(rule, words)
            if "message" in values:
                self.assertNotIn("message", match["place"], words)

    def test_a_hidden_path_hides_the_place(self):
        checked = 0
        for rule, words, values in self.each():
            if refusal_draws.points_at_a_part(rule):
                checked += 1
                hidden = words.replace("messages." + values["message"], "***.***", 1)
                place = self.check_named(rule, hidden)["place"]
                self.assertEqual((place.get("pointer"), place.get("message"), place["block"]),
                                 (None, None, int(values["part"])), hidden)
        self.assertGreater(checked, 30)

    def test_what_is_nobodys_words_names_none(self):
        for _ in range(ROUNDS * 200):
            text = refusal_draws.prose(self.rng, self.rng.randrange(1, 60))
            for way in self.rng.sample(refusal_draws.WAYS, 2):
                text = way(self.rng, text)
            self.assertEqual(self.explain(text), [], text)

    def test_other_refusals_name_none(self):
        for text in refusal_draws.OTHER_REFUSALS:
            for way in refusal_draws.WAYS:
                self.assertEqual(self.explain(way(self.rng, text)), [], text)

    def test_half_of_the_words_never_names_another_rule_first(self):
        """A text that was cut names the rule, rules whose words begin alike, or none."""
        for rule, words, _ in self.each():
            half = words[:len(words) * 2 // 3]
            for match in self.explain(half)[:1]:
                alike = os.path.commonprefix([match["provider_error"], rule["provider_error"]])
                self.assertTrue(match["provider_error"] == rule["provider_error"] or len(alike) > 10
                                or match["provider_error"].rstrip(".") in rule["provider_error"]
                                or match["provider_error"].partition(": ")[2].rstrip(".") in rule["provider_error"], half)

    def test_both_codecs_answer_alike(self):
        for rule, words, _ in self.each():
            packed = self.wire.ask_msgpack("explain", {"text": words})
            self.assertEqual(packed.result["matches"], self.explain(words), rule["code"])


class Growth(Asking):
    """The processor time for the longest text is that of as many short ones; whatever the text repeats."""

    def cost(self, texts):
        before = cpu_seconds(self.daemon.process.pid)
        for text in texts:
            self.explain(text)
        return cpu_seconds(self.daemon.process.pid) - before

    def hostile(self):
        yield from ("m", "messages.1.content.0: ", "*.")
        for rule in self.rng.sample(RULES, 12):
            words = refusal_draws.fill(self.rng, rule["words"])[0]
            yield from (words, words[len(words) // 2:])

    def test_the_longest_text_costs_what_short_ones_do(self):
        for text in self.hostile():
            long, short = ((text * size)[:size] for size in (LONGEST, LONGEST // GROWTH))
            best = min(self.cost([long]) / self.cost([short] * GROWTH) for _ in range(5))
            self.assertLess(best, 4, text[:80])


if __name__ == "__main__":
    unittest.main()
