// SPDX-License-Identifier: Apache-2.0

//go:build go1.23

package turnkeeper

import (
	"context"
	"io"
	"iter"
)

// All reads a provider's SSE stream to its end and yields each output as soon as it may leave. An
// error comes last and alone: the daemon's, or the [*PairingError]. [Stream.Turn] has the turn then.
//
//	for output, err := range s.All(ctx, response.Body) { ... }
//
// Leaving the loop early closes the stream.
func (s *Stream) All(ctx context.Context, source io.Reader) iter.Seq2[Output, error] {
	return func(yield func(Output, error) bool) {
		_, err := s.Each(ctx, source, func(output Output) error {
			if !yield(output, nil) {
				return errLeft
			}
			return nil
		})
		if err != nil && err != errLeft {
			yield(Output{}, err)
		}
	}
}

const errLeft Name = "left"
