/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds tools that have the name of another. Every request with tools is searched and hardly any
 * has one, so this is the part of reading tools that has to be fast.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TOOLS_REPEATED_H
#define TK_PROVIDERS_ANTHROPIC_TOOLS_REPEATED_H

#include "request/view.h"
#include "value/hash.h"

/* Indexes of entries of `tools`, in their order. */
struct tk_repeated {
    uint32_t *list; /* in the arena */
    uint32_t count, capacity;
};

/*
 * Lists the entries of `tools` whose name an earlier entry has. `ret` is zeroed, or a list that is
 * replaced; `scratch` is a map that it may clear and fill. Returns 0 or -ENOMEM.
 */
int tk_repeated_read(struct tk_repeated *ret, const struct tk_request_view *view,
                     struct tk_map *scratch);

#endif
