/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of the fast way (json_plain.h), for one kind of vectors. Before including this, a file
 * defines:
 *
 *     TARGET      attributes of every function: the instructions that it may use
 *     stops(p)    the bits of those of 64 bytes at which the plain ASCII of a JSON string stops:
 *                 quotes, backslashes, control characters, and bytes above 0x7f
 *
 * Most children of a container are short, of plain ASCII and without white space. Where a short
 * string ends is one bit of a window of 64 bytes. The next window and the next bit don't depend on
 * what was read, so that the CPU finds them while it still checks the members before; a scan from
 * each opening quote would have to wait for the scan before it.
 *
 * The fields of the reader that the loop changes are in a struct of its own while it runs, so that
 * the compiler keeps them in registers: it can't know that a node it writes isn't a part of the
 * reader.
 */
#ifndef TK_VALUE_JSON_PLAIN_LOOP_H
#define TK_VALUE_JSON_PLAIN_LOOP_H

#include "value/json_plain.h"

/* Each step of the loop is a function of its own, with the loop's registers as arguments. */
#define STEP TARGET static inline __attribute__((always_inline))

#define WINDOW 64u
/* Windows that are searched for the end of a string, before it is left to a scan of long ones. */
#define MOVES 8u
/* The loop looks at this many bytes without asking whether they are left. */
#define ROOM 8u

#define UNLIKELY(condition) __builtin_expect(condition, 0)

struct window {
    const uint8_t *next; /* where the window after this one begins */
    const uint8_t *last; /* where the last one may begin: ROOM bytes are left after it */
    uint64_t stops;      /* of this window: those that weren't passed yet */
};

/* The rest, of which less is needed, stays in the reader. */
struct loop {
    struct window w;
    const uint8_t *base, *limit; /* the document; where ROOM bytes are left */
    struct tk_node *nodes;
    uint32_t count, room;
    uint64_t seen;
    size_t watched;  /* bytes of the key that the document watches */
    uint8_t closing; /* the bracket that closes the innermost container */
};

/* ---- the window ---- */

/* Makes sure that the window has a stop. Returns false if it and the next window have none. */
STEP bool has_stop(struct window *w)
{
    if (w->stops != 0)
        return true;
    if (w->next > w->last)
        return false;
    w->stops = stops(w->next);
    w->next += WINDOW;
    return w->stops != 0;
}

/* Passes an opening quote. Returns false if it is not yet in a window, after a very long number. */
STEP bool pass_quote(struct window *w)
{
    bool passed = has_stop(w);

    w->stops &= w->stops - 1;
    return passed;
}

/*
 * Passes the next stop of this window and the MOVES after it. Returns true if it is a quote, which
 * closes a plain string then. *ret is the first byte that isn't known to be plain: the stop, or the
 * byte after the window.
 */
STEP bool pass_string(struct window *w, const uint8_t **ret)
{
    for (unsigned i = 0; UNLIKELY(w->stops == 0); i++) {
        *ret = w->next;
        if (i == MOVES || w->next > w->last)
            return false;
        w->stops = stops(w->next);
        w->next += WINDOW;
    }
    *ret = w->next - WINDOW + (unsigned)__builtin_ctzll(w->stops);
    w->stops &= w->stops - 1;
    return **ret == '"';
}

/* Passes a string from its opening quote, as pass_quote() and pass_string() do one after the other.
 * Most strings have both quotes in one window. */
STEP bool pass_quotes(struct window *w, const uint8_t **ret)
{
    uint64_t closing = w->stops & (w->stops - 1);

    if (UNLIKELY(closing == 0))
        return pass_quote(w) && pass_string(w, ret);
    w->stops = closing & (closing - 1);
    *ret = w->next - WINDOW + (unsigned)__builtin_ctzll(closing);
    return **ret == '"';
}

/* ---- the reader ---- */

STEP uint8_t bracket_of(const struct tk_node *container)
{
    return container->kind == TK_OBJECT ? '}' : ']';
}

STEP void load(struct loop *l, const struct tk_reader *r)
{
    l->nodes = r->doc->nodes;
    l->count = r->doc->count;
    l->room = r->room;
    l->seen = r->seen;
    l->closing = r->open == TK_NO_NODE ? 0 : bracket_of(&l->nodes[r->open]);
}

STEP void store(const struct loop *l, struct tk_reader *r)
{
    r->doc->count = l->count;
    r->seen = l->seen;
}

STEP uint32_t offset(const struct loop *l, const uint8_t *at)
{
    return (uint32_t)(at - l->base);
}

/* Returns true if no child of the innermost container was read. */
STEP bool is_empty_so_far(const struct loop *l, const struct tk_reader *r)
{
    return r->open + 1 == l->count;
}

/* ---- children; each has the first free node, which is on the tape once it was counted ---- */

/* Reads a key and its colon, and one space before each and after, as many clients write them.
 * Returns where the value begins; NULL if they aren't plain: nothing was noted then. */
STEP const uint8_t *read_key(struct loop *l, struct tk_reader *r, const uint8_t *quote,
                             struct tk_node *node)
{
    const uint8_t *end, *value;
    unsigned mark;
    size_t len;

