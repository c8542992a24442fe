/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a JSON value to stdout: as it was received, on one line, or indented for people. */
#ifndef TK_CLI_SHOW_PRETTY_H
#define TK_CLI_SHOW_PRETTY_H

#include "cli/args/options.h"
#include "value/doc.h"

/*
 * Prints a value and a line feed: on one line with --json, indented on a terminal, else its bytes
 * unchanged. The arena is used for the one line.
 */
void cli_print_json(const struct cli_args *args, struct tk_val v, struct tk_arena *arena);

/* Prints a value on one line, with a line feed. */
void cli_print_json_line(struct tk_val v, struct tk_arena *arena);

#endif
