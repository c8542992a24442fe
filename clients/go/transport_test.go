// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// The transport between a program and a provider, both played here; the daemon is a script that
// repairs histories holding the word "orphan" and refuses those holding "hopeless".

const (
	orphanBody   = `{"model":"m","messages":[{"role":"user","content":"orphan"},{"x":1}],"max_tokens":1}`
	mendedBody   = `{"model":"m","messages":[{"role":"user","content":"orphan"}],"max_tokens":1}`
	cleanBody    = `{"model":"m" , "messages":[{"role":"user","content":"\u00e9"}]}`
	hopelessBody = `{"messages":[{"role":"user","content":"hopeless"}]}`
	providerSays = "messages.0: no"
)

func guard(p peer) {
	for c := p.next(); c != nil; c = p.next() {
		switch {
		case c.Method == "info":
			p.result(c, `{"protocol":1}`)
		case (c.Method == "stream.open" || c.Method == "pair") && !bytes.Contains(c.text, []byte(`"request":{"`)):
			p.fail(string(c.ID), -32602, `{"name":"invalid_params"}`) // the guard sends the whole body
		case c.Method == "stream.open":
			p.result(c, `{"state":"open","outputs":[],"carried":[]}`)
		case c.Method == "stream.feed":
			p.result(c, upper(c))
		case c.Method == "stream.end":
			p.result(c, `{"state":"done","outputs":[{"type":"sse","data":"END"}],"finish":{},"message":{},"warnings":{}}`)
		case c.Method == "pair" && bytes.Contains(c.text, []byte("broken")):
			p.result(c, failedStream)
		case c.Method == "pair":
			p.result(c, `{"state":"done","outputs":[],"finish":{},"message":{"role":"assistant","content":[]},
				"warnings":{"abandoned_call":1}}`)
		case bytes.Contains(c.text, []byte("hopeless")):
			p.fail(string(c.ID), -32001, `{"name":"unsafe_history","violations":[{"code":"c","severity":"error",
				"pointer":"/messages/0","provider_error":"`+providerSays+`"}]}`)
		case bytes.Contains(c.text, []byte(`orphan"},{"x"`)):
			p.result(c, `{"changed":true,"safe":true,"edits":[{"action":"drop"}],`+splicing(c, `,{"x":1}`, "")+`}`)
		case !bytes.Contains(c.text, []byte(`"messages"`)):
			p.fail(string(c.ID), -32602, `{"name":"invalid_params"}`)
		default:
			p.result(c, `{"changed":false,"safe":true}`)
		}
	}
}

const failedStream = `{"state":"failed","outputs":[{"type":"error","kind":"orphan_result","kinds":["orphan_result"],
	"data":"event: error\n\n"}],"error":{"type":"error","kinds":["orphan_result"],"retryable":false,"text":"t"},
	"finish":null,"message":null,"seal":null,"warnings":{}}`

// upper answers a feed with its bytes in upper case.
func upper(c *call) string {
	data, _ := base64.StdEncoding.DecodeString(spelled(c.Params["data_base64"]))
	return `{"state":"open","outputs":[{"type":"sse","data":` + string(quoted(strings.ToUpper(string(data)))) + `}]}`
}

// A provider keeps what it was sent and answers with what the request's header asks for.
type provider struct {
	*httptest.Server
	mutex sync.Mutex
	got   []string
}

