/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs the members of a block. */
#include <errno.h>

#include "engine/fix.h"
#include "engine/protect.h"
#include "providers/bedrock/rules.h"

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

static bool is_of_union(struct tk_val member)
{
    return tk_bedrock_member(member) != TK_BEDROCK_NONE;
}

static int split(struct tk_plan *p, const struct tk_finding *f)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];
    struct tk_val block = tk_part_val(part, part->node), first = tk_first(block);

    while (!is_of_union(first))
        first = tk_after(block, first);
    return tk_edit_split(p->e, f->site.part, f->code, is_of_union, first.node);
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
