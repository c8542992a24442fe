/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of methods that judge, of seal, and of methods without a history. */
#include "methods/params/fields.h"
#include "wording/explain.h"

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

/* ---- what is redacted: also what no other method would accept ---- */

static const struct tk_param_shape any_list = {.kinds = TK_T_LIST, .items = &tk_shape_any};
static const struct tk_field field_redacted_messages = {
    .name = TK_NAME("messages"),
    .help = "The history; either this, request or document",
    .shape = &any_list,
    .slot = TK_P_MESSAGES,
    .either = true,
};
static const struct tk_field field_redacted_request = {
    .name = TK_NAME("request"),
    .help = "The whole request body",
    .shape = &tk_shape_object,
    .slot = TK_P_REQUEST,
    .either = true,
};
static const struct tk_field field_document = {
    .name = TK_NAME("document"),
    .help = "A larger document, in which the history is at the place that `at` names",
    .shape = &tk_shape_any,
    .slot = TK_P_DOCUMENT,
    .either = true,
};
static const struct tk_field field_at = {
    .name = TK_NAME("at"),
    .help = "JSON pointer to the history in the document",
    .shape = &tk_shape_string,
    .slot = TK_P_AT,
};

/* ---- a history of any provider ---- */

/* The lists of histories in a body may be of any type: a wrong one says nothing. */
static const struct tk_param_shape any_history = {.kinds = TK_T_ANY, .items = &tk_shape_object};
#define DETECTED_LIST(member)                                                                      \
    static const struct tk_field detected_##member = {                                             \
        .name = TK_NAME(#member), .help = "The history", .shape = &any_history}
DETECTED_LIST(messages);
DETECTED_LIST(input);
DETECTED_LIST(contents);
static const struct tk_field *const detected_body_fields[] = {&detected_messages, &detected_input,
                                                              &detected_contents, NULL};
static const struct tk_param_shape detected_body = {
    .kinds = TK_T_OBJECT, .open = true, .fields = detected_body_fields};
static const struct tk_field field_detected_messages = {
    .name = TK_NAME("messages"),
    .help = "The history, oldest message first; either this or request",
    .shape = &tk_shape_objects,
    .slot = TK_P_MESSAGES,
    .either = true,
};
static const struct tk_field field_detected_request = {
    .name = TK_NAME("request"),
    .help = "The whole request body, of any provider; either this or messages",
    .shape = &detected_body,
    .slot = TK_P_REQUEST,
    .either = true,
};

/* ---- the form of the answer ---- */

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
       &tk_field_target, &tk_field_policy, &tk_field_max_violations, &tk_field_betas,
       &tk_field_provenance, &tk_field_seals, &tk_field_timeout_ms);

PARAMS(repair, &tk_field_messages, &tk_field_request, &tk_field_provider, &tk_field_dialect,
       &tk_field_target, &tk_field_policy, &tk_field_guard, &tk_field_return_messages,
       &tk_field_return_removed, &tk_field_max_violations, &tk_field_betas, &tk_field_provenance,
       &tk_field_seals, &tk_field_timeout_ms);

PARAMS(detect, &field_detected_messages, &field_detected_request, &tk_field_timeout_ms);

PARAMS(repair_turn, &field_content, &field_stop_reason, &tk_field_carry_in, &tk_field_provider,
       &tk_field_dialect, &tk_field_target, &tk_field_policy, &field_return_content,
       &tk_field_max_violations, &tk_field_timeout_ms);

PARAMS(seal, &field_sealed_content, &field_message, &field_answered, &field_blocks,
       &tk_field_timeout_ms);

PARAMS(redact, &field_redacted_messages, &field_redacted_request, &field_document, &field_at,
       &tk_field_provider, &tk_field_dialect, &tk_field_timeout_ms);

PARAMS(ping, &field_echo, &tk_field_timeout_ms);

/* ---- refusals ---- */

static const struct tk_param_shape refusal_text = {
    .kinds = TK_T_STRING, .min = 1, .max = TK_EXPLAIN_MAX};
static const struct tk_field field_text = {
    .name = TK_NAME("text"),
    .help = "The provider's error: its message, its JSON body, or what an SDK made of these",
    .shape = &refusal_text,
    .slot = TK_P_TEXT,
    .required = true,
};

/* The providers of the catalogue, judged by this build or not. */
static const enum tk_word catalogue_provider_words[] = {TK_JUDGED_PROVIDERS(PROVIDER_WORD)
                                                            TK_WORD_NONE};
static const struct tk_param_shape catalogue_provider = {.kinds = TK_T_STRING,
                                                         .words = catalogue_provider_words};
static const struct tk_field field_words_of = {
    .name = TK_NAME("provider"),
    .help = "The provider whose words these are; absent: any",
    .shape = &catalogue_provider,
    .slot = TK_P_PROVIDER,
};

static const struct tk_field field_refused_by = {
    .name = TK_NAME("provider"),
    .help = "The provider that refused the request",
    .shape = &catalogue_provider,
    .slot = TK_P_PROVIDER,
    .required = true,
};

static const struct tk_param_shape refusal_status = {.kinds = TK_T_INT, .min = 400, .max = 599};
static const struct tk_field field_status = {
    .name = TK_NAME("status"),
    .help = "HTTP status of the provider's answer",
    .shape = &refusal_status,
    .slot = TK_P_STATUS,
    .required = true,
};

PARAMS(report_miss, &field_status, &field_text, &field_refused_by, &tk_field_timeout_ms);

PARAMS(explain, &field_text, &field_words_of, &tk_field_timeout_ms);

/* ---- the daemon ---- */

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
