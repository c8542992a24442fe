// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// A provider's stream with a web search between two texts. The call's input comes in deltas.
const searchStream = `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":5,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: ping
data: {"type":"ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Let me look: é"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"query\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"go\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://go.dev","title":"Go","encrypted_content":"RU5D","page_age":null}]}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: content_block_start
data: {"type":"content_block_start","index":3,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"Found."}}

event: content_block_stop
data: {"type":"content_block_stop","index":3}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}

event: message_stop
data: {"type":"message_stop"}

`

// before returns the part of searchStream before a text.
func before(text string) string { return searchStream[:strings.Index(searchStream, text)] }

// streaming gives a client of a real daemon that serves streams.
func streaming(t *testing.T) *Client {
	d := realDaemon(t)
	c := d.client(t)
	d.serves(t, c, "stream.open")
	return c
}

func TestStreamByHand(t *testing.T) {
	c := streaming(t)
	ctx := inTime(t)
	s, err := c.Stream(ctx, nil)
	check(t, err)
	defer s.Close()
	_, err = s.Turn()
	wants(t, err, ErrStream)
	var types []string
	feed := func(text string) {
		outputs, err := s.Feed(ctx, []byte(text))
		check(t, err)
		for _, o := range outputs {
			types = append(types, o.Type)
		}
	}
	cut := len(before(`event: content_block_start
data: {"type":"content_block_start","index":2`))
	feed(searchStream[:cut])
	if got := strings.Join(types, " "); got != "text_start text_delta text_end" {
		t.Fatal("half of a pair left: " + got)
	}
	types = nil
	feed(searchStream[cut:])
	want := "source tool_input_start tool_input_end tool_call tool_result text_start text_delta text_end"
	if got := strings.Join(types, " "); !strings.HasPrefix(got, want) || s.Open() {
		t.Fatal(got)
	}
	_, err = s.Feed(ctx, []byte("more"))
	wants(t, err, ErrStreamFinished)
	turn, err := s.Finish(ctx)
	check(t, err)
	if turn.Finish.Reason != "stop" || turn.Finish.StopReason != "end_turn" || turn.Finish.Usage.OutputTokens != 9 ||
		turn.Finish.ID != "msg_1" || len(turn.Finish.PendingOperations) != 0 || len(turn.Seal) == 0 ||
		!bytes.Contains(turn.Message, []byte(`"input":{"query":"go"}`)) {
		t.Fatalf("%s", turn.Raw)
	}
	again, err := s.Turn()
	if err != nil || again != turn {
		t.Fatal(err)
	}
	_, err = s.Finish(ctx)
	wants(t, err, ErrClosed)
}

func TestStreamFaults(t *testing.T) {
	c := streaming(t)
	ctx := inTime(t)
	for _, test := range []struct {
		text, why string
		kinds     []Name
		retryable bool
	}{
		{before(`event: content_block_start
data: {"type":"content_block_start","index":2`), "", []Name{"incomplete_operation", "truncated_stream"}, true},
		{before(`event: message_delta`), "connection reset", []Name{"transport_error"}, true},
		{strings.Replace(searchStream, `"tool_use_id":"srvtoolu_1"`, `"tool_use_id":"srvtoolu_2"`, 1), "",
			[]Name{"orphan_result"}, false},
	} {
		s, err := c.Stream(ctx, &StreamParams{Emit: EmitEvents})
		check(t, err)
		_, err = s.Feed(ctx, []byte(test.text))
		check(t, err)
		if test.why == "" {
			_, err = s.Finish(ctx)
		} else {
			_, err = s.Fail(ctx, test.why)
		}
		var fault *PairingError
		if !errors.As(err, &fault) || fault.Kind != test.kinds[0] || fault.Retryable != test.retryable ||
			Retryable(err) != test.retryable || len(fault.Kinds) != len(test.kinds) {
			t.Fatal(err)
		}
		for _, kind := range test.kinds {
			wants(t, err, kind)
		}
	}
}

