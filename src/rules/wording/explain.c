/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/wording/explain.h"

#include <errno.h>
#include <string.h>

#include "rules/wording/fill.h"

enum {
    TRIES = 16, /* places of a text at which the words of one rule are looked for */
    /* bytes of a rule's words that are enough to tell it, if the text has another path */
    WORDS_MIN = 24,
    PARAM_WITHIN = 256, /* bytes after a rule's words in which a place may be named */
};

/* ---- all refusals ---- */

/* Returns what repair does, or NULL: it reports only. */
static const char *action_of(const char *fix)
{
    return fix && strcmp(fix, "report") != 0 && strcmp(fix, "none") != 0 ? fix : NULL;
}

static struct tk_wording judged(const struct tk_rule *rule)
{
    return (struct tk_wording){
        .code = rule->code,
        .provider = rule->provider,
        .severity = rule->severity,
        .provider_error = rule->provider_error,
        .text = rule->text,
        .trigger = rule->trigger,
        .action = action_of(rule->conservative),
        .preserve = action_of(rule->preserve),
        .needs = rule->needs,
        .judged = !rule->edit_only,
    };
}

struct tk_wording tk_wording(unsigned number)
{
    const struct tk_unjudged *row;

    if (number < TK_CODE_COUNT)
        return judged(&tk_catalogue[number]);
    row = &tk_unjudged[number - TK_CODE_COUNT];
    return (struct tk_wording){
        .code = row->code,
        .provider = row->provider,
        .severity = row->severity,
        .provider_error = row->provider_error,
        .trigger = row->trigger,
        .action = row->helps,
    };
}

/* ---- one refusal ---- */

/* A match with what is needed to describe it. */
struct candidate {
    struct tk_match match;
    struct tk_section body; /* in the text's normal form */
    struct tk_wording wording;
};

/* Fills in the likeness of words that were found, those of the phrase up to `to`. Returns false if too
 * little is alike. */
static bool compare_paths(const struct tk_phrase *phrase, uint32_t to, const struct tk_normal *text,
                          struct tk_found *found, struct tk_match *m)
{
    bool fits = phrase->path == 0 ||
                tk_path_fits(phrase, text, tk_path_before(text, found->body.from), found);
    uint32_t words = tk_phrase_literals(phrase, phrase->body, to);

    if (!fits && (tk_path_tells(phrase) || words < WORDS_MIN))
        return false;
    m->likeness = to < phrase->end ? TK_LIKE_SENTENCES : fits ? TK_LIKE_WHOLE : TK_LIKE_WORDS;
    m->literals = words + (fits ? tk_phrase_literals(phrase, 0, phrase->path) : 0);
    return true;
}

/* Finds a phrase up to `to`. Of several places the one that is most alike. */
static bool find_until(const struct tk_phrase *phrase, uint32_t to, const struct tk_normal *text,
                       struct candidate *ret, struct tk_found *ret_found)
{
    uint32_t at = 0;
    unsigned tries = TRIES;
    struct tk_found found;
    bool any = false;

    while (tk_phrase_find(phrase, to, text, &at, &tries, &found)) {
        struct tk_match m = {.number = ret->match.number};

        if (!compare_paths(phrase, to, text, &found, &m) ||
            (any && m.likeness >= ret->match.likeness))
            continue;
        any = true;
        ret->match = m;
        ret->body = found.body;
        *ret_found = found;
    }
    return any;
}

/* Finds a phrase, or as many of its first sentences as the text has. */
static bool find_words(const struct tk_phrase *phrase, const struct tk_normal *text,
                       struct candidate *ret, struct tk_found *ret_found)
{
    uint32_t to = phrase->end;

    while (to > 0 && !find_until(phrase, to, text, ret, ret_found))
        to = tk_phrase_shorter(phrase, to);
    return to > 0;
}

/* ---- what a match says ---- */

static struct tk_str value_of(const struct tk_phrase *phrase, const struct tk_normal *text,
                              const struct tk_found *found, const char *name)
{
    for (uint32_t i = 0; i < phrase->count; i++) {
        struct tk_section slot = found->slots[i];

        if (tk_str_is(phrase->names[i], name) && slot.to > slot.from)
            return tk_normal_raw(text, slot.from, slot.to);
    }
    return (struct tk_str){0};
}

/* Returns the first id of a list "a, b"; `.p == NULL` if the text hides it, or has a place instead. */
static struct tk_str first_id(struct tk_str ids)
{
    const char *comma = ids.p ? memchr(ids.p, ',', ids.n) : NULL;

    if (comma)
        ids.n = (size_t)(comma - ids.p);
    return ids.n == 0 || memchr(ids.p, '*', ids.n) || memchr(ids.p, '[', ids.n) ? (struct tk_str){0}
                                                                                : ids;
}

/* Returns the first step of a path without an index as a pointer, "/tools"; `.p == NULL` if the text
 * hides it. */
static struct tk_str pointer_of_member(const struct tk_normal *text, struct tk_section path,
                                       struct tk_arena *arena)
{
    uint32_t to = path.from;

    while (to < path.to && text->p[to] != '.')
        to++;
    if (memchr(text->p + path.from, '*', to - path.from))
        return (struct tk_str){0};
    return tk_arena_concat(arena,
                           (struct tk_str[]){TK_STR("/"), tk_normal_raw(text, path.from, to)}, 2);
}

/* Finds the place in the path before the words, in the words, or in what follows them: bodies of errors
 * have it in a member of its own, "param". A path that a rule blames as a whole is the last resort. */
