/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the members of a block, of which a union allows one (CATALOGUE 4.3). */
#include "providers/bedrock/rules.h"
#include "value/cut.h"

struct tk_brk_members tk_brk_members_of(const struct tk_part *p)
{
    struct tk_val block = tk_part_val(p, p->node);
    struct tk_brk_members n = {.of_union = 0};

    for (struct tk_val v = tk_first(block); tk_exists(v); v = tk_after(block, v)) {
        if (tk_is(v, TK_NULL))
            continue;
        if (tk_bedrock_member(v) != TK_BEDROCK_NONE)
            n.of_union++;
        else if (tk_has_key(v.doc, v.node, TK_STR("type")))
            n.types++;
        else
            n.others++;
    }
    return n;
}

/* Returns the name of the member outside the union that is blamed: `type`, else the first. */
static struct tk_str extra_name(const struct tk_transcript *t, uint32_t part)
{
    struct tk_val block = tk_part_val(&t->parts[part], t->parts[part].node), extra = TK_NO_VAL;

    for (struct tk_val v = tk_first(block); tk_exists(v); v = tk_after(block, v)) {
        if (tk_is(v, TK_NULL) || tk_bedrock_member(v) != TK_BEDROCK_NONE)
            continue;
        if (tk_has_key(v.doc, v.node, TK_STR("type")))
            return TK_STR("type");
        extra = tk_exists(extra) ? extra : v;
    }
    return tk_cut(tk_key(extra, t->arena), t->arena);
}

static int find_in_block(struct tk_judge *j, uint32_t part)
{
    struct tk_brk_members n = tk_brk_members_of(&j->t->parts[part]);
    struct tk_site site = tk_site_of(j->t->parts[part].message, part);
    int r = 0;

    if (n.of_union > 1 || n.of_union + n.types + n.others == 0)
        r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_BLOCK_UNION, part);
    if (r == 0 && n.of_union > 0 && n.types + n.others > 0) {
        r = tk_find(&j->findings, j->t, TK_CODE_BRK_EXTRA_MEMBER,
                    n.types > 0 ? TK_ERROR : TK_WARNING, site);
        if (r == 0)
            r = tk_find_words(&j->findings, j->t, extra_name(j->t, part), (struct tk_str){0});
    }
    if (r == 0 && n.of_union == 0 && n.types + n.others > 0)
        r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_UNKNOWN_BLOCK, part);
    return r;
}

int tk_brk_find_blocks(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (t->parts[i].flags & TK_PART_ODD)
                r = find_in_block(j, i);
    return r;
}
