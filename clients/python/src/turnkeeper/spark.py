# SPDX-License-Identifier: Apache-2.0
"""Repairs and judges stored conversations in Spark, without a daemon: the library works in the executors.

    import turnkeeper.spark

    chats = spark.read.text("chats.jsonl")                       # one conversation a row
    fixed = turnkeeper.spark.repair(chats, "value")              # and the columns `repaired` and `findings`
    fixed.where("findings.error is not null").show()             # what can't be repaired, and why
    fixed.select("repaired").write.text("clean")

A conversation is a list of messages or a whole request body: JSON text (a column of strings, or of binary
with UTF-8), or an array of structs or a struct, which Spark writes as JSON first, without members that are
null.

`repaired` has the type of the column, text where that was a struct or an array. It is what `turnkeeper repair --jsonl`
prints for the same line: the text with the edits in it, every other byte as it was. A conversation that can't be made
safe, or read, stays as it is, and `findings.error` says why. No row is dropped. Null stays null.

`findings` of repair() is a struct:

    changed      boolean; null with an error
    safe         boolean; null with an error
    error        the name of the error of PROTOCOL.md section 6, such as unsafe_history; null if there was none
    message      the error in words, without content of the conversation
    edits        array of structs: code, action, pointer, id, tool
    violations   array of structs: what is still wrong: code, severity, message_index, part_index, pointer,
                 id, tool, text

and of validate():

    valid        boolean; null with an error
    message_count, part_count
    error, message, violations    as above

The executors need this package, with the library in its wheel, and pyarrow. Each worker process of Python
has one `Local`. Spark hands over batches of spark.sql.execution.arrow.maxRecordsPerBatch rows (10000): for
conversations of more than 100 KB a smaller number saves memory.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional

from . import wire
from .calls import Call
from .errors import RemoteError, UnsafeHistory
from .local import Local
from .spliced import spliced

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from pyspark.sql import Column, DataFrame  # type: ignore[import-not-found, unused-ignore]

# Members of the structs, with the types that Spark and Arrow have in common.
_EDIT = {"code": "string", "action": "string", "pointer": "string", "id": "string", "tool": "string"}
_VIOLATION = {
    "code": "string",
    "severity": "string",
    "message_index": "int",
    "part_index": "int",
    "pointer": "string",
    "id": "string",
    "tool": "string",
    "text": "string",
}
_ERROR = {"error": "string", "message": "string"}
_REPAIR = {"changed": "boolean", "safe": "boolean", **_ERROR, "edits": _EDIT, "violations": _VIOLATION}
_VALIDATE = {
    "valid": "boolean",
    "message_count": "int",
    "part_count": "int",
    **_ERROR,
    "violations": _VIOLATION,
}


def repair(
    df: DataFrame, column: str, *, output: str = "repaired", findings: str = "findings", **params: Any
) -> DataFrame:
    """The data frame with two columns more: the repaired conversation, and the struct of findings.

    `params`: those of `Local.repair`, such as provider=, dialect=, target=, policy=; they hold for every
    row. ValueError if there is no such column, or a new one exists already; TypeError if it holds no
    conversations.
    """
    return _mapped(df, column, _Repairing(_sent(params)), output, findings)


def validate(df: DataFrame, column: str, *, findings: str = "findings", **params: Any) -> DataFrame:
    """The data frame with one column more, the struct of findings. `params`: those of `Local.validate`.

    Raises as repair() does.
    """
    return _mapped(df, column, _Validating(_sent(params)), None, findings)


def _sent(params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters as they are sent. They must be JSON, which is found out here and not in an executor."""
    sent = {name: value for name, value in params.items() if value is not None}
    json.dumps(sent)
    return sent


# -- In the driver ---------------------------------------------------------------------------


