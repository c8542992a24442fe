# SPDX-License-Identifier: Apache-2.0
"""The shared library for the tests: the built one of the project's tree, if none is named."""

import os
import unittest

from built import BUILD
from support import Blocking

import turnkeeper

BUILT = os.path.join(BUILD, ".libs", "libturnkeeper.so")

if not os.environ.get("TURNKEEPER_LIBRARY") and os.path.exists(BUILT):
    os.environ["TURNKEEPER_LIBRARY"] = BUILT


def needs_library():
    """SkipTest if there is no library to test."""
    try:
        turnkeeper.Local().close()
    except turnkeeper.LibraryMissing as why:
        raise unittest.SkipTest(str(why)) from why


def local(path=None, **options):
    """A Local for tests that were written for a client of a daemon: without path and retries."""
    options.pop("retries", None)
    return turnkeeper.Local(**options)


def async_local(path=None, **options):
    options.pop("retries", None)
    return Blocking.around(turnkeeper.AsyncLocal(**options))


class InProcess:
    """For tests of a guard: the library in process is asked in place of a daemon."""

    @classmethod
    def setUpClass(cls):
        needs_library()
        super().setUpClass()

    def guard(self, guard, kind=turnkeeper.Client):
        keeper = turnkeeper.AsyncLocal if kind is turnkeeper.AsyncClient else turnkeeper.Local
        given = keeper(timeout=30)
        self.addCleanup(given._pool.close)
        return dict({} if guard is True else guard, keeper=given)
