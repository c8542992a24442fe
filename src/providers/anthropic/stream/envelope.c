/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Anthropic's events in the frames of Bedrock's eventstream (STREAM-PROVIDERS.md 9):
 *
 *     chunk  {"bytes": base64 of an event, "p": padding}
 *     throttlingException  {"message": "..."}
 */
#include "providers/anthropic/stream/format.h"

#include <errno.h>

#include "value/base64.h"
#include "value/writer.h"

/* Exceptions, and the types of the errors that they are; the last row is of any other. */
static const struct {
    struct tk_str name;
    const char *type;
} exceptions[] = {
    {TK_STR_INIT("throttlingException"), "rate_limit_error"},
    {TK_STR_INIT("serviceUnavailableException"), "overloaded_error"},
    {TK_STR_INIT("modelNotReadyException"), "overloaded_error"},
    {TK_STR_INIT("modelTimeoutException"), "timeout_error"},
    {TK_STR_INIT("validationException"), "invalid_request_error"},
    {{NULL, 0}, "api_error"},
};

static const char *error_type(struct tk_str name)
{
    size_t i = 0;

    while (exceptions[i].name.p && !tk_str_eq(name, exceptions[i].name))
        i++;
    return exceptions[i].type;
}

static struct tk_str error_event(const struct tk_wire_frame *frame, struct tk_str message,
                                 struct tk_arena *arena)
{
    struct tk_encoding e;

    tk_encode_begin(&e, TK_JSON, arena);
    tk_write_map(&e.w);
    tk_write_kv_cstr(&e.w, "type", "error");
    tk_write_key(&e.w, "error");
    tk_write_map(&e.w);
    tk_write_kv_cstr(&e.w, "type", error_type(frame->name));
    tk_write_kv_str(&e.w, "message", message);
    tk_write_end(&e.w);
    tk_write_end(&e.w);
    return tk_encode_end(&e);
}

/* Takes the event out of the payload of a chunk. */
static int open_chunk(struct tk_wire_frame *frame, struct tk_val payload, struct tk_arena *arena)
{
    struct tk_str base64 = tk_text(tk_get(payload, TK_STR("bytes")), arena);
    int r = base64.p ? tk_base64_decode(base64, arena, &frame->data) : TK_BASE64_INVALID;

    return r == TK_BASE64_INVALID ? TK_ENVELOPE_BROKEN : r;
}

static int open_frame(struct tk_wire_frame *frame, struct tk_doc *tape,
                      const struct tk_read_limits *limits, struct tk_arena *arena)
{
    struct tk_val payload = TK_NO_VAL;
    struct tk_str message = frame->data;
    struct tk_read_error error;

    if (frame->kind != TK_FRAME_ERROR) {
        int r = tk_json_read(tape, frame->data.p, frame->data.n, limits, arena, &error);

        if (r < 0)
            return r;
        payload = r == 0 ? tk_root(tape) : TK_NO_VAL;
        message = tk_text(tk_get(payload, TK_STR("message")), arena);
    }
    if (frame->kind == TK_FRAME_EVENT)
        return tk_str_is(frame->name, "chunk") ? open_chunk(frame, payload, arena)
                                               : TK_ENVELOPE_EMPTY;
    frame->data = error_event(frame, message.p ? message : TK_STR(""), arena);
    return frame->data.p ? 0 : -ENOMEM;
}

static void close_frame(struct tk_str json, struct tk_arena *arena, struct tk_str *ret_type,
                        struct tk_str *ret_payload)
{
    struct tk_str base64 = tk_base64_encode(json, arena);
    struct tk_encoding e;

    *ret_type = TK_STR("chunk");
    tk_encode_begin(&e, TK_JSON, arena);
    tk_write_map(&e.w);
    if (base64.p)
        tk_write_kv_str(&e.w, "bytes", base64);
    tk_write_end(&e.w);
    *ret_payload = tk_encode_end(&e);
}

const struct tk_frame_envelope tk_anthropic_envelope = {open_frame, close_frame};
