/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of tools and prepare (OPERATIONS.md parts B, D). */
#include "methods/params/fields.h"

/* ---- tools (OPERATIONS.md part B) ---- */

static const struct tk_param_shape objects_or_null = {.kinds = TK_T_LIST | TK_T_NULL,
                                                      .items = &tk_shape_object};

static const struct tk_field field_tools = {
    .name = TK_NAME("tools"),
    .help = "The request's tools, if the rest of the request isn't sent",
    .shape = &objects_or_null,
    .slot = TK_P_TOOLS,
    .either = true,
};

static const struct tk_field field_body_tools = {
    .name = TK_NAME("tools"),
    .help = "The tools so far",
    .shape = &objects_or_null,
    .slot = TK_P_TOOLS,
};
static const struct tk_field field_body_servers = {
    .name = TK_NAME("mcp_servers"),
    .help = "The MCP servers so far",
    .shape = &objects_or_null,
    .slot = TK_P_MCP_SERVERS,
};
static const struct tk_field field_body_history = {
    .named = TK_NAMED_BY_ROOT,
    .help = "The history, oldest message first",
    .shape = &tk_shape_messages,
    .slot = TK_P_MESSAGES,
};
static const struct tk_field *const tools_body_fields[] = {&field_body_tools, &field_body_servers,
                                                           &field_body_history, NULL};
static const struct tk_param_shape tools_body = {
    .kinds = TK_T_OBJECT, .open = true, .fields = tools_body_fields};
static const struct tk_field field_tools_request = {
    .name = TK_NAME("request"),
    .help = "The whole request body; either this or tools",
    .shape = &tools_body,
    .slot = TK_P_REQUEST,
    .either = true,
};

static const struct tk_field field_want = {.name = TK_NAME("want"),
                                           .help = "The tool's name, the same for all providers",
                                           .shape = &tk_shape_string,
                                           .required = true};
static const struct tk_field field_want_options = {
    .name = TK_NAME("options"), .help = "Members of the entry", .shape = &tk_shape_object};
static const struct tk_field field_want_version = {.name = TK_NAME("version"),
                                                   .help = "The date of its type, 20250305",
                                                   .shape = &tk_shape_string};
static const struct tk_field *const named_tool_fields[] = {&field_want, &field_want_options,
                                                           &field_want_version, NULL};
static const struct tk_param_shape named_tool = {.kinds = TK_T_OBJECT, .fields = named_tool_fields};
static const struct tk_param_shape addition = {
    .kinds = TK_T_STRING | TK_T_OBJECT, .open = true, .tagged = &named_tool};
static const struct tk_param_shape additions = {.kinds = TK_T_LIST, .items = &addition};
static const struct tk_field field_add = {
    .name = TK_NAME("add"),
    .help = "Tools to add: entries as the provider takes them, or tools by name",
    .shape = &additions,
    .slot = TK_P_ADD,
};

WORDS(on_conflict, TK_WORD_REPLACE, TK_WORD_NEWEST, TK_WORD_KEEP_BASE, TK_WORD_REPLACE_CUSTOM);
static const struct tk_field field_on_conflict = {
    .name = TK_NAME("on_conflict"),
    .help = "Which of two entries for the same tool is kept",
    .shape = &on_conflict,
    .slot = TK_P_ON_CONFLICT,
    .initial = TK_WORD_REPLACE,
};

static const struct tk_field field_tools_betas = {
    .name = TK_NAME("betas"),
    .help = "The caller's anthropic-beta header: a line, or a list of lines",
    .shape = &tk_shape_string_or_strings,
    .slot = TK_P_BETAS,
};

static const enum tk_word tools_provider_words[] = {TK_MERGED_PROVIDERS(PROVIDER_WORD)
                                                        TK_WORD_NONE};
static const struct tk_param_shape tools_provider = {.kinds = TK_T_STRING,
                                                     .words = tools_provider_words};
static const struct tk_field field_tools_provider = {
    .name = TK_NAME("provider"),
    .help = "Whose tools they are",
    .shape = &tools_provider,
    .slot = TK_P_PROVIDER,
    .initial = TK_WORD_ANTHROPIC,
};

