/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of a message other than its role and content (RULES.md section 8). Stores and SDKs add
 * their own, and what isn't known here may hold somebody's words: no edit removes those.
 */
#ifndef TK_SHAPES_MEMBERS_H
#define TK_SHAPES_MEMBERS_H

#include "value/doc.h"

enum tk_member_kind {
    TK_MEMBER_EMPTY,       /* null, "", [] or {} */
    TK_MEMBER_BOOKKEEPING, /* ids, times and the like, of which the provider wants to know nothing
                            */
    TK_MEMBER_WORDS,       /* of other formats: may be all that the message says */
    TK_MEMBER_FOREIGN,     /* anything else */
};

/* Tells what a member is that the message's dialect doesn't know. The arena is for names that are
 * written with escapes. */
enum tk_member_kind tk_member_kind(struct tk_val member, struct tk_arena *arena);

#endif
