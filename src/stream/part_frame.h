/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deltas in the form `parts`. Most outputs of a stream are deltas, and those of one text differ only
 * in their text, so the bytes before and after it are encoded once.
 */
#ifndef TK_STREAM_PART_FRAME_H
#define TK_STREAM_PART_FRAME_H

#include "value/writer.h"

struct tk_work;

/* The zeroed struct is not encoded yet. */
struct tk_part_frame {
    struct tk_str head, tail; /* `.p == NULL`: not encoded yet */
    uint8_t codec;
};

/* Write an output up to its text, and after it. */
typedef void tk_write_part_side(struct tk_work *k, const void *arg);

/* Encodes what `begin` and `end` write, which must be the same for all texts of the frame. */
void tk_part_frame_make(struct tk_work *k, struct tk_part_frame *frame, tk_write_part_side *begin,
                        tk_write_part_side *end, const void *arg);

static inline bool tk_part_frame_fits(const struct tk_part_frame *frame, enum tk_codec codec)
{
    return frame->head.p && frame->codec == codec;
}

/* Writes an output with a text; nothing if memory ran out when the frame was made. */
static inline void tk_part_frame_put(struct tk_writer *w, const struct tk_part_frame *frame,
                                     struct tk_val text)
{
    if (frame->head.p)
        tk_write_framed(w, frame->head, text, frame->tail);
}

#endif
