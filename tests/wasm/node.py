# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of turnkeeper.wasm: the module and Node, or the reason why there is none."""
import os
import shutil
import subprocess
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.environ.get("top_srcdir", os.path.dirname(os.path.dirname(HERE)))
BUILD = os.environ.get("top_builddir", ".")
MODULE = os.path.join(BUILD, "turnkeeper.wasm")
NODE = shutil.which("node") or shutil.which("nodejs")
SECONDS = 250  # of one program, on a busy machine


def need():
    """Skips the whole file without module or Node."""
    if not os.path.exists(MODULE):
        raise unittest.SkipTest("configure found no clang that links for wasm32-wasi, so there is no turnkeeper.wasm")
    if NODE is None:
        raise unittest.SkipTest("Node isn't installed")


def run(script, *arguments):
    """Runs a script of this folder and returns its output; AssertionError with its errors if it fails."""
    done = subprocess.run([NODE, "--no-warnings", os.path.join(HERE, script), *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
    if done.returncode != 0:
        raise AssertionError("%s: exit %d\n%s\n%s" % (script, done.returncode, done.stdout.decode(errors="replace"),
                                                      done.stderr.decode(errors="replace")))
    return done.stdout
