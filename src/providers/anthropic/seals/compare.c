/* SPDX-License-Identifier: Apache-2.0 */
/* Compares turns with their seals (OPERATIONS.md C.3, V1 to V6), and proves which signatures the
 * provider would refuse. */
#include <errno.h>

#include "providers/anthropic/seals/compare.h"

const char *tk_verdict_name(enum tk_verdict verdict)
{
    static const char *const names[] = {
#define TK_VERDICT_NAME(id, text) [TK_VERDICT_##id] = text,
        TK_VERDICTS(TK_VERDICT_NAME)
#undef TK_VERDICT_NAME
    };

    return names[verdict];
}

/* A block of the messages, and the sealed block that it is. */
struct compared {
    uint32_t part;
    uint32_t sealed; /* the sealed block with its digest, if no other took that; TK_NONE */
    bool is_known;   /* a sealed block has its digest: it is that one or another copy */
    const struct tk_sealed_block *is;
};

struct compare {
    struct tk_seals *s;
    const struct tk_transcript *t;
    struct tk_sealed_turn *g;
    struct compared *blocks; /* of the group's messages */
    uint32_t count;
    /* By digest: the first sealed block of it that isn't taken, plus one; 0: all are taken. */
    struct tk_map by_digest;
    uint32_t *next;        /* by sealed block: the next one of that digest, plus one */
    struct tk_map opaques; /* opaque digests of all sealed blocks */
    struct tk_map texts;   /* text digests of the absent ones */
    bool absent_redacted;  /* sealed redacted thinking is absent */
    bool absent_signed;    /* a signed block of the seals is absent */
};

static struct tk_str name_of(const struct tk_digest *digest)
{
    return (struct tk_str){(const char *)digest->bytes, sizeof(digest->bytes)};
}

/* ---- the two lists of blocks ---- */

/* Joins the blocks of all seals into one list. */
static int join_seals(struct compare *c)
{
    struct tk_sealed_turn *g = c->g;
    struct tk_sealed_block *all;
    uint32_t n = 0;

    for (uint32_t i = 0; i < g->seal_count; i++)
        g->sealed_count += c->s->list[g->seals[i]].count;
    g->taken = tk_arena_alloc(c->t->arena, g->sealed_count * sizeof(*g->taken));
    if (!g->taken)
        return -ENOMEM;
    memset(g->taken, 0xff, g->sealed_count * sizeof(*g->taken));
    g->sealed = c->s->list[g->seals[0]].blocks;
    if (g->seal_count == 1)
        return 0;
    all = tk_arena_alloc(c->t->arena, g->sealed_count * sizeof(*all));
    for (uint32_t i = 0; all && i < g->seal_count; i++) {
        const struct tk_given_seal *seal = &c->s->list[g->seals[i]];

        memcpy(all + n, seal->blocks, seal->count * sizeof(*all));
        n += seal->count;
    }
    g->sealed = all;
    return all ? 0 : -ENOMEM;
}

static int list_blocks(struct compare *c)
{
    const struct tk_transcript *t = c->t;
    uint32_t n = 0;

    for (uint32_t m = 0; m < c->g->message_count; m++)
        for (uint32_t i = t->messages[c->g->messages[m]].first; i != TK_NONE; i = t->parts[i].next)
            n++;
    c->blocks = tk_arena_alloc(t->arena, n * sizeof(*c->blocks));
    if (!c->blocks)
        return -ENOMEM;
    for (uint32_t m = 0; m < c->g->message_count; m++)
        for (uint32_t i = t->messages[c->g->messages[m]].first; i != TK_NONE;
             i = t->parts[i].next) {
            const struct tk_sealed_block *is = tk_seals_block(c->s, t, i);

            if (!is)
                return -ENOMEM;
            c->blocks[c->count++] = (struct compared){.part = i, .sealed = TK_NONE, .is = is};
        }
    return 0;
}

/* ---- which block is which ---- */

