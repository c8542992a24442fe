/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a member's name with several names. */
#ifndef TK_METHODS_CORE_MEMBER_H
#define TK_METHODS_CORE_MEMBER_H

#include "value/doc.h"

/* Returns true if the member has the name. `raw` is tk_raw_key(member), looked up once for all
 * names. */
static inline bool tk_member_is(struct tk_val member, struct tk_str raw, struct tk_str name)
{
    if (tk_node(member)->flags & TK_NODE_KEY_ESCAPED)
        return tk_key_is(member, name);
    return tk_str_eq(raw, name);
}

#endif
