// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"time"
)

const (
	backlogPause = 5 * time.Millisecond
	firstRead    = 16 << 10 // header and body of most answers at once
	readStep     = 1 << 20  // memory for an answer grows as its bytes come, not as announced
)

// A conn is one connection. One call has it at a time.
type conn struct {
	*net.UnixConn
	buffer []byte
}

// dial opens a connection. A listener whose backlog is full says so instead of letting us wait, and
// will have worked it off soon.
func dial(ctx context.Context, path string, deadline time.Time) (*conn, error) {
	dialer := net.Dialer{Deadline: deadline}
	for {
		c, err := dialer.DialContext(ctx, "unix", path)
		if err == nil {
			return &conn{UnixConn: c.(*net.UnixConn)}, nil
		}
		full := errors.Is(err, syscall.EAGAIN) // which counts as a timeout, too
		switch {
		case ctx.Err() != nil || !full && isTimeout(err):
			return nil, interrupted(ctx)
		case !full:
			return nil, local(ErrConnectFailed, whyUnreachable(path, err), err)
		}
		if err := pause(ctx, backlogPause, deadline); err != nil {
			return nil, err
		}
	}
}

// longestPath is what a socket's address has room for, without the zero byte at its end.
const longestPath = len(syscall.RawSockaddrUnix{}.Path) - 1

// whyUnreachable says in words what the system's error means for a user; "" if that is clear.
func whyUnreachable(path string, err error) string {
	switch {
	case len(path) > longestPath:
		return fmt.Sprintf("a socket's path has at most %d bytes, this one has %d", longestPath, len(path))
	case errors.Is(err, syscall.ENOENT):
		return "no daemon has made this socket"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "no daemon listens there any more"
	case errors.Is(err, syscall.EACCES):
		return "this user may not connect"
	}
	return ""
}

// pause waits, or returns the error of a call whose time ends within the wait.
func pause(ctx context.Context, d time.Duration, deadline time.Time) error {
	if !deadline.IsZero() && time.Until(deadline) < d {
		return interrupted(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return interrupted(ctx)
	}
}

// carry sends a frame and reads the one that answers it. started: bytes of the answer came. Unless it
// returns without error, the connection is of no more use.
func (c *conn) carry(ctx context.Context, _ *request, frame net.Buffers, deadline time.Time) (answer []byte, started bool, err error) {
	if err := c.SetDeadline(deadline); err != nil {
		return nil, false, local(ErrConnectionLost, "", err)
	}
	release := c.watch(ctx)
	defer release()
	_, sending := frame.WriteTo(c.UnixConn)
	if isTimeout(sending) {
		return nil, false, interrupted(ctx)
	}
	// Where sending failed, a busy daemon may have answered and closed without reading.
	answer, started, err = c.read()
	switch {
	case err == nil && sending == nil:
		return answer, true, nil
	case err == nil:
		_ = c.Close() // what was left unsent would be read as the next request
		return answer, true, nil
	case isTimeout(err):
		return nil, started, interrupted(ctx)
	case errors.As(err, new(*LocalError)):
		return nil, started, err
	case started:
		return nil, true, local(ErrConnectionLost, "inside the answer", err)
	case sending != nil:
		err = sending
	}
	return nil, started, local(ErrConnectionLost, "before the answer", err)
}

// watch lets the end of ctx interrupt reads and writes. The returned function ends that; nothing of
// ctx reaches the connection after it.
func (c *conn) watch(ctx context.Context) func() {
	if ctx.Done() == nil {
		return func() {}
	}
	finished := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Add(1)
	go func() {
		defer watcher.Done()
		select {
		case <-ctx.Done():
			_ = c.SetDeadline(time.Unix(1, 0))
		case <-finished:
		}
	}()
	return func() {
		close(finished)
		watcher.Wait()
	}
}

// read reads one frame and gives its body, which belongs to the caller.
func (c *conn) read() (body []byte, started bool, err error) {
	if c.buffer == nil {
		c.buffer = make([]byte, firstRead)
	}
	n, err := io.ReadAtLeast(c.UnixConn, c.buffer, headerSize)
	if err != nil {
		return nil, n > 0, err
	}
	size := int(binary.BigEndian.Uint32(c.buffer))
	if size <= 0 || size > largest {
		return nil, true, protocolError("what listens there is no turnkeeperd: an answer of %d bytes", size)
	}
	got := c.buffer[headerSize:n]
	if len(got) > size {
		return nil, true, protocolError("bytes after the answer")
	}
	body = make([]byte, len(got), atMost(size, readStep+len(got)))
	copy(body, got)
	for len(body) < size {
		if len(body) == cap(body) {
			body = append(make([]byte, 0, atMost(size, 2*cap(body))), body...)
		}
		end := len(body)
		n, err := io.ReadFull(c.UnixConn, body[end:cap(body)])
		body = body[:end+n]
		if err != nil {
			return nil, true, err
		}
	}
	return body, true, nil
}

func atMost(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return err != nil && errors.As(err, &timeout) && timeout.Timeout()
}