func provide(t *testing.T) *provider {
	p := &provider{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		p.mutex.Lock()
		p.got = append(p.got, string(body))
		p.mutex.Unlock()
		if int64(len(body)) != r.ContentLength {
			w.WriteHeader(http.StatusTeapot)
		}
		kind := r.Header.Get("Answer")
		switch {
		case kind == "events":
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			for _, part := range []string{"event: a\n\n", "event: b\n\n"} {
				_, _ = io.WriteString(w, part)
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		case kind == "padded":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, signedTurn+strings.Repeat(" ", sealedSize))
		case kind == "zipped events":
			zippedEvents(w, r.Header.Get("Coding"))
		case kind == "zipped":
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, zipped(response))
		case kind != "":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, kind)
		default:
			_, _ = w.Write(body)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

// zippedEvents sends one event at a time, as a provider does; coding is what it calls that.
func zippedEvents(w http.ResponseWriter, coding string) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Content-Encoding", coding)
	z := gzip.NewWriter(w)
	for _, part := range []string{"event: a\n\n", "event: b\n\n"} {
		_, _ = io.WriteString(z, part)
		_ = z.Flush()
		w.(http.Flusher).Flush()
		time.Sleep(10 * time.Millisecond)
	}
	_ = z.Close()
}

func zipped(text string) string {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return zipped.String()
}

func (p *provider) last() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.got) == 0 {
		return ""
	}
	return p.got[len(p.got)-1]
}

func post(t *testing.T, transport http.RoundTripper, url, body string, header ...string) (*http.Response, string, error) {
	req, err := http.NewRequestWithContext(inTime(t), http.MethodPost, url, strings.NewReader(body))
	check(t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	return res, string(got), err
}

func TestTransportRepairs(t *testing.T) {
	c, p := play(t, guard).client(t), provide(t)
	transport := NewTransport(c, FailClosed)
	var edits int
	transport.OnRepair = func(_ *http.Request, r *Repaired) { edits += len(r.Edits) }
	for _, path := range []string{"/v1/messages", "/v1/messages?beta=true", "/proxy/v1/messages", "/v1/messages/count_tokens"} {
		for _, test := range [][2]string{{orphanBody, mendedBody}, {cleanBody, cleanBody}} {
			_, got, err := post(t, transport, p.URL+path, test[0], "Content-Type", "application/json")
			check(t, err)
			if got != test[1] {
				t.Fatalf("%s: %s", path, got)
			}
		}
	}
	if edits != 4 {
		t.Fatalf("%d edits", edits)
	}
}

func TestTransportLeavesTheRestAlone(t *testing.T) {
	c, p := play(t, closeAtOnce).client(t), provide(t) // no daemon to speak of
	transport := NewTransport(c, FailClosed)
	for name, do := range map[string]func() (*http.Response, string, error){
		"path": func() (*http.Response, string, error) { return post(t, transport, p.URL+"/v1/models", orphanBody) },
		"batches": func() (*http.Response, string, error) {
			return post(t, transport, p.URL+"/v1/messages/batches", orphanBody)
		},
		"no JSON": func() (*http.Response, string, error) {
			return post(t, transport, p.URL+"/v1/messages", orphanBody, "Content-Type", "text/plain")
		},
		"Bedrock": func() (*http.Response, string, error) {
			return post(t, transport, p.URL+"/model/anthropic.claude-v1%3A0/invoke-with-response-stream", orphanBody)
		},
		"Vertex": func() (*http.Response, string, error) {
			return post(t, transport, p.URL+"/v1/projects/p/publishers/anthropic/models/m:streamRawPredict", orphanBody)
		},
		"another API": func() (*http.Response, string, error) {
			return post(t, transport, p.URL+"/v1/threads/t/messages", orphanBody)
		},
	} {
		_, got, err := do()
		check(t, err)
		if got != orphanBody {
			t.Errorf("%s: %q", name, got)
		}
	}
	res, err := (&http.Client{Transport: transport}).Get(p.URL + "/v1/messages")
	check(t, err)
	_ = res.Body.Close()
}

func TestTransportRefuses(t *testing.T) {
	c, p := play(t, guard).client(t), provide(t)
	for _, down := range []WhenDown{FailOpen, FailClosed} {
		transport := NewTransport(c, down)
		_, _, err := post(t, transport, p.URL+"/v1/messages", hopelessBody)
		var unsafe *UnsafeHistoryError
		if !errors.As(err, &unsafe) || unsafe.ProviderSays() != providerSays || !strings.Contains(err.Error(), providerSays) {
			t.Fatal(err)
		}
		transport.RefuseWithResponse = true
		res, body, err := post(t, transport, p.URL+"/v1/messages", hopelessBody)
		check(t, err)
		want := `{"type":"error","error":{"type":"invalid_request_error","message":"` + providerSays + `"},`
		if res.StatusCode != 400 || res.Header.Get("x-should-retry") != "false" || !strings.HasPrefix(body, want) {
			t.Fatalf("%d %s", res.StatusCode, body)
		}
		if unsafe = RefusalIn([]byte(body)); unsafe == nil || len(unsafe.Violations) != 1 {
			t.Fatalf("%+v", unsafe)
		}
		if p.last() != "" {
			t.Fatal("it left")
		}
	}
	if RefusalIn([]byte(`{"type":"error"}`)) != nil || RefusalIn(nil) != nil {
		t.Fatal("a refusal in the provider's own error")
	}
	_, got, err := post(t, NewTransport(c, FailClosed), p.URL+"/v1/messages/count_tokens", hopelessBody)
	check(t, err)
	if got != hopelessBody {
		t.Fatal(got)
	}
}

func TestTransportWhenTheDaemonIsDown(t *testing.T) {
	nobody := New(WithSocket(filepath.Join(folder(t), "s")))
	silent := play(t, func(p peer) { p.next(); p.next() }).client(t, WithTimeout(30*time.Millisecond))
	busy := play(t, func(p peer) { p.fail("null", -32011, `{"name":"busy","retryable":true}`) }).client(t)
	unreadable := play(t, guard).client(t)
	for name, c := range map[string]*Client{"down": nobody, "silent": silent, "busy": busy, "unreadable": unreadable} {
		t.Run(name, func(t *testing.T) {
			p, body := provide(t), orphanBody
			if name == "unreadable" {
				body = `{"model":"m"}`
			}
			_, _, err := post(t, NewTransport(c, FailClosed), p.URL+"/v1/messages", body)
			if err == nil || p.last() != "" {
				t.Fatalf("it left: %v", err)
			}
			open := NewTransport(c, FailOpen)
			var why error
			open.OnUnguarded = func(_ *http.Request, err error) { why = err }
			_, got, err := post(t, open, p.URL+"/v1/messages", body)
			check(t, err)
			if got != body || why == nil {
				t.Fatalf("%s, %v", got, why)
			}
		})
	}
	for _, down := range []WhenDown{0, 7} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a guess")
				}
			}()
			NewTransport(nobody, down)
		}()
	}
}

