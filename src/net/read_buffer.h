/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The receiving half of a connection: it provides room for the next bytes and finds complete
 * requests. It does no I/O, so that a fuzzer can drive it.
 *
 *     scratch of the thread:  [ header | request | header | request | header | part of a req ]
 *                                                                            └── kept: own buffer
 *
 * Bytes are received into a scratch buffer that all connections of a thread share. Requests that
 * are complete there are served in place, so small ones need no memory and an idle connection
 * holds none. The rest at the end of a turn is kept in the connection's own buffer: for a long rest
 * the scratch itself becomes that buffer, a short one is copied (if there is memory for it). The rest of a long frame is then
 * received directly after it. The buffer grows as bytes arrive, not as the length announces.
 */
#ifndef TK_NET_READ_BUFFER_H
#define TK_NET_READ_BUFFER_H

#include <sys/uio.h>

#include "net/buffer.h"
#include "net/frame.h"

/* A fresh scratch's capacity. Untouched pages of it cost nothing. */
#define TK_SCRATCH_SIZE (256 * 1024)
/* A used buffer up to this size may become the scratch, so that large frames find warm memory. */
#define TK_SCRATCH_MAX (4 * 1024 * 1024)
/*
 * The most memory of former scratch buffers that connections of one thread may hold. A rest is
 * often much smaller than the buffer, and that of a stalled client stays so: above this limit,
 * rests are copied.
 */
#define TK_SCRATCH_LENT_MAX ((size_t)16 * 1024 * 1024)

struct tk_scratch {
    struct tk_buffer buffer;
    size_t lent; /* capacity of scratch buffers that connections took over */
};

struct tk_read_buffer {
    struct tk_framer framer;
    struct tk_buffer own; /* memory of the kept bytes; `bytes` is NULL if none are kept */
    size_t lent;          /* this connection's part of scratch.lent */
    uint8_t *at;          /* bytes not served yet: inside `own`, or borrowed from the scratch */
    size_t left;
    bool borrowed;
};

/*
 * Sets *ret_space to where the next bytes may be received, at least one. 0 or -ENOMEM.
 */
int tk_read_buffer_space(struct tk_read_buffer *in, struct tk_scratch *scratch,
                         struct iovec *ret_space);

/* Notes that n bytes were received into that space. */
void tk_read_buffer_added(struct tk_read_buffer *in, const struct tk_scratch *scratch, size_t n);

/* Returns the next request, or another frame to answer (see tk_framer_next()). */
struct tk_frame tk_read_buffer_next(struct tk_read_buffer *in, bool eof, uint64_t max_frame);

/* Returns the size of the request that tk_read_buffer_next() would return; 0 if it is none, or none
 * above `least` bytes. */
size_t tk_read_buffer_ahead(const struct tk_read_buffer *in, bool eof, uint64_t max_frame,
                            size_t least);

/* Ends a turn: moves unserved bytes out of the scratch and frees an empty buffer. */
void tk_read_buffer_keep(struct tk_read_buffer *in, struct tk_scratch *scratch);

/* Gives up the unfinished frame: drops its kept bytes, and its rest will be skipped. */
void tk_read_buffer_skip(struct tk_read_buffer *in, struct tk_scratch *scratch);

/*
 * Gives the caller the memory of the request last returned, of `size` bytes, because an answer
 * refers to it; bytes after the request are copied. Returns false, and changes nothing, if the
 * request is only a small part of the scratch, or if out of memory. size = SIZE_MAX: however small.
 */
bool tk_read_buffer_detach(struct tk_read_buffer *in, struct tk_scratch *scratch, size_t size,
                           struct tk_buffer *ret_frame);

/* Frees the kept bytes. */
void tk_read_buffer_done(struct tk_read_buffer *in, struct tk_scratch *scratch);

#endif
