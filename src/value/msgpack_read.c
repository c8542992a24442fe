/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads msgpack by the table of first bytes. While a container is open, its node's `len` counts the
 * children that are still to come.
 *
 *     read_document: tk_msgpack_read_value, then, while a container is open, the plain children that
 *                    are next (msgpack_plain.h), and one read_child of the innermost
 */
#include "value/msgpack_plain.h"

#include "value/msgpack_format.h"
#include "value/scan.h"
#include "value/unicode.h"

static const struct tk_pending_key no_key = {0, 0, 0};

static const uint8_t *syntax(struct tk_reader *r, const uint8_t *at, const char *what)
{
    return tk_reader_refuse(r, TK_READ_PARSE_ERROR, at, what);
}

static inline size_t bytes_left(const struct tk_reader *r, const uint8_t *p)
{
    return (size_t)(r->end - p);
}

/* A header that was read: its format, its number, and the byte after it. */
struct header {
    const struct tk_msgpack_format *format;
    uint64_t n;
    const uint8_t *rest; /* NULL: refused */
};

/* Reads a header near the end of the document, where it may be incomplete. */
static struct header read_last_header(struct tk_reader *r, const uint8_t *p)
{
    struct header h = {.rest = NULL};

    if (p == r->end) {
        syntax(r, p, "unexpected end of the document");
        return h;
    }
    h.format = &tk_msgpack_formats[*p];
    if (bytes_left(r, p) - 1 < h.format->width) {
        syntax(r, r->end, "unexpected end of the document");
        return h;
    }
    h.n = h.format->width == 0 ? *p & h.format->inside : tk_load_be(p + 1, h.format->width);
    h.rest = p + 1 + h.format->width;
    return h;
}

static inline struct header read_header(struct tk_reader *r, const uint8_t *p)
{
    struct header h;

    if (bytes_left(r, p) < 5)
        return read_last_header(r, p);
    /* The width of a header is hard to predict, so this has no branch for it. */
    h.format = &tk_msgpack_formats[*p];
    h.n = tk_load_be(p + 1, 4) >> (32 - 8 * h.format->width);
    h.n |= *p & h.format->inside;
    h.rest = p + 1 + h.format->width;
    return h;
}

/* Keys are nearly always fixstr, and most values: testing for it is cheaper than the table, for
 * which the next header would have to wait. */
static inline bool is_fixstr(const struct tk_reader *r, const uint8_t *p)
{
    return p < r->end && (*p & 0xe0) == 0xa0;
}

static inline struct header fixstr_header(const uint8_t *p)
{
    return (struct header){&tk_msgpack_formats[0xa0], *p & 0x1f, p + 1};
}

/* Checks n bytes at p, which must be UTF-8. Returns the byte after them, or NULL. */
static inline const uint8_t *read_text(struct tk_reader *r, const uint8_t *p, size_t n)
{
    size_t valid;

    if (tk_short_ascii(p, n, bytes_left(r, p)))
        return p + n;
    valid = tk_utf8_valid(p, n);
    return valid == n ? p + n : syntax(r, p + valid, "str isn't UTF-8");
}

static bool is_finite(const uint8_t *p)
{
    uint64_t exponent = *p == 0xca ? 0x7f800000 : 0x7ff0000000000000;

    return (tk_load_be(p + 1, *p == 0xca ? 4 : 8) & exponent) != exponent;
}

static inline const uint8_t *read_str(struct tk_reader *r, const uint8_t *start,
                                      const struct header *h, struct tk_pending_key key)
{
    const uint8_t *end;

    if (h->n > bytes_left(r, h->rest))
        return syntax(r, start, "size beyond the end of the document");
    end = read_text(r, h->rest, (size_t)h->n);
    if (!end || !tk_reader_scalar(r, start, (size_t)(end - start), TK_STRING, 0, key))
        return NULL;
    return end;
}

/* Reads a scalar other than str. */
static const uint8_t *read_payload(struct tk_reader *r, const uint8_t *start,
                                   const struct header *h, struct tk_pending_key key)
{
    const uint8_t *end;
    uint64_t n = h->n + h->format->extra;
    unsigned flags = h->format->flags;

    if (n > bytes_left(r, h->rest))
        return syntax(r, start, "size beyond the end of the document");
    end = h->rest + n;
    if (h->format->kind == TK_REAL && !is_finite(start))
        flags = TK_NODE_FOREIGN;
    if (!tk_reader_scalar(r, start, (size_t)(end - start), h->format->kind, flags, key))
        return NULL;
    if (flags != 0 && r->doc->foreign == TK_NO_NODE)
        r->doc->foreign = r->doc->count - 1;
    return end;
}

