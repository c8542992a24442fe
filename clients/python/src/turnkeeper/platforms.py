# SPDX-License-Identifier: Apache-2.0
"""Recognizes requests that hold a history for Anthropic's models, as each platform takes them.

    .../v1/messages   .../v1/messages/count_tokens                        the Messages API, gateways
    .../model/MODEL/invoke   .../model/MODEL/invoke-with-response-stream  Amazon Bedrock
    .../publishers/anthropic/models/MODEL:rawPredict   :streamRawPredict  Vertex AI; MODEL may be
                                                                          "count-tokens"

Bedrock and Vertex take the body of the Messages API with "anthropic_version" in it and without
"model", which is in the path. Bedrock serves other vendors by the same path. Its path may also hold
the ARN of something that an account made of a model, which doesn't say of which: then the body decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Optional

from .text import NotJson, Text

_MESSAGES = "/v1/messages"
_COUNTING = "/v1/messages/count_tokens"
_VERSION = "anthropic_version"
_SPELLED = b'"anthropic_version"'

_bedrock = re.compile(r"/model/(.+)/invoke(?:-with-response-stream)?$").search
_vertex = re.compile(r"/publishers/anthropic/models/([^/]+):(?:raw|streamRaw)Predict$").search
_vertex_counting = "count-tokens"

# "anthropic.claude-..." or, of a group of regions, "us.anthropic.claude-..."; an ARN ends with it.
_vendor = re.compile(r"(?:.*/)?(?:[a-z-]+\.)?([a-z][a-z0-9]*)\.").match


@dataclass(frozen=True)
class Destination:
    """Says where a request goes. `endpoint` and `model` are those of the parameter `target`, if the
    path shows them; `counts`: the request counts tokens; `certain`: the path names the vendor."""

    endpoint: Optional[str] = None
    model: Optional[str] = None
    counts: bool = False
    certain: bool = True

    @property
    def target(self) -> dict[str, str]:
        found = {"endpoint": self.endpoint, "model": self.model}
        return {name: value for name, value in found.items() if value is not None}

    def takes(self, body: bytes) -> bool:
        """True if the body is one of the Messages API."""
        if self.endpoint is None:
            return True
        return _SPELLED in body and (self.certain or _has_version(body))


def destination(request: Any) -> Optional[Destination]:
    """Returns where a request with a history goes; None for every other request."""
    kind: str = request.headers.get("content-type", "application/json").partition(";")[0]
    if request.method != "POST" or not kind.strip().lower().endswith("json"):
        return None
    path: str = request.url.path  # without percent-encoding
    if path.endswith((_MESSAGES, _COUNTING)):
        return Destination(counts=path.endswith(_COUNTING))
    found = _vertex(path)
    if found:
        counts = found.group(1) == _vertex_counting
        return Destination("vertex", None if counts else found.group(1), counts)
    found = _bedrock(path)
    return _of_bedrock(found.group(1)) if found else None


def _of_bedrock(model: str) -> Optional[Destination]:
    found = _vendor(model)
    if not found:
        return Destination("bedrock", certain=False)
    return Destination("bedrock", model) if found.group(1) == "anthropic" else None


def _has_version(body: bytes) -> bool:
    try:
        return _VERSION in Text.of(body).values()
    except NotJson:
        return False
