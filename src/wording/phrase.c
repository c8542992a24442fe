/* SPDX-License-Identifier: Apache-2.0 */
#include "wording/phrase.h"

#include <string.h>

#include "wording/path.h"

/* ---- reading a template ---- */

static const char *const indexes[] = {"message", "part", "call", "index"};

static char mark_of(struct tk_str name)
{
    for (size_t i = 0; i < sizeof(indexes) / sizeof(indexes[0]); i++)
        if (tk_str_is(name, indexes[i]))
            return TK_MARK_INDEX;
    return TK_MARK_TEXT;
}

static bool is_slot(char c)
{
    return c == TK_MARK_INDEX || c == TK_MARK_TEXT;
}

static bool is_mark(char c)
{
    return is_slot(c) || c == TK_MARK_STOP;
}

/* Returns the size of the slot at the start of a template, "{message}" or "..."; 0: there is none. */
static size_t slot_size(const char *at, struct tk_str *ret_name)
{
    size_t n = 1;

    if (strncmp(at, "...", 3) == 0) {
        *ret_name = TK_STR("");
        return 3;
    }
    if (*at != '{')
        return 0;
    while ((at[n] >= 'a' && at[n] <= 'z') || at[n] == '_')
        n++;
    *ret_name = (struct tk_str){at + 1, n - 1};
    return at[n] == '}' && n > 1 ? n + 1 : 0;
}

/* A template while it is read. */
struct template_reading {
    char bytes[TK_PHRASE_MAX];
    struct tk_str names[TK_PHRASE_SLOTS];
    uint32_t count; /* slots */
};

/* Copies a template with a mark for each slot. Returns its size; 0 if it is too long. */
static size_t mark_slots(struct template_reading *r, const char *template, char to[TK_PHRASE_MAX])
{
    size_t n = 0;

    r->count = 0;
    while (*template) {
        struct tk_str name;
        size_t slot = slot_size(template, &name);

        if (n == TK_PHRASE_MAX || (slot > 0 && r->count == TK_PHRASE_SLOTS))
            return 0;
        to[n++] = slot > 0 ? mark_of(name) : *template;
        if (slot > 0)
            r->names[r->count++] = name;
        template += slot > 0 ? slot : 1;
    }
    return n;
}

/* Returns the size of the path with which a template begins; 0: it begins with words. */
static uint32_t path_size(const char *bytes, uint32_t end)
{
    uint32_t n = 0;

    while (n < end && (tk_is_path_byte(bytes[n]) || is_mark(bytes[n])))
        n++;
    if (n == 0 || n + 2 > end || memcmp(bytes + n, ": ", 2) != 0)
        return 0;
    return n;
}

/* Marks the full stops before slots of a body; a dot of a path isn't one. */
static void mark_stops(char *bytes, uint32_t body, uint32_t end)
{
    for (uint32_t i = body; i + 2 < end; i++)
        if (bytes[i] == '.' && bytes[i + 1] == ' ' && is_slot(bytes[i + 2]))
            bytes[i] = TK_MARK_STOP;
}

bool tk_phrase_read(struct tk_phrase *ret, const char *template, struct tk_arena *arena)
{
    char marked[TK_PHRASE_MAX];
    struct template_reading r;
    struct tk_normal form = {.raw = {marked, mark_slots(&r, template, marked)}, .p = r.bytes};

    if (form.raw.n == 0)
        return false;
    tk_normalize(&form);
    while (form.n > 0 && (form.p[form.n - 1] == '.' || form.p[form.n - 1] == ' '))
        form.n--;
    /* Words that vary at the end of a template are the same as no words. */
    if (form.n > 0 && form.p[form.n - 1] == TK_MARK_TEXT && r.names[r.count - 1].n == 0) {
        r.count--;
        form.n--;
    }
    ret->path = path_size(form.p, form.n);
    ret->body = ret->path > 0 ? ret->path + 2 : 0;
    ret->end = form.n;
    ret->count = r.count;
    mark_stops(form.p, ret->body, ret->end);
    ret->bytes = tk_arena_dup(arena, (struct tk_str){form.p, form.n}).p;
    ret->names = tk_arena_alloc(arena, (r.count + 1) * sizeof(*r.names));
    if (ret->names)
        memcpy(ret->names, r.names, r.count * sizeof(*r.names));
    return ret->bytes && ret->names;
}

