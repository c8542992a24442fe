/* SPDX-License-Identifier: Apache-2.0 */
#include "documents.h"

#include "value/msgpack_format.h"
#include "value/number.h"
#include "value/writer.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void reading_init(struct reading *r)
{
    *r = (struct reading){.limits = {256, 1 << 20, {11, 12}}};
    tk_doc_init(&r->doc, memory_allocator(&r->memory));
    tk_arena_init(&r->arena, memory_allocator(&r->memory));
}

bool reading_done(struct reading *r)
{
    tk_doc_done(&r->doc);
    tk_arena_done(&r->arena);
    return r->memory.blocks == 0 && !r->memory.confused;
}

int reading_json(struct reading *r, struct tk_str text)
{
    return tk_json_read(&r->doc, text.p, text.n, &r->limits, &r->arena, &r->error);
}

int reading_msgpack(struct reading *r, struct tk_str bytes)
{
    return tk_msgpack_read(&r->doc, bytes.p, bytes.n, &r->limits, &r->arena, &r->error);
}

/* ---- comparing ---- */

/* The number as a double, the way tk_write_any() makes one. */
static double real_value(struct tk_val v)
{
    struct tk_str span = tk_span(v);
    const uint8_t *p = (const uint8_t *)span.p;
    double d;

    if (v.doc->codec == TK_MSGPACK) {
        int64_t n;

        if (tk_is(v, TK_REAL))
            return tk_msgpack_real(p);
        return tk_int64(v, &n) ? (double)n : (double)tk_load_be(p + 1, 8);
    } else {
        char *text = malloc(span.n + 1);

        memcpy(text, span.p, span.n);
        text[span.n] = 0;
        d = strtod(text, NULL);
        free(text);
    }
    return isinf(d) ? copysign(DBL_MAX, d) : d;
}

/* All integers that either codec holds in 64 bits: sign and magnitude. */
static bool integer_value(struct tk_val v, bool *ret_negative, uint64_t *ret_magnitude)
{
    int64_t n;

    if (!tk_is(v, TK_INT))
        return false;
    if (tk_int64(v, &n)) {
        *ret_negative = n < 0;
        *ret_magnitude = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
        return true;
    }
    *ret_negative = false;
    if (v.doc->codec == TK_JSON)
        return tk_uint64_of(tk_span(v), ret_magnitude);
    *ret_magnitude = tk_load_be((const uint8_t *)tk_span(v).p + 1, 8);
    return true;
}

static bool same_number(struct tk_val a, struct tk_val b)
{
    bool negative_a, negative_b, integer_a, integer_b;
    uint64_t magnitude_a, magnitude_b;
    double x, y;

    if (a.doc->codec == TK_JSON && b.doc->codec == TK_JSON)
        return tk_str_eq(tk_span(a), tk_span(b));
    integer_a = integer_value(a, &negative_a, &magnitude_a);
    integer_b = integer_value(b, &negative_b, &magnitude_b);
    if (integer_a && integer_b)
        return negative_a == negative_b && magnitude_a == magnitude_b;
    if (integer_a || integer_b)
        return false;
    x = real_value(a);
    y = real_value(b);
    return memcmp(&x, &y, sizeof(x)) == 0;
}

static bool is_number(struct tk_val v)
{
    return tk_is(v, TK_INT) || tk_is(v, TK_REAL);
}

bool same_value(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    struct tk_val x, y;

    if (is_number(a) && is_number(b))
        return same_number(a, b);
    if (tk_node(a)->kind != tk_node(b)->kind)
        return false;
    if (tk_is(a, TK_STRING))
        return tk_str_eq(tk_text(a, arena), tk_text(b, arena));
    if (tk_is(a, TK_BIN) || tk_is(a, TK_EXT))
        return tk_str_eq(tk_span(a), tk_span(b));
    for (x = tk_first(a), y = tk_first(b); tk_exists(x) && tk_exists(y);
         x = tk_after(a, x), y = tk_after(b, y)) {
        if (tk_is(a, TK_OBJECT) && !tk_str_eq(tk_key(x, arena), tk_key(y, arena)))
            return false;
        if (!same_value(x, y, arena))
            return false;
    }
    return !tk_exists(x) && !tk_exists(y);
}

/* ---- what always holds ---- */

