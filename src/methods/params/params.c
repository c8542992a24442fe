/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of methods that judge, of seal, and of methods without a history. */
#include "methods/params/fields.h"

/* ---- turns ---- */

static const struct tk_field field_content = {
    .name = TK_NAME("content"),
    .help = "The parts of one assistant turn",
    .shape = &tk_shape_objects,
    .slot = TK_P_CONTENT,
    .required = true,
};

static const struct tk_param_shape sealed_content = {.kinds = TK_T_STRING | TK_T_LIST,
                                                     .items = &tk_shape_object};
static const struct tk_field field_sealed_content = {
    .name = TK_NAME("content"),
    .help = "The content of an assistant turn as received; either this or message",
    .shape = &sealed_content,
    .slot = TK_P_CONTENT,
    .either = true,
    .late = true,
};

WORDS(assistant, TK_WORD_ASSISTANT);
static const struct tk_field field_sealed_role = {.name = TK_NAME("role"),
                                                  .help = "Role of the message's author",
                                                  .shape = &assistant,
                                                  .required = true,
                                                  .late = true};
static const struct tk_field field_sealed_message_content = {.name = TK_NAME("content"),
                                                             .help = "Text, or a list of parts",
                                                             .shape = &sealed_content,
                                                             .slot = TK_P_CONTENT,
                                                             .required = true,
                                                             .late = true};
static const struct tk_field *const sealed_message_fields[] = {&field_sealed_role,
                                                               &field_sealed_message_content, NULL};
static const struct tk_param_shape sealed_message = {
    .kinds = TK_T_OBJECT, .open = true, .fields = sealed_message_fields};
static const struct tk_field field_message = {
    .name = TK_NAME("message"),
    .help = "The assistant turn as a message",
    .shape = &sealed_message,
    .slot = TK_P_MESSAGE,
    .either = true,
};

static const struct tk_field field_answered = {
    .name = TK_NAME("request"),
    .help = "The whole request body that this turn answers",
    .shape = &tk_shape_body,
    .slot = TK_P_REQUEST,
};

static const struct tk_field field_blocks = {
    .name = TK_NAME("blocks"),
    .help = "Include the blocks, so that they can be restored",
    .shape = &tk_shape_boolean,
    .slot = TK_P_BLOCKS,
};

static const struct tk_field field_stop_reason = {
    .name = TK_NAME("stop_reason"),
    .help = "Why the turn ended, in the provider's words",
    .shape = &tk_shape_string,
    .slot = TK_P_STOP_REASON,
};

/* ---- facts about the request ---- */

static const struct tk_field field_betas = {
    .name = TK_NAME("betas"),
    .help = "The request's anthropic-beta values",
    .shape = &tk_shape_string_or_strings,
    .slot = TK_P_BETAS,
};

/* ---- the form of the answer ---- */

WORDS(return_messages, TK_WORD_PATCH, TK_WORD_MESSAGES, TK_WORD_SPLICES, TK_WORD_REPORT);
static const struct tk_field field_return_messages = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, the repaired messages, changes of the bytes sent, or none of these",
    .shape = &return_messages,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

WORDS(return_content, TK_WORD_PATCH, TK_WORD_CONTENT, TK_WORD_SPLICES, TK_WORD_REPORT);
static const struct tk_field field_return_content = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, the repaired content, changes of the bytes sent, or none of these",
    .shape = &return_content,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

static const struct tk_field field_echo = {
    .name = TK_NAME("echo"),
    .help = "Any value; it is returned unchanged",
    .shape = &tk_shape_any,
    .slot = TK_P_ECHO,
};

/* ---- the methods ---- */

PARAMS(validate, &tk_field_messages, &tk_field_request, &tk_field_provider, &tk_field_dialect,
       &tk_field_target, &tk_field_policy, &tk_field_max_violations, &field_betas,
       &tk_field_provenance, &tk_field_seals, &tk_field_timeout_ms);

PARAMS(repair, &tk_field_messages, &tk_field_request, &tk_field_provider, &tk_field_dialect,
       &tk_field_target, &tk_field_policy, &tk_field_guard, &field_return_messages,
       &tk_field_max_violations, &field_betas, &tk_field_provenance, &tk_field_seals,
       &tk_field_timeout_ms);

PARAMS(repair_turn, &field_content, &field_stop_reason, &tk_field_carry_in, &tk_field_provider,
       &tk_field_dialect, &tk_field_target, &tk_field_policy, &field_return_content,
       &tk_field_max_violations, &tk_field_timeout_ms);

PARAMS(seal, &field_sealed_content, &field_message, &field_answered, &field_blocks,
       &tk_field_timeout_ms);

PARAMS(ping, &field_echo, &tk_field_timeout_ms);

WORDS(format, TK_WORD_JSON, TK_WORD_PROMETHEUS, TK_WORD_OPENMETRICS);
static const struct tk_field field_format = {
    .name = TK_NAME("format"),
    .help = "Form of the result: the map of numbers, or {text} in a format of Prometheus",
    .shape = &format,
    .slot = TK_P_FORMAT,
    .initial = TK_WORD_JSON,
};

PARAMS(stats, &field_format, &tk_field_timeout_ms);

PARAMS(plain, &tk_field_timeout_ms);
