/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that only stay if their work is finished. Until cli_temp_keep(), a signal that ends the
 * process removes them.
 */
#ifndef TK_CLI_IO_TEMP_H
#define TK_CLI_IO_TEMP_H

#include <signal.h>

/* Makes a file of mode 0600 out of a template that ends in XXXXXX (mkstemp). Returns its
 * descriptor or a negative errno. */
int cli_temp_make(char *template);

/* Makes a file of that very name, of mode 0600. Returns its descriptor, -EEXIST if the name is
 * taken, or another negative errno. */
int cli_temp_make_named(const char *name);

/* From here on the file stays whatever happens; for files that are gone as well. */
void cli_temp_keep(const char *name);

/* Between the two no signal is delivered. */
void cli_temp_block_signals(sigset_t *ret_before);
void cli_temp_unblock_signals(const sigset_t *before);

#endif
