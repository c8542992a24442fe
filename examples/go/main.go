// SPDX-License-Identifier: Apache-2.0

// What a Go program has to change to be guarded: the line where it makes its HTTP client.
//
//	TURNKEEPER_SOCKET=PATH go run .
//
// The provider is played here: it refuses an orphaned server tool call as the Messages API does.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// stuck is the request of an agent that died in the middle of a web search and was asked to go on.
const stuck = `{"model": "claude-sonnet-4-5", "max_tokens": 1024, "messages": [
  {"role": "user", "content": "Which Go is current?"},
  {"role": "assistant", "content": [
    {"type": "text", "text": "Let me look."},
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "go"}}]},
  {"role": "user", "content": "And?"}]}`

// hopeless is one whose signed turn holds a result without its call: nothing in there may be edited.
const hopeless = `{"model": "claude-sonnet-4-5", "max_tokens": 1024, "messages": [
  {"role": "user", "content": "Which Go is current?"},
  {"role": "assistant", "content": [
    {"type": "thinking", "thinking": "They want a version.", "signature": "c2lnbmVk"},
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [
      {"type": "web_search_result", "url": "https://go.dev", "title": "Go", "encrypted_content": "RU5D"}]},
    {"type": "text", "text": "The one on go.dev."}]},
  {"role": "user", "content": "And?"}]}`

func main() {
	server := httptest.NewServer(http.HandlerFunc(provider))
	defer server.Close()

	guard := turnkeeper.NewTransport(turnkeeper.New(), turnkeeper.FailClosed)
	guard.OnRepair = func(_ *http.Request, r *turnkeeper.Repaired) {
		for _, edit := range r.Edits {
			fmt.Printf("  turnkeeper: %s %s at %s\n", edit.Action, edit.Tool, edit.Pointer)
		}
	}
	unguarded, guarded := &http.Client{}, &http.Client{Transport: guard}

	fmt.Println("A stuck chat, unguarded:")
	show(unguarded, server.URL, stuck)
	fmt.Println("The same, guarded:")
	show(guarded, server.URL, stuck)
	fmt.Println("One that nothing can mend, guarded:")
	show(guarded, server.URL, hopeless)
}

func show(client *http.Client, url, body string) {
	response, err := client.Post(url+"/v1/messages", "application/json", strings.NewReader(body))
	var unsafe *turnkeeper.UnsafeHistoryError
	switch {
	case errors.As(err, &unsafe):
		fmt.Println("  refused before it left. The provider would have said:")
		fmt.Println("  ", unsafe.ProviderSays())
		return
	case err != nil:
		fmt.Println(" ", err)
		os.Exit(1)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Printf("  %s\n  %s\n", response.Status, bytes.TrimSpace(answer))
}

// provider looks for one fault only.
func provider(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	answer := map[string]interface{}{"type": "message", "content": []map[string]string{{"type": "text", "text": "1.26"}}}
	if bytes.Contains(body, []byte("server_tool_use")) {
		w.WriteHeader(http.StatusBadRequest)
		answer = map[string]interface{}{"type": "error", "error": map[string]string{"type": "invalid_request_error",
			"message": "messages.1: `web_search` tool use with id `srvtoolu_1` was found without a corresponding " +
				"`web_search_tool_result` block"}}
	}
	_ = json.NewEncoder(w).Encode(answer)
}
