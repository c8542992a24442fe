#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws conversations with seals until a law breaks.

    seal_hunt.py [--count N] [--start N] [--seed S] [--law NAME] [--show N]

The first failure of each law is printed: what was done to the conversation, and the parameters.
"""
import argparse
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import seal_draws  # noqa: E402
import seal_laws  # noqa: E402
from daemon import Daemon  # noqa: E402
from wire import Wire  # noqa: E402


class Hunt:
    def __init__(self, seed, wanted=None, show=1):
        self.show = show
        self.daemon = Daemon()
        self.wire = Wire(self.daemon.socket)
        self.seed = seed
        self.laws = [w for w in seal_laws.LAWS if not wanted or w.__name__ in wanted or w is seal_laws.answers]
        self.failures = {}  # law's name -> [how many, description of the first]

    def stop(self):
        self.wire.close()
        self.daemon.stop()

    def run(self, start, count):
        for number in range(start, start + count):
            draw = seal_draws.draw(self.seed, number)
            trial = seal_laws.SealTrial(self.wire, draw)
            for law in self.laws:
                why = law(trial)
                if why:
                    self.note(law, number, draw)
                if why and law is seal_laws.answers:
                    break

    def why(self, law, draw):
        trial = seal_laws.SealTrial(self.wire, draw)
        try:
            return None if law is not seal_laws.answers and seal_laws.answers(trial) else law(trial)
        except (KeyError, IndexError, TypeError, AttributeError, StopIteration):
            return None  # too small for it

    def note(self, law, number, draw):
        entry = self.failures.setdefault(law.__name__, [0, None])
        entry[0] += 1
        if entry[0] <= self.show:
            why = law(seal_laws.SealTrial(self.wire, draw))
            least = seal_draws.shrink(draw, lambda d: self.why(law, d))
            entry[1] = entry[1] or "draw %d, %s: %s\n%s" % (
                number, draw.ways, (self.why(law, least) or why)[:3000], least.text)
            if self.show > 1:
                print("%s, draw %d, %s: %s\n%s\n" % (
                    law.__name__, number, draw.ways, (self.why(law, least) or why)[:3000], least.text), flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--count", type=int, default=1000)
    ap.add_argument("--start", type=int, default=0)
    ap.add_argument("--seed", default="1")
    ap.add_argument("--law", action="append")
    ap.add_argument("--show", type=int, default=1, help="how many failures of each law to print")
    args = ap.parse_args()
    begin, hunt = time.monotonic(), Hunt(args.seed, args.law, args.show)
    try:
        hunt.run(args.start, args.count)
    finally:
        hunt.stop()
    for name, (_, first) in hunt.failures.items():
        print("law: %s\n%s\n" % (name, first))
    counts = {name: n for name, (n, _) in hunt.failures.items()}
    print("%d draws in %.0f s; failures: %s" % (args.count, time.monotonic() - begin, counts or "none"))
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
