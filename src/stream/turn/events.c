/* SPDX-License-Identifier: Apache-2.0 */
/* Reads frames and events, and gives them to the decoder (STREAM-PROVIDERS.md 2). */
#include <errno.h>

#include "stream/turn/turn.h"

/* ---- faults ---- */

int tk_turn_fail(struct tk_stream_turn *t, const struct tk_stream_error *error)
{
    return tk_stream_fail(t->k, error);
}

int tk_turn_fault(struct tk_stream_turn *t, enum tk_fault kind, int64_t wire_index)
{
    return tk_turn_fail(t,
                        &(struct tk_stream_error){.kind = (uint8_t)kind, .wire_index = wire_index});
}

enum tk_fault tk_turn_cause(const struct tk_stream_turn *t)
{
    const struct tk_stream *s = t->k->s;

    if (s->state != TK_STREAM_FAILED)
        return TK_STREAM_FAULT_NONE;
    return (enum tk_fault)(s->error.cause ? s->error.cause : s->error.kind);
}

static int malformed(struct tk_stream_turn *t, struct tk_val event)
{
    const struct tk_turn_format *f = t->format;

    return tk_turn_fail(t, &(struct tk_stream_error){
                               .kind = TK_STREAM_FAULT_MALFORMED_EVENT,
                               .event = f->name_of ? f->name_of(event, t->arena) : f->event_name});
}

int tk_turn_error(struct tk_stream_turn *t, const struct tk_told_error *told)
{
    struct tk_stream_error error = {
        .kind = TK_STREAM_FAULT_PROVIDER_ERROR,
        .error_type = told->type.p ? told->type : TK_STR(""),
        .message = told->message.p ? told->message : TK_STR(""),
        .request_id = told->request_id,
        .retryable = told->retryable,
        .error_event = {tk_span(told->event), told->event.doc->codec},
    };
    struct tk_val object = tk_turn_error_of(t, told->event);

    error.retryable = error.retryable || tk_error_type_may_pass(error.error_type);
    for (size_t i = 0; i < sizeof(told->codes) / sizeof(told->codes[0]); i++)
        if (told->codes[i].doc && tk_error_may_pass(told->codes[i]))
            error.retryable = true;
    if (tk_exists(object))
        error.error_object = (struct tk_kept){tk_span(object), object.doc->codec};
    return tk_stream_conclude(t->k, &error);
}

/* ---- events ---- */

static int read(struct tk_stream_turn *t, struct tk_val event)
{
    int r;

    if (!tk_event_is_clean(event))
        return malformed(t, event);
    r = t->format->read(t, event);
    if (r == TK_TURN_MALFORMED)
        return malformed(t, event);
    if (r == 0 || r == TK_TURN_OVER)
        tk_turn_leave(t, event);
    return r == TK_TURN_DROPPED ? 0 : r;
}

int tk_turn_event(struct tk_work *k, struct tk_val root, enum tk_wire_frame_kind kind)
{
    struct tk_stream_turn *t = tk_turn_of(k);
    int r;

    t->event_kind = (uint8_t)kind;
    r = read(t, root);
    return r == TK_TURN_OVER ? tk_stream_conclude(k, NULL) : r;
}

int tk_turn_feed(struct tk_stream_turn *t, struct tk_str json)
{
    struct tk_val event = tk_read_again(t->k, json, TK_JSON, t->k->event);

    t->event_kind = TK_FRAME_EVENT;
    return tk_exists(event) ? read(t, event) : -ENOMEM;
}

int tk_turn_response(struct tk_work *k, struct tk_val response)
{
    struct tk_stream_turn *t = tk_turn_of(k);
    int r = t->format->read_response(t, response);

    return (r == 0 || r == TK_TURN_OVER) && k->s->state == TK_STREAM_OPEN
               ? tk_stream_conclude(k, NULL)
               : r;
}

/* ---- frames ---- */

/* Returns what a frame's name says of its event, in the words of events of blocks. */
static enum tk_event_type type_of(const struct tk_stream_turn *t, struct tk_str name)
{
    if (tk_str_is(name, "ping"))
        return TK_EVENT_PING;
    if (tk_str_is(name, "error"))
        return TK_EVENT_ERROR;
    if (name.p && t->format->knows && !t->format->knows(name))
        return TK_EVENT_UNKNOWN;
    return TK_EVENT_BLOCK_DELTA;
}

static bool is_end(const struct tk_stream_turn *t, const struct tk_wire_frame *frame)
{
    return frame->kind == TK_FRAME_END ||
           (t->k->s->wire.wire == TK_WIRE_SSE && tk_str_starts(frame->data, TK_STR("[DONE]")));
}

/* An error that the API doesn't name, in a frame of its own. */
static int error_frame(struct tk_stream_turn *t, struct tk_str type, struct tk_val event)
{
    struct tk_str message = tk_text(tk_get(tk_first(event), TK_STR("message")), t->arena);

    return tk_turn_error(t,
                         &(struct tk_told_error){.type = type, .message = message, .event = event});
}

int tk_turn_frame(struct tk_work *k, struct tk_wire_frame *frame)
{
    struct tk_stream_turn *t = tk_turn_of(k);
    enum tk_wire_frame_kind kind = (enum tk_wire_frame_kind)frame->kind;
    const struct tk_str type_member = k->s->setup.format->type;
    enum tk_event_type type;
    struct tk_str name, error_type = frame->name;
    struct tk_val root;
    int r;

    if (is_end(t, frame)) {
        t->marked = true;
        return tk_stream_conclude(k, NULL);
    }
    r = tk_frame_open(k, frame);
    if (r != 0 || k->s->state != TK_STREAM_OPEN)
        return r == TK_FRAME_DROPPED ? 0 : r;
    type = type_of(t, frame->name);
    name = type_member.p ? tk_frame_name(type, frame->name) : (struct tk_str){NULL, 0};
    if (type == TK_EVENT_PING && !frame->cut)
        return 0;
    r = tk_frame_root(k, frame, type, name, frame->data, &root);
    if (r != 0 ||
        k->s->state != TK_STREAM_OPEN) /* no event, but it may have ended a complete stream */
        return r == TK_FRAME_DROPPED || r == TK_FRAME_PING ? 0 : r;
    if (name.p && !tk_text_is(tk_get(root, type_member), name))
        tk_warn(k, TK_WARNING_EVENT_NAME_MISMATCH);
    t->event_kind = (uint8_t)kind;
    if (kind == TK_FRAME_ERROR)
        return error_frame(t, error_type, root);
    return tk_turn_event(k, root, kind);
}