// keeping is a transport that keeps the request that reaches it.
type keeping struct{ last *http.Request }

func (k *keeping) RoundTrip(req *http.Request) (*http.Response, error) {
	k.last = req
	return nil, io.ErrUnexpectedEOF
}

// closable tells whether a body was closed.
type closable struct {
	io.Reader
	closed bool
}

func (c *closable) Close() error { c.closed = true; return nil }

func TestTransportObeysRoundTrippersContract(t *testing.T) {
	base := &keeping{}
	transport := NewTransport(play(t, guard).client(t), FailClosed)
	transport.Base = base
	for _, test := range [][2]string{{orphanBody, mendedBody}, {cleanBody, cleanBody}, {hopelessBody, ""}} {
		base.last = nil
		body := &closable{Reader: strings.NewReader(test[0])}
		req, err := http.NewRequest(http.MethodPost, "http://x/v1/messages", body)
		check(t, err)
		req.Header.Set("Content-Length", "7") // nonsense that nobody reads
		req.ContentLength = -1
		_, err = transport.RoundTrip(req)
		if !body.closed {
			t.Error("the body wasn't closed")
		}
		if req.Body != body || req.ContentLength != -1 || req.GetBody != nil || req.Header.Get("Content-Length") != "7" {
			t.Error("the request was changed")
		}
		if test[1] == "" {
			wants(t, err, ErrUnsafeHistory)
			continue
		}
		wants(t, err, io.ErrUnexpectedEOF)
		sent := base.last
		again, err := sent.GetBody()
		check(t, err)
		first, _ := io.ReadAll(sent.Body)
		second, _ := io.ReadAll(again)
		if string(first) != test[1] || string(second) != test[1] || sent.ContentLength != int64(len(test[1])) ||
			sent.Header.Get("Content-Length") != "" {
			t.Errorf("%s, %s, %d", first, second, sent.ContentLength)
		}
	}
	failing := &closable{Reader: io.MultiReader(strings.NewReader("{"), &brokenReader{})}
	req, _ := http.NewRequest(http.MethodPost, "http://x/v1/messages", failing)
	_, err := transport.RoundTrip(req)
	wants(t, err, io.ErrClosedPipe)
}

