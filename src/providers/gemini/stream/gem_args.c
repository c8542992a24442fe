/* SPDX-License-Identifier: Apache-2.0 */
/* Puts arguments together that come in pieces. */
#include "providers/gemini/stream/gem_args.h"

#include <errno.h>
#include <string.h>

enum {
    MAX_DEPTH =
        32, /* steps of a path: writing follows them, on a stack that may be small (src/wasm) */
};

enum node_kind {
    NODE_NEW,
    NODE_OBJECT,
    NODE_LIST,
    NODE_VALUE, /* as it came */
    NODE_TEXT,  /* a string of which pieces came */
};

struct tk_gem_arg {
    uint8_t kind; /* enum node_kind */
    bool goes_on;
    struct tk_str name;         /* of a member */
    uint32_t first, last, next; /* children, in the order in which they came; TK_NONE: none */
    uint32_t children;
    union {
        struct tk_kept value;
        struct tk_text text;
    };
};

/* Adds a node. Returns its index; TK_NONE without memory. */
static uint32_t add(struct tk_stream_turn *t, struct tk_gem_args *args, struct tk_str name)
{
    if (!TK_GROW(t->keep, args->nodes, args->count, args->capacity))
        return TK_NONE;
    args->nodes[args->count] =
        (struct tk_gem_arg){.name = name, .first = TK_NONE, .last = TK_NONE, .next = TK_NONE};
    return args->count++;
}

int tk_gem_args_init(struct tk_stream_turn *t, struct tk_gem_args *args)
{
    tk_map_init(&args->by_step, t->keep, tk_turn_hash_key(t));
    if (add(t, args, TK_STR("")) == TK_NONE)
        return -ENOMEM;
    args->nodes[0].kind = NODE_OBJECT;
    return 0;
}

/* ---- paths ---- */

/* A step of a path: a member, or an index of a list. */
struct gem_step {
    struct tk_str name; /* `.p == NULL`: an index */
    uint32_t index;
};

static bool read_index(struct tk_str digits, uint32_t *ret)
{
    uint64_t n = 0;

    if (digits.n == 0 || digits.n > 9)
        return false;
    for (size_t i = 0; i < digits.n; i++) {
        if (digits.p[i] < '0' || digits.p[i] > '9')
            return false;
        n = n * 10 + (uint64_t)(digits.p[i] - '0');
    }
    *ret = (uint32_t)n;
    return true;
}

/* Reads a step of the form [0], ['name'] or ["name"]. */
static bool read_bracket(struct tk_str *path, struct gem_step *ret)
{
    const char *close = memchr(path->p, ']', path->n), *from = path->p + 1;
    char quote = path->n > 1 ? path->p[1] : 0;
    struct tk_str inside;

    if (quote == '\'' || quote == '"') {
        from++;
        close = path->n > 2 ? memchr(from, quote, path->n - 2) : NULL;
        if (!close || close + 1 == path->p + path->n || close[1] != ']')
            return false;
        *ret = (struct gem_step){.name = {from, (size_t)(close - from)}};
        close++;
    } else {
        if (!close)
            return false;
        inside = (struct tk_str){from, (size_t)(close - from)};
        *ret = (struct gem_step){.name = {NULL, 0}};
        if (!read_index(inside, &ret->index))
            return false;
    }
    path->n -= (size_t)(close + 1 - path->p);
    path->p = close + 1;
    return true;
}

/* Reads the next step and cuts it off. Returns false for another form. */
static bool next_step(struct tk_str *path, struct gem_step *ret)
{
    size_t n = 1;

    if (path->p[0] == '[')
        return read_bracket(path, ret);
    if (path->p[0] != '.')
        return false;
    while (n < path->n && path->p[n] != '.' && path->p[n] != '[')
        n++;
    *ret = (struct gem_step){.name = {path->p + 1, n - 1}};
    path->p += n;
    path->n -= n;
    return n > 1;
}

/* ---- places ---- */

/* Returns the key of a step from a node, in the answer's arena; `.p == NULL` without memory. */
static struct tk_str key_of(struct tk_stream_turn *t, uint32_t node, const struct gem_step *step)
{
    if (!step->name.p)
        return tk_arena_printf(t->arena, "%u[%u", node, step->index);
    return tk_arena_printf(t->arena, "%u.%.*s", node, (int)step->name.n, step->name.p);
}

/* Returns true if a node may have a child by the step; a new one becomes an object or a list. */
static bool takes(struct tk_gem_arg *node, const struct gem_step *step)
{
    uint8_t kind = step->name.p ? NODE_OBJECT : NODE_LIST;

    if (node->kind == NODE_NEW)
        node->kind = kind;
    return node->kind == kind && (step->name.p || step->index <= node->children);
}

