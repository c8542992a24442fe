/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON is written here, msgpack scalars by the packer of msgpack-c. A msgpack container gets a
 * five-byte header, whose count is filled when it ends, so callers needn't count beforehand.
 */
#include "value/writer.h"

#include "value/check.h"
#include "value/compact.h"
#include "value/escape.h"
#include "value/json_text.h"
#include "value/msgpack_format.h"
#include "value/number.h"
#include "value/unicode.h"

#include <assert.h>
#include <inttypes.h>
#include <msgpack/pack.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int pack_to_out(void *out, const char *bytes, size_t n)
{
    tk_out_put(out, bytes, n);
    return 0;
}

static msgpack_packer packer(struct tk_writer *w)
{
    return (msgpack_packer){.data = w->out, .callback = pack_to_out};
}

void tk_writer_init(struct tk_writer *w, enum tk_codec codec, struct tk_out *out)
{
    *w = (struct tk_writer){.out = out, .codec = codec};
}

/* Counts the value or key that comes next, and puts the comma before it. */
static void separate(struct tk_writer *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (w->depth == 0)
        return;
    if (w->separator.p) {
        tk_out_ref(w->out, w->separator);
        w->separator.p = NULL;
    } else if (w->open[w->depth - 1].count > 0 && w->codec == TK_JSON) {
        tk_out_put(w->out, ",", 1);
    }
    w->open[w->depth - 1].count++;
}

/* ---- containers ---- */

static void open_container(struct tk_writer *w, bool map)
{
    uint8_t *header = NULL;

    assert(w->depth < TK_WRITER_DEPTH);
    separate(w);
    if (w->codec == TK_JSON) {
        tk_out_put(w->out, map ? "{" : "[", 1);
    } else {
        header = tk_out_reserve(w->out, 5);
        if (header)
            header[0] = map ? 0xdf : 0xdd;
    }
    w->open[w->depth].header = header;
    w->open[w->depth].count = 0;
    w->open[w->depth].map = map;
    w->depth++;
}

void tk_write_map(struct tk_writer *w)
{
    open_container(w, true);
}

void tk_write_list(struct tk_writer *w)
{
    open_container(w, false);
}

void tk_write_end(struct tk_writer *w)
{
    uint8_t *header;
    uint32_t count;

    assert(w->depth > 0 && !w->after_key);
    w->depth--;
    header = w->open[w->depth].header;
    count = w->open[w->depth].count;
    if (w->codec == TK_JSON) {
        tk_out_put(w->out, w->open[w->depth].map ? "}" : "]", 1);
    } else if (header) {
        for (int i = 0; i < 4; i++)
            header[1 + i] = (uint8_t)(count >> (24 - 8 * i));
    }
}

/* ---- strings ---- */

static void put_packed_str(struct tk_writer *w, struct tk_str s)
{
    msgpack_packer pk = packer(w);

    msgpack_pack_str(&pk, s.n);
    tk_out_put(w->out, s.p, s.n);
}

void tk_write_key(struct tk_writer *w, const char *key)
{
    struct tk_str s = tk_str_of(key);

    separate(w);
    if (w->codec == TK_JSON) {
        tk_out_put(w->out, "\"", 1);
        tk_out_put(w->out, s.p, s.n);
        tk_out_put(w->out, "\":", 2);
    } else {
        put_packed_str(w, s);
    }
    w->after_key = true;
}

void tk_write_key_str(struct tk_writer *w, struct tk_str key)
{
    tk_write_str(w, key);
    if (w->codec == TK_JSON)
        tk_out_put(w->out, ":", 1);
    w->after_key = true;
}

void tk_write_str(struct tk_writer *w, struct tk_str s)
{
    tk_check(tk_is_text(s)); /* a character was cut, or changed in its middle */
    separate(w);
    if (w->codec == TK_JSON)
        tk_json_put_string(w->out, s);
    else
        put_packed_str(w, s);
}

void tk_write_cstr(struct tk_writer *w, const char *z)
{
    tk_write_str(w, tk_str_of(z));
}

void tk_write_strf(struct tk_writer *w, const char *format, ...)
{
    va_list args;
    struct tk_str s;

    va_start(args, format);
    s = tk_arena_vprintf(w->out->arena, format, args);
    va_end(args);
    tk_write_str(w, s);
}

/* ---- other scalars ---- */

