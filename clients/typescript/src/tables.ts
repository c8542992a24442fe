// SPDX-License-Identifier: Apache-2.0
/**
 * Providers, routes and hosts of the guards.
 *
 * Made by clients/shared/generate.py from routes.json and the build's `info`: change those.
 */

import type { Host, Route } from "./guard/routes.js";
import type { Provider } from "./providers.js";

export const PROVIDERS: readonly Provider[] = [
  { name: "anthropic", list: "messages", prepares: true, servers: true, refusal: "anthropic" },
  { name: "openai-chat", list: "messages", prepares: false, servers: true, refusal: "openai" },
  { name: "openai-responses", list: "input", prepares: false, servers: true, refusal: "openai" },
  { name: "bedrock", list: "messages", prepares: false, servers: false, refusal: "aws" },
  { name: "gemini", list: "contents", prepares: false, servers: false, refusal: "google" },
];

export const ROUTES: readonly Route[] = [
  { path: /\/v1\/messages$/, provider: "anthropic" },
  { path: /\/v1\/messages\/count_tokens$/, provider: "anthropic", counts: true },
  { path: /\/publishers\/anthropic\/models\/count-tokens:rawPredict$/, provider: "anthropic", endpoint: "vertex", counts: true, versioned: true },
  { path: /\/publishers\/anthropic\/models\/([^\/]+):rawPredict$/, provider: "anthropic", endpoint: "vertex", versioned: true },
  { path: /\/publishers\/anthropic\/models\/([^\/]+):streamRawPredict$/, provider: "anthropic", endpoint: "vertex", versioned: true, streams: true },
  { path: /\/publishers\/google\/models\/([^\/:]+):generateContent$/, provider: "gemini", endpoint: "vertex" },
  { path: /\/publishers\/google\/models\/([^\/:]+):streamGenerateContent$/, provider: "gemini", endpoint: "vertex", streams: true },
  { path: /\/publishers\/[^\/]+\/models\/[^\/]+$/, provider: null },
  { path: /\/locations\/[^\/]+\/endpoints\/[^\/:]+:generateContent$/, provider: "gemini", endpoint: "vertex" },
  { path: /\/locations\/[^\/]+\/endpoints\/[^\/:]+:streamGenerateContent$/, provider: "gemini", endpoint: "vertex", streams: true },
  { path: /\/models\/([^\/:]+):generateContent$/, provider: "gemini" },
  { path: /\/models\/([^\/:]+):streamGenerateContent$/, provider: "gemini", streams: true },
  { path: /\/tunedModels\/[^\/:]+:generateContent$/, provider: "gemini" },
  { path: /\/tunedModels\/[^\/:]+:streamGenerateContent$/, provider: "gemini", streams: true },
  { path: /\/model\/((?:.*\/)?(?:[a-z-]+\.)?anthropic\..+)\/invoke(?:-with-response-stream)?$/, provider: "anthropic", endpoint: "bedrock", versioned: true },
  { path: /\/model\/(?:.*\/)?(?:[a-z-]+\.)?[a-z][a-z0-9]*\..+\/invoke(?:-with-response-stream)?$/, provider: null },
  { path: /\/model\/.+\/invoke(?:-with-response-stream)?$/, provider: "anthropic", endpoint: "bedrock", versioned: true },
  { path: /\/model\/arn:[^\/]*:prompt\/.+\/converse(?:-stream)?$/, provider: null },
  { path: /\/model\/(.+)\/converse$/, provider: "bedrock", endpoint: "bedrock" },
  { path: /\/model\/(.+)\/converse-stream$/, provider: "bedrock", endpoint: "bedrock", streams: true },
  { path: /\/openai\/deployments\/[^\/]+\/chat\/completions$/, provider: "openai-chat", endpoint: "azure" },
  { path: /\/chat\/completions$/, provider: "openai-chat" },
  { path: /\/responses$/, provider: "openai-responses" },
];

export const HOSTS: readonly Host[] = [
  { host: /^(?:[a-z0-9-]+\.)?api\.openai\.com$/, endpoint: "openai", providers: ["openai-chat", "openai-responses"] },
  { host: /^.+\.(?:openai|services\.ai|cognitiveservices)\.azure\.(?:com|us|cn)$/, endpoint: "azure", providers: ["openai-chat", "openai-responses"] },
  { host: /^generativelanguage\.googleapis\.com$/, endpoint: "gemini", providers: ["gemini"] },
  { host: /^(?:[a-z0-9-]+-)?aiplatform(?:\.[a-z0-9-]+\.rep)?\.googleapis\.com$/, endpoint: "vertex", providers: ["gemini"] },
];

export const SERVERS: readonly (readonly [string, string])[] = [
  ["api.deepseek.com", "deepseek"],
  ["api.groq.com", "groq"],
  ["api.mistral.ai", "mistral"],
  ["api.moonshot.ai", "moonshot"],
  ["api.moonshot.cn", "moonshot"],
  ["api.x.ai", "xai"],
  ["openrouter.ai", "openrouter"],
];
