// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
)

const betaHeader = "Anthropic-Beta"

// A verdict is what may leave.
type verdict struct {
	body   []byte // without its coding; nil if it isn't known what is in it
	edited bool
	added  []string // beta values that its header lacks
	judged bool     // by the daemon
	safe   bool     // judged, and no rule is broken any more
	edits  []Edit   // that it leaves with, or, where it is refused, that a header forbids
}

func (t *Transport) guard(req *http.Request, sent []byte, to destination) (verdict, error) {
	body := sent
	if codingOf(req.Header) != "" {
		limit, err := t.largest(req)
		if err == nil {
			body, err = unpacked(req.Header, sent, limit)
		}
		if err != nil {
			t.notice(req, err)
			return verdict{}, t.withoutVerdict(req, err)
		}
	}
	if !to.takes(body) {
		return verdict{}, nil
	}
	prepared, err := t.prepare(req, body, to)
	t.notice(req, err)
	unsafe := errors.Is(err, ErrUnsafeHistory)
	var mismatch *DialectMismatchError
	switch {
	case err == nil:
		return t.prepared(req, body, prepared, to)
	case errors.As(err, &mismatch):
		t.noticeFormat("request to", req, mismatch)
		return verdict{}, nil
	case unsafe && to.counts:
		return verdict{body: body, judged: true}, nil
	case unsafe:
		return verdict{}, err
	}
	return verdict{body: body}, t.withoutVerdict(req, err)
}

// Headers about the bytes of the body: they would be wrong for an edited body.
var binding = []string{"X-Amz-Content-Sha256", "Content-Md5", "Digest", "Content-Digest"}

// prepared gives what the daemon made of the request, unless something binds what was given.
func (t *Transport) prepared(req *http.Request, body []byte, p *Prepared, to destination) (verdict, error) {
	v := verdict{body: body, judged: true, safe: true}
	bound := ""
	for _, name := range binding {
		if req.Header.Get(name) != "" {
			bound = name
		}
	}
	signed := strings.HasPrefix(req.Header.Get("Authorization"), "AWS4-") // headers as well
	if signed {
		bound = "Authorization"
	}
	// Bedrock has these values in the body. A header of the caller gets them, too: where the SDK makes
	// Bedrock's request below this transport, it makes the body's list of the header.
	hasPlace := p.Headers[strings.ToLower(betaHeader)] != "" || len(req.Header.Values(betaHeader)) > 0
	if !signed && hasPlace {
		v.added = p.AddedBetas
	}
	switch {
	case !p.Changed, bound != "" && (to.counts || len(p.Edits) == 0):
		// Without edits the body only lacks beta values, and that alone refuses nothing.
		v.safe = len(p.Edits) == 0
		return v, nil
	case bound != "":
		return verdict{edits: p.Edits}, local(ErrNotEncodable, "this history needs a repair, but the header "+bound+" binds the body", nil)
	}
	if t.OnRepair != nil {
		t.OnRepair(req, &p.Repaired)
	}
	v.body, v.edited, v.edits = p.Document, true, p.Edits
	return v, nil
}

// prepare gives what the daemon makes of a request.
//
// A daemon of an older release doesn't know all members of a target that was found out: it is asked
// without them.
func (t *Transport) prepare(req *http.Request, body []byte, to destination) (*Prepared, error) {
	if err := t.greet(req); err != nil {
		return nil, err
	}
	for {
		target := t.targetFor(to)
		var prepared *Prepared
		var err error
		if to.api.prepares {
			prepared, err = t.ask(req, body, to.counts, target)
		} else {
			prepared, err = t.repair(req, body, to.api, target)
		}
		if err == nil || !t.learns(err, to.api, target) {
			return prepared, err
		}
	}
}

// greet asks, before the first request, whether daemon and client understand each other.
func (t *Transport) greet(req *http.Request) error {
	if t.speaks.Load() {
		return nil
	}
	info, err := t.client.checked(req.Context())
	if err != nil {
		return err
	}
	t.frame.Store(maxFrame)
	if limit := info.Limits["max_frame"]; limit >= 1 {
		t.frame.Store(int64(limit))
	}
	t.speaks.Store(true)
	return nil
}

const maxFrame = 64 << 20 // of a daemon that doesn't say it (PROTOCOL.md 7)

// largest gives the bytes of the largest request that the daemon takes.
func (t *Transport) largest(req *http.Request) (int64, error) {
	if err := t.greet(req); err != nil {
		return 0, err
	}
	return t.frame.Load(), nil
}