/* Reads a container's header. A count that the bytes left or max_values don't allow is refused at
 * once: each value, and each key, has at least one byte. */
static const uint8_t *open_container(struct tk_reader *r, const uint8_t *start,
                                     const struct header *h, struct tk_pending_key key)
{
    struct tk_node *node;

    if (h->n * (h->format->kind == TK_OBJECT ? 2 : 1) > bytes_left(r, h->rest))
        return syntax(r, start, "count beyond the end of the document");
    if (h->n + r->doc->count + 1 > r->limits->max_values)
        return tk_reader_refuse(r, TK_READ_TOO_MANY_VALUES, start, "too many values");
    node = tk_reader_open(r, start, h->format->kind, key);
    if (!node)
        return NULL;
    node->len = (uint32_t)h->n;
    return h->rest;
}

const uint8_t *tk_msgpack_read_value(struct tk_reader *r, const uint8_t *p,
                                     struct tk_pending_key key)
{
    struct header h;

    if (is_fixstr(r, p)) {
        h = fixstr_header(p);
        return read_str(r, p, &h, key);
    }
    h = read_header(r, p);
    if (!h.rest)
        return NULL;
    if (h.format->kind == TK_STRING)
        return read_str(r, p, &h, key);
    if (h.format->shape == TK_MP_PAYLOAD)
        return read_payload(r, p, &h, key);
    if (h.format->shape == TK_MP_COUNT)
        return open_container(r, p, &h, key);
    return syntax(r, p, "byte 0xc1");
}

static inline const uint8_t *read_key(struct tk_reader *r, const uint8_t *p,
                                      struct tk_pending_key *key)
{
    struct header h = is_fixstr(r, p) ? fixstr_header(p) : read_header(r, p);

    if (!h.rest)
        return NULL;
    if (h.format->kind != TK_STRING)
        return syntax(r, p, "map key isn't a str");
    if (h.n > bytes_left(r, h.rest))
        return syntax(r, p, "size beyond the end of the document");
    key->off = tk_reader_offset(r, h.rest);
    key->len = h.n < TK_KEY_LONG ? (uint16_t)h.n : TK_KEY_LONG;
    key->flags = 0;
    tk_reader_note_key(r, h.rest, (size_t)h.n, false);
    return read_text(r, h.rest, (size_t)h.n);
}

/* Reads a child of the innermost container, or closes the container if it is complete. */
static const uint8_t *read_child(struct tk_reader *r, const uint8_t *p)
{
    struct tk_node *open = &r->doc->nodes[r->open];
    struct tk_pending_key key = no_key;

    if (open->len == 0)
        return tk_reader_close(r, p) ? p : NULL;
    open->len--;
    if (open->kind == TK_OBJECT)
        p = read_key(r, p, &key);
    return p ? tk_msgpack_read_value(r, p, key) : NULL;
}

static void read_document(struct tk_reader *r,
                          const uint8_t *(*plain)(struct tk_reader *r, const uint8_t *p))
{
    const uint8_t *p = tk_msgpack_read_value(r, r->base, no_key);

    while (p && r->open != TK_NO_NODE) {
        p = plain(r, p);
        if (p && r->open != TK_NO_NODE)
            p = read_child(r, p);
    }
    if (p && p != r->end)
        tk_reader_refuse(r, TK_READ_TRAILING_BYTES, p, "bytes after the document");
}

int tk_msgpack_read_by(const uint8_t *(*plain)(struct tk_reader *r, const uint8_t *p),
                       struct tk_doc *doc, const void *bytes, size_t n,
                       const struct tk_read_limits *limits, struct tk_arena *arena,
                       struct tk_read_error *ret_error)
{
    struct tk_reader r;

    tk_reader_begin(&r, doc, TK_MSGPACK, bytes, n, limits, arena, ret_error);
    if (r.result == 0)
        read_document(&r, plain);
    return tk_reader_end(&r);
}

int tk_msgpack_read(struct tk_doc *doc, const void *bytes, size_t n,
                    const struct tk_read_limits *limits, struct tk_arena *arena,
                    struct tk_read_error *ret_error)
{
    return tk_msgpack_read_by(tk_msgpack_read_plain, doc, bytes, n, limits, arena, ret_error);
}
