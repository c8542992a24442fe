# SPDX-License-Identifier: Apache-2.0
"""Writes the body of a refusal: what the provider would have answered, and what turnkeeper says.

    Anthropic   {"type": "error", "error": {"type", "message"}, "turnkeeper": {...}}
    OpenAI      {"error": {"message", "type", "param", "code", "turnkeeper": {...}}}

OpenAI's SDKs hand out what is in "error" and nothing beside it, so there the violations are in it. Either way
they are `error.body["turnkeeper"]` of the SDK's exception.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from .errors import TurnkeeperError, UnsafeHistory
from .providers import Provider
from .results import Edit


class Refused(Exception):
    """The request isn't sent. `edits`: those that it needs, if it is refused because they can't be made."""

    def __init__(self, error: TurnkeeperError, message: str, edits: Sequence[Edit] = ()) -> None:
        super().__init__(message)
        self.error = error
        self.edits = edits


def would_have_said(error: UnsafeHistory) -> str:
    """The provider names one fault only; so does this, but for what it adds at the end."""
    first = next(iter(error.violations), None)
    said = (first.provider_error or first.text) if first else str(error)
    return "%s (refused by turnkeeper, not sent: %s)" % (said, error)


def refusal_body(provider: Provider, refused: Refused) -> bytes:
    about = {"name": refused.error.name, **refused.error.data}
    said: dict[str, Any] = {"type": "invalid_request_error", "message": str(refused)}
    body: dict[str, Any] = {"type": "error", "error": said, "turnkeeper": about}
    if provider.openai:
        more = {"param": _param(refused.error), "code": None, "turnkeeper": about}
        body = {"error": {**said, **more}}
    return json.dumps(body).encode()


def _param(error: TurnkeeperError) -> Any:
    """The place of the first fault as OpenAI spells it: "messages[3].tool_calls[0]"; None for the whole request."""
    violations = error.violations if isinstance(error, UnsafeHistory) else ()
    pointer = next((found.pointer for found in violations), "")
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", pointer[1:].replace("/", ".")) or None
