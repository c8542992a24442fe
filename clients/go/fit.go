// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
)

// Values of FitStep.Unit, and what FitStep.Measures lists (FIT.md 1 and 4).
const (
	UnitBytes  = "bytes"
	UnitTokens = "tokens"

	MeasureResults   = "results"
	MeasureReasoning = "reasoning"
	MeasureMedia     = "media"
	MeasureRounds    = "rounds"
	MeasureLoops     = "loops"
)

// A FitStep is a budget, and how a history is fitted to it (FIT.md 1): in Fit, and as a step in Prepare. Over has to be
// given. What else is left zero isn't sent: the daemon's default holds.
type FitStep struct {
	Over          int64 // the budget: nothing is done while the size is at most this
	To            int64 // Over - To is the step of the cut; default: Over
	Unit          string
	Counts        []int // tokens of each entry, in order
	BytesPerToken int   // for entries without a count
	Overhead      int   // the size of what isn't in the list
	// Measures that may be taken; default: rounds and loops. An empty list that isn't nil is sent.
	Measures         []string
	Keep             *FitKeep
	Pin              []int // indexes of entries whose rounds nothing touches
	Placeholder      string
	MediaPlaceholder string
	Marker           string // the text of a message at the cut
	OnUnreachable    string // "error", or "least": the smallest outcome, which Reached then says
}

// FitKeep says what stays (FIT.md 3). A nil pointer isn't sent: zero is a value there.
type FitKeep struct {
	FirstRounds int      `json:"first_rounds,omitempty"`
	FirstPrompt bool     `json:"first_prompt,omitempty"`
	LastRounds  *int     `json:"last_rounds,omitempty"`
	LastSteps   int      `json:"last_steps,omitempty"`
	Results     *int     `json:"results,omitempty"`
	Tools       []string `json:"tools,omitempty"`
}

func (s *FitStep) step() []field {
	return []field{
		{"over", s.Over, s.Over != 0},
		{"to", s.To, s.To != 0},
		{"unit", s.Unit, s.Unit != ""},
		{"counts", s.Counts, len(s.Counts) > 0},
		{"bytes_per_token", s.BytesPerToken, s.BytesPerToken != 0},
		{"overhead", s.Overhead, s.Overhead != 0},
		{"measures", s.Measures, s.Measures != nil},
		{"keep", s.Keep, s.Keep != nil},
		{"pin", s.Pin, len(s.Pin) > 0},
		{"placeholder", s.Placeholder, s.Placeholder != ""},
		{"media_placeholder", s.MediaPlaceholder, s.MediaPlaceholder != ""},
		{"marker", s.Marker, s.Marker != ""},
		{"on_unreachable", s.OnUnreachable, s.OnUnreachable != ""},
	}
}

// FitParams are the parameters of Fit except for the document: the budget, and those of the judgement.
type FitParams struct {
	Params
	FitStep
}

// Removed is a range of neighbouring entries that Fit removed, both ends included.
type Removed struct {
	From   string `json:"from"` // pointers into the history as it was given
	To     string `json:"to"`
	Rounds int    `json:"rounds"` // how many begin in the range
	Steps  int    `json:"steps"`
	Size   int64  `json:"size"` // when it was removed
}

// Fitting is what was done to fit a history to a budget. Of Fit its pointers lead into the history as it was given, in
// Prepare into the body after splice and tools; Marker leads into the outcome.
type Fitting struct {
	SizeBefore int64     `json:"size_before"`
	SizeAfter  int64     `json:"size_after"`
	Removed    []Removed `json:"removed"`
	Edits      []Edit    `json:"edits"`
	Marker     string    `json:"marker"`  // the message that is or contains the marker; "": there is none
	Reached    *bool     `json:"reached"` // whether SizeAfter is within the budget; only with "least", else nil
	Unbound    *Unbound  `json:"unbound"`
}

// A Fitted is a history within a budget, and what was done to it.
type Fitted struct {
	// Document is the fitted document in the form of the argument; what no edit touched has its bytes. Where Changed
	// is false it is the argument itself.
	Document json.RawMessage `json:"-"`

	Fitting
	Changed    bool            `json:"changed"`
	Safe       bool            `json:"safe"`       // no finding of severity error is in Document
	Protected  *int            `json:"protected"`  // as in Report, of Document
	Violations []Finding       `json:"violations"` // what Validate would say of Document
	Counts     map[string]int  `json:"counts"`
	Truncated  int             `json:"truncated"`
	Quarantine []Quarantined   `json:"quarantine"` // of Params.ReturnRemoved
	Splices    []Splice        `json:"splices"`
	Raw        json.RawMessage `json:"-"`
}

// Fit makes a history small enough for a budget: it removes whole rounds, the oldest first, then single steps of a long
// loop of tool calls, and clears old results, reasoning and media if Measures says so. It repairs nothing, and a sound
// history stays sound. document is a list of messages or a whole request body; it isn't changed.
//
// If the budget can't be reached the error is an [ErrBudgetUnreachable], if the outcome has an error an
// [*UnsafeHistoryError], unless params.OnUnreachable and params.Unguarded say otherwise.
func (c *Client) Fit(ctx context.Context, document json.RawMessage, params *FitParams) (*Fitted, error) {
	if params == nil {
		params = &FitParams{}
	}
	q, err := judge("fit", document, &params.Params)
	if err != nil {
		return nil, err
	}
	if err := q.with(params.step()); err != nil {
		return nil, err
	}
	f, raw, err := askForSplices[Fitted](ctx, c, q, "changed", "safe")
	if err != nil {
		return nil, err
	}
	if !f.Safe && !params.Unguarded {
		return nil, protocolError("a guard that lets an unsafe history pass")
	}
	f.Raw = raw
	if f.Changed != (len(f.Splices) > 0) {
		return nil, protocolError("a change without its splices")
	}
	f.Document, err = spliced(document, f.Splices)
	return f, err
}
