#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make probe` against a local provider that tells the truth, and that lies in known places."""
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import cost  # noqa: E402
import endpoint  # noqa: E402
import judge  # noqa: E402
import plans  # noqa: E402
import report  # noqa: E402
import signed  # noqa: E402
import words  # noqa: E402
from lying_provider import Provider  # noqa: E402
from verdict import CONFIRMED, CONTRADICTED, NOT_TESTABLE, WORDING  # noqa: E402

ROWS = plans.rows()
MINE = [row for row in ROWS if row["provider"] in plans.PROVIDERS]
BY_CODE = {row["code"]: row for row in ROWS}
KEY = "sk-secret-of-the-test"
KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai-chat": "OPENAI_API_KEY", "openai-responses": "OPENAI_API_KEY"}
SECONDS = 300  # for a run of the probe

# A provider's answer to the request for a signed turn.
SIGNED = {
    "anthropic": {"id": "msg_1", "role": "assistant", "usage": {"input_tokens": 200, "output_tokens": 90}, "content": [
        {"type": "thinking", "thinking": "Five and seven.", "signature": "c2lnbmF0dXJlIG9mIHRoZSB0ZXN0"},
        {"type": "text", "text": "I'll note both."},
        {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}},
        {"type": "tool_use", "id": "toolu_2", "name": "g", "input": {}}]},
    "openai-responses": {"id": "resp_1", "usage": {"input_tokens": 90, "output_tokens": 70}, "output": [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAABciphertextOfTheTest"},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f", "arguments": "{}", "status": "completed"}]},
}


def filled_words(template):
    """Returns the words of a template as a provider would say them, with something in each place."""
    return words.OPEN.sub(lambda hole: "and so on" if hole[0] == "..." else "x7", template)


def planned(codes=None):
    """Returns ({code: Plan with both requests}, {code: why it isn't testable}) for own endpoints."""
    planner, made, left = plans.Planner(), {}, {}
    for row in MINE:
        if codes and row["code"] not in codes:
            continue
        try:
            plan = planner.plan(row)
            made[row["code"]] = planner.with_turn(plan, SIGNED[row["provider"]]) if plan.recipe else plan
        except plans.NotTestable as why:
            left[row["code"]] = str(why)
    return made, left


def run_probe(provider, *options, keys=None, at=None):
    """Runs the program; keys: the variables of the environment that are set."""
    env = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    env.update(keys if keys is not None else {name: KEY for name in KEYS.values()})
    where = ["--endpoint", at or provider.url, "--wait", "0.01", "--timeout", "20"] if provider or at else []
    return subprocess.run([sys.executable, "-B", os.path.join(HERE, "probe.py"), *where, *options], env=env, timeout=SECONDS,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


class Local(unittest.TestCase):
    """A local provider whose script a test writes."""

    def setUp(self):
        self.provider = Provider()
        self.addCleanup(self.provider.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "report.jsonl")

    def tell_the_truth(self, made, codes=None):
        """The examples are refused with the rule's words, what a row says is taken is taken, turns are signed."""
        first = plans.Planner()
        for code in codes or made:
            plan, row = made[code], made[code].row
            if code in signed.RECIPES:
                self.provider.says(first.plan(row).first, ("turn", SIGNED[row["provider"]]))
            if not plan.accepted:
                refusal = ("refuse", filled_words(row["provider_error"] or "No words are known of this one."))
                self.provider.says(plan.example, refusal, call="count" if plan.example.only else "answer")

    def probed(self, names, *options):
        """Runs the probe on the rules of one provider. Returns the report: {code: entry}, and the finished process."""
        only = [word for code in names for word in ("--only", code)]
        done = run_probe(self.provider, "--provider", BY_CODE[names[0]]["provider"], "--report", self.path, *only, *options)
        self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        with open(self.path, encoding="utf-8") as text:
            return {entry["code"]: entry for entry in map(json.loads, text)}, done


class Truth(Local):
    """A provider that does what the catalogue says confirms every rule that can be asked."""

    def check(self, provider):
        codes = [row["code"] for row in MINE if row["provider"] == provider]
        made, left = planned(codes)
        self.tell_the_truth(made)
        found, done = self.probed(codes)
        outcomes = {code: found[code]["outcome"] for code in codes}
        self.assertEqual(outcomes, {code: CONFIRMED if code in made else NOT_TESTABLE for code in codes})
        self.assertEqual({code: found[code]["why"] for code in left}, left)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])

    def test_anthropic(self):
        self.check("anthropic")

    def test_openai_chat(self):
        self.check("openai-chat")

    def test_openai_responses(self):
        self.check("openai-responses")


