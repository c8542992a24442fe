/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/stream/format.h"

#include "providers/anthropic/seals/make.h"
#include "providers/anthropic/stream/events.h"
#include "providers/anthropic/stream/views.h"

/* ---- seals ---- */

static void seal_block(void *ret, struct tk_val block, struct tk_arena *keep,
                       struct tk_arena *scratch)
{
    struct tk_sealed_block *sealed = ret;

    *sealed = tk_seal_block(block, scratch);
    sealed->type = tk_arena_dup(keep, sealed->type);
    if (sealed->id.p)
        sealed->id = tk_arena_dup(keep, sealed->id);
}

static void write_seal(struct tk_writer *w, const void *sealed, size_t n)
{
    tk_seal_begin(w, sealed, n);
    tk_write_end(w);
}

/* ---- tables ---- */

/* A paused turn is continued by the next request, and so is one that waits for the client's tools:
 * the results of the provider's own calls come then. */
static const struct tk_stop_reason stop_reasons[] = {
    {TK_STR_INIT("end_turn"), TK_FINISH_STOP, TK_EXCUSE_NEVER},
    {TK_STR_INIT("pause_turn"), TK_FINISH_STOP, TK_EXCUSE_ALWAYS},
    {TK_STR_INIT("stop_sequence"), TK_FINISH_STOP, TK_EXCUSE_NEVER},
    {TK_STR_INIT("max_tokens"), TK_FINISH_LENGTH, TK_EXCUSE_NEVER},
    {TK_STR_INIT("model_context_window_exceeded"), TK_FINISH_LENGTH, TK_EXCUSE_NEVER},
    {TK_STR_INIT("tool_use"), TK_FINISH_TOOL_CALLS, TK_EXCUSE_WITH_CLIENT_CALL},
    {TK_STR_INIT("refusal"), TK_FINISH_CONTENT_FILTER, TK_EXCUSE_NEVER},
    {TK_STR_INIT("content_filtered"), TK_FINISH_CONTENT_FILTER, TK_EXCUSE_NEVER},
    {TK_STR_INIT("guardrail_intervened"), TK_FINISH_CONTENT_FILTER, TK_EXCUSE_NEVER},
    {{NULL, 0}, TK_FINISH_UNKNOWN, TK_EXCUSE_NEVER},
};

static const struct tk_str transient_errors[] = {
    TK_STR_INIT("overloaded_error"),
    TK_STR_INIT("api_error"),
    TK_STR_INIT("rate_limit_error"),
    TK_STR_INIT("timeout_error"),
    TK_STR_INIT("server_error"),
    TK_STR_INIT("internal_error"),
    {NULL, 0},
};

static const struct tk_copied_member copied_of_call[] = {
    {TK_STR_INIT("caller"), TK_OBJECT},
    {TK_STR_INIT("server_name"), TK_STRING},
    {TK_STR_INIT("toolset_name"), TK_STRING},
    {{NULL, 0}, 0},
};

static const struct tk_copied_member copied_of_result[] = {
    {TK_STR_INIT("caller"), TK_OBJECT},
    {{NULL, 0}, 0},
};

static const struct tk_block_format blocks = {
    .event_type = tk_anthropic_event_type,
    .read_event = tk_anthropic_read_event,
    .read_facts = tk_anthropic_read_facts,
    .read_error = tk_anthropic_read_error,
    .is_error = tk_anthropic_is_error,
    .write_start = tk_anthropic_write_start,
    .write_error = tk_anthropic_write_error,
    .write_error_event = tk_anthropic_write_error_event,
    .ping = TK_STR_INIT("{\"type\":\"ping\"}"),
    .message_stop = TK_STR_INIT("{\"type\":\"message_stop\"}"),
    .index = TK_STR_INIT("index"),
    .block = TK_STR_INIT("content_block"),
    .message = TK_STR_INIT("message"),
    .blocks = TK_STR_INIT("content"),

    .stop_reasons = stop_reasons,
    .counters =
        {
            [TK_TOKENS_INPUT] = TK_STR_INIT("input_tokens"),
            [TK_TOKENS_CACHE_CREATION] = TK_STR_INIT("cache_creation_input_tokens"),
            [TK_TOKENS_CACHE_READ] = TK_STR_INIT("cache_read_input_tokens"),
            [TK_TOKENS_OUTPUT] = TK_STR_INIT("output_tokens"),
        },
    .transient_errors = transient_errors,
    .begin_message = tk_anthropic_begin_message,
    .end_message = tk_anthropic_end_message,
    .sealed_size = sizeof(struct tk_sealed_block),
    .seal_block = seal_block,
    .write_seal = write_seal,

    .read_block = tk_anthropic_read_block,
    .members =
        {
            [TK_STREAM_BLOCK_TEXT] = {.text = TK_STR_INIT("text"),
                                      .list = TK_STR_INIT("citations")},
            [TK_STREAM_BLOCK_REASONING] = {.text = TK_STR_INIT("thinking"),
                                           .latest = TK_STR_INIT("signature")},
            [TK_STREAM_BLOCK_CALL] = {.input = TK_STR_INIT("input")},
            [TK_STREAM_BLOCK_CLIENT_CALL] = {.input = TK_STR_INIT("input")},
            [TK_STREAM_BLOCK_SUMMARY] = {.text = TK_STR_INIT("content"),
                                         .latest = TK_STR_INIT("encrypted_content")},
        },
    .redacted_data = TK_STR_INIT("data"),
    .handover = TK_STR_INIT(TK_ANTHROPIC_HANDOVER),

    .result_type = tk_anthropic_result_type,
    .is_listed_result = tk_anthropic_is_listed_result,
    .read_result = tk_anthropic_read_result,
    .read_source = tk_anthropic_read_source,
    .copied_of_call = copied_of_call,
    .copied_of_result = copied_of_result,
};

static const uint8_t wires[] = {TK_WIRE_SSE, TK_WIRE_EVENTSTREAM, TK_WIRES};

const struct tk_stream_format tk_anthropic_stream = {
    .wires = wires,
    .any_sse = true,
    .type = TK_STR_INIT("type"),
    .envelope = &tk_anthropic_envelope,
    .blocks = &blocks,
};
