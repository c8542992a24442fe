/* SPDX-License-Identifier: Apache-2.0 */
/* Two texts as a unified diff, which patch(1) applies. */
#ifndef TK_CLI_SHOW_DIFF_H
#define TK_CLI_SHOW_DIFF_H

#include "cli/show/term.h"

/* Prints the two lines with the file's name, which precede its first hunk. */
void cli_diff_begin(const struct cli_sink *sink, const char *name);

/*
 * Prints the hunks with three lines of context. `line` is the line of the file, from 1, at which
 * the old text begins. Takes O(n log n) time for n bytes. Returns 0 or -ENOMEM.
 */
int cli_diff_print(const struct cli_sink *sink, struct tk_str old, struct tk_str new, size_t line);

/* Prints a hunk for one changed line, without context. `old` and `new` don't include the line feed;
 * `open` is true if the file ends there without one. */
void cli_diff_line(const struct cli_sink *sink, struct tk_str old, struct tk_str new, size_t line,
                   bool open);

#endif