static int list_digests(struct compare *c)
{
    const struct tk_sealed_turn *g = c->g;

    tk_map_init(&c->by_digest, c->t->arena, c->t->hash_key);
    c->next = tk_arena_zalloc(c->t->arena, g->sealed_count, sizeof(*c->next));
    if (!c->next)
        return -ENOMEM;
    for (uint32_t i = g->sealed_count; i > 0; i--) {
        bool is_new;
        uint32_t *first = tk_map_put(&c->by_digest, name_of(&g->sealed[i - 1].block), &is_new);

        if (!first)
            return -ENOMEM;
        c->next[i - 1] = *first;
        *first = i;
    }
    return 0;
}

/* Takes the first sealed block of that digest that isn't taken; TK_NONE: there is none. *ret_known:
 * the seals have one, taken or not. */
static uint32_t take(struct compare *c, const struct tk_digest *digest, bool *ret_known)
{
    uint32_t *first = tk_map_get(&c->by_digest, name_of(digest)), sealed;

    *ret_known = first != NULL;
    if (!first || *first == 0)
        return TK_NONE;
    sealed = *first - 1;
    *first = c->next[sealed];
    return sealed;
}

/* Takes the sealed block that a message's block is. Text that was written into a thinking block
 * sealed without text is ignored. */
static uint32_t take_for(struct compare *c, struct compared *b)
{
    const struct tk_part *p = &c->t->parts[b->part];
    uint32_t sealed = take(c, &b->is->block, &b->is_known);
    struct tk_digest untold;

    if (b->is_known || p->kind != TK_PART_THINKING)
        return sealed;
    untold = tk_seal_untold(tk_part_val(p, p->node), c->t->arena);
    return take(c, &untold, &b->is_known);
}

static int identify(struct compare *c)
{
    int r = list_digests(c);

    for (uint32_t i = 0; i < c->count && r == 0; i++) {
        c->blocks[i].sealed = take_for(c, &c->blocks[i]);
        if (c->blocks[i].sealed != TK_NONE)
            c->g->taken[c->blocks[i].sealed] = c->blocks[i].part;
    }
    return r;
}

/* Returns true if all blocks are those sealed, in order: the usual case, which needs no tables. */
static bool is_as_sealed(struct compare *c)
{
    if (c->count != c->g->sealed_count)
        return false;
    for (uint32_t i = 0; i < c->count; i++)
        if (!tk_digest_eq(&c->blocks[i].is->block, &c->g->sealed[i].block))
            return false;
    for (uint32_t i = 0; i < c->count; i++)
        c->g->taken[i] = c->blocks[i].part;
    return true;
}

/* ---- the verdict ---- */

struct sums {
    uint32_t added, absent, absent_other; /* number of blocks; absent_other: without thinking */
    bool foreign_call, absent_call, in_order;
};

static bool is_thinking_type(struct tk_str type)
{
    return tk_str_is(type, "thinking") || tk_str_is(type, "redacted_thinking");
}

/* Finds ids of calls that only one side has. */
static int compare_ids(struct compare *c, struct sums *sums)
{
    enum {
        SEALED = 1,
        THERE = 2
    };
    struct tk_map ids;
    uint32_t *who;
    bool is_new;

    tk_map_init(&ids, c->t->arena, c->t->hash_key);
    for (uint32_t i = 0; i < c->g->sealed_count; i++)
        if (c->g->sealed[i].id.p) {
            who = tk_map_put(&ids, c->g->sealed[i].id, &is_new);
            if (!who)
                return -ENOMEM;
            *who |= SEALED;
        }
    for (uint32_t i = 0; i < c->count; i++)
        if (c->blocks[i].is->id.p) {
            who = tk_map_put(&ids, c->blocks[i].is->id, &is_new);
            if (!who)
                return -ENOMEM;
            sums->foreign_call = sums->foreign_call || !(*who & SEALED);
            *who |= THERE;
        }
    for (uint32_t i = 0; i < c->g->sealed_count; i++) {
        who = c->g->sealed[i].id.p ? tk_map_get(&ids, c->g->sealed[i].id) : NULL;
        sums->absent_call = sums->absent_call || (who && !(*who & THERE));
    }
    return 0;
}

