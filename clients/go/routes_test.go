// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
)

// The transport on the paths of Amazon Bedrock and Vertex AI.

const (
	bedrockModel = "anthropic.claude-sonnet-5-5-v1:0"
	vertexModels = "/v1/projects/p/locations/l/publishers/anthropic/models/"
	versioned    = `{"anthropic_version":"v","messages":[{"role":"user","content":"orphan"},{"x":1}]}`
	mendedOne    = `{"anthropic_version":"v","messages":[{"role":"user","content":"orphan"}]}`
)

// targets keeps the targets that the daemon, played by guard, was asked with.
type targets struct {
	mutex   sync.Mutex
	asked   []string
	methods []string
	refuse  func(target string) string // gives the pointer of an error, or ""
	betas   string                     // what the answer adds to the body of what has no fault
}

// kept gives methods and targets so far, in the order in which the daemon was asked.
func (k *targets) kept() (methods, asked []string) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return append([]string(nil), k.methods...), append([]string(nil), k.asked...)
}

func (k *targets) script(p peer) {
	for c := p.next(); c != nil; c = p.next() {
		target := string(c.Params["target"])
		pointer := ""
		if c.Method == "prepare" || c.Method == "repair" {
			k.mutex.Lock()
			k.asked = append(k.asked, target)
			k.methods = append(k.methods, c.Method)
			k.mutex.Unlock()
			if k.refuse != nil {
				pointer = k.refuse(target)
			}
		}
		switch {
		case c.Method == "info":
			p.result(c, `{"protocol":1}`)
		case c.Method == "stream.open":
			p.result(c, `{"state":"open","outputs":[],"carried":[]}`)
		case c.Method == "stream.feed":
			p.result(c, upper(c))
		case c.Method == "stream.end":
			p.result(c, `{"state":"done","outputs":[{"type":"sse","data":"END"}],"finish":{},"message":{},"warnings":{}}`)
		case pointer != "":
			p.fail(string(c.ID), -32602, `{"name":"invalid_params","pointer":"`+pointer+`"}`)
		case bytes.Contains(c.text, []byte("hopeless")):
			p.fail(string(c.ID), -32001, `{"name":"unsafe_history","violations":[]}`)
		case bytes.Contains(c.text, []byte(`orphan"},{"x"`)):
			p.result(c, `{"changed":true,"safe":true,"edits":[{"action":"drop"}],`+splicing(c, `,{"x":1}`, "")+`}`)
		case k.betas != "":
			p.result(c, `{"changed":true,"safe":true,"edits":[],"added_betas":["b"],`+
				splicing(c, "", `,"anthropic_beta":`+k.betas)+`}`)
		default:
			p.result(c, `{"changed":false,"safe":true}`)
		}
	}
}

// A routed request is one of the cases that the clients share, and what the daemon is asked of it.
type routed struct {
	URL      string
	Body     string
	Provider *string
	Target   map[string]string
	Counts   bool
	Streams  bool
}

// routedCases gives the cases, each with the body that it is sent with.
func routedCases(t *testing.T) []routed {
	text, err := os.ReadFile(inTree(t, "clients", "shared", "routes_cases.json"))
	check(t, err)
	var all struct {
		Bodies map[string]string
		Cases  []routed
	}
	check(t, json.Unmarshal(text, &all))
	for i := range all.Cases {
		name := "anthropic"
		if provider := all.Cases[i].Provider; provider != nil {
			name = *provider
		}
		if all.Cases[i].Body != "" {
			name = all.Cases[i].Body
		}
		all.Cases[i].Body = all.Bodies[name]
	}
	return all.Cases
}

func TestTransportAsksWhatTheSharedCasesSay(t *testing.T) {
	for _, c := range routedCases(t) {
		asked := &asked{}
		transport := NewTransport(play(t, asked.script).client(t), FailClosed)
		transport.Base = echoing{t}
		_, got, err := post(t, transport, c.URL, c.Body)
		check(t, err)
		want := ""
		switch {
		case c.Provider == nil:
		case *c.Provider != "anthropic":
			want = "repair " + *c.Provider
		case c.Counts:
			want = "prepare count_tokens"
		default:
			want = "prepare "
		}
		target, err := json.Marshal(c.Target)
		check(t, err)
		if len(c.Target) > 0 {
			want += " " + string(target)
		}
		if found := asked.kept(); got != c.Body || found != want {
			t.Errorf("%s: %q, want %q; %s", c.URL, found, want, got)
		}
	}
}

