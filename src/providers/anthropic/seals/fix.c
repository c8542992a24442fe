/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs sealed turns that differ from what was received (OPERATIONS.md C.3). */
#include <errno.h>

#include "engine/protect.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/seals/demoted.h"
#include "providers/anthropic/seals/restore.h"
#include "providers/anthropic/state.h"

/* Thinking that the requests of later turns carried. Thinking that one of them lacked isn't
 * restored: it would change that turn's prefix. */
struct later {
    const struct tk_seals *s;
    struct tk_map carried; /* opaque digests; value: number of prefixes with it so far */
    uint32_t prefixes;
};

static struct tk_str name_of(const struct tk_digest *digest)
{
    return (struct tk_str){(const char *)digest->bytes, sizeof(digest->bytes)};
}

/* ---- what may be put back ---- */

/* Counts the thinking in a turn's prefix; what the prefix lists twice counts once. */
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

static bool is_newest(const struct tk_transcript *t, const struct tk_sealed_turn *g)
{
    return tk_newest_turn(t) == &t->turns[t->messages[g->messages[0]].turn];
}

/* Returns true if a call was doubled when the message was restored and no longer is: the message
 * may have lost its call for another one, and that one has gone since. */
static bool is_free_again(const struct tk_seals *s, const struct tk_sealed_turn *g)
{
    return s->restored && s->restored[g->messages[0]].doubled && g->verdict != TK_VERDICT_INTACT &&
           !g->doubled;
}

/* Returns true if the message was restored and isn't to be again. It is restored again only if it
 * lost one of its seals since, has become the newest, or can have a call back. */
static bool was_restored(const struct tk_seals *s, const struct tk_transcript *t,
                         const struct tk_sealed_turn *g)
{
    uint32_t m = g->messages[0];

    if (m >= t->input_messages)
        return true;
    return s->restored && s->restored[m].seals > 0 && s->restored[m].seals <= g->seal_count &&
           (s->restored[m].newest || !is_newest(t, g)) && !is_free_again(s, g);
}

static int restore(struct tk_plan *p, const struct tk_sealed_turn *g,
                   const struct tk_wanted *wanted, uint32_t count, bool newest)
{
    struct tk_seals *s = &tk_anthropic(p->j)->seals;

    if (!s->restored)
        s->restored =
            tk_arena_zalloc(p->j->t->arena, p->j->t->input_messages, sizeof(*s->restored));
    if (!s->restored)
        return -ENOMEM;
    s->restored[g->messages[0]] = (struct tk_restored_by){g->seal_count, newest, g->doubled};
    return tk_edit_restore(p->e, s, g->messages[0], tk_sealed_code(g->verdict), wanted, count,
                           newest, &tk_anthropic(p->j)->restored);
}

/* Returns true if the group can be restored: it is one message, all of its absent blocks are in
 * seals, and none is in another message. */
