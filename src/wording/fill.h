/* SPDX-License-Identifier: Apache-2.0 */
/* Fills in the templates of the catalogue. */
#ifndef TK_ENGINE_WORDING_FILL_H
#define TK_ENGINE_WORDING_FILL_H

#include "value/arena.h"

struct tk_slot_value {
    const char *name; /* with its braces: "{id}" */
    struct tk_str value;
};

/* Replaces each "{name}" in a template by the value of its slot, cut as names in answers are. Unknown
 * ones stay. Returns the text, in the arena; `.p == NULL` without memory. */
struct tk_str tk_fill(struct tk_arena *arena, const char *template,
                      const struct tk_slot_value *slots, size_t n);

#endif