static const char *broken_children(struct tk_val parent)
{
    const struct tk_node *p = tk_node(parent);
    uint32_t at = p->off + 1, next = parent.node + 1;

    for (struct tk_val e = tk_first(parent); tk_exists(e); e = tk_after(parent, e)) {
        const struct tk_node *node = tk_node(e);

        if (e.node != next)
            return "a child doesn't follow the one in front";
        if (node->next <= e.node || node->next > p->next)
            return "next leads astray";
        if ((node->key != 0) != tk_is(parent, TK_OBJECT))
            return "a key where none should be, or none where one should";
        if (node->key != 0 && (node->key < at || node->key + tk_raw_key(e).n > node->off))
            return "a key isn't in front of its value";
        if (node->off < at || node->off + node->len > p->off + p->len || node->len == 0)
            return "spans overlap";
        at = node->off + node->len;
        next = node->next;
    }
    return next == p->next ? NULL : "children and next disagree";
}

/* A value's span read alone gives its part of the tape, moved to the beginning. */
static const char *broken_subtape(struct tk_val v, struct reading *alone)
{
    struct tk_str span = tk_span(v);
    int r = v.doc->codec == TK_JSON ? reading_json(alone, span) : reading_msgpack(alone, span);

    if (r != 0)
        return "a span can't be read alone";
    if (alone->doc.count != tk_node(v)->next - v.node)
        return "a span read alone has another number of values";
    for (uint32_t i = 0; i < alone->doc.count; i++) {
        const struct tk_node *is = &alone->doc.nodes[i], *was = &v.doc->nodes[v.node + i];
        uint8_t key_flags = TK_NODE_KEY_ESCAPED | TK_NODE_SURROGATE; /* the root's key isn't read */
        bool key = i == 0 || is->key + tk_node(v)->off == was->key || was->key == 0;

        if (is->off + tk_node(v)->off != was->off || is->len != was->len ||
            is->next + v.node != was->next || is->kind != was->kind || !key ||
            (is->flags | key_flags) != (was->flags | key_flags))
            return "a span read alone has another tape";
    }
    return NULL;
}

const char *broken_tape(const struct tk_doc *doc)
{
    struct reading alone;
    const char *broken = NULL;
    uint32_t step = doc->count / 64 + 1; /* reading each span of a deep document is quadratic */

    if (doc->count == 0 || doc->nodes[0].next != doc->count || doc->nodes[0].key != 0)
        return "the root isn't the whole";
    reading_init(&alone);
    alone.limits.max_values = UINT32_MAX;
    for (uint32_t i = 0; i < doc->count && !broken; i++) {
        struct tk_val v = {doc, i};

        if (tk_is(v, TK_ARRAY) || tk_is(v, TK_OBJECT))
            broken = broken_children(v);
        else if (tk_node(v)->next != i + 1)
            broken = "a scalar has children";
        if (!broken && i % step == 0)
            broken = broken_subtape(v, &alone);
    }
    if (!reading_done(&alone) && !broken)
        broken = "memory was left behind";
    return broken;
}

static struct tk_str written(const struct tk_doc *doc, enum tk_codec codec, struct tk_arena *arena)
{
    struct tk_out out;
    struct tk_writer w;

    tk_out_init(&out, arena);
    tk_writer_init(&w, codec, &out);
    tk_write_any(&w, tk_root(doc));
    return tk_out_join(&out);
}

const char *broken_round_trip(const struct tk_doc *doc)
{
    enum tk_codec codec = doc->codec == TK_JSON ? TK_MSGPACK : TK_JSON;
    struct reading there, back;
    struct tk_str bytes;
    const char *broken = NULL;
    int r;

    /* msgpack can't hold lone surrogates as UTF-8. */
    if (doc->foreign != TK_NO_NODE || doc->has_surrogate)
        return NULL;
    reading_init(&there);
    reading_init(&back);
    there.limits.max_values = back.limits.max_values = UINT32_MAX;
    bytes = written(doc, codec, &there.arena);
    r = codec == TK_JSON ? reading_json(&there, bytes) : reading_msgpack(&there, bytes);
    if (r != 0)
        broken = "what was written can't be read";
    else if (!same_value(tk_root(doc), tk_root(&there.doc), &there.arena))
        broken = "what was written is another value";
    if (!broken) {
        bytes = written(&there.doc, doc->codec, &back.arena);
        r = codec == TK_JSON ? reading_msgpack(&back, bytes) : reading_json(&back, bytes);
        if (r != 0)
            broken = "what was written back can't be read";
        else if (!same_value(tk_root(&back.doc), tk_root(&there.doc), &back.arena))
            broken = "what was written back is another value";
    }
    if (!reading_done(&back) && !broken)
        broken = "memory was left behind";
    if (!reading_done(&there) && !broken)
        broken = "memory was left behind";
    return broken;
}

