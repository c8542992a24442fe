/* SPDX-License-Identifier: Apache-2.0 */
/*
 *     new version:  [old 0-90] [new 12] [old 130-4000] [new 3] [old 4100-9000]
 *     changes:      90-130 -> new 12, 4000-4100 -> new 3
 *
 * Each change is then made shorter by the bytes that its text has in common with what it replaces, at
 * the beginning and at the end: a writer puts brackets and commas that are there already, and an
 * edited part is written as a whole.
 */
#include "value/rewrite.h"

#include "value/ascending.h"

#define IS_NEW SIZE_MAX

/* A piece of the new version. */
struct piece {
    struct tk_str bytes;
    size_t from; /* its offset in the version that was received, or IS_NEW */
};

struct pieces {
    struct piece *list;
    uint32_t count, capacity;
    struct tk_arena *arena;
};

void tk_rewrite_begin(struct tk_rewrite *r, struct tk_val old, const struct tk_rewrite *earlier,
                      struct tk_arena *arena)
{
    *r = (struct tk_rewrite){.old = tk_span(old), .earlier = earlier};
    tk_out_init(&r->out, arena);
    r->out.referred = r->old;
    tk_writer_init(&r->w, (enum tk_codec)old.doc->codec, &r->out);
}

struct tk_str tk_rewrite_join(struct tk_rewrite *r)
{
    size_t at = 0;

    r->starts = tk_arena_zalloc(r->out.arena, r->out.count, sizeof(*r->starts));
    for (size_t i = 0; r->starts && i < r->out.count; i++) {
        r->starts[i] = at;
        at += r->out.pieces[i].iov_len;
    }
    return r->starts ? tk_out_join(&r->out) : (struct tk_str){NULL, 0};
}

/* ---- where the bytes of the new version come from ---- */

static bool is_inside(struct tk_str outer, struct tk_str s)
{
    uintptr_t start = (uintptr_t)outer.p, at = (uintptr_t)s.p;

    return at >= start && at - start <= outer.n && s.n <= outer.n - (at - start);
}

static void add_piece(struct pieces *p, struct tk_str bytes, size_t from)
{
    if (bytes.n > 0 && TK_GROW(p->arena, p->list, p->count, p->capacity))
        p->list[p->count++] = (struct piece){bytes, from};
}

/* Returns the last piece of a joined version that begins at an offset or before it. */
static size_t piece_at(const struct tk_rewrite *r, size_t offset)
{
    size_t low = 0, high = r->out.count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (r->starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void trace(struct pieces *p, const struct tk_rewrite *r, struct tk_str s);

/* Adds the pieces that bytes of an earlier version were made of. */
static void trace_earlier(struct pieces *p, const struct tk_rewrite *r, size_t offset, size_t n)
{
    for (size_t i = piece_at(r, offset); n > 0 && i < r->out.count; i++) {
        size_t skipped = offset - r->starts[i], rest = r->out.pieces[i].iov_len - skipped;
        size_t taken = rest < n ? rest : n;

        trace(p, r, (struct tk_str){(char *)r->out.pieces[i].iov_base + skipped, taken});
        offset += taken;
        n -= taken;
    }
}

/* Adds the pieces that bytes of a version consist of. */
static void trace(struct pieces *p, const struct tk_rewrite *r, struct tk_str s)
{
    if (!is_inside(r->old, s))
        add_piece(p, s, IS_NEW);
    else if (r->earlier)
        trace_earlier(p, r->earlier, (size_t)(s.p - r->old.p), s.n);
    else
        add_piece(p, s, (size_t)(s.p - r->old.p));
}

/* Marks as new what can't stay where it is. */
static void choose(struct pieces *p)
{
    struct tk_range *ranges = tk_arena_zalloc(p->arena, p->count, sizeof(*ranges));
    size_t n = 0;

    if (!ranges)
        return;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->list[i].from != IS_NEW)
            ranges[n++] = (struct tk_range){.from = p->list[i].from, .n = p->list[i].bytes.n};
    tk_choose_ascending(ranges, n, p->arena);
    n = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->list[i].from != IS_NEW && !ranges[n++].stays)
            p->list[i].from = IS_NEW;
}

/* ---- the changes ---- */

/* Sizes that are compared at once. */
#define BLOCK ((size_t)256)