// asked keeps what a daemon that finds no fault was asked.
type asked struct {
	mutex sync.Mutex
	calls []string
}

func (a *asked) kept() string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return strings.Join(a.calls, "; ")
}

func (a *asked) script(p peer) {
	for c := p.next(); c != nil; c = p.next() {
		switch c.Method {
		case "info":
			p.result(c, `{"protocol":1}`)
		case "stream.open":
			p.result(c, `{"state":"open","outputs":[],"carried":[]}`)
		default:
			var provider, target string
			var tools struct{ Call string }
			_ = json.Unmarshal(c.Params["provider"], &provider)
			_ = json.Unmarshal(c.Params["tools"], &tools)
			if c.Params["target"] != nil {
				target = " " + string(c.Params["target"])
			}
			a.mutex.Lock()
			a.calls = append(a.calls, c.Method+" "+provider+tools.Call+target)
			a.mutex.Unlock()
			p.result(c, `{"changed":false,"safe":true}`)
		}
	}
}

func TestWhatIsKnownOfTheAnswer(t *testing.T) {
	for _, c := range routedCases(t) {
		req, err := http.NewRequest(http.MethodPost, c.URL, strings.NewReader("{}"))
		check(t, err)
		if to := destinationOf(req); c.Provider != nil && (to.counts != c.Counts || to.streams != c.Streams) {
			t.Errorf("%s: %+v", c.URL, to)
		}
	}
}

func TestTransportHoldsToTheUsersTarget(t *testing.T) {
	for _, test := range []struct {
		own  Target
		want string
	}{
		{Target{Model: "claude-x"}, `{"endpoint":"bedrock","model":"claude-x"}`},
		{Target{Endpoint: "compatible"}, `{"endpoint":"compatible","model":"` + bedrockModel + `"}`},
	} {
		kept, p := &targets{}, provide(t)
		transport := NewTransport(play(t, kept.script).client(t), FailClosed)
		own := test.own
		transport.Params = &Params{Target: &own}
		_, _, err := post(t, transport, p.URL+"/model/"+bedrockModel+"/invoke", versioned)
		check(t, err)
		if _, asked := kept.kept(); len(asked) != 1 || asked[0] != test.want || own != test.own {
			t.Errorf("%q, want %s", asked, test.want)
		}
	}
}

func TestTransportMeetsADaemonThatKnowsLessOfTargets(t *testing.T) {
	whole := `{"endpoint":"bedrock","model":"` + bedrockModel + `"}`
	for name, test := range map[string]struct {
		refuse func(string) string
		left   string
	}{
		"model": {func(target string) string {
			if strings.Contains(target, "model") {
				return "/params/target/model"
			}
			return ""
		}, `{"endpoint":"bedrock"}`},
		"target": {func(target string) string {
			if target != "" {
				return "/params/target"
			}
			return ""
		}, ""},
	} {
		kept, p := &targets{refuse: test.refuse}, provide(t)
		transport := NewTransport(play(t, kept.script).client(t), FailClosed)
		for i := 0; i < 2; i++ {
			_, got, err := post(t, transport, p.URL+"/model/"+bedrockModel+"/invoke", versioned)
			check(t, err)
			if got != mendedOne {
				t.Fatal(got)
			}
		}
		want := []string{whole, whole, test.left, test.left} // prepare, repair, and then twice prepare
		methods, asked := kept.kept()
		if strings.Join(asked, "|") != strings.Join(want, "|") || methods[3] != "prepare" {
			t.Errorf("%s: %q %q", name, asked, methods)
		}
		transport.Params = &Params{Target: &Target{Model: "own", Endpoint: "bedrock"}}
		_, _, err := post(t, transport, p.URL+"/model/x/invoke", versioned)
		wants(t, err, ErrInvalidParams) // what the user gave isn't left out
	}
}

func TestTransportOnVertexNeverRefusesACount(t *testing.T) {
	kept, p := &targets{}, provide(t)
	transport := NewTransport(play(t, kept.script).client(t), FailClosed)
	hopeless := strings.Replace(versioned, "orphan", "hopeless", 1)
	_, got, err := post(t, transport, p.URL+vertexModels+"count-tokens:rawPredict", hopeless)
	check(t, err)
	if got != hopeless {
		t.Fatal(got)
	}
	_, _, err = post(t, transport, p.URL+vertexModels+"m:rawPredict", hopeless)
	wants(t, err, ErrUnsafeHistory)
}