    if (*quote != '"' && (*quote != ' ' || *++quote != '"'))
        return NULL;
    if (!pass_quotes(&l->w, &end) || end[1] != ':')
        return NULL;
    value = end + 2;
    if (UNLIKELY(*value <= ' ') && (*value != ' ' || *++value <= ' '))
        return NULL;
    len = (size_t)(end - quote) - 1;
    /* Of an empty key these are the quotes, as in tk_reader_mark_index(). */
    mark = tk_reader_mark_of(len, quote[1], end[-1]);
    if (UNLIKELY(l->seen >> mark & 1))
        l->seen |= TK_READER_DOUBT;
    l->seen |= (uint64_t)1 << mark;
    if (UNLIKELY(len == l->watched)) {
        r->doc->count = l->count;
        tk_reader_note_watched(r, quote + 1, len, false);
    }
    node->key = offset(l, quote + 1);
    node->key_len = (uint16_t)len;
    return value;
}

STEP const uint8_t *read_string(struct loop *l, struct tk_reader *r, const uint8_t *quote,
                                struct tk_node *node)
{
    const uint8_t *end = quote + 1;
    unsigned flags;

    node->off = offset(l, quote);
    node->next = ++l->count;
    node->kind = TK_STRING;
    node->flags = 0;
    if (pass_quotes(&l->w, &end)) {
        node->len = (uint32_t)(end - quote) + 1;
        return end + 1;
    }
    flags = 0;
    end = tk_json_pass_long_string(r, quote, end, &flags);
    node->flags = (uint8_t)flags;
    node->len = (uint32_t)(end - quote);
    l->w.next = end;
    l->w.stops = 0;
    return end;
}

/* Reads a value other than a string as json_read.c does. */
STEP const uint8_t *read_any(struct loop *l, struct tk_reader *r, const uint8_t *p,
                             const struct tk_node *node)
{
    struct tk_pending_key key = {node->key, node->key_len, 0};
    const uint8_t *end;

    store(l, r);
    end = tk_json_read_value(r, p, key);
    load(l, r);
    return end;
}

/* Opens a container, of which the depth is allowed. */
STEP const uint8_t *open_container(struct loop *l, struct tk_reader *r, const uint8_t *p,
                                   struct tk_node *node)
{
    node->off = offset(l, p);
    node->next = r->open;
    node->kind = *p == '{' ? TK_OBJECT : TK_ARRAY;
    node->flags = 0;
    r->open = l->count++;
    if (r->depth < TK_READER_SEEN_DEPTH)
        r->seen_around[r->depth] = l->seen;
    l->seen = 0;
    r->depth++;
    l->closing = (uint8_t)(*p + 2);
    return p + 1;
}

/* Closes the innermost container with the bracket at p. Returns NULL if it is refused. */
STEP const uint8_t *close_container(struct loop *l, struct tk_reader *r, const uint8_t *p)
{
    struct tk_node *node = &l->nodes[r->open];

    if (UNLIKELY((l->seen & TK_READER_DOUBT) != 0) && l->closing == '}') {
        store(l, r);
        if (!tk_reader_check_keys(r))
            return NULL;
    }
    r->open = node->next;
    node->next = l->count;
    node->len = offset(l, p + 1) - node->off;
    r->depth--;
    l->seen = r->depth < TK_READER_SEEN_DEPTH ? r->seen_around[r->depth] : TK_READER_DOUBT;
    if (r->open != TK_NO_NODE)
        l->closing = bracket_of(&l->nodes[r->open]);
    return p + 1;
}

/* ---- the loop ---- */

/* Closes the containers that end at *p. Returns true if a comma follows; *p becomes NULL if one is
 * refused. */
STEP bool close_all(struct loop *l, struct tk_reader *r, const uint8_t **p)
{
    while (**p == l->closing) {
        *p = close_container(l, r, *p);
        if (!*p || r->open == TK_NO_NODE || *p >= l->limit)
            return false;
    }
    return **p == ',';
}

STEP const uint8_t *loop(struct loop *l, struct tk_reader *r, const uint8_t *p)
{
    const uint8_t *child = p;

    if (!is_empty_so_far(l, r) || *p == l->closing) {
        if (!close_all(l, r, &p))
            return p;
        child = p + 1;
    }
    while (l->count < l->room) {
        struct tk_node *node = &l->nodes[l->count];

        if (l->closing == '}') {
            child = read_key(l, r, child, node);
            if (!child)
                return p;
        } else {
            /* After the bracket, a space may be all that there is. */
            if (UNLIKELY(*child <= ' ') && (*p != ',' || *child != ' ' || *++child <= ' '))
                return p;
            node->key = 0;
            node->key_len = 0;
        }
        if (*child == '"') {
            p = read_string(l, r, child, node);
            if (!p || p >= l->limit)
                return p;
        } else {
            p = (*child | 0x20) == '{' && r->depth < r->limits->max_depth
                    ? open_container(l, r, child, node)
                    : read_any(l, r, child, node);
            if (!p || p >= l->limit)
                return p;
            child = p;
            if (is_empty_so_far(l, r) && *p != l->closing)
                continue;
        }
        if (*p != ',' && !close_all(l, r, &p))
            return p;
        child = p + 1;
    }
    return p;
}

TARGET static const uint8_t *read_plain(struct tk_reader *r, const uint8_t *p)
{
    struct loop l;

    if ((size_t)(r->end - p) < WINDOW + ROOM)
        return p;
    l.w = (struct window){p, r->end - WINDOW - ROOM, 0};
    l.base = r->base;
    l.limit = r->end - ROOM;
    l.watched = r->doc->watched.n;
    load(&l, r);
    p = loop(&l, r, p);
    if (p)
        store(&l, r);
    return p;
}

#endif
