/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The catalogue: every rule of this build as a row. What a rule looks for is code in the file of
 * its area; everything else about it is here. Rows stand in report order.
 */
#ifndef TK_RULES_CATALOGUE_H
#define TK_RULES_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tk_severity {
    TK_WARNING, /* suspicious, or refused by some targets; never edited */
    TK_ERROR,   /* the provider refuses the request */
    TK_EDIT,    /* never found: the code of an edit that the caller asked for */
};

enum tk_code {
    TK_CODE_BLOCK_OUTSIDE_ASSISTANT,
    TK_CODE_DUPLICATE_ID,
    TK_CODE_CALL_WITHOUT_RESULT,
    TK_CODE_RESULT_WITHOUT_CALL,
    TK_CODE_RESULT_BEFORE_CALL,
    TK_CODE_INVALID_CALL,
    TK_CODE_INVALID_RESULT,
    TK_CODE_TYPE_MISMATCH,
    TK_CODE_CALLER_DANGLING,
    TK_CODE_TOOL_UNKNOWN,
    TK_CODE_SERVER_TOOL_ID_PATTERN,
    TK_CODE_TOOL_USE_WITHOUT_RESULT,
    TK_CODE_TOOL_RESULT_NOT_FIRST,
    TK_CODE_TOOL_RESULT_NOT_ADJACENT,
    TK_CODE_TOOL_RESULT_WITHOUT_USE,
    TK_CODE_TOOL_RESULT_DUPLICATE,
    TK_CODE_TOOL_USE_ID_DUPLICATE,
    TK_CODE_TOOL_USE_IN_USER,
    TK_CODE_TOOL_RESULT_IN_ASSISTANT,
    TK_CODE_TOOL_RESULT_FOR_SERVER_TOOL,
    TK_CODE_MESSAGES_EMPTY,
    TK_CODE_BODY_LONE_SURROGATE,
    TK_CODE_ROLE_UNKNOWN,
    TK_CODE_CONTENT_TYPE_INVALID,
    TK_CODE_FIELD_REQUIRED,
    TK_CODE_EXTRA_INPUTS,
    TK_CODE_UNKNOWN_BLOCK_TYPE,
    TK_CODE_MESSAGE_CONTENT_EMPTY,
    TK_CODE_USER_CONTENT_EMPTY,
    TK_CODE_SYSTEM_MESSAGE_FIRST,
    TK_CODE_SYSTEM_MESSAGE_POSITION,
    TK_CODE_SYSTEM_MESSAGE_EMPTY,
    TK_CODE_SYSTEM_MESSAGE_BLOCK_TYPE,
    TK_CODE_MID_CONV_SYSTEM_BLOCK,
    TK_CODE_SEARCH_RESULT_IN_ASSISTANT,
    TK_CODE_TEXT_EMPTY,
    TK_CODE_TEXT_WHITESPACE_ONLY,
    TK_CODE_FINAL_ASSISTANT_TRAILING_WHITESPACE,
    TK_CODE_THINKING_EMPTY,
    TK_CODE_THINKING_SIGNATURE_MISSING,
    TK_CODE_THINKING_TEXT_MISSING,
    TK_CODE_REDACTED_THINKING_DATA_INVALID,
    TK_CODE_THINKING_FINAL_BLOCK,
    TK_CODE_THINKING_IN_USER,
    TK_CODE_THINKING_ORDER_UNVERIFIED,
    TK_CODE_THINKING_SIGNATURE_MALFORMED,
    TK_CODE_TOOL_USE_ID_PATTERN,
    TK_CODE_TOOL_USE_NAME_INVALID,
    TK_CODE_TOOL_USE_INPUT_NOT_OBJECT,
    TK_CODE_TOOL_RESULT_CONTENT_TYPE,
    TK_CODE_TOOL_RESULT_CONTENT_EMPTY_LIST,
    TK_CODE_TOOL_RESULT_BLOCK_TYPE,
    TK_CODE_TOOL_RESULT_ERROR_NON_TEXT,
    TK_CODE_TOOL_RESULT_SEARCH_RESULT_MIXED,
    TK_CODE_TOOL_RESULT_TOOL_REFERENCE_MIXED,
    TK_CODE_TOOLSET_NAME_MISMATCH,
    TK_CODE_TOOLSET_RESULT_CONTENT,
    TK_CODE_PTC_RESULT_NON_TEXT,
    TK_CODE_IMAGE_MEDIA_TYPE_UNSUPPORTED,
    TK_CODE_IMAGE_MEDIA_TYPE_MISMATCH,
    TK_CODE_IMAGE_UNPROCESSABLE,
    TK_CODE_IMAGE_DIMENSIONS,
    TK_CODE_IMAGE_MANY_DIMENSIONS,
    TK_CODE_PDF_INVALID,
    TK_CODE_CACHE_CONTROL_TOO_MANY,
    TK_CODE_CACHE_CONTROL_EMPTY_TEXT,
    TK_CODE_CACHE_CONTROL_ON_THINKING,
    TK_CODE_CACHE_TTL_ORDER,
    TK_CODE_ENCRYPTED_INDEX_MISSING,
    TK_CODE_CITATION_DANGLING,
    TK_CODE_CITATIONS_ALL_OR_NONE,
    TK_CODE_COMPACTION_BLOCK_EMPTY,
    TK_CODE_COMPACTION_BLOCK_MISPLACED,
    TK_CODE_ROLES_NOT_ALTERNATING,
    TK_CODE_THINKING_PREFIX_MISMATCH,
    TK_CODE_SEALED_TURN_REORDERED,
    TK_CODE_SEALED_TURN_ALTERED,
    TK_CODE_SEALED_TURN_MISSING_THINKING,
    TK_CODE_SEALED_TURN_MISSING_TOOL_USE,
    TK_CODE_SEALED_TURN_FOREIGN_BLOCK,
    TK_CODE_THINKING_NOT_FOR_ROUTE,
    TK_CODE_PRIOR_THINKING_PRUNED,
    TK_CODE_COUNT,
};

/*
 * A row. Both sentences are templates: {message}, {part}, {tool}, {id} and {caller_id} are filled
 * in from the place that is blamed; {field}, {type}, {role}, {declared}, {count} and {column} are
 * the first of the finding's words (finding.h), {found} and {offset} the second.
 */
struct tk_rule {
    const char *code;
    enum tk_severity severity;
    uint8_t wave;
    bool edit_only; /* this build never finds it; the code names edits that other fixes entail */
    const char *provider;
    const char *text;           /* for people: what is wrong, what to do */
    const char *provider_error; /* what the provider answers; NULL: no text known */
};

extern const struct tk_rule tk_catalogue[TK_CODE_COUNT];
extern const size_t tk_catalogue_count;

const char *tk_severity_name(enum tk_severity severity);

#endif
