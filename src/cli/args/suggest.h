/* SPDX-License-Identifier: Apache-2.0 */
/* Names that somebody may have meant, for "did you mean". */
#ifndef TK_CLI_ARGS_SUGGEST_H
#define TK_CLI_ARGS_SUGGEST_H

#include "cli/args/table.h"

/* Returns the command whose name is nearest, or NULL if none is near. */
const char *cli_suggest_command(const char *typed);

/*
 * Returns the option, without dashes, whose name is nearest to what stands after the dashes, up to
 * a '='; NULL if none is near. Only those of `command`, unless it is NULL.
 */
const char *cli_suggest_option(const char *typed, const struct cli_command *command);

#endif
