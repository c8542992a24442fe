/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text may cite a search hit by its url. Walking the input from its front: urls of results
 * that went, urls of results that stayed; a citation behind a result that went, and behind none
 * that stayed, points at nothing.
 */
#include <errno.h>

#include "dialects/dialect.h"
#include "rules/aftermath.h"

enum {
    SEEN_GONE = 1,
    SEEN_KEPT = 2
};

static const struct tk_path citations_path = {{"citations"}};

static int note_urls(struct tk_transcript *t, struct tk_map *urls, struct tk_val hits,
                     uint32_t seen)
{
    for (struct tk_val v = tk_first(hits); tk_exists(v); v = tk_after(hits, v)) {
        struct tk_val url = tk_get(v, TK_STR("url"));
        uint32_t *slot;
        bool fresh;

        if (!tk_is(url, TK_STRING))
            continue;
        slot = tk_map_put(urls, tk_text(url, t->arena), &fresh);
        if (!slot)
            return -ENOMEM;
        *slot |= seen;
    }
    return 0;
}

static bool points_at_nothing(struct tk_transcript *t, struct tk_map *urls, struct tk_val citation)
{
    struct tk_val type = tk_get(citation, TK_STR("type")), url = tk_get(citation, TK_STR("url"));
    uint32_t *slot;

    if (!tk_text_is(type, TK_STR("web_search_result_location")) || !tk_is(url, TK_STRING))
        return false;
    slot = tk_map_get(urls, tk_text(url, t->arena));
    return slot && *slot == SEEN_GONE;
}

static struct tk_val citations_of(const struct tk_part *p)
{
    return tk_get(tk_part_val(p, p->node), TK_STR("citations"));
}

static int remove_listed(struct tk_edits *e, uint32_t part, const struct tk_element *dead,
                         uint32_t count)
{
    int r = tk_edit_rewritten(e, part, TK_CODE_CITATION_DANGLING);

    if (r < 0)
        return r;
    if (count == tk_count(citations_of(&e->t->parts[part])))
        return tk_change_remove(e, part, &citations_path);
    return tk_change_elements(e, part, &citations_path, dead, count);
}

static int mend_text(struct tk_edits *e, struct tk_map *urls, uint32_t part)
{
    struct tk_val list = citations_of(&e->t->parts[part]);
    uint32_t index = 0, count = 0;
    struct tk_element *dead;

    if (!tk_is(list, TK_ARRAY))
        return 0;
    dead = tk_arena_alloc(e->t->arena, tk_count(list) * sizeof(*dead));
    if (!dead)
        return -ENOMEM;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v), index++)
        if (points_at_nothing(e->t, urls, v))
            dead[count++] = (struct tk_element){.index = index};
    return count == 0 ? 0 : remove_listed(e, part, dead, count);
}

static bool is_search_result(struct tk_val v)
{
    return tk_text_is(tk_get(v, TK_STR("type")), TK_STR("web_search_tool_result"));
}

static int visit(struct tk_edits *e, struct tk_map *urls, uint32_t part)
{
    struct tk_part *p = &e->t->parts[part];
    uint32_t turn = e->t->messages[p->message].turn;
    bool in_signed = turn != TK_NONE && (e->t->turns[turn].flags & TK_TURN_SIGNED);
    struct tk_val v;

    if (p->flags & TK_PART_RESULT_GONE) {
        v = e->gone[part];
        return is_search_result(v) ? note_urls(e->t, urls, tk_get(v, TK_STR("content")), SEEN_GONE)
                                   : 0;
    }
    if (p->flags & (TK_PART_REMOVED | TK_PART_STRING))
        return 0;
    v = tk_part_val(p, p->node);
    if (p->kind == TK_PART_RESULT && is_search_result(v))
        return note_urls(e->t, urls, tk_get(v, TK_STR("content")), SEEN_KEPT);
    return p->kind == TK_PART_TEXT && !in_signed ? mend_text(e, urls, part) : 0;
}

int tk_mend_citations(struct tk_edits *e)
{
    struct tk_map urls;
    int r = 0;

    if (!e->gone || !e->t->dialect->wire)
        return 0;
    tk_map_init(&urls, e->t->arena, e->t->hash_key);
    for (uint32_t i = 0; i < e->t->input_parts && r == 0; i++)
        r = visit(e, &urls, i);
    return r;
}