/* ---- generating ---- */

uint32_t random_below(uint64_t *seed, uint32_t n)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)(*seed >> 32) % n;
}

static void put(struct tk_out *out, const char *z)
{
    tk_out_put(out, z, strlen(z));
}

static const char *pick(uint64_t *seed, const char *const *list, uint32_t n)
{
    return list[random_below(seed, n)];
}

#define PICK(seed, list) pick(seed, list, sizeof(list) / sizeof((list)[0]))

static void put_space(struct tk_out *out, uint64_t *seed)
{
    static const char *const spaces[] = {"", "", "", "", "", " ", "\n", "\t", "\r\n", "    "};

    put(out, PICK(seed, spaces));
}

/* Pieces of text, in JSON. */
static const char *const json_pieces[] = {
    "a",
    "b",
    "hello world",
    "é",
    "日本語",
    "😀",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\t",
    "\\u0041",
    "\\r",
    "\\u00e9",
    "\\u65e5",
    "\\b",
    "\\f",
    "\\ud83d\\ude00",
    "\\u001",
    "{[,:",
    "0123456789",
    " ",
    "'",
    "\\uFFFD.",
    "\x7f",
    "€",
    "if (x != \\\"y\\\") {\\n\\t\\treturn z;\\n}\\n",
    "a longer piece of text, so that strings reach beyond the first block of a vector scan",
    "Résumé — naïve “quotes” 日本語テキスト 😀 and so on",
};

static void put_json_text(struct tk_out *out, uint64_t *seed)
{
    for (uint32_t n = random_below(seed, 6); n > 0; n--) {
        const char *piece = PICK(seed, json_pieces);

        put(out, piece);
        if (strcmp(piece, "\\u001") == 0) /* one of sixteen control characters */
            tk_out_put(out, &"0123456789abcdef"[1 + random_below(seed, 15)], 1);
    }
}

static void put_json_scalar(struct tk_out *out, uint64_t *seed)
{
    static const char *const scalars[] = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1",
        "-1",
        "255",
        "-129",
        "65536",
        "1.0",
        "1e5",
        "0.1",
        "-2.5E-3",
        "2147483648",
        "1e22",
        "1234567.125",
        "5e-324",
        "1.7976931348623157e308",
        "9007199254740993",
        "-9223372036854775808",
        "9223372036854775807",
        "4294967296",
        "0.30000000000000004",
        "123456789.123456789e-20",
        "-0.0",
        "0e0",
        "-32769",
    };

    if (random_below(seed, 2) == 0) {
        put(out, PICK(seed, scalars));
    } else {
        put(out, "\"");
        put_json_text(out, seed);
        put(out, "\"");
    }
}

static void put_json_value(struct tk_out *out, uint64_t *seed, uint32_t depth)
{
    uint32_t kind = random_below(seed, 4);
    uint32_t children = random_below(seed, random_below(seed, 8) == 0 ? 40 : 6);
    bool object = kind == 0;

    if (kind > 1 || depth == 0) {
        put_json_scalar(out, seed);
        return;
    }
    put(out, object ? "{" : "[");
    put_space(out, seed);
    for (uint32_t i = 0; i < children; i++) {
        if (i > 0)
            put(out, ",");
        put_space(out, seed);
        if (object) {
            char number[16];

            snprintf(number, sizeof(number), "\"%u", i); /* no two keys are the same */
            put(out, number);
            put_json_text(out, seed);
            put(out, "\"");
            put_space(out, seed);
            put(out, ":");
            put_space(out, seed);
        }
        put_json_value(out, seed, depth - 1);
        put_space(out, seed);
    }
    put(out, object ? "}" : "]");
}

