/* SPDX-License-Identifier: Apache-2.0 */
/* Writes findings and edits for the client (PROTOCOL sections 5.1 and 5.2). */
#ifndef TK_ENGINE_REPORT_H
#define TK_ENGINE_REPORT_H

#include "engine/repair.h"
#include "value/writer.h"

struct tk_report {
    struct tk_judge *judge;
    /* If not NULL: only errors, with places, ids and names of the input, from which these edits made the history. */
    const struct tk_edits *sent;
    struct tk_plan *needed; /* If not NULL, with `sent`: also `needed` and `way_out`. */
    uint32_t before;        /* the count of tk_way_back(), for `way_out` */
    uint32_t max;           /* the most findings to list */
};

/* Writes the members `violations`, `counts` and `truncated` into the open map. */
void tk_report_findings(struct tk_writer *w, const struct tk_report *report);

/* Writes the members `edits` and `stats` into the open map. */
void tk_report_edits(struct tk_writer *w, const struct tk_edits *edits);

#endif
