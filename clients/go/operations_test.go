// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"encoding/json"
	"errors"
	"testing"
)

const calling = `{"content":[{"type":"tool_use","id":"t"}],"stop_reason":"tool_use"}`

func is(t *testing.T, what string, got, want interface{}) {
	t.Helper()
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	if string(a) != string(b) {
		t.Errorf("%s: %s, want %s", what, a, b)
	}
}

func TestSpliceKeepsTheBytesOfTheHistory(t *testing.T) {
	answer := `{"action":"continue","notes":["n"],"deferred":[{"role":"user"}],"set":{"/container":"c"},
		"patch":[{"op":"add","path":"/messages/-","value":{"role":"assistant","content":"a"}},
		{"op":"add","path":"/container","value":"c"}]}`
	for document, want := range map[string]string{
		`[ {"role" : "user"} ]`: `[ {"role" : "user"} ,{"role":"assistant","content":"a"}]`,
		`{"max_tokens":1e2, "messages":[]}`: `{"max_tokens":1e2, "messages":[{"role":"assistant","content":"a"}],` +
			`"container":"c"}`,
	} {
		seen := make(chan *call, 1)
		c := play(t, func(p peer) { r := p.next(); seen <- r; p.result(r, answer); p.next() }).client(t)
		s, err := c.Splice(inTime(t), json.RawMessage(document), json.RawMessage(calling),
			&SpliceParams{Appended: json.RawMessage(`[]`), Mode: "strict", Container: "p"})
		check(t, err)
		is(t, "document", s.Document, json.RawMessage(want))
		is(t, "deferred", s.Deferred, json.RawMessage(`[{"role":"user"}]`))
		is(t, "set", s.Set, map[string]string{"/container": "c"})
		if s.Stops() || s.Notes[0] != "n" || string(s.Raw) != answer {
			t.Errorf("%+v", s)
		}
		params := (<-seen).Params
		is(t, "options", params["options"], map[string]string{"mode": "strict"})
		is(t, "assistant", params["assistant"], json.RawMessage(calling))
		is(t, "appended", params["appended"], []int{})
		is(t, "container", params["container"], "p")
		if params["tool_results"] != nil {
			t.Error("sends what wasn't given")
		}
	}
}

func TestSpliceStops(t *testing.T) {
	c := play(t, answers(`{"action":"stop","notes":[],"patch":[]}`)).client(t)
	s, err := c.Splice(inTime(t), json.RawMessage(` []`), json.RawMessage(calling), nil)
	check(t, err)
	if !s.Stops() || string(s.Document) != ` []` || s.Deferred != nil || s.Set != nil {
		t.Errorf("%+v", s)
	}
}

func TestToolsKeepTheBytesOfTheBase(t *testing.T) {
	const result = `{"changed":true,"headers":{"anthropic-beta":"x"},"betas":["x"],"added_betas":["x"],
		"mcp_servers":[{"name":"s"}],"notes":["tool_replaced"],"patch":`
	replaced := `[{"op":"replace","path":"/tools/0","value":{"name":"b"}},
		{"op":"add","path":"/tools/-","value":{"name":"c"}},{"op":"add","path":"/mcp_servers","value":[{"name":"s"}]}]`
	all := `[{"op":"replace","path":"/tools","value":[{"name":"c"}]}]`
	for _, row := range []struct{ document, patch, sent, want string }{
		{`[{"name":"a"}, {"name" : "d"}]`, replaced, "tools", `[{"name":"b"}, {"name" : "d"},{"name":"c"}]`},
		{`{"tools":[{"name":"a"}],"x":1e2}`, replaced, "request",
			`{"tools":[{"name":"b"},{"name":"c"}],"x":1e2,"mcp_servers":[{"name":"s"}]}`},
		{`null`, all, "tools", `[{"name":"c"}]`},
		{``, all, "tools", `[{"name":"c"}]`},
		{` null `, `[]`, "tools", `[]`},
		{`[ ]`, `[]`, "tools", `[ ]`},
	} {
		seen := make(chan *call, 1)
		c := play(t, func(p peer) {
			r := p.next()
			seen <- r
			p.result(r, result+row.patch+"}")
			p.next()
		}).client(t)
		m, err := c.Tools(inTime(t), json.RawMessage(row.document), &ToolsParams{Add: []interface{}{"web_search"}, Betas: []string{"y"}})
		check(t, err)
		if string(m.Document) != row.want {
			t.Errorf("%s: %s, want %s", row.document, m.Document, row.want)
		}
		is(t, "headers", m.Headers, map[string]string{"anthropic-beta": "x"})
		is(t, "servers", m.MCPServers, []map[string]string{{"name": "s"}})
		params := (<-seen).Params
		is(t, "add", params["add"], []string{"web_search"})
		is(t, "betas", params["betas"], []string{"y"})
		if params[row.sent] == nil || params["interleaved"] != nil {
			t.Errorf("sends %s", params)
		}
	}
}

