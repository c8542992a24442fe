// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"encoding/json"
	"errors"
	"testing"
)

// long is a list of four rounds; its second one has white space and a number of its own.
const long = `[{"role":"user","content":"q1"},{"role":"assistant","content":"a1"},` +
	`{"role":"user","content":"q2"}, {"role":"assistant","content":"a\u00e9"},` +
	`{"role":"user","content":"q3"}]`

func TestFit(t *testing.T) {
	c := realDaemon(t).client(t)
	f, err := c.Fit(inTime(t), json.RawMessage(long), &FitParams{
		Params:  Params{ReturnRemoved: true},
		FitStep: FitStep{Over: 120},
	})
	check(t, err)
	const want = `[{"role":"user","content":"q2"}, {"role":"assistant","content":"a\u00e9"},{"role":"user","content":"q3"}]`
	if string(f.Document) != want || !f.Changed || !f.Safe || f.SizeAfter > 120 || f.SizeBefore <= 120 || f.Reached != nil {
		t.Errorf("%s %s", f.Document, f.Raw)
	}
	if r := f.Removed; len(r) != 1 || r[0].From != "/messages/0" || r[0].To != "/messages/1" || r[0].Rounds != 1 || r[0].Size == 0 {
		t.Errorf("%+v", r)
	}
	if q := f.Quarantine; len(q) != 2 || q[1].Pointer != "/messages/1" || q[1].Code != "round_removed" ||
		string(q[1].Value) != `{"role":"assistant","content":"a1"}` {
		t.Errorf("%s", f.Raw)
	}
	again, err := c.Fit(inTime(t), f.Document, &FitParams{FitStep: FitStep{Over: 120}})
	check(t, err)
	if again.Changed || &again.Document[0] != &f.Document[0] || again.Quarantine != nil {
		t.Errorf("%s", again.Raw)
	}
}

func TestFitThatDoesntReach(t *testing.T) {
	c := realDaemon(t).client(t)
	_, err := c.Fit(inTime(t), json.RawMessage(long), &FitParams{FitStep: FitStep{Over: 1}})
	wants(t, err, ErrBudgetUnreachable)
	wants(t, err, ErrRefused)
	f, err := c.Fit(inTime(t), json.RawMessage(long), &FitParams{FitStep: FitStep{Over: 1, OnUnreachable: "least"}})
	check(t, err)
	if f.Reached == nil || *f.Reached || string(f.Document) != `[{"role":"user","content":"q3"}]` {
		t.Errorf("%s", f.Raw)
	}
	_, err = c.Fit(inTime(t), json.RawMessage(long), nil) // without a budget
	wants(t, err, ErrInvalidParams)
}

func TestFitJudgesTheOutcome(t *testing.T) {
	c := realDaemon(t).client(t)
	_, err := c.Fit(inTime(t), history("1"), &FitParams{FitStep: FitStep{Over: 1 << 20}})
	var unsafe *UnsafeHistoryError
	if !errors.As(err, &unsafe) || unsafe.Violations[0].Code != "provider_executed_call_without_result" {
		t.Fatal(err)
	}
	f, err := c.Fit(inTime(t), history("1"), &FitParams{Params: Params{Unguarded: true}, FitStep: FitStep{Over: 1 << 20}})
	check(t, err)
	if f.Safe || f.Changed || len(f.Violations) != 1 {
		t.Errorf("%s", f.Raw)
	}
}

func TestFitSendsWhatIsGiven(t *testing.T) {
	seen := make(chan *call, 1)
	c := play(t, func(p peer) { r := p.next(); seen <- r; p.result(r, `{"changed":false,"safe":true}`); p.next() }).client(t)
	none := 0
	_, err := c.Fit(inTime(t), json.RawMessage(`[]`), &FitParams{FitStep: FitStep{Over: 9, To: 8, Unit: UnitTokens, Counts: []int{3},
		BytesPerToken: 2, Overhead: 1, Measures: []string{}, Keep: &FitKeep{LastRounds: &none, Tools: []string{"t"}}, Pin: []int{0},
		Placeholder: "p", MediaPlaceholder: "m", Marker: "k", OnUnreachable: "least"}})
	check(t, err)
	sent := (<-seen).Params
	for name, want := range map[string]interface{}{"over": 9, "to": 8, "unit": "tokens", "counts": []int{3}, "bytes_per_token": 2,
		"overhead": 1, "measures": []string{}, "keep": object{"last_rounds": 0, "tools": list{"t"}}, "pin": []int{0},
		"placeholder": "p", "media_placeholder": "m", "marker": "k", "on_unreachable": "least"} {
		is(t, name, sent[name], want)
	}
}

func TestFitTrustsNoAnswerThatDoesntAddUp(t *testing.T) {
	for _, answer := range []string{`{"safe":true}`, `{"changed":false}`, `{"changed":true,"safe":true}`, `{"changed":false,"safe":false}`,
		`{"changed":false,"safe":true,"splices":[[0,1,""]]}`, `{"changed":true,"safe":true,"splices":[[0,99,""]]}`} {
		c := play(t, answers(answer)).client(t)
		_, err := c.Fit(inTime(t), json.RawMessage(`[]`), nil)
		wants(t, err, ErrProtocol)
	}
}

func TestPrepareFits(t *testing.T) {
	c := realDaemon(t).client(t)
	body := json.RawMessage(`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":` + long + `}`)
	p, err := c.Prepare(inTime(t), body, &PrepareParams{Params: Params{ReturnRemoved: true}, Fit: &FitStep{Over: 120}})
	check(t, err)
	if p.Fit == nil || p.Fit.SizeAfter > 120 || len(p.Fit.Removed) != 1 || len(p.Quarantine) != 2 || p.Quarantine[0].Stage != "fit" {
		t.Errorf("%s", p.Raw)
	}
}

func TestRepairGivesBackWhatItRemoved(t *testing.T) {
	c := realDaemon(t).client(t)
	r, err := c.Repair(inTime(t), history("1"), &Params{ReturnRemoved: true})
	check(t, err)
	if q := r.Quarantine; len(q) != 1 || q[0].Pointer != "/messages/1/content/0" || q[0].Stage != "" ||
		string(q[0].Value) != `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}` {
		t.Errorf("%s", r.Raw)
	}
}
