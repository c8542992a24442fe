/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/rewrite.h"

#include <errno.h>

#include "value/compact.h"
#include "value/digest.h"
#include "value/unicode.h"

/* ---- names and ids ---- */

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

static bool continues_character(char c)
{
    return ((uint8_t)c & 0xC0) == 0x80;
}

bool tk_openai_is_name(struct tk_str name, size_t max)
{
    size_t i = 0;

    while (i < name.n && is_name_character(name.p[i]))
        i++;
    return i == name.n && name.n > 0 && name.n <= max;
}

size_t tk_openai_length(struct tk_str text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.n; i++)
        n += !continues_character(text.p[i]);
    return n;
}

struct tk_str tk_openai_hash(struct tk_arena *arena, const char *prefix, struct tk_str text,
                             int digits)
{
    char hex[TK_SHA256_HEX];

    tk_sha256_hex(text, hex);
    return tk_arena_printf(arena, "%s%.*s", prefix, digits, hex);
}

struct tk_str tk_openai_clean_name(struct tk_arena *arena, struct tk_str name, size_t max)
{
    char *clean = tk_arena_alloc(arena, name.n + 1);
    size_t n = 0;

    if (name.n == 0)
        return TK_STR("unknown_tool");
    if (!clean)
        return (struct tk_str){0};
    for (size_t i = 0; i < name.n; i++)
        if (!continues_character(name.p[i]))
            clean[n++] = is_name_character(name.p[i]) ? name.p[i] : '_';
    if (n > max) {
        struct tk_str parts[] = {{clean, max - 9}, tk_openai_hash(arena, "_", name, 8)};

        return parts[1].p ? tk_arena_concat(arena, parts, 2) : parts[1];
    }
    return (struct tk_str){clean, n};
}

/* ---- JSON in strings ---- */

static bool is_opaque(struct tk_val member, struct tk_arena *arena)
{
    struct tk_str key = tk_key(member, arena);
    static const char encrypted[] = "encrypted";
    size_t i = 0;

    if (!key.p || tk_str_is(key, "signature"))
        return key.p != NULL;
    while (i < sizeof(encrypted) - 1 && i < key.n && (key.p[i] | 0x20) == encrypted[i])
        i++;
    return i == sizeof(encrypted) - 1;
}

void tk_openai_put_json(struct tk_out *out, struct tk_val v)
{
    tk_compact_json(out, v, is_opaque);
}

struct tk_str tk_openai_as_json_string(struct tk_edits *e, struct tk_val v)
{
    struct tk_str text;
    struct tk_out out;

    tk_out_init(&out, e->t->arena);
    tk_compact_json(&out, v, NULL);
    text = tk_out_join(&out);
    return text.p ? tk_encode_text(e, text) : text;
}

bool tk_openai_is_json_object(struct tk_val string, struct tk_doc *scratch, struct tk_arena *arena,
                              const uint64_t *hash_key)
{
    const struct tk_read_limits limits = {UINT32_MAX, UINT32_MAX, {hash_key[0], hash_key[1]}};
    struct tk_str text = tk_text(string, arena);
    struct tk_read_error error;
    size_t i = 0;
    int r;

    while (i < text.n &&
           (text.p[i] == ' ' || text.p[i] == '\t' || text.p[i] == '\n' || text.p[i] == '\r'))
        i++;
    if (i == text.n || text.p[i] != '{')
        return false;
    r = tk_json_read(scratch, text.p, text.n, &limits, arena, &error);
    /* The servers' readers take a key that occurs twice, as far as they got. */
    return r == TK_READ_OK || r == TK_READ_DUPLICATE_KEY || r == -ENOMEM;
}

struct tk_str tk_openai_valid_arguments(struct tk_edits *e, struct tk_val arguments)
{
    struct tk_encoding out;
    struct tk_str text;

    if (tk_text_is_blank(arguments))
        return tk_encode_text(e, TK_STR("{}"));
    tk_encode_begin(&out, TK_JSON, e->t->arena);
    tk_write_map(&out.w);
    tk_write_kv_str(&out.w, "rawInvalidInput", tk_text(arguments, e->t->arena));
    tk_write_end(&out.w);
    text = tk_encode_end(&out);
    return text.p ? tk_encode_text(e, text) : text;
}
