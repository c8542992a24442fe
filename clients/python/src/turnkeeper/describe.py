# SPDX-License-Identifier: Apache-2.0
"""The documentation of the methods: what each parameter means, in which unit, and what is raised.

A method's own text says what it does; `describes` adds the rest for help(): of each parameter what OWN says, else the
protocol's own words, which are in parameters.py.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable
from typing import Any, Callable, TypeVar

from .parameters import HELP

F = TypeVar("F", bound=Callable[..., Any])

WIDTH = 96

# The parameter `request` of streams and of pair.
INSTEAD_OF_HISTORY = "the whole request body instead of `history`: a mapping, an object, or JSON text in bytes"

# Parameters that are the client's own, and those of which it takes more than the protocol does, or gives them back.
OWN = {
    "document": "the list of messages, oldest first, or the whole request body. Messages and blocks may be "
    "mappings, dataclasses or objects with model_dump(), as those of an SDK, which are sent as the SDK "
    "sends them. It isn't changed",
    "request": "the whole request body, as a mapping or object; it isn't changed",
    "body": "the whole request body, as JSON text in bytes",
    "content": "the blocks of one assistant turn, as a list of mappings or objects",
    "turn": "the assistant turn as it was received: its message (the response body or object will do), "
    "its content, or JSON text of the content as bytes",
    "response": "one whole response body, as a mapping or object",
    "assistant": "the turn that came back, as it was received: message, response body or object",
    "target": "where the request goes, as {\"endpoint\": ..., \"model\": ...}, on endpoint \"compatible\" also "
    "\"server\"; turns on the rules that hold only there",
    "policy": "what may be done about each kind of fault: \"conservative\" (default), \"preserve\", or a "
    "mapping of keys that override those of its \"base\"; info().policies has them",
    "caller": "the caller's name for this request or session, for the daemon's log: at most 64 of A-Z, a-z, 0-9 and "
    "\"._:-\"; default: the client's",
    "guard": "True (default): raise UnsafeHistory if an error remains; False: repair what can be repaired, "
    "and list what remains in `violations`",
    "options": "what to do where there is a choice: OPERATIONS.md part A has the keys",
    "splice": "the step `splice`: a mapping of what that method takes, the turn as `assistant`; absent: "
    "no such step",
    "tools": "the step `tools`: a mapping of what that method takes; absent: no tools are added",
    "history": "the messages that were sent with the request, as a list or as JSON text in bytes: open "
    "calls and used ids are read from it",
    "method": "the method's name",
    "params": "its parameters",
    "timeout": "seconds for the whole call; default: the client's; None: no limit",
    "chunk": "SSE as bytes or text, cut anywhere; or one event, or a list of events, already decoded, as "
    "mappings or objects of an SDK",
    "transport_error": "what broke the stream off, in words, if anything did",
}

ERRORS = {
    "UnsafeHistory": "no allowed edit makes it safe; `violations` says why, and its text the way out",
    "DialectMismatch": "the history is in another format; nothing of it was touched",
    "InvalidParams": "a parameter is not as it must be; `pointer` names it",
    "Refused": "it can't be done; `name` says why",
    "PairingFailed": "the stream, or the response, is no turn that can be stored; `kinds` says why",
    "StreamExists": "it is open already (ValueError, if this very stream is)",
    "StreamFinished": "it has ended",
    "UnsupportedProtocol": "the daemon speaks another protocol",
    "AnswerTooLarge": "the answer would be larger than the daemon's limit, which `limit` has",
    "ParseError": "the body isn't JSON, or is beyond a limit of the daemon; `offset` says where",
    "EncodeError": "something in it has no form in JSON; nothing was sent. `pointer` names the place",
    "RequestTooCostly": "it would take more memory than the daemon's max_memory, which `limit` has",
    "RemoteError": "any other error that the daemon answers with, as Busy or DeadlineExceeded",
    "TransportError": "no whole answer came: ConnectFailed, ConnectionLost, Timeout, ProtocolError",
}
ALWAYS = ("RemoteError", "TransportError")
JUDGED = ("DialectMismatch", "InvalidParams", "AnswerTooLarge", "RequestTooCostly", "EncodeError")


def describes(*errors: str, takes: Any = None, of: str = "", **own: str) -> Callable[[F], F]:
    """Adds to a function's documentation its parameters and what it raises.

    `takes`: the TypedDict of its keyword parameters. `of`: the protocol's method, if it has another name. `own`: what a
    parameter means in this method.
    """

    def decorate(function: F) -> F:
        given = [name for name, p in inspect.signature(function).parameters.items() if _named(p)]
        names = [n for n in given + list(_keys(takes)) if n != "self"]
        meant = [(name, own.get(name) or _help(of or function.__name__, name)) for name in names]
        raised = [(name, ERRORS[name]) for name in (*errors, *ALWAYS)]
        text = inspect.cleandoc(function.__doc__ or "")
        function.__doc__ = text + _section("Parameters", meant) + _section("Raises", raised)
        return function

    return decorate


def _help(method: str, name: str) -> str:
    return OWN.get(name) or HELP.get("%s.%s" % (method, name)) or HELP[name]


def _named(parameter: inspect.Parameter) -> bool:
    return parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)


def _keys(takes: Any) -> Iterable[str]:
    return takes.__annotations__ if takes is not None else ()


def _section(title: str, rows: Iterable[tuple[str, str]]) -> str:
    rows = list(rows)
    if not rows:
        return ""
    column = max(len(name) for name, _ in rows) + 4
    lines = [
        textwrap.fill(
            text,
            WIDTH,
            initial_indent=("  " + name).ljust(column),
            subsequent_indent=" " * column,
            break_on_hyphens=False,
        )
        for name, text in rows
    ]
    return "\n\n%s:\n%s" % (title, "\n".join(lines))