class Lies(Local):
    """One rule, one answer that isn't as the catalogue says."""

    CODE = "tool_use_without_result"

    def outcome(self, code, example=None, neighbour=None, *options):
        made, _ = planned([code])
        self.tell_the_truth(made)
        for asked, behaviours in ((made[code].example, example), (made[code].neighbour, neighbour)):
            if behaviours:
                self.provider.says(asked, *behaviours)
        found, done = self.probed([code], *options)
        self.assertEqual(done.returncode, 1 if found[code]["outcome"] in (CONTRADICTED, WORDING) else 0)
        return found[code]["outcome"], found[code]["why"], found[code]["said"]

    def own(self):
        return filled_words(BY_CODE[self.CODE]["provider_error"])

    def test_example_taken(self):
        self.assertEqual(self.outcome(self.CODE, [("take",)]), (CONTRADICTED, "the example is taken", ""))

    def test_neighbour_refused_with_the_rules_words(self):
        self.assertEqual(self.outcome(self.CODE, None, [("refuse", self.own())]),
                         (CONTRADICTED, "its sound neighbour is refused with the rule's words", self.own()))

    def test_neighbour_refused_with_other_words(self):
        self.assertEqual(self.outcome(self.CODE, None, [("refuse", "Too blue.")]),
                         (CONTRADICTED, "its sound neighbour is refused", "Too blue."))

    def test_other_words(self):
        self.assertEqual(self.outcome(self.CODE, [("refuse", "A call is alone.")]), (WORDING, "", "A call is alone."))

    def test_words_of_another_rule(self):
        text = filled_words(BY_CODE["messages_empty"]["provider_error"])
        self.assertEqual(self.outcome(self.CODE, [("refuse", text)]), (WORDING, "the words of messages_empty", text))

    def test_both_refused_with_the_same_words(self):
        both = [("refuse", "Too blue.")]
        self.assertEqual(self.outcome(self.CODE, both, both),
                         (NOT_TESTABLE, "example and neighbour are refused with the same words", "Too blue."))

    def test_unknown_model(self):
        both = [("status", 404, "model: claude-haiku-4-5")]
        outcome, why, _ = self.outcome(self.CODE, both, both)
        self.assertEqual((outcome, why), (NOT_TESTABLE, "the example got no judgement: the model isn't known to the endpoint, "
                                                        "or not allowed"))

    def test_unknown_words_confirm_a_rule_without_words(self):
        self.assertEqual(self.outcome("toolset_name_mismatch", [("refuse", "Not that tool.")]),
                         (CONFIRMED, "no words are known", "Not that tool."))

    def test_warning_taken(self):
        self.assertEqual(self.outcome("unknown_block_type", [("take",)])[0], NOT_TESTABLE)

    def test_row_that_is_taken_is_refused(self):
        self.assertEqual(self.outcome("tool_use_undeclared_ok", [("refuse", "No such tool.")]),
                         (CONTRADICTED, "the example is refused", "No such tool."))

    def test_limit_of_tokens_reached_is_taken(self):
        reached = [("refuse", "Could not finish the message because max_tokens or model output limit was reached.")]
        self.assertEqual(self.outcome("chat_message_name", None, reached)[0], CONFIRMED)


