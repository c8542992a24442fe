# SPDX-License-Identifier: Apache-2.0
"""Recognizes requests that hold a history, by method, type and path. ROUTES has a row for each path.

    .../v1/messages   .../v1/messages/count_tokens                        the Messages API, gateways
    .../publishers/anthropic/models/MODEL:rawPredict   :streamRawPredict  Anthropic on Vertex AI; MODEL may be
                                                                          "count-tokens"
    .../model/MODEL/invoke   .../model/MODEL/invoke-with-response-stream  Anthropic on Amazon Bedrock
    .../openai/deployments/NAME/chat/completions                          Chat Completions on Azure
    .../chat/completions                                                  Chat Completions, and who copies it
    .../responses                                                         Responses, and who copies it

Bedrock and Vertex take the body of the Messages API with "anthropic_version" in it and without
"model", which is in the path. Bedrock serves other vendors by the same path. Its path may also hold
the ARN of something that an account made of a model, which doesn't say of which: then the body decides.

OpenAI's two APIs have the same paths everywhere, so the host says whose rules hold: HOSTS, SERVERS. The model is the body's.
On Azure the path, and mostly the body too, has the name of a deployment, which is anybody's choice: it isn't sent as
the target's model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Callable, Optional

from .providers import ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, Provider
from .text import NotJson, members

_VERSION = "anthropic_version"
_SPELLED = b'"anthropic_version"'
_VERTEX_COUNTING = "count-tokens"

# "anthropic.claude-..." or, of a group of regions, "us.anthropic.claude-..."; an ARN ends with it.
_vendor = re.compile(r"(?:.*/)?(?:[a-z-]+\.)?([a-z][a-z0-9]*)\.").match


@dataclass(frozen=True)
class Destination:
    """Says where a request goes. `endpoint`, `model` and `server` are those of the parameter `target`, if path or host
    show them, `server` only where the endpoint is OTHERS; `counts`: the request counts tokens; `certain`: the path names the vendor; `versioned`: the body is one
    of the Messages API only with "anthropic_version" in it."""

    provider: Provider
    endpoint: Optional[str] = None
    model: Optional[str] = None
    counts: bool = False
    certain: bool = True
    versioned: bool = False
    server: Optional[str] = None

    @property
    def target(self) -> dict[str, str]:
        found = {"endpoint": self.endpoint, "model": self.model, "server": self.server}
        return {name: value for name, value in found.items() if value is not None}

    def takes(self, body: bytes) -> bool:
        """True if the body may be one of this API; others are the provider's to refuse."""
        if self.versioned:
            return _SPELLED in body and (self.certain or _has_version(body))
        return self.provider is ANTHROPIC or body.lstrip().startswith(b"{")


# What a path's match and the host say.
_Reader = Callable[["re.Match[str]", str], Optional[Destination]]


def _messages(_found: re.Match[str], _host: str) -> Destination:
    return Destination(ANTHROPIC)


def _counting(_found: re.Match[str], _host: str) -> Destination:
    return Destination(ANTHROPIC, counts=True)


def _vertex(found: re.Match[str], _host: str) -> Destination:
    counts = found[1] == _VERTEX_COUNTING
    return Destination(ANTHROPIC, "vertex", None if counts else found[1], counts, versioned=True)


def _bedrock(found: re.Match[str], _host: str) -> Optional[Destination]:
    vendor = _vendor(found[1])
    if not vendor:
        return Destination(ANTHROPIC, "bedrock", certain=False, versioned=True)
    if vendor[1] != "anthropic":
        return None
    return Destination(ANTHROPIC, "bedrock", found[1], versioned=True)


def _chat_on_azure(_found: re.Match[str], _host: str) -> Destination:
    return Destination(OPENAI_CHAT, "azure")


def _chat(_found: re.Match[str], host: str) -> Destination:
    return Destination(OPENAI_CHAT, _endpoint(host))


def _responses(_found: re.Match[str], host: str) -> Destination:
    return Destination(OPENAI_RESPONSES, _endpoint(host))


# The end of the path, without percent-encoding. The first row that fits holds.
ROUTES: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (re.compile(r"/v1/messages$"), _messages),
    (re.compile(r"/v1/messages/count_tokens$"), _counting),
    (re.compile(r"/publishers/anthropic/models/([^/]+):(?:raw|streamRaw)Predict$"), _vertex),
    (re.compile(r"/model/(.+)/invoke(?:-with-response-stream)?$"), _bedrock),
    (re.compile(r"/openai/deployments/[^/]+/chat/completions$"), _chat_on_azure),
    (re.compile(r"/chat/completions$"), _chat),
    (re.compile(r"/responses$"), _responses),
)

# Hosts of OpenAI's two APIs; every other one is somebody's who copies them.
HOSTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?:[a-z0-9-]+\.)?api\.openai\.com$"), "openai"),  # "eu.api.openai.com": data stay there
    (re.compile(r".+\.(?:openai|services\.ai|cognitiveservices)\.azure\.(?:com|us|cn)$"), "azure"),
)
OTHERS = "compatible"

# Hosts of servers that copy an API in a way of their own (PROVIDERS.md 3.1), by whole names.
SERVERS = {
    "api.deepseek.com": "deepseek",
    "api.groq.com": "groq",
    "api.mistral.ai": "mistral",
    "api.moonshot.ai": "moonshot",
    "api.moonshot.cn": "moonshot",
    "api.x.ai": "xai",
    "openrouter.ai": "openrouter",
}


def _name(host: str) -> str:
    return host.lower().rstrip(".")


def _endpoint(host: str) -> str:
    name = _name(host)
    return next((endpoint for pattern, endpoint in HOSTS if pattern.match(name)), OTHERS)


def media_type(headers: Any) -> str:
    """Returns the media type in small letters, without its parameters; "" if there is none."""
    value: str = headers.get("content-type", "")
    return value.partition(";")[0].strip().lower()


def destination(request: Any) -> Optional[Destination]:
    """Returns where a request with a history goes; None for every other request."""
    kind = media_type(request.headers)
    if request.method != "POST" or (kind and not kind.endswith("json")):
        return None
    path: str = request.url.path
    for pattern, reader in ROUTES:
        found = pattern.search(path)
        if found:
            to = reader(found, request.url.host)
            return to and replace(to, server=SERVERS.get(_name(request.url.host)))
    return None


def _has_version(body: bytes) -> bool:
    try:
        return bool(members(body, _VERSION))
    except NotJson:
        return False
