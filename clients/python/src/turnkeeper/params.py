# SPDX-License-Identifier: Apache-2.0
"""Types of the methods' parameters; describe.py has the meaning of each in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypedDict, Union

from .policy import Policy as Policy, PolicyKeys as PolicyKeys, PolicyName as PolicyName

# -- Documents -------------------------------------------------------------------------------


class Model(Protocol):
    """An object of pydantic, thus of Anthropic's SDK."""

    def model_dump(self, *args: Any, **options: Any) -> Any: ...


class Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


# These may contain objects again; sent.py says how they are sent.
Object = Union[Mapping[str, Any], Model, Dataclass]
Message = Object
Document = Union[Sequence[Message], Object]
Turn = Union[Object, Sequence[Object]]  # a list: of items
Tools = Union[Sequence[Object], Object, None]


# -- The steps of prepare (OPERATIONS.md part D): what splice and tools take, but for the document


class _Turn(TypedDict):
    assistant: Turn


class Splicing(TypedDict, total=False):
    tool_results: Sequence[Object]
    appended: Sequence[Message]
    container: str
    options: Mapping[str, Union[str, int]]


class SpliceStep(_Turn, Splicing):
    """`assistant`: the turn as it was received; a response body will do."""


class ToolsStep(TypedDict, total=False):
    """`betas`: the caller's own header."""

    add: Sequence[Union[str, Object]]
    on_conflict: str
    betas: Union[str, Sequence[str]]
    provider: str
    target: Mapping[str, str]
    call: str
    interleaved: bool
    legacy_betas: bool


# -- The common parameters (PROTOCOL.md 4). `messages` or `request` is the document itself, and
# -- `return` is the client's own: it asks for a patch and applies it.


TARGET = ("endpoint", "model", "server")  # the members of the parameter `target`


class JudgedParams(TypedDict, total=False):
    provider: str
    target: Mapping[str, str]
    policy: Policy
    max_violations: int
    timeout_ms: int
    caller: str


class CommonParams(JudgedParams, total=False):
    dialect: str


class TurnParams(CommonParams, total=False):
    stop_reason: str
    carry_in: Sequence[Any]


class ValidateParams(CommonParams, total=False):
    betas: Union[str, Sequence[str]]
    provenance: str
    seals: Sequence[Mapping[str, Any]]


class RepairParams(ValidateParams, total=False):
    guard: bool
    return_removed: bool


# -- Those of `fit` (FIT.md 1): the step of `prepare`, and the method


class FitStep(TypedDict, total=False):
    over: int
    to: int
    unit: str
    counts: Sequence[int]
    bytes_per_token: int
    overhead: int
    measures: Sequence[str]
    keep: Mapping[str, Any]
    pin: Sequence[int]
    placeholder: str
    media_placeholder: str
    marker: str
    on_unreachable: str


class FitParams(FitStep, CommonParams, total=False):
    betas: Union[str, Sequence[str]]
    guard: bool
    return_removed: bool


# -- Those of the operations (OPERATIONS.md)


class SealParams(TypedDict, total=False):
    blocks: bool
    timeout_ms: int
    caller: str


class SpliceParams(Splicing, total=False):
    provider: str
    dialect: str
    target: Mapping[str, str]
    timeout_ms: int
    caller: str


class ToolsParams(ToolsStep, total=False):
    timeout_ms: int
    caller: str


class PrepareParams(CommonParams, total=False):
    splice: SpliceStep
    tools: ToolsStep
    fit: FitStep
    seals: Sequence[Mapping[str, Any]]
    provenance: str
    guard: bool
    return_removed: bool


class PingParams(TypedDict, total=False):
    echo: Any
    caller: str


# -- Those about refusals (PROTOCOL.md 5.10)


class MissParams(TypedDict, total=False):
    timeout_ms: int
    caller: str


class ExplainParams(MissParams, total=False):
    provider: str


class RedactParams(MissParams, total=False):
    provider: str
    dialect: str


# -- Those of pairing (STREAM.md 1). `history` or `request` may be JSON text, which
# -- then travels as it is.


class PairParams(TypedDict, total=False):
    provider: str
    emit: str
    provider_input: str
    carry_in: Sequence[Mapping[str, Any]]
    history: Union[Sequence[Message], bytes]
    request: Union[Object, bytes]
    policy: Policy
    caller: str


class StreamParams(PairParams, total=False):
    wire: str
    starting_after: int
    max_buffer: int
