/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes/read.h"

#include <errno.h>

/* Reads a value as a part after the part `*after`, and sets that to the new part. */
static int read_part(struct tk_transcript *t, uint32_t message, struct tk_val v, uint32_t flags,
                     uint32_t *after)
{
    uint32_t part = tk_new_part(t);
    struct tk_part *p;

    if (part == TK_NONE)
        return -ENOMEM;
    p = &t->parts[part];
    p->doc = v.doc;
    p->node = v.node;
    p->flags = flags;
    p->from_message = flags & TK_PART_MADE ? TK_NONE : message;
    tk_link_part(t, message, *after, part);
    *after = part;
    t->shape->read_part(p, &t->messages[message], t->arena);
    return 0;
}

static int read_list(struct tk_transcript *t, uint32_t message, struct tk_val list, uint32_t flags,
                     uint32_t *after)
{
    int r = 0;

    if (!tk_is(list, TK_ARRAY))
        return 0;
    for (struct tk_val v = tk_first(list); tk_exists(v) && r == 0; v = tk_after(list, v))
        r = read_part(t, message, v, flags, after);
    return r;
}

int tk_read_content(struct tk_transcript *t, uint32_t message, uint32_t flags)
{
    const struct tk_message *m = &t->messages[message];
    struct tk_val content = {m->doc, m->content};
    uint32_t after = TK_NONE;

    if (m->flags & TK_MESSAGE_WHOLE)
        return read_part(t, message, (struct tk_val){m->doc, m->node}, flags | TK_PART_WHOLE,
                         &after);
    if (tk_is(content, TK_STRING) && tk_raw(content).n > 0 && !t->shape->lists_only)
        return read_part(t, message, content, flags | TK_PART_STRING, &after);
    return read_list(t, message, content, flags, &after);
}

int tk_read_calls(struct tk_transcript *t, uint32_t message, uint32_t flags)
{
    const struct tk_message *m = &t->messages[message];
    uint32_t after = m->last;

    return read_list(t, message, (struct tk_val){m->doc, m->calls}, flags | TK_PART_IN_CALLS,
                     &after);
}

/* Reads the parts of a message of the input. */
static int read_parts(struct tk_transcript *t, uint32_t message)
{
    int r;

    t->messages[message].input_first = t->part_count;
    r = tk_read_content(t, message, 0);
    t->messages[message].input_calls = t->part_count;
    return r == 0 ? tk_read_calls(t, message, 0) : r;
}

static int read_message(struct tk_transcript *t, uint32_t node)
{
    uint32_t message = tk_new_message(t);
    struct tk_message *m;
    int r;

    if (message == TK_NONE)
        return -ENOMEM;
    m = &t->messages[message];
    m->doc = t->doc;
    m->node = node;
    m->sent = node;
    tk_shape_read_message(t->shape, m, t->arena);
    tk_link_message(t, t->last_message, message);
    t->input_whole += (m->flags & TK_MESSAGE_WHOLE) != 0;
    if (m->role != TK_ROLE_ASSISTANT && tk_is((struct tk_val){m->doc, m->calls}, TK_ARRAY))
        t->input_whole += tk_count((struct tk_val){m->doc, m->calls});
    r = read_parts(t, message);
    tk_read_role_of_parts(t, message);
    return r;
}

/* Allocates both arrays at their exact size before reading: parts take most of a request's
 * memory. */
static int reserve(struct tk_transcript *t, uint32_t messages, uint32_t parts)
{
    t->messages = tk_arena_alloc(t->arena, messages * sizeof(*t->messages));
    t->parts = tk_arena_alloc(t->arena, parts * sizeof(*t->parts));
    if (!t->messages || !t->parts)
        return -ENOMEM;
    t->message_capacity = messages;
    t->part_capacity = parts;
    return tk_share_texts(t);
}

