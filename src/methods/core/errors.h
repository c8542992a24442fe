/* SPDX-License-Identifier: Apache-2.0 */
/* The errors a client can get (PROTOCOL section 6), one row each. */
#ifndef TK_METHODS_CORE_ERRORS_H
#define TK_METHODS_CORE_ERRORS_H

#include <stdbool.h>

enum tk_error_id {
    TK_ERR_PARSE_ERROR,
    TK_ERR_CODEC_UNKNOWN,
    TK_ERR_DUPLICATE_KEY,
    TK_ERR_TOO_DEEP,
    TK_ERR_TOO_MANY_VALUES,
    TK_ERR_TRAILING_BYTES,
    TK_ERR_INVALID_REQUEST,
    TK_ERR_METHOD_NOT_FOUND,
    TK_ERR_INVALID_PARAMS,
    TK_ERR_DIALECT_MISMATCH,
    TK_ERR_INTERNAL,
    TK_ERR_UNSAFE_HISTORY,
    TK_ERR_SEAL_UNSUPPORTED,
    TK_ERR_SEAL_INVALID,
    TK_ERR_STREAM_NOT_FOUND,
    TK_ERR_STREAM_EXISTS,
    TK_ERR_STREAM_FINISHED,
    TK_ERR_THREAD_UNSUPPORTED_REQUEST,
    TK_ERR_ASSISTANT_CONFLICT,
    TK_ERR_MISSING_TOOL_RESULT,
    TK_ERR_SERVER_TOOL_RESULT_NOT_ALLOWED,
    TK_ERR_UNKNOWN_TOOL_USE_ID,
    TK_ERR_SYSTEM_PLACEMENT,
    TK_ERR_EMPTY_MESSAGE,
    TK_ERR_TOOL_NAME_CONFLICT,
    TK_ERR_INCOMPATIBLE_TOOLS,
    TK_ERR_BETA_CONFLICT,
    TK_ERR_UNSUPPORTED_SERVER_TOOL,
    TK_ERR_MISSING_OPTION,
    TK_ERR_UNSUPPORTED_OPTION,
    TK_ERR_BUDGET_UNREACHABLE,
    TK_ERR_FRAME_TOO_LARGE,
    TK_ERR_BUSY,
    TK_ERR_DRAINING,
    TK_ERR_DEADLINE_EXCEEDED,
    TK_ERR_ANSWER_TOO_LARGE,
    TK_ERR_REQUEST_TOO_COSTLY,
    TK_ERR_COUNT,
};

struct tk_error_row {
    const char *name; /* `error.data.name`, by which programs tell errors apart */
    int code;         /* JSON-RPC code */
    bool retryable;
    const char *message; /* for people; no content */
};

extern const struct tk_error_row tk_errors[TK_ERR_COUNT];

#endif
