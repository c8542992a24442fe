/* SPDX-License-Identifier: Apache-2.0 */
#include "value/splice.h"

/* Bytes of root before `from` and from `to` on, with `middle` between them. */
static struct tk_str cut(struct tk_arena *arena, struct tk_val root, size_t from, size_t to,
                         struct tk_str middle)
{
    struct tk_str all = tk_span(root);
    size_t base = tk_node(root)->off;

    return tk_arena_concat(
        arena,
        (struct tk_str[]){{all.p, from - base}, middle, {all.p + (to - base), all.n - (to - base)}},
        3);
}

static size_t end_of(struct tk_val v)
{
    return (size_t)tk_node(v)->off + tk_node(v)->len;
}

struct tk_str tk_splice_replace(struct tk_arena *arena, struct tk_val root, struct tk_val target,
                                struct tk_str value)
{
    return cut(arena, root, tk_node(target)->off, end_of(target), value);
}

/* The sibling in front; not there for the first child. */
static struct tk_val before(struct tk_val parent, struct tk_val target)
{
    struct tk_val prev = TK_NO_VAL;

    for (struct tk_val v = tk_first(parent); v.node != target.node; v = tk_after(parent, v))
        prev = v;
    return prev;
}

static struct tk_str remove_json(struct tk_arena *arena, struct tk_val root, struct tk_val parent,
                                 struct tk_val target)
{
    struct tk_val prev = before(parent, target), next = tk_after(parent, target);
    bool member = tk_is(parent, TK_OBJECT);
    size_t from = member ? tk_node(target)->key - 1u : tk_node(target)->off;
    size_t to = end_of(target);

    if (tk_exists(next))
        to = member ? tk_node(next)->key - 1u : tk_node(next)->off;
    else if (tk_exists(prev))
        from = end_of(prev);
    return cut(arena, root, from, to, (struct tk_str){"", 0});
}

/* ---- msgpack: containers begin with their count ---- */

struct header {
    size_t size;
    uint32_t count;
};

static struct header header_of(struct tk_val container)
{
    const uint8_t *p = container.doc->base + tk_node(container)->off;

    if (p[0] < 0xa0)
        return (struct header){1, p[0] & 0x0fu};
    if (p[0] == 0xdc || p[0] == 0xde)
        return (struct header){3, (uint32_t)p[1] << 8 | p[2]};
    return (struct header){5, (uint32_t)p[1] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 8 |
                                  p[4]};
}

/* A header of at least `size` bytes for count elements. */
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

/* root with the header of `parent` counting `count`, and [from, to) behind it replaced. */
static struct tk_str recount(struct tk_arena *arena, struct tk_val root, struct tk_val parent,
                             uint32_t count, size_t from, size_t to, struct tk_str middle)
{
    struct header h = header_of(parent);
    size_t at = tk_node(parent)->off, base = tk_node(root)->off;
    struct tk_str all = tk_span(root);
    uint8_t buf[5];
    size_t n = write_header(buf, tk_is(parent, TK_OBJECT), count, h.size);

    return tk_arena_concat(arena,
                           (struct tk_str[]){{all.p, at - base},
                                             {(const char *)buf, n},
                                             {all.p + (at + h.size - base), from - at - h.size},
                                             middle,
                                             {all.p + (to - base), all.n - (to - base)}},
                           5);
}

static struct tk_str remove_msgpack(struct tk_arena *arena, struct tk_val root,
                                    struct tk_val parent, struct tk_val target)
{
    struct tk_val prev = before(parent, target);
    struct header h = header_of(parent);
    size_t from = tk_exists(prev) ? end_of(prev) : tk_node(parent)->off + h.size;

    return recount(arena, root, parent, h.count - 1, from, end_of(target), (struct tk_str){"", 0});
}

struct tk_str tk_splice_remove(struct tk_arena *arena, struct tk_val root, struct tk_val parent,
                               struct tk_val target)
{
    return root.doc->codec == TK_JSON ? remove_json(arena, root, parent, target)
                                      : remove_msgpack(arena, root, parent, target);
}

struct tk_str tk_splice_add(struct tk_arena *arena, struct tk_val root, struct tk_val parent,
                            const char *key, struct tk_str value)
{
    struct tk_val last = TK_NO_VAL;
    struct tk_writer w;
    struct tk_out out;
    struct tk_str k;
    size_t at;

    for (struct tk_val v = tk_first(parent); tk_exists(v); v = tk_after(parent, v))
        last = v;
    tk_out_init(&out, arena);
    tk_writer_init(&w, (enum tk_codec)root.doc->codec, &out);
    tk_write_cstr(&w, key);
    k = tk_out_join(&out);
    if (root.doc->codec == TK_MSGPACK)
        return recount(arena, root, parent, header_of(parent).count + 1, end_of(parent),
                       end_of(parent), tk_arena_concat(arena, (struct tk_str[]){k, value}, 2));
    at = tk_exists(last) ? end_of(last) : tk_node(parent)->off + 1u;
    return cut(arena, root, at, at,
               tk_arena_concat(arena,
                               (struct tk_str[]){tk_exists(last) ? TK_STR(",") : TK_STR(""), k,
                                                 TK_STR(":"), value},
                               4));
}

/* ---- on its way out ---- */

struct tk_str tk_span_before(struct tk_val root, struct tk_val inside)
{
    return (struct tk_str){tk_span(root).p, tk_node(inside)->off - tk_node(root)->off};
}

struct tk_str tk_span_behind(struct tk_val root, struct tk_val inside)
{
    struct tk_str all = tk_span(root);
    size_t from = end_of(inside) - tk_node(root)->off;

    return (struct tk_str){all.p + from, all.n - from};
}

/* An object's members with what stands between them; nothing for an empty one. */
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

void tk_write_with_member(struct tk_writer *w, struct tk_val object, struct tk_str key,
                          struct tk_val value)
{
    struct tk_val old = tk_get(object, key);
    struct tk_str members;
    uint32_t count;

    if (tk_exists(old)) {
        tk_write_raw(w, tk_span_before(object, old));
        tk_out_ref(w->out, tk_span(value));
        tk_out_ref(w->out, tk_span_behind(object, old));
        return;
    }
    members = span_of_members(object, &count);
    tk_write_map(w);
    if (count > 0)
        tk_write_run(w, members, count);
    tk_write_key_str(w, key);
    tk_write_val(w, value);
    tk_write_end(w);
}
