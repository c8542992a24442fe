// SPDX-License-Identifier: Apache-2.0

// A chat that is stuck, asked of the Messages API as it is, and with turnkeeper at the place where the
// HTTP client is made.
//
//	ANTHROPIC_API_KEY=... TURNKEEPER_SOCKET=... go run .
//
// The same line guards the official SDK, which takes an *http.Client: see the README of the client.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// stuck is the request of an agent that died in the middle of a web search and was asked to go on.
const stuck = `{"model": "claude-sonnet-5-5", "max_tokens": 1024,
  "tools": [{"type": "web_search_20250305", "name": "web_search"}],
  "messages": [
    {"role": "user", "content": "Is the pass open?"},
    {"role": "assistant", "content": [
      {"type": "text", "text": "Let me look."},
      {"type": "server_tool_use", "id": "srvtoolu_01Cut", "name": "web_search", "input": {"query": "pass road status"}}]},
    {"role": "user", "content": "Are you still there?"}]}`

// hopeless is one whose signed turn holds a result without its call: nothing in there may be edited.
const hopeless = `{"model": "claude-sonnet-5-5", "max_tokens": 1024,
  "tools": [{"type": "web_search_20250305", "name": "web_search"}],
  "messages": [
    {"role": "user", "content": "Is the pass open?"},
    {"role": "assistant", "content": [
      {"type": "thinking", "thinking": "They want the road's status.", "signature": "c2lnbmVk"},
      {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_01Lost", "content": [
        {"type": "web_search_result", "url": "https://road.example", "title": "Road", "encrypted_content": "RU5D"}]},
      {"type": "text", "text": "It is."}]},
    {"role": "user", "content": "Are you still there?"}]}`

func main() {
	guard := turnkeeper.NewTransport(turnkeeper.New(), turnkeeper.FailClosed)
	guard.OnRepair = func(_ *http.Request, r *turnkeeper.Repaired) {
		for _, edit := range r.Edits {
			fmt.Printf("    repaired on its way: %s %s at %s\n", edit.Action, edit.Tool, edit.Pointer)
		}
	}
	fmt.Println("without turnkeeper:")
	ask(&http.Client{}, stuck)
	fmt.Println("with turnkeeper:")
	ask(&http.Client{Transport: guard}, stuck)
	fmt.Println("and a history that no safe edit can repair is never sent:")
	ask(&http.Client{Transport: guard}, hopeless)
}

// ask sends a request and prints what became of it.
func ask(client *http.Client, body string) {
	response, err := client.Do(request(body))
	var unsafe *turnkeeper.UnsafeHistoryError
	if errors.As(err, &unsafe) {
		fmt.Println("    refused; the provider would have said:", unsafe.ProviderSays())
		return
	}
	if err != nil {
		fail(err)
	}
	defer response.Body.Close()
	var answer struct {
		Error   struct{ Message string }
		Content []struct{ Text string }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		fail(err)
	}
	said := answer.Error.Message
	for _, part := range answer.Content {
		said += part.Text
	}
	fmt.Printf("    %d %s\n", response.StatusCode, said)
}

func request(body string) *http.Request {
	base := os.Getenv("ANTHROPIC_BASE_URL")
	if base == "" {
		base = "https://api.anthropic.com"
	}
	req, err := http.NewRequest(http.MethodPost, base+"/v1/messages", strings.NewReader(body))
	if err != nil {
		fail(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Anthropic-Version", "2023-06-01")
	req.Header.Set("X-Api-Key", os.Getenv("ANTHROPIC_API_KEY"))
	return req
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
