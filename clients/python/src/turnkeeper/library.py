# SPDX-License-Identifier: Apache-2.0
"""Loads the shared library libturnkeeper and calls it: a request's bytes in, the answer's bytes out.

    Library    its functions, as include/turnkeeper/turnkeeper.h declares them
    Instance   one core with one session: in process what a connection to the daemon is

Which library: the file that the environment's TURNKEEPER_LIBRARY names, else the one inside this
package (wheels have it), else the system's libturnkeeper.so.1.

A core belongs to one thread at a time, so an instance has a lock; calls in other threads have
instances of their own (Pool). While the library works, other threads of Python run.

All is done by ctypes but what each call needs, where this package has the module _answer (native/answer.c, which
wheels have), or the interpreter can load it.
"""

from __future__ import annotations

import ctypes
import functools
import glob
import os
import struct
import sys
import threading
from dataclasses import dataclass
from typing import Any, Callable, Optional

from .errors import ConnectionLost, InternalError, LibraryMissing

SYSTEM = "libturnkeeper.so.1" if sys.platform != "darwin" else "libturnkeeper.1.dylib"
INSIDE = "libturnkeeper*"  # the file inside the package

class _Options(ctypes.Structure):
    """tk_options"""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("resize", ctypes.c_void_p),
        ("opaque", ctypes.c_void_p),
        ("max_depth", ctypes.c_uint32),
        ("max_values", ctypes.c_uint32),
        ("hash_key", ctypes.c_uint64 * 2),
        ("max_answer", ctypes.c_uint64),
        ("max_memory", ctypes.c_uint64),
        ("max_stream_buffer", ctypes.c_uint64),
        ("max_streams", ctypes.c_uint64),
    ]


class _CallOptions(ctypes.Structure):
    """tk_call_options"""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("cancelled", ctypes.c_void_p),
        ("opaque", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
    ]


class _Deadline(ctypes.Structure):
    """tk_deadline, whose members are the library's"""

    _fields_ = [("members", ctypes.c_uint64 * 6)]


_iovec = struct.Struct("@PN")  # address, size
_address = ctypes.c_void_p

# name: its result, its arguments, and whether it may take long, so that other threads run meanwhile.
_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...], bool]] = {
    "tk_core_new": (_address, (_address,), False),
    "tk_core_free": (None, (_address,), False),
    "tk_session_new": (_address, (_address,), False),
    "tk_session_free": (None, (_address,), False),
    "tk_call": (
        ctypes.c_int,
        (_address, _address, ctypes.c_char_p, ctypes.c_size_t, _address, _address),
        True,
    ),
    "tk_deadline_start": (None, (_address, ctypes.c_uint32), False),
    "tk_deadline_stop": (None, (_address,), False),
    "tk_reply_iov": (_address, (_address, _address), False),
    "tk_reply_free": (None, (_address,), False),
    "tk_version": (ctypes.c_char_p, (), False),
}


@dataclass(frozen=True)
class Limits:
    """Of one core, as those of the daemon have them; 0: the library's default."""

    max_depth: int = 0
    max_values: int = 0
    max_answer: int = 0
    max_memory: int = 0


class Library:
    """The functions of one file. LibraryMissing if it can't be loaded."""

    tk_core_new: Any
    tk_core_free: Any
    tk_session_new: Any
    tk_session_free: Any
    tk_call: Any
    tk_deadline_start: Any
    tk_deadline_stop: Any
    tk_reply_iov: Any
    tk_reply_free: Any
    tk_version: Any

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            working, quick = ctypes.CDLL(path), ctypes.PyDLL(path)
            for name, (result, arguments, long) in _FUNCTIONS.items():
                function = getattr(working if long else quick, name)
                function.restype, function.argtypes = result, arguments
                setattr(self, name, function)
            self.deadline_passed = _place(working.tk_deadline_passed)
        except (OSError, AttributeError) as why:
            raise LibraryMissing("%s can't be used: %s" % (path, why)) from why
        # What calls it: the request's core, session and bytes, addresses of the options and of the deadline in them,
        # milliseconds -> the answer, None without memory.
        self.answer: Callable[[int, int, bytes, int, int, int], Optional[bytes]] = _quick(self) or self._answer

    def _answer(
        self, core: int, session: int, request: bytes, options: int, deadline: int, limit_ms: int
    ) -> Optional[bytes]:
        reply, count = _address(), ctypes.c_size_t()
        self.tk_deadline_start(deadline, limit_ms)
        if self.tk_call(core, session, request, len(request), options, ctypes.byref(reply)):
            return None
        try:
            first = self.tk_reply_iov(reply, ctypes.byref(count))
            listed = ctypes.string_at(first, count.value * _iovec.size)
            pieces = [ctypes.string_at(at, size) for at, size in _iovec.iter_unpack(listed)]
        finally:
            self.tk_reply_free(reply)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    @property
    def version(self) -> str:
        said: bytes = self.tk_version()
        return said.decode()


