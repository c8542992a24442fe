// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
)

// Kinds of requests, by their path.
type kind int

const (
	foreign  kind = iota
	messages      // guarded, and its response paired
	counting      // repaired, never refused
)

// A destination is where a request with a history goes. routes has a row for each path:
//
//	.../v1/messages, .../v1/messages/count_tokens                          the Messages API, gateways
//	.../publishers/anthropic/models/MODEL:rawPredict, :streamRawPredict    Anthropic on Vertex AI; MODEL may
//	                                                                       be "count-tokens"
//	.../model/MODEL/invoke, .../model/MODEL/invoke-with-response-stream    Anthropic on Amazon Bedrock
//	.../openai/deployments/NAME/chat/completions                           Chat Completions on Azure
//	.../chat/completions                                                   Chat Completions, and who copies it
//	.../responses                                                          Responses, and who copies it
//
// Bedrock and Vertex take the body of the Messages API with "anthropic_version" in it and without
// "model", which is in the path. Bedrock serves other vendors by the same path. Its path may also hold
// the ARN of something that an account made of a model, which doesn't say of which: then the body decides.
//
// OpenAI's two APIs have the same paths everywhere, so the host says whose rules hold. The model is the body's. On
// Azure the path, and mostly the body too, has the name of a deployment, which is anybody's choice: it isn't
// sent as the target's model.
type destination struct {
	kind      kind
	api       *api
	target    Target // what path or host show; its server counts only where the endpoint is others
	versioned bool   // the body is one of the Messages API only with "anthropic_version" in it
}

// A reader says what a path's match and the host show.
type reader func(found []string, host string) destination

// The end of the path, without percent-encoding. The first row that fits holds.
var routes = []struct {
	path *regexp.Regexp
	read reader
}{
	{regexp.MustCompile(`/v1/messages$`), onMessages},
	{regexp.MustCompile(`/v1/messages/count_tokens$`), onCounting},
	{regexp.MustCompile(`/publishers/anthropic/models/([^/]+):(?:raw|streamRaw)Predict$`), onVertex},
	{regexp.MustCompile(`/model/(.+)/invoke(?:-with-response-stream)?$`), onBedrock},
	{regexp.MustCompile(`/openai/deployments/[^/]+/chat/completions$`), onAzuresChat},
	{regexp.MustCompile(`/chat/completions$`), onChat},
	{regexp.MustCompile(`/responses$`), onResponses},
}

// Hosts of OpenAI's two APIs; every other one is somebody's who copies them.
var hosts = []struct {
	host     *regexp.Regexp
	endpoint string
}{
	{regexp.MustCompile(`^(?:[a-z0-9-]+\.)?api\.openai\.com$`), "openai"}, // "eu.api.openai.com": data stay there
	{regexp.MustCompile(`^.+\.(?:openai|services\.ai|cognitiveservices)\.azure\.(?:com|us|cn)$`), "azure"},
}

const others = "compatible"

// Hosts of servers that copy an API in a way of their own (PROVIDERS.md 3.1), by whole names.
var servers = map[string]string{
	"api.deepseek.com": "deepseek",
	"api.groq.com":     "groq",
	"api.mistral.ai":   "mistral",
	"api.moonshot.ai":  "moonshot",
	"api.moonshot.cn":  "moonshot",
	"api.x.ai":         "xai",
	"openrouter.ai":    "openrouter",
}

func destinationOf(req *http.Request) destination {
	media := mediaType(req.Header)
	readable := req.Method == http.MethodPost && req.Body != nil && req.Body != http.NoBody &&
		len(req.Trailer) == 0 && (media == "" || strings.HasSuffix(media, "json"))
	if !readable {
		return destination{}
	}
	for _, route := range routes {
		if found := route.path.FindStringSubmatch(req.URL.Path); found != nil {
			to := route.read(found, req.URL.Hostname())
			to.target.Server = servers[nameOf(req.URL.Hostname())]
			return to
		}
	}
	return destination{}
}

func onMessages([]string, string) destination {
	return destination{kind: messages, api: messagesAPI}
}

func onCounting([]string, string) destination {
	return destination{kind: counting, api: messagesAPI}
}

func onVertex(found []string, _ string) destination {
	if found[1] == "count-tokens" {
		return destination{counting, messagesAPI, Target{Endpoint: "vertex"}, true}
	}
	return destination{messages, messagesAPI, Target{Endpoint: "vertex", Model: found[1]}, true}
}

// "anthropic.claude-..." or, of a group of regions, "us.anthropic.claude-..."; an ARN ends with it.
var vendorOf = regexp.MustCompile(`^(?:.*/)?(?:[a-z-]+\.)?([a-z][a-z0-9]*)\.`)

func onBedrock(found []string, _ string) destination {
	vendor := vendorOf.FindStringSubmatch(found[1])
	switch {
	case vendor == nil:
		return destination{messages, messagesAPI, Target{Endpoint: "bedrock"}, true}
	case vendor[1] == "anthropic":
		return destination{messages, messagesAPI, Target{Endpoint: "bedrock", Model: found[1]}, true}
	}
	return destination{}
}

func onAzuresChat([]string, string) destination {
	return destination{kind: messages, api: chatAPI, target: Target{Endpoint: "azure"}}
}

func onChat(_ []string, host string) destination {
	return destination{kind: messages, api: chatAPI, target: Target{Endpoint: endpointOf(host)}}
}

func onResponses(_ []string, host string) destination {
	return destination{kind: messages, api: responsesAPI, target: Target{Endpoint: endpointOf(host)}}
}

func nameOf(host string) string { return strings.TrimRight(strings.ToLower(host), ".") }

func endpointOf(host string) string {
	host = nameOf(host)
	for _, h := range hosts {
		if h.host.MatchString(host) {
			return h.endpoint
		}
	}
	return others
}

// takes tells whether a body may be one of this API; others are the provider's to refuse.
func (d destination) takes(body []byte) bool {
	if !d.versioned {
		return d.api == messagesAPI || bytes.HasPrefix(trimmed(body), []byte("{"))
	}
	const version = `"anthropic_version"`
	found := false
	if bytes.Contains(body, []byte(version)) {
		object := trimmed(body)
		elements(object, func(s span) bool {
			found = string(object[s.name:s.nameEnd]) == version
			return !found
		})
	}
	return found
}
