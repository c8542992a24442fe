/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one event as an output: a value in the form `events`, a frame in the form `sse` (STREAM.md
 * 8.3). */
#include "stream/emit_events.h"
#include "stream/is_compact.h"

void tk_write_event_value(struct tk_work *k, struct tk_val root)
{
    tk_write_any(k->w, root);
}

/* Returns the event as compact JSON. Events that were fed as bytes are compact already. */
static struct tk_str compact(struct tk_work *k, struct tk_val root)
{
    struct tk_out out;

    if (root.doc->codec == TK_JSON && root.node == 0 && tk_json_is_compact(root.doc))
        return tk_span(root);
    tk_out_init(&out, k->arena);
    tk_compact_json(&out, root, NULL);
    return tk_out_join(&out);
}

/* Returns an event as a frame, which is named after the event's type. */
static struct tk_str frame(struct tk_work *k, struct tk_val root)
{
    struct tk_str type = tk_text(tk_get(root, k->format->type), k->arena);
    const struct tk_str pieces[] = {TK_STR("event: "), type, TK_STR("\ndata: "), compact(k, root),
                                    TK_STR("\n\n")};

    return tk_arena_concat(k->arena, pieces, 5);
}

void tk_write_event_frame(struct tk_work *k, struct tk_val root)
{
    tk_write_map(k->w);
    tk_write_kv_cstr(k->w, "type", "sse");
    tk_write_kv_str(k->w, "data", frame(k, root));
    tk_write_end(k->w);
}

/* ---- errors ---- */

void tk_write_error_object(struct tk_work *k, const struct tk_stream_error *error)
{
    tk_write_key(k->w, "error");
    if (tk_is_kept(&error->error_object))
        tk_write_kept(k, &error->error_object);
    else
        k->format->write_error(k->w, error->retryable, tk_stream_error_text(error));
}

/* Returns an error event made from ours. */
static struct tk_val made_event(struct tk_work *k, const struct tk_stream_error *error)
{
    struct tk_encoding e;

    tk_encode_begin(&e, TK_JSON, k->arena);
    k->format->write_error_event(&e.w, error->retryable, tk_stream_error_text(error));
    return tk_read_again(k, tk_encode_end(&e), TK_JSON, k->first);
}

void tk_write_error_frame(struct tk_work *k, const struct tk_stream_error *error)
{
    struct tk_val event;

    tk_write_error_object(k, error);
    event = tk_is_kept(&error->error_event) ? tk_read_kept(k, &error->error_event, k->first)
                                            : made_event(k, error);
    if (tk_exists(event))
        tk_write_kv_str(k->w, "data", frame(k, event));
}
