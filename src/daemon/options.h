/* SPDX-License-Identifier: Apache-2.0 */
/* The command line. */
#ifndef TK_DAEMON_OPTIONS_H
#define TK_DAEMON_OPTIONS_H

#include "daemon/config.h"

enum tk_daemon_action {
    TK_DAEMON_SERVE,
    TK_DAEMON_CHECK,
    TK_DAEMON_VERSION,
    TK_DAEMON_HELP,
    TK_DAEMON_USAGE_ERROR, /* reported on stderr */
};

/* Reads the command line. Returns what to do. */
enum tk_daemon_action tk_options_read(int argc, char **argv, struct tk_overrides *ret_overrides);

/* Prints the usage. */
void tk_options_help(FILE *to);

#endif
