/* SPDX-License-Identifier: Apache-2.0 */
#include "value/splice.h"

static size_t end_of(struct tk_val v)
{
    return (size_t)tk_node(v)->off + tk_node(v)->len;
}

/* ---- cuts ---- */

/*
 * Sorts cuts by their bytes. Only the cut of a container's header can be out of order, after cuts
 * inside the container: a header's cut moves before those.
 */
static void put_in_order(struct tk_cut *cuts, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct tk_cut c = cuts[i];
        size_t to = i;

        for (; to > 0 && cuts[to - 1].from > c.from; to--)
            cuts[to] = cuts[to - 1];
        cuts[to] = c;
    }
}

struct tk_str tk_splice_cuts(struct tk_arena *arena, struct tk_val root, struct tk_cut *cuts,
                             size_t n)
{
    const char *base = (const char *)root.doc->base;
    size_t at = tk_node(root)->off, piece = 0;
    struct tk_str *pieces = tk_arena_alloc(arena, (2 * n + 1) * sizeof(*pieces));

    if (!pieces)
        return (struct tk_str){0};
    put_in_order(cuts, n);
    for (size_t i = 0; i < n; i++) {
        pieces[piece++] = (struct tk_str){base + at, cuts[i].from - at};
        pieces[piece++] = cuts[i].with;
        at = cuts[i].to;
    }
    pieces[piece++] = (struct tk_str){base + at, end_of(root) - at};
    return tk_arena_concat(arena, pieces, piece);
}

struct tk_cut tk_cut_replace(struct tk_val target, struct tk_str value)
{
    return (struct tk_cut){tk_node(target)->off, end_of(target), value};
}

static struct tk_str cut(struct tk_arena *arena, struct tk_val root, struct tk_cut c)
{
    return tk_splice_cuts(arena, root, &c, 1);
}

/* Returns the sibling before a child; absent for the first one. */
static struct tk_val before(struct tk_val parent, struct tk_val target)
{
    struct tk_val prev = TK_NO_VAL;

    for (struct tk_val v = tk_first(parent); v.node != target.node; v = tk_after(parent, v))
        prev = v;
    return prev;
}

/* Returns the cut of a child and one comma next to it. */
static struct tk_cut json_cut(struct tk_val parent, struct tk_val target)
{
    struct tk_val prev = before(parent, target), next = tk_after(parent, target);
    bool member = tk_is(parent, TK_OBJECT);
    size_t from = member ? tk_node(target)->key - 1u : tk_node(target)->off;
    size_t to = end_of(target);

    if (tk_exists(next))
        to = member ? tk_node(next)->key - 1u : tk_node(next)->off;
    else if (tk_exists(prev))
        from = end_of(prev);
    return (struct tk_cut){from, to, TK_STR("")};
}

/* ---- msgpack: a container begins with its count ---- */

struct splice_header {
    size_t size;
    uint32_t count;
};

static struct splice_header header_of(struct tk_val container)
{
    const uint8_t *p = container.doc->base + tk_node(container)->off;

    if (p[0] < 0xa0)
        return (struct splice_header){1, p[0] & 0x0fu};
    if (p[0] == 0xdc || p[0] == 0xde)
        return (struct splice_header){3, (uint32_t)p[1] << 8 | p[2]};
    return (struct splice_header){5, (uint32_t)p[1] << 24 | (uint32_t)p[2] << 16 |
                                         (uint32_t)p[3] << 8 | p[4]};
}

/* Writes a container's header for `count` children, in at least `size` bytes. Returns its size. */
static size_t write_header(uint8_t *buf, bool map, uint32_t count, size_t size)
{
    if (size <= 1 && count < 16) {
        buf[0] = (uint8_t)((map ? 0x80 : 0x90) | count);
        return 1;
    }
    if (size <= 3 && count <= UINT16_MAX) {
        buf[0] = map ? 0xde : 0xdc;
        buf[1] = (uint8_t)(count >> 8);
        buf[2] = (uint8_t)count;
        return 3;
    }
    buf[0] = map ? 0xdf : 0xdd;
    for (int i = 0; i < 4; i++)
        buf[1 + i] = (uint8_t)(count >> (24 - 8 * i));
    return 5;
}