static void find_place(const struct tk_phrase *phrase, const struct tk_normal *text,
                       const struct tk_found *found, struct tk_arena *arena, struct tk_match *m)
{
    struct tk_section path = tk_path_before(text, found->body.from),
                      after = {found->body.to, text->n};

    m->place = TK_NO_WORDS_PLACE;
    m->place.id = first_id(value_of(phrase, text, found, "id"));
    if (after.to - after.from > PARAM_WITHIN)
        after.to = after.from + PARAM_WITHIN;
    if (tk_path_place(text, path, arena, &m->place) ||
        tk_path_place_within(text, found->body, found, arena, &m->place))
        return;
    if (phrase->path > 0 && m->likeness == TK_LIKE_WHOLE)
        m->place.pointer = pointer_of_member(text, path, arena);
    else
        (void)tk_path_place_within(text, after, NULL, arena, &m->place);
}

/* Returns true if a slot of a template wasn't filled in. */
static bool is_incomplete(struct tk_str text)
{
    for (size_t i = 0; i + 1 < text.n; i++)
        if (text.p[i] == '{' && text.p[i + 1] >= 'a' && text.p[i + 1] <= 'z')
            return true;
    return false;
}

/* Makes the sentence for people: the rule's with the words of the text filled in, or the trigger if
 * the text doesn't have all of them. */
static void make_sentence(const struct tk_phrase *phrase, const struct tk_normal *text,
                          const struct tk_found *found, struct tk_arena *arena, struct candidate *c)
{
    struct tk_slot_value values[TK_PHRASE_SLOTS];
    size_t n = 0;

    c->match.text = tk_str_of(c->wording.trigger);
    if (!c->wording.text)
        return;
    for (uint32_t i = 0; i < phrase->count; i++) {
        struct tk_str name = phrase->names[i], value = {0};

        if (found->slots[i].to > found->slots[i].from)
            value = tk_normal_raw(text, found->slots[i].from, found->slots[i].to);
        if (value.n > 0 && name.n > 0)
            values[n++] = (struct tk_slot_value){
                tk_arena_printf(arena, "{%.*s}", (int)name.n, name.p).p, value};
    }
    if (tk_arena_failed(arena))
        return;
    c->match.text = tk_fill(arena, c->wording.text, values, n);
    if (is_incomplete(c->match.text))
        c->match.text = tk_str_of(c->wording.trigger);
}

/* ---- the best ---- */

static uint32_t size_of(struct tk_section r)
{
    return r.to - r.from;
}

/* Returns true if the words of `a` include those of `b`, and more; or are the same, but more alike. */
static bool covers(const struct candidate *a, const struct candidate *b)
{
    if (a->body.from > b->body.from || a->body.to < b->body.to)
        return false;
    return size_of(a->body) > size_of(b->body) || a->match.likeness < b->match.likeness;
}

static int bits(unsigned n)
{
    int count = 0;

    for (; n; n &= n - 1)
        count++;
    return count;
}

/* Returns true if `a` comes before `b`: the more is alike, and the less must be known to judge it. Those
 * that are equal stay in the catalogue's order. */
static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (a->match.likeness != b->match.likeness)
        return a->match.likeness < b->match.likeness;
    if (a->match.literals != b->match.literals)
        return a->match.literals > b->match.literals;
    if (a->wording.judged != b->wording.judged)
        return a->wording.judged;
    if (a->wording.severity != b->wording.severity)
        return a->wording.severity == TK_ERROR;
    return bits(a->wording.needs) < bits(b->wording.needs);
}

/* The candidates so far, best first. One more than is told: the last one may have to go. */
struct best {
    struct candidate list[TK_MATCHES_MAX + 1];
    unsigned count;
};

/* Removes the candidates whose words are among those of the new one. Returns false if the new one's
 * words are among those of another. */
static bool make_room(struct best *best, const struct candidate *c)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < best->count; i++)
        if (covers(&best->list[i], c))
            return false;
    for (unsigned i = 0; i < best->count; i++)
        if (!covers(c, &best->list[i]))
            best->list[kept++] = best->list[i];
    best->count = kept;
    return true;
}

static void insert(struct best *best, const struct candidate *c)
{
    unsigned at = best->count;

    if (!make_room(best, c))
        return;
    for (at = best->count; at > 0 && is_better(c, &best->list[at - 1]); at--)
        best->list[at] = best->list[at - 1];
    best->list[at] = *c;
    if (best->count < TK_MATCHES_MAX)
        best->count++;
}

/* Looks for the words of one refusal. */
static void look_for(unsigned number, const char *provider, const struct tk_normal *text,
                     struct tk_arena *arena, struct best *best)
{
    struct candidate c = {.match = {.number = number}, .wording = tk_wording(number)};
    struct tk_phrase phrase;
    struct tk_found found;

    if (!c.wording.provider_error || (provider && strcmp(c.wording.provider, provider) != 0) ||
        !tk_phrase_read(&phrase, c.wording.provider_error) ||
        !find_words(&phrase, text, &c, &found))
        return;
    find_place(&phrase, text, &found, arena, &c.match);
    make_sentence(&phrase, text, &found, arena, &c);
    insert(best, &c);
}

int tk_explain(struct tk_str text, const char *provider, struct tk_arena *arena,
               struct tk_explanation *ret)
{
    struct tk_normal normal;
    struct best best = {.count = 0};
    int r = tk_normal_make(&normal, text, arena);

    if (r < 0)
        return r;
    for (unsigned number = 0; number < TK_WORDING_COUNT; number++)
        look_for(number, provider, &normal, arena, &best);
    ret->count = best.count;
    for (unsigned i = 0; i < best.count; i++)
        ret->matches[i] = best.list[i].match;
    return tk_arena_failed(arena) ? -ENOMEM : 0;
}
