// SPDX-License-Identifier: Apache-2.0

package sdktest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// The time that the guard adds to a call of the SDK, next to the SDK's own encoding of the request:
//
//	TURNKEEPERD=... go test -run '^$' -bench . -benchmem

var sizes = []struct {
	name string
	size int
}{{"18KB", 18_000}, {"200KB", 200_000}, {"2MB", 2_000_000}}

// long makes a request of about size bytes: tool loops over source code, every third turn a search.
func long(size int) anthropic.MessageNewParams {
	params := anthropic.MessageNewParams{Model: "claude-sonnet-4-5", MaxTokens: 64}
	code := strings.Repeat("    if (a != \"b\") {\n\t\treturn c->d[7];\n    }\n", 70)
	add := func(m anthropic.MessageParam) { params.Messages = append(params.Messages, m) }
	for turn := 0; size > 0; turn++ {
		add(user(strings.Repeat("what now ", 30)))
		if turn%3 == 0 {
			id := fmt.Sprintf("srvtoolu_%d", turn)
			hit := anthropic.WebSearchResultBlockParam{URL: "https://go.dev", Title: "Go",
				EncryptedContent: strings.Repeat("RU5D", 400)}
			add(anthropic.NewAssistantMessage(
				anthropic.NewThinkingBlock(strings.Repeat("c2ln", 120), strings.Repeat("thinking ", 60)),
				anthropic.NewServerToolUseBlock(id, map[string]any{"query": "go"}, "web_search"),
				anthropic.NewWebSearchToolResultBlock([]anthropic.WebSearchResultBlockParam{hit, hit, hit}, id),
				anthropic.NewTextBlock(strings.Repeat("found ", 80))))
			size -= 7000
			continue
		}
		id := fmt.Sprintf("toolu_%d", turn)
		add(anthropic.NewAssistantMessage(anthropic.NewTextBlock("reading"),
			anthropic.NewToolUseBlock(id, map[string]any{"path": "a.c"}, "read_file")))
		add(anthropic.NewUserMessage(anthropic.NewToolResultBlock(id, code, false)))
		add(anthropic.NewAssistantMessage(anthropic.NewTextBlock(code[:400])))
		size -= 4600
	}
	add(user("go on"))
	return params
}

// nowhere takes requests and answers with as little as the SDK reads.
type nowhere struct{}

func (nowhere) RoundTrip(req *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, req.Body)
	_ = req.Body.Close()
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(`{"type":"message","content":[]}`)), Request: req}, nil
}

func BenchmarkSDKEncoding(b *testing.B) {
	for _, s := range sizes {
		params := long(s.size)
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				text, err := json.Marshal(params)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(text)))
			}
		})
	}
}

// BenchmarkSDKCall is a whole call but for the network; "guarded" less "bare" is what the guard adds.
func BenchmarkSDKCall(b *testing.B) {
	guard := turnkeeper.NewTransport(daemon(b), turnkeeper.FailClosed)
	guard.Base = nowhere{}
	for _, s := range sizes {
		params := long(s.size)
		for _, way := range []struct {
			name      string
			transport http.RoundTripper
		}{{"bare", nowhere{}}, {"guarded", guard}} {
			client := anthropic.NewClient(option.WithAPIKey("k"), option.WithBaseURL("http://x"),
				option.WithHTTPClient(&http.Client{Transport: way.transport}))
			b.Run(s.name+"/"+way.name, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; i < b.N; i++ {
					if _, err := client.Messages.New(context.Background(), params); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
