/* SPDX-License-Identifier: Apache-2.0 */
/* Counts codes by name, for the summary at the end of a run. */
#ifndef TK_CLI_SHOW_TALLY_H
#define TK_CLI_SHOW_TALLY_H

#include <stdint.h>

#include "cli/show/term.h"
#include "value/doc.h"

struct cli_tally_row {
    char *name; /* a code */
    char *kind; /* a severity or an action; "" if unknown */
    uint64_t count;
};

/* A table of counts. There are few codes, so it is searched from start to end. A zeroed tally is
 * empty. */
struct cli_tally {
    struct cli_tally_row *rows;
    size_t count;
};

/* Adds n to the row with this name and kind. Returns 0 or -ENOMEM. */
int cli_tally_add(struct cli_tally *tally, struct tk_str name, struct tk_str kind, uint64_t n);

/*
 * Adds the member `counts` of an answer, which also counts findings that `violations` doesn't list.
 * The kind of a code is the severity with which it was listed, here or earlier. Adds to *total.
 * Returns 0 or -ENOMEM.
 */
int cli_tally_findings(struct cli_tally *tally, struct tk_val answer, struct tk_arena *arena,
                       uint64_t *total);

/* Prints one line per row, the most frequent first. */
void cli_tally_print(struct cli_tally *tally, const struct cli_sink *sink);

void cli_tally_done(struct cli_tally *tally);

#endif
