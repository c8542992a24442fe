/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/refusal.h"

#include "value/pointer.h"

#include <errno.h>

int tk_refusal_blame_member(struct tk_refusal *refusal, enum tk_refusal_name name, struct tk_val at,
                            const char *member)
{
    if (refusal->name == TK_REFUSAL_NONE) {
        refusal->name = name;
        refusal->at = at;
        refusal->member = member;
    }
    return TK_REFUSED;
}

int tk_refusal_blame(struct tk_refusal *refusal, enum tk_refusal_name name, struct tk_val at)
{
    return tk_refusal_blame_member(refusal, name, at, NULL);
}

int tk_refusal_param(struct tk_refusal *refusal, struct tk_val at, const char *member,
                     const char *why)
{
    if (refusal->name == TK_REFUSAL_NONE)
        refusal->why = why;
    return tk_refusal_blame_member(refusal, TK_REFUSAL_INVALID_PARAMS, at, member);
}

int tk_refusal_list(struct tk_refusal *refusal, const char *key, struct tk_str item,
                    struct tk_arena *arena)
{
    refusal->list_key = key;
    if (!TK_GROW(arena, refusal->list, refusal->list_count, refusal->list_capacity))
        return -ENOMEM;
    refusal->list[refusal->list_count++] = item;
    return TK_REFUSED;
}

int tk_refusal_detail(struct tk_refusal *refusal, const char *key, struct tk_str text)
{
    size_t i = refusal->details[0].key ? 1 : 0;

    refusal->details[i].key = key;
    refusal->details[i].text = text;
    return TK_REFUSED;
}

struct tk_str tk_refusal_pointer(const struct tk_refusal *refusal, struct tk_arena *arena)
{
    struct tk_str pointer = tk_pointer_of(refusal->at, TK_STR(""), arena);

    return refusal->member ? tk_pointer_add(pointer, tk_str_of(refusal->member), arena) : pointer;
}
