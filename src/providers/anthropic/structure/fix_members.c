/* SPDX-License-Identifier: Apache-2.0 */
/* Removes members of messages that SDKs and stores left there (RULES.md 8 (b)). */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "engine/protect.h"
#include "shapes/members.h"
#include "shapes/shape.h"

struct member_sieve {
    const struct tk_shape *shape;
    struct tk_arena *arena;
    bool says_nothing; /* words of other formats are kept: they are all that the message says */
    bool drop_foreign; /* the policy lets unknown members go from a message with other content */
};

static struct member_sieve sieve_of(const struct tk_transcript *t, uint32_t message,
                                    const struct tk_policy *policy)
{
    return (struct member_sieve){t->shape, t->arena, tk_says_nothing(t, message),
                                 policy->extra_members == TK_FIX_DROP};
}

static bool goes(const void *arg, struct tk_val member)
{
    const struct member_sieve *s = arg;

    if (tk_dialect_knows(s->shape, member))
        return false;
    switch (tk_member_kind(member, s->arena)) {
    case TK_MEMBER_EMPTY:
    case TK_MEMBER_BOOKKEEPING:
    case TK_MEMBER_NUMBER:
        return true;
    case TK_MEMBER_WORDS:
        return !s->says_nothing;
    case TK_MEMBER_FOREIGN:
        return !s->says_nothing && s->drop_foreign;
    }
    return false;
}

static struct tk_val whole_message(const struct tk_transcript *t, uint32_t message)
{
    return (struct tk_val){t->messages[message].doc, t->messages[message].node};
}

struct tk_decision tk_want_no_extras(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    struct member_sieve sieve = sieve_of(p->j->t, f->site.entry, policy);
    struct tk_val whole = whole_message(p->j->t, f->site.entry);

    for (struct tk_val v = tk_first(whole); tk_exists(v); v = tk_after(whole, v))
        if (goes(&sieve, v))
            return tk_edit_by(TK_ACTION_REWRITE);
    return tk_no_edit();
}

int tk_fix_extras(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct member_sieve sieve = sieve_of(p->j->t, f->site.entry, p->j->policy);
    int r = tk_edit_message(p->e, f->site.entry, f->code, TK_ACTION_REWRITE);

    (void)d;
    return r < 0 ? r : tk_message_sieve(p->e, f->site.entry, goes, &sieve);
}

/* ---- messages that a member keeps in their place ---- */

static struct tk_decision unless_kept(const struct tk_plan *p, const struct tk_finding *f,
                                      enum tk_action action)
{
    return tk_edit_by(tk_is_kept(p->j->t, f->site.entry) ? TK_ACTION_NONE : action);
}

struct tk_decision tk_want_filled(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy)
{
    (void)policy;
    return unless_kept(p, f, TK_ACTION_REWRITE);
}

struct tk_decision tk_want_gone(struct tk_plan *p, const struct tk_finding *f,
                                const struct tk_policy *policy)
{
    (void)policy;
    return unless_kept(p, f, TK_ACTION_DROP_MESSAGE);
}
