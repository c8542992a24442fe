#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws histories until a law breaks, and cuts down what broke it.

    hunt.py [--socket PATH] [--count N] [--start N] [--seed S] [--law NAME] [--dialect D]

Without --socket a daemon of its own is started, and again when it dies. The first failure of
each law is printed with the smallest history found. Every fifth draw is for repair_turn.
"""
import argparse
import os
import random
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE),
                os.path.join(os.path.dirname(os.path.dirname(HERE)), "clients", "python", "src")]
import edit_laws  # noqa: E402
import histories  # noqa: E402
import laws  # noqa: E402
import turn_laws  # noqa: E402
from daemon import Daemon  # noqa: E402
from wire import Wire  # noqa: E402


LAWS = laws.LAWS + edit_laws.LAWS


def draw(seed, number, dialect=None):
    """History `number` of a seed, and what is appended to it."""
    rng = random.Random("%s/%d" % (seed, number))
    history = histories.draw(rng, dialect)
    tail = histories.draw(rng, history.dialect).messages if rng.random() < 0.5 else []
    return history, tail


class Target:
    """A daemon to ask; its own one is started again when it died of a request."""

    def __init__(self, path=None):
        self.path, self.daemon, self.wire = path, None, None
        self.start()

    def start(self):
        if not self.path:
            self.daemon = Daemon()
        self.wire = Wire(self.path or self.daemon.socket)

    def stop(self):
        if self.wire:
            self.wire.close()
        if self.daemon:
            self.daemon.stop()

    def ask(self, *args):
        return self.guarded(self.wire.ask, *args)

    def ask_msgpack(self, *args):
        return self.guarded(self.wire.ask_msgpack, *args)

    def guarded(self, ask, *args):
        try:
            return ask(*args)
        except OSError:
            try:
                self.stop()
            except AssertionError:
                pass  # it is said already
            self.wire = self.daemon = None
            self.start()
            raise


def lives(trial):
    """The daemon answers."""
    try:
        trial.ask_all()
    except OSError as e:
        return "it didn't: %r" % e
    return None


def broken(wire, history, tail, wanted):
    """(law, sentence) of the laws that this history breaks."""
    yield from breaches(laws.Trial(wire, history, tail), wanted)


def breaches(trial, wanted):
    for law in wanted:
        try:
            why = law(trial)
        except OSError as e:
            yield lives, "%s: %r" % (law.__name__, e)
            return
        if why:
            yield law, why


def draw_turn(seed, number, dialect=None):
    """A turn by itself, with a stop reason and calls that it may go on with."""
    rng = random.Random("turn %s/%d" % (seed, number))
    while True:
        history = histories.draw(rng, dialect)
        turns = [m for m in history.messages if m.parts]
        if turns:
            break
    history.messages = [rng.choice(turns)]
    carried = rng.sample(histories.IDS, rng.choice([0, 0, 1, 2]))
    carry_in = [{"id": i, "name": "web_search", "type": "server_tool_use"} for i in carried]
    return history, rng.choice([None, "end_turn", "pause_turn", "tool_use", "max_tokens"]), carry_in or None


def broken_turn(wire, turn, wanted):
    """As broken(), for repair_turn."""
    yield from breaches(turn_laws.TurnTrial(wire, *turn), wanted)


def cut_turn_down(wire, turn, law):
    def breaks(history):
        try:
            return law(turn_laws.TurnTrial(wire, history, *turn[1:])) is not None
        except (KeyError, IndexError, TypeError, AttributeError, ValueError):
            return False

    return (histories.shrink(turn[0], breaks), *turn[1:])


def cut_down(wire, history, tail, law):
    """The smallest history, and tail, that still break the law."""
    def breaks(h, t):
        try:
            return law(laws.Trial(wire, h, t)) is not None
        except (KeyError, IndexError, TypeError, AttributeError):
            return False

    history = histories.shrink(history, lambda h: breaks(h, tail))
    if tail:
        whole = histories.History(history.dialect, list(tail), history.policy, history.guard)
        tail = histories.shrink(whole, lambda h: h.messages and breaks(history, h.messages)).messages
        history = histories.shrink(history, lambda h: breaks(h, tail))
    return history, tail


def describe(history, tail, law, why):
    lines = ["law: %s (%s)" % (law.__name__, law.__doc__), "dialect %s, policy %s, guard %s" % (
        history.dialect, history.policy, history.guard), "messages: " + history.text()]
    if history.rebuilt or history.wrapped:
        lines.append("context: %s" % history.context)
    if tail:
        lines.append("appended: [%s]" % ",".join(m.text() for m in tail))
    return "\n".join(lines + [why[:3000]])


class Hunt:
    """Draws `count` histories and keeps the first failure of each law, cut down."""

    def __init__(self, target, seed, dialect=None, wanted=None):
        self.target, self.seed, self.dialect = target, seed, dialect
        self.laws = [w for w in LAWS if not wanted or w.__name__ in wanted]
        self.turn_laws = [w for w in turn_laws.LAWS if not wanted or w.__name__ in wanted]
        self.failures = {}  # law's name -> [how many, description of the first]

    def run(self, start, count):
        for number in range(start, start + count):
            if number % 5 == 4:
                self.one_turn(number)
            else:
                self.one_history(number)

    def note(self, law, describe_it):
        entry = self.failures.setdefault(law.__name__, [0, None])
        entry[0] += 1
        if entry[0] == 1:
            entry[1] = describe_it()
            print(entry[1], flush=True)

    def one_turn(self, number):
        turn = draw_turn(self.seed, number, self.dialect)
        for law, why in broken_turn(self.target, turn, self.turn_laws):
            def describe_it():
                smallest = cut_turn_down(self.target, turn, law)
                again = self.why(law, turn_laws.TurnTrial(self.target, *smallest)) or why
                return "turn %d, %s\n%s" % (number, turn[1:], describe(smallest[0], [], law, again))
            self.note(law, describe_it)

    def one_history(self, number):
        history, tail = draw(self.seed, number, self.dialect)
        for law, why in broken(self.target, history, tail, self.laws):
            def describe_it():
                smallest = cut_down(self.target, history, tail, law)
                again = self.why(law, laws.Trial(self.target, *smallest)) or why
                return "history %d\n%s" % (number, describe(*smallest, law, again))
            self.note(law, describe_it)

    @staticmethod
    def why(law, trial):
        try:
            return law(trial)
        except OSError as e:
            return repr(e)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--socket")
    ap.add_argument("--count", type=int, default=1000)
    ap.add_argument("--start", type=int, default=0)
    ap.add_argument("--seed", default="1")
    ap.add_argument("--law", action="append")
    ap.add_argument("--dialect")
    args = ap.parse_args()
    begin, target = time.monotonic(), Target(args.socket)
    hunt = Hunt(target, args.seed, args.dialect, args.law)
    try:
        hunt.run(args.start, args.count)
    finally:
        target.stop()
    counts = {name: n for name, (n, _) in hunt.failures.items()}
    print("%d histories in %.0f s; failures: %s" % (args.count, time.monotonic() - begin, counts or "none"))
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
