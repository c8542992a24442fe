/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the Gemini API: a part is an object with one data member, which says what it is. Every member has
 * two spellings, camelCase and snake_case (PROVIDERS.md 7.1). */
#ifndef TK_SHAPES_GEMINI_H
#define TK_SHAPES_GEMINI_H

#include "shapes/shape.h"

/* The data members, in the order in which a part with several of them is read: X(id, name, other spelling). */
#define TK_GEMINI_DATA(X)                                                                          \
    X(FUNCTION_CALL, "functionCall", "function_call")                                              \
    X(FUNCTION_RESPONSE, "functionResponse", "function_response")                                  \
    X(TOOL_CALL, "toolCall", "tool_call")                                                          \
    X(TOOL_RESPONSE, "toolResponse", "tool_response")                                              \
    X(EXECUTABLE_CODE, "executableCode", "executable_code")                                        \
    X(CODE_RESULT, "codeExecutionResult", "code_execution_result")                                 \
    X(INLINE_DATA, "inlineData", "inline_data")                                                    \
    X(FILE_DATA, "fileData", "file_data")                                                          \
    X(TEXT, "text", "text")

/* Other members that a part may have. */
#define TK_GEMINI_OTHERS(X)                                                                        \
    X(SIGNATURE, "thoughtSignature", "thought_signature")                                          \
    X(THOUGHT, "thought", "thought")                                                               \
    X(VIDEO, "videoMetadata", "video_metadata")                                                    \
    X(RESOLUTION, "mediaResolution", "media_resolution")                                           \
    X(METADATA, "partMetadata", "part_metadata")

/* Members of a part; those of data are values of `block` of struct tk_part. TK_GEMINI_NONE: no data. */
enum tk_gemini_member {
    TK_GEMINI_NONE,
#define TK_GEMINI_ENUM(id, name, other) TK_GEMINI_##id,
    TK_GEMINI_DATA(TK_GEMINI_ENUM)
    TK_GEMINI_OTHERS(TK_GEMINI_ENUM)
#undef TK_GEMINI_ENUM
        TK_GEMINI_COUNT,
};

static inline bool tk_gemini_is_data(enum tk_gemini_member member)
{
    return member != TK_GEMINI_NONE && member <= TK_GEMINI_TEXT;
}

/* Returns which one a member of a part is; TK_GEMINI_NONE: the API doesn't know it. */
enum tk_gemini_member tk_gemini_member_of(struct tk_val member);

/* Returns a member of a part, in either spelling; absent if it is missing or null. */
struct tk_val tk_gemini_get(const struct tk_part *p, enum tk_gemini_member member);

/* Returns true if the part spells the name of its data in snake_case. */
bool tk_gemini_is_snake(const struct tk_part *p);

/* Writes a response to a call, with its id and name, in its spelling. write() writes the value of `response`. */
void tk_gemini_write_response(struct tk_writer *w, const struct tk_part *call,
                              void (*write)(struct tk_writer *w, const void *arg), const void *arg);

/* Returns true if a thought's signature isn't blank. */
bool tk_gemini_has_signature(const struct tk_part *p);

/* The signature that says that there is none, which the API takes. */
#define TK_GEMINI_DUMMY "skip_thought_signature_validator"

#endif