void tk_write_null(struct tk_writer *w)
{
    separate(w);
    if (w->codec == TK_JSON) {
        tk_out_put(w->out, "null", 4);
    } else {
        msgpack_packer pk = packer(w);

        msgpack_pack_nil(&pk);
    }
}

void tk_write_bool(struct tk_writer *w, bool b)
{
    separate(w);
    if (w->codec == TK_JSON) {
        tk_out_put(w->out, b ? "true" : "false", b ? 4 : 5);
    } else {
        msgpack_packer pk = packer(w);

        (b ? msgpack_pack_true : msgpack_pack_false)(&pk);
    }
}

void tk_write_int(struct tk_writer *w, int64_t n)
{
    separate(w);
    if (w->codec == TK_JSON) {
        char text[24];

        tk_out_put(w->out, text, (size_t)snprintf(text, sizeof(text), "%" PRId64, n));
    } else {
        msgpack_packer pk = packer(w);

        msgpack_pack_int64(&pk, n);
    }
}

void tk_write_uint(struct tk_writer *w, uint64_t n)
{
    separate(w);
    if (w->codec == TK_JSON) {
        char text[24];

        tk_out_put(w->out, text, (size_t)snprintf(text, sizeof(text), "%" PRIu64, n));
    } else {
        msgpack_packer pk = packer(w);

        msgpack_pack_uint64(&pk, n);
    }
}

void tk_write_real(struct tk_writer *w, double d)
{
    separate(w);
    if (w->codec == TK_JSON) {
        char text[TK_REAL_TEXT_MAX];

        tk_out_put(w->out, text, tk_real_text(d, text));
    } else {
        msgpack_packer pk = packer(w);

        msgpack_pack_double(&pk, d);
    }
}

/* ---- values of documents ---- */

void tk_write_run(struct tk_writer *w, struct tk_str encoded, uint32_t count)
{
    separate(w);
    w->open[w->depth - 1].count += count - 1;
    tk_out_ref(w->out, encoded);
}

void tk_write_separator(struct tk_writer *w, struct tk_str separator)
{
    w->separator = separator;
}
void tk_write_raw(struct tk_writer *w, struct tk_str encoded)
{
    separate(w);
    tk_out_ref(w->out, encoded);
}

void tk_write_val(struct tk_writer *w, struct tk_val v)
{
    assert(v.doc->codec == w->codec);
    tk_write_raw(w, tk_span(v));
}

/* Packs a JSON number: as an integer if it is one and fits, else as the nearest double. */
static void pack_number(struct tk_writer *w, struct tk_val v)
{
    msgpack_packer pk = packer(w);
    struct tk_str lexeme = tk_span(v);
    int64_t n;
    uint64_t u;
    double d;

    if (tk_int64(v, &n))
        msgpack_pack_int64(&pk, n);
    else if (tk_is(v, TK_INT) && tk_uint64_of(lexeme, &u))
        msgpack_pack_uint64(&pk, u);
    else if (tk_real_of(lexeme, w->out->arena, &d))
        msgpack_pack_double(&pk, d);
}

/* Packs a str of the document or the arena; a long one is referred to. */
static void pack_text(struct tk_writer *w, struct tk_str text)
{
    msgpack_packer pk = packer(w);

    msgpack_pack_str(&pk, text.n);
    tk_out_ref(w->out, text);
}

#define STR_HEADER ((size_t)3) /* the most bytes that str_header() writes */

/* Writes the header of a str of n < 2^16 bytes. Returns its size. */
static size_t str_header(uint8_t *to, size_t n)
{
    if (n < 32) {
        to[0] = (uint8_t)(0xa0 | n);
        return 1;
    }
    if (n < 256) {
        to[0] = 0xd9;
        to[1] = (uint8_t)n;
        return 2;
    }
    to[0] = 0xda;
    to[1] = (uint8_t)(n >> 8);
    to[2] = (uint8_t)n;
    return 3;
}

/*
 * Writes a short JSON string as a str at `to`, which has room for its raw bytes and a header, so that
 * it is unescaped without other memory. Returns the end.
 */
static char *put_short_str(char *to, struct tk_val v)
{
    struct tk_str raw = tk_raw(v);
    size_t header = str_header((uint8_t *)to, raw.n), n = raw.n, shorter;

    if (!(tk_node(v)->flags & TK_NODE_ESCAPED)) {
        memcpy(to + header, raw.p, n);
        return to + header + n;
    }
    n = tk_unescape(raw, to + header);
    shorter = str_header((uint8_t *)to, n);
    if (shorter < header)
        memmove(to + shorter, to + header, n);
    return to + shorter + n;
}

