/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of ids of a wrong pattern. Rows of fixes.c name them; rules/fix.h says what `want` and
 * `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_IDS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_IDS_FIX_H

#include "rules/fix.h"

int tk_fix_client_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_server_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Callers name the new ids of this round, too. Returns 0 or -ENOMEM. */
int tk_rename_callers(struct tk_plan *p);
/* Gives a call or result an id, with its line of the report. */
int tk_fix_id(struct tk_plan *p, uint32_t part, uint16_t code, struct tk_str id);

#endif
