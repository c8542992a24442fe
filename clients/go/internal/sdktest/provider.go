// SPDX-License-Identifier: Apache-2.0

// Package sdktest drives the official SDK through this project's transport, against a server that
// behaves as the Messages API does where histories break. It is a module of its own: the client
// needs none of what the SDK needs.
package sdktest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

// A Provider answers as the Messages API: it refuses a history whose server tool calls and results
// don't belong together, in its own words, and else continues the conversation by what the last user
// text asks for:
//
//	search     a turn with a web search in it
//	pause      a turn that is paused before its search's result; sent back, it goes on
//	orphan     a turn whose search never gets its result, as if it had: the fault that repair is for
//	break off  a stream that ends in the middle of a search
//	refuse     a refusal, though nothing is wrong: in the words for a call without its result
//	else       "ok"
//
// It takes the paths of Amazon Bedrock (InvokeModel) and Vertex AI (rawPredict) as well, with their form of
// the body: "anthropic_version" in it, "model" not in it. A stream of Bedrock has Amazon's own framing.
type Provider struct {
	Words map[string]string // by code of the catalogue, what is said to whoever breaks the rule

	mutex sync.Mutex
	seen  []string // bodies of requests
	last  *http.Request
}

var platforms = regexp.MustCompile(`/model/[^/]+/invoke(-with-response-stream)?$` +
	`|/publishers/anthropic/models/[^/]+:(raw|streamRaw)Predict$`)

type block map[string]any

type message struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type request struct {
	Stream   bool      `json:"stream"`
	Messages []message `json:"messages"`
	Version  string    `json:"anthropic_version"`
	Model    string    `json:"model"`
}

// blocks reads a content, which may be a string.
func (m message) blocks() []block {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return []block{{"type": "text", "text": text}}
	}
	var blocks []block
	_ = json.Unmarshal(m.Content, &blocks)
	return blocks
}

func (b block) text(name string) string { s, _ := b[name].(string); return s }

// Seen gives the bodies of the requests that arrived.
func (p *Provider) Seen() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append([]string(nil), p.seen...)
}

// Last gives the request that arrived last, without its body.
func (p *Provider) Last() *http.Request {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.last
}

// formOf gives what a platform says to a body that isn't in its form; "" if it accepts it.
func formOf(path string, req request) string {
	switch {
	case !platforms.MatchString(path) || counts(path):
		return ""
	case req.Version == "":
		return "anthropic_version: Field required"
	case req.Model != "":
		return "model: Extra inputs are not permitted"
	}
	return ""
}

func counts(path string) bool {
	return strings.HasSuffix(path, "/count_tokens") || strings.HasSuffix(path, "/count-tokens:rawPredict")
}

func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var req request
	if err != nil || int64(len(body)) != r.ContentLength || json.Unmarshal(body, &req) != nil {
		refuse(w, "the body can't be read")
		return
	}
	p.mutex.Lock()
	p.seen, p.last = append(p.seen, string(body)), r
	p.mutex.Unlock()
	path := r.URL.EscapedPath()
	if fault := formOf(path, req); fault != "" {
		refuse(w, fault)
		return
	}
	if fault := p.judge(req.Messages); fault != "" {
		refuse(w, fault)
		return
	}
	if counts(path) {
		reply(w, http.StatusOK, block{"input_tokens": len(body) / 4})
		return
	}
	t := next(req.Messages)
	switch {
	case strings.HasSuffix(path, "/invoke-with-response-stream"):
		t.stream(w, "application/vnd.amazon.eventstream", amazons)
	case req.Stream:
		t.stream(w, "text/event-stream; charset=utf-8", sse)
	default:
		reply(w, http.StatusOK, t.message(t.content))
	}
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("request-id", "req_1")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, text string) {
	reply(w, http.StatusBadRequest, block{"type": "error", "request_id": "req_1",
		"error": block{"type": "invalid_request_error", "message": text}})
}

// judge gives what the provider says to the first fault of a history; "" if it accepts it.
func (p *Provider) judge(messages []message) string {
	open := map[string]block{}
	last := -1 // the message that holds what is open
	say := func(code string, m, part int, b block) string {
		tool := strings.TrimSuffix(b.text("type"), "_tool_result")
		id := b.text("tool_use_id")
		if b.text("type") == "server_tool_use" {
			tool, id = b.text("name"), b.text("id")
		}
		return strings.NewReplacer("{message}", fmt.Sprint(m), "{part}", fmt.Sprint(part),
			"{tool}", tool, "{id}", id).Replace(p.Words[code])
	}
	for m, message := range messages {
		blocks := message.blocks()
		if message.Role == "user" && !onlyResults(blocks) || message.Role == "assistant" && m > 0 &&
			messages[m-1].Role == "user" && len(open) > 0 && !onlyResults(messages[m-1].blocks()) {
			for _, call := range open {
				return say("provider_executed_call_without_result", last, 0, call)
			}
		}
		for part, b := range blocks {
			kind := b.text("type")
			switch {
			case kind == "server_tool_use":
				open[b.text("id")], last = b, m
			case strings.HasSuffix(kind, "_tool_result"):
				if open[b.text("tool_use_id")] == nil {
					return say("provider_executed_result_without_call", m, part, b)
				}
				delete(open, b.text("tool_use_id"))
			}
		}
	}
	last = len(messages) - 1
	if blocks := messages[last].blocks(); blocks[len(blocks)-1].text("text") == "refuse" {
		return say("tool_use_without_result", last, 0, block{"type": "server_tool_use", "id": "toolu_1"})
	}
	return ""
}

