# SPDX-License-Identifier: Apache-2.0
"""The daemon's answers as typed, immutable objects.

Each keeps the answer's own mapping in `raw`. Members that this version doesn't know are there and
nowhere else, so a newer daemon breaks nothing. What holds content of a history is left out of
`repr()`, which ends up in logs.

An object's members are made of the answer when they are first asked for. The answer is checked when it comes; one of
which all that matters is known without (Unread), when any of its members is first asked for.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    NamedTuple,
    Optional,
    Protocol,
    TypeVar,
)

R = TypeVar("R", bound="Record")


class Malformed(ValueError):
    """A result without what PROTOCOL says is always there (a ProtocolError, once it is raised)."""


class Reader(Protocol):
    """How the value of a member is read, if it isn't taken as it is."""

    def check(self, value: Any) -> None:
        """Raises Malformed if it can't be read."""

    def read(self, value: Any) -> Any:
        """What is made of a value that was checked."""


class Unread:
    """The result in an answer that nobody has looked at yet.

    `body`: what its splices make of the body that was sent. `decode`: gives the result, which its argument has checked.
    """

    __slots__ = ("body", "decode")

    def __init__(self, body: bytes, decode: Callable[[Callable[[Any], None]], Any]) -> None:
        self.body = body
        self.decode = decode


class Member(NamedTuple):
    """A field of a Record: its name in the answer and how it is read."""

    wire: str
    reader: Optional[Reader]
    field: Field[Any]

    def of(self, raw: Mapping[str, Any]) -> Any:
        value = raw.get(self.wire)
        if value is not None:
            return value if self.reader is None else self.reader.read(value)
        if self.field.default_factory is MISSING:
            raise Malformed("no member %r" % self.wire)
        return self.field.default_factory()


class Plan(NamedTuple):
    """The fields of a class: a report may hold hundreds of findings."""

    members: Mapping[str, Member]
    needed: Sequence[str]
    nested: Sequence[Member]  # those with a reader


def member(
    reader: Optional[Reader] = None,
    *,
    wire: Optional[str] = None,
    default: Any = MISSING,
    empty: Optional[Callable[[], Any]] = None,
    private: bool = False,
) -> Any:
    """A field of a Record: how to read its value, its name on the wire, whether `repr` hides it.

    `default`, or `empty`, which makes one: what it is where the answer has no such member.
    """
    metadata = {"wire": wire, "reader": reader}
    if default is not MISSING:
        # Not as `default`, with which the class itself would have the attribute.
        empty = functools.partial(_same, default)
    if empty is None:
        return field(repr=not private, metadata=metadata)
    return field(default_factory=empty, repr=not private, metadata=metadata)


def _same(value: Any) -> Any:
    return value


def local() -> Any:
    """A field that no answer holds: the caller of `read` gives it."""
    return field(default=None, repr=False, metadata={"local": True})


