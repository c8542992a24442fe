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
    TK_CODE_MESSAGE_CONTENT_EMPTY,
    TK_CODE_USER_CONTENT_EMPTY,
    TK_CODE_THINKING_FINAL_BLOCK,
    TK_CODE_CITATION_DANGLING,
    TK_CODE_ROLES_NOT_ALTERNATING,
    TK_CODE_COUNT,
};

struct tk_rule {
    const char *code;
    enum tk_severity severity;
    uint8_t wave;
    bool edit_only; /* this build never finds it; the code names edits that other fixes entail */
    const char *provider;
    const char *text; /* for people: what is wrong, what to do; {tool} and {id} filled in */
    const char *provider_error; /* what the provider answers; NULL: no text known. Filled in:
                                   {message}, {part}, {tool}, {id}, {caller_id} */
};

extern const struct tk_rule tk_catalogue[TK_CODE_COUNT];
extern const size_t tk_catalogue_count;

const char *tk_severity_name(enum tk_severity severity);

#endif
