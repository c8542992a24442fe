// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"fmt"
)

// Params are the parameters of Validate, Repair, RepairTurn, Fit and Prepare except for the document (PROTOCOL.md,
// sections 4 and 5). What is left zero isn't sent: the daemon's default holds. Which method takes
// which is for the daemon to say; it refuses what it doesn't know ([ErrInvalidParams]).
type Params struct {
	Provider      string // whose rules hold, as ProviderOpenAIChat; default: ProviderAnthropic
	Dialect       string // the shape of the messages, as DialectAISdk; default: the provider's own
	Target        *Target
	Policy        interface{}     // a name, or anything that encoding/json makes an object of
	MaxViolations *int            // how many findings to list; 0: none, all are counted in any case
	Betas         []string        // the request's anthropic-beta values
	Provenance    string          // "wire"; "rebuilt": turns were put together again from parts
	Seals         json.RawMessage // a list: {"seal": what Seal gave}, perhaps with "message_index"

	// Unguarded asks Repair for a clean-up that never fails: what remains is listed.
	Unguarded bool
	// ReturnRemoved asks Repair, Fit and Prepare for what they removed or replaced: Quarantine of the result.
	ReturnRemoved bool

	// StopReason and CarryIn concern RepairTurn.
	StopReason string
	CarryIn    []Operation
}

// Target says where a request goes, which turns on rules that hold only there.
type Target struct {
	Endpoint string `json:"endpoint,omitempty"` // as EndpointVertex
	Model    string `json:"model,omitempty"`
	// Server is the one that copies the API, where Endpoint is "compatible": ServerGroq and others.
	Server string `json:"server,omitempty"`
}

// An Operation is a provider-executed call that a turn left open, to be answered in a later one.
type Operation struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	Type string `json:"type,omitempty"`
}

// A field is a parameter; given: it differs from its default.
type field struct {
	name  string
	value interface{}
	given bool
}

func (p *Params) fields() []field {
	if p == nil {
		return nil
	}
	return []field{
		{"provider", p.Provider, p.Provider != ""},
		{"dialect", p.Dialect, p.Dialect != ""},
		{"target", p.Target, p.Target != nil},
		{"policy", p.Policy, p.Policy != nil},
		{"max_violations", p.MaxViolations, p.MaxViolations != nil},
		{"betas", p.Betas, len(p.Betas) > 0},
		{"provenance", p.Provenance, p.Provenance != ""},
		{"seals", p.Seals, p.Seals != nil},
		{"guard", false, p.Unguarded},
		{"return_removed", true, p.ReturnRemoved},
		{"stop_reason", p.StopReason, p.StopReason != ""},
		{"carry_in", p.CarryIn, len(p.CarryIn) > 0},
	}
}

// with adds those fields that are given.
func (q *request) with(fields []field) error {
	for _, f := range fields {
		if !f.given {
			continue
		}
		value, err := encode(f.value)
		if err != nil {
			return err
		}
		q.add(f.name, value)
	}
	return nil
}

// Validate finds all that is wrong with a history: a list of messages, or a whole request body,
// which enables the rules that need to see its tools, system prompt and so on.
func (c *Client) Validate(ctx context.Context, document json.RawMessage, params *Params) (*Report, error) {
	q, err := judge("validate", document, params)
	if err != nil {
		return nil, err
	}
	report, raw, err := ask[Report](ctx, c, q, "valid", "violations")
	if err != nil {
		return nil, err
	}
	report.Raw = raw
	return report, nil
}

// Repair makes a history acceptable to the provider. document is a list of messages or a whole
// request body; it isn't changed, and what no edit touched has the same bytes in the result.
//
// Where no allowed edit makes it safe, the error is an [*UnsafeHistoryError], unless
// params.Unguarded is set.
func (c *Client) Repair(ctx context.Context, document json.RawMessage, params *Params) (*Repaired, error) {
	q, err := judge("repair", document, params)
	if err != nil {
		return nil, err
	}
	r, err := c.repair(ctx, q, document)
	if err == nil && !r.Safe && (params == nil || !params.Unguarded) {
		return nil, protocolError("a guard that lets an unsafe history pass")
	}
	return r, err
}

// RepairTurn repairs the content of one assistant turn, a list of parts, before it is stored.
func (c *Client) RepairTurn(ctx context.Context, content json.RawMessage, params *Params) (*Repaired, error) {
	parts := container(content)
	if parts == nil || parts[0] != '[' {
		return nil, local(ErrNotEncodable, "the content of a turn is a list", nil)
	}
	q := &request{method: "repair_turn"}
	q.add("content", parts)
	if err := q.with(params.fields()); err != nil {
		return nil, err
	}
	return c.repair(ctx, q, content)
}

// Redact gives a copy of a list of messages, or of a whole request body, for a bug report: every text, name, input,
// output, id and signature is replaced by others of the same length and kind, and Validate says the same of it. White
// space, punctuation and the protocol's words stay: read it before you publish it. Of params Provider and Dialect may
// be set; they change nothing.
func (c *Client) Redact(ctx context.Context, document json.RawMessage, params *Params) (json.RawMessage, error) {
	type redacted struct {
		Messages json.RawMessage `json:"messages"`
		Request  json.RawMessage `json:"request"`
	}
	q, err := judge("redact", document, params)
	if err != nil {
		return nil, err
	}
	r, _, err := ask[redacted](ctx, c, q)
	if err != nil {
		return nil, err
	}
	if found := append(r.Messages, r.Request...); len(found) > 0 {
		return found, nil
	}
	return nil, protocolError("no redacted document")
}