/* Adds the child of a node. Returns 0 or -ENOMEM. */
static int add_child(struct tk_stream_turn *t, struct tk_gem_args *args, uint32_t *node,
                     const struct gem_step *step, struct tk_str key)
{
    struct tk_str name = step->name.p ? tk_arena_dup(t->keep, step->name) : step->name;
    uint32_t parent = *node, child = add(t, args, name), *at;
    bool is_new;

    key = tk_arena_dup(t->keep, key);
    at = child != TK_NONE && key.p ? tk_map_put(&args->by_step, key, &is_new) : NULL;
    if (!at)
        return -ENOMEM;
    *at = *node = child;
    if (args->nodes[parent].last == TK_NONE)
        args->nodes[parent].first = child;
    else
        args->nodes[args->nodes[parent].last].next = child;
    args->nodes[parent].last = child;
    args->nodes[parent].children++;
    return 0;
}

/* Goes one step from a node, which is added if it is new. Returns 0, -ENOMEM, or 1 without a place. */
static int go(struct tk_stream_turn *t, struct tk_gem_args *args, uint32_t *node,
              const struct gem_step *step)
{
    struct tk_str key;
    const uint32_t *known;

    if (!takes(&args->nodes[*node], step))
        return 1;
    key = key_of(t, *node, step);
    if (!key.p)
        return -ENOMEM;
    known = tk_map_get(&args->by_step, key);
    if (!known)
        return add_child(t, args, node, step, key);
    *node = *known;
    return 0;
}

/* Finds the node of a path. Returns 0, -ENOMEM, or 1 if the path has another form or no place. */
static int find(struct tk_stream_turn *t, struct tk_gem_args *args, struct tk_str path,
                uint32_t *ret)
{
    struct gem_step step;
    int r = 0;

    *ret = 0;
    if (path.n < 2 || path.p[0] != '$')
        return 1;
    path = (struct tk_str){path.p + 1, path.n - 1};
    for (uint32_t depth = 0; path.n > 0 && r == 0; depth++)
        r = depth < MAX_DEPTH && next_step(&path, &step) ? go(t, args, ret, &step) : 1;
    return r;
}

/* ---- pieces ---- */

static void append(struct tk_stream_turn *t, struct tk_gem_arg *node, struct tk_val value)
{
    if (node->kind != NODE_TEXT) {
        node->kind = NODE_TEXT;
        node->text = (struct tk_text){{NULL, NULL, 0}, TK_JSON, false};
    }
    tk_text_put(t, &node->text, value);
}

int tk_gem_args_put(struct tk_stream_turn *t, struct tk_gem_args *args, struct tk_str path,
                    struct tk_val value, bool goes_on)
{
    struct tk_gem_arg *node;
    uint32_t at;
    int r = args->broken ? 1 : find(t, args, path, &at);

    if (r != 0) {
        args->broken = true;
        return r < 0 ? r : 0;
    }
    node = &args->nodes[at];
    if (node->kind == NODE_OBJECT || node->kind == NODE_LIST) {
        args->broken = true;
        return 0;
    }
    if (node->goes_on)
        args->unfinished--;
    if (!node->goes_on)
        node->kind = NODE_NEW;
    if (tk_is(value, TK_STRING)) {
        append(t, node, value);
    } else {
        node->kind = NODE_VALUE;
        node->value = tk_keep(t->keep, value);
    }
    node->goes_on = goes_on;
    if (goes_on)
        args->unfinished++;
    return 0;
}

/* ---- writing ---- */

static void write_node(struct tk_stream_turn *t, const struct tk_gem_args *args, uint32_t at,
                       struct tk_writer *w)
{
    const struct tk_gem_arg *node = &args->nodes[at];

    if (node->kind == NODE_TEXT) {
        tk_text_write(t, &node->text, w);
        return;
    }
    if (node->kind == NODE_VALUE) {
        tk_turn_write_kept(t, &node->value, w);
        return;
    }
    if (node->kind == NODE_LIST)
        tk_write_list(w);
    else
        tk_write_map(w);
    for (uint32_t i = node->first; i != TK_NONE; i = args->nodes[i].next) {
        if (node->kind != NODE_LIST)
            tk_write_key_str(w, args->nodes[i].name);
        write_node(t, args, i, w);
    }
    tk_write_end(w);
}

void tk_gem_args_write(struct tk_stream_turn *t, const struct tk_gem_args *args,
                       struct tk_writer *w)
{
    write_node(t, args, 0, w);
}