@dataclass(frozen=True)
class Record:
    raw: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def check(cls, raw: Any) -> None:
        """Raises Malformed for what isn't a mapping with all members that such an answer always has."""
        if not isinstance(raw, dict):
            raise Malformed("%s: not a mapping" % cls.__name__)
        plan = _plan(cls)
        for wire in plan.needed:
            if raw.get(wire) is None:
                raise Malformed("%s: no member %r" % (cls.__name__, wire))
        for wire, reader, _ in plan.nested:
            value = raw.get(wire)
            if value is not None and reader is not None:
                reader.check(value)

    @classmethod
    def read(cls: type[R], raw: Any, **own: Any) -> R:
        """Makes one of a result: a decoded one, which is checked, or an Unread. `own`: its local fields."""
        if isinstance(raw, Unread):
            return cls._made(own, _unread=raw)
        cls.check(raw)
        return cls._made(own, raw=raw)

    @classmethod
    def _made(cls: type[R], own: Mapping[str, Any], **more: Any) -> R:
        """Makes one with these attributes; __getattr__ makes the others."""
        made = object.__new__(cls)
        made.__dict__.update(own, **more)
        return made

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Makes an attribute that is asked for the first time."""
            own = self.__dict__
            if name == "raw" and "_unread" in own:
                value = own["_unread"].decode(self.check)
            else:
                found = _plan(type(self)).members.get(name)
                if found is None:
                    raise AttributeError("%r has no attribute %r" % (type(self).__name__, name))
                value = found.of(self.raw)
            own[name] = value
            return value


_plans: dict[type, Plan] = {}


def _plan(cls: type[Record]) -> Plan:
    """The plan of a class, made once."""
    found = _plans.get(cls)
    if found is None:
        _plans[cls] = found = _planned(cls)
    return found


def _planned(cls: type[Record]) -> Plan:
    members = {
        f.name: Member(f.metadata["wire"] or f.name, f.metadata["reader"], f)
        for f in fields(cls)
        if "wire" in f.metadata
    }
    needed = [m.wire for m in members.values() if m.field.default_factory is MISSING]
    return Plan(members, needed, [m for m in members.values() if m.reader is not None])


class One:
    """Reads a Record."""

    def __init__(self, kind: type[Record]) -> None:
        self._kind = kind

    def check(self, value: Any) -> None:
        self._kind.check(value)

    def read(self, value: Any) -> Any:
        return self._kind._made({}, raw=value)


class Each:
    """Reads a list of Records."""

    def __init__(self, kind: type[Record]) -> None:
        self._kind = kind

    def check(self, value: Any) -> None:
        _check_list(value, self._kind.__name__)
        for one in value:
            self._kind.check(one)

    def read(self, value: Any) -> Any:
        return tuple([self._kind._made({}, raw=one) for one in value])


class Listed:
    """Reads a list of values that are taken as they are."""

    def check(self, value: Any) -> None:
        _check_list(value, "values")

    def read(self, value: Any) -> Any:
        return tuple(value)


def _check_list(value: Any, of: str) -> None:
    if not isinstance(value, list):
        raise Malformed("%s: not a list of them" % of)


@dataclass(frozen=True)
class Finding(Record):
    """One thing that is wrong, and where.

    `pointer`: its place in the request, `/messages/3/content/1`. A fault outside the messages has no indexes, and its
    pointer is the value that the rule is about, `/tools/3` or `/tool_choice/name`; it is "" for the request as a whole.
    """

    code: str = member()
    severity: str = member(default="error")
    message_index: Optional[int] = member(default=None)
    part_index: Optional[int] = member(default=None)
    pointer: str = member(default="")
    text: str = member(default="")
    id: Optional[str] = member(default=None)
    tool: Optional[str] = member(default=None)
    provider_error: Optional[str] = member(default=None)
    needed: Optional[str] = member(default=None)
    way_out: Optional[str] = member(default=None)

    @property
    def is_error(self) -> bool:
        return self.severity == "error"


@dataclass(frozen=True)
class Place(Record):
    """The place at which a provider's words point; what they don't say is None.

    `pointer`: into the request as it was sent. `message`, `block`: indexes from 0. `id`: of a call, a result or an item.
    """

    pointer: Optional[str] = member(default=None)
    message: Optional[int] = member(default=None)
    block: Optional[int] = member(default=None)
    id: Optional[str] = member(default=None, private=True)


@dataclass(frozen=True)
class Match(Record):
    """A rule that a refusal belongs to.

    `judged`: False if only the provider finds the fault. `text` says for people what is wrong. `action`: the edit of
    repair (not judged: the one that helps), `preserve` that of the policy of this name where it differs; None: no edit
    helps. `provider_error`: the words of the rule, with names in braces where they vary.
    """

    code: str = member()
    provider: str = member()
    severity: str = member()
    judged: bool = member()
    provider_error: str = member()
    place: Place = member(One(Place))
    text: str = member(default="", private=True)
    action: Optional[str] = member(default=None)
    preserve: Optional[str] = member(default=None)


@dataclass(frozen=True)
class Explanation(Record):
    """The rules that a refusal belongs to, best first; none if the words are no rule's."""

    matches: tuple[Match, ...] = member(Each(Match))

    @property
    def best(self) -> Optional[Match]:
        return self.matches[0] if self.matches else None


@dataclass(frozen=True)
class Detected(Record):
    """Whose a history is. `because` names the evidence, `at` is its place; `sure` is False if nothing tells.

    `provider` is None for a format that no provider has; `looks_like` then names it.
    """

    sure: bool = member()
    because: str = member()
    at: Optional[str] = member(default=None)
    provider: Optional[str] = member(default=None)
    dialect: Optional[str] = member(default=None)
    endpoint: Optional[str] = member(default=None)
    looks_like: Optional[str] = member(default=None)


