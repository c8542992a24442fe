/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "providers/anthropic/state.h"
#include "providers/anthropic/thinking/changed_prefix.h"
#include "providers/anthropic/thinking/prefix_digest.h"
#include "shapes/shape.h"

static bool is_checked(const struct tk_judge *j)
{
    return j->t->shape->wire && !j->t->lone_turn && tk_judges_thinking(j) &&
           tk_own_policy(j)->prefix_mismatch != TK_MISMATCH_OFF;
}

/* ---- seals that have a prefix ---- */

/* Returns the seal with the prefix of a turn, or NULL. If a turn was split, nobody knows to which
 * message the prefix belongs. */
static const struct tk_given_seal *prefixed(const struct tk_seals *s,
                                            const struct tk_sealed_turn *g)
{
    const struct tk_given_seal *seal = &s->list[g->seals[0]];

    return g->message_count == 1 && seal->has_prefix ? seal : NULL;
}

static bool has_prefixes(const struct tk_seals *s)
{
    for (uint32_t i = 0; i < s->group_count; i++)
        if (prefixed(s, &s->groups[i]))
            return true;
    return false;
}

static bool fits(const struct tk_judge *j, const struct tk_given_seal *seal,
                 const struct tk_prefix_digests *d)
{
    bool request = tk_exists(j->request->body);

    if (request && seal->has_system && !tk_digest_eq(&seal->system, &d->system))
        return false;
    if (request && seal->has_tools && !tk_digest_eq(&seal->tools, &d->tools))
        return false;
    return !seal->has_messages || d->indeterminate || tk_digest_eq(&seal->messages, &d->messages);
}

/* Notes the thinking that the request of a fitting turn contained: the provider accepted it there.
 * The turn need not have thinking itself. */
static int note_cleared(struct tk_seals *s, const struct tk_given_seal *seal)
{
    for (uint32_t i = 0; i < seal->thinking_count; i++) {
        struct tk_str name = {(const char *)seal->thinking[i].bytes, sizeof(seal->thinking[i])};
        bool is_new;

        if (!tk_map_put(&s->cleared, name, &is_new))
            return -ENOMEM;
    }
    return 0;
}

static bool has_thinking(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_thinking(&t->parts[i]))
            return true;
    return false;
}

static int compare_prefixes(struct tk_judge *j)
{
    struct tk_prefix prefix;
    uint32_t step = 0;
    int r = 0;

    tk_prefix_init(&prefix, j->t, j->request);
    for (uint32_t m = j->t->first_message; m != TK_NONE && r == 0; m = j->t->messages[m].next) {
        struct tk_sealed_turn *g =
            tk_anthropic(j)->seals.group_of[m] == TK_NONE
                ? NULL
                : &tk_anthropic(j)->seals.groups[tk_anthropic(j)->seals.group_of[m]];
        const struct tk_given_seal *seal = g ? prefixed(&tk_anthropic(j)->seals, g) : NULL;

        if (seal && (seal->thinking_count > 0 || has_thinking(j->t, m))) {
            struct tk_prefix_digests d = tk_prefix_digests(&prefix);

            g->binding = fits(j, seal, &d) ? TK_BINDING_FITS : TK_BINDING_DIFFERS;
            r = g->binding == TK_BINDING_FITS ? note_cleared(&tk_anthropic(j)->seals, seal) : 0;
        }
        tk_prefix_add(&prefix, m);
        if (r == 0 && tk_judge_cancelled(j, step++))
            r = -ECANCELED;
    }
    return tk_arena_failed(j->t->arena) ? -ENOMEM : r;
}

/* ---- thinking ---- */

static enum tk_binding binding_of(const struct tk_judge *j, uint32_t message)
{
    const struct tk_sealed_turn *g = tk_sealed_turn_of(&tk_anthropic(j)->seals, message);

    return g ? g->binding : TK_BINDING_UNKNOWN;
}

/* Returns true if a later turn whose prefix fits was made with thinking of this message. */
static bool is_cleared(struct tk_judge *j, uint32_t message)
{
    const struct tk_transcript *t = j->t;

    if (tk_anthropic(j)->seals.cleared.count == 0)
        return false;
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_sealed_block *b = t->parts[i].flags & TK_PART_SIGNED
                                              ? tk_seals_block(&tk_anthropic(j)->seals, t, i)
                                              : NULL;

        if (b && tk_map_get(&tk_anthropic(j)->seals.cleared,
                            (struct tk_str){(const char *)b->opaque.bytes, sizeof(b->opaque)}))
            return true;
    }
    return false;
}

/* Returns the first thinking of a message that was in the input, or TK_NONE. *ret_any: the message
 * has thinking, of the input or not. */
static uint32_t first_thinking(const struct tk_transcript *t, uint32_t message, bool *ret_any)
{
    *ret_any = false;
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_thinking(&t->parts[i])) {
            *ret_any = true;
            if (t->parts[i].from_message != TK_NONE)
                return i;
        }
    return TK_NONE;
}

