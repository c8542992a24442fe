/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the events of ConverseStream. */
#include "providers/bedrock/stream/converse.h"
#include "providers/bedrock/stream/converse_format.h"

/* ---- one function a type of event ---- */

static int message_start(struct tk_stream_turn *t, struct tk_val payload)
{
    (void)payload;
    if (tk_converse_of(t)->begun)
        return tk_turn_fail(
            t, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_DUPLICATE_MESSAGE_START});
    tk_converse_of(t)->begun = true;
    return 0;
}

/* Reads the index of an event of a block. */
static bool index_of(struct tk_val payload, int64_t *ret)
{
    return tk_int64(tk_get(payload, TK_STR("contentBlockIndex")), ret) && *ret != TK_NO_INDEX;
}

static int block_start(struct tk_stream_turn *t, struct tk_val payload)
{
    struct tk_val start = tk_get(payload, TK_STR("start"));
    int64_t index;

    if (!index_of(payload, &index) || !tk_is(start, TK_OBJECT))
        return TK_TURN_MALFORMED;
    return tk_converse_start(t, index, start);
}

static int block_delta(struct tk_stream_turn *t, struct tk_val payload)
{
    struct tk_val delta = tk_get(payload, TK_STR("delta"));
    int64_t index;

    if (!index_of(payload, &index) || !tk_is(delta, TK_OBJECT))
        return TK_TURN_MALFORMED;
    return tk_converse_delta(t, index, delta);
}

static int block_stop(struct tk_stream_turn *t, struct tk_val payload)
{
    int64_t index;

    return index_of(payload, &index) ? tk_converse_stop(t, index) : TK_TURN_MALFORMED;
}

static int message_stop(struct tk_stream_turn *t, struct tk_val payload)
{
    struct tk_val reason = tk_get(payload, TK_STR("stopReason"));

    tk_turn_details(t, tk_get(payload, TK_STR("additionalModelResponseFields")));
    if (tk_exists(reason) && !tk_is(reason, TK_STRING) && !tk_is(reason, TK_NULL))
        return TK_TURN_MALFORMED;
    if (!tk_is(reason, TK_STRING) || tk_raw(reason).n == 0 || tk_converse_of(t)->stopped)
        return 0;
    return tk_converse_message_stop(t, tk_text(reason, t->arena));
}

static int metadata(struct tk_stream_turn *t, struct tk_val payload)
{
    static const struct tk_str counters[TK_TOKENS] = {
        [TK_TOKENS_INPUT] = TK_STR_INIT("inputTokens"),
        [TK_TOKENS_CACHE_CREATION] = TK_STR_INIT("cacheWriteInputTokens"),
        [TK_TOKENS_CACHE_READ] = TK_STR_INIT("cacheReadInputTokens"),
        [TK_TOKENS_OUTPUT] = TK_STR_INIT("outputTokens"),
    };
    struct tk_val usage = tk_get(payload, TK_STR("usage"));
    int64_t tokens[TK_TOKENS];

    for (size_t i = 0; i < TK_TOKENS; i++)
        tokens[i] = tk_tokens_of(tk_get(usage, counters[i]));
    tk_turn_usage(t, usage, tokens, tk_get(usage, TK_STR("totalTokens")));
    tk_converse_of(t)->metadata = tk_keep(t->keep, payload);
    return 0;
}

static const struct {
    struct tk_str name;
    int (*read)(struct tk_stream_turn *t, struct tk_val payload);
} events[] = {
    {TK_STR_INIT("contentBlockDelta"), block_delta},
    {TK_STR_INIT("contentBlockStart"), block_start},
    {TK_STR_INIT("contentBlockStop"), block_stop},
    {TK_STR_INIT("messageStart"), message_start},
    {TK_STR_INIT("messageStop"), message_stop},
    {TK_STR_INIT("metadata"), metadata},
};
#define EVENTS (sizeof(events) / sizeof(events[0]))

/* ---- events ---- */

static struct tk_str name_of(struct tk_val event, struct tk_arena *arena)
{
    struct tk_val member = tk_first(event);

    return tk_exists(member) ? tk_key(member, arena) : (struct tk_str){NULL, 0};
}

static int exception(struct tk_stream_turn *t, struct tk_val event, struct tk_val payload)
{
    return tk_turn_error(
        t, &(struct tk_told_error){.type = name_of(event, t->arena),
                                   .message = tk_text(tk_get(payload, TK_STR("message")), t->arena),
                                   .event = event});
}

/* Reads the event that a member of the name is. */
static int read_known(struct tk_stream_turn *t, size_t row, struct tk_val payload)
{
    if (!tk_is(payload, TK_OBJECT))
        return TK_TURN_MALFORMED;
    if (!tk_converse_of(t)->begun && events[row].read != message_start) {
        tk_converse_of(t)->begun = true;
        tk_turn_warn(t, TK_WARNING_MISSING_MESSAGE_START);
    }
    return events[row].read(t, payload);
}

static int read(struct tk_stream_turn *t, struct tk_val event)
{
    struct tk_val payload = tk_first(event);
    size_t row = 0;

    if (!tk_exists(payload) || tk_exists(tk_after(event, payload)))
        return TK_TURN_MALFORMED;
    while (row < EVENTS && !tk_key_is(payload, events[row].name))
        row++;
    if (row < EVENTS)
        return read_known(t, row, payload);
    if (tk_str_ends(name_of(event, t->arena), TK_STR("Exception")))
        return exception(t, event, payload);
    tk_turn_warn(t, TK_WARNING_UNKNOWN_EVENT);
    return 0;
}

/* ---- the rest of the format ---- */

static bool is_complete(struct tk_stream_turn *t)
{
    return tk_converse_of(t)->stopped;
}

/* {"metadata": what came with the usage} */
static void write_finish(struct tk_stream_turn *t, struct tk_writer *w)
{
    struct tk_val v = tk_turn_read_kept(t, &tk_converse_of(t)->metadata);

    tk_write_key(w, "metadata");
    tk_write_map(w);
    for (struct tk_val m = tk_first(v); tk_exists(m); m = tk_after(v, m)) {
        if (tk_key_is(m, TK_STR("usage")) || tk_key_is(m, TK_STR("p"))) /* p: padding */
            continue;
        tk_write_key_str(w, tk_key(m, t->arena));
        tk_write_any(w, m);
    }
    tk_write_end(w);
}

static void write_error(struct tk_stream_turn *t, struct tk_writer *w,
                        const struct tk_found_error *error)
{
    (void)t;
    tk_write_map(w);
    tk_write_key(w, error->retryable ? "modelStreamErrorException" : "validationException");
    tk_write_map(w);
    tk_write_kv_str(w, "message", error->text);
    tk_write_end(w);
    tk_write_end(w);
}

static struct tk_val error_of(struct tk_val event)
{
    return tk_first(event);
}

static const struct tk_turn_format turn = {
    .own_size = sizeof(struct tk_converse),
    .name_of = name_of,
    .read = read,
    .read_response = tk_converse_read_response,
    .is_complete = is_complete,
    .end = tk_converse_end,
    .write_entries = tk_converse_write_entries,
    .write_finish = write_finish,
    .write_error = write_error,
    .error_of = error_of,
};

static const uint8_t wires[] = {TK_WIRE_EVENTSTREAM, TK_WIRES};

const struct tk_stream_format tk_bedrock_stream = {.wires = wires, .turn = &turn};
