// SPDX-License-Identifier: Apache-2.0

// Package openaitest drives OpenAI's own SDK through this project's transport, against the local provider that
// the tests of the Python client have. It is a module of its own: the client needs none of what the SDK needs.
//
//	python3 clients/python/tests/messages_api.py go test ./...    in this folder, with TURNKEEPERD set
package openaitest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/azure"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

const (
	model  = "gpt-5"
	answer = "The pass is open, with chains."

	question  = `{"role":"user","content":"How is the road?"}`
	again     = `{"role":"user","content":"And now?"}`
	calling   = `{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"look","arguments":"{}"}}]}`
	told      = `{"role":"tool","tool_call_id":"call_1","content":"open"}`
	call      = `{"type":"function_call","call_id":"call_1","name":"look","arguments":"{}"}`
	output    = `{"type":"function_call_output","call_id":"call_1","output":"open"}`
	stored    = `{"type":"function_call","id":"fc_1","call_id":"call_1","name":"look","arguments":"{}"}`
	reasoning = `{"type":"reasoning","id":"rs_1","summary":[]}`
	toldWhy   = `{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"It snows."}]}`
)

// An api is one of the two, as the SDK serves it.
type api struct {
	name string
	ask  func(c openai.Client, history string, streaming bool, more ...option.RequestOption) (string, error)
}

var (
	chat = api{"chat", func(c openai.Client, history string, streaming bool, more ...option.RequestOption) (string, error) {
		body := json.RawMessage(`{"model":"` + model + `","messages":` + history + `}`)
		params := param.Override[openai.ChatCompletionNewParams](body)
		if !streaming {
			done, err := c.Chat.Completions.New(context.Background(), params, more...)
			if err != nil {
				return "", err
			}
			return done.Choices[0].Message.Content, nil
		}
		return gathered(c.Chat.Completions.NewStreaming(context.Background(), params, more...),
			func(chunk openai.ChatCompletionChunk) (said string) {
				for _, choice := range chunk.Choices {
					said += choice.Delta.Content
				}
				return said
			})
	}}
	items = api{"responses", func(c openai.Client, history string, streaming bool, more ...option.RequestOption) (string, error) {
		body := json.RawMessage(`{"model":"` + model + `","input":` + history + `}`)
		params := param.Override[responses.ResponseNewParams](body)
		if !streaming {
			done, err := c.Responses.New(context.Background(), params, more...)
			if err != nil {
				return "", err
			}
			return done.OutputText(), nil
		}
		return gathered(c.Responses.NewStreaming(context.Background(), params, more...),
			func(event responses.ResponseStreamEventUnion) string {
				if event.Type == "response.output_text.delta" {
					return event.Delta
				}
				return ""
			})
	}}
)

func gathered[T any](stream *ssestream.Stream[T], text func(T) string) (said string, err error) {
	defer stream.Close()
	for stream.Next() {
		said += text(stream.Current())
	}
	return said, stream.Err()
}

// wire sends what is meant for OpenAI's hosts to the local provider, and keeps it.
type wire struct {
	provider *url.URL
	paths    []string
	bodies   []string
}

func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	w.paths, w.bodies = append(w.paths, req.URL.Path), append(w.bodies, string(body))
	out := req.Clone(req.Context())
	out.URL.Scheme, out.URL.Host, out.Host = w.provider.Scheme, w.provider.Host, ""
	out.Body = io.NopCloser(bytes.NewReader(body))
	return http.DefaultTransport.RoundTrip(out)
}

