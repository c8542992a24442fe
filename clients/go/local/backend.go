// SPDX-License-Identifier: Apache-2.0

package local

import (
	"context"
	_ "embed"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// The module. `make wasm` puts it here; without it this package doesn't build (README.md).
//
//go:embed turnkeeper.wasm
var module []byte

// A backend makes connections. Its runtime and the instances belong to it alone, and go when nobody holds them any more.
type backend struct {
	settings
	once     sync.Once
	ready    chan struct{} // closed once the module is compiled, or failed to
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	failure  error
}

// Connect implements [turnkeeper.Backend].
func (b *backend) Connect(ctx context.Context) (turnkeeper.Connection, error) {
	b.once.Do(func() {
		b.ready = make(chan struct{})
		go b.compile()
	})
	select {
	case <-b.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if b.failure != nil {
		return nil, b.failure
	}
	i, err := b.instantiate()
	if err != nil {
		return nil, err
	}
	return &connection{instance: i, maxFrame: b.limits.MaxFrame}, nil
}

func (b *backend) compile() {
	defer close(b.ready)
	ctx := experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
	config := wazero.NewRuntimeConfig().WithCompilationCache(codeIn(b.folder))
	if pages := b.limits.MaxMemory / pageSize; pages > 0 {
		config = config.WithMemoryLimitPages(pages)
	}
	b.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	b.compiled, b.failure = b.runtime.CompileModule(ctx, module)
}

// codes has the machine code of this process, by the folder that keeps it for others.
var codes = struct {
	sync.Mutex
	of map[string]wazero.CompilationCache
}{of: map[string]wazero.CompilationCache{}}

// codeIn gives the cache that all back ends with this folder share.
func codeIn(folder string) wazero.CompilationCache {
	codes.Lock()
	defer codes.Unlock()
	if codes.of[folder] == nil {
		codes.of[folder] = openCache(folder)
	}
	return codes.of[folder]
}

func openCache(folder string) wazero.CompilationCache {
	if folder != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(folder); err == nil {
			return cache
		}
	}
	return wazero.NewCompilationCache()
}