/* ---- pieces of a phrase ---- */

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || c == '0' || c == '_';
}

uint32_t tk_phrase_literals(const struct tk_phrase *phrase, uint32_t from, uint32_t to)
{
    uint32_t n = 0;

    for (uint32_t i = from; i < to; i++)
        n += !is_mark(phrase->bytes[i]);
    return n;
}

static bool has_at(const struct tk_phrase *phrase, uint32_t at, struct tk_str words)
{
    return tk_str_starts((struct tk_str){phrase->bytes + at, phrase->end - at}, words);
}

/* The clause before ", but" counts as a sentence: what follows says what was found instead. */
uint32_t tk_phrase_shorter(const struct tk_phrase *phrase, uint32_t to)
{
    while (to > phrase->body) {
        to--;
        if (has_at(phrase, to, TK_STR(". ")) || has_at(phrase, to, TK_STR(", but ")) ||
            has_at(phrase, to, TK_STR("\x03 "))) /* TK_MARK_STOP */
            return tk_phrase_literals(phrase, phrase->body, to) >= TK_WORDS_MIN ? to : 0;
    }
    return 0;
}

/* A stretch begins and ends with a word: a colon before a slot is lost where the text was cut. */
struct tk_section tk_phrase_stretch(const struct tk_phrase *phrase, uint32_t from)
{
    uint32_t to;

    while (from < phrase->end && !is_word_byte(phrase->bytes[from]))
        from++;
    for (to = from; to < phrase->end && !is_mark(phrase->bytes[to]); to++)
        if (has_at(phrase, to, TK_STR(". ")))
            break;
    while (to > from && !is_word_byte(phrase->bytes[to - 1]))
        to--;
    return (struct tk_section){from, to};
}

bool tk_phrase_begins(const struct tk_phrase *phrase, uint32_t to, const struct tk_phrase *other)
{
    uint32_t n = to - phrase->body;

    return other->end - other->body >= n && (to < phrase->end || other->end - other->body == n) &&
           memcmp(phrase->bytes + phrase->body, other->bytes + other->body, n) == 0;
}

bool tk_phrase_same_path(const struct tk_phrase *a, const struct tk_phrase *b)
{
    return a->path == b->path && memcmp(a->bytes, b->bytes, a->path) == 0;
}

/* ---- indexes ---- */

/* Returns the bytes of a word of at most 8 letters in brackets, "<index>"; 0: there is none. */
static uint32_t bracketed_size(const char *p, const char *end)
{
    char closing = *p == '<' ? '>' : '}';
    uint32_t n = 1;

    if (*p != '<' && *p != '{')
        return 0;
    while (n <= 8 && p + n < end && is_word_byte(p[n]))
        n++;
    return n > 1 && p + n < end && p[n] == closing ? n + 1 : 0;
}

uint32_t tk_index_size(const char *p, const char *end)
{
    uint32_t n = 0;

    if (p == end)
        return 0;
    if (*p == '0' || *p == '*') {
        while (p + n < end && p[n] == *p)
            n++;
        return n;
    }
    if (memchr("nxij", *p, 4))
        return p + 1 == end || !is_word_byte(p[1]) ? 1 : 0;
    return bracketed_size(p, end);
}

uint32_t tk_index_before(const char *start, const char *end)
{
    uint32_t n = 0;

    if (end > start && (end[-1] == '0' || end[-1] == '*')) {
        while (end - n > start && end[-1 - (ptrdiff_t)n] == end[-1])
            n++;
        return n;
    }
    for (n = 1; n <= 10 && end - n >= start; n++)
        if (tk_index_size(end - n, end) == n)
            return n == 1 && end - n > start && is_word_byte(end[-2]) ? 0 : n;
    return 0;
}

/* ---- comparing ---- */

enum {
    ATTEMPTS = 64, /* places that are tried for the ends of slots, for one place of a phrase */
};

