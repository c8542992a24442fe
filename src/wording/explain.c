/* SPDX-License-Identifier: Apache-2.0 */
#include "wording/explain.h"

#include <errno.h>
#include <string.h>

#include "wording/fill.h"

enum {
    TRIES = 16,         /* places of a text at which one wording of a rule is looked for */
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
        .more_errors = rule->more_errors,
        .text = rule->text,
        .trigger = rule->trigger,
        .action = action_of(rule->conservative),
        .preserve = action_of(rule->preserve),
        .needs = rule->needs,
        .judged = !rule->edit_only,
        .policy_only = rule->policy_only,
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
        .more_errors = row->more_errors,
        .trigger = row->trigger,
        .action = row->helps,
        .needs = row->needs,
    };
}

/* ---- all wordings ---- */

/* A wording of a refusal. */
struct entry {
    struct tk_phrase phrase;
    unsigned number; /* of the refusal */
};

/* All wordings, those of a refusal next to each other. */
struct book {
    struct entry *entries;
    uint32_t count, room;
    struct tk_arena *arena;
};

/* Adds a wording; one that is too long is left out (test_wording.c reads all of them). */
static bool add_entry(struct book *book, unsigned number, const char *template)
{
    struct tk_phrase phrase;

    if (!tk_phrase_read(&phrase, template, book->arena))
        return !tk_arena_failed(book->arena);
    if (!TK_GROW(book->arena, book->entries, book->count, book->room))
        return false;
    book->entries[book->count++] = (struct entry){phrase, number};
    return true;
}

static bool add_entries(struct book *book, unsigned number)
{
    struct tk_wording wording = tk_wording(number);
    const char *const *more = wording.more_errors;

    if (!wording.provider_error)
        return true;
    if (!add_entry(book, number, wording.provider_error))
        return false;
    for (; more && *more; more++)
        if (!add_entry(book, number, *more))
            return false;
    return true;
}

static bool read_book(struct book *book)
{
    for (unsigned number = 0; number < TK_WORDING_COUNT; number++)
        if (!add_entries(book, number))
            return false;
    return true;
}

/* Returns true if another refusal has the words of this one, up to `to`, with another path. */
static bool is_ambiguous(const struct book *book, const struct entry *entry, uint32_t to)
{
    for (uint32_t i = 0; i < book->count; i++) {
        const struct entry *other = &book->entries[i];

        if (other->number != entry->number &&
            tk_phrase_begins(&entry->phrase, to, &other->phrase) &&
            !tk_phrase_same_path(&entry->phrase, &other->phrase))
            return true;
    }
    return false;
}

/* Returns true if no other refusal has these words. */
static bool is_only_ones(const struct book *book, const struct entry *entry,
                         struct tk_section words)
{
    for (uint32_t i = 0; i < book->count; i++) {
        const struct entry *other = &book->entries[i];

        if (other->number != entry->number &&
            memmem(other->phrase.bytes, other->phrase.end, entry->phrase.bytes + words.from,
                   words.to - words.from))
            return false;
    }
    return true;
}

/* ---- one refusal ---- */

/* A match with what is needed to describe it. */
struct candidate {
    struct tk_match match;
    struct tk_found found; /* its body is in the text's normal form */
    struct tk_wording wording;
    const struct tk_phrase *phrase; /* the wording that is most alike; NULL: none is */
};

/* A text, the wordings that are looked for in it, and the provider whose they must be. */
struct wording_search {
    const struct book *book;
    const struct tk_normal *text;
    const char *provider;                 /* NULL: any */
    const struct tk_passed_on *passed_on; /* another one, whose words it passes on; NULL: none */
    uint32_t passed_on_at;                /* where they begin; the text's end: nowhere */
};

/* Fills in the likeness of words that were found, those of the wording up to `to`. Returns false if too
 * little is alike. */
