/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lossless document: the bytes as they came, and a tape of nodes that say where in them each
 * value stands. Reading copies nothing, so whatever nobody edits can be sent back byte for
 * byte: number lexemes, escapes, key order and white space included.
 *
 *     {"a": [1, true], "b": "x"}
 *
 *     node 0  object  off 0   len 26  next 5
 *     node 1  array   off 6   len 9   next 4   key "a"
 *     node 2  int     off 7   len 1   next 3
 *     node 3  true    off 10  len 4   next 4
 *     node 4  string  off 22  len 3   next 5   key "b"
 *
 * Children follow their parent; `next` leads over a value and all that it holds. A member's
 * key lives in the node of its value. JSON and msgpack fill the same tape.
 */
#ifndef TK_VALUE_DOC_H
#define TK_VALUE_DOC_H

#include "value/arena.h"

enum tk_codec {
    TK_JSON,
    TK_MSGPACK,
};

enum tk_kind {
    TK_NULL,
    TK_FALSE,
    TK_TRUE,
    TK_INT,  /* JSON: no '.', 'e', 'E' in the lexeme; any size */
    TK_REAL, /* other numbers; msgpack float32 and float64 */
    TK_STRING,
    TK_ARRAY,
    TK_OBJECT,
    TK_BIN, /* msgpack only */
    TK_EXT, /* msgpack only */
};

enum {
    TK_NODE_ESCAPED = 1,     /* JSON string with a backslash in it */
    TK_NODE_KEY_ESCAPED = 2, /* the same of the key */
    TK_NODE_SURROGATE = 4,   /* this string, or its key, holds an escape of a lone surrogate */
    TK_NODE_FOREIGN = 8,     /* what JSON can't hold: bin, ext, NaN, infinities */
};

/* key_len of keys that are longer than it can say: tk_key() looks at the bytes again. */
#define TK_KEY_LONG UINT16_MAX
#define TK_NO_NODE  UINT32_MAX

struct tk_node {
    uint32_t off;  /* first byte of the encoded value (the quote, the msgpack header) */
    uint32_t len;  /* bytes of it, quotes and headers included */
    uint32_t next; /* the node behind this value */
    uint32_t key;  /* offset of the key's first content byte; 0 for elements and the root */
    uint16_t key_len;
    uint8_t kind;
    uint8_t flags;
};

struct tk_doc {
    const uint8_t *base;
    uint32_t size;
    uint32_t count; /* nodes on the tape, at least 1 once read */
    struct tk_node *nodes;
    uint32_t capacity;
    uint8_t codec;      /* enum tk_codec */
    bool has_surrogate; /* a node has TK_NODE_SURROGATE */
    uint32_t foreign;   /* the first node with TK_NODE_FOREIGN, or TK_NO_NODE */
    /*
     * A key that somebody will look for all over the document. Who sets it before reading learns
     * between which nodes all members of that name stand, first and last included; p NULL, as at
     * first: anywhere.
     */
    struct tk_str watched;
    uint32_t watched_first, watched_last;
    tk_allocator allocator;
};

/* What reading is held to where nobody says otherwise (PROTOCOL section 7). */
#define TK_DEFAULT_MAX_DEPTH  256u
#define TK_DEFAULT_MAX_VALUES 1048576u

/* What reading is held to. Bounds are checked while reading, before memory is taken for them. */
struct tk_read_limits {
    uint32_t max_depth;  /* arrays and objects; the root is 1 */
    uint32_t max_values; /* scalars, arrays and objects, not keys */
    uint64_t hash_key[2];
};

/* Conditions of tk_doc_read(), positive as conditions are. */
enum tk_read_result {
    TK_READ_OK,
    TK_READ_PARSE_ERROR,
    TK_READ_CODEC_UNKNOWN,
    TK_READ_DUPLICATE_KEY,
    TK_READ_TOO_DEEP,
    TK_READ_TOO_MANY_VALUES,
    TK_READ_TRAILING_BYTES,
};

struct tk_read_error {
    size_t offset;    /* byte at which it was seen */
    const char *what; /* a constant for people, without content: "control character in string" */
    struct tk_str pointer; /* RFC 6901, where the document is open at that place; in the arena */
};

/* A document that holds nothing; its tape comes from the allocator and is kept between reads. */
void tk_doc_init(struct tk_doc *doc, tk_allocator allocator);
void tk_doc_done(struct tk_doc *doc);

/*
 * Which codec a payload is in, by its first byte (PROTOCOL section 1): after JSON white space
 * '{' or '[' is JSON; 0x80-0x9f, 0xdc-0xdf is msgpack. Returns false for anything else.
 */
bool tk_codec_of(const void *bytes, size_t n, enum tk_codec *ret_codec);

/*
 * Reads one document that fills all n bytes. bytes must outlive the doc; n < 2^32.
 *
 * Returns 0, -ENOMEM, or one of enum tk_read_result with *ret_error filled (its pointer is
 * allocated in `arena`). Refused besides broken syntax: duplicate keys (compared unescaped),
 * bytes that aren't UTF-8, anything behind the document; msgpack: map keys that aren't str,
 * counts beyond the bytes that are left. Kept and flagged: lone surrogate escapes, bin, ext,
 * NaN, infinities.
 */
int tk_json_read(struct tk_doc *doc, const void *bytes, size_t n,
                 const struct tk_read_limits *limits, struct tk_arena *arena,
                 struct tk_read_error *ret_error);