func TestTransportOnBedrockKeepsToWhatIsSigned(t *testing.T) {
	signature := []string{"Authorization", "AWS4-HMAC-SHA256 Credential=x"}
	sound := strings.Replace(versioned, "orphan", "q", 1)
	path := "/model/" + bedrockModel + "/invoke"
	kept, p := &targets{betas: `["b"]`}, provide(t)
	transport := NewTransport(play(t, kept.script).client(t), FailClosed)
	_, _, err := post(t, transport, p.URL+path, versioned, signature...)
	wants(t, err, ErrNotEncodable)
	_, got, err := post(t, transport, p.URL+path, sound, signature...)
	check(t, err)
	if got != sound { // that beta values are missing refuses nothing
		t.Fatal(got)
	}
	_, got, err = post(t, transport, p.URL+path, sound, "Authorization", "Bearer x")
	check(t, err)
	if want := strings.TrimSuffix(sound, "}") + `,"anthropic_beta":["b"]}`; got != want {
		t.Fatal(got)
	}
}

// In a middleware before the SDK's own for Bedrock, which makes the body's list of the header.
func TestTransportAsAMiddleware(t *testing.T) {
	kept := &targets{betas: `["a","b"]`}
	transport := NewTransport(play(t, kept.script).client(t), FailClosed)
	transport.Base = nobodyHere{t}
	for _, test := range []struct{ given, want string }{{"", ""}, {"a", "a,b"}} {
		req, err := http.NewRequest(http.MethodPost, "http://p/v1/messages", strings.NewReader(cleanBody))
		check(t, err)
		if test.given != "" {
			req.Header.Set("Anthropic-Beta", test.given)
		}
		var body, header string
		res, err := transport.Middleware(req, func(sent *http.Request) (*http.Response, error) {
			text, err := io.ReadAll(sent.Body)
			body, header = string(text), sent.Header.Get("Anthropic-Beta")
			return &http.Response{StatusCode: 200, Body: http.NoBody}, err
		})
		check(t, err)
		if res.StatusCode != 200 || !strings.Contains(body, `"anthropic_beta":["a","b"]`) || header != test.want {
			t.Errorf("%s, %q", body, header)
		}
	}
}

type nobodyHere struct{ t *testing.T }

func (n nobodyHere) RoundTrip(*http.Request) (*http.Response, error) {
	n.t.Error("sent by Base")
	return nil, io.ErrUnexpectedEOF
}

// amazons answers every request with a stream in Amazon's framing.
type amazons string

func (frames amazons) RoundTrip(*http.Request) (*http.Response, error) {
	header := http.Header{"Content-Type": {"application/vnd.amazon.eventstream"}}
	return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(string(frames)))}, nil
}

func TestTransportPassesAmazonsFraming(t *testing.T) {
	for _, body := range []string{versioned, strings.TrimSuffix(versioned, "}") + `,"stream":true}`} {
		for _, pairing := range []bool{false, true} {
			kept := &targets{}
			transport, said := logging(play(t, kept.script).client(t), FailClosed)
			transport.PairResponses = pairing
			frames := "\x00\x00\x00\x7f"
			transport.Base = amazons(frames)
			for i := 0; i < 3; i++ {
				path := "http://p/model/" + bedrockModel + "/invoke-with-response-stream"
				_, got, err := post(t, transport, path, body)
				check(t, err)
				if got != frames {
					t.Fatalf("%q", got)
				}
			}
			said.has(t, "pass as they come")
		}
	}
}

func TestTransportPairsVertexsStreams(t *testing.T) {
	kept, p := &targets{}, provide(t)
	transport := NewTransport(play(t, kept.script).client(t), FailClosed)
	body := strings.TrimSuffix(versioned, "}") + `,"stream":true}`
	_, got, err := post(t, transport, p.URL+vertexModels+"claude-x:streamRawPredict", body, "Answer", "events")
	check(t, err)
	if !strings.HasPrefix(got, "EVENT: A") || !strings.HasSuffix(got, "END") {
		t.Fatalf("%q", got)
	}
}
