/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of parts where a history has another value: a text, one part alone (PROVIDERS.md 5.1, 5.5). */
#ifndef TK_PROVIDERS_COMMON_PART_LISTS_H
#define TK_PROVIDERS_COMMON_PART_LISTS_H

#include "engine/fix.h"

/* Returns a list for a value in the place of a list: with the object, with a string as its text, with another
 * value as JSON text; empty for a blank string, null and an absent value. `.p == NULL` without memory. */
struct tk_str tk_as_part_list(struct tk_edits *e, struct tk_val v);

/* Makes a list of a message's content that isn't one; a fix. */
int tk_fix_content_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