struct tk_str generate_json(uint64_t *seed, struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    put_space(&out, seed);
    put_json_value(&out, seed, 1 + random_below(seed, 6));
    put_space(&out, seed);
    return tk_out_join(&out);
}

static void put_be(struct tk_out *out, uint64_t value, size_t width)
{
    for (size_t i = width; i-- > 0;) {
        uint8_t byte = (uint8_t)(value >> (8 * i));

        tk_out_put(out, &byte, 1);
    }
}

static void put_byte(struct tk_out *out, unsigned byte)
{
    put_be(out, byte, 1);
}

/* A header of any width that the size allows. formats: of 1, 2 and 4 bytes; 0 for none. */
static void put_sized(struct tk_out *out, uint64_t *seed, unsigned fix, uint32_t fix_max,
                      const unsigned formats[3], uint32_t n)
{
    uint32_t choice = random_below(seed, 4);

    if (choice == 0 && n <= fix_max)
        put_byte(out, fix | n);
    else if (choice <= 1 && formats[0] != 0 && n <= 0xff)
        put_byte(out, formats[0]), put_be(out, n, 1);
    else if (choice <= 2 && n <= 0xffff)
        put_byte(out, formats[1]), put_be(out, n, 2);
    else
        put_byte(out, formats[2]), put_be(out, n, 4);
}

static void put_msgpack_text(struct tk_out *out, uint64_t *seed, const char *prefix)
{
    static const char *const pieces[] = {
        "a", "hello", "é",  "日本語テキスト",
        "😀", "\n",    "\"", "\\u0041",
        "/", " ",     "~",  "text of more than thirty-one bytes, for the longer form"};
    static const unsigned formats[3] = {0xd9, 0xda, 0xdb};
    char text[2048];
    size_t n = (size_t)snprintf(text, sizeof(text), "%s", prefix);

    for (uint32_t i = random_below(seed, 8); i > 0; i--)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s", PICK(seed, pieces));
    put_sized(out, seed, 0xa0, 31, formats, (uint32_t)n);
    tk_out_put(out, text, n);
}

static void put_msgpack_scalar(struct tk_out *out, uint64_t *seed)
{
    static const double reals[] = {0.0, -0.0, 0.1, 1.5, -1e300, 5e-324, 1e22, 3.0};
    unsigned byte = random_below(seed, 256);
    double d = reals[random_below(seed, 8)];
    float f = (float)reals[random_below(seed, 4)];
    uint64_t bits;
    uint32_t bits32;

    memcpy(&bits, &d, sizeof(bits));
    memcpy(&bits32, &f, sizeof(bits32));
    if (byte < 0x80 || byte >= 0xe0)
        put_byte(out, byte);
    else if (byte >= 0xc0 && byte <= 0xc3)
        put_byte(out, byte == 0xc1 ? 0xc0 : byte);
    else if (byte >= 0xcc && byte <= 0xd3)
        put_byte(out, byte), put_be(out, *seed, (size_t)1 << (byte & 3));
    else if (byte < 0x90)
        put_byte(out, 0xca), put_be(out, bits32, 4);
    else if (byte < 0xa0)
        put_byte(out, 0xcb), put_be(out, bits, 8);
    else
        put_msgpack_text(out, seed, "");
}

static void put_msgpack_value(struct tk_out *out, uint64_t *seed, uint32_t depth)
{
    static const unsigned arrays[3] = {0, 0xdc, 0xdd}, maps[3] = {0, 0xde, 0xdf};
    uint32_t kind = random_below(seed, 4);
    uint32_t children = random_below(seed, random_below(seed, 8) == 0 ? 40 : 6);

    if (kind > 1 || depth == 0) {
        put_msgpack_scalar(out, seed);
        return;
    }
    put_sized(out, seed, kind == 0 ? 0x80 : 0x90, 15, kind == 0 ? maps : arrays, children);
    for (uint32_t i = 0; i < children; i++) {
        char number[16];

        snprintf(number, sizeof(number), "%u:", i);
        if (kind == 0)
            put_msgpack_text(out, seed, number);
        put_msgpack_value(out, seed, depth - 1);
    }
}

struct tk_str generate_msgpack(uint64_t *seed, struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    put_msgpack_value(&out, seed, 1 + random_below(seed, 6));
    return tk_out_join(&out);
}
