# SPDX-License-Identifier: Apache-2.0
"""Repairs conversation histories that LLM providers refuse.

    keeper = turnkeeper.Local()           in this process: nothing else runs, nothing is sent anywhere
    fixed = keeper.repair(messages)       a copy to send, fixed.messages; store `messages`. UnsafeHistory says why not
    report = keeper.validate(messages)    all that a provider would refuse, in report.violations
    keeper.explain(str(error))            the rules that a provider's refusal belongs to

    turnkeeper.connect()                  a daemon if one answers, else this process: the same methods
    turnkeeper.Client(path)               the daemon at this socket
    turnkeeper.AsyncLocal, AsyncClient    the same for asyncio: await the methods

    turnkeeper.httpx, turnkeeper.httpx2   GuardTransport repairs the requests of a provider's SDK on their way
    turnkeeper.spark                      columns of conversations

help(turnkeeper.Local) has all methods, help(turnkeeper.httpx.GuardTransport) all options of a guard, and the README of the
package the rest.
"""

# Each name is imported "as" itself, which is how type checkers know that it is offered here; those of errors.py are its
# __all__. There is none here, because help() would print all classes with all of their methods.
from ._version import PROTOCOL as PROTOCOL, __version__ as __version__
from .aio import AsyncClient as AsyncClient, AsyncStream as AsyncStream
from .client import Client as Client, Stream as Stream
from .connection import DEFAULT_PATH as DEFAULT_PATH, control_path as control_path, socket_path as socket_path
from .errors import *
from .events import Event as Event
from .local import AsyncLocal as AsyncLocal, Local as Local, connect as connect
from .params import FitStep as FitStep, Policy as Policy, PolicyKeys as PolicyKeys, SpliceStep as SpliceStep, ToolsStep as ToolsStep
from .patch import apply_patch as apply_patch
from .results import (
    Check as Check,
    Detected as Detected,
    Edit as Edit,
    Explanation as Explanation,
    Finding as Finding,
    Finish as Finish,
    Fit as Fit,
    Fitted as Fitted,
    Health as Health,
    Info as Info,
    Match as Match,
    MergedTools as MergedTools,
    Method as Method,
    Notes as Notes,
    PairedTurn as PairedTurn,
    Place as Place,
    Pong as Pong,
    Prepared as Prepared,
    PreparedBody as PreparedBody,
    Protected as Protected,
    Repaired as Repaired,
    RepairedBody as RepairedBody,
    RepairedTurn as RepairedTurn,
    Report as Report,
    Rule as Rule,
    Spliced as Spliced,
    Stats as Stats,
    Unbound as Unbound,
    Verdict as Verdict,
)
