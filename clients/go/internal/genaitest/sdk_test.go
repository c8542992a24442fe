// SPDX-License-Identifier: Apache-2.0

// Package genaitest drives Google's own SDK through this project's transport, against the local provider that the tests
// of the Python client have. It is a module of its own: the client needs none of what the SDK needs.
//
//	python3 clients/python/tests/messages_api.py go test ./...    in this folder, with TURNKEEPERD set
package genaitest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
	"google.golang.org/genai"
)

const (
	older  = "gemini-2.5-flash"
	newer  = "gemini-3-pro-preview"
	answer = "The pass is open, with chains."

	question = `{"role":"user","parts":[{"text":"How is the road?"}]}`
	again    = `{"role":"user","parts":[{"text":"And now?"}]}`
	calling  = `{"role":"model","parts":[{"functionCall":{"name":"look","args":{"road":"pass"}}}]}`
	told     = `{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"open"}}}]}`
	saying   = `{"role":"model","parts":[{"text":"It is."}]}`
)

// A scene is a proxy to the local provider that keeps what arrives, and the transport that is guarded.
type scene struct {
	guard  *turnkeeper.Transport
	url    string
	paths  []string
	bodies []string
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inProcess is the back end of a run that asks no daemon (testdata/in_process_test.go); nil: the daemon's socket.
var inProcess func() turnkeeper.Option

// keeper gives a client of the back end that the run is about.
func keeper(t *testing.T) *turnkeeper.Client {
	client := turnkeeper.New()
	if inProcess != nil {
		client = turnkeeper.New(inProcess())
	} else if os.Getenv("TURNKEEPER_SOCKET") == "" {
		t.Skip("messages_api.py runs these tests")
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func play(t *testing.T) *scene {
	client := keeper(t)
	info, err := client.Info(context.Background())
	check(t, err)
	if !slices.Contains(info.Providers, "gemini") {
		t.Skip("this daemon doesn't judge Gemini's histories")
	}
	provider, err := url.Parse(os.Getenv("GOOGLE_GEMINI_BASE_URL"))
	check(t, err)
	s := &scene{guard: turnkeeper.NewTransport(client, turnkeeper.FailClosed)}
	proxy := httputil.NewSingleHostReverseProxy(provider)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		s.paths, s.bodies = append(s.paths, req.URL.Path), append(s.bodies, string(body))
		req.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, req)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// ask gives the text of the answer, over this transport.
func (s *scene) ask(over http.RoundTripper, model string, streaming bool, history ...string) (said string, err error) {
	ctx := context.Background()
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey:      "k",
		Backend:     genai.BackendGeminiAPI,
		HTTPClient:  &http.Client{Transport: over},
		HTTPOptions: genai.HTTPOptions{BaseURL: s.url},
	})
	if err != nil {
		return "", err
	}
	var contents []*genai.Content
	if err := json.Unmarshal([]byte("["+strings.Join(history, ",")+"]"), &contents); err != nil {
		return "", err
	}
	if !streaming {
		response, err := client.Models.GenerateContent(ctx, model, contents, nil)
		if err != nil {
			return "", err
		}
		return response.Text(), nil
	}
	for response, err := range client.Models.GenerateContentStream(ctx, model, contents, nil) {
		if err != nil {
			return "", err
		}
		said += response.Text()
	}
	return said, nil
}

func TestStuck(t *testing.T) {
	for _, test := range []struct{ model, said, mended, history string }{
		{older, "number of function response parts is equal", "Not executed.", question + "," + calling + "," + again},
		{older, "immediately after a function call turn", "open", question + "," + told + "," + again},
		{newer, "missing a thought_signature", "skip_thought_signature_validator", question + "," + calling + "," + told},
	} {
		for _, streaming := range []bool{false, true} {
			s := play(t)
			_, err := s.ask(http.DefaultTransport, test.model, streaming, test.history)
			var refused genai.APIError
			if !errors.As(err, &refused) || refused.Code != 400 || !strings.Contains(refused.Message, test.said) {
				t.Fatal(err)
			}
			said, err := s.ask(s.guard, test.model, streaming, test.history)
			check(t, err)
			if said != answer || len(s.bodies) != 2 || s.bodies[0] == s.bodies[1] || !strings.Contains(s.bodies[1], test.mended) {
				t.Errorf("%q, %q", said, s.bodies)
			}
		}
	}
}

func TestSound(t *testing.T) {
	s := play(t)
	for _, over := range []http.RoundTripper{http.DefaultTransport, s.guard} {
		said, err := s.ask(over, older, false, question, calling, told, saying, again)
		check(t, err)
		if said != answer {
			t.Error(said)
		}
	}
	if s.bodies[0] != s.bodies[1] {
		t.Errorf("%q", s.bodies)
	}
}

func TestRefusedAsGeminiWould(t *testing.T) {
	s := play(t)
	s.guard.Params = &turnkeeper.Params{Policy: map[string]string{"unanswered_call": "report"}}
	_, err := s.ask(s.guard, older, false, question, calling, again)
	var unsafe *turnkeeper.UnsafeHistoryError
	if !errors.As(err, &unsafe) {
		t.Fatal(err)
	}
	s.guard.RefuseWithResponse = true
	_, err = s.ask(s.guard, older, false, question, calling, again)
	var refused genai.APIError
	if !errors.As(err, &refused) || refused.Code != 400 || refused.Status != "INVALID_ARGUMENT" {
		t.Fatal(err)
	}
	text, err := json.Marshal(refused)
	check(t, err)
	if found := turnkeeper.RefusalIn(text); found == nil || found.Violations[0].Code != "gem_call_without_response" {
		t.Errorf("%s", text)
	}
	if len(s.bodies) != 0 {
		t.Error(s.bodies)
	}
}
