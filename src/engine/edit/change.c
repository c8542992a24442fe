/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes inside a part. Each builds the part's new bytes from the old ones and notes the
 * JSON-patch operation, so that part and patch contain only what changed.
 */
#include <errno.h>

#include "engine/edit/edit.h"
#include "engine/edit/edit_part.h"
#include "shapes/shape.h"
#include "value/pointer.h"
#include "value/splice.h"

/* Returns n empty chains of changes, one for each part or message; NULL when out of memory. */
static uint32_t *chains(struct tk_edits *e, uint32_t n)
{
    uint32_t *list = tk_arena_alloc(e->t->arena, n * sizeof(*list));

    if (list)
        memset(list, 0xff, n * sizeof(*list));
    return list;
}

/* Returns the head of a part's chain of changes; NULL when out of memory. */
static uint32_t *chain_of(struct tk_edits *e, uint32_t part)
{
    if (!e->changes_of)
        e->changes_of = chains(e, e->t->input_parts);
    return e->changes_of ? &e->changes_of[part] : NULL;
}

static struct tk_change *new_change(struct tk_edits *e)
{
    return TK_GROW(e->t->arena, e->changes, e->change_count, e->change_capacity)
               ? &e->changes[e->change_count]
               : NULL;
}

/* Notes an operation for the patch. Not for parts that an edit added: the patch contains those
 * whole. */
static int remember(struct tk_edits *e, uint32_t part, struct tk_str path, struct tk_str value,
                    bool replaces)
{
    struct tk_change *c;
    uint32_t *tail;

    if (part >= e->t->input_parts)
        return 0;
    tail = chain_of(e, part);
    c = new_change(e);
    if (!tail || !c || !path.p)
        return -ENOMEM;
    *c = (struct tk_change){.path = path, .value = value, .replaces = replaces, .next = TK_NONE};
    if (e->changed_last == part && *tail != TK_NONE)
        tail = &e->changes[e->change_count - 1].next;
    while (*tail != TK_NONE)
        tail = &e->changes[*tail].next;
    *tail = e->change_count++;
    e->changed_last = part;
    return 0;
}

int tk_message_change_note(struct tk_edits *e, uint32_t message, struct tk_str path,
                           struct tk_str value, bool replaces)
{
    struct tk_change *c = new_change(e);
    uint32_t *tail;

    if (!e->changes_of_message)
        e->changes_of_message = chains(e, e->t->input_messages);
    if (!c || !e->changes_of_message || !path.p)
        return -ENOMEM;
    *c = (struct tk_change){.path = path, .value = value, .replaces = replaces, .next = TK_NONE};
    tail = &e->changes_of_message[message];
    while (*tail != TK_NONE)
        tail = &e->changes[*tail].next;
    *tail = e->change_count++;
    e->changed_last = TK_NONE;
    return 0;
}

int tk_change_note(struct tk_edits *e, uint32_t part, struct tk_str path, struct tk_str value)
{
    return remember(e, part, path, value, true);
}

static int apply(struct tk_edits *e, uint32_t part, struct tk_str encoded, struct tk_str path,
                 struct tk_str value, bool replaces)
{
    int r = encoded.p ? remember(e, part, path, value, replaces) : -ENOMEM;

    return r < 0 ? r : tk_part_refill(e, part, encoded);
}

/* Returns the pointer to the value `depth` steps along a path. at: as walk() fills it; a step that doesn't
 * exist is one that an edit adds. */
static struct tk_str pointer_of(struct tk_edits *e, const struct tk_path *path, int depth,
                                const struct tk_val at[TK_PATH_MAX + 1])
{
    struct tk_str pointer = TK_STR("");

    for (int i = 0; i < depth; i++) {
        struct tk_str key =
            tk_exists(at[i + 1]) ? tk_key(at[i + 1], e->t->arena) : tk_str_of(path->keys[i]);

        pointer = tk_pointer_add(pointer, key, e->t->arena);
    }
    return pointer;
}

/* Fills at[] with the values along a path, beginning with the part. Returns how many steps of the
 * path exist. */
static int walk(struct tk_val part, const struct tk_path *path, struct tk_val at[TK_PATH_MAX + 1])
{
    int depth = 0;

    at[0] = part;
    for (; depth < TK_PATH_MAX && path->keys[depth]; depth++) {
        at[depth + 1] = tk_path_step(at[depth], path, depth);
        if (!tk_exists(at[depth + 1]))
            break;
    }
    return depth;
}

static int length(const struct tk_path *path)
{
    int n = 0;

    while (n < TK_PATH_MAX && path->keys[n])
        n++;
    return n;
}

