// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// The transport on the paths of OpenAI's APIs and of those who copy them.

const (
	chatBody      = `{"model":"m" , "messages":[{"role":"user","content":"q"},{"x":1.0}]}`
	chatLeft      = `{"model":"m" , "messages":[{"role":"user","content":"q"}]}`
	responsesBody = `{"model":"m","input":[{"role":"user","content":"q"},{"x":1.0}] ,"store":false}`
	responsesLeft = `{"model":"m","input":[{"role":"user","content":"q"}] ,"store":false}`
	onOpenAI      = "https://api.openai.com/v1"
	onAzure       = "https://name.openai.azure.com/openai"
)

var openaiBodies = map[string][2]string{
	"openai-chat":      {chatBody, chatLeft},
	"openai-responses": {responsesBody, responsesLeft},
}

// An openaiDaemon is a daemon that removes a second message or item; refuse gives the pointer of what it refuses
// instead, or "-". It keeps what it was asked for.
type openaiDaemon struct {
	refuse string
	mutex  sync.Mutex
	asked  []string
}

func (j *openaiDaemon) script(p peer) {
	for c := p.next(); c != nil; c = p.next() {
		if c.Method == "info" {
			p.result(c, `{"protocol":1}`)
			continue
		}
		body := c.Params["request"]
		delete(c.Params, "request")
		delete(c.Params, "timeout_ms")
		delete(c.Params, "return")
		params, _ := json.Marshal(c.Params)
		j.mutex.Lock()
		j.asked = append(j.asked, c.Method+" "+string(params))
		j.mutex.Unlock()
		two := strings.Contains(string(body), `{"x":1.0}`)
		switch {
		case strings.HasPrefix(j.refuse, "/params"):
			p.fail(string(c.ID), -32602, `{"name":"invalid_params","pointer":"`+j.refuse+`"}`)
		case j.refuse != "":
			p.fail(string(c.ID), -32001, `{"name":"unsafe_history","violations":[{"code":"c","severity":"error",
				"pointer":"`+strings.TrimPrefix(j.refuse, "-")+`","provider_error":"`+providerSays+`"}]}`)
		case two:
			p.result(c, `{"changed":true,"safe":true,"edits":[{"action":"drop"}],`+splicesOf(string(body), `,{"x":1.0}`, "")+`}`)
		default:
			p.result(c, `{"changed":false,"safe":true}`)
		}
	}
}

func (j *openaiDaemon) kept() []string {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return append([]string(nil), j.asked...)
}

// echoing answers every request with its own body, and with the media type in the header Answer.
type echoing struct{ t *testing.T }

func (e echoing) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if int64(len(body)) != req.ContentLength {
		e.t.Errorf("%d bytes, announced %d", len(body), req.ContentLength)
	}
	header := http.Header{"Content-Type": {req.Header.Get("Answer")}}
	return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(string(body)))}, err
}

func judging(t *testing.T, j *openaiDaemon, down WhenDown) *Transport {
	transport := NewTransport(play(t, j.script).client(t), down)
	transport.Base = echoing{t}
	return transport
}

