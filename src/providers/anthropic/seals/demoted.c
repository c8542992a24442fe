/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds sealed thinking that is in its message as text. Where the provider would refuse thinking,
 * repair makes text of it. If that text counted as a block that isn't sealed while the thinking
 * stays out, the next repair would drop what the first one kept.
 */
#include "providers/anthropic/seals/demoted.h"

#include <errno.h>

/* Text parts of a message that aren't sealed. */
struct free_texts {
    uint32_t *parts, *next; /* next: the number of the next one with that digest, plus one */
    uint32_t count;
    struct tk_map by_digest; /* the first that isn't taken, plus one; 0: all are taken */
};

static struct tk_str name_of(const struct tk_digest *digest)
{
    return (struct tk_str){(const char *)digest->bytes, sizeof(digest->bytes)};
}

static struct tk_str number_of(const uint32_t *part)
{
    return (struct tk_str){(const char *)part, sizeof(*part)};
}

static bool has_any(const bool *left_out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (left_out[i])
            return true;
    return false;
}

static int list_texts(struct free_texts *texts, const struct tk_transcript *t,
                      const struct tk_sealed_turn *g)
{
    const struct tk_message *m = &t->messages[g->messages[0]];
    struct tk_map taken;
    uint32_t n = 0;
    bool is_new;

    tk_map_init(&taken, t->arena, t->hash_key);
    for (uint32_t i = 0; i < g->sealed_count; i++)
        if (!tk_map_put(&taken, number_of(&g->taken[i]), &is_new))
            return -ENOMEM;
    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next)
        n++;
    texts->parts = tk_arena_alloc(t->arena, n * sizeof(*texts->parts));
    texts->next = tk_arena_zalloc(t->arena, n, sizeof(*texts->next));
    if (!texts->parts || !texts->next)
        return -ENOMEM;
    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next)
        if (t->parts[i].kind == TK_PART_TEXT && !tk_map_get(&taken, number_of(&i)))
            texts->parts[texts->count++] = i;
    return 0;
}

static int note_texts(struct free_texts *texts, struct tk_seals *s, const struct tk_transcript *t)
{
    tk_map_init(&texts->by_digest, t->arena, t->hash_key);
    for (uint32_t i = texts->count; i > 0; i--) {
        const struct tk_sealed_block *b = tk_seals_block(s, t, texts->parts[i - 1]);
        bool is_new;
        uint32_t *first = b ? tk_map_put(&texts->by_digest, name_of(&b->block), &is_new) : NULL;

        if (!first)
            return -ENOMEM;
        texts->next[i - 1] = *first;
        *first = i;
    }
    return 0;
}

/* Takes the first text with the words of a thinking block; TK_NONE: there is none. */
static uint32_t take(struct free_texts *texts, struct tk_val block, struct tk_arena *arena)
{
    struct tk_val said = tk_get(block, TK_STR("thinking"));
    struct tk_digest digest;
    uint32_t *first, number;

    if (!tk_is(said, TK_STRING) || tk_text_is_blank(said))
        return TK_NONE;
    digest = tk_block_digest(said, arena);
    first = tk_map_get(&texts->by_digest, name_of(&digest));
    if (!first || *first == 0)
        return TK_NONE;
    number = *first - 1;
    *first = texts->next[number];
    return texts->parts[number];
}

int tk_sealed_find_texts(struct tk_seals *s, const struct tk_transcript *t,
                         const struct tk_sealed_turn *g, const bool *left_out, uint32_t *ret_texts)
{
    struct free_texts texts = {0};
    uint32_t at = 0;
    int r;

    if (!has_any(left_out, g->sealed_count))
        return 0;
    r = list_texts(&texts, t, g);
    if (r < 0 || texts.count == 0)
        return r;
    r = note_texts(&texts, s, t);
    for (uint32_t i = 0; i < g->seal_count && r == 0; i++) {
        const struct tk_given_seal *seal = &s->list[g->seals[i]];
        struct tk_val block = tk_first(seal->content);

        for (uint32_t b = 0; b < seal->count; b++, at++) {
            if (left_out[at])
                ret_texts[at] = take(&texts, block, t->arena);
            if (tk_exists(block))
                block = tk_after(seal->content, block);
        }
    }
    return tk_arena_failed(t->arena) ? -ENOMEM : r;
}
