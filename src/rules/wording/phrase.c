/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/wording/phrase.h"

#include <string.h>

#include "rules/wording/path.h"

/* Bytes beyond their slots that the first sentences of a phrase need, so that they say enough by
 * themselves. */
#define SENTENCE_MIN 28

/* ---- reading a template ---- */

/* Slots that are always numbers; all others are text. */
static const char *const numbers[] = {"message", "part", "n",      "call",   "index",
                                      "count",   "size", "column", "offset", "length"};

static char mark_of(struct tk_str name)
{
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (tk_str_is(name, numbers[i]))
            return TK_MARK_NUMBER;
    return TK_MARK_TEXT;
}

static bool is_mark(char c)
{
    return c == TK_MARK_NUMBER || c == TK_MARK_TEXT;
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

/* Copies a template with a mark for each slot. Returns its size; 0 if it is too long. */
static size_t mark_slots(struct tk_phrase *phrase, const char *template, char to[TK_PHRASE_MAX])
{
    size_t n = 0;

    phrase->count = 0;
    while (*template) {
        struct tk_str name;
        size_t slot = slot_size(template, &name);

        if (n == TK_PHRASE_MAX || (slot > 0 && phrase->count == TK_PHRASE_SLOTS))
            return 0;
        to[n++] = slot > 0 ? mark_of(name) : *template;
        if (slot > 0)
            phrase->names[phrase->count++] = name;
        template += slot > 0 ? slot : 1;
    }
    return n;
}

/* Returns the size of the path with which a template begins; 0: it begins with words. */
static uint32_t path_size(const struct tk_phrase *phrase)
{
    uint32_t n = 0;

    while (n < phrase->end && (tk_is_path_byte(phrase->bytes[n]) || is_mark(phrase->bytes[n])))
        n++;
    if (n == 0 || n + 2 > phrase->end || memcmp(phrase->bytes + n, ": ", 2) != 0)
        return 0;
    return n;
}

bool tk_phrase_read(struct tk_phrase *ret, const char *template)
{
    char marked[TK_PHRASE_MAX];
    struct tk_normal form = {.raw = {marked, mark_slots(ret, template, marked)}, .p = ret->bytes};

    if (form.raw.n == 0)
        return false;
    tk_normalize(&form);
    while (form.n > 0 && (form.p[form.n - 1] == '.' || form.p[form.n - 1] == ' '))
        form.n--;
    /* Words that vary at the end of a template are the same as no words. */
    if (form.n > 0 && form.p[form.n - 1] == TK_MARK_TEXT && ret->names[ret->count - 1].n == 0) {
        ret->count--;
        form.n--;
    }
    ret->end = form.n;
    ret->path = path_size(ret);
    ret->body = ret->path > 0 ? ret->path + 2 : 0;
    return true;
}

uint32_t tk_phrase_literals(const struct tk_phrase *phrase, uint32_t from, uint32_t to)
{
    uint32_t n = 0;

    for (uint32_t i = from; i < to; i++)
        n += !is_mark(phrase->bytes[i]);
    return n;
}

/* The clause before ", but" counts as a sentence: what follows says what was found instead. */
uint32_t tk_phrase_shorter(const struct tk_phrase *phrase, uint32_t to)
{
    static const struct tk_str ends[] = {TK_STR_INIT(". "), TK_STR_INIT(", but ")};

    while (to > phrase->body) {
        struct tk_str rest;

        to--;
        rest = (struct tk_str){phrase->bytes + to, phrase->end - to};
        if (tk_str_starts(rest, ends[0]) || tk_str_starts(rest, ends[1]))
            return tk_phrase_literals(phrase, phrase->body, to) >= SENTENCE_MIN ? to : 0;
    }
    return 0;
}

/* ---- comparing ---- */

/* A comparison of a phrase with a text, outwards from a piece that both have. */
struct comparison {
    const struct tk_phrase *phrase;
    const struct tk_normal *text;
    struct tk_found *found;
    uint32_t at;   /* in the phrase */
    uint32_t pos;  /* in the text */
    uint32_t slot; /* the next one that is met */
};

static bool is_number_byte(char c)
{
    return c == '0' || c == '*';
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || c == '0' || c == '_';
}

static uint32_t limited(uint32_t n)
{
    return n < TK_SLOT_MAX ? n : TK_SLOT_MAX;
}

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

static bool take_number(struct comparison *c)
{
    uint32_t from = c->pos;

    while (c->pos < c->text->n && is_number_byte(c->text->p[c->pos]))
        c->pos++;
    c->found->slots[c->slot++] = (struct tk_section){from, c->pos};
    c->at++;
    return c->pos > from;
}

/* Takes the text of a slot and the literal after it. */
static bool take_text(struct comparison *c, uint32_t to)
{
    uint32_t next = literal_end(c->phrase, c->at + 1, to), size = next - c->at - 1, end;
    const char *from = c->text->p + c->pos, *literal = c->phrase->bytes + c->at + 1, *hit;

    if (size == 0) {
        end = run_end(c->text, c->pos);
    } else {
        hit = memmem(from, limited(c->text->n - c->pos), literal, size);
        if (!hit)
            return false;
        end = (uint32_t)(hit - c->text->p);
    }
    c->found->slots[c->slot++] = (struct tk_section){c->pos, end};
    c->pos = end + size;
    c->at = next;
    return true;
}

static bool take_literal(struct comparison *c, uint32_t to)
{
    uint32_t next = literal_end(c->phrase, c->at, to), size = next - c->at;

    if (size > c->text->n - c->pos ||
        memcmp(c->text->p + c->pos, c->phrase->bytes + c->at, size) != 0)
        return false;
    c->pos += size;
    c->at = next;
    return true;
}

static bool compare_forward(struct comparison *c, uint32_t to)
{
    while (c->at < to) {
        char mark = c->phrase->bytes[c->at];

        if (!(mark == TK_MARK_NUMBER ? take_number(c)
              : mark == TK_MARK_TEXT ? take_text(c, to)
                                     : take_literal(c, to)))
            return false;
    }
    return true;
}

static bool give_number(struct comparison *c)
{
    uint32_t to = c->pos;

    while (c->pos > 0 && is_number_byte(c->text->p[c->pos - 1]))
        c->pos--;
    c->found->slots[--c->slot] = (struct tk_section){c->pos, to};
    c->at--;
    return c->pos < to;
}

/* Takes the text of the slot before `at`, and the literal before that. */
static bool give_text(struct comparison *c)
{
    uint32_t start = literal_start(c->phrase, c->at - 1), size = c->at - 1 - start;
    uint32_t first = c->pos - limited(c->pos), from;

    if (size == 0) {
        from = run_start(c->text, c->pos);
    } else {
        for (from = c->pos; from >= first + size; from--)
            if (memcmp(c->text->p + from - size, c->phrase->bytes + start, size) == 0)
                break;
        if (from < first + size)
            return false;
    }
    c->found->slots[--c->slot] = (struct tk_section){from, c->pos};
    c->pos = from - size;
    c->at = start;
    return true;
}

static bool give_literal(struct comparison *c)
{
    uint32_t start = literal_start(c->phrase, c->at), size = c->at - start;

    if (size > c->pos || memcmp(c->text->p + c->pos - size, c->phrase->bytes + start, size) != 0)
        return false;
    c->pos -= size;
    c->at = start;
    return true;
}

static bool compare_backward(struct comparison *c)
{
    while (c->at > c->phrase->body) {
        char mark = c->phrase->bytes[c->at - 1];

        if (!(mark == TK_MARK_NUMBER ? give_number(c)
              : mark == TK_MARK_TEXT ? give_text(c)
                                     : give_literal(c)))
            return false;
    }
    return true;
}

/* Returns true if no word of the text goes on beyond what was found. */
static bool is_whole(const struct tk_normal *text, struct tk_section r)
{
    if (r.from > 0 && is_word_byte(text->p[r.from]) && is_word_byte(text->p[r.from - 1]) &&
        tk_normal_joined(text, r.from))
        return false;
    return r.to == r.from || r.to >= text->n || !is_word_byte(text->p[r.to]) ||
           !is_word_byte(text->p[r.to - 1]) || !tk_normal_joined(text, r.to);
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

static uint32_t slots_before(const struct tk_phrase *phrase, uint32_t at)
{
    return at - tk_phrase_literals(phrase, 0, at);
}

/* Compares the phrase with the text around `pos`, where both have the literal. */
static bool compare(const struct tk_phrase *phrase, uint32_t to, const struct tk_normal *text,
                    struct tk_section literal, uint32_t pos, struct tk_found *ret)
{
    uint32_t slot = slots_before(phrase, literal.from);
    struct comparison forward = {phrase, text, ret, literal.to, pos + literal.to - literal.from,
                                 slot};
    struct comparison backward = {phrase, text, ret, literal.from, pos, slot};

    *ret = (struct tk_found){{0, 0}, {{0, 0}}};
    if (!compare_backward(&backward) || !compare_forward(&forward, to))
        return false;
    ret->body = (struct tk_section){backward.pos, forward.pos};
    return is_whole(text, ret->body);
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
