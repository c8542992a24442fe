/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The findings of a file that fit a refusal: those with the code of a rule that the words belong to.
 * If there are none, those at the place at which the words point. Then what repair makes of the history.
 *
 *     FILE ─┬─ validate ─> findings ─┬─ code ──> printed
 *           │                        ├─ place ─> printed with a note, if none has the code
 *           │                        └─ none ──> a note says why
 *           └─ repair ───> the edits that fit, or the way out of each finding that remains
 */
#ifndef TK_CLI_COMMANDS_EXPLAIN_FILE_H
#define TK_CLI_COMMANDS_EXPLAIN_FILE_H

#include "cli/commands/explain_matches.h"

/* Prints the matches, those of the provider first whose history it is; then, of each document of the file
 * that the second operand names, what fits. Returns the exit status. */
int cli_explain_file(const struct cli_args *args, const struct cli_matches *matches,
                     struct tk_arena *arena);

#endif
