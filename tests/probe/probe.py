#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks live endpoints whether the catalogue's rules are true, with your own keys.

For each rule a request that breaks it and its nearest sound neighbour are sent: to count_tokens where that judges it, which costs
nothing, else for an answer of one token. Without a key it prints what it would send and what that costs about.

The environment: ANTHROPIC_API_KEY, OPENAI_API_KEY, TURNKEEPER (the program). Exit status: 0 nothing contradicted, 1 a rule is contradicted
or its wording changed, 2 usage, 3 an endpoint can't be asked.
"""
import argparse
import datetime
import json
import os
import sys

import cost
import endpoint
import judge
import plans
import report
from verdict import CONTRADICTED, NOT_TESTABLE, WORDING, Verdict, verdict

# Members that count_tokens takes, besides max_tokens, which it doesn't need.
COUNTED = {"model", "messages", "system", "thinking", "tools", "tool_choice", "cache_control", "output_config", "mcp_servers",
           "context_management", "max_tokens"}


class Probe:
    """Asks the rows of a catalogue. results: [(row, model, Verdict)]; unusable: name of a key -> why it can't be used."""

    def __init__(self, planner, to, rows):
        self.planner, self.to, self.rows = planner, to, rows
        self.turns, self.unusable, self.results = {}, {}, []

    def ask_row(self, row):
        """Adds the row's verdict to the results and returns it."""
        model, said = "", None
        try:
            plan = self.planner.plan(row)
            model = plan.requests()[-1].model
            self.refuse_unusable(row["provider"])
            said = self.judge(self.with_turn(plan) if plan.recipe else plan)
        except (plans.NotTestable, judge.Failed) as why:
            said = Verdict(NOT_TESTABLE, str(why))
        except cost.UsedUp:
            said = Verdict(NOT_TESTABLE, "the budget is used up")
        except endpoint.Unusable as why:
            self.unusable[endpoint.KEYS[row["provider"]]] = str(why)
            said = Verdict(NOT_TESTABLE, str(why))
        self.results.append((row, model, said))
        return said

    def refuse_unusable(self, provider):
        name = endpoint.KEYS[provider]
        if not self.to.keys.get(provider):
            raise plans.NotTestable(name + " isn't set")
        if name in self.unusable:
            raise plans.NotTestable(self.unusable[name])

    def with_turn(self, plan):
        """Returns the plan with a turn that the provider signed; one is asked for per question and model."""
        key = plan.first.text
        if key not in self.turns:
            self.turns[key] = self.to.ask(plan.first)
        answer = self.turns[key]
        if answer.kind != "taken":
            raise plans.NotTestable("no signed turn: " + answer.text)
        return self.planner.with_turn(plan, answer.body)

    def judge(self, plan):
        counted = self.counted(plan)
        if counted:
            return counted
        said = verdict(plan, self.to.ask(plan.example), self.to.ask(plan.neighbour), self.rows)
        said.by = endpoint.PATHS[plan.row["provider"]]
        return said

    def counted(self, plan):
        """Returns the verdict of count_tokens; None if an answer has to be asked for, because the rule isn't confirmed there."""
        alone = plan.example.only == "count_tokens"
        if plan.row["provider"] != "anthropic" or plan.accepted or not COUNTED >= set(json.loads(plan.example.text)):
            return None
        example = self.to.count(plan.example)
        if example.kind != "refused" and not alone:
            return None
        said = verdict(plan, example, self.to.count(plan.neighbour), self.rows)
        said.by = endpoint.COUNT_TOKENS
        return said if alone or said.outcome == "confirmed" else None


# -- Without a key --------------------------------------------------------------------------------


