/* SPDX-License-Identifier: Apache-2.0 */
/* Reads frames as events: rules 4 to 7 of STREAM.md section 2. */
#include <errno.h>

#include "stream/blank.h"
#include "stream/is_compact.h"
#include "stream/stream_inside.h"
#include "value/unicode.h"

int tk_frame_undecodable(struct tk_work *k, const char *what)
{
    return tk_stream_conclude(k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_TRANSPORT_ERROR,
                                                           .transport = tk_str_of(what)});
}

static int malformed(struct tk_work *k, struct tk_str event)
{
    return tk_stream_fail(
        k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_MALFORMED_EVENT, .event = event});
}

/* Applies rule 5 to data that isn't JSON. */
static int not_json(struct tk_work *k, enum tk_event_type type, struct tk_str name,
                    struct tk_str data)
{
    if (type == TK_EVENT_ERROR)
        return tk_stream_conclude(k,
                                  &(struct tk_stream_error){.kind = TK_STREAM_FAULT_PROVIDER_ERROR,
                                                            .error_type = TK_STR(""),
                                                            .message = data});
    if (type != TK_EVENT_UNKNOWN || !name.p)
        return tk_frame_undecodable(k, "the data of a frame is not JSON");
    tk_warn(k, TK_WARNING_UNKNOWN_EVENT);
    return TK_FRAME_DROPPED;
}

/*
 * Returns true if text is a whole document as far as its brackets tell. The reader stops at the first
 * value that it refuses; a document that was cut after that value isn't JSON.
 */
static bool is_balanced(struct tk_str text)
{
    size_t depth = 0, i = 0;
    bool inside = false;

    while (i < text.n && tk_blank_data((struct tk_str){text.p + i, 1}))
        i++;
    for (; i < text.n; i++) {
        char c = text.p[i];

        if (inside && c == '\\')
            i++;
        else if (c == '"')
            inside = !inside;
        else if (!inside && (c == '{' || c == '['))
            depth++;
        else if (!inside && (c == '}' || c == ']') && depth-- <= 1)
            break;
    }
    return i < text.n && tk_blank_data((struct tk_str){text.p + i + 1, text.n - i - 1});
}

/* Decides about data that the reader refused with a condition. */
static int refused(struct tk_work *k, int condition, enum tk_event_type type, struct tk_str name,
                   struct tk_str data)
{
    if (tk_utf8_valid(data.p, data.n) != data.n)
        return tk_frame_undecodable(k, "the data of a frame is not UTF-8");
    if (condition == TK_READ_PARSE_ERROR || condition == TK_READ_TRAILING_BYTES ||
        !is_balanced(data))
        return not_json(k, type, name, data);
    return malformed(k, (struct tk_str){NULL, 0});
}

static int read(struct tk_work *k, struct tk_str json)
{
    struct tk_read_error error;

    return tk_json_read(k->event, json.p, json.n, &k->s->setup.limits, k->arena, &error);
}

/* Returns the event with the frame's name as its type, which becomes the first member. */
static struct tk_str with_type(struct tk_work *k, struct tk_str name, struct tk_val root)
{
    struct tk_str members = tk_span(root);
    struct tk_encoding e;

    tk_encode_begin(&e, TK_JSON, k->arena);
    tk_write_map(&e.w);
    tk_write_key_str(&e.w, k->s->setup.format->type);
    tk_write_str(&e.w, name);
    if (tk_exists(tk_first(root)))
        tk_out_put(&e.out, ",", 1);
    tk_out_ref(&e.out, (struct tk_str){members.p + 1, members.n - 1});
    return tk_encode_end(&e);
}

/* Removes white space from the JSON, and adds the type if it is absent. Both are rare. Returns 0,
 * -ENOMEM, or a condition of the reader. */
static int normalize(struct tk_work *k, struct tk_str name, bool untyped)
{
    struct tk_val root = tk_root(k->event);
    struct tk_str json = tk_span(root);
    struct tk_out out;
    int r = 0;

    if (!tk_json_is_compact(k->event)) {
        tk_out_init(&out, k->arena);
        tk_compact_json(&out, root, NULL);
        json = tk_out_join(&out);
        r = json.p ? read(k, json) : -ENOMEM;
    }
    if (r == 0 && untyped) {
        json = with_type(k, name, tk_root(k->event));
        r = json.p ? read(k, json) : -ENOMEM;
    }
    return r;
}

/* Returns true and the event if it differs from the last delta only in its text. Then it needn't be
 * parsed. A frame of another name isn't a delta. */
static bool is_repeated(struct tk_work *k, enum tk_event_type type, struct tk_str name,
                        struct tk_str data, struct tk_event *ret)
{
    return (!name.p || type == TK_EVENT_BLOCK_DELTA) &&
           tk_repeat_read(&k->s->repeat, k->event, data, ret);
}

