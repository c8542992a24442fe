/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of value: what the JSON and the msgpack reader share. The tape's growth, the chain of
 * open containers, limits, duplicate keys, and refusals.
 *
 * No stack besides the tape: while a container is open, its node's `next` is the index of the
 * container around it (TK_NO_NODE for the root), and becomes the node behind it when it closes.
 */
#ifndef TK_VALUE_READER_H
#define TK_VALUE_READER_H

#include "value/doc.h"

/* A key on its way to the node of its value. */
struct tk_pending_key {
    uint32_t off; /* 0: none */
    uint16_t len;
    uint8_t flags;
};

/*
 * Most objects can be seen to hold no key twice while they are read: a 64-bit set keeps the marks
 * of the keys. Only a mark that comes twice leaves a doubt that has to be looked into. The sets of
 * containers further out are kept down to this depth; below, all objects are in doubt.
 */
#define TK_READER_SEEN_DEPTH 32
#define TK_READER_DOUBT      ((uint64_t)1 << 63)

struct tk_reader {
    struct tk_doc *doc;
    const uint8_t *base, *end;
    const struct tk_read_limits *limits;
    struct tk_arena *arena;
    struct tk_read_error *ret_error;
    uint32_t room;           /* nodes until the tape or max_values ends */
    uint32_t open;           /* innermost open container */
    uint32_t depth;          /* how many are open */
    int result;              /* 0, -ENOMEM or the condition */
    struct tk_arena scratch; /* for objects with many keys */
    uint64_t seen;           /* marks of the innermost container's keys, and TK_READER_DOUBT */
    uint64_t seen_around[TK_READER_SEEN_DEPTH]; /* of those around it */
};

void tk_reader_begin(struct tk_reader *r, struct tk_doc *doc, enum tk_codec codec,
                     const void *bytes, size_t n, const struct tk_read_limits *limits,
                     struct tk_arena *arena, struct tk_read_error *ret_error);

/* Frees what reading needed, empties the doc where it failed; gives the result. */
int tk_reader_end(struct tk_reader *r);

/* Notes why reading ends here; the first refusal counts. Returns NULL, for reading functions. */
const uint8_t *tk_reader_refuse(struct tk_reader *r, enum tk_read_result condition,
                                const uint8_t *at, const char *what);

/* Makes room for a node at `at`: false when refused. */
bool tk_reader_grow(struct tk_reader *r, const uint8_t *at);

/* True when the innermost container, an object whose members are complete, holds no key twice. */
bool tk_reader_check_keys(struct tk_reader *r);

static inline uint32_t tk_reader_offset(const struct tk_reader *r, const uint8_t *at)
{
    return (uint32_t)(at - r->base);
}

/* A new node at the end of the tape, NULL when refused. len and next are the caller's. */
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

/* A scalar of len bytes. */
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

/* A container begins; it is now the innermost. */
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

/* Size, first and last byte tell nearly all keys of real objects apart. */
static inline uint64_t tk_reader_mark(const uint8_t *key, size_t n)
{
    uint32_t sample = n == 0 ? 0 : (uint32_t)n << 16 | (uint32_t)key[0] << 8 | key[n - 1];

    return (uint64_t)1 << (sample * 0x9E3779B1u >> 26);
}

/* The next node's key may be the one that is watched for. */
void tk_reader_note_watched(struct tk_reader *r, const uint8_t *key, size_t n, bool escaped);

/* Notes a key of the innermost container, whose value comes next; escaped ones are always in doubt.
 */
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

/* The innermost container ends in front of `end`. */
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