class Trouble(Local):
    """An answer that isn't a judgement is asked again, and is no contradiction."""

    CODE = "tool_use_without_result"

    def outcome(self, *behaviours, options=()):
        made, _ = planned([self.CODE])
        self.tell_the_truth(made)
        refusal = ("refuse", filled_words(BY_CODE[self.CODE]["provider_error"]))
        self.provider.says(made[self.CODE].example, *[refusal if step == "right" else step for step in behaviours])
        found, done = self.probed([self.CODE], *options)
        return found[self.CODE]["outcome"], found[self.CODE]["why"], done

    def test_passing_trouble(self):
        for step in (("status", 429), ("status", 500), ("status", 529), ("cut",)):
            with self.subTest(step=step):
                self.assertEqual(self.outcome(step, step, "right")[0], CONFIRMED)

    def test_lasting_trouble(self):
        for step, why in ((("status", 429), "status 429"), (("status", 503), "status 503"), (("cut",), "a cut answer")):
            with self.subTest(step=step):
                outcome, said, done = self.outcome(step, options=["--tries", "3"])
                self.assertEqual((outcome, said), (NOT_TESTABLE, "the example got no judgement: %s after 3 tries" % why))
                self.assertEqual(done.returncode, 0)

    def test_silence(self):
        outcome, said, _ = self.outcome(("hang",), options=["--tries", "2", "--timeout", "1"])
        self.assertEqual((outcome, said), (NOT_TESTABLE, "the example got no judgement: no answer after 2 tries"))

    def test_answer_that_is_no_json(self):
        self.assertEqual(self.outcome(("garbage",))[:2],
                         (NOT_TESTABLE, "the example got no judgement: an answer that isn't JSON"))

    def test_nobody_listens(self):
        self.provider.close()
        found, _ = self.probed([self.CODE], "--tries", "2")
        self.assertEqual(found[self.CODE]["why"], "the example got no judgement: no connection after 2 tries")

    def test_signed_turn_that_has_nothing_to_damage(self):
        code = "sealed_turn_missing_tool_use"
        turn = dict(SIGNED["anthropic"], content=SIGNED["anthropic"]["content"][:3])
        self.provider.says(plans.Planner().plan(BY_CODE[code]).first, ("turn", turn))
        found, _ = self.probed([code])
        self.assertEqual((found[code]["outcome"], found[code]["why"]), (NOT_TESTABLE, "the model's turn has no second call"))

    def test_signed_turn_of_another_form(self):
        code = "sealed_turn_altered"
        self.provider.otherwise = ("turn", {"content": ["x"], "usage": None})
        found, _ = self.probed([code])
        self.assertEqual(found[code]["why"], "the model's turn hasn't the form of the API")


    def test_answer_without_end(self):
        made, _ = planned([self.CODE])
        self.provider.says(made[self.CODE].example, ("turn", {"text": "a" * 2 * endpoint.LARGEST_ANSWER}))
        found, _ = self.probed([self.CODE], "--tries", "1")
        self.assertEqual(found[self.CODE]["why"], "the example got no judgement: a cut answer after 1 tries")

    def test_pauses(self):
        """The server's word, at most a minute, else each pause twice the one before."""
        to = endpoint.Endpoint({}, cost.Budget(1), wait=1.0)
        self.assertEqual([to.pause(0, {"retry-after": text}) for text in ("7", "9999", "-1")], [7, 60, 0])
        for number in range(5):
            self.assertTrue(0.7 * 2 ** number < to.pause(number, {}) < 1.3 * 2 ** number)
        self.assertEqual(to.pause(9, {}), 60)


class Keys(Local):
    """A key that doesn't work ends the probe of its provider; none is printed, written or sent elsewhere."""

    CODES = ["tool_use_without_result", "messages_empty"]

    def refused(self, *behaviour):
        self.provider.otherwise = behaviour
        found, done = self.probed(self.CODES)
        self.assertEqual(done.returncode, 3)
        self.assertEqual({entry["outcome"] for entry in found.values()}, {NOT_TESTABLE})
        with open(self.path, encoding="utf-8") as text:
            self.assertNotIn(KEY, text.read() + done.stdout + done.stderr)
        return done.stderr

    def test_refused_key(self):
        self.assertIn("refuses the key of ANTHROPIC_API_KEY (status 401)", self.refused("status", 401, "invalid key " + KEY))
        self.assertEqual(len(self.provider.seen), 1)

    def test_account_without_credit(self):
        self.assertIn("has no credit", self.refused("status", 429, "You exceeded your quota", "insufficient_quota"))
        self.assertEqual(len(self.provider.seen), 1)

    def test_redirection(self):
        self.assertIn("redirection", self.refused("away"))
        self.assertNotIn("/elsewhere", [path for path, _, _ in self.provider.seen])

    def test_key_in_an_answer(self):
        made, _ = planned(self.CODES)
        self.provider.says(made["messages_empty"].example, ("refuse", "What is this? " + KEY))
        found, done = self.probed(["messages_empty"])
        self.assertEqual(found["messages_empty"]["said"], "What is this? [key]")
        self.assertNotIn(KEY, done.stdout + done.stderr)

    def test_key_is_in_its_header_only(self):
        self.probed(["messages_empty"])
        self.probed(["chat_messages_empty"])
        for path, headers, text in self.provider.seen:
            name = "authorization" if "chat" in path else "x-api-key"
            headers = {header.lower(): value for header, value in headers.items()}
            self.assertIn(KEY, headers.pop(name))
            self.assertNotIn(KEY, path + str(headers) + text.decode())


