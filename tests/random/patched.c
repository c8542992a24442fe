/* SPDX-License-Identifier: Apache-2.0 */
#include "patched.h"

#include "../fuzz/must.h"

enum {
    MAX_TOKENS = 64,
};

struct patched *patched_new(struct tk_val root, struct tk_arena *arena)
{
    struct patched *node = tk_arena_zalloc(arena, 1, sizeof(*node));

    MUST(node && tk_exists(root));
    node->from = root;
    return node;
}

static void insert(struct patched *node, uint32_t at, struct patched *item, struct tk_str key,
                   struct tk_arena *arena)
{
    if (node->count == node->capacity) {
        uint32_t more = node->capacity < 4 ? 8 : node->capacity * 2;

        node->items = tk_arena_grow(arena, node->items, node->capacity * sizeof(*node->items),
                                    more * sizeof(*node->items));
        node->keys = tk_arena_grow(arena, node->keys, node->capacity * sizeof(*node->keys),
                                   more * sizeof(*node->keys));
        MUST(node->items && node->keys);
        node->capacity = more;
    }
    memmove(node->items + at + 1, node->items + at, (node->count - at) * sizeof(*node->items));
    memmove(node->keys + at + 1, node->keys + at, (node->count - at) * sizeof(*node->keys));
    node->items[at] = item;
    node->keys[at] = key;
    node->count++;
}

static struct patched *take(struct patched *node, uint32_t at)
{
    struct patched *item = node->items[at];

    node->count--;
    memmove(node->items + at, node->items + at + 1, (node->count - at) * sizeof(*node->items));
    memmove(node->keys + at, node->keys + at + 1, (node->count - at) * sizeof(*node->keys));
    return item;
}

static bool is_object(const struct patched *node)
{
    return tk_is(node->from, TK_OBJECT);
}

struct patched *patched_open(struct patched *node, struct tk_arena *arena)
{
    struct tk_str none = {NULL, 0};

    if (node->open)
        return node;
    node->open = true;
    for (struct tk_val v = tk_first(node->from); tk_exists(v); v = tk_after(node->from, v))
        insert(node, node->count, patched_new(v, arena), is_object(node) ? tk_key(v, arena) : none,
               arena);
    return node;
}

static uint32_t member(const struct patched *node, struct tk_str key)
{
    uint32_t i = 0;

    while (i < node->count && !tk_str_eq(node->keys[i], key))
        i++;
    return i;
}

struct patched *patched_get(struct patched *node, const char *key, struct tk_arena *arena)
{
    uint32_t at;

    if (!is_object(node))
        return NULL;
    at = member(patched_open(node, arena), tk_str_of(key));
    return at < node->count ? node->items[at] : NULL;
}

void patched_rename(struct patched *node, const char *from, const char *to, struct tk_arena *arena)
{
    uint32_t at = member(patched_open(node, arena), tk_str_of(from));

    if (at < node->count)
        node->keys[at] = tk_str_of(to);
}

/* ---- pointers ---- */

struct path {
    struct tk_str tokens[MAX_TOKENS];
    size_t count;
};

static struct tk_str unescape(struct tk_str token, struct tk_arena *arena)
{
    char *to = tk_arena_alloc(arena, token.n);
    size_t n = 0;

    MUST(to);
    for (size_t i = 0; i < token.n; i++)
        if (token.p[i] == '~' && i + 1 < token.n)
            to[n++] = token.p[++i] == '1' ? '/' : '~';
        else
            to[n++] = token.p[i];
    return (struct tk_str){to, n};
}

static struct path read_path(struct tk_val pointer, struct tk_arena *arena)
{
    struct tk_str text = tk_text(pointer, arena);
    struct path path = {.count = 0};

    for (size_t at = 0; at < text.n && path.count < MAX_TOKENS;) {
        const char *from = text.p + at + 1;
        const char *end = memchr(from, '/', text.n - at - 1);
        size_t n = end ? (size_t)(end - from) : text.n - at - 1;

        path.tokens[path.count++] = unescape((struct tk_str){from, n}, arena);
        at += n + 1;
    }
    return path;
}

/* Where a token leads in an open node; its count, or one more, where it leads nowhere. */
static uint32_t index_of(const struct patched *node, struct tk_str token)
{
    uint32_t n = 0;

    if (is_object(node))
        return member(node, token);
    if (token.n == 0 || token.n > 9)
        return node->count + 1;
    for (size_t i = 0; i < token.n; i++) {
        if (token.p[i] < '0' || token.p[i] > '9')
            return node->count + 1;
        n = n * 10 + (uint32_t)(token.p[i] - '0');
    }
    return n;
}