/* A comparison of a phrase with a text, outwards from a piece that both have. */
struct comparison {
    const struct tk_phrase *phrase;
    const struct tk_normal *text;
    struct tk_found *found;
    uint32_t to;   /* where the compared part of the phrase ends */
    int attempts;  /* that are left */
    uint32_t edge; /* in the text: where the comparison ended */
};

/* Returns where the text of a slot at the end of a phrase ends: at white space, a quote, or the text's
 * end, before punctuation. */
static uint32_t run_end(const struct tk_normal *text, uint32_t from)
{
    uint32_t end = from;

    while (end < text->n && end - from < TK_SLOT_MAX && text->p[end] != ' ' &&
           (end == from || tk_normal_joined(text, end)))
        end++;
    while (end > from && strchr(".,;:)]}", text->p[end - 1]))
        end--;
    return end;
}

static uint32_t run_start(const struct tk_normal *text, uint32_t to)
{
    uint32_t start = to;

    while (start > 0 && to - start < TK_SLOT_MAX && text->p[start - 1] != ' ' &&
           (start == to || tk_normal_joined(text, start)))
        start--;
    return start;
}

/* Returns the end of the literal bytes that begin at `at`. */
static uint32_t literal_end(const struct tk_phrase *phrase, uint32_t at, uint32_t to)
{
    while (at < to && !is_mark(phrase->bytes[at]))
        at++;
    return at;
}

/* Returns the start of the literal bytes that end before `at`. */
static uint32_t literal_start(const struct tk_phrase *phrase, uint32_t at)
{
    while (at > phrase->body && !is_mark(phrase->bytes[at - 1]))
        at--;
    return at;
}

/* Returns the number of the slot at `at`, or of the next one. */
static uint32_t slots_before(const struct tk_phrase *phrase, uint32_t at)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < at; i++)
        n += is_slot(phrase->bytes[i]);
    return n;
}

/* Sets the value of the slot at `at` of the phrase. */
static void set_slot(struct comparison *c, uint32_t at, uint32_t from, uint32_t to)
{
    c->found->slots[slots_before(c->phrase, at)] = (struct tk_section){from, to};
}

static bool forward(struct comparison *c, uint32_t at, uint32_t pos);

/* Tries each end that the text slot at `at` may have: where the literal after it begins. */
static bool forward_text(struct comparison *c, uint32_t at, uint32_t pos)
{
    uint32_t next = literal_end(c->phrase, at + 1, c->to), size = next - at - 1, end = pos;

    if (size == 0) {
        end = run_end(c->text, pos);
        set_slot(c, at, pos, end);
        return forward(c, next, end);
    }
    for (; c->attempts > 0; end++) {
        uint32_t left = c->text->n - end, room = pos + TK_SLOT_MAX + size - end;
        const char *hit =
            memmem(c->text->p + end, left < room ? left : room, c->phrase->bytes + at + 1, size);

        c->attempts--;
        if (!hit)
            return false;
        end = (uint32_t)(hit - c->text->p);
        set_slot(c, at, pos, end);
        if (forward(c, next, end + size))
            return true;
    }
    return false;
}

/* Compares the phrase from `at` on with the text from `pos` on. */
static bool forward(struct comparison *c, uint32_t at, uint32_t pos)
{
    const struct tk_normal *text = c->text;
    uint32_t n;

    if (at == c->to) {
        c->edge = pos;
        return true;
    }
    switch (c->phrase->bytes[at]) {
    case TK_MARK_TEXT:
        return forward_text(c, at, pos);
    case TK_MARK_STOP:
        return forward(c, at + 1, pos + (pos < text->n && text->p[pos] == '.'));
    case TK_MARK_INDEX:
        n = tk_index_size(text->p + pos, text->p + text->n);
        set_slot(c, at, pos, pos + n);
        return n > 0 && forward(c, at + 1, pos + n);
    default:
        n = literal_end(c->phrase, at, c->to) - at;
        return n <= text->n - pos && memcmp(text->p + pos, c->phrase->bytes + at, n) == 0 &&
               forward(c, at + n, pos + n);
    }
}

static bool backward(struct comparison *c, uint32_t at, uint32_t pos);

