/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs messages as a whole (PROVIDERS.md 5.5, 6.6). */
#include <errno.h>

#include "engine/fix.h"
#include "engine/protect.h"
#include "engine/runs.h"
#include "providers/bedrock/rules.h"
#include "shapes/shape.h"

int tk_brk_fix_role(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    bool model = tk_brk_is_model(p->j->t, f->site.entry);
    int r = tk_edit_message(p->e, f->site.entry, f->code, d.action);

    return r < 0
               ? r
               : tk_message_set(p->e, f->site.entry, "role",
                                tk_encode_text(p->e, model ? TK_STR("assistant") : TK_STR("user")));
}

/* ---- messages without parts ---- */

struct tk_decision tk_brk_want_parts(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    (void)policy;
    return tk_edit_by(tk_want_without_parts(p, f->site.entry));
}

int tk_brk_fix_empty(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_fix_without_parts(p, f->site.entry, f->code);
}

/* ---- messages before and after others ---- */

struct tk_decision tk_brk_want_user_first(struct tk_plan *p, const struct tk_finding *f,
                                          const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->preserve ? tk_edit_by(TK_ACTION_REWRITE) : tk_no_edit();
}

int tk_brk_fix_user_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_edit_add_user(p->e, f->site.entry, f->code, TK_NONE, TK_STR("."));
}

struct tk_decision tk_brk_want_user_last(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->prefill == TK_FIX_REPORT ? tk_no_edit() : tk_edit_by(TK_ACTION_REWRITE);
}

/* Returns true if the fix for a message that ends in reasoning is made in this round. */
static bool gets_end(struct tk_plan *p, uint32_t message)
{
    const struct tk_findings *f = &p->j->findings;
    uint32_t i = TK_NONE;

    for (uint32_t part = p->j->t->messages[message].last; part != TK_NONE;
         part = p->j->t->parts[part].prev) {
        i = p->j->t->parts[part].finding;
        if (!tk_brk_is_cache_point(&p->j->t->parts[part]))
            break;
    }
    while (i != TK_NONE && f->list[i].code != TK_CODE_BRK_REASONING_FINAL)
        i = f->list[i].next;
    return i != TK_NONE && tk_fix_wanted(p, &f->list[i]).action != TK_ACTION_NONE;
}

int tk_brk_fix_user_last(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    if (gets_end(p, f->site.entry))
        return 0;
    return tk_edit_add_user(p->e, f->site.entry, f->code, f->site.entry, TK_STR("Continue."));
}

/* ---- calls and results that want a message of their own ---- */

struct tk_decision tk_brk_want_split(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    bool model = tk_brk_is_model(p->j->t, f->site.entry);

    if (!policy->preserve || (model && tk_brk_is_signed(p->j->t, f->site.entry)))
        return tk_no_edit();
    return tk_edit_by(TK_ACTION_MOVE);
}

/* Adds a message with the word that separates two others. Returns its index; TK_NONE without memory. */
static uint32_t add_word(struct tk_edits *e, uint32_t after, enum tk_role role)
{
    uint32_t made = tk_edit_add_message(e, after, role, 0);
    struct tk_str word = tk_encode_text_part(e, TK_STR("."), (struct tk_str){0});

    return made == TK_NONE || tk_edit_insert(e, made, TK_NONE, word) < 0 ? TK_NONE : made;
}

int tk_brk_fix_mixed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_transcript *t = p->j->t;
    uint32_t message = f->site.entry, to;
    int r = 0;

    (void)d;
    if (tk_brk_is_model(t, message)) {
        to = tk_edit_add_message(p->e, t->messages[message].prev, TK_ROLE_ASSISTANT, 0);
        if (to == TK_NONE || add_word(p->e, to, TK_ROLE_USER) == TK_NONE)
            return -ENOMEM;
    } else {
        to = add_word(p->e, message, TK_ROLE_ASSISTANT);
        to = to == TK_NONE ? TK_NONE : tk_edit_add_message(p->e, to, TK_ROLE_USER, 0);
        if (to == TK_NONE)
            return -ENOMEM;
    }
    for (uint32_t i = t->messages[message].first, next; i != TK_NONE && r == 0; i = next) {
        next = t->parts[i].next;
        if (tk_brk_goes_elsewhere(t, i))
            r = tk_edit_move(p->e, i, f->code, to, t->messages[to].last);
    }
    return r;
}
