// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"context"
	"encoding/json"
)

// Operations on a request before it is sent: what they change is changed in the caller's own bytes.

// SpliceParams are the parameters of Splice except for history and turn (PROTOCOL.md 5.5). What is left zero
// isn't sent: the daemon's default holds.
type SpliceParams struct {
	// Provider, Dialect and Target as in Params; Prepare has them there, for all its steps.
	Provider string
	Dialect  string
	Target   *Target

	// ToolResults is a list of the runner's results, in any order: {"id", "content", "is_error"} for every
	// provider, or as the provider takes them, for Anthropic tool_result blocks.
	ToolResults json.RawMessage
	Appended    json.RawMessage // a list: the caller's messages, in their order
	Container   string          // the container id that the caller pinned

	Mode                string // "repair", or "strict": refuse instead of filling, dropping, textifying
	Merge               string // "separate", or "single": neighbouring user messages become one
	OnAssistantConflict string // "error", "replace"
	Compaction          string // "keep", "replace"
	Choice              int    // which choice or candidate of the response is the turn
	State               string // "auto", or "chain": the server has the history
}

func (p *SpliceParams) fields() []field {
	if p == nil {
		return nil
	}
	return append([]field{
		{"provider", p.Provider, p.Provider != ""},
		{"dialect", p.Dialect, p.Dialect != ""},
		{"target", p.Target, p.Target != nil},
	}, p.step()...)
}

// step gives the fields that the step splice of Prepare has, too.
func (p *SpliceParams) step() []field {
	if p == nil {
		return nil
	}
	options := map[string]interface{}{}
	for name, value := range map[string]string{"mode": p.Mode, "merge": p.Merge,
		"on_assistant_conflict": p.OnAssistantConflict, "compaction": p.Compaction, "state": p.State} {
		if value != "" {
			options[name] = value
		}
	}
	if p.Choice != 0 {
		options["choice"] = p.Choice
	}
	return []field{
		{"tool_results", p.ToolResults, p.ToolResults != nil},
		{"appended", p.Appended, p.Appended != nil},
		{"container", p.Container, p.Container != ""},
		{"options", options, len(options) > 0},
	}
}

// A Spliced is what to do after a turn, and with which history.
type Spliced struct {
	// Document is the document with the turn, its results and what was appended, in the form of the
	// argument: a body or a list of messages. The history in it has its bytes.
	Document json.RawMessage `json:"-"`

	Action   string                     `json:"action"` // "continue", "resume", or "stop": send nothing
	Notes    []string                   `json:"notes"`
	Deferred json.RawMessage            `json:"deferred"` // a list to hand in as Appended next time, or nil
	Set      map[string]json.RawMessage `json:"set"`      // members to be set, by pointer; in a body they are
	Splices  []Splice                   `json:"splices"`
	Raw      json.RawMessage            `json:"-"`
}

// Stops tells whether nothing is to be sent.
func (s *Spliced) Stops() bool { return s.Action == "stop" }

// Splice adds a turn, its results and what the caller appended to a history, in an order that the
// provider accepts. document is what was sent to get the turn: a list of messages or a whole request
// body. assistant is the turn as received: the whole response body, or what the provider has in it, a
// message, a choice, a list of items. Neither is changed.
//
// Where no order is right the error is a [*RemoteError]: [ErrRefused], and a name that says why.
func (c *Client) Splice(ctx context.Context, document, assistant json.RawMessage, params *SpliceParams) (*Spliced, error) {
	whole := container(document)
	turn := container(assistant)
	if whole == nil || turn == nil {
		return nil, local(ErrNotEncodable, "a history is a list or a request body, a turn an object or a list", nil)
	}
	q := &request{method: "splice"}
	if whole[0] == '[' {
		q.add("messages", whole)
	} else {
		q.add("request", whole)
	}
	q.add("assistant", turn)
	if err := q.with(params.fields()); err != nil {
		return nil, err
	}
	s, raw, err := askForSplices[Spliced](ctx, c, q, "action")
	if err != nil {
		return nil, err
	}
	s.Raw = raw
	s.Document, err = spliced(document, s.Splices)
	return s, err
}

