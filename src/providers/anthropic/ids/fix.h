/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rewrites ids that the provider would refuse: histories that began with another provider have ids
 * of another form. Rows of fixes.c name these functions; engine/fix.h says what `want` and `act`
 * are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_IDS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_IDS_FIX_H

#include "engine/fix.h"

/* Gives a client call and its result the same new id. */
int tk_fix_client_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Gives a provider-executed call or result its new id, and remembers it for callers. */
int tk_fix_server_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Rewrites the callers that name an id which got a new one this round. Returns 0 or -ENOMEM. */
int tk_rename_callers(struct tk_plan *p);
/* Gives a call or result an id and adds the line of the report. A removed part is left out. Returns
 * 0 or -ENOMEM. */
int tk_fix_id(struct tk_plan *p, uint32_t part, uint16_t code, struct tk_str id);

#endif
