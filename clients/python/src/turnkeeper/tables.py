# SPDX-License-Identifier: Apache-2.0
"""Providers, routes and hosts of the guards.

Made by clients/shared/generate.py from routes.json and the build's `info`: change those.
"""

from __future__ import annotations

from typing import Any

PROVIDERS: tuple[dict[str, Any], ...] = (
    {"name": "anthropic", "list": "messages", "prepares": True, "servers": True, "refusal": "anthropic"},
    {"name": "openai-chat", "list": "messages", "prepares": False, "servers": True, "refusal": "openai"},
    {"name": "openai-responses", "list": "input", "prepares": False, "servers": True, "refusal": "openai"},
    {"name": "bedrock", "list": "messages", "prepares": False, "servers": False, "refusal": "aws"},
    {"name": "gemini", "list": "contents", "prepares": False, "servers": False, "refusal": "google"},
)

ROUTES: tuple[dict[str, Any], ...] = (
    {"path": "/v1/messages", "provider": "anthropic"},
    {"path": "/v1/messages/count_tokens", "provider": "anthropic", "counts": True},
    {"path": "/publishers/anthropic/models/count-tokens:rawPredict", "provider": "anthropic", "endpoint": "vertex", "counts": True, "versioned": True},
    {"path": "/publishers/anthropic/models/([^/]+):rawPredict", "provider": "anthropic", "endpoint": "vertex", "versioned": True},
    {"path": "/publishers/anthropic/models/([^/]+):streamRawPredict", "provider": "anthropic", "endpoint": "vertex", "versioned": True, "streams": True},
    {"path": "/publishers/google/models/([^/:]+):generateContent", "provider": "gemini", "endpoint": "vertex"},
    {"path": "/publishers/google/models/([^/:]+):streamGenerateContent", "provider": "gemini", "endpoint": "vertex", "streams": True},
    {"path": "/publishers/[^/]+/models/[^/]+", "provider": None},
    {"path": "/locations/[^/]+/endpoints/[^/:]+:generateContent", "provider": "gemini", "endpoint": "vertex"},
    {"path": "/locations/[^/]+/endpoints/[^/:]+:streamGenerateContent", "provider": "gemini", "endpoint": "vertex", "streams": True},
    {"path": "/models/([^/:]+):generateContent", "provider": "gemini"},
    {"path": "/models/([^/:]+):streamGenerateContent", "provider": "gemini", "streams": True},
    {"path": "/tunedModels/[^/:]+:generateContent", "provider": "gemini"},
    {"path": "/tunedModels/[^/:]+:streamGenerateContent", "provider": "gemini", "streams": True},
    {"path": r"/model/((?:.*/)?(?:[a-z-]+\.)?anthropic\..+)/invoke(?:-with-response-stream)?", "provider": "anthropic", "endpoint": "bedrock", "versioned": True},
    {"path": r"/model/(?:.*/)?(?:[a-z-]+\.)?[a-z][a-z0-9]*\..+/invoke(?:-with-response-stream)?", "provider": None},
    {"path": "/model/.+/invoke(?:-with-response-stream)?", "provider": "anthropic", "endpoint": "bedrock", "versioned": True},
    {"path": "/model/arn:[^/]*:prompt/.+/converse(?:-stream)?", "provider": None},
    {"path": "/model/(.+)/converse", "provider": "bedrock", "endpoint": "bedrock"},
    {"path": "/model/(.+)/converse-stream", "provider": "bedrock", "endpoint": "bedrock", "streams": True},
    {"path": "/openai/deployments/[^/]+/chat/completions", "provider": "openai-chat", "endpoint": "azure"},
    {"path": "/chat/completions", "provider": "openai-chat"},
    {"path": "/responses", "provider": "openai-responses"},
)

HOSTS: tuple[dict[str, Any], ...] = (
    {"host": r"(?:[a-z0-9-]+\.)?api\.openai\.com", "endpoint": "openai", "providers": ("openai-chat", "openai-responses",)},
    {"host": r".+\.(?:openai|services\.ai|cognitiveservices)\.azure\.(?:com|us|cn)", "endpoint": "azure", "providers": ("openai-chat", "openai-responses",)},
    {"host": r"generativelanguage\.googleapis\.com", "endpoint": "gemini", "providers": ("gemini",)},
    {"host": r"(?:[a-z0-9-]+-)?aiplatform(?:\.[a-z0-9-]+\.rep)?\.googleapis\.com", "endpoint": "vertex", "providers": ("gemini",)},
)

SERVERS: tuple[dict[str, Any], ...] = (
    {"host": "api.deepseek.com", "server": "deepseek"},
    {"host": "api.groq.com", "server": "groq"},
    {"host": "api.mistral.ai", "server": "mistral"},
    {"host": "api.moonshot.ai", "server": "moonshot"},
    {"host": "api.moonshot.cn", "server": "moonshot"},
    {"host": "api.x.ai", "server": "xai"},
    {"host": "openrouter.ai", "server": "openrouter"},
)
