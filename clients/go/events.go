// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"errors"
)

// Events tell the program that uses a Transport about its requests: codes and counts, never content.

// An EventKind says what became of a request.
type EventKind string

const (
	// EventRepaired: the request was edited, and leaves now.
	EventRepaired EventKind = "repaired"
	// EventRefused: no allowed edit makes the request safe, a header binds the body that needs one, or FailClosed holds back
	// what can't be judged, whoever is asked (too large, in an unknown coding). Nothing leaves.
	EventRefused EventKind = "refused"
	// EventMissed: the request was sound, or repaired, and yet the provider answered 400 or 422.
	EventMissed EventKind = "missed"
)

// An Event is one decision about a request, or one refusal of the provider. Nothing in it is content of a history.
type Event struct {
	Kind     EventKind `json:"kind"`
	Provider string    `json:"provider"`         // whose rules were asked for: "anthropic", "openai-chat", "openai-responses"
	Caller   string    `json:"caller,omitempty"` // of [WithCaller] or [ContextWithCaller]

	// Codes counts codes of rules: of the edits that were made if the request was repaired; of what no edit helps
	// against if it was refused, or of the edits that a header forbids; empty if it can't be judged.
	Codes   map[string]int `json:"codes,omitempty"`
	Actions map[string]int `json:"actions,omitempty"` // if repaired: the edits by what they do, as "drop"

	Status int    `json:"status,omitempty"` // if missed: that of the provider's response
	Code   string `json:"code,omitempty"`   // if missed: the rule that its words belong to; "": none, or nobody could say
	Saved  string `json:"saved,omitempty"`  // if missed: the path of the file; see [Transport.SaveMisses]
}

// tell gives an event to the program. A panic there changes nothing for the request; its value may be content.
func (t *Transport) tell(ctx context.Context, of *api, e Event) {
	if t.OnEvent == nil {
		return
	}
	defer func() {
		if cause := recover(); cause != nil {
			t.logf("turnkeeper: OnEvent panicked with a value of type %T; the request is not affected", cause)
		}
	}()
	e.Provider, e.Caller = of.name, t.client.callerOf(ctx)
	t.OnEvent(e)
}

// tellRepaired tells of a request with edits.
func (t *Transport) tellRepaired(ctx context.Context, of *api, edits []Edit) {
	e := Event{Kind: EventRepaired, Codes: codesOf(edits), Actions: map[string]int{}}
	for _, edit := range edits {
		e.Actions[edit.Action]++
	}
	t.tell(ctx, of, e)
}

// tellRefused tells of a request that doesn't leave for a reason of its own; forbidden are edits that a header forbids.
// A request that the daemon's absence holds back may leave the next time: it isn't told of.
func (t *Transport) tellRefused(ctx context.Context, of *api, forbidden []Edit, err error) {
	e := Event{Kind: EventRefused, Codes: codesOf(forbidden)}
	var unsafe *UnsafeHistoryError
	switch {
	case !errors.As(err, &unsafe):
		if !isTheRequests(err) {
			return
		}
	case !member(unsafe.Remote.Data, "counts", &e.Codes):
		for _, v := range unsafe.Violations {
			e.Codes[v.Code]++
		}
	}
	t.tell(ctx, of, e)
}

func codesOf(edits []Edit) map[string]int {
	codes := map[string]int{}
	for _, edit := range edits {
		codes[edit.Code]++
	}
	return codes
}
