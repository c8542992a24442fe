// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"errors"
	"io"
	"net/http"
)

// Whole responses that are sealed while they pass.

const sealedSize = 8 << 20 // of a response that is read for its seal, and of what that becomes without its coding

// sealing gives the same response; the turn in it is sealed once it has been read.
func (t *Transport) sealing(req *http.Request, res *http.Response) *http.Response {
	if !t.seals() || res.StatusCode != http.StatusOK || mediaType(res.Header) != "application/json" {
		return res
	}
	coding := http.Header{"Content-Encoding": res.Header["Content-Encoding"]}
	res.Body = &sealedBody{source: res.Body, whole: func(body []byte) bool {
		plain, err := unpacked(coding, body, sealedSize)
		content := lookup(container(plain), "content")
		if err != nil || content == nil {
			return false
		}
		if maySign(content) {
			// Without a seal nothing fails; the next request is judged as it is.
			if seal, err := t.client.Seal(req.Context(), content, nil); err == nil {
				t.kept.keep(seal)
			}
		}
		return true
	}}
	return res
}

// seals tells whether seals are made, kept and sent.
func (t *Transport) seals() bool { return !t.NoSeals }

// sealedBody passes a body on and keeps it meanwhile. whole is asked at the end, and at Close, for a
// reader of JSON needn't read up to the end; it says whether it had what it needs.
type sealedBody struct {
	source io.ReadCloser
	taken  []byte
	done   bool
	whole  func([]byte) bool
}

func (b *sealedBody) Read(p []byte) (int, error) {
	n, err := b.source.Read(p)
	if !b.done {
		b.taken = append(b.taken, p[:n]...)
		b.done = len(b.taken) > sealedSize
	}
	if errors.Is(err, io.EOF) {
		b.end()
	}
	return n, err
}

func (b *sealedBody) end() {
	if !b.done {
		b.done = b.whole(b.taken)
	}
	if b.done {
		b.taken = nil
	}
}

func (b *sealedBody) Close() error {
	b.end()
	b.done, b.taken = true, nil
	return b.source.Close()
}
