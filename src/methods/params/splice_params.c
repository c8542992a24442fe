/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters of splice, alone and as a step of prepare (OPERATIONS.md part A, OPERATIONS-PROVIDERS.md 1). The
 * forms of turns, results and messages of other providers are in their tables; the operation checks them.
 */
#include "methods/params/fields.h"

#define FIELD(variable, text, what, shape_of)                                                      \
    static const struct tk_field variable = {                                                      \
        .name = TK_NAME(text), .help = what, .shape = &(shape_of)}

static const struct tk_field field_splice_history = {
    .name = TK_NAME("history"),
    .help = "Another name for messages",
    .shape = &tk_shape_messages,
    .slot = TK_P_MESSAGES,
    .either = true,
};

/* ---- the turn ---- */

static const struct tk_param_shape turn_content = {.kinds = TK_T_STRING | TK_T_LIST,
                                                   .items = &tk_shape_object};
static const struct tk_field field_turn_content = {
    .name = TK_NAME("content"),
    .help = "Text, or a list of blocks",
    .shape = &turn_content,
    .required = true,
    .late = true,
};
FIELD(field_turn_stop_reason, "stop_reason", "Why the turn ended, in the provider's words",
      tk_shape_string_or_null);
static const struct tk_field field_container_id = {
    .name = TK_NAME("id"), .help = "The container's id", .shape = &tk_shape_name, .required = true};
static const struct tk_field *const container_fields[] = {&field_container_id, NULL};
static const struct tk_param_shape container_or_null = {
    .kinds = TK_T_OBJECT | TK_T_NULL, .open = true, .fields = container_fields};
FIELD(field_turn_container, "container", "The container that the turn ran in", container_or_null);
static const struct tk_field *const turn_fields[] = {&field_turn_content, &field_turn_stop_reason,
                                                     &field_turn_container, NULL};
static const struct tk_param_shape turn = {
    .kinds = TK_T_OBJECT, .open = true, .fields = turn_fields};

static const struct tk_param_shape other_turn = {
    .kinds = TK_T_OBJECT | TK_T_LIST, .open = true, .items = &tk_shape_object};
static const struct tk_field field_assistant = {
    .name = TK_NAME("assistant"),
    .help = "The assistant turn as received, or the whole response body",
    .shape = &turn,
    .other_shape = &other_turn,
    .slot = TK_P_ASSISTANT,
    .required = true,
};

/* ---- results: of the neutral form, or blocks ---- */

#define RESULT_ID "Id of the call that it answers"

static const struct tk_param_shape some_id = {.kinds = TK_T_STRING, .min = 1, .max = UINT32_MAX};
static const struct tk_param_shape text_or_object = {.kinds = TK_T_STRING | TK_T_OBJECT,
                                                     .open = true};
static const struct tk_field field_neutral_id = {
    .name = TK_NAME("id"), .help = RESULT_ID, .shape = &some_id, .required = true};
FIELD(field_neutral_name, "name", "The tool's name", tk_shape_string);
static const struct tk_field field_neutral_content = {.name = TK_NAME("content"),
                                                      .help = "What the tool returned",
                                                      .shape = &text_or_object,
                                                      .required = true};
FIELD(field_neutral_is_error, "is_error", "The call failed", tk_shape_boolean);
static const struct tk_field *const neutral_fields[] = {
    &field_neutral_id, &field_neutral_name, &field_neutral_content, &field_neutral_is_error, NULL};

WORDS(result_type, TK_WORD_TOOL_RESULT);
static const struct tk_field field_result_type = {.name = TK_NAME("type"),
                                                  .help = "Type of the block",
                                                  .shape = &result_type,
                                                  .required = true,
                                                  .late = true};
static const struct tk_field field_result_id = {.name = TK_NAME("tool_use_id"),
                                                .help = RESULT_ID,
                                                .shape = &tk_shape_string,
                                                .required = true,
                                                .late = true};
static const struct tk_field *const block_fields[] = {&field_result_type, &field_result_id, NULL};
static const struct tk_param_shape result_block = {
    .kinds = TK_T_OBJECT, .open = true, .fields = block_fields};
static const struct tk_param_shape tool_result = {
    .kinds = TK_T_OBJECT, .fields = neutral_fields, .tagged = &result_block};
static const struct tk_param_shape tool_results = {.kinds = TK_T_LIST, .items = &tool_result};
static const struct tk_field field_tool_results = {
    .name = TK_NAME("tool_results"),
    .help = "The tool runner's results, in any order",
    .shape = &tool_results,
    .other_shape = &tk_shape_objects,
    .slot = TK_P_TOOL_RESULTS,
};

/* ---- the caller's messages ---- */

WORDS(appended_role, TK_WORD_USER, TK_WORD_ASSISTANT, TK_WORD_SYSTEM);
static const struct tk_field field_appended_role = {.name = TK_NAME("role"),
                                                    .help = "Role of the message's author",
                                                    .shape = &appended_role,
                                                    .required = true,
                                                    .late = true};
