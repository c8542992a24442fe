/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Newer models bind signed thinking to all that precedes it, so an edit before a block can make the
 * provider refuse the block. If repair made such an edit, it tells the caller which blocks follow
 * it.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_CHANGED_PREFIX_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_CHANGED_PREFIX_H

#include "history/history.h"
#include "value/writer.h"

struct tk_unbound {
    /* First message of the repaired history whose content differs from the input's; TK_NONE: no
     * difference. */
    uint32_t message;
    uint32_t index; /* its index in the repaired history */
    uint32_t part;  /* first affected part; TK_NONE: the next message is the first */
};

/* Returns where the repaired transcript differs from the input for the first time. Linear. */
struct tk_unbound tk_unbound_of(const struct tk_transcript *t);

/* Writes the member `unbound` if an edit precedes signed thinking of the repaired history; else
 * writes nothing. */
void tk_report_unbound(struct tk_writer *w, const struct tk_transcript *t);

#endif
