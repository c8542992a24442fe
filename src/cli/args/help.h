/* SPDX-License-Identifier: Apache-2.0 */
/* --help, written from the tables. */
#ifndef TK_CLI_ARGS_HELP_H
#define TK_CLI_ARGS_HELP_H

#include "cli/args/table.h"

/* Values that an option of a command may have, separated by blanks; NULL: none to offer. */
const char *cli_option_values(const struct cli_option *option, const struct cli_command *command);

/* Help on stdout: of one command, or of the program where command is NULL. */
void cli_help(const struct cli_command *command);

#endif