int tk_change_remove(struct tk_edits *e, uint32_t part, const struct tk_path *path)
{
    struct tk_val root = tk_part_val(&e->t->parts[part], e->t->parts[part].node);
    struct tk_val at[TK_PATH_MAX + 1];
    int depth = walk(root, path, at);

    if (depth < length(path))
        return 0;
    while (depth > 1 && tk_count(at[depth - 1]) == 1)
        depth--;
    return apply(e, part, tk_splice_remove(e->t->arena, root, at[depth - 1], at[depth]),
                 pointer_of(e, path, depth, at), (struct tk_str){0}, true);
}

/* Returns the value wrapped in keys[from...]: {"b": {"c": value}} */
static struct tk_str nest(struct tk_edits *e, const struct tk_path *path, int from, int n,
                          struct tk_str value)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    for (int i = from; i < n; i++) {
        tk_write_map(&out.w);
        tk_write_key(&out.w, path->keys[i]);
    }
    tk_write_raw(&out.w, value);
    for (int i = from; i < n; i++)
        tk_write_end(&out.w);
    return tk_encode_end(&out);
}

int tk_change_set(struct tk_edits *e, uint32_t part, const struct tk_path *path,
                  struct tk_str value)
{
    struct tk_val root = tk_part_val(&e->t->parts[part], e->t->parts[part].node);
    struct tk_val at[TK_PATH_MAX + 1];
    int depth = walk(root, path, at), n = length(path);
    struct tk_str encoded;

    /* Replace a step that exists but can't hold members, such as null. */
    if (depth == n || !tk_is(at[depth], TK_OBJECT)) {
        value = nest(e, path, depth, n, value);
        return apply(e, part, tk_splice_replace(e->t->arena, root, at[depth], value),
                     pointer_of(e, path, depth, at), value, true);
    }
    value = nest(e, path, depth + 1, n, value);
    encoded = tk_splice_add(e->t->arena, root, at[depth], path->keys[depth], value);
    return apply(e, part, encoded, pointer_of(e, path, depth + 1, at), value, false);
}

/* Writes a list anew. Elements that stay are written in runs, with the bytes between them. */
struct relist {
    struct tk_writer w;
    struct tk_val start, last; /* first and last element of the run */
    uint32_t run;
};

static void flush(struct relist *x)
{
    if (x->run > 0)
        tk_write_run(&x->w, tk_span_between(x->start, x->last), x->run);
    x->run = 0;
}

static struct tk_str changed_list(struct tk_edits *e, struct tk_val list,
                                  const struct tk_element *elements, uint32_t count)
{
    struct relist x = {.run = 0};
    uint32_t index = 0, next = 0;
    struct tk_out out;

    tk_out_init(&out, e->t->arena);
    tk_writer_init(&x.w, (enum tk_codec)e->t->doc->codec, &out);
    tk_write_list(&x.w);
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v), index++) {
        if (next == count || elements[next].index != index) {
            x.start = x.run++ == 0 ? v : x.start;
            x.last = v;
            continue;
        }
        flush(&x);
        if (elements[next].value.p)
            tk_write_raw(&x.w, elements[next].value);
        next++;
    }
    flush(&x);
    tk_write_end(&x.w);
    return tk_out_join(&out);
}

int tk_change_elements(struct tk_edits *e, uint32_t part, const struct tk_path *path,
                       const struct tk_element *elements, uint32_t count)
{
    struct tk_val root = tk_part_val(&e->t->parts[part], e->t->parts[part].node);
    struct tk_val at[TK_PATH_MAX + 1];
    int depth = walk(root, path, at);
    struct tk_str encoded = tk_splice_replace(e->t->arena, root, at[depth],
                                              changed_list(e, at[depth], elements, count));
    struct tk_str place = pointer_of(e, path, depth, at);
    int r = encoded.p ? 0 : -ENOMEM;

    /* From the end, so that the indexes of the remaining elements stay valid. */
    while (count > 0 && r == 0) {
        const struct tk_element *x = &elements[--count];
        struct tk_str token = tk_arena_printf(e->t->arena, "%u", x->index);

        r = remember(e, part, tk_pointer_add(place, token, e->t->arena), x->value, true);
    }
    return r < 0 ? r : tk_part_refill(e, part, encoded);
}

int tk_change_text(struct tk_edits *e, uint32_t part, struct tk_str text)
{
    if (!(e->t->parts[part].flags & TK_PART_STRING))
        return tk_change_set(e, part, &e->t->shape->text, text);
    return apply(e, part, text, TK_STR(""), text, true);
}
