#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws streams until a law breaks.

    stream_hunt.py [--socket PATH] [--count N] [--start N] [--seed S] [--law NAME] [--keep-going]
"""
import argparse
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import stream_laws  # noqa: E402
import streams  # noqa: E402
from daemon import Daemon  # noqa: E402
from wire import Wire  # noqa: E402


def breaches(wire, seed, number, wanted=tuple(stream_laws.LAWS)):
    """(law, sentence) of the laws that a stream breaks."""
    stream = streams.draw(seed, number)
    trial = stream_laws.Trial(wire, stream, number)
    for law in wanted:
        try:
            why = law(trial)
        except (stream_laws.Refused, KeyError, ValueError) as e:
            why = "%s: %s" % (type(e).__name__, e)
        if why:
            yield law, why, stream


def describe(number, law, why, stream):
    return "-- stream %d, law: %s (%s)\n%s, %s\n%s\ntransport %r\n%s" % (
        number, law.__name__, law.__doc__, stream.codec, "bytes" if stream.as_bytes else "events",
        json.dumps(stream.params), stream.transport,
        "\n".join([json.dumps(e) for e in stream.events] + [why[:3000]]))


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--socket")
    ap.add_argument("--count", type=int, default=1000)
    ap.add_argument("--start", type=int, default=0)
    ap.add_argument("--seed", default="1")
    ap.add_argument("--law", action="append")
    ap.add_argument("--keep-going", action="store_true", help="not just the first failure of each law")
    args = ap.parse_args()
    wanted = [w for w in stream_laws.LAWS if not args.law or w.__name__ in args.law]
    failures, begin = {}, time.monotonic()
    daemon = None if args.socket else Daemon()
    try:
        with Wire(args.socket or daemon.socket) as wire:
            for number in range(args.start, args.start + args.count):
                for law, why, stream in breaches(wire, args.seed, number, wanted):
                    failures[law.__name__] = failures.get(law.__name__, 0) + 1
                    if failures[law.__name__] == 1 or args.keep_going:
                        print(describe(number, law, why, stream), flush=True)
    finally:
        if daemon:
            daemon.stop()
    print("%d streams in %.0f s; failures: %s" % (args.count, time.monotonic() - begin, failures or "none"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
