/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forms `events`, `sse` and `wire`: events leave as they came, in their order (STREAM-PROVIDERS.md
 * 3). After an event with which an operation waits for its result, that event and all after it wait
 * until none does.
 */
#include "stream/turn/turn.h"

struct tk_turn_left {
    struct tk_turn_left *next;
    struct tk_kept event; /* in the form `events` */
    struct tk_str bytes;  /* in the other forms */
};

static bool as_values(const struct tk_stream_turn *t)
{
    return t->k->s->setup.form == TK_FORM_EVENTS;
}

static void write(struct tk_stream_turn *t, const struct tk_turn_left *left)
{
    if (as_values(t))
        tk_write_kept(t->k, &left->event);
    else
        tk_write_bytes(t->k, left->bytes);
}

void tk_turn_leave_all(struct tk_stream_turn *t)
{
    for (; t->first; t->first = t->first->next)
        write(t, t->first);
    t->last = NULL;
}

static void wait(struct tk_stream_turn *t, struct tk_val event, struct tk_str bytes)
{
    struct tk_turn_left *left = tk_arena_zalloc(t->keep, 1, sizeof(*left));

    if (!left)
        return;
    if (as_values(t))
        left->event = tk_keep(t->keep, event);
    else
        left->bytes = tk_arena_dup(t->keep, bytes);
    if (t->last)
        t->last->next = left;
    else
        t->first = left;
    t->last = left;
}

/* Returns true if an event can't be a frame: its type would end the line of its name. */
static bool is_unframed(struct tk_stream_turn *t, struct tk_val event)
{
    struct tk_str name = t->k->s->setup.format->type;

    return name.p && tk_has_control_character(tk_text(tk_get(event, name), t->arena));
}

void tk_turn_leave(struct tk_stream_turn *t, struct tk_val event)
{
    struct tk_str bytes = {NULL, 0};

    if (tk_turn_tells_parts(t) || is_unframed(t, event))
        return;
    if (!as_values(t)) {
        bytes = tk_event_bytes(t->k, event, (enum tk_wire_frame_kind)t->event_kind);
        if (!bytes.p)
            return;
    }
    if (t->waiting > 0) {
        wait(t, event, bytes);
        return;
    }
    tk_turn_leave_all(t);
    if (as_values(t))
        tk_write_any(t->k->w, event);
    else
        tk_write_bytes(t->k, bytes);
}