static int sum_up(struct compare *c, struct sums *sums)
{
    *sums = (struct sums){.in_order = c->count == c->g->sealed_count};
    for (uint32_t i = 0; i < c->count; i++) {
        sums->added += c->blocks[i].sealed == TK_NONE;
        sums->in_order = sums->in_order && c->blocks[i].sealed == i;
    }
    for (uint32_t i = 0; i < c->g->sealed_count; i++) {
        const struct tk_sealed_block *b = &c->g->sealed[i];

        if (c->g->taken[i] != TK_NONE)
            continue;
        sums->absent++;
        sums->absent_other += !is_thinking_type(b->type);
        c->absent_signed = c->absent_signed || b->has_opaque;
        c->absent_redacted = c->absent_redacted || tk_str_is(b->type, "redacted_thinking");
    }
    return compare_ids(c, sums);
}

static enum tk_verdict verdict_of(const struct sums *sums)
{
    if (sums->in_order)
        return TK_VERDICT_INTACT;
    if (sums->added == 0 && sums->absent == 0)
        return TK_VERDICT_REORDERED;
    if (sums->absent_call)
        return TK_VERDICT_MISSING_TOOL_USE;
    if (sums->foreign_call || (sums->absent == 0 && sums->added > 0))
        return TK_VERDICT_FOREIGN_BLOCK;
    if (sums->added == 0 && sums->absent_other == 0)
        return TK_VERDICT_MISSING_THINKING;
    return TK_VERDICT_ALTERED;
}

/* ---- dead signatures ---- */

static int list_signed(struct compare *c)
{
    bool is_new;

    tk_map_init(&c->opaques, c->t->arena, c->t->hash_key);
    tk_map_init(&c->texts, c->t->arena, c->t->hash_key);
    for (uint32_t i = 0; i < c->g->sealed_count; i++) {
        const struct tk_sealed_block *b = &c->g->sealed[i];

        if (b->has_opaque && !tk_map_put(&c->opaques, name_of(&b->opaque), &is_new))
            return -ENOMEM;
        if (b->has_text && c->g->taken[i] == TK_NONE &&
            !tk_map_put(&c->texts, name_of(&b->text), &is_new))
            return -ENOMEM;
    }
    return 0;
}

/* Rule 1: returns true if the block's text or signature was edited. A second copy of a sealed block
 * isn't an edit. */
static bool is_edited(const struct compare *c, const struct compared *b)
{
    if (!b->is->has_opaque || b->is_known)
        return false;
    return tk_map_get(&c->opaques, name_of(&b->is->opaque)) ||
           (b->is->has_text && tk_map_get(&c->texts, name_of(&b->is->text))) ||
           (c->absent_redacted && tk_str_is(b->is->type, "redacted_thinking"));
}

/* Rule 2: returns for each block of the newest turn whether it is on the wrong side of another. */
static bool *find_displaced(const struct compare *c)
{
    bool *displaced = tk_arena_zalloc(c->t->arena, c->count, sizeof(*displaced));
    uint32_t last = 0, first = TK_NONE;

    for (uint32_t i = 0; displaced && i < c->count; i++)
        if (c->blocks[i].sealed != TK_NONE) {
            displaced[i] = c->blocks[i].sealed < last;
            last = c->blocks[i].sealed > last ? c->blocks[i].sealed : last;
        }
    for (uint32_t i = c->count; displaced && i > 0; i--)
        if (c->blocks[i - 1].sealed != TK_NONE) {
            displaced[i - 1] = displaced[i - 1] || c->blocks[i - 1].sealed > first;
            first = c->blocks[i - 1].sealed < first ? c->blocks[i - 1].sealed : first;
        }
    return displaced;
}

/* Returns how many calls precede each sealed block; the list has one element more than there are
 * blocks. */
