/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members that a provider's answers have and its requests don't (OPERATIONS-PROVIDERS.md 1.1), as a table:
 *
 *     static const struct tk_output_only call[] = {{.name = "index"}, {.name = "function", .inside = function}, ...};
 *
 *     {"index": 0, "id": "c1", "function": {...}}   ->   {"id": "c1", "function": {...}}
 */
#ifndef TK_PROVIDERS_OUTPUT_ONLY_H
#define TK_PROVIDERS_OUTPUT_ONLY_H

#include "value/writer.h"

enum tk_output_only_goes {
    TK_GOES_ALWAYS,
    TK_GOES_IF_NULL,
    TK_GOES_IF_EMPTY, /* null or [] */
    TK_GOES_NEVER,    /* only members inside of it go */
    TK_GOES_NOT_ALONE /* it stays, and all members that the table doesn't name go */
};

/* Bits that the callers of a table give to its rows. */
enum {
    TK_OUTPUT_ONLY_STATUS = 1 << 0,
    TK_OUTPUT_ONLY_ID = 1 << 1,
};

struct tk_output_only {
    struct tk_str name; /* `.p == NULL` ends the table */
    uint8_t goes;       /* enum tk_output_only_goes */
    uint8_t when;       /* the row counts if this bit is asked for; 0: always */
    /* of the member's value, or of each element of its list; NULL: nothing inside goes */
    const struct tk_output_only *inside;
};

/* Returns true if an object has such members. when: TK_OUTPUT_ONLY_* bits. */
bool tk_has_output_only(struct tk_val v, const struct tk_output_only *table, unsigned when);

/* Writes the object without them. The other values keep their bytes. */
void tk_write_without_output_only(struct tk_writer *w, struct tk_val v,
                                  const struct tk_output_only *table, unsigned when);

#endif