static void pack_string(struct tk_writer *w, struct tk_val v)
{
    size_t room = tk_raw(v).n + STR_HEADER;
    char *to;

    if (room > TK_OUT_COPY_MAX) {
        pack_text(w, tk_text(v, w->out->arena));
        return;
    }
    to = tk_out_reserve(w->out, room);
    if (to)
        tk_out_give_back(w->out, room - (size_t)(put_short_str(to, v) - to));
}

static void pack_scalar(struct tk_writer *w, struct tk_val v)
{
    msgpack_packer pk = packer(w);

    switch ((enum tk_kind)tk_node(v)->kind) {
    case TK_NULL:
        msgpack_pack_nil(&pk);
        break;
    case TK_FALSE:
        msgpack_pack_false(&pk);
        break;
    case TK_TRUE:
        msgpack_pack_true(&pk);
        break;
    case TK_STRING:
        pack_string(w, v);
        break;
    default:
        pack_number(w, v);
        break;
    }
}

/* Converts JSON to msgpack: the tape has msgpack's order, so one pass over its nodes is enough. */
static void pack_json(struct tk_writer *w, struct tk_val v)
{
    msgpack_packer pk = packer(w);
    uint32_t end = tk_node(v)->next;

    for (struct tk_val at = v; at.node < end; at.node++) {
        if (at.node != v.node && tk_node(at)->key != 0)
            pack_text(w, tk_key(at, w->out->arena));
        if (tk_is(at, TK_ARRAY))
            msgpack_pack_array(&pk, tk_count(at));
        else if (tk_is(at, TK_OBJECT))
            msgpack_pack_map(&pk, tk_count(at));
        else
            pack_scalar(w, at);
    }
}

void tk_write_any(struct tk_writer *w, struct tk_val v)
{
    if (v.doc->codec == w->codec) {
        tk_write_val(w, v);
        return;
    }
    separate(w);
    if (w->codec == TK_JSON)
        tk_compact_json(w->out, v, NULL);
    else
        pack_json(w, v);
}

static char *put_at(char *to, const void *bytes, size_t n)
{
    memcpy(to, bytes, n);
    return to + n;
}

/* Writes a short string in one piece with the bytes around it. False if v isn't one. */
static bool frame_short(struct tk_writer *w, struct tk_str head, struct tk_val v,
                        struct tk_str tail)
{
    bool same = v.doc->codec == w->codec;
    struct tk_str s = same ? tk_span(v) : tk_raw(v);
    size_t room = head.n + s.n + STR_HEADER + tail.n;
    char *start, *to;

    if (!tk_is(v, TK_STRING) || s.n > TK_OUT_COPY_MAX || (!same && w->codec == TK_JSON))
        return false;
    start = tk_out_reserve(w->out, room);
    if (!start)
        return true;
    to = put_at(start, head.p, head.n);
    to = same ? put_at(to, s.p, s.n) : put_short_str(to, v);
    to = put_at(to, tail.p, tail.n);
    tk_out_give_back(w->out, room - (size_t)(to - start));
    return true;
}

void tk_write_framed(struct tk_writer *w, struct tk_str head, struct tk_val v, struct tk_str tail)
{
    separate(w);
    if (frame_short(w, head, v, tail))
        return;
    tk_out_put(w->out, head.p, head.n);
    w->after_key = true;
    tk_write_any(w, v);
    tk_out_put(w->out, tail.p, tail.n);
}

/* ---- key and value ---- */

void tk_write_kv_str(struct tk_writer *w, const char *key, struct tk_str s)
{
    tk_write_key(w, key);
    tk_write_str(w, s);
}

void tk_write_kv_cstr(struct tk_writer *w, const char *key, const char *z)
{
    tk_write_key(w, key);
    tk_write_cstr(w, z);
}

void tk_write_kv_int(struct tk_writer *w, const char *key, int64_t n)
{
    tk_write_key(w, key);
    tk_write_int(w, n);
}

void tk_write_kv_bool(struct tk_writer *w, const char *key, bool b)
{
    tk_write_key(w, key);
    tk_write_bool(w, b);
}
