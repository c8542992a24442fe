# SPDX-License-Identifier: Apache-2.0
"""Recognizes requests that hold a history, by method, type, path and host.

The tables are those of clients/shared/routes.json, which says what their rows mean; routes_cases.json next to it has
examples, which the tests of each client run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Optional

from . import tables
from .providers import ANTHROPIC, PROVIDERS, Provider
from .text import NotJson, members

_VERSION = "anthropic_version"
_SPELLED = b'"anthropic_version"'

OTHERS = "compatible"  # the endpoint of those who copy an API


@dataclass(frozen=True)
class Destination:
    """Says where a request goes. `endpoint`, `model` and `server` are those of the parameter `target`, if path or host
    show them, `server` only where the endpoint is OTHERS; `counts`: the request counts tokens; `versioned`: the body is
    one of the Messages API only with "anthropic_version" in it; `streams`: the path says that the answer is a stream."""

    provider: Provider
    endpoint: Optional[str] = None
    model: Optional[str] = None
    counts: bool = False
    versioned: bool = False
    streams: bool = False
    server: Optional[str] = None

    @property
    def target(self) -> dict[str, str]:
        found = {"endpoint": self.endpoint, "model": self.model, "server": self.server}
        return {name: value for name, value in found.items() if value is not None}

    def takes(self, body: bytes) -> bool:
        """True if the body may be one of this API; others are the provider's to refuse."""
        if self.versioned:  # a path with a model names the vendor
            return _SPELLED in body and (self.model is not None or _has_version(body))
        return self.provider is ANTHROPIC or body.lstrip().startswith(b"{")


def _route(path: str, provider: Optional[str], **known: Any) -> tuple[re.Pattern[str], Optional[Destination]]:
    to = None if provider is None else Destination(PROVIDERS[provider], **known)
    return re.compile(path + r"\Z"), to


ROUTES = tuple(_route(**row) for row in tables.ROUTES)
HOSTS = tuple((re.compile(row["host"]), row["endpoint"], row["providers"]) for row in tables.HOSTS)
SERVERS = {row["host"]: row["server"] for row in tables.SERVERS}


def _endpoint(provider: Provider, name: str) -> Optional[str]:
    """Returns the endpoint that a host shows; None: of a provider that has no hosts of its own here."""
    rows = [(host, endpoint) for host, endpoint, providers in HOSTS if provider.name in providers]
    found = (endpoint for host, endpoint in rows if host.fullmatch(name))
    return next(found, OTHERS) if rows else None


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
    for pattern, to in ROUTES:
        found = pattern.search(path)
        if found:
            return to and _shown(to, found, request.url.host.lower().rstrip("."))
    return None


def _shown(to: Destination, found: re.Match[str], name: str) -> Destination:
    """Returns the destination with what this path and this host show."""
    endpoint = to.endpoint or _endpoint(to.provider, name)
    model = found[1] if found.re.groups else None
    server = SERVERS.get(name) if to.provider.servers else None
    return replace(to, endpoint=endpoint, model=model, server=server)


def _has_version(body: bytes) -> bool:
    try:
        return bool(members(body, _VERSION))
    except NotJson:
        return False
