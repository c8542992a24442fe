/* SPDX-License-Identifier: Apache-2.0 */
/* What repair does about sealed turns that aren't as they were received (OPERATIONS.md C.3). */
#include <errno.h>

#include "rules/fix.h"
#include "rules/protect.h"
#include "rules/restore.h"

/* The request that made a later turn didn't carry this thinking: it would break that turn. */
struct later {
    const struct tk_seals *s;
    struct tk_map carried; /* opaque digests: in how many of the prefixes seen so far, plus one */
    uint32_t prefixes;
};

static struct tk_str name_of(const struct tk_digest *digest)
{
    return (struct tk_str){(const char *)digest->bytes, sizeof(digest->bytes)};
}

/* ---- what may be put back ---- */

/* Counts a prefix's thinking; what it lists twice counts once. */
static int count_carried(struct later *later, struct tk_map *once, const struct tk_sealed_turn *g)
{
    const struct tk_given_seal *seal = &later->s->list[g->seals[0]];

    if (!seal->has_prefix)
        return 0;
    later->prefixes++;
    for (uint32_t i = 0; i < seal->thinking_count; i++) {
        bool is_new;
        uint32_t *last = tk_map_put(once, name_of(&seal->thinking[i]), &is_new);
        uint32_t *n;

        if (!last)
            return -ENOMEM;
        if (*last == later->prefixes)
            continue;
        *last = later->prefixes;
        n = tk_map_put(&later->carried, name_of(&seal->thinking[i]), &is_new);
        if (!n)
            return -ENOMEM;
        ++*n;
    }
    return 0;
}

static bool breaks_later(const struct later *later, const struct tk_sealed_block *b)
{
    const uint32_t *n = b->has_opaque ? tk_map_get(&later->carried, name_of(&b->opaque)) : NULL;

    return b->has_opaque && (n ? *n : 0) < later->prefixes;
}

static bool is_thinking(const struct tk_sealed_block *b)
{
    return tk_str_is(b->type, "thinking") || tk_str_is(b->type, "redacted_thinking");
}

/* One message, and all of its blocks can be had. */
static bool is_restorable(const struct tk_seals *s, const struct tk_transcript *t,
                          const struct tk_sealed_turn *g)
{
    uint32_t n = 0;

    if (g->message_count > 1 || (t->messages[g->messages[0]].flags & TK_MESSAGE_RESTORED))
        return false;
    for (uint32_t i = 0; i < g->seal_count; i++) {
        const struct tk_given_seal *seal = &s->list[g->seals[i]];

        if (!seal->restore)
            return false;
        for (uint32_t b = 0; b < seal->count; b++, n++)
            if (g->taken[n] == TK_NONE && !tk_exists(seal->content))
                return false;
    }
    return true;
}

/* The blocks of the message to be; NULL without memory. */
static struct tk_wanted *wanted_of(const struct tk_plan *p, const struct later *later,
                                   const struct tk_sealed_turn *g, uint32_t *ret_count)
{
    const struct tk_seals *s = &p->j->seals;
    struct tk_wanted *list =
        tk_arena_alloc(p->j->t->arena, g->sealed_count * sizeof(struct tk_wanted));
    bool strip = p->j->policy->prefix_mismatch == TK_MISMATCH_STRIP;
    uint32_t at = 0, n = 0;

    for (uint32_t i = 0; list && i < g->seal_count; i++) {
        const struct tk_given_seal *seal = &s->list[g->seals[i]];
        struct tk_val block = tk_first(seal->content);

        for (uint32_t b = 0; b < seal->count; b++, at++) {
            bool stays_out =
                is_thinking(&seal->blocks[b]) && (strip || breaks_later(later, &seal->blocks[b]));

            if (g->taken[at] != TK_NONE || !stays_out)
                list[n++] = (struct tk_wanted){g->taken[at], block};
            if (tk_exists(block))
                block = tk_after(seal->content, block);
        }
    }
    *ret_count = n;
    return list;
}

static bool is_there(const struct tk_transcript *t, const struct tk_sealed_turn *g,
                     const struct tk_wanted *wanted, uint32_t count)
{
    uint32_t i = t->messages[g->messages[0]].first, n = 0;

    for (; i != TK_NONE && n < count && wanted[n].part == i; n++)
        i = t->parts[i].next;
    return i == TK_NONE && n == count;
}

/* ---- what is wanted ---- */

/* Without the seals' blocks. */
static enum tk_action else_wanted(const struct tk_sealed_turn *g, const struct tk_policy *policy)
{
    enum tk_fix fix = policy->thinking == TK_FIX_RESTORE ? policy->dead_thinking : policy->thinking;

    if (!g->dead)
        return TK_ACTION_NONE;
    return fix == TK_FIX_REPORT ? TK_ACTION_NONE
           : fix == TK_FIX_DROP ? TK_ACTION_DROP
                                : TK_ACTION_DEMOTE;
}

struct tk_decision tk_want_sealed(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy)
{
    const struct tk_sealed_turn *g = tk_sealed_turn_of(&p->j->seals, f->message);

    return tk_edit_by(policy->thinking == TK_FIX_RESTORE && is_restorable(&p->j->seals, p->j->t, g)
                          ? TK_ACTION_RESTORE
                          : else_wanted(g, policy));
}

static int let_group_go(struct tk_plan *p, const struct tk_sealed_turn *g, enum tk_action action)
{
    const struct tk_transcript *t = p->j->t;
    int r = 0;

    for (uint32_t m = 0; m < g->message_count; m++)
        for (uint32_t i = t->messages[g->messages[m]].first, next; i != TK_NONE && r == 0;
             i = next) {
            next = t->parts[i].next;
            if (tk_is_thinking(&t->parts[i]))
                r = tk_let_go(p, i, tk_sealed_code(g->verdict), action);
        }
    return r;
}

static int mend_group(struct tk_plan *p, const struct later *later, const struct tk_sealed_turn *g)
{
    const struct tk_policy *policy = p->j->policy;
    const struct tk_turn *newest = tk_newest_turn(p->j->t);
    struct tk_transcript *t = p->j->t;
    struct tk_wanted *wanted;
    enum tk_action action;
    uint32_t n;

    if (policy->thinking == TK_FIX_RESTORE && is_restorable(&p->j->seals, t, g)) {
        wanted = wanted_of(p, later, g, &n);
        if (!wanted)
            return -ENOMEM;
        if (!is_there(t, g, wanted, n))
            return tk_edit_restore(p->e, &p->j->seals, g->messages[0], tk_sealed_code(g->verdict),
                                   wanted, n, newest == &t->turns[t->messages[g->messages[0]].turn],
                                   &p->restored);
    }
    action = else_wanted(g, policy);
    return action == TK_ACTION_NONE ? 0 : let_group_go(p, g, action);
}

int tk_mend_sealed(struct tk_plan *p)
{
    const struct tk_seals *s = &p->j->seals;
    struct later later = {.s = s};
    struct tk_map once;
    int r = 0;

    tk_map_init(&later.carried, p->j->t->arena, p->j->t->hash_key);
    tk_map_init(&once, p->j->t->arena, p->j->t->hash_key);
    for (uint32_t i = s->group_count; i > 0 && r == 0; i--) {
        const struct tk_sealed_turn *g = &s->groups[i - 1];

        if (g->verdict != TK_VERDICT_INTACT)
            r = mend_group(p, &later, g);
        if (r == 0)
            r = count_carried(&later, &once, g);
    }
    return r;
}
