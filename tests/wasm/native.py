# SPDX-License-Identifier: Apache-2.0
"""libturnkeeper of this build by ctypes: what the module's answers are compared with."""
import ctypes
import os

import node


JSON_ONLY = 1  # TK_CALL_JSON_ONLY


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class CallOptions(ctypes.Structure):
    """tk_call_options of turnkeeper.h."""
    _fields_ = [("size", ctypes.c_size_t), ("cancelled", ctypes.c_void_p), ("opaque", ctypes.c_void_p),
                ("flags", ctypes.c_uint64)]


def load():
    library = ctypes.CDLL(os.path.join(node.BUILD, ".libs", "libturnkeeper.so"))
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    for name, result, *arguments in (
            ("tk_core_new", pointer, pointer), ("tk_core_free", None, pointer),
            ("tk_session_new", pointer, pointer), ("tk_session_free", None, pointer),
            ("tk_call", ctypes.c_int, pointer, pointer, ctypes.c_char_p, size, pointer, pointer),
            ("tk_reply_iov", ctypes.POINTER(Piece), pointer, pointer), ("tk_reply_free", None, pointer)):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Core:
    """A core with one session at a time."""

    def __init__(self):
        self.library = load()
        self.core = self.library.tk_core_new(None)
        self.session = self.library.tk_session_new(self.core)

    def new_session(self):
        self.library.tk_session_free(self.session)
        self.session = self.library.tk_session_new(self.core)

    def call(self, request, json_only=False):
        """Returns the answer's bytes."""
        options = CallOptions(size=ctypes.sizeof(CallOptions), flags=JSON_ONLY if json_only else 0)
        reply, count = ctypes.c_void_p(), ctypes.c_size_t()
        failed = self.library.tk_call(self.core, self.session, request, len(request), ctypes.byref(options),
                                      ctypes.byref(reply))
        if failed:
            raise MemoryError
        pieces = self.library.tk_reply_iov(reply, ctypes.byref(count))
        answer = b"".join(ctypes.string_at(pieces[i].base, pieces[i].size) for i in range(count.value))
        self.library.tk_reply_free(reply)
        return answer

    def close(self):
        self.library.tk_session_free(self.session)
        self.library.tk_core_free(self.core)
