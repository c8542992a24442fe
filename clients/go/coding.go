// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Content codings of HTTP bodies, which the daemon doesn't know.

type coding struct {
	reader func(io.Reader) (io.ReadCloser, error)
	writer func(io.Writer) io.WriteCloser
}

var codings = map[string]coding{
	"gzip": {
		func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
		func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	},
	"deflate": { // of HTTP: zlib's format
		zlib.NewReader,
		func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
	},
}

// codingOf gives the name of a body's coding; "" if it has none.
func codingOf(header http.Header) string {
	name := strings.ToLower(strings.TrimSpace(header.Get("Content-Encoding")))
	if name == "identity" {
		return ""
	}
	return name
}

func unreadable(cause error) error {
	return local(ErrNotEncodable, "a body in a coding that can't be undone here", cause)
}

// unpacked gives a body without its coding. It fails where that would be more than limit bytes, and then makes hardly more.
func unpacked(header http.Header, body []byte, limit int64) ([]byte, error) {
	name := codingOf(header)
	if name == "" {
		return body, nil
	}
	known, ok := codings[name]
	if !ok {
		return nil, unreadable(nil)
	}
	reader, err := known.reader(bytes.NewReader(body))
	if err != nil {
		return nil, unreadable(err)
	}
	plain, err := io.ReadAll(io.LimitReader(reader, limit+1))
	if err != nil {
		return nil, unreadable(err)
	}
	if int64(len(plain)) > limit {
		return nil, tooLarge(limit)
	}
	return plain, nil
}

func tooLarge(limit int64) error {
	return local(ErrNotEncodable, fmt.Sprintf("a body of more than %d bytes without its coding", limit), nil)
}

// packed gives a body in the coding that its header names; it is one that unpacked could undo.
func packed(header http.Header, body []byte) []byte {
	name := codingOf(header)
	if name == "" {
		return body
	}
	var text bytes.Buffer
	writer := codings[name].writer(&text)
	_, _ = writer.Write(body) // into memory: never fails
	_ = writer.Close()
	return text.Bytes()
}

// plainBody gives the body of a response without its coding, as it comes. The response's header is
// the caller's to change.
func plainBody(res *http.Response) (io.ReadCloser, error) {
	name := codingOf(res.Header)
	if name == "" {
		return res.Body, nil
	}
	known, ok := codings[name]
	if !ok {
		return nil, unreadable(nil)
	}
	return &unpacking{source: res.Body, open: known.reader}, nil
}

// unpacking begins to read when it is read: a response must not wait for its body.
type unpacking struct {
	source io.ReadCloser
	open   func(io.Reader) (io.ReadCloser, error)
	plain  io.Reader
}

func (u *unpacking) Read(p []byte) (int, error) {
	if u.plain == nil {
		plain, err := u.open(u.source)
		if err != nil {
			return 0, err
		}
		u.plain = plain
	}
	return u.plain.Read(p)
}

func (u *unpacking) Close() error { return u.source.Close() }
