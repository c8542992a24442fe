// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The texts of errors say where, how much, and what to do.

// says fails the test unless the text of an error has all parts.
func says(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Fatalf("%q is not in: %v", part, err)
		}
	}
}

// failing is a client whose daemon answers everything with one error.
func failing(t *testing.T, code int, data string) *Client {
	return play(t, func(p peer) {
		for c := p.next(); c != nil; c = p.next() {
			p.fail(string(c.ID), code, data)
		}
	}).client(t)
}

func TestDialectMismatch(t *testing.T) {
	c := failing(t, -32602, `{"name":"dialect_mismatch","pointer":"/params/messages/1","looks_like":"openai-chat",
		"sign":"tool_calls","dialect":"anthropic","retryable":false}`)
	_, err := c.Repair(inTime(t), json.RawMessage("[]"), nil)
	wants(t, err, ErrDialectMismatch)
	wants(t, err, ErrInvalidParams) // as a client that doesn't know the name would take it
	var mismatch *DialectMismatchError
	var remote *RemoteError
	if !errors.As(err, &mismatch) || !errors.As(err, &remote) || remote.Pointer != "/params/messages/1" || Retryable(err) {
		t.Fatal(err)
	}
	if mismatch.LooksLike != "openai-chat" || mismatch.Sign != "tool_calls" || mismatch.Dialect != "anthropic" {
		t.Fatalf("%+v", mismatch)
	}
	says(t, err, "dialect_mismatch: said", "/params/messages/1")
	_, err = failing(t, -32602, `{"name":"dialect_mismatch","looks_like":null,"sign":"a,b","dialect":"anthropic"}`).
		Repair(inTime(t), json.RawMessage("[]"), nil)
	if !errors.As(err, &mismatch) || mismatch.LooksLike != "" || mismatch.Sign != "a,b" {
		t.Fatalf("%+v", err)
	}
}

func TestRealDialectMismatch(t *testing.T) {
	c := realDaemon(t).client(t)
	const chat = `[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function"}]}]`
	_, err := c.Repair(inTime(t), json.RawMessage(chat), nil)
	var mismatch *DialectMismatchError
	if !errors.As(err, &mismatch) || mismatch.LooksLike != "openai-chat" || mismatch.Sign != "tool_calls" ||
		mismatch.Dialect != "anthropic" {
		t.Fatalf("%+v", err)
	}
	says(t, err, "OpenAI Chat Completions", "/params/messages/1")
	p := provide(t)
	transport, said := logging(c, FailClosed)
	body := `{"model":"m","max_tokens":1,"messages":` + chat + `}`
	for i := 0; i < 2; i++ {
		_, got, err := post(t, transport, p.URL+"/v1/messages", body)
		check(t, err)
		if got != body {
			t.Fatal(got)
		}
	}
	said.has(t, "not in the provider's format but openai-chat (/params/request/messages/1)")
}

func TestLimitsHaveTheirNumber(t *testing.T) {
	c := failing(t, -32014, `{"name":"answer_too_large","limit":268435456,"retryable":false}`)
	_, err := c.Validate(inTime(t), json.RawMessage("[]"), nil)
	wants(t, err, ErrAnswerTooLarge)
	var remote *RemoteError
	if !errors.As(err, &remote) || remote.Limit != 268435456 || Retryable(err) {
		t.Fatal(err)
	}
	says(t, err, "answer_too_large", "limit 268435456")
	err = failing(t, -32014, `{}`).Ping(inTime(t))
	if wants(t, err, ErrAnswerTooLarge); strings.Contains(err.Error(), "limit 0") {
		t.Fatal(err)
	}
}

// A stream whose answer would be too large is gone at the daemon, so it is over here as well.
func TestRequestTooCostly(t *testing.T) {
	c := failing(t, -32014, `{"name":"request_too_costly","limit":536870912,"retryable":false}`)
	_, err := c.Validate(inTime(t), []byte("[]"), nil)
	wants(t, err, ErrRequestTooCostly)
	wants(t, err, ErrAnswerTooLarge)
	says(t, err, "request_too_costly", "limit 536870912")
}

func TestAnswerTooLargeEndsAStream(t *testing.T) {
	c := play(t, func(p peer) {
		p.result(p.next(), `{"state":"open","outputs":[],"carried":[]}`)
		p.fail(string(p.next().ID), -32014, `{"name":"answer_too_large","limit":1}`)
		p.next()
	}).client(t)
	s, err := c.Stream(inTime(t), nil)
	check(t, err)
	_, err = s.Feed(inTime(t), []byte("data: {}\n\n"))
	wants(t, err, ErrAnswerTooLarge)
	if s.Open() {
		t.Fatal("the stream is open")
	}
	_, err = s.Finish(inTime(t))
	wants(t, err, ErrAnswerTooLarge)
}

