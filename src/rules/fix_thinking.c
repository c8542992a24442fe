/* SPDX-License-Identifier: Apache-2.0 */
/* What repair does about thinking (CATALOGUE 3.5). */
#include "rules/fix.h"

int tk_fix_final_thinking(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return tk_edit_append(p->e, f->message, (enum tk_code)f->code, d.action,
                          TK_STR("(interrupted)"));
}