func TestStreamCarriesOver(t *testing.T) {
	c := streaming(t)
	ctx := inTime(t)
	paused := json.RawMessage(`[{"role":"user","content":"q"},{"role":"assistant","content":[
		{"type":"server_tool_use","id":"srvtoolu_9","name":"web_search","input":{}}]}]`)
	for _, params := range []*StreamParams{
		{History: paused},
		{Request: json.RawMessage(`{"model": "m", "messages": ` + string(paused) + ` }`)},
		{CarryIn: []Operation{{ID: "srvtoolu_9", Name: "web_search"}}},
	} {
		s, err := c.Stream(ctx, params)
		check(t, err)
		if len(s.Carried) != 1 || s.Carried[0].ID != "srvtoolu_9" || s.Carried[0].Name != "web_search" {
			t.Fatalf("%+v", s.Carried)
		}
		check(t, s.Close())
	}
	_, err := c.Stream(ctx, &StreamParams{Emit: "smoke"})
	wants(t, err, ErrInvalidParams)
	for _, params := range []*StreamParams{{History: json.RawMessage(`{}`)}, {Request: json.RawMessage(`[]`)}} {
		_, err = c.Stream(ctx, params)
		wants(t, err, ErrNotEncodable)
	}
	_, err = c.Stream(ctx, &StreamParams{History: paused, Request: json.RawMessage(`{"messages": []}`)})
	wants(t, err, ErrInvalidParams)
}

func TestPair(t *testing.T) {
	c := streaming(t)
	response := `{"id":"m","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","usage":{},
		"content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"a" : 1.0}}%]}`
	turn, err := c.Pair(inTime(t), json.RawMessage(strings.Replace(response, "%",
		`,{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`, 1)), nil)
	check(t, err)
	if len(turn.Outputs) == 0 || !bytes.Contains(turn.Message, []byte(`"input":{"a" : 1.0}`)) {
		t.Fatalf("%s", turn.Raw)
	}
	_, err = c.Pair(inTime(t), json.RawMessage(strings.Replace(response, "%", "", 1)), nil)
	wants(t, err, Name("incomplete_operation"))
	_, err = c.Pair(inTime(t), json.RawMessage(`[]`), nil)
	wants(t, err, ErrNotEncodable)
}