class Usage(Local):
    def refused(self, *options, keys=None, at=None):
        done = run_probe(self.provider, *options, keys=keys, at=at)
        self.assertEqual((done.returncode, self.provider.seen), (2, []))
        return done.stderr

    def test_wrong_options(self):
        self.assertIn("no such rule: nothing", self.refused("--only", "nothing"))
        self.assertIn("needs --provider", self.refused())
        self.assertIn("needs --endpoint and --model", self.refused("--provider", "anthropic", "--target", "compatible"))
        self.assertIn("no key is set", self.refused("--provider", "anthropic", "--report", self.path, keys={}))
        nowhere = {"ANTHROPIC_API_KEY": KEY, "TURNKEEPER": "/nowhere/turnkeeper"}
        self.assertIn("there is no program", self.refused("--provider", "anthropic", keys=nowhere))

    def test_unencrypted(self):
        for url in ("http://example.org", "ftp://127.0.0.1", "example.org"):
            with self.subTest(url=url):
                self.assertIn("--endpoint", self.refused("--provider", "anthropic", at=url))

    def test_without_a_key_nothing_is_sent(self):
        done = run_probe(self.provider, "--provider", "openai-chat", keys={})
        self.assertEqual((done.returncode, self.provider.seen), (0, []))
        self.assertRegex(done.stdout, r"\n\d+ of \d+ rows can be asked, for at most \d+\.\d\d USD \(prices of 20\d\d-\d\d-\d\d\)\.")
        self.assertIn("chat_message_name", done.stdout)

    def test_plan_sends_nothing(self):
        done = run_probe(self.provider, "--provider", "openai-chat", "--plan")
        self.assertEqual((done.returncode, self.provider.seen), (0, []))

    def test_a_provider_without_a_key(self):
        done = run_probe(None, "--only", "messages_empty", "--only", "chat_messages_empty", "--budget", "0",
                         keys={"OPENAI_API_KEY": KEY})
        self.assertIn("ANTHROPIC_API_KEY isn't set", done.stdout)

    def test_budget(self):
        """A budget is kept: no request is sent that could exceed it."""
        found, _ = self.probed(["chat_message_name"], "--budget", "0")
        self.assertEqual((found["chat_message_name"]["why"], self.provider.seen), ("the budget is used up", []))

    def test_compatible(self):
        """A server that copies the API is asked for its own rules, with its own model."""
        code = "chat_call_count_mismatch"
        found, _ = self.probed([code], "--target", "compatible", "--model", "mistral-large")
        self.assertEqual((found[code]["outcome"], found[code]["model"]), (CONTRADICTED, "mistral-large"))
        body = json.loads(self.provider.seen[0][2])
        self.assertEqual((body["model"], body["max_tokens"]), ("mistral-large", 1))
        found, _ = self.probed([code], "--target", "compatible", "--model", "qwen3")
        self.assertEqual(found[code]["why"], "turnkeeper doesn't expect it of qwen3 at this endpoint")


class CountTokens(Local):
    """A rule that count_tokens judges isn't asked for an answer."""

    CODE = "tool_use_without_result"

    def paths(self):
        return [path.rsplit("/", 1)[1] for path, _, _ in self.provider.seen]

    def test_confirmed_there(self):
        made, _ = planned([self.CODE])
        refusal = ("refuse", filled_words(BY_CODE[self.CODE]["provider_error"]))
        self.provider.says(made[self.CODE].example, refusal, call="count")
        found, _ = self.probed([self.CODE])
        self.assertEqual((found[self.CODE]["outcome"], found[self.CODE]["by"]), (CONFIRMED, "/v1/messages/count_tokens"))
        self.assertEqual(self.paths(), ["count_tokens"] * 2)

    def test_refused_there_for_another_reason(self):
        """An answer decides where count_tokens refuses both."""
        made, _ = planned([self.CODE])
        self.tell_the_truth(made)
        for asked in (made[self.CODE].example, made[self.CODE].neighbour):
            self.provider.says(asked, ("status", 404, "Not found"), call="count")
        found, _ = self.probed([self.CODE])
        self.assertEqual((found[self.CODE]["outcome"], found[self.CODE]["by"]), (CONFIRMED, "/v1/messages"))
        self.assertEqual(self.paths(), ["count_tokens"] * 2 + ["messages"] * 2)


