/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lossless document: the bytes as they came, and a tape of nodes, one for each value, that say
 * where in the bytes the value is. Reading copies no bytes, so a value that nobody edits is sent
 * back byte for byte: with its number lexemes, escapes, key order and white space.
 *
 *     {"a": [1, true], "b": "x"}
 *
 *     node 0  object  off 0   len 26  next 5
 *     node 1  array   off 6   len 9   next 4   key "a"
 *     node 2  int     off 7   len 1   next 3
 *     node 3  true    off 10  len 4   next 4
 *     node 4  string  off 22  len 3   next 5   key "b"
 *
 * The root is node 0. Children follow their parent; `next` is the node after a value and all that
 * it contains, so siblings are found without reading what is inside. A member's key is in the node
 * of its value. JSON and msgpack fill the same tape.
 *
 * A struct tk_val names one node of one document. Functions that look for a value return one that
 * is absent (TK_NO_VAL) if it is missing, and accept an absent one where they say so; a chain of
 * tk_get() needs only one test at its end.
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

/* Bits of tk_node.flags. */
enum {
    TK_NODE_ESCAPED = 1,     /* a JSON string that has a backslash */
    TK_NODE_KEY_ESCAPED = 2, /* a JSON key that has a backslash */
    TK_NODE_SURROGATE = 4,   /* the string, or its key, has an escape of a lone surrogate */
    TK_NODE_FOREIGN = 8,     /* a value that JSON doesn't have: bin, ext, NaN, infinities */
};

/* tk_node.key_len of a key of 65,535 bytes or more, whose length is found in the bytes. */
#define TK_KEY_LONG UINT16_MAX
/* The index of no node. */
#define TK_NO_NODE UINT32_MAX

struct tk_node {
    uint32_t off;     /* first byte of the encoded value (the quote, the msgpack header) */
    uint32_t len;     /* bytes of the value, quotes and headers included */
    uint32_t next;    /* the node after this value */
    uint32_t key;     /* offset of the key's first content byte; 0 for elements and the root */
    uint16_t key_len; /* bytes of the key as spelled, or TK_KEY_LONG */
    uint8_t kind;     /* enum tk_kind */
    uint8_t flags;
};

struct tk_doc {
    const uint8_t *base; /* the bytes, which belong to the caller */
    uint32_t size;       /* how many they are */
    uint32_t count;      /* nodes on the tape: at least 1 once read, 0 after a refusal */
    struct tk_node *nodes;
    uint32_t capacity;  /* nodes that there is room for */
    uint8_t codec;      /* enum tk_codec */
    bool has_surrogate; /* a node has TK_NODE_SURROGATE */
    uint32_t foreign;   /* the first node with TK_NODE_FOREIGN, or TK_NO_NODE */
    /*
     * A key that will be looked for everywhere in the document. A caller that sets it before
     * reading may skip, by tk_may_be_watched(), the values that have no member of that name: all
     * of them are between these two nodes, both included. `watched.p == NULL` (initially): they
     * may be anywhere.
     */
    struct tk_str watched;
    uint32_t watched_first, watched_last;
    bool repeats_keys;      /* set before reading: an object may have a key twice */
    tk_allocator allocator; /* of the tape */
};

/* The limits of a daemon whose configuration has none (PROTOCOL section 7). */
#define TK_DEFAULT_MAX_DEPTH  256u
#define TK_DEFAULT_MAX_VALUES 1048576u

/* Limits of reading. They are checked while reading, before memory is allocated for a value. */
struct tk_read_limits {
    uint32_t max_depth;   /* nested arrays and objects; the root is 1 */
    uint32_t max_values;  /* scalars, arrays and objects; keys don't count */
    uint64_t hash_key[2]; /* secret of the table that finds duplicate keys (hash.h) */
};

/* Results of tk_doc_read() apart from -ENOMEM; each but TK_READ_OK refuses the document. */
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
    size_t offset;    /* of the byte at which reading ended */
    const char *what; /* a constant for people, without content: "control character in string" */
    struct tk_str pointer; /* RFC 6901: to the innermost container that is open there, or to the
                              duplicate member; in the arena */
};

/*
 * Makes an empty document. Its tape will come from the allocator (an empty allocator means the C
 * library's) and is kept between reads.
 */
void tk_doc_init(struct tk_doc *doc, tk_allocator allocator);

/* Frees the tape. The document can be read again. */
void tk_doc_done(struct tk_doc *doc);

/*
 * Finds the codec of a payload by its first byte (PROTOCOL section 1): '{' or '[' after JSON white
 * space is JSON; 0x80-0x9f and 0xdc-0xdf are msgpack. Returns false for anything else.
 */
bool tk_codec_of(const void *bytes, size_t n, enum tk_codec *ret_codec);

/*
 * Read one document that fills all n bytes. The bytes must outlive the doc; n < 2^32.
 *
 * They return 0, -ENOMEM, or one of enum tk_read_result with *ret_error filled (its pointer is
 * allocated in `arena`). Refused apart from broken syntax: duplicate keys (compared unescaped; not
 * if `repeats_keys` is set),
 * bytes that aren't UTF-8, anything after the document; msgpack: map keys that aren't str, counts
 * larger than the bytes that are left. Kept, and flagged in the node: lone surrogate escapes, bin,
 * ext, NaN, infinities.
 */
int tk_json_read(struct tk_doc *doc, const void *bytes, size_t n,
                 const struct tk_read_limits *limits, struct tk_arena *arena,
                 struct tk_read_error *ret_error);
