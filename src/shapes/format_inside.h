/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signs by which formats are recognised, for format.c, which searches for them:
 *
 *     format_signs.c  the names of members that can be signs, and a row for each condition
 *     format.c        the search: which rows to try for an element or part, and whose sign counts
 */
#ifndef TK_SHAPES_FORMAT_INSIDE_H
#define TK_SHAPES_FORMAT_INSIDE_H

#include "shapes/format.h"

/* ---- members that can be signs ---- */

/* X(n, name as an identifier, name as written); n is passed on to X. */
#define ELEMENT_MEMBERS(X, n)                                                                      \
    X(n, ROLE, "role")                                                                             \
    X(n, CONTENT, "content")                                                                       \
    X(n, TYPE, "type")                                                                             \
    X(n, MESSAGE, "message")                                                                       \
    X(n, UUID, "uuid")                                                                             \
    X(n, SESSION_CAMEL, "sessionId")                                                               \
    X(n, SESSION, "session_id")                                                                    \
    X(n, LC, "lc")                                                                                 \
    X(n, KWARGS, "kwargs")                                                                         \
    X(n, DATA, "data")                                                                             \
    X(n, MORE_KWARGS, "additional_kwargs")                                                         \
    X(n, KIND, "kind")                                                                             \
    X(n, PARTS, "parts")                                                                           \
    X(n, FROM, "from")                                                                             \
    X(n, VALUE, "value")                                                                           \
    X(n, BLOCKS, "blocks")                                                                         \
    X(n, TOOL_CALLS, "tool_calls")                                                                 \
    X(n, FUNCTION_CALL, "function_call")                                                           \
    X(n, TOOL_CALL_ID, "tool_call_id")                                                             \
    X(n, NAME, "name")                                                                             \
    X(n, TOOL_INVOCATIONS, "toolInvocations")                                                      \
    X(n, OPTIONS, "providerOptions")

#define PART_MEMBERS(X, n)                                                                         \
    X(n, TYPE, "type")                                                                             \
    X(n, TEXT, "text")                                                                             \
    X(n, ID, "id")                                                                                 \
    X(n, TOOL_USE_ID, "tool_use_id")                                                               \
    X(n, TOOL_CALL_ID, "toolCallId")                                                               \
    X(n, IMAGE, "image")                                                                           \
    X(n, DATA, "data")                                                                             \
    X(n, OPTIONS, "providerOptions")                                                               \
    X(n, TOOL_USE, "toolUse")                                                                      \
    X(n, TOOL_RESULT, "toolResult")                                                                \
    X(n, REASONING, "reasoningContent")                                                            \
    X(n, CACHE_POINT, "cachePoint")

enum {
#define ELEMENT_ENUM(n, id, text) E_##id,
    ELEMENT_MEMBERS(ELEMENT_ENUM, 0)
#undef ELEMENT_ENUM
    E_COUNT
};

enum {
#define PART_ENUM(n, id, text) P_##id,
    PART_MEMBERS(PART_ENUM, 0)
#undef PART_ENUM
    P_COUNT
};

#define E(id) (1u << E_##id)
#define P(id) (1u << P_##id)

enum {
    TK_FORMAT_NAME_MAX = 17 /* length of the longest of these names */
};

/* The names of an element's members, or of a part's. */
struct tk_format_names {
    /* Sets of members by the length of their name; most names are told apart by it alone. */
    uint32_t by_length[TK_FORMAT_NAME_MAX + 1], all;
    struct tk_str name[E_COUNT];
};

extern const struct tk_format_names tk_element_names, tk_part_names;

/* Return value of a row's function if its condition doesn't hold; otherwise it returns a member. */
enum {
    TK_NO_SIGN = -1
};

/* An element or a part with the members that were found. Members that are null count as absent. */
struct tk_format_view {
    struct tk_arena *arena;
    struct tk_val at;
    uint32_t present; /* set of E_ or P_ bits; m[] of the others is not set */
    uint32_t others;  /* number of members that can't be signs */
    bool null_type;
    struct tk_val m[E_COUNT];
};

/* Returns the member; absent if the element or part doesn't have it. */
static inline struct tk_val tk_format_get(const struct tk_format_view *v, int member)
{
    return v->present & (1u << member) ? v->m[member] : TK_NO_VAL;
}

/* A condition of the table. */
struct tk_format_row {
    const char *looks_like, *title;
    /* at least one of these must be present; 0: the row isn't about elements, or isn't about
     * parts */
    uint32_t element, part;
    int (*sign)(const struct tk_format_view *v); /* the member that shows it, or TK_NO_SIGN */
    unsigned not_asked;                          /* TK_ASKED_*: dialects for which it is no sign */
};

/* The rows in the order in which they count, at most 32. */
extern const struct tk_format_row tk_format_rows[];
extern const size_t tk_format_row_count;

#endif
