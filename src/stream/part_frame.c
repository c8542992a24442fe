/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/part_frame.h"

#include "stream/stream_inside.h"

/* The sides are in the stream's arena; null is written in place of the text. */
void tk_part_frame_make(struct tk_work *k, struct tk_part_frame *frame, tk_write_part_side *begin,
                        tk_write_part_side *end, const void *arg)
{
    struct tk_encoding e;
    struct tk_work to = *k;
    struct tk_str part;
    size_t from, tail;

    tk_encode_begin(&e, k->w->codec, &k->s->arena);
    to.w = &e.w;
    begin(&to, arg);
    from = e.out.size;
    tk_write_null(&e.w);
    tail = e.out.size;
    end(&to, arg);
    part = tk_encode_end(&e);
    if (part.p)
        *frame = (struct tk_part_frame){
            {part.p, from}, {part.p + tail, part.n - tail}, (uint8_t)k->w->codec};
}
