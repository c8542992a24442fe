/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/merge_messages.h"

#include "engine/ruleset.h"
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
    return m->role == TK_ROLE_SYSTEM && !tk_adapter_of(t->shape)->system_is_string &&
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

/* Returns true if a rule blames the message for having the role of the one before it. */
static bool is_blamed(const struct tk_judge *j, uint32_t message)
{
    uint32_t i = j->t->messages[message].finding;

    while (i != TK_NONE && j->findings.list[i].code != j->rules->joined)
        i = j->findings.list[i].next;
    return i != TK_NONE;
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
                           .is_mute = message != TK_NONE && is_mute(j->t, message),
                           .joins = message != TK_NONE && may_join(j, message)};
}

/* blamed: a rule asks for it. Then results come first, as they must in a message of the user. */
static int merge_next(const struct tk_judge *j, struct tk_edits *e, struct target *to,
                      uint32_t next, bool blamed)
{
    int r = tk_options_to_parts(e, to->message);

    if (r == 0)
        r = tk_options_to_parts(e, next);
    if (blamed && !to->knows_results)
        to->last_result = last_leading_result(e->t, to->message);
    to->knows_results = blamed;
    return r < 0 ? r : tk_edit_merge(e, next, j->rules->joined, blamed ? &to->last_result : NULL);
}

int tk_merge_neighbours(struct tk_judge *j, struct tk_edits *e, bool *ret_merged)
{
    struct tk_transcript *t = e->t;
    enum tk_merge policy = e->count == 0 ? TK_MERGE_NEVER : j->policy->merge_adjacent;
    bool by_rule = j->findings.errors_by_code[j->rules->joined] > 0;
    uint32_t first = t->first_message, next;
    struct target to = target_of(j, first, first != TK_NONE && is_signed(t, first));
    int r = 0;

    *ret_merged = false;
    if ((policy == TK_MERGE_NEVER && !by_rule) || first == TK_NONE)
        return 0;
    /* Looks at each message once: the one that it merges into is known to be unsigned. */
    while ((next = t->messages[to.message].next) != TK_NONE && r == 0) {
        bool has_signature = is_signed(t, next), blamed = by_rule && is_blamed(j, next);
        bool asked =
            blamed || policy == TK_MERGE_ALL ||
            (policy == TK_MERGE_TOUCHED && (t->messages[to.message].flags & TK_MESSAGE_GAP));

        if (asked && !to.is_mute && !to.is_signed && !has_signature && to.joins &&
            may_join(j, next) && may_merge(t, to.message, next)) {
            r = merge_next(j, e, &to, next, blamed);
            *ret_merged = true;
        } else {
            to = target_of(j, next, has_signature);
        }
    }
    return r;
}

int tk_merge_now(struct tk_judge *j, struct tk_edits *e, uint32_t message, uint32_t *last_result,
                 uint32_t *merged)
{
    struct tk_transcript *t = e->t;
    uint32_t into = t->messages[message].prev, turn = t->messages[message].turn;
    int r;

    if (into == TK_NONE || turn == TK_NONE || t->messages[into].turn != turn ||
        !is_blamed(j, message) || is_mute(t, into) || (into != *merged && is_signed(t, into)) ||
        is_signed(t, message) || !may_join(j, into) || !may_join(j, message) ||
        !may_merge(t, into, message))
        return 0;
    r = tk_options_to_parts(e, into);
    if (r == 0)
        r = tk_options_to_parts(e, message);
    if (r == 0)
        r = tk_edit_merge(e, message, j->rules->joined, last_result);
    if (r < 0)
        return r;
    if (t->turns[turn].last == message)
        t->turns[turn].last = into;
    *merged = into;
    return 0;
}