def _mapped(
    df: DataFrame, column: str, work: _Work, output: Optional[str], findings: str
) -> DataFrame:
    from pyspark.sql.types import StructType  # type: ignore[import-not-found, unused-ignore]

    if column not in df.columns:
        raise ValueError("there is no column %r" % column)
    for name in (output, findings):
        if name in df.columns:
            raise ValueError("there is a column %r already" % name)
    # The text comes last, and the work takes it away again.
    with_text = df.select("*", _text(df, column).alias("turnkeeper text"))
    schema = StructType(list(df.schema.fields))
    if output is not None:
        schema.add(output, with_text.schema[-1].dataType)
    schema.add(findings, _struct(work.members))
    return with_text.mapInArrow(work.on_batches, schema)


def _text(df: DataFrame, column: str) -> Column:
    """The column as JSON text."""
    from pyspark.sql import functions, types

    kind = df.schema[column].dataType
    if isinstance(kind, (types.StringType, types.BinaryType)):
        return df[column]
    if isinstance(kind, (types.ArrayType, types.StructType)):
        return functions.to_json(df[column])
    raise TypeError("the column %r has %s, no JSON text and no structs" % (column, kind.simpleString()))


def _struct(members: Mapping[str, Any]) -> Any:
    """The struct in Spark's words."""
    from pyspark.sql import types

    kinds = {"string": types.StringType(), "boolean": types.BooleanType(), "int": types.IntegerType()}
    struct = types.StructType()
    for name, kind in members.items():
        struct.add(name, kinds[kind] if isinstance(kind, str) else types.ArrayType(_struct(kind)))
    return struct


# -- In the executors ------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _keeper() -> Local:
    """The one of this process."""
    return Local(timeout=None, codec="json")


def _arrow(members: Mapping[str, Any]) -> Any:
    """The struct in Arrow's words."""
    import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]

    kinds = {"string": pyarrow.string(), "boolean": pyarrow.bool_(), "int": pyarrow.int32()}
    return pyarrow.struct(
        [
            (name, kinds[kind] if isinstance(kind, str) else pyarrow.list_(_arrow(kind)))
            for name, kind in members.items()
        ]
    )


def _as_is(result: Any) -> Any:
    return result


class _Work:
    """What is done with each conversation; it travels to the executors."""

    method: str
    members: Mapping[str, Any]  # of the findings
    writes: bool  # a column with text, too
    wants: Mapping[str, Any] = {}  # parameters that the caller doesn't give

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.params = params

    def on_batches(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield self._on_batch(batch)

    def _on_batch(self, batch: pyarrow.RecordBatch) -> pyarrow.RecordBatch:
        import pyarrow

        *kept, texts = batch.columns
        outcomes = [self._outcome(text) for text in texts.cast(pyarrow.binary()).to_pylist()]
        if self.writes:
            written = pyarrow.array([text for text, _ in outcomes], pyarrow.binary())
            kept.append(written.cast(texts.type))
        kept.append(pyarrow.array([found for _, found in outcomes], _arrow(self.members)))
        return pyarrow.RecordBatch.from_arrays(kept, [str(n) for n in range(len(kept))])

    def _outcome(self, text: Optional[bytes]) -> tuple[Optional[bytes], Optional[dict[str, Any]]]:
        """The text after the work, and the findings."""
        if text is None:
            return None, None
        encode = wire.with_text("request" if _is_body(text) else "messages", text)
        question = Call(self.method, {**self.params, **self.wants}, _as_is, encode=encode)
        try:
            result = _keeper()._run(question)
        except RemoteError as error:
            found: dict[str, Any] = {"error": error.name, "message": str(error), "violations": []}
            if isinstance(error, UnsafeHistory):
                found["violations"] = error.data.get("violations", [])
            return text, found
        return self._text_after(text, result), result

    def _text_after(self, text: bytes, result: Mapping[str, Any]) -> bytes:
        return text


class _Repairing(_Work):
    method = "repair"
    members = _REPAIR
    writes = True
    wants = {"return": "splices"}

    def _text_after(self, text: bytes, result: Mapping[str, Any]) -> bytes:
        return spliced(text, result)


class _Validating(_Work):
    method = "validate"
    members = _VALIDATE
    writes = False


def _is_body(text: bytes) -> bool:
    """True for an object: a whole request body."""
    return text.lstrip(b" \t\n\r").startswith(b"{")
