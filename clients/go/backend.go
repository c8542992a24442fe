// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"net"
	"time"
)

// A Backend answers a client's requests in the place of the daemon. The package in the folder local is one: it runs
// turnkeeper inside the program. It must be safe for concurrent use.
type Backend interface {
	// Connect gives a connection that nobody else has. Where ctx ends first, it returns an error soon after.
	Connect(ctx context.Context) (Connection, error)
}

// A Connection answers one request at a time, and holds the streams that were opened on it.
type Connection interface {
	// Exchange gives the answer to a request, which is the caller's to keep. An error means that there is none, and
	// that the connection and its streams are lost. Where ctx ends first, Exchange returns an error soon after; what it
	// was given is not read any more then.
	Exchange(ctx context.Context, request Request) (answer []byte, err error)
	// Usable tells whether the connection, with no call running, may be kept for more calls.
	Usable() bool
	// Close ends the connection and its streams.
	Close() error
}

// A Request is one JSON-RPC document, as PROTOCOL.md describes it: what a frame of the daemon's socket carries, without
// the frame's length.
type Request struct {
	Method string
	Pieces [][]byte // the document's bytes, in order; nobody changes them
}

// WithBackend lets a back end answer instead of the daemon. [WithSocket] means nothing then.
func WithBackend(b Backend) Option { return func(c *Client) { c.backend = b } }

// A link is what a call goes over: a connection to the daemon, or to a back end. One call has it at a time.
type link interface {
	carry(ctx context.Context, q *request, frame net.Buffers, deadline time.Time) (answer []byte, started bool, err error)
	quiet() bool // it may be used for another call
	Close() error
}

// An inProcess is a link to a back end.
type inProcess struct{ Connection }

func (l inProcess) quiet() bool { return l.Usable() }

// join connects to the client's back end.
func (c *Client) join(ctx context.Context, deadline time.Time) (link, error) {
	bounded, cancel := until(ctx, deadline)
	defer cancel()
	connection, err := c.backend.Connect(bounded)
	switch {
	case err == nil:
		return inProcess{connection}, nil
	case bounded.Err() != nil || isTimeout(err):
		return nil, interrupted(ctx)
	}
	fault := local(ErrConnectFailed, "the back end doesn't start", err)
	fault.Retryable = false
	return nil, fault
}

func (l inProcess) carry(ctx context.Context, q *request, frame net.Buffers, deadline time.Time) (answer []byte, started bool, err error) {
	bounded, cancel := until(ctx, deadline)
	defer cancel()
	frame[0] = frame[0][headerSize:]
	answer, err = l.Exchange(bounded, Request{q.method, frame})
	switch {
	case err == nil:
		return answer, true, nil
	case bounded.Err() != nil || isTimeout(err):
		return nil, false, interrupted(ctx)
	}
	return nil, true, local(ErrConnectionLost, "the back end gave no answer", err)
}

// until gives the context with the deadline; zero: without one.
func until(ctx context.Context, deadline time.Time) (context.Context, context.CancelFunc) {
	if deadline.IsZero() {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, deadline)
}

// defect is the error of a call that a back end had no answer to: what the daemon says of a request that it fails to
// answer for a reason of its own.
func defect(cause *LocalError) error {
	return &RemoteError{
		Name: ErrInternal, Code: -32603, Message: cause.Message + ": " + cause.Err.Error(),
		Data: json.RawMessage(`{"name":"internal"}`),
	}
}
