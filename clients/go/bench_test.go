// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"strings"
	"testing"
)

// Benchmarks of this client, next to those of encoding/json for the same request:
//
//	TURNKEEPERD=... go test -run '^$' -bench . -benchmem

type benchBody struct {
	Model     string         `json:"model"`
	MaxTokens int            `json:"max_tokens"`
	Stream    bool           `json:"stream,omitempty"`
	Messages  []benchMessage `json:"messages"`
}

type benchMessage struct {
	Role    string       `json:"role"`
	Content []benchBlock `json:"content"`
}

type benchBlock struct {
	Type      string            `json:"type"`
	Text      string            `json:"text,omitempty"`
	Thinking  string            `json:"thinking,omitempty"`
	Signature string            `json:"signature,omitempty"`
	ID        string            `json:"id,omitempty"`
	Name      string            `json:"name,omitempty"`
	Input     map[string]string `json:"input,omitempty"`
	ToolUseID string            `json:"tool_use_id,omitempty"`
	Content   interface{}       `json:"content,omitempty"`
}

type benchHit struct {
	Type             string `json:"type"`
	Title            string `json:"title"`
	URL              string `json:"url"`
	EncryptedContent string `json:"encrypted_content"`
}

// conversation makes an agent's history of about size bytes; broken: one search has lost its result.
func conversation(size int, broken bool) benchBody {
	r := rand.New(rand.NewSource(7))
	prose := func(n int) string {
		words := strings.Fields("the of and to in is that for it as was with be by on not he his but at are this")
		var text strings.Builder
		for text.Len() < n {
			text.WriteString(words[r.Intn(len(words))] + " ")
		}
		return text.String()
	}
	code := func(n int) string {
		var text strings.Builder
		for text.Len() < n {
			fmt.Fprintf(&text, "    if (%s != \"%s\") {\n\t\treturn a->b[%d];\n    }\n", prose(4), prose(4), r.Intn(999))
		}
		return text.String()
	}
	secret := func(n int) string {
		raw := make([]byte, n*3/4)
		_, _ = r.Read(raw)
		return base64.StdEncoding.EncodeToString(raw)
	}
	body := benchBody{Model: "claude-sonnet-4-5", MaxTokens: 8192}
	say := func(role string, n int, blocks ...benchBlock) {
		body.Messages = append(body.Messages, benchMessage{role, blocks})
		size -= n
	}
	for turn := 0; size > 0; turn++ {
		say("user", 300, benchBlock{Type: "text", Text: prose(300)})
		thought := benchBlock{Type: "thinking", Thinking: prose(500), Signature: secret(500)}
		if id := fmt.Sprintf("srvtoolu_%d", turn); turn%3 == 0 {
			call := benchBlock{Type: "server_tool_use", ID: id, Name: "web_search", Input: map[string]string{"query": prose(40)}}
			hits := []benchHit{}
			for i := 0; i < 5; i++ {
				hits = append(hits, benchHit{"web_search_result", prose(40), "https://example.com/" + id, secret(1500)})
			}
			result := benchBlock{Type: "web_search_tool_result", ToolUseID: id, Content: hits}
			blocks := []benchBlock{thought, call, result, {Type: "text", Text: prose(500)}}
			if broken && turn == 0 {
				blocks = append(blocks[:2], blocks[3])
			}
			say("assistant", 9500, blocks...)
			continue
		}
		id := fmt.Sprintf("toolu_%d", turn)
		say("assistant", 1200, thought, benchBlock{Type: "text", Text: prose(120)},
			benchBlock{Type: "tool_use", ID: id, Name: "read_file", Input: map[string]string{"path": "src/a.c"}})
		say("user", 3400, benchBlock{Type: "tool_result", ToolUseID: id, Content: code(3000)})
		say("assistant", 700, benchBlock{Type: "text", Text: prose(200) + "\n\n```c\n" + code(400) + "```\n"})
	}
	say("user", 0, benchBlock{Type: "text", Text: "go on"})
	return body
}

var benchSizes = []struct {
	name string
	size int
}{{"18KB", 17_000}, {"200KB", 190_000}, {"2MB", 1_900_000}}

