// SPDX-License-Identifier: Apache-2.0

package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// Each test plays one conversation four times: streaming and not, without turnkeeper, where the chat
// gets stuck or a turn is stored that will make it so, and with it.

var forms = []struct {
	name      string
	streaming bool
}{{"whole", false}, {"streaming", true}}

// catalogue gives the provider's words, from the project's catalogue.
func catalogue(t *testing.T) map[string]string {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "src", "catalogue", "catalogue.json"))
	if err != nil {
		t.Skip("not in the project's tree")
	}
	var c struct {
		Rules []struct {
			Code          string
			ProviderError string `json:"provider_error"`
		}
	}
	check(t, json.Unmarshal(text, &c))
	words := map[string]string{}
	for _, rule := range c.Rules {
		words[rule.Code] = rule.ProviderError
	}
	return words
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inProcess is the back end of a run that asks no daemon (testdata/in_process_test.go); nil: the daemon's socket.
var inProcess func() turnkeeper.Option

// keeper gives a client of the back end that the run is about.
func keeper(t testing.TB) *turnkeeper.Client {
	if inProcess == nil {
		return daemon(t)
	}
	client := turnkeeper.New(inProcess())
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// daemon starts the real one; the test is skipped without it.
func daemon(t testing.TB) *turnkeeper.Client {
	program := os.Getenv("TURNKEEPERD")
	if program == "" {
		t.Skip("TURNKEEPERD names no daemon")
	}
	folder, err := os.MkdirTemp("", "tk")
	check(t, err)
	path := filepath.Join(folder, "s.sock")
	process := exec.Command(program, "--socket", path)
	check(t, process.Start())
	t.Cleanup(func() {
		_ = process.Process.Signal(syscall.SIGTERM)
		_ = process.Wait()
		_ = os.RemoveAll(folder)
	})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client := turnkeeper.New(turnkeeper.WithSocket(path), turnkeeper.WithTimeout(0), turnkeeper.WithRetries(1000))
	t.Cleanup(func() { _ = client.Close() })
	info, err := client.Info(ctx)
	check(t, err)
	for _, method := range info.Methods {
		if method.Name == "stream.open" {
			return client
		}
	}
	t.Skip("this daemon doesn't serve streams")
	return nil
}

// A scene is a provider and two SDK clients, one of them with a transport.
type scene struct {
	provider      *Provider
	guard         *turnkeeper.Transport
	without, with anthropic.Client
	streaming     bool
	model         string // "": one of the official API
}

func eachForm(t *testing.T, play func(t *testing.T, s *scene)) {
	words := catalogue(t)
	client := keeper(t)
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			s := &scene{provider: &Provider{Words: words}, streaming: form.streaming}
			server := httptest.NewServer(s.provider)
			t.Cleanup(server.Close)
			s.guard = turnkeeper.NewTransport(client, turnkeeper.FailClosed)
			s.guard.PairResponses = true
			common := []option.RequestOption{option.WithAPIKey("k"), option.WithBaseURL(server.URL)}
			s.without = anthropic.NewClient(common...)
			s.with = anthropic.NewClient(append(common, option.WithHTTPClient(&http.Client{Transport: s.guard}))...)
			play(t, s)
		})
	}
}

// ask makes one request of the SDK in the scene's form.
func (s *scene) ask(c anthropic.Client, messages ...anthropic.MessageParam) (*anthropic.Message, error) {
	params := anthropic.MessageNewParams{Model: "claude-sonnet-4-5", MaxTokens: 64, Messages: messages,
		Tools: []anthropic.ToolUnionParam{{OfWebSearchTool20250305: &anthropic.WebSearchTool20250305Param{}}}}
	if s.model != "" {
		params.Model = anthropic.Model(s.model)
	}
	if !s.streaming {
		return c.Messages.New(context.Background(), params)
	}
	stream := c.Messages.NewStreaming(context.Background(), params)
	defer stream.Close()
	whole := anthropic.Message{}
	for stream.Next() {
		if err := whole.Accumulate(stream.Current()); err != nil {
			return nil, err
		}
	}
	return &whole, stream.Err()
}

func user(text string) anthropic.MessageParam {
	return anthropic.NewUserMessage(anthropic.NewTextBlock(text))
}

// crashed is what an agent stored that died in the middle of a search.
func crashed() anthropic.MessageParam {
	return anthropic.NewAssistantMessage(anthropic.NewTextBlock("Looking."),
		anthropic.NewServerToolUseBlock("srvtoolu_7", map[string]any{"query": "go"}, "web_search"))
}

