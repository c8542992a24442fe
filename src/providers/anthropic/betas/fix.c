/* SPDX-License-Identifier: Apache-2.0 */
/* Removes blocks and members that the request's header doesn't allow (CATALOGUE 3.10, 3.11). */
#include "providers/anthropic/betas/fix.h"
#include "value/splice.h"

#include <errno.h>

/* ---- blocks ---- */

struct tk_decision tk_want_no_advice(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    if (!policy->preserve)
        return tk_no_edit();
    return tk_edit_by(p->j->t->parts[f->site.part].kind == TK_PART_CALL ? TK_ACTION_DROP
                                                                        : TK_ACTION_TEXTIFY);
}

struct tk_decision tk_want_out(struct tk_plan *p, const struct tk_finding *f,
                               const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return tk_edit_by(policy->preserve ? TK_ACTION_DROP : TK_ACTION_NONE);
}

/* ---- a message's own members ---- */

/* Returns true if the message has nothing but settings. */
static bool holds_nothing_else(const struct tk_message *m)
{
    struct tk_val whole = {m->doc, m->node};

    if (m->first != TK_NONE)
        return false;
    for (struct tk_val v = tk_first(whole); tk_exists(v); v = tk_after(whole, v))
        if (!tk_key_is(v, TK_STR("role")) && !tk_key_is(v, TK_STR("content")) &&
            !tk_key_is(v, TK_STR("output_config")))
            return false;
    return true;
}

struct tk_decision tk_want_no_output_config(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy)
{
    bool goes = policy->preserve && holds_nothing_else(&p->j->t->messages[f->site.entry]);

    return tk_edit_by(goes ? TK_ACTION_DROP_MESSAGE : TK_ACTION_NONE);
}

struct tk_decision tk_want_no_clear_at(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return tk_edit_by(policy->preserve ? TK_ACTION_REWRITE : TK_ACTION_NONE);
}

int tk_fix_clear_at(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_message *m = &p->j->t->messages[f->site.entry];
    struct tk_val whole = {m->doc, m->node}, member = tk_get(whole, TK_STR("clear_at"));
    struct tk_str without;
    int r;

    (void)d;
    /* The message may have become the user's in this round, without the member. */
    if (!tk_exists(member))
        return 0;
    without = tk_splice_remove(p->j->t->arena, whole, whole, member);
    if (!without.p)
        return -ENOMEM;
    r = tk_edit_message_rewritten(p->e, f->site.entry, f->code);
    if (r == 0)
        r = tk_message_change_note(p->e, f->site.entry, TK_STR("/clear_at"), (struct tk_str){0},
                                   true);
    return r < 0 ? r : tk_change_message(p->e, f->site.entry, without);
}

/* ---- compaction ---- */

static struct tk_val summary_of(const struct tk_plan *p, const struct tk_finding *f)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];

    return tk_get(tk_part_val(part, part->node), TK_STR("content"));
}

/* Returns the edit of a compaction block: rewritten as a user message, or dropped if it has no
 * summary. */
static struct tk_decision told_by_the_user(const struct tk_plan *p, const struct tk_finding *f)
{
    struct tk_val summary = summary_of(p, f);

    return tk_edit_by(tk_is(summary, TK_STRING) && !tk_text_is_blank(summary) ? TK_ACTION_REWRITE
                                                                              : TK_ACTION_DROP);
}

struct tk_decision tk_want_summary(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy)
{
    return policy->preserve || f->code == TK_CODE_COMPACTION_SIGNATURE_MISSING
               ? told_by_the_user(p, f)
               : tk_no_edit();
}

/* Puts the summary into a user message before the block's. Earlier blocks of this round share that
 * message. */
int tk_fix_summary(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_transcript *t = p->j->t;
    uint32_t before = t->messages[t->parts[f->site.part].message].prev;

    if (d.action == TK_ACTION_DROP)
        return tk_edit_drop(p->e, f->site.part, f->code);
    if (before == TK_NONE || !(t->messages[before].flags & TK_MESSAGE_MADE) ||
        t->messages[before].role != TK_ROLE_USER)
        before = tk_edit_add_message(p->e, before, TK_ROLE_USER, 0);
    return before == TK_NONE ? -ENOMEM
                             : tk_edit_rewrite_into(p->e, f->site.part, f->code, summary_of(p, f),
                                                    before, t->messages[before].last);
}