// A scene is the wire and two SDK clients, one of them with a transport.
type scene struct {
	*wire
	guard         *turnkeeper.Transport
	without, with openai.Client
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
		t.Skip("no daemon: see the package's comment")
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// eachForm plays a scene with whole responses and with streams. own: options of the SDK; nil: those of OpenAI's
// own API. The test is skipped without provider and daemon.
func eachForm(t *testing.T, own func() []option.RequestOption, play func(t *testing.T, s *scene, streaming bool)) {
	base := os.Getenv("OPENAI_BASE_URL")
	if base == "" {
		t.Skip("no local provider: see the package's comment")
	}
	provider, err := url.Parse(base)
	check(t, err)
	client := keeper(t)
	for name, streaming := range map[string]bool{"whole": false, "streaming": true} {
		t.Run(name, func(t *testing.T) {
			s := &scene{wire: &wire{provider: provider}, guard: turnkeeper.NewTransport(client, turnkeeper.FailClosed)}
			s.guard.Base, s.guard.RefuseWithResponse = s.wire, true
			options := []option.RequestOption{option.WithAPIKey("k"), option.WithBaseURL("https://api.openai.com/v1")}
			if own != nil {
				options = own()
			}
			s.without = openai.NewClient(append(options, option.WithHTTPClient(&http.Client{Transport: s.wire}))...)
			s.with = openai.NewClient(append(options, option.WithHTTPClient(&http.Client{Transport: s.guard}))...)
			play(t, s, streaming)
		})
	}
}

func onAzure() []option.RequestOption {
	return []option.RequestOption{azure.WithEndpoint("https://n.openai.azure.com", "2025-04-01-preview"), azure.WithAPIKey("k")}
}

func list(entries ...string) string { return "[" + strings.Join(entries, ",") + "]" }

// refused gives the SDK's error, which has status 400.
func refused(t *testing.T, err error) *openai.Error {
	t.Helper()
	var no *openai.Error
	if !errors.As(err, &no) || no.StatusCode != http.StatusBadRequest {
		t.Fatalf("want a refusal, got %v", err)
	}
	return no
}

// Histories that the provider refuses, its words, and what is in the repaired ones.
var stuck = []struct {
	api
	history, words, mended string
}{
	{chat, list(question, calling, again), "must be followed by tool messages", "Not executed."},
	{chat, list(question, told, again), "must be a response to a preceeding message", `"role":"user","content":"open"`},
	{items, list(question, call, again), "No tool output found for function call", "Not executed."},
	{items, list(question, output, again), "No tool call found for function call output", `"input_text"`},
	{items, list(question, reasoning, again), "without its required following item", "And now?"},
	// The call isn't the item that the model made after the reasoning: it lost its id.
	{items, list(question, toldWhy, call, output, again), "without its required following item", "It snows."},
}

func TestStuckGoesOn(t *testing.T) {
	eachForm(t, nil, func(t *testing.T, s *scene, streaming bool) {
		for _, test := range stuck {
			_, err := test.ask(s.without, test.history, streaming)
			if no := refused(t, err); !strings.Contains(no.Message, test.words) {
				t.Errorf("%q isn't in %q", test.words, no.Message)
			}
			got, err := test.ask(s.with, test.history, streaming)
			if check(t, err); got != answer {
				t.Error(got)
			}
			if sent := s.bodies[len(s.bodies)-1]; !strings.Contains(sent, test.mended) || strings.Contains(sent, "rs_1") {
				t.Error(sent)
			}
		}
	})
}

func TestASoundHistoryLeavesByteForByte(t *testing.T) {
	eachForm(t, nil, func(t *testing.T, s *scene, streaming bool) {
		for _, test := range []struct {
			api
			history string
		}{{chat, list(question, calling, told, again)}, {items, list(question, reasoning, stored, output, again)}} {
			for _, c := range []openai.Client{s.without, s.with} {
				got, err := test.ask(c, test.history, streaming)
				if check(t, err); got != answer {
					t.Error(got)
				}
			}
			if n := len(s.bodies); s.bodies[n-1] != s.bodies[n-2] {
				t.Error(s.bodies[n-1])
			}
		}
	})
}

func TestRefusedBeforeItLeaves(t *testing.T) {
	eachForm(t, nil, func(t *testing.T, s *scene, streaming bool) {
		both := []option.RequestOption{option.WithJSONSet("previous_response_id", "resp_1"), option.WithJSONSet("conversation", "conv_1")}
		for _, test := range []struct {
			api
			history string
			more    []option.RequestOption
		}{{chat, "[]", nil}, {items, list(question), both}} {
			s.bodies = nil
			_, err := test.ask(s.without, test.history, streaming, test.more...)
			theirs := refused(t, err)
			_, err = test.ask(s.with, test.history, streaming, test.more...)
			ours := refused(t, err)
			if len(s.bodies) != 1 || ours.Type != theirs.Type || ours.Code != theirs.Code {
				t.Fatalf("%d requests left, %s", len(s.bodies), ours.RawJSON())
			}
			unsafe := turnkeeper.RefusalIn([]byte(ours.RawJSON()))
			if unsafe == nil || !strings.HasPrefix(ours.Message, unsafe.ProviderSays()) {
				t.Fatal(ours.RawJSON())
			}
		}
	})
}

// What OpenAI takes after a repair Azure doesn't: reasoning keeps its id there, and nothing is sent.
func TestAzure(t *testing.T) {
	eachForm(t, onAzure, func(t *testing.T, s *scene, streaming bool) {
		for _, test := range stuck[:4] {
			_, err := test.ask(s.without, test.history, streaming)
			refused(t, err)
			got, err := test.ask(s.with, test.history, streaming)
			if check(t, err); got != answer {
				t.Error(got)
			}
			want := "/openai/v1/responses"
			if test.name == "chat" {
				want = "/openai/deployments/" + model + "/chat/completions"
			}
			if path := s.paths[len(s.paths)-1]; path != want && path != strings.Replace(want, "/v1", "", 1) {
				t.Error(path)
			}
		}
		s.bodies = nil
		_, err := items.ask(s.with, stuck[4].history, streaming)
		if no := refused(t, err); no.Param != "input[1]" || len(s.bodies) > 0 {
			t.Error(no.RawJSON())
		}
	})
}

// What the SDK made of an answer goes back with the result of its call.
func TestToolLoop(t *testing.T) {
	eachForm(t, nil, func(t *testing.T, s *scene, streaming bool) {
		if streaming {
			t.Skip("the same with the answer gathered")
		}
		ctx, schema := context.Background(), shared.FunctionParameters{"type": "object", "properties": map[string]any{}}
		asked := openai.ChatCompletionNewParams{Model: model,
			Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("How is the road?")},
			Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(
				shared.FunctionDefinitionParam{Name: "look", Parameters: schema})}}
		first, err := s.with.Chat.Completions.New(ctx, asked)
		check(t, err)
		message := first.Choices[0].Message
		asked.Messages = append(asked.Messages, message.ToParam(), openai.ToolMessage("open", message.ToolCalls[0].ID))
		second, err := s.with.Chat.Completions.New(ctx, asked)
		if check(t, err); second.Choices[0].Message.Content != answer {
			t.Error(second.RawJSON())
		}

		wanted := responses.ResponseNewParams{Model: model,
			Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("How is the road?")},
			Tools: []responses.ToolUnionParam{responses.ToolParamOfFunction("look", schema, false)}}
		begun, err := s.with.Responses.New(ctx, wanted)
		check(t, err)
		called := begun.Output[len(begun.Output)-1].AsFunctionCall().ToParam()
		output := responses.ResponseInputItemParamOfFunctionCallOutput("open")
		output.OfFunctionCallOutput.CallID = openai.String(begun.Output[len(begun.Output)-1].CallID)
		wanted.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: responses.ResponseInputParam{
			responses.ResponseInputItemParamOfMessage("How is the road?", responses.EasyInputMessageRoleUser),
			{OfFunctionCall: &called}, output}}
		done, err := s.with.Responses.New(ctx, wanted)
		if check(t, err); done.OutputText() != answer {
			t.Error(done.RawJSON())
		}
	})
}
