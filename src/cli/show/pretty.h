/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON value on stdout: as it came, on one line, or indented for people. */
#ifndef TK_CLI_SHOW_PRETTY_H
#define TK_CLI_SHOW_PRETTY_H

#include "cli/args/options.h"
#include "value/doc.h"

/*
 * Prints a value and a line feed: on one line with --json, indented on a terminal, else the very
 * bytes. The arena is used for the first.
 */
void cli_print_json(const struct cli_args *args, struct tk_val v, struct tk_arena *arena);

/* A value on one line, with a line feed. */
void cli_print_json_line(struct tk_val v, struct tk_arena *arena);

#endif
