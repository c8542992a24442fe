/* SPDX-License-Identifier: Apache-2.0 */
#include "shrink.h"

#include "../fuzz/must.h"
#include "value/writer.h"

static const struct tk_read_limits limits = {256, UINT32_MAX, {15, 16}};

static void read_json(struct tk_doc *doc, struct tk_str json, struct tk_arena *arena)
{
    struct tk_read_error error;

    MUST(tk_json_read(doc, json.p, json.n, &limits, arena, &error) == 0);
}

/* ---- less of it ---- */

static uint32_t start_of(const struct tk_doc *doc, uint32_t node)
{
    return doc->nodes[node].key > 0 ? doc->nodes[node].key - 1 : doc->nodes[node].off;
}

static uint32_t end_of(const struct tk_doc *doc, uint32_t node)
{
    return doc->nodes[node].off + doc->nodes[node].len;
}

static uint32_t parent_of(const struct tk_doc *doc, uint32_t node)
{
    uint32_t parent = node - 1;

    while (doc->nodes[parent].next <= node)
        parent--;
    return parent;
}

/* The document without a node that isn't its root, nor the comma on one side of it. */
static struct tk_str without(const struct tk_doc *doc, uint32_t node, struct tk_arena *arena)
{
    uint32_t parent = parent_of(doc, node), before = TK_NO_NODE, next = doc->nodes[node].next;
    uint32_t from = start_of(doc, node), to = end_of(doc, node);
    struct tk_str pieces[2];

    for (uint32_t i = parent + 1; i < node; i = doc->nodes[i].next)
        before = i;
    if (next < doc->nodes[parent].next)
        to = start_of(doc, next);
    else if (before != TK_NO_NODE)
        from = end_of(doc, before);
    pieces[0] = (struct tk_str){(const char *)doc->base, from};
    pieces[1] = (struct tk_str){(const char *)doc->base + to, doc->size - to};
    return tk_arena_concat(arena, pieces, 2);
}

/* Returns the document in plain spelling. */
static struct tk_str plain(struct tk_str json, struct tk_arena *arena)
{
    struct tk_doc doc;
    struct tk_writer w;
    struct tk_out out;

    tk_doc_init(&doc, tk_libc_allocator);
    read_json(&doc, json, arena);
    if (!doc.has_surrogate) {
        tk_out_init(&out, arena);
        tk_writer_init(&w, TK_MSGPACK, &out);
        tk_write_any(&w, tk_root(&doc));
        json = tk_out_join(&out);
        MUST(tk_msgpack_read(&doc, json.p, json.n, &limits, arena, &(struct tk_read_error){0}) ==
             0);
        tk_out_init(&out, arena);
        tk_writer_init(&w, TK_JSON, &out);
        tk_write_any(&w, tk_root(&doc));
        json = tk_out_join(&out);
    }
    tk_doc_done(&doc);
    return json;
}

/* ---- again and again ---- */

/* One walk over all that can go; whether something went. */
static bool walk(struct tk_str *json, bool (*found)(void *arg, struct tk_str json), void *arg,
                 unsigned *tries, struct tk_arena *arena)
{
    bool less = false;
    struct tk_doc doc;

    tk_doc_init(&doc, tk_libc_allocator);
    read_json(&doc, *json, arena);
    for (uint32_t node = 1; node<doc.count && * tries> 0;) {
        struct tk_str smaller = without(&doc, node, arena);

        --*tries;
        if (!found(arg, smaller)) {
            node++;
            continue;
        }
        *json = smaller;
        less = true;
        read_json(&doc, *json, arena);
    }
    tk_doc_done(&doc);
    return less;
}

struct tk_str shrink(struct tk_str json, bool (*found)(void *arg, struct tk_str json), void *arg,
                     unsigned tries, struct tk_arena *arena)
{
    struct tk_str simple = plain(json, arena);

    if (found(arg, simple))
        json = simple;
    while (walk(&json, found, arg, &tries, arena))
        ;
    return json;
}
