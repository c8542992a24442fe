#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws conversations with OpenAI's APIs until a law breaks, and cuts down what broke it.

    openai_hunt.py [--socket PATH] [--count N] [--start N] [--seed S] [--law NAME] [--provider P]

Without --socket a daemon of its own is started. The first failure of each law is printed, cut down.
"""
import argparse
import collections
import sys
import time

import histories
import hunt
import openai_draws
import openai_laws


def broken(trial, wanted):
    """(law, sentence) of the laws that a trial breaks; `lives` alone if the daemon doesn't answer."""
    for law in [openai_laws.lives] + [law for law in wanted if law is not openai_laws.lives]:
        try:
            why = law(trial)
        except OSError as e:
            yield openai_laws.lives, "%s: %r" % (law.__name__, e)
            return
        if why:
            yield law, why
        if why and law is openai_laws.lives:
            return


def smaller(case):
    """Cases with less in them."""
    for n in range(len(case.items)):
        yield case.but(items=case.items[:n] + case.items[n + 1:])
    for name in ("policy", "target", "body"):
        value = getattr(case, name)
        if value is not None:
            yield case.but(**{name: None})
        if isinstance(value, dict):
            for less in histories.less(value):
                yield case.but(**{name: less})
    for n in range(len(case.tail)):
        yield case.but(tail=case.tail[:n] + case.tail[n + 1:])
    for n, item in enumerate(case.items):
        for less in histories.less(item):
            yield case.but(items=case.items[:n] + [less] + case.items[n + 1:])


def cut_down(target, case, law, budget=2000):
    """The smallest case found that still breaks the law."""
    def breaks(other):
        return any(found is law for found, _ in broken(openai_laws.Trial(target, other), [law]))

    again = True
    while again and budget > 0:
        again = False
        for other in smaller(case):
            budget -= 1
            if budget <= 0:
                break
            if breaks(other):
                case, again = other, True
                break
    return case


class Hunt:
    """Draws cases and keeps the first failure of each law, cut down."""

    def __init__(self, target, seed, provider=None, wanted=None, shown=1):
        self.target, self.seed, self.provider, self.shown = target, seed, provider, shown
        self.laws = [law for law in openai_laws.LAWS if not wanted or law.__name__ in wanted]
        self.failures = {}  # law's name -> [how many, description of the first]
        self.outcomes = collections.Counter()

    def run(self, start, count):
        for number in range(start, start + count):
            case = openai_draws.draw(self.seed, number, self.provider)
            trial = openai_laws.Trial(self.target, case)
            broke = False
            for law, why in broken(trial, self.laws):
                broke = True
                self.note(number, case, law, why)
            if not broke:
                self.tally(trial)

    def tally(self, trial):
        """Counts what became of a case that broke no law."""
        result = trial.repair().result
        self.outcomes["turns" if trial.case.turn else "histories"] += 1
        if trial.case.turn:
            return
        self.outcomes["changed"] += result["changed"]
        self.outcomes["safe"] += result["safe"]
        self.outcomes["changed and safe"] += result["changed"] and result["safe"]

    def note(self, number, case, law, why):
        entry = self.failures.setdefault(law.__name__, [0, ""])
        entry[0] += 1
        if entry[0] > self.shown:
            return
        case = cut_down(self.target, case, law)
        why = dict(broken(openai_laws.Trial(self.target, case), [law])).get(law, why)
        said = "case %d breaks %s (%s)\n%s\n%s\n" % (number, law.__name__, law.__doc__, case.describe(), why[:3000])
        entry[1] += said
        print(said, flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--socket")
    p.add_argument("--count", type=int, default=100000)
    p.add_argument("--start", type=int, default=0)
    p.add_argument("--seed", default="turnkeeper")
    p.add_argument("--law", action="append")
    p.add_argument("--provider", choices=sorted(openai_draws.DRAWS))
    p.add_argument("--shown", type=int, default=1, help="failures of each law that are cut down and printed")
    args = p.parse_args()
    target = hunt.Target(args.socket)
    begin = time.monotonic()
    found = Hunt(target, args.seed, args.provider, args.law, args.shown)
    try:
        found.run(args.start, args.count)
    finally:
        target.stop()
    counts = {name: count for name, (count, _) in found.failures.items()}
    print("of the cases that broke no law: %s" % dict(found.outcomes))
    print("%d cases in %.0f s; failures: %s" % (args.count, time.monotonic() - begin, counts or "none"))
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