type brokenReader struct{}

func (*brokenReader) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestTransportPairsStreams(t *testing.T) {
	c, p := play(t, guard).client(t), provide(t)
	streaming := strings.Replace(orphanBody, `{"model"`, `{"stream":true,"model"`, 1)
	transport := NewTransport(c, FailClosed)
	res, got, err := post(t, transport, p.URL+"/v1/messages", streaming, "Answer", "events")
	check(t, err)
	if got != "EVENT: A\n\nEVENT: B\n\nEND" || res.ContentLength != -1 {
		t.Fatalf("%q", got)
	}
	for _, test := range []struct{ body, answer, want string }{
		{orphanBody, "events", "event: a\n\nevent: b\n\n"}, // nobody asked for a stream
		{streaming, "{}", "{}"},                            // and no stream came
	} {
		if _, got, err = post(t, transport, p.URL+"/v1/messages", test.body, "Answer", test.answer); err != nil || got != test.want {
			t.Fatalf("%q, %v", got, err)
		}
	}
	transport.LeaveStreams = true
	if _, got, err = post(t, transport, p.URL+"/v1/messages", streaming, "Answer", "events"); err != nil || got[0] != 'e' {
		t.Fatalf("%q, %v", got, err)
	}
}

func TestTransportStreamsWhenTheDaemonIsDown(t *testing.T) {
	p := provide(t)
	streaming := `{"stream":true,"messages":[]}`
	withoutStreams := func(p peer) {
		for c := p.next(); c != nil; c = p.next() {
			if c.Method == "prepare" || c.Method == "info" {
				p.result(c, `{"changed":false,"safe":true,"protocol":1}`)
			} else {
				p.fail(string(c.ID), -32601, `{"name":"method_not_found"}`)
			}
		}
	}
	c := play(t, withoutStreams).client(t)
	_, _, err := post(t, NewTransport(c, FailClosed), p.URL+"/v1/messages", streaming, "Answer", "events")
	wants(t, err, ErrMethodNotFound)
	if p.last() != "" {
		t.Fatal("it left, and would have been paid for")
	}
	_, got, err := post(t, NewTransport(c, FailOpen), p.URL+"/v1/messages", streaming, "Answer", "events")
	if check(t, err); got != "event: a\n\nevent: b\n\n" {
		t.Fatal(got)
	}
	lost := func(p peer) {
		for c := p.next(); c != nil && c.Method != "stream.feed"; c = p.next() {
			p.result(c, `{"changed":false,"safe":true,"state":"open","outputs":[],"protocol":1}`)
		}
	}
	_, _, err = post(t, NewTransport(play(t, lost).client(t), FailOpen), p.URL+"/v1/messages", streaming, "Answer", "events")
	wants(t, err, ErrConnectionLost)
}

