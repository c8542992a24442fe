/* SPDX-License-Identifier: Apache-2.0 */
/* When a fix is made (OPERATIONS.md C.8): the stages of the steps in steps.c, in the order in which
 * they run. */
#ifndef TK_PROVIDERS_ANTHROPIC_STEPS_H
#define TK_PROVIDERS_ANTHROPIC_STEPS_H

#include "engine/plan.h"

enum {
    /* TK_STAGE_RULES: RULES.md sections 3 and 6 */
    TK_STAGE_COMPACTION = TK_STAGE_RULES + 1, /* drops messages that a block sums up */
    TK_STAGE_THINKING_ROUTE,                  /* C.7 O2 */
    TK_STAGE_THINKING_MARKER,                 /* C.5 B5 */
    TK_STAGE_THINKING_SEALED,                 /* C.3 */
    TK_STAGE_THINKING_ORDER,                  /* C.4 */
    TK_STAGE_THINKING_BLOCK,                  /* C.5 B1 to B3, B6 */
    TK_STAGE_THINKING_PRIOR,                  /* C.7 O1 */
    TK_STAGE_BINDING,                         /* C.6: at the end, on the outcome of the others */
};

static inline bool tk_is_about_thinking(uint8_t stage)
{
    return stage >= TK_STAGE_THINKING_ROUTE;
}

#endif
