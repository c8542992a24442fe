/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The receiving half of a connection: where the next bytes go and which requests are complete.
 * No I/O, so that a fuzzer can drive it.
 *
 *     scratch of the thread:  [ header | request | header | request | header | part of a req ]
 *                                                                            └── kept: own buffer
 *
 * Bytes are read into a scratch buffer that all connections of a thread share; requests that are
 * complete there are served in place, so small ones need no memory and an idle connection holds
 * none. What is left over at the end of a turn is kept in a buffer of the connection's own: a long
 * rest takes the scratch along, a short one is copied. The rest of a long frame is then read
 * straight behind it. The announced length is only a claim: the buffer grows as bytes arrive.
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
 * Room that connections of one thread may hold of taken scratch buffers. A rest is often much
 * smaller than the buffer, and a stalled client's stays so: beyond this, rests are copied.
 */
#define TK_SCRATCH_LENT_MAX ((size_t)16 * 1024 * 1024)

struct tk_scratch {
    struct tk_buffer buffer;
    size_t lent; /* capacity of buffers that connections took along */
};

struct tk_read_buffer {
    struct tk_framer framer;
    struct tk_buffer own; /* memory of what is kept; no bytes where nothing is */
    size_t lent;          /* our part of the scratch's */
    uint8_t *at;          /* bytes not served yet: inside `own`, or borrowed from the scratch */
    size_t left;
    bool borrowed;
};

/*
 * Where the next bytes may be read to, and how many; never less than one.
 * 0 or -ENOMEM.
 */
int tk_read_buffer_space(struct tk_read_buffer *in, struct tk_scratch *scratch,
                         struct iovec *ret_space);

/* n bytes were read into the space. */
void tk_read_buffer_added(struct tk_read_buffer *in, const struct tk_scratch *scratch, size_t n);

/* The next request, or what else there is to answer (see tk_framer_next()). */
struct tk_frame tk_read_buffer_next(struct tk_read_buffer *in, bool eof, uint64_t max_frame);

/*
 * Ends a turn: what was not served moves out of the scratch, empty memory goes back. 0 or -ENOMEM.
 */
int tk_read_buffer_keep(struct tk_read_buffer *in, struct tk_scratch *scratch);

/* Gives up the unfinished frame: its kept bytes are forgotten, its rest will be skipped. */
void tk_read_buffer_skip(struct tk_read_buffer *in, struct tk_scratch *scratch);

/*
 * Hands out the memory that holds the request last returned, `size` bytes, because an answer
 * refers to it; whatever lay behind the request is copied. False where the request is only a
 * small part of the scratch, or there is no memory for the copy: nothing changed then.
 */
bool tk_read_buffer_detach(struct tk_read_buffer *in, struct tk_scratch *scratch, size_t size,
                           struct tk_buffer *ret_frame);

/* Frees what is kept. */
void tk_read_buffer_done(struct tk_read_buffer *in, struct tk_scratch *scratch);

#endif