static size_t common_start(struct tk_str a, struct tk_str b)
{
    size_t n = a.n < b.n ? a.n : b.n, i = 0;

    while (n - i >= BLOCK && memcmp(a.p + i, b.p + i, BLOCK) == 0)
        i += BLOCK;
    while (i < n && a.p[i] == b.p[i])
        i++;
    return i;
}

static size_t common_end(struct tk_str a, struct tk_str b)
{
    size_t n = a.n < b.n ? a.n : b.n, i = 0;

    while (n - i >= BLOCK && memcmp(a.p + a.n - i - BLOCK, b.p + b.n - i - BLOCK, BLOCK) == 0)
        i += BLOCK;
    while (i < n && a.p[a.n - i - 1] == b.p[b.n - i - 1])
        i++;
    return i;
}

/* Returns true if the byte isn't the first of its UTF-8 character. */
static bool continues(struct tk_str s, size_t at)
{
    return at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80;
}

/* Makes both shorter by their common start. Returns its size, which is that of whole characters. */
static size_t cut_start(struct tk_str *a, struct tk_str *b)
{
    size_t n = common_start(*a, *b);

    while (n > 0 && (continues(*a, n) || continues(*b, n)))
        n--;
    *a = (struct tk_str){a->p + n, a->n - n};
    *b = (struct tk_str){b->p + n, b->n - n};
    return n;
}

/* Makes both shorter by their common end, which are whole characters. */
static void cut_end(struct tk_str *a, struct tk_str *b)
{
    size_t n = common_end(*a, *b);

    while (n > 0 && continues(*a, a->n - n))
        n--;
    a->n -= n;
    b->n -= n;
}

/* Returns the bytes of adjacent pieces; `.p == NULL` without memory. */
static struct tk_str text_of(const struct piece *list, size_t n, struct tk_arena *arena)
{
    size_t size = 0;
    char *text, *at;

    if (n == 1)
        return list[0].bytes;
    for (size_t i = 0; i < n; i++)
        size += list[i].bytes.n;
    text = at = tk_arena_alloc(arena, size);
    if (!text)
        return (struct tk_str){NULL, 0};
    for (size_t i = 0; i < n; i++) {
        memcpy(at, list[i].bytes.p, list[i].bytes.n);
        at += list[i].bytes.n;
    }
    return (struct tk_str){text, size};
}

struct changes {
    struct tk_writer *w;
    const char *key;
    bool any; /* the list is open */
};

/* Writes a change of the bytes `old`, which begin at `from`, unless it changes nothing. */
static void write_change(struct changes *c, size_t from, struct tk_str old, struct tk_str text)
{
    if (!text.p)
        return;
    from += cut_start(&old, &text);
    cut_end(&old, &text);
    if (old.n == 0 && text.n == 0)
        return;
    if (!c->any) {
        tk_write_key(c->w, c->key);
        tk_write_list(c->w);
        c->any = true;
    }
    tk_write_list(c->w);
    tk_write_uint(c->w, from);
    tk_write_uint(c->w, old.n);
    tk_write_str(c->w, text);
    tk_write_end(c->w);
}

/* Writes a change for each gap between pieces that stay. */
static void write_changes(struct changes *c, const struct pieces *p, struct tk_str received)
{
    size_t at = 0; /* all before this offset is done */

    for (uint32_t i = 0; i <= p->count; i++) {
        uint32_t first = i;
        size_t to;

        while (i < p->count && p->list[i].from == IS_NEW)
            i++;
        to = i < p->count ? p->list[i].from : received.n;
        write_change(c, at, (struct tk_str){received.p + at, to - at},
                     text_of(&p->list[first], i - first, p->arena));
        if (i < p->count)
            at = to + p->list[i].bytes.n;
    }
}

void tk_rewrite_write(const struct tk_rewrite *r, struct tk_writer *w, const char *key)
{
    struct pieces pieces = {.arena = r->out.arena};
    struct changes changes = {.w = w, .key = key};
    const struct tk_rewrite *first = r;

    while (first->earlier)
        first = first->earlier;
    for (size_t i = 0; i < r->out.count; i++)
        trace(&pieces, r, (struct tk_str){r->out.pieces[i].iov_base, r->out.pieces[i].iov_len});
    choose(&pieces);
    if (tk_arena_failed(pieces.arena))
        return;
    write_changes(&changes, &pieces, first->old);
    if (changes.any)
        tk_write_end(w);
}
