/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a document in either codec, so that a handler says once what it answers.
 *
 *     tk_write_map(w);
 *     tk_write_key(w, "changed"); tk_write_bool(w, true);
 *     tk_write_key(w, "patch");   tk_write_list(w); ... tk_write_end(w);
 *     tk_write_end(w);
 *
 * Errors (no memory) stick to the arena; nothing here returns one.
 */
#ifndef TK_VALUE_WRITER_H
#define TK_VALUE_WRITER_H

#include "value/doc.h"
#include "value/out.h"

/* Deepest nesting of what we write ourselves; spans of documents don't count. */
#define TK_WRITER_DEPTH 32

struct tk_writer {
    struct tk_out *out;
    enum tk_codec codec;
    int depth;
    struct {
        uint8_t *header; /* msgpack: five bytes whose count is filled at the end */
        uint32_t count;  /* elements, or members */
        bool map;
    } open[TK_WRITER_DEPTH];
    bool after_key;
    struct tk_str separator; /* of the next element; p NULL: as usual */
};

void tk_writer_init(struct tk_writer *w, enum tk_codec codec, struct tk_out *out);

void tk_write_map(struct tk_writer *w);
void tk_write_list(struct tk_writer *w);
void tk_write_end(struct tk_writer *w);
/* Keys of ours are plain: no quote, backslash or control character. */
void tk_write_key(struct tk_writer *w, const char *key);
void tk_write_key_str(struct tk_writer *w, struct tk_str key); /* any text */

void tk_write_null(struct tk_writer *w);
void tk_write_bool(struct tk_writer *w, bool b);
void tk_write_int(struct tk_writer *w, int64_t n);
void tk_write_uint(struct tk_writer *w, uint64_t n);
void tk_write_real(struct tk_writer *w, double d); /* finite */
/* UTF-8 text, escaped as needed. JSON: a three-byte lone surrogate is written as its escape. */
void tk_write_str(struct tk_writer *w, struct tk_str s);
void tk_write_cstr(struct tk_writer *w, const char *z);
/* printf-like text. */
void tk_write_strf(struct tk_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A value's own bytes, referred to, not copied. The document must be in the writer's codec. */
void tk_write_val(struct tk_writer *w, struct tk_val v);
/* The same for encoded bytes (one whole value in the writer's codec). */
void tk_write_raw(struct tk_writer *w, struct tk_str encoded);

/* A value of any document: its own bytes where the codec is the writer's, else rewritten in it.
 * A JSON number that msgpack can't hold exactly becomes the nearest finite double. A string
 * with lone surrogates is then no UTF-8 (ED A0..BF xx), which our own reader refuses. */
void tk_write_any(struct tk_writer *w, struct tk_val v);

/*
 * A value whose first and last bytes are encoded already, and between them one value of any
 * document: what is written again and again with one member changed. All of it is copied where it
 * is short.
 */
void tk_write_framed(struct tk_writer *w, struct tk_str head, struct tk_val v, struct tk_str tail);

/* The bytes of `count` neighbouring elements of a list, with what stands between them; the list
 * that is open here goes on behind them. */
void tk_write_run(struct tk_writer *w, struct tk_str encoded, uint32_t count);

/* JSON: the bytes before the next element of the list that is open here, instead of a comma: one
 * with white space around it, before the first element only white space. They live as long as the
 * output where they are longer than TK_OUT_COPY_MAX. p NULL: as usual. */
void tk_write_separator(struct tk_writer *w, struct tk_str separator);

/* ---- one value, encoded in the arena ---- */

/*
 * Encodes one value into bytes of its own:
 *
 *     struct tk_encoding e;
 *
 *     tk_encode_begin(&e, TK_JSON, arena);
 *     tk_write_cstr(&e.w, "x");
 *     bytes = tk_encode_end(&e);
 *
 * The end returns all that was written in one piece in the arena; `.p == NULL` without memory.
 */
struct tk_encoding {
    struct tk_out out;
    struct tk_writer w;
};

static inline void tk_encode_begin(struct tk_encoding *e, enum tk_codec codec,
                                   struct tk_arena *arena)
{
    tk_out_init(&e->out, arena);
    tk_writer_init(&e->w, codec, &e->out);
}

static inline struct tk_str tk_encode_end(struct tk_encoding *e)
{
    return tk_out_join(&e->out);
}

/* ---- shorthands: key and value ---- */

void tk_write_kv_str(struct tk_writer *w, const char *key, struct tk_str s);
void tk_write_kv_cstr(struct tk_writer *w, const char *key, const char *z);
void tk_write_kv_int(struct tk_writer *w, const char *key, int64_t n);
void tk_write_kv_bool(struct tk_writer *w, const char *key, bool b);

#endif