// repair asks for a repair, for a provider of which the daemon serves no other step.
func (t *Transport) repair(req *http.Request, body []byte, of *api, target *Target) (*Prepared, error) {
	params := Params{Provider: of.name, Target: target}
	if t.Params != nil {
		params.Policy, params.MaxViolations = t.Params.Policy, t.Params.MaxViolations
	}
	repaired, err := t.client.Repair(req.Context(), body, &params)
	if err != nil {
		return nil, err
	}
	return &Prepared{Repaired: *repaired}, nil
}

// ask asks the daemon once.
//
// This guard refuses only what breaks a rule. So Repair is asked where another step fails, too.
func (t *Transport) ask(req *http.Request, body []byte, counts bool, target *Target) (*Prepared, error) {
	ctx := req.Context()
	params := Params{}
	if t.Params != nil {
		params = *t.Params
	}
	params.Unguarded, params.Target = false, target
	if t.seals() && params.Seals == nil {
		params.Seals = t.kept.of(body)
	}
	tools := &ToolsParams{Betas: req.Header.Values(betaHeader)}
	if counts {
		tools.Call = "count_tokens"
	}
	prepared, err := t.client.Prepare(ctx, body, &PrepareParams{Params: params, Tools: tools})
	switch {
	case err == nil:
		return prepared, nil
	case isAboutSeals(err) && !t.kept.empty():
		t.kept.forget() // of another release of the daemon
		return t.ask(req, body, counts, target)
	case errors.Is(err, ErrDialectMismatch), !errors.Is(err, ErrRefused) && !errors.Is(err, ErrInvalidParams):
		return nil, err
	}
	repaired, err := t.client.Repair(ctx, body, &params)
	if err != nil {
		return nil, err
	}
	return &Prepared{Repaired: *repaired}, nil
}

func isAboutSeals(err error) bool {
	var remote *RemoteError
	return errors.As(err, &remote) && strings.HasPrefix(remote.Pointer, "/params/seals")
}

// unknownMembers are the members of a target that a daemon of an older release doesn't know.
type unknownMembers struct{ endpoint, model, server atomic.Bool }

// targetFor gives the target of a request: what the path shows, less what the daemon doesn't know; a
// member that the user gave holds instead.
func (t *Transport) targetFor(to destination) *Target {
	known := to.target
	if to.api.prepares && t.unknown.endpoint.Load() {
		known.Endpoint = ""
	}
	if to.api.prepares && t.unknown.model.Load() {
		known.Model = ""
	}
	if t.unknown.server.Load() {
		known.Server = ""
	}
	return merged(t.ownTarget(), known)
}

// merged gives a target of both, nil if nothing is in it; members of own hold.
func merged(own, found Target) *Target {
	if own.Endpoint == "" {
		own.Endpoint = found.Endpoint
	}
	if own.Model == "" {
		own.Model = found.Model
	}
	if own.Server == "" && own.Endpoint == others {
		own.Server = found.Server
	}
	if own == (Target{}) {
		return nil
	}
	return &own
}

// ownTarget gives the user's target; zero if there is none.
func (t *Transport) ownTarget() Target {
	if t.Params == nil || t.Params.Target == nil {
		return Target{}
	}
	return *t.Params.Target
}

// learns takes down which found members of the target, asked for, an older daemon refused. It tells
// if there are any, so that it is worth asking again. A daemon that judges OpenAI's histories knows all but the server.
func (t *Transport) learns(err error, of *api, asked *Target) bool {
	var remote *RemoteError
	if asked == nil || !errors.As(err, &remote) || !remote.Is(ErrInvalidParams) {
		return false
	}
	given, again := t.ownTarget(), false
	for _, m := range []struct {
		pointer      string
		asked, given string
		unknown      *atomic.Bool
	}{
		{"/params/target/endpoint", asked.Endpoint, given.Endpoint, &t.unknown.endpoint},
		{"/params/target/model", asked.Model, given.Model, &t.unknown.model},
		{"/params/target/server", asked.Server, given.Server, &t.unknown.server},
	} {
		if !of.prepares && m.unknown != &t.unknown.server {
			continue
		}
		about := remote.Pointer == m.pointer || remote.Pointer == "/params/target"
		if about && m.asked != "" && m.given == "" {
			m.unknown.Store(true)
			again = true
		}
	}
	return again
}