@dataclass(frozen=True)
class Edit(Record):
    """One change that was made; `pointer` is its place in the history as it was given."""

    code: str = member()
    action: str = member()
    pointer: str = member()
    id: Optional[str] = member(default=None)
    tool: Optional[str] = member(default=None)


@dataclass(frozen=True)
class Protected(Record):
    """The newest signed message. `sha256` is over its bytes as they were sent, in their codec."""

    message_index: int = member()
    sha256: str = member()


@dataclass(frozen=True)
class Unbound(Record):
    """Thinking that newer models bind to what precedes it, which was edited from `start` on."""

    start: str = member(wire="from")
    thinking: tuple[str, ...] = member(Listed())


@dataclass(frozen=True)
class Verdict(Record):
    """The verdict of seals on a message: "intact", "reordered", "altered"... `dead`: its signatures are invalid.

    `seals`: indexes of those that belong to it. `message_index` is None for a seal without message.
    """

    verdict: str = member()
    dead: bool = member()
    seals: tuple[int, ...] = member(Listed())
    message_index: Optional[int] = member(default=None)


@dataclass(frozen=True)
class Report(Record):
    """The answer of `validate`. `counts` has all findings, `violations` those that are listed."""

    valid: bool = member()
    message_count: int = member()
    part_count: int = member()
    violations: tuple[Finding, ...] = member(Each(Finding))
    counts: Mapping[str, int] = member()
    truncated: int = member()
    protected: Optional[int] = member(default=None)

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(v for v in self.violations if v.is_error)


@dataclass(frozen=True)
class Repair(Record):
    """The answer of both repairs except for the repaired history itself.

    `verdicts`: of seals, if any were given. `settings`: pointers of request members that are to be
    set, with their values, and `betas` the header values that these need; neither is in the patch.
    `quarantine`: with `return_removed`, what was removed or replaced, each with its pointer and code.
    """

    changed: bool = member()
    safe: bool = member()
    edits: tuple[Edit, ...] = member(Each(Edit))
    stats: Mapping[str, int] = member()
    violations: tuple[Finding, ...] = member(Each(Finding))
    counts: Mapping[str, int] = member()
    truncated: int = member()
    protected: Optional[Protected] = member(One(Protected), default=None)
    unbound: Optional[Unbound] = member(One(Unbound), default=None)
    verdicts: tuple[Verdict, ...] = member(Each(Verdict), default=())
    settings: Optional[Mapping[str, Any]] = member(wire="set", default=None)
    betas: Sequence[str] = member(default=())
    quarantine: Sequence[Mapping[str, Any]] = member(default=(), private=True)
    patch: Sequence[Mapping[str, Any]] = member(default=(), private=True)


@dataclass(frozen=True)
class Repaired(Repair):
    """A repaired history.

    `messages` is a new list and `request` a new body, None if messages were given alone; what no
    edit touched in them is the same object as in the argument, which was not changed.
    """

    messages: list[Any] = local()
    request: Optional[dict[str, Any]] = local()


@dataclass(frozen=True)
class RepairedBody(Repair):
    """A repaired request body in JSON text: where no edit was made, the bytes of the argument."""

    body: bytes = local()


@dataclass(frozen=True)
class RepairedTurn(Repair):
    """A repaired turn: `content` is a new list, its unedited parts are the argument's objects."""

    content: list[Any] = local()


@dataclass(frozen=True)
class Fit(Record):
    """The result of the step `fit` of `prepare`. Sizes are in the unit that was asked for.

    `removed`: ranges of neighbouring entries, each with `from`, `to`, `rounds`, `steps` and `size`. `marker`: where the
    marker is. `reached`: told if the smallest outcome may be answered.
    """

    size_before: int = member()
    size_after: int = member()
    removed: Sequence[Mapping[str, Any]] = member()
    edits: tuple[Edit, ...] = member(Each(Edit))
    marker: Optional[str] = member(default=None)
    unbound: Optional[Unbound] = member(One(Unbound), default=None)
    reached: Optional[bool] = member(default=None)


