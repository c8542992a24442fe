/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs blocks with wrong members (CATALOGUE 3.3). */
#include "providers/anthropic/rules.h"
#include "providers/anthropic/text/as_text.h"
#include "value/unicode.h"

/*
 * Returns true for a blank text that another fix drops. It isn't edited before that: which of
 * several separators of thinking stays must not depend on their other faults, or a later repair,
 * when the turn is protected, would choose another one.
 */
static bool is_blank_and_goes(struct tk_plan *p, uint32_t part)
{
    const struct tk_findings *found = &p->j->findings;

    for (uint32_t i = p->j->t->parts[part].finding; i != TK_NONE; i = found->list[i].next)
        if ((found->list[i].code == TK_CODE_TEXT_EMPTY ||
             found->list[i].code == TK_CODE_TEXT_WHITESPACE_ONLY) &&
            found->list[i].severity == TK_ERROR &&
            tk_fix_wanted(p, &found->list[i]).action == TK_ACTION_DROP)
            return true;
    return false;
}

int tk_fix_extra_inputs(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint16_t block = p->j->t->parts[f->site.part].block;
    int r;

    (void)d;
    if (is_blank_and_goes(p, f->site.part))
        return 0;
    r = tk_edit_rewritten(p->e, f->site.part, f->code);
    for (size_t i = 0; i < tk_offender_count && r == 0; i++)
        if (tk_offends(&tk_offenders[i], block))
            r = tk_change_remove(p->e, f->site.part, &tk_offenders[i].path);
    return r;
}

struct tk_decision tk_want_block_gone(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy)
{
    (void)policy;
    return tk_edit_by(tk_has_foreign_member(&p->j->t->parts[f->site.part]) ? TK_ACTION_NONE
                                                                           : TK_ACTION_DROP);
}

static struct tk_str text_of(struct tk_plan *p, uint32_t part)
{
    const struct tk_part *block = &p->j->t->parts[part];

    return tk_textify_block(p->j->t->arena, tk_part_val(block, block->node));
}

struct tk_decision tk_want_block_as_text(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy)
{
    (void)policy;
    if (tk_has_foreign_member(&p->j->t->parts[f->site.part]))
        return tk_no_edit();
    return tk_edit_by(tk_is_blank(text_of(p, f->site.part)) ? TK_ACTION_DROP : TK_ACTION_TEXTIFY);
}

int tk_fix_block_as_text(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint16_t code = f->code;

    return d.action == TK_ACTION_DROP
               ? tk_edit_drop(p->e, f->site.part, code)
               : tk_edit_textify(p->e, f->site.part, code, text_of(p, f->site.part));
}
