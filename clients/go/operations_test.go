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
	const turn = `{"role":"assistant","content":"a"}`
	for _, test := range []struct{ document, splices, want string }{
		{` [ {"role" : "user"} ]`, `[[19,1,",{\"role\":\"assistant\",\"content\":\"a\"}"]]`, ` [ {"role" : "user"},` + turn + `]`},
		{`{"max_tokens":1e2, "messages":[]} `, `[[31,0,"{\"role\":\"assistant\",\"content\":\"a\"}"],[32,0,",\"container\":\"c\""]]`,
			`{"max_tokens":1e2, "messages":[` + turn + `],"container":"c"} `},
	} {
		document, want := test.document, test.want
		answer := `{"action":"continue","notes":["n"],"deferred":[{"role":"user"}],"set":{"/container":"c"},"splices":` +
			test.splices + `}`
		seen := make(chan *call, 1)
		c := play(t, func(p peer) { r := p.next(); seen <- r; p.result(r, answer); p.next() }).client(t)
		s, err := c.Splice(inTime(t), json.RawMessage(document), json.RawMessage(calling),
			&SpliceParams{Appended: json.RawMessage(`[]`), Mode: "strict", Container: "p"})
		check(t, err)
		if string(s.Document) != want {
			t.Errorf("%s, want %s", s.Document, want)
		}
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

func TestSpliceSendsWhatOtherProvidersTake(t *testing.T) {
	const items = `[{"type":"function_call"}]`
	options := map[string]interface{}{"choice": 2, "state": "chain"}
	params := &SpliceParams{Provider: ProviderOpenAIResponses, Dialect: "openai-responses",
		Target: &Target{Model: "m"}, Choice: 2, State: "chain"}
	for _, row := range []struct {
		answer string
		ask    func(*Client) error
		at     string // where the options are
		there  bool   // and the provider with them
	}{
		{`{"action":"stop","notes":[]}`, func(c *Client) error {
			_, err := c.Splice(inTime(t), json.RawMessage(`[]`), json.RawMessage(items), params)
			return err
		}, "", true},
		{`{"action":"stop","changed":false,"safe":true}`, func(c *Client) error {
			_, err := c.Prepare(inTime(t), json.RawMessage(`{}`),
				&PrepareParams{Turn: json.RawMessage(items), Splice: params})
			return err
		}, "splice", false},
	} {
		seen := make(chan *call, 1)
		c := play(t, func(p peer) { r := p.next(); seen <- r; p.result(r, row.answer); p.next() }).client(t)
		check(t, row.ask(c))
		sent := (<-seen).Params
		if row.at != "" {
			var step map[string]json.RawMessage
			check(t, json.Unmarshal(sent[row.at], &step))
			sent = step
		}
		is(t, "assistant", sent["assistant"], json.RawMessage(items))
		is(t, "options", sent["options"], options)
		if row.there {
			is(t, "provider", sent["provider"], ProviderOpenAIResponses)
			is(t, "dialect", sent["dialect"], "openai-responses")
			is(t, "target", sent["target"], map[string]string{"model": "m"})
		} else if sent["provider"] != nil || sent["dialect"] != nil || sent["target"] != nil {
			t.Errorf("the step has what the request has: %s", sent)
		}
	}
}

func TestSpliceStops(t *testing.T) {
	c := play(t, answers(`{"action":"stop","notes":[]}`)).client(t)
	s, err := c.Splice(inTime(t), json.RawMessage(` []`), json.RawMessage(calling), nil)
	check(t, err)
	if !s.Stops() || string(s.Document) != ` []` || s.Deferred != nil || s.Set != nil {
		t.Errorf("%+v", s)
	}
}

func TestToolsKeepTheBytesOfTheBase(t *testing.T) {
	const result = `{"changed":true,"headers":{"anthropic-beta":"x"},"betas":["x"],"added_betas":["x"],
		"mcp_servers":[{"name":"s"}],"notes":["tool_replaced"]`
	all := `,"splices":[[0,4,"[{\"name\":\"c\"}]"]]`
	for _, row := range []struct{ document, splices, sent, want string }{
		{`[{"name":"a"}, {"name" : "d"}]`, `,"splices":[[10,1,"b"],[29,0,",{\"name\":\"c\"}"]]`, "tools",
			`[{"name":"b"}, {"name" : "d"},{"name":"c"}]`},
		{`{"tools":[{"name":"a"}],"x":1e2}`,
			`,"splices":[[19,1,"b"],[22,0,",{\"name\":\"c\"}"],[31,0,",\"mcp_servers\":[{\"name\":\"s\"}]"]]`, "request",
			`{"tools":[{"name":"b"},{"name":"c"}],"x":1e2,"mcp_servers":[{"name":"s"}]}`},
		{`null`, all, "tools", `[{"name":"c"}]`},
		{``, all, "tools", `[{"name":"c"}]`},
		{` null `, ``, "tools", `[]`},
		{`[ ]`, ``, "tools", `[ ]`},
	} {
		seen := make(chan *call, 1)
		c := play(t, func(p peer) {
			r := p.next()
			seen <- r
			p.result(r, result+row.splices+"}")
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
	for _, splices := range []string{`{}`, `[[0,7,""]]`, `[[0,1]]`, `7`} {
		c := play(t, answers(`{"action":"continue","notes":[],"splices":`+splices+`}`)).client(t)
		_, err := c.Splice(inTime(t), json.RawMessage(`[{}]`), json.RawMessage(calling), nil)
		wants(t, err, ErrProtocol)
	}
	c := play(t, answers(`{"notes":[]}`)).client(t)
	_, err := c.Splice(inTime(t), json.RawMessage(`[{}]`), json.RawMessage(calling), nil)
	wants(t, err, ErrProtocol)
}

func TestOperationsNeedDocuments(t *testing.T) {
	c := New(WithSocket("/nonexistent"))
	for _, document := range []string{``, `null`, `7`, `"x"`, `[`} {
		_, err := c.Splice(inTime(t), json.RawMessage(document), json.RawMessage(calling), nil)
		wants(t, err, ErrNotEncodable)
		_, err = c.Splice(inTime(t), json.RawMessage(`[]`), json.RawMessage(document), nil)
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

const preparation = `{"action":"resume","changed":true,"safe":true,
	"splices":[[40,2,""],[44,0,",{\"role\":\"assistant\"}"],[45,0,",\"tools\":[{\"name\":\"c\"}]"]],
	"deferred":[{"role":"user"}],"headers":{"anthropic-beta":"y,x"},"betas":["y","x"],"added_betas":["x"],
	"notes":{"splice":["n"],"tools":["m"]},"protected":{"message_index":1,"sha256":"00"},
	"edits":[{"code":"c","action":"drop","pointer":"/messages/0/content/1"}],"stats":{"textified":1},
	"violations":[],"counts":{},"truncated":0,"unbound":{"from":"/messages/1","thinking":["/messages/1/content/0"]},
	"verdicts":[{"message_index":1,"seals":[0,2],"verdict":"intact","dead":false},
		{"message_index":null,"seals":[1],"verdict":"unknown","dead":true}]}`

func TestPrepareKeepsTheBytesOfTheRequest(t *testing.T) {
	seen := make(chan *call, 1)
	c := play(t, func(p peer) { r := p.next(); seen <- r; p.result(r, preparation); p.next() }).client(t)
	document := `{"n":1e2, "messages":[ {"content":[ 1.0 ,2]}]}`
	p, err := c.Prepare(inTime(t), json.RawMessage(document), &PrepareParams{
		Params: Params{Policy: "preserve", Seals: json.RawMessage(`[{"seal":{}}]`), Betas: []string{"y"}},
		Turn:   json.RawMessage(calling),
		Splice: &SpliceParams{Appended: json.RawMessage(`[]`), Mode: "strict"},
		Tools:  &ToolsParams{Add: []interface{}{"web_search"}, Betas: []string{"z"}},
	})
	check(t, err)
	const want = `{"n":1e2, "messages":[ {"content":[ 1.0 ]},{"role":"assistant"}],"tools":[{"name":"c"}]}`
	if string(p.Document) != want || string(p.Raw) != preparation {
		t.Errorf("%s", p.Document)
	}
	is(t, "deferred", p.Deferred, json.RawMessage(`[{"role":"user"}]`))
	is(t, "headers", p.Headers, map[string]string{"anthropic-beta": "y,x"})
	is(t, "betas", [][]string{p.Betas, p.AddedBetas}, [][]string{{"y", "x"}, {"x"}})
	is(t, "notes", p.Notes, map[string][]string{"splice": {"n"}, "tools": {"m"}})
	if p.Action != "resume" || p.Stops() || !p.Safe || !p.Changed || p.Edits[0].Code != "c" || p.Stats["textified"] != 1 ||
		p.Protected.MessageIndex != 1 || p.Unbound.From != "/messages/1" {
		t.Errorf("%+v", p)
	}
	if v := p.Verdicts; len(v) != 2 || *v[0].MessageIndex != 1 || v[0].Verdict != "intact" || v[0].Dead ||
		v[1].MessageIndex != nil || !v[1].Dead || v[0].Seals[1] != 2 {
		t.Errorf("%+v", v)
	}
	params := (<-seen).Params
	is(t, "request", params["request"], json.RawMessage(document))
	is(t, "policy", params["policy"], "preserve")
	is(t, "seals", params["seals"], json.RawMessage(`[{"seal":{}}]`))
	is(t, "splice", params["splice"], json.RawMessage(`{"appended":[],"options":{"mode":"strict"},"assistant":`+calling+`}`))
	is(t, "tools", params["tools"], json.RawMessage(`{"add":["web_search"],"betas":["y","z"]}`))
	if params["betas"] != nil {
		t.Error("betas at the top, where prepare doesn't take them")
	}
}

func TestPrepareAlone(t *testing.T) {
	seen := make(chan *call, 2)
	answer := `{"changed":false,"safe":true}`
	c := play(t, func(p peer) {
		for r := p.next(); r != nil; r = p.next() {
			seen <- r
			p.result(r, answer)
		}
	}).client(t)
	for _, params := range []*PrepareParams{nil, {}} {
		p, err := c.Prepare(inTime(t), json.RawMessage(` {"messages": []}`), params)
		check(t, err)
		if p.Action != "continue" || p.Changed || string(p.Document) != ` {"messages": []}` {
			t.Errorf("%+v", p)
		}
		if sent := (<-seen).Params; len(sent) != 3 || sent["timeout_ms"] == nil || string(sent["return"]) != `"splices"` {
			t.Errorf("sends %v", sent)
		}
	}
}

func TestPrepareStops(t *testing.T) {
	c := play(t, answers(`{"action":"stop","changed":false,"notes":{"splice":[]}}`)).client(t)
	p, err := c.Prepare(inTime(t), json.RawMessage(`{"messages":[]}`), &PrepareParams{Turn: json.RawMessage(calling)})
	check(t, err)
	if !p.Stops() || p.Safe || p.Headers != nil || p.Deferred != nil {
		t.Errorf("%+v", p)
	}
}

func TestPrepareTrustsNoAnswerThatDoesntAddUp(t *testing.T) {
	for _, answer := range []string{`{"changed":true,"safe":true}`, `{"safe":true}`,
		`{"changed":false,"safe":false}`, `{"changed":true,"safe":true,"splices":[[1]]}`,
		`{"changed":true,"safe":true,"splices":[[0,99,""]]}`, `{"changed":false,"safe":true,"splices":[[0,1,""]]}`} {
		c := play(t, answers(answer)).client(t)
		_, err := c.Prepare(inTime(t), json.RawMessage(`{"messages":[]}`), nil)
		wants(t, err, ErrProtocol)
	}
	c := play(t, answers(`{"changed":false,"safe":false}`)).client(t)
	p, err := c.Prepare(inTime(t), json.RawMessage(`{"messages":[]}`), &PrepareParams{Params: Params{Unguarded: true}})
	if check(t, err); p.Safe {
		t.Error("safe")
	}
	for _, document := range []string{``, `null`, `[]`, `"x"`, `{`} {
		_, err := c.Prepare(inTime(t), json.RawMessage(document), nil)
		wants(t, err, ErrNotEncodable)
	}
	_, err = c.Prepare(inTime(t), json.RawMessage(`{}`), &PrepareParams{Tools: &ToolsParams{Add: []interface{}{func() {}}}})
	wants(t, err, ErrNotEncodable)
}

func TestRepairSaysWhatSealsSay(t *testing.T) {
	c := play(t, answers(`{"changed":false,"safe":true,"verdicts":[{"message_index":3,"seals":[0],
		"verdict":"altered","dead":true}],"set":{"/thinking":{"type":"disabled"}},"betas":["b"]}`)).client(t)
	r, err := c.Repair(inTime(t), json.RawMessage(`[]`), &Params{Seals: json.RawMessage(`[]`)})
	check(t, err)
	is(t, "set", r.Set, json.RawMessage(`{"/thinking":{"type":"disabled"}}`))
	is(t, "betas", r.Betas, []string{"b"})
	if v := r.Verdicts; len(v) != 1 || *v[0].MessageIndex != 3 || v[0].Verdict != "altered" || !v[0].Dead {
		t.Errorf("%+v", v)
	}
}
