// SPDX-License-Identifier: Apache-2.0

//go:build go1.23

package turnkeeper

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

func TestAll(t *testing.T) {
	c := streaming(t)
	ctx := inTime(t)
	s, err := c.Stream(ctx, &StreamParams{Emit: EmitEvents})
	check(t, err)
	var types []string
	for output, err := range s.All(ctx, strings.NewReader(searchStream)) {
		check(t, err)
		types = append(types, output.Type)
	}
	if len(types) != 14 || types[0] != "message_start" || types[13] != "message_stop" {
		t.Fatal(types)
	}
	turn, err := s.Turn()
	check(t, err)
	if turn.Finish.ID != "msg_1" {
		t.Fatalf("%s", turn.Raw)
	}
}

func TestAllEndsEarly(t *testing.T) {
	c := streaming(t)
	ctx := inTime(t)
	s, err := c.Stream(ctx, nil)
	check(t, err)
	for range s.All(ctx, iotest.OneByteReader(strings.NewReader(searchStream))) {
		break
	}
	_, err = s.Turn()
	wants(t, err, ErrClosed)

	s, err = c.Stream(ctx, nil)
	check(t, err)
	var last error
	for _, err := range s.All(ctx, strings.NewReader(before("event: message_delta"))) {
		last = err
	}
	var fault *PairingError
	if !errors.As(last, &fault) || fault.Kind != "truncated_stream" {
		t.Fatal(last)
	}
}
