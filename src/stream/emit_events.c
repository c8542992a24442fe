/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue of the forms `events` and `sse` (STREAM.md 8.2). Blocks leave in the order of their
 * indices; events that can't leave yet wait with their block.
 *
 *     left          together, or not at all              not yet
 *     text, text  | call A, text, call B, result A ... | result B, text
 *                   head                       scan      until
 *
 * The head's group is [head, until): a lone block that pairs with nothing, or everything from a
 * call up to its result, and up to the results of the calls in between. `scan` goes over the group
 * once: it stays at the first block that isn't ready, so that no event leads to a second look at the
 * blocks before.
 *
 * A lone block is LIVE as soon as it is the head: its events leave at once.
 */
#include "stream/emit_events.h"

#include "value/splice.h"

enum {
    WAITING_START, /* of the block */
    WAITING_OTHER,
};

struct tk_waiting {
    struct tk_waiting *next;
    struct tk_kept event;
    uint8_t kind;
    bool of_block; /* has the block's index; false: an unknown event that waits with the block */
};

static void write_event(struct tk_work *k, struct tk_val root)
{
    static tk_write_event *const writers[TK_STREAM_FORMS] = {
        [TK_FORM_EVENTS] = tk_write_event_value,
        [TK_FORM_SSE] = tk_write_event_frame,
        [TK_FORM_WIRE] = tk_write_event_frame,
    };

    if (tk_exists(root))
        writers[k->s->setup.form](k, root);
}

/* ---- what changes in an event ---- */

/* Returns the event with `index` as its index; the event itself if it has that index. */
static struct tk_val with_index(struct tk_work *k, struct tk_val root, uint32_t index)
{
    struct tk_val member = tk_get(root, k->format->index);
    struct tk_encoding e;
    int64_t now;

    if (tk_int64(member, &now) && now == index)
        return root;
    tk_encode_begin(&e, (enum tk_codec)root.doc->codec, k->arena);
    tk_write_int(&e.w, index);
    return tk_read_again(k, tk_splice_replace(k->arena, root, member, tk_encode_end(&e)),
                         (enum tk_codec)root.doc->codec, k->first);
}

/* Returns the event that starts a provider's call, with the whole input in it. */
static struct tk_val with_input(struct tk_work *k, struct tk_val root,
                                const struct tk_stream_block *b)
{
    struct tk_str name = k->format->members[b->role].input;
    struct tk_val block = tk_get(root, k->format->block), input = tk_get(block, name);
    enum tk_codec codec = (enum tk_codec)root.doc->codec;
    struct tk_str value = tk_input_encoded(k, b, codec), bytes;

    if (!value.p)
        return root;
    bytes = tk_exists(input) ? tk_splice_replace(k->arena, root, input, value)
                             : tk_splice_add(k->arena, root, block, name.p, value);
    return tk_read_again(k, bytes, codec, k->first);
}

/* Returns the encoded list of the blocks that the message contained at its start, without the calls
 * that were abandoned. */
static struct tk_str living_blocks(struct tk_work *k, struct tk_val list)
{
    struct tk_encoding e;
    uint32_t i = 0;

    tk_encode_begin(&e, (enum tk_codec)list.doc->codec, k->arena);
    tk_write_list(&e.w);
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v), i++)
        if (!tk_block_is_abandoned(k->s, tk_block_at(k->s, i)))
            tk_write_val(&e.w, v);
    tk_write_end(&e.w);
    return tk_encode_end(&e);
}

/* ---- leaving ---- */

static void leave_one(struct tk_work *k, const struct tk_stream_block *b, uint32_t index,
                      const struct tk_waiting *waiting)
{
    struct tk_val root = tk_read_kept(k, &waiting->event, k->first);
    bool whole = b->role == TK_STREAM_BLOCK_CALL && !k->s->setup.input_as_deltas;

    if (tk_exists(root) && waiting->kind == WAITING_START && whole)
        root = with_input(k, root, b);
    if (tk_exists(root) && waiting->of_block)
        root = with_index(k, root, index);
    write_event(k, root);
}

