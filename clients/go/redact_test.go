// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

var letter = regexp.MustCompile("[A-Za-z0-9]")

// A redacted document has its bytes but for letters and digits, and the findings of the one before.
func TestRedact(t *testing.T) {
	c, ctx := realDaemon(t).client(t), inTime(t)
	messages := `[{"role":"user","content":"Anna Schmidtke"}, {"role":"assistant","content":[
		{"type":"tool_use","id":"toolu_1","name":"book","input":{"to":"Schmidtke", "n": 12}}]},{"role":"user","content":"n"}]`
	for _, document := range []string{messages, `{"model":"claude-sonnet-4-5", "messages": ` + messages + `}`} {
		hidden, err := c.Redact(ctx, json.RawMessage(document), &Params{Provider: "anthropic"})
		check(t, err)
		if letter.ReplaceAllString(string(hidden), "x") != letter.ReplaceAllString(document, "x") {
			t.Fatalf("%s", hidden)
		}
		if strings.Contains(string(hidden), "Schmidtke") || strings.Contains(string(hidden), "book") {
			t.Fatalf("%s", hidden)
		}
		before, err := c.Validate(ctx, json.RawMessage(document), nil)
		check(t, err)
		after, err := c.Validate(ctx, hidden, nil)
		check(t, err)
		if len(after.Violations) != 1 || after.Violations[0].Code != before.Violations[0].Code ||
			after.Violations[0].Pointer != before.Violations[0].Pointer {
			t.Fatalf("%+v, not %+v", after.Violations, before.Violations)
		}
	}
	_, err := c.Redact(ctx, json.RawMessage(`"text"`), nil)
	wants(t, err, ErrNotEncodable)
	_, err = c.Redact(ctx, json.RawMessage(`[]`), &Params{Dialect: "none"})
	wants(t, err, ErrInvalidParams)
}
