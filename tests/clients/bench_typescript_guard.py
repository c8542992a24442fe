#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures guardFetch next to Anthropic's SDK for TypeScript, in one run: clients/typescript/bench_guard.mjs.

Prints a table of figures with their bars, or why it can't: what tests/clients/install.sh installs is needed.
"""
import os
import shutil
import sys

import npm_package  # next to this file
import test_typescript_guard


def main():
    why = test_typescript_guard.why_not()
    if why:
        print("clients/typescript, guardFetch: not measured: %s" % why)
        return 0
    package = npm_package.Package()
    try:
        folder = os.path.join(package.folder, "package")
        shutil.copy(os.path.join(npm_package.SOURCE, "bench_guard.mjs"), folder)
        done = npm_package.run(["node", "bench_guard.mjs"], folder)
        print(done.stdout, end="")
        return done.returncode
    finally:
        package.remove()


if __name__ == "__main__":
    sys.exit(main())
