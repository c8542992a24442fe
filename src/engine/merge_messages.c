/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/merge_messages.h"

#include "engine/protect.h"
#include "engine/ruleset.h"

/* Returns true if b may merge into a. Signed messages never merge, nor do messages of the protected
 * turn or of different kinds, nor one with unknown members into another. */
static bool may_merge(const struct tk_transcript *t, uint32_t a, uint32_t b)
{
    const struct tk_message *x = &t->messages[a], *y = &t->messages[b];
    const uint16_t kind = TK_MESSAGE_TOOL | TK_MESSAGE_TRANSPARENT;

    return x->role == y->role && x->role != TK_ROLE_OTHER &&
           (x->flags & kind) == (y->flags & kind) &&
           !((x->flags | y->flags) & TK_MESSAGE_PROTECTED) && tk_takes_parts(x) &&
           tk_takes_parts(y) && !(y->flags & TK_MESSAGE_KEPT);
}

/* Returns the last of the client's results that begin a message; TK_NONE: it begins otherwise. */
static uint32_t last_leading_result(const struct tk_transcript *t, uint32_t message)
{
    uint32_t last = TK_NONE;

    for (uint32_t i = t->messages[message].first; i != TK_NONE && tk_is_result(&t->parts[i], false);
         i = t->parts[i].next)
        last = i;
    return last;
}

/* Returns true if the message has no text of its own but unknown members: they may be all that it
 * says, and are kept only as long as it says nothing else. */
static bool is_mute(const struct tk_transcript *t, uint32_t message)
{
    return (t->messages[message].flags & TK_MESSAGE_KEPT) && tk_says_nothing(t, message);
}

static bool may_join(const struct tk_judge *j, uint32_t message)
{
    return !j->rules->may_join || j->rules->may_join(j, message);
}

/* Returns true if a rule asks that the message joins the one before it. */
static bool must_join(const struct tk_judge *j, uint32_t message)
{
    return j->rules->must_join && j->rules->must_join(j, message);
}

bool tk_may_merge(const struct tk_judge *j, uint32_t into, uint32_t message)
{
    return !is_mute(j->t, into) && may_join(j, into) && may_join(j, message) &&
           may_merge(j->t, into, message);
}

int tk_merge(struct tk_judge *j, struct tk_edits *e, uint32_t message, uint32_t *last_result)
{
    int (*before)(struct tk_edits * e, uint32_t message) = j->rules->before_join;
    int r = before ? before(e, e->t->messages[message].prev) : 0;

    if (r == 0 && before)
        r = before(e, message);
    return r < 0 ? r : tk_edit_merge(e, message, j->rules->joined, last_result);
}

/* The message that the next ones merge into. */
struct target {
    uint32_t message;
    bool is_signed, is_mute;
    bool joins; /* may_join(), which may look at every part; what was merged into it joins, too */
    bool knows_results; /* `last_result` is known */
    uint32_t last_result;
};

static struct target target_of(const struct tk_judge *j, uint32_t message, bool has_signature)
{
    return (struct target){.message = message,
                           .is_signed = has_signature,
                           .is_mute = is_mute(j->t, message),
                           .joins = may_join(j, message)};
}

/* by_rule: a rule asks for it. Then results come first, as they must in a message of the user. */
static int merge_next(struct tk_judge *j, struct tk_edits *e, struct target *to, uint32_t next,
                      bool by_rule)
{
    if (by_rule && !to->knows_results)
        to->last_result = last_leading_result(e->t, to->message);
    to->knows_results = by_rule;
    return tk_merge(j, e, next, by_rule ? &to->last_result : NULL);
}

int tk_merge_neighbours(struct tk_judge *j, struct tk_edits *e, bool *ret_merged)
{
    struct tk_transcript *t = e->t;
    enum tk_merge policy = e->count == 0 ? TK_MERGE_NEVER : j->policy->merge_adjacent;
    bool blames = j->findings.errors_by_code[j->rules->joined] > 0;
    uint32_t first = t->first_message, next;
    struct target to;
    int r = 0;

    *ret_merged = false;
    if ((policy == TK_MERGE_NEVER && !blames) || first == TK_NONE)
        return 0;
    to = target_of(j, first, tk_message_is_signed(t, first));
    /* Looks at each message once: the one that it merges into is known to be unsigned. */
    while ((next = t->messages[to.message].next) != TK_NONE && r == 0) {
        bool has_signature = tk_message_is_signed(t, next), by_rule = blames && must_join(j, next);
        bool asked =
            by_rule || policy == TK_MERGE_ALL ||
            (policy == TK_MERGE_TOUCHED && (t->messages[to.message].flags & TK_MESSAGE_GAP));

        if (asked && !to.is_mute && !to.is_signed && !has_signature && to.joins &&
            may_join(j, next) && may_merge(t, to.message, next)) {
            r = merge_next(j, e, &to, next, by_rule);
            *ret_merged = true;
        } else {
            to = target_of(j, next, has_signature);
        }
    }
    return r;
}
