# SPDX-License-Identifier: Apache-2.0
"""The providers that clients know by name: what differs between them as far as a client has to know.

A provider that isn't in the table is one of a newer daemon: its name and its rules are the daemon's, and its list is
taken to be "messages".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from .tables import PROVIDERS as ROWS


@dataclass(frozen=True)
class Provider:
    """
    name      of the parameter `provider`
    list      the member of a whole body that holds the history (PROVIDERS.md 1.1)
    prepares  the daemon serves `prepare`, `seal` and streams for it; else `repair` alone
    servers   a target may name a server that copies the API
    refusal   whose form the refusals have: "anthropic", "openai", "aws" or "google"
    """

    name: str
    list: str
    prepares: bool
    servers: bool
    refusal: str


PROVIDERS = {row["name"]: Provider(**row) for row in ROWS}
ANTHROPIC = PROVIDERS["anthropic"]


def list_of(provider: Optional[Any]) -> str:
    """Returns the member that holds the history in bodies of a provider, None: of the default one. Patches for a list
    alone apply to a body with this one member."""
    known = PROVIDERS.get(provider) if isinstance(provider, str) else None
    return (known or ANTHROPIC).list
