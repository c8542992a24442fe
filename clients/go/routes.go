// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"net/http"
	"regexp"
	"strings"
)

// A destination is where a request with a history goes. The tables that show it are those of
// clients/shared/routes.json, which says what their rows mean; routes_cases.json next to it has examples, which the
// tests of each client run.
type destination struct {
	api       *api   // nil: a request that isn't guarded
	target    Target // what path or host show; its server counts only where the endpoint is others
	counts    bool   // the request counts tokens: it is repaired, never refused
	versioned bool   // the body is one of the Messages API only with "anthropic_version" in it
	streams   bool   // the path says that the answer is a stream
}

// Rows of the tables. The first route whose path fits holds; a group in the path is the target's model.
type (
	route struct {
		path *regexp.Regexp // the end of it, without percent-encoding
		to   destination
	}
	host struct {
		host     *regexp.Regexp // the whole of it, in small letters
		endpoint string
		of       []string // the providers whose requests go to this endpoint there
	}
	server struct{ host, name string }
)

func ending(path string) *regexp.Regexp { return regexp.MustCompile(path + `$`) }

func whole(host string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + host + `)$`) }

const others = "compatible" // the endpoint of those who copy an API

func destinationOf(req *http.Request) destination {
	media := mediaType(req.Header)
	readable := req.Method == http.MethodPost && req.Body != nil && req.Body != http.NoBody &&
		len(req.Trailer) == 0 && (media == "" || strings.HasSuffix(media, "json"))
	if !readable {
		return destination{}
	}
	for _, row := range routes {
		if found := row.path.FindStringSubmatch(req.URL.Path); found != nil {
			return row.to.shown(found, strings.TrimRight(strings.ToLower(req.URL.Hostname()), "."))
		}
	}
	return destination{}
}

// shown gives the destination with what the match of its path and the host, in small letters, show.
func (d destination) shown(found []string, name string) destination {
	if d.api == nil {
		return d
	}
	if d.target.Endpoint == "" {
		d.target.Endpoint = d.api.endpointAt(name)
	}
	if len(found) > 1 {
		d.target.Model = found[1]
	}
	for _, row := range servers {
		if d.api.servers && row.host == name {
			d.target.Server = row.name
		}
	}
	return d
}

// endpointAt gives the endpoint that a host shows; "" of a provider that has no hosts of its own here.
func (a *api) endpointAt(name string) string {
	endpoint := ""
	for _, row := range hosts {
		for _, of := range row.of {
			switch {
			case of != a.name:
			case row.host.MatchString(name):
				return row.endpoint
			default:
				endpoint = others
			}
		}
	}
	return endpoint
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
