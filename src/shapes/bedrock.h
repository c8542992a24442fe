/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of Bedrock's Converse API: a block is an object with one member of a union. */
#ifndef TK_SHAPES_BEDROCK_H
#define TK_SHAPES_BEDROCK_H

#include "shapes/shape.h"

/* The members of the union, in the order in which a block with several of them is read: X(id, name). */
#define TK_BEDROCK_UNION(X)                                                                        \
    X(TEXT, "text")                                                                                \
    X(IMAGE, "image")                                                                              \
    X(DOCUMENT, "document")                                                                        \
    X(VIDEO, "video")                                                                              \
    X(AUDIO, "audio")                                                                              \
    X(TOOL_USE, "toolUse")                                                                         \
    X(TOOL_RESULT, "toolResult")                                                                   \
    X(GUARD_CONTENT, "guardContent")                                                               \
    X(CACHE_POINT, "cachePoint")                                                                   \
    X(REASONING, "reasoningContent")                                                               \
    X(CITATIONS, "citationsContent")                                                               \
    X(SEARCH_RESULT, "searchResult")

/* Values of `block` of struct tk_part. TK_BEDROCK_NONE: the block has no member of the union. */
enum tk_bedrock_block {
    TK_BEDROCK_NONE,
#define TK_BEDROCK_ENUM(id, name) TK_BEDROCK_##id,
    TK_BEDROCK_UNION(TK_BEDROCK_ENUM)
#undef TK_BEDROCK_ENUM
    TK_BEDROCK_COUNT,
};

/* Returns the member of the union that a member of a block is; TK_BEDROCK_NONE if it is another one or
 * null, which counts as absent. */
enum tk_bedrock_block tk_bedrock_member(struct tk_val member);

/* Returns the value of the union's member that the block is read as; absent if it has none. */
struct tk_val tk_bedrock_value(const struct tk_part *p);

/* Writes a result that consists of a text. status: it says that the call failed. The result and its block
 * stay open for further members. */
void tk_bedrock_write_result(struct tk_writer *w, struct tk_str id, struct tk_str text,
                             bool status);

/* Returns true for the `type` of a call or result that the provider executed: a string other than ""
 * and the names that clients use. */
bool tk_bedrock_is_server_type(struct tk_val type);

#endif
