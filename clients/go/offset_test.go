// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"encoding/json"
	"errors"
	"testing"
)

// The offset of an error counts in the document that was given, not in the request around it.
func TestOffsetsCountInTheDocument(t *testing.T) {
	c, ctx := realDaemon(t).client(t), inTime(t)
	for document, offset := range map[string]string{
		`{"messages": [}]}`: "14", `{"messages": [], "messages": []}`: "17", `{"\u00e9": 1, "messages": [01]}`: "28",
	} {
		for _, params := range []*Params{nil, {Provider: "anthropic", Betas: []string{"a"}}} {
			_, err := c.Validate(ctx, json.RawMessage(document), params)
			var remote *RemoteError
			if !errors.As(err, &remote) || string(lookup(remote.Data, "offset")) != offset {
				t.Errorf("%s: %v, %s, not %s", document, err, remote.Data, offset)
			}
		}
	}
}