static void init(struct tk_transcript *t, struct tk_val v, const struct tk_shape *shape,
                 struct tk_arena *arena, const uint64_t *hash_key)
{
    *t = (struct tk_transcript){
        .shape = shape,
        .arena = arena,
        .hash_key = hash_key,
        .doc = v.doc,
        .list = v,
        .root = shape->root,
        .parts_at = shape->parts,
        .calls_at = shape->calls,
        .first_message = TK_NONE,
        .last_message = TK_NONE,
        .first_filled = TK_NONE,
        .protected_message = TK_NONE,
    };
}

static uint32_t count_parts(const struct tk_shape *shape, struct tk_val message)
{
    struct tk_val content, calls = TK_NO_VAL;

    /* Most items of a flat list are one part; the array grows if there are more. */
    if (shape->read_message || (shape->is_whole && shape->is_whole(message)))
        return 1;
    content = tk_get(message, tk_parts_name(shape));
    if (shape->calls.p)
        calls = tk_get(message, tk_calls_name(shape));
    return (tk_is(content, TK_STRING)  ? !shape->lists_only
            : tk_is(content, TK_ARRAY) ? tk_count(content)
                                       : 0) +
           (tk_is(calls, TK_ARRAY) ? tk_count(calls) : 0);
}

int tk_transcript_read_first(struct tk_transcript *t, struct tk_val messages, uint32_t count,
                             const struct tk_shape *shape, struct tk_arena *arena,
                             const uint64_t *hash_key)
{
    uint32_t message_count = 0, part_count = 0;
    struct tk_val v = tk_first(messages);
    int r;

    init(t, messages, shape, arena, hash_key);
    for (; tk_exists(v) && message_count < count; v = tk_after(messages, v)) {
        message_count++;
        part_count += count_parts(shape, v);
    }
    r = reserve(t, message_count, part_count);
    v = tk_first(messages);
    for (; tk_exists(v) && t->message_count < message_count && r == 0; v = tk_after(messages, v))
        r = read_message(t, v.node);
    t->input_messages = t->message_count;
    t->input_parts = t->part_count;
    return r;
}

int tk_transcript_read(struct tk_transcript *t, struct tk_val messages,
                       const struct tk_shape *shape, struct tk_arena *arena,
                       const uint64_t *hash_key)
{
    return tk_transcript_read_first(t, messages, UINT32_MAX, shape, arena, hash_key);
}

int tk_transcript_read_message(struct tk_transcript *t, struct tk_val message,
                               const struct tk_shape *shape, struct tk_arena *arena,
                               const uint64_t *hash_key)
{
    int r;

    init(t, message, shape, arena, hash_key);
    r = reserve(t, 1, count_parts(shape, message));
    if (r == 0)
        r = read_message(t, message.node);
    t->input_messages = t->message_count;
    t->input_parts = t->part_count;
    return r;
}

/* Reads a turn that is a list of messages or items. */
static int read_turn_list(struct tk_transcript *t, struct tk_val list, const struct tk_shape *shape,
                          struct tk_arena *arena, const uint64_t *hash_key)
{
    int r = tk_transcript_read(t, list, shape, arena, hash_key);

    t->root = TK_STR("/content");
    t->is_turn = true;
    return r;
}

int tk_transcript_read_turn(struct tk_transcript *t, struct tk_val content,
                            const struct tk_shape *shape, struct tk_arena *arena,
                            const uint64_t *hash_key)
{
    struct tk_message *m;
    int r;

    if (shape->turns_are_lists)
        return read_turn_list(t, content, shape, arena, hash_key);
    init(t, content, shape, arena, hash_key);
    t->root = TK_STR("");
    t->parts_at = TK_STR("/content");
    t->lone_turn = t->is_turn = true;
    r = reserve(t, 1, tk_count(content));
    if (r < 0)
        return r;
    tk_link_message(t, TK_NONE, tk_new_message(t));
    m = &t->messages[0];
    m->doc = content.doc;
    m->content = content.node;
    m->node = TK_NO_NODE;
    m->role = TK_ROLE_ASSISTANT;
    r = read_parts(t, 0);
    t->input_messages = t->message_count;
    t->input_parts = t->part_count;
    return r;
}
