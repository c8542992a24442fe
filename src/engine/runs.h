/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs: neighbouring messages of one role, of providers that don't join them (PROVIDERS.md 5). A message
 * without parts is dropped. The user's last word of a run stays, though: the text "(empty)" takes its
 * place, so that the model's messages around it don't become neighbours.
 */
#ifndef TK_ENGINE_RUNS_H
#define TK_ENGINE_RUNS_H

#include "engine/plan.h"

/* Returns true if the content is neither a list nor absent: then it holds no parts, and isn't empty. */
bool tk_is_broken(const struct tk_message *m);

/* Returns true if the message holds no parts and isn't broken. */
static inline bool tk_is_partless(const struct tk_message *m)
{
    return m->first == TK_NONE && !tk_is_broken(m);
}

/* Returns the edit for a message without parts: it is dropped, or rewritten as "(empty)". */
enum tk_action tk_want_without_parts(struct tk_plan *p, uint32_t message);

/* Makes that edit, unless no edit may drop the message. Returns 0, -ENOMEM or -ECANCELED. */
int tk_fix_without_parts(struct tk_plan *p, uint32_t message, uint16_t code);

/* Makes that edit for all messages that lost their parts in this round. Returns 0, -ENOMEM or
 * -ECANCELED. */
int tk_settle_runs(struct tk_plan *p);

#endif