static bool is_restorable(const struct tk_seals *s, const struct tk_transcript *t,
                          const struct tk_sealed_turn *g)
{
    uint32_t n = 0;

    if (g->message_count > 1 || g->elsewhere || was_restored(s, t, g))
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

/* Returns true for absent thinking that isn't to be restored, whatever becomes of the rest. */
static bool stays_out(const struct tk_plan *p, const struct later *later,
                      const struct tk_sealed_turn *g, uint32_t sealed)
{
    const struct tk_sealed_block *b = &g->sealed[sealed];

    return g->taken[sealed] == TK_NONE && is_thinking(b) &&
           (tk_own_policy(p->j)->prefix_mismatch == TK_MISMATCH_STRIP || breaks_later(later, b));
}

/* Returns true if no thinking is to be restored. In the newest turn signed thinking is refused
 * unless all of it is present. */
static bool wants_no_thinking(const struct tk_plan *p, const struct later *later,
                              const struct tk_sealed_turn *g, bool newest)
{
    for (uint32_t i = 0; newest && i < g->sealed_count; i++)
        if (g->sealed[i].has_opaque && stays_out(p, later, g, i))
            return true;
    return false;
}

/* Returns true for an absent blank text, except between two signed blocks. It isn't restored, as a
 * later rule would drop it again. */
static bool is_idle(const struct tk_plan *p, const struct tk_sealed_turn *g, uint32_t sealed,
                    struct tk_val block)
{
    struct tk_val text = tk_get(block, TK_STR("text"));
    bool between = sealed > 0 && sealed + 1 < g->sealed_count && g->sealed[sealed - 1].has_opaque &&
                   g->sealed[sealed + 1].has_opaque;

    return g->taken[sealed] == TK_NONE && !between && p->j->policy->blank_text == TK_FIX_DROP &&
           tk_str_is(g->sealed[sealed].type, "text") && tk_is(text, TK_STRING) &&
           tk_text_is_blank(text);
}

/* The blocks of a message that is restored. */
struct restoring {
    struct tk_wanted *list;
    uint32_t count;
    uint32_t call;   /* the index in the list of its first client call; TK_NONE: none so far */
    bool *left_out;  /* by sealed block: it is absent thinking that isn't put back */
    uint32_t *texts; /* by sealed block: the text part that such thinking became, or TK_NONE */
    uint32_t *moved; /* those texts whose thinking was after the first client call */
    uint32_t moved_count;
};

static int begin_restoring(struct restoring *w, const struct tk_plan *p, const struct later *later,
                           const struct tk_sealed_turn *g, bool none)
{
    struct tk_arena *arena = p->j->t->arena;
    uint32_t n = g->sealed_count;

    *w = (struct restoring){.call = TK_NONE};
    w->list = tk_arena_alloc(arena, ((size_t)n + 1) * sizeof(*w->list));
    w->left_out = tk_arena_alloc(arena, n * sizeof(*w->left_out));
    w->texts = tk_arena_alloc(arena, n * sizeof(*w->texts));
    w->moved = tk_arena_alloc(arena, n * sizeof(*w->moved));
    if (!w->list || !w->left_out || !w->texts || !w->moved)
        return -ENOMEM;
    memset(w->texts, 0xff, n * sizeof(*w->texts));
    for (uint32_t i = 0; i < n; i++)
        w->left_out[i] = g->taken[i] == TK_NONE && is_thinking(&g->sealed[i]) &&
                         (none || stays_out(p, later, g, i));
    return tk_sealed_find_texts(&tk_anthropic(p->j)->seals, p->j->t, g, w->left_out, w->texts);
}

/* Adds the text that a thinking block became, where repair put it: not after a client call. */
static void want_text(struct restoring *w, uint32_t text)
{
    if (text != TK_NONE && w->call == TK_NONE)
        w->list[w->count++] = (struct tk_wanted){text, TK_NO_VAL};
    else if (text != TK_NONE)
        w->moved[w->moved_count++] = text;
}

static void want_block(struct restoring *w, const struct tk_sealed_block *b, uint32_t part,
                       struct tk_val block)
{
    if (w->call == TK_NONE && tk_str_is(b->type, "tool_use"))
        w->call = w->count;
    w->list[w->count++] = (struct tk_wanted){part, block};
}

static void place_moved(struct restoring *w)
{
    if (w->moved_count == 0)
        return;
    memmove(&w->list[w->call + w->moved_count], &w->list[w->call],
            (w->count - w->call) * sizeof(*w->list));
    for (uint32_t i = 0; i < w->moved_count; i++)
        w->list[w->call + i] = (struct tk_wanted){w->moved[i], TK_NO_VAL};
    w->count += w->moved_count;
}

/* Returns the blocks of the restored message; NULL: out of memory. */
static struct tk_wanted *wanted_of(const struct tk_plan *p, const struct later *later,
                                   const struct tk_sealed_turn *g, bool newest, uint32_t *ret_count)
{
    const struct tk_seals *s = &tk_anthropic(p->j)->seals;
    bool none = wants_no_thinking(p, later, g, newest);
    struct restoring w;
    uint32_t at = 0;

    if (begin_restoring(&w, p, later, g, none) < 0)
        return NULL;
    for (uint32_t i = 0; i < g->seal_count; i++) {
        const struct tk_given_seal *seal = &s->list[g->seals[i]];
        struct tk_val block = tk_first(seal->content);

        for (uint32_t b = 0; b < seal->count; b++, at++) {
            if (w.left_out[at])
                want_text(&w, w.texts[at]);
            else if (!(none && is_thinking(&seal->blocks[b])) && !is_idle(p, g, at, block))
                want_block(&w, &seal->blocks[b], g->taken[at], block);
            if (tk_exists(block))
                block = tk_after(seal->content, block);
        }
    }
    place_moved(&w);
    if (g->interrupted != TK_NONE)
        w.list[w.count++] = (struct tk_wanted){g->interrupted, TK_NO_VAL};
    *ret_count = w.count;
    return w.list;
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

/* Returns the action for a turn that isn't restored. */
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
    const struct tk_sealed_turn *g = tk_sealed_turn_of(&tk_anthropic(p->j)->seals, f->site.entry);

    return tk_edit_by(policy->thinking == TK_FIX_RESTORE &&
                              is_restorable(&tk_anthropic(p->j)->seals, p->j->t, g)
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
    struct tk_transcript *t = p->j->t;
    bool newest = is_newest(t, g);
    struct tk_wanted *wanted;
    enum tk_action action;
    uint32_t n;

    if (policy->thinking == TK_FIX_RESTORE && is_restorable(&tk_anthropic(p->j)->seals, t, g)) {
        wanted = wanted_of(p, later, g, newest, &n);
        if (!wanted)
            return -ENOMEM;
        if (!is_there(t, g, wanted, n))
            return restore(p, g, wanted, n, newest);
    }
    action = else_wanted(g, policy);
    return action == TK_ACTION_NONE ? 0 : let_group_go(p, g, action);
}

int tk_mend_sealed(struct tk_plan *p)
{
    const struct tk_seals *s = &tk_anthropic(p->j)->seals;
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
