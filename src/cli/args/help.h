/* SPDX-License-Identifier: Apache-2.0 */
/* --help, written from the tables. */
#ifndef TK_CLI_ARGS_HELP_H
#define TK_CLI_ARGS_HELP_H

#include "cli/args/table.h"

/* Returns the values that an option may have with this command, separated by blanks, or NULL if
 * there is nothing to list. */
const char *cli_option_values(const struct cli_option *option, const struct cli_command *command);

/* Prints help to stdout: for one command, or for the program if command is NULL. */
void cli_help(const struct cli_command *command);

#endif
