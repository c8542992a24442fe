// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Back ends that a script plays.

// A scripted back end answers with a function, and counts its connections.
type scripted struct {
	answer   func(ctx context.Context, request Request) ([]byte, error)
	refusal  error // of Connect
	unusable bool  // no connection is to be kept
	opened   atomic.Int64
	closed   atomic.Int64
}

func (s *scripted) Connect(context.Context) (Connection, error) {
	if s.refusal != nil {
		return nil, s.refusal
	}
	s.opened.Add(1)
	return s, nil
}

func (s *scripted) Exchange(ctx context.Context, request Request) ([]byte, error) {
	return s.answer(ctx, request)
}

func (s *scripted) Usable() bool { return !s.unusable }

func (s *scripted) Close() error {
	s.closed.Add(1)
	return nil
}

// answering gives an answer with this rest to a request.
func answering(rest string) func(context.Context, Request) ([]byte, error) {
	return func(_ context.Context, request Request) ([]byte, error) {
		var text []byte
		for _, piece := range request.Pieces {
			text = append(text, piece...)
		}
		return []byte(`{"jsonrpc":"2.0","id":` + string(lookup(text, "id")) + `,` + rest + `}`), nil
	}
}

func TestBackendAnswers(t *testing.T) {
	b := &scripted{answer: answering(`"result":{"valid":true,"violations":[],"counts":{}}`)}
	c := New(WithSocket("/nowhere"), WithBackend(b), WithPool(1, 1))
	for i := 0; i < 3; i++ {
		report, err := c.Validate(inTime(t), history("1"), nil)
		check(t, err)
		if !report.Valid {
			t.Fatalf("%+v", report)
		}
	}
	if c.Path() != "" || b.opened.Load() != 1 || b.closed.Load() != 0 {
		t.Fatal(c.Path(), b.opened.Load(), b.closed.Load())
	}
	check(t, c.Close())
	if b.closed.Load() != 1 {
		t.Fatal("the client's end doesn't close its connections")
	}
	wants(t, c.Ping(inTime(t)), ErrClosed)
}

func TestBackendsErrorsAreTheDaemons(t *testing.T) {
	b := &scripted{answer: answering(`"error":{"code":-32011,"message":"m","data":{"name":"busy","retryable":true,"limit":3}}`)}
	err := New(WithBackend(b)).Ping(inTime(t))
	wants(t, err, ErrBusy)
	if !Retryable(err) || b.closed.Load() != 0 {
		t.Fatal(err)
	}
}

func TestBackendThatDoesNotStart(t *testing.T) {
	cause := errors.New("no module")
	err := New(WithBackend(&scripted{refusal: cause}), WithRetries(3)).Ping(inTime(t))
	wants(t, err, ErrConnectFailed)
	wants(t, err, cause)
	if Retryable(err) {
		t.Fatal("nothing changes by itself")
	}
}

// A call without an answer fails, a stream is lost; either connection is closed, and the next one is another.
func TestBackendWithoutAnAnswer(t *testing.T) {
	b := &scripted{answer: func(context.Context, Request) ([]byte, error) { return nil, errors.New("a trap") }}
	c := New(WithBackend(b), WithRetries(3))
	err := c.Ping(inTime(t))
	wants(t, err, ErrInternal)
	var remote *RemoteError
	if !errors.As(err, &remote) || remote.Code != -32603 || !strings.Contains(err.Error(), "a trap") || Retryable(err) {
		t.Fatal(err)
	}
	_, err = c.Call(inTime(t), "stream.open", nil)
	wants(t, err, ErrConnectionLost)
	if b.opened.Load() != 2 || b.closed.Load() != 2 {
		t.Fatal(b.opened.Load(), b.closed.Load())
	}
	b.answer = answering(`"result":{"state":"open","outputs":[]}`)
	s, err := c.Stream(inTime(t), nil)
	check(t, err)
	b.answer = func(context.Context, Request) ([]byte, error) { return nil, errors.New("a trap") }
	_, err = s.Feed(inTime(t), []byte("x"))
	wants(t, err, ErrConnectionLost)
	_, err = s.Finish(inTime(t))
	wants(t, err, ErrConnectionLost)
	if b.opened.Load() != 3 || b.closed.Load() != 3 {
		t.Fatal(b.opened.Load(), b.closed.Load())
	}
}

// What shall not be kept is closed after its call.
func TestBackendsConnectionsThatAreNotKept(t *testing.T) {
	b := &scripted{answer: answering(`"result":{"pong":true}`), unusable: true}
	c := New(WithBackend(b))
	for i := int64(1); i < 4; i++ {
		check(t, c.Ping(inTime(t)))
		if b.opened.Load() != i || b.closed.Load() != i {
			t.Fatal(b.opened.Load(), b.closed.Load())
		}
	}
}

func TestBackendThatTakesTooLong(t *testing.T) {
	b := &scripted{answer: func(ctx context.Context, _ Request) ([]byte, error) {
		<-ctx.Done()
		return nil, errors.New("interrupted")
	}}
	wants(t, New(WithBackend(b), WithTimeout(10*time.Millisecond)).Ping(context.Background()), ErrTimeout)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	wants(t, New(WithBackend(b)).Ping(ctx), ErrCanceled)
	ctx, cancel = context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	wants(t, New(WithBackend(b), WithTimeout(0)).Ping(ctx), context.Canceled)
	if b.opened.Load() != b.closed.Load() {
		t.Fatal("a connection is left")
	}
}