func onlyResults(blocks []block) bool {
	for _, b := range blocks {
		if b.text("type") != "tool_result" {
			return false
		}
	}
	return true
}

// A turn is what the provider answers.
type turn struct {
	content []block
	reason  string
	broken  bool // the stream ends after the content, without its end
}

func search(n int) (call, result block) {
	id := fmt.Sprintf("srvtoolu_%d", n)
	call = block{"type": "server_tool_use", "id": id, "name": "web_search", "input": block{"query": "go"}}
	result = block{"type": "web_search_tool_result", "tool_use_id": id, "content": []block{{
		"type": "web_search_result", "url": "https://go.dev", "title": "Go", "encrypted_content": "RU5D",
		"page_age": nil}}}
	return call, result
}

func text(s string) block { return block{"type": "text", "text": s} }

func next(messages []message) turn {
	last := messages[len(messages)-1]
	call, result := search(len(messages))
	if last.Role == "assistant" { // paused, sent back
		blocks := last.blocks()
		result["tool_use_id"] = blocks[len(blocks)-1].text("id")
		return turn{content: []block{result, text("Found.")}, reason: "end_turn"}
	}
	blocks := last.blocks()
	switch blocks[len(blocks)-1].text("text") {
	case "search":
		return turn{content: []block{text("Looking."), call, result, text("Found.")}, reason: "end_turn"}
	case "pause":
		return turn{content: []block{text("Looking."), call}, reason: "pause_turn"}
	case "orphan":
		return turn{content: []block{text("Looking."), call, text("Never mind.")}, reason: "end_turn"}
	case "break off":
		return turn{content: []block{text("Looking."), call}, broken: true}
	}
	return turn{content: []block{text("ok")}, reason: "end_turn"}
}

func (t turn) message(content []block) block {
	return block{"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
		"content": content, "stop_reason": t.reason, "stop_sequence": nil,
		"usage": block{"input_tokens": 5, "output_tokens": 9}}
}

// sse frames an event as Anthropic and Vertex do.
func sse(kind any, data []byte) []byte {
	return []byte(fmt.Sprintf("event: %s\ndata: %s\n\n", kind, data))
}

// amazons frames an event as Bedrock does.
func amazons(_ any, data []byte) []byte {
	payload, _ := json.Marshal(map[string][]byte{"bytes": data})
	message := eventstream.Message{Payload: payload}
	message.Headers.Set(":message-type", eventstream.StringValue("event"))
	message.Headers.Set(":event-type", eventstream.StringValue("chunk"))
	var framed bytes.Buffer
	_ = eventstream.NewEncoder().Encode(&framed, message)
	return framed.Bytes()
}

// stream writes the turn as events in a framing, inputs and texts in deltas.
func (t turn) stream(w http.ResponseWriter, media string, frame func(kind any, data []byte) []byte) {
	w.Header().Set("Content-Type", media)
	send := func(event block) {
		data, _ := json.Marshal(event)
		_, _ = w.Write(frame(event["type"], data))
		w.(http.Flusher).Flush()
	}
	start := t.message([]block{})
	start["stop_reason"] = nil
	send(block{"type": "message_start", "message": start})
	for i, b := range t.content {
		begin, deltas := b.deltas()
		send(block{"type": "content_block_start", "index": i, "content_block": begin})
		for _, delta := range deltas {
			send(block{"type": "content_block_delta", "index": i, "delta": delta})
		}
		send(block{"type": "content_block_stop", "index": i})
	}
	if t.broken {
		return
	}
	send(block{"type": "message_delta", "delta": block{"stop_reason": t.reason, "stop_sequence": nil},
		"usage": block{"output_tokens": 9}})
	send(block{"type": "message_stop"})
}

// deltas splits a block into its start and what follows.
func (b block) deltas() (start block, deltas []block) {
	start = block{}
	for name, value := range b {
		start[name] = value
	}
	switch b.text("type") {
	case "text":
		whole := b.text("text")
		start["text"] = ""
		for _, part := range []string{whole[:len(whole)/2], whole[len(whole)/2:]} {
			deltas = append(deltas, block{"type": "text_delta", "text": part})
		}
	case "server_tool_use":
		input, _ := json.Marshal(b["input"])
		start["input"] = block{}
		for _, part := range []string{string(input[:4]), string(input[4:])} {
			deltas = append(deltas, block{"type": "input_json_delta", "partial_json": part})
		}
	}
	return start, deltas
}
