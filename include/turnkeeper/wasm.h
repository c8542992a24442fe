/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turnkeeper.wasm: libturnkeeper as a WebAssembly module, for programs in any language that can run one.
 *
 * The module imports nothing: every engine instantiates it with an empty import object. It opens no file, reads no
 * clock and draws no random numbers. It has no start function and needs no initialisation. Addresses, sizes and counts
 * are i32; a host in a language with signed integers reads them as unsigned.
 *
 * A host does this, in this order:
 *
 *     core = tk_module_core_new(0, 0, 0, 0, 0, key, 0)     once an instance
 *     session = tk_session_new(core)                       only to use streams
 *     request = tk_module_allocate(size)                   for each request:
 *     ... copies the request's bytes to `request` in the memory ...
 *     reply = tk_module_call(core, session, request, size, 0, 0)
 *     for i < tk_module_reply_pieces(reply):
 *         ... copies tk_module_reply_piece_size(reply, i) bytes from tk_module_reply_piece(reply, i) ...
 *     tk_reply_free(reply)
 *     tk_module_free(request)
 *     tk_session_free(session)                             at the end, or drops the instance as it is
 *     tk_core_free(core)
 *
 * Exported are `memory`, the functions of this file, and these of turnkeeper/turnkeeper.h, which have the same meaning
 * here: tk_core_free, tk_session_new, tk_session_free, tk_reply_size, tk_reply_free, tk_version.
 *
 * Requests and answers: one JSON-RPC document each, in JSON or msgpack as its first byte says. They are exactly what
 * travels in a frame of the daemon's socket, without the frame's length (PROTOCOL.md). Every method of the protocol
 * exists but `health` and `stats`, which are about a daemon. The answer has the codec of the request. A notification
 * has an answer of 0 pieces.
 *
 * Errors: every request has a reply, whatever its bytes are, and an error is a reply, too (tk_module_reply_error()).
 * Where no memory is left for one, tk_module_call() returns 0. After that, and after a trap (a defect, or a stack that
 * is too small for `max_depth`), the host must drop the instance and make a new one: its streams are lost, and nothing
 * else is. An instance shares nothing with others.
 *
 * Memory: it grows when it must and never shrinks; after it grew, a host in JavaScript has to make its views of
 * `memory.buffer` anew, which any call but the tk_module_reply_ functions may require. To give memory back, drop the
 * instance. A request costs its own size, and about as much while it is answered; what `max_memory` allows if it is
 * hostile, or has an edit in every message. A host that takes requests from strangers bounds their size before it copies
 * them; the daemon's default bound is 64 MiB.
 *
 * Threads: an instance belongs to one thread at a time. Any number of instances may run at the same time.
 */
#ifndef TURNKEEPER_WASM_H
#define TURNKEEPER_WASM_H

#include "turnkeeper/turnkeeper.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of `flags` of tk_module_call(). */
#define TK_MODULE_JSON_ONLY 1u /* refuse msgpack with the error `codec_unknown` */

/* Returns the address of `size` bytes, aligned to 8; 0 if there is no memory. Owned by the host until
 * tk_module_free(). */
void *tk_module_allocate(size_t size);

/* Frees bytes of tk_module_allocate(). 0 is fine. */
void tk_module_free(void *bytes);

/*
 * Makes a core, which is all that the other functions need. Returns 0 if there is no memory. The limits are those of
 * PROTOCOL.md section 7; 0 is the default in brackets:
 *
 *     max_depth          nesting of arrays and objects [256]
 *     max_values         scalars, arrays and objects of one request [1048576]
 *     max_answer         bytes of one answer [256 MiB]
 *     max_streams        open streams of one session [64]
 *     max_stream_buffer  bytes that one stream keeps [64 MiB]
 *     key                address of 16 random bytes, the secret key of all hash tables, without which a stranger could
 *                        make requests whose answer takes long; 0 is a fixed key, without which there is no
 *                        method `redact`. They are copied.
 *     max_memory         bytes that one request may make in memory: beyond, it is `request_too_costly`. No request may
 *                        make more than 64 MiB and 64 bytes for each of its own [512 MiB]
 */
tk_core *tk_module_core_new(uint32_t max_depth, uint32_t max_values, uint32_t max_answer,
                            uint32_t max_streams, uint32_t max_stream_buffer, const void *key,
                            uint32_t max_memory);

/*
 * Bounds the work of a call in polls: the core polls now and then, after about equal pieces of work. Zeroed members
 * mean the value in brackets. Nothing outside can end a call, so a host that answers strangers should know this bound.
 *
 *     most  the call ends with the error `deadline_exceeded` after so many polls. A host with a clock measures how many
 *           polls a millisecond has, and turns a time into a number. [tk_module_most_polls() of the request's size and
 *           what the session's streams hold: thirty times what the slowest honest request of this size needs]
 *     stop  another thread that shares the memory may set this to 1: the call then ends at its next poll [0]
 *     done  the call sets this to the number of its polls, at each of them
 */
typedef struct tk_module_work {
    uint32_t most;
    volatile uint32_t stop;
    volatile uint32_t done;
} tk_module_work;

/* Returns the polls after which a call with a request of `size` bytes ends unless its host says otherwise. */
uint32_t tk_module_most_polls(size_t size);

/*
 * Answers the request of `size` bytes at `request`. session may be 0: then no streams exist. flags: bits TK_MODULE_...
 * work may be 0, and is the caller's.
 * Returns the reply, 0 without memory. The reply may refer to the request: its bytes stay unchanged and are not freed
 * until tk_reply_free().
 */
tk_reply *tk_module_call(tk_core *core, tk_session *session, const void *request, size_t size,
                         uint32_t flags, tk_module_work *work);

/* Returns how many pieces the answer has: it is their bytes in order, and tk_reply_size() the sum of their sizes. */
size_t tk_module_reply_pieces(const tk_reply *reply);

/* Return the address and the size in bytes of piece i; 0 if there is no such piece. The bytes live as long as the
 * reply. */
const void *tk_module_reply_piece(const tk_reply *reply, size_t i);
size_t tk_module_reply_piece_size(const tk_reply *reply, size_t i);

/* Returns the address of the error's name as in `error.data.name`, NUL-terminated, a constant; 0 on success. */
const char *tk_module_reply_error(const tk_reply *reply);

#ifdef __cplusplus
}
#endif
#endif
