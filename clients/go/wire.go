// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"net"
	"sort"
	"strconv"
	"time"
)

// Frames and envelopes. A request is never put together in memory: its pieces, the caller's history
// among them, go to the socket as they are, by one writev.
//
//	request ── frame ──> | length | {"jsonrpc":"2.0","id":7,... | history | }} | ~~~> socket
//	                                 head, new with each sending   the caller's bytes

const (
	headerSize = 4
	largest    = 1 << 30 // no sane answer is longer: something that isn't turnkeeper sits there
)

// A request is one call, not yet bound to a connection.
type request struct {
	method string
	params net.Buffers // the members of params, commas between them; none: {}
	last   net.Buffers // the member that comes after them, a document that nobody has read; see addUnread
	whole  []byte      // instead: params that are no object
	timed  bool        // params hold a timeout_ms of their own
	named  bool        // params hold a caller of their own
}

// stateful tells whether sending a request twice may differ from sending it once.
func (q *request) stateful() bool {
	const prefix = "stream."
	return len(q.method) >= len(prefix) && q.method[:len(prefix)] == prefix
}

// add appends one more member. value is JSON already and isn't copied.
func (q *request) add(name string, value []byte) {
	lead := make([]byte, 0, len(name)+4)
	if len(q.params) > 0 {
		lead = append(lead, ',')
	}
	lead = append(append(append(lead, '"'), name...), '"', ':')
	q.params = append(q.params, lead, value)
}

// addUnread makes value the last member. It begins and ends as a list or an object does (see outline) and isn't looked
// into. It may be no JSON, which does no harm: coming last it can only add parameters to this one call, and the daemon
// says what is wrong with it.
func (q *request) addUnread(name string, value []byte) {
	q.last = net.Buffers{[]byte(`"` + name + `":`), value}
}

// members gives the members of params, if there are any.
func (q *request) members() net.Buffers {
	pieces := append(net.Buffers(nil), q.params...)
	if len(q.params) > 0 && q.last != nil {
		pieces = append(pieces, []byte{','})
	}
	return append(pieces, q.last...)
}

// unread gives the place in the request of the document that nobody has read, and its size; 0: there is none. frame is that
// of the request.
func (q *request) unread(frame net.Buffers) (from, size int) {
	if q.last == nil {
		return 0, 0
	}
	from = -headerSize
	for _, piece := range frame[:len(frame)-2] {
		from += len(piece)
	}
	return from, len(q.last[1])
}

// appendOwn appends the members that the client itself gives, with commas between them.
func (q *request) appendOwn(head []byte, timeout time.Duration, caller string) []byte {
	start := len(head)
	if timeout > 0 && !q.stateful() && !q.timed {
		head = append(head, `"timeout_ms":`...)
		head = strconv.AppendInt(head, milliseconds(timeout), 10)
	}
	if caller != "" && !q.named {
		if len(head) > start {
			head = append(head, ',')
		}
		head = append(head, `"caller":`...)
		head = append(head, quoted(caller)...)
	}
	return head
}

// frame gives the bytes of a request. timeout travels in it, if it isn't 0; streams, bounded by their
// frames, have no use for it. So does the caller's name, if it isn't empty.
func (q *request) frame(id int64, timeout time.Duration, caller string) (net.Buffers, error) {
	head := make([]byte, headerSize, headerSize+96)
	head = append(head, `{"jsonrpc":"2.0","id":`...)
	head = strconv.AppendInt(head, id, 10)
	head = append(head, `,"method":`...)
	head = append(head, quoted(q.method)...)
	head = append(head, `,"params":`...)
	pieces := net.Buffers{nil}
	if q.whole != nil {
		pieces = append(pieces, q.whole, []byte{'}'})
	} else {
		members := q.members()
		head = append(head, '{')
		bare := len(head)
		head = q.appendOwn(head, timeout, caller)
		if len(head) > bare && len(members) > 0 {
			head = append(head, ',')
		}
		pieces = append(pieces, members...)
		pieces = append(pieces, []byte{'}', '}'})
	}
	pieces[0] = head
	size := -headerSize
	for _, piece := range pieces {
		size += len(piece)
	}
	if size > largest {
		return nil, local(ErrNotEncodable, "larger than any frame may be", nil)
	}
	binary.BigEndian.PutUint32(head, uint32(size))
	return pieces, nil
}

