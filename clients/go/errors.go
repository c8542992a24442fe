// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Name is the stable name of an error. It is an error itself, to compare with:
//
//	if errors.Is(err, turnkeeper.ErrBusy) { ... }
//
// Names of a newer daemon, which this package has no constant for, are compared in the same way:
// errors.Is(err, turnkeeper.Name("some_new_name")).
type Name string

func (n Name) Error() string { return "turnkeeper: " + string(n) }

// Errors that this package finds itself (as a [*LocalError]).
const (
	ErrNotEncodable        Name = "not_encodable"        // the argument isn't JSON; nothing was sent
	ErrConnectFailed       Name = "connect_failed"       // nobody listens there; nothing was sent
	ErrConnectionLost      Name = "connection_lost"      // closed before or inside the answer
	ErrTimeout             Name = "timeout"              // also context.DeadlineExceeded
	ErrCanceled            Name = "canceled"             // also context.Canceled
	ErrProtocol            Name = "protocol_error"       // an answer that no turnkeeper gives
	ErrUnsupportedProtocol Name = "unsupported_protocol" // also ErrProtocol
	ErrClosed              Name = "closed"               // Close was called
)

// A RemoteError is what the daemon answered instead of a result. Its connection stays usable.
//
// Its text holds no content of a history and may be logged; Data may name ids and tools.
type RemoteError struct {
	Name       Name
	Code       int
	Message    string          // for people
	Pointer    string          // the place in the request, as "/params/messages/0/role"; "" if none
	Retryable  bool            // the same call may succeed later
	RetryAfter time.Duration   // what the daemon asks to wait; 0 if it didn't say
	Limit      int64           // the limit that the request met, in its own unit; 0 if it met none
	Data       json.RawMessage // all that it added, as it came; an "offset" counts in the document that was given
}

func (e *RemoteError) Error() string {
	text := "turnkeeper: " + string(e.Name)
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.Pointer != "" {
		text += " (" + e.Pointer + ")"
	}
	if e.Limit != 0 {
		text += " (limit " + strconv.FormatInt(e.Limit, 10) + ")"
	}
	return text
}

// Is matches the error's own name and the one that belongs to its code.
func (e *RemoteError) Is(target error) bool {
	name, ok := target.(Name)
	return ok && (name == e.Name || name == families[e.Code])
}

// An UnsafeHistoryError says that the guard can't make a history safe: don't send it.
type UnsafeHistoryError struct {
	Remote *RemoteError
	// Violations lists the findings that no allowed edit could repair, with places of the history as it was given.
	// Needed of each names the edit that protection or policy forbade, WayOut says what can be done
	// about it, ProviderError is the provider's answer to it.
	Violations []Finding
}

// Error names codes and places, says what can be done, and shows what the provider would have said.
// That may name ids of calls, as the provider's own error does.
func (e *UnsafeHistoryError) Error() string {
	var text strings.Builder
	text.WriteString(e.Remote.Error())
	for i, v := range e.Violations {
		if i == 3 {
			fmt.Fprintf(&text, "; %d more", len(e.Violations)-i)
			break
		}
		fmt.Fprintf(&text, "; %s at %s", v.Code, place(v.Pointer))
		if v.WayOut != "" {
			text.WriteString(": " + strings.TrimSuffix(v.WayOut, "."))
		}
	}
	if says := e.ProviderSays(); says != "" {
		text.WriteString("; the provider would say: " + says)
	}
	return text.String()
}

// Unwrap gives the [*RemoteError].
func (e *UnsafeHistoryError) Unwrap() error { return e.Remote }

// ProviderSays is what the provider would have answered to the history, as far as that is known: it
// reports the first fault that it meets. "" if nothing is known.
func (e *UnsafeHistoryError) ProviderSays() string {
	for _, v := range e.Violations {
		if v.ProviderError != "" && v.IsError() {
			return v.ProviderError
		}
	}
	return ""
}

// A DialectMismatchError says that a history is in another format than the one asked for. Nothing was
// judged, nothing was edited. Convert the history, or name its format in Params.Dialect.
type DialectMismatchError struct {
	Remote    *RemoteError
	Dialect   string // the format that was asked for
	LooksLike string // the format that the history has, as "openai-chat"; "" if it is none that is known
	Sign      string // the member of Remote.Pointer that shows it
}

// Error is the daemon's text, which names the format and its sign, with the place.
func (e *DialectMismatchError) Error() string { return e.Remote.Error() }

// Unwrap gives the [*RemoteError].
func (e *DialectMismatchError) Unwrap() error { return e.Remote }

func place(pointer string) string {
	if pointer == "" {
		return "/"
	}
	return pointer
}

// A LocalError is a failure that no answer of the daemon describes. The connection, if there was
// one, is closed, but for ErrNotEncodable.
type LocalError struct {
	Name      Name
	Message   string
	Retryable bool
	Socket    string // the daemon's, if the failure is one of reaching it; else ""
	Err       error  // the cause, or nil
}

func (e *LocalError) Error() string {
	text := "turnkeeper: " + string(e.Name)
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if !strings.Contains(text, e.Socket) {
		text += " (" + e.Socket + ")"
	}
	return text
}

