/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Beta values of a request (OPERATIONS.md B.2): those of the caller first, as it spelled them, then
 * those that its request needs and lacks, in the order of the provider's list.
 *
 *     tk_betas_init(&b, arena, hash_key);
 *     tk_betas_add(&b, header);                       values of the caller
 *     rules->scan_request(&scan, &view); ...          facts of the request (providers/betas.h)
 *     tk_betas_complete(&b, rules, &scan, &where);    adds the missing values
 *
 * The scan reads the pieces of a request one at a time, so they may come from several documents: a
 * history that is only being put together can be scanned, too.
 */
#ifndef TK_OPERATIONS_TOOLS_BETA_H
#define TK_OPERATIONS_TOOLS_BETA_H

#include "operations/refusal.h"
#include "providers/betas.h"
#include "shapes/shape.h"
#include "value/writer.h"

/* Returns the facts of both. */
static inline struct tk_beta_scan tk_beta_both(struct tk_beta_scan a, struct tk_beta_scan b)
{
    return (struct tk_beta_scan){a.seen | b.seen};
}

/* Adds the facts of a list of messages. */
void tk_beta_scan_messages(struct tk_beta_scan *scan, const struct tk_beta_rules *rules,
                           const struct tk_shape *shape, struct tk_val messages,
                           struct tk_arena *arena);

void tk_betas_init(struct tk_betas *b, struct tk_arena *arena, const uint64_t *hash_key);

/* Adds the caller's values: a line, or a list of lines. Each is split at commas; blanks around
 * values, empty values and repeated ones are left out. Values that aren't text are ignored. */
void tk_betas_add(struct tk_betas *b, struct tk_val lines);

/* Adds the values that the request lacks, after the caller's, of which there are b->given. Returns
 * 0 or -ENOMEM. */
int tk_betas_complete(struct tk_betas *b, const struct tk_beta_rules *rules,
                      const struct tk_beta_scan *scan, const struct tk_beta_call *call);

/* Returns the set of the values that are sent or needed, for the rules. Adds no value. */
struct tk_known_betas tk_betas_known(const struct tk_betas *b, const struct tk_beta_rules *rules,
                                     const struct tk_beta_scan *scan,
                                     const struct tk_beta_call *call);

/* Refuses a value that the provider doesn't take together with the facts. Returns 0, -ENOMEM, or
 * TK_REFUSED with `lines` blamed. */
int tk_betas_check(const struct tk_betas *b, const struct tk_beta_rules *rules,
                   const struct tk_beta_scan *scan, struct tk_val lines,
                   struct tk_refusal *refusal);

/* Returns true if `list` has exactly these values, in this order. */
bool tk_betas_equal(const struct tk_betas *b, struct tk_val list);

/* Writes the values from the index `from` on as a list. */
void tk_betas_write(struct tk_writer *w, const struct tk_betas *b, uint32_t from);

/* Writes all values as one header line. */
void tk_betas_write_header(struct tk_writer *w, const struct tk_betas *b);

#endif
