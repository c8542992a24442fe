// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"sync"
	"time"
)

// Forms in which a stream's outputs leave (STREAM.md, section 8).
const (
	EmitParts  = "parts"
	EmitEvents = "events"
	EmitSSE    = "sse"
	EmitWire   = "wire" // the framing of the input
)

const (
	feedSize       = 1 << 20          // bytes in one stream.feed; well below any max_frame
	keepAlivePause = 60 * time.Second // its idle_timeout, 300 s, counts even while streams are open
)

// StreamParams are the parameters of Stream and Pair. What is left zero isn't sent.
type StreamParams struct {
	Provider      string
	Wire          string          // Stream only: the framing of the bytes: "sse", "eventstream", "json"; default: the provider's
	StartingAfter *int64          // Stream only: the number of the last event before a response that is read on
	Emit          string          // EmitParts (the default), EmitEvents, EmitSSE; of Stream also EmitWire
	ProviderInput string          // "whole" or "deltas", of EmitEvents and EmitSSE
	CarryIn       []Operation     // operations that the turn before left open
	History       json.RawMessage // the messages sent with the request; open operations are read from it
	Request       json.RawMessage // the whole request body, instead of History
	Policy        interface{}
	MaxBuffer     int // Stream only: bytes that it may be fed
}

func (p *StreamParams) fields() []field {
	if p == nil {
		return nil
	}
	return []field{
		{"provider", p.Provider, p.Provider != ""},
		{"wire", p.Wire, p.Wire != ""},
		{"starting_after", p.StartingAfter, p.StartingAfter != nil},
		{"emit", p.Emit, p.Emit != ""},
		{"provider_input", p.ProviderInput, p.ProviderInput != ""},
		{"carry_in", p.CarryIn, len(p.CarryIn) > 0},
		{"policy", p.Policy, p.Policy != nil},
		{"max_buffer", p.MaxBuffer, p.MaxBuffer != 0},
	}
}

// request makes the request of stream.open or pair.
func (p *StreamParams) request(method, first string, value []byte) (*request, error) {
	q := &request{method: method}
	q.add(first, value)
	if p != nil && p.History != nil {
		history := container(p.History)
		if history == nil || history[0] != '[' {
			return nil, local(ErrNotEncodable, "the history of a stream is a list of messages", nil)
		}
		q.add("history", history)
	}
	if p != nil && p.Request != nil {
		body := outline(p.Request)
		if body == nil || body[0] != '{' {
			return nil, local(ErrNotEncodable, "the request of a stream is a whole body", nil)
		}
		q.addUnread("request", body)
	}
	return q, q.with(p.fields())
}

// An Output is what a stream releases: a part, an event, or SSE bytes.
type Output struct {
	Type string
	Raw  json.RawMessage
}

// Decode reads an output's members into a struct or map of yours.
func (o Output) Decode(into interface{}) error { return json.Unmarshal(o.Raw, into) }

// Bytes gives the bytes of an output of a stream with EmitSSE or EmitWire; empty for all others.
func (o Output) Bytes() []byte {
	if data := lookup(o.Raw, "data"); len(data) > 0 && data[0] == '"' {
		return []byte(spelled(data))
	}
	if data := lookup(o.Raw, "data_base64"); len(data) > 0 && data[0] == '"' {
		packed, _ := base64.StdEncoding.DecodeString(spelled(data))
		return packed
	}
	return nil
}

// SSE gives what Bytes gives, of a stream with EmitSSE.
func (o Output) SSE() []byte { return o.Bytes() }

// A Turn is what a stream or response has become once it ended well.
type Turn struct {
	Finish   *Finish         `json:"finish"`
	Message  json.RawMessage `json:"message"` // in wire order, ready to store and to replay; null for items of Responses
	Turn     json.RawMessage `json:"turn"`    // entries, calls and more (STREAM-PROVIDERS.md 4); nil for Anthropic
	Seal     json.RawMessage `json:"seal"`
	Warnings map[string]int  `json:"warnings"`
	Outputs  []Output        `json:"-"` // those that only the end released; of Pair: all
	Raw      json.RawMessage `json:"-"`
}

// A Finish says how a turn ended.
type Finish struct {
	ID                string          `json:"id"`
	Model             string          `json:"model"`
	Reason            string          `json:"reason"`      // "stop", "length", "tool_calls", "content_filter", "unknown"
	StopReason        string          `json:"stop_reason"` // the provider's own
	StopSequence      *string         `json:"stop_sequence"`
	StopDetails       json.RawMessage `json:"stop_details"`
	Container         json.RawMessage `json:"container"`
	Usage             Usage           `json:"usage"`
	PendingOperations []Operation     `json:"pending_operations"`
}