static uint32_t *count_calls(const struct compare *c)
{
    uint32_t *calls =
        tk_arena_alloc(c->t->arena, ((size_t)c->g->sealed_count + 1) * sizeof(*calls));

    if (!calls)
        return NULL;
    calls[0] = 0;
    for (uint32_t i = 0; i < c->g->sealed_count; i++)
        calls[i + 1] = calls[i] + tk_str_is(c->g->sealed[i].type, "tool_use");
    return calls;
}

static bool is_signed_and_sealed(const struct compared *b)
{
    return b->is->has_opaque && b->sealed != TK_NONE;
}

/* Rule 4: returns true if the block follows another directly that was sealed with a call between
 * them. */
static bool has_joined(const struct compare *c, const uint32_t *calls, uint32_t i)
{
    uint32_t a, b;

    if (i == 0 || !is_signed_and_sealed(&c->blocks[i]) || !is_signed_and_sealed(&c->blocks[i - 1]))
        return false;
    a = c->blocks[i - 1].sealed;
    b = c->blocks[i].sealed;
    return a < b ? calls[b] > calls[a] : calls[a] > calls[b];
}

/* Finds the first block whose signature the provider would refuse; *ret is TK_NONE if there is
 * none. latest: the group is of the newest turn. */
static int find_dead(const struct compare *c, bool latest, uint32_t *ret)
{
    bool *displaced = latest ? find_displaced(c) : NULL;
    uint32_t *calls = latest ? count_calls(c) : NULL;

    *ret = TK_NONE;
    if (latest && (!displaced || !calls))
        return -ENOMEM;
    for (uint32_t i = 0; i < c->count && *ret == TK_NONE; i++) {
        const struct compared *b = &c->blocks[i];

        if (is_edited(c, b) ||
            (latest && ((is_signed_and_sealed(b) && displaced[i]) ||
                        (c->absent_signed && b->is->has_opaque) || has_joined(c, calls, i))))
            *ret = b->part;
    }
    return 0;
}

/* Returns the last part if it is the text that repair adds to a turn that ends in thinking; else
 * TK_NONE. */
static uint32_t find_interrupted(const struct compare *c)
{
    const struct compared *last = c->count > 0 ? &c->blocks[c->count - 1] : NULL;
    const struct tk_part *p = last ? &c->t->parts[last->part] : NULL;

    return p && last->sealed == TK_NONE && p->kind == TK_PART_TEXT &&
                   tk_text_is(tk_part_val(p, p->payload), TK_STR(TK_INTERRUPTED))
               ? last->part
               : TK_NONE;
}

static bool is_in_order(const struct compare *c)
{
    uint32_t n = c->count - (c->g->interrupted != TK_NONE);

    for (uint32_t i = 0; i < n; i++)
        if (c->blocks[i].sealed == TK_NONE ||
            (i > 0 && c->blocks[i].sealed < c->blocks[i - 1].sealed))
            return false;
    return true;
}

static uint32_t first_different(const struct compare *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->blocks[i].sealed != i)
            return c->blocks[i].part;
    return TK_NONE;
}

int tk_sealed_turn_compare(struct tk_seals *s, const struct tk_transcript *t,
                           struct tk_sealed_turn *g, bool latest)
{
    struct compare c = {.s = s, .t = t, .g = g};
    struct sums sums;
    uint32_t dead = TK_NONE;
    int r = join_seals(&c);

    if (r == 0)
        r = list_blocks(&c);
    g->blamed = TK_NONE;
    g->interrupted = TK_NONE;
    g->verdict = TK_VERDICT_INTACT;
    if (r < 0 || is_as_sealed(&c))
        return r;
    r = identify(&c);
    if (r == 0)
        r = sum_up(&c, &sums);
    if (r == 0)
        r = list_signed(&c);
    if (r < 0)
        return r;
    g->verdict = verdict_of(&sums);
    g->interrupted = find_interrupted(&c);
    g->in_order = is_in_order(&c);
    if (g->verdict == TK_VERDICT_INTACT)
        return 0;
    r = find_dead(&c, latest, &dead);
    g->dead = dead != TK_NONE;
    g->blamed = g->dead ? dead : first_different(&c);
    return r;
}
