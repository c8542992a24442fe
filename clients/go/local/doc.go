// SPDX-License-Identifier: Apache-2.0

// Package local runs turnkeeper inside the program: no daemon, no cgo.
//
//	client := turnkeeper.New(local.Backend())
//	repaired, err := client.Repair(ctx, body, nil)
//
// The client is the one of the package turnkeeper. Its methods, results, errors and the bytes of its answers are those that a
// daemon gives, but for Health and Stats, which are about a daemon: they fail with [turnkeeper.ErrMethodNotFound]. So is a
// [turnkeeper.Transport] with such a client.
//
// # How it works
//
// The package embeds the project's library as a WebAssembly module, which wazero compiles to machine code: once a
// process, and once a machine and user where [WithCacheDir] has a folder for what came out. The first call waits
// for that.
//
// A connection of the client is an instance of the module, with a memory of its own. A call has one for itself, and a
// stream has one from its opening to its end; the client keeps some that are idle ([turnkeeper.WithPool]). An instance begins
// with half a megabyte and grows with the largest request that it answers. Its memory never shrinks, so one that grew
// beyond 64 MiB and has no open stream is dropped after its call.
//
// # When it fails
//
// A module that ends (without memory, or by a defect) takes only its instance with it: the call fails with
// [turnkeeper.ErrInternal], a stream with [turnkeeper.ErrConnectionLost], and the next call has another instance.
//
// A call whose context ends returns at once. Its work ends within 100 ms, and its instance is dropped. The module looks
// for this itself now and then: wazero could interrupt it anywhere, but then everything would take ten times as long.
//
// A call whose context has no end is bounded all the same: it fails with [turnkeeper.ErrDeadlineExceeded] when it has done
// thirty times what the slowest honest request of its size needs.
package local
