/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a part with several members of a union, of which the provider takes one a part. */
#include <errno.h>

#include "engine/edit/edit.h"
#include "value/splice.h"

struct split {
    bool (*is_of_union)(struct tk_val member);
    uint32_t stays;
};

static bool goes(const void *arg, struct tk_val member)
{
    const struct split *split = arg;

    return member.node != split->stays && split->is_of_union(member);
}

/* Returns a part with that member alone, encoded. */
static struct tk_str part_of(struct tk_edits *e, struct tk_val member)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    tk_write_map(&out.w);
    tk_write_key_str(&out.w, tk_key(member, e->t->arena));
    tk_write_val(&out.w, member);
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

int tk_edit_split(struct tk_edits *e, uint32_t part, uint16_t code,
                  bool (*is_of_union)(struct tk_val member), uint32_t stays)
{
    const struct tk_part sent = e->t->parts[part];
    const struct split split = {is_of_union, stays};
    struct tk_val whole = tk_part_val(&sent, sent.node);
    uint32_t after = sent.prev;
    int r = tk_edit_rewritten(e, part, code);

    if (r == 0)
        r = tk_change_all(e, part, tk_splice_without(e->t->arena, whole, goes, &split));
    for (struct tk_val v = tk_first(whole); tk_exists(v) && r == 0; v = tk_after(whole, v)) {
        if (v.node == stays)
            after = part;
        if (!goes(&split, v))
            continue;
        r = tk_edit_insert(e, sent.message, after, part_of(e, v));
        after = e->t->part_count - 1;
    }
    return r;
}
