/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks a value's tape from left to right and keeps the open containers on a stack of its own:
 * documents may be nested deeper than the C stack allows.
 */
#include "value/compact.h"

#include "value/json_text.h"
#include "value/msgpack_format.h"
#include "value/number.h"

#include <inttypes.h>
#include <stdio.h>

struct open {
    uint32_t node;
    bool any; /* a child was written */
};

struct compaction {
    struct tk_out *out;
    const struct tk_doc *doc;
    struct open *open; /* outermost first */
    uint32_t depth, capacity;
};

static bool push(struct compaction *w, uint32_t node)
{
    if (!TK_GROW(w->out->arena, w->open, w->depth, w->capacity))
        return false;
    w->open[w->depth++] = (struct open){node, false};
    return true;
}

/* Writes a number as JSON. Returns its size in bytes. */
static size_t number_text(struct tk_val v, char text[static TK_REAL_TEXT_MAX])
{
    const uint8_t *p = (const uint8_t *)tk_span(v).p;
    int64_t n;

    if (tk_is(v, TK_REAL))
        return tk_real_text(tk_msgpack_real(p), text);
    if (tk_int64(v, &n))
        return (size_t)snprintf(text, TK_REAL_TEXT_MAX, "%" PRId64, n);
    return (size_t)snprintf(text, TK_REAL_TEXT_MAX, "%" PRIu64, tk_load_be(p + 1, 8));
}

static bool is_number(struct tk_val v)
{
    return (tk_is(v, TK_INT) || tk_is(v, TK_REAL)) && !(tk_node(v)->flags & TK_NODE_FOREIGN);
}

/* Returns the word for a scalar that is neither a string nor a number. bin and ext are null, since JSON has neither;
 * requests with such values are refused before. */
static struct tk_str word_of(struct tk_val v)
{
    static const struct tk_str words[] = {
        [TK_NULL] = {"null", 4}, [TK_FALSE] = {"false", 5}, [TK_TRUE] = {"true", 4}};

    return words[tk_node(v)->flags & TK_NODE_FOREIGN ? TK_NULL : tk_node(v)->kind];
}

static void put_msgpack_scalar(struct tk_out *out, struct tk_val v)
{
    char text[TK_REAL_TEXT_MAX];

    if (tk_is(v, TK_STRING))
        tk_json_put_string(out, tk_raw(v));
    else if (is_number(v))
        tk_out_put(out, text, number_text(v, text));
    else
        tk_out_put(out, word_of(v).p, word_of(v).n);
}

static void put_key(struct tk_out *out, struct tk_val member)
{
    struct tk_str key = tk_raw_key(member);

    if (member.doc->codec == TK_MSGPACK) {
        tk_json_put_string(out, key);
    } else {
        tk_out_ref(out, (struct tk_str){key.p - 1, key.n + 2}); /* with its quotes */
    }
    tk_out_put(out, ":", 1);
}

/* Writes a scalar, or the bracket that opens a container. */
static bool put_value(struct compaction *w, struct tk_val v)
{
    if (tk_is(v, TK_OBJECT) || tk_is(v, TK_ARRAY)) {
        tk_out_put(w->out, tk_is(v, TK_OBJECT) ? "{" : "[", 1);
        return push(w, v.node);
    }
    if (v.doc->codec == TK_MSGPACK)
        put_msgpack_scalar(w->out, v);
    else
        tk_out_ref(w->out, tk_span(v));
    return true;
}

/* Closes the containers that end before a node. */
static void close_until(struct compaction *w, uint32_t node)
{
    while (w->depth > 0) {
        const struct tk_node *innermost = &w->doc->nodes[w->open[w->depth - 1].node];

        if (innermost->next > node)
            return;
        tk_out_put(w->out, innermost->kind == TK_OBJECT ? "}" : "]", 1);
        w->depth--;
    }
}

void tk_compact_json(struct tk_out *out, struct tk_val v,
                     bool (*skip)(struct tk_val member, struct tk_arena *arena))
{
    struct compaction w = {.out = out, .doc = v.doc};
    uint32_t end = tk_node(v)->next;
    bool ok = put_value(&w, v);

    for (uint32_t i = v.node + 1; ok && i < end;) {
        struct tk_val at = {v.doc, i};
        bool member = tk_node(at)->key != 0;

        close_until(&w, i);
        if (member && skip && skip(at, out->arena)) {
            i = tk_node(at)->next;
            continue;
        }
        if (w.open[w.depth - 1].any)
            tk_out_put(out, ",", 1);
        w.open[w.depth - 1].any = true;
        if (member)
            put_key(out, at);
        ok = put_value(&w, at);
        i++;
    }
    close_until(&w, end);
}

/* ---- the size alone ---- */

/* Returns the size of a scalar, or of the brackets of a container. */
static size_t value_size(struct tk_val v)
{
    char text[TK_REAL_TEXT_MAX];

    if (tk_is(v, TK_OBJECT) || tk_is(v, TK_ARRAY))
        return 2;
    if (v.doc->codec == TK_JSON)
        return tk_node(v)->len;
    if (tk_is(v, TK_STRING))
        return tk_json_string_size(tk_raw(v));
    return is_number(v) ? number_text(v, text) : word_of(v).n;
}

size_t tk_compact_key_size(struct tk_val member)
{
    struct tk_str key = tk_raw_key(member);

    return (member.doc->codec == TK_JSON ? key.n + 2 : tk_json_string_size(key)) + 1;
}

/* Every value but the first of its container has a comma before it. */
size_t tk_compact_size(struct tk_val v)
{
    size_t size = value_size(v);

    size -= tk_exists(tk_first(v));
    for (uint32_t i = v.node + 1; i < tk_node(v)->next; i++) {
        struct tk_val at = {v.doc, i};

        size += 1 + value_size(at);
        size -= tk_exists(tk_first(at));
        size += tk_node(at)->key != 0 ? tk_compact_key_size(at) : 0;
    }
    return size;
}
