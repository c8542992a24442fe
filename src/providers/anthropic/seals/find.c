/* SPDX-License-Identifier: Apache-2.0 */
/* Judges sealed turns that differ from what was received (CATALOGUE 3.5, OPERATIONS.md C.3). */
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"

static const uint16_t codes[] = {
    [TK_VERDICT_REORDERED] = TK_CODE_SEALED_TURN_REORDERED,
    [TK_VERDICT_ALTERED] = TK_CODE_SEALED_TURN_ALTERED,
    [TK_VERDICT_MISSING_THINKING] = TK_CODE_SEALED_TURN_MISSING_THINKING,
    [TK_VERDICT_MISSING_TOOL_USE] = TK_CODE_SEALED_TURN_MISSING_TOOL_USE,
    [TK_VERDICT_FOREIGN_BLOCK] = TK_CODE_SEALED_TURN_FOREIGN_BLOCK,
};

uint16_t tk_sealed_code(enum tk_verdict verdict)
{
    return codes[verdict];
}

static int judge_group(struct tk_judge *j, const struct tk_sealed_turn *g)
{
    bool error = g->dead && j->policy->thinking != TK_FIX_REPORT;
    uint32_t message = g->blamed == TK_NONE ? g->messages[0] : j->t->parts[g->blamed].message;

    if (g->verdict == TK_VERDICT_INTACT)
        return 0;
    return tk_find(&j->findings, j->t, codes[g->verdict], error ? TK_ERROR : TK_WARNING,
                   tk_site_of(message, g->blamed));
}

int tk_judge_seals(struct tk_judge *j)
{
    int r;

    if (tk_anthropic(j)->seals.count == 0)
        return 0;
    r = tk_seals_match(&tk_anthropic(j)->seals, j->t);
    if (!tk_judges_thinking(j))
        return r;
    for (uint32_t i = 0; i < tk_anthropic(j)->seals.group_count && r == 0; i++)
        r = judge_group(j, &tk_anthropic(j)->seals.groups[i]);
    return r;
}
