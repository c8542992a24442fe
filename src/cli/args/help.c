/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/args/help.h"

#include <stdio.h>

#define HELP_COLUMN 26 /* where an option's help begins */

static void print_option(const struct cli_option *o)
{
    char letter[] = {o->letter ? '-' : ' ', o->letter ? o->letter : ' ', o->letter ? ',' : ' ', 0};
    int n = printf("  %s --%s%s%s", letter, o->name, o->argument ? " " : "",
                   o->argument ? o->argument : "");

    if (n >= HELP_COLUMN) {
        putchar('\n');
        n = 0;
    }
    printf("%*s%s\n", HELP_COLUMN - n, "", o->help);
    if (o->values)
        printf("%*s  values: %s\n", HELP_COLUMN, "", o->values);
}

static void help_command(const struct cli_command *command)
{
    unsigned bit = 1u << (command - cli_commands);

    printf("Usage: turnkeeper %s [OPTION]...%s%s\n\n%s: %s.\n\n%s\n\nOptions:\n", command->name,
           *command->operands ? " " : "", command->operands, command->name, command->summary,
           command->details);
    for (int i = 0; i < CLI_OPTION_COUNT; i++)
        if (cli_options[i].commands & bit)
            print_option(&cli_options[i]);
}

static void help_program(void)
{
    fputs("Usage: turnkeeper COMMAND [OPTION]... [ARGUMENT]...\n"
          "\n"
          "Keeps LLM conversation history replayable.\n"
          "\n"
          "Commands:\n",
          stdout);
    for (int i = 0; i < CLI_COMMAND_COUNT; i++)
        printf("  %-10s %s\n", cli_commands[i].name, cli_commands[i].summary);
    fputs("\n"
          "Options of every command:\n",
          stdout);
    print_option(&cli_options[CLI_OPT_HELP]);
    print_option(&cli_options[CLI_OPT_VERSION]);
    fputs("\n"
          "'turnkeeper COMMAND --help' tells the rest. The default socket is $TURNKEEPER_SOCKET,\n"
          "else /run/turnkeeper/turnkeeper.sock.\n",
          stdout);
}

void cli_help(const struct cli_command *command)
{
    if (command)
        help_command(command);
    else
        help_program();
}
