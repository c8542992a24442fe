// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// sealOf is the seal of a signed turn: ids of calls, and one opaque digest.
func sealOf(turn string, ids ...string) json.RawMessage {
	blocks := fmt.Sprintf(`{"type":"thinking","digest":"00","opaque":"opaque of %s","text":"00"}`, turn)
	for _, id := range ids {
		blocks += fmt.Sprintf(`,{"type":"tool_use","id":%q}`, id)
	}
	return json.RawMessage(fmt.Sprintf(`{"v":1,"turn":%q,"blocks":[%s]}`, turn, blocks))
}

// bodyWith holds a signature that no seal knows.
func bodyWith(ids ...string) []byte {
	return []byte(`{"messages":[{"signature":"x","id":"` + strings.Join(ids, `"},{"id":"`) + `"}]}`)
}

// found gives the turns whose seals a body brings up, in order.
func found(s *sealStore, body []byte) string {
	var given []struct{ Seal struct{ Turn string } }
	_ = json.Unmarshal(s.of(body), &given)
	all := ""
	for _, g := range given {
		all += g.Seal.Turn
	}
	return all
}

func TestSealsAreFoundByIDs(t *testing.T) {
	s := newSealStore(sealCount, sealSize)
	s.keep(sealOf("c", "1", "2"))
	s.keep(sealOf("b", "3"))
	s.keep(json.RawMessage(`{"turn":"u","blocks":[{"type":"tool_use","id":"4"}]}`)) // unsigned
	s.keep(json.RawMessage(`7`))
	s.keep(nil)
	for body, want := range map[string]string{
		string(bodyWith("2")): "c", string(bodyWith("3", "2", "1")): "cb", string(bodyWith("4")): "",
		`{"id"	: "3"}`: "b", `"id"`: "", `"id":`: "", `"id": 1`: "", `"id": "1`: "", `"tool_use_id":"1"`: "",
		`"id":"\u0031"`: "", `"id":""`: "", ``: "", "\xff\xfe": "", `"id":"x","id":"1"`: "c",
	} {
		if got := found(s, []byte(`"signature":"x"`+body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
	s.keep(sealOf("a", "1")) // an id of two turns is of the newer one
	if got := found(s, bodyWith("1")) + " " + found(s, bodyWith("1", "2", "3")); got != "a cba" {
		t.Error(got)
	}
	s.keep(sealOf("c", "1", "2")) // the same turn again
	if got := found(s, bodyWith("1", "2", "3")); got != "bc" || s.recent.Len() != 3 {
		t.Error(got)
	}
	s.forget()
	if s.of(bodyWith("1")) != nil || len(s.keys)+len(s.turns)+s.recent.Len() != 0 || s.free != sealSize {
		t.Errorf("%+v", s)
	}
}

// Ids count only next to an unknown signature.
func TestSealsAreFoundBySignatures(t *testing.T) {
	s := newSealStore(sealCount, sealSize)
	for turn, digest := range map[string]string{"1": opaque("thinking", []byte("sign1")),
		"2": opaque("thinking", []byte("sign2")), "h": opaque("redacted_thinking", []byte("hide"))} {
		seal := strings.Replace(string(sealOf(turn, "toolu_"+turn)), "opaque of "+turn, digest, 1)
		s.keep(json.RawMessage(seal))
	}
	const known, ids = `"signature": "sign1"`, `"id":"toolu_2"`
	for body, want := range map[string]int{
		known: 1, known + ids: 1, known + `"signature":"sign2"`: 2, `"signature":"sign3"` + known + ids: 2, ids: 0,
		`"redacted_thinking" "data":"hide"`: 1, `"image" "data":"hide"`: 0, `"redacted_thinking"` + ids: 0,
	} {
		if got := found(s, []byte(body)); len(got) != want {
			t.Errorf("%s: %s", body, got)
		}
	}
}

func TestSealsAreBounded(t *testing.T) {
	s := newSealStore(2, sealSize)
	s.keep(sealOf("a", "1"))
	s.keep(sealOf("b", "2"))
	s.of(bodyWith("1")) // later than b
	s.keep(sealOf("c", "3"))
	if got := found(s, bodyWith("1", "2", "3")); got != "ac" || len(s.keys) != 4 {
		t.Error(got, s.keys)
	}
	size := len(sealOf("a", "1"))
	s = newSealStore(sealCount, 2*size)
	for i, turn := range []string{"a", "b", "c"} {
		s.keep(sealOf(turn, fmt.Sprint(i)))
	}
	if got := found(s, bodyWith("0", "1", "2")); got != "bc" || s.free != 0 {
		t.Error(got, s.free)
	}
	s.keep(sealOf("d", strings.Repeat("x", 2*size)))
	if s.recent.Len() != 0 || s.free != 2*size {
		t.Error(s.recent.Len(), s.free)
	}
}

func TestSealsOfManyGoroutines(t *testing.T) {
	s := newSealStore(5, sealSize)
	var all sync.WaitGroup
	for _, name := range []string{"x", "y", "z"} {
		all.Add(1)
		go func(name string) {
			defer all.Done()
			for i := 0; i < 200; i++ {
				turn := fmt.Sprint(name, i%7)
				s.keep(sealOf(turn, turn))
				s.of(bodyWith(turn, "x1"))
			}
		}(name)
	}
	all.Wait()
	if s.recent.Len() != 5 || len(s.turns) != 5 {
		t.Error(s.recent.Len(), s.turns)
	}
}

// The keys are those that the daemon makes.
func TestSealsKnowTheDaemonsDigests(t *testing.T) {
	c := realDaemon(t).client(t)
	for _, block := range []string{`{"type":"thinking","thinking":"é","signature":"EqQB+/c="}`,
		`{"type" : "redacted_thinking", "data" : "RW1=="}`} {
		seal, err := c.Seal(inTime(t), json.RawMessage(`[`+block+`,{"type":"text","text":"a"}]`), nil)
		check(t, err)
		s := newSealStore(sealCount, sealSize)
		s.keep(seal)
		if s.of([]byte(`[`+block+`]`)) == nil {
			t.Errorf("%s isn't found by %s", block, seal)
		}
		if s.of([]byte(`{"signature":"x","type":"redacted_thinking","data":"y"}`)) != nil {
			t.Error("found in what is another")
		}
	}
}

const signedTurn = `{"type":"message", "content" : [{"type":"thinking","thinking":"t","signature":"c2ln"},` +
	` {"type":"tool_use","id":"toolu_1","name":"f","input":{"n":1.0}}],"stop_reason":"tool_use"}`

const nextBody = `{"messages":[{"role":"assistant","content":[{"type":"thinking","signature":"altered"},` +
	`{"type":"tool_use", "id" : "toolu_1"}]}]}`

// keeper is a daemon that seals, and keeps the parameters of what it is asked, by method.
type keeper struct {
	mutex sync.Mutex
	calls map[string][]*call
}

func (k *keeper) script(special func(p peer, c *call) bool) func(peer) {
	k.calls = map[string][]*call{}
	seal := string(sealOf("a", "toolu_1"))
	return func(p peer) {
		for c := p.next(); c != nil; c = p.next() {
			k.mutex.Lock()
			k.calls[c.Method] = append(k.calls[c.Method], c)
			k.mutex.Unlock()
			end := `{"state":"done","outputs":[],"finish":{},"message":{"role":"assistant","content":[]},"seal":` + seal + `}`
			switch {
			case special != nil && special(p, c):
			case c.Method == "info":
				p.result(c, `{"protocol":1}`)
			case c.Method == "seal":
				p.result(c, `{"seal":`+seal+`}`)
			case c.Method == "stream.open":
				p.result(c, `{"state":"open","outputs":[],"carried":[]}`)
			case c.Method == "stream.feed":
				p.result(c, upper(c))
			case c.Method == "stream.end", c.Method == "pair":
				p.result(c, end)
			default:
				p.result(c, `{"changed":false,"safe":true}`)
			}
		}
	}
}

func (k *keeper) asked(method string) []*call {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.calls[method]
}

func TestTransportSeals(t *testing.T) {
	var packedTurn = []string{"Answer", signedTurn}
	streaming := strings.Replace(cleanBody, `{"model"`, `{"stream":true,"model"`, 1)
	for name, test := range map[string]struct {
		set     func(*Transport)
		body    string
		header  []string
		sealed  bool
		sealing int // calls of seal
	}{
		"whole":             {nil, cleanBody, packedTurn, true, 1},
		"whole, and paired": {func(t *Transport) { t.PairResponses = true }, cleanBody, packedTurn, true, 0},
		"streamed":          {nil, streaming, []string{"Answer", "events"}, true, 0},
		"left alone":        {func(t *Transport) { t.LeaveStreams = true }, streaming, []string{"Answer", "events"}, false, 0},
		"left, but whole":   {func(t *Transport) { t.LeaveStreams = true }, streaming, packedTurn, true, 1},
		"off":               {func(t *Transport) { t.NoSeals = true }, cleanBody, packedTurn, false, 0},
		"off, streamed":     {func(t *Transport) { t.NoSeals = true }, streaming, []string{"Answer", "events"}, false, 0},
		"off, and paired":   {func(t *Transport) { t.NoSeals, t.PairResponses = true, true }, cleanBody, packedTurn, false, 0},
		"unsigned":          {nil, cleanBody, []string{"Answer", strings.ReplaceAll(signedTurn, "signature", "sig")}, false, 0},
		"no turn":           {nil, cleanBody, []string{"Answer", `{"signature":1}`}, false, 0},
		"no JSON":           {nil, cleanBody, []string{"Answer", `"signature"`}, false, 0},
		"large":             {nil, cleanBody, []string{"Answer", "padded"}, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			k, p := &keeper{}, provide(t)
			transport := NewTransport(play(t, k.script(nil)).client(t), FailClosed)
			if test.set != nil {
				test.set(transport)
			}
			_, got, err := post(t, transport, p.URL+"/v1/messages", test.body, test.header...)
			check(t, err)
			if test.header[1] == signedTurn && !transport.PairResponses && got != signedTurn {
				t.Error(got)
			}
			_, _, err = post(t, transport, p.URL+"/v1/messages", nextBody)
			check(t, err)
			asked := k.asked("prepare")
			want := ""
			if test.sealed {
				want = `[{"seal":` + string(sealOf("a", "toolu_1")) + `}]`
			}
			if len(asked) != 2 || asked[0].Params["seals"] != nil || string(asked[1].Params["seals"]) != want {
				t.Errorf("%d calls; seals %s", len(asked), asked[len(asked)-1].Params["seals"])
			}
			sealing := k.asked("seal")
			if len(sealing) != test.sealing {
				t.Errorf("%d calls of seal", len(sealing))
			}
			if len(sealing) > 0 {
				is(t, "content", sealing[0].Params["content"], json.RawMessage(lookup([]byte(signedTurn), "content")))
			}
		})
	}
}

// readAs makes one request whose response is read in this way.
func readAs(t *testing.T, transport *Transport, url string, header http.Header, read func(*http.Response)) {
	req, err := http.NewRequest(http.MethodPost, url+"/v1/messages", strings.NewReader(cleanBody))
	check(t, err)
	req.Header = header
	res, err := transport.RoundTrip(req)
	check(t, err)
	read(res)
	check(t, res.Body.Close())
}

func TestTransportSealsWhoeverReads(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		text := signedTurn
		if r.Header.Get("Accept-Encoding") == "gzip" {
			w.Header().Set("Content-Encoding", "gzip")
			text = zipped(text)
		}
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	decoded := func(res *http.Response) { check(t, json.NewDecoder(res.Body).Decode(&struct{}{})) } // not up to the end
	half := func(res *http.Response) { _, _ = res.Body.Read(make([]byte, 40)) }
	all := func(res *http.Response) {
		if got, err := readAll(res.Body, -1); err != nil || string(got) != zipped(signedTurn) {
			t.Errorf("%q, %v", got, err)
		}
	}
	for name, test := range map[string]struct {
		header http.Header
		read   func(*http.Response)
		calls  int
	}{
		"a decoder": {http.Header{}, decoded, 1},
		"half":      {http.Header{}, half, 0},
		"packed":    {http.Header{"Accept-Encoding": {"gzip"}}, all, 1},
	} {
		k := &keeper{}
		transport := NewTransport(play(t, k.script(nil)).client(t), FailClosed)
		readAs(t, transport, server.URL, test.header, test.read)
		if got := len(k.asked("seal")); got != test.calls {
			t.Errorf("%s: %d calls", name, got)
		}
	}
}

func TestTransportWithoutASeal(t *testing.T) {
	k, p := &keeper{}, provide(t)
	script := k.script(func(p peer, c *call) bool {
		if c.Method == "seal" {
			p.fail(string(c.ID), -32602, `{"name":"invalid_params"}`)
		}
		return c.Method == "seal"
	})
	transport := NewTransport(play(t, script).client(t), FailClosed)
	for _, body := range []string{cleanBody, nextBody} {
		_, got, err := post(t, transport, p.URL+"/v1/messages", body, "Answer", signedTurn)
		if check(t, err); got != signedTurn {
			t.Error(got)
		}
	}
	if asked := k.asked("prepare"); len(asked) != 2 || asked[1].Params["seals"] != nil {
		t.Error(asked)
	}
}

// Seals that another release of the daemon made are forgotten, and the request goes without them.
func TestTransportForgetsWhatIsUnknown(t *testing.T) {
	k, p := &keeper{}, provide(t)
	script := k.script(func(p peer, c *call) bool {
		if c.Method == "prepare" && c.Params["seals"] != nil {
			p.fail(string(c.ID), -32003, `{"name":"seal_unsupported","pointer":"/params/seals/0/seal"}`)
			return true
		}
		return false
	})
	transport := NewTransport(play(t, script).client(t), FailClosed)
	for _, body := range []string{cleanBody, nextBody, nextBody} {
		_, _, err := post(t, transport, p.URL+"/v1/messages", body, "Answer", "{}")
		check(t, err)
		if body == cleanBody {
			transport.kept.keep(sealOf("a", "toolu_1"))
		}
	}
	if asked := k.asked("prepare"); len(asked) != 4 || asked[1].Params["seals"] == nil || asked[2].Params["seals"] != nil {
		t.Errorf("%d calls", len(asked))
	}
	transport.Params = &Params{Seals: json.RawMessage(`[7]`)} // the user's own: not for this transport to drop
	if _, _, err := post(t, transport, p.URL+"/v1/messages", cleanBody); err != nil {
		t.Error(err) // Repair took them
	}
}

func TestTransportAddsBetaValues(t *testing.T) {
	for _, test := range []struct {
		given, added, headers, want string
		more                        []string
	}{
		{"", `["x"]`, `{"anthropic-beta":"x"}`, "x", nil},
		{"a, b", `["x","y"]`, `{"anthropic-beta":"?"}`, "a, b,x,y", nil},
		{"a , b", `[]`, `{"anthropic-beta":"a,b"}`, "a , b", nil},
		{"", `["x"]`, `{}`, "", nil}, // in the body
		{"a", `["x"]`, `{"anthropic-beta":"a,x"}`, "a", []string{"Authorization", "AWS4-HMAC-SHA256 C=x"}},
	} {
		for _, path := range []string{"", "/count_tokens"} {
			k := &keeper{}
			script := k.script(func(p peer, c *call) bool {
				if c.Method == "prepare" {
					p.result(c, `{"changed":false,"safe":true,"added_betas":`+test.added+`,"headers":`+test.headers+`}`)
				}
				return c.Method == "prepare"
			})
			transport, base := NewTransport(play(t, script).client(t), FailClosed), &keeping{}
			transport.Base = base
			req, err := http.NewRequest(http.MethodPost, "http://x/v1/messages"+path, strings.NewReader(cleanBody))
			check(t, err)
			for i := 0; i < len(test.more); i += 2 {
				req.Header.Set(test.more[i], test.more[i+1])
			}
			if test.given != "" {
				req.Header.Set(betaHeader, test.given)
			}
			_, _ = transport.RoundTrip(req)
			if got := strings.Join(base.last.Header.Values(betaHeader), "|"); got != test.want {
				t.Errorf("%+v: %s", test, got)
			}
			if req.Header.Get(betaHeader) != test.given {
				t.Error("the request was changed")
			}
			want := map[string]interface{}{}
			if test.given != "" {
				want["betas"] = []string{test.given}
			}
			if path != "" {
				want["call"] = "count_tokens"
			}
			var sent interface{} = want
			if len(want) == 0 {
				sent = nil
			}
			is(t, "tools", k.asked("prepare")[0].Params["tools"], sent)
		}
	}
}

// A daemon that doesn't know splices is of an older release, which is said plainly.
func TestTransportWithAnOlderDaemon(t *testing.T) {
	k, p := &keeper{}, provide(t)
	script := k.script(func(p peer, c *call) bool {
		if c.Method == "prepare" || c.Method == "repair" {
			p.fail(string(c.ID), -32602, `{"name":"invalid_params","pointer":"/params/return"}`)
			return true
		}
		return false
	})
	c := play(t, script).client(t)
	_, _, err := post(t, NewTransport(c, FailClosed), p.URL+"/v1/messages", orphanBody, "Answer", signedTurn)
	wants(t, err, ErrUnsupportedProtocol)
	if p.last() != "" || !strings.Contains(err.Error(), "older release") {
		t.Error(p.last(), err)
	}
	open := NewTransport(c, FailOpen)
	var why error
	open.OnUnguarded = func(_ *http.Request, err error) { why = err }
	_, _, err = post(t, open, p.URL+"/v1/messages", orphanBody, "Answer", signedTurn)
	if check(t, err); p.last() != orphanBody || !errors.Is(why, ErrUnsupportedProtocol) {
		t.Error(p.last(), why)
	}
}

func TestTransportRefusesHistoriesOnly(t *testing.T) {
	for _, failure := range []string{`-32003 {"name":"tool_name_conflict","stage":"tools"}`,
		`-32602 {"name":"invalid_params","pointer":"/params/request/tools"}`} {
		var code int
		_, err := fmt.Sscan(failure, &code)
		check(t, err)
		k, p := &keeper{}, provide(t)
		script := k.script(func(p peer, c *call) bool {
			if c.Method == "prepare" {
				p.fail(string(c.ID), code, failure[len("-32003 "):])
			}
			return c.Method == "prepare"
		})
		transport := NewTransport(play(t, script).client(t), FailClosed)
		transport.kept.keep(sealOf("a", "toolu_1"))
		_, got, err := post(t, transport, p.URL+"/v1/messages", nextBody)
		if check(t, err); got != nextBody {
			t.Error(got)
		}
		if k.asked("repair")[0].Params["seals"] == nil {
			t.Error("without its seals")
		}
	}
}

// A turn that was put together in another order goes back as it came, with the real daemon.
func TestTransportPutsAShuffledTurnBack(t *testing.T) {
	c := realDaemon(t).client(t)
	const thought = `{"type":"thinking","thinking":"%[1]s","signature":"c2ln%[1]s"}`
	const call = `{"type":"tool_use","id":"toolu_%[1]s","name":"f","input":{}}`
	one, two := fmt.Sprintf(thought, "1"), fmt.Sprintf(thought, "2")
	first, second := fmt.Sprintf(call, "1"), fmt.Sprintf(call, "2")
	received := "[" + strings.Join([]string{one, first, two, second}, ",") + "]"
	stored := "[" + strings.Join([]string{one, two, first, second}, ",") + "]"
	request := func(content string) string {
		return `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":` + content +
			`},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"r"},
			{"type":"tool_result","tool_use_id":"toolu_2","content":"r"}]}]}`
	}
	p := provide(t)
	for policy, want := range map[string]string{"preserve": received, "conservative": `"text":"1"`} {
		transport := NewTransport(c, FailClosed)
		transport.Params = &Params{Policy: policy}
		answer := `{"role":"assistant","content":` + received + `,"stop_reason":"tool_use"}`
		_, _, err := post(t, transport, p.URL+"/v1/messages", cleanBody, "Answer", answer)
		check(t, err)
		_, got, err := post(t, transport, p.URL+"/v1/messages", request(stored))
		if check(t, err); !strings.Contains(got, want) || strings.Contains(got, "signature") != (policy == "preserve") {
			t.Errorf("%s: %s", policy, got)
		}
	}
}
