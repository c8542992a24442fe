/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The findings of a file that fit a refusal: those with the code of a rule that the words belong to.
 * If there are none, those at the place at which the words point.
 *
 *     FILE ─ validate ─> findings ─┬─ code ──> printed
 *                                  ├─ place ─> printed with a note, if none has the code
 *                                  └─ none ──> a note says why
 */
#ifndef TK_CLI_COMMANDS_EXPLAIN_FILE_H
#define TK_CLI_COMMANDS_EXPLAIN_FILE_H

#include "cli/args/options.h"
#include "value/doc.h"

/* Validates the file that the second operand names, and prints what fits `matches`, the list that
 * the method explain answered. Returns the exit status. */
int cli_explain_file(const struct cli_args *args, struct tk_val matches, struct tk_arena *arena);

#endif
