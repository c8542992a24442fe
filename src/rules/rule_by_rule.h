/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repair rule by rule (PROVIDERS.md 2). A provider whose checks are one rule each, in the order of the
 * catalogue, is repaired by one step:
 *
 *     for each check: find its faults in the list as it is now; fix them in document order
 *
 * So each rule sees what the rules before it did, and needs no round of its own. The provider's table
 * makes the pass repeat until one makes no edit:
 *
 *     {"rules", tk_has_errors, tk_rule_by_rule, TK_STAGE_RULES, 0, 0},
 *
 * A fix's act() is called for each error of its code, with its decision made before the first edit of
 * the check; one whose message or part is gone is left out. Notes that a check makes in
 * `j->own` for its fixes are still there, but have no entries for parts and messages that an edit added. Emptied messages are
 * the fixes' own business.
 */
#ifndef TK_RULES_RULE_BY_RULE_H
#define TK_RULES_RULE_BY_RULE_H

#include "rules/repair.h"

/* Runs one pass, and judges the whole again if it made an edit. Returns 0, -ENOMEM or -ECANCELED. */
int tk_rule_by_rule(struct tk_repair *r, const struct tk_step *step);

/* Returns true if the last judging found an error. */
bool tk_has_errors(const struct tk_repair *r);

#endif
