# SPDX-License-Identifier: Apache-2.0
"""Random histories with the rest of a request around them, sound and not, and with targets."""
import random

import histories

MODELS = ["claude-3-5-sonnet-latest", "claude-opus-4-1-20250805", "claude-sonnet-4-5", "claude-4-5-haiku",
          "us.anthropic.claude-opus-4-6-v1:0", "claude-opus-4-7", "Claude-Sonnet-5", "claude-opus-4.8",
          "anthropic/claude-fable-5.1", "claude-opus-5", "a-model-of-ours", "claude-instant"]
CODE = ["code_execution_20250522", "code_execution_20250825", "code_execution_20260120"]
TOOLS = [
    {"name": "load"}, {"name": "load", "input_schema": {"type": "object"}}, {"name": "f"}, {"name": "a name"},
    {"name": "later", "defer_loading": True}, {"name": "load", "allowed_callers": ["code_execution_20260120"]},
    {"name": "later", "defer_loading": True, "cache_control": {"type": "ephemeral"}},
    {"name": "f", "allowed_callers": ["direct", "code_execution_20250825"]}, {"name": "x" * 129},
    {"type": "web_search_20250305", "name": "web_search"}, {"type": "web_search_20260209", "name": "web_search"},
    {"type": "web_fetch_20260209", "name": "web_fetch", "allowed_callers": ["direct"]},
    {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"},
    {"type": "advisor_20260301", "name": "advisor"},
    {"type": "mcp_toolset", "mcp_server_name": "docs"}, {"type": "mcp_toolset", "mcp_server_name": "other"},
    *({"type": kind, "name": "code_execution"} for kind in CODE),
]
CHOICES = [{"type": "auto"}, {"type": "any"}, {"type": "none"}, {"type": "tool", "name": "load"},
           {"type": "tool", "name": "gone"}, {"type": "tool", "name": "later"},
           {"type": "auto", "disable_parallel_tool_use": True}]
SERVERS = [[], [{"type": "url", "name": "docs", "url": "https://e.x"}],
           [{"type": "url", "name": "docs", "url": "https://e.x"}, {"type": "url", "name": "other", "url": "https://f.x"}]]
CONTAINERS = ["c", {"id": "c"}, {"id": "c", "skills": []}, {"skills": []}, {"id": None}, {"id": "c", "skills": None}, None]
THINKING = [{"type": "disabled"}, {"type": "adaptive"}, {"type": "enabled", "budget_tokens": 1024}]
FORMS = [{"effort": "low"}, {"format": None}, {"format": {"type": "json_schema", "schema": {}}}]
EDITS = [{"type": "clear_tool_uses_20250919"}, {"type": "clear_thinking_20251015"}, {"type": "compact_20260112"},
         {"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 49999}},
         {"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 50000}}]
MARKERS = [{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}, {"type": "ephemeral", "ttl": "5m"}]
ENDPOINTS = ["anthropic", "bedrock", "vertex"]


def members(rng):
    """Each member of a body with what it may be."""
    yield "model", rng.choice(MODELS)
    yield "tools", rng.choices(TOOLS, k=rng.choice([0, 1, 1, 2, 3, 4]))
    yield "tool_choice", rng.choice(CHOICES)
    yield "mcp_servers", rng.choice(SERVERS)
    yield "container", rng.choice(CONTAINERS)
    yield "thinking", rng.choice(THINKING)
    yield "output_config", rng.choice(FORMS)
    yield "context_management", {"edits": rng.choices(EDITS, k=rng.randrange(3))}
    yield "cache_control", rng.choice(MARKERS)
    yield "system", rng.choice(["be brief", [{"type": "text", "text": "s", "cache_control": rng.choice(MARKERS)}]])


def draw(seed, number):
    """History `number` of a seed, as a whole body, and with a target or not."""
    rng = random.Random("request %s/%d" % (seed, number))
    history = histories.draw(rng, "anthropic")
    history.wrapped = rng.random() < 0.9
    history.around = {k: v for k, v in members(rng) if rng.random() < 0.4} if history.wrapped else {}
    if rng.random() < 0.4:
        history.target = {k: v for k, v in (("endpoint", rng.choice(ENDPOINTS)), ("model", rng.choice(MODELS)))
                          if rng.random() < 0.6}
    return history