/* Returns the cut that sets the count of `parent`; `.with.p == NULL` without memory. */
static struct tk_cut recount(struct tk_arena *arena, struct tk_val parent, uint32_t count)
{
    size_t from = tk_node(parent)->off, size = header_of(parent).size, n;
    uint8_t *header = tk_arena_alloc(arena, 5);

    if (!header)
        return (struct tk_cut){from, from, {0}};
    n = write_header(header, tk_is(parent, TK_OBJECT), count, size);
    return (struct tk_cut){from, from + size, {(const char *)header, n}};
}

size_t tk_cut_remove(struct tk_arena *arena, struct tk_val parent, struct tk_val target,
                     struct tk_cut ret[2])
{
    struct splice_header h;
    struct tk_val prev;

    if (parent.doc->codec == TK_JSON) {
        ret[0] = json_cut(parent, target);
        return 1;
    }
    h = header_of(parent);
    prev = before(parent, target);
    ret[0] = recount(arena, parent, h.count - 1);
    ret[1] = (struct tk_cut){tk_exists(prev) ? end_of(prev) : tk_node(parent)->off + h.size,
                             end_of(target), TK_STR("")};
    return ret[0].with.p ? 2 : 0;
}

/* ---- one change ---- */

struct tk_str tk_splice_replace(struct tk_arena *arena, struct tk_val root, struct tk_val target,
                                struct tk_str value)
{
    return cut(arena, root, tk_cut_replace(target, value));
}

struct tk_str tk_splice_remove(struct tk_arena *arena, struct tk_val root, struct tk_val parent,
                               struct tk_val target)
{
    struct tk_cut cuts[2];
    size_t n = tk_cut_remove(arena, parent, target, cuts);

    return n == 0 ? (struct tk_str){0} : tk_splice_cuts(arena, root, cuts, n);
}

struct tk_str tk_splice_add(struct tk_arena *arena, struct tk_val root, struct tk_val parent,
                            const char *key, struct tk_str value)
{
    struct tk_val last = TK_NO_VAL;
    struct tk_encoding e;
    struct tk_str k;
    size_t at;

    for (struct tk_val v = tk_first(parent); tk_exists(v); v = tk_after(parent, v))
        last = v;
    tk_encode_begin(&e, (enum tk_codec)root.doc->codec, arena);
    tk_write_cstr(&e.w, key);
    k = tk_encode_end(&e);
    if (root.doc->codec == TK_MSGPACK) {
        struct tk_cut cuts[2] = {
            recount(arena, parent, header_of(parent).count + 1),
            {end_of(parent), end_of(parent),
             tk_arena_concat(arena, (struct tk_str[]){k, value}, 2)},
        };

        return cuts[0].with.p ? tk_splice_cuts(arena, root, cuts, 2) : (struct tk_str){0};
    }
    at = tk_exists(last) ? end_of(last) : tk_node(parent)->off + 1u;
    return cut(arena, root,
               (struct tk_cut){
                   at, at,
                   tk_arena_concat(arena,
                                   (struct tk_str[]){tk_exists(last) ? TK_STR(",") : TK_STR(""), k,
                                                     TK_STR(":"), value},
                                   4)});
}

static const char *end_at(struct tk_val v)
{
    struct tk_str s = tk_span(v);

    return s.p + s.n;
}

/* JSON: a member that stays keeps the comma and white space before it, except the first one. */
struct tk_str tk_splice_without(struct tk_arena *arena, struct tk_val object,
                                bool (*goes)(const void *arg, struct tk_val member),
                                const void *arg)
{
    bool json = object.doc->codec == TK_JSON;
    const char *base = (const char *)object.doc->base;
    size_t size = json ? 1 : header_of(object).size;
    const char *from = tk_span(object).p + size;
    struct tk_str *pieces = tk_arena_alloc(arena, (tk_count(object) + 2) * sizeof(*pieces));
    uint32_t kept = 0;

    if (!pieces)
        return (struct tk_str){0};
    pieces[0] = (struct tk_str){tk_span(object).p, size};
    for (struct tk_val v = tk_first(object); tk_exists(v); v = tk_after(object, v)) {
        if (!goes(arg, v)) {
            if (json && kept == 0)
                from = base + tk_node(v)->key - 1;
            pieces[1 + kept++] = (struct tk_str){from, (size_t)(end_at(v) - from)};
        }
        from = end_at(v);
    }
    if (!json)
        pieces[0] = recount(arena, object, kept).with;
    pieces[kept + 1] = (struct tk_str){from, (size_t)(end_at(object) - from)};
    return pieces[0].p ? tk_arena_concat(arena, pieces, kept + 2) : (struct tk_str){0};
}

