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

// A destination is where a request with a history goes:
//
//	.../v1/messages, .../v1/messages/count_tokens                          the Messages API, gateways
//	.../model/MODEL/invoke, .../model/MODEL/invoke-with-response-stream    Amazon Bedrock
//	.../publishers/anthropic/models/MODEL:rawPredict, :streamRawPredict    Vertex AI; MODEL may be
//	                                                                       "count-tokens"
//
// Bedrock and Vertex take the body of the Messages API with "anthropic_version" in it and without
// "model", which is in the path. Bedrock serves other vendors by the same path. Its path may also hold
// the ARN of something that an account made of a model, which doesn't say of which: then the body decides.
type destination struct {
	kind   kind
	target Target // what the path shows; zero: the Messages API
}

var (
	bedrockPath = regexp.MustCompile(`/model/(.+)/invoke(?:-with-response-stream)?$`)
	vertexPath  = regexp.MustCompile(`/publishers/anthropic/models/([^/]+):(?:raw|streamRaw)Predict$`)
	// "anthropic.claude-..." or, of a group of regions, "us.anthropic.claude-..."; an ARN ends with it.
	vendorOf = regexp.MustCompile(`^(?:.*/)?(?:[a-z-]+\.)?([a-z][a-z0-9]*)\.`)
)

var paths = []struct {
	suffix string
	kind   kind
}{
	{"/v1/messages", messages},
	{"/v1/messages/count_tokens", counting},
}

func destinationOf(req *http.Request) destination {
	readable := req.Method == http.MethodPost && req.Body != nil && req.Body != http.NoBody &&
		len(req.Trailer) == 0 && isMedia(req.Header, "application/json", true)
	if !readable {
		return destination{}
	}
	path := req.URL.Path // without percent-encoding
	for _, p := range paths {
		if strings.HasSuffix(path, p.suffix) {
			return destination{kind: p.kind}
		}
	}
	if found := vertexPath.FindStringSubmatch(path); found != nil {
		if found[1] == "count-tokens" {
			return destination{counting, Target{Endpoint: "vertex"}}
		}
		return destination{messages, Target{"vertex", found[1]}}
	}
	if found := bedrockPath.FindStringSubmatch(path); found != nil {
		return onBedrock(found[1])
	}
	return destination{}
}

func onBedrock(model string) destination {
	found := vendorOf.FindStringSubmatch(model)
	switch {
	case found == nil:
		return destination{messages, Target{Endpoint: "bedrock"}}
	case found[1] == "anthropic":
		return destination{messages, Target{"bedrock", model}}
	}
	return destination{}
}

// takes tells whether a body is one of the Messages API.
func (d destination) takes(body []byte) bool {
	if d.target.Endpoint == "" {
		return true
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
