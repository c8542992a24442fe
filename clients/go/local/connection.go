// SPDX-License-Identifier: Apache-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"sync"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// A connection is an instance that answers one call after another.
type connection struct {
	maxFrame int
	mutex    sync.Mutex // of all that follows
	instance *instance  // nil once it is dropped
	running  bool       // a goroutine has the instance; whoever ends last drops it
	closed   bool
	streams  int // that are open
}

var (
	errLost  = errors.New("the instance is gone")
	errInUse = errors.New("another call is running")
)

type outcome struct {
	answer []byte
	err    error
}

// Exchange implements [turnkeeper.Connection].
func (c *connection) Exchange(ctx context.Context, request turnkeeper.Request) ([]byte, error) {
	size := 0
	for _, piece := range request.Pieces {
		size += len(piece)
	}
	if size > c.maxFrame {
		return tooLarge(c.maxFrame), nil
	}
	i, err := c.take()
	if err != nil {
		return nil, err
	}
	at, err := i.put(request.Pieces, size)
	if err != nil {
		return c.give(request.Method, nil, false, err)
	}
	if ctx.Done() == nil {
		answer, failed, err := i.answer(at, size)
		return c.give(request.Method, answer, failed, err)
	}
	done := make(chan outcome, 1)
	go func() {
		answer, failed, err := i.answer(at, size)
		answer, err = c.give(request.Method, answer, failed, err)
		done <- outcome{answer, err}
	}()
	select {
	case o := <-done:
		return o.answer, o.err
	case <-ctx.Done():
		i.stop()
		_ = c.Close() // once the goroutine has ended, which is soon
		return nil, ctx.Err()
	}
}

// tooLarge is what the daemon answers to a frame that it doesn't read.
func tooLarge(limit int) []byte {
	return []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":-32010,"message":`+
		`"the request is larger than max_frame","data":{"name":"frame_too_large","retryable":false,"limit":%d}}}`, limit))
}

// take gives the instance to a call, which must give it back.
func (c *connection) take() (*instance, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch {
	case c.running:
		return nil, errInUse
	case c.instance == nil:
		return nil, errLost
	}
	c.running = true
	return c.instance, nil
}

// give takes the instance back, with the outcome of its call, which is given on.
func (c *connection) give(method string, answer []byte, failed bool, err error) ([]byte, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.running = false
	if err == nil && !failed {
		c.streams += opened[method]
	}
	if err != nil || c.closed {
		c.drop()
	}
	return answer, err
}

// opened says how many streams more a connection has after a method.
var opened = map[string]int{"stream.open": 1, "stream.end": -1}

// drop forgets the instance; the caller holds the mutex.
func (c *connection) drop() {
	if c.instance != nil {
		c.instance.drop()
		c.instance = nil
	}
}

// Usable implements [turnkeeper.Connection].
func (c *connection) Usable() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.instance != nil && !c.closed && (c.streams > 0 || !c.instance.grown())
}

// Close implements [turnkeeper.Connection].
func (c *connection) Close() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.closed = true
	if !c.running {
		c.drop()
	}
	return nil
}