/* ---- changes while writing ---- */

struct tk_str tk_span_before(struct tk_val root, struct tk_val inside)
{
    return (struct tk_str){tk_span(root).p, tk_node(inside)->off - tk_node(root)->off};
}

struct tk_str tk_span_after(struct tk_val root, struct tk_val inside)
{
    struct tk_str all = tk_span(root);
    size_t from = end_of(inside) - tk_node(root)->off;

    return (struct tk_str){all.p + from, all.n - from};
}

/* Returns the bytes from an object's first member to its last; empty for an empty object. */
static struct tk_str span_of_members(struct tk_val object, uint32_t *ret_count)
{
    const char *base = (const char *)object.doc->base;
    struct tk_val last = TK_NO_VAL;
    size_t from = tk_node(object)->off;

    *ret_count = 0;
    for (struct tk_val v = tk_first(object); tk_exists(v); v = tk_after(object, v)) {
        last = v;
        ++*ret_count;
    }
    if (*ret_count == 0)
        return (struct tk_str){"", 0};
    from += object.doc->codec == TK_JSON ? 1 : header_of(object).size;
    return (struct tk_str){base + from, end_of(last) - from};
}

static size_t change_of(struct tk_val member, const struct tk_member_change *changes, size_t n)
{
    size_t i = 0;

    while (i < n && !tk_key_is(member, changes[i].key))
        i++;
    return i;
}

/* Writes a member's new value after a key that is written already. */
static void write_in_place(struct tk_writer *w, const struct tk_member_change *change)
{
    struct tk_writer inner;

    tk_writer_init(&inner, w->codec, w->out);
    change->write(&inner, change->arg);
}

/*
 * Writes the object's bytes `all` with the new values of members that change. run: `all` is the bytes
 * of that many members, for an object that is open in the writer; 0: it is the whole object.
 */
static void write_bytes(struct tk_writer *w, struct tk_val object, struct tk_str all, uint32_t run,
                        const struct tk_member_change *changes, size_t n)
{
    const char *base = (const char *)object.doc->base, *at = all.p;
    bool begun = false;

    for (struct tk_val v = tk_first(object);; v = tk_after(object, v)) {
        size_t i = tk_exists(v) ? change_of(v, changes, n) : n;
        const char *to = tk_exists(v) ? base + tk_node(v)->off : all.p + all.n;
        struct tk_str piece = {at, (size_t)(to - at)};

        if (tk_exists(v) && i == n)
            continue;
        if (begun)
            tk_out_ref(w->out, piece);
        else if (run > 0)
            tk_write_run(w, piece, run);
        else
            tk_write_raw(w, piece);
        if (!tk_exists(v))
            return;
        write_in_place(w, &changes[i]);
        begun = true;
        at = base + end_of(v);
    }
}

void tk_write_with_changes(struct tk_writer *w, struct tk_val object,
                           const struct tk_member_change *changes, size_t n)
{
    uint32_t count;
    struct tk_str members = span_of_members(object, &count);
    size_t there = 0;

    for (size_t i = 0; i < n; i++)
        there += tk_exists(tk_get(object, changes[i].key));
    if (there == n) {
        write_bytes(w, object, tk_span(object), 0, changes, n);
        return;
    }
    tk_write_map(w);
    if (count > 0)
        write_bytes(w, object, members, count, changes, n);
    for (size_t i = 0; i < n; i++) {
        if (tk_exists(tk_get(object, changes[i].key)))
            continue;
        tk_write_key_str(w, changes[i].key);
        changes[i].write(w, changes[i].arg);
    }
    tk_write_end(w);
}

static void write_given(struct tk_writer *w, const void *arg)
{
    const struct tk_val *value = arg;

    tk_write_val(w, *value);
}

void tk_write_with_member(struct tk_writer *w, struct tk_val object, struct tk_str key,
                          struct tk_val value)
{
    const struct tk_member_change change = {key, write_given, &value};

    tk_write_with_changes(w, object, &change, 1);
}
