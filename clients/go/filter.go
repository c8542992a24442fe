// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"context"
	"encoding/json"
	"errors"
	"io"
)

// A pump feeds a stream from a reader, a chunk at a time, and finishes it.
type pump struct {
	stream *Stream
	source io.Reader
	chunk  []byte
	ended  bool
	turn   *Turn
	err    error // how the stream ended, if not well
	broken error // the source's own error
}

const chunkSize = 32 << 10

// next reads once and gives what that released. After the last outputs ended is true.
func (p *pump) next(ctx context.Context) ([]Output, error) {
	if p.chunk == nil {
		p.chunk = make([]byte, chunkSize)
	}
	n, err := p.source.Read(p.chunk)
	var outputs []Output
	if n > 0 {
		fed, failed := p.stream.Feed(ctx, p.chunk[:n])
		if failed != nil {
			p.ended, p.err = true, failed
			return fed, failed
		}
		outputs = fed
	}
	if err == nil && p.stream.Open() {
		return outputs, nil
	}
	last, failed := p.finish(ctx, err)
	return append(outputs, last...), failed
}

func (p *pump) finish(ctx context.Context, broken error) ([]Output, error) {
	p.ended = true
	if broken == nil || errors.Is(broken, io.EOF) {
		p.turn, p.err = p.stream.Finish(ctx)
	} else {
		p.broken = broken
		p.turn, p.err = p.stream.Fail(ctx, broken.Error())
	}
	var fault *PairingError
	switch {
	case p.err == nil:
		return p.turn.Outputs, nil
	case errors.As(p.err, &fault):
		return fault.Outputs, nil // the last of them is the error
	}
	return nil, p.err
}

// Each reads a provider's SSE stream to its end and calls visit with each output as soon as it may
// leave. It gives the turn, or the error of visit, of the daemon, or the [*PairingError]. The stream
// is over then.
func (s *Stream) Each(ctx context.Context, source io.Reader, visit func(Output) error) (*Turn, error) {
	defer s.Close()
	p := &pump{stream: s, source: source}
	for !p.ended {
		outputs, failed := p.next(ctx)
		for _, output := range outputs {
			if err := visit(output); err != nil {
				return nil, err
			}
		}
		if failed != nil {
			return nil, failed
		}
	}
	return p.turn, p.err
}

// A Filter reads a provider's SSE stream and gives an SSE stream in which no half of a
// provider-executed operation is ever seen alone. A fault, or a stream that breaks off, ends it with
// an SSE event "error", as the provider's own would.
type Filter struct {
	ctx     context.Context
	pump    pump
	pending []byte
	sealed  func(json.RawMessage) // if not nil: learns the turn's seal
}

// FilterSSE opens a stream and puts it between source and whoever reads the Filter. params.Emit is
// EmitSSE in any case. The context bounds all that the Filter does.
func (c *Client) FilterSSE(ctx context.Context, source io.Reader, params *StreamParams) (*Filter, error) {
	s, err := c.openSSE(ctx, params)
	if err != nil {
		return nil, err
	}
	return newFilter(ctx, s, source), nil
}

func (c *Client) openSSE(ctx context.Context, params *StreamParams) (*Stream, error) {
	sse := StreamParams{}
	if params != nil {
		sse = *params
	}
	sse.Emit = EmitSSE
	s, err := c.Stream(ctx, &sse)
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	s.life = ctx
	s.mutex.Unlock()
	return s, nil
}

func newFilter(ctx context.Context, s *Stream, source io.Reader) *Filter {
	return &Filter{ctx: ctx, pump: pump{stream: s, source: source}}
}

// Read gives what has been released, as soon as there is something. Once the turn is whole it reads
// the rest of the source and drops it, so that an HTTP connection can be used again.
func (f *Filter) Read(p []byte) (int, error) {
	for len(f.pending) == 0 && !f.pump.ended && len(p) > 0 {
		outputs, err := f.pump.next(f.ctx)
		if f.pump.turn != nil && f.sealed != nil {
			f.sealed(f.pump.turn.Seal)
		}
		f.pending = f.pending[:0]
		for _, output := range outputs {
			f.pending = append(f.pending, output.SSE()...)
		}
		if err != nil && len(f.pending) == 0 {
			return 0, err
		}
	}
	if len(f.pending) > 0 || len(p) == 0 {
		n := copy(p, f.pending)
		f.pending = f.pending[n:]
		return n, nil
	}
	return 0, f.end()
}

// end returns what Read returns after the last output.
func (f *Filter) end() error {
	var fault *PairingError
	switch {
	case f.pump.broken != nil:
		return f.pump.broken
	case f.pump.err == nil:
		_, _ = io.Copy(io.Discard, f.pump.source) // if it fails: the turn is whole all the same
	case !errors.As(f.pump.err, &fault):
		return f.pump.err
	}
	return io.EOF
}

// Turn gives the turn that the stream has become, once Read said io.EOF; else why there is none, for
// faults of the stream as a [*PairingError].
func (f *Filter) Turn() (*Turn, error) { return f.pump.stream.Turn() }

// Close frees the daemon's stream, and closes the source if that can be closed.
func (f *Filter) Close() error {
	_ = f.pump.stream.Close()
	if source, ok := f.pump.source.(io.Closer); ok {
		return source.Close()
	}
	return nil
}