// Unwrap gives the cause: a *net.OpError, context.Canceled and the like.
func (e *LocalError) Unwrap() error { return e.Err }

// Is matches the error's name.
func (e *LocalError) Is(target error) bool {
	name, ok := target.(Name)
	return ok && (name == e.Name || name == ErrProtocol && e.Name == ErrUnsupportedProtocol)
}

// Timeout makes a call whose time ran out look like other timeouts of the net package.
func (e *LocalError) Timeout() bool { return e.Name == ErrTimeout }

// A PairingError says that a stream or response can't become a turn: the provider broke it off, or a
// provider-executed call and its result don't belong together. See STREAM.md, section 10.
type PairingError struct {
	Kind      Name            // Kinds[0]
	Kinds     []Name          // all that is wrong; errors.Is matches each
	Retryable bool            // the request to the provider may be made again
	Text      string          // for people, without content
	Raw       json.RawMessage // the error output as it came
	Warnings  map[string]int
	Outputs   []Output        // what stream.end released before it
	Turn      json.RawMessage // as in [Turn]: what can be stored nevertheless
}

func (e *PairingError) Error() string {
	kinds := make([]string, len(e.Kinds))
	for i, kind := range e.Kinds {
		kinds[i] = string(kind)
	}
	return "turnkeeper: pairing failed (" + strings.Join(kinds, ", ") + "): " + e.Text
}

// Is matches each of the kinds.
func (e *PairingError) Is(target error) bool {
	for _, kind := range e.Kinds {
		if target == kind {
			return true
		}
	}
	return false
}

// Retryable tells whether the call that gave err may succeed if it is made again.
func Retryable(err error) bool {
	var remote *RemoteError
	var local *LocalError
	var pairing *PairingError
	switch {
	case errors.As(err, &remote):
		return remote.Retryable
	case errors.As(err, &local):
		return local.Retryable
	case errors.As(err, &pairing):
		return pairing.Retryable
	}
	return false
}

func local(name Name, message string, cause error) *LocalError {
	return &LocalError{Name: name, Message: message, Err: cause, Retryable: name == ErrConnectFailed}
}

func protocolError(format string, args ...interface{}) error {
	return local(ErrProtocol, fmt.Sprintf(format, args...), nil)
}

// interrupted is the error of a call that was stopped on this side.
func interrupted(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return local(ErrCanceled, "the call was given up", context.Canceled)
	}
	return local(ErrTimeout, "no answer in time", context.DeadlineExceeded)
}

// codeOf gives the code of an error that the daemon answered.
func codeOf(err error) int {
	var remote *RemoteError
	if errors.As(err, &remote) {
		return remote.Code
	}
	return 0
}

// countFrom makes the member offset of Data count from the first byte of the document that was given, which is at `from` in
// the request and has `size` bytes.
func (e *RemoteError) countFrom(from, size int) {
	elements(e.Data, func(s span) bool {
		if string(e.Data[s.name:s.nameEnd]) != `"offset"` {
			return true
		}
		offset, err := strconv.Atoi(string(e.Data[s.start:s.end]))
		if err != nil || offset < from {
			return false
		}
		if offset -= from; offset > size {
			offset = size
		}
		data := strconv.AppendInt(append(json.RawMessage(nil), e.Data[:s.start]...), int64(offset), 10)
		e.Data = append(data, e.Data[s.end:]...)
		return false
	})
}

// remoteError reads the member "error" of an answer; nil if it is malformed.
func remoteError(raw json.RawMessage) error {
	var wire struct {
		Code    *int            `json:"code"`
		Message *string         `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &wire) != nil || wire.Code == nil || wire.Message == nil {
		return nil
	}
	remote := &RemoteError{Code: *wire.Code, Message: *wire.Message, Data: wire.Data}
	remote.Name = families[remote.Code]
	// Each member on its own: a newer daemon's odd one must not hide the others.
	member(wire.Data, "name", &remote.Name)
	member(wire.Data, "pointer", &remote.Pointer)
	if !member(wire.Data, "retryable", &remote.Retryable) {
		switch remote.Code {
		case -32011, -32012, -32013:
			remote.Retryable = true
		}
	}
	var wait float64
	if member(wire.Data, "retry_after_ms", &wait) && wait > 0 {
		remote.RetryAfter = time.Duration(math.Min(wait, 1e9) * float64(time.Millisecond))
	}
	member(wire.Data, "limit", &remote.Limit)
	switch {
	case remote.Is(ErrUnsafeHistory):
		unsafe := &UnsafeHistoryError{Remote: remote}
		member(wire.Data, "violations", &unsafe.Violations)
		return unsafe
	case remote.Name == ErrDialectMismatch:
		mismatch := &DialectMismatchError{Remote: remote}
		member(wire.Data, "dialect", &mismatch.Dialect)
		member(wire.Data, "looks_like", &mismatch.LooksLike)
		member(wire.Data, "sign", &mismatch.Sign)
		return mismatch
	}
	return remote
}

// member decodes one member of an object; false if it isn't there or of another type.
func member(raw json.RawMessage, name string, into interface{}) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members[name] == nil {
		return false
	}
	return json.Unmarshal(members[name], into) == nil
}
