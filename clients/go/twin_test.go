// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"sync"
	"testing"
	"time"
)

// The tests of this package also run with the back end of the package in the folder local; with_local_test.go says how. Each
// request of such a run goes to the back end and to the daemon, and their answers must have the same bytes.

// InProcess is the back end to be tested; nil: the daemon alone.
var InProcess func() Option

// over gives the options of a client of this daemon: the real one if real is true, else one that a script plays.
func over(t testing.TB, path string, real bool) []Option {
	if InProcess == nil {
		return []Option{WithSocket(path)}
	}
	if real {
		return newTwin(t, path).options()
	}
	return (&twin{t: t, path: path}).options()
}

// ofTheSocket skips a test of what only a socket can do.
func ofTheSocket(t testing.TB) {
	if InProcess != nil {
		t.Skip("about the socket")
	}
}

// A twin is the local back end, held against the daemon; without local it is the daemon alone, as a back end.
type twin struct {
	t     testing.TB
	path  string
	local Backend
	mutex sync.Mutex
	last  []byte // the last answer
}

// newTwin makes a twin of the daemon that has this socket.
func newTwin(t testing.TB, path string) *twin {
	return &twin{t: t, path: path, local: New(InProcess()).backend}
}

func (w *twin) options() []Option { return []Option{WithSocket(w.path), WithBackend(w)} }

func (w *twin) Connect(ctx context.Context) (Connection, error) {
	end, err := dial(ctx, w.path, time.Time{})
	if err != nil {
		return nil, err
	}
	ends := &twins{twin: w, daemon: end}
	if w.local != nil {
		ends.local, err = w.local.Connect(ctx)
	}
	return ends, err
}

// take gives the last answer, once.
func (w *twin) take() []byte {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	last := w.last
	w.last = nil
	return last
}

// twins are two connections on which the same things happen.
type twins struct {
	*twin
	daemon *conn
	local  Connection
}

// different has the methods whose answers no other process gives: about itself, or with what its random key makes.
var different = map[string]bool{"health": true, "stats": true, "info": true, "redact": true}

func (w *twins) Exchange(ctx context.Context, request Request) ([]byte, error) {
	answer, err := w.ask(ctx, request)
	if err != nil || w.local == nil {
		return answer, err
	}
	own, err := w.local.Exchange(ctx, request)
	if err != nil {
		return nil, err
	}
	if !different[request.Method] && !bytes.Equal(answer, own) {
		w.t.Errorf("%s: the daemon answers\n%.2000s\nand the back end\n%.2000s", request.Method, answer, own)
	}
	w.mutex.Lock()
	w.last = own
	w.mutex.Unlock()
	return own, nil
}

// ask has the daemon answer.
func (w *twins) ask(ctx context.Context, request Request) ([]byte, error) {
	size := 0
	for _, piece := range request.Pieces {
		size += len(piece)
	}
	frame := append(net.Buffers{binary.BigEndian.AppendUint32(nil, uint32(size))}, request.Pieces...)
	deadline, _ := ctx.Deadline()
	answer, _, err := w.daemon.carry(ctx, nil, frame, deadline)
	return answer, err
}

func (w *twins) Usable() bool { return w.daemon.quiet() && (w.local == nil || w.local.Usable()) }

func (w *twins) Close() error {
	if w.local != nil {
		_ = w.local.Close()
	}
	return w.daemon.Close()
}
