/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges cache markers (CATALOGUE 3.8). A request may have four, counted over tools, system and
 * messages, which is also their order in the prompt. Markers of an hour must precede those of five
 * minutes. Thinking takes none. Wire only (RULES.md section 1).
 */
#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/shape.h"

bool tk_lives_an_hour(struct tk_val marker)
{
    return tk_text_is(tk_get(marker, TK_STR("ttl")), TK_STR("1h"));
}

bool tk_lives_five_minutes(struct tk_val marker)
{
    struct tk_val ttl = tk_get(marker, TK_STR("ttl"));

    return !tk_exists(ttl) || tk_is(ttl, TK_NULL) || tk_text_is(ttl, TK_STR("5m"));
}

struct survey {
    struct tk_judge *j;
    bool five_minutes; /* a marker of five minutes was seen */
};

/* Counts a marker. Returns true if it lives longer than an earlier one, which is refused. */
static bool see(struct survey *s, struct tk_val marker)
{
    tk_anthropic(s->j)->cache.count++;
    if (tk_lives_an_hour(marker))
        return s->five_minutes;
    s->five_minutes = s->five_minutes || tk_lives_five_minutes(marker);
    return false;
}

/* Counts the markers outside the messages. Repair doesn't edit those, so the finding names the
 * request. */
static int survey_request(struct survey *s)
{
    const struct tk_anthropic_request *request = tk_anthropic_request(s->j->request);
    bool late = false;

    for (uint32_t i = 0; i < request->marker_count; i++)
        late = see(s, request->markers[i]) || late;
    tk_anthropic(s->j)->cache.count += tk_request_has(s->j->request, TK_REQUEST_MARKER);
    return late ? tk_find_request(&s->j->findings, s->j->t, TK_CODE_CACHE_TTL_ORDER, TK_NO_NODE)
                : 0;
}

static int survey_part(struct survey *s, uint32_t part)
{
    struct tk_transcript *t = s->j->t;
    struct tk_markers m = tk_markers_of(t, part);
    bool late = false, before = s->five_minutes, any = false;
    int r = 0;

    while (tk_markers_next(&m)) {
        any = true;
        tk_anthropic(s->j)->cache.in_messages++;
        late = see(s, m.at) || late;
    }
    if (!any)
        return 0;
    if (!before && s->five_minutes)
        tk_anthropic(s->j)->cache.five_minutes = part;
    /* Thinking of a user is another rule's. */
    if (tk_is_thinking(&t->parts[part]) && tk_judges_thinking(s->j) &&
        t->messages[t->parts[part].message].role == TK_ROLE_ASSISTANT)
        r = tk_find_part(&s->j->findings, t, TK_CODE_CACHE_CONTROL_ON_THINKING, part);
    return r == 0 && late ? tk_find_part(&s->j->findings, t, TK_CODE_CACHE_TTL_ORDER, part) : r;
}

static int judge_count(struct tk_judge *j)
{
    struct tk_arena *arena = j->t->arena;
    int r;

    if (tk_anthropic(j)->cache.count <= TK_CACHE_MARKERS)
        return 0;
    r = tk_find_request(&j->findings, j->t, TK_CODE_CACHE_CONTROL_TOO_MANY, TK_NO_NODE);
    return r < 0 ? r
                 : tk_find_words(&j->findings, j->t,
                                 tk_arena_printf(arena, "%u", tk_anthropic(j)->cache.count),
                                 (struct tk_str){0});
}

/* ---- the request's own marker ---- */

/* Returns the last part of the last message that has parts; TK_NONE: there is none. */
static uint32_t last_part(const struct tk_transcript *t)
{
    uint32_t m = t->last_message;

    while (m != TK_NONE && t->messages[m].last == TK_NONE)
        m = t->messages[m].prev;
    return m == TK_NONE ? TK_NONE : t->messages[m].last;
}

/* Returns how long a marker keeps the prompt, in the provider's words. */
static struct tk_str lifetime(const struct tk_judge *j, struct tk_val marker)
{
    return tk_lives_five_minutes(marker) ? TK_STR("5m")
                                         : tk_text(tk_get(marker, TK_STR("ttl")), j->t->arena);
}

/* The request's own marker marks the last block, which may have one already: both must be of one
 * kind. */
static int judge_own_marker(struct tk_judge *j)
{
    uint32_t part = last_part(j->t);
    struct tk_val own = tk_request_at(j->request, TK_REQUEST_MARKER), marker;

    if (!tk_request_has(j->request, TK_REQUEST_MARKER) || part == TK_NONE)
        return 0;
    marker =
        tk_get(tk_part_val(&j->t->parts[part], j->t->parts[part].node), TK_STR("cache_control"));
    return !tk_exists(marker) || tk_is(marker, TK_NULL) ||
                   tk_str_eq(lifetime(j, own), lifetime(j, marker))
               ? 0
               : tk_find_part(&j->findings, j->t, TK_CODE_CACHE_AUTO_CONFLICT, part);
}

/* ---- tools ---- */

/* A tool that is loaded later isn't in the prompt that the cache keeps. */
static int judge_deferred(struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;
    const struct tk_definition_facts *facts = tk_anthropic_request(v)->facts;
    int r = 0;

    for (uint32_t i = 0; i < v->tool_count && r == 0; i++) {
        if (!facts[i].deferred || !facts[i].marked)
            continue;
        r = tk_find_request(&j->findings, j->t, TK_CODE_CACHE_DEFER_LOADING, v->tools[i].node);
        if (r == 0)
            r = tk_find_words(&j->findings, j->t,
                              tk_text(tk_request_val(v, v->tools[i].name), j->t->arena),
                              (struct tk_str){0});
    }
    return r;
}

int tk_judge_cache(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    struct survey s = {.j = j};
    int r;

    tk_anthropic(j)->cache = (struct tk_cache){.five_minutes = TK_NONE};
    r = survey_request(&s);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (tk_may_have_markers(&t->parts[i]))
                r = survey_part(&s, i);
    if (r == 0)
        r = judge_own_marker(j);
    if (r == 0)
        r = judge_deferred(j);
    return r < 0 ? r : judge_count(j);
}
