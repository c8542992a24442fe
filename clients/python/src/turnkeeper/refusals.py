# SPDX-License-Identifier: Apache-2.0
"""Writes a refusal: what the provider would have answered, and what turnkeeper says.

    Anthropic   {"type": "error", "error": {"type", "message"}, "turnkeeper": {...}}
    OpenAI      {"error": {"message", "type", "param", "code", "turnkeeper": {...}}}
    Google      {"error": {"code", "message", "status", "details": [{"turnkeeper": {...}}]}}
    AWS         {"message", "turnkeeper": {...}}, and the header x-amzn-errortype

OpenAI's SDKs hand out what is in "error" and nothing next to it, Google's for Go only what it knows there, so the
violations are where each finds them: `error.body["turnkeeper"]` of Anthropic's and OpenAI's exceptions,
`error.details["error"]["details"][0]["turnkeeper"]` of Google's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from .errors import TurnkeeperError, UnsafeHistory
from .providers import Provider
from .results import Edit


STATUS = 400


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


def _as_anthropic(refused: Refused, about: Any) -> Any:
    said = {"type": "invalid_request_error", "message": str(refused)}
    return {"type": "error", "error": said, "turnkeeper": about}


def _as_openai(refused: Refused, about: Any) -> Any:
    said = {"type": "invalid_request_error", "message": str(refused), "param": _param(refused.error)}
    return {"error": {**said, "code": None, "turnkeeper": about}}


def _as_google(refused: Refused, about: Any) -> Any:
    said = {"code": STATUS, "message": str(refused), "status": "INVALID_ARGUMENT"}
    return {"error": {**said, "details": [{"turnkeeper": about}]}}


def _as_aws(refused: Refused, about: Any) -> Any:
    return {"message": str(refused), "turnkeeper": about}


_FORMS = {"anthropic": _as_anthropic, "openai": _as_openai, "google": _as_google, "aws": _as_aws}


def refusal(provider: Provider, refused: Refused) -> tuple[dict[str, str], bytes]:
    """Returns headers and body of the response, whose status is STATUS."""
    headers = {"content-type": "application/json", "x-should-retry": "false"}
    if provider.refusal == "aws":
        headers["x-amzn-errortype"] = "ValidationException"
    about = {"name": refused.error.name, **refused.error.data}
    return headers, json.dumps(_FORMS[provider.refusal](refused, about)).encode()


def _param(error: TurnkeeperError) -> Any:
    """The place of the first fault as OpenAI spells it: "messages[3].tool_calls[0]"; None for the whole request."""
    violations = error.violations if isinstance(error, UnsafeHistory) else ()
    pointer = next((found.pointer for found in violations), "")
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", pointer[1:].replace("/", ".")) or None