func TestTransportUnpacksRequests(t *testing.T) {
	c, p := play(t, guard).client(t), provide(t)
	for _, name := range []string{"gzip", "deflate", "Identity"} {
		header := http.Header{"Content-Encoding": {name}}
		for _, test := range [][2]string{{orphanBody, mendedBody}, {cleanBody, cleanBody}} {
			sent := packed(header, []byte(test[0]))
			_, got, err := post(t, NewTransport(c, FailClosed), p.URL+"/v1/messages", string(sent), "Content-Encoding", name)
			check(t, err)
			plain, err := unpacked(header, []byte(got), maxFrame)
			check(t, err)
			if string(plain) != test[1] || test[0] == test[1] && got != string(sent) {
				t.Errorf("%s: %q", name, plain)
			}
		}
		_, _, err := post(t, NewTransport(c, FailClosed), p.URL+"/v1/messages",
			string(packed(header, []byte(hopelessBody))), "Content-Encoding", name)
		wants(t, err, ErrUnsafeHistory)
	}
}

func TestTransportRefusesWhatCantBeJudged(t *testing.T) {
	for _, test := range []struct {
		code int
		data string
		name Name
		is   bool // the request's own fault, not to be sent again
	}{
		{-32010, `{"name":"frame_too_large","max_frame":9}`, ErrFrameTooLarge, true},
		{-32014, `{"name":"request_too_costly","limit":9}`, ErrRequestTooCostly, true},
		{-32700, `{"name":"too_deep","offset":9}`, ErrParse, true},
		{-32602, `{"name":"invalid_params","pointer":"/params/request/messages"}`, ErrInvalidParams, true},
		{-32602, `{"name":"invalid_params","pointer":"/params/policy"}`, ErrInvalidParams, false},
		{-32011, `{"name":"busy","retryable":true}`, ErrBusy, false},
	} {
		p := provide(t)
		c := play(t, func(p peer) {
			p.result(p.next(), `{"protocol":1}`)
			for call := p.next(); call != nil; call = p.next() {
				p.fail(string(call.ID), test.code, test.data)
			}
		}).client(t)
		transport := NewTransport(c, FailClosed)
		_, _, err := post(t, transport, p.URL+"/v1/messages", orphanBody)
		wants(t, err, test.name)
		transport.RefuseWithResponse = true
		res, _, err := post(t, transport, p.URL+"/v1/messages", orphanBody)
		if !test.is {
			wants(t, err, test.name)
		} else if check(t, err); res.StatusCode != 400 || res.Header.Get("X-Should-Retry") != "false" {
			t.Errorf("%v", res)
		}
		if p.last() != "" {
			t.Error("it left")
		}
	}
}

func TestTransportMeetsWhatItCantUnpack(t *testing.T) {
	c, p := play(t, guard).client(t), provide(t)
	for _, test := range [][2]string{{"br", "x"}, {"gzip", "no gzip"}, {"gzip", zipped(orphanBody)[:20]}} {
		transport := NewTransport(c, FailClosed)
		_, _, err := post(t, transport, p.URL+"/v1/messages", test[1], "Content-Encoding", test[0])
		wants(t, err, ErrNotEncodable)
		transport.RefuseWithResponse = true
		res, body, err := post(t, transport, p.URL+"/v1/messages", test[1], "Content-Encoding", test[0])
		check(t, err)
		if res.StatusCode != 400 || !strings.Contains(body, "can't be undone") || RefusalIn([]byte(body)) != nil {
			t.Errorf("%d %s", res.StatusCode, body)
		}
		if p.last() != "" {
			t.Fatal("it left")
		}
	}
	open := NewTransport(c, FailOpen)
	open.PairResponses = true
	_, got, err := post(t, open, p.URL+"/v1/messages", "x", "Content-Encoding", "br")
	if check(t, err); got != "x" {
		t.Fatal(got)
	}
}

