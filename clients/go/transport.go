// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"errors"
	"io"
	"log"
	"net/http"
	"strings"
	"sync/atomic"
)

// WhenDown says what becomes of a request to the provider when the daemon gives no verdict: it can't
// be reached, is busy, took too long, or couldn't read the document. There is no default.
type WhenDown int

const (
	// FailClosed lets nothing pass unjudged: the request fails with the daemon's or client's error.
	FailClosed WhenDown = iota + 1
	// FailOpen sends the request as it is, and passes on the response as it is. A stream whose
	// daemon is lost midway fails all the same: what was held back there can't be told.
	FailOpen
)

// A Transport guards requests to the Messages API, to OpenAI's two APIs, to Gemini and to Bedrock's Converse, on their
// way to the provider:
//
//	POST .../v1/messages ── prepare, guard mode ──┬── as it was, or repaired ──> Base ──> provider
//	                          seals ┘             └── *UnsafeHistoryError, nothing is sent
//	                            └──── the turn's seal ────────┐
//	text/event-stream    <── pairing, SSE in and out ─────────┴──────────────── response
//	everything else      <────────────────── untouched ───────────────────────> Base
//
// Beta values that a request needs are added to its Anthropic-Beta header, after the caller's. Turns
// with signed thinking are sealed as they come in: a request that holds one of them in another order, or
// altered, is repaired as Params.Policy says. Seals are in memory, a thousand of them; they hold digests and
// ids. Faults of the rest of a request that rules know are refused, too;
// all others are for the provider to refuse.
//
// Requests to Anthropic's models on Amazon Bedrock (InvokeModel, with or without a stream) and on Vertex AI
// (rawPredict, streamRawPredict, count-tokens) are guarded in the same way, by the rules of that platform and
// of the model that their path names. For every other base URL the rules of the official API hold, unless
// Params.Target says more; a member of it holds instead of the one that the path shows. Bedrock's beta
// values are in the body. Its event streams pass as they come, which ErrorLog is told once. Other vendors'
// models, and bodies without "anthropic_version", pass untouched.
//
// Requests to Chat Completions and to Responses (POST .../chat/completions, .../responses) are repaired too, whoever
// serves them: by OpenAI's rules at api.openai.com, by Azure's at its hosts and on its path with a deployment, else
// by those of servers that copy the API ("compatible"), of which the host says which it is, unless Params.Target says
// more. The model is the body's, on
// Azure what the body calls it; Params.Target may name the one that is deployed. So are requests to Gemini (POST
// .../models/MODEL:generateContent, :streamGenerateContent), by the rules of Google's API, of Vertex AI or of a server
// that copies the API, as host and path say, and to Bedrock's Converse (POST .../model/MODEL/converse,
// /converse-stream); the model is that of the path. Their responses, streams too, pass as they come. Of Params only
// Target, Policy and MaxViolations concern them.
//
// "Everything else" is every other method and path, message batches among them, and bodies that are
// not JSON by their type, or followed by trailers. Requests to .../v1/messages/count_tokens are
// repaired as the request would be whose tokens they count, but never refused: a count does no harm,
// and the provider answers for itself.
//
// A body whose messages are in another format than the provider's passes as it is, too, and so does its
// response: it is for the provider to refuse. ErrorLog is told of the first one.
//
// Compressed bodies (gzip, deflate) are handled; one in another coding can't be judged, which is for
// WhenDown to decide. Repaired requests have a body of another length, so whatever signs requests
// belongs below, into Base, or after [Transport.Middleware]: where a header binds the body already (AWS
// signatures, digests), a request that needs an edit is refused ([ErrNotEncodable]). Responses aren't
// held back but for streams that the request asked for, and, with PairResponses, whole ones.
//
// A Transport may be used by many goroutines at once. Don't change it while it is in use.
type Transport struct {
	// Base does the requests; nil: [http.DefaultTransport].
	Base http.RoundTripper
	// Params go to Prepare: a policy, a target.
	Params *Params
	// RefuseWithResponse makes what is refused look as if the provider had refused it: instead of an
	// error a response with status 400 and its error body (502 for what PairResponses finds), which
	// says whether to try again. That is for libraries which take an error of their transport for a
	// lost connection and try again in any case, as the official SDK does. [RefusalIn] finds the
	// violations in the body. What FailClosed holds back because of the request itself (too large
	// for the daemon, in an unknown coding) is refused so, too.
	RefuseWithResponse bool
	// PairResponses pairs whole responses too: a *PairingError instead of a response that can't be
	// stored and replayed.
	PairResponses bool
	// LeaveStreams passes streams on as they come; they aren't sealed, either.
	LeaveStreams bool
	// NoSeals makes, keeps and sends no seals.
	NoSeals bool
	// OnRepair, if set, learns of each request that was edited before it left.
	OnRepair func(*http.Request, *Repaired)
	// OnUnguarded, if set, learns of each request or response that FailOpen let pass, and why.
	OnUnguarded func(*http.Request, error)
	// OnEvent, if set, learns of each request that was repaired or refused, and of each that the provider refuses although
	// it was judged sound, in the goroutine of the request: of the decision before the request leaves, of the provider's
	// refusal before the response is returned. See [Event]. A panic in it is logged without its value.
	OnEvent func(Event)
	// ErrorLog is told when the daemon can't be reached, when it answers again, of the first body
	// that isn't in the provider's format, of the first stream in Amazon's framing, of a panic of
	// OnEvent, and of missed requests that can't be saved; nil: the standard logger of the package log.
	ErrorLog *log.Logger

	client *Client
	down   WhenDown
	kept   *sealStore
	told   notices
	misses *missFolder  // where missed requests are saved; nil: nowhere
	speaks atomic.Bool  // the daemon's protocol is this package's
	frame  atomic.Int64 // bytes of its largest request, known since then

	unknown unknownMembers
}

