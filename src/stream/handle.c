/* SPDX-License-Identifier: Apache-2.0 */
/* Does what each event does to a stream (STREAM.md sections 3 and 4). */
#include <errno.h>

#include "stream/stream_inside.h"

static int fail_at(struct tk_work *k, enum tk_fault kind, int64_t at)
{
    return tk_stream_fail(k, &(struct tk_stream_error){.kind = (uint8_t)kind, .wire_index = at});
}

/* ---- blocks ---- */

/* Starts a block. `kept`: its bytes, if they are kept already; NULL: they aren't. `e`: the event that
 * brought it; NULL: the start of the message did. */
static int start_block(struct tk_work *k, struct tk_val v, const struct tk_kept *kept,
                       const struct tk_event *e)
{
    struct tk_stream *s = k->s;
    struct tk_stream_block_view view = k->format->read_block(v, k->arena);
    struct tk_stream_block *b = tk_block_add(&s->blocks, &s->arena, view.role);
    int r;

    if (!b)
        return -ENOMEM;
    b->start = kept ? *kept : tk_keep(&s->arena, v);
    b->prefilled = !e;
    b->has_text = tk_raw(tk_named(v, k->format->members[b->role].text)).n > 0;
    r = tk_pair_block_started(k, b, &view);
    if (r != 0)
        return r;
    if (s->emitter->block_started)
        s->emitter->block_started(k, b, v, e);
    return 0;
}

static int stop_block(struct tk_work *k, struct tk_stream_block *b, const struct tk_event *e)
{
    struct tk_stream *s = k->s;
    struct tk_operation *completed;
    int r = 0;

    b->stopped = true;
    if (tk_block_is_call(b) && !tk_block_is_abandoned(s, b))
        r = tk_input_complete(k, b);
    if (r != 0)
        return r;
    completed = tk_pair_block_stopped(k, b);
    if (s->emitter->block_stopped)
        s->emitter->block_stopped(k, b, e);
    if (completed && s->emitter->completed)
        s->emitter->completed(k, completed);
    return 0;
}

/* Starts and stops the blocks that the message contains at its start, one after the other. */
static int take_blocks(struct tk_work *k, struct tk_val list)
{
    struct tk_kept all = TK_KEPT_NOTHING;
    int r = 0;

    if (tk_exists(tk_first(list)))
        all = tk_keep(&k->s->arena, list);
    for (struct tk_val v = tk_first(list); tk_exists(v) && r == 0; v = tk_after(list, v)) {
        struct tk_kept kept = tk_kept_part(&all, list, v);

        r = start_block(k, v, &kept, NULL);
        if (r == 0)
            r = stop_block(k, tk_block_at(k->s, k->s->blocks.count - 1), NULL);
    }
    return r;
}

/* ---- events ---- */

static int repeated_start(struct tk_work *k, const struct tk_event *e)
{
    struct tk_str first = k->s->facts.id, id;
    struct tk_stream_facts_view view;

    k->format->read_facts(e, &view);
    id = tk_text(view.id, k->arena);
    if (!id.p != !first.p || !tk_str_eq(id, first))
        return tk_stream_fail(k, &(struct tk_stream_error){
                                     .kind = TK_STREAM_FAULT_DUPLICATE_MESSAGE_START, .id = id});
    tk_warn(k, TK_WARNING_REPEATED_MESSAGE_START);
    return 0;
}

static int on_message_start(struct tk_work *k, const struct tk_event *e)
{
    struct tk_stream *s = k->s;
    int r;

    if (s->begun)
        return repeated_start(k, e);
    s->begun = true;
    tk_facts_take(&s->facts, k->format, e, &s->arena);
    r = take_blocks(k, tk_get(e->body, k->format->blocks));
    if (r == 0 && s->emitter->message_started)
        s->emitter->message_started(k, e);
    return r;
}

static int on_block_start(struct tk_work *k, const struct tk_event *e)
{
    uint32_t expected = k->s->blocks.count;

    if (e->at != expected)
        return tk_stream_fail(k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_INDEX_GAP,
                                                           .wire_index = e->at,
                                                           .expected_index = expected});
    return start_block(k, e->body, NULL, e);
}

/* Finds the open block that an event names. Returns 0 or TK_FAILED. */
static int find_block(struct tk_work *k, const struct tk_event *e, struct tk_stream_block **ret)
{
    if (e->at < 0 || e->at >= k->s->blocks.count)
        return fail_at(k, TK_STREAM_FAULT_UNKNOWN_INDEX, e->at);
    *ret = tk_block_at(k->s, (uint32_t)e->at);
    return (*ret)->stopped ? fail_at(k, TK_STREAM_FAULT_BLOCK_ALREADY_STOPPED, e->at) : 0;
}

