// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Media types and content codings: what a transport takes a body for, and how much of it it unpacks.

// shared reads a table of cases that the clients in all languages share.
func shared(t *testing.T, name string, cases interface{}) {
	text, err := os.ReadFile(inTree(t, "clients", "shared", name))
	check(t, err)
	table := struct{ Cases interface{} }{cases}
	check(t, json.Unmarshal(text, &table))
}

// A typed answers every request with one body of one media type.
type typed struct{ media, body string }

func (a typed) RoundTrip(req *http.Request) (*http.Response, error) {
	_, err := io.Copy(io.Discard, req.Body)
	header := http.Header{"Content-Type": {a.media}}
	return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(a.body))}, err
}

// A counted daemon is the daemon of guard, with a limit; it keeps the methods that it was asked for.
type counted struct {
	limit string
	mutex sync.Mutex
	asked []string
}

func (d *counted) script(p peer) {
	for c := p.next(); c != nil; c = p.next() {
		d.mutex.Lock()
		d.asked = append(d.asked, c.Method)
		d.mutex.Unlock()
		switch c.Method {
		case "info":
			p.result(c, `{"protocol":1,"limits":{`+d.limit+`}}`)
		case "stream.open":
			p.result(c, `{"state":"open","outputs":[],"carried":[]}`)
		case "stream.feed":
			p.result(c, upper(c))
		case "stream.end":
			p.result(c, `{"state":"done","outputs":[],"finish":{},"message":{},"warnings":{}}`)
		case "seal":
			p.result(c, `{"seal":{"v":1,"alg":"sha256","turn":"ab","blocks":[]}}`)
		case "pair":
			p.result(c, `{"state":"done","outputs":[],"finish":{},"message":{},"warnings":{}}`)
		default:
			p.result(c, `{"changed":false,"safe":true}`)
		}
	}
}

func (d *counted) was(method string) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for _, asked := range d.asked {
		if asked == method {
			return true
		}
	}
	return false
}

func TestTransportReadsMediaTypes(t *testing.T) {
	asking := strings.Replace(cleanBody, `{"model"`, `{"stream":true,"model"`, 1)
	var cases []struct{ Value, Kind string }
	shared(t, "media_types.json", &cases)
	for _, test := range cases {
		for _, way := range []struct {
			header, answer, body, method string
			want                         bool
		}{
			{test.Value, "text/plain", cleanBody, "prepare", test.Kind == "json" || test.Kind == "other_json"},
			{"application/json", test.Value, asking, "stream.feed", test.Kind == "sse"},
			{"application/json", test.Value, cleanBody, "seal", test.Kind == "json"},
		} {
			d := &counted{}
			transport := NewTransport(play(t, d.script).client(t), FailClosed)
			transport.Base = typed{way.answer, signedTurn}
			_, _, err := post(t, transport, "http://provider.test/v1/messages", way.body, "Content-Type", way.header)
			check(t, err)
			if d.was(way.method) != way.want {
				t.Errorf("%q, answered with %q: %s %v", way.header, way.answer, way.method, !way.want)
			}
		}
	}
}

func TestTransportUnpacksNoMoreThanTheDaemonTakes(t *testing.T) {
	large := `{"messages":[` + strings.Repeat(" ", 1<<20) + `]}`
	bomb := `{"messages":[` + strings.Repeat(" ", maxFrame) + `]}`
	for _, name := range []string{"gzip", "deflate"} {
		header := http.Header{"Content-Encoding": {name}}
		for _, test := range []struct {
			body, limit, text string
		}{
			{large, `"max_frame":1048591`, ""},
			{large, `"max_frame":1048590`, "more than 1048590 bytes"},
			{large, `"max_frame":1000`, "more than 1000 bytes"},
			{bomb, ``, "more than 67108864 bytes"},
		} {
			sent := string(packed(header, []byte(test.body)))
			p := provide(t)
			for _, down := range []WhenDown{FailClosed, FailOpen} {
				d := &counted{limit: test.limit}
				transport := NewTransport(play(t, d.script).client(t), down)
				_, _, err := post(t, transport, p.URL+"/v1/messages", sent, "Content-Encoding", name)
				if test.text != "" && down == FailClosed {
					wants(t, err, ErrNotEncodable)
					if !strings.Contains(err.Error(), test.text) || p.last() != "" {
						t.Error(err)
					}
					continue
				}
				check(t, err)
				if p.last() != sent || d.was("prepare") != (test.text == "") {
					t.Errorf("%s, %s: judged %v", name, test.limit, d.was("prepare"))
				}
			}
		}
		sent := packed(header, []byte(large))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := unpacked(header, sent, 1000)
		runtime.ReadMemStats(&after)
		wants(t, err, ErrNotEncodable)
		made := after.TotalAlloc - before.TotalAlloc
		if made > 200_000 {
			t.Errorf("%s: %d bytes for a limit of 1000", name, made)
		}
	}
}

// A response that inflates beyond what the daemon takes is passed on as it came where a verdict isn't required.
func TestTransportPairsNoMoreThanTheDaemonTakes(t *testing.T) {
	whole := signedTurn + strings.Repeat(" ", 1000)
	for limit, fits := range map[string]bool{`"max_frame":100000`: true, `"max_frame":500`: false} {
		for _, down := range []WhenDown{FailClosed, FailOpen} {
			d := &counted{limit: limit}
			transport := NewTransport(play(t, d.script).client(t), down)
			transport.PairResponses = true
			transport.Base = zippedAnswer{[]byte(whole)}
			_, got, err := post(t, transport, "http://provider.test/v1/messages", cleanBody)
			if !fits && down == FailClosed {
				wants(t, err, ErrNotEncodable)
				continue
			}
			check(t, err)
			if got != whole || d.was("pair") != fits {
				t.Errorf("%s: %d bytes, paired %v", limit, len(got), d.was("pair"))
			}
		}
	}
}

// A zippedAnswer answers every request with one JSON body in gzip.
type zippedAnswer struct{ body []byte }

func (a zippedAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	_, err := io.Copy(io.Discard, req.Body)
	header := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}
	return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(bytes.NewReader(packed(header, a.body)))}, err
}
