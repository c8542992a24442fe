/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one event as an output: a value in the form `events`, a frame in the forms `sse` and `wire`
 * (STREAM.md 8.3). */
#include "stream/emit_events.h"

void tk_write_event_value(struct tk_work *k, struct tk_val root)
{
    tk_write_any(k->w, root);
}

void tk_write_event_frame(struct tk_work *k, struct tk_val root)
{
    tk_write_bytes(k, tk_event_bytes(k, root, TK_FRAME_EVENT));
}

/* ---- errors ---- */

void tk_write_error_object(struct tk_work *k, const struct tk_stream_error *error)
{
    tk_write_key(k->w, "error");
    if (tk_is_kept(&error->error_object))
        tk_write_kept(k, &error->error_object);
    else
        k->format->write_error(k->w, error->retryable, tk_stream_error_text(error, k->arena));
}

/* Returns an error event made from ours. */
static struct tk_val made_event(struct tk_work *k, const struct tk_stream_error *error)
{
    struct tk_encoding e;

    tk_encode_begin(&e, TK_JSON, k->arena);
    k->format->write_error_event(&e.w, error->retryable, tk_stream_error_text(error, k->arena));
    return tk_read_again(k, tk_encode_end(&e), TK_JSON, k->first);
}

void tk_write_error_frame(struct tk_work *k, const struct tk_stream_error *error)
{
    struct tk_val event;

    tk_write_error_object(k, error);
    event = tk_is_kept(&error->error_event) ? tk_read_kept(k, &error->error_event, k->first)
                                            : made_event(k, error);
    if (tk_exists(event))
        tk_write_bytes_member(k, tk_event_bytes(k, event, TK_FRAME_EVENT));
}