int tk_msgpack_read(struct tk_doc *doc, const void *bytes, size_t n,
                    const struct tk_read_limits *limits, struct tk_arena *arena,
                    struct tk_read_error *ret_error);
/* Either of them, chosen by tk_codec_of(). */
int tk_doc_read(struct tk_doc *doc, const void *bytes, size_t n,
                const struct tk_read_limits *limits, struct tk_arena *arena,
                struct tk_read_error *ret_error);

/* ---- looking at a document ---- */

/* A place in a document; node TK_NO_NODE is "not there". Passed by value. */
struct tk_val {
    const struct tk_doc *doc;
    uint32_t node;
};

#define TK_NO_VAL ((struct tk_val){NULL, TK_NO_NODE})

static inline const struct tk_node *tk_node(struct tk_val v)
{
    return &v.doc->nodes[v.node];
}

static inline bool tk_exists(struct tk_val v)
{
    return v.node != TK_NO_NODE;
}

static inline bool tk_is(struct tk_val v, enum tk_kind kind)
{
    return v.node != TK_NO_NODE && v.doc->nodes[v.node].kind == kind;
}

static inline struct tk_val tk_root(const struct tk_doc *doc)
{
    return (struct tk_val){doc, 0};
}

/* The encoded bytes of a value. */
static inline struct tk_str tk_span(struct tk_val v)
{
    return (struct tk_str){(const char *)v.doc->base + tk_node(v)->off, tk_node(v)->len};
}

/* From the first byte of one value to the last of another behind it in the same document. */
static inline struct tk_str tk_span_between(struct tk_val a, struct tk_val b)
{
    size_t from = tk_node(a)->off, to = (size_t)tk_node(b)->off + tk_node(b)->len;

    return (struct tk_str){(const char *)a.doc->base + from, to - from};
}

/*
 * Children of an array or object, in order:
 *     for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e))
 * tk_first() of anything else (a scalar, a missing value) is not there.
 */
static inline struct tk_val tk_first(struct tk_val v)
{
    if (!tk_exists(v) || v.node + 1 >= tk_node(v)->next)
        return TK_NO_VAL;
    return (struct tk_val){v.doc, v.node + 1};
}

static inline struct tk_val tk_after(struct tk_val parent, struct tk_val child)
{
    uint32_t next = tk_node(child)->next;

    return next < tk_node(parent)->next ? (struct tk_val){parent.doc, next} : TK_NO_VAL;
}

/* Whether a member called `watched` may stand in the value, or be it. */
static inline bool tk_may_be_watched(struct tk_val v)
{
    return v.node <= v.doc->watched_last && tk_node(v)->next > v.doc->watched_first;
}

/* Number of children; 0 for scalars. Linear. */
uint32_t tk_count(struct tk_val v);

/* The bytes between the quotes, or behind the msgpack header: still escaped if the flag says so. */
struct tk_str tk_raw(struct tk_val string);
struct tk_str tk_raw_key(struct tk_val member);

/*
 * A string's, or a key's, text as UTF-8: the raw bytes where there is no escape, else unescaped
 * into the arena. A lone surrogate becomes its three-byte form (which isn't UTF-8).
 * tk_text() of what isn't a string is a view of nothing with p NULL.
 */
struct tk_str tk_text(struct tk_val string, struct tk_arena *arena);
struct tk_str tk_key(struct tk_val member, struct tk_arena *arena);

/* Whether a string holds nothing but Unicode White_Space, or nothing; false for what isn't a
 * string. Allocates nothing and looks no further than needed. */
bool tk_text_is_blank(struct tk_val string);

/* The first escape of a lone surrogate in the raw bytes of a JSON string, six bytes long; p NULL
 * where there is none. */
struct tk_str tk_lone_surrogate(struct tk_str raw);

/* Compares with a constant without allocating; an escaped string is compared unescaped. */
bool tk_text_is(struct tk_val string, struct tk_str want);
bool tk_key_is(struct tk_val member, struct tk_str want);

/*
 * tk_key_is() of a node that is a member. Rules ask for members by name all the time, so plain keys
 * are compared right here.
 */
static inline bool tk_has_key(const struct tk_doc *doc, uint32_t member, struct tk_str key)
{
    const struct tk_node *n = &doc->nodes[member];
    const char *p = (const char *)doc->base + n->key;

    if ((n->flags & TK_NODE_KEY_ESCAPED) || n->key_len == TK_KEY_LONG || key.n == 0)
        return tk_key_is((struct tk_val){doc, member}, key);
    return n->key_len == key.n && p[0] == key.p[0] && tk_same_bytes(p, key.p, key.n);
}

/*
 * Keys lie far apart where values are long, and reading went over them a while ago: fetches all of
 * an object's at once, and the beginning of what stands behind it, which is likely to be next.
 */
void tk_fetch_keys(struct tk_val object);

/* The member of that name; not there where v isn't an object or has none. Linear in v's members. */
struct tk_val tk_get(struct tk_val v, struct tk_str key);

/*
 * Several members by name in one walk: ret[i] is the member called names[i], or not there. For
 * what is done to every block of a history; fastest where members come in the order of the names.
 * n < 64.
 */
void tk_pick(struct tk_val v, const struct tk_str *names, size_t n, struct tk_val *ret);

/* An integer that fits. False otherwise (TK_REAL included). */
bool tk_int64(struct tk_val v, int64_t *ret);

#endif
