/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/common/legal_names.h"

#include "providers/common/texts.h"
#include "value/digest.h"

/* Hex digits of the digest that tells two names apart. */
enum {
    DIGITS = 8,
};

static const bool plain[UINT8_MAX + 1] = {
    ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true, ['-'] = true,
};

/* ---- names ---- */

bool tk_is_plain_name(struct tk_str name, size_t most)
{
    size_t i = 0;

    if (name.n == 0 || name.n > most)
        return false;
    while (i < name.n && plain[(uint8_t)name.p[i]])
        i++;
    return i == name.n;
}

/* Returns a name, made of an old one, that is no longer than `most` characters. */
static struct tk_str cut_name(struct tk_arena *arena, struct tk_str name, size_t most,
                              struct tk_str old)
{
    struct tk_str parts[2];

    if (tk_characters(name) <= most)
        return name;
    parts[0] = tk_first_characters(name, most - DIGITS - 1);
    parts[1] = tk_digest_id(arena, "_", old, DIGITS);
    return parts[1].p ? tk_arena_concat(arena, parts, 2) : parts[1];
}

struct tk_str tk_clean_name(struct tk_arena *arena, struct tk_str name, size_t most)
{
    size_t n = 0;
    char *clean;

    if (name.n == 0)
        return TK_STR("unknown_tool");
    clean = tk_arena_alloc(arena, name.n);
    if (!clean)
        return (struct tk_str){0};
    for (size_t i = 0; i < name.n; i++)
        if (!tk_continues_character(name.p[i]))
            clean[n++] = plain[(uint8_t)name.p[i]] ? name.p[i] : '_';
    return cut_name(arena, (struct tk_str){clean, n}, most, name);
}

struct tk_str tk_short_name(struct tk_arena *arena, struct tk_str name, size_t most)
{
    return name.n > 0 ? cut_name(arena, name, most, name) : TK_STR("unknown_tool");
}

/* ---- ids ---- */

struct tk_str tk_digest_id(struct tk_arena *arena, const char *head, struct tk_str text, int digits)
{
    char hex[TK_SHA256_HEX];

    tk_sha256_hex(text, hex);
    return tk_arena_printf(arena, "%s%.*s", head, digits, hex);
}
