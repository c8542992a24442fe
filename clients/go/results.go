// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import "encoding/json"

// Results are what the daemon answers, typed. Raw keeps the answer's own bytes: members that this
// version doesn't know are there and nowhere else, so a newer daemon breaks nothing.

// A Finding is one thing that is wrong, and where. A fault outside the messages has no indexes, and its Pointer is the
// value that the rule is about, "/tools/3" or "/tool_choice/name"; it is "" for the request as a whole.
type Finding struct {
	Code          string `json:"code"`
	Severity      string `json:"severity"` // "error" or "warning"
	MessageIndex  *int   `json:"message_index"`
	PartIndex     *int   `json:"part_index"`
	Pointer       string `json:"pointer"` // into the request body, as "/messages/3/content/1"
	Text          string `json:"text"`    // what is wrong and what to do, for people
	ID            string `json:"id"`
	Tool          string `json:"tool"`
	ProviderError string `json:"provider_error"` // what the provider would answer, where it is known
	Needed        string `json:"needed"`         // the edit that protection or policy forbade
	WayOut        string `json:"way_out"`        // of an [UnsafeHistoryError]: what can be done, for people
}

// IsError tells whether a provider refuses the history for it; else it is a warning.
func (f Finding) IsError() bool { return f.Severity != "warning" }

// A Place is where a provider's words point. What they don't say is "" or nil.
type Place struct {
	Pointer string `json:"pointer"` // into the request as it was sent
	Message *int   `json:"message"` // an index
	Block   *int   `json:"block"`   // the part's index in its message
	ID      string `json:"id"`      // of a call, a result or an item
}

// A Match is a rule that a refusal belongs to.
type Match struct {
	Code          string `json:"code"`
	Provider      string `json:"provider"`
	Severity      string `json:"severity"`
	Judged        bool   `json:"judged"`         // false: only the provider finds the fault
	Text          string `json:"text"`           // what is wrong and what to do, for people
	Action        string `json:"action"`         // what Repair does, or, if not judged, what helps; "": no edit helps
	Preserve      string `json:"preserve"`       // the same by the policy of this name, where it differs
	ProviderError string `json:"provider_error"` // the rule's words, with names in braces where they vary
	Place         Place  `json:"place"`
}

// An Explanation lists the rules that a refusal belongs to, best first; none if the words are no rule's.
type Explanation struct {
	Matches []Match         `json:"matches"`
	Raw     json.RawMessage `json:"-"`
}

// A Detected says whose a history is. Because names the evidence, At is its place. Sure is false if nothing tells.
// Provider is "" for a format that no provider has; LooksLike then names it.
type Detected struct {
	Provider  string          `json:"provider"`
	Dialect   string          `json:"dialect"`
	Endpoint  string          `json:"endpoint"`
	LooksLike string          `json:"looks_like"`
	Sure      bool            `json:"sure"`
	Because   string          `json:"because"`
	At        string          `json:"at"`
	Raw       json.RawMessage `json:"-"`
}

// An Edit is one change that was made. Pointer is its place in the history as it was given.
type Edit struct {
	Code    string `json:"code"`
	Action  string `json:"action"`
	Pointer string `json:"pointer"`
	ID      string `json:"id"`
	Tool    string `json:"tool"`
}

// A Quarantined is what was removed or replaced, to be stored next to the history (FIT.md 8).
type Quarantined struct {
	Pointer string          `json:"pointer"` // its place in the input of the step
	Code    string          `json:"code"`
	Stage   string          `json:"stage"` // of Prepare: "fit" or "repair"; else ""
	Value   json.RawMessage `json:"value"` // its bytes as they were sent
}

// Protected names the newest signed message. SHA256 is over its bytes as they were sent.
type Protected struct {
	MessageIndex int    `json:"message_index"`
	SHA256       string `json:"sha256"`
}

// Unbound lists thinking that newer models bind to what precedes it, which was edited from From on.
type Unbound struct {
	From     string   `json:"from"`
	Thinking []string `json:"thinking"`
}

// A Verdict is what seals say of a message. It names the message, or none where seals belong to nothing,
// and the seals by their index.
type Verdict struct {
	MessageIndex *int   `json:"message_index"`
	Seals        []int  `json:"seals"`
	Verdict      string `json:"verdict"` // "intact", "reordered", "altered"..., "unknown"
	Dead         bool   `json:"dead"`    // its signatures are
}

// A Report is what Validate found. Counts has all findings, Violations those that are listed.
type Report struct {
	Valid        bool            `json:"valid"`
	MessageCount int             `json:"message_count"`
	PartCount    int             `json:"part_count"`
	Protected    *int            `json:"protected"`
	Violations   []Finding       `json:"violations"`
	Counts       map[string]int  `json:"counts"`
	Truncated    int             `json:"truncated"`
	Raw          json.RawMessage `json:"-"`
}

