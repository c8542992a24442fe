/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the WebAssembly module exports beyond those of the library. */
#include "turnkeeper/wasm.h"

#include <stdlib.h>
#include <string.h>

#include "methods/core/host.h"

/* Honest requests poll at most this often: some 50 times, and once for each 350 bytes where every message of 50 bytes
 * has a fault. Measured with all providers and policies. */
#define HONEST_POLLS 100u
#define HONEST_BYTES 300u
#define PATIENCE     30u

void *tk_module_allocate(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

void tk_module_free(void *bytes)
{
    free(bytes);
}

tk_core *tk_module_core_new(uint32_t max_depth, uint32_t max_values, uint32_t max_answer,
                            uint32_t max_streams, uint32_t max_stream_buffer, const void *key,
                            uint32_t max_memory)
{
    tk_options options = {.size = sizeof(options),
                          .max_depth = max_depth,
                          .max_values = max_values,
                          .max_answer = max_answer,
                          .max_memory = max_memory,
                          .max_stream_buffer = max_stream_buffer,
                          .max_streams = max_streams};

    if (key)
        memcpy(options.hash_key, key, sizeof(options.hash_key));
    return tk_core_new(&options);
}

uint32_t tk_module_most_polls(size_t size)
{
    return PATIENCE * HONEST_POLLS + (uint32_t)(size / (HONEST_BYTES / PATIENCE));
}

/* Counts a poll. Returns true if the call has to end. */
static bool is_over(void *arg, uint32_t timeout_ms)
{
    tk_module_work *work = arg;

    (void)timeout_ms; /* there is no clock: the host has turned it into `most` */
    return ++work->done > work->most || work->stop != 0;
}

tk_reply *tk_module_call(tk_core *core, tk_session *session, const void *request, size_t size,
                         uint32_t flags, tk_module_work *work)
{
    tk_module_work own = {0}, *w = work ? work : &own;
    const tk_call_options options = {
        .size = sizeof(options),
        .cancelled = is_over,
        .opaque = w,
        .flags = (flags & TK_MODULE_JSON_ONLY) ? TK_CALL_JSON_ONLY : 0,
    };
    tk_reply *reply;

    if (w->most == 0)
        w->most = tk_module_most_polls(size + (session ? tk_session_held(session) : 0));
    w->done = 0;

    return tk_call(core, session, request, size, &options, &reply) == 0 ? reply : NULL;
}

size_t tk_module_reply_pieces(const tk_reply *reply)
{
    size_t n;

    tk_reply_iov(reply, &n);
    return n;
}

static struct iovec piece(const tk_reply *reply, size_t i)
{
    size_t n;
    const struct iovec *pieces = tk_reply_iov(reply, &n);

    return i < n ? pieces[i] : (struct iovec){NULL, 0};
}

const void *tk_module_reply_piece(const tk_reply *reply, size_t i)
{
    return piece(reply, i).iov_base;
}

size_t tk_module_reply_piece_size(const tk_reply *reply, size_t i)
{
    return piece(reply, i).iov_len;
}

const char *tk_module_reply_error(const tk_reply *reply)
{
    return tk_reply_get_info(reply)->error;
}
