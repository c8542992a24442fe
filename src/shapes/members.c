/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes/members.h"

/* The tables of RULES.md 8 (b), by length of the name. Each row ends with NULL. */
enum {
    NAMES_MAX = 9, /* names of one length, plus the NULL */
};
typedef const char *const names_of_length[NAMES_MAX];

static const names_of_length bookkeeping[] = {
    [2] = {"id", "ts"},
    [3] = {"_id", "__v"},
    [4] = {"uuid", "name"},
    [5] = {"model", "usage"},
    [6] = {"isMeta"},
    [7] = {"metrics"},
    [8] = {"metadata", "provider"},
    [9] = {"container", "timestamp", "createdAt", "updatedAt", "modelInfo", "sessionId",
           "requestId", "isSummary"},
    [10] = {"created_at", "updated_at", "session_id", "parentUuid", "condenseId"},
    [11] = {"stop_reason"},
    [12] = {"stop_details", "truncationId"},
    [13] = {"stop_sequence", "parsed_output", "finish_reason"},
    [14] = {"condenseParent"},
    [16] = {"truncationParent"},
    [17] = {"response_metadata"},
    [18] = {"context_management", "isTruncationMarker"},
};

static const names_of_length words[] = {
    [5] = {"audio"},
    [7] = {"refusal"},
    [9] = {"reasoning"},
    [11] = {"annotations"},
    [17] = {"reasoning_content", "reasoning_details", "additional_kwargs"},
};

#define ROWS_OF(table) (sizeof(table) / sizeof((table)[0]))

static bool is_listed(struct tk_str name, const names_of_length *table, size_t rows)
{
    if (name.n >= rows)
        return false;
    for (const char *const *known = table[name.n]; *known; known++)
        if (tk_same_bytes(name.p, *known, name.n))
            return true;
    return false;
}

bool tk_is_empty(struct tk_val v)
{
    return tk_is(v, TK_NULL) || (tk_is(v, TK_STRING) && tk_raw(v).n == 0) ||
           ((tk_is(v, TK_ARRAY) || tk_is(v, TK_OBJECT)) && !tk_exists(tk_first(v)));
}

static bool is_number(struct tk_val v)
{
    return tk_is(v, TK_INT) || tk_is(v, TK_REAL) || tk_is(v, TK_TRUE) || tk_is(v, TK_FALSE);
}

enum tk_member_kind tk_member_kind(struct tk_val member, struct tk_arena *arena)
{
    struct tk_str name;

    if (tk_is_empty(member))
        return TK_MEMBER_EMPTY;
    name = tk_key(member, arena);
    if (is_listed(name, bookkeeping, ROWS_OF(bookkeeping)) ||
        (tk_str_is(name, "type") && tk_text_is(member, TK_STR("message"))))
        return TK_MEMBER_BOOKKEEPING;
    if (is_listed(name, words, ROWS_OF(words)))
        return TK_MEMBER_WORDS;
    return is_number(member) ? TK_MEMBER_NUMBER : TK_MEMBER_FOREIGN;
}
