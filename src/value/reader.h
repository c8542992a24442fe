/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of value: what the JSON and the msgpack reader share: growth of the tape, the chain of
 * open containers, limits, duplicate keys, and refusals.
 *
 * The tape is the only stack: while a container is open, its node's `next` is the index of the
 * container around it (TK_NO_NODE for the root); when it closes, `next` becomes the node after it.
 *
 * A function that fails notes why in the reader (`result`, *ret_error) and returns NULL or false;
 * its callers return at once, and tk_reader_end() gives the result.
 */
#ifndef TK_VALUE_READER_H
#define TK_VALUE_READER_H

#include "value/doc.h"

/* A key that was read before the node of its value exists. */
struct tk_pending_key {
    uint32_t off; /* of its first content byte; 0: no key */
    uint16_t len;
    uint8_t flags;
};

/*
 * Most objects are found free of duplicate keys while they are read: each key sets one of 63 bits,
 * its mark, in a set of the object. Only if a bit is set twice are the keys compared when the
 * object closes; the last bit, TK_READER_DOUBT, says so. The sets of the containers around the
 * innermost one are kept down to this depth; the keys of deeper objects are always compared.
 */
#define TK_READER_SEEN_DEPTH 32
#define TK_READER_DOUBT      ((uint64_t)1 << 63)

struct tk_reader {
    struct tk_doc *doc;
    const uint8_t *base, *end;
    const struct tk_read_limits *limits;
    struct tk_arena *arena;
    struct tk_read_error *ret_error;
    uint32_t room;           /* nodes until the tape is full or max_values is reached */
    uint32_t open;           /* innermost open container, or TK_NO_NODE */
    uint32_t depth;          /* open containers */
    int result;              /* 0, -ENOMEM or one of enum tk_read_result */
    struct tk_arena scratch; /* for objects with many keys */
    uint64_t seen;           /* marks of the innermost container's keys, and TK_READER_DOUBT */
    uint64_t seen_around[TK_READER_SEEN_DEPTH]; /* marks of the containers around it */
};

/* Begins to read: empties the doc, keeps its tape, and refuses an empty or too large input. */

void tk_reader_begin(struct tk_reader *r, struct tk_doc *doc, enum tk_codec codec,
                     const void *bytes, size_t n, const struct tk_read_limits *limits,
                     struct tk_arena *arena, struct tk_read_error *ret_error);

/* Frees the scratch memory and, after a failure, empties the doc. Returns the result. */
int tk_reader_end(struct tk_reader *r);

/*
 * Notes that the document is refused at a byte, and why; only the first refusal counts. Returns
 * NULL, which the reading function returns in turn.
 */
const uint8_t *tk_reader_refuse(struct tk_reader *r, enum tk_read_result condition,
                                const uint8_t *at, const char *what);

/* Makes room for one more node; `at` is the byte that was read last. False if refused. */
bool tk_reader_grow(struct tk_reader *r, const uint8_t *at);

/* Compares the keys of the innermost container, a complete object. False if refused. */
bool tk_reader_check_keys(struct tk_reader *r);

/* Returns the offset of a byte in the document. */
static inline uint32_t tk_reader_offset(const struct tk_reader *r, const uint8_t *at)
{
    return (uint32_t)(at - r->base);
}

/* Adds a node to the tape; NULL if refused. The caller fills len and next. */
static inline struct tk_node *tk_reader_add(struct tk_reader *r, const uint8_t *at,
                                            enum tk_kind kind, struct tk_pending_key key)
{
    struct tk_node *node;

    if (__builtin_expect(r->doc->count >= r->room, 0) && !tk_reader_grow(r, at))
        return NULL;
    node = &r->doc->nodes[r->doc->count++];
    node->off = tk_reader_offset(r, at);
    node->key = key.off;
    node->key_len = key.len;
    node->kind = (uint8_t)kind;
    node->flags = key.flags;
    return node;
}

/* Adds a scalar of len bytes. False if refused. */
static inline bool tk_reader_scalar(struct tk_reader *r, const uint8_t *at, size_t len,
                                    enum tk_kind kind, unsigned flags, struct tk_pending_key key)
{
    struct tk_node *node = tk_reader_add(r, at, kind, key);

    if (!node)
        return false;
    node->len = (uint32_t)len;
    node->next = r->doc->count;
    node->flags = (uint8_t)(node->flags | flags);
    return true;
}

/* Adds a container, which is the innermost from now on. NULL if refused. */
static inline struct tk_node *tk_reader_open(struct tk_reader *r, const uint8_t *at,
                                             enum tk_kind kind, struct tk_pending_key key)
{
    struct tk_node *node;

    if (__builtin_expect(r->depth >= r->limits->max_depth, 0)) {
        tk_reader_refuse(r, TK_READ_TOO_DEEP, at, "nested too deep");
        return NULL;
    }
    node = tk_reader_add(r, at, kind, key);
    if (!node)
        return NULL;
    node->next = r->open;
    r->open = r->doc->count - 1;
    if (r->depth < TK_READER_SEEN_DEPTH)
        r->seen_around[r->depth] = r->seen;
    r->seen = 0;
    r->depth++;
    return node;
}

/*
 * Returns the number of a key's mark, from a hash of its size, first and last byte: these tell
 * nearly all keys of real objects apart. An empty key has two quotes, which are what a JSON reader
 * finds there.
 */
static inline unsigned tk_reader_mark_of(size_t n, uint8_t first, uint8_t last)
{
    uint32_t sample = (uint32_t)n << 16 | (uint32_t)first << 8 | last;

    return sample * 0x9E3779B1u >> 26;
}

static inline uint64_t tk_reader_mark(const uint8_t *key, size_t n)
{
    return (uint64_t)1 << (n == 0 ? tk_reader_mark_of(0, '"', '"')
                                  : tk_reader_mark_of(n, key[0], key[n - 1]));
}

/* Notes that the next node is one of the watched members, if its key says so (tk_doc.watched). */
void tk_reader_note_watched(struct tk_reader *r, const uint8_t *key, size_t n, bool escaped);

/* Notes a key of the innermost container, before its value is read. An escaped key is always in
 * doubt: its bytes may differ from those of an equal key. */
static inline void tk_reader_note_key(struct tk_reader *r, const uint8_t *key, size_t n,
                                      bool escaped)
{
    uint64_t mark = escaped ? TK_READER_DOUBT : tk_reader_mark(key, n);

    r->seen |= r->seen & mark ? TK_READER_DOUBT : mark;
    if (__builtin_expect(n == r->doc->watched.n || escaped, 0))
        tk_reader_note_watched(r, key, n, escaped);
}

static inline bool tk_reader_in_doubt(const struct tk_reader *r)
{
    return (r->seen & TK_READER_DOUBT) != 0;
}

/* Closes the innermost container, whose last byte is before `end`. False if refused. */
static inline bool tk_reader_close(struct tk_reader *r, const uint8_t *end)
{
    struct tk_node *node = &r->doc->nodes[r->open];
    uint32_t around = node->next;

    if (node->kind == TK_OBJECT && tk_reader_in_doubt(r) && !tk_reader_check_keys(r))
        return false;
    node->len = tk_reader_offset(r, end) - node->off;
    node->next = r->doc->count;
    r->open = around;
    r->depth--;
    r->seen = r->depth < TK_READER_SEEN_DEPTH ? r->seen_around[r->depth] : TK_READER_DOUBT;
    return true;
}

#endif