// ToolsParams are the parameters of Tools except for the document (PROTOCOL.md 5.6), as SpliceParams.
type ToolsParams struct {
	// Add has entries as the provider takes them (anything that encoding/json makes an object of) and
	// wishes, as "web_search" or {"want": ...}. Nil asks for beta values alone.
	Add         []interface{}
	OnConflict  string   // "replace", "newest", "keep_base", "replace_custom"
	Betas       []string // lines of the caller's anthropic-beta header
	Provider    string   // "anthropic", "openai-responses", "azure-responses", "gemini", "xai-responses"
	Target      *Target
	Call        string // "messages", "count_tokens"
	Interleaved bool   // thinking between calls is wanted
	LegacyBetas bool   // also the values that web tools needed once
}

func (p *ToolsParams) fields() []field {
	if p == nil {
		return nil
	}
	return []field{
		{"add", p.Add, p.Add != nil},
		{"on_conflict", p.OnConflict, p.OnConflict != ""},
		{"betas", p.Betas, len(p.Betas) > 0},
		{"provider", p.Provider, p.Provider != ""},
		{"target", p.Target, p.Target != nil},
		{"call", p.Call, p.Call != ""},
		{"interleaved", true, p.Interleaved},
		{"legacy_betas", true, p.LegacyBetas},
	}
}

// MergedTools are tools with what was added, and the header values that the request needs.
type MergedTools struct {
	// Document is the document with the additions, in the form of the argument: a body, or a list of
	// tools. Entries that weren't replaced have their bytes.
	Document json.RawMessage `json:"-"`

	Changed    bool              `json:"changed"`
	Headers    map[string]string `json:"headers"` // to be sent
	Betas      []string          `json:"betas"`
	AddedBetas []string          `json:"added_betas"` // those that the caller didn't have
	MCPServers json.RawMessage   `json:"mcp_servers"` // a list: entries of the request's member, new or replaced
	Notes      []string          `json:"notes"`
	Splices    []Splice          `json:"splices"`
	Raw        json.RawMessage   `json:"-"`
}

// Tools adds tools to a request and names the beta values that it needs. document is a whole request
// body or a list of tools; nil or null is an empty one. It isn't changed.
//
// If two entries exclude each other the error is a [*RemoteError]: [ErrRefused], and a
// name that says why.
func (c *Client) Tools(ctx context.Context, document json.RawMessage, params *ToolsParams) (*MergedTools, error) {
	if len(trimmed(document)) == 0 {
		document = json.RawMessage("null")
	}
	q := &request{method: "tools"}
	switch whole := container(document); {
	case whole == nil && string(trimmed(document)) == "null":
		q.add("tools", trimmed(document))
	case whole == nil:
		return nil, local(ErrNotEncodable, "tools are a list, null, or those of a request body", nil)
	case whole[0] == '[':
		q.add("tools", whole)
	default:
		q.add("request", whole)
	}
	if err := q.with(params.fields()); err != nil {
		return nil, err
	}
	m, raw, err := askForSplices[MergedTools](ctx, c, q, "changed", "betas")
	if err != nil {
		return nil, err
	}
	m.Raw = raw
	m.Document, err = spliced(document, m.Splices)
	if err == nil && string(trimmed(m.Document)) == "null" {
		m.Document = json.RawMessage("[]")
	}
	return m, err
}

// SealParams are the parameters of Seal except for the turn (PROTOCOL.md 5.7).
type SealParams struct {
	Request json.RawMessage // the whole body that got this turn as its answer; nil: none
	Blocks  bool            // carry the blocks, so that they can be restored
}

// Seal fingerprints an assistant turn as it was received: its content (a list or a string), or the
// whole message. Keep what it gives with the turn, and give it back in Params.Seals.
func (c *Client) Seal(ctx context.Context, turn json.RawMessage, params *SealParams) (json.RawMessage, error) {
	type sealed struct {
		Seal json.RawMessage `json:"seal"`
	}
	turn = bytes.TrimSpace(turn)
	if len(turn) == 0 {
		return nil, local(ErrNotEncodable, "a turn is its content, or a message", nil)
	}
	q := &request{method: "seal"}
	if turn[0] == '{' {
		q.add("message", turn)
	} else {
		q.add("content", turn)
	}
	if params != nil {
		if params.Request != nil {
			q.add("request", params.Request)
		}
		if params.Blocks {
			q.add("blocks", json.RawMessage("true"))
		}
	}
	s, _, err := ask[sealed](ctx, c, q, "seal")
	if err != nil {
		return nil, err
	}
	return s.Seal, nil
}
