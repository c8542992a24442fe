/* SPDX-License-Identifier: Apache-2.0 */
/* Two texts as a unified diff, which patch(1) applies. */
#ifndef TK_CLI_SHOW_DIFF_H
#define TK_CLI_SHOW_DIFF_H

#include "cli/show/term.h"

/* The two lines with the name, before the first hunk of a file. */
void cli_diff_begin(const struct cli_sink *sink, const char *name);

/*
 * The hunks, three lines of context around each. `line` is that of the file at which the old text
 * begins, from 1. The time is O(n log n) for n bytes. Returns 0 or -ENOMEM.
 */
int cli_diff_print(const struct cli_sink *sink, struct tk_str old, struct tk_str new, size_t line);

/* One line of a file that became another, without context. Both are without their line feed; `open`
 * says that there is none, at the end of the file. */
void cli_diff_line(const struct cli_sink *sink, struct tk_str old, struct tk_str new, size_t line,
                   bool open);

#endif
