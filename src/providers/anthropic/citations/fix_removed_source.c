/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text may cite a search hit by its url. One walk over the input from its start notes the urls of
 * results that were removed and of results that stay. A citation points at nothing if a removed
 * result before it had the url, and no other result before it has.
 */
#include <errno.h>

#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/shape.h"

enum {
    SEEN_GONE = 1,
    SEEN_KEPT = 2
};

/* Urls of search hits, as SEEN_* bits, and their transcript. */
struct urls {
    struct tk_transcript *t;
    struct tk_map map;
};

static int note_urls(struct urls *urls, struct tk_val hits, uint32_t seen)
{
    for (struct tk_val v = tk_first(hits); tk_exists(v); v = tk_after(hits, v)) {
        struct tk_val url = tk_get(v, TK_STR("url"));
        uint32_t *slot;
        bool fresh;

        if (!tk_is(url, TK_STRING))
            continue;
        slot = tk_map_put(&urls->map, tk_text(url, urls->t->arena), &fresh);
        if (!slot)
            return -ENOMEM;
        *slot |= seen;
    }
    return 0;
}

static bool points_at_nothing(void *arg, struct tk_val citation)
{
    struct urls *urls = arg;
    struct tk_val type = tk_get(citation, TK_STR("type")), url = tk_get(citation, TK_STR("url"));
    uint32_t *slot;

    if (!tk_text_is(type, TK_STR("web_search_result_location")) || !tk_is(url, TK_STRING))
        return false;
    slot = tk_map_get(&urls->map, tk_text(url, urls->t->arena));
    return slot && *slot == SEEN_GONE;
}

/* Notes the hits of a provider-executed result of any type: its content decides whether it is a
 * search (RULES.md 4). */
static int note_hits(struct urls *urls, struct tk_val result, uint32_t seen)
{
    struct tk_val list = tk_path_get(result, &urls->t->shape->hits);

    return tk_is(list, TK_ARRAY) ? note_urls(urls, list, seen) : 0;
}

int tk_keep_gone(struct tk_edits *e, uint32_t part)
{
    struct tk_anthropic *own = tk_anthropic(e->j);
    struct tk_part *p = &e->t->parts[part];

    if (!tk_is_result(p, true) || part >= e->t->input_parts)
        return 0;
    if (!own->gone) {
        own->gone = tk_arena_alloc(e->t->arena, e->t->input_parts * sizeof(*own->gone));
        if (!own->gone)
            return -ENOMEM;
    }
    p->flags |= TK_PART_RESULT_GONE;
    own->gone[part] = tk_part_val(p, p->node);
    return 0;
}

static int visit(struct tk_edits *e, struct urls *urls, uint32_t part)
{
    struct tk_part *p = &e->t->parts[part];
    uint32_t turn = e->t->messages[p->message].turn;
    bool in_signed = turn != TK_NONE && (e->t->turns[turn].flags & TK_TURN_SIGNED);

    if (p->flags & TK_PART_RESULT_GONE)
        return note_hits(urls, tk_anthropic(e->j)->gone[part], SEEN_GONE);
    if (p->flags & (TK_PART_REMOVED | TK_PART_STRING))
        return 0;
    if (tk_is_result(p, true))
        return note_hits(urls, tk_part_val(p, p->node), SEEN_KEPT);
    return p->kind == TK_PART_TEXT && !in_signed
               ? tk_drop_citations(e, part, TK_CODE_CITATION_DANGLING, points_at_nothing, urls)
               : 0;
}

int tk_mend_citations(struct tk_edits *e)
{
    struct urls urls = {.t = e->t};
    int r = 0;

    if (!tk_anthropic(e->j)->gone || !e->t->shape->citations.keys[0])
        return 0;
    tk_map_init(&urls.map, e->t->arena, e->t->hash_key);
    for (uint32_t i = 0; i < e->t->input_parts && r == 0; i++)
        r = visit(e, &urls, i);
    return r;
}