/* Tries each start that the text slot before `at` may have: where the literal before it ends. */
static bool backward_text(struct comparison *c, uint32_t at, uint32_t pos)
{
    uint32_t start = literal_start(c->phrase, at - 1), size = at - 1 - start, from;

    if (size == 0) {
        from = run_start(c->text, pos);
        set_slot(c, at - 1, from, pos);
        return backward(c, start, from);
    }
    for (from = pos; from >= size && pos - from <= TK_SLOT_MAX && c->attempts > 0; from--) {
        if (memcmp(c->text->p + from - size, c->phrase->bytes + start, size) != 0)
            continue;
        c->attempts--;
        set_slot(c, at - 1, from, pos);
        if (backward(c, start, from - size))
            return true;
    }
    return false;
}

/* Compares the body up to `at` with the text up to `pos`. */
static bool backward(struct comparison *c, uint32_t at, uint32_t pos)
{
    const struct tk_normal *text = c->text;
    uint32_t n;

    if (at == c->phrase->body) {
        c->edge = pos;
        return true;
    }
    switch (c->phrase->bytes[at - 1]) {
    case TK_MARK_TEXT:
        return backward_text(c, at, pos);
    case TK_MARK_STOP:
        return backward(c, at - 1, pos - (pos > 0 && text->p[pos - 1] == '.'));
    case TK_MARK_INDEX:
        n = tk_index_before(text->p, text->p + pos);
        set_slot(c, at - 1, pos - n, pos);
        return n > 0 && backward(c, at - 1, pos - n);
    default:
        n = at - literal_start(c->phrase, at);
        return n <= pos && memcmp(text->p + pos - n, c->phrase->bytes + at - n, n) == 0 &&
               backward(c, at - n, pos - n);
    }
}

bool tk_section_is_whole(const struct tk_normal *text, struct tk_section r)
{
    if (r.from == r.to)
        return true;
    if (r.from > 0 && is_word_byte(text->p[r.from]) && is_word_byte(text->p[r.from - 1]) &&
        tk_normal_joined(text, r.from))
        return false;
    return r.to >= text->n || !is_word_byte(text->p[r.to]) || !is_word_byte(text->p[r.to - 1]) ||
           !tk_normal_joined(text, r.to);
}

/* Returns the longest literal of a body: few texts have it. */
static struct tk_section longest_literal(const struct tk_phrase *phrase, uint32_t to)
{
    struct tk_section longest = {phrase->body, phrase->body};

    for (uint32_t at = phrase->body; at < to; at++) {
        uint32_t end = literal_end(phrase, at, to);

        if (end - at > longest.to - longest.from)
            longest = (struct tk_section){at, end};
        at = end;
    }
    return longest;
}

/* Compares the phrase with the text around `pos`, where both have the literal. */
static bool compare(const struct tk_phrase *phrase, uint32_t to, const struct tk_normal *text,
                    struct tk_section literal, uint32_t pos, struct tk_found *ret)
{
    struct comparison c = {phrase, text, ret, to, ATTEMPTS, 0};

    *ret = (struct tk_found){{0, 0}, {{0, 0}}};
    if (!backward(&c, literal.from, pos))
        return false;
    ret->body.from = c.edge;
    c.attempts = ATTEMPTS;
    if (!forward(&c, literal.to, pos + literal.to - literal.from))
        return false;
    ret->body.to = c.edge;
    return tk_section_is_whole(text, ret->body);
}

bool tk_phrase_find(const struct tk_phrase *phrase, uint32_t to, const struct tk_normal *text,
                    uint32_t *at, unsigned *tries, struct tk_found *ret)
{
    struct tk_section literal = longest_literal(phrase, to);

    for (; *tries > 0 && literal.from < literal.to; (*tries)--) {
        const char *hit = memmem(text->p + *at, text->n - *at, phrase->bytes + literal.from,
                                 literal.to - literal.from);
        uint32_t pos;

        if (!hit)
            return false;
        pos = (uint32_t)(hit - text->p);
        *at = pos + 1;
        if (compare(phrase, to, text, literal, pos, ret)) {
            (*tries)--;
            return true;
        }
    }
    return false;
}