static bool compare_paths(const struct wording_search *s, const struct entry *entry, uint32_t to,
                          struct tk_found *found, struct tk_match *m)
{
    const struct tk_phrase *phrase = &entry->phrase;
    bool fits = phrase->path == 0 ||
                tk_path_fits(phrase, s->text, tk_path_before(s->text, found->body.from), found);
    uint32_t words = tk_phrase_literals(phrase, phrase->body, to);

    if (!fits && (words < TK_WORDS_MIN || is_ambiguous(s->book, entry, to)))
        return false;
    m->likeness = to < phrase->end ? TK_LIKE_SENTENCES : fits ? TK_LIKE_WHOLE : TK_LIKE_WORDS;
    m->literals = words + (fits ? tk_phrase_literals(phrase, 0, phrase->path) : 0);
    return true;
}

/* Makes a wording that was found the candidate's, unless that has a better one. */
static void offer(struct candidate *c, const struct entry *entry, const struct tk_match *m,
                  const struct tk_found *found)
{
    if (c->phrase && (m->likeness > c->match.likeness ||
                      (m->likeness == c->match.likeness && m->literals <= c->match.literals)))
        return;
    c->match = *m;
    c->found = *found;
    c->phrase = &entry->phrase;
}

/* Finds a wording up to `to`, wherever the text has it. */
static bool find_until(const struct wording_search *s, const struct entry *entry, uint32_t to,
                       uint32_t from, struct candidate *c)
{
    unsigned tries = TRIES;
    struct tk_found found;
    bool any = false;

    while (tk_phrase_find(&entry->phrase, to, s->text, &from, &tries, &found)) {
        struct tk_match m = {.number = entry->number};

        if (!compare_paths(s, entry, to, &found, &m))
            continue;
        any = true;
        offer(c, entry, &m, &found);
    }
    return any;
}

/* Finds a wording, or as many of its first sentences as the text has. */
static void find_words(const struct wording_search *s, const struct entry *entry, uint32_t from,
                       struct candidate *c)
{
    uint32_t to = entry->phrase.end;

    while (to > 0 && !find_until(s, entry, to, from, c))
        to = tk_phrase_shorter(&entry->phrase, to);
}

/* Finds a stretch of a wording that tells the refusal by itself. */
static void find_stretch(const struct wording_search *s, const struct entry *entry, uint32_t from,
                         struct candidate *c)
{
    const struct tk_phrase *phrase = &entry->phrase;

