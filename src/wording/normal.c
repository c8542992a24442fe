/* SPDX-License-Identifier: Apache-2.0 */
#include "wording/normal.h"

#include <errno.h>

/* A character or an escape of the raw text, and what it becomes. */
struct unit {
    size_t size; /* raw bytes */
    int c;       /* the byte that they become; NOTHING: none */
};

enum {
    NOTHING = -1,
    OTHER = 0xFF, /* a character beyond ASCII that is no part of a provider's words */
    ESCAPE = 0x1B,
};

static bool is_space(uint32_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static uint32_t small(uint32_t c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* ---- characters ---- */

/* Characters beyond ASCII that are no others in normal form; see fold() for full-width ones. */
static const struct {
    uint32_t first, last;
    int c;
} beyond_ascii[] = {
    {0x85, 0x85, ' '},     {0xA0, 0xA0, ' '},         {0xAB, 0xAB, NOTHING},
    {0xB4, 0xB4, NOTHING}, {0xBB, 0xBB, NOTHING},     {0x1680, 0x1680, ' '},
    {0x2000, 0x200A, ' '}, {0x2018, 0x201F, NOTHING}, {0x2028, 0x2029, ' '},
    {0x202F, 0x202F, ' '}, {0x2032, 0x2037, NOTHING}, {0x2039, 0x203A, NOTHING},
    {0x205F, 0x205F, ' '}, {0x2500, 0x257F, ' '}, /* boxes */
    {0x3000, 0x3000, ' '}, {0x300C, 0x300F, NOTHING}, {0x301D, 0x301F, NOTHING},
};

static int fold_beyond_ascii(uint32_t code)
{
    for (size_t i = 0; i < sizeof(beyond_ascii) / sizeof(beyond_ascii[0]); i++)
        if (code >= beyond_ascii[i].first && code <= beyond_ascii[i].last)
            return beyond_ascii[i].c;
    return OTHER;
}

/* Returns the byte that a character becomes, or NOTHING. */
static int fold(uint32_t code)
{
    if (code >= 0xFF01 && code <= 0xFF5E)
        code -= 0xFF01 - '!';
    if (code >= 0x80)
        return fold_beyond_ascii(code);
    if (code == '`' || code == '\'' || code == '"')
        return NOTHING;
    return is_space(code) ? ' ' : is_digit(code) ? '0' : (int)small(code);
}

/* Reads the character at the start of a text. Returns its bytes. */
static size_t read_character(struct tk_str raw, uint32_t *ret)
{
    unsigned char c = (unsigned char)raw.p[0];
    size_t n = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;

    *ret = c;
    if (n == 1 || n > raw.n)
        return 1;
    *ret = c & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++)
        *ret = *ret << 6 | ((unsigned char)raw.p[i] & 0x3F);
    return n;
}

/* ---- escapes ---- */

/* Reads hex digits. Returns false if they aren't. */
static bool read_hex(struct tk_str raw, size_t digits, uint32_t *ret)
{
    *ret = 0;
    if (raw.n < digits)
        return false;
    for (size_t i = 0; i < digits; i++) {
        uint32_t c = small((unsigned char)raw.p[i]);

        if (!is_digit(c) && !(c >= 'a' && c <= 'f'))
            return false;
        *ret = *ret << 4 | (is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return true;
}

/* Reads the escape at the start of a text, which has several backslashes in JSON in JSON, or the
 * backslashes that are none. Returns its bytes. */
static size_t read_escape(struct tk_str raw, uint32_t *ret)
{
    size_t n = 0, digits;
    char letter;

    while (n < raw.n && raw.p[n] == '\\')
        n++;
    letter = n < raw.n ? raw.p[n] : '\0';
    digits = letter == 'u' ? 4 : letter == 'x' ? 2 : 0;
    if (letter == 'n' || letter == 'r' || letter == 't') {
        *ret = ' ';
        return n + 1;
    }
    if (digits > 0 && read_hex((struct tk_str){raw.p + n + 1, raw.n - n - 1}, digits, ret))
        return n + 1 + digits;
    *ret = '"'; /* backslashes go as quotes do */
    return n;
}

/* Returns the bytes of the rest of a terminal's command, "[31m", after its escape character. */
static size_t command_size(struct tk_str raw)
{
    size_t n = 1;

    if (raw.n == 0 || raw.p[0] != '[')
        return 0;
    while (n < raw.n && n < 16 && (is_digit((unsigned char)raw.p[n]) || raw.p[n] == ';'))
        n++;
    return n < raw.n && small((unsigned char)raw.p[n]) >= 'a' &&
                   small((unsigned char)raw.p[n]) <= 'z'
               ? n + 1
               : 0;
}

/* Returns true if three digits and no more begin a text: after a comma they belong to the number before
 * it, unless that is in braces, where it ends a range of lengths. */
static bool is_thousands(struct tk_str raw)
{
    size_t n = 0;

    while (n < raw.n && n < 4 && is_digit((unsigned char)raw.p[n]))
        n++;
    return n == 3;
}

static bool joins_number(const struct tk_normal *normal, size_t comma)
{
    return normal->n > 0 && normal->p[normal->n - 1] == '0' && normal->number_end == comma &&
           (normal->n == 1 || normal->p[normal->n - 2] != '{') &&
           is_thousands((struct tk_str){normal->raw.p + comma + 1, normal->raw.n - comma - 1});
}

static struct unit read_unit(struct tk_str raw)
{
    uint32_t code;
    size_t n = raw.p[0] == '\\' ? read_escape(raw, &code) : read_character(raw, &code);

    if (code == ESCAPE)
        return (struct unit){n + command_size((struct tk_str){raw.p + n, raw.n - n}), NOTHING};
    return (struct unit){n, fold(code)};
}

/* ---- the form ---- */

/* Returns true if a byte becomes one with the last one: of white space, of a number, or ".[". */
static bool joins(const struct tk_normal *normal, int c, size_t from)
{
    char last = normal->n > 0 ? normal->p[normal->n - 1] : ' ';

    if (c == '0')
        return last == '0' && normal->number_end == from;
    return c == '[' ? last == '.' : c == ' ' && last == ' ';
}

static void put(struct tk_normal *normal, int c, size_t from, size_t to)
{
    bool joined = joins(normal, c, from);
    uint32_t at;

    if (joined && c == ' ')
        return;
    if (c == '0')
        normal->number_end = to;
    at = normal->n - joined;
    if (normal->origins)
        normal->origins[at] =
            (struct tk_origin){joined ? normal->origins[at].from : (uint32_t)from, (uint32_t)to};
    normal->p[at] = (char)c;
    normal->n = at + 1;
}

void tk_normalize(struct tk_normal *normal)
{
    struct tk_str raw = normal->raw;

    normal->n = 0;
    normal->number_end = 0;
    for (size_t at = 0; at < raw.n;) {
        struct unit unit = read_unit((struct tk_str){raw.p + at, raw.n - at});

        if (unit.c == ',' && unit.size == 1 && joins_number(normal, at))
            normal->number_end++;
        else if (unit.c != NOTHING)
            put(normal, unit.c, at, at + unit.size);
        at += unit.size;
    }
}

int tk_normal_make(struct tk_normal *ret, struct tk_str raw, struct tk_arena *arena)
{
    ret->raw = raw;
    ret->p = tk_arena_alloc(arena, raw.n);
    ret->origins = tk_arena_alloc(arena, raw.n * sizeof(*ret->origins));
    if (!ret->p || !ret->origins)
        return -ENOMEM;
    tk_normalize(ret);
    return 0;
}

struct tk_str tk_normal_raw(const struct tk_normal *normal, uint32_t from, uint32_t to)
{
    uint32_t first;

    if (from >= to)
        return TK_STR("");
    first = normal->origins[from].from;
    return (struct tk_str){normal->raw.p + first, normal->origins[to - 1].to - first};
}