/* Writes all events that wait with a block; of an abandoned block, only unknown events. */
static void leave(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_queue *q = &k->s->queue;
    bool gone = tk_block_is_abandoned(k->s, b);

    for (const struct tk_waiting *waiting = b->first_waiting; waiting; waiting = waiting->next)
        if (!gone || !waiting->of_block)
            leave_one(k, b, q->left, waiting);
    b->first_waiting = b->last_waiting = NULL;
    b->left_as = q->left;
    q->left += !gone;
}

/* Writes the start of the message, with the blocks that it contains. */
static void leave_start(struct tk_work *k)
{
    struct tk_queue *q = &k->s->queue;
    struct tk_val root, list;
    bool all = true;

    for (uint32_t i = 0; i < q->prefilled; i++)
        all = all && !tk_block_is_abandoned(k->s, tk_block_at(k->s, i));
    root = tk_read_kept(k, &q->start, k->first);
    if (tk_exists(root) && !all) {
        list = tk_get(tk_get(root, k->format->message), k->format->blocks);
        root = tk_read_again(k, tk_splice_replace(k->arena, root, list, living_blocks(k, list)),
                             (enum tk_codec)root.doc->codec, k->first);
    }
    write_event(k, root);
    q->start = TK_KEPT_NOTHING;
}

/* Writes all that waits with a group; the start of the message first, if it waits, too. */
static void leave_group(struct tk_work *k, uint32_t until)
{
    struct tk_queue *q = &k->s->queue;

    if (tk_is_kept(&q->start))
        leave_start(k);
    for (; q->head < until; q->head++)
        leave(k, tk_block_at(k->s, q->head));
}

/* ---- which may leave ---- */

static bool is_half(const struct tk_stream_block *b)
{
    return b->operation != TK_NONE;
}

static bool is_ready(const struct tk_stream *s, const struct tk_stream_block *b)
{
    const struct tk_operation *op = tk_block_operation(s, b);

    if (!op)
        return b->stopped;
    return op->state == TK_OP_COMPLETED || op->state == TK_OP_ABANDONED;
}

/* Moves `scan` to the first block of the group that isn't ready. Returns true if all are ready. */
static bool group_is_ready(const struct tk_stream *s, struct tk_queue *q)
{
    for (; q->scan < q->until; q->scan++) {
        const struct tk_stream_block *b = tk_block_at(s, q->scan);
        const struct tk_operation *op = tk_block_operation(s, b);

        if (!is_ready(s, b))
            return false;
        if (op && op->state == TK_OP_COMPLETED && op->result >= q->until)
            q->until = op->result + 1;
    }
    return true;
}

static void settled(struct tk_work *k)
{
    struct tk_stream *s = k->s;
    struct tk_queue *q = &s->queue;

    while (q->head < s->blocks.count) {
        struct tk_stream_block *b = tk_block_at(s, q->head);

        if (q->live && !b->stopped)
            return;
        if (q->live) {
            q->live = false;
            q->head++;
            continue;
        }
        if (q->until <= q->head) {
            q->scan = q->head;
            q->until = q->head + 1;
        }
        if (q->until == q->head + 1 && q->head >= q->prefilled && !is_half(b)) {
            leave(k, b);
            q->live = true;
            continue;
        }
        if (!group_is_ready(s, q))
            return;
        leave_group(k, q->until);
    }
}

/* ---- what happens ---- */

static void wait(struct tk_work *k, struct tk_waiting **first, struct tk_waiting **last,
                 const struct tk_event *e, uint8_t kind, bool of_block)
{
    struct tk_waiting *waiting = tk_arena_alloc(&k->s->arena, sizeof(*waiting));

    if (!waiting)
        return;
    *waiting = (struct tk_waiting){NULL, tk_keep(&k->s->arena, e->root), kind, of_block};
    if (*last)
        (*last)->next = waiting;
    else
        *first = waiting;
    *last = waiting;
}