int tk_msgpack_read(struct tk_doc *doc, const void *bytes, size_t n,
                    const struct tk_read_limits *limits, struct tk_arena *arena,
                    struct tk_read_error *ret_error);
/* Reads with the one that tk_codec_of() chooses; TK_READ_CODEC_UNKNOWN if it knows neither. */
int tk_doc_read(struct tk_doc *doc, const void *bytes, size_t n,
                const struct tk_read_limits *limits, struct tk_arena *arena,
                struct tk_read_error *ret_error);

/* ---- looking at a document ---- */

/* A value of a document, passed by value. It is absent if `node == TK_NO_NODE`. */
struct tk_val {
    const struct tk_doc *doc;
    uint32_t node;
};

#define TK_NO_VAL ((struct tk_val){NULL, TK_NO_NODE})

/* Returns the node of a value that exists. */
static inline const struct tk_node *tk_node(struct tk_val v)
{
    return &v.doc->nodes[v.node];
}

static inline bool tk_exists(struct tk_val v)
{
    return v.node != TK_NO_NODE;
}

/* True if the value exists and is of this kind. */
static inline bool tk_is(struct tk_val v, enum tk_kind kind)
{
    return v.node != TK_NO_NODE && v.doc->nodes[v.node].kind == kind;
}

static inline struct tk_val tk_root(const struct tk_doc *doc)
{
    return (struct tk_val){doc, 0};
}

/* Returns the encoded bytes of a value that exists, a view of the document's. */
static inline struct tk_str tk_span(struct tk_val v)
{
    return (struct tk_str){(const char *)v.doc->base + tk_node(v)->off, tk_node(v)->len};
}

/* Returns the bytes from the first of `a` to the last of `b`, a later value of the same document. */
static inline struct tk_str tk_span_between(struct tk_val a, struct tk_val b)
{
    size_t from = tk_node(a)->off, to = (size_t)tk_node(b)->off + tk_node(b)->len;

    return (struct tk_str){(const char *)a.doc->base + from, to - from};
}

/*
 * Walk the children of an array or object, in order:
 *     for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e))
 * tk_first() of anything else (a scalar, an absent value) is absent.
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

/* True if the value may be a member called `watched`, or have one inside it at any depth. */
static inline bool tk_may_be_watched(struct tk_val v)
{
    return v.node <= v.doc->watched_last && tk_node(v)->next > v.doc->watched_first;
}

/* Counts the children; 0 for scalars and absent values. Takes time linear in their number. */
uint32_t tk_count(struct tk_val v);

/*
 * Return the content of a string, bin or ext, or of a key: the bytes between the JSON quotes, or
 * after the msgpack header, escapes as they are spelled. They are views of the document;
 * `.p == NULL` for other kinds, absent values and values without a key.
 */
struct tk_str tk_raw(struct tk_val string);
struct tk_str tk_raw_key(struct tk_val member);

/*
 * Return the text of a string, or of a member's key, as UTF-8: a view of the document if nothing is
 * escaped, else unescaped into the arena. A lone surrogate becomes its three-byte form (which isn't
 * UTF-8). `.p == NULL` without memory, and for what isn't a string or an existing value.
 */
struct tk_str tk_text(struct tk_val string, struct tk_arena *arena);
struct tk_str tk_key(struct tk_val member, struct tk_arena *arena);

/*
 * True for a string that is empty or has only Unicode White_Space; false for what isn't a string.
 * Allocates nothing and stops at the first other character.
 */
bool tk_text_is_blank(struct tk_val string);

/*
 * Returns the first escape of a lone surrogate in the raw bytes of a JSON string, a view of six
 * bytes; `.p == NULL` if there is none.
 */
struct tk_str tk_lone_surrogate(struct tk_str raw);

/*
 * Compare a string, or a member's key, with a text, without allocating; an escaped one is compared
 * unescaped. False for what isn't a string, and for absent values.
 */
bool tk_text_is(struct tk_val string, struct tk_str want);
bool tk_key_is(struct tk_val member, struct tk_str want);

/*
 * Compares two values as they are: members in the same order, strings unescaped, other scalars by
 * their bytes. Allocates nothing, and stops at the first difference: it takes no longer than reading
 * the smaller one.
 */
bool tk_is_same_value(struct tk_val a, struct tk_val b);

/* Compares two values as tk_is_same_value() does, but strings and keys as they are spelled. Absent
 * values are equal to each other. */
bool tk_same_spelling(struct tk_val a, struct tk_val b);

/*
 * Compares the key of a member with a text, as tk_key_is() does. Rules ask for members by name all
 * the time, so plain keys are compared inline.
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
 * Prefetches all keys of an object into the CPU's cache, and the first key after the object, which
 * is likely to be next: long values put keys far apart, and reading passed them a while ago.
 */
void tk_fetch_keys(struct tk_val object);

/*
 * Returns the member of an object by its name; absent if v isn't an object or has no such member.
 * Takes time linear in v's members.
 */
struct tk_val tk_get(struct tk_val v, struct tk_str key);

/*
 * Gets several members by name in one walk: ret[i] is the member called names[i], or absent. It is
 * for work on every block of a history; fastest if members come in the order of the names. n < 64.
 */
void tk_pick(struct tk_val v, const struct tk_str *names, size_t n, struct tk_val *ret);

/* Reads an integer into *ret. False if v isn't a TK_INT or doesn't fit. */
bool tk_int64(struct tk_val v, int64_t *ret);

#endif
