/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of a message other than its role and content (RULES.md section 8). Stores and SDKs add
 * members of their own. An unknown one may contain something a person wrote, so no edit removes it.
 */
#ifndef TK_SHAPES_MEMBERS_H
#define TK_SHAPES_MEMBERS_H

#include "value/doc.h"

enum tk_member_kind {
    TK_MEMBER_EMPTY,       /* null, "", [] or {} */
    TK_MEMBER_BOOKKEEPING, /* ids, timestamps and the like, which the provider ignores */
    TK_MEMBER_WORDS,       /* belongs to another format and may be all that the message says */
    TK_MEMBER_NUMBER,      /* a number, true or false: nobody's words */
    TK_MEMBER_FOREIGN,     /* anything else */
};

/* Returns true for null, "", [] and {}. */
bool tk_is_empty(struct tk_val v);

/* Returns true for a value of a wrong type, in the place of a text or an object, that may have words:
 * no edit takes it away, since nothing here can read it. */
static inline bool tk_is_unreadable(struct tk_val v, enum tk_kind right)
{
    bool has_words = tk_is(v, TK_STRING) || tk_is(v, TK_ARRAY) || tk_is(v, TK_OBJECT);

    return has_words && !tk_is(v, right) && !tk_is_empty(v);
}

/* Returns the kind of a member that the message's shape doesn't know. arena: used for names that
 * are written with escapes. */
enum tk_member_kind tk_member_kind(struct tk_val member, struct tk_arena *arena);

#endif
