// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log"
	"mime"
	"net/http"
	"strconv"
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

// A Transport guards requests to the Messages API on their way to the provider:
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
// ids. What is wrong with the rest of a request is for the provider to refuse.
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
// belongs below, into Base: where a header binds the body already (AWS signatures, digests), a
// request that needs an edit is refused ([ErrNotEncodable]). Responses aren't held back but for streams
// that the request asked for, and, with PairResponses, whole ones.
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
	// ErrorLog is told when the daemon can't be reached, when it answers again, and of the first body
	// that isn't in the provider's format; nil: the standard logger of the package log.
	ErrorLog *log.Logger

	client *Client
	down   WhenDown
	kept   *sealStore
	told   notices
	speaks atomic.Bool // the daemon's protocol is this package's
	older  atomic.Bool // and yet it has no prepare, only repair
}

// NewTransport makes a Transport on top of [http.DefaultTransport]. It panics if down is neither
// [FailClosed] nor [FailOpen]: that isn't for this package to guess.
func NewTransport(client *Client, down WhenDown) *Transport {
	if client == nil || down != FailClosed && down != FailOpen {
		panic("turnkeeper: NewTransport needs a client, and FailClosed or FailOpen")
	}
	return &Transport{client: client, down: down, kept: newSealStore(sealCount, sealSize)}
}

// Kinds of requests, by their path.
type kind int

const (
	foreign  kind = iota
	messages      // guarded, and its response paired
	counting      // repaired, never refused
)

var paths = []struct {
	suffix string
	kind   kind
}{
	{"/v1/messages", messages},
	{"/v1/messages/count_tokens", counting},
}

func kindOf(req *http.Request) kind {
	readable := req.Method == http.MethodPost && req.Body != nil && req.Body != http.NoBody &&
		len(req.Trailer) == 0 && isMedia(req.Header, "application/json", true)
	if !readable {
		return foreign
	}
	for _, p := range paths {
		if strings.HasSuffix(req.URL.Path, p.suffix) {
			return p.kind
		}
	}
	return foreign
}

// isMedia compares the content type; absent is the answer if there is none.
func isMedia(header http.Header, media string, absent bool) bool {
	given := header.Get("Content-Type")
	if given == "" {
		return absent
	}
	got, _, err := mime.ParseMediaType(given)
	return err == nil && got == media
}

// RoundTrip implements [http.RoundTripper].
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	kind := kindOf(req)
	if kind == foreign {
		return t.base().RoundTrip(req)
	}
	sent, err := readAll(req.Body, req.ContentLength)
	if err != nil {
		return nil, err
	}
	v, err := t.guard(req, sent, kind)
	if err != nil {
		return t.refused(req, err)
	}
	if v.edited {
		sent = packed(req.Header, v.body)
	}
	out := withBody(req, sent)
	if len(v.added) > 0 {
		given := out.Header.Values(betaHeader)
		out.Header.Set(betaHeader, strings.Join(append(given[:len(given):len(given)], v.added...), ","))
	}
	if kind == counting || v.body == nil {
		return t.base().RoundTrip(out)
	}
	return t.exchange(out, v)
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

const betaHeader = "Anthropic-Beta"

// A verdict is what may leave.
type verdict struct {
	body   []byte // without its coding; nil if it isn't known what is in it
	edited bool
	added  []string // beta values that its header lacks
	judged bool     // by the daemon
}

func (t *Transport) guard(req *http.Request, sent []byte, kind kind) (verdict, error) {
	body, err := unpacked(req.Header, sent)
	if err != nil {
		return verdict{}, t.withoutVerdict(req, err)
	}
	prepared, err := t.prepare(req, body, kind)
	t.notice(req, err)
	unsafe := errors.Is(err, ErrUnsafeHistory)
	var mismatch *DialectMismatchError
	switch {
	case err == nil:
		return t.prepared(req, body, prepared, kind)
	case errors.As(err, &mismatch):
		t.noticeFormat("request to", req, mismatch)
		return verdict{}, nil
	case unsafe && kind == counting:
		return verdict{body: body, judged: true}, nil
	case unsafe:
		return verdict{}, err
	}
	return verdict{body: body}, t.withoutVerdict(req, err)
}

