/* SPDX-License-Identifier: Apache-2.0 */
/* Writes events as bytes, in the forms `sse` and `wire` (STREAM.md 8.3, STREAM-PROVIDERS.md 3). */
#include "stream/is_compact.h"
#include "stream/stream_inside.h"
#include "value/base64.h"

bool tk_has_control_character(struct tk_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        uint8_t c = (uint8_t)s.p[i];

        if (c < 0x20 || c == 0x7F)
            return true;
        if (c == 0xC2 && i + 1 < s.n && (uint8_t)s.p[i + 1] < 0xA0)
            return true;
    }
    return false;
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

static struct tk_str as_sse(struct tk_work *k, struct tk_val root, enum tk_wire_frame_kind kind)
{
    struct tk_str name = k->s->setup.format->type, type = {NULL, 0};

    (void)kind;
    if (name.p)
        type = tk_text(tk_get(root, name), k->arena);
    return tk_sse_write(type, compact(k, root), k->arena);
}

/* An exception is known by its name, also one that was fed as an event. */
static enum tk_wire_frame_kind kind_of(enum tk_wire_frame_kind kind, struct tk_str name)
{
    if (kind == TK_FRAME_EVENT && tk_str_ends(name, TK_STR("Exception")))
        return TK_FRAME_EXCEPTION;
    return kind;
}

static struct tk_str as_eventstream(struct tk_work *k, struct tk_val root,
                                    enum tk_wire_frame_kind kind)
{
    const struct tk_frame_envelope *envelope = k->s->setup.format->envelope;
    struct tk_val member = tk_first(root);
    struct tk_str name = TK_STR(""), payload = TK_STR("{}");
    struct tk_out out;

    if (envelope) {
        envelope->close(compact(k, root), k->arena, &name, &payload);
    } else if (kind == TK_FRAME_ERROR) {
        name = tk_key(member, k->arena);
        payload = tk_text(tk_get(member, TK_STR("message")), k->arena);
    } else if (tk_exists(member)) {
        name = tk_key(member, k->arena);
        tk_out_init(&out, k->arena);
        tk_compact_json(&out, member, NULL);
        payload = tk_out_join(&out);
    }
    if (!payload.p || !name.p || name.n > TK_EVENTSTREAM_NAME ||
        (kind == TK_FRAME_ERROR && payload.n > TK_EVENTSTREAM_NAME))
        return (struct tk_str){NULL, 0};
    return tk_eventstream_write(kind_of(kind, name), name, payload, k->arena);
}

static struct tk_str as_array(struct tk_work *k, struct tk_val root, enum tk_wire_frame_kind kind)
{
    const struct tk_str pieces[] = {k->s->frames == 0 ? TK_STR("[") : TK_STR(",\n"),
                                    compact(k, root)};

    (void)kind;
    return tk_arena_concat(k->arena, pieces, 2);
}

static struct tk_str (*const frames[TK_WIRES])(struct tk_work *k, struct tk_val root,
                                               enum tk_wire_frame_kind kind) = {
    [TK_WIRE_SSE] = as_sse,
    [TK_WIRE_EVENTSTREAM] = as_eventstream,
    [TK_WIRE_JSON] = as_array,
};

static enum tk_wire wire_of(const struct tk_stream *s)
{
    return s->setup.form == TK_FORM_SSE ? TK_WIRE_SSE : s->setup.wire;
}

struct tk_str tk_event_bytes(struct tk_work *k, struct tk_val root, enum tk_wire_frame_kind kind)
{
    struct tk_str bytes = frames[wire_of(k->s)](k, root, kind);

    k->s->frames += bytes.p != NULL;
    return bytes;
}

void tk_write_bytes_member(struct tk_work *k, struct tk_str bytes)
{
    if (!bytes.p)
        return;
    if (wire_of(k->s) == TK_WIRE_EVENTSTREAM)
        tk_write_kv_str(k->w, "data_base64", tk_base64_encode(bytes, k->arena));
    else
        tk_write_kv_str(k->w, "data", bytes);
}

void tk_write_bytes(struct tk_work *k, struct tk_str bytes)
{
    if (!bytes.p)
        return;
    tk_write_map(k->w);
    tk_write_kv_cstr(k->w, "type", k->s->setup.form == TK_FORM_SSE ? "sse" : "wire");
    tk_write_bytes_member(k, bytes);
    tk_write_end(k->w);
}