static const struct tk_field *const appended_fields[] = {&field_appended_role, &field_turn_content,
                                                         NULL};
static const struct tk_param_shape appended_message = {
    .kinds = TK_T_OBJECT, .open = true, .fields = appended_fields};
static const struct tk_param_shape appended = {.kinds = TK_T_LIST, .items = &appended_message};
static const struct tk_field field_appended = {
    .name = TK_NAME("appended"),
    .help = "The caller's messages, in their order",
    .shape = &appended,
    .other_shape = &tk_shape_messages,
    .slot = TK_P_APPENDED,
};

/* ---- options ---- */

static const struct tk_field field_container = {
    .name = TK_NAME("container"),
    .help = "The container id that the caller pinned",
    .shape = &tk_shape_name,
    .slot = TK_P_CONTAINER,
};

WORDS(return_spliced, TK_WORD_PATCH, TK_WORD_MESSAGES, TK_WORD_SPLICES);
static const struct tk_field field_return_spliced = {
    .name = TK_NAME("return"),
    .help = "An RFC 6902 patch, all messages, or changes of the bytes sent",
    .shape = &return_spliced,
    .slot = TK_P_RETURN,
    .initial = TK_WORD_PATCH,
};

WORDS(splice_mode, TK_WORD_REPAIR, TK_WORD_STRICT);
static const struct tk_field field_splice_mode = {
    .name = TK_NAME("mode"),
    .help = "Repair what can be repaired, or refuse instead of filling, dropping and textifying",
    .shape = &splice_mode,
    .slot = TK_P_SPLICE_MODE,
    .initial = TK_WORD_REPAIR,
};

WORDS(splice_merge, TK_WORD_SEPARATE, TK_WORD_SINGLE);
static const struct tk_field field_splice_merge = {
    .name = TK_NAME("merge"),
    .help = "Keep neighbouring user messages separate, or join them",
    .shape = &splice_merge,
    .slot = TK_P_SPLICE_MERGE,
    .initial = TK_WORD_SEPARATE,
};

WORDS(on_assistant_conflict, TK_WORD_ERROR, TK_WORD_REPLACE);
static const struct tk_field field_on_assistant_conflict = {
    .name = TK_NAME("on_assistant_conflict"),
    .help = "What to do with an appended assistant message that replaces the turn",
    .shape = &on_assistant_conflict,
    .slot = TK_P_SPLICE_ON_ASSISTANT_CONFLICT,
    .initial = TK_WORD_ERROR,
};

WORDS(splice_compaction, TK_WORD_KEEP, TK_WORD_REPLACE);
static const struct tk_field field_splice_compaction = {
    .name = TK_NAME("compaction"),
    .help = "Keep the history before a compaction turn, or replace it by the turn",
    .shape = &splice_compaction,
    .slot = TK_P_SPLICE_COMPACTION,
    .initial = TK_WORD_KEEP,
};

static const struct tk_param_shape choice_index = {.kinds = TK_T_INT, .min = 0, .max = UINT32_MAX};
static const struct tk_field field_splice_choice = {
    .name = TK_NAME("choice"),
    .help = "Which of several choices or candidates is the turn",
    .shape = &choice_index,
    .slot = TK_P_SPLICE_CHOICE,
};

WORDS(splice_state, TK_WORD_AUTO, TK_WORD_CHAIN);
static const struct tk_field field_splice_state = {
    .name = TK_NAME("state"),
    .help = "The request tells if the server has the history (auto), or it has it (chain)",
    .shape = &splice_state,
    .slot = TK_P_SPLICE_STATE,
    .initial = TK_WORD_AUTO,
};

static const struct tk_field *const splice_options_fields[] = {&field_splice_mode,
                                                               &field_splice_merge,
                                                               &field_on_assistant_conflict,
                                                               &field_splice_compaction,
                                                               &field_splice_choice,
                                                               &field_splice_state,
                                                               NULL};
static const struct tk_param_shape splice_options = {.kinds = TK_T_OBJECT,
                                                     .fields = splice_options_fields};
static const struct tk_field field_splice_options = {
    .name = TK_NAME("options"),
    .help = "Choices between several ways to do the work",
    .shape = &splice_options,
};

static const struct tk_field *const splice_step_fields[] = {
    &field_assistant, &field_tool_results,   &field_appended,
    &field_container, &field_splice_options, NULL};
const struct tk_param_shape tk_shape_splice_step = {.kinds = TK_T_OBJECT,
                                                    .fields = splice_step_fields};

PARAMS(splice, &tk_field_messages, &field_splice_history, &tk_field_request, &field_assistant,
       &field_tool_results, &field_appended, &field_container, &tk_field_provider,
       &tk_field_own_dialect, &tk_field_target, &field_return_spliced, &field_splice_options,
       &tk_field_timeout_ms);
