/* SPDX-License-Identifier: Apache-2.0 */
/* Feeds a stream: a list of events, bytes, its end, or a whole response at once. */
#include <errno.h>

#include "stream/stream_inside.h"
#include "stream/turn/turn.h"

static int too_large(struct tk_work *k)
{
    return tk_stream_fail(k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_STREAM_TOO_LARGE,
                                                       .limit = (int64_t)k->s->setup.max_buffer});
}

bool tk_stream_is_fed_with(const struct tk_stream *s, bool bytes)
{
    return s->fed_with == (bytes ? TK_FED_BYTES : TK_FED_EVENTS);
}

/* Asks the caller if feeding goes on. Returns 0 if it does. */
static int goes_on(const struct tk_work *k)
{
    return k->call->stop ? k->call->stop(k->call->stop_arg) : 0;
}

static int feed_event(struct tk_work *k, struct tk_val root)
{
    struct tk_event e;
    int r;

    if (k->s->turn)
        return tk_turn_event(k, root, TK_FRAME_EVENT);
    r = k->format->read_event(root, k->arena, &e);
    if (r == TK_EVENT_MALFORMED)
        return tk_stream_fail(k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_MALFORMED_EVENT,
                                                           .event = e.type_text});
    return tk_event_handle(k, &e);
}

int tk_stream_feed_events(const struct tk_stream_call *call, struct tk_stream *s,
                          struct tk_val list)
{
    struct tk_work k = tk_work_on(call, s);
    int r = 0;

    s->fed_with = TK_FED_EVENTS;
    for (struct tk_val v = tk_first(list); tk_exists(v) && r == 0 && s->state == TK_STREAM_OPEN;
         v = tk_after(list, v)) {
        s->fed += tk_span(v).n;
        r = s->fed > s->setup.max_buffer ? too_large(&k) : feed_event(&k, v);
        if (r == 0)
            r = goes_on(&k);
    }
    return tk_work_end(&k, r);
}

static inline int feed_frame(struct tk_work *k, struct tk_wire_frame *frame)
{
    struct tk_event e;
    int r;

    if (k->s->turn)
        return tk_turn_frame(k, frame);
    r = tk_frame_read(k, frame, &e);
    if (r == TK_FRAME_DROPPED)
        return 0;
    return r == 0 && k->s->state == TK_STREAM_OPEN ? tk_event_handle(k, &e) : r;
}

/* Handles all frames that end in these bytes. */
static int feed_frames(struct tk_work *k, struct tk_str bytes)
{
    struct tk_wire_frame frame;
    int r = 0, more;

    tk_wire_feed(&k->s->wire, bytes);
    do {
        more = tk_wire_next(&k->s->wire, &frame);
        if (more == TK_WIRE_BROKEN)
            r = tk_frame_undecodable(k, tk_wire_broken(&k->s->wire));
        else if (more > 0)
            r = feed_frame(k, &frame);
        if (r == 0)
            r = goes_on(k);
    } while (more > 0 && r == 0 && k->s->state == TK_STREAM_OPEN);
    return more < 0 ? more : r;
}

/* Handles the first byte beyond the limit: it only proves that a CR before it ended a line. */
static int feed_beyond(struct tk_work *k)
{
    struct tk_wire_frame frame;
    int r = tk_wire_release(&k->s->wire, &frame);

    if (r > 0)
        r = feed_frame(k, &frame);
    return r == 0 && k->s->state == TK_STREAM_OPEN ? too_large(k) : r;
}

int tk_stream_feed_bytes(const struct tk_stream_call *call, struct tk_stream *s,
                         struct tk_str bytes)
{
    struct tk_work k = tk_work_on(call, s);
    uint64_t room = s->setup.max_buffer - s->fed;
    struct tk_str within = {bytes.p, bytes.n < room ? bytes.n : (size_t)room};
    int r;

    s->fed_with = TK_FED_BYTES;
    s->fed += within.n;
    r = feed_frames(&k, within);
    if (r == 0 && s->state == TK_STREAM_OPEN && within.n < bytes.n)
        r = feed_beyond(&k);
    return tk_work_end(&k, r);
}

bool tk_stream_is_numbered(const struct tk_stream *s)
{
    return s->setup.format->numbered;
}

void tk_stream_restart(struct tk_stream *s)
{
    tk_wire_done(&s->wire);
    tk_wire_init(&s->wire, s->setup.wire, &s->memory);
}

int tk_stream_end(const struct tk_stream_call *call, struct tk_stream *s, struct tk_str transport)
{
    struct tk_work k = tk_work_on(call, s);
    struct tk_stream_error error = {
        .kind = TK_STREAM_FAULT_TRANSPORT_ERROR, .retryable = true, .transport = transport};
    struct tk_wire_frame frame;
    int r = 0, more = 0;

    if (s->state != TK_STREAM_OPEN)
        return 0;
    more = tk_wire_last(&s->wire, &frame);
    if (more > 0)
        r = feed_frame(&k, &frame);
    if (more < 0)
        r = more;
    if (r == 0 && s->state == TK_STREAM_OPEN)
        r = tk_stream_conclude(&k, transport.p ? &error : NULL);
    return tk_work_end(&k, r);
}

/* ---- a whole response ---- */

/* Returns the event that starts a message with all of a response in it. */
static struct tk_val start_of(struct tk_work *k, struct tk_val response)
{
    enum tk_codec codec = (enum tk_codec)response.doc->codec;
    struct tk_encoding e;

    tk_encode_begin(&e, codec, k->arena);
    k->format->write_start(&e.w, response);
    return tk_read_again(k, tk_encode_end(&e), codec, k->event);
}

int tk_stream_feed_response(const struct tk_stream_call *call, struct tk_stream *s,
                            struct tk_val response)
{
    struct tk_work k = tk_work_on(call, s);
    struct tk_val event;
    int r;

    if (s->turn)
        return tk_work_end(&k, tk_turn_response(&k, response));
    if (k.format->is_error(response))
        return tk_work_end(&k, feed_event(&k, response));
    event = start_of(&k, response);
    r = tk_exists(event) ? feed_event(&k, event) : -ENOMEM;
    if (r == 0 && s->state == TK_STREAM_OPEN) {
        event = tk_read_again(&k, k.format->message_stop, TK_JSON, k.event);
        r = tk_exists(event) ? feed_event(&k, event) : -ENOMEM;
    }
    return tk_work_end(&k, r);
}
