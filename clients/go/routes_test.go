// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// The transport on the paths of Amazon Bedrock and Vertex AI.

const (
	bedrockModel = "anthropic.claude-sonnet-5-5-v1:0"
	arn          = "arn:aws:bedrock:us-east-1:123456789012:"
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

func TestTransportReadsTheTargetInThePath(t *testing.T) {
	escaped := strings.NewReplacer("/", "%2F", ":", "%3A")
	for path, want := range map[string]string{
		"/model/" + bedrockModel + "/invoke":                                `{"endpoint":"bedrock","model":"` + bedrockModel + `"}`,
		"/model/" + bedrockModel + "/invoke-with-response-stream":           `{"endpoint":"bedrock","model":"` + bedrockModel + `"}`,
		"/model/" + escaped.Replace(bedrockModel) + "/invoke":               `{"endpoint":"bedrock","model":"` + bedrockModel + `"}`,
		"/proxy/model/us-gov." + bedrockModel + "/invoke":                   `{"endpoint":"bedrock","model":"us-gov.` + bedrockModel + `"}`,
		"/model/our-claude-3.5/invoke":                                      `{"endpoint":"bedrock"}`,
		vertexModels + "claude-sonnet-5-5:rawPredict":                       `{"endpoint":"vertex","model":"claude-sonnet-5-5"}`,
		vertexModels + "claude-sonnet-5-5%4020260101:streamRawPredict":      `{"endpoint":"vertex","model":"claude-sonnet-5-5@20260101"}`,
		vertexModels + "count-tokens:rawPredict":                            `{"endpoint":"vertex"}`,
		"/model/" + escaped.Replace(arn+"provisioned-model/a1") + "/invoke": `{"endpoint":"bedrock"}`,
		"/model/" + escaped.Replace(arn+"foundation-model/"+bedrockModel) + "/invoke": `{"endpoint":"bedrock","model":"` +
			arn + "foundation-model/" + bedrockModel + `"}`,
		"/v1/messages": "",
	} {
		kept, p := &targets{}, provide(t)
		transport := NewTransport(play(t, kept.script).client(t), FailClosed)
		_, got, err := post(t, transport, p.URL+path, versioned)
		check(t, err)
		if _, asked := kept.kept(); got != mendedOne || len(asked) != 1 || asked[0] != want {
			t.Errorf("%s: %s, %q", path, got, asked)
		}
	}
}

func TestTransportLeavesOtherModelsAlone(t *testing.T) {
	c, p := play(t, closeAtOnce).client(t), provide(t) // no daemon to speak of
	transport := NewTransport(c, FailClosed)
	opaque := "/model/" + arn + "provisioned-model%2Fa1/invoke"
	for _, test := range [][2]string{
		{"/model/meta.llama3-70b-instruct-v1:0/invoke", versioned},
		{"/model/us.meta.llama3-70b-instruct-v1:0/invoke", versioned},
		{"/model/moonshotai.kimi-k2.5/invoke", versioned},
		{"/model/" + arn + "foundation-model%2Famazon.nova-pro-v1:0/invoke", versioned},
		{"/model/" + bedrockModel + "/converse", versioned},
		{"/model/" + bedrockModel + "/invoke", orphanBody},
		{opaque, `{"tools":{"anthropic_version":1}}`},
		{opaque, `{"prompt":"say \"anthropic_version\""}`},
		{opaque, `{"anthropic_version":`},
		{strings.Replace(vertexModels, "anthropic", "mistralai", 1) + "m:rawPredict", versioned},
		{vertexModels + "m:predict", versioned},
		{vertexModels + "m:rawPredict", orphanBody},
	} {
		_, got, err := post(t, transport, p.URL+test[0], test[1])
		check(t, err)
		if got != test[1] {
			t.Errorf("%s: %q", test[0], got)
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
