/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/fix.h"

int tk_fix_drop(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_edit_drop(p->e, f->site.part, f->code);
}

bool tk_turn_is_signed(const struct tk_transcript *t, uint32_t message)
{
    uint32_t turn = t->messages[message].turn;

    return turn != TK_NONE && (t->turns[turn].flags & TK_TURN_SIGNED);
}