func TestTransportUnpacksResponses(t *testing.T) {
	c, p := play(t, guard).client(t), provide(t)
	streaming := strings.Replace(cleanBody, `{"model"`, `{"stream":true,"model"`, 1)
	transport := NewTransport(c, FailClosed)
	ask := func(body, answer, coding string) (*http.Response, string, error) {
		return post(t, transport, p.URL+"/v1/messages", body, "Answer", answer, "Coding", coding, "Accept-Encoding", "gzip")
	}
	res, got, err := ask(streaming, "zipped events", "gzip")
	check(t, err)
	if got != "EVENT: A\n\nEVENT: B\n\nEND" || res.Header.Get("Content-Encoding") != "" || !res.Uncompressed {
		t.Fatalf("%q %v", got, res.Header)
	}
	_, _, err = ask(streaming, "zipped events", "br")
	wants(t, err, ErrNotEncodable)
	_, _, err = ask(streaming, "zipped events", "deflate") // a lie
	if err == nil {
		t.Fatal("read what can't be read")
	}
	transport.PairResponses = true
	res, got, err = ask(cleanBody, "zipped", "")
	check(t, err)
	if got != strings.Replace(response, "[1]", "[]", 1) || res.ContentLength != int64(len(got)) || !res.Uncompressed {
		t.Fatalf("%q %v", got, res.Header)
	}
	transport = NewTransport(c, FailOpen)
	if _, got, err = ask(streaming, "zipped events", "br"); err != nil || got[0] != 0x1f {
		t.Fatalf("%q %v", got, err)
	}
}

func TestTransportKeepsToWhatIsSigned(t *testing.T) {
	c, p := play(t, guard).client(t), provide(t)
	transport := NewTransport(c, FailClosed)
	for _, header := range [][2]string{{"X-Amz-Content-Sha256", "0"}, {"Content-MD5", "0"}, {"Digest", "0"},
		{"Content-Digest", "0"}, {"Authorization", "AWS4-HMAC-SHA256 Credential=x"}} {
		_, _, err := post(t, transport, p.URL+"/v1/messages", orphanBody, header[0], header[1])
		wants(t, err, ErrNotEncodable)
		for path, body := range map[string]string{"": cleanBody, "/count_tokens": orphanBody} {
			_, got, err := post(t, transport, p.URL+"/v1/messages"+path, body, header[0], header[1])
			if check(t, err); got != body {
				t.Errorf("%s: %s", header[0], got)
			}
		}
	}
	_, got, err := post(t, transport, p.URL+"/v1/messages", orphanBody, "Authorization", "Bearer x")
	if check(t, err); got != mendedBody {
		t.Error(got)
	}
}

const response = `{"id":"x", "content":[1],"stop_reason":"end_turn"}`

func TestTransportPairsResponses(t *testing.T) {
	c, p := play(t, guard).client(t), provide(t)
	transport := NewTransport(c, FailClosed)
	_, got, err := post(t, transport, p.URL+"/v1/messages", cleanBody, "Answer", response)
	if check(t, err); got != response {
		t.Fatal(got)
	}
	transport.PairResponses = true
	_, got, err = post(t, transport, p.URL+"/v1/messages", cleanBody, "Answer", response)
	if check(t, err); got != `{"id":"x", "content":[],"stop_reason":"end_turn"}` {
		t.Fatal(got)
	}
	_, _, err = post(t, transport, p.URL+"/v1/messages", cleanBody, "Answer", `{"broken":1}`)
	wants(t, err, Name("orphan_result"))
}

func TestTransportCancelled(t *testing.T) {
	c := play(t, func(p peer) { p.next(); p.next() }).client(t)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://x/v1/messages", strings.NewReader(orphanBody))
	_, err := NewTransport(c, FailOpen).RoundTrip(req) // open, but nobody waits for it any more
	wants(t, err, context.DeadlineExceeded)
}

func TestTransportMeetsAnotherProtocol(t *testing.T) {
	p := provide(t)
	c := play(t, answers(`{"protocol":2}`, `{"changed":false,"safe":true}`)).client(t)
	_, _, err := post(t, NewTransport(c, FailClosed), p.URL+"/v1/messages", cleanBody)
	wants(t, err, ErrUnsupportedProtocol)
}

func TestTransportForwardsCloseIdle(t *testing.T) {
	transport := NewTransport(New(), FailOpen)
	transport.CloseIdleConnections()
	transport.Base = &keeping{}
	transport.CloseIdleConnections()
}
