/* SPDX-License-Identifier: Apache-2.0 */
/* argv, checked against the tables. */
#ifndef TK_CLI_ARGS_OPTIONS_H
#define TK_CLI_ARGS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/args/table.h"

struct tk_provider;

/* Exit statuses of all commands but health. */
enum {
    CLI_EXIT_OK = 0,
    CLI_EXIT_ERRORS = 1, /* errors remain; the daemon answered with an error */
    CLI_EXIT_FAILED = 2, /* unreadable input, usage, no daemon */
    CLI_EXIT_STOP = 3,   /* nothing is to be sent */
    CLI_EXIT_AGAIN = 75, /* failed, but worth another try: EX_TEMPFAIL of sysexits.h */
};

struct cli_args {
    const struct cli_command *command; /* NULL: none was named */
    const char
        *value[CLI_OPTION_COUNT]; /* an option's last argument, "" for flags, NULL if absent */
    char **operands;
    int operand_count;
};

static inline bool cli_given(const struct cli_args *args, enum cli_option_id id)
{
    return args->value[id] != NULL;
}

/* Returns an option's number, or `fallback` if the option is absent. Parsing has checked the
 * number. */
uint64_t cli_number(const struct cli_args *args, enum cli_option_id id, uint64_t fallback);

/*
 * Reads argv. `args` refers to its strings; its order changes. Returns 0, or the exit status of a
 * usage error that has been reported.
 */
int cli_args_parse(struct cli_args *args, int argc, char **argv);

/* Returns the provider of that name; NULL if this build knows none. */
const struct tk_provider *cli_provider(const char *name);

/* Prints an error and a hint at --help to stderr. Returns the command's exit status for usage
 * errors. */
int cli_usage_error(const struct cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints "turnkeeper: TEXT" to stderr. Returns CLI_EXIT_FAILED. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the main socket's path: --socket, else $TURNKEEPER_SOCKET, else the default. */
const char *cli_socket_path(const struct cli_args *args);

#endif
