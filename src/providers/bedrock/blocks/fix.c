/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs the members of a block. */
#include <errno.h>

#include "engine/fix.h"
#include "engine/protect.h"
#include "providers/bedrock/rules.h"
#include "value/splice.h"

static bool is_empty(const struct tk_plan *p, uint32_t part)
{
    return tk_brk_members_of(&p->j->t->parts[part]).of_union == 0;
}

struct tk_decision tk_brk_want_union(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    (void)policy;
    return tk_edit_by(is_empty(p, f->site.part) ? TK_ACTION_DROP : TK_ACTION_REWRITE);
}

bool tk_brk_may_union(const struct tk_plan *p, const struct tk_finding *f)
{
    return !tk_is_protected(p->j->t, f->site.entry) || (p->guard && is_empty(p, f->site.part));
}

/* ---- one block for each member ---- */

/* Returns true for a member of the union that isn't the first one, which is `arg`. */
static bool is_later(const void *arg, struct tk_val member)
{
    const uint32_t *first = arg;

    return member.node != *first && tk_bedrock_member(member) != TK_BEDROCK_NONE;
}

static struct tk_str block_of(struct tk_edits *e, struct tk_val member)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    tk_write_map(&out.w);
    tk_write_key_str(&out.w, tk_key(member, e->t->arena));
    tk_write_val(&out.w, member);
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

static int split(struct tk_plan *p, const struct tk_finding *f)
{
    struct tk_part part = p->j->t->parts[f->site.part];
    struct tk_val block = tk_part_val(&part, part.node), v = tk_first(block);
    uint32_t first, after = f->site.part;
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    while (tk_bedrock_member(v) == TK_BEDROCK_NONE)
        v = tk_after(block, v);
    first = v.node;
    if (r == 0)
        r = tk_change_all(p->e, f->site.part,
                          tk_splice_without(p->j->t->arena, block, is_later, &first));
    for (v = tk_after(block, v); tk_exists(v) && r == 0; v = tk_after(block, v)) {
        if (!is_later(&first, v))
            continue;
        r = tk_edit_insert(p->e, part.message, after, block_of(p->e, v));
        after = p->j->t->part_count - 1;
    }
    return r;
}

int tk_brk_fix_union(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return d.action == TK_ACTION_DROP ? tk_fix_drop(p, f, d) : split(p, f);
}

/* ---- members outside the union ---- */

int tk_brk_fix_extra_member(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    static const struct tk_path type = {{"type"}};
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    return r < 0 ? r : tk_change_remove(p->e, f->site.part, &type);
}