@dataclass(frozen=True)
class Fitted(Record):
    """A history within its budget; members that Fit has too mean the same.

    `messages` is a new list and `request` a new body, None if messages were given alone; what stays
    unedited in them is the same object as in the argument, which was not changed. `quarantine` is that of Repair.
    """

    changed: bool = member()
    safe: bool = member()
    size_before: int = member()
    size_after: int = member()
    removed: Sequence[Mapping[str, Any]] = member()
    edits: tuple[Edit, ...] = member(Each(Edit))
    violations: tuple[Finding, ...] = member(Each(Finding))
    counts: Mapping[str, int] = member()
    truncated: int = member()
    marker: Optional[str] = member(default=None)
    reached: Optional[bool] = member(default=None)
    protected: Optional[Protected] = member(One(Protected), default=None)
    unbound: Optional[Unbound] = member(One(Unbound), default=None)
    quarantine: Sequence[Mapping[str, Any]] = member(default=(), private=True)
    patch: Sequence[Mapping[str, Any]] = member(default=(), private=True)
    messages: list[Any] = local()
    request: Optional[dict[str, Any]] = local()


@dataclass(frozen=True)
class Spliced(Record):
    """A turn, its results and what was appended, in the order that the provider takes.

    `action`: "continue" (send it), "resume" (send it, nothing may follow the turn) or "stop" (send
    nothing). `deferred`: messages to hand in again as `appended` next time. `settings`: pointers of
    request members to be set, with their values; `request` has them already.

    `messages` is a new list and `request` a new body, None if messages were given alone; the history
    in them is the same objects as in the argument, which was not changed.
    """

    action: str = member()
    notes: Sequence[str] = member()
    patch: Sequence[Mapping[str, Any]] = member(private=True)
    deferred: Sequence[Mapping[str, Any]] = member(default=(), private=True)
    settings: Optional[Mapping[str, Any]] = member(wire="set", default=None)
    messages: list[Any] = local()
    request: Optional[dict[str, Any]] = local()

    @property
    def stops(self) -> bool:
        return self.action == "stop"


@dataclass(frozen=True)
class MergedTools(Record):
    """Tools with what was added, and the beta values that the request needs.

    `headers`: send them. `betas`: all values, `added_betas` those that the caller didn't have.
    `mcp_servers`: entries of the request's member that were added or replaced.

    `tools` is a new list and `request` a new body, None if tools were given alone; entries that
    weren't replaced are the same objects as in the argument, which was not changed.
    """

    changed: bool = member()
    headers: Mapping[str, str] = member()
    betas: Sequence[str] = member()
    added_betas: Sequence[str] = member()
    notes: Sequence[str] = member()
    mcp_servers: Sequence[Mapping[str, Any]] = member(private=True)
    patch: Sequence[Mapping[str, Any]] = member(private=True)
    tools: list[Any] = local()
    request: Optional[dict[str, Any]] = local()


@dataclass(frozen=True)
class Notes(Record):
    """The notes of `splice` and `tools` inside `prepare`."""

    splice: Sequence[str] = member(default=())
    tools: Sequence[str] = member(default=())


@dataclass(frozen=True)
class Preparation(Record):
    """The answer of both forms of `prepare` except for the prepared request itself.

    `action`, `deferred`: as those of Spliced; if it is "stop", nothing was judged or repaired.
    `headers`, `betas`, `added_betas`: as those of MergedTools, for the body as it is to be sent; empty
    for providers other than anthropic.
    `edits` point into the body after the steps `splice`, `tools` and `fit`; all else is as in Repaired.
    """

    changed: bool = member()
    action: str = member(default="continue")
    safe: bool = member(default=False)
    deferred: Sequence[Mapping[str, Any]] = member(default=(), private=True)
    headers: Mapping[str, str] = member(empty=dict)
    betas: Sequence[str] = member(default=())
    added_betas: Sequence[str] = member(default=())
    notes: Notes = member(One(Notes), empty=lambda: Notes(raw={}))
    protected: Optional[Protected] = member(One(Protected), default=None)
    edits: tuple[Edit, ...] = member(Each(Edit), default=())
    stats: Mapping[str, int] = member(empty=dict)
    violations: tuple[Finding, ...] = member(Each(Finding), default=())
    counts: Mapping[str, int] = member(empty=dict)
    truncated: int = member(default=0)
    unbound: Optional[Unbound] = member(One(Unbound), default=None)
    verdicts: tuple[Verdict, ...] = member(Each(Verdict), default=())
    fit: Optional[Fit] = member(One(Fit), default=None)
    quarantine: Sequence[Mapping[str, Any]] = member(default=(), private=True)
    patch: Sequence[Mapping[str, Any]] = member(default=(), private=True)

    @property
    def stops(self) -> bool:
        return self.action == "stop"


