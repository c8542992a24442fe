/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by name, for the summary at the end of a run. */
#ifndef TK_CLI_SHOW_TALLY_H
#define TK_CLI_SHOW_TALLY_H

#include <stdint.h>

#include "cli/show/term.h"
#include "value/doc.h"

struct cli_tally_row {
    char *name; /* a code */
    char *kind; /* a severity or an action; "" while it isn't known */
    uint64_t count;
};

/* Few rows: there are not many codes. A zeroed tally is empty. */
struct cli_tally {
    struct cli_tally_row *rows;
    size_t count;
};

/* Counts a name, told apart by its kind as well. Returns 0 or -ENOMEM. */
int cli_tally_add(struct cli_tally *tally, struct tk_str name, struct tk_str kind, uint64_t n);

/*
 * Counts what `counts` of an answer says, also what `violations` doesn't list; the kind of a code
 * is the severity that it was listed with, here or earlier. Adds to *total. Returns 0 or -ENOMEM.
 */
int cli_tally_findings(struct cli_tally *tally, struct tk_val answer, struct tk_arena *arena,
                       uint64_t *total);

/* One line a row, the most frequent first. */
void cli_tally_print(struct cli_tally *tally, const struct cli_sink *sink);

void cli_tally_done(struct cli_tally *tally);

#endif
