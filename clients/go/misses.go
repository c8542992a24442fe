// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
)

// A miss is a request that was judged sound, or repaired, and that the provider refuses all the same: a rule is
// missing or wrong. The daemon counts misses by the rule that the provider's words belong to.

// Statuses of a response that finds fault with the request itself. All others are about keys, quotas or the provider.
var finding = map[int]bool{http.StatusBadRequest: true, http.StatusUnprocessableEntity: true}

// Bytes of a refusal that are read; the parameter "text" of report_miss has room for as many.
const maxWords = 64 << 10

// watching gives a sender that tells of a request with this verdict: of its edits before it leaves, and of the provider's
// refusal.
func (t *Transport) watching(v verdict, of *api, next sender) sender {
	if !v.safe {
		return next
	}
	return func(req *http.Request) (*http.Response, error) {
		if len(v.edits) > 0 {
			t.tellRepaired(req.Context(), of, v.edits)
		}
		res, err := next(req)
		if err == nil && finding[res.StatusCode] && res.Body != nil {
			t.missed(req.Context(), v.body, of, res)
		}
		return res, err
	}
}

// missed reports a refusal, and tells of it. A daemon that can't be asked, or doesn't know the method, leaves the event
// without a code.
func (t *Transport) missed(ctx context.Context, body []byte, of *api, res *http.Response) {
	e := Event{Kind: EventMissed, Status: res.StatusCode}
	if text := wordsOf(res); text != "" {
		if code, err := t.client.ReportMiss(ctx, e.Status, text, of.name); err == nil {
			e.Code = code
		}
	}
	if t.misses != nil {
		e.Saved = t.save(ctx, body, of, e)
	}
	t.tell(ctx, of, e)
}

// wordsOf gives the beginning of a response's body, without its coding. The response stays as it was: whoever reads it
// next gets the same bytes, and then the same error.
func wordsOf(res *http.Response) string {
	source := res.Body
	read, err := io.ReadAll(io.LimitReader(source, maxWords))
	rest := io.Reader(source)
	if err != nil {
		rest = brokenOff{err}
	}
	res.Body = &readAgain{io.MultiReader(bytes.NewReader(read), rest), source}
	if name := codingOf(res.Header); name != "" {
		read = beginning(name, read)
	}
	return strings.ToValidUTF8(string(read), "")
}

// beginning gives what can be read of the beginning of a body in this coding.
func beginning(name string, packed []byte) []byte {
	known, ok := codings[name]
	if !ok {
		return nil
	}
	reader, err := known.reader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	plain, _ := io.ReadAll(io.LimitReader(reader, maxWords)) // an end in the middle is no fault here
	return plain
}

// A readAgain is a body of which something was read already.
type readAgain struct {
	io.Reader
	io.Closer
}

// A brokenOff is the rest of a body that couldn't be read.
type brokenOff struct{ err error }

func (b brokenOff) Read([]byte) (int, error) { return 0, b.err }
