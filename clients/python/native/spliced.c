/* SPDX-License-Identifier: Apache-2.0 */
#include "spliced.h"

#include <stdbool.h>
#include <string.h>

static bool take(struct text *t, const char *word)
{
    size_t n = strlen(word);

    if ((size_t)(t->end - t->p) < n || memcmp(t->p, word, n) != 0)
        return false;
    t->p += n;
    return true;
}

/* Reads a number of at most 18 digits. */
static bool take_number(struct text *t, uint64_t *ret)
{
    const char *start = t->p;
    uint64_t n = 0;

    while (t->p < t->end && t->p - start < 18 && *t->p >= '0' && *t->p <= '9')
        n = n * 10 + (uint64_t)(*t->p++ - '0');
    *ret = n;
    return t->p > start;
}

/* Skips a string without escapes, its opening quote already read. */
static bool skip_word(struct text *t)
{
    while (t->p < t->end && *t->p != '"' && *t->p != '\\')
        t->p++;
    return take(t, "\"");
}

enum outcome find_splices(struct text *answer, uint64_t ident)
{
    uint64_t given;

    if (!take(answer, "{\"jsonrpc\":\"2.0\",\"id\":") || !take_number(answer, &given) ||
        given != ident || !take(answer, ",\"result\":{"))
        return OUTCOME_UNKNOWN;
    if (take(answer, "\"action\":\"") && !(skip_word(answer) && take(answer, ",")))
        return OUTCOME_UNKNOWN;
    if (take(answer, "\"changed\":false,"))
        return OUTCOME_SAME;
    if (!take(answer, "\"changed\":true,"))
        return OUTCOME_UNKNOWN;
    if (!take(answer, "\"safe\":true,"))
        take(answer, "\"safe\":false,");
    return take(answer, "\"splices\":") ? OUTCOME_SPLICES : OUTCOME_UNKNOWN;
}

/* Counts bytes, and writes them where there is room for them. */
struct sink {
    char *out; /* may be NULL */
    ptrdiff_t size;
};

static void put(struct sink *s, const char *bytes, size_t n)
{
    if (s->out)
        memcpy(s->out + s->size, bytes, n);
    s->size += (ptrdiff_t)n;
}

/* Writes a character of Unicode in UTF-8. */
static void put_character(struct sink *s, uint32_t c)
{
    char bytes[4];
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};

    for (size_t i = n; i-- > 1; c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3F));
    bytes[0] = (char)(first[n] | c);
    put(s, bytes, n);
}

static bool take_unit(struct text *t, uint32_t *ret)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    uint32_t unit = 0;

    if (t->end - t->p < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        const char *digit = memchr(digits, *t->p++, sizeof(digits) - 1);

        if (!digit)
            return false;
        unit = unit << 4 | (uint32_t)(digit - digits < 16 ? digit - digits : digit - digits - 6);
    }
    *ret = unit;
    return true;
}

/* Reads the four digits after \u, and those of the second half of a pair. False for half a pair, which UTF-8 can't have. */
static bool take_character(struct text *t, uint32_t *ret)
{
    uint32_t low;

    if (!take_unit(t, ret))
        return false;
    if (*ret < 0xD800 || *ret > 0xDFFF)
        return true;
    if (*ret > 0xDBFF || !take(t, "\\u") || !take_unit(t, &low) || low < 0xDC00 || low > 0xDFFF)
        return false;
    *ret = 0x10000 + ((*ret - 0xD800) << 10 | (low - 0xDC00));
    return true;
}

/* Reads an escape, its backslash already read, and writes what it means. */
static bool take_escape(struct text *t, struct sink *s)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *name;
    uint32_t c;

    if (take(t, "u")) {
        if (!take_character(t, &c))
            return false;
        put_character(s, c);
        return true;
    }
    name = t->p < t->end ? memchr(names, *t->p, sizeof(names) - 1) : NULL;
    if (!name)
        return false;
    t->p++;
    put(s, meant + (name - names), 1);
    return true;
}

/* Reads a string and writes its text. */
static bool take_string(struct text *t, struct sink *s)
{
    if (!take(t, "\""))
        return false;
    for (;;) {
        const char *start = t->p;

        while (t->p < t->end && *t->p != '"' && *t->p != '\\')
            t->p++;
        put(s, start, (size_t)(t->p - start));
        if (take(t, "\""))
            return true;
        if (!take(t, "\\") || !take_escape(t, s))
            return false;
    }
}

/* Reads [offset, length, "text"], and writes the body up to there and the text. */
static bool take_splice(struct text *t, struct text *body, const char *start, struct sink *s)
{
    size_t done = (size_t)(body->p - start), size = (size_t)(body->end - start);
    uint64_t offset, length;

    if (!take(t, "[") || !take_number(t, &offset) || !take(t, ",") || !take_number(t, &length) ||
        !take(t, ","))
        return false;
    if (offset < done || offset > size || length > size - offset)
        return false;
    put(s, body->p, offset - done);
    body->p = start + offset + length;
    return take_string(t, s) && take(t, "]");
}

ptrdiff_t apply_splices(struct text splices, struct text body, char *out)
{
    struct sink s = {out, 0};
    const char *lead = body.p;

    while (body.p < body.end && strchr(" \t\n\r", *body.p) && *body.p)
        body.p++;
    put(&s, lead, (size_t)(body.p - lead)); /* offsets count from the value's first byte */
    lead = body.p;
    if (!take(&splices, "["))
        return -1;
    if (!take(&splices, "]")) {
        do {
            if (!take_splice(&splices, &body, lead, &s))
                return -1;
        } while (take(&splices, ","));
        if (!take(&splices, "]"))
            return -1;
    }
    put(&s, body.p, (size_t)(body.end - body.p));
    return s.size;
}