// Whatever the source's cuts, the bytes that come out are the same.
func TestFilterInAnyChunking(t *testing.T) {
	c := streaming(t)
	ctx := inTime(t)
	filtered := func(source io.Reader) string {
		f, err := c.FilterSSE(ctx, source, nil)
		check(t, err)
		defer f.Close()
		out, err := io.ReadAll(f)
		check(t, err)
		turn, err := f.Turn()
		check(t, err)
		if turn.Finish.StopReason != "end_turn" {
			t.Fatalf("%s", turn.Raw)
		}
		return string(out)
	}
	whole := filtered(strings.NewReader(searchStream))
	if !strings.HasSuffix(whole, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n") ||
		strings.Count(whole, "event: ") != 14 { // 16, less the deltas of the call's input
		t.Fatal(whole)
	}
	for name, source := range map[string]io.Reader{
		"bytes":      iotest.OneByteReader(strings.NewReader(searchStream)),
		"halves":     iotest.HalfReader(strings.NewReader(searchStream)),
		"EOF at end": iotest.DataErrReader(strings.NewReader(searchStream)),
	} {
		if got := filtered(source); got != whole {
			t.Errorf("%s: %s", name, got)
		}
	}
	for cut := 0; cut < len(searchStream); cut += 7 {
		if got := filtered(io.MultiReader(strings.NewReader(searchStream[:cut]), strings.NewReader(searchStream[cut:]))); got != whole {
			t.Fatalf("cut at %d: %s", cut, got)
		}
	}
	f, err := c.FilterSSE(ctx, strings.NewReader(searchStream), nil)
	check(t, err)
	check(t, iotest.TestReader(f, []byte(whole)))
}

func TestFilterIsLive(t *testing.T) {
	c := streaming(t)
	source, provider := io.Pipe()
	f, err := c.FilterSSE(inTime(t), source, nil)
	check(t, err)
	defer f.Close()
	go func() { _, _ = io.WriteString(provider, before("event: content_block_stop")) }()
	got, part := "", make([]byte, 4096)
	for !strings.Contains(got, "Let me look") { // and the provider says nothing more
		n, err := f.Read(part)
		check(t, err)
		got += string(part[:n])
	}
}

func TestFilterFaults(t *testing.T) {
	c := streaming(t)
	read := func(source io.Reader) (string, error, error) {
		f, err := c.FilterSSE(inTime(t), source, nil)
		check(t, err)
		out, err := io.ReadAll(f)
		_, fault := f.Turn()
		check(t, f.Close())
		return string(out), err, fault
	}
	lost := errors.New("lost")
	out, err, fault := read(io.MultiReader(strings.NewReader(before("event: message_delta")), iotest.ErrReader(lost)))
	if !errors.Is(err, lost) || !errors.Is(fault, Name("transport_error")) || !strings.Contains(out, "event: error\n") {
		t.Fatal(out, err, fault)
	}
	out, err, fault = read(strings.NewReader(before(`event: content_block_start
data: {"type":"content_block_start","index":2`)))
	if err != nil || !errors.Is(fault, Name("incomplete_operation")) || !strings.Contains(out, "event: error\n") ||
		strings.Contains(out, "srvtoolu_1\",\"name") {
		t.Fatal(out, err, fault)
	}
}

func TestFilterWhenTheDaemonGoes(t *testing.T) {
	d := play(t, func(p peer) {
		p.result(p.next(), `{"state":"open","outputs":[]}`)
		p.result(p.next(), `{"state":"open","outputs":[{"type":"sse","data":"a"}]}`)
	})
	f, err := d.client(t).FilterSSE(inTime(t), iotest.OneByteReader(strings.NewReader("xyz")), nil)
	check(t, err)
	out, err := io.ReadAll(f)
	wants(t, err, ErrConnectionLost)
	if string(out) != "a" {
		t.Fatalf("%q", out)
	}
	_, err = f.Turn()
	wants(t, err, ErrConnectionLost)
}

func TestStreamCancelled(t *testing.T) {
	d := play(t, func(p peer) { p.result(p.next(), `{"state":"open","outputs":[]}`); p.next(); p.next() })
	s, err := d.client(t).Stream(inTime(t), nil)
	check(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err = s.Feed(ctx, []byte("x"))
	wants(t, err, context.DeadlineExceeded)
	_, err = s.Feed(inTime(t), []byte("x"))
	wants(t, err, context.DeadlineExceeded) // over, and why
	check(t, s.Close())
}

func TestStreamIsKeptAlive(t *testing.T) {
	pings := make(chan bool, 100)
	d := play(t, func(p peer) {
		for c := p.next(); c != nil; c = p.next() {
			if c.Method == "ping" {
				pings <- true
			}
			p.result(c, `{"state":"open","outputs":[],"pong":true}`)
		}
	})
	s, err := d.client(t).Stream(inTime(t), nil)
	check(t, err)
	s.mutex.Lock()
	s.pause = time.Millisecond
	s.alive.Reset(s.pause)
	s.mutex.Unlock()
	for i := 0; i < 3; i++ {
		select {
		case <-pings:
		case <-time.After(patience):
			t.Fatal("no ping")
		}
	}
	_, err = s.Feed(inTime(t), []byte("x"))
	check(t, err)
	check(t, s.Close())
}

func TestForgottenFilterEndsWithItsContext(t *testing.T) {
	ended := make(chan bool)
	d := play(t, func(p peer) {
		for c := p.next(); c != nil; c = p.next() {
			p.result(c, `{"state":"open","outputs":[]}`)
		}
		close(ended)
	})
	ctx, cancel := context.WithCancel(context.Background())
	f, err := d.client(t).FilterSSE(ctx, strings.NewReader(""), nil)
	check(t, err)
	cancel()
	s := f.pump.stream
	s.mutex.Lock()
	s.pause = time.Millisecond
	s.alive.Reset(s.pause)
	s.mutex.Unlock()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatal("it is kept alive")
	}
	_, err = f.Turn()
	wants(t, err, context.Canceled)
}

func TestStreamAnswersOfAnotherShape(t *testing.T) {
	for _, answer := range []string{`{}`, `{"state":"open"}`, `{"outputs":[]}`, `{"state":"open","outputs":{}}`} {
		d := play(t, answers(`{"state":"open","outputs":[]}`, answer))
		s, err := d.client(t).Stream(inTime(t), nil)
		check(t, err)
		_, err = s.Feed(inTime(t), []byte("x"))
		wants(t, err, ErrProtocol)
	}
	for _, answer := range []string{`{}`, `{"state":"done","outputs":[]}`, `{"state":"failed","outputs":[],"error":{}}`} {
		_, err := play(t, answers(answer)).client(t).Pair(inTime(t), json.RawMessage(`{}`), nil)
		wants(t, err, ErrProtocol)
	}
}
