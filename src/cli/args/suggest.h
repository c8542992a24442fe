/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the name that the user may have meant, for "did you mean". */
#ifndef TK_CLI_ARGS_SUGGEST_H
#define TK_CLI_ARGS_SUGGEST_H

#include "cli/args/table.h"

/* Returns the command whose name is nearest, or NULL if none is near. */
const char *cli_suggest_command(const char *typed);

/*
 * Returns the option, without dashes, whose name is nearest to the typed one; NULL if none is near.
 * Leading dashes and everything from '=' on are ignored. Only options of `command` are compared, or
 * all if it is NULL.
 */
const char *cli_suggest_option(const char *typed, const struct cli_command *command);

#endif