def _place(function: Any) -> int:
    """The address of a function."""
    return ctypes.cast(function, _address).value or 0


def _quick(library: Library) -> Any:
    """Library.answer by the module _answer; None where it can't be had, as in other interpreters than CPython."""
    try:
        from . import _answer
    except ImportError:
        return None
    names = ("tk_call", "tk_reply_iov", "tk_reply_free", "tk_deadline_start")
    functions = _answer.functions(*(_place(getattr(library, name)) for name in names))
    return functools.partial(_answer.answer, functions)


def library_path() -> str:
    """Which file is loaded; a bare name is for the system's loader to find."""
    named = os.environ.get("TURNKEEPER_LIBRARY")
    if named:
        return named
    inside = glob.glob(os.path.join(glob.escape(os.path.dirname(__file__)), INSIDE))
    return inside[0] if inside else SYSTEM


@functools.lru_cache(maxsize=None)
def load(path: str) -> Library:
    """Each file is loaded once."""
    return Library(path)


class Instance:
    """One core and its session. Threads may share it: they wait for each other.

    `process`: who made it. After a fork the child must not use it: another thread of the parent may
    have been inside. InternalError if there is no memory for it.
    """

    def __init__(self, library: Library, limits: Limits) -> None:
        self.process = os.getpid()
        self._library = library
        self._lock = threading.Lock()
        self._closing = False
        self._session = 0
        self._core: int = library.tk_core_new(ctypes.byref(_options(limits))) or 0
        if self._core:
            self._session = library.tk_session_new(self._core) or 0
        if not self._session:
            self.close()
            raise _no_memory()
        self._deadline = _Deadline()
        self._until = ctypes.addressof(self._deadline)
        self._call_options = _CallOptions(
            size=ctypes.sizeof(_CallOptions), cancelled=library.deadline_passed, opaque=self._until
        )
        self._how = ctypes.addressof(self._call_options)

    def quiet(self) -> bool:
        """True if it may be used for another call."""
        return self.process == os.getpid() and not self._closing

    def call(self, request: bytes, limit_ms: int) -> bytes:
        """The answer to a request. `limit_ms`: milliseconds that it may take; 0: no limit.

        InternalError if there is no memory: the instance is closed then, and its streams are lost, as
        with a connection.
        """
        if self.process != os.getpid():
            raise ConnectionLost("the stream belongs to the process before the fork", retryable=False)
        try:
            with self._lock:
                if self._closing:
                    raise ConnectionLost("what it was in was closed", retryable=False)
                answer = self._library.answer(
                    self._core, self._session, request, self._how, self._until, limit_ms
                )
                if answer is None:
                    self._closing = True
                    raise _no_memory()
                return answer
        finally:
            if self._closing:
                self.close()

    def close(self) -> None:
        """Frees it; if a call runs in another thread, that one ends at once and frees it."""
        self._closing = True
        if self.process != os.getpid() or not self._lock.acquire(blocking=False):
            self._stop()
            return
        try:
            session, core, self._session, self._core = self._session, self._core, 0, 0
            self._library.tk_session_free(session)
            self._library.tk_core_free(core)
        finally:
            self._lock.release()

    def _stop(self) -> None:
        self._library.tk_deadline_stop(self._until)

    def __del__(self) -> None:
        if not sys.is_finalizing() and hasattr(self, "_core"):
            self.close()


def _options(limits: Limits) -> _Options:
    """A core's options, with a key of its own for its hash tables: requests may come from strangers."""
    options = _Options(
        size=ctypes.sizeof(_Options),
        max_depth=limits.max_depth,
        max_values=limits.max_values,
        max_answer=limits.max_answer,
        max_memory=limits.max_memory,
    )
    options.hash_key[:] = struct.unpack("=QQ", os.urandom(16))
    return options


def _no_memory() -> InternalError:
    return InternalError("no memory for this request")