// refused checks that the provider said no, with the words that the catalogue has for this fault.
func (s *scene) refused(t *testing.T, err error, code string) {
	t.Helper()
	var no *anthropic.Error
	if !errors.As(err, &no) || no.StatusCode != http.StatusBadRequest {
		t.Fatalf("want the provider's refusal, got %v", err)
	}
	words, _, _ := strings.Cut(s.provider.Words[code], "{id}")
	_, words, _ = strings.Cut(words, "{tool}")
	var body struct{ Error struct{ Message string } }
	check(t, json.Unmarshal([]byte(no.RawJSON()), &body))
	words, _, _ = strings.Cut(words, "{tool}")
	if words == "" || !strings.Contains(body.Error.Message, words) {
		t.Fatalf("%q isn't in %q", words, body.Error.Message)
	}
}

func said(t *testing.T, m *anthropic.Message, err error) string {
	t.Helper()
	check(t, err)
	return m.Content[len(m.Content)-1].Text
}

func TestOrphanInTheHistory(t *testing.T) {
	eachForm(t, func(t *testing.T, s *scene) {
		stuck := []anthropic.MessageParam{user("q"), crashed(), user("go on")}
		_, err := s.ask(s.without, stuck...)
		s.refused(t, err, "provider_executed_call_without_result")
		m, err := s.ask(s.with, stuck...)
		if got := said(t, m, err); got != "ok" {
			t.Fatal(got)
		}
		seen := s.provider.Seen()
		if sent := seen[len(seen)-1]; strings.Contains(sent, "srvtoolu_7") || !strings.Contains(sent, "Looking.") {
			t.Fatal(sent)
		}
	})
}

func TestCountTokens(t *testing.T) {
	eachForm(t, func(t *testing.T, s *scene) {
		params := anthropic.MessageCountTokensParams{Model: "claude-sonnet-4-5",
			Messages: []anthropic.MessageParam{user("q"), crashed(), user("go on")}}
		_, err := s.without.Messages.CountTokens(context.Background(), params)
		s.refused(t, err, "provider_executed_call_without_result")
		count, err := s.with.Messages.CountTokens(context.Background(), params)
		if check(t, err); count.InputTokens == 0 {
			t.Fatal("nothing was counted")
		}
	})
}

// A signed turn that no allowed edit can repair is refused before it leaves, and the error shows what
// the provider would have said.
func TestRefusedBeforeItLeaves(t *testing.T) {
	eachForm(t, func(t *testing.T, s *scene) {
		signed := anthropic.NewAssistantMessage(anthropic.NewThinkingBlock("c2ln", "t"),
			anthropic.NewWebSearchToolResultBlock([]anthropic.WebSearchResultBlockParam{
				{URL: "https://go.dev", Title: "Go", EncryptedContent: "RU5D"}}, "srvtoolu_7"),
			anthropic.NewTextBlock("a"))
		broken := []anthropic.MessageParam{user("q"), signed, user("go on")}
		_, err := s.ask(s.without, broken...)
		s.refused(t, err, "provider_executed_result_without_call")
		var theirs *anthropic.Error
		errors.As(err, &theirs)
		before := len(s.provider.Seen())

		_, err = s.ask(s.with, broken...)
		var unsafe *turnkeeper.UnsafeHistoryError
		if !errors.As(err, &unsafe) || !strings.Contains(theirs.RawJSON(), unsafe.ProviderSays()) {
			t.Fatal(err)
		}
		s.guard.RefuseWithResponse = true
		_, err = s.ask(s.with, broken...)
		s.refused(t, err, "provider_executed_result_without_call")
		var ours *anthropic.Error
		errors.As(err, &ours)
		if found := turnkeeper.RefusalIn([]byte(ours.RawJSON())); found == nil || found.ProviderSays() != unsafe.ProviderSays() {
			t.Fatal(ours.RawJSON())
		}
		if now := len(s.provider.Seen()); now != before {
			t.Fatalf("%d requests left", now-before)
		}
	})
}

// A good turn reaches the SDK as it would without turnkeeper.
func TestServerToolTurnArrivesIntact(t *testing.T) {
	eachForm(t, func(t *testing.T, s *scene) {
		theirs, err := s.ask(s.without, user("search"))
		check(t, err)
		ours, err := s.ask(s.with, user("search"))
		check(t, err)
		if len(ours.Content) != 4 || ours.StopReason != theirs.StopReason || ours.Usage.OutputTokens != theirs.Usage.OutputTokens {
			t.Fatalf("%+v", ours)
		}
		if want, got := content(t, theirs), content(t, ours); got != want {
			t.Fatalf("want %s\ngot  %s", want, got)
		}
		m, err := s.ask(s.with, user("search"), ours.ToParam(), user("go on"))
		if got := said(t, m, err); got != "ok" {
			t.Fatal(got)
		}
	})
}

