// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"log"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The transport's lines in a log.

// lineLog keeps the lines of a log.
type lineLog struct {
	mutex sync.Mutex
	lines []string
}

func (l *lineLog) Write(line []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.lines = append(l.lines, string(line))
	return len(line), nil
}

// logging is a transport that logs into the returned lines.
func logging(c *Client, down WhenDown) (*Transport, *lineLog) {
	transport, kept := NewTransport(c, down), &lineLog{}
	transport.ErrorLog = log.New(kept, "", 0)
	return transport, kept
}

// has fails the test unless there are as many lines as parts, and each has its part.
func (l *lineLog) has(t *testing.T, parts ...string) {
	t.Helper()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.lines) != len(parts) {
		t.Fatalf("want %d lines, got %q", len(parts), l.lines)
	}
	for i, part := range parts {
		if !strings.Contains(l.lines[i], part) {
			t.Fatalf("%q is not in %q", part, l.lines[i])
		}
	}
}

func TestTransportTellsOnceThatTheDaemonIsDown(t *testing.T) {
	p := provide(t)
	for _, test := range []struct {
		down    WhenDown
		outcome string
	}{{FailClosed, "requests to the provider fail"}, {FailOpen, "requests to the provider pass without a check"}} {
		nowhere, d := filepath.Join(folder(t), "none"), play(t, guard)
		c := New(WithSocket(nowhere))
		transport, said := logging(c, test.down)
		for i := 0; i < 3; i++ {
			_, _, err := post(t, transport, p.URL+"/v1/messages", cleanBody)
			if test.down == FailClosed {
				wants(t, err, ErrConnectFailed)
				says(t, err, nowhere, "no such file or directory")
			}
		}
		said.has(t, nowhere+": connect: no such file or directory; "+test.outcome)
		c.path = d.path // it has come up
		for i := 0; i < 2; i++ {
			_, _, err := post(t, transport, p.URL+"/v1/messages", cleanBody)
			check(t, err)
		}
		said.has(t, nowhere, "answers again ("+d.path)
		c.pool.close()
		c.pool.closed = false
		c.path = nowhere
		_, _, _ = post(t, transport, p.URL+"/v1/messages", cleanBody)
		said.has(t, nowhere, "answers again", nowhere)
	}
}

func TestTransportIsSilentWhileAllIsWell(t *testing.T) {
	p := provide(t)
	transport, said := logging(play(t, guard).client(t), FailClosed)
	for _, body := range []string{cleanBody, orphanBody, hopelessBody} {
		_, _, _ = post(t, transport, p.URL+"/v1/messages", body)
	}
	said.has(t)
}

// another is a daemon that finds all histories in another format, but for streams and info.
func another(p peer) {
	for c := p.next(); c != nil; c = p.next() {
		if c.Method == "info" {
			p.result(c, `{"protocol":1}`)
			continue
		}
		p.fail(string(c.ID), -32602, `{"name":"dialect_mismatch","pointer":"/params/request/messages/0",
			"looks_like":"openai-chat","sign":"tool_calls","dialect":"anthropic"}`)
	}
}

func TestTransportPassesOtherFormats(t *testing.T) {
	p := provide(t)
	const body = `{"stream":true,"messages":[{"role":"assistant","content":null,"tool_calls":[{}]}]}`
	for _, down := range []WhenDown{FailClosed, FailOpen} {
		transport, said := logging(play(t, another).client(t), down)
		transport.PairResponses = true
		transport.OnUnguarded = func(_ *http.Request, err error) { t.Errorf("unguarded: %v", err) }
		for _, path := range []string{"/v1/messages", "/v1/messages/count_tokens", "/v1/messages"} {
			_, got, err := post(t, transport, p.URL+path, body, "Answer", "events")
			check(t, err)
			if p.last() != body || got != "event: a\n\nevent: b\n\n" {
				t.Fatalf("%s, %s", p.last(), got)
			}
		}
		said.has(t, "a request to /v1/messages passes without a check: it is not in the provider's format but openai-chat (/params/request/messages/0)")
	}
}

// A response that isn't the provider's passes, too.
func TestTransportPassesResponsesInOtherFormats(t *testing.T) {
	p := provide(t)
	script := func(p peer) {
		for c := p.next(); c != nil; c = p.next() {
			if c.Method == "pair" {
				p.fail(string(c.ID), -32602, `{"name":"dialect_mismatch","pointer":"/params/response","looks_like":null,"sign":"choices"}`)
			} else {
				p.result(c, `{"protocol":1,"changed":false,"safe":true}`)
			}
		}
	}
	transport, said := logging(play(t, script).client(t), FailClosed)
	transport.PairResponses = true
	_, got, err := post(t, transport, p.URL+"/v1/messages", cleanBody, "Answer", `{"choices":[]}`)
	check(t, err)
	if got != `{"choices":[]}` {
		t.Fatal(got)
	}
	said.has(t, "a response of /v1/messages passes")
	said.has(t, "but none that is known (/params/response)")
}