// NewTransport makes a Transport on top of [http.DefaultTransport]. It panics if down is neither
// [FailClosed] nor [FailOpen]: that isn't for this package to guess.
func NewTransport(client *Client, down WhenDown) *Transport {
	if client == nil || down != FailClosed && down != FailOpen {
		panic("turnkeeper: NewTransport needs a client, and FailClosed or FailOpen")
	}
	return &Transport{client: client, down: down, kept: newSealStore(sealCount, sealSize)}
}

// mediaType gives the type of a body in small letters, without its parameters, which may be malformed; "" if there is none.
func mediaType(header http.Header) string {
	given := header.Get("Content-Type")
	if end := strings.IndexByte(given, ';'); end >= 0 {
		given = given[:end]
	}
	return strings.ToLower(strings.TrimSpace(given))
}

// RoundTrip implements [http.RoundTripper].
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	return t.Middleware(req, t.base().RoundTrip)
}

// A sender does a request, as the method RoundTrip of an [http.RoundTripper].
type sender = func(*http.Request) (*http.Response, error)

// Middleware guards a request as RoundTrip does, and sends it with next, not with Base. It is a middleware
// of the official SDK. Given before an option that signs requests, it repairs what will be signed, and
// the streams that it sees are SSE already:
//
//	guard.Params = &turnkeeper.Params{Target: &turnkeeper.Target{Endpoint: "bedrock"}}
//	client := anthropic.NewClient(option.WithMiddleware(guard.Middleware), bedrock.WithConfig(config))
func (t *Transport) Middleware(req *http.Request, next sender) (*http.Response, error) {
	to := destinationOf(req)
	if to.api == nil {
		return next(req)
	}
	sent, err := readAll(req.Body, req.ContentLength)
	if err != nil {
		return nil, err
	}
	v, err := t.guard(req, sent, to)
	if err != nil {
		t.tellRefused(req.Context(), to.api, v.edits, err)
		return t.refused(req, to.api, err)
	}
	if v.edited {
		sent = packed(req.Header, v.body)
	}
	out := withBody(req, sent)
	if len(v.added) > 0 {
		given := out.Header.Values(betaHeader)
		out.Header.Set(betaHeader, strings.Join(append(given[:len(given):len(given)], v.added...), ","))
	}
	next = t.watching(v, to.api, next)
	if to.counts || v.body == nil || !to.api.prepares {
		return next(out)
	}
	return t.exchange(out, v, to.streams, next)
}

func (t *Transport) base() http.RoundTripper {
	if t.Base != nil {
		return t.Base
	}
	return http.DefaultTransport
}

// readAll reads a body and closes it. size: what is announced, or less than 0.
func readAll(body io.ReadCloser, size int64) ([]byte, error) {
	defer body.Close()
	const believed = 64 << 20
	if size < 0 || size > believed {
		size = 0
	}
	buffer := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err := buffer.ReadFrom(body)
	return buffer.Bytes(), err
}

// withBody gives a copy of req, whose own body is read already, with this one.
func withBody(req *http.Request, body []byte) *http.Request {
	out := req.Clone(req.Context())
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	out.Body, _ = out.GetBody()
	out.ContentLength = int64(len(body))
	out.TransferEncoding = nil
	if out.Header.Get("Content-Length") != "" {
		out.Header.Del("Content-Length") // ContentLength says it
	}
	return out
}

// withoutVerdict gives nil if the request may pass although the daemon didn't judge it.
func (t *Transport) withoutVerdict(req *http.Request, err error) error {
	if t.down == FailClosed || req.Context().Err() != nil {
		return err
	}
	if t.OnUnguarded != nil {
		t.OnUnguarded(req, err)
	}
	return nil
}

