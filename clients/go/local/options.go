// SPDX-License-Identifier: Apache-2.0

package local

import (
	"os"
	"path/filepath"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// Limits bound what a request may ask for (PROTOCOL.md, section 7). A member that is 0 is the default in brackets.
type Limits struct {
	MaxFrame        int    // bytes of a request [64 MiB]; a longer one is refused before it is copied
	MaxDepth        uint32 // nesting of arrays and objects [256]
	MaxValues       uint32 // scalars, arrays and objects of one request [1048576]
	MaxAnswer       uint32 // bytes of one answer [256 MiB]
	MaxStreams      uint32 // open streams of one connection [64]
	MaxStreamBuffer uint32 // bytes that one stream keeps [64 MiB]
	// MaxRequestMemory bounds the bytes that one request may make in memory, beyond its own [64 MiB and 64 bytes for each of
	// its own, at most 512 MiB]. One that makes more fails with turnkeeper.ErrRequestTooCostly.
	MaxRequestMemory uint32
	// MaxMemory bounds the bytes of an instance, in units of 64 KiB [4 GiB]. An instance needs half a megabyte, and for a
	// request its size and what it makes. A call that needs more fails with turnkeeper.ErrInternal.
	MaxMemory uint32
}

const (
	defaultFrame = 64 << 20
	pageSize     = 64 << 10 // of WebAssembly's memories
	keptMemory   = 64 << 20 // a larger instance isn't kept
)

type settings struct {
	limits Limits
	folder string
}

// An Option of [Backend].
type Option func(*settings)

// WithLimits sets limits other than the defaults.
func WithLimits(limits Limits) Option { return func(s *settings) { s.limits = limits } }

// WithCacheDir names the folder that keeps the module's machine code for the next process, which then starts in a tenth of the
// time. The default is the folder turnkeeper in [os.UserCacheDir]; "": nothing is written. Whoever can write there can
// run code in this program. Where the folder can't be made, nothing is kept.
func WithCacheDir(folder string) Option { return func(s *settings) { s.folder = folder } }

// Backend makes an option of [turnkeeper.New] and [turnkeeper.Dial]: the client's calls are answered inside the program. Nothing
// is compiled before the first call. Each use of one option is a back end of its own, all of which share the machine code.
func Backend(options ...Option) turnkeeper.Option {
	s := settings{folder: userFolder()}
	for _, option := range options {
		option(&s)
	}
	if s.limits.MaxFrame == 0 {
		s.limits.MaxFrame = defaultFrame
	}
	return turnkeeper.WithBackend(&backend{settings: s})
}

func userFolder() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "turnkeeper")
}
