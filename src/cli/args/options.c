/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two passes of getopt_long over the same table: the first stops at the command's name, so that
 * options may come before it; the second reads everything and then asks the table whether
 * the options belong to the command.
 */
#include "cli/args/options.h"

#include "cli/args/help.h"
#include "cli/args/suggest.h"
#include "cli/show/term.h"
#include "providers/provider.h"
#include "providers/registry.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONG_BASE 256 /* getopt values of options, above every letter */

struct cli_grammar {
    struct option longs[CLI_OPTION_COUNT + 1];
    char letters[2 + 2 * CLI_OPTION_COUNT + 1];
};

static void __attribute__((format(printf, 1, 0))) say(const char *format, va_list ap)
{
    char *text;

    fputs("turnkeeper: ", stderr);
    if (vasprintf(&text, format, ap) >= 0) {
        cli_print_text(stderr, isatty(STDERR_FILENO), tk_str_of(text));
        free(text);
    }
    fputc('\n', stderr);
}

int cli_fail(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    say(format, ap);
    va_end(ap);
    return CLI_EXIT_FAILED;
}

int cli_usage_error(const struct cli_command *command, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    say(format, ap);
    va_end(ap);
    fprintf(stderr, "Try 'turnkeeper%s%s --help'.\n", command ? " " : "",
            command ? command->name : "");
    /* A monitoring system shows what the program prints to stdout. */
    if (command == &cli_commands[CLI_HEALTH])
        puts("TURNKEEPER UNKNOWN - wrong usage of the check");
    return command ? command->usage_exit : CLI_EXIT_FAILED;
}

static void build_grammar(struct cli_grammar *g, const char *head)
{
    char *at = stpcpy(g->letters, head);

    for (int i = 0; i < CLI_OPTION_COUNT; i++) {
        const struct cli_option *o = &cli_options[i];

        g->longs[i] = (struct option){o->name, o->argument ? required_argument : no_argument, NULL,
                                      LONG_BASE + i};
        if (o->letter) {
            *at++ = o->letter;
            if (o->argument)
                *at++ = ':';
        }
    }
    g->longs[CLI_OPTION_COUNT] = (struct option){NULL, 0, NULL, 0};
    *at = '\0';
}

/* Translates getopt's answer to an option's number; CLI_OPTION_COUNT if it is not an option. */
static int option_of(int value)
{
    if (value >= LONG_BASE)
        return value - LONG_BASE;
    for (int i = 0; i < CLI_OPTION_COUNT; i++)
        if (cli_options[i].letter && cli_options[i].letter == value)
            return i;
    return CLI_OPTION_COUNT;
}

static const struct cli_command *find_command(const char *name)
{
    for (int i = 0; i < CLI_COMMAND_COUNT; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}

/* Reports an unknown command. If the word names a file, the user may have left the command out. */
static int unknown_command(const char *typed)
{
    const char *near = cli_suggest_command(typed);

    if (near)
        return cli_usage_error(NULL, "unknown command '%s'; did you mean '%s'?", typed, near);
    if (access(typed, F_OK) == 0)
        return cli_usage_error(NULL, "unknown command '%s'; did you mean 'validate %s'?", typed,
                               typed);
    return cli_usage_error(NULL, "unknown command '%s'", typed);
}

static int unknown_option(const struct cli_args *args, const char *typed)
{
    const char *near = NULL;

    if (strncmp(typed, "--", 2) == 0)
        near = cli_suggest_option(typed + 2, args->command);
    if (near)
        return cli_usage_error(args->command, "unknown option '%s'; did you mean '--%s'?", typed,
                               near);
    return cli_usage_error(args->command, "unknown option '%s'", typed);
}

/* Moves the command's name out of argv. Returns 0 or a usage error's status. */
static int take_command(struct cli_args *args, int *argc, char **argv)
{
    struct cli_grammar g;

    build_grammar(&g, "+:");
    opterr = 0;
    optind = 0; /* glibc: begin a new scan */
    while (getopt_long(*argc, argv, g.letters, g.longs, NULL) != -1)
        continue;
    if (optind >= *argc)
        return 0;
    args->command = find_command(argv[optind]);
    if (!args->command)
        return unknown_command(argv[optind]);
    memmove(&argv[optind], &argv[optind + 1], sizeof(*argv) * (size_t)(*argc - optind));
    (*argc)--;
    return 0;
}

static bool in_range(const struct cli_option *o, const char *text)
{
    unsigned long long n;
    char *end;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    n = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && n >= o->min && n <= o->max;
}

static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);

    for (const char *p = words; p && *p; p += strcspn(p, " "), p += strspn(p, " "))
        if (strcspn(p, " ") == n && memcmp(p, word, n) == 0)
            return true;
    return false;
}

const struct tk_provider *cli_provider(const char *name)
{
    for (int i = 0; i < TK_PROVIDER_COUNT; i++)
        if (strcmp(tk_providers[i]->name, name) == 0)
            return tk_providers[i];
    return NULL;
}

/* Refuses a provider that this build knows and the command doesn't serve. A name that isn't known is
 * for the core to judge: a daemon may be newer. */
