/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/options.h"

#include <getopt.h>
#include <string.h>

struct option_row {
    const char *name;
    const char *value; /* name of its argument; NULL: takes none */
    size_t offset;     /* with a value: of the text in struct tk_overrides */
    enum tk_daemon_action action;
    const char *help;
};

#define AT(member) offsetof(struct tk_overrides, member)

static const struct option_row rows[] = {
    {"socket", "PATH", AT(socket), TK_DAEMON_SERVE,
     "where clients connect [" TK_DEFAULT_SOCKET "]"},
    {"control", "PATH", AT(control), TK_DAEMON_SERVE,
     "where monitoring connects [the socket's path with .control.sock at its end]"},
    {"http", "ADDR", AT(http), TK_DAEMON_SERVE,
     "where monitoring asks by HTTP: 127.0.0.1:9464, [::1]:9464 or unix:/path [nowhere]"},
    {"config", "FILE", AT(config), TK_DAEMON_SERVE,
     "the configuration [" TK_CONFIG_FILE ", if there is one]"},
    {"workers", "N", AT(workers), TK_DAEMON_SERVE,
     "threads that work on requests [one per CPU, at most 4]"},
    {"log-level", "LEVEL", AT(log_level), TK_DAEMON_SERVE,
     "error, warning, notice, info or debug [info]"},
    {"check-config", NULL, 0, TK_DAEMON_CHECK, "read the configuration and exit"},
    {"version", NULL, 0, TK_DAEMON_VERSION, "print the version and exit"},
    {"help", NULL, 0, TK_DAEMON_HELP, "print this and exit"},
};
#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

enum tk_daemon_action tk_options_read(int argc, char **argv, struct tk_overrides *ret_overrides)
{
    struct option options[ROW_COUNT + 1] = {{0}};
    struct tk_overrides overrides = {0};
    enum tk_daemon_action action = TK_DAEMON_SERVE;
    int c, index = 0;

    for (size_t i = 0; i < ROW_COUNT; i++)
        options[i] =
            (struct option){rows[i].name, rows[i].value ? required_argument : no_argument, NULL, 1};
    while ((c = getopt_long(argc, argv, "", options, &index)) != -1) {
        if (c != 1)
            return TK_DAEMON_USAGE_ERROR;
        if (rows[index].value)
            memcpy((char *)&overrides + rows[index].offset, &optarg, sizeof(optarg));
        else
            action = rows[index].action;
    }
    if (optind < argc) {
        (void)fprintf(stderr, "%s: unexpected argument '%s'\n", argv[0], argv[optind]);
        return TK_DAEMON_USAGE_ERROR;
    }
    *ret_overrides = overrides;
    return action;
}

void tk_options_help(FILE *to)
{
    (void)fputs("usage: turnkeeperd [OPTION...]\n"
                "Keeps LLM conversation history replayable; serves on a Unix socket.\n\n"
                "Options:\n",
                to);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        char left[40];

        (void)snprintf(left, sizeof(left), "--%s%s%s", rows[i].name, rows[i].value ? " " : "",
                       rows[i].value ? rows[i].value : "");
        (void)fprintf(to, "  %-20s %s\n", left, rows[i].help);
    }
    (void)fputs("\nKeys of the configuration, a JSON object [default]:\n", to);
    tk_config_help(to);
    (void)fputs(
        "\nSIGTERM drains, a second one ends at once; SIGHUP reads the configuration again.\n"
        "Exit: 0 drained, 1 failed, 2 usage or configuration.\n",
        to);
}