    for (struct tk_section words = tk_phrase_stretch(phrase, phrase->body); words.to > words.from;
         words = tk_phrase_stretch(phrase, words.to)) {
        uint32_t size = words.to - words.from;
        const char *hit = size < TK_WORDS_MIN ? NULL
                                              : memmem(s->text->p + from, s->text->n - from,
                                                       phrase->bytes + words.from, size);
        struct tk_match m = {
            .number = entry->number, .likeness = TK_LIKE_STRETCH, .literals = size};
        struct tk_found found = {{0, 0}, {{0, 0}}};

        if (!hit || !is_only_ones(s->book, entry, words))
            continue;
        found.body.from = (uint32_t)(hit - s->text->p);
        found.body.to = found.body.from + size;
        if (tk_section_is_whole(s->text, found.body))
            offer(c, entry, &m, &found);
    }
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
    if (memchr(text->p + path.from, '*', path.to - path.from))
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
    if (tk_path_place(text, path, m->likeness == TK_LIKE_WHOLE, arena, &m->place) ||
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
static void make_sentence(const struct tk_normal *text, struct tk_arena *arena, struct candidate *c)
{
    const struct tk_phrase *phrase = c->phrase;
    const struct tk_found *found = &c->found;
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
    struct tk_section in_a = a->found.body, in_b = b->found.body;

    if (in_a.from > in_b.from || in_a.to < in_b.to)
        return false;
    return size_of(in_a) > size_of(in_b) || a->match.likeness < b->match.likeness;
}

/* Returns how much must be known to judge a rule: the messages, something else of the request or its
 * target, or what only the provider knows. */
static int reach(const struct tk_wording *wording)
{
    return wording->needs == TK_NEEDS_MESSAGES ? 0 : wording->needs & TK_NEEDS_SERVER ? 2 : 1;
}

/* Returns true if `a` comes before `b`: the more is alike, and the less must be known to judge it. Those
 * that are equal stay in the catalogue's order. */
static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (a->match.likeness != b->match.likeness)
        return a->match.likeness < b->match.likeness;
    if (a->match.literals != b->match.literals)
        return a->match.literals > b->match.literals;
    if (a->wording.policy_only != b->wording.policy_only)
        return b->wording.policy_only;
    if (a->wording.judged != b->wording.judged)
        return a->wording.judged;
    if (a->wording.severity != b->wording.severity)
        return a->wording.severity == TK_ERROR;
    return reach(&a->wording) < reach(&b->wording);
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

/* ---- all of them ---- */

/* Returns where in the text the words of a refusal may be; false: it is another provider's. */
static bool may_be(const struct wording_search *s, const struct tk_wording *wording,
                   uint32_t *ret_from)
{
    bool own = !s->provider || strcmp(wording->provider, s->provider) == 0;

    *ret_from = own ? 0 : s->passed_on_at;
    return own ||
           (s->passed_on_at < s->text->n && strcmp(wording->provider, s->passed_on->provider) == 0);
}

typedef void find_fn(const struct wording_search *s, const struct entry *entry, uint32_t from,
                     struct candidate *c);

/* Looks for the wordings of one refusal, which begin at `*at`; moves it to those of the next one. */
static void look_for(const struct wording_search *s, uint32_t *at, find_fn *find, struct best *best)
{
    const struct entry *entries = s->book->entries;
    unsigned number = entries[*at].number;
    struct candidate c = {.wording = tk_wording(number)};
    uint32_t from;
    bool wanted = may_be(s, &c.wording, &from);

    for (; *at < s->book->count && entries[*at].number == number; (*at)++)
        if (wanted)
            find(s, &entries[*at], from, &c);
    if (!c.phrase)
        return;
    find_place(c.phrase, s->text, &c.found, s->book->arena, &c.match);
    make_sentence(s->text, s->book->arena, &c);
    insert(best, &c);
}

static void look_for_all(const struct wording_search *s, find_fn *find, struct best *best)
{
    for (uint32_t at = 0; at < s->book->count;)
        look_for(s, &at, find, best);
}

/* Returns where the words of another provider begin that are passed on; the text's end: nowhere. */
static uint32_t passed_on_at(const struct tk_normal *text, const struct tk_passed_on *passed_on)
{
    const char *hit = NULL;
    size_t n = passed_on ? strlen(passed_on->after) : 0;

    if (passed_on)
        hit = memmem(text->p, text->n, passed_on->after, n);
    return hit ? (uint32_t)(hit - text->p + (ptrdiff_t)n) : text->n;
}

int tk_explain(struct tk_str text, const char *provider, const struct tk_passed_on *passed_on,
               struct tk_arena *arena, struct tk_explanation *ret)
{
    struct tk_normal normal;
    struct book book = {.arena = arena};
    struct wording_search s = {
        .book = &book, .text = &normal, .provider = provider, .passed_on = passed_on};
    struct best best = {.count = 0};
    int r = tk_normal_make(&normal, text, arena);

    if (r < 0)
        return r;
    if (!read_book(&book))
        return -ENOMEM;
    s.passed_on_at = passed_on_at(&normal, passed_on);
    look_for_all(&s, find_words, &best);
    if (best.count == 0)
        look_for_all(&s, find_stretch, &best);
    ret->count = best.count;
    for (unsigned i = 0; i < best.count; i++)
        ret->matches[i] = best.list[i].match;
    return tk_arena_failed(arena) ? -ENOMEM : 0;
}
