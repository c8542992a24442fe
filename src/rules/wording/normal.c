/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/wording/normal.h"

#include <errno.h>

/* A character or an escape of the raw text, or a run of digits, and the byte that it becomes. */
struct unit {
    size_t size; /* raw bytes */
    int c;       /* the byte that they become; NOTHING: none */
};

enum {
    NOTHING = -1,
};

static bool is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int small(int c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int hex_digit(char c)
{
    int letter = small((unsigned char)c);

    if (is_digit(letter))
        return letter - '0';
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* Reads the four digits of the escape "\u0060"; -1: it is none. */
static int code_of(struct tk_str raw)
{
    int code = 0;

    if (raw.n < 6)
        return -1;
    for (size_t i = 2; i < 6; i++) {
        int digit = hex_digit(raw.p[i]);

        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

/* Returns a character in its normal form. Those beyond ASCII are typographic quotes or no part of a
 * provider's words. */
static int plain(int code)
{
    if (code == '`' || code == '\'' || code == '"' || code >= 0x80)
        return NOTHING;
    return is_space(code) ? ' ' : small(code);
}

static struct unit read_escape(struct tk_str raw)
{
    int code;

    if (raw.n < 2)
        return (struct unit){1, NOTHING};
    if (raw.p[1] == 'n' || raw.p[1] == 'r' || raw.p[1] == 't')
        return (struct unit){2, ' '};
    code = raw.p[1] == 'u' ? code_of(raw) : -1;
    return code < 0 ? (struct unit){1, NOTHING} : (struct unit){6, plain(code)};
}

/* Returns true for the UTF-8 of U+2018, U+2019, U+201C and U+201D. */
static bool is_quote(struct tk_str raw)
{
    return raw.n >= 3 && memcmp(raw.p, "\xe2\x80", 2) == 0 &&
           memchr("\x98\x99\x9c\x9d", raw.p[2], 4);
}

/* Returns true for the UTF-8 of a line of a box, U+2500 to U+257F, with which terminals frame texts. */
static bool is_frame(struct tk_str raw)
{
    return raw.n >= 3 && (memcmp(raw.p, "\xe2\x94", 2) == 0 || memcmp(raw.p, "\xe2\x95", 2) == 0);
}

static struct unit read_unit(struct tk_str raw)
{
    unsigned char c = (unsigned char)raw.p[0];
    struct unit unit = {1, c};

    if (c == '\\')
        return read_escape(raw);
    if (is_digit(c)) {
        while (unit.size < raw.n && is_digit(raw.p[unit.size]))
            unit.size++;
        unit.c = '0';
    } else if (is_quote(raw)) {
        unit = (struct unit){3, NOTHING};
    } else if (is_frame(raw)) {
        unit = (struct unit){3, ' '};
    } else if (c < 0x80) {
        unit.c = plain(c);
    }
    return unit;
}

void tk_normalize(struct tk_normal *normal)
{
    struct tk_str raw = normal->raw;

    normal->n = 0;
    for (size_t at = 0; at < raw.n;) {
        struct unit unit = read_unit((struct tk_str){raw.p + at, raw.n - at});
        size_t from = at;

        at += unit.size;
        if (unit.c == NOTHING)
            continue;
        if (unit.c == ' ' && (normal->n == 0 || normal->p[normal->n - 1] == ' '))
            continue;
        if (normal->origins)
            normal->origins[normal->n] = (struct tk_origin){(uint32_t)from, (uint32_t)at};
        normal->p[normal->n++] = (char)unit.c;
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
