/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/characters.h"

#include "value/digest.h"

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

size_t tk_characters(struct tk_str text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.n; i++)
        n += begins_character(text.p[i]);
    return n;
}

bool tk_characters_exceed(struct tk_val string, size_t most, struct tk_arena *arena)
{
    /* Escapes only make the spelling longer than the text. */
    return tk_is(string, TK_STRING) && tk_raw(string).n > most &&
           tk_characters(tk_text(string, arena)) > most;
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool tk_is_plain_name(struct tk_str text, size_t most)
{
    if (text.n == 0 || text.n > most)
        return false;
    for (size_t i = 0; i < text.n; i++)
        if (!is_plain(text.p[i]))
            return false;
    return true;
}

struct tk_str tk_hashed(const char *head, struct tk_str text, int digits, struct tk_arena *arena)
{
    char hex[TK_SHA256_HEX];

    tk_sha256_hex(text, hex);
    return tk_arena_printf(arena, "%s%.*s", head, digits, hex);
}