func milliseconds(d time.Duration) int64 {
	if ms := d.Milliseconds(); ms > 0 {
		return ms
	}
	return 1
}

// plainRequest is a call by name. JSON goes out byte for byte, everything else as encoding/json
// writes it.
func plainRequest(method string, params interface{}) (*request, error) {
	q := &request{method: method}
	if raw, ok := params.(json.RawMessage); params == nil || ok && raw == nil {
		return q, nil
	}
	if given, ok := params.(map[string]json.RawMessage); ok {
		return q.given(given), nil
	}
	text, err := encode(params)
	if err != nil {
		return nil, err
	}
	span := container(text)
	if span == nil {
		return nil, local(ErrNotEncodable, "params are an object", nil)
	}
	inner := span[1 : len(span)-1]
	switch {
	case span[0] != '{':
		q.whole = span
	case skipSpace(inner, 0) < len(inner):
		q.params = net.Buffers{inner}
		q.timed = lookup(span, "timeout_ms") != nil
		q.named = lookup(span, "caller") != nil
	}
	return q, nil
}

// given makes members that the caller has the params.
func (q *request) given(given map[string]json.RawMessage) *request {
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	sort.Strings(names) // the same call, the same bytes
	var text net.Buffers
	for _, name := range names {
		text = append(text, []byte{','}, append(quoted(name), ':'), given[name])
	}
	if len(text) > 0 {
		text[0] = nil
	}
	q.params = text
	_, q.timed = given["timeout_ms"]
	_, q.named = given["caller"]
	return q
}

// encode gives the JSON of a value; JSON itself is given back as it is.
func encode(value interface{}) (json.RawMessage, error) {
	if raw, ok := value.(json.RawMessage); ok {
		if raw == nil {
			return json.RawMessage("null"), nil
		}
		return raw, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, local(ErrNotEncodable, "the parameters are not JSON", err)
	}
	return bytes.TrimSuffix(text.Bytes(), []byte{'\n'}), nil
}

func quoted(text string) []byte {
	raw, _ := encode(text) // a string always has a JSON form
	return raw
}

// Codes of errors that may come with the id null, because the daemon couldn't read the request's:
// what is no document, what is no envelope, no memory to read it, too large a frame, too busy to read, too costly to read.
var unread = map[int]bool{-32700: true, -32600: true, -32603: true, -32010: true, -32011: true, -32014: true}

// unwrap gives the result in an answer to request id, or the error that it holds instead.
func unwrap(answer []byte, id int64) (json.RawMessage, error) {
	var given, result, failure []byte
	twice := false
	keep := func(into *[]byte, value []byte) {
		twice = twice || *into != nil
		*into = value
	}
	object := container(answer)
	whole := elements(object, func(s span) bool {
		value := object[s.start:s.end:s.end]
		switch string(object[s.name:s.nameEnd]) {
		case `"id"`:
			keep(&given, value)
		case `"result"`:
			keep(&result, value)
		case `"error"`:
			keep(&failure, value)
		}
		return true
	})
	if !whole || twice || (result == nil) == (failure == nil) {
		return nil, protocolError("an answer that is no JSON-RPC response")
	}
	var err error
	mayLackID := false
	if failure != nil {
		if err = remoteError(failure); err == nil {
			return nil, protocolError("an answer with a malformed error")
		}
		mayLackID = unread[codeOf(err)]
	}
	if string(given) != strconv.FormatInt(id, 10) && !(mayLackID && string(given) == "null") {
		return nil, protocolError("an answer to another request")
	}
	if err == nil && !json.Valid(result) {
		return nil, protocolError("a result that isn't JSON")
	}
	return result, err
}
