// SPDX-License-Identifier: Apache-2.0

package local

import (
	"context"
	"encoding/binary"
	"sync"

	"github.com/tetratelabs/wazero/experimental"
)

// A linearMemory is the memory of an instance. Its bytes belong to whoever runs the instance, but for numbers that
// another goroutine may set meanwhile: growing moves the bytes, and loses none of these.
type linearMemory struct {
	mutex sync.Mutex
	bytes []byte
	most  uint64 // bytes that it may ever have
}

// withMemory gives a context in which an instance is made with this memory.
func withMemory(ctx context.Context, m *linearMemory) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(
		func(_, most uint64) experimental.LinearMemory {
			m.most = most
			return m
		}))
}

// Reallocate implements [experimental.LinearMemory].
func (m *linearMemory) Reallocate(size uint64) []byte {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if size > uint64(cap(m.bytes)) {
		// Pages that nobody touches cost nothing, and copies do.
		grown := make([]byte, size, max(size, min(2*size, m.most)))
		copy(grown, m.bytes)
		m.bytes = grown
	}
	m.bytes = m.bytes[:size]
	return m.bytes
}

// Free implements [experimental.LinearMemory].
func (m *linearMemory) Free() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.bytes = nil
}

// set sets a number while the instance runs, which sees it soon. After the instance has ended it does nothing.
func (m *linearMemory) set(at, number uint32) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if uint64(at)+4 <= uint64(len(m.bytes)) {
		binary.LittleEndian.PutUint32(m.bytes[at:], number)
	}
}
