/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/merge_messages.h"

#include "rules/provider.h"
#include "shapes/shape.h"

static bool is_signed(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (t->parts[i].flags & TK_PART_SIGNED)
            return true;
    return false;
}

/* Returns true if messages of this role may merge. A system message of the wire has members next to
 * its content, which merging would lose. */
static bool is_mergeable(const struct tk_transcript *t, const struct tk_message *m)
{
    struct tk_val v = {m->doc, m->node};

    if (m->role == TK_ROLE_USER || m->role == TK_ROLE_ASSISTANT)
        return true;
    return m->role == TK_ROLE_SYSTEM && !t->shape->system_is_string &&
           !tk_exists(tk_get(v, TK_STR("output_config"))) &&
           !tk_exists(tk_get(v, TK_STR("clear_at")));
}

/* Returns true if b may merge into a. Signed messages never merge, nor do messages of the protected
 * turn or of different kinds, nor one with unknown members into another. */
static bool may_merge(const struct tk_transcript *t, uint32_t a, uint32_t b)
{
    const struct tk_message *x = &t->messages[a], *y = &t->messages[b];
    const uint16_t kind = TK_MESSAGE_TOOL | TK_MESSAGE_TRANSPARENT;

    return x->role == y->role && is_mergeable(t, x) && is_mergeable(t, y) &&
           (x->flags & kind) == (y->flags & kind) &&
           !((x->flags | y->flags) & TK_MESSAGE_PROTECTED) && tk_takes_parts(x) &&
           tk_takes_parts(y) && !(y->flags & TK_MESSAGE_KEPT);
}

static int merge_next(const struct tk_judge *j, struct tk_edits *e, uint32_t m, uint32_t next)
{
    int r = tk_options_to_parts(e, m);

    if (r == 0)
        r = tk_options_to_parts(e, next);
    return r < 0 ? r : tk_edit_merge(e, next, j->provider->joined);
}

/* Returns true if the message has no text of its own but unknown members: they may be all that it
 * says, and are kept only as long as it says nothing else. */
static bool is_mute(const struct tk_transcript *t, uint32_t message)
{
    return (t->messages[message].flags & TK_MESSAGE_KEPT) && tk_says_nothing(t, message);
}

static bool may_join(const struct tk_judge *j, uint32_t message)
{
    return !j->provider->may_join || j->provider->may_join(j, message);
}

int tk_merge_neighbours(struct tk_judge *j, struct tk_edits *e, bool *ret_merged)
{
    const struct tk_policy *policy = j->policy;
    struct tk_transcript *t = e->t;
    uint32_t m = t->first_message, next;
    bool left_signed = m != TK_NONE && is_signed(t, m), left_mute = m != TK_NONE && is_mute(t, m);
    int r = 0;

    *ret_merged = false;
    if (policy->merge_adjacent == TK_MERGE_NEVER || e->count == 0 || m == TK_NONE)
        return 0;
    /* Looks at each message once: the one that it merges into is known to be unsigned. */
    while ((next = t->messages[m].next) != TK_NONE && r == 0) {
        bool right_signed = is_signed(t, next);
        bool asked =
            policy->merge_adjacent == TK_MERGE_ALL || (t->messages[m].flags & TK_MESSAGE_GAP);

        if (asked && !left_mute && !left_signed && !right_signed && may_join(j, m) &&
            may_join(j, next) && may_merge(t, m, next)) {
            r = merge_next(j, e, m, next);
            *ret_merged = true;
        } else {
            m = next;
            left_signed = right_signed;
            left_mute = is_mute(t, m);
        }
    }
    return r;
}
