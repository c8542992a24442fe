// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// Events about decisions. Those about refusals of the provider are in misses_test.go.

// events keeps what a transport tells.
type events struct {
	mutex sync.Mutex
	all   []Event
}

// telling is a transport whose events and lines of the log are kept.
func telling(c *Client, down WhenDown) (*Transport, *events, *lineLog) {
	transport, said := logging(c, down)
	kept := &events{}
	transport.OnEvent = func(e Event) {
		kept.mutex.Lock()
		defer kept.mutex.Unlock()
		kept.all = append(kept.all, e)
	}
	return transport, kept, said
}

// take gives the events since the last call.
func (e *events) take() []Event {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	all := e.all
	e.all = nil
	return all
}

// are fails the test unless these events came since the last call.
func (e *events) are(t *testing.T, want ...Event) {
	t.Helper()
	if got := e.take(); len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("want %+v, got %+v", want, got)
	}
}

// A sending is a request body of the conformance cases, with the path on which the guard takes it for its provider's.
type sending struct {
	body   json.RawMessage
	path   string
	api    *api
	target Target // that a guard finds out, at a host that isn't the provider's
}

var pathOf = map[string]sending{
	"":                 {path: "/v1/messages", api: messagesAPI},
	"anthropic":        {path: "/v1/messages", api: messagesAPI},
	"openai-chat":      {path: "/v1/chat/completions", api: apiOf("openai-chat"), target: Target{Endpoint: "compatible"}},
	"openai-responses": {path: "/v1/responses", api: apiOf("openai-responses"), target: Target{Endpoint: "compatible"}},
	"bedrock":          {path: "/model/m/converse", api: apiOf("bedrock"), target: Target{Endpoint: "bedrock", Model: "m"}},
	"gemini":           {path: "/v1beta/models/m:generateContent", api: apiOf("gemini"), target: Target{Endpoint: "compatible", Model: "m"}},
}

// sendings gives the histories of all conformance cases that a request may have.
func sendings(t *testing.T) (all []sending) {
	for _, name := range caseFolders(t) {
		for _, c := range readCases(t, name) {
			for _, step := range append(c.Steps, c.conformanceStep) {
				if d, fits := sendingOf(step.Params); fits {
					all = append(all, d)
				}
			}
		}
	}
	return all
}

// sendingOf makes a request body of a case's parameters, if they have a history that is short enough.
func sendingOf(text json.RawMessage) (sending, bool) {
	var params struct {
		Provider, Dialect string
		Request, Messages json.RawMessage
	}
	if len(text) > 1<<16 || json.Unmarshal(text, &params) != nil || params.Dialect != "" {
		return sending{}, false
	}
	d, known := pathOf[params.Provider]
	switch request := container(params.Request); {
	case request != nil && request[0] == '{':
		d.body = params.Request
	case container(params.Messages) != nil && known:
		d.body = json.RawMessage(`{"` + d.api.list + `":` + string(params.Messages) + `}`)
	default:
		return d, false
	}
	return d, known
}

// outcome repairs a document as the guard has it repaired: with the betas that it needs, if the provider has any.
func outcome(t *testing.T, c *Client, d sending) (*Repaired, error) {
	if !d.api.prepares {
		return c.Repair(inTime(t), d.body, &Params{Provider: d.api.name, Target: &d.target})
	}
	prepared, err := c.Prepare(inTime(t), d.body, &PrepareParams{Tools: &ToolsParams{}})
	if errors.Is(err, ErrRefused) || errors.Is(err, ErrInvalidParams) { // its tools, not its history
		return c.Repair(inTime(t), d.body, nil)
	}
	if err != nil {
		return nil, err
	}
	return &prepared.Repaired, nil
}

// decision gives what a repair decides about a document, as the event that tells of it; nil: there is nothing to tell.
func decision(t *testing.T, c *Client, d sending) *Event {
	e := &Event{Provider: d.api.name, Codes: map[string]int{}}
	repaired, err := outcome(t, c, d)
	var unsafe *UnsafeHistoryError
	switch {
	case errors.As(err, &unsafe):
		e.Kind = EventRefused
		for _, v := range unsafe.Violations {
			e.Codes[v.Code]++
		}
		return e
	case err != nil || len(repaired.Edits) == 0:
		return nil
	}
	e.Kind, e.Actions = EventRepaired, map[string]int{}
	for _, edit := range repaired.Edits {
		e.Codes[edit.Code]++
		e.Actions[edit.Action]++
	}
	return e
}