struct tk_str tk_frame_name(enum tk_event_type type, struct tk_str name)
{
    if (type != TK_EVENT_UNKNOWN) /* nearly always: no need to look at its bytes */
        return name;
    if (name.n == 0 || tk_utf8_valid(name.p, name.n) != name.n)
        return (struct tk_str){NULL, 0};
    return name;
}

/* Applies rule 3: a frame that the end of the stream cuts off counts if it is a whole object. */
static bool is_worth_reading(struct tk_work *k, const struct tk_wire_frame *frame, int result)
{
    if (!frame->cut)
        return true;
    if (result == 0)
        return tk_is(tk_root(k->event), TK_OBJECT);
    return result != TK_READ_PARSE_ERROR && result != TK_READ_TRAILING_BYTES &&
           is_balanced(frame->data) && frame->data.p[strspn(frame->data.p, " \t\r\n")] == '{';
}

int tk_frame_root(struct tk_work *k, const struct tk_wire_frame *frame, enum tk_event_type type,
                  struct tk_str name, struct tk_str data, struct tk_val *ret)
{
    struct tk_val root;
    bool untyped;
    int r = read(k, data);

    if (r < 0)
        return r;
    if (!is_worth_reading(k, frame, r))
        return TK_FRAME_DROPPED;
    if (type == TK_EVENT_PING)
        return TK_FRAME_PING;
    if (r > 0)
        return refused(k, r, type, name, data);
    root = tk_root(k->event);
    if (!tk_is(root, TK_OBJECT))
        return malformed(k, (struct tk_str){NULL, 0});
    untyped = name.p && !tk_exists(tk_get(root, k->s->setup.format->type));
    r = normalize(k, name, untyped);
    if (r != 0)
        return r < 0 ? r : malformed(k, name); /* the added type was a value too many */
    *ret = tk_root(k->event);
    return 0;
}

/* Opens the frame of an eventstream: its data becomes the JSON text of an event. */
static int open_frame(struct tk_work *k, struct tk_wire_frame *frame)
{
    const struct tk_frame_envelope *envelope = k->s->setup.format->envelope;
    struct tk_encoding e;

    if (envelope)
        return envelope->open(frame, k->first, &k->s->setup.limits, k->arena);
    if (tk_utf8_valid(frame->name.p, frame->name.n) != frame->name.n)
        return TK_ENVELOPE_EMPTY;
    tk_encode_begin(&e, TK_JSON, k->arena);
    tk_write_map(&e.w);
    tk_write_key_str(&e.w, frame->name);
    if (frame->kind == TK_FRAME_ERROR) {
        tk_write_map(&e.w);
        tk_write_kv_str(&e.w, "message", frame->data);
        tk_write_end(&e.w);
    } else {
        tk_write_raw(&e.w, tk_blank_data(frame->data) ? TK_STR("{}") : frame->data);
    }
    tk_write_end(&e.w);
    frame->data = tk_encode_end(&e);
    return frame->data.p ? 0 : -ENOMEM;
}

int tk_frame_unpack(struct tk_work *k, struct tk_wire_frame *frame)
{
    int r;

    r = open_frame(k, frame);
    frame->name = (struct tk_str){NULL, 0};
    if (r == TK_ENVELOPE_BROKEN)
        return tk_frame_undecodable(k, "undecodable frame: no event in it");
    if (r == TK_ENVELOPE_EMPTY)
        tk_warn(k, TK_WARNING_UNKNOWN_EVENT);
    return r == TK_ENVELOPE_EMPTY ? TK_FRAME_DROPPED : r;
}

static const struct tk_event ping = {.type = TK_EVENT_PING, .root = {NULL, TK_NO_NODE}};

int tk_frame_read(struct tk_work *k, struct tk_wire_frame *frame, struct tk_event *ret)
{
    int r = tk_frame_open(k, frame);
    enum tk_event_type type = k->format->event_type(frame->name);
    struct tk_str name = tk_frame_name(type, frame->name), data = frame->data;
    struct tk_val root;

    if (r != 0)
        return r;
    if (type == TK_EVENT_PING && !frame->cut) {
        *ret = ping;
        return 0;
    }
    if (is_repeated(k, type, name, data, ret))
        return 0;
    r = tk_frame_root(k, frame, type, name, data, &root);
    if (r == TK_FRAME_PING) {
        *ret = ping;
        return 0;
    }
    if (r != 0)
        return r;
    r = k->format->read_event(root, k->arena, ret);
    if (r == TK_EVENT_MALFORMED)
        return malformed(k, ret->type_text);
    if (name.p && !tk_str_eq(name, ret->type_text))
        tk_warn(k, TK_WARNING_EVENT_NAME_MISMATCH);
    tk_repeat_learn(&k->s->repeat, ret, data);
    return 0;
}