func content(t *testing.T, m *anthropic.Message) string {
	text, err := json.Marshal(m.ToParam().Content)
	check(t, err)
	return string(text)
}

// The provider ends a turn whose search has no result. Stored, it blocks the chat from then on.
func TestOrphanInTheResponse(t *testing.T) {
	eachForm(t, func(t *testing.T, s *scene) {
		stored, err := s.ask(s.without, user("orphan"))
		check(t, err)
		_, err = s.ask(s.without, user("orphan"), stored.ToParam(), user("go on"))
		s.refused(t, err, "provider_executed_call_without_result")

		_, err = s.ask(s.with, user("orphan"))
		var no *anthropic.Error
		if s.streaming { // as an event of the stream
			if !errors.As(err, &no) || !strings.Contains(no.RawJSON(), "invalid_request_error") {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		var fault *turnkeeper.PairingError
		if !errors.As(err, &fault) || fault.Kind != "incomplete_operation" {
			t.Fatal(err)
		}
		before := len(s.provider.Seen())
		s.guard.RefuseWithResponse = true
		_, err = s.ask(s.with, user("orphan"))
		if !errors.As(err, &no) || no.StatusCode != http.StatusBadGateway {
			t.Fatal(err)
		}
		if asked := len(s.provider.Seen()) - before; asked != 1 {
			t.Fatalf("the SDK asked %d times", asked)
		}
	})
}

// A stream that breaks off ends without an error in the SDK: what was gathered looks like a turn.
func TestStreamThatBreaksOff(t *testing.T) {
	eachForm(t, func(t *testing.T, s *scene) {
		if !s.streaming {
			t.Skip("a whole response has its length")
		}
		stored, err := s.ask(s.without, user("break off"))
		check(t, err)
		_, err = s.ask(s.without, user("break off"), stored.ToParam(), user("go on"))
		s.refused(t, err, "provider_executed_call_without_result")
		partial, err := s.ask(s.with, user("break off"))
		var no *anthropic.Error
		if !errors.As(err, &no) {
			t.Fatalf("%T: %v", err, err)
		}
		for _, b := range partial.Content {
			if b.Type == "server_tool_use" {
				t.Fatal("half of a pair got through")
			}
		}
	})
}

// A paused turn is sent back and goes on: its open call is in flight, no orphan, and the result at the
// head of the next message belongs to it. If the user says something else instead, it is one.
func TestPausedTurn(t *testing.T) {
	eachForm(t, func(t *testing.T, s *scene) {
		for name, c := range map[string]anthropic.Client{"without": s.without, "with": s.with} {
			paused, err := s.ask(c, user("pause"))
			check(t, err)
			if paused.StopReason != anthropic.StopReasonPauseTurn || paused.Content[1].Type != "server_tool_use" {
				t.Fatalf("%s: %+v", name, paused)
			}
			m, err := s.ask(c, user("pause"), paused.ToParam())
			if got := said(t, m, err); got != "Found." || m.Content[0].ToolUseID != paused.Content[1].ID {
				t.Fatalf("%s: %s", name, got)
			}
			m, err = s.ask(c, user("pause"), paused.ToParam(), user("never mind"))
			if name == "without" {
				s.refused(t, err, "provider_executed_call_without_result")
			} else if got := said(t, m, err); got != "ok" {
				t.Fatal(got)
			}
		}
	})
}

// The texts around a search are live, though the search itself is held back until it is whole.
func TestStreamIsLive(t *testing.T) {
	eachForm(t, func(t *testing.T, s *scene) {
		if !s.streaming {
			t.Skip("nothing streams")
		}
		stream := s.with.Messages.NewStreaming(context.Background(), anthropic.MessageNewParams{
			Model: "claude-sonnet-4-5", MaxTokens: 64, Messages: []anthropic.MessageParam{user("search")}})
		var types []string
		for stream.Next() {
			types = append(types, stream.Current().Type)
		}
		check(t, stream.Err())
		want := "message_start content_block_start content_block_delta content_block_delta content_block_stop " +
			"content_block_start content_block_stop content_block_start content_block_stop " +
			"content_block_start content_block_delta content_block_delta content_block_stop message_delta message_stop"
		if got := strings.Join(types, " "); got != want {
			t.Fatal(got)
		}
	})
}