// A Repaired is a repaired history, or turn, and what was done to it.
type Repaired struct {
	// Document is the repaired document in the form of the argument: a body, a list of messages, or
	// the content of a turn. What no edit touched has its bytes; where Changed is false it is the
	// argument itself.
	Document json.RawMessage `json:"-"`

	Changed    bool            `json:"changed"`
	Safe       bool            `json:"safe"` // no finding of severity error remains
	Edits      []Edit          `json:"edits"`
	Stats      map[string]int  `json:"stats"`
	Violations []Finding       `json:"violations"` // what Validate would say of Document
	Counts     map[string]int  `json:"counts"`
	Truncated  int             `json:"truncated"`
	Protected  *Protected      `json:"protected"`
	Unbound    *Unbound        `json:"unbound"`
	Verdicts   []Verdict       `json:"verdicts"`   // of Params.Seals
	Quarantine []Quarantined   `json:"quarantine"` // of Params.ReturnRemoved
	Splices    []Splice        `json:"splices"`    // what makes Document of the argument
	Raw        json.RawMessage `json:"-"`

	// Values that the caller has to set, by pointer, and the header values that they need; not in Document.
	// Prepare has applied Set, and Betas are all values of its header.
	Set   map[string]json.RawMessage `json:"set"`
	Betas []string                   `json:"betas"`
}

// A Check is one line of Health.
type Check struct {
	Name  string  `json:"name"`
	OK    bool    `json:"ok"`
	Value float64 `json:"value"`
	Limit float64 `json:"limit"`
	Unit  string  `json:"unit"`
}

// Health says how the daemon is: "ok", "degraded" (one of the checks fails) or "draining".
type Health struct {
	Status  string          `json:"status"`
	Version string          `json:"version"`
	UptimeS float64         `json:"uptime_s"`
	Checks  []Check         `json:"checks"`
	Raw     json.RawMessage `json:"-"`
}

// OK tells whether every check is.
func (h *Health) OK() bool { return h.Status == "ok" }

// MethodStats counts the calls of one method. Latency's Buckets are pairs of an upper bound and how
// many calls took at most that, in microseconds.
type MethodStats struct {
	Requests int64            `json:"requests"`
	Errors   map[string]int64 `json:"errors"`
	Latency  struct {
		Count   int64             `json:"count"`
		Sum     float64           `json:"sum"`
		Buckets []json.RawMessage `json:"buckets"`
	} `json:"latency_us"`
}

// Stats counts since the daemon's start.
type Stats struct {
	UptimeS    float64                `json:"uptime_s"`
	Counters   map[string]int64       `json:"counters"`
	Gauges     map[string]float64     `json:"gauges"`
	LimitHits  map[string]int64       `json:"limit_hits"` // how often each was hit
	Limits     map[string]int64       `json:"limits"`     // the same, by its old name
	Violations map[string]int64       `json:"violations"` // by code
	Edits      map[string]int64       `json:"edits"`      // by action
	Misses     map[string]int64       `json:"misses"`     // what ReportMiss counted, by code; "none": no rule's
	Methods    map[string]MethodStats `json:"methods"`
	Raw        json.RawMessage        `json:"-"`
}

// A Method is one that the daemon serves; Params is the JSON Schema of its parameters.
type Method struct {
	Name   string          `json:"name"`
	Help   string          `json:"help"`
	Params json.RawMessage `json:"params"`
}

// A Rule is one row of the catalogue of findings.
type Rule struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Wave     int    `json:"wave"`
	Provider string `json:"provider"`
}

// Info is what this daemon serves and judges.
type Info struct {
	Version   string                     `json:"version"`
	Protocol  int                        `json:"protocol"`
	Methods   []Method                   `json:"methods"`
	Providers []string                   `json:"providers"`
	Dialects  []string                   `json:"dialects"`
	Policies  map[string]json.RawMessage `json:"policies"`
	Limits    map[string]float64         `json:"limits"`
	Catalogue []Rule                     `json:"catalogue"`
	Raw       json.RawMessage            `json:"-"`
}

// read decodes a result. needed are members that must be there for the rest to mean anything: a
// verdict that is missing must not be taken for false.
func read(result json.RawMessage, into interface{}, needed ...string) error {
	for _, name := range needed {
		if lookup(result, name) == nil {
			return protocolError("a result without %q", name)
		}
	}
	if err := json.Unmarshal(result, into); err != nil {
		return local(ErrProtocol, "a result of another shape", err)
	}
	return nil
}
