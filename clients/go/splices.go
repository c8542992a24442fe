// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"errors"
)

// What the daemon changed comes as splices of the bytes that were sent (PROTOCOL.md 5.2). Applying them is copying:
// nothing of a document is read here, and what no splice names keeps its bytes.

// A Splice is one change: Length bytes from byte Offset on are replaced by Text. Offsets count from the first byte
// of the document that was sent, without white space before it.
type Splice struct {
	Offset, Length int
	Text           string
}

// UnmarshalJSON reads the form of the protocol, [offset, length, text].
func (s *Splice) UnmarshalJSON(text []byte) error {
	parts := []interface{}{&s.Offset, &s.Length, &s.Text}
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	if len(parts) != 3 || parts[0] == nil || parts[1] == nil || parts[2] == nil {
		return errors.New("a splice that isn't [offset, length, text]")
	}
	return nil
}

// spliced gives a copy of a document with the changes made; the document itself if there are none. Changes that
// overlap, or lead beyond the document, are an [ErrProtocol].
func spliced(document json.RawMessage, splices []Splice) (json.RawMessage, error) {
	if len(splices) == 0 {
		return document, nil
	}
	start := skipSpace(document, 0)
	text := trimmed(document)
	size, at := len(document), 0
	for _, s := range splices {
		if s.Offset < at || s.Offset > len(text) || s.Length < 0 || s.Length > len(text)-s.Offset {
			return nil, protocolError("splices that don't fit")
		}
		size += len(s.Text) - s.Length
		at = s.Offset + s.Length
	}
	out := append(make([]byte, 0, size), document[:start]...)
	at = 0
	for _, s := range splices {
		out = append(append(out, text[at:s.Offset]...), s.Text...)
		at = s.Offset + s.Length
	}
	return append(out, document[start+at:]...), nil
}

// askForSplices makes a call whose result tells as splices what changed.
func askForSplices[T any](ctx context.Context, c *Client, q *request, needed ...string) (*T, json.RawMessage, error) {
	q.add("return", []byte(`"splices"`))
	result, raw, err := ask[T](ctx, c, q, needed...)
	if isOlder(err) {
		err = c.at(local(ErrUnsupportedProtocol, "the daemon is of an older release, which can't tell changes as splices", err))
	}
	return result, raw, err
}

// isOlder tells whether a daemon refused a call because it doesn't know splices.
func isOlder(err error) bool {
	var remote *RemoteError
	return errors.As(err, &remote) && remote.Is(ErrInvalidParams) && remote.Pointer == "/params/return"
}