func TestUnsafeHistorySaysTheWayOut(t *testing.T) {
	violation := `{"code":"c","severity":"error","pointer":"/messages/1","way_out":"Go back to before message 1."}`
	c := failing(t, -32001, `{"name":"unsafe_history","violations":[`+strings.Repeat(violation+",", 3)+violation+`]}`)
	_, err := c.Repair(inTime(t), json.RawMessage("[]"), nil)
	var unsafe *UnsafeHistoryError
	if !errors.As(err, &unsafe) || unsafe.Violations[3].WayOut != "Go back to before message 1." {
		t.Fatal(err)
	}
	says(t, err, "c at /messages/1: Go back to before message 1;", "1 more")
}

// A fault outside the messages has a place in the request, and no indexes.
func TestUnsafeHistoryNamesPlacesOfTheRequest(t *testing.T) {
	c := failing(t, -32001, `{"name":"unsafe_history","violations":[{"code":"tool_choice_invalid","severity":"error",
		"message_index":null,"part_index":null,"pointer":"/tool_choice/name","way_out":"Change the request."}]}`)
	_, err := c.Repair(inTime(t), json.RawMessage("[]"), nil)
	var unsafe *UnsafeHistoryError
	if !errors.As(err, &unsafe) || unsafe.Violations[0].Pointer != "/tool_choice/name" ||
		unsafe.Violations[0].MessageIndex != nil || unsafe.Violations[0].PartIndex != nil {
		t.Fatal(err)
	}
	says(t, err, "tool_choice_invalid at /tool_choice/name: Change the request")
}

func TestConnectionErrorsNameSocketAndCause(t *testing.T) {
	ofTheSocket(t)
	dir := folder(t)
	stale := filepath.Join(dir, "stale")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	check(t, err)
	listener.SetUnlinkOnClose(false)
	check(t, listener.Close())
	long := filepath.Join(dir, strings.Repeat("x", longestPath))
	none := filepath.Join(dir, "none")
	for path, parts := range map[string][]string{
		none:  {"connect_failed", "no daemon has made this socket", "no such file or directory", none},
		stale: {"connect_failed", "no daemon listens there any more", "refused", stale},
		long:  {"connect_failed", "a socket's path has at most 107 bytes, this one has", long},
	} {
		err := New(WithSocket(path)).Ping(inTime(t))
		wants(t, err, ErrConnectFailed)
		says(t, err, parts...)
		var fault *LocalError
		if !errors.As(err, &fault) || fault.Socket != path || strings.Count(err.Error(), path) != 1 {
			t.Fatalf("%q: %v", fault.Socket, err)
		}
	}
	says(t, local(ErrConnectFailed, whyUnreachable("s", os.NewSyscallError("connect", syscall.EACCES)), nil), "this user may not connect")
	for name, script := range map[Name]func(peer){
		ErrConnectionLost: func(p peer) { p.next() },
		ErrTimeout:        func(p peer) { p.next(); p.next() },
		ErrProtocol:       func(p peer) { _, _ = p.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")); p.next() },
	} {
		d := play(t, script)
		timeout := patience
		if name == ErrTimeout {
			timeout = 1 // nothing can answer in a nanosecond
		}
		err := d.client(t, WithTimeout(timeout)).Ping(inTime(t))
		wants(t, err, name)
		says(t, err, string(name), d.path)
	}
	d := play(t, func(p peer) { p.result(p.next(), `{"protocol":9}`); p.next() })
	says(t, d.client(t).CheckProtocol(inTime(t)), "protocol 9", d.path)
}

func TestRealLimits(t *testing.T) {
	ofTheSocket(t)
	config := filepath.Join(folder(t), "c.json")
	check(t, os.WriteFile(config, []byte(`{"max_frame": 4096}`), 0o600))
	c := realDaemon(t, "--config", config).client(t)
	_, err := c.Validate(inTime(t), json.RawMessage(`[{"role":"user","content":"`+strings.Repeat("x", 5000)+`"}]`), nil)
	wants(t, err, ErrFrameTooLarge)
	says(t, err, "limit 4096")
	check(t, os.WriteFile(config, []byte(`{"max_answer": 4096}`), 0o600))
	c = realDaemon(t, "--config", config).client(t)
	parts := `[{"type":"text","text":"q"}` + strings.Repeat(`,{"type":"text","text":""}`, 100) + `]`
	_, err = c.Validate(inTime(t), json.RawMessage(`[{"role":"user","content":`+parts+`}]`), nil)
	wants(t, err, ErrAnswerTooLarge)
	says(t, err, "limit 4096")
}