static int find_different(struct tk_judge *j)
{
    enum tk_mismatch mismatch = tk_own_policy(j)->prefix_mismatch;
    bool error = mismatch == TK_MISMATCH_STRIP || mismatch == TK_MISMATCH_ERROR;
    int r = 0;

    for (uint32_t i = 0; i < tk_anthropic(j)->seals.group_count && r == 0; i++) {
        const struct tk_sealed_turn *g = &tk_anthropic(j)->seals.groups[i];
        uint32_t message = g->messages[0], part;
        bool any;

        part = first_thinking(j->t, message, &any);
        if (g->binding == TK_BINDING_DIFFERS && any && !is_cleared(j, message))
            r = tk_find(&j->findings, j->t, TK_CODE_THINKING_PREFIX_MISMATCH,
                        error ? TK_ERROR : TK_WARNING, tk_site_of(message, part));
    }
    return r;
}

int tk_judge_binding(struct tk_judge *j)
{
    int r;

    tk_map_init(&tk_anthropic(j)->seals.cleared, j->t->arena, j->t->hash_key);
    if (!is_checked(j) || !has_prefixes(&tk_anthropic(j)->seals))
        return 0;
    r = compare_prefixes(j);
    return r < 0 ? r : find_different(j);
}

/* ---- after edits ---- */

/* A walk over the messages, which finds signed thinking that follows an edit. */
struct edited_prefix {
    struct tk_unbound unbound;
    bool begun;
};

/* Returns the first such thinking of the next message, or TK_NONE. */
static uint32_t first_after_edit(struct edited_prefix *b, const struct tk_transcript *t,
                                 uint32_t message)
{
    uint32_t first = TK_NONE;

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        b->begun = b->begun || i == b->unbound.part;
        if (b->begun && first == TK_NONE && (t->parts[i].flags & TK_PART_SIGNED))
            first = i;
    }
    b->begun = b->begun || message == b->unbound.message;
    return first;
}

/* Returns the first thinking after an edit that no seal's prefix covers, or TK_NONE. */
static uint32_t first_unbound(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    struct edited_prefix b = {.unbound = tk_unbound_of(t)};

    for (uint32_t m = t->first_message; m != TK_NONE && b.unbound.message != TK_NONE;
         m = t->messages[m].next) {
        uint32_t part = first_after_edit(&b, t, m);

        if (part != TK_NONE && binding_of(j, m) == TK_BINDING_UNKNOWN && !is_cleared(j, m))
            return part;
    }
    return TK_NONE;
}

int tk_judge_unbound(struct tk_judge *j, const struct tk_edits *e)
{
    uint32_t part = TK_NONE;

    if (is_checked(j) && tk_own_policy(j)->prefix_mismatch == TK_MISMATCH_ERROR && e->count > 0)
        part = first_unbound(j);
    return part == TK_NONE ? 0
                           : tk_find(&j->findings, j->t, TK_CODE_THINKING_PREFIX_MISMATCH, TK_ERROR,
                                     tk_site_of(j->t->parts[part].message, part));
}

bool tk_has_unbound(struct tk_judge *j, const struct tk_edits *e)
{
    return is_checked(j) && (j->findings.by_code[TK_CODE_THINKING_PREFIX_MISMATCH] > 0 ||
                             (e->count > 0 && first_unbound(j) != TK_NONE));
}

/* ---- strip ---- */

static int strip_message(struct tk_plan *p, uint32_t message)
{
    const struct tk_transcript *t = p->j->t;
    int r = 0;

    for (uint32_t i = t->messages[message].first, next; i != TK_NONE && r == 0; i = next) {
        next = t->parts[i].next;
        if (tk_is_thinking(&t->parts[i]))
            r = tk_edit_drop(p->e, i, TK_CODE_THINKING_PREFIX_MISMATCH);
    }
    return r;
}

int tk_strip_unbound(struct tk_plan *p)
{
    const struct tk_transcript *t = p->j->t;
    struct edited_prefix b = {.unbound = tk_unbound_of(t)};
    bool edits = p->e->count > 0 && b.unbound.message != TK_NONE, dead = false;
    int r = 0;

    for (uint32_t m = t->first_message; is_checked(p->j) && m != TK_NONE && r == 0;
         m = t->messages[m].next) {
        bool after_edit = edits && first_after_edit(&b, t, m) != TK_NONE;
        enum tk_binding binding = binding_of(p->j, m);

        if (t->messages[m].role != TK_ROLE_ASSISTANT || binding == TK_BINDING_FITS ||
            is_cleared(p->j, m))
            continue;
        if (binding == TK_BINDING_DIFFERS)
            dead = true;
        if (dead || after_edit)
            r = strip_message(p, m);
    }
    return r;
}