@dataclass(frozen=True)
class Prepared(Preparation):
    """A request to be sent, with `headers`, unless it `stops`.

    `request` is a new body and `messages` the list in it; what wasn't edited in them is the same
    object as in the argument, which was not changed.
    """

    messages: list[Any] = local()
    request: dict[str, Any] = local()


@dataclass(frozen=True)
class PreparedBody(Preparation):
    """A prepared body as JSON text; what isn't edited has the bytes of the argument."""

    body: bytes = local()


@dataclass(frozen=True)
class Finish(Record):
    """How a turn ended. `stop_reason` is the provider's word, `reason` what all providers share.

    `pending_operations`: the calls that the next turn has to answer, as `carry_in` takes them.
    """

    reason: str = member()
    pending_operations: Sequence[Mapping[str, Any]] = member()
    stop_reason: Optional[str] = member(default=None)
    usage: Optional[Mapping[str, Any]] = member(default=None)
    id: Optional[str] = member(default=None)
    model: Optional[str] = member(default=None)
    stop_sequence: Optional[str] = member(default=None)
    stop_details: Any = member(default=None, private=True)
    container: Any = member(default=None, private=True)


@dataclass(frozen=True)
class PairedTurn(Record):
    """A whole turn, every provider-executed call in it with its result, or pending.

    `message` can be stored and sent again as it is; `seal` proves later that it is still the same. Both are
    Anthropic's: other providers have no seal, and None as message where nothing is to be stored or the turn is a list.
    `turn`: of the others, what the history gets (`entries`), the `calls` that wait for results, and what was left out.
    `outputs`: those that only the end brought, of `pair` all. `warnings`: how often each kind.
    """

    finish: Finish = member(One(Finish))
    warnings: Mapping[str, int] = member()
    outputs: Sequence[Mapping[str, Any]] = member(private=True)
    message: Any = member(default=None, private=True)
    seal: Any = member(default=None, private=True)
    turn: Optional[Mapping[str, Any]] = member(default=None, private=True)


@dataclass(frozen=True)
class Pong(Record):
    pong: bool = member()
    echo: Any = member(default=None, private=True)


@dataclass(frozen=True)
class Check(Record):
    name: str = member()
    ok: bool = member()
    value: float = member()
    limit: float = member()
    unit: str = member(default="")


@dataclass(frozen=True)
class Health(Record):
    """`status`: "ok", "degraded" (one of the checks fails) or "draining"."""

    status: str = member()
    version: str = member()
    uptime_s: float = member()
    checks: tuple[Check, ...] = member(Each(Check))

    @property
    def ok(self) -> bool:
        return self.status == "ok"


@dataclass(frozen=True)
class Stats(Record):
    """Counts since the daemon's start, as PROTOCOL.md 5.9 lists them."""

    uptime_s: float = member()
    counters: Mapping[str, int] = member()
    gauges: Mapping[str, float] = member()
    limits: Mapping[str, int] = member()
    violations: Mapping[str, int] = member()
    edits: Mapping[str, int] = member()
    methods: Mapping[str, Mapping[str, Any]] = member()
    limit_hits: Mapping[str, int] = member(empty=dict)  # `limits` is its old name
    misses: Mapping[str, int] = member(empty=dict)


@dataclass(frozen=True)
class Method(Record):
    name: str = member()
    help: str = member()
    params: Mapping[str, Any] = member()


@dataclass(frozen=True)
class Rule(Record):
    """One row of the catalogue of findings."""

    code: str = member()
    severity: str = member()
    wave: int = member()
    provider: str = member()


@dataclass(frozen=True)
class Info(Record):
    """The methods, rules and limits of a daemon."""

    version: str = member()
    protocol: int = member()
    methods: tuple[Method, ...] = member(Each(Method))
    providers: Sequence[str] = member()
    dialects: Sequence[str] = member()
    policies: Mapping[str, Mapping[str, Any]] = member()
    limits: Mapping[str, float] = member()
    catalogue: tuple[Rule, ...] = member(Each(Rule))
