// SPDX-License-Identifier: Apache-2.0

package turnkeeper

// Made by clients/shared/generate.py from routes.json and the build's `info`: change those.

var apis = []*api{
	{name: "anthropic", list: "messages", refusal: "anthropic", prepares: true, servers: true},
	{name: "openai-chat", list: "messages", refusal: "openai", servers: true},
	{name: "openai-responses", list: "input", refusal: "openai", servers: true},
	{name: "bedrock", list: "messages", refusal: "aws"},
	{name: "gemini", list: "contents", refusal: "google"},
}

var routes = []route{
	{ending(`/v1/messages`), destination{api: apiOf("anthropic")}},
	{ending(`/v1/messages/count_tokens`), destination{api: apiOf("anthropic"), counts: true}},
	{ending(`/publishers/anthropic/models/count-tokens:rawPredict`), destination{api: apiOf("anthropic"), target: Target{Endpoint: "vertex"}, counts: true, versioned: true}},
	{ending(`/publishers/anthropic/models/([^/]+):rawPredict`), destination{api: apiOf("anthropic"), target: Target{Endpoint: "vertex"}, versioned: true}},
	{ending(`/publishers/anthropic/models/([^/]+):streamRawPredict`), destination{api: apiOf("anthropic"), target: Target{Endpoint: "vertex"}, versioned: true, streams: true}},
	{ending(`/publishers/google/models/([^/:]+):generateContent`), destination{api: apiOf("gemini"), target: Target{Endpoint: "vertex"}}},
	{ending(`/publishers/google/models/([^/:]+):streamGenerateContent`), destination{api: apiOf("gemini"), target: Target{Endpoint: "vertex"}, streams: true}},
	{ending(`/publishers/[^/]+/models/[^/]+`), destination{}},
	{ending(`/locations/[^/]+/endpoints/[^/:]+:generateContent`), destination{api: apiOf("gemini"), target: Target{Endpoint: "vertex"}}},
	{ending(`/locations/[^/]+/endpoints/[^/:]+:streamGenerateContent`), destination{api: apiOf("gemini"), target: Target{Endpoint: "vertex"}, streams: true}},
	{ending(`/models/([^/:]+):generateContent`), destination{api: apiOf("gemini")}},
	{ending(`/models/([^/:]+):streamGenerateContent`), destination{api: apiOf("gemini"), streams: true}},
	{ending(`/tunedModels/[^/:]+:generateContent`), destination{api: apiOf("gemini")}},
	{ending(`/tunedModels/[^/:]+:streamGenerateContent`), destination{api: apiOf("gemini"), streams: true}},
	{ending(`/model/((?:.*/)?(?:[a-z-]+\.)?anthropic\..+)/invoke(?:-with-response-stream)?`), destination{api: apiOf("anthropic"), target: Target{Endpoint: "bedrock"}, versioned: true}},
	{ending(`/model/(?:.*/)?(?:[a-z-]+\.)?[a-z][a-z0-9]*\..+/invoke(?:-with-response-stream)?`), destination{}},
	{ending(`/model/.+/invoke(?:-with-response-stream)?`), destination{api: apiOf("anthropic"), target: Target{Endpoint: "bedrock"}, versioned: true}},
	{ending(`/model/arn:[^/]*:prompt/.+/converse(?:-stream)?`), destination{}},
	{ending(`/model/(.+)/converse`), destination{api: apiOf("bedrock"), target: Target{Endpoint: "bedrock"}}},
	{ending(`/model/(.+)/converse-stream`), destination{api: apiOf("bedrock"), target: Target{Endpoint: "bedrock"}, streams: true}},
	{ending(`/openai/deployments/[^/]+/chat/completions`), destination{api: apiOf("openai-chat"), target: Target{Endpoint: "azure"}}},
	{ending(`/chat/completions`), destination{api: apiOf("openai-chat")}},
	{ending(`/responses`), destination{api: apiOf("openai-responses")}},
}

var hosts = []host{
	{whole(`(?:[a-z0-9-]+\.)?api\.openai\.com`), "openai", []string{"openai-chat", "openai-responses"}},
	{whole(`.+\.(?:openai|services\.ai|cognitiveservices)\.azure\.(?:com|us|cn)`), "azure", []string{"openai-chat", "openai-responses"}},
	{whole(`generativelanguage\.googleapis\.com`), "gemini", []string{"gemini"}},
	{whole(`(?:[a-z0-9-]+-)?aiplatform(?:\.[a-z0-9-]+\.rep)?\.googleapis\.com`), "vertex", []string{"gemini"}},
}

var servers = []server{
	{"api.deepseek.com", "deepseek"},
	{"api.groq.com", "groq"},
	{"api.mistral.ai", "mistral"},
	{"api.moonshot.ai", "moonshot"},
	{"api.moonshot.cn", "moonshot"},
	{"api.x.ai", "xai"},
	{"openrouter.ai", "openrouter"},
}
