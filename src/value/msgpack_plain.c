/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fields of the reader that the loop changes are in a struct of its own while it runs, so that
 * the compiler keeps them in registers: it can't know that a node it writes isn't a part of the
 * reader.
 */
#include "value/msgpack_plain.h"

#include "value/scan.h"
#include "value/unicode.h"

/* Each step of the loop is a function of its own, with the loop's registers as arguments. */
#define STEP static inline __attribute__((always_inline))

#define UNLIKELY(condition) __builtin_expect(condition, 0)

/* The loop looks at this many bytes of a child without asking whether they are left: a key of 32
 * bytes, a header of three, and 32 bytes that are looked at together. */
#define ROOM       72u
#define FIXSTR_MAX 31u

/* The rest, of which less is needed, stays in the reader. */
struct msgpack_loop {
    const uint8_t *base, *end;
    struct tk_node *nodes;
    uint32_t count, room;
    uint32_t left; /* children of the innermost container that are still to come */
    uint64_t seen;
    size_t watched; /* bytes of the key that the document watches */
    bool object;    /* the innermost container is one */
};

/* ---- the reader ---- */

STEP void load(struct msgpack_loop *l, const struct tk_reader *r)
{
    l->nodes = r->doc->nodes;
    l->count = r->doc->count;
    l->room = r->room;
    l->seen = r->seen;
    l->left = l->nodes[r->open].len;
    l->object = l->nodes[r->open].kind == TK_OBJECT;
}

STEP void store(const struct msgpack_loop *l, struct tk_reader *r)
{
    r->doc->count = l->count;
    r->seen = l->seen;
    if (r->open != TK_NO_NODE)
        l->nodes[r->open].len = l->left;
}

STEP uint32_t offset(const struct msgpack_loop *l, const uint8_t *at)
{
    return (uint32_t)(at - l->base);
}

/* Returns true if n bytes of a child, within the document, are UTF-8. */
STEP bool is_text(const uint8_t *p, size_t n)
{
    return tk_short_ascii(p, n, 32) || tk_utf8_valid(p, n) == n;
}

/* ---- children; each has the first free node, which is on the tape once it was
 * counted ---- */

STEP bool is_fixstr(const uint8_t *p)
{
    return (*p & 0xe0) == 0xa0;
}

/* Reads a key. Returns where the value begins; NULL if it isn't plain: nothing was noted then. */
STEP const uint8_t *read_key(struct msgpack_loop *l, struct tk_reader *r, const uint8_t *p,
                             struct tk_node *node)
{
    size_t n = *p & 0x1f;
    uint64_t mark;

    if (UNLIKELY(!is_fixstr(p)) || UNLIKELY(!is_text(p + 1, n)))
        return NULL;
    mark = tk_reader_mark(p + 1, n);
    if (UNLIKELY((l->seen & mark) != 0))
        l->seen |= TK_READER_DOUBT;
    l->seen |= mark;
    if (UNLIKELY(n == l->watched)) {
        r->doc->count = l->count;
        tk_reader_note_watched(r, p + 1, n, false);
    }
    node->key = offset(l, p + 1);
    node->key_len = (uint16_t)n;
    return p + 1 + n;
}

/* Reads a str whose bytes begin at `text`. Returns NULL if it isn't within the document or isn't
 * UTF-8: nothing was added then. */
STEP const uint8_t *read_str(struct msgpack_loop *l, const uint8_t *p, const uint8_t *text,
                             size_t n, struct tk_node *node)
{
    if (n > FIXSTR_MAX && UNLIKELY(n > (size_t)(l->end - text)))
        return NULL;
    if (UNLIKELY(!is_text(text, n)))
        return NULL;
    node->off = offset(l, p);
    node->len = (uint32_t)(text - p) + (uint32_t)n;
    node->next = ++l->count;
    node->kind = TK_STRING;
    node->flags = 0;
    return text + n;
}