func TestOperationsTrustNoAnswerThatDoesntAddUp(t *testing.T) {
	for _, patch := range []string{`null`, `{}`, `[{"op":"remove","path":"/messages/7"}]`, `[{"op":"x"}]`} {
		c := play(t, answers(`{"action":"continue","notes":[],"patch":`+patch+`}`)).client(t)
		_, err := c.Splice(inTime(t), json.RawMessage(`[{}]`), json.RawMessage(calling), nil)
		wants(t, err, ErrProtocol)
	}
	c := play(t, answers(`{"action":"continue","notes":[]}`)).client(t)
	_, err := c.Splice(inTime(t), json.RawMessage(`[{}]`), json.RawMessage(calling), nil)
	wants(t, err, ErrProtocol)
}

func TestOperationsNeedDocuments(t *testing.T) {
	c := New(WithSocket("/nonexistent"))
	for _, document := range []string{``, `null`, `7`, `"x"`, `[`} {
		_, err := c.Splice(inTime(t), json.RawMessage(document), json.RawMessage(calling), nil)
		wants(t, err, ErrNotEncodable)
		_, err = c.Splice(inTime(t), json.RawMessage(`[]`), json.RawMessage(document+`[]`), nil)
		wants(t, err, ErrNotEncodable)
	}
	for _, document := range []string{`7`, `"x"`, `nul`, `{`} {
		_, err := c.Tools(inTime(t), json.RawMessage(document), nil)
		wants(t, err, ErrNotEncodable)
	}
}

func TestOperationsSayWhyTheyRefuse(t *testing.T) {
	data := `{"name":"tool_name_conflict","tool":"a","pointer":"/params/tools/1","retryable":false}`
	c := play(t, func(p peer) { p.fail(string(p.next().ID), -32003, data); p.next() }).client(t)
	_, err := c.Tools(inTime(t), nil, nil)
	wants(t, err, ErrRefused)
	wants(t, err, Name("tool_name_conflict"))
	var remote *RemoteError
	if !errors.As(err, &remote) || remote.Pointer != "/params/tools/1" {
		t.Fatal(err)
	}
}

func TestSeal(t *testing.T) {
	seen := make(chan *call, 2)
	c := play(t, func(p peer) {
		for i := 0; i < 2; i++ {
			r := p.next()
			seen <- r
			p.result(r, `{"seal":{"v":1, "turn":"ab"}}`)
		}
		p.next()
	}).client(t)
	for name, turn := range map[string]string{"content": `[{"type":"text","text":"a"}]`, "message": `{"role":"assistant","content":"a"}`} {
		s, err := c.Seal(inTime(t), json.RawMessage(turn), &SealParams{Request: json.RawMessage(`{"messages":[]}`), Blocks: true})
		check(t, err)
		if string(s) != `{"v":1, "turn":"ab"}` {
			t.Errorf("%s", s)
		}
		params := (<-seen).Params
		is(t, name, params[name], json.RawMessage(turn))
		is(t, "request", params["request"], json.RawMessage(`{"messages":[]}`))
		is(t, "blocks", params["blocks"], true)
	}
	if _, err := c.Seal(inTime(t), nil, nil); !errors.Is(err, ErrNotEncodable) {
		t.Error(err)
	}
}