// Headers about the bytes of the body: they would be wrong for an edited body.
var binding = []string{"X-Amz-Content-Sha256", "Content-Md5", "Digest", "Content-Digest"}

// prepared gives what the daemon made of the request, unless something binds what was given.
func (t *Transport) prepared(req *http.Request, body []byte, p *Prepared, kind kind) (verdict, error) {
	v := verdict{body: body, judged: true}
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
	if !signed && p.Headers[strings.ToLower(betaHeader)] != "" {
		v.added = p.AddedBetas
	}
	switch {
	case !p.Changed, bound != "" && kind == counting:
		return v, nil
	case bound != "":
		return verdict{}, local(ErrNotEncodable, "this history needs a repair, but the header "+bound+" binds the body", nil)
	}
	if t.OnRepair != nil {
		t.OnRepair(req, &p.Repaired)
	}
	v.body, v.edited = p.Document, true
	return v, nil
}

// prepare asks the daemon; once, before anything else, whether daemon and client understand each other.
//
// Only the history is for this guard to refuse. So Repair is asked where another step fails, too, and
// daemons that have no prepare.
func (t *Transport) prepare(req *http.Request, body []byte, kind kind) (*Prepared, error) {
	ctx := req.Context()
	if !t.speaks.Load() {
		if err := t.client.CheckProtocol(ctx); err != nil {
			return nil, err
		}
		t.speaks.Store(true)
	}
	params := Params{}
	if t.Params != nil {
		params = *t.Params
	}
	params.Unguarded = false
	if t.seals() && params.Seals == nil {
		params.Seals = t.kept.of(body)
	}
	if !t.older.Load() {
		tools := &ToolsParams{Betas: req.Header.Values(betaHeader)}
		if kind == counting {
			tools.Call = "count_tokens"
		}
		prepared, err := t.client.Prepare(ctx, body, &PrepareParams{Params: params, Tools: tools})
		switch {
		case err == nil:
			return prepared, nil
		case errors.Is(err, ErrMethodNotFound):
			t.older.Store(true)
			return t.prepare(req, body, kind)
		case isAboutSeals(err) && !t.kept.empty():
			t.kept.forget() // of another release of the daemon
			return t.prepare(req, body, kind)
		case errors.Is(err, ErrDialectMismatch), !errors.Is(err, ErrRefused) && !errors.Is(err, ErrInvalidParams):
			return nil, err
		}
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

// exchange sends a guarded request and pairs and seals its response.
func (t *Transport) exchange(req *http.Request, v verdict) (*http.Response, error) {
	if !t.PairResponses && (t.LeaveStreams || !bytes.Contains(v.body, []byte(`"stream"`))) {
		return t.whole(req, v) // known without a look at the body's structure
	}
	pairing, streams := t.pairing(v.body)
	if t.LeaveStreams || !streams {
		if !t.PairResponses {
			return t.whole(req, v)
		}
		res, err := t.base().RoundTrip(req)
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
		return t.base().RoundTrip(req)
	}
	res, err := t.base().RoundTrip(req)
	if err != nil {
		_ = stream.Close()
		return nil, err
	}
	if res.StatusCode != http.StatusOK || !isMedia(res.Header, "text/event-stream", false) {
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
func (t *Transport) whole(req *http.Request, v verdict) (*http.Response, error) {
	res, err := t.base().RoundTrip(req)
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
	object := trimmed(body)
	elements(object, func(s span) bool {
		switch string(object[s.name:s.nameEnd]) {
		case `"messages"`:
			params.History = object[s.start:s.end]
		case `"stream"`:
			streams = string(object[s.start:s.end]) == "true"
		}
		return true
	})
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
	if res.StatusCode != http.StatusOK || !isMedia(res.Header, "application/json", false) {
		return res, nil
	}
	source, err := plainBody(res)
	if err != nil {
		return t.unpaired(req, res, err)
	}
	body, err := readAll(source, -1)
	if err != nil {
		return nil, err
	}
	turn, err := t.client.Pair(req.Context(), body, params)
	t.notice(req, err)
	if err == nil && t.seals() {
		t.kept.keep(turn.Seal)
	}
	var fault *PairingError
	var mismatch *DialectMismatchError
	switch {
	case errors.As(err, &fault):
		return t.refused(req, err)
	case errors.As(err, &mismatch):
		t.noticeFormat("response of", req, mismatch)
	case err != nil:
		if err := t.withoutVerdict(req, err); err != nil {
			return nil, err
		}
	case turn.Warnings["abandoned_call"] > 0:
		path := "/content"
		content := operation{Op: "replace", Path: &path, Value: lookup(turn.Message, "content")}
		if body, err = applyOperations(body, []operation{content}); err != nil {
			return nil, err
		}
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	rewritten(res, len(body))
	return res, nil
}

// refused says no to a request or a response, in the form that the user chose.
func (t *Transport) refused(req *http.Request, err error) (*http.Response, error) {
	var unsafe *UnsafeHistoryError
	var fault *PairingError
	body := refusal{}
	body.Error.Message = err.Error()
	switch {
	case !t.RefuseWithResponse:
		return nil, err
	case errors.As(err, &unsafe):
		body.Turnkeeper = &refusedBy{unsafe.Remote.Code, unsafe.Remote.Message, unsafe.Remote.Data}
		if says := unsafe.ProviderSays(); says != "" {
			body.Error.Message = says
		}
		return body.response(req, http.StatusBadRequest, false), nil
	case errors.As(err, &fault):
		return body.response(req, http.StatusBadGateway, fault.Retryable), nil
	case isTheRequests(err):
		return body.response(req, http.StatusBadRequest, false), nil
	}
	return nil, err
}

// isTheRequests tells an error that the request would meet the next time as well.
func isTheRequests(err error) bool {
	var remote *RemoteError
	if !errors.As(err, &remote) {
		return errors.Is(err, ErrNotEncodable)
	}
	return remote.Is(ErrParse) || remote.Is(ErrFrameTooLarge) ||
		remote.Is(ErrInvalidParams) && strings.HasPrefix(remote.Pointer, "/params/request")
}

// refusal is the provider's error body, followed by what the daemon said.
type refusal struct {
	Type  string `json:"type"`
	Error struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"error"`
	Turnkeeper *refusedBy `json:"turnkeeper,omitempty"`
}

// refusedBy is the error as the daemon sent it.
type refusedBy struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// response is what the provider would have answered.
func (r refusal) response(req *http.Request, status int, retry bool) *http.Response {
	r.Type, r.Error.Type = "error", "invalid_request_error"
	if retry {
		r.Error.Type = "api_error"
	}
	text, err := encode(r)
	if err != nil { // data that isn't JSON: no daemon sends that
		text = []byte(`{"type":"error","error":{"type":"invalid_request_error","message":"refused"}}`)
	}
	return &http.Response{
		Status:     strconv.Itoa(status) + " " + http.StatusText(status),
		StatusCode: status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"Content-Type":   {"application/json"},
			"X-Should-Retry": {strconv.FormatBool(retry)},
		},
		Body:          io.NopCloser(bytes.NewReader(text)),
		ContentLength: int64(len(text)),
		Request:       req,
	}
}

// RefusalIn finds in the body of an error response the violations that [Transport.RefuseWithResponse]
// put there; nil if the response is about something else, or the provider's own.
func RefusalIn(body []byte) *UnsafeHistoryError {
	var found struct {
		Turnkeeper json.RawMessage `json:"turnkeeper"`
	}
	if json.Unmarshal(body, &found) != nil || found.Turnkeeper == nil {
		return nil
	}
	var unsafe *UnsafeHistoryError
	errors.As(remoteError(found.Turnkeeper), &unsafe)
	return unsafe
}

// CloseIdleConnections passes that on to Base, as [http.Client.CloseIdleConnections] expects.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}