// Detect says whose history a list of messages, or a whole request body, is: the provider, the dialect, the endpoint.
func (c *Client) Detect(ctx context.Context, document json.RawMessage) (*Detected, error) {
	q, err := judge("detect", document, nil)
	if err != nil {
		return nil, err
	}
	found, raw, err := ask[Detected](ctx, c, q, "provider", "sure", "because")
	if err != nil {
		return nil, err
	}
	found.Raw = raw
	return found, nil
}

// Explain finds the rules that a provider's refusal belongs to, by its words: the text of an SDK's error will do, up to
// 65,536 bytes. provider: only the rules of this one; "": of all. Besides the judged ones it may be "bedrock" or "gemini".
func (c *Client) Explain(ctx context.Context, text, provider string) (*Explanation, error) {
	q := &request{method: "explain"}
	fields := []field{{"text", text, true}, {"provider", provider, provider != ""}}
	if err := q.with(fields); err != nil {
		return nil, err
	}
	found, raw, err := ask[Explanation](ctx, c, q, "matches")
	if err != nil {
		return nil, err
	}
	found.Raw = raw
	return found, nil
}

// ReportMiss counts a request that the provider refused, with this HTTP status and text, although it was called sound. It
// gives the code of the rule that the words belong to; "": they are no rule's. The daemon counts it in Stats, Misses. The
// text is neither kept nor logged.
func (c *Client) ReportMiss(ctx context.Context, status int, text, provider string) (code string, err error) {
	type counted struct {
		Code string `json:"code"`
	}
	q := &request{method: "report_miss"}
	fields := []field{{"status", status, true}, {"text", text, true}, {"provider", provider, true}}
	if err := q.with(fields); err != nil {
		return "", err
	}
	miss, _, err := ask[counted](ctx, c, q, "code")
	if err != nil {
		return "", err
	}
	return miss.Code, nil
}

// Ping asks for an answer and nothing else.
func (c *Client) Ping(ctx context.Context) error {
	type pong struct {
		Pong bool `json:"pong"`
	}
	_, _, err := ask[pong](ctx, c, &request{method: "ping"}, "pong")
	return err
}

// Health asks how the daemon is.
func (c *Client) Health(ctx context.Context) (*Health, error) {
	health, raw, err := ask[Health](ctx, c, &request{method: "health"}, "status")
	if err != nil {
		return nil, err
	}
	health.Raw = raw
	return health, nil
}

// Stats asks for the daemon's counters.
func (c *Client) Stats(ctx context.Context) (*Stats, error) {
	stats, raw, err := ask[Stats](ctx, c, &request{method: "stats"}, "counters")
	if err != nil {
		return nil, err
	}
	stats.Raw = raw
	return stats, nil
}

// Info asks what the daemon serves and judges.
func (c *Client) Info(ctx context.Context) (*Info, error) {
	info, raw, err := ask[Info](ctx, c, &request{method: "info"}, "protocol")
	if err != nil {
		return nil, err
	}
	info.Raw = raw
	return info, nil
}

// CheckProtocol fails with [ErrUnsupportedProtocol] if the daemon speaks another version of the
// protocol than this package.
func (c *Client) CheckProtocol(ctx context.Context) error {
	_, err := c.checked(ctx)
	return err
}

// checked gives what the daemon says of itself, if CheckProtocol finds nothing wrong with it.
func (c *Client) checked(ctx context.Context) (*Info, error) {
	info, err := c.Info(ctx)
	if err != nil {
		return nil, err
	}
	if info.Protocol != Protocol {
		text := fmt.Sprintf("the daemon speaks protocol %d, this client %d", info.Protocol, Protocol)
		return nil, c.at(local(ErrUnsupportedProtocol, text, nil))
	}
	return info, nil
}

// Call calls any method by its name and gives the result as it came. params is nil or an object: a
// json.RawMessage and the values of a map[string]json.RawMessage go out byte for byte, everything
// else as encoding/json writes it. Streams need a connection of their own: see [Client.Stream].
func (c *Client) Call(ctx context.Context, method string, params interface{}) (json.RawMessage, error) {
	q, err := plainRequest(method, params)
	if err != nil {
		return nil, err
	}
	return c.do(ctx, q)
}

// ask makes a call and decodes its result, which it also gives as it came.
func ask[T any](ctx context.Context, c *Client, q *request, needed ...string) (*T, json.RawMessage, error) {
	raw, err := c.do(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	result := new(T)
	if err := read(raw, result, needed...); err != nil {
		return nil, nil, err
	}
	return result, raw, nil
}

// judge makes the request for a document.
func judge(method string, document json.RawMessage, params *Params) (*request, error) {
	whole := outline(document)
	if whole == nil {
		return nil, local(ErrNotEncodable, "a document is a list of messages or a request body", nil)
	}
	q := &request{method: method}
	if whole[0] == '[' {
		q.addUnread("messages", whole)
	} else {
		q.addUnread("request", whole)
	}
	return q, q.with(params.fields())
}

func (c *Client) repair(ctx context.Context, q *request, document json.RawMessage) (*Repaired, error) {
	r, raw, err := askForSplices[Repaired](ctx, c, q, "changed", "safe")
	if err != nil {
		return nil, err
	}
	r.Raw = raw
	if r.Changed != (len(r.Splices) > 0) {
		return nil, protocolError("a change without its splices")
	}
	r.Document, err = spliced(document, r.Splices)
	return r, err
}