func TestTransportRepairsOpenAIsBodies(t *testing.T) {
	for path, provider := range map[string]string{"/chat/completions": "openai-chat", "/responses": "openai-responses"} {
		j, bodies := &openaiDaemon{}, openaiBodies[provider]
		_, got, err := post(t, judging(t, j, FailClosed), onOpenAI+path, bodies[0])
		check(t, err)
		want := `repair {"provider":"` + provider + `","target":{"endpoint":"openai"}}`
		if asked := j.kept(); got != bodies[1] || len(asked) != 1 || asked[0] != want {
			t.Errorf("%s: %s, %q", path, got, asked)
		}
		sound := strings.Replace(bodies[0], `,{"x":1.0}`, " ", 1)
		_, got, err = post(t, judging(t, j, FailClosed), onOpenAI+path, sound)
		if check(t, err); got != sound {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestTransportReadsTheServer(t *testing.T) {
	var cases []struct{ Host, Endpoint, Server string }
	shared(t, "hosts.json", &cases)
	for _, test := range cases {
		server := ""
		if test.Server != "" {
			server = `,"server":"` + test.Server + `"`
		}
		for path, body := range map[string]string{"/v1/chat/completions": chatBody, "/responses": responsesBody} {
			j := &openaiDaemon{}
			_, _, err := post(t, judging(t, j, FailClosed), "https://"+test.Host+path, body)
			check(t, err)
			want := `"target":{"endpoint":"` + test.Endpoint + `"` + server + `}}`
			if asked := j.kept(); len(asked) != 1 || !strings.HasSuffix(asked[0], want) {
				t.Errorf("%s: %q, want %s", test.Host, asked, want)
			}
		}
		// The Messages API is the official one there, unless the caller says otherwise.
		for want, own := range map[string]*Target{"": nil, `{"endpoint":"compatible"` + server + `}`: {Endpoint: "compatible"}} {
			kept := &targets{}
			transport := NewTransport(play(t, kept.script).client(t), FailClosed)
			transport.Base, transport.Params = echoing{t}, &Params{Target: own}
			_, _, err := post(t, transport, "https://"+test.Host+"/v1/messages", cleanBody)
			check(t, err)
			if _, asked := kept.kept(); len(asked) != 1 || asked[0] != want {
				t.Errorf("%s: %q, want %s", test.Host, asked, want)
			}
		}
	}
}

const onGroq = "https://api.groq.com/openai/v1/chat/completions"

func TestTransportKeepsTheCallersServer(t *testing.T) {
	for own, want := range map[Target]string{
		{Server: "vllm"}:                     `{"endpoint":"compatible","server":"vllm"}`,
		{Endpoint: "openai"}:                 `{"endpoint":"openai"}`,
		{Model: "m"}:                         `{"endpoint":"compatible","model":"m","server":"groq"}`,
		{Endpoint: "azure", Server: "vllm"}:  `{"endpoint":"azure","server":"vllm"}`, // the daemon says no
		{Endpoint: "compatible", Model: "m"}: `{"endpoint":"compatible","model":"m","server":"groq"}`,
	} {
		j, target := &openaiDaemon{}, own
		transport := judging(t, j, FailClosed)
		transport.Params = &Params{Target: &target}
		_, _, err := post(t, transport, onGroq, chatBody)
		check(t, err)
		if asked := j.kept(); len(asked) != 1 || !strings.HasSuffix(asked[0], `"target":`+want+`}`) || target != own {
			t.Errorf("%q, want %s", asked, want)
		}
	}
}

// An older daemon is asked once with the server; one that the caller names is never left out.
func TestTransportMeetsADaemonThatKnowsNoServers(t *testing.T) {
	kept := &targets{}
	kept.refuse = func(target string) string {
		if strings.Contains(target, "server") {
			return "/params/target/server"
		}
		return ""
	}
	transport := NewTransport(play(t, kept.script).client(t), FailClosed)
	transport.Base = echoing{t}
	for i := 0; i < 2; i++ {
		_, _, err := post(t, transport, onGroq, cleanBody)
		check(t, err)
	}
	_, asked := kept.kept()
	with, without := `{"endpoint":"compatible","server":"groq"}`, `{"endpoint":"compatible"}`
	if len(asked) != 3 || asked[0] != with || asked[1] != without || asked[2] != without {
		t.Errorf("%q", asked)
	}
	transport = NewTransport(play(t, kept.script).client(t), FailOpen)
	transport.Base, transport.Params = echoing{t}, &Params{Target: &Target{Server: "groq"}}
	transport.OnUnguarded = func(_ *http.Request, err error) { wants(t, err, ErrInvalidParams) }
	_, _, err := post(t, transport, onGroq, cleanBody)
	check(t, err)
	if _, asked = kept.kept(); len(asked) != 4 {
		t.Errorf("%q", asked)
	}
}

// Whole responses and streams pass as they come: nothing of them is paired or sealed.
func TestTransportPassesOpenAIsResponses(t *testing.T) {
	for _, media := range []string{"application/json", "text/event-stream"} {
		j := &openaiDaemon{}
		transport := judging(t, j, FailClosed)
		transport.PairResponses = true
		body := `{"model":"m","input":"\"signature\":\"c2ln\"","stream":true}`
		_, got, err := post(t, transport, onOpenAI+"/responses", body, "Answer", media)
		check(t, err)
		if asked := j.kept(); got != body || len(asked) != 1 {
			t.Errorf("%s, %q", got, asked)
		}
	}
}

func TestTransportsParamsForOpenAI(t *testing.T) {
	for _, test := range []struct{ own, want string }{
		{`{"endpoint":"openai"}`, `{"endpoint":"openai"}`},
		{`{"model":"gpt-5"}`, `{"endpoint":"azure","model":"gpt-5"}`},
	} {
		j, own := &openaiDaemon{}, &Target{}
		check(t, json.Unmarshal([]byte(test.own), own))
		transport := judging(t, j, FailClosed)
		transport.Params = &Params{Target: own, Policy: "preserve", Provenance: "rebuilt", Betas: []string{"b"}}
		_, _, err := post(t, transport, onAzure+"/v1/responses", responsesBody)
		check(t, err)
		want := `repair {"policy":"preserve","provider":"openai-responses","target":` + test.want + `}`
		if asked := j.kept(); asked[0] != want {
			t.Errorf("%q", asked)
		}
	}
}

func TestTransportRefusesAsOpenAI(t *testing.T) {
	for _, test := range []struct{ pointer, param string }{
		{"/messages/3/tool_calls/0", `"messages[3].tool_calls[0]"`},
		{"/input/12/content/0", `"input[12].content[0]"`},
		{"/tools/3", `"tools[3]"`},
		{"-", "null"},
	} {
		j := &openaiDaemon{refuse: test.pointer}
		transport := judging(t, j, FailOpen)
		_, _, err := post(t, transport, onOpenAI+"/responses", responsesBody)
		wants(t, err, ErrUnsafeHistory)
		transport.RefuseWithResponse = true
		res, body, err := post(t, transport, onOpenAI+"/responses", responsesBody)
		check(t, err)
		want := `{"error":{"message":"` + providerSays + `","type":"invalid_request_error","param":` + test.param +
			`,"code":null,"turnkeeper":{`
		if res.StatusCode != 400 || res.Header.Get("X-Should-Retry") != "false" || !strings.HasPrefix(body, want) {
			t.Errorf("%d %s", res.StatusCode, body)
		}
		var whole struct{ Error json.RawMessage }
		check(t, json.Unmarshal([]byte(body), &whole))
		for _, text := range []string{body, string(whole.Error)} { // an SDK gives the latter
			if unsafe := RefusalIn([]byte(text)); unsafe == nil || unsafe.ProviderSays() != providerSays {
				t.Errorf("%+v", unsafe)
			}
		}
	}
	if RefusalIn([]byte(`{"error":{"message":"m"}}`)) != nil || RefusalIn([]byte(`{"error":"m"}`)) != nil {
		t.Error("a refusal in the provider's own error")
	}
}

func TestTransportRefusesAsGoogleAndAWS(t *testing.T) {
	for path, want := range map[string]string{
		"/v1beta/models/m:generateContent": `{"error":{"code":400,"message":"` + providerSays + `","status":"INVALID_ARGUMENT","details":[{"turnkeeper":{`,
		"/model/m/converse":                `{"message":"` + providerSays + `","turnkeeper":{`,
	} {
		transport := judging(t, &openaiDaemon{refuse: "/contents/0"}, FailOpen)
		transport.RefuseWithResponse = true
		res, body, err := post(t, transport, "https://gateway.test"+path, chatBody)
		check(t, err)
		if res.StatusCode != 400 || !strings.HasPrefix(body, want) {
			t.Errorf("%d %s", res.StatusCode, body)
		}
		if aws := res.Header.Get("X-Amzn-Errortype") != ""; aws != strings.HasSuffix(path, "converse") {
			t.Errorf("%v", res.Header)
		}
		if unsafe := RefusalIn([]byte(body)); unsafe == nil || unsafe.ProviderSays() != providerSays {
			t.Errorf("%+v", unsafe)
		}
	}
}

// A daemon of an older release doesn't judge these providers: it can't judge the request.
func TestTransportMeetsADaemonWithoutTheProvider(t *testing.T) {
	closed := judging(t, &openaiDaemon{refuse: "/params/provider"}, FailClosed)
	_, _, err := post(t, closed, onOpenAI+"/responses", responsesBody)
	wants(t, err, ErrInvalidParams)
	closed.RefuseWithResponse = true
	res, _, err := post(t, closed, onOpenAI+"/responses", responsesBody)
	if check(t, err); res.StatusCode != 400 {
		t.Error(res.StatusCode)
	}
	open := judging(t, &openaiDaemon{refuse: "/params/provider"}, FailOpen)
	var why error
	open.OnUnguarded = func(_ *http.Request, err error) { why = err }
	_, got, err := post(t, open, onOpenAI+"/responses", responsesBody)
	if check(t, err); got != responsesBody || !errors.Is(why, ErrInvalidParams) {
		t.Error(got, why)
	}
}

// Items are sent as messages, whatever the provider's body calls them.
func TestRepairOfItems(t *testing.T) {
	items := json.RawMessage(`[{"type":"message"}, {"type":"reasoning"}]`)
	script := func(p peer) {
		c := p.next()
		p.result(c, `{"changed":true,"safe":true,`+splicing(c, `, {"type":"reasoning"}`, "")+`}`)
		p.next()
	}
	c := play(t, script).client(t)
	got, err := c.Repair(context.Background(), items, &Params{Provider: "openai-responses"})
	check(t, err)
	if string(got.Document) != `[{"type":"message"}]` {
		t.Fatalf("%s", got.Document)
	}
}
