/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/args/suggest.h"

#include <string.h>

#include "value/nearest.h"

const char *cli_suggest_command(const char *typed)
{
    struct tk_nearest best = tk_nearest_to(tk_str_of(typed));

    for (int i = 0; i < CLI_COMMAND_COUNT; i++)
        tk_nearest_consider(&best, tk_str_of(cli_commands[i].name));
    return best.name.p;
}

const char *cli_suggest_option(const char *typed, const struct cli_command *command)
{
    unsigned bit = command ? 1u << (command - cli_commands) : ~0u;
    struct tk_nearest best = tk_nearest_to((struct tk_str){typed, strcspn(typed, "=")});

    for (int i = 0; i < CLI_OPTION_COUNT; i++)
        if (cli_options[i].commands & bit)
            tk_nearest_consider(&best, tk_str_of(cli_options[i].name));
    return best.name.p;
}