// Usage counts tokens. Start and Delta are the provider's own objects, or null.
type Usage struct {
	InputTokens              int64           `json:"input_tokens"`
	CacheCreationInputTokens int64           `json:"cache_creation_input_tokens"`
	CacheReadInputTokens     int64           `json:"cache_read_input_tokens"`
	OutputTokens             int64           `json:"output_tokens"`
	TotalTokens              int64           `json:"total_tokens"`
	Start                    json.RawMessage `json:"start"`
	Delta                    json.RawMessage `json:"delta"`
}

// A Stream pairs provider-executed calls with their results while a provider's stream comes in. It
// has a connection for itself, which is kept alive while the provider is silent.
//
//	s, err := client.Stream(ctx, nil)
//	...
//	defer s.Close()
//	outputs, err := s.Feed(ctx, chunk)   // as often as bytes come
//	turn, err := s.Finish(ctx)           // Outputs, Message, Finish; or a *PairingError
//
// A step that fails or is cancelled ends the stream. [Client.FilterSSE] does all of it for SSE in,
// SSE out. Steps may come from several goroutines; they run one after the other.
type Stream struct {
	client *Client
	mutex  sync.Mutex
	conn   link  // nil once the stream is over
	over   error // why
	state  string
	alive  *time.Timer
	again  bool            // the next bytes come from a new connection
	pause  time.Duration   // without a step, until a ping
	life   context.Context // bounds the stream as a whole, if not nil
	turn   *Turn
	fault  error // why there is no turn
	// Carried are the operations that the history left open, to be answered in this stream.
	Carried []Operation
}

// The key of a stream: it is alone on its connection.
var streamKey = []byte(`"s"`)

// Stream opens a stream.
func (c *Client) Stream(ctx context.Context, params *StreamParams) (*Stream, error) {
	q, err := params.request("stream.open", "stream", streamKey)
	if err != nil {
		return nil, err
	}
	deadline := c.deadline(ctx)
	var s *Stream
	err = c.retry(ctx, deadline, func() (err error) {
		s, err = c.openStream(ctx, q, deadline)
		return err
	})
	return s, c.at(err)
}

func (c *Client) openStream(ctx context.Context, q *request, deadline time.Time) (*Stream, error) {
	// A new connection: an idle one may just be closing, and a stream's requests are never sent again.
	cn, err := c.connection(ctx, true, deadline)
	if err != nil {
		return nil, err
	}
	result, _, err := c.once(ctx, cn, q, deadline)
	if err != nil {
		if isLocal(err) {
			_ = cn.Close()
		} else {
			c.pool.put(cn)
		}
		return nil, err
	}
	s := &Stream{client: c, conn: cn, state: "open", pause: keepAlivePause}
	if carried := lookup(result, "carried"); carried != nil {
		if json.Unmarshal(carried, &s.Carried) != nil {
			_ = cn.Close()
			return nil, protocolError("a stream.open of another shape")
		}
	}
	s.alive = time.AfterFunc(s.pause, s.keepAlive)
	return s, nil
}

// isLocal tells an error that leaves its connection unusable.
func isLocal(err error) bool { return errors.As(err, new(*LocalError)) }

// Feed hands over bytes of the provider's stream, cut wherever they came cut.
func (s *Stream) Feed(ctx context.Context, data []byte) ([]Output, error) {
	var all []Output
	for first := true; first || len(data) > 0 && s.Open(); first = false {
		chunk := data[:atMost(len(data), feedSize)]
		data = data[len(chunk):]
		text := make([]byte, 2+base64.StdEncoding.EncodedLen(len(chunk)))
		base64.StdEncoding.Encode(text[1:], chunk)
		text[0], text[len(text)-1] = '"', '"'
		outputs, err := s.feed(ctx, "data_base64", text)
		if all = append(all, outputs...); err != nil {
			return all, err
		}
	}
	return all, nil
}

// Restart says that the next bytes come from a new connection to the provider, which reads the same response on: an
// unfinished frame is forgotten. Only Responses have that.
func (s *Stream) Restart() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.again = true
}

// FeedEvents hands over a list of event objects. A stream takes either bytes or events.
func (s *Stream) FeedEvents(ctx context.Context, events json.RawMessage) ([]Output, error) {
	list := container(events)
	if list == nil || list[0] != '[' {
		return nil, local(ErrNotEncodable, "events are a list", nil)
	}
	return s.feed(ctx, "events", list)
}

func (s *Stream) feed(ctx context.Context, form string, value []byte) ([]Output, error) {
	q := &request{method: "stream.feed"}
	q.add("stream", streamKey)
	q.add(form, value)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.again {
		q.add("restart", []byte("true"))
		s.again = false
	}
	result, err := s.step(ctx, q)
	if err != nil {
		return nil, err
	}
	state, outputs, err := stepped(result)
	if err != nil {
		s.end(err)
		return nil, err
	}
	s.state = state
	return outputs, nil
}

// Open tells whether the stream takes more: it had no message_stop yet, and no fault.
func (s *Stream) Open() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.conn != nil && s.state == "open"
}

