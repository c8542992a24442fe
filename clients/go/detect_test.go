// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"testing"
)

// Whose a history is, against the real daemon.
func TestDetect(t *testing.T) {
	d := realDaemon(t)
	c := d.client(t)
	for _, k := range []struct {
		document string
		want     Detected
	}{
		{`{"model":"deepseek-chat","messages":[{"role":"user","content":"q"}]}`, Detected{Provider: "openai-chat",
			Dialect: "openai-chat", Endpoint: "compatible", Sure: true, Because: "model deepseek-chat", At: "/model"}},
		{`[{"role":"user","content":"q"}]`, Detected{Provider: "anthropic", Dialect: "anthropic", Endpoint: "anthropic",
			Because: "nothing tells whose it is"}},
		{`[{"from":"human","value":"q"}]`, Detected{LooksLike: "sharegpt", Sure: true, Because: "from",
			At: "/messages/0/from"}},
	} {
		found, err := c.Detect(context.Background(), json.RawMessage(k.document))
		check(t, err)
		if len(found.Raw) == 0 {
			t.Errorf("%s: no raw answer", k.document)
		}
		found.Raw = nil
		if found.Provider != k.want.Provider || found.Dialect != k.want.Dialect || found.Endpoint != k.want.Endpoint ||
			found.LooksLike != k.want.LooksLike || found.Sure != k.want.Sure || found.Because != k.want.Because ||
			found.At != k.want.At {
			t.Errorf("%s: %+v", k.document, *found)
		}
	}
	_, err := c.Detect(context.Background(), json.RawMessage(`[5]`))
	pointsAt(t, err, "/params/messages/0")
}
