// SPDX-License-Identifier: Apache-2.0

package local

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// An instance of the module with its core and its session. The header include/turnkeeper/wasm.h describes the functions that
// are called here. It is for one goroutine at a time, and of no use after an error.
type instance struct {
	module  api.Module
	memory  api.Memory
	linear  *linearMemory // the same memory
	work    uint64        // where the module is told how much a call may do
	core    uint64
	session uint64
	do      map[string]api.Function
	stack   [7]uint64 // arguments of a call, then its result
}

var exports = []string{
	"tk_module_allocate", "tk_module_free", "tk_module_core_new", "tk_session_new", "tk_module_call", "tk_reply_size",
	"tk_module_reply_pieces", "tk_module_reply_piece", "tk_module_reply_piece_size", "tk_module_reply_error", "tk_reply_free",
}

// Of tk_module_work: its size, and where the number is that ends a call.
const (
	workSize = 12
	stopAt   = 4
)

var errNoMemory = errors.New("no memory is left in the module")

// instantiate makes an instance. Its hash tables have a key of their own.
func (b *backend) instantiate() (*instance, error) {
	linear := new(linearMemory)
	ctx := withMemory(context.Background(), linear)
	module, err := b.runtime.InstantiateModule(ctx, b.compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, err
	}
	i := &instance{module: module, memory: module.Memory(), linear: linear, do: make(map[string]api.Function, len(exports))}
	if err := i.begin(b.limits); err != nil {
		i.drop()
		return nil, err
	}
	return i, nil
}

func (i *instance) begin(l Limits) error {
	for _, name := range exports {
		if i.do[name] = i.module.ExportedFunction(name); i.do[name] == nil {
			return fmt.Errorf("turnkeeper.wasm is of another release: it has no %s", name)
		}
	}
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	at, err := i.put([][]byte{key}, len(key))
	if err != nil {
		return err
	}
	i.core, err = i.some("tk_module_core_new", uint64(l.MaxDepth), uint64(l.MaxValues), uint64(l.MaxAnswer),
		uint64(l.MaxStreams), uint64(l.MaxStreamBuffer), at, uint64(l.MaxRequestMemory))
	if err != nil {
		return err
	}
	if _, err := i.call("tk_module_free", at); err != nil {
		return err
	}
	if i.work, err = i.some("tk_module_allocate", workSize); err != nil {
		return err
	}
	i.memory.WriteUint64Le(uint32(i.work), 0)
	i.session, err = i.some("tk_session_new", i.core)
	return err
}

// call calls a function of the module. An error means that the instance ended.
func (i *instance) call(name string, arguments ...uint64) (uint64, error) {
	copy(i.stack[:], arguments)
	if err := i.do[name].CallWithStack(context.Background(), i.stack[:]); err != nil {
		return 0, err
	}
	return i.stack[0], nil
}

// some is call of a function whose result is 0 only where there is no memory.
func (i *instance) some(name string, arguments ...uint64) (uint64, error) {
	result, err := i.call(name, arguments...)
	if err == nil && result == 0 {
		err = errNoMemory
	}
	return result, err
}

// put copies pieces of so many bytes into the module and gives their address.
func (i *instance) put(pieces [][]byte, size int) (uint64, error) {
	at, err := i.some("tk_module_allocate", uint64(size))
	if err != nil {
		return 0, err
	}
	room, ok := i.memory.Read(uint32(at), uint32(size))
	if !ok {
		return 0, errNoMemory
	}
	for _, piece := range pieces {
		room = room[copy(room, piece):]
	}
	return at, nil
}

// answer has the request of so many bytes at this address answered, frees it, and gives a copy of the answer. failed: it is an
// error of the protocol.
func (i *instance) answer(at uint64, size int) (text []byte, failed bool, err error) {
	// 0: as much work as the module allows for a request of this size.
	i.memory.WriteUint32Le(uint32(i.work), 0)
	reply, err := i.some("tk_module_call", i.core, i.session, at, uint64(size), 0, i.work)
	if err != nil {
		return nil, false, err
	}
	name, err := i.call("tk_module_reply_error", reply)
	if err != nil {
		return nil, false, err
	}
	if text, err = i.textOf(reply); err != nil {
		return nil, false, err
	}
	if _, err = i.call("tk_reply_free", reply); err == nil {
		_, err = i.call("tk_module_free", at)
	}
	return text, name != 0, err
}

// textOf copies the pieces of a reply.
func (i *instance) textOf(reply uint64) ([]byte, error) {
	total, err := i.call("tk_reply_size", reply)
	if err != nil {
		return nil, err
	}
	count, err := i.call("tk_module_reply_pieces", reply)
	text := make([]byte, 0, total)
	for n := uint64(0); err == nil && n < count; n++ {
		var at, size uint64
		if at, err = i.call("tk_module_reply_piece", reply, n); err != nil {
			break
		}
		size, err = i.call("tk_module_reply_piece_size", reply, n)
		piece, _ := i.memory.Read(uint32(at), uint32(size))
		text = append(text, piece...)
	}
	return text, err
}

// stop ends the call that runs, and all later ones: they are answered `deadline_exceeded`. Any goroutine may call it.
func (i *instance) stop() { i.linear.set(uint32(i.work)+stopAt, 1) }

// grown tells whether the memory is larger than what is worth to keep.
func (i *instance) grown() bool { return i.memory.Size() > keptMemory }

func (i *instance) drop() { _ = i.module.Close(context.Background()) }
