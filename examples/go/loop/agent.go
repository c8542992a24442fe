// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// The agent's own part of the program in doc/INTEGRATIONS.md: asking the provider, and its tools.

// ask gives the response body to a request.
func ask(request json.RawMessage, headers map[string]string) json.RawMessage {
	base := os.Getenv("ANTHROPIC_BASE_URL")
	if base == "" {
		base = "https://api.anthropic.com"
	}
	post, err := http.NewRequest(http.MethodPost, base+"/v1/messages", bytes.NewReader(request))
	must(err)
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Anthropic-Version", "2023-06-01")
	post.Header.Set("X-Api-Key", os.Getenv("ANTHROPIC_API_KEY"))
	for name, value := range headers {
		post.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(post)
	must(err)
	defer response.Body.Close()
	turn, err := io.ReadAll(response.Body)
	must(err)
	if response.StatusCode != http.StatusOK {
		must(fmt.Errorf("%s: %s", response.Status, turn))
	}
	return turn
}

// run gives the results of the tools that a turn asks for; there is one, and it knows one answer.
func run(turn json.RawMessage) json.RawMessage {
	var asked struct {
		Content []struct{ Type, ID string }
	}
	must(json.Unmarshal(turn, &asked))
	results := []map[string]string{}
	for _, block := range asked.Content {
		if block.Type == "tool_use" {
			results = append(results, map[string]string{
				"type": "tool_result", "tool_use_id": block.ID, "content": "4 degrees, rain"})
		}
	}
	text, err := json.Marshal(results)
	must(err)
	return text
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
