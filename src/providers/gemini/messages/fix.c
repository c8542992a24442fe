/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs entries as a whole (PROVIDERS.md 5.5). */
#include <errno.h>

#include "engine/runs.h"
#include "providers/gemini/rules.h"

int tk_gem_fix_role(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    bool model = tk_gem_is_model(p->j->t, f->site.entry);
    int r = tk_edit_message(p->e, f->site.entry, f->code, d.action);

    return r < 0 ? r
                 : tk_message_set(p->e, f->site.entry, "role",
                                  tk_encode_text(p->e, model ? TK_STR("model") : TK_STR("user")));
}

/* ---- entries without parts ---- */

struct tk_decision tk_gem_want_parts(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    (void)policy;
    return tk_edit_by(tk_want_without_parts(p, f->site.entry));
}

int tk_gem_fix_no_parts(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_fix_without_parts(p, f->site.entry, f->code);
}

/* ---- entries before and after others ---- */

int tk_gem_fix_user_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_edit_add_user(p->e, f->site.entry, f->code, TK_NONE, TK_STR("."));
}

struct tk_decision tk_gem_want_user_last(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->prefill == TK_FIX_REPORT ? tk_no_edit() : tk_edit_by(TK_ACTION_REWRITE);
}

int tk_gem_fix_user_last(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_edit_add_user(p->e, f->site.entry, f->code, f->site.entry, TK_STR("Continue."));
}
