/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a document in either codec, so that the code of an answer is written once.
 *
 *     tk_write_map(w);
 *     tk_write_key(w, "changed"); tk_write_bool(w, true);
 *     tk_write_key(w, "patch");   tk_write_list(w); ... tk_write_end(w);
 *     tk_write_end(w);
 *
 * Functions return no error: without memory the arena is marked as failed, and callers ask
 * tk_arena_failed() once at the end. Long bytes that are given to tk_write_val() and the like are
 * referred to and must outlive the output (out.h).
 */
#ifndef TK_VALUE_WRITER_H
#define TK_VALUE_WRITER_H

#include "value/doc.h"
#include "value/out.h"

/* How deep maps and lists that are written may be nested; values of documents don't count. */
#define TK_WRITER_DEPTH 32

struct tk_writer {
    struct tk_out *out;
    enum tk_codec codec;
    int depth; /* maps and lists that are open */
    struct {
        uint8_t *header; /* msgpack: five bytes, whose count is filled when the container ends */
        uint32_t count;  /* elements, or members */
        bool map;
    } open[TK_WRITER_DEPTH]; /* outermost first */
    bool after_key;          /* a value has to come next, without a comma */
    struct tk_str separator; /* bytes before the next element; `.p == NULL`: a comma if needed */
};

/* Begins a document, which consists of the one value that is written next. */
void tk_writer_init(struct tk_writer *w, enum tk_codec codec, struct tk_out *out);

/* Open a map or a list. It stays open until tk_write_end(). */
void tk_write_map(struct tk_writer *w);
void tk_write_list(struct tk_writer *w);
/* Ends the innermost map or list. */
void tk_write_end(struct tk_writer *w);

/* Writes a key that has no quote, backslash or control character. The value comes next. */
void tk_write_key(struct tk_writer *w, const char *key);
/* Writes a key of any UTF-8 text. The value comes next. */
void tk_write_key_str(struct tk_writer *w, struct tk_str key);

void tk_write_null(struct tk_writer *w);
void tk_write_bool(struct tk_writer *w, bool b);
void tk_write_int(struct tk_writer *w, int64_t n);
void tk_write_uint(struct tk_writer *w, uint64_t n);
void tk_write_real(struct tk_writer *w, double d); /* d is finite */

/*
 * Write a copy of a UTF-8 text, escaped as needed. A lone surrogate in its three-byte form is
 * written to JSON as its escape.
 */
void tk_write_str(struct tk_writer *w, struct tk_str s);
void tk_write_cstr(struct tk_writer *w, const char *z);
/* Writes a text that is formatted as printf() does. */
void tk_write_strf(struct tk_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a value as its own bytes. Its document must be in the writer's codec. */
void tk_write_val(struct tk_writer *w, struct tk_val v);
/* Writes one whole value that is encoded in the writer's codec. */
void tk_write_raw(struct tk_writer *w, struct tk_str encoded);

/*
 * Writes a value of any document: as its own bytes if the document is in the writer's codec, else
 * converted. A JSON number that msgpack can't represent becomes the nearest finite double. A JSON
 * string with lone surrogates becomes bytes that aren't UTF-8 (ED A0..BF xx), which our own msgpack
 * reader refuses.
 */
void tk_write_any(struct tk_writer *w, struct tk_val v);

/*
 * Writes one value made of encoded first bytes, one value of any document, and encoded last bytes:
 * for values that are written often with only one member changed. A short one is copied as a whole.
 */
void tk_write_framed(struct tk_writer *w, struct tk_str head, struct tk_val v, struct tk_str tail);

/*
 * Writes `count` adjacent elements of another list, or members of an object, as their own bytes with
 * the bytes between them, into the container that is open here.
 */
void tk_write_run(struct tk_writer *w, struct tk_str encoded, uint32_t count);

/*
 * JSON: sets the bytes that are written before the next element instead of a comma: a comma with
 * white space around it, or white space before the first element. They must outlive the output if
 * they are longer than TK_OUT_COPY_MAX. `.p == NULL`: a comma if needed.
 */
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
 * tk_encode_end() returns the value in one piece, in the arena; `.p == NULL` without memory.
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

/* ---- key and value in one call; keys are those of tk_write_key() ---- */

void tk_write_kv_str(struct tk_writer *w, const char *key, struct tk_str s);
void tk_write_kv_cstr(struct tk_writer *w, const char *key, const char *z);
void tk_write_kv_int(struct tk_writer *w, const char *key, int64_t n);
void tk_write_kv_bool(struct tk_writer *w, const char *key, bool b);

#endif
