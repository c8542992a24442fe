/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/args/help.h"

#include "cli/args/options.h"
#include "cli/args/suggest.h"
#include "methods/core/table.h"

#include <stdio.h>
#include <string.h>

#define HELP_COLUMN 26 /* where an option's help begins */
#define HELP_WIDTH  90

const char *cli_option_values(const struct cli_option *option, const struct cli_command *command)
{
    for (size_t i = 0; command && i < sizeof(option->other) / sizeof(option->other[0]); i++)
        if (option->other[i].commands & 1u << (command - cli_commands))
            return option->other[i].words;
    return option->values;
}

static void print_option(const struct cli_option *o, const struct cli_command *command)
{
    const char *values = cli_option_values(o, command);

    char letter[] = {o->letter ? '-' : ' ', o->letter ? o->letter : ' ', o->letter ? ',' : ' ', 0};
    int n = printf("  %s --%s%s%s", letter, o->name, o->argument ? " " : "",
                   o->argument ? o->argument : "");

    if (n >= HELP_COLUMN) {
        putchar('\n');
        n = 0;
    }
    printf("%*s%s\n", HELP_COLUMN - n, "", o->help);
    if (values)
        printf("%*s  values: %s\n", HELP_COLUMN, "", values);
}

/* Prints what METHOD of `call` may be. Methods of an open stream need a connection that goes on. */
static void print_methods(void)
{
    int column = printf("\nMethods:");

    for (size_t i = 0; i < tk_methods_count; i++) {
        struct tk_str name = tk_methods[i].name;

        if (tk_methods[i].flags & TK_METHOD_STREAM)
            continue;
        if ((size_t)column + 1 + name.n > HELP_WIDTH)
            column = printf("\n        ") - 1;
        column += printf(" %.*s", (int)name.n, name.p);
    }
    putchar('\n');
}

static void help_command(const struct cli_command *command)
{
    unsigned bit = 1u << (command - cli_commands);

    printf("Usage: turnkeeper %s [OPTION]...%s%s\n\n%s: %s.\n\n%s\n", command->name,
           *command->operands ? " " : "", command->operands, command->name, command->summary,
           command->details);
    if (command == &cli_commands[CLI_CALL])
        print_methods();
    fputs("\nOptions:\n", stdout);
    for (int i = 0; i < CLI_OPTION_COUNT; i++)
        if (cli_options[i].commands & bit)
            print_option(&cli_options[i], command);
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
    print_option(&cli_options[CLI_OPT_HELP], NULL);
    print_option(&cli_options[CLI_OPT_VERSION], NULL);
    fputs(
        "\n"
        "'turnkeeper COMMAND --help' lists its options. The default socket is $TURNKEEPER_SOCKET,\n"
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

int cli_cmd_help(const struct cli_args *args)
{
    const char *name = args->operand_count ? args->operands[0] : NULL, *near;

    for (int i = 0; name && i < CLI_COMMAND_COUNT; i++)
        if (strcmp(cli_commands[i].name, name) == 0) {
            cli_help(&cli_commands[i]);
            return 0;
        }
    if (!name) {
        cli_help(NULL);
        return 0;
    }
    near = cli_suggest_command(name);
    return cli_usage_error(NULL, "no command is called '%s'%s%s%s", name,
                           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}
