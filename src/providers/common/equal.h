/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are equal as PROVIDERS.md 1.3 means it. */
#ifndef TK_PROVIDERS_COMMON_EQUAL_H
#define TK_PROVIDERS_COMMON_EQUAL_H

#include "value/doc.h"

/* Returns true if two values have the same members in the same order, spelled the same; white space
 * between them doesn't count. but: names of the objects' own members that don't count, ended by `.p
 * == NULL`; may be NULL. Absent values are equal to each other.
 * Linear. */
bool tk_is_equal(struct tk_val a, struct tk_val b, const struct tk_str *but);

#endif