static int check_provider(const struct cli_args *args, const char *name)
{
    const struct cli_option *o = &cli_options[CLI_OPT_PROVIDER];
    const char *served = cli_option_values(o, args->command);

    if (!args->command || !cli_provider(name) || has_word(served, name))
        return 0;
    return cli_usage_error(args->command, "--provider: %s doesn't serve %s, only: %s",
                           args->command->name, name, served);
}

static int check_option(const struct cli_args *args, const struct cli_option *o, const char *value)
{
    if (args->command && !(o->commands & 1u << (args->command - cli_commands)))
        return cli_usage_error(args->command, "%s has no option --%s", args->command->name,
                               o->name);
    if (o->max && !in_range(o, value))
        return cli_usage_error(args->command, "--%s needs a number from %llu to %llu", o->name,
                               o->min, o->max);
    return o == &cli_options[CLI_OPT_PROVIDER] ? check_provider(args, value) : 0;
}

static int read_options(struct cli_args *args, int argc, char **argv)
{
    struct cli_grammar g;
    int c, r;

    build_grammar(&g, ":");
    optind = 0;
    while ((c = getopt_long(argc, argv, g.letters, g.longs, NULL)) != -1) {
        int id = option_of(c);

        if (c == ':')
            return cli_usage_error(args->command, "option '%s' needs an argument",
                                   argv[optind - 1]);
        if (id == CLI_OPTION_COUNT && optopt >= LONG_BASE)
            return cli_usage_error(args->command, "option --%s takes no argument",
                                   cli_options[optopt - LONG_BASE].name);
        if (id == CLI_OPTION_COUNT && optopt > 0)
            return cli_usage_error(args->command, "unknown option '-%c'", optopt);
        if (id == CLI_OPTION_COUNT)
            return unknown_option(args, argv[optind - 1]);
        args->value[id] = optarg ? optarg : "";
        r = check_option(args, &cli_options[id], args->value[id]);
        if (r != 0)
            return r;
    }
    args->operands = argv + optind;
    args->operand_count = argc - optind;
    return 0;
}

/* Adds "-" (stdin) if no file was named; a terminal as stdin is a usage error. */
static int add_stdin(struct cli_args *args)
{
    static char dash[] = "-";
    static char *stdin_alone[] = {dash, NULL};

    if (!args->command->reads || args->operand_count > 0)
        return 0;
    if (isatty(STDIN_FILENO))
        return cli_usage_error(args->command, "%s needs a file, or a document on stdin",
                               args->command->name);
    args->operands = stdin_alone;
    args->operand_count = 1;
    return 0;
}

/* Only servers of target compatible have names, so --server says both. */
static void imply_target(struct cli_args *args)
{
    if (cli_given(args, CLI_OPT_SERVER) && !cli_given(args, CLI_OPT_TARGET))
        args->value[CLI_OPT_TARGET] = "compatible";
}

static int check_whole(struct cli_args *args)
{
    const struct cli_command *command = args->command;
    const char *color = args->value[CLI_OPT_COLOR];

    if (cli_given(args, CLI_OPT_HELP) || cli_given(args, CLI_OPT_VERSION))
        return 0;
    if (!command)
        return cli_usage_error(NULL, "no command");
    if (args->operand_count < command->min)
        return cli_usage_error(command, "%s needs %s", command->name, command->operands);
    if (args->operand_count > command->max)
        return cli_usage_error(command, "unexpected argument '%s'", args->operands[command->max]);
    if (cli_given(args, CLI_OPT_OUTPUT) && cli_given(args, CLI_OPT_IN_PLACE))
        return cli_usage_error(command, "--output and --in-place exclude each other");
    if (cli_given(args, CLI_OPT_MODEL) && cli_given(args, CLI_OPT_TARGET) &&
        strpbrk(args->value[CLI_OPT_TARGET], ":@{"))
        return cli_usage_error(command, "--model goes with --target ENDPOINT; this target is more");
    if (cli_given(args, CLI_OPT_SERVER) && cli_given(args, CLI_OPT_TARGET) &&
        strpbrk(args->value[CLI_OPT_TARGET], "@{"))
        return cli_usage_error(command,
                               "--server goes with --target ENDPOINT; this target is more");
    if (color && strcmp(color, "auto") != 0 && strcmp(color, "always") != 0 &&
        strcmp(color, "never") != 0)
        return cli_usage_error(command, "--color is auto, always or never");
    imply_target(args);
    return add_stdin(args);
}

int cli_args_parse(struct cli_args *args, int argc, char **argv)
{
    int r;

    memset(args, 0, sizeof(*args));
    r = take_command(args, &argc, argv);
    if (r == 0)
        r = read_options(args, argc, argv);
    return r == 0 ? check_whole(args) : r;
}

uint64_t cli_number(const struct cli_args *args, enum cli_option_id id, uint64_t fallback)
{
    return cli_given(args, id) ? strtoull(args->value[id], NULL, 10) : fallback;
}

const char *cli_socket_path(const struct cli_args *args)
{
    const char *environment = getenv("TURNKEEPER_SOCKET");

    if (cli_given(args, CLI_OPT_SOCKET))
        return args->value[CLI_OPT_SOCKET];
    return environment && *environment ? environment : "/run/turnkeeper/turnkeeper.sock";
}
