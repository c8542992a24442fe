#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the npm package as it is installed, next to what its users have, in one run: clients/typescript/bench.mjs.

Prints a table of figures with their bars, or why it can't: what tests/clients/install.sh installs is needed.
"""
import os
import shutil
import sys

import npm_package  # next to this file


def main():
    why = npm_package.why_not()
    if why:
        print("clients/typescript: not measured: %s" % why)
        return 0
    package = npm_package.Package()
    try:
        shutil.copy(os.path.join(npm_package.SOURCE, "bench.mjs"), package.user)
        with npm_package.Daemon() as daemon:
            done = npm_package.run(["node", "bench.mjs"], package.user, TURNKEEPER_SOCKET=daemon.socket)
        print(done.stdout, end="")
        return done.returncode
    finally:
        package.remove()


if __name__ == "__main__":
    sys.exit(main())
