# SPDX-License-Identifier: Apache-2.0
"""The page of memory that a test shares with libfaults.c: which call of a program fails, and how.

    page = Page(path)
    with Daemon(environment=page.environment()) as d:
        page.arm("sendmsg", 3, errno.ENOBUFS)    the third call from now on fails
        ...
        page.disarm("sendmsg") -> True if it did
"""
import mmap
import os
import struct

HEAD = struct.Struct("=qq")         # blocks, rows
ROW = struct.Struct("=24sQQQq")     # name, calls, fail_at, failed, error
CALLS, FAIL_AT, FAILED, ERROR = (24 + 8 * n for n in range(4))
ONE_BYTE = -1
LIBRARY = os.path.join(os.environ.get("top_builddir", "."), "tests", "faults", ".libs", "libfaults.so")


class Page:
    def __init__(self, path):
        self.path = path
        with open(path, "w+b") as f:
            f.truncate(mmap.PAGESIZE)
            self.map = mmap.mmap(f.fileno(), mmap.PAGESIZE)
        self.places = {}

    def environment(self):
        # ASan wants to be the first library; it gets the calls that libfaults.so passes on. It would report a string
        # as a leak that its own start leaves over. Blocks of memory are counted in the page.
        asan = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0:detect_leaks=0"
        return {"LD_PRELOAD": LIBRARY, "TK_FAULTS": self.path, "ASAN_OPTIONS": asan}

    def names(self):
        """The functions that may fail; [] before the program has started."""
        rows = HEAD.unpack_from(self.map)[1]
        places = {}
        for n in range(rows):
            at = HEAD.size + n * ROW.size
            places[ROW.unpack_from(self.map, at)[0].rstrip(b"\0").decode()] = at
        self.places = places
        return list(places)

    def _get(self, name, member):
        return struct.unpack_from("=Q", self.map, self.places[name] + member)[0]

    def _set(self, name, member, kind, value):
        struct.pack_into(kind, self.map, self.places[name] + member, value)

    def blocks(self):
        """Blocks of memory that the program holds now."""
        return HEAD.unpack_from(self.map)[0]

    def calls(self, name):
        return self._get(name, CALLS)

    def arm(self, name, n, error):
        """The n-th call from now on fails with this errno, or moves ONE_BYTE only."""
        self._set(name, FAILED, "=Q", 0)
        self._set(name, ERROR, "=q", error)
        self._set(name, FAIL_AT, "=Q", self.calls(name) + n)

    def disarm(self, name):
        """True if the call has failed."""
        self._set(name, FAIL_AT, "=Q", 0)
        return self._get(name, FAILED) > 0

    def restart(self):
        """Sets the numbers of calls to 0, for a program that is started next."""
        for name in self.places:
            self._set(name, CALLS, "=Q", 0)
        HEAD.pack_into(self.map, 0, 0, 0)