// Of each request the guard tells what a repair decides about it, once, with the same codes; then, if the provider refuses
// it although it is sound by now, that.
func TestEventsAreWhatARepairDecides(t *testing.T) {
	c := realDaemon(t).client(t)
	transport, told, _ := telling(c, FailOpen)
	transport.NoSeals = true
	transport.Base = refusing{status: 400, words: "no"}
	kinds := map[EventKind]int{}
	for _, d := range sendings(t) {
		var want []Event
		decided := decision(t, c, d)
		if decided != nil {
			want = append(want, *decided)
		}
		unjudged := false
		transport.OnUnguarded = func(*http.Request, error) { unjudged = true }
		res, _, err := post(t, transport, "http://x.test"+d.path, string(d.body))
		if sent := err == nil; sent == errors.Is(err, ErrUnsafeHistory) {
			t.Fatalf("%s: %v", d.body, err)
		}
		got := told.take()
		if n := len(got); n > 0 && got[n-1].Kind == EventMissed {
			if unjudged || res == nil || got[n-1].Status != 400 || got[n-1].Provider != d.api.name {
				t.Errorf("%s: %+v", d.body, got)
			}
			kinds[EventMissed]++
			got = got[:n-1]
		} else if err == nil && !unjudged && decided != nil {
			t.Errorf("%s: no miss of what was repaired", d.body)
		}
		if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\nwant %+v\ngot  %+v", d.body, want, got)
		}
		for _, e := range want {
			kinds[e.Kind]++
		}
	}
	t.Log(kinds)
	if kinds[EventRepaired] < 100 || kinds[EventRefused] < 50 || kinds[EventMissed] < 100 {
		t.Error("hardly any events")
	}
}

func TestEventsHaveTheCaller(t *testing.T) {
	d := realDaemon(t)
	d.client(t)
	c := New(append(over(t, d.path, true), WithTimeout(patience), WithCaller("agent-7"))...)
	t.Cleanup(func() { _ = c.Close() })
	transport, told, _ := telling(c, FailClosed)
	transport.Base = echoing{t}
	for caller, ctx := range map[string]func(*http.Request) *http.Request{
		"agent-7": func(r *http.Request) *http.Request { return r },
		"run:3":   func(r *http.Request) *http.Request { return r.WithContext(ContextWithCaller(r.Context(), "run:3")) },
	} {
		req, err := http.NewRequestWithContext(inTime(t), http.MethodPost, "http://x.test/v1/messages", strings.NewReader(string(history("1"))))
		check(t, err)
		_, err = transport.RoundTrip(ctx(req))
		check(t, err)
		told.are(t, Event{Kind: EventRepaired, Provider: "anthropic", Caller: caller,
			Codes: map[string]int{"provider_executed_call_without_result": 1}, Actions: map[string]int{"drop": 1}})
	}
}

// Nothing is told of requests that aren't judged: other paths, formats, counts of tokens that nobody refuses, a daemon that is away.
func TestEventsOfDecisionsAlone(t *testing.T) {
	p := provide(t)
	for name, test := range map[string]struct {
		script     func(peer)
		path, body string
	}{
		"sound":          {guard, "/v1/messages", cleanBody},
		"another path":   {guard, "/v1/models", orphanBody},
		"another format": {another, "/v1/messages", orphanBody},
		"a count":        {guard, "/v1/messages/count_tokens", hopelessBody},
		"no daemon":      {closeAtOnce, "/v1/messages", orphanBody},
	} {
		transport, told, _ := telling(play(t, test.script).client(t), FailOpen)
		for _, status := range []int{200, 400} {
			transport.Base = nil
			if status != 200 && name != "sound" {
				transport.Base = refusing{status: status, words: "no"}
			}
			_, _, err := post(t, transport, p.URL+test.path, test.body)
			if check(t, err); len(told.take()) != 0 {
				t.Error(name)
			}
		}
	}
}

// A header that binds the body forbids the edits that the history needs.
func TestEventsOfBoundRequests(t *testing.T) {
	c := realDaemon(t).client(t)
	transport, told, _ := telling(c, FailClosed)
	transport.Base = refusing{status: 400, words: "no"}
	_, _, err := post(t, transport, "http://x.test/v1/messages", string(history("1")), "Digest", "0")
	wants(t, err, ErrNotEncodable)
	told.are(t, Event{Kind: EventRefused, Provider: "anthropic", Codes: map[string]int{"provider_executed_call_without_result": 1}})
	_, _, err = post(t, transport, "http://x.test/v1/messages/count_tokens", string(history("1")), "Digest", "0")
	check(t, err)
	told.are(t) // it leaves as it is, so the provider's refusal is none of a sound request
}