WORDS(call, TK_WORD_MESSAGES, TK_WORD_COUNT_TOKENS);
static const struct tk_field field_call = {
    .name = TK_NAME("call"),
    .help = "The endpoint that the request is for: a turn, or a count of tokens",
    .shape = &call,
    .slot = TK_P_CALL,
    .initial = TK_WORD_MESSAGES,
};

static const struct tk_field field_interleaved = {
    .name = TK_NAME("interleaved"),
    .help = "Ask for thinking between tool calls",
    .shape = &tk_shape_boolean,
    .slot = TK_P_INTERLEAVED,
};

static const struct tk_field field_legacy_betas = {
    .name = TK_NAME("legacy_betas"),
    .help = "Include the beta values that web tools needed in the past",
    .shape = &tk_shape_boolean,
    .slot = TK_P_LEGACY_BETAS,
};

WORDS(return_tools, TK_WORD_PATCH, TK_WORD_TOOLS, TK_WORD_SPLICES);
static const struct tk_field field_return_tools = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, all tools, or changes of the bytes sent",
    .shape = &return_tools,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

/* ---- prepare (OPERATIONS.md part D) ---- */

static const struct tk_field *const prepared_body_fields[] = {
    &tk_field_body_messages, &field_body_tools, &field_body_servers, NULL};
static const struct tk_param_shape prepared_body = {
    .kinds = TK_T_OBJECT, .open = true, .fields = prepared_body_fields};
static const struct tk_field field_prepared_request = {
    .name = TK_NAME("request"),
    .help = "The whole request body",
    .shape = &prepared_body,
    .slot = TK_P_REQUEST,
    .required = true,
};

static const struct tk_field field_splice_step = {
    .name = TK_NAME("splice"),
    .help = "The turn that came back, its results and what the caller appends; absent: no step",
    .shape = &tk_shape_splice_step,
    .slot = TK_P_SPLICE,
};

static const struct tk_field field_step_provider = {
    .name = TK_NAME("provider"),
    .help = "Whose tools they are; absent: the provider of the request",
    .shape = &tools_provider,
    .slot = TK_P_TOOLS_PROVIDER,
};
static const struct tk_field field_step_endpoint = {
    .name = TK_NAME("endpoint"),
    .help = "Where the request goes",
    .shape = &tk_shape_endpoint,
    .slot = TK_P_TOOLS_ENDPOINT,
};
static const struct tk_field field_step_model = {
    .name = TK_NAME("model"), .help = "The model's name", .shape = &tk_shape_name};
static const struct tk_field *const step_target_fields[] = {&field_step_endpoint, &field_step_model,
                                                            NULL};
static const struct tk_param_shape step_target = {.kinds = TK_T_OBJECT,
                                                  .fields = step_target_fields};
static const struct tk_field field_step_target = {
    .name = TK_NAME("target"),
    .help = "Where the request goes; absent: the target of all steps",
    .shape = &step_target,
};
static const struct tk_field *const tools_step_fields[] = {
    &field_add,           &field_on_conflict,  &field_tools_betas,
    &field_step_provider, &field_step_target,  &field_call,
    &field_interleaved,   &field_legacy_betas, NULL};
static const struct tk_param_shape tools_step = {.kinds = TK_T_OBJECT, .fields = tools_step_fields};
static const struct tk_field field_tools_step = {
    .name = TK_NAME("tools"),
    .help = "Tools to add, and the caller's beta values; absent: none",
    .shape = &tools_step,
    .slot = TK_P_TOOLS_STEP,
};

WORDS(return_prepared, TK_WORD_PATCH, TK_WORD_REQUEST, TK_WORD_SPLICES);
static const struct tk_field field_return_prepared = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, the whole body if it changed, or changes of the bytes sent",
    .shape = &return_prepared,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

/* ---- the methods ---- */

PARAMS(tools, &field_tools_request, &field_tools, &field_add, &field_on_conflict,
       &field_tools_betas, &field_tools_provider, &tk_field_target, &field_call, &field_interleaved,
       &field_legacy_betas, &field_return_tools, &tk_field_timeout_ms);

PARAMS(prepare, &field_prepared_request, &field_splice_step, &field_tools_step, &tk_field_fit_step,
       &tk_field_provider, &tk_field_own_dialect, &tk_field_target, &tk_field_policy,
       &tk_field_guard, &field_return_prepared, &tk_field_return_removed, &tk_field_max_violations,
       &tk_field_provenance, &tk_field_seals, &tk_field_timeout_ms);
