/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs reasoning (PROVIDERS.md 6.4). */
#include "engine/fix.h"
#include "providers/bedrock/rules.h"

struct tk_decision tk_brk_want_demoted(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];
    struct tk_val text = tk_part_val(part, part->payload);
    bool readable = tk_is(text, TK_STRING) && !tk_text_is_blank(text);

    return tk_edit_by(readable && policy->unsigned_thinking != TK_FIX_DROP ? TK_ACTION_DEMOTE
                                                                           : TK_ACTION_DROP);
}

int tk_brk_fix_reasoning(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return d.action == TK_ACTION_DROP ? tk_edit_drop(p->e, f->site.part, f->code)
                                      : tk_edit_demote(p->e, f->site.part, f->code, TK_NONE);
}

int tk_brk_fix_last_reasoning(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return tk_edit_append(p->e, p->j->t->parts[f->site.part].message, f->code, d.action,
                          TK_STR(TK_INTERRUPTED));
}
