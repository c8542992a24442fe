/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sending half of a connection. Unsent bytes are in up to four places, sent in this order:
 *
 *     kept     bytes that an earlier write left over, copied to the connection's own buffer
 *     lent     a stage that couldn't be copied to `kept`, for want of memory: taken over as it is
 *     stage    small answers of this turn, copied to a buffer that all connections of a thread
 *              share, so that a pipelining client gets many answers by one write
 *     pinned   one large answer, written without a copy: reply and frame are kept until it is sent
 *
 * After tk_output_flush() the stage is empty, even if the socket took nothing. While an answer is
 * pinned or a stage is lent, no other answer may be added.
 */
#ifndef TK_NET_OUTPUT_H
#define TK_NET_OUTPUT_H

#include <stdbool.h>

#include "net/buffer.h"
#include "net/frame.h"
#include "turnkeeper/turnkeeper.h"

#define TK_STAGE_SIZE (64 * 1024)
/* Answers above this size are written without a copy. */
#define TK_COPY_MAX (TK_STAGE_SIZE - 8)
/* Above this many unsent bytes no further request of the connection is served. */
#define TK_HIGH_WATER ((size_t)256 * 1024)

struct tk_pinned {
    tk_reply *reply; /* NULL: nothing is pinned */
    struct tk_buffer frame;
    size_t piece, offset; /* the first byte not sent yet */
    size_t left;          /* bytes not sent yet, the framing's tail included */
    size_t held;          /* memory of the reply */
    const struct tk_framing *framing;
};

struct tk_output {
    struct tk_buffer kept;
    size_t kept_sent;
    struct tk_buffer lent;
    size_t lent_sent;
    struct tk_pinned pinned;
    uint64_t sent; /* bytes sent in total */
};

/* Returns true while an answer waits for the socket. */
bool tk_output_pending(const struct tk_output *out);

/* Returns true while no further request may be served. */
bool tk_output_blocked(const struct tk_output *out);

/* Returns the bytes of unsent answers, with all memory that they keep: arenas and frames. */
size_t tk_output_held(const struct tk_output *out);

/*
 * Copies an answer after all that waits; its size n is at most TK_COPY_MAX. 0, or negative: out of
 * memory, or the connection is broken.
 */
int tk_output_copy(struct tk_output *out, struct tk_buffer *stage, int fd, const struct iovec *iov,
                   size_t iov_n, size_t n, const struct tk_framing *framing);

/*
 * Takes over a large reply (even on failure) and writes as much as the socket takes. If a rest is
 * left, *ret_pinned is true and the reply stays: the caller then passes the frame that it refers
 * to by tk_output_hold(), or calls tk_output_unpin(). 0 or negative.
 */
int tk_output_pin(struct tk_output *out, struct tk_buffer *stage, int fd, tk_reply *reply,
                  const struct tk_framing *framing, bool *ret_pinned);

/* Keeps the memory of the frame that the pinned reply refers to until the reply is sent. */
void tk_output_hold(struct tk_output *out, struct tk_buffer frame);

/* Copies the rest of the pinned reply, because its frame can't be kept. 0 or -ENOMEM. */
int tk_output_unpin(struct tk_output *out);

/* Writes until all is sent or the socket is full. 0, or negative if the connection is broken. */
int tk_output_flush(struct tk_output *out, struct tk_buffer *stage, int fd);

void tk_output_done(struct tk_output *out);

#endif