/* The node that holds what the path names; all on the way there is touched. */
static struct patched *holder(struct patched *root, const struct path *path, struct tk_arena *arena)
{
    for (size_t i = 0; path->count > 0; i++) {
        uint32_t at;

        root->touched = true;
        patched_open(root, arena);
        if (i + 1 == path->count)
            return root;
        at = index_of(root, path->tokens[i]);
        if (at >= root->count)
            return NULL;
        root = root->items[at];
    }
    return NULL;
}

/* ---- operations ---- */

static bool add(struct patched *root, const struct path *path, struct patched *item,
                struct tk_arena *arena)
{
    struct patched *in = holder(root, path, arena);
    uint32_t at = in ? index_of(in, path->tokens[path->count - 1]) : 0;

    if (!in || at > in->count || !(is_object(in) || tk_is(in->from, TK_ARRAY)))
        return false;
    if (is_object(in) && at < in->count)
        in->items[at] = item;
    else
        insert(in, at, item, path->tokens[path->count - 1], arena);
    return true;
}

static struct patched *removed(struct patched *root, const struct path *path,
                               struct tk_arena *arena)
{
    struct patched *from = holder(root, path, arena);
    uint32_t at = from ? index_of(from, path->tokens[path->count - 1]) : 0;

    return from && at < from->count ? take(from, at) : NULL;
}

static bool replace(struct patched *root, const struct path *path, struct patched *item,
                    struct tk_arena *arena)
{
    struct patched *in = holder(root, path, arena);
    uint32_t at = in ? index_of(in, path->tokens[path->count - 1]) : 0;

    if (!in || at >= in->count)
        return false;
    in->items[at] = item;
    return true;
}

static bool apply_one(struct patched *root, struct tk_val op, struct tk_arena *arena)
{
    struct path path = read_path(tk_get(op, TK_STR("path")), arena);
    struct tk_val kind = tk_get(op, TK_STR("op")), value = tk_get(op, TK_STR("value"));

    if (tk_text_is(kind, TK_STR("remove")))
        return removed(root, &path, arena) != NULL;
    if (tk_text_is(kind, TK_STR("move"))) {
        struct path from = read_path(tk_get(op, TK_STR("from")), arena);
        struct patched *item = removed(root, &from, arena);

        return item && add(root, &path, item, arena);
    }
    if (!tk_exists(value))
        return false;
    if (tk_text_is(kind, TK_STR("add")))
        return add(root, &path, patched_new(value, arena), arena);
    return tk_text_is(kind, TK_STR("replace")) &&
           replace(root, &path, patched_new(value, arena), arena);
}

bool patched_apply(struct patched *root, struct tk_val patch, struct tk_arena *arena)
{
    for (struct tk_val op = tk_first(patch); tk_exists(op); op = tk_after(patch, op))
        if (!apply_one(root, op, arena))
            return false;
    return true;
}

/* ---- bytes ---- */

static bool elements_are(const struct patched *node, struct tk_val got, int loose,
                         struct tk_arena *arena)
{
    struct tk_val v = tk_first(got);

    for (uint32_t i = 0; i < node->count; i++, v = tk_after(got, v))
        if (!tk_exists(v) || !patched_is(node->items[i], v, loose, arena))
            return false;
    return !tk_exists(v);
}

/* Members that were there keep their order. Those that the patch added may come in any: objects have
 * no order. */
static bool members_are(const struct patched *node, struct tk_val got, int loose,
                        struct tk_arena *arena)
{
    uint32_t count = 0, last = 0;

    for (struct tk_val v = tk_first(got); tk_exists(v); v = tk_after(got, v), count++) {
        uint32_t at = member(node, tk_key(v, arena));

        if (at == node->count || !patched_is(node->items[at], v, loose, arena))
            return false;
        if (node->items[at]->from.doc != node->from.doc)
            continue;
        if (at < last)
            return false;
        last = at;
    }
    return count == node->count;
}

bool patched_is(struct patched *node, struct tk_val got, int loose, struct tk_arena *arena)
{
    if (!node->touched && tk_str_eq(tk_span(node->from), tk_span(got)))
        return true;
    if ((!node->touched && loose <= 0) || tk_node(node->from)->kind != tk_node(got)->kind ||
        !(tk_is(got, TK_ARRAY) || is_object(node)))
        return false;
    patched_open(node, arena);
    return is_object(node) ? members_are(node, got, loose - 1, arena)
                           : elements_are(node, got, loose - 1, arena);
}
