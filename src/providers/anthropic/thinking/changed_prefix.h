/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Newer models bind signed thinking to all that precedes it: an edit in front of a block can
 * kill it. Where repair made such an edit the caller is told which blocks stand behind it.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_CHANGED_PREFIX_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_CHANGED_PREFIX_H

#include "history/history.h"
#include "value/writer.h"

struct tk_unbound {
    uint32_t message; /* the first one, of the repaired history, whose content parts from the
                         input's; TK_NONE: none does */
    uint32_t index;   /* its index in the repaired history */
    uint32_t part;    /* where behind it blocks are concerned: this part or a later one; TK_NONE:
                         from the next message on */
};

/* Compares the repaired transcript with the input. Linear. */
struct tk_unbound tk_unbound_of(const struct tk_transcript *t);

/*
 * Writes the member unbound, where an edit parts the repaired history from the input in front of
 * signed thinking; else nothing.
 */
void tk_report_unbound(struct tk_writer *w, const struct tk_transcript *t);

#endif
