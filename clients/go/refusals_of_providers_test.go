// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
)

// Explain, ReportMiss, and the names of callers, against the real daemon.

const refusedWords = "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."

func TestExplain(t *testing.T) {
	c := realDaemon(t).client(t)
	ctx := inTime(t)
	found, err := c.Explain(ctx, "400 {\"error\":{\"message\":\""+refusedWords+"\"}}", "")
	check(t, err)
	if len(found.Matches) != 1 || len(found.Raw) == 0 {
		t.Fatalf("%s", found.Raw)
	}
	m := found.Matches[0]
	if m.Code != "tool_use_without_result" || m.Provider != "anthropic" || m.Severity != "error" || !m.Judged ||
		m.Text == "" || m.Action == "" || m.ProviderError == "" || m.Place.Pointer != "/messages/3" ||
		*m.Place.Message != 3 || m.Place.Block != nil || m.Place.ID != "toolu_1" {
		t.Fatalf("%+v", m)
	}
	for _, provider := range []string{"openai-chat", "gemini"} {
		found, err = c.Explain(ctx, refusedWords, provider)
		check(t, err)
		if len(found.Matches) != 0 {
			t.Fatalf("%s", found.Raw)
		}
	}
	_, err = c.Explain(ctx, "", "")
	pointsAt(t, err, "/params/text")
	_, err = c.Explain(ctx, "x", "nobody")
	pointsAt(t, err, "/params/provider")
}

func TestReportMiss(t *testing.T) {
	c := realDaemon(t).client(t)
	ctx := inTime(t)
	code, err := c.ReportMiss(ctx, 400, refusedWords, "anthropic")
	check(t, err)
	if code != "tool_use_without_result" {
		t.Fatal(code)
	}
	code, err = c.ReportMiss(ctx, 529, "Overloaded", "anthropic")
	check(t, err)
	if code != "" {
		t.Fatal(code)
	}
	_, err = c.ReportMiss(ctx, 200, refusedWords, "anthropic")
	pointsAt(t, err, "/params/status")
	if InProcess != nil {
		return // the daemon has counts, and the twin asks it only when the other end answers alike
	}
	stats, err := c.Stats(ctx)
	check(t, err)
	if stats.Misses["tool_use_without_result"] != 1 || stats.Misses["none"] != 1 || len(stats.Misses) != 2 {
		t.Fatalf("%v", stats.Misses)
	}
}

// A name that the daemon refuses shows which calls have one.
func TestCallers(t *testing.T) {
	d := realDaemon(t)
	d.client(t)
	named := New(append(over(t, d.path, true), WithTimeout(patience), WithCaller("a b"))...)
	t.Cleanup(func() { _ = named.Close() })
	ctx := inTime(t)
	good := ContextWithCaller(ctx, "agent-7.x_y:Z")
	bad := ContextWithCaller(ctx, "also bad")
	calls := map[string]func(context.Context) error{
		"validate":    func(ctx context.Context) error { _, err := named.Validate(ctx, history("1"), nil); return err },
		"repair":      func(ctx context.Context) error { _, err := named.Repair(ctx, history("1"), nil); return err },
		"ping":        named.Ping,
		"detect":      func(ctx context.Context) error { _, err := named.Detect(ctx, history("1")); return err },
		"explain":     func(ctx context.Context) error { _, err := named.Explain(ctx, "x", ""); return err },
		"report_miss": func(ctx context.Context) error { _, err := named.ReportMiss(ctx, 400, "x", "gemini"); return err },
		"call":        func(ctx context.Context) error { _, err := named.Call(ctx, "ping", nil); return err },
		"call, JSON": func(ctx context.Context) error {
			_, err := named.Call(ctx, "ping", json.RawMessage(`{"echo":1}`))
			return err
		},
		"call, timeout": func(ctx context.Context) error {
			_, err := named.Call(ctx, "ping", map[string]json.RawMessage{"timeout_ms": json.RawMessage("9000")})
			return err
		},
		"stream": func(ctx context.Context) error {
			s, err := named.Stream(ctx, nil)
			if err == nil {
				_ = s.Close()
			}
			return err
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			pointsAt(t, call(ctx), "/params/caller")
			pointsAt(t, call(bad), "/params/caller")
			check(t, call(good))
		})
	}
	for _, own := range []interface{}{
		map[string]json.RawMessage{"caller": json.RawMessage(`"own"`)},
		json.RawMessage(`{"caller":"own"}`),
		map[string]string{"caller": "own"},
	} {
		_, err := named.Call(ctx, "ping", own)
		check(t, err)
	}
	s, err := named.Stream(good, nil)
	check(t, err)
	defer func() { _ = s.Close() }()
	_, err = s.Feed(bad, []byte("event: ping\ndata: {}\n\n"))
	pointsAt(t, err, "/params/caller")
}

// pointsAt checks that the parameters were refused there.
func pointsAt(t *testing.T, err error, pointer string) {
	t.Helper()
	var remote *RemoteError
	if !errors.As(err, &remote) || !errors.Is(err, ErrInvalidParams) || remote.Pointer != pointer {
		t.Fatalf("%v instead of %s", err, pointer)
	}
}