// eachSize runs a benchmark for each size, with a clean history or a broken one.
func eachSize(b *testing.B, broken bool, run func(b *testing.B, body []byte, value benchBody)) {
	for _, s := range benchSizes {
		b.Run(s.name, func(b *testing.B) {
			value := conversation(s.size, broken)
			body, err := json.Marshal(value)
			check(b, err)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			b.ResetTimer()
			run(b, body, value)
		})
	}
}

func BenchmarkEncodingJSON(b *testing.B) {
	eachSize(b, false, func(b *testing.B, _ []byte, value benchBody) {
		for i := 0; i < b.N; i++ {
			_, err := json.Marshal(value)
			check(b, err)
		}
	})
}

func benchRepair(b *testing.B, broken bool) {
	c := realDaemon(b).client(b)
	eachSize(b, broken, func(b *testing.B, body []byte, _ benchBody) {
		for i := 0; i < b.N; i++ {
			r, err := c.Repair(context.Background(), body, nil)
			if check(b, err); r.Changed != broken {
				b.Fatal(r.Changed)
			}
		}
	})
}

func BenchmarkRepairClean(b *testing.B)  { benchRepair(b, false) }
func BenchmarkRepairBroken(b *testing.B) { benchRepair(b, true) }

func BenchmarkPing(b *testing.B) {
	c := realDaemon(b).client(b)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		check(b, c.Ping(context.Background()))
	}
}

// BenchmarkAnswer is the daemon's own answer to the repair of a broken history: bytes written to the socket, and bytes
// read from it.
func BenchmarkAnswer(b *testing.B) {
	d := realDaemon(b)
	eachSize(b, true, func(b *testing.B, body []byte, _ benchBody) {
		end, err := net.Dial("unix", d.path)
		check(b, err)
		defer end.Close()
		frame := framed(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"repair","params":{"request":%s,"return":"splices"}}`, body))
		b.ResetTimer()
		for i := 0; i < b.N; i++ {
			_, err := end.Write(frame)
			check(b, err)
			header := make([]byte, headerSize)
			_, err = io.ReadFull(end, header)
			check(b, err)
			_, err = io.ReadFull(end, make([]byte, binary.BigEndian.Uint32(header)))
			check(b, err)
		}
	})
}

// BenchmarkSplices is the part of Repair that this package does itself after the answer.
func BenchmarkSplices(b *testing.B) {
	eachSize(b, true, func(b *testing.B, body []byte, _ benchBody) {
		splices := []Splice{{Offset: len(body) / 2, Length: 10, Text: "x"}}
		for i := 0; i < b.N; i++ {
			_, err := spliced(body, splices)
			check(b, err)
		}
	})
}

// nowhere takes requests and answers nothing.
type nowhere struct{}

func (nowhere) RoundTrip(req *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, req.Body)
	_ = req.Body.Close()
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody}, nil
}

// BenchmarkTransport is what the guard adds to a request, streams' opening included.
func BenchmarkTransport(b *testing.B) {
	d := realDaemon(b)
	c := d.client(b)
	for _, streams := range []bool{false, true} {
		b.Run(fmt.Sprintf("stream=%v", streams), func(b *testing.B) {
			if streams {
				d.serves(b, c, "stream.open")
			}
			guard := NewTransport(c, FailClosed)
			guard.Base = nowhere{}
			eachSize(b, false, func(b *testing.B, _ []byte, value benchBody) {
				value.Stream = streams
				body, err := json.Marshal(value)
				check(b, err)
				b.ResetTimer()
				for i := 0; i < b.N; i++ {
					req, err := http.NewRequest(http.MethodPost, "http://x/v1/messages", strings.NewReader(string(body)))
					check(b, err)
					_, err = guard.RoundTrip(req)
					check(b, err)
				}
			})
		})
	}
}

// BenchmarkFilterSSE is one turn with a web search, from opening to end.
func BenchmarkFilterSSE(b *testing.B) {
	d := realDaemon(b)
	c := d.client(b)
	d.serves(b, c, "stream.open")
	b.SetBytes(int64(len(searchStream)))
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		f, err := c.FilterSSE(context.Background(), strings.NewReader(searchStream), nil)
		check(b, err)
		_, err = io.Copy(io.Discard, f)
		check(b, err)
	}
}
