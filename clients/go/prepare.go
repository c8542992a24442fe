// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
)

// PrepareParams are the parameters of Prepare except for the request (PROTOCOL.md 5.8): those of the repair,
// and of the steps before it.
type PrepareParams struct {
	Params

	// Turn is the turn that came back, as received; the whole response body will do. Nil: no splicing.
	Turn json.RawMessage
	// Splice says how it is spliced; Provider, Dialect and Target are those of Params.
	Splice *SpliceParams
	// Tools are asked for, and the caller's header is in Tools.Betas, in Params.Betas, or in both.
	Tools *ToolsParams
	// Fit is the budget that the history is fitted to before it is repaired. Nil: no step.
	Fit *FitStep
}

func (p *PrepareParams) fields() ([]field, error) {
	if p == nil {
		return nil, nil
	}
	repair, tools := p.Params, ToolsParams{}
	if p.Tools != nil {
		tools = *p.Tools
	}
	tools.Betas = append(repair.Betas[:len(repair.Betas):len(repair.Betas)], tools.Betas...)
	repair.Betas = nil
	fields := repair.fields()
	if p.Turn != nil || p.Splice != nil {
		splice, err := objectOf(append(p.Splice.step(), field{"assistant", p.Turn, p.Turn != nil}))
		if err != nil {
			return nil, err
		}
		fields = append(fields, field{"splice", splice, true})
	}
	if p.Fit != nil {
		fit, err := objectOf(p.Fit.step())
		if err != nil {
			return nil, err
		}
		fields = append(fields, field{"fit", fit, true})
	}
	step, err := objectOf(tools.fields())
	return append(fields, field{"tools", step, string(step) != "{}"}), err
}

// objectOf writes those fields that are given as one object.
func objectOf(fields []field) (json.RawMessage, error) {
	q := &request{}
	if err := q.with(fields); err != nil {
		return nil, err
	}
	text := []byte{'{'}
	for _, piece := range q.params {
		text = append(text, piece...)
	}
	return append(text, '}'), nil
}

// A Prepared is a request as it is to be sent, with its Headers, unless it Stops. What is embedded says
// what repairing did: Document is the body, Edits point into the one after the steps splice, tools and fit.
type Prepared struct {
	Repaired

	Action     string            `json:"action"`      // "continue", "resume", or "stop": send nothing
	Deferred   json.RawMessage   `json:"deferred"`    // a list to hand in as Appended next time, or nil
	Headers    map[string]string `json:"headers"`     // to be sent; Betas are all values in it
	AddedBetas []string          `json:"added_betas"` // those that the caller didn't have
	Notes      StepNotes         `json:"notes"`
	Fit        *Fitting          `json:"fit"` // what PrepareParams.Fit did, or nil
}

// StepNotes say by name what Splice and Tools did inside of Prepare.
type StepNotes struct {
	Splice []string `json:"splice"`
	Tools  []string `json:"tools"`
}

// Stops returns true if nothing is to be sent; then nothing was judged or repaired.
func (p *Prepared) Stops() bool { return p.Action == "stop" }

// Prepare makes of a whole request body what is to be sent, in one call: the turn that came back is
// spliced onto the history ([Client.Splice]), tools are added and beta values named ([Client.Tools]),
// it is fitted to a budget ([Client.Fit]), and it is repaired ([Client.Repair]). request isn't changed, and what no step touched keeps its bytes.
//
// It fails as these do; then nothing is applied, and the data of the [*RemoteError] names the stage.
func (c *Client) Prepare(ctx context.Context, body json.RawMessage, params *PrepareParams) (*Prepared, error) {
	whole := outline(body)
	if whole == nil || whole[0] != '{' {
		return nil, local(ErrNotEncodable, "what is prepared is a request body", nil)
	}
	fields, err := params.fields()
	if err != nil {
		return nil, err
	}
	q := &request{method: "prepare"}
	q.addUnread("request", whole)
	if err := q.with(fields); err != nil {
		return nil, err
	}
	p, raw, err := askForSplices[Prepared](ctx, c, q, "changed")
	if err != nil {
		return nil, err
	}
	if p.Action == "" {
		p.Action = "continue"
	}
	if !p.Stops() && !p.Safe && (params == nil || !params.Unguarded) {
		return nil, protocolError("a guard that lets an unsafe history pass")
	}
	p.Raw = raw
	if p.Changed != (len(p.Splices) > 0) {
		return nil, protocolError("a change without its splices")
	}
	p.Document, err = spliced(body, p.Splices)
	return p, err
}