static int mismatch(struct tk_work *k, const struct tk_stream_block *b, const struct tk_event *e)
{
    struct tk_val start = tk_read_kept(k, &b->start, k->first);

    return tk_stream_fail(
        k, &(struct tk_stream_error){
               .kind = TK_STREAM_FAULT_DELTA_TYPE_MISMATCH,
               .wire_index = b->at,
               .delta_type = e->delta_text,
               .block_type = tk_text(tk_get(start, k->s->setup.format->type), k->arena)});
}

static int on_block_delta(struct tk_work *k, const struct tk_event *e)
{
    const struct tk_emitter *emitter = k->s->emitter;
    struct tk_stream_block *b = NULL;
    bool is_mismatch;
    int r = find_block(k, e, &b);

    if (r != 0)
        return r;
    if (tk_block_takes(b, e->delta, &is_mismatch)) {
        tk_block_fold(b, e, &k->s->arena, k->arena);
        if (emitter->delta)
            emitter->delta(k, b, e);
        return 0;
    }
    if (is_mismatch)
        return mismatch(k, b, e);
    tk_warn(k, TK_WARNING_UNKNOWN_DELTA);
    if (emitter->ignored_delta)
        emitter->ignored_delta(k, b, e);
    return 0;
}

static int on_block_stop(struct tk_work *k, const struct tk_event *e)
{
    struct tk_stream_block *b = NULL;
    int r = find_block(k, e, &b);

    return r == 0 ? stop_block(k, b, e) : r;
}

static int on_message_delta(struct tk_work *k, const struct tk_event *e)
{
    tk_facts_take(&k->s->facts, k->format, e, &k->s->arena);
    if (k->s->emitter->message_delta)
        k->s->emitter->message_delta(k, e);
    return 0;
}

static int on_message_stop(struct tk_work *k, const struct tk_event *e)
{
    int r;

    k->s->over = true;
    r = tk_stream_conclude(k, NULL);
    if (r == 0 && k->s->emitter->message_stopped)
        k->s->emitter->message_stopped(k, e);
    return r;
}

static int on_ping(struct tk_work *k, const struct tk_event *e)
{
    (void)e;
    if (k->s->emitter->ping)
        k->s->emitter->ping(k);
    return 0;
}

static struct tk_str text_or_empty(struct tk_val v, struct tk_arena *arena)
{
    struct tk_str s = tk_text(v, arena);

    return s.p ? s : TK_STR("");
}

static bool is_transient(const struct tk_block_format *format, struct tk_str error_type)
{
    const struct tk_str *known = format->transient_errors;

    while (known->p && !tk_str_eq(error_type, *known))
        known++;
    return known->p != NULL;
}

static int on_error(struct tk_work *k, const struct tk_event *e)
{
    struct tk_stream_error error = {
        .kind = TK_STREAM_FAULT_PROVIDER_ERROR,
        .error_event = {tk_span(e->root), e->root.doc->codec},
    };
    struct tk_stream_error_view view;

    k->format->read_error(e, &view);
    error.error_type = text_or_empty(view.type, k->arena);
    error.message = text_or_empty(view.message, k->arena);
    error.request_id = tk_text(view.request_id, k->arena);
    error.retryable = is_transient(k->format, error.error_type);
    if (tk_is(e->body, TK_OBJECT))
        error.error_object = (struct tk_kept){tk_span(e->body), e->body.doc->codec};
    return tk_stream_conclude(k, &error);
}

static int on_unknown(struct tk_work *k, const struct tk_event *e)
{
    tk_warn(k, TK_WARNING_UNKNOWN_EVENT);
    if (k->s->emitter->unknown_event)
        k->s->emitter->unknown_event(k, e);
    return 0;
}

static const struct {
    int (*handle)(struct tk_work *k, const struct tk_event *e);
    bool needs_start; /* the message must have begun */
} handlers[TK_EVENT_TYPES] = {
    [TK_EVENT_UNKNOWN] = {on_unknown, false},
    [TK_EVENT_MESSAGE_START] = {on_message_start, false},
    [TK_EVENT_BLOCK_START] = {on_block_start, true},
    [TK_EVENT_BLOCK_DELTA] = {on_block_delta, true},
    [TK_EVENT_BLOCK_STOP] = {on_block_stop, true},
    [TK_EVENT_MESSAGE_DELTA] = {on_message_delta, true},
    [TK_EVENT_MESSAGE_STOP] = {on_message_stop, true},
    [TK_EVENT_PING] = {on_ping, false},
    [TK_EVENT_ERROR] = {on_error, false},
};

int tk_event_handle(struct tk_work *k, const struct tk_event *e)
{
    int r;

    if (handlers[e->type].needs_start && !k->s->begun)
        return tk_stream_fail(
            k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_EVENT_BEFORE_MESSAGE_START,
                                         .event = e->type_text});
    r = handlers[e->type].handle(k, e);
    if (r == 0 && k->s->state == TK_STREAM_OPEN && k->s->emitter->settled)
        k->s->emitter->settled(k);
    return r;
}
