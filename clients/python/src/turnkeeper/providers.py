# SPDX-License-Identifier: Apache-2.0
"""The providers that clients know by name: what differs between them as far as a client has to know.

A provider that isn't in the table is one of a newer daemon: its name and its rules are the daemon's, and its list is
taken to be "messages".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional


@dataclass(frozen=True)
class Provider:
    """
    name      of the parameter `provider`
    list      the member of a whole body that holds the history (PROVIDERS.md 1.1)
    prepares  the daemon serves `prepare`, `seal` and streams for it; else `repair` alone
    openai    refusals have the form of OpenAI's; else Anthropic's
    """

    name: str
    list: str = "messages"
    prepares: bool = False
    openai: bool = False


ANTHROPIC = Provider("anthropic", prepares=True)
OPENAI_CHAT = Provider("openai-chat", openai=True)
OPENAI_RESPONSES = Provider("openai-responses", list="input", openai=True)

_LISTS = {p.name: p.list for p in (ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES)}


def list_of(provider: Optional[Any]) -> str:
    """Returns the member that holds the history in bodies of a provider, None: of the default one. Patches for a list
    alone apply to a body with this one member."""
    return _LISTS.get(provider, ANTHROPIC.list) if isinstance(provider, str) else ANTHROPIC.list
