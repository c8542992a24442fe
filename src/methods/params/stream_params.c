/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of streams, and of pair (PROTOCOL 5.4). */
#include "methods/params/fields.h"

static const struct tk_param_shape stream_key = {.kinds = TK_T_STRING, .min = 1, .max = 256};
static const struct tk_field field_stream = {
    .name = TK_NAME("stream"),
    .help = "The stream's key, chosen by the client, unique on its connection",
    .shape = &stream_key,
    .slot = TK_P_STREAM,
    .required = true,
};

static const enum tk_word streamed_words[] = {TK_STREAMED_PROVIDERS(PROVIDER_WORD) TK_WORD_NONE};
static const struct tk_param_shape streamed = {.kinds = TK_T_STRING, .words = streamed_words};
static const struct tk_field field_provider = {
    .name = TK_NAME("provider"),
    .help = "The provider whose rules the history must obey",
    .shape = &streamed,
    .slot = TK_P_PROVIDER,
    .initial = TK_WORD_ANTHROPIC,
};

WORDS(wire, TK_WORD_SSE, TK_WORD_EVENTSTREAM, TK_WORD_JSON);
static const struct tk_field field_wire = {
    .name = TK_NAME("wire"),
    .help = "Framing of the bytes; absent: the provider's first one",
    .shape = &wire,
    .slot = TK_P_WIRE,
};

WORDS(emit, TK_WORD_PARTS, TK_WORD_EVENTS, TK_WORD_SSE, TK_WORD_WIRE);
static const struct tk_field field_emit = {
    .name = TK_NAME("emit"),
    .help =
        "Form of the outputs: parts, wire events, or those as SSE bytes or in the input's framing",
    .shape = &emit,
    .slot = TK_P_EMIT,
    .initial = TK_WORD_PARTS,
};

WORDS(emit_whole, TK_WORD_PARTS, TK_WORD_EVENTS, TK_WORD_SSE);
static const struct tk_field field_emit_whole = {
    .name = TK_NAME("emit"),
    .help = "Form of the outputs: parts, wire events, or wire events as SSE bytes",
    .shape = &emit_whole,
    .slot = TK_P_EMIT,
    .initial = TK_WORD_PARTS,
};

static const struct tk_param_shape number = {.kinds = TK_T_INT, .min = 0, .max = INT64_MAX};
static const struct tk_field field_starting_after = {
    .name = TK_NAME("starting_after"),
    .help = "Number of the last event that came before: a response that is read on",
    .shape = &number,
    .slot = TK_P_STARTING_AFTER,
};

static const struct tk_field field_restart = {
    .name = TK_NAME("restart"),
    .help = "These bytes come from a new connection; an unfinished frame is forgotten",
    .shape = &tk_shape_boolean,
    .slot = TK_P_RESTART,
};

WORDS(provider_input, TK_WORD_WHOLE, TK_WORD_DELTAS);
static const struct tk_field field_provider_input = {
    .name = TK_NAME("provider_input"),
    .help = "How a provider's call is sent as events: input whole in its start, or in deltas",
    .shape = &provider_input,
    .slot = TK_P_PROVIDER_INPUT,
    .initial = TK_WORD_WHOLE,
};

static const struct tk_field field_history = {
    .name = TK_NAME("history"),
    .help = "The messages sent with the request; open calls and used ids are read from it",
    .shape = &tk_shape_messages,
    .slot = TK_P_HISTORY,
};

static const struct tk_field field_request = {
    .name = TK_NAME("request"),
    .help = "The whole request body, instead of history",
    .shape = &tk_shape_body,
    .slot = TK_P_REQUEST,
};

static const struct tk_param_shape buffer = {.kinds = TK_T_INT, .min = 1, .max = INT64_C(1) << 30};
static const struct tk_field field_max_buffer = {
    .name = TK_NAME("max_buffer"),
    .help = "Bytes that this stream may hold back; max_stream_buffer holds too",
    .shape = &buffer,
    .slot = TK_P_MAX_BUFFER,
};

static const struct tk_field field_response = {
    .name = TK_NAME("response"),
    .help = "One whole response body",
    .shape = &tk_shape_object,
    .slot = TK_P_RESPONSE,
    .required = true,
};

static const struct tk_param_shape events = {
    .kinds = TK_T_LIST, .items = &tk_shape_object, .foreign = true};
static const struct tk_field field_events = {
    .name = TK_NAME("events"),
    .help = "Wire events in order",
    .shape = &events,
    .slot = TK_P_EVENTS,
    .either = true,
};

static const struct tk_param_shape bytes = {.kinds = TK_T_STRING | TK_T_BIN};
static const struct tk_field field_data = {
    .name = TK_NAME("data"),
    .help = "Bytes of the stream, cut anywhere: a string's UTF-8, or msgpack bin",
    .shape = &bytes,
    .slot = TK_P_DATA,
    .either = true,
};

static const struct tk_field field_data_base64 = {
    .name = TK_NAME("data_base64"),
    .help = "The same in base64, for JSON clients whose chunk may end inside a character",
    .shape = &tk_shape_string,
    .slot = TK_P_DATA_BASE64,
    .either = true,
};

static const struct tk_field field_transport_error = {
    .name = TK_NAME("transport_error"),
    .help = "The transport's error; null: it didn't fail",
    .shape = &tk_shape_string_or_null,
    .slot = TK_P_TRANSPORT_ERROR,
};

/* ---- the methods ---- */

PARAMS(stream_open, &field_stream, &field_provider, &field_wire, &field_emit, &field_starting_after,
       &field_provider_input, &tk_field_carry_in, &field_history, &field_request, &tk_field_policy,
       &field_max_buffer, &tk_field_timeout_ms);

static const struct tk_field *const stream_feed_fields[] = {
    &field_stream,  &field_events,        &field_data,      &field_data_base64,
    &field_restart, &tk_field_timeout_ms, &tk_field_caller, NULL};
const struct tk_param_shape tk_params_stream_feed = {
    .kinds = TK_T_OBJECT, .fields = stream_feed_fields, .blames_itself = true};

PARAMS(stream_end, &field_stream, &field_transport_error, &tk_field_timeout_ms);

PARAMS(pair, &field_response, &field_provider, &field_emit_whole, &field_provider_input,
       &tk_field_carry_in, &field_history, &field_request, &tk_field_policy, &tk_field_timeout_ms);
