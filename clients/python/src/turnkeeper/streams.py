# SPDX-License-Identifier: Apache-2.0
"""The state of a stream and its calls, for both kinds of clients.

open() ──> feed() ... feed() ──> end()          each gives a Call, to be run by the client on
              │ state: done, failed               the one connection that the stream holds
              └──> feed() gives None: nobody reads what follows
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union, cast

from . import wire
from .calls import Call, read_paired, with_history
from .connection import Hold, Keeper
from .errors import ConnectionLost
from .params import Object
from .results import Malformed, PairedTurn
from .sent import is_object

Output = dict[str, Any]
Chunk = Union[bytes, bytearray, memoryview, str, Object, Sequence[Object]]

KEY = "s"  # free to choose per connection, and this one has no other stream


class Pairing:
    """One stream.

    The codec is chosen by what it may cost: a chunk goes as bytes in msgpack where the outputs are
    text again (`emit="sse"`). Else a number in the chunk would have to fit msgpack too, so it goes
    as JSON, and the end, which gives values in any case, always does.
    """

    def __init__(self, params: Mapping[str, Any], codec: str) -> None:
        self.state = "new"
        self.carried: Sequence[Mapping[str, Any]] = ()
        self._params = params
        self._caller = {"caller": params["caller"]} if "caller" in params else {}
        self._values = wire.encode_json if codec == "auto" else None
        text_again = params.get("emit") == "sse" or codec == "msgpack"
        self._as_bytes = text_again and wire.sends_bytes(codec)

    def open(self) -> Call[None]:
        if self.state != "new":
            raise ValueError("the stream is open already")
        return with_history(
            "stream.open", {**self._params, "stream": KEY}, self._opened, releases=False
        )

    def feed(self, chunk: Chunk) -> Optional[Call[list[Output]]]:
        """None: the stream is at its end, more of it changes nothing."""
        if self.state in ("done", "failed"):
            return None
        self._check()
        params, encode = self._chunk(chunk)
        return Call(
            "stream.feed",
            {"stream": KEY, **params, **self._caller},
            self._outputs,
            encode=encode,
            acquires=False,
            releases=False,
        )

    def end(self, transport_error: Optional[str] = None) -> Call[PairedTurn]:
        self._check()
        params: dict[str, Any] = {"stream": KEY, **self._caller}
        if transport_error is not None:
            params["transport_error"] = transport_error
        return Call("stream.end", params, self._ended, encode=self._values, acquires=False)

    def without_connection(self) -> None:
        """Notes that the connection was lost, and with it an open stream."""
        if self.state in ("open", "done", "failed"):
            self.state = "lost"

    def _check(self) -> None:
        if self.state == "lost":
            raise ConnectionLost("the stream ended with its connection", retryable=False)
        if self.state not in ("open", "done", "failed"):
            raise ValueError("the stream isn't open")

    def _chunk(self, chunk: Chunk) -> tuple[dict[str, Any], Optional[wire.Encoder]]:
        if isinstance(chunk, (bytes, bytearray, memoryview)):
            if self._as_bytes:
                return {"data": bytes(chunk)}, wire.encode_bytes
            try:
                return {"data": str(chunk, "utf-8")}, self._values
            except UnicodeDecodeError:  # it may end inside a character
                return {"data_base64": base64.b64encode(chunk).decode()}, self._values
        if isinstance(chunk, str):
            return {"data": chunk}, None if self._as_bytes else self._values
        if isinstance(chunk, Mapping) or is_object(chunk):
            return {"events": [chunk]}, None
        return {"events": list(cast("Sequence[Object]", chunk))}, None

    def _opened(self, result: Any) -> None:
        self._outputs(result)
        self.carried = result.get("carried") or ()

    def _outputs(self, result: Any) -> list[Output]:
        if not isinstance(result, dict) or not isinstance(result.get("outputs"), list):
            raise Malformed("no outputs")
        if result.get("state") not in ("open", "done", "failed"):
            raise Malformed("no state")
        self.state = result["state"]
        outputs: list[Output] = result["outputs"]
        return outputs

    def _ended(self, result: Any) -> PairedTurn:
        self.state = "ended"
        return read_paired(result)


class BaseStream:
    """The part of a stream that needs no waiting, for all kinds of clients."""

    def __init__(self, client: Keeper[Any], params: Mapping[str, Any]) -> None:
        self._pairing = Pairing(params, client.codec)
        self._hold = Hold(client._pool)

    @property
    def state(self) -> str:
        """One of "new", "open", "done" and "failed" (the daemon's word), "ended", "lost"."""
        return self._current().state

    @property
    def carried(self) -> Sequence[Mapping[str, Any]]:
        """The operations that the history left open, for this turn to answer."""
        return self._pairing.carried

    def _feeding(self, chunk: Chunk) -> Optional[Call[list[Output]]]:
        return self._current().feed(chunk)

    def _ending(self, transport_error: Optional[str]) -> Call[PairedTurn]:
        return self._current().end(transport_error)

    def _current(self) -> Pairing:
        if self._hold.empty:
            self._pairing.without_connection()
        return self._pairing