// Finish says that the provider's stream has ended, and frees the connection. Where it didn't become
// a whole turn, the error is a [*PairingError].
func (s *Stream) Finish(ctx context.Context) (*Turn, error) { return s.finish(ctx, []byte("null")) }

// Fail says that the provider's stream broke off, and why, for people.
func (s *Stream) Fail(ctx context.Context, why string) (*Turn, error) {
	return s.finish(ctx, quoted(why))
}

func (s *Stream) finish(ctx context.Context, transportError []byte) (*Turn, error) {
	q := &request{method: "stream.end"}
	q.add("stream", streamKey)
	q.add("transport_error", transportError)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	result, err := s.step(ctx, q)
	if err != nil {
		return nil, err
	}
	cn := s.conn
	s.conn = nil
	s.end(local(ErrClosed, "the stream has ended", nil))
	s.client.pool.put(cn)
	s.turn, s.fault = ended(result)
	return s.turn, s.fault
}

// Turn gives again what Finish gave.
func (s *Stream) Turn() (*Turn, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case s.turn != nil || s.fault != nil:
		return s.turn, s.fault
	case s.over != nil:
		return nil, s.over
	}
	return nil, local(ErrStream, "the stream hasn't ended yet", nil)
}

// Close gives up a stream that isn't finished; its outcome is lost. It never fails.
func (s *Stream) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.end(local(ErrClosed, "the stream was closed", nil))
	return nil
}

// step makes one call on the stream's connection; the caller holds the mutex.
func (s *Stream) step(ctx context.Context, q *request) (json.RawMessage, error) {
	if s.conn == nil {
		return nil, s.over
	}
	if ctx.Err() != nil {
		err := interrupted(ctx)
		s.end(err)
		return nil, err
	}
	result, _, err := s.client.once(ctx, s.conn, q, s.client.deadline(ctx))
	if isLocal(err) || errors.Is(err, ErrAnswerTooLarge) { // after which the daemon has no stream any more
		s.end(s.client.at(err))
	} else {
		s.alive.Reset(s.pause)
	}
	return result, err
}

// end closes what is still open, for the reason why; the caller holds the mutex.
func (s *Stream) end(why error) {
	s.alive.Stop()
	if s.over == nil {
		s.over = why
	}
	if s.conn != nil {
		_ = s.conn.Close()
		s.conn = nil
	}
}

// keepAlive makes the connection look busy, unless nobody can want the stream any more.
func (s *Stream) keepAlive() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.life != nil && s.life.Err() != nil {
		s.end(interrupted(s.life))
	}
	if s.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), keepAlivePause)
	defer cancel()
	_, _ = s.step(ctx, &request{method: "ping"}) // a loss shows in the next step
}

// Pair pairs a whole response: the path of requests that don't stream. Where it isn't a whole turn,
// the error is a [*PairingError].
func (c *Client) Pair(ctx context.Context, response json.RawMessage, params *StreamParams) (*Turn, error) {
	whole := container(response)
	if whole == nil || whole[0] != '{' {
		return nil, local(ErrNotEncodable, "a response is an object", nil)
	}
	q, err := params.request("pair", "response", whole)
	if err != nil {
		return nil, err
	}
	result, err := c.do(ctx, q)
	if err != nil {
		return nil, err
	}
	return ended(result)
}

// stepped reads what every step of a stream answers.
func stepped(result json.RawMessage) (state string, outputs []Output, err error) {
	list := lookup(result, "outputs")
	if raw := lookup(result, "state"); len(raw) > 0 && raw[0] == '"' {
		state = spelled(raw)
	}
	whole := len(list) > 0 && list[0] == '[' && elements(list, func(s span) bool {
		raw := list[s.start:s.end:s.end]
		output := Output{Raw: raw}
		if kind := lookup(raw, "type"); len(kind) > 0 && kind[0] == '"' {
			output.Type = spelled(kind)
		}
		outputs = append(outputs, output)
		return true
	})
	if !whole || state == "" {
		return "", nil, protocolError("a step of a stream of another shape")
	}
	return state, outputs, nil
}

// ended reads what stream.end and pair answer.
func ended(result json.RawMessage) (*Turn, error) {
	state, outputs, err := stepped(result)
	if err != nil {
		return nil, err
	}
	turn := &Turn{Outputs: outputs, Raw: result}
	if state == "done" {
		if err := read(result, turn, "finish", "message"); err != nil {
			return nil, err
		}
		return turn, nil
	}
	fault := &PairingError{Outputs: outputs, Raw: lookup(result, "error"), Turn: lookup(result, "turn")}
	member(result, "warnings", &fault.Warnings)
	member(fault.Raw, "kinds", &fault.Kinds)
	member(fault.Raw, "retryable", &fault.Retryable)
	member(fault.Raw, "text", &fault.Text)
	if len(fault.Kinds) == 0 {
		return nil, protocolError("a failed stream without its kinds")
	}
	fault.Kind = fault.Kinds[0]
	return nil, fault
}
