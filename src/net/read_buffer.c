/* SPDX-License-Identifier: Apache-2.0 */
#include "net/read_buffer.h"

#include <stdlib.h>
#include <string.h>

/* A shorter rest is copied: keeping a whole scratch buffer for it would waste memory. */
#define DONATE_MIN (TK_SCRATCH_SIZE / 8)
/* First size of a connection's own buffer once it has to grow. */
#define GROW_MIN ((size_t)64 * 1024)

static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Frees the own buffer, or makes it the scratch if it is larger, up to TK_SCRATCH_MAX. */
static void give_back(struct tk_read_buffer *in, struct tk_scratch *scratch)
{
    struct tk_buffer spare = tk_buffer_take(&in->own);

    scratch->lent -= in->lent;
    in->lent = 0;
    if (spare.capacity > scratch->buffer.capacity && spare.capacity <= TK_SCRATCH_MAX) {
        struct tk_buffer smaller = scratch->buffer;

        scratch->buffer = spare;
        spare = smaller;
    }
    tk_buffer_done(&spare);
}

/* Returns the room after the kept bytes, made larger if the frame needs more. */
static int own_space(struct tk_read_buffer *in, struct iovec *ret_space)
{
    size_t offset = (size_t)(in->at - in->own.bytes);
    size_t body = tk_framer_body(&in->framer);
    size_t wanted = max_size(2 * in->left, GROW_MIN);
    int r;

    if (offset >= in->left) { /* cheap: the bytes move at most once per their own length */
        memmove(in->own.bytes, in->at, in->left);
        offset = 0;
    }
    if (body > 0)
        wanted = min_size(wanted, body);
    if (in->own.capacity < offset + wanted) {
        r = tk_buffer_reserve(&in->own, offset + wanted);
        if (r < 0)
            return r;
    }
    in->at = in->own.bytes + offset;
    ret_space->iov_base = in->at + in->left;
    ret_space->iov_len = in->own.capacity - offset - in->left;
    if (body > 0)
        ret_space->iov_len = min_size(ret_space->iov_len, body - in->left);
    return 0;
}

int tk_read_buffer_space(struct tk_read_buffer *in, struct tk_scratch *scratch,
                         struct iovec *ret_space)
{
    int r;

    if (in->left > 0)
        return own_space(in, ret_space);
    r = tk_buffer_reserve(&scratch->buffer, TK_SCRATCH_SIZE);
    if (r < 0)
        return r;
    *ret_space = (struct iovec){scratch->buffer.bytes, scratch->buffer.capacity};
    return 0;
}

void tk_read_buffer_added(struct tk_read_buffer *in, const struct tk_scratch *scratch, size_t n)
{
    if (in->left == 0) {
        in->at = scratch->buffer.bytes;
        in->borrowed = true;
    }
    in->left += n;
}

struct tk_frame tk_read_buffer_next(struct tk_read_buffer *in, bool eof, uint64_t max_frame)
{
    struct tk_frame frame;
    const uint8_t *at = in->left > 0 ? in->at : (const uint8_t *)"";
    size_t used = tk_framer_next(&in->framer, at, in->left, eof, max_frame, &frame);

    if (used > 0) {
        in->at += used;
        in->left -= used;
    }
    return frame;
}

size_t tk_read_buffer_ahead(const struct tk_read_buffer *in, bool eof, uint64_t max_frame,
                            size_t least)
{
    struct tk_framer framer = in->framer;
    struct tk_frame frame;

    if (in->left <= least)
        return 0;
    (void)tk_framer_next(&framer, in->at, in->left, eof, max_frame, &frame);
    return frame.kind == TK_FRAME_REQUEST && frame.size > least ? frame.size : 0;
}

/*
 * Moves the rest out of the scratch: copies it, or takes over the scratch itself, if the rest is long
 * or there is no memory for a copy.
 */
static void move_out(struct tk_read_buffer *in, struct tk_scratch *scratch)
{
    bool donate =
        in->left >= DONATE_MIN && scratch->lent + scratch->buffer.capacity <= TK_SCRATCH_LENT_MAX;

    if (donate || tk_buffer_reserve(&in->own, in->left) < 0) {
        in->own = tk_buffer_take(&scratch->buffer);
        in->lent = in->own.capacity;
        scratch->lent += in->lent;
        return;
    }
    memcpy(in->own.bytes, in->at, in->left);
    in->at = in->own.bytes;
}

void tk_read_buffer_keep(struct tk_read_buffer *in, struct tk_scratch *scratch)
{
    if (in->borrowed) {
        if (in->left > 0)
            move_out(in, scratch);
        in->borrowed = false;
    } else if (in->left == 0 && in->own.bytes) {
        give_back(in, scratch);
    }
    if (in->left == 0)
        in->at = NULL;
}

void tk_read_buffer_skip(struct tk_read_buffer *in, struct tk_scratch *scratch)
{
    tk_framer_skip(&in->framer, in->left);
    in->left = 0;
    tk_read_buffer_keep(in, scratch);
}

bool tk_read_buffer_detach(struct tk_read_buffer *in, struct tk_scratch *scratch, size_t size,
                           struct tk_buffer *ret_frame)
{
    struct tk_buffer rest = {0};

    if (in->borrowed && size < scratch->buffer.capacity / 2)
        return false;
    if (tk_buffer_put(&rest, in->at, in->left) < 0)
        return false;
    *ret_frame = tk_buffer_take(in->borrowed ? &scratch->buffer : &in->own);
    in->borrowed = false;
    scratch->lent -= in->lent;
    in->lent = 0;
    in->own = rest;
    in->at = rest.bytes;
    return true;
}

void tk_read_buffer_done(struct tk_read_buffer *in, struct tk_scratch *scratch)
{
    in->left = 0;
    tk_read_buffer_keep(in, scratch);
}
