/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that the shape `openai-chat` gives to types and members, for the rules of its provider. */
#ifndef TK_SHAPES_OPENAI_CHAT_H
#define TK_SHAPES_OPENAI_CHAT_H

#include "shapes/shape.h"

/* Types of parts (`block` of struct tk_part): X(id, type as written, kind, member with its payload).
 * Those after REFUSAL are of other APIs. */
#define TK_CHAT_TYPES(X)                                                                           \
    X(TEXT, "text", TEXT, "text")                                                                  \
    X(IMAGE_URL, "image_url", MEDIA, "image_url")                                                  \
    X(INPUT_AUDIO, "input_audio", MEDIA, "input_audio")                                            \
    X(FILE, "file", MEDIA, "file")                                                                 \
    X(REFUSAL, "refusal", OTHER, "refusal")                                                        \
    X(INPUT_TEXT, "input_text", TEXT, "text")                                                      \
    X(OUTPUT_TEXT, "output_text", TEXT, "text")                                                    \
    X(SUMMARY_TEXT, "summary_text", TEXT, "text")                                                  \
    X(INPUT_IMAGE, "input_image", MEDIA, "image_url")                                              \
    X(IMAGE, "image", OTHER, "image")                                                              \
    X(TOOL_USE, "tool_use", OTHER, "input")                                                        \
    X(TOOL_RESULT, "tool_result", OTHER, "content")                                                \
    X(THINKING, "thinking", OTHER, "thinking")                                                     \
    X(REDACTED_THINKING, "redacted_thinking", OTHER, "data")

enum tk_chat_type {
    TK_CHAT_UNKNOWN, /* passes through */
#define TK_CHAT_TYPE_ENUM(id, type, kind, payload) TK_CHAT_##id,
    TK_CHAT_TYPES(TK_CHAT_TYPE_ENUM)
#undef TK_CHAT_TYPE_ENUM
    /* Calls. */
    TK_CHAT_FUNCTION_CALL,
    TK_CHAT_CUSTOM_CALL, /* its input is any string */
    TK_CHAT_HOLE,        /* null in the place of a call */
};

/* Members of a message (`noted` of struct tk_message): X(id, name). */
#define TK_CHAT_MEMBERS(X)                                                                         \
    X(NAME, "name")                                                                                \
    X(TOOL_CALL_ID, "tool_call_id")                                                                \
    X(REASONING_CONTENT, "reasoning_content")                                                      \
    X(REFUSAL, "refusal")                                                                          \
    X(FUNCTION_CALL, "function_call")                                                              \
    X(AUDIO, "audio")                                                                              \
    X(ANNOTATIONS, "annotations")                                                                  \
    X(REASONING, "reasoning")                                                                      \
    X(REASONING_DETAILS, "reasoning_details")

enum {
#define TK_CHAT_MEMBER_ENUM(id, name) TK_CHAT_M_##id,
    TK_CHAT_MEMBERS(TK_CHAT_MEMBER_ENUM)
#undef TK_CHAT_MEMBER_ENUM
    TK_CHAT_M_COUNT,
};

/* Names of the members by number. */
extern const struct tk_str tk_chat_members[TK_CHAT_M_COUNT + 1];

#endif