// A request that can't be judged is refused without codes, unless it may leave.
func TestEventsOfRequestsThatCannotBeJudged(t *testing.T) {
	tooLarge := func(p peer) {
		p.result(p.next(), `{"protocol":1}`)
		for c := p.next(); c != nil; c = p.next() {
			p.fail(string(c.ID), -32010, `{"name":"frame_too_large","max_frame":9}`)
		}
	}
	for _, test := range []struct {
		script func(peer)
		coding string
		want   []Event
	}{
		{tooLarge, "", []Event{{Kind: EventRefused, Provider: "anthropic", Codes: map[string]int{}}}},
		{guard, "br", []Event{{Kind: EventRefused, Provider: "anthropic", Codes: map[string]int{}}}},
		{closeAtOnce, "", nil}, // the next time it may be another's
	} {
		transport, told, _ := telling(play(t, test.script).client(t), FailClosed)
		_, _, err := post(t, transport, "http://x.test/v1/messages", orphanBody, "Content-Encoding", test.coding)
		if err == nil {
			t.Error("it left")
		}
		told.are(t, test.want...)
		transport, told, _ = telling(play(t, test.script).client(t), FailOpen)
		transport.Base = echoing{t}
		_, _, err = post(t, transport, "http://x.test/v1/messages", orphanBody, "Content-Encoding", test.coding)
		check(t, err)
		told.are(t)
	}
}

// A request whose stream can't be paired doesn't leave, so no repair of it is told.
func TestEventsOfRequestsThatDoNotLeave(t *testing.T) {
	script := func(p peer) {
		for c := p.next(); c != nil; c = p.next() {
			switch c.Method {
			case "info":
				p.result(c, `{"protocol":1}`)
			case "stream.open":
				p.fail(string(c.ID), -32011, `{"name":"busy","retryable":true}`)
			default:
				p.result(c, `{"changed":true,"safe":true,"edits":[{"code":"c","action":"drop"}],`+splicing(c, `,{"x":1}`, "")+`}`)
			}
		}
	}
	streaming := strings.Replace(orphanBody, `{"model"`, `{"stream":true,"model"`, 1)
	transport, told, _ := telling(play(t, script).client(t), FailClosed)
	_, _, err := post(t, transport, "http://x.test/v1/messages", streaming)
	wants(t, err, ErrBusy)
	told.are(t)
	transport, told, _ = telling(play(t, script).client(t), FailOpen)
	transport.Base = echoing{t}
	_, _, err = post(t, transport, "http://x.test/v1/messages", streaming)
	check(t, err)
	told.are(t, Event{Kind: EventRepaired, Provider: "anthropic", Codes: map[string]int{"c": 1}, Actions: map[string]int{"drop": 1}})
}

// Counts of an error's findings hold where not all of them are listed.
func TestEventsCountFindingsThatAreNotListed(t *testing.T) {
	none := 0
	transport, told, _ := telling(realDaemon(t).client(t), FailClosed)
	transport.Params = &Params{MaxViolations: &none}
	transport.RefuseWithResponse = true
	_, _, err := post(t, transport, "http://x.test/v1/messages", refusedHistory)
	check(t, err)
	if got := told.take(); len(got) != 1 || got[0].Kind != EventRefused || len(got[0].Codes) == 0 {
		t.Errorf("%+v", got)
	}
}

// A panic changes nothing for a request, and its value, which may be anything, isn't logged.
func TestEventsMeetAPanic(t *testing.T) {
	transport, said := logging(realDaemon(t).client(t), FailClosed)
	transport.RefuseWithResponse = true
	var kinds []EventKind
	transport.OnEvent = func(e Event) {
		kinds = append(kinds, e.Kind)
		panic(errors.New("a secret"))
	}
	transport.Base = refusing{status: 400, words: "no"}
	for i, body := range []string{string(history("1")), refusedHistory} {
		res, got, err := post(t, transport, "http://x.test/v1/messages", body)
		if check(t, err); res.StatusCode != 400 || (got == "no") != (i == 0) {
			t.Errorf("%d %s", res.StatusCode, got)
		}
	}
	if !reflect.DeepEqual(kinds, []EventKind{EventRepaired, EventMissed, EventRefused}) {
		t.Error(kinds)
	}
	const line = "turnkeeper: OnEvent panicked with a value of type *errors.errorString; the request is not affected\n"
	said.has(t, line, line, line)
}