def print_plan(planner, rows):
    """Prints what would be sent for each row, and what all of it costs about."""
    asked = dollars = 0
    turns = set()  # bodies that ask for a signed turn, each of which is sent once
    for row in rows:
        try:
            plan = planner.plan(row)
        except (plans.NotTestable, judge.Failed) as why:
            print("%-34s not testable: %s" % (row["code"], why))
            continue
        sent = plan.requests()
        if plan.recipe:  # the histories with that turn are guessed: two of its price
            sent = sent * (2 if plan.first.text in turns else 3)
            turns.add(plan.first.text)
        asked += 1
        dollars += sum(cost.at_most(each) for each in sent)
        tokens = sum(cost.tokens_in(each.text) for each in sent)
        print("%-34s %d requests, about %d tokens, %s" % (row["code"], len(sent), tokens, sent[0].model))
    print("\n%d of %d rows can be asked, for at most %.2f USD (prices of %s)." %
          (asked, len(rows), dollars, cost.table()["as_of"]))


# -- The program ----------------------------------------------------------------------------------


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--only", metavar="CODE", action="append", help="ask this rule; may be given more than once")
    add("--provider", metavar="NAME", action="append", choices=plans.PROVIDERS, help="ask rules of this provider")
    add("--endpoint", metavar="URL", help="ask there, in place of the provider's own endpoint")
    add("--target", choices=["compatible"], help="the endpoint is a server that copies the provider's API; needs --model")
    add("--model", metavar="NAME", help="ask this model where the rule doesn't need a certain one")
    add("--report", metavar="FILE", help="write the verdicts there: Markdown, or JSON lines for FILE.jsonl")
    add("--date", action="store_true", help="put the day into the report")
    add("--budget", metavar="USD", type=float, default=2.0, help="spend at most that much [2.00]")
    add("--plan", action="store_true", help="send nothing, print what would be sent")
    add("--tries", metavar="N", type=int, default=6, help="times that a request is sent before it is given up [6]")
    add("--wait", metavar="SECONDS", type=float, default=1.0, help="pause before the second try; it doubles [1]")
    add("--timeout", metavar="SECONDS", type=float, default=60.0, help="time for one try [60]")
    return parser


def chosen(parser, given):
    """Returns the rows that are to be asked, and the keys that are set: provider -> key."""
    rows = [row for row in plans.rows() if row["provider"] in (given.provider or plans.PROVIDERS)]
    if given.only:
        rows = [row for row in rows if row["code"] in given.only]
        missing = set(given.only) - {row["code"] for row in rows}
        if missing:
            parser.error("--only: no such rule: " + ", ".join(sorted(missing)))
    names = {provider: endpoint.KEYS[provider] for provider in {row["provider"] for row in rows} & set(plans.PROVIDERS)}
    if given.endpoint and len(set(names.values())) > 1:
        parser.error("--endpoint needs --provider, so that it gets one provider's key only")
    if given.target and not (given.endpoint and given.model):
        parser.error("--target needs --endpoint and --model")
    return rows, {provider: os.environ[name] for provider, name in names.items() if os.environ.get(name)}


def main():
    parser = options()
    given = parser.parse_args()
    rows, keys = chosen(parser, given)
    if not judge.is_there():
        parser.error("TURNKEEPER: there is no program " + judge.PROGRAM)
    planner = plans.Planner(given.target, given.model)
    if given.plan or not keys:
        if given.report:
            parser.error("--report: nothing is asked, for " + ("--plan is given" if given.plan else "no key is set"))
        print_plan(planner, rows)
        return 0
    try:
        to = endpoint.Endpoint(keys, cost.Budget(given.budget), given.endpoint, given.tries, given.wait, given.timeout)
    except endpoint.Unusable as why:
        parser.error(str(why))
    probe = Probe(planner, to, plans.rows())
    for row in rows:
        said = probe.ask_row(row)
        print("%-16s %-34s %s" % (said.outcome, row["code"], " ".join(filter(None, [said.why, said.said]))), flush=True)
    print("\n%s; about %.4f USD spent." % (report.summary(probe.results), to.budget.spent))
    if given.report:
        report.write(given.report, probe.results, datetime.date.today().isoformat() if given.date else None)
    for why in probe.unusable.values():
        print("probe: " + why, file=sys.stderr)
    if probe.unusable:
        return 3
    return 1 if any(said.outcome in (CONTRADICTED, WORDING) for _, _, said in probe.results) else 0


if __name__ == "__main__":
    sys.exit(main())