/* Opens a container of n children, of which the depth and the number are allowed. */
STEP void open_container(struct msgpack_loop *l, struct tk_reader *r, const uint8_t *p, uint32_t n,
                         struct tk_node *node)
{
    l->nodes[r->open].len = l->left;
    l->left = n;
    l->object = (*p & 0xf0) == 0x80;
    node->off = offset(l, p);
    node->next = r->open;
    node->kind = l->object ? TK_OBJECT : TK_ARRAY;
    node->flags = 0;
    r->open = l->count++;
    if (r->depth < TK_READER_SEEN_DEPTH)
        r->seen_around[r->depth] = l->seen;
    l->seen = 0;
    r->depth++;
}

/* Reads a value as msgpack_read.c does. The child is counted already. */
STEP const uint8_t *read_any(struct msgpack_loop *l, struct tk_reader *r, const uint8_t *p,
                             const struct tk_node *node)
{
    struct tk_pending_key key = {node->key, node->key_len, 0};
    const uint8_t *end;

    store(l, r);
    end = tk_msgpack_read_value(r, p, key);
    load(l, r);
    return end;
}

STEP const uint8_t *read_value(struct msgpack_loop *l, struct tk_reader *r, const uint8_t *p,
                               struct tk_node *node)
{
    const uint8_t *end = NULL;

    if (is_fixstr(p))
        end = read_str(l, p, p + 1, *p & 0x1f, node);
    else if (*p == 0xd9)
        end = read_str(l, p, p + 2, p[1], node);
    else if (*p == 0xda)
        end = read_str(l, p, p + 3, (size_t)p[1] << 8 | p[2], node);
    else if ((*p & 0xe0) == 0x80 && r->depth < r->limits->max_depth &&
             (uint64_t)l->count + (*p & 0x0f) + 1 <= r->limits->max_values) {
        open_container(l, r, p, *p & 0x0f, node);
        return p + 1;
    }
    return end ? end : read_any(l, r, p, node);
}

/* Closes the innermost container, whose last byte is before p. Returns false if it is refused. */
STEP bool close_container(struct msgpack_loop *l, struct tk_reader *r, const uint8_t *p)
{
    struct tk_node *node = &l->nodes[r->open];

    if (UNLIKELY((l->seen & TK_READER_DOUBT) != 0) && l->object) {
        store(l, r);
        if (!tk_reader_check_keys(r))
            return false;
    }
    r->open = node->next;
    node->next = l->count;
    node->len = offset(l, p) - node->off;
    r->depth--;
    l->seen = r->depth < TK_READER_SEEN_DEPTH ? r->seen_around[r->depth] : TK_READER_DOUBT;
    if (r->open != TK_NO_NODE) {
        l->left = l->nodes[r->open].len;
        l->object = l->nodes[r->open].kind == TK_OBJECT;
    }
    return true;
}

/* ---- the loop ---- */

STEP const uint8_t *loop(struct msgpack_loop *l, struct tk_reader *r, const uint8_t *p)
{
    const uint8_t *const limit = l->end - ROOM;

    for (;;) {
        struct tk_node *node;
        const uint8_t *value = p;

        if (l->left == 0) {
            if (!close_container(l, r, p))
                return NULL;
            if (r->open == TK_NO_NODE)
                return p;
            continue;
        }
        if (p > limit || UNLIKELY(l->count >= l->room))
            return p;
        node = &l->nodes[l->count];
        if (l->object) {
            value = read_key(l, r, p, node);
            if (!value)
                return p;
        } else {
            node->key = 0;
            node->key_len = 0;
        }
        l->left--;
        p = read_value(l, r, value, node);
        if (!p)
            return NULL;
    }
}

const uint8_t *tk_msgpack_read_plain(struct tk_reader *r, const uint8_t *p)
{
    struct msgpack_loop l;

    if ((size_t)(r->end - p) < ROOM)
        return p;
    l.base = r->base;
    l.end = r->end;
    l.watched = r->doc->watched.n;
    load(&l, r);
    p = loop(&l, r, p);
    if (p)
        store(&l, r);
    return p;
}
