/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that stay only if their work is finished. Until cli_temp_keep(), a signal that ends the
 * process removes them.
 */
#ifndef TK_CLI_IO_TEMP_H
#define TK_CLI_IO_TEMP_H

#include <signal.h>

/* Makes a file of mode 0600 from a template that ends in XXXXXX (mkstemp). Returns its descriptor
 * or a negative errno. */
int cli_temp_make(char *template);

/* Makes a file of exactly this name, of mode 0600. Returns its descriptor, -EEXIST if the name is
 * taken, or another negative errno. */
int cli_temp_make_named(const char *name);

/* Stops watching a file: it stays whatever happens. Fine for a file that was removed. */
void cli_temp_keep(const char *name);

/* Blocks all signals until cli_temp_unblock_signals(). */
void cli_temp_block_signals(sigset_t *ret_before);
void cli_temp_unblock_signals(const sigset_t *before);

#endif