static bool is_live(const struct tk_work *k, const struct tk_stream_block *b)
{
    return k->s->queue.live && k->s->queue.head == b->at;
}

static void block_event(struct tk_work *k, struct tk_stream_block *b, const struct tk_event *e,
                        uint8_t kind)
{
    if (tk_block_is_abandoned(k->s, b))
        return;
    if (is_live(k, b))
        write_event(k, with_index(k, e->root, b->left_as));
    else
        wait(k, &b->first_waiting, &b->last_waiting, e, kind, true);
}

static void block_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v,
                          const struct tk_event *e)
{
    (void)v;
    if (e)
        block_event(k, b, e, WAITING_START);
}

/* Writes a delta or lets it wait. The deltas of a call that leaves whole are in its start. */
static void delta(struct tk_work *k, struct tk_stream_block *b, const struct tk_event *e)
{
    if (b->role != TK_STREAM_BLOCK_CALL || k->s->setup.input_as_deltas)
        block_event(k, b, e, WAITING_OTHER);
}

static void block_stopped(struct tk_work *k, struct tk_stream_block *b, const struct tk_event *e)
{
    if (e)
        block_event(k, b, e, WAITING_OTHER);
}

static void message_started(struct tk_work *k, const struct tk_event *e)
{
    struct tk_queue *q = &k->s->queue;

    q->prefilled = q->until = k->s->blocks.count;
    if (q->prefilled > 0)
        q->start = tk_keep(&k->s->arena, e->root);
    else
        write_event(k, e->root);
}

static void message_delta(struct tk_work *k, const struct tk_event *e)
{
    struct tk_queue *q = &k->s->queue;

    wait(k, &q->first_end, &q->last_end, e, WAITING_OTHER, false);
}

static void ping(struct tk_work *k)
{
    write_event(k, tk_read_again(k, k->format->ping, TK_JSON, k->first));
}

static void unknown_event(struct tk_work *k, const struct tk_event *e)
{
    struct tk_stream *s = k->s;
    struct tk_stream_block *last;

    if (tk_has_control_character(e->type_text))
        return;
    last = s->blocks.count > 0 ? tk_block_at(s, s->blocks.count - 1) : NULL;
    if (!last || last->at < s->queue.head || is_live(k, last))
        write_event(k, e->root);
    else
        wait(k, &last->first_waiting, &last->last_waiting, e, WAITING_OTHER, false);
}

/* ---- the end ---- */

/* Writes everything that waits: nothing more will come. */
static void excused(struct tk_work *k)
{
    struct tk_queue *q = &k->s->queue;

    if (q->live) {
        q->live = false;
        q->head++;
    }
    leave_group(k, k->s->blocks.count);
}

static void finished(struct tk_work *k)
{
    excused(k);
    for (const struct tk_waiting *waiting = k->s->queue.first_end; waiting; waiting = waiting->next)
        write_event(k, tk_read_kept(k, &waiting->event, k->first));
}

static void message_stopped(struct tk_work *k, const struct tk_event *e)
{
    write_event(k, e->root);
}

#define EMITTER(form, members)                                                                     \
    const struct tk_emitter form = {                                                               \
        .message_started = message_started,                                                        \
        .block_started = block_started,                                                            \
        .delta = delta,                                                                            \
        .ignored_delta = delta,                                                                    \
        .block_stopped = block_stopped,                                                            \
        .settled = settled,                                                                        \
        .message_delta = message_delta,                                                            \
        .ping = ping,                                                                              \
        .unknown_event = unknown_event,                                                            \
        .excused = excused,                                                                        \
        .finished = finished,                                                                      \
        .message_stopped = message_stopped,                                                        \
        .error_members = members,                                                                  \
    }

EMITTER(tk_emit_events, tk_write_error_object);
EMITTER(tk_emit_sse, tk_write_error_frame);
