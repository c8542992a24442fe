# SPDX-License-Identifier: Apache-2.0
"""The types of the module that native/answer.c is."""

from typing import Optional

def functions(call: int, iov: int, free: int, start: int, /) -> object: ...
def answer(
    functions: object, core: int, session: int, request: bytes, options: int, deadline: int, limit_ms: int, /
) -> Optional[bytes]: ...
def spliced(answer: bytes, ident: int, body: bytes, /) -> Optional[bytes]: ...
