/* SPDX-License-Identifier: Apache-2.0 */
#include "respell.h"

#include <stdio.h>

#include "../fuzz/must.h"
#include "value/doc.h"

enum {
    MAX_MEMBERS = 32, /* objects with more keep their order */
};

struct spelling {
    struct choices *choices;
    struct tk_out out;
};

static void put(struct spelling *s, const char *z)
{
    tk_out_put(&s->out, z, strlen(z));
}

static void put_space(struct spelling *s)
{
    static const char *const spaces[] = {"", "", "", "", "", " ", "\n", "\t ", "\r\n  "};

    put(s, spaces[choose(s->choices, sizeof(spaces) / sizeof(spaces[0]))]);
}

/* Bytes of the character, or the escape, that a string's raw bytes begin with. */
static size_t character(struct tk_str raw)
{
    unsigned char c = (unsigned char)raw.p[0];

    if (c == '\\')
        return raw.p[1] == 'u' ? 6 : 2;
    return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static void put_escaped(struct spelling *s, char c)
{
    char escape[8];

    snprintf(escape, sizeof(escape), chance(s->choices, 50) ? "\\u%04x" : "\\u%04X", c);
    put(s, escape);
}

/* Raw bytes between quotes; `often` a hundredth of the characters written in another way. */
static void put_string(struct spelling *s, struct tk_str raw, uint32_t often)
{
    put(s, "\"");
    while (raw.n > 0) {
        size_t n = character(raw);
        bool plain = n == 1 && raw.p[0] != '\\';

        if (plain && often > 0 && raw.p[0] == '/' && chance(s->choices, 50))
            put(s, "\\/");
        else if (plain && often > 0 && chance(s->choices, often))
            put_escaped(s, raw.p[0]);
        else
            tk_out_put(&s->out, raw.p, n);
        raw = (struct tk_str){raw.p + n, raw.n - n};
    }
    put(s, "\"");
}

static uint32_t how_often(struct spelling *s)
{
    return chance(s->choices, 10) ? 20 : 0;
}

static void put_value(struct spelling *s, struct tk_val v);

/* The members, some of them swapped. */
static uint32_t members_of(struct spelling *s, struct tk_val object, struct tk_val *members)
{
    uint32_t n = 0;

    for (struct tk_val m = tk_first(object); tk_exists(m); m = tk_after(object, m))
        members[n++] = m;
    for (uint32_t swaps = n > 1 && chance(s->choices, 50) ? n : 0; swaps > 0; swaps--) {
        uint32_t a = choose(s->choices, n), b = choose(s->choices, n);
        struct tk_val held = members[a];

        members[a] = members[b];
        members[b] = held;
    }
    return n;
}

static void put_object(struct spelling *s, struct tk_val v)
{
    struct tk_val members[MAX_MEMBERS];
    uint32_t n;

    MUST(tk_count(v) <= MAX_MEMBERS);
    n = members_of(s, v, members);
    put(s, "{");
    for (uint32_t i = 0; i < n; i++) {
        put_space(s);
        put_string(s, tk_raw_key(members[i]), how_often(s));
        put_space(s);
        put(s, ":");
        put_space(s);
        put_value(s, members[i]);
        put_space(s);
        if (i + 1 < n)
            put(s, ",");
    }
    put(s, "}");
}

static void put_array(struct spelling *s, struct tk_val v)
{
    put(s, "[");
    for (struct tk_val e = tk_first(v); tk_exists(e);) {
        put_space(s);
        put_value(s, e);
        put_space(s);
        e = tk_after(v, e);
        if (tk_exists(e))
            put(s, ",");
    }
    put(s, "]");
}

static void put_value(struct spelling *s, struct tk_val v)
{
    if (tk_is(v, TK_OBJECT))
        put_object(s, v);
    else if (tk_is(v, TK_ARRAY))
        put_array(s, v);
    else if (tk_is(v, TK_STRING))
        put_string(s, tk_raw(v), how_often(s));
    else
        tk_out_put(&s->out, tk_span(v).p, tk_span(v).n);
}

struct tk_str respell(struct tk_str json, struct choices *choices, struct tk_arena *arena)
{
    static const struct tk_read_limits limits = {64, UINT32_MAX, {9, 10}};
    struct spelling s = {.choices = choices};
    struct tk_read_error error;
    struct tk_doc doc;

    tk_doc_init(&doc, tk_libc_allocator);
    MUST(tk_json_read(&doc, json.p, json.n, &limits, arena, &error) == 0);
    tk_out_init(&s.out, arena);
    put_value(&s, tk_root(&doc));
    tk_doc_done(&doc);
    return tk_out_join(&s.out);
}