// exchange sends a guarded request and pairs and seals its response. streams: it is a stream, whatever the body says.
func (t *Transport) exchange(req *http.Request, v verdict, streams bool, next sender) (*http.Response, error) {
	if !t.PairResponses && (t.LeaveStreams || !streams && !bytes.Contains(v.body, []byte(`"stream"`))) {
		return t.whole(req, v, next) // known without a look at the body's structure
	}
	pairing, asked := t.pairing(v.body)
	if t.LeaveStreams || !streams && !asked {
		if !t.PairResponses {
			return t.whole(req, v, next)
		}
		res, err := next(req)
		if err != nil {
			return nil, err
		}
		return t.paired(req, res, pairing)
	}
	// Opened before the request leaves: what can't be paired must not be paid for.
	stream, err := t.client.openSSE(req.Context(), pairing)
	t.notice(req, err)
	if err != nil {
		if err := t.withoutVerdict(req, err); err != nil {
			_ = req.Body.Close()
			return nil, err
		}
		return next(req)
	}
	res, err := next(req)
	if err != nil {
		_ = stream.Close()
		return nil, err
	}
	if res.StatusCode != http.StatusOK || mediaType(res.Header) != "text/event-stream" {
		t.noticeBinary(res)
		_ = stream.Close()
		return res, nil
	}
	source, err := plainBody(res)
	if err != nil {
		_ = stream.Close()
		return t.unpaired(req, res, err)
	}
	filter := newFilter(req.Context(), stream, source)
	if t.seals() && v.judged {
		filter.sealed = t.kept.keep
	}
	res.Body = filter
	rewritten(res, -1)
	return res, nil
}

// whole sends a request whose response isn't paired.
func (t *Transport) whole(req *http.Request, v verdict, next sender) (*http.Response, error) {
	res, err := next(req)
	if err == nil {
		t.noticeBinary(res)
	}
	if err != nil || !v.judged {
		return res, err
	}
	return t.sealing(req, res), nil
}

// unpaired gives a response that can't be paired, if it may pass.
func (t *Transport) unpaired(req *http.Request, res *http.Response, err error) (*http.Response, error) {
	if err := t.withoutVerdict(req, err); err != nil {
		_ = res.Body.Close()
		return nil, err
	}
	return res, nil
}

// pairing says how the response to a request is paired, and whether the request asked for a stream.
func (t *Transport) pairing(body []byte) (params *StreamParams, streams bool) {
	params = &StreamParams{}
	if t.Params != nil {
		params.Policy = t.Params.Policy
	}
	if object := outline(body); object != nil && object[0] == '{' {
		params.Request = object
		streams = string(lookup(object, "stream")) == "true"
	}
	return params, streams
}

// rewritten tells a response that its body is another one: plain, and of this length; -1: unknown.
func rewritten(res *http.Response, length int) {
	res.Uncompressed = res.Uncompressed || codingOf(res.Header) != ""
	res.ContentLength = int64(length)
	for _, name := range append([]string{"Content-Length", "Content-Encoding"}, binding...) {
		res.Header.Del(name)
	}
}

// paired pairs a whole response. Its bytes stay as they came, except for calls of a model that
// declined ("fallback" blocks): such content couldn't be sent back.
func (t *Transport) paired(req *http.Request, res *http.Response, params *StreamParams) (*http.Response, error) {
	if res.StatusCode != http.StatusOK || mediaType(res.Header) != "application/json" {
		t.noticeBinary(res)
		return res, nil
	}
	source, err := plainBody(res)
	if err != nil {
		return t.unpaired(req, res, err)
	}
	limit, err := t.largest(req)
	if err != nil {
		return t.unpaired(req, res, err)
	}
	body, err := io.ReadAll(io.LimitReader(source, limit+1))
	if err != nil {
		_ = source.Close()
		return nil, err
	}
	if int64(len(body)) > limit { // of what the daemon takes; without a verdict it is passed on
		res.Body = &readAgain{io.MultiReader(bytes.NewReader(body), source), source}
		rewritten(res, -1)
		return t.unpaired(req, res, tooLarge(limit))
	}
	_ = source.Close()
	turn, err := t.client.Pair(req.Context(), body, params)
	t.notice(req, err)
	if err == nil && t.seals() {
		t.kept.keep(turn.Seal)
	}
	var fault *PairingError
	var mismatch *DialectMismatchError
	switch {
	case errors.As(err, &fault):
		return t.refused(req, messagesAPI, err)
	case errors.As(err, &mismatch):
		t.noticeFormat("response of", req, mismatch)
	case err != nil:
		if err := t.withoutVerdict(req, err); err != nil {
			return nil, err
		}
	case turn.Warnings["abandoned_call"] > 0:
		body = withContent(body, lookup(turn.Message, "content"))
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	rewritten(res, len(body))
	return res, nil
}

// withContent gives a response with another content; the response as it is if it has none.
func withContent(response, content []byte) []byte {
	object := trimmed(response)
	var old span
	elements(object, func(s span) bool {
		if string(object[s.name:s.nameEnd]) == `"content"` {
			old = s
		}
		return old.end == 0
	})
	if old.end == 0 {
		return response
	}
	return append(append(append([]byte(nil), object[:old.start]...), content...), object[old.end:]...)
}

// CloseIdleConnections passes that on to Base, as [http.Client.CloseIdleConnections] expects.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}
