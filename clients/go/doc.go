// SPDX-License-Identifier: Apache-2.0

// Package turnkeeper is a client of turnkeeperd, which finds and repairs what makes a provider refuse
// a conversation history: orphaned server tool calls, results out of order, duplicate ids, broken
// signed turns.
//
//	client := turnkeeper.New()
//	repaired, err := client.Repair(ctx, body, nil) // a request body, or a list of messages
//	...
//	send(repaired.Document)
//
// Store the original, send the repaired copy.
//
// # One line for programs that use an SDK
//
// A [Transport] does it at the place where the HTTP client is made: requests to the Messages API are
// repaired, or refused before they leave, and streamed responses are paired.
//
//	guard := turnkeeper.NewTransport(turnkeeper.New(), turnkeeper.FailClosed)
//	sdk := anthropic.NewClient(option.WithHTTPClient(&http.Client{Transport: guard}))
//
// [Transport.OnEvent] learns of each request that was repaired or refused, and of each that the provider refused although
// it was judged sound, by codes and counts.
//
// # Histories are bytes
//
// Histories go in and come out as [json.RawMessage]. They reach the daemon as they are, straight from
// the caller's memory, and what no edit touched comes back with the same bytes: key order, spelling
// of numbers, escapes, white space. Nothing here decodes a history: the daemon says which bytes to
// replace ([Splice]). Before a document leaves, one pass over it counts brackets outside of strings, so
// that a text that isn't one value can't become other parameters of the call.
//
// [Client.Splice] and [Client.Tools] do the same for what comes before a request: a turn with the results
// of its calls, and tools with the beta values that they need. [Client.Prepare] does all three in one call.
//
// # Calls
//
// A [Client] is safe for concurrent use. A call has a connection for itself, is bounded by its context
// and the client's timeout, whichever ends first, and tells the daemon how much time that leaves. When
// it is cancelled its connection is closed, so no call ever reads another's answer. A request whose
// connection closed before any byte of the answer is sent again, once; never in a stream. Errors that
// the daemon calls retryable are retried only if [WithRetries] asks for it.
//
// # Without a daemon
//
// [WithBackend] puts something else in the place of the daemon. The module in the folder local runs turnkeeper inside the
// program, with the same answers:
//
//	client := turnkeeper.New(local.Backend())
//
// # Errors
//
// Every error has a stable [Name], to be tested with errors.Is: errors.Is(err, turnkeeper.ErrBusy). With
// errors.As there is more: a [*RemoteError] is what the daemon answered, an [*UnsafeHistoryError] lists
// what the guard couldn't repair, a [*PairingError] says why a stream didn't become a turn, and a
// [*LocalError] is anything that went wrong on this side. Their texts may be logged, with one
// exception: that of an UnsafeHistoryError quotes the provider, which names ids of calls.
//
// # JSON only
//
// The protocol also speaks msgpack, which this package leaves out. A Go program holds a history as JSON
// text, because that is what it sends to the provider, and this text travels without being read here.
// Msgpack would mean to decode it and encode it anew: more work than it saves, and spelling that is
// lost. The daemon reads JSON at gigabytes a second. So there is nothing to win, and one dependency less.
//
// The package needs Go 1.19 and nothing but the standard library. Iterators ([Stream.All]) are there
// from Go 1.23 on.
package turnkeeper