class Reports(Local):
    def texts(self, name, *options):
        self.path = os.path.join(os.path.dirname(self.path), name)
        only = ["--only", "chat_message_name", "--only", "chat_messages_empty"]
        run_probe(self.provider, "--provider", "openai-chat", "--report", self.path, *only, *options)
        with open(self.path, encoding="utf-8") as text:
            return text.read()

    def test_two_runs_write_the_same(self):
        for name in ("report.md", "report.jsonl"):
            with self.subTest(name=name):
                self.assertEqual(self.texts(name), self.texts(name))
                self.assertNotRegex(self.texts(name), r"20\d\d-\d\d-\d\d")
                self.assertRegex(self.texts(name, "--date"), r"20\d\d-\d\d-\d\d")

    def test_markdown(self):
        text = self.texts("report.md")
        self.assertIn("2 contradicted.", text)
        self.assertLess(text.index("| chat_message_name |"), text.index("| chat_messages_empty |"))

    def test_drawn_ids(self):
        self.assertEqual(report.stable("id toolu_01AbCdEfGhIjKlMn of req-0123456789abcdef, msg_1"),
                         "id toolu_... of req_..., msg_1")


class Plans(unittest.TestCase):
    """Every row of the catalogue can be asked, or says why not."""

    # Rules about what the endpoint doesn't do, what one request can't show, and what costs more than it tells.
    LEFT = 39

    def test_all_rows(self):
        made, left = planned()
        self.assertEqual(len(made) + len(left), len(MINE))
        self.assertEqual(len(left), self.LEFT, left)
        for code, plan in made.items():
            with self.subTest(code=code):
                self.assertTrue(plan.example.text != plan.neighbour.text or plan.example.betas != plan.neighbour.betas
                                or plan.accepted)
                expected = {entry[0] for entry in plan.row["expect"] or []} | {code}
                errors, _ = judge.errors_and_warnings(plan.example)
                self.assertLessEqual(errors, expected)

    def test_other_providers(self):
        row = next(row for row in ROWS if row["provider"] == "bedrock")
        with self.assertRaisesRegex(plans.NotTestable, "doesn't judge"):
            plans.Planner().plan(row)

    def test_written_rows_exist(self):
        self.assertLessEqual(set(plans.written()) | set(signed.RECIPES), set(BY_CODE))

    def test_prices(self):
        self.assertEqual(cost.price("claude-haiku-4-5"), (1, 5))
        self.assertEqual(cost.price("gpt-5-nano-2025"), (0.05, 0.4))
        self.assertEqual(cost.price("a-model-of-tomorrow"), (5, 25))


class Words(unittest.TestCase):
    """A template fits its words with anything in its places, and with nothing else changed."""

    def test_templates(self):
        draw = random.Random(7)
        templates = sorted({row["provider_error"] for row in ROWS if row["provider_error"]})
        self.assertGreater(len(templates), 150)
        for template in templates:
            text = words.OPEN.sub(lambda hole: "".join(draw.choices("ab .`'$(\\7", k=draw.randint(1, 9))) + "z", template)
            letters = [n for n, c in enumerate(words.OPEN.sub(lambda hole: "\0" * len(hole[0]), template)) if c.isalpha()]
            with self.subTest(template=template):
                self.assertTrue(words.fits(template, "Error: " + text.replace(" ", "\n ") + " More."))
                at = draw.choice(letters)
                self.assertFalse(words.fits(template[:at] + "§" + template[at + 1:], text))
        self.assertFalse(words.fits(None, "x"))

    def test_shown(self):
        self.assertEqual(words.shown("a\n b"), "a b")
        self.assertEqual(len(words.shown("a" * 1000)), words.LONGEST + 3)


if __name__ == "__main__":
    unittest.main()
