#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the npm package as it is installed, next to what its users have, in one run: clients/typescript/bench.mjs.

Prints a table of figures with their bars, or why it can't: what tests/clients/install.sh installs is needed.
"""
import ctypes
import os
import shutil
import sys
import time

import npm_package  # next to this file

CALLS = 100  # a round


def native(path):
    """Returns the microseconds of processor time that the library takes for the request in a file; the best of ten
    rounds."""
    library = ctypes.CDLL(os.path.join(npm_package.BUILD, ".libs", "libturnkeeper.so"))
    library.tk_core_new.restype = ctypes.c_void_p
    library.tk_call.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p,
                                ctypes.c_void_p]
    library.tk_reply_free.argtypes = library.tk_core_free.argtypes = [ctypes.c_void_p]
    core, reply, best = library.tk_core_new(None), ctypes.c_void_p(), float("inf")
    with open(path, "rb") as f:
        request = f.read()
    for _ in range(10):
        start = time.process_time()
        for _ in range(CALLS):
            if library.tk_call(core, None, request, len(request), None, ctypes.byref(reply)):
                raise MemoryError
            library.tk_reply_free(reply)
        best = min(best, (time.process_time() - start) / CALLS)
    library.tk_core_free(core)
    return best * 1e6


def main():
    why = npm_package.why_not()
    if why:
        print("clients/typescript: not measured: %s" % why)
        return 0
    package = npm_package.Package()
    try:
        shutil.copy(os.path.join(npm_package.SOURCE, "bench.mjs"), package.user)
        request = os.path.join(package.folder, "request.json")
        npm_package.Package.must(["node", "bench.mjs", "--request", request], package.user)
        with npm_package.Daemon() as daemon:
            done = npm_package.run(["node", "bench.mjs"], package.user, TURNKEEPER_SOCKET=daemon.socket,
                                   TK_NATIVE_US=str(native(request)))
        print(done.stdout, end="")
        return done.returncode
    finally:
        package.remove()


if __name__ == "__main__":
    sys.exit(main())
