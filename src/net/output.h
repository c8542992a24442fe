/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sending half of a connection. What goes out next stands, in order, in up to three places:
 *
 *     kept     bytes that an earlier write left over: copied, in a buffer of the connection's own
 *     stage    small answers of this turn: copied into a buffer that the connections of a thread
 *              share, so that a pipelining client gets one write for many answers
 *     pinned   one large answer, written from where it lies: reply and frame stay until it is out
 *
 * After tk_output_flush() the stage is empty, whatever the socket took. While an answer is
 * pinned nothing may be put behind it.
 */
#ifndef TK_NET_OUTPUT_H
#define TK_NET_OUTPUT_H

#include <stdbool.h>

#include "net/buffer.h"
#include "turnkeeper/turnkeeper.h"

#define TK_STAGE_SIZE (64 * 1024)
/* Answers above this size are written from where they lie. */
#define TK_COPY_MAX (TK_STAGE_SIZE - 8)
/* Above this many kept bytes no further request of the connection is served. */
#define TK_HIGH_WATER ((size_t)256 * 1024)

struct tk_pinned {
    tk_reply *reply; /* NULL: nothing is pinned */
    struct tk_buffer frame;
    size_t piece, offset; /* the first byte not sent yet */
    size_t left;          /* bytes not sent yet, the LF of a line included */
    size_t held;          /* memory of the reply */
    bool line;
};

struct tk_output {
    struct tk_buffer kept;
    size_t kept_sent;
    struct tk_pinned pinned;
    uint64_t sent; /* bytes that went out, ever */
};

/* True while an answer waits for the socket. */
bool tk_output_pending(const struct tk_output *out);

/* True while no further request may be served. */
bool tk_output_blocked(const struct tk_output *out);

/* Bytes of answers that wait, with all memory that they keep: arenas and frames. */
size_t tk_output_held(const struct tk_output *out);

/*
 * Copies an answer's bytes behind what waits: size n <= TK_COPY_MAX. `line`: ended by LF instead
 * of led by a length. 0, or negative: no memory, or the connection is broken.
 */
int tk_output_copy(struct tk_output *out, struct tk_buffer *stage, int fd, const struct iovec *iov,
                   size_t iov_n, size_t n, bool line);

/*
 * Takes over a large reply (even on failure) and writes what the socket takes. Where something
 * is left over, *ret_pinned says that the reply must stay: the caller then gives the frame with
 * tk_output_hold() or calls tk_output_unpin(). 0 or negative.
 */
int tk_output_pin(struct tk_output *out, struct tk_buffer *stage, int fd, tk_reply *reply,
                  bool line, bool *ret_pinned);

/* Keeps the memory of the frame that the pinned reply refers to until it is out. */
void tk_output_hold(struct tk_output *out, struct tk_buffer frame);

/* The frame can't stay: copies what is left of the pinned reply. 0 or -ENOMEM. */
int tk_output_unpin(struct tk_output *out);

/* Writes until all is out or the socket is full. 0 or negative: the connection is broken. */
int tk_output_flush(struct tk_output *out, struct tk_buffer *stage, int fd);

void tk_output_done(struct tk_output *out);

#endif
